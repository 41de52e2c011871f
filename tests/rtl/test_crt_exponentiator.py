"""The exponentiator by the Chinese remainder theorem: RTL against model, what it refuses, what it leaves."""

import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest

import wiped
import word_bench
from monpro.cores.crt import CrtKey
from monpro.cores.window_exponentiator import CrtWindowExponentiator
from monpro.cores.word_serial import port_words
from monpro.flow import tools
from monpro.flow.exponentiate import Job, word_ports
from monpro.flow.operands import sample_crt_key
from rsa_primes import P, Q

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
EVERY_SHAPE = [pytest.param(s, marks=[] if s in QUICK else pytest.mark.slow) for s in SHAPES]
LIMIT = 100_000
Private = tuple[int, CrtKey]  # x and the key


def shaped(width_bits: int, shape: str = "radix 16") -> CrtWindowExponentiator:
    """Return an exponentiator of a shape."""
    return CrtWindowExponentiator.of(width_bits, {**SHAPES[shape], "crt": 1})


def random_powers(core: CrtWindowExponentiator, count: int, seed: int = 1) -> list[Private]:
    """Return powers modulo long and short numbers, some with numbers at the ends of their ranges."""
    chance, half, longest, powers = random.Random(seed), core.half_bits, core.exponent_bits, list[Private]()
    for _ in range(count):
        key = sample_crt_key(chance.choice((half, chance.randint(3, half))), half, chance)
        dp, dq = (
            chance.choice((0, 1, (1 << longest) - 1, 1 << longest - 1, *[e] * 6)) for e in (key.dp, key.dq)
        )
        x = chance.choice((0, 1, key.p, key.q, key.n - 1, *(chance.randrange(key.n) for _ in range(5))))
        powers.append((x, CrtKey(key.p, key.q, dp, dq, key.qinv)))
    return powers


def check(core: CrtWindowExponentiator, powers: Sequence[Private], **driving: int) -> None:
    """Compare values and clocks of the RTL with the model, and the value with two powers of Python."""
    jobs = (Job(core.words_of(x, key), core.words_out(key.n)) for x, key in powers)
    results = word_ports(core).run(jobs, core.max_cycles + LIMIT, **driving)
    for (x, key), result in zip(powers, results, strict=True):
        assert (result.z % key.p, result.z % key.q) == (pow(x, key.dp, key.p), pow(x, key.dq, key.q))
        assert result == core.run_key(x, key)


SMALL = ((5, 7), (7, 5))
FOUR_BITS = ((9, 11), (11, 9), (9, 13), (13, 9), (11, 13), (13, 11), (11, 15), (15, 11), (13, 15), (15, 13))


def every_power(pairs: Sequence[tuple[int, int]], exponents: Sequence[int]) -> list[Private]:
    """Return the powers of all numbers modulo these products, to all of these exponents."""
    return [
        (x, CrtKey(p, q, dp, dq, pow(q, -1, p)))
        for p, q in pairs
        for x, dp, dq in product(range(p * q), exponents, exponents)
    ]


def test_all_powers_modulo_35_are_right() -> None:
    check(shaped(6), every_power(SMALL, range(5)))


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_all_powers_of_four_bits_are_right(shape: str) -> None:
    check(shaped(8, shape), every_power(FOUR_BITS, (0, 1, 2, 7, 15)))


@pytest.mark.parametrize("shape", EVERY_SHAPE)
def test_rtl_and_model_agree_in_values_and_cycles(shape: str) -> None:
    core = shaped(141, shape)
    check(core, random_powers(core, 40))
    few = random_powers(core, 12, seed=2)
    check(core, few, stall_seed=7)
    check(core, few, reset_seed=11)
    check(core, few, stall_seed=8, reset_seed=12)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("width_bits", [6, 33, 64, 131, 255, 256, 521])
