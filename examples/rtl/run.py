"""Take a multiplier away with `monpro emit`, build a power around it, simulate it in Icarus, compare.

`python examples/rtl/run.py 12345` computes 12345^65537 modulo a number of 64 bits, in hardware.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
BITS = 64
N = 0xC96F5A1B2D3E4F07
PLACES = ("power_65537.sv", "power_65537_testbench.sv")


def simulate(x: int, n: int, folder: Path) -> tuple[int, int]:
    """Return x^65537 mod n and the clock cycles, by the emitted core and the files beside this one."""
    core = folder / "core"
    emit = [sys.executable, "-m", "monpro", "emit", "scs-mm-new", "--bits", str(BITS), "-o", str(core)]
    subprocess.run(emit, check=True, stdout=subprocess.DEVNULL)
    manifest = json.loads((core / "manifest.json").read_text())
    widths = {port["name"]: port["width"] for port in manifest["ports"]}
    # The manifest's formulas are Python expressions in n and in the constants before them.
    constants = {"n": n}
    for name, formula in manifest["constants"].items():
        constants[name] = eval(formula, {}, constants)
    operand = x * constants["r"] % n
    (folder / "operands.hex").write_text(f"{operand:x}\n{constants['n_i']:x}\n")
    top = "power_65537_testbench"
    parameters = [f"-P{top}.OperandWidth={widths['z_o']}", f"-P{top}.ModulusWidth={widths['n_i']}"]
    sources = [str(core / name) for name in manifest["sources"]] + [str(HERE / name) for name in PLACES]
    build = ["iverilog", "-g2012", "-Wall", "-s", top, *parameters, "-o", "power.vvp", *sources]
    subprocess.run(build, cwd=folder, check=True)
    ended = subprocess.run(["vvp", "power.vvp"], cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
    printed = re.search(r"z = ([0-9a-f]+) in (\d+) cycles", ended.stdout)
    if printed is None:
        raise RuntimeError(ended.stdout.strip())
    z = int(printed[1], 16)
    return z * pow(constants["r"], -1, n) % n, int(printed[2])


def main(arguments: list[str]) -> int:
    """Compute one power, in hardware and in Python."""
    if len(arguments) != 1 or not arguments[0].isdecimal():
        print("run: give one number, such as: 12345", file=sys.stderr)
        return 2
    x = int(arguments[0])
    with tempfile.TemporaryDirectory() as folder:
        power, cycles = simulate(x, N, Path(folder))
    verdict = "as Python" if power == pow(x, 65537, N) else "WRONG"
    print(f"{x}^65537 mod {N} = {power} in {cycles} clock cycles, {verdict}")
    return 0 if verdict != "WRONG" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
