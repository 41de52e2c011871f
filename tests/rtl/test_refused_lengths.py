"""Lengths that fit no modulus of a build are refused by a status, at the ports and on the bus."""

import json
import subprocess
from itertools import product as combinations
from pathlib import Path

import pytest

import from_manifest
from monpro.cores import WordSerial
from monpro.cores.dsp_exponentiator import DspExponentiator
from monpro.cores.quotient_pipelined import QuotientPipelined
from monpro.cores.scalable_exponentiator import ScalableExponentiator
from monpro.cores.window_exponentiator import CrtWindowExponentiator, WindowExponentiator
from monpro.cores.word_multiplier import Command
from monpro.flow import sources, tools
from monpro.flow.emit import emit
from monpro.flow.exponentiate import Job, word_ports
from monpro.flow.simulate import parameter_values

BUILDS = {
    "words of 4 bits": ScalableExponentiator(40, word_width=4, num_pe=4),
    "words of 16 bits": ScalableExponentiator(64),
    "words of the ports, Booth": ScalableExponentiator(97, word_width=32, num_pe=16, booth=True),
    "radix 16, right": ScalableExponentiator(40, 4, 8, 2, left_shift=False),
}
MULTIPLIERS = {"radix 16": QuotientPipelined(97), "radix 8": QuotientPipelined(33, 3, 15)}
WINDOWS = WindowExponentiator(40)
DSP_BLOCKS = DspExponentiator(40, fold=8)
FAR = (1 << 16, (1 << 16) + 3, (1 << 31) + 4, (1 << 32) - 1)  # whose low bits may be right
BENCH = """
module bench;
  logic clk = 1'b0, rst_n = 1'b0, valid = 1'b0;
  logic ready, busy, error, valid_out, last;
  logic [{bits}-1:0] word = '0, out;
  logic [31:0] headers [0:{size}-1];
  {top} #({parameters}) u_dut (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(valid), .ready_o(ready), .word_i(word), .busy_o(busy),
    .error_o(error), .valid_o(valid_out), .ready_i(1'b1), .word_o(out), .last_o(last));
  always #5 clk = ~clk;
  initial begin
    $readmemh("headers.hex", headers);
    for (int i = 0; i < {size}; i = i + {length}) begin
      rst_n = 1'b0;
      @(negedge clk);
      rst_n = 1'b1;
      @(negedge clk);
      valid = 1'b1;
      for (int j = 0; j < {length}; j = j + 1) begin
        word = headers[i + j][{bits}-1:0];
        while (!ready) @(negedge clk);
        @(negedge clk);
      end
      valid = 1'b0;
      repeat (40) @(negedge clk);
      $display("%0d %0d %0d", error, ready, busy | valid_out);
    end
    $finish;
  end
endmodule
"""


def verdicts(core: WordSerial, headers: list[tuple[int, ...]], folder: Path) -> list[tuple[bool, bool]]:
    """Return of each header after a reset whether error_o is high, and whether the core takes a word."""
    length = len(headers[0])
    (folder / "headers.hex").write_text("".join(f"{word:x}\n" for header in headers for word in header))
    parameters = ", ".join(f".{name}({value})" for name, value in parameter_values(core).items())
    sizes = {"bits": core.port_bits, "size": length * len(headers), "length": length}
    (folder / "bench.sv").write_text(BENCH.format(top=core.top, parameters=parameters, **sizes))
    files = [*map(str, sources.needed(core.top)), "bench.sv"]
    tools.run("iverilog", ["-g2012", "-s", "bench", "-o", "b", *files], log=folder / "log", cwd=folder)
    printed = tools.run("vvp", ["-n", "b"], log=folder / "log", cwd=folder)
    lines = [tuple(map(int, line.split())) for line in printed.splitlines() if line[:1] in {"0", "1"}]
    assert all(not busy for _, _, busy in lines)
    return [(bool(error), bool(ready)) for error, ready, _ in lines]


def lengths_around(core: ScalableExponentiator) -> list[tuple[int, int, int]]:
    """Return lengths that are right, almost right, and far from it."""
    words, passes, _ = core.constants((1 << core.width_bits) - 1).values()
    most = core.exponent_bits // 32
    headers = list(combinations(range(words + 3), range(passes + 3), (0, 1, most, most + 1)))
    far = [
        header
        for number in FAR
        for header in ((number, passes, 1), (words, number, 1), (words, passes, number))
    ]
    return [*headers, *far]


@pytest.mark.parametrize("build", BUILDS)
def test_the_exponentiator_refuses_what_its_model_and_its_manifest_refuse(build: str, tmp_path: Path) -> None:
    core = BUILDS[build]
    headers = lengths_around(core)
    refused = [core.refuses(*header) for header in headers]
    assert 0 < refused.count(False) < len(refused)
    assert verdicts(core, list(headers), tmp_path) == [(one, not one) for one in refused]
    names = ("words", "passes", "exponent_words")
    formula = [eval(core.refused, {"max": max}, dict(zip(names, one, strict=True))) for one in headers]  # noqa: S307
    assert formula == refused


@pytest.mark.parametrize("build", BUILDS)
def test_no_modulus_of_the_build_has_lengths_that_are_refused(build: str) -> None:
    core = BUILDS[build]
    for bits in range(2, core.width_bits + 1):
        for n in ((1 << bits) - 1, (1 << bits - 1) + 1):
            constants, e = core.constants(n), 1 << core.exponent_bits - 1
            for exponent in (0, e):
                words = core.exponent_words(exponent, n)
                assert not core.refuses(constants["words"], constants["passes"], words)