def test_rtl_and_model_agree_at_every_width(width_bits: int, shape: str) -> None:
    core = shaped(width_bits, shape)
    check(core, random_powers(core, 60 if width_bits < 256 else 8, seed=width_bits))


@pytest.mark.slow
def test_a_private_operation_of_rsa_with_1024_bits_takes_117_179_clocks() -> None:
    d = pow(65537, -1, (P - 1) * (Q - 1))
    core, key, chance = shaped(1024), CrtKey.of(P, Q, d), random.Random(5)
    x = chance.randrange(key.n)
    (result,) = word_ports(core).run([Job(core.words_of(x, key), core.words_out(key.n))], core.max_cycles)
    assert (result.z, result.cycles) == (pow(x, d, key.n), 117_179)


@pytest.mark.slow
@pytest.mark.parametrize("width_bits", CrtWindowExponentiator.verified_widths_bits)
@pytest.mark.parametrize("variant", CrtWindowExponentiator.variants)
def test_every_named_configuration(variant: str, width_bits: int) -> None:
    core = CrtWindowExponentiator.of(width_bits, CrtWindowExponentiator.variants[variant])
    chance, length = random.Random(width_bits), min(core.half_bits, 512)
    lengths = (8, length, min(length, 160), length)
    keys = [sample_crt_key(bits, bits, chance) for bits in lengths]
    check(core, [(key.n - 2, key) for key in keys])


def test_the_cycles_depend_on_lengths_only() -> None:
    """Extreme and random numbers of one length take the same number of cycles, also with pauses."""
    core, chance = shaped(141), random.Random(71)
    powers = []
    for e in (0, 1, (1 << 71) - 1, 1 << 70, *(chance.getrandbits(71) for _ in range(8))):
        key = sample_crt_key(71, 71, chance)
        x = chance.choice((0, 1, key.p, key.n - 1, chance.randrange(key.n)))
        powers.append((x, CrtKey(key.p, key.q, e, key.dq, key.qinv)))
    jobs = [Job(core.words_of(x, key), core.words_out(key.n)) for x, key in powers]
    cycles = {r.cycles for seed in (0, 1) for r in word_ports(core).run(jobs, LIMIT, stall_seed=seed)}
    assert len(cycles) == 1


# ---- what is refused


def job(core: CrtWindowExponentiator, numbers: tuple[int, ...]) -> Job:
    """Return a job of x, dp, dq, p, q and qinv, which need not fit, with these numbers of words."""
    (x, dp, dq, p, q, qinv, words, exponent_words), w = numbers, core.word_width
    given = [
        (p, words),
        (q, words),
        (qinv, words),
        (x, 2 * words),
        (dp, exponent_words),
        (dq, exponent_words),
    ]
    counted = [word for number, count in given for word in port_words(number, w, count)]
    return Job([words, exponent_words, *counted], 2 * words)


A, B = (1 << 39) - 7, (1 << 39) - 91
C = pow(B, -1, A)


def is_refused(core: CrtWindowExponentiator, given: Job) -> bool:
    """Return whether the core refuses a job after one that leaves numbers; if not, it computes it."""
    before = Job(core.words_of(A * B - 2, CrtKey(A, B, 12345, 54321, C)), 4)
    results = word_ports(core).run([before, given], LIMIT)
    assert next(results).z >> 64
    try:
        next(results)
    except tools.ToolError as error:
        return "refused" in str(error)
    return False


