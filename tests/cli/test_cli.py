"""The command line: results, statuses, one clear line for bad input, and JSON."""

import os
import random
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import pytest

import monpro
from conftest import Cli
from monpro.__main__ import main as run_script
from monpro.bench import race
from monpro.bench.competitors import Competitor, competitors
from monpro.cli import VERBS, load, remedy
from monpro.cli.number import MAX_CHARACTERS
from monpro.engines import Ring, available_kernels, core_engines, engines
from monpro.flow import tools
from monpro.spec import reference

MONPRO = [sys.executable, "-m", "monpro"]


def power(base: str, exp: str, mod: str) -> list[str]:
    return ["pow", "--base", base, "--exp", exp, "--mod", mod]


@pytest.mark.parametrize("bits", [1, 2, 8, 63, 64, 65, 130, 512, 1000, 2048, 4096])
def test_pow_is_pythons_pow(cli: Cli, bits: int) -> None:
    generator = random.Random(bits)
    for _ in range(4):
        x, e = generator.getrandbits(bits), generator.getrandbits(min(bits, 300))
        n = generator.getrandbits(bits) + 1
        status, output, errors = cli(*power(str(x), hex(e), hex(n)))
        assert (status, output, errors) == (0, f"{pow(x, e, n)}\n", "")
        assert cli(*power(hex(x), str(e), str(n)), "--hex")[1] == f"{pow(x, e, n):#x}\n"


def test_pow_of_16384_bits_from_files_in_decimal(cli: Cli, tmp_path: Path) -> None:
    generator = random.Random(16384)
    x, n = generator.getrandbits(16384), generator.getrandbits(16384) | 1 << 16383
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    (tmp_path / "x").write_text(f"\n {x}\n")
    (tmp_path / "n").write_text(str(n))
    expected = str(pow(x, 65537, n))
    sys.set_int_max_str_digits(limit)
    status, output, _ = cli(*power(f"@{tmp_path / 'x'}", "65537", f"@{tmp_path / 'n'}"))
    assert (status, output) == (0, f"{expected}\n")
    assert sys.get_int_max_str_digits() == limit


def test_pow_with_every_engine_and_method(cli: Cli, integer_kernel: monpro.Kernel) -> None:
    for method in ("binary_vartime", "fixed_window", "sliding_window_vartime"):
        for n in (0xF123456789ABCDEF0123456789ABCDEF, 2**200 + 12):
            answer = cli.json(
                *power("-7", "1000", hex(n)), "--engine", integer_kernel.name, "--method", method
            )
            assert answer["result"] == hex(pow(-7, 1000, n))
            assert answer["engine"] == integer_kernel.name
            assert 0 < answer["seconds"] < 10


@pytest.mark.parametrize(
    ("base", "exp", "mod", "expected"),
    [
        ("5", "0", "7", "1"),
        ("5", "0", "1", "0"),
        ("-0", "-0x0", "0X1", "0"),
        ("0", "0", "1", "0"),
        ("0", "3", "16", "0"),
        ("3", "-1", "16", "11"),
        ("-3", "-2", "0xffff_"[:-1], None),
        ("3", "-3", "1000", str(pow(3, -3, 1000))),
        ("007", "1", "010", "7"),
    ],
)
def test_pow_in_the_corners(cli: Cli, base: str, exp: str, mod: str, expected: str | None) -> None:
    if expected is None:
        assert "no inverse" in cli.complaint(*power(base, exp, mod))
    else:
        assert cli(*power(base, exp, mod)) == (0, f"{expected}\n", "")


def test_pow_without_an_engine_names_the_one_it_took(cli: Cli) -> None:
    for n in (1, 2, 101, 2**77, 2**300 + 6):
        answer = cli.json(*power("3", "5", str(n)))
        assert answer["engine"] in {engine.name for engine in engines() if engine.ring == "integers"}
        assert answer["result"] == hex(pow(3, 5, n))


def polynomial_power(base: str, exp: str, poly: str) -> list[str]:
    return ["pow", "--ring", "gf2", "--base", base, "--exp", exp, "--poly", poly]


