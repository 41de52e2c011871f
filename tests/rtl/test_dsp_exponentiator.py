"""The exponentiator on DSP blocks: RTL against model and arithmetic, what it refuses, what a wipe leaves."""

import random
import re
from itertools import product
from pathlib import Path

import pytest

import wiped
import word_bench
from monpro.cores.dsp_exponentiator import DspExponentiator
from monpro.cores.word_serial import port_words
from monpro.flow import sources, tools
from monpro.flow.exponentiate import Job, Power, exponentiate, word_ports
from monpro.flow.operands import sample_modulus

SHAPES: dict[str, dict[str, int]] = {
    "fold 1": {},
    "fold 2": {"fold": 2},
    "fold 4": {"fold": 4},
    "fold 8": {"fold": 8},
    "words of 6 bits": {"word_width": 6, "window_width": 4},
    "words of 6 bits, fold 2": {"word_width": 6, "fold": 2, "window_width": 6},
    "words of 7 bits, fold 4": {"word_width": 7, "fold": 4, "window_width": 4},
    "words of 5 bits, fold 8": {"word_width": 5, "fold": 8, "window_width": 4},
    "words of 16 bits, long windows": {"word_width": 16, "window_width": 6},
}
QUICK = {"fold 1", "fold 8", "words of 6 bits, fold 2", "words of 16 bits, long windows"}
LIMIT = 100_000


def shaped(width_bits: int, shape: str = "fold 1") -> DspExponentiator:
    """Return an exponentiator of a shape."""
    return DspExponentiator(width_bits, **SHAPES[shape])


def random_powers(core: DspExponentiator, count: int, seed: int = 1) -> list[Power]:
    """Return powers modulo long and short numbers, some with numbers at the ends of their ranges."""
    chance, width = random.Random(seed), core.width_bits
    powers = []
    for _ in range(count):
        n = sample_modulus(chance.choice((width, chance.randint(2, width))), chance)
        n = chance.choice((n, n, n, (1 << width) - 1, (1 << width - 1) + 1))
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


def check(core: DspExponentiator, powers: list[Power], **driving: int) -> None:
    for power, result in zip(powers, exponentiate(core, powers, **driving), strict=True):
        assert result.z == pow(*power)
        assert result == core.run(*power)


def every_power(core: DspExponentiator) -> list[Power]:
    """Return the powers of all numbers below all odd moduli of a width, to short exponents and all ones."""
    width = core.width_bits
    exponents = (*range(1 << width), (1 << core.exponent_bits) - 1)
    return [(x, e, n) for n in range(3, 1 << width, 2) for x, e in product(range(n), exponents)]


@pytest.mark.parametrize("fold", [1, *(pytest.param(fold, marks=pytest.mark.slow) for fold in (2, 4, 8))])
def test_all_powers_of_a_small_width_are_right(fold: int) -> None:
    core = DspExponentiator(3, 5, fold, 4)
    check(core, every_power(core))


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_all_powers_of_four_bits_are_right(shape: str) -> None:
    core = shaped(4, shape)
    check(core, every_power(core))


@pytest.mark.parametrize(
    "shape", [pytest.param(s, marks=[] if s in QUICK else pytest.mark.slow) for s in SHAPES]
)
def test_rtl_and_model_agree_in_values_and_cycles(shape: str) -> None:
    core = shaped(71, shape)
    check(core, random_powers(core, 60))
    few = random_powers(core, 12, seed=2)
    check(core, few, stall_seed=7)
    check(core, few, reset_seed=11)
    check(core, few, stall_seed=8, reset_seed=12)


@pytest.mark.slow
@pytest.mark.parametrize("fold", [1, 2, 4, 8])
@pytest.mark.parametrize("width_bits", [2, 8, 16, 17, 33, 67, 68, 69, 131, 255, 256, 521])
def test_rtl_and_model_agree_at_every_width(width_bits: int, fold: int) -> None:
    core = DspExponentiator(width_bits, fold=fold)
    check(core, random_powers(core, 60 if width_bits < 256 else 8, seed=width_bits))


@pytest.mark.slow
def test_a_power_of_1024_bits_takes_106_778_clocks() -> None:
    core, n, chance = shaped(1024), (1 << 1024) - 105, random.Random(5)
    power = (chance.randrange(n), 1 << 1023 | chance.getrandbits(1023), n)
    (result,) = exponentiate(core, [power])
    assert (result.z, result.cycles) == (pow(*power), 106_778)


