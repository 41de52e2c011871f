"""Run the RTL of a core on operands from Python: Verilator for volume, Icarus as a second opinion."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import IO, cast

from monpro.cores import Core, Design, Result
from monpro.cores.scalable import Scalable
from monpro.flow import sources, tools
from monpro.spec.amberg08 import number, words

Operands = tuple[int, int, int]  # x, y and n itself, not the input of n_i
Linked = tuple[int | None, int | None, int]  # None stands for the z of the product before

BENCH = Path(__file__).with_name("bench.cpp")
ARRAY_BENCH = Path(__file__).with_name("scalable_array_bench.cpp")
ARRAY_TOP = "monpro_array_scalable"
ARRAY_BANKS = 2
ARRAY_UNIT_BYTES = 8  # bytes of a number in the streams of the array's bench
TESTBENCH = Path(__file__).with_name("testbench.sv.in")
_LIMIT_MARGIN_CYCLES = 100  # beyond the core's bound; a product that takes longer has failed


@dataclass(frozen=True)
class Driving:
    """How the bench drives the handshakes.

    back_to_back: the next operands wait at the ports while a product runs. stall_seed: valid_i and ready_i
    pause at random. reset_seed: resets interrupt some products, which are then started again.
    """

    back_to_back: bool = False
    stall_seed: int | None = None
    reset_seed: int | None = None

    def options(self) -> list[str]:
        """Return the options of the bench."""
        options = ["--back-to-back"] if self.back_to_back else []
        options += [f"--stalls={self.stall_seed}"] if self.stall_seed is not None else []
        return options + ([f"--resets={self.reset_seed}"] if self.reset_seed is not None else [])


PLAIN = Driving()


@dataclass(frozen=True)
class Netlist:
    """A synthesised netlist, which stands for a core with fixed parameters: its files, with all cells."""

    name: str
    files: tuple[Path, ...]


def simulate(
    core: Core,
    operands: Sequence[Linked],
    *,
    driving: Driving = PLAIN,
    progress: Callable[[int], None] | None = None,
    netlist: Netlist | None = None,
) -> list[Result]:
    """Return the products that the RTL of a core computes in Verilator, with their clock cycles.

    `progress` is called with the number of products done. A netlist is simulated in place of the RTL.
    ToolError if a tool is missing, or the RTL does not compile or breaks the port contract.
    """
    program = build(core, netlist)
    options = [f"--limit={core.max_cycles + _LIMIT_MARGIN_CYCLES}", *driving.options()]
    z_bytes = 4 * _words(core.operand_bits)
    products: list[Result] = []
    for record in run_bench(program, options, _stimulus(core, operands), record_bytes=z_bytes + 4):
        z, cycles = record[:z_bytes], record[z_bytes:]
        products.append(Result(int.from_bytes(z, "little"), int.from_bytes(cycles, "little")))
        if progress is not None:
            progress(len(products))
    return products


def run_bench(
    program: Path, options: list[str], stimulus: Iterable[bytes], *, record_bytes: int
) -> Iterator[bytes]:
    """Yield the records that a bench returns for a stimulus; ToolError with its message if it fails."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as complaints:
        given.writelines(stimulus)
        given.seek(0)
        with subprocess.Popen(  # noqa: S603  # a program this module has compiled
            [program, *options], stdin=given, stdout=subprocess.PIPE, stderr=complaints
        ) as process:
            answers = cast("IO[bytes]", process.stdout)
            while len(record := answers.read(record_bytes)) == record_bytes:
                yield record
        complaints.seek(0)
        complaint = complaints.read().decode().strip()
    if process.returncode:
        raise tools.ToolError(f"the simulation stopped: {complaint or 'the bench crashed'}")


def build(core: Core, netlist: Netlist | None = None) -> Path:
    """Return the compiled bench of a core, from the cache if its sources and tools are unchanged."""
    definitions = {"OPERAND_BITS": core.operand_bits, "MODULUS_BITS": core.modulus_bits}
    return compile_bench(core.top, parameter_values(core), BENCH, definitions, netlist=netlist)