@pytest.mark.parametrize(
    "poly", ["163,7,6,3,0", "0,3,6, 7,163", hex(2**163 + 2**7 + 2**6 + 9), "8,4,3,1,0", "1"]
)
def test_pow_of_polynomials_is_that_of_the_reference(cli: Cli, poly: str, tmp_path: Path) -> None:
    exponents = [int(exponent) for exponent in poly.split(",")] if "," in poly else []
    f = sum(1 << exponent for exponent in exponents) or int(poly, 0)
    generator = random.Random(poly)
    x, e = generator.getrandbits(170), generator.getrandbits(90)
    expected = reference.power(x, e, f)
    assert cli(*polynomial_power(hex(x), str(e), poly)) == (0, f"{expected}\n", "")
    (tmp_path / "f").write_text(str(f))
    answer = cli.json("pow", "--base", str(x), "--exp", str(e), "--poly", f"@{tmp_path / 'f'}")
    assert answer["result"] == hex(expected)
    assert answer["engine"] in {engine.name for engine in engines() if engine.ring == "gf2"}


def test_pow_of_polynomials_with_every_engine(cli: Cli, polynomial_kernel: monpro.Kernel) -> None:
    arguments = [*polynomial_power("0x53", "-1", "8,4,3,1,0"), "--engine", polynomial_kernel.name]
    assert cli(*arguments, "--hex") == (0, "0xca\n", "")
    assert cli.json(*arguments)["engine"] == polynomial_kernel.name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--mod", "7", "--poly", "2,1,0"], "--poly"),
        ([], "--mod"),
        (["--ring", "gf2"], "--poly"),
        (["--ring", "gf2", "--mod", "7"], "--poly"),
        (["--ring", "integers", "--poly", "2,1,0"], "--mod"),
        (["--poly", "2,1"], "no term 1"),
        (["--poly", "0"], "no term 1"),
        (["--poly", "-7"], "no term 1"),
        (["--poly", "2,,0"], "--poly is empty"),
        (["--poly", "2,-1,0"], "negative"),
        (["--poly", "2,2,0"], "more than once"),
        (["--poly", "99999999999999,0"], "larger than"),
        (["--poly", "2,1,0", "--base", "-3"], "--base is negative"),
        (["--poly", "2,0", "--exp", "-1"], "reducible"),
        (["--poly", "2,1,0", "--base", "0", "--exp", "-1"], "no inverse"),
        (["--poly", "2,1,0", "--engine", "cios"], "--engine"),
    ],
)
def test_a_bad_polynomial_is_refused_in_one_line(cli: Cli, arguments: list[str], message: str) -> None:
    assert message in cli.complaint("pow", "--base", "3", "--exp", "5", *arguments)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "0x", "-", "--5", "+5", "5 ", "1_000", "0xg", "0b1", "1e3", "1.5", "٣", "५", "²", "five",
        "5\x00", "\x00", "5\n6", "\u202e5", "0x-5", "@", "@/nonexistent/file", "@.", "@a\x00b", "nan",
        "\udcff", "@\udcff", "[red]5[/red]",
    ],
)  # fmt: skip
def test_what_is_not_a_number_is_refused_in_one_line(cli: Cli, text: str) -> None:
    for position, option in enumerate(("--base", "--exp", "--mod")):
        arguments = ["3", "4", "5"]
        arguments[position] = text
        assert option in cli.complaint(*power(*arguments))


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xff\xfe5", b"5 6", b"\x00" * 50, b"5\x0b", b"x" * 1000])
def test_garbage_in_a_file_is_refused_in_one_line(cli: Cli, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "number").write_bytes(content)
    if content == b"5\x0b":  # a vertical tab is white space
        assert cli(*power(f"@{tmp_path / 'number'}", "1", "7"))[:2] == (0, "5\n")
    else:
        assert "--base" in cli.complaint(*power(f"@{tmp_path / 'number'}", "1", "7"))


def test_what_is_too_long_is_refused_soon(cli: Cli) -> None:
    started = time.monotonic()
    assert "longer than" in cli.complaint(*power("9" * (MAX_CHARACTERS + 1), "1", "7"))
    assert "longer than" in cli.complaint(*power("@/dev/zero", "1", "7"))
    assert time.monotonic() - started < 5
    assert len(cli.complaint(*power("z" * MAX_CHARACTERS, "1", "7"))) < 300