@pytest.mark.slow
@pytest.mark.parametrize("width_bits", DspExponentiator.verified_widths_bits)
@pytest.mark.parametrize("variant", DspExponentiator.variants)
def test_every_named_configuration(variant: str, width_bits: int) -> None:
    core = DspExponentiator(width_bits, **DspExponentiator.variants[variant])
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


def job(core: DspExponentiator, numbers: tuple[int, int, int, int]) -> Job:
    """Return a job of x, e, n, which need not fit, with this number of words of the exponent."""
    (x, e, n, exponent_words), w, count = numbers, core.word_width, core.number_words
    given = [*port_words(n, w, count), *port_words(x, w, count), *port_words(e, w, exponent_words)]
    return Job([exponent_words, *given], count)


def is_refused(core: DspExponentiator, given: Job) -> bool:
    """Return whether the core refuses a job; if not, it computes it."""
    try:
        (_,) = word_ports(core).run([given], LIMIT)
    except tools.ToolError as error:
        return "refused" in str(error)
    return False


N = (1 << 71) - 231
REFUSED = {
    "an even modulus": (1, 5, N - 1, 1),
    "a modulus that is even in its lowest word": (1, 5, 1 << 34, 1),
    "the modulus 0": (0, 5, 0, 1),
    "the modulus 1": (0, 5, 1, 1),
    "a base that is n": (N, 5, N, 1),
    "a base above n": (1 << 80, 5, N, 1),
    "a base above n in its lowest word": (N + 2, 5, N, 1),
    "a modulus with a bit too much": (1, 5, 1 << 71 | 1, 1),
    "a modulus with its highest bit too much": (1, 5, 1 << 84 | 1, 1),
    "too many words of the exponent": (1, 5, 3, 11),
    "many words of the exponent": (1, 5, 3, 1 << 16),
}
TAKEN = {
    "the longest modulus": (N - 1, 5, (1 << 71) - 1, 1),
    "the smallest modulus": (2, 5, 3, 1),
    "a modulus whose words are 1": (2, 5, 1 << 17 | 1, 1),
    "the smallest modulus and the longest exponent": (2, (1 << 170) - 1, 3, 10),
    "a base whose lowest word is that of n": (N & (1 << 17) - 1, 5, N, 1),
    "a base with a higher lowest word": ((1 << 17) - 1, 5, N, 1),
    "the base below n": (N - 1, 5, N, 1),
}


@pytest.mark.parametrize("what", [*REFUSED, *TAKEN])
def test_the_core_refuses_what_its_manifest_refuses(what: str) -> None:
    core = shaped(71)
    numbers = (REFUSED | TAKEN)[what]
    names = dict(zip(("base", "exponent", "n", "exponent_words"), numbers, strict=True))
    assert eval(core.refused, {}, dict(names)) == (what in REFUSED)  # noqa: S307
    given = job(core, numbers)
    assert is_refused(core, given) == (what in REFUSED)
    if what in TAKEN:
        (result,) = word_ports(core).run([given], LIMIT)
        assert result.z == pow(*numbers[:3])


@pytest.mark.parametrize("width_bits", [71, *(pytest.param(w, marks=pytest.mark.slow) for w in (67, 68, 69))])
def test_every_bit_above_the_width_is_refused(width_bits: int) -> None:
    core = shaped(width_bits)
    for bit in range(width_bits, 17 * core.number_words):
        assert is_refused(core, job(core, (1, 5, 1 << bit | 1, 1)))


def test_a_core_that_refused_takes_a_job_after_a_reset(tmp_path: Path) -> None:
    core, n = shaped(64), (1 << 64) - 59
    wrong = job(core, (n, 5, n, 2)).words_in
    shown = word_bench.run(
        core,
        [*word_bench.send(wrong), "    show;", "    reset;", *word_bench.send([0]), "    show;"],
        tmp_path,
    )
    assert shown[:2] == ["error 1, ready 0, busy 0", "error 0, ready 1, busy 0"]


# ---- a wipe


@pytest.mark.parametrize("fold", [1, 8])
def test_a_job_after_a_wipe_is_right(fold: int) -> None:
    core, n = DspExponentiator(71, fold=fold), (1 << 71) - 231
    given = Job([0, *core.words_in(n - 2, n - 3, n)], core.words_out(n))
    results = list(word_ports(core).run([given, given], LIMIT))
    assert results == [core.run(n - 2, n - 3, n)] * 2


