"""A test bench written by what a manifest says and nothing else: a program that knows no core of ours."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

EXPONENT_BITS = 9  # of the tests: a simulator is slow
NUMBERS_OF_A_RESULT = frozenset({"z"})

BENCH = """`timescale 1ns / 1ps
module bench;
  logic clk_i = 0, rst_ni = 0;
  always #5 clk_i = ~clk_i;
{signals}
  {top} {parameters} dut ({connections});
  int cycles;
  logic [31:0] word;
  // Half a clock before the next rising edge; all outputs are settled.
  task automatic step; @(negedge clk_i); #1; endtask
{tasks}
  initial begin
    repeat (3) step;
    rst_ni = 1;
    step;
{jobs}
    $finish;
  end
  initial begin #{limit} $display("no answer"); $finish; end
endmodule
"""
BUS = """
  task automatic write(input int address, input logic [31:0] data);
    s_axi_awaddr = address; s_axi_wdata = data; s_axi_wstrb = 15; s_axi_awvalid = 1; s_axi_wvalid = 1;
    s_axi_bready = 1;
    fork
      begin #1; while (!s_axi_awready) step; step; s_axi_awvalid = 0; end
      begin #1; while (!s_axi_wready) step; step; s_axi_wvalid = 0; end
    join
    while (!s_axi_bvalid) step;
    if (s_axi_bresp != 0) $display("refused");
    step;
    s_axi_bready = 0;
  endtask
  task automatic read(input int address, output logic [31:0] data);
    s_axi_araddr = address; s_axi_arvalid = 1; s_axi_rready = 1; #1;
    while (!s_axi_arready) step;
    step;
    s_axi_arvalid = 0;
    while (!s_axi_rvalid) step;
    data = s_axi_rdata;
    if (s_axi_rresp != 0) $display("refused");
    step;
    s_axi_rready = 0;
  endtask
"""
WORDS = """
  task automatic give(input logic [63:0] data);
    word_i = data; valid_i = 1; #1;
    while (!ready_o) step;
    step;
    valid_i = 0;
  endtask
"""


@dataclass(frozen=True)
class Job:
    """The numbers of a job, with the constants of its modulus."""

    manifest: dict[str, Any]
    numbers: dict[str, int]

    def value(self, formula: str, **more: int) -> int:
        """Return the value of a formula of the manifest."""
        return int(eval(formula, {"__builtins__": {"max": max, "pow": pow}}, self.numbers | more))  # noqa: S307

    def words(self) -> Iterator[int]:
        """Yield the words of the input, the lowest of each number first."""
        for part in self.manifest["input"]:
            if self.value(part.get("if", "1")):
                yield from self.split(self.numbers[part["number"]], self.value(part["words"]))

    def split(self, number: int, count: int) -> list[int]:
        """Return a number in words of the ports or of the bus."""
        bits = self.manifest.get("word_bits", 32)
        return [number >> bits * i & (1 << bits) - 1 for i in range(count)]

    def check(self, carried: int, cycles: int) -> None:
        """Compare a result with what the manifest says of it."""
        numbers = self.manifest["numbers"]
        represents = numbers["z"].get("represents", "carried")
        z = self.value(represents, carried=carried)
        asked = {
            name: self.value(number.get("represents", "carried"), carried=self.numbers[name])
            for name, number in numbers.items()
            if name in self.numbers
        }
        assert 0 <= z < self.value(numbers["z"]["below"])
        assert self.value(self.manifest["result"], **asked, z=z) == 1, (asked, z)
        counted = self.manifest["cycles"]
        if "exactly" in counted:
            assert cycles == self.value(counted["exactly"])
        else:
            assert self.value(counted["least"]) <= cycles <= self.value(counted["most"])


def jobs(manifest: dict[str, Any], count: int) -> list[Job]:
    """Return jobs with random numbers and the largest ones."""
    rng = random.Random(1)
    drawn = []
    for i in range(count):
        of_n = manifest["numbers"]["n"]
        most = eval(of_n["below"]) - 1  # noqa: S307
        n = (most if i == 0 else rng.randrange(int(of_n["least"]), most)) | 1
        job = Job(manifest, {"n": n})
        if "command" in manifest:
            job.numbers["command"] = sum(manifest["command"][name] for name in ("modulus", "y", "x"))
            job.numbers["command"] += i % 2 * manifest["command"]["reduce"]
        job.numbers["exponent"] = rng.getrandbits(EXPONENT_BITS) | 1
        for name, formula in manifest["constants"].items():
            job.numbers[name] = job.value(formula)
        for name, number in manifest["numbers"].items():
            if "equals" in number:
                job.numbers[name] = job.value(number["equals"])
            elif name not in {"n", "exponent", *NUMBERS_OF_A_RESULT}:
                below = job.value(number["below"])
                job.numbers[name] = below - 1 if i == 0 else rng.randrange(below)
        drawn.append(job)
    return drawn


def bench(manifest: dict[str, Any], given: list[Job]) -> str:
    """Return the test bench in SystemVerilog; it prints the words of each result and the cycles."""
    ports = [port for port in manifest["ports"] if port["name"] not in {"clk_i", "rst_ni"}]
    signals = [
        f"  logic [{port['width'] - 1}:0] {port['name']}{' = 0' if port['direction'] == 'input' else ''};"
        for port in ports
    ]
    if manifest["bus"] == "axi4lite":
        tasks, write = BUS, over_multiplier if "x" in manifest["registers"] else over_exponentiator
    elif "word_bits" in manifest:
        tasks, write = WORDS, by_words
    else:
        tasks, write = "", by_ports
    parameters = ", ".join(f".{name}({value})" for name, value in manifest["parameters"].items())
    return BENCH.format(
        signals="\n".join(signals),
        top=manifest["top"],
        parameters=f"#({parameters})" if parameters else "",
        connections=", ".join(f".{port['name']}({port['name']})" for port in manifest["ports"]),
        tasks=tasks,
        jobs="\n".join(line for job in given for line in write(job)),
        limit=10_000_000,
    )


def by_ports(job: Job) -> Iterator[str]:
    """Yield a product over ports that carry whole numbers."""
    for name, number in job.manifest["numbers"].items():
        if name in job.numbers and "port" in number:
            width = next(p["width"] for p in job.manifest["ports"] if p["name"] == number["port"])
            yield f"    {number['port']} = {width}'h{job.numbers[name]:x};"
    yield "    valid_i = 1; #1; while (!ready_o) step; step; valid_i = 0; cycles = 0;"
    yield "    while (!valid_o) begin step; cycles++; end"
    yield '    $display("%h %0d", z_o, cycles); ready_i = 1; step; ready_i = 0;'


def by_words(job: Job) -> Iterator[str]:
    """Yield a job over ports that carry words."""
    for word in job.words():
        yield f"    give(64'h{word:x});"
    yield "    cycles = 0; while (!valid_o) begin step; cycles++; end ready_i = 1;"
    for _ in range(job.value(job.manifest["output"]["words"])):
        yield '    while (!valid_o) step; $write("%h ", word_o); step;'
    yield '    ready_i = 0; $display("%0d", cycles);'


def over_multiplier(job: Job) -> Iterator[str]:
    """Yield a product over a bus whose registers hold whole numbers."""
    registers = job.manifest["registers"]
    offset = {name: register["offset"] for name, register in registers.items()}
    for name in ("x", "y", "n_i"):
        for i, word in enumerate(job.split(job.numbers[name], registers[name]["words"])):
            yield f"    write({offset[name] + 4 * i}, 32'h{word:x});"
    yield f"    write({offset['control']}, {bit(registers, 'control', 'start')}); word = 0;"
    yield f"    while (!(word & {bit(registers, 'status', 'done')})) read({offset['status']}, word);"
    for i in range(registers["z"]["words"]):
        yield f'    read({offset["z"] + 4 * i}, word); $write("%h ", word);'
    yield f'    read({offset["cycles"]}, word); $display("%0d", word);'


def over_exponentiator(job: Job) -> Iterator[str]:
    """Yield a power over a bus with one register for all words."""
    registers = job.manifest["registers"]
    offset = {name: register["offset"] for name, register in registers.items()}
    for word in job.words():
        yield f"    write({offset['data']}, 32'h{word:x});"
    yield "    word = 0;"
    yield f"    while (!(word & {bit(registers, 'status', 'result')})) read({offset['status']}, word);"
    for _ in range(job.value(job.manifest["output"]["words"])):
        yield f'    read({offset["data"]}, word); $write("%h ", word);'
    yield f'    read({offset["cycles"]}, word); $display("%0d", word);'


def bit(registers: dict[str, Any], register: str, field: str) -> int:
    """Return the mask of a field."""
    return next(1 << int(found["bit"]) for found in registers[register]["fields"] if found["name"] == field)


def check(given: list[Job], printed: str) -> None:
    """Compare what the bench printed with the jobs."""
    lines = [line for line in printed.splitlines() if line and "$finish" not in line]
    assert len(lines) == len(given), printed
    for job, line in zip(given, lines, strict=True):
        *words, cycles = line.split()
        digits = -(-job.manifest.get("word_bits", 32) // 4)
        bits = job.manifest.get("word_bits", 32) if len(words) > 1 else 4 * digits
        job.check(sum(int(word, 16) << bits * i for i, word in enumerate(words)), int(cycles))