def test_the_longest_number_is_taken(cli: Cli) -> None:
    digits = "9" * MAX_CHARACTERS
    assert cli(*power(digits, "1", "10"))[:2] == (0, "9\n")
    assert cli(*power("0x" + "f" * (MAX_CHARACTERS - 2), "1", "16"))[:2] == (0, "15\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (power("3", "5", "0"), "--mod must be at least 1"),
        (power("3", "5", "-7"), "--mod must be at least 1"),
        (power("3", "-1", "9"), "no inverse"),
        ([*power("3", "5", "7"), "--engine", "cois"], "did you mean cios"),
        ([*power("3", "5", "7"), "--engine", ""], "`monpro kernels` and `monpro cores` list all"),
        ([*power("3", "5", "7"), "--engine", "cios-gf2"], "computes over GF(2)[x], not over the integers"),
        ([*power("3", "5", "7"), "--method", "fast"], "--method"),
        ([*power("3", "5", "7"), "--fast"], "--fast"),
        ([*power("3", "5", "7"), "8"], "8"),
        (["pow", "--base", "3", "--exp", "4"], "--mod"),
        (["pow", "--base"], "--base"),
        (["powers"], "powers"),
        (["--nonsense"], "--nonsense"),
        (["reproduce", "koc96", "--csv", "--json"], "give one of them"),
        (["reproduce", "koc96", "--csv", "-o", "x"], "--output"),
        (["reproduce", "koc97.table99"], "koc97.table99"),
        (["reproduce", "koc96.figure1", "-o", "/dev/null/x"], "cannot write"),
        (["bench", "--bits", "1"], "--bits"),
        (["bench", "--bits", "many"], "--bits"),
        (["bench", "--rounds", "0"], "--rounds"),
        (["demo", "--bits", "512"], "--bits"),
        (["demo", "--core-bits", "7"], "--core-bits"),
        (["pow", "--base", "3", "--exp", "4", "--mod", "8", "--engine", "scs-mm-new"], "odd moduli from 3"),
        (["pow", "--base", "3", "--exp", "4", "--mod", "1", "--engine", "mm"], "odd moduli from 3"),
        (["pow", "--base", "3", "--exp", "-4", "--mod", "9", "--engine", "mm"], "no inverse"),
        (["pow", "--base", "3", "--exp", "4", "--mod", hex(2**4096 + 1), "--engine", "mm"], "4096 bits"),
        ([*power("3", "5", "7"), "--engine", "scs-mm-nwe"], "did you mean scs-mm-new"),
        ([*power("3", "5", "7"), "--engine", "mm", "--method", "fixed_window"], "binary_vartime"),
        (["sim", "scs-mm-old"], "there are: mm, "),
        (["sim", "mm", "--bits", "7"], "8 to 4096 bits"),
        (["sim", "mm", "--bits", "4097"], "8 to 4096 bits"),
        (["sim", "mm", "--bits", "many"], "--bits"),
        (["sim", "mm", "--count", "0"], "--count"),
        (["sim", "mm", "--seed", "-1"], "--seed"),
        (["sim", "mm", "--set", "fast=1"], "no parameter 'fast'"),
        (["sim", "scs-mm-new", "--set", "constant_time=2"], "0 or 1"),
        (["sim", "scs-mm-new", "--set", "constant_time"], "NAME=VALUE"),
        (["sim", "scs-mm-new", "--set", "constant_time=\u0661"], "NAME=VALUE"),
        (["sim", "scs-mm-1", "--set", "cpa_width=" + "9" * 5000], "NAME=VALUE"),
        (["sim", "scs-mm-1", "--set", "cpa_width=48"], "32 or 64"),
        (["sim"], "CORE"),
        (["synth", "mm", "--target", "asic"], "there are: osu018"),
        (["synth", "mm"], "--target"),
        (["synth", "mm", "--target", "ecp5", "--seeds", "0"], "--seeds: give 1 or more, not 0"),
        (["synth", "mm", "--target", "xc7", "--seeds", "5"], "--seeds: xc7 is not placed and routed"),
        (["synth", "mm", "--target", "ecp5", "--seeds", "5", "--no-place"], "--seeds: with --no-place"),
        (["synth", "mm", "--target", "ice40", "--bits", "5"], "8 to 4096 bits"),
        (["emit", "mm", "-o", "/dev/null/x"], "cannot write"),
        (["emit", "mm", "-o", "/dev/null"], "not empty"),
        (["emit", "mm", "-o", "x", "--bus", "wishbone"], "--bus"),
        (["emit", "nothing", "-o", "x"], "there are: mm, "),
        (["emit", "mm"], "--output"),
    ],
)
def test_bad_input_is_refused_in_one_line(cli: Cli, arguments: list[str], message: str) -> None:
    assert message in cli.complaint(*arguments)