@pytest.mark.parametrize(
    ("width_bits", "shape", "cut_off_after"),
    [
        (64, "fold 1", 0),
        (64, "fold 1", 150),
        (64, "fold 1", 1500),
        (64, "fold 1", 2801),
        (64, "fold 8", 0),
        (64, "fold 8", 4000),
        (16, "fold 1", 0),
    ],
)
def test_a_wipe_leaves_no_number_in_any_register_or_memory(
    width_bits: int, shape: str, cut_off_after: int, tmp_path: Path
) -> None:
    """All that Icarus sees is 0, but for control and lengths; the clocks are those of the header."""
    core = shaped(width_bits, shape)
    left, clocks = registers_after(core, cut_off_after, wipe=True, folder=tmp_path)
    assert len(left) > (300 if width_bits == 64 else 200)
    assert {name: value for name, value in left.items() if value.strip("0")} == {}
    assert clocks == wipe_cycles(core)
    kept, _ = registers_after(core, cut_off_after, wipe=False, folder=tmp_path)
    assert sum(value.strip("0") != "" for value in kept.values()) > 100


def wipe_cycles(core: DspExponentiator) -> int:
    """Return the clocks of a wipe: zeros, a product, its words, the divisions and the reduction."""
    words, fold, delay = core.multiplier.words, core.fold, core.multiplier.delay
    tail = core.product_cycles - fold * (words + delay + 1)
    products = core.product_cycles + tail + fold * (words - 1) + 1
    return fold * words + products + (delay + 1) * (words + 6) + max(core.number_words, 2) + 1


def memories(core: DspExponentiator) -> list[tuple[str, int]]:
    """Return the paths of the memories inside the core, and their depths."""
    words, fold = core.multiplier.words, core.fold
    own = [(f"u_residue.u_{name}.words", words) for name in ("n", "low", "high")]
    banks = [
        (f"u_table.gen_bank[{i}].gen_memory.u_words.words", words * fold)
        for i in range((1 << core.window_width) // fold)
    ]
    elements = [
        (f"u_array.gen_word[{j}].gen_pe.u_pe.gen_memories.{path}.words", fold)
        for j in range(words // fold)
        for path in ("u_n", "u_b", "gen_copy.u_copy")
    ]
    return [*own, ("u_exponent.words", words), *banks, *(elements if fold > 1 else [])]


def registers_after(
    core: DspExponentiator, cut_off_after: int, *, wipe: bool, folder: Path
) -> tuple[dict[str, str], int]:
    """Return the data registers and memories after a power, or one that a reset ends, and a wipe's clocks."""
    n = (1 << core.width_bits) - 59
    lines = word_bench.send(core.words_in(n - 2, n + 56, n))
    ends = [f"    repeat ({cut_off_after}) @(negedge clk);", "    reset;"]
    lines += (
        ends if cut_off_after else ["    while (!(valid_out && last)) @(negedge clk);", "    @(negedge clk);"]
    )
    if wipe:
        lines += [
            *word_bench.send([0]),
            "    word = '1;",
            "    i = 0;",
            "    while (!ready) begin @(negedge clk); i = i + 1; end",
        ]
    lines += ['    $display("%0d clocks", i);', "    word = '0;", "    repeat (12) @(negedge clk);"]
    lines += ['    $dumpfile("registers.vcd");', "    $dumpvars(0, u_dut);", "    #1;"]
    printed = word_bench.run(core, [*lines, wiped.display(memories(core))], folder)
    (clocks,) = (int(line.split()[0]) for line in printed if line.endswith("clocks"))
    dump = (folder / "registers.vcd").read_text(encoding="utf-8")
    return wiped.displayed("\n".join(printed)) | wiped.dumped(dump, wiped.CONTROL_OF_DSP_WINDOWS), clocks


@pytest.mark.parametrize("parameter", ["Width=1", "WordWidth=5", "Fold=3", "WindowWidth=3", "WindowWidth=7"])
def test_parameters_that_do_not_fit_are_fatal(parameter: str, tmp_path: Path) -> None:
    module = "monpro_exp_dsp"
    name, value = parameter.split("=")
    override = [f"-P{module}.{name}={value}"]
    paths = list(map(str, sources.needed(module)))
    tools.run(
        "iverilog",
        ["-g2012", "-s", module, *override, "-o", str(tmp_path / "out"), *paths],
        log=tmp_path / "log",
    )
    with pytest.raises(tools.ToolError, match=re.escape(f"{name} = {value}")):
        tools.run("vvp", ["-n", str(tmp_path / "out")], log=tmp_path / "log")
