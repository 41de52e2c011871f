"""The exponentiator by windows: RTL against model and arithmetic, what it refuses, what a wipe leaves."""

import random
import re
from contextlib import nullcontext
from itertools import product
from pathlib import Path

import pytest

import wiped
import word_bench
from monpro.cores.window_exponentiator import WindowExponentiator
from monpro.cores.word_serial import port_words
from monpro.flow import sources, tools
from monpro.flow.exponentiate import Job, Power, exponentiate, word_ports
from monpro.flow.operands import sample_modulus

SHAPES: dict[str, dict[str, int]] = {
    "radix 16": {},
    "radix 8": {"radix_log2": 3, "word_width": 24},
    "radix 8, words of 15 bits": {"radix_log2": 3, "word_width": 15, "window_width": 4},
    "radix 8, long windows": {"radix_log2": 3, "word_width": 30, "window_width": 6},
    "radix 16, words of 20 bits": {"radix_log2": 4, "word_width": 20, "window_width": 4},
    "radix 32": {"radix_log2": 5, "word_width": 30},
    "radix 32, words of 25 bits": {"radix_log2": 5, "word_width": 25, "window_width": 4},
}
QUICK = {"radix 16", "radix 8, words of 15 bits"}
LIMIT = 100_000


def shaped(width_bits: int, shape: str = "radix 16") -> WindowExponentiator:
    """Return an exponentiator of a shape."""
    return WindowExponentiator.of(width_bits, SHAPES[shape])