def test_every_verb_has_help_and_json(cli: Cli) -> None:
    for verb in VERBS:
        status, output, _ = cli(verb, "--help")
        assert status == 0
        assert "--json" in output or verb in {"map", "rsa", "completion"}


def test_the_list_of_verbs_has_the_first_lines_of_their_help() -> None:
    for verb, summary in VERBS.items():
        told = str(load(verb).help).partition("\n\n")[0]
        assert told == summary or (verb == "rsa" and summary), verb


def test_the_version(cli: Cli) -> None:
    assert cli("--version") == (0, f"monpro {monpro.__version__}\n", "")
    ended = subprocess.run([*MONPRO, "--version"], check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"monpro {monpro.__version__}\n", "")


def test_without_arguments_the_verbs_are_listed(cli: Cli) -> None:
    status, output, _ = cli()
    assert status == 0
    for verb in VERBS:
        assert verb in output


def test_kernels(cli: Cli) -> None:
    rows = cli.json("kernels")
    assert [row["name"] for row in rows] == [kernel.name for kernel in monpro.kernels()]
    for row in rows:
        assert {"name", "paper", "ring", "radix_bits", "bound", "available", "reason"} == set(row)
        assert row["available"] == (row["reason"] is None)
    status, output, _ = cli("kernels")
    assert status == 0
    assert max(len(line) for line in output.splitlines()) <= 100
    for row in rows:
        assert row["name"] in output
    assert "GF(2)[x]" in output


@pytest.mark.parametrize("name", [engine.name for engine in core_engines()])
def test_pow_on_every_core(cli: Cli, name: str) -> None:
    if name.endswith("-rtl"):
        tools.find("verilator")
    for base, exponent, modulus in (  # a simulated core is built for each length of a modulus
        (-7, 65537, 2**61 - 1),
        (5, -3, 2**61 - 1),
        (2, 0, 3),
    ):
        answer = cli.json(*power(str(base), str(exponent), str(modulus)), "--engine", name)
        assert answer["result"] == hex(pow(base, exponent, modulus))
        assert answer["engine"] == name


@pytest.mark.parametrize(("ring", "engine"), [("integers", "cios"), ("gf2", "sparse-gf2-pclmulqdq")])
def test_bench(cli: Cli, monkeypatch: pytest.MonkeyPatch, ring: Ring, engine: str) -> None:
    monkeypatch.setattr(race, "BATCH_SECONDS", 0.001)
    answer = cli.json("bench", "--ring", ring, "--bits", "64", "--bits", "130", "--rounds", "3")
    assert answer["machine"]["cpu"]
    timed = {(row["kernel"], row["bits"], row["operation"]) for row in answer["products"]}
    sizes = {(engine.name, bits) for bits in (64, 130) for engine in available_kernels(ring, bits)}
    assert timed == {(name, bits, operation) for name, bits in sizes for operation in ("mul", "sqr")}
    assert all(row["time_ns"] > 0 for row in answer["products"])
    others = {(other.name, bits) for other in competitors(ring) for bits in (64, 130)}
    assert {(row["engine"], row["bits"]) for row in answer["powers"]} == sizes | others
    assert all(row["seconds"] > 0 for row in answer["powers"])
    assert min(row["ratio"] for row in answer["powers"]) == 1
    status, output, _ = cli("bench", "--ring", ring, "--bits", "64", "--rounds", "3")
    assert status == 0
    assert f"CPU: {answer['machine']['cpu']}" in output
    assert engine in output
    assert max(len(line) for line in output.splitlines()) <= 100