def test_a_power_of_lengths_that_are_not_refused_ends() -> None:
    """The longest power of each is as long as the numbers; what they are does not matter here."""
    core = BUILDS["words of 4 bits"]
    headers = [header for header in lengths_around(core) if not core.refuses(*header)]
    jobs = []
    for words, passes, exponent_words in headers:
        count = -(-core.word_width * words // 32)
        jobs.append(Job([words, passes, exponent_words, *[0xFFFFFFFF] * (3 * count + exponent_words)], count))
    assert len(list(word_ports(core).run(jobs, 1_000_000))) == len(headers) > 5


@pytest.mark.parametrize("name", MULTIPLIERS)
def test_the_multiplier_refuses_a_length_that_its_memories_do_not_hold(name: str, tmp_path: Path) -> None:
    core = MULTIPLIERS[name]
    most = core.words_out((1 << core.width_bits) - 1)
    far = [word for word in FAR if word < 1 << core.port_bits] or [(1 << core.port_bits) - 1]
    headers = [(int(Command.MODULUS), words) for words in (*range(most + 4), *far)]
    refused = [bool(eval(core.refused, {}, {"command": 1, "words": words})) for _, words in headers]  # noqa: S307
    assert refused == [not 2 <= words <= most for _, words in headers]
    assert verdicts(core, list(headers), tmp_path) == [(one, not one) for one in refused]


@pytest.mark.parametrize(
    "core", [WINDOWS, CrtWindowExponentiator(80, crt=True)], ids=["one power", "two powers"]
)
def test_windows_refuse_lengths_that_their_memories_do_not_hold(
    core: WindowExponentiator | CrtWindowExponentiator, tmp_path: Path
) -> None:
    """With each bit that is too high. No words at all are a wipe."""
    most = core.max_words
    near, far = range(1, most + 4), [*FAR, *((1 << bit) + 2 for bit in range(2, core.port_bits))]
    headers = [(words, count) for words in near for count in (0, *near)]
    headers += [header for number in far for header in ((number, most), (most, number))]
    refused = [not (2 <= words <= most and 1 <= count <= most) for words, count in headers]
    assert 0 < refused.count(False) < len(refused)
    assert verdicts(core, list(headers), tmp_path) == [(one, not one) for one in refused]


def test_the_simulation_tells_of_lengths_that_are_refused() -> None:
    core, n = BUILDS["words of 4 bits"], (1 << 40) - 87
    wrong = [0, *core.words_in(3, 5, n)[1:]]
    with pytest.raises(tools.ToolError, match="the lengths are refused"):
        list(word_ports(core).run([Job(wrong, core.words_out(n))], 100_000))


@pytest.mark.parametrize(
    ("core", "wrong"),
    [
        (BUILDS["words of 4 bits"], (0, 8, 2)),
        (BUILDS["words of 16 bits"], (4, 1, 9)),
        (MULTIPLIERS["radix 16"], (1, 0)),
        (WINDOWS, (3, 5)),
        (WINDOWS, (3, 2, 4, 0, 0, 1, 0, 0, 5, 0)),
        (DSP_BLOCKS, (17,)),
        (DSP_BLOCKS, (1, 3, 0, 0, 3, 0, 0, 5)),
    ],
    ids=[
        "no words",
        "a long exponent",
        "a multiplier",
        "windows",
        "an even modulus",
        "DSP blocks",
        "a base that is n",
    ],
)
def test_the_bus_tells_of_it_and_an_abort_ends_it(
    core: WordSerial, wrong: tuple[int, ...], tmp_path: Path
) -> None:
    """Status 4 is the error; another word is refused; the interrupt is there; the next job is right."""
    folder = tmp_path / "core"
    emit(core, "axi4lite", folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    given = from_manifest.jobs(manifest, 2)
    offset = {name: register["offset"] for name, register in manifest["registers"].items()}
    # Status 1 is that the core computes: numbers are refused some clocks after the last word.
    read = f"read({offset['status']}, word);"
    status = f'{read} repeat (20) if (word == 1) {read} $display("status %0d, interrupt %0d", word, irq_o);'
    lines = [
        f"write({offset['interrupt_enable']}, 1);",
        *(f"write({offset['data']}, {word});" for word in wrong),
        status,
        f"write({offset['data']}, 5);",
        f"write({offset['control']}, 1);",
        status,
    ]
    text = from_manifest.bench(manifest, given)
    before, first, after = text.partition(f"    write({offset['data']}, ")
    (folder / "bench.sv").write_text(before + "".join(f"    {line}\n" for line in lines) + first + after)
    bench = ("iverilog", "-g2012", "-s", "bench", "-o", "b", *manifest["sources"], "bench.sv")
    subprocess.run(bench, cwd=folder, check=True)
    run = subprocess.run(("vvp", "-n", "b"), cwd=folder, check=True, capture_output=True, text=True)
    told, refused, ended, *printed = run.stdout.splitlines()
    assert (told, refused) == ("status 4, interrupt 1", "refused")
    assert ended == "status 0, interrupt 0"
    from_manifest.check(given, "\n".join(printed))