def compile_bench(  # noqa: PLR0913  (options are keywords)
    top: str,
    parameters: Mapping[str, str],
    bench: Path,
    definitions: Mapping[str, int],
    replaced: Collection[Path] = (),
    *,
    netlist: Netlist | None = None,
) -> Path:
    """Return the program that Verilator builds from a module and a C++ bench, from the cache if it is there.

    `replaced` are sources that replace the files of the same name in rtl/. A netlist takes the place of all
    sources and parameters; Verilator's warnings on it stay in the log.
    """
    tools.find("verilator")
    files = [*(netlist.files if netlist else sources.needed(top, replaced)), bench]
    recipe = _recipe(top, {} if netlist else parameters, definitions, clean=netlist is None)
    digest = hashlib.sha256(repr([tools.version_of("verilator"), recipe]).encode())
    for path in files:
        digest.update(path.read_bytes())
    program = cache_folder() / "simulate" / f"{top}-{digest.hexdigest()[:24]}"
    if program.is_file():
        return program
    program.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=program.parent) as name:
        folder = Path(name)
        arguments = [*recipe, *_reuse_runtime(folder), "--Mdir", name, *map(str, files)]
        tools.run("verilator", arguments, log=program.with_suffix(".log"))
        _keep_runtime(folder)
        (folder / "Vmonpro").replace(program)
    return program


def cache_folder() -> Path:
    """Return the folder for builds in the user's cache folder; ToolError if nothing can be built there.

    A folder for all users would let others place programs that are then run.
    """
    remedy = "set XDG_CACHE_HOME to a folder for builds"
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "monpro"
    except RuntimeError:
        raise tools.ToolError(f"this user has no home folder: {remedy}") from None
    if any(sign.isspace() for sign in str(folder)):
        raise tools.ToolError(f"make builds nothing in {folder}, whose path has a space: {remedy}")
    return folder


def parameter_values(core: Design) -> dict[str, str]:
    """Return the parameters of the RTL module as SystemVerilog values; a bit is 1'b0 or 1'b1."""
    return {
        name: f"1'b{value}" if name in core.switches else str(value)
        for name, value in core.parameters.items()
    }


def testbench(core: Core, operands: Sequence[Operands], expected: Sequence[Result]) -> dict[str, str]:
    """Return a self-checking test bench and its vectors, by file name: plain SystemVerilog."""
    lines = [
        _vector(core, core.modulus_input(n), x, y, product)
        for (x, y, n), product in zip(operands, expected, strict=True)
    ]
    parameters = ",\n    ".join(f".{name}({value})" for name, value in parameter_values(core).items())
    text = Template(TESTBENCH.read_text(encoding="utf-8")).substitute(
        top=core.top,
        parameters=parameters,
        operand_bits=core.operand_bits,
        modulus_bits=core.modulus_bits,
        count=len(lines),
        limit=core.max_cycles + _LIMIT_MARGIN_CYCLES,
    )
    return {"monpro_testbench.sv": text, "vectors.hex": "\n".join(lines) + "\n"}


def icarus_agrees(core: Core, operands: Sequence[Operands], expected: Sequence[Result]) -> bool:
    """Return whether Icarus computes the expected products in the expected clock cycles."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in testbench(core, operands, expected).items():
            (folder / file).write_text(text, encoding="utf-8")
        files = [*map(str, sources.needed(core.top)), "monpro_testbench.sv"]
        arguments = ["-g2012", "-s", "monpro_testbench", "-o", "testbench.vvp", *files]
        tools.run("iverilog", arguments, log=folder / "iverilog.log", cwd=folder)
        printed = tools.run("vvp", ["testbench.vvp"], log=folder / "vvp.log", cwd=folder)
    return f"PASS: {len(operands)} products" in printed


def _runtime_folder() -> Path:
    return cache_folder() / "simulate" / f"verilator-{tools.version_of('verilator')}"


def _reuse_runtime(folder: Path) -> list[str]:
    """Copy the objects of Verilator's run time, which take most of a build; return options to use them."""
    kept = list(_runtime_folder().glob("verilated*.o"))
    for path in kept:
        shutil.copy2(path, folder)
    return [word for path in kept for word in ("-MAKEFLAGS", f"-o {path.name}")]


