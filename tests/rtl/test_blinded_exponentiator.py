"""The blinded exponentiator: RTL against the model, what it refuses, withholds and leaves behind."""

import random
from dataclasses import replace
from math import gcd
from pathlib import Path

import pytest

import blinded
import wiped
from blinded import FAULT, REFUSED, RESULT, Job, key_of, random_job
from monpro.cores.blinding import CheckFailedError, Key, blinded_base, blinded_exponent, blinded_power
from monpro.cores.window_exponentiator import BlindedWindowExponentiator
from monpro.cores.word_serial import port_words
from monpro.flow import sources, tools
from monpro.flow.operands import sample_key
from monpro.flow.simulate import parameter_values
from rsa_primes import P, Q

SHAPES: dict[str, dict[str, int]] = {
    "radix 16": {},
    "radix 8": {"radix_log2": 3, "word_width": 24},
    "radix 8, words of 15 bits": {"radix_log2": 3, "word_width": 15, "window_width": 4},
    "radix 8, long windows": {"radix_log2": 3, "word_width": 30, "window_width": 6},
    "radix 32": {"radix_log2": 5, "word_width": 30},
    "radix 32, words of 25 bits": {"radix_log2": 5, "word_width": 25, "window_width": 4},
}
QUICK = {"radix 16", "radix 8, words of 15 bits"}
EVERY_SHAPE = [pytest.param(s, marks=[] if s in QUICK else pytest.mark.slow) for s in SHAPES]


def shaped(width_bits: int, shape: str = "radix 16") -> BlindedWindowExponentiator:
    """Return an exponentiator of a shape."""
    return BlindedWindowExponentiator.of(width_bits, {**SHAPES[shape], "blinding": 1})


def most_wipe_clocks(core: BlindedWindowExponentiator) -> int:
    """Return the bound of the header."""
    of_multiplier = core.max_words + (2 << core.radix_log2) + 11
    return max(core.max_words << core.window_width, of_multiplier) + 6


def check(core: BlindedWindowExponentiator, jobs: list[Job], **driving: int) -> None:
    """Compare the RTL with the model: value or failed check, clocks, and how many random words were taken."""
    wipe = most_wipe_clocks(core)
    for job, answer in zip(jobs, blinded.run(core, jobs, **driving), strict=True):
        key = job.key
        assert answer.randoms == core.random_words(key.n)
        cycles = core.cycles(key.d, key.n, key.v)
        try:
            z = blinded_power(job.x, key, core.blinding_of(job.randoms, key.n))
        except CheckFailedError:
            assert answer.status == FAULT
            assert cycles < answer.cycles <= cycles + wipe
        else:
            assert (answer.status, answer.z, answer.cycles) == (RESULT, z, cycles)


KEY = key_of((65537, 8388617), 5)

# Factors of square-free moduli, and a v that is prime to the orders of their units.
SMALL = {(3,): 3, (3, 5): 3, (3, 7): 5, (3, 11): 3, (5, 7): 5, (7, 11): 7, (3, 5, 7): 5}


@pytest.mark.parametrize("shape", EVERY_SHAPE)
def test_every_base_of_small_moduli_with_many_random_words(shape: str) -> None:
    """Bases that share a factor with n are right, too. A mask with a factor only is found."""
    core, chance = shaped(8, shape), random.Random(8)
    keys = [key_of(primes, v, times) for primes, v in SMALL.items() for times in (1, 2)]
    jobs = [random_job(core, x, key, chance) for key in keys for x in range(key.n)]
    units = [gcd(core.blinding_of(job.randoms, job.key.n).s, job.key.n) == 1 for job in jobs]
    assert 0.4 * len(jobs) < sum(units) < 0.9 * len(jobs)
    for job, is_unit in zip(jobs, units, strict=True):
        if is_unit:
            z = blinded_power(job.x, job.key, core.blinding_of(job.randoms, job.key.n))
            assert z == pow(job.x, job.key.d, job.key.n)
    check(core, jobs)


def with_another_v(key: Key, word_bits: int, chance: random.Random) -> Key:
    """Return the same modulus with a random v of any length, and the exponent that belongs to it."""
    v = 0
    while v < 3 or gcd(v, key.order) != 1:
        v = chance.getrandbits(chance.randint(2, word_bits)) | 1
    return replace(key, v=v, d=pow(v, -1, key.order))


