"""The RTL of the multiplier with late quotient digits against plain arithmetic and against its model."""

import random
from itertools import product as pairs
from pathlib import Path

import pytest

import wiped
from monpro.cores import word_multipliers_of_width
from monpro.cores.quotient_pipelined import QuotientPipelined
from monpro.cores.word_multiplier import MOST_SQUARES, Command
from monpro.flow import sources, tools
from monpro.flow.exponentiate import Job, word_ports
from monpro.flow.operands import sample_modulus
from monpro.flow.simulate import parameter_values
from monpro.flow.trial import is_right_word_product, try_design
from monpro.flow.word_products import WordProduct, by_model, by_rtl, power

VARIANTS = tuple(QuotientPipelined.variants)
LIMIT = 100_000


def of(variant: str, width_bits: int) -> QuotientPipelined:
    """Return the core of a variant."""
    return QuotientPipelined(width_bits, **QuotientPipelined.variants[variant])


def chain(core: QuotientPipelined, count: int, seed: int, *, new: bool = False) -> list[WordProduct]:
    """Return products with new and kept operands, at their bounds and random, for moduli of many lengths.

    new: both operands are given with each product.
    """
    chance = random.Random(seed)
    given: list[WordProduct] = []
    n = 3
    for i in range(count):
        if i % 10 == 0:
            shorter = chance.randrange(2, core.width_bits + 1)
            n = sample_modulus(chance.choice((core.width_bits, shorter)), chance)
        bound, first, reduce = core.operand_bound(n), new or i % 10 == 0, chance.random() < 0.3
        x_bound = n if reduce else bound
        x = chance.choice((0, 1, n - 1, x_bound - 1, chance.randrange(x_bound)))
        y = chance.choice((0, 1, n - 1, bound - 1, chance.randrange(bound)))
        keeps_x, keeps_y = (not first and chance.random() < 0.6 for _ in range(2))
        operands = None if keeps_x and not reduce else x, None if keeps_y else y
        squares = chance.choice((0, 0, 1, 2, chance.randrange(MOST_SQUARES + 1)))
        given.append(WordProduct(*operands, n, reduce=reduce, squares=squares))
    return given


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("width_bits", [8, 97])
def test_rtl_and_model_agree_in_values_and_cycles(variant: str, width_bits: int) -> None:
    core = of(variant, width_bits)
    given = chain(core, 200, seed=width_bits)
    assert list(by_rtl(core, given)) == list(by_model(core, given))


def test_rtl_and_model_agree_at_1024_bits() -> None:
    core = of("", 1024)
    given = chain(core, 30, seed=3)
    assert list(by_rtl(core, given)) == list(by_model(core, given))


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("width_bits", [16, 33, 64, 255, 521, 1024, 4096])
def test_rtl_and_model_agree_at_every_width(variant: str, width_bits: int) -> None:
    core = of(variant, width_bits)
    given = chain(core, 100, seed=width_bits)
    assert list(by_rtl(core, given)) == list(by_model(core, given))


