"""What the manifest says is enough to drive a core, to describe its registers and to write its driver."""

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import from_manifest
from monpro.cores import (
    BinaryExponentiator,
    Core,
    Exponentiator,
    WordSerial,
    architectures,
    design,
    everything,
    exponentiators_of_width,
    of_width,
    word_multipliers_of_width,
)
from monpro.flow import emit, tools
from monpro.flow.buses import Bus

WIDTH_BITS = 40
PRODUCTS, POWERS = 5, 2  # of each core, the first with the largest numbers; a power is many products
DESIGNS: dict[str, Core | WordSerial] = {
    **of_width(WIDTH_BITS),
    **word_multipliers_of_width(WIDTH_BITS),
    **exponentiators_of_width(WIDTH_BITS),
    "binary-exp-40, mm": design("binary-exp:mm", WIDTH_BITS),
    "binary-exp-40, scs-mm-new": design("binary-exp:scs-mm-new", WIDTH_BITS),
    "binary-exp-40, a ladder": design("binary-exp:scs-mm-new", WIDTH_BITS, {"ladder": 1, "constant_time": 1}),
}
WITH_SETTINGS = {
    "window-exp-40, blinded": design("window-exp", WIDTH_BITS, {"blinding": 1}),
    "window-exp-40, crt": design("window-exp", WIDTH_BITS, {"crt": 1}),
}
LONG = DESIGNS | {  # too long for a simulation here
    "scalable-exp-256, radix 16": design("scalable-exp", 256, {"radix_log2": 4, "num_pe": 4}),
    "scalable-exp-256, right": design("scalable-exp", 256, {"left_shift": 0, "booth": 1}),
    "systolic-256": design("systolic", 256),
    "window-exp-1024": design("window-exp", 1024),
    "window-exp-256, radix 8": design(
        "window-exp", 256, {"radix_log2": 3, "word_width": 15, "window_width": 4}
    ),
    "window-exp-256, radix 32": design(
        "window-exp", 256, {"radix_log2": 5, "word_width": 25, "window_width": 4}
    ),
    "quotient-pipelined-1024": design("quotient-pipelined", 1024),
    "dsp-exp-1024": design("dsp-exp", 1024),
    "dsp-exp-256, words of 9 bits": design("dsp-exp", 256, {"word_width": 9, "fold": 4, "window_width": 6}),
    "dsp-1024": design("dsp", 1024),
    "dsp-1024, folded": design("dsp", 1024, {"fold": 8}),
}
LONGEST_BENCH = "scalable-exp-40-constant-time"
ON_A_BUS = (
    "mm-40",
    "scs-mm-new-40",
    "fcs-mmm42-40-pairs",
    "systolic-40",
    "scalable-exp-40",
    "window-exp-40",
    "window-exp-40, blinded",
    "window-exp-40, crt",
    "dsp-exp-40",
    "binary-exp-40, mm",
    "quotient-pipelined-40",
    "quotient-pipelined-40-radix8",
    "dsp-40",
)
ON_STREAMS = (
    "systolic-40",
    "quotient-pipelined-40",
    "dsp-40",
    "binary-exp-40, mm",
    "window-exp-40, blinded",
    "window-exp-40, crt",
    "dsp-exp-40-fold8",
)
BUSES: tuple[Bus, ...] = ("axi4lite", "apb")
ON_APB = (
    "mm-40",
    "fcs-mmm42-40-pairs",
    "systolic-40",
    "quotient-pipelined-40",
    "dsp-40",
    "window-exp-40, blinded",
    "window-exp-40, crt",
    "dsp-exp-40-fold8",
)


def emitted(name: str, bus: Bus, folder: Path) -> dict[str, Any]:
    emit.emit((DESIGNS | WITH_SETTINGS)[name], bus, folder)
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return manifest


def execute(folder: Path, *command: str | Path) -> str:
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.parametrize(
    ("name", "bus"),
    [
        *(
            pytest.param(name, "none", marks=[pytest.mark.slow] * (name == LONGEST_BENCH))
            for name in DESIGNS | WITH_SETTINGS
        ),
        *((name, "axi4lite") for name in ON_A_BUS),
        *((name, "apb") for name in ON_APB),
        *((name, "axi4stream") for name in ON_STREAMS),
    ],
)
def test_a_bench_written_from_the_manifest_alone_gets_right_results(
    name: str, bus: Bus, tmp_path: Path
) -> None:
    manifest = emitted(name, bus, tmp_path / "core")
    given = from_manifest.jobs(manifest, POWERS if "base" in manifest["numbers"] else PRODUCTS)
    simulate(tmp_path / "core", manifest, from_manifest.bench(manifest, given), given)