def test_bench_leaves_out_what_is_slow(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock on which whatever runs takes twice as long as what ran before it."""
    monkeypatch.setattr(race, "BATCH_SECONDS", 0.001)
    monkeypatch.setattr(race, "SLOW_SECONDS", 0.0)
    monkeypatch.setattr(race, "SLOW_RATIO", 2.0)
    seconds = (2.0**run for run in count(-100))
    monkeypatch.setattr(race, "stopwatch", lambda _: lambda: next(seconds))
    answer = cli.json("bench", "--bits", "256", "--rounds", "3")
    assert len([row for row in answer["powers"] if row["seconds"] is not None]) == 2
    status, output, _ = cli("bench", "--bits", "256", "--rounds", "3")
    assert status == 0
    assert "slow" in output


def test_bench_says_so_where_a_result_is_wrong(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Competitor("wrong", "1", constant_time=False, power=lambda x, e, n: x * e % n)
    monkeypatch.setattr(race, "competitors", lambda _: [wrong])
    monkeypatch.setattr(race, "BATCH_SECONDS", 0.001)
    for ring in ("integers", "gf2"):
        status, _, errors = cli("bench", "--ring", ring, "--bits", "64", "--rounds", "3")
        assert status == 1
        assert "wrong computes another power" in errors


def test_competitors_over_polynomials_are_those_installed() -> None:
    found = competitors("gf2")
    modules = {"python-flint": "flint", "galois": "galois"}
    assert {other.name for other in found} == {name for name in modules if find_spec(modules[name])}
    for other in found:
        assert other.power(0x53, 1000, 0x11B) == reference.power(0x53, 1000, 0x11B)


def test_the_installed_command() -> None:
    command = Path(sys.executable).with_name("monpro")
    ended = subprocess.run([command, *power("7", "100", "101")], check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "1\n", "")


def test_bad_input_from_a_shell_prints_no_traceback() -> None:
    ended = subprocess.run([*MONPRO, *power("x", "1", "7")], check=False, capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1


def test_a_reader_that_has_enough_gets_no_traceback() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [*MONPRO, "kernels", "--json"], check=False, stdout=writing, stderr=subprocess.PIPE, text=True
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (-signal.SIGPIPE, "")


def test_ctrl_c_ends_a_long_computation_cleanly() -> None:
    huge = "0x" + "f" * 30_000
    # Programs that a shell starts in the background ignore Ctrl-C, and so would the programs of these tests.
    hear_ctrl_c = ["env", "--default-signal=INT"]
    process = subprocess.Popen(
        [*hear_ctrl_c, *MONPRO, *power("3", huge, huge)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    threads = Path(f"/proc/{process.pid}/task")
    while len(list(threads.iterdir())) < 2:  # the computation has begun
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    assert (process.returncode, output, errors) == (130, "", "")


def test_a_module_of_its_own_that_is_missing_is_no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModuleNotFoundError):
        remedy(ModuleNotFoundError("lost", name="monpro.flow"))
    monkeypatch.delattr(monpro, "cli")
    monkeypatch.setitem(sys.modules, "monpro.cli", None)
    with pytest.raises(ModuleNotFoundError, match=r"monpro\.cli"):
        run_script()


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("pow 3 5", "Missing option '--base'; see `monpro pow --help`"),
        ("nonsense", "No such command 'nonsense'; see `monpro --help`"),
        ("rsa nonsense", "No such command 'nonsense'; see `monpro rsa --help`"),
        ("emit", "Missing argument 'CORE'; see `monpro emit --help`"),
        ("--nonsense", "No such option: --nonsense; see `monpro --help`"),
    ],
)
def test_a_wrong_call_is_told_where_the_help_is(cli: Cli, call: str, told: str) -> None:
    assert cli.complaint(*call.split()) == f"monpro: {told}\n"
