"""What the kernels of [koc96]'s five methods execute: instructions and memory accesses, counted by Valgrind.

Python multiplies with a kernel at two sizes. What else runs is the same at both, so the difference belongs
to the products; it is divided by the difference of s². `python -m monpro.bench.koc96_accesses` takes minutes,
and records in results/.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from monpro.flow import sources
from monpro.results.koc96_accesses import FILE, Executed
from monpro.results.recording import RESULTS, keep

PROGRAM = "valgrind"
KERNELS = tuple(
    method + width for width in ("-w32", "") for method in ("sos", "cios", "fios", "fips", "cihs")
)
SIZES_BITS = (1024, 2048)
PRODUCTS = 400
SCRIPT = """
import monpro
modulus = monpro.Modulus(2**{bits} - 15, kernel="{kernel}")
x = modulus(2**{bits} // 7)
y = x
for _ in range({products}):
    x = x * y
"""
COUNTS = (r"I\s+refs:\s+([\d,]+)", r"D\s+refs:\s+([\d,]+)")


def counted(kernel: str, bits: int) -> tuple[int, int]:
    """Return the instructions and memory accesses of a process that multiplies with a kernel."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise FileNotFoundError(f"there is no program {PROGRAM}: apt-get install {PROGRAM}")
    script = SCRIPT.format(kernel=kernel, bits=bits, products=PRODUCTS)
    tool = [program, "--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null"]
    command = [*tool, sys.executable, "-c", script]
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, env=environment)  # noqa: S603
    instructions, accesses = (re.findall(pattern, done.stderr)[0].replace(",", "") for pattern in COUNTS)
    return int(instructions), int(accesses)


def word_bits(kernel: str) -> int:
    """Return the bits of a kernel's words."""
    return 32 if kernel.endswith("-w32") else 64


def measure(kernel: str) -> Executed:
    """Return what a product executes, in units of s²."""
    smaller, larger = (counted(kernel, bits) for bits in SIZES_BITS)
    few, many = (bits // word_bits(kernel) for bits in SIZES_BITS)
    per = PRODUCTS * (many**2 - few**2)
    instructions, accesses = (round((b - a) / per, 2) for a, b in zip(smaller, larger, strict=True))
    return Executed(instructions, accesses)


def record(measured: dict[str, Executed], results: Path = RESULTS) -> Path:
    """Write the counts into today's file of this machine and return it."""
    contents = {
        "commit": sources.commit(),
        "executed": [{"kernel": kernel, **counts._asdict()} for kernel, counts in measured.items()],
    }
    return keep(FILE, contents, results)


def main(say: Callable[[str], object] = print) -> int:
    """Count and record every kernel."""
    measured = {}
    for kernel in KERNELS:
        measured[kernel] = measure(kernel)
        say(f"{kernel}: {measured[kernel]}")
    say(f"recorded in {record(measured)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