def random_powers(core: WindowExponentiator, count: int, seed: int = 1) -> list[Power]:
    """Return powers modulo long and short numbers, some with numbers at the ends of their ranges."""
    chance, width = random.Random(seed), core.width_bits
    powers = []
    for _ in range(count):
        n = sample_modulus(chance.choice((width, chance.randint(2, width))), chance)
        x = chance.choice((0, 1, n - 1, *(chance.randrange(n) for _ in range(4))))
        longest = core.exponent_bits
        e = chance.choice(
            (
                *(0, 1, 2, (1 << longest) - 1, 1 << longest - 1),
                chance.getrandbits(width // 2) << width // 2,
                *(chance.getrandbits(width) for _ in range(6)),
            )
        )
        powers.append((x, e, n))
    return powers


def check(core: WindowExponentiator, powers: list[Power], **driving: int) -> None:
    for power, result in zip(powers, exponentiate(core, powers, **driving), strict=True):
        assert result.z == pow(*power)
        assert result == core.run(*power)


def every_power(width_bits: int) -> list[Power]:
    """Return the powers of all numbers below all odd moduli of a width, to short exponents and all ones."""
    exponents = (*range(1 << width_bits), (1 << 32) - 1)
    return [(x, e, n) for n in range(3, 1 << width_bits, 2) for x, e in product(range(n), exponents)]


def test_all_powers_of_a_small_width_are_right() -> None:
    check(shaped(3), every_power(3))


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_all_powers_of_four_bits_are_right(shape: str) -> None:
    core, powers = shaped(4, shape), [power for power in every_power(4) if power[1] < 1 << 4]
    check(core, powers)


@pytest.mark.parametrize(
    "shape", [pytest.param(s, marks=[] if s in QUICK else pytest.mark.slow) for s in SHAPES]
)
def test_rtl_and_model_agree_in_values_and_cycles(shape: str) -> None:
    core = shaped(71, shape)
    check(core, random_powers(core, 40))
    few = random_powers(core, 12, seed=2)
    check(core, few, stall_seed=7)
    check(core, few, reset_seed=11)
    check(core, few, stall_seed=8, reset_seed=12)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("width_bits", [8, 33, 131, 255, 256, 461])
def test_rtl_and_model_agree_at_every_width(width_bits: int, shape: str) -> None:
    core = shaped(width_bits, shape)
    check(core, random_powers(core, 60 if width_bits < 256 else 8, seed=width_bits))


def test_a_power_of_1024_bits_takes_389_223_clocks() -> None:
    core, n, chance = shaped(1024), (1 << 1024) - 105, random.Random(5)
    power = (chance.randrange(n), 1 << 1023 | chance.getrandbits(1023), n)
    (result,) = exponentiate(core, [power])
    assert (result.z, result.cycles) == (pow(*power), 389_223)


@pytest.mark.slow
@pytest.mark.parametrize("width_bits", WindowExponentiator.verified_widths_bits)
@pytest.mark.parametrize("variant", WindowExponentiator.variants)
def test_every_named_configuration(variant: str, width_bits: int) -> None:
    core = WindowExponentiator.of(width_bits, WindowExponentiator.variants[variant])
    chance, length = random.Random(width_bits), min(width_bits, 1024)
    widths = (8, length, 160, length)
    check(core, [(n - 2, chance.getrandbits(length), n) for n in (sample_modulus(w, chance) for w in widths)])


def test_the_cycles_depend_on_lengths_only() -> None:
    """Moduli of one length, and extreme and random bases and exponents, take the same number of cycles."""
    core, chance = shaped(71), random.Random(71)
    powers = []
    for e in (0, 1, (1 << 71) - 1, 1 << 70, *(chance.getrandbits(71) for _ in range(8))):
        n = chance.getrandbits(71) | 1 | 1 << 70
        powers.append((chance.choice((0, 1, n - 1, chance.randrange(n))), e, n))
    assert len({result.cycles for result in exponentiate(core, powers)}) == 1


# ---- what is refused


def job(core: WindowExponentiator, numbers: tuple[int, int, int, int, int]) -> Job:
    """Return a job of x, e, n, which need not fit, with these numbers of words and words of the exponent."""
    (x, e, n, words, exponent_words), w = numbers, core.word_width
    given = [*port_words(n, w, words), *port_words(x, w, words), *port_words(e, w, exponent_words)]
    return Job([words, exponent_words, *given], words)


def is_refused(core: WindowExponentiator, given: Job) -> bool:
    """Return whether the core refuses a job; if not, it computes it."""
    try:
        (_,) = word_ports(core).run([given], LIMIT)
    except tools.ToolError as error:
        return "refused" in str(error)
    return False


N = (1 << 39) - 7
REFUSED = {
    "an even modulus": (1, 5, N - 1, 3, 2),
    "a modulus that is even in its lowest word": (1, 5, 1 << 32, 3, 2),
    "the modulus 0": (0, 5, 0, 3, 2),
    "the modulus 1": (0, 5, 1, 3, 2),
    "a base that is n": (N, 5, N, 3, 2),
    "a base above n": (1 << 80, 5, N, 3, 2),
    "a base above n in its lowest word": (N + 2, 5, N, 3, 2),
    "a modulus with a bit too much": (1, 5, 1 << 39 | 1, 2, 2),
    "a modulus with many bits too much": (1, 5, 1 << 63 | 1, 2, 2),
    "one word": (1, 5, 3, 1, 1),
    "too many words": (1, 5, 3, 4, 1),
    "no word of the exponent": (1, 0, 3, 2, 0),
    "too many words of the exponent": (1, 5, 3, 2, 4),
}
TAKEN = {
    "two words": (1, 5, N, 2, 2),
    "more words than needed": (N - 1, 5, N, 3, 3),
    "the smallest modulus": (2, 5, 3, 2, 1),
    "the smallest modulus in many words": (2, (1 << 96) - 1, 3, 3, 3),
    "a base whose lowest word is that of n": (N & (1 << 32) - 1, 5, N, 3, 2),
    "a base with a higher lowest word": ((1 << 32) - 1, 5, N, 3, 2),
}


@pytest.mark.parametrize("what", [*REFUSED, *TAKEN])
def test_the_core_refuses_what_its_manifest_refuses(what: str) -> None:
    core = shaped(71)
    numbers = (REFUSED | TAKEN)[what]
    names = dict(zip(("base", "exponent", "n", "words", "exponent_words"), numbers, strict=True))
    assert eval(core.refused, {}, dict(names)) == (what in REFUSED)  # noqa: S307
    given = job(core, numbers)
    assert is_refused(core, given) == (what in REFUSED)
    if what in TAKEN:
        (result,) = word_ports(core).run([given], LIMIT)
        assert result.z == pow(*numbers[:3])


def test_a_modulus_that_is_too_long_is_refused_where_its_spare_bits_are_more_than_a_word() -> None:
    core = shaped(71, "radix 8, words of 15 bits")
    spare = 15 * 4 - 19  # bits of four words
    for n, refused in (((1 << spare) - 1, False), (1 << spare | 1, True), (1 << 45 | 1, True)):
        assert is_refused(core, job(core, (1, 5, n, 4, 4))) == refused


def test_a_core_that_refused_takes_a_job_after_a_reset(tmp_path: Path) -> None:
    core, n = shaped(64), (1 << 64) - 59
    wrong = job(core, (n, 5, n, 3, 2)).words_in
    assert word_bench.run(
        core,
        [*word_bench.send(wrong), "    show;", "    reset;", *word_bench.send([0]), "    show;"],
        tmp_path,
    )[:2] == [
        "error 1, ready 0, busy 0",
        "error 0, ready 1, busy 0",
    ]


# ---- a wipe


def test_a_job_after_a_wipe_is_right() -> None:
    core, n = shaped(71), (1 << 71) - 231
    given = Job([0, *core.words_in(n - 2, n - 3, n)], core.words_out(n))
    results = list(word_ports(core).run([given, given], LIMIT))
    assert results == [core.run(n - 2, n - 3, n)] * 2


@pytest.mark.parametrize("cut_off_after", [0, 500, 4000], ids=["a power", "doublings", "windows"])
def test_a_wipe_leaves_no_number_in_any_register_or_memory(cut_off_after: int, tmp_path: Path) -> None:
    """All that Icarus sees is 0, but for control and lengths; the clocks are at most those of the header."""
    core = shaped(64)
    left, clocks = registers_after(core, cut_off_after, wipe=True, folder=tmp_path)
    assert len(left) > 300
    assert {name for name, value in left.items() if value.strip("0")} == set()
    most = core.max_words << core.window_width
    assert most <= clocks <= most + 6
    kept, _ = registers_after(core, cut_off_after, wipe=False, folder=tmp_path)
    assert sum(value.strip("0") != "" for value in kept.values()) > 100


def registers_after(
    core: WindowExponentiator, cut_off_after: int, *, wipe: bool, folder: Path
) -> tuple[dict[str, str], int]:
    """Return the data registers and memories after a power, or one that a reset ends, and a wipe's clocks."""
    n, words = (1 << 64) - 59, core.max_words
    lines = word_bench.send(core.words_in(n - 2, (1 << 64) - 3, n))
    ends = [f"    repeat ({cut_off_after}) @(negedge clk);", "    reset;"]
    lines += (
        ends if cut_off_after else ["    while (!(valid_out && last)) @(negedge clk);", "    @(negedge clk);"]
    )
    if wipe:
        lines += [
            *word_bench.send([0]),
            "    i = 1;",
            "    while (!ready) begin @(negedge clk); i = i + 1; end",
        ]
    lines += ['    $display("%0d clocks", i);', "    word = '0;", "    repeat (12) @(negedge clk);"]
    lines += ['    $dumpfile("registers.vcd");', "    $dumpvars(0, u_dut);", "    #1;"]
    own = [(f"u_power.u_{name}.words", words) for name in ("n", "low", "high", "exponent", "operand")]
    inside = [
        (f"u_power.u_multiplier.{path}", depth) for path, depth in wiped.memories(words, core.radix_log2)
    ]
    table = ("u_power.gen_bank[0].u_table.words", words << core.window_width)
    printed = word_bench.run(core, [*lines, wiped.display([*own, *inside, table])], folder)
    (clocks,) = (int(line.split()[0]) for line in printed if line.endswith("clocks"))
    dump = (folder / "registers.vcd").read_text(encoding="utf-8")
    return wiped.displayed("\n".join(printed)) | wiped.dumped(dump, wiped.CONTROL_OF_WINDOWS), clocks


@pytest.mark.parametrize("parameter", ["RadixLog2=6", "WindowWidth=3", "WindowWidth=6"])
def test_parameters_that_do_not_fit_are_fatal(parameter: str, tmp_path: Path) -> None:
    module = "monpro_power_window"
    name, value = parameter.split("=")
    words = [f"-P{module}.WordWidth=30"] if name == "RadixLog2" else []
    override = [*words, f"-P{module}.{name}={value}"]
    paths = list(map(str, sources.needed(module)))
    tools.run(
        "iverilog",
        ["-g2012", "-s", module, *override, "-o", str(tmp_path / "out"), *paths],
        log=tmp_path / "log",
    )
    with pytest.raises(tools.ToolError, match=re.escape(f"{name} = {value}")):
        tools.run("vvp", ["-n", str(tmp_path / "out")], log=tmp_path / "log")


@pytest.mark.parametrize(("width_bits", "is_allowed"), [(461, True), (462, False)])
def test_model_and_rtl_allow_the_same_windows(width_bits: int, is_allowed: bool, tmp_path: Path) -> None:
    """The search among 64 entries of 16 words takes as long as the squares, and longer with 17 words."""
    refused = nullcontext() if is_allowed else pytest.raises(ValueError, match="window_width")
    with refused:
        shaped(width_bits, "radix 8, long windows")
    module, parameters = "monpro_power_window", {"Width": width_bits, "RadixLog2": 3, "WordWidth": 30}
    override = [f"-P{module}.{name}={value}" for name, value in {**parameters, "WindowWidth": 6}.items()]
    paths = list(map(str, sources.needed(module)))
    arguments = ["-g2012", "-s", module, *override, "-o", str(tmp_path / "out"), *paths]
    tools.run("iverilog", arguments, log=tmp_path / "log")
    fatal = nullcontext() if is_allowed else pytest.raises(tools.ToolError, match="WindowWidth = 6")
    with fatal:
        tools.run("vvp", ["-n", str(tmp_path / "out")], log=tmp_path / "log")