@pytest.mark.parametrize("width_bits", [4, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_product_of_a_small_width_is_right(variant: str, width_bits: int) -> None:
    core = of(variant, width_bits)
    given = [
        WordProduct(x, y, n, reduce=reduce)
        for n in range(3, 1 << width_bits, 2)
        for x, y in pairs(range(n), repeat=2)
        for reduce in (False, True)
    ]
    results = by_rtl(core, given)
    assert all(is_right_word_product(core, *pair) for pair in zip(given, (r.z for r in results), strict=True))


@pytest.mark.parametrize("width_bits", [97, 255])
def test_chained_products_stay_bounded_and_right(width_bits: int) -> None:
    check_chain(of("", width_bits), 1000)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("width_bits", [61, 97, 131, 255])
def test_a_hundred_thousand_chained_products_are_right(variant: str, width_bits: int) -> None:
    check_chain(of(variant, width_bits), 100_000)


def check_chain(core: QuotientPipelined, count: int) -> None:
    trial = try_design(core, count, 7, lambda _done: None, rtl=True, chained=True)
    assert len(trial.cycles) == count
    assert trial.mismatches == 0


@pytest.mark.parametrize("seeds", [(5, 0), (0, 6), (7, 8)], ids=["stalls", "resets", "both"])
def test_the_way_the_ports_are_driven_changes_no_product(seeds: tuple[int, int]) -> None:
    core = of("", 97)
    given = chain(core, 150, seed=4, new=bool(seeds[1]))
    driven = by_rtl(core, given, stall_seed=seeds[0], reset_seed=seeds[1])
    assert [result.z for result in driven] == [result.z for result in by_model(core, given)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_cycles_depend_on_lengths_only(variant: str) -> None:
    """Extreme and random operands, and moduli of one length, take the same number of cycles."""
    core, chance = of(variant, 64), random.Random(64)
    for reduce in (False, True):
        given = []
        for _ in range(40):
            n = chance.getrandbits(64) | 1 | 1 << 63
            bound = n if reduce else core.operand_bound(n)
            x, y = (chance.choice((0, 1, bound - 1, chance.randrange(bound))) for _ in range(2))
            given.append(WordProduct(x, y, n, reduce=reduce))
        assert len({result.cycles for result in by_rtl(core, given)}) == 1


def test_powers_by_the_ports_are_those_of_python() -> None:
    chance = random.Random(5)
    for core in word_multipliers_of_width(97).values():
        n = sample_modulus(97, chance)
        x, e = chance.randrange(n), chance.getrandbits(40)
        assert power(core, x, e, n, by_rtl).z == pow(x, e, n)
        assert power(core, x, e, n, by_rtl) == power(core, x, e, n, by_model)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_wiped_core_multiplies_zeros(variant: str) -> None:
    """After a wipe, kept operands are 0, and the next modulus starts anew."""
    core = of(variant, 97)
    n = (1 << 97) - 141
    words = core.words_out(n)
    jobs = [
        Job(core.words_in(n - 1, n - 2, n), words),
        Job([int(Command.WIPE), 0], words),
        Job([int(Command.WIPE), int(Command.REDUCE)], words),
        Job([int(Command.WIPE), *core.words_in(n - 1, n - 2, n)], words),
    ]
    before, zero, reduced_zero, after = (result.z for result in word_ports(core).run(jobs, LIMIT))
    assert (zero, reduced_zero) == (0, 0)
    assert before == after == core.run(n - 1, n - 2, n).z != 0


def test_a_wipe_leaves_no_number_in_any_register(tmp_path: Path) -> None:
    """All that Icarus sees in the core after a wipe is 0, but for control, lengths and marks of words."""
    left = registers_after(of("", 64), wipe=True, folder=tmp_path)
    assert len(left) > 150
    assert {name for name, value in left.items() if value.strip("0")} == set()
    kept = registers_after(of("", 64), wipe=False, folder=tmp_path)
    assert sum(value.strip("0") != "" for value in kept.values()) > 60


def registers_after(core: QuotientPipelined, *, wipe: bool, folder: Path) -> dict[str, str]:
    """Return the data registers and the words of the memories after a product, by their path."""
    n = (1 << 64) - 59
    job = core.words_in(n - 2, n - 3, n, Command(7))
    steps = [*sends(job), "while (!(valid_out && last)) @(negedge clk);", "repeat (2) @(negedge clk);"]
    steps += sends([int(Command.WIPE)]) if wipe else []
    steps += ["repeat (2) @(negedge clk);", "while (!ready) @(negedge clk);", "word = '0;"]
    steps += ["repeat (12) @(negedge clk);", '$dumpfile("registers.vcd");', "$dumpvars(0, u_dut);", "#1;"]
    steps += [wiped.display(wiped.memories(core.words_out(n), core.radix_log2))]
    printed = run_bench(core, "\n    ".join(steps), folder)
    dump = (folder / "registers.vcd").read_text(encoding="utf-8")
    return wiped.displayed(printed) | wiped.dumped(dump, wiped.CONTROL)


def test_a_product_after_a_reset_in_the_middle_of_a_fill_ends(tmp_path: Path) -> None:
    """A host that breaks off while y comes, and then asks for a square, gets words and no core that waits."""
    core, n = of("", 64), (1 << 64) - 59
    words = core.words_in(n - 2, n - 3, n, Command(7))[: 2 + core.words_out(n) + 1]
    steps = [*sends(words), "rst_n = 1'b0;", "@(negedge clk);", "rst_n = 1'b1;", *sends([0])]
    steps += ["repeat (1000) if (!(valid_out && last)) @(negedge clk);", '$display("%b", valid_out && last);']
    assert run_bench(core, "\n    ".join(steps), tmp_path).strip() == "1"


def sends(words: list[int]) -> list[str]:
    """Return statements of a bench that send words."""
    return [f"send(32'h{word:x});" for word in words]


def run_bench(core: QuotientPipelined, steps: str, folder: Path) -> str:
    """Return what the bench prints in Icarus, which resets the core and then takes the steps."""
    parameters = ", ".join(f".{name}({value})" for name, value in parameter_values(core).items())
    (folder / "bench.sv").write_text(BENCH.format(parameters=parameters, steps=steps), encoding="utf-8")
    files = [*map(str, sources.needed(core.top)), "bench.sv"]
    tools.run("iverilog", ["-g2012", "-s", "bench", "-o", "b", *files], log=folder / "log", cwd=folder)
    return tools.run("vvp", ["-n", "b"], log=folder / "log", cwd=folder)


BENCH = """
module bench;
  logic clk = 1'b0, rst_n = 1'b0, valid = 1'b0, ready_in = 1'b1;
  logic ready, busy, valid_out, last;
  logic [31:0] word = '0, out;
  int i;
  monpro_mul_quotient_pipelined #({parameters}) u_dut (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(valid), .ready_o(ready), .word_i(word), .busy_o(busy),
    .valid_o(valid_out), .ready_i(ready_in), .word_o(out), .last_o(last));
  always #5 clk = ~clk;
  task send(input logic [31:0] given);
    word = given;
    valid = 1'b1;
    while (!ready) @(negedge clk);
    @(negedge clk);
    valid = 1'b0;
  endtask
  initial begin
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    {steps}
    $finish;
  end
endmodule
"""
