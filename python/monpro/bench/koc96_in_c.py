"""The five methods of [koc96] in C, as the paper's first column of Table 3 timed them: measured and recorded.

`python -m monpro.bench.koc96_in_c` compiles `koc96.c` with the system's C compiler, takes half a minute, and
records in results/. The program keeps its loops over words: nothing is unrolled or made of vectors.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from monpro.flow import sources
from monpro.results.koc96_in_c import FILE, FLAT_ADD, HALVES, SIZES_BITS, WHOLE, Times
from monpro.results.recording import RESULTS, keep

SOURCE = Path(__file__).with_name("koc96.c")
COMPILER = "cc"
OPTIONS = ("-O2", "-fno-tree-vectorize", "-std=c11", "-D_POSIX_C_SOURCE=200809L")
PRODUCTS = {HALVES: (), WHOLE: ("-DWHOLE_WORDS",), FLAT_ADD: ("-DTWO_WORDS_FIRST",)}
ROUNDS = 7
BATCH_MS = 4


def compiled(products: str, folder: Path) -> Path:
    """Return the program, compiled for this way to make a product; OSError if there is no compiler."""
    program = folder / f"koc96{''.join(PRODUCTS[products])}"
    if shutil.which(COMPILER) is None:
        raise FileNotFoundError(f"there is no C compiler {COMPILER}: apt-get install gcc")
    command: list[str] = [COMPILER, *OPTIONS, *PRODUCTS[products], "-o", str(program), str(SOURCE)]
    subprocess.run(command, check=True)  # noqa: S603  (the command is made above)
    return program


def results_of(program: Path, operands: list[int]) -> list[list[int]]:
    """Return the words of each method's result for s, n, n0', a and b, in words."""
    text = " ".join(f"{word:x}" for word in operands)
    done = subprocess.run([program, "check"], input=text, capture_output=True, encoding="utf-8", check=True)  # noqa: S603
    return [[int(word, 16) for word in line.split()] for line in done.stdout.splitlines()]


def measure(say: Callable[[str], object]) -> Times:
    """Return the shortest time of each method in several rounds; each round visits every method."""
    shortest: dict[tuple[str, str, int], float] = {}
    with tempfile.TemporaryDirectory() as folder:
        programs = {products: compiled(products, Path(folder)) for products in PRODUCTS}
        for turn in range(ROUNDS):
            for bits in SIZES_BITS:
                for products, program in programs.items():
                    command = [str(program), "time", str(bits), str(BATCH_MS)]
                    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)  # noqa: S603
                    for line in done.stdout.splitlines():
                        method, _, ns = line.partition(": ")
                        key = (products, method, bits)
                        shortest[key] = min(float(ns), shortest.get(key, float(ns)))
            say(f"round {turn + 1} of {ROUNDS}")
    return shortest


def compiler_version() -> str:
    """Return the first line with which the compiler presents itself."""
    done = subprocess.run([COMPILER, "--version"], capture_output=True, encoding="utf-8", check=True)  # noqa: S603
    return done.stdout.partition("\n")[0]


def record(times: Times, results: Path = RESULTS) -> Path:
    """Write the times into today's file of this machine and return it."""
    contents = {
        "commit": sources.commit(),
        "compiler": compiler_version(),
        "options": " ".join(OPTIONS),
        "rounds": ROUNDS,
        "times": [
            {"products": products, "method": method, "bits": bits, "ns": ns}
            for (products, method, bits), ns in times.items()
        ],
    }
    return keep(FILE, contents, results)


def main(say: Callable[[str], object] = print) -> int:
    """Measure and record."""
    say(f"recorded in {record(measure(say))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