def _keep_runtime(folder: Path) -> None:
    kept = _runtime_folder()
    if not kept.is_dir():
        beside = Path(tempfile.mkdtemp(dir=kept.parent))
        for path in folder.glob("verilated*.o"):
            shutil.copy2(path, beside)
        try:
            beside.rename(kept)
        except OSError:  # another process was first
            shutil.rmtree(beside)


def _recipe(
    top: str, parameters: Mapping[str, str], definitions: Mapping[str, int], *, clean: bool
) -> list[str]:
    """Return the options of Verilator; `clean`: every warning is an error."""
    defined = " ".join(f"-D{name}={value}" for name, value in definitions.items())
    return [
        *("--cc", "--exe", "--build", "-O3", "-Wall" if clean else "-Wno-fatal", "--x-initial", "unique"),
        # Simulations are as fast as with -Os or -O2, and large cores compile in two thirds of the time.
        *("-MAKEFLAGS", "OPT_FAST=-O1"),
        *("--top-module", top, "--prefix", "Vmonpro"),
        *("-CFLAGS", f"-std=c++17 {defined}", "-j", "2"),
        *(f"-G{name}={value}" for name, value in parameters.items()),
    ]


def _words(bits: int) -> int:
    return -(-bits // 32)


def _stimulus(core: Core, operands: Iterable[Linked]) -> Iterator[bytes]:
    operand_bytes, modulus_bytes = 4 * _words(core.operand_bits), 4 * _words(core.modulus_bits)
    for x, y, n in operands:
        yield ((x is None) | (y is None) << 1).to_bytes(4, "little")
        yield (x or 0).to_bytes(operand_bytes, "little") + (y or 0).to_bytes(operand_bytes, "little")
        yield core.modulus_input(n).to_bytes(modulus_bytes, "little")


def _vector(core: Core, n_i: int, x: int, y: int, product: Result) -> str:
    value = 0
    for field, bits in (
        (x, core.operand_bits),
        (y, core.operand_bits),
        (n_i, core.modulus_bits),
        (product.z, core.operand_bits),
        (product.cycles, 32),
    ):
        value = value << bits | field
    return f"{value:x}"


@dataclass(frozen=True)
class ArrayProduct:
    """A product, and the clocks after start_i of its last word and of the earliest next start."""

    z: int
    last_clock: int
    ready_clock: int


def array_products(
    largest: Scalable,
    jobs: Sequence[tuple[Scalable, Operands]],
    *,
    back_to_back: bool = False,
    stall_seed: int = 0,
    reset_seed: int = 0,
) -> Iterator[ArrayProduct]:
    """Yield the product of each job, computed by one array with room for the words of `largest`.

    The cores of the jobs may differ from `largest` in width only, because words and passes are inputs.
    back_to_back: a product starts as soon as the array is ready, and its words are loaded while it runs.
    stall_seed: random pauses between words and before the start. reset_seed: some products follow a product
    that a reset interrupts. Raises ToolError as `simulate`.
    """
    options = ["--back-to-back"] if back_to_back else []
    options += [f"--{name}={seed}" for name, seed in (("stalls", stall_seed), ("resets", reset_seed)) if seed]
    stimulus = (unit.to_bytes(ARRAY_UNIT_BYTES, "little") for job in jobs for unit in _array_units(*job))
    answers = run_bench(_build_array(largest), options, stimulus, record_bytes=ARRAY_UNIT_BYTES)
    units = (int.from_bytes(answer, "little") for answer in answers)
    for core, _ in jobs:
        z = [next(units) for _ in range(core.words)]
        yield ArrayProduct(number(z, core.word_width), next(units), next(units))


def _build_array(largest: Scalable) -> Path:
    """Return the compiled bench of an array with room for the words of a core."""
    parameters = parameter_values(largest)
    del parameters["Width"]
    parameters |= {"MaxWords": str(largest.words), "NumBanks": str(ARRAY_BANKS)}
    return compile_bench(ARRAY_TOP, parameters, ARRAY_BENCH, {"BANKS": ARRAY_BANKS})


def _array_units(core: Scalable, operands: Operands) -> Iterator[int]:
    """Yield the numbers of a job that the bench reads."""
    x, y, n = operands
    yield from (core.words, core.passes)
    for operand in (x, y, core.modulus_input(n)):
        yield from words(operand, core.word_width, core.words)
