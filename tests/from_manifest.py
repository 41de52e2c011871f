"""A test bench written by what a manifest says and nothing else: a program that knows no core of ours."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd
from typing import Any

EXPONENT_BITS = 9  # of the tests: a simulator is slow
NUMBERS_OF_A_RESULT = frozenset({"z"})

ACTIVE = {"low": 0, "high": 1}
OPPOSITE_EDGE = {"rising": "negedge", "falling": "posedge"}
CHANNELS = {"aw": "awaddr", "w": "wdata", "b": "bresp", "ar": "araddr", "r": "rdata"}  # of AXI4-Lite

RULES = (  # how data are handed over: by valid and ready, and on APB
    "at each {edge} edge at which valid and ready are 1; the side that drives valid holds it",
    "an access begins with a clock in which select is 1 and valid is 0; then both are 1, up to the {edge} ",
)

BENCH = """`timescale 1ns / 1ps
module bench;
  logic {clock} = 0, {reset} = {active};
  always #5 {clock} = ~{clock};
{signals}
  {top} {parameters} dut ({connections});
  int cycles;
  logic [31:0] word;
  // Half a clock before the next edge that counts; all outputs are settled.
  task automatic step; @({opposite_edge} {clock}); #1; endtask
{tasks}
  initial begin
    repeat (3) step;
    {reset} = ~{reset};
    step;
{jobs}
    $finish;
  end
  initial begin #{limit} $display("no answer"); $finish; end
endmodule
"""
BUS = """
  task automatic write(input int address, input logic [31:0] data);
    {awaddr} = address; {wdata} = data; {wstrb} = 15; {awvalid} = 1; {wvalid} = 1; {bready} = 1;
    fork
      begin #1; while (!{awready}) step; step; {awvalid} = 0; end
      begin #1; while (!{wready}) step; step; {wvalid} = 0; end
    join
    while (!{bvalid}) step;
    if ({bresp} != 0) $display("refused");
    step;
    {bready} = 0;
  endtask
  task automatic read(input int address, output logic [31:0] data);
    {araddr} = address; {arvalid} = 1; {rready} = 1; #1;
    while (!{arready}) step;
    step;
    {arvalid} = 0;
    while (!{rvalid}) step;
    data = {rdata};
    if ({rresp} != 0) $display("refused");
    step;
    {rready} = 0;
  endtask
"""
APB = """
  task automatic access(input int address, input logic is_write, output logic [31:0] data);
    {paddr} = address; {pwrite} = is_write; {pstrb} = is_write ? 15 : 0; {select} = 1; step;
    {valid} = 1; #1;
    while (!{ready}) step;
    data = {prdata};
    if ({pslverr}) $display("refused");
    step;
    {select} = 0; {valid} = 0;
  endtask
  task automatic write(input int address, input logic [31:0] data);
    logic [31:0] ignored;
    {pwdata} = data; access(address, 1, ignored);
  endtask
  task automatic read(input int address, output logic [31:0] data);
    access(address, 0, data);
  endtask
"""
SEND = """
  task automatic send(input logic [31:0] data, input logic last);
    {tdata} = data; {tlast} = last; {valid} = 1; #1;
    while (!{ready}) step;
    step;
    {valid} = 0;
  endtask
"""
GIVE = """
  task automatic give;
    {valid} = 1; #1;
    while (!{ready}) step;
    step;
    {valid} = 0;
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
        of_n = manifest["numbers"].get("n", {})
        job = Job(
            manifest, {"n": odd_number(of_n, rng, largest=i == 0)} if of_n else two_primes(manifest, rng)
        )
        if "command" in manifest:
            job.numbers["command"] = sum(manifest["command"][name] for name in ("modulus", "y", "x"))
            job.numbers["command"] += i % 2 * manifest["command"].get("reduce", 0)
            job.numbers["command"] += i % 5 * manifest["command"].get("square", 0)
        job.numbers["exponent"] = rng.getrandbits(EXPONENT_BITS) | 1
        if of_n.get("square_free"):
            job.numbers.update(private_numbers(job.numbers["n"]))
        for name, formula in manifest["constants"].items():
            job.numbers[name] = job.value(formula)
        for name, number in manifest["numbers"].items():
            if "equals" in number:
                job.numbers[name] = job.value(number["equals"])
            elif name not in {*job.numbers, *NUMBERS_OF_A_RESULT}:
                below = job.value(number["below"])
                job.numbers[name] = below - 1 if i == 0 else rng.randrange(below)
        drawn.append(job)
    return drawn


def odd_number(bounds: dict[str, Any], rng: random.Random, *, largest: bool) -> int:
    """Return an odd number within bounds of the manifest."""
    most = eval(bounds["below"]) - 1  # noqa: S307
    return int(most if largest else rng.randrange(int(bounds["least"]), most)) | 1


def two_primes(manifest: dict[str, Any], rng: random.Random) -> dict[str, int]:
    """Return p and q of the same bit length without a common factor, and an exponent for each of them."""
    p, q = (manifest["numbers"][name] for name in "pq")
    assert (q["bits"], q["prime_to"]) == ("p.bit_length()", "p")
    found = {"p": 3, "q": 3}
    while gcd(*found.values()) != 1 or len({number.bit_length() for number in found.values()}) != 1:
        found = {name: odd_number(of, rng, largest=False) for name, of in (("p", p), ("q", q))}
    return found | {name: rng.getrandbits(EXPONENT_BITS) for name in ("dp", "dq")}


def private_numbers(n: int) -> dict[str, int]:
    """Return a prime near n, which is square-free, the order of its units, and a v that is prime to it."""
    while any(pow(x, n - 1, n) != 1 for x in (2, 3, 5, 7)):
        n -= 2
    v = next(v for v in range(3, 100, 2) if gcd(v, n - 1) == 1)
    return {"n": n, "order": n - 1, "v": v}


def random_source(manifest: dict[str, Any]) -> str:
    """Return lines of a bench that always offer a random word, if the core takes any."""
    if "random" not in manifest:
        return ""
    source = manifest["random"]
    lines = f"  initial {source['valid']} = 1;\n"
    return lines + f"  always @(posedge {manifest['clock']['port']}) {source['port']} <= $urandom;\n"


def bench(manifest: dict[str, Any], given: list[Job], limit: int = 10_000_000) -> str:
    """Return the test bench in SystemVerilog; it prints the words of each result and the cycles.

    It gives up after `limit` nanoseconds. A clock takes ten.
    """
    clock, reset = manifest["clock"], manifest["reset"]
    assert manifest["transfer"].startswith(RULES[manifest["bus"] == "apb"].format(**clock)), "an unknown rule"
    signals = [
        f"  logic [{port['width'] - 1}:0] {port['name']}{' = 0' if port['direction'] == 'input' else ''};"
        for port in manifest["ports"]
        if port["name"] not in {clock["port"], reset["port"]}
    ]
    if manifest["bus"] != "none":
        on_apb = manifest["bus"] == "apb"
        tasks = APB.format(**signals_of_apb(manifest)) if on_apb else BUS.format(**signals_of_bus(manifest))
        if manifest["bus"] == "axi4stream":
            tasks += SEND.format(**signals_of_stream(manifest, "input"))
        write = over_multiplier if "x" in manifest["registers"] else over_exponentiator
        write = over_streams if manifest["bus"] == "axi4stream" else write
    else:
        tasks = GIVE.format(**handshake(manifest, "input"))
        write = by_words if "word_bits" in manifest else by_ports
    parameters = ", ".join(f".{name}({value})" for name, value in manifest["parameters"].items())
    return BENCH.format(
        clock=clock["port"],
        opposite_edge=OPPOSITE_EDGE[clock["edge"]],
        reset=reset["port"],
        active=ACTIVE[reset["active"]],
        signals="\n".join(signals),
        top=manifest["top"],
        parameters=f"#({parameters})" if parameters else "",
        connections=", ".join(f".{port['name']}({port['name']})" for port in manifest["ports"]),
        tasks=tasks + random_source(manifest),
        jobs="\n".join(line for job in given for line in write(job)),
        limit=limit,
    )


def directions(manifest: dict[str, Any], shake: dict[str, Any]) -> set[str]:
    """Return the directions of the data of a handshake; whoever drives them drives valid, and not ready."""
    of_port = {port["name"]: port["direction"] for port in manifest["ports"]}
    driven = {of_port[port] for port in shake["data"]}
    assert driven == {of_port[shake["valid"]]} != {of_port[shake["ready"]]}
    return driven


def handshake(manifest: dict[str, Any], direction: str) -> dict[str, Any]:
    """Return the handshake of the data that enter the core (input) or leave it (output)."""
    (found,) = (shake for shake in manifest["handshakes"] if directions(manifest, shake) == {direction})
    return dict(found)


def signals_of_bus(manifest: dict[str, Any]) -> dict[str, str]:
    """Return the ports of the bus by the names of the standard, such as awaddr."""
    signals: dict[str, str] = {}
    for shake in (shake for shake in manifest["handshakes"] if "stream" not in shake):
        assert directions(manifest, shake)
        carried = {port.rpartition("_")[2]: port for port in shake["data"]}
        (channel,) = (channel for channel, signal in CHANNELS.items() if signal in carried)
        signals |= {**carried, f"{channel}valid": shake["valid"], f"{channel}ready": shake["ready"]}
    return signals


def signals_of_stream(manifest: dict[str, Any], direction: str) -> dict[str, str]:
    """Return the ports of a stream by the names of the standard, but for valid and ready."""
    (shake,) = (shake for shake in manifest["handshakes"] if shake.get("stream") == direction)
    assert directions(manifest, shake) == {direction}
    carried = {port.rpartition("_")[2]: port for port in shake["data"]}
    return carried | {role: shake[role] for role in ("valid", "ready")}


def signals_of_apb(manifest: dict[str, Any]) -> dict[str, str]:
    """Return the ports of APB by the names of the standard; who drives the data drives valid, too."""
    (shake,) = manifest["handshakes"]
    assert directions(manifest, shake) == {"input"}
    carried = {port.rpartition("_")[2]: port for port in (*shake["data"], *shake["answer"])}
    return carried | {role: shake[role] for role in ("select", "valid", "ready")}


def by_ports(job: Job) -> Iterator[str]:
    """Yield a product over ports that carry whole numbers."""
    given, taken = (handshake(job.manifest, direction) for direction in ("input", "output"))
    for name, number in job.manifest["numbers"].items():
        if name in job.numbers and "port" in number:
            assert number["port"] in given["data"]
            width = next(p["width"] for p in job.manifest["ports"] if p["name"] == number["port"])
            yield f"    {number['port']} = {width}'h{job.numbers[name]:x};"
    (result,) = taken["data"]
    assert result == job.manifest["numbers"]["z"]["port"]
    yield "    give; cycles = 0;"
    yield f"    while (!{taken['valid']}) begin step; cycles++; end"
    yield f'    $display("%h %0d", {result}, cycles); {taken["ready"]} = 1; step; {taken["ready"]} = 0;'


def by_words(job: Job) -> Iterator[str]:
    """Yield a job over ports that carry words."""
    given, taken = (handshake(job.manifest, direction) for direction in ("input", "output"))
    (word_in,), (word_out, last) = given["data"], taken["data"]
    for word in job.words():
        yield f"    {word_in} = 64'h{word:x}; give;"
    yield f"    cycles = 0; while (!{taken['valid']}) begin step; cycles++; end {taken['ready']} = 1;"
    count = job.value(job.manifest["output"]["words"])
    for i in range(count):
        yield f"    while (!{taken['valid']}) step;"
        yield f'    if ({last} != {int(i == count - 1)}) $display("not the last word");'
        yield f'    $write("%h ", {word_out}); step;'
    yield f'    {taken["ready"]} = 0; $display("%0d", cycles);'


def over_multiplier(job: Job) -> Iterator[str]:
    """Yield a product over a bus whose registers hold whole numbers."""
    registers = job.manifest["registers"]
    offset = {name: register["offset"] for name, register in registers.items()}
    numbers = {
        name: number["register"] for name, number in job.manifest["numbers"].items() if "register" in number
    }
    for name in (name for name in numbers if name not in NUMBERS_OF_A_RESULT):
        register = registers[numbers[name]]
        for i, word in enumerate(job.split(job.numbers[name], register["words"])):
            yield f"    write({register['offset'] + 4 * i}, 32'h{word:x});"
    yield f"    write({offset['control']}, {bit(registers, 'control', 'start')}); word = 0;"
    yield f"    while (!(word & {bit(registers, 'status', 'done')})) read({offset['status']}, word);"
    result = registers[numbers["z"]]
    for i in range(result["words"]):
        yield f'    read({result["offset"] + 4 * i}, word); $write("%h ", word);'
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


def over_streams(job: Job) -> Iterator[str]:
    """Yield a job over streams, with the cycles read from a register."""
    words, stream = list(job.words()), signals_of_stream(job.manifest, "output")
    for i, word in enumerate(words):
        yield f"    send(32'h{word:x}, {int(i == len(words) - 1)});"
    count = job.value(job.manifest["output"]["words"])
    yield f"    {stream['ready']} = 1;"
    for i in range(count):
        yield f"    while (!{stream['valid']}) step;"
        yield f'    if ({stream["tlast"]} != {int(i == count - 1)}) $display("not the last word");'
        yield f'    word = {stream["tdata"]}; $write("%h ", word); step;'
    yield f"    {stream['ready']} = 0;"
    registers = job.manifest["registers"]
    yield f"    write({registers['status']['offset']}, {bit(registers, 'status', 'done')});"
    yield f'    read({registers["cycles"]["offset"]}, word); $display("%0d", word);'


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