REFUSED = {
    "p is even": (1, 5, 7, A - 1, B, 1, 3, 2),
    "q is even": (1, 5, 7, A, B - 1, 1, 3, 2),
    "p is 0": (0, 5, 7, 0, B, 0, 3, 2),
    "q is 0": (0, 5, 7, A, 0, 1, 3, 2),
    "both are 1": (0, 5, 7, 1, 1, 0, 3, 2),
    "both are 0": (0, 5, 7, 0, 0, 0, 3, 2),
    "p is one bit shorter": (1, 5, 7, A >> 1 | 1, B, 1, 3, 2),
    "q is one bit shorter": (1, 5, 7, A, B >> 1 | 1, 1, 3, 2),
    "q is a word shorter": (1, 5, 7, A, 7, 1, 3, 2),
    "p has a bit too much": (1, 5, 7, 1 << 39 | 1, 1 << 39 | 3, 1, 2, 2),
    "qinv is p": (1, 5, 7, A, B, A, 3, 2),
    "qinv is above p in its highest word": (1, 5, 7, A, B, 1 << 80, 3, 2),
    "qinv is above p in its lowest word": (1, 5, 7, A, B, A + 2, 3, 2),
    "x is pq": (A * B, 5, 7, A, B, C, 3, 2),
    "x is above pq in its lowest word": (A * B + 1, 5, 7, A, B, C, 3, 2),
    "x is above pq in a word of its lower half": (A * B + (1 << 40), 5, 7, A, B, C, 3, 2),
    "x is above pq in its upper half": (A * B + (1 << 96), 5, 7, A, B, C, 3, 2),
    "x is above pq in its upper half alone": (1 << 96, 5, 7, A, B, C, 3, 2),
    "x is above pq by one in its upper half": ((A * B >> 64) + 1 << 64, 5, 7, A, B, C, 2, 2),
    "x is all ones": ((1 << 192) - 1, 5, 7, A, B, C, 3, 2),
    "one word": (1, 5, 7, 7, 5, 3, 1, 1),
    "too many words": (1, 5, 7, 7, 5, 3, 4, 1),
    "no word of the exponents": (1, 0, 0, 7, 5, 3, 2, 0),
    "too many words of the exponents": (1, 5, 7, 7, 5, 3, 2, 4),
}
TAKEN = {
    "two words": (1, 5, 7, A, B, C, 2, 2),
    "more words than needed": (A * B - 1, 5, 7, A, B, C, 3, 3),
    "the smallest numbers": (34, 5, 7, 7, 5, 3, 2, 1),
    "the smallest numbers in many words": (34, (1 << 96) - 1, 1 << 95, 7, 5, 3, 3, 3),
    "p and q of the same length with other highest bits": (9, 5, 7, 3 << 37 | 1, 1 << 38 | 1, 1, 3, 2),
    "qinv is below p": (1, 5, 7, A, B, A - 1, 3, 2),
    "qinv is above p in its lowest word alone": (1, 5, 7, A, B, (1 << 32) - 1, 3, 2),
    "x is below pq in its lowest word": (A * B - 1, 5, 7, A, B, C, 3, 2),
    "x is above pq in all words but the highest": ((A * B >> 64 << 64) - 1, 5, 7, A, B, C, 2, 2),
    "x is below pq in its upper half": ((A * B >> 64) - 1 << 64, 5, 7, A, B, C, 2, 2),
}


@pytest.mark.parametrize("what", [*REFUSED, *TAKEN])
def test_the_core_refuses_what_its_manifest_refuses(what: str) -> None:
    core = shaped(142)
    x, dp, dq, p, q, qinv, words, exponent_words = numbers = (REFUSED | TAKEN)[what]
    names = {"base": x, "p": p, "q": q, "qinv": qinv, "words": words, "exponent_words": exponent_words}
    assert eval(core.refused, {}, names) == (what in REFUSED)  # noqa: S307
    given = job(core, numbers)
    assert is_refused(core, given) == (what in REFUSED)
    if what in TAKEN:
        (result,) = word_ports(core).run([given], LIMIT)
        m1, m2 = pow(x, dp, p), pow(x, dq, q)
        assert result.z == m2 + q * ((m1 - m2) * qinv % p)