def chained_jobs(core: BlindedWindowExponentiator, count: int, seed: int = 1) -> list[Job]:
    """Return jobs of keys of many lengths, some with numbers at the ends of their ranges."""
    chance, width, jobs = random.Random(seed), core.width_bits, list[Job]()
    for _ in range(count):
        key = sample_key(chance.choice((width, chance.randint(8, width))), core.word_width, chance)
        x = chance.choice((0, 1, key.n - 1, *(chance.randrange(key.n) for _ in range(4))))
        jobs.append(random_job(core, x, with_another_v(key, core.word_width, chance), chance))
    return jobs


@pytest.mark.parametrize("shape", EVERY_SHAPE)
def test_rtl_and_model_agree_in_values_and_cycles(shape: str) -> None:
    core = shaped(71, shape)
    check(core, chained_jobs(core, 30))
    few = chained_jobs(core, 10, seed=2)
    check(core, few, stall_seed=7)
    check(core, few, reset_seed=11)
    check(core, few, stall_seed=8, reset_seed=12)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("width_bits", [33, 131, 255, 256, 461])
def test_rtl_and_model_agree_at_every_width(width_bits: int, shape: str) -> None:
    core = shaped(width_bits, shape)
    check(core, chained_jobs(core, 40 if width_bits < 255 else 8, seed=width_bits))


def test_a_job_after_a_wipe_is_right() -> None:
    core, chance = shaped(71), random.Random(9)
    job = random_job(core, 7, KEY, chance)
    check(core, [replace(job, words=(0, *blinded.words_in(core, job)))] * 2)


@pytest.mark.slow
def test_a_private_operation_of_rsa_with_1024_bits_takes_428_043_clocks() -> None:
    core, key, chance = shaped(1024), key_of((P, Q), 65537), random.Random(5)
    job = random_job(core, chance.randrange(key.n), key, chance)
    (answer,) = blinded.run(core, [job])
    assert (answer.status, answer.z) == (RESULT, pow(job.x, key.d, key.n))
    assert answer.cycles == 428_043


@pytest.mark.slow
@pytest.mark.parametrize("width_bits", BlindedWindowExponentiator.verified_widths_bits)
@pytest.mark.parametrize("variant", BlindedWindowExponentiator.variants)
def test_every_named_configuration(variant: str, width_bits: int) -> None:
    core = BlindedWindowExponentiator.of(width_bits, BlindedWindowExponentiator.variants[variant])
    chance, length = random.Random(width_bits), min(width_bits, 1024)
    keys = [sample_key(bits, core.word_width, chance) for bits in (16, length, 160)]
    check(core, [random_job(core, key.n - 2, key, chance) for key in keys])


def test_the_cycles_depend_on_lengths_and_v_only() -> None:
    """Keys of one length, extreme bases, and all kinds of random words take the same number of cycles."""
    core, chance, jobs = shaped(71), random.Random(71), list[Job]()
    while len(jobs) < 24:
        key = sample_key(71, 32, chance)
        if key.v == 65537:
            x = chance.choice((0, 1, key.n - 1, chance.randrange(key.n)))
            job = random_job(core, x, key, chance)
            extreme = chance.choice((job.randoms, (0,) * 5 + (1,), ((1 << 32) - 1,) * 6))
            jobs.append(replace(job, randoms=extreme[: len(job.randoms)]))
    answers = list(blinded.run(core, jobs))
    assert len({answer.cycles for answer in answers if answer.status == RESULT}) == 1
    assert len({answer.cycles for answer in answers if answer.status == FAULT}) <= 1
    assert [a.cycles for a in blinded.run(core, jobs, stall_seed=3)] == [a.cycles for a in answers]


# ---- what is refused, and what the check withholds


def numbers(key: Key) -> dict[str, int]:
    return {"base": 7, "exponent": key.d, "n": key.n, "order": key.order, "v": key.v}