def simulate(folder: Path, manifest: dict[str, Any], bench: str, given: list[from_manifest.Job]) -> None:
    (folder / "bench.sv").write_text(bench)
    sources = [*manifest["sources"], "bench.sv"]
    execute(folder, tools.find("iverilog"), "-g2012", "-s", "bench", "-o", "bench", *sources)
    from_manifest.check(given, execute(folder, tools.find("vvp"), "-n", "bench"))


def works(folder: Path, manifest: dict[str, Any]) -> bool:
    """Return whether a bench can be written from the manifest, and gets right results in 10,000 clocks."""
    given = from_manifest.jobs(manifest, 2)
    try:
        simulate(folder, manifest, from_manifest.bench(manifest, given, limit=100_000), given)
    except (AssertionError, KeyError, ValueError):
        return False
    return True


def wrong_contracts(manifest: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield manifests whose clock, reset, transfer or one of the handshakes is another than the core's."""
    clock, reset, shakes = manifest["clock"], manifest["reset"], manifest["handshakes"]
    yield (
        "clock",
        manifest | {"clock": clock | {"port": reset["port"]}, "reset": reset | {"port": clock["port"]}},
    )
    yield "active", manifest | {"reset": reset | {"active": "high"}}
    yield "transfer", manifest | {"transfer": "at each rising edge at which valid is 1"}
    for i, shake in enumerate(shakes):
        other = shakes[i - 1]
        wrong = {
            "turned round": {"valid": shake["ready"], "ready": shake["valid"]},
            "without its first data": {"data": shake["data"][1:]},
        }
        if other is not shake:
            wrong["with another's data"] = {"data": other["data"]}
            wrong["with another's valid"] = {"valid": other["valid"]}
        if "answer" in shake:
            wrong["without its first answer"] = {"answer": shake["answer"][1:]}
        for what, change in wrong.items():
            changed = [*shakes[:i], shake | change, *shakes[i + 1 :]]
            yield f"{shake['meaning']}, {what}", manifest | {"handshakes": changed}


@pytest.mark.parametrize(
    ("name", "bus"), [("mm-40", "none"), ("systolic-40", "none"), ("mm-40", "axi4lite"), ("mm-40", "apb")]
)
def test_a_wrong_contract_makes_the_bench_from_the_manifest_fail(name: str, bus: Bus, tmp_path: Path) -> None:
    manifest = emitted(name, bus, tmp_path / "core")
    assert works(tmp_path / "core", manifest)
    for what, wrong in wrong_contracts(manifest):
        if works(tmp_path / "core", wrong):
            pytest.fail(what)


def test_the_bench_from_the_manifest_sees_a_wrong_result_and_a_wrong_clock(tmp_path: Path) -> None:
    manifest = emitted("mm-40", "none", tmp_path / "core")
    given = from_manifest.jobs(manifest, 1)
    (job,) = given
    right = job.value("x * y * pow(2**r_log2, -1, n) % n")
    cycles = manifest["cycles"]["most"]
    from_manifest.check(given, f"{right:x} {cycles}\n")
    for line in (
        f"{right ^ 1:x} {cycles}",
        f"{right:x} {int(cycles) + 1}",
        f"{right + job.numbers['n']:x} {cycles}",
    ):
        with pytest.raises(AssertionError):
            from_manifest.check(given, line + "\n")


@pytest.mark.parametrize(
    "architecture", [*everything(), BinaryExponentiator], ids=lambda architecture: architecture.name
)
def test_every_letter_of_a_latency_is_explained(architecture: type[Core | WordSerial]) -> None:
    formula = re.sub(r"\d+\^|⌈|⌉|'s\b", " ", architecture.latency)
    letters = set(re.findall(r"(?<![\w-])(?:[A-Za-z]'?|SC)(?![\w'-])", formula)) - {"a", *"xyzn"}
    assert letters <= set(architecture.letters), letters - set(architecture.letters)
    explained = architecture.latency + " ".join(architecture.letters.values())
    assert all(letter in explained for letter in architecture.letters)


@pytest.mark.parametrize("bus", ["none", "axi4lite"])
def test_the_checksums_are_those_of_the_files(bus: Bus, tmp_path: Path) -> None:
    manifest = emitted("mm-40", bus, tmp_path / "core")
    found = {
        name: hashlib.sha256((tmp_path / "core" / name).read_bytes()).hexdigest()
        for name in manifest["files"]
        if name != "manifest.json"
    }
    assert found == manifest["sha256"]


@pytest.mark.parametrize("name", LONG)
def test_the_formulas_agree_with_the_model_for_every_length(name: str, tmp_path: Path) -> None:
    made = LONG[name]
    emit.emit(made, "none", tmp_path / "core")
    manifest = json.loads((tmp_path / "core" / "manifest.json").read_text())
    for n, e in ((3, 0), (255, 1 << 25), ((1 << 25) + 1, 65537), ((1 << made.width_bits) - 87, 5)):
        job = from_manifest.Job(manifest, {"n": n, "base": 2, "exponent": e, "command": 0})
        for constant, formula in manifest["constants"].items():
            job.numbers[constant] = job.value(formula)
        constants = made.constants(n)
        assert {name: job.numbers[name] for name in constants} == constants
        operand = "base" if "base" in manifest["numbers"] else "x"
        assert job.value(manifest["numbers"][operand]["below"]) == made.operand_bound(n)
        if isinstance(made, Core | Exponentiator):
            assert job.value(manifest["numbers"]["z"]["below"]) == made.result_bound(n)
        if isinstance(made, Exponentiator):
            assert list(job.words()) == made.words_in(2, e, n)
            cycles, counted = made.run(2, e, n).cycles, manifest["cycles"]
            least, most = (job.value(counted.get("exactly") or counted[end]) for end in ("least", "most"))
            assert least <= cycles <= most
        if isinstance(made, WordSerial):
            assert job.value(manifest["output"]["words"]) == made.words_out(n)
    assert manifest["numbers"]["n"] == {"least": "3", "below": f"2**{made.width_bits}", "odd": True}


ACCESS = {  # whether software reads, whether it writes, and what a write does if it does not set the bits
    "read": (True, False, ""),
    "write": (False, True, ""),
    "read and write": (True, True, ""),
    "read, write 1 to clear": (True, True, "woclr"),
}
LACKING = "this machine lacks a tool: systemrdl-compiler is not installed: make setup"


@pytest.mark.parametrize(
    ("name", "bus"), [*((name, "axi4lite") for name in ON_A_BUS), ("mm-40", "apb"), ("dsp-40", "axi4stream")]
)
def test_the_systemrdl_tells_the_registers_of_the_manifest(name: str, bus: Bus, tmp_path: Path) -> None:
    systemrdl = pytest.importorskip("systemrdl", reason=LACKING)
    manifest = emitted(name, bus, tmp_path / "core")
    compiler = systemrdl.RDLCompiler()
    compiler.compile_file(str(tmp_path / "core" / f"{manifest['top']}.rdl"))
    found = {}
    for register in compiler.elaborate().top.registers(unroll=True):
        offset = register.absolute_address
        fields = {
            field.inst_name: (
                field.low,
                field.width,
                (
                    field.is_sw_readable,
                    field.is_sw_writable,
                    getattr(field.get_property("onwrite"), "name", ""),
                ),
            )
            for field in register.fields()
        }
        found[offset] = (register.inst_name, fields)
    expected = {}
    for register_name, register in manifest["registers"].items():
        for i in range(register["words"]):
            fields = {
                field["name"]: (field["bit"], field.get("width", 1), ACCESS[field["access"]])
                for field in register.get(
                    "fields", [{"name": "word", "bit": 0, "width": 32, "access": register["access"]}]
                )
            }
            expected[register["offset"] + 4 * i] = (register_name, fields)
    assert found == expected


HOST = Path(__file__).with_name("driver_host.cpp")
COMPILERS = {"c99": ("gcc", "-std=c99"), "c++17": ("g++", "-x", "c++", "-std=c++17")}


def run_example(folder: Path, top: str, bus: Bus = "axi4lite") -> int:
    """Return the status of the driver's example, whose accesses go to the RTL."""
    shutil.copy(HOST, folder / "host.cpp")
    access = "#include <stdint.h>\nuint32_t host_read(uintptr_t);\nvoid host_write(uintptr_t, uint32_t);\n"
    access += "#define MONPRO_READ32(address) host_read(address)\n"
    access += "#define MONPRO_WRITE32(address, word) host_write(address, word)\n#define MONPRO_BASE 0\n"
    (folder / "access.h").write_text(access)
    strict = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
    to_host = ("-include", "access.h", "-Dmain=example", f"{top}_example.c", "-c", "-o", "example.o")
    execute(folder, "gcc", "-std=c99", *strict, *to_host)
    random = "random" in json.loads((folder / "manifest.json").read_text())
    model = ["--cc", "--exe", "--build", "--prefix", "Vslave", "--top-module", top, "-f", f"{top}.f"]
    model += ["-CFLAGS", "-DRANDOM_WORDS"] if random else []
    model += ["-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"]  # it runs for a moment
    if not (folder / "obj_dir").exists():
        flags = ("-CFLAGS", f"-DON_{bus.upper()}")
        execute(folder, tools.find("verilator"), *model, *flags, "host.cpp", "../example.o", "-o", "example")
    else:
        (folder / "obj_dir" / "example").unlink()
        execute(folder, "make", "-C", "obj_dir", "-f", "Vslave.mk", "example")
    return subprocess.run([folder / "obj_dir" / "example"], check=False).returncode


@pytest.mark.parametrize(
    "name",
    [
        "scs-mm-new-40",
        "systolic-40",
        "scalable-exp-40",
        "window-exp-40",
        "window-exp-40, blinded",
        "window-exp-40, crt",
        "dsp-exp-40",
        "quotient-pipelined-40",
    ],
)
def test_the_example_of_the_driver_runs_on_the_core(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "core"
    top = emitted(name, "axi4lite", folder)["top"]
    assert run_example(folder, top) == 0
    example = folder / f"{top}_example.c"
    right = example.read_text()
    example.write_text(re.sub(r"(expected\[\d+\] = \{)", r"\g<1>1u + ", right))
    assert run_example(folder, top) == 1, "a wrong result passes"
    if name.startswith(("scalable", "window", "quotient")):
        example.write_text(re.sub(r"(words\[\d+\] = \{)(\w+, )\w+", r"\g<1>\g<2>0u", right))
        assert run_example(folder, top) == 2, "the driver takes a length that the core refuses"
    if name.startswith("window"):
        example.write_text(re.sub(r"(words\[\d+\] = \{\w+, \w+, )\w+", r"\g<1>0u", right))
        assert run_example(folder, top) == 2, "the driver takes a modulus that the core refuses"


def test_the_driver_of_streams_runs_on_the_core(tmp_path: Path) -> None:
    top = emitted("quotient-pipelined-40", "axi4stream", tmp_path)["top"]
    assert run_example(tmp_path, top, "axi4stream") == 0
    example = tmp_path / f"{top}_example.c"
    right = example.read_text()
    example.write_text(re.sub(r"(expected\[\d+\] = \{)", r"\g<1>1u + ", right))
    assert run_example(tmp_path, top, "axi4stream") == 1, "a wrong result passes"
    example.write_text(right.replace("size_t count = sizeof words / sizeof words[0]", "size_t count = 5"))
    assert run_example(tmp_path, top, "axi4stream") == 2, "a frame that ends early passes"


def test_the_driver_is_the_same_on_apb(tmp_path: Path) -> None:
    tops = {bus: emitted("quotient-pipelined-40", bus, tmp_path / bus)["top"] for bus in BUSES}
    assert run_example(tmp_path / "apb", tops["apb"], "apb") == 0
    drivers = {
        (tmp_path / bus / f"{top}_driver.h").read_text().replace(bus, "bus").replace(bus.upper(), "BUS")
        for bus, top in tops.items()
    }
    assert len(drivers) == 1


@pytest.mark.parametrize("name", ["scs-mm-new-40", "systolic-40"])
def test_the_driver_gives_up_on_a_slave_that_never_answers(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "core"
    top = emitted(name, "axi4lite", folder)["top"]
    silent = (
        "-DMONPRO_READ32(address)=((void)(address),0u)",
        "-DMONPRO_WRITE32(address,word)=((void)(address))",
    )
    execute(folder, "gcc", "-std=c99", *silent, f"{top}_example.c", "-o", "example")
    ended = subprocess.run([folder / "example"], check=False, timeout=60)
    assert ended.returncode == 2


@pytest.mark.parametrize("language", COMPILERS)
def test_the_driver_compiles_as_it_is_written(language: str, tmp_path: Path) -> None:
    slaves: tuple[tuple[str, Bus], ...] = (
        ("mm-40", "apb"),
        ("systolic-40", "axi4lite"),
        ("systolic-40", "axi4stream"),
    )
    for name, bus in slaves:
        folder = tmp_path / bus
        top = emitted(name, bus, folder)["top"]
        strict = ("-Wall", "-Wextra", "-Werror", "-c", "-o", "/dev/null")
        execute(folder, *COMPILERS[language], *strict, f"{top}_example.c")


def test_every_multiplier_with_wide_ports_is_among_the_designs() -> None:
    names = {made.name for made in DESIGNS.values()}
    assert names == {listed.name for listed in everything()} | {BinaryExponentiator.name}
    assert len(architectures()) > 5