@pytest.mark.parametrize("wrong", ["qinv is p", "x is pq", "one word"])
def test_a_core_that_refused_takes_a_job_after_a_reset(wrong: str, tmp_path: Path) -> None:
    core = shaped(142)
    lengths = job(core, REFUSED[wrong]).words_in
    lines = [
        *word_bench.send(lengths[:2] if wrong == "one word" else lengths),
        "    repeat (9000) @(negedge clk);",
    ]
    lines += [
        "    show;",
        "    reset;",
        *word_bench.send([0]),
        "    repeat (900) @(negedge clk);",
        "    show;",
    ]
    assert word_bench.run(core, lines, tmp_path)[:2] == [
        "error 1, ready 0, busy 0",
        "error 0, ready 1, busy 0",
    ]


# ---- a wipe


def test_a_job_after_a_wipe_is_right() -> None:
    core, key = shaped(142), CrtKey(A, B, 12345, 54321, C)
    given = Job([0, *core.words_of(A * B - 2, key)], core.words_out(key.n))
    results = list(word_ports(core).run([given, given], LIMIT))
    assert results == [core.run_key(A * B - 2, key)] * 2


# Beside those of the two powers: control, lengths, marks, addresses, and the verdicts of comparisons.
CONTROL = (
    wiped.CONTROL_OF_WINDOWS.replace("u_power", "u_power_[pq]")
    + r"|u_dut\.(kind_q|exponent_\w+_q|upper_q|for_\w_q|constant_index_q|less_q|compare_\w+|compares_\w+)$"
    r"|u_product\.(add_q|below_\d_q|index_q|index_o)$"
)
OWN = (
    "u_p",
    "u_q",
    "u_inverse",
    "u_x_low",
    "u_x_high",
    "u_p_base",
    "u_q_base",
    "u_constant",
    "u_product.u_t",
)


@pytest.mark.parametrize("cut_off_after", [0, 100, 6000], ids=["a power", "the long product", "windows"])
def test_a_wipe_leaves_no_number_in_any_register_or_memory(cut_off_after: int, tmp_path: Path) -> None:
    """All that Icarus sees is 0, but for control and lengths; the clocks are at most those of the header."""
    core = shaped(142)
    left, clocks = registers_after(core, cut_off_after, wipe=True, folder=tmp_path)
    assert len(left) > 600
    assert {name for name, value in left.items() if value.strip("0")} == set()
    most = core.max_words << core.window_width
    assert most <= clocks <= most + 9
    kept, _ = registers_after(core, cut_off_after, wipe=False, folder=tmp_path)
    assert sum(value.strip("0") != "" for value in kept.values()) > 200


def registers_after(
    core: CrtWindowExponentiator, cut_off_after: int, *, wipe: bool, folder: Path
) -> tuple[dict[str, str], int]:
    """Return the data registers and memories after a power, or one that a reset ends, and a wipe's clocks."""
    key, words = CrtKey((1 << 71) - 231, (1 << 71) - 73, (1 << 70) - 3, (1 << 70) - 5, 0), core.max_words
    key = CrtKey(key.p, key.q, key.dp, key.dq, pow(key.q, -1, key.p))
    lines = word_bench.send(core.words_of(key.n - 2, key))
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
    memories = [(f"{name}.words", words) for name in OWN]
    for power in ("u_power_p", "u_power_q"):
        own = [(f"{power}.u_{name}.words", words) for name in ("n", "low", "high", "exponent", "operand")]
        inside = wiped.memories(words, core.radix_log2)
        memories += [*own, *((f"{power}.u_multiplier.{path}", depth) for path, depth in inside)]
        memories.append((f"{power}.gen_bank[0].u_table.words", words << core.window_width))
    printed = word_bench.run(core, [*lines, wiped.display(memories)], folder)
    (clocks,) = (int(line.split()[0]) for line in printed if line.endswith("clocks"))
    dump = (folder / "registers.vcd").read_text(encoding="utf-8")
    return wiped.displayed("\n".join(printed)) | wiped.dumped(dump, CONTROL), clocks