REFUSED_NUMBERS = {
    "an even exponent": {"exponent": KEY.d - 1},
    "no order": {"order": 0},
    "an even v": {"v": 4},
    "v = 1": {"v": 1},
    "v = 0": {"v": 0},
    "a base that is n": {"base": KEY.n},
    "an even modulus": {"n": KEY.n - 1},
}
WRONG_NUMBERS = {
    "another exponent": {"exponent": KEY.d + 2},
    "an exponent of 1": {"exponent": 1},
    "another order": {"order": KEY.order + 2},
    "an order of 1": {"order": 1},
    "half of the order": {"order": KEY.order // 2},
    "an order with a high word only": {"order": 1 << 32},
    "another v": {"v": 7},
    "a long v": {"v": (1 << 32) - 1},
    "another modulus": {"n": KEY.n - 2},
}
RIGHT_NUMBERS: dict[str, dict[str, int]] = {
    "a right key": {},
    "twice the order": {"order": 2 * KEY.order},
    "an exponent above the order": {"exponent": KEY.d + 2 * KEY.order},
}


@pytest.mark.parametrize("what", [*REFUSED_NUMBERS, *WRONG_NUMBERS, *RIGHT_NUMBERS])
def test_wrong_numbers_are_refused_or_their_result_is_withheld(what: str) -> None:
    """What the manifest does not refuse, and is wrong, costs a whole power and then fails the check."""
    core, chance = shaped(71), random.Random(1)
    given = numbers(KEY) | (REFUSED_NUMBERS | WRONG_NUMBERS | RIGHT_NUMBERS)[what]
    lengths = {"words": 3, "exponent_words": 2}
    assert eval(core.refused, {}, given | lengths) == (what in REFUSED_NUMBERS)  # noqa: S307
    words = [3, 2]
    for name, count in (("n", 3), ("base", 3), ("exponent", 2), ("order", 2), ("v", 1)):
        words += port_words(given[name], 32, count)
    job = random_job(core, 7, KEY, chance)
    answers = list(blinded.run(core, [replace(job, words=tuple(words)), job]))
    assert answers[1].status == RESULT, "a right job after a reset"
    if what in REFUSED_NUMBERS:
        assert (answers[0].status, answers[0].randoms) == (REFUSED, 0)
    elif what in WRONG_NUMBERS:
        assert answers[0].status == FAULT
    else:
        assert answers[0].z == pow(7, KEY.d, KEY.n)


@pytest.mark.parametrize("lengths", [(1, 1), (5, 1), (3, 0), (3, 5)])
def test_wrong_lengths_are_refused_at_once(lengths: tuple[int, int]) -> None:
    core = shaped(71)
    (answer,) = blinded.run(core, [Job(0, KEY, (1,) * 5, (*lengths, 5))])
    assert (answer.status, answer.randoms) == (REFUSED, 0)


def test_a_source_that_gives_zeros_only_is_withheld() -> None:
    core = shaped(71)
    (answer,) = blinded.run(core, [Job(7, KEY, (0,) * core.random_words(KEY.n))])
    assert answer.status == FAULT


# ---- inside: the blinding is that of the random words, faults are found, a wipe leaves nothing


def send(words: list[int]) -> list[str]:
    """Return lines of a bench that give words to the core."""
    return [f"    send(32'h{word:x});" for word in words]


def offer(randoms: tuple[int, ...]) -> list[str]:
    """Return lines of a bench that offer these random words, the first one first."""
    return ["    random_at = 0;", *(f"    randoms[{i}] = 32'h{word:x};" for i, word in enumerate(randoms))]


def of_bench(core: BlindedWindowExponentiator, lines: list[str], folder: Path) -> list[str]:
    """Return the lines that a bench prints in Icarus."""
    parameters = ", ".join(f".{name}({value})" for name, value in parameter_values(core).items())
    text = (
        BENCH.replace("{parameters}", parameters)
        .replace("{msb}", str(core.port_bits - 1))
        .replace("{lines}", "\n".join(lines))
    )
    (folder / "bench.sv").write_text(text, encoding="utf-8")
    files = [*map(str, sources.needed(core.top, (wiped.CLOCK_GATE,))), "bench.sv"]
    tools.run("iverilog", ["-g2012", "-s", "bench", "-o", "b", *files], log=folder / "log", cwd=folder)
    return tools.run("vvp", ["-n", "b"], log=folder / "log", cwd=folder).splitlines()


BENCH = """
module bench;
  logic clk = 1'b0, rst_n = 1'b0, valid = 1'b0;
  logic ready, busy, error, fault, valid_out, last, random_ready;
  logic [{msb}:0] word = '0, out;
  logic [{msb}:0] randoms [0:63];
  int random_at = 0, given = 0, leaks = 0, i = 0;
  monpro_exp_window_blinded #({parameters}) u_dut (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(valid), .ready_o(ready), .word_i(word), .busy_o(busy),
    .error_o(error), .valid_o(valid_out), .ready_i(1'b1), .word_o(out), .last_o(last), .random_valid_i(1'b1),
    .random_ready_o(random_ready), .random_i(randoms[random_at]), .fault_o(fault));
  always #5 clk = ~clk;
  always @(negedge clk) begin
    if (valid_out) given = given + 1;
    if (out !== '0 && !valid_out) leaks = leaks + 1;
  end
  always @(posedge clk) if (random_ready) random_at <= random_at + 1;
  task send(input logic [{msb}:0] number);
    word = number;
    valid = 1'b1;
    while (!ready) @(negedge clk);
    @(negedge clk);
    valid = 1'b0;
  endtask
  task reset;
    rst_n = 1'b0;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    given = 0;
    @(negedge clk);
  endtask
  task finish;
    while (busy) @(negedge clk);
    @(negedge clk);
    $display("error %0d fault %0d given %0d leaks %0d", error, fault, given, leaks);
  endtask
  initial begin
    reset;
{lines}
    $finish;
  end
endmodule
"""
GIVEN = "error 0 fault 0 given 2 leaks 0"
WITHHELD = "error 1 fault 1 given 0 leaks 0"
N33 = sample_key(33, 32, random.Random(33))


def job_words(core: BlindedWindowExponentiator, x: int, key: Key) -> list[int]:
    return core.words_in(x, key.d, key.n, key.order, key.v)


def test_the_exponent_and_the_base_inside_are_those_of_the_random_words(tmp_path: Path) -> None:
    """The same job twice: the result is one, the exponent and the base in Montgomery form are others."""
    core, chance, x, key = shaped(33), random.Random(64), 5, N33
    drawn = [random_job(core, x, key, chance) for _ in range(2)]
    jobs = [replace(job, randoms=(job.randoms[0], job.randoms[1] & ~1, *job.randoms[2:])) for job in drawn]
    lines = []
    for job in jobs:
        lines += [
            "    reset;",
            *offer(job.randoms),
            *send(job_words(core, x, key)),
            f"    while ({KIND} !== 4'd7) @(negedge clk);",
            "    @(negedge clk);",  # the last word is written
        ]
        lines += [f'    $write("inside");\n{shown("u_exponent.words", 4)}{shown("u_operand.words", 2)}']
        lines += ['    $display("");', "    finish;"]
    printed = of_bench(core, lines, tmp_path)
    inside = [[int(word, 16) for word in line.split()[1:]] for line in printed if line.startswith("inside")]
    assert len(inside) == 2
    exponents, bases = set(), set()
    for job, words in zip(jobs, inside, strict=True):
        blinding = core.blinding_of(job.randoms, key.n)
        exponent, base = (
            sum(word << 32 * i for i, word in enumerate(part)) for part in (words[:4], words[4:])
        )
        assert exponent == blinded_exponent(key, blinding)
        assert base % key.n == (blinded_base(x, key, blinding)[0] << 64) % key.n
        exponents.add(exponent)
        bases.add(base)
    assert len(exponents) == len(bases) == 2
    assert [line for line in printed if line.startswith("error")] == [GIVEN] * 2


KIND = "u_dut.u_power.kind_q"
INSIDE = "u_dut.u_power"


def shown(memory: str, depth: int) -> str:
    """Return lines of a bench that print the words of a memory."""
    return "".join(f'    $write(" %h", {INSIDE}.{memory}[{i}]);\n' for i in range(depth))


SUMS, NUMBERS = "gen_blinding.u_blinded", "gen_blinding.u_numbers.words"
MULTIPLIER = "u_multiplier"
IN_POWER = f"{KIND} == 4'd9 && {INSIDE}.exponent_index_q == 1"  # a product of a middle window
FACTOR_IS_READ = f"{IN_POWER} && {INSIDE}.{MULTIPLIER}.state_q == 4'd10"
PASS_ENDS = f"{INSIDE}.{SUMS}.pass_ends && {INSIDE}.{SUMS}.pass_q"
FAULTS = {  # when, where, and which bit
    "the blinded exponent": (IN_POWER, "u_exponent.words[0]", 9),
    "an entry of the table": (
        f"{KIND} == 4'd8 && {INSIDE}.fresh_q",
        "gen_bank[0].u_table.words[16]",
        30,
    ),
    "F": (IN_POWER, f"{NUMBERS}[3]", 8),
    "the base, which the check compares": (IN_POWER, f"{NUMBERS}[0]", 0),
    "a factor in the multiplier": (FACTOR_IS_READ, f"{MULTIPLIER}.u_x.words[1]", 1),
    "n, while R is computed": (f"{INSIDE}.later_q", "u_n.words[0]", 5),
    "R²": (IN_POWER, f"{NUMBERS}[1]", 8),
    "v": (IN_POWER, "gen_blinding.v_q", 4),
    "the order": (f"{PASS_ENDS} == 20", f"{SUMS}.u_order.words[0]", 3),
    "the sum of the exponent": (f"{PASS_ENDS} == 30", f"{SUMS}.u_e.words[1]", 7),
    "the window": (f"{IN_POWER} && {INSIDE}.searches_q", "window_q", 2),
    "n in the multiplier": (f"{KIND} == 4'd10", f"{MULTIPLIER}.u_n.words[0]", 12),
    "a multiple of N^": (IN_POWER, f"{MULTIPLIER}.u_array.gen_word[0].gen_pe.u_pe.u_n.words[5]", 4),
    "the state, which jumps to the verdict": (f"{IN_POWER} && {INSIDE}.state_q == 5'd20", "state_q", 1),
    "the result of the power": (f"{KIND} == 4'd1 && {INSIDE}.checking_q", f"{NUMBERS}[3]", 0),
}
AT_ONCE = (
    *("the blinded exponent", "F", "the base, which the check compares"),
    *("the state, which jumps to the verdict", "the result of the power"),
)


@pytest.mark.parametrize(
    "what", [AT_ONCE, pytest.param(tuple(FAULTS), marks=pytest.mark.slow)], ids=["few", "all"]
)
def test_a_fault_is_found_wherever_it_comes(what: tuple[str, ...], tmp_path: Path) -> None:
    """Each flips one bit in the middle of a job. No word leaves then or later, and a reset mends all."""
    core, key = shaped(33), N33
    job = random_job(core, key.n - 5, key, random.Random(3))
    right = ["    reset;", *offer(job.randoms), *send(job_words(core, job.x, key))]
    lines = [*right, "    finish;"]
    for when, path, bit in (FAULTS[one] for one in what):
        place = f"{INSIDE}.{path}"
        # The state is of an enumerated type, to which a number cannot be assigned.
        flip = (
            f"    $deposit({place}, {place} ^ (1 << {bit}));"
            if path == "state_q"
            else f"    {place} = {place} ^ (1 << {bit});"
        )
        lines += [*right, f"    while (busy && !({when})) @(negedge clk);", flip]
        lines += ["    finish;", "    repeat (300) @(negedge clk);", "    finish;"]
    first, *faulty, last = of_bench(core, [*lines, *right, "    finish;"], tmp_path)
    assert first == last == GIVEN
    found = dict(zip(what, (faulty[i : i + 2] for i in range(0, len(faulty), 2)), strict=True))
    assert {one: lines for one, lines in found.items() if lines != [WITHHELD] * 2} == {}


CONTROL = (
    wiped.CONTROL_OF_WINDOWS
    + r"|gen_blinding\.(order_any_q|exponent_odd_q|mask|number_(write(_address)?_q|written|next|read_q))$"
    r"|gen_blinding\.(compared(_first)?_q|takes_q|recalls_q|recalled_q|recall_next|recall_(index|0|1)_q)$"
    r"|u_blinded\.(highest(_order)?_q|valid_q|first_pass_q|last_pass(es)?_q|first_q|d_here_q|index_\w+)$"
    r"|u_power\.(checking_q|compares_q|fault_q)$"
)
MEMORIES = ("u_n", "u_low", "u_high", "u_operand", "gen_blinding.u_blinded.u_order")


def numbers_left(core: BlindedWindowExponentiator, lines: list[str], folder: Path) -> dict[str, str]:
    """Return the registers of numbers and all words of all memories, after the lines of a bench."""
    words = core.max_words
    own = [(f"{INSIDE[6:]}.{name}.words", words) for name in MEMORIES]
    longer = [(f"u_power.{name}.words", words + core.t_words) for name in ("u_exponent", f"{SUMS}.u_e")]
    inside = [
        (f"u_power.u_multiplier.{path}", depth) for path, depth in wiped.memories(words, core.radix_log2)
    ]
    table = ("u_power.gen_bank[0].u_table.words", words << core.window_width)
    everything = [*own, *longer, *inside, table, (f"u_power.{NUMBERS}", 4 * words)]
    ends = [
        "    word = '0;",
        "    for (i = 0; i < 64; i = i + 1) randoms[i] = '0;",
        "    repeat (12) @(negedge clk);",
    ]
    ends += [
        '    $dumpfile("registers.vcd");',
        "    $dumpvars(0, u_dut);",
        "    #1;",
        wiped.display(everything),
    ]
    printed = of_bench(core, [*lines, *ends], folder)
    dump = (folder / "registers.vcd").read_text(encoding="utf-8")
    return wiped.displayed("\n".join(printed)) | wiped.dumped(dump, CONTROL)


WIPE = [*send([0]), "    while (!ready) @(negedge clk);"]
ENDS = {
    "a power": ["    finish;"],
    "sums of the exponent": ["    repeat (300) @(negedge clk);", "    reset;"],
    "windows": ["    repeat (5000) @(negedge clk);", "    reset;"],
    "the check": [f"    while (!{INSIDE}.checking_q) @(negedge clk);", "    reset;"],
}


@pytest.mark.parametrize("what", ENDS)
def test_a_wipe_leaves_no_number_in_any_register_or_memory(what: str, tmp_path: Path) -> None:
    core = shaped(33)
    job = random_job(core, N33.n - 2, N33, random.Random(1))
    lines = [*offer(job.randoms), *send(job_words(core, job.x, N33)), *ENDS[what]]
    left = numbers_left(core, [*lines, *WIPE], tmp_path)
    assert len(left) > 250
    assert {name for name, value in left.items() if value.strip("0")} == set()
    kept = numbers_left(core, lines, tmp_path)
    assert sum(value.strip("0") != "" for value in kept.values()) > 100


def test_a_failed_check_wipes_by_itself(tmp_path: Path) -> None:
    core = shaped(33)
    job = random_job(core, 5, replace(N33, v=N33.v + 2), random.Random(1))
    lines = [*offer(job.randoms), *send(job_words(core, job.x, job.key)), "    finish;"]
    left = numbers_left(core, lines, tmp_path)
    assert {name for name, value in left.items() if value.strip("0")} == set()


@pytest.mark.parametrize("shape", ["radix 16", "radix 32, words of 25 bits"])
def test_a_wipe_takes_at_most_the_clocks_of_the_header(shape: str, tmp_path: Path) -> None:
    """It comes at once after a power, while the multiplier still fills its table with the result."""
    core = shaped(17, shape)
    key = sample_key(16, 17, random.Random(1))
    job = random_job(core, key.n - 2, key, random.Random(1))
    lines = [*offer(job.randoms), *send(job_words(core, job.x, key)), "    while (!last) @(negedge clk);"]
    lines += [
        "    @(negedge clk);",
        "    i = 0;",
        *send([0]),
        "    while (!ready) begin @(negedge clk); i = i + 1; end",
    ]
    (printed,) = of_bench(core, [*lines, '    $display("%0d", i);'], tmp_path)
    assert core.max_words << core.window_width <= int(printed) <= most_wipe_clocks(core)
