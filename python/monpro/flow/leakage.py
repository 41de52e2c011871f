"""First-order leakage of exponentiators in simulation: whether the number of changing bits tells a secret.

The test is Welch's t-test of fixed against random, clock by clock (test vector leakage assessment). A trace
is the number of bits of all registers and memories of the RTL that change in each clock of a power: the model
of the Hamming distance. Each trace is of one of two classes, drawn at random. In one class the subject is
fixed, in the other it is random, and all else is alike. A sample *leaks* if |t| > 4.5 with one sign in two
independent halves of the traces. In one half |t| > 4.5 comes about by chance with probability 7·10⁻⁶, in both
with one sign with 2·10⁻¹¹, which a test multiplies by its samples.

It is a simulation. Logic between registers, glitches, wires, noise and the analog side are left out, and so
are moments of higher order and combinations of clocks. What leaks here leaks in a chip, too. What does not
leak here may leak there.

`python -m monpro.flow.leakage window-exp --bits 32 --traces 4000` prints the tests of a core.
"""

import argparse
import json
import math
import random
import struct
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import singledispatch
from pathlib import Path
from typing import Any, Literal, get_args

from monpro.cores import Exponentiator, design
from monpro.cores.window_exponentiator import BlindedWindowExponentiator, CrtWindowExponentiator
from monpro.files import working_in
from monpro.flow import multiplier, tools
from monpro.flow.exponentiate import Power
from monpro.flow.operands import sample_crt_key, sample_key
from monpro.flow.simulate import Netlist, cache_folder, compile_bench, parameter_values, run_bench
from monpro.flow.trial import random_modulus

Subject = Literal["exponent", "base", "nothing"]
SUBJECTS: tuple[Subject, ...] = get_args(Subject)
BENCH = Path(__file__).with_name("leakage_bench.cpp")
THRESHOLD = 4.5
REGISTERS = ("$dff", "$dffe", "$adff", "$adffe", "$sdff", "$sdffe", "$sdffce")
STATE = "state_o"
RANDOM_PORT = "random_i"  # of a core that blinds
LEAST_TRACES = 100
SPARE_EXPONENT_BITS = 8  # of a key's random exponents, which are those of λ(n) and at least so many more
_LIMIT_MARGIN_CYCLES = 10_000


@dataclass(frozen=True)
class Group:
    """Traces of one class and half: their number, and for each sample the sum and the sum of squares."""

    traces: int
    sums: Sequence[int]
    squares: Sequence[int]

    def __add__(self, other: "Group") -> "Group":
        """Return the traces of both."""
        return Group(
            self.traces + other.traces,
            [a + b for a, b in zip(self.sums, other.sums, strict=True)],
            [a + b for a, b in zip(self.squares, other.squares, strict=True)],
        )


@dataclass(frozen=True)
class Assessment:
    """What a test found: the largest |t| over all traces, and the samples that leak.

    state_bits: the bits of registers and memories. wrong: powers that were not x^e mod n.
    """

    core: str
    subject: Subject
    traces: int
    samples: int
    state_bits: int
    largest_t: float
    leaking: tuple[int, ...]
    wrong: int

    @property
    def leaks(self) -> bool:
        """Return whether any sample leaks."""
        return bool(self.leaking)


@dataclass(frozen=True)
class Source:
    """The modulus of a test, its random exponents, all of one length, and the words of a job of x and e."""

    n: int
    exponent: Callable[[], int]
    words_in: Callable[[int, int], Sequence[int]]


@dataclass(frozen=True)
class Observed:
    """The RTL of a core with one more port, which has all bits of its registers and memories."""

    netlist: Netlist
    state_bits: int
    takes_randomness: bool


def assess(core: Exponentiator, subject: Subject, traces: int, seed: int = 1) -> Assessment:
    """Return what the test of a subject finds in `traces` powers modulo one n of exactly width_bits bits.

    exponent: bases are random. base: the exponent is fixed. nothing: both classes are random, so nothing may
    be found. Exponents have exactly width_bits bits. ValueError for too few traces. ToolError as `simulate`.
    """
    if traces < LEAST_TRACES:
        raise ValueError(f"a test takes {LEAST_TRACES} traces or more, not {traces}")
    rng = random.Random(seed)  # noqa: S311  (a sample, no secret)
    numbers = source(core, rng)
    powers = list(_powers(numbers, subject, traces, rng))
    seen = observed(core)
    definitions = {"STATE_BITS": seen.state_bits} | ({"RANDOM_PORT": 1} if seen.takes_randomness else {})
    program = compile_bench(core.top, {}, BENCH, definitions, netlist=seen.netlist)
    stimulus = (
        struct.pack(f"<{3 + len(words)}I", group, len(words), core.words_out(n), *words)
        for group, (x, e, n) in powers
        for words in [numbers.words_in(x, e)]
    )
    options = [f"--limit={core.max_cycles + _LIMIT_MARGIN_CYCLES}"]
    answers = run_bench(program, options, stimulus, record_bytes=4)
    wrong = sum(not _is_right(core, power, answers) for _, power in powers)
    groups = _groups(answers)
    halves = [t_values(groups[0], groups[1]), t_values(groups[2], groups[3])]
    together = t_values(groups[0] + groups[2], groups[1] + groups[3])
    return Assessment(
        core.name,
        subject,
        traces,
        len(together),
        seen.state_bits,
        max(map(abs, together)),
        tuple(i for i, pair in enumerate(zip(*halves, strict=True)) if exceed(*pair)),
        wrong,
    )


def t_values(fixed: Group, others: Group) -> list[float]:
    """Return Welch's t for each sample; infinite where both classes are constant and differ."""
    sums = zip(fixed.sums, fixed.squares, others.sums, others.squares, strict=True)
    return [welch((fixed.traces, a, aa), (others.traces, b, bb)) for a, aa, b, bb in sums]


def welch(first: tuple[int, int, int], second: tuple[int, int, int]) -> float:
    """Return Welch's t of two samples, each given by its size ≥ 2, its sum and its sum of squares."""
    means, errors = [], 0.0
    for size, total, squares in (first, second):
        means.append(total / size)
        errors += (size * squares - total * total) / (size * (size - 1)) / size
    difference = means[0] - means[1]
    if errors == 0:
        return math.copysign(math.inf, difference) if difference else 0.0
    return difference / math.sqrt(errors)


def exceed(first: float, second: float) -> bool:
    """Return whether two values of t lie beyond the threshold, on the same side."""
    return min(first, second) > THRESHOLD or max(first, second) < -THRESHOLD


def observed(core: Exponentiator) -> Observed:
    """Return the RTL of a core, its memories made of registers, with a port of its state."""
    sources = multiplier.sources_of(core)
    values = parameter_values(core)
    parameters = " ".join(f"-set {name} {value}" for name, value in values.items())
    folder = cache_folder() / "leakage" / core.configuration
    script = (
        f"read_verilog -sv {' '.join(map(str, sources))}; chparam {parameters} {core.top}; "
        f"hierarchy -top {core.top}; rename -top {core.top}; proc; setattr -mod -unset keep_hierarchy *; "
        "flatten; opt_clean; memory_collect; memory_map; opt_clean; write_json state.json"
    )
    with working_in(folder), tempfile.TemporaryDirectory(dir=folder) as name:
        inside = Path(name)
        tools.run("yosys", ["-p", script], log=folder / "yosys.log", cwd=inside)
        contents = json.loads((inside / "state.json").read_text(encoding="utf-8"))
        module = contents["modules"][core.top]
        state = _state(module["cells"].values())
        module["ports"][STATE] = {"direction": "output", "bits": state}
        module["netnames"][STATE] = {"hide_name": 0, "bits": state, "attributes": {}}
        (inside / "state.json").write_text(json.dumps(contents), encoding="utf-8")
        script = "read_json state.json; write_verilog -noattr observed.v"
        tools.run("yosys", ["-p", script], log=folder / "yosys.log", cwd=inside)
        (inside / "observed.v").replace(folder / "observed.v")
    netlist = Netlist("registers", (folder / "observed.v",))
    return Observed(netlist, len(state), RANDOM_PORT in module["ports"])


def _state(cells: Iterable[dict[str, Any]]) -> list[int]:
    """Return the bits of all registers."""
    return [
        bit
        for cell in cells
        if cell["type"] in REGISTERS
        for bit in cell["connections"]["Q"]
        if bit not in {"0", "1"}
    ]


@singledispatch
def source(core: Exponentiator, rng: random.Random) -> Source:
    """Return where the numbers of a core come from. A core whose jobs have more numbers registers its own."""
    n = random_modulus(core.width_bits, 3, rng)
    top = 1 << core.width_bits - 1
    return Source(
        n,
        exponent=lambda: top | rng.getrandbits(core.width_bits - 1),
        words_in=lambda x, e: core.words_in(x, e, n),
    )


@source.register
def _of_blinded(core: BlindedWindowExponentiator, rng: random.Random) -> Source:
    """Return the numbers of one key: its exponents are d + k·order, of one length in words."""
    key = sample_key(core.width_bits, core.word_width, rng)
    words = -(-(key.order.bit_length() + SPARE_EXPONENT_BITS) // core.word_width)
    least, most = (
        (1 << core.word_width * (words - 1)) // key.order + 1,
        (1 << core.word_width * words) // key.order,
    )
    return Source(
        key.n,
        exponent=lambda: key.d + rng.randrange(least, most - 1) * key.order,
        words_in=lambda x, e: core.words_in(x, e, key.n, key.order, key.v),
    )


@source.register
def _of_crt(core: CrtWindowExponentiator, rng: random.Random) -> Source:
    """Return numbers modulo the product of two others, with one exponent for both powers."""
    key = sample_crt_key(core.half_bits, core.half_bits, rng)
    top = 1 << core.half_bits - 1
    return Source(
        key.n,
        exponent=lambda: top | rng.getrandbits(core.half_bits - 1),
        words_in=lambda x, e: core.words_in(x, e, key.n, key.p),
    )


def _powers(
    numbers: Source, subject: Subject, traces: int, rng: random.Random
) -> Iterator[tuple[int, Power]]:
    """Yield the powers, each with its group: 0 or 1 for fixed or random, and 2 more in the second half."""
    fixed_x, fixed_e = rng.randrange(numbers.n), numbers.exponent()
    for i in range(traces):
        is_random = rng.getrandbits(1)
        x, e = rng.randrange(numbers.n), numbers.exponent()
        if subject == "base":
            x, e = (x if is_random else fixed_x), fixed_e
        elif subject == "exponent" and not is_random:
            e = fixed_e
        yield is_random + 2 * (2 * i >= traces), (x, e, numbers.n)


def _is_right(core: Exponentiator, power: Power, answers: Iterator[bytes]) -> bool:
    words = [int.from_bytes(next(answers), "little") for _ in range(core.words_out(power[2]))]
    value = sum(word << core.port_bits * i for i, word in enumerate(words))
    return value % power[2] == pow(*power)


def _groups(answers: Iterator[bytes]) -> list[Group]:
    """Read the sums that end the answers."""
    numbers = struct.iter_unpack("<Q", b"".join(answers))
    (samples,) = next(numbers)

    def take(count: int) -> list[int]:
        return [next(numbers)[0] for _ in range(count)]

    return [Group(take(1)[0], take(samples), take(samples)) for _ in range(4)]


def main(arguments: Sequence[str] | None = None, say: Callable[[str], object] = print) -> int:
    """Print what the tests of a core find; return 2 for a wrong argument, 1 for a failed tool or power."""
    parser = argparse.ArgumentParser(
        "python -m monpro.flow.leakage", description="First-order leakage in simulation."
    )
    parser.add_argument("core", help="an exponentiator, see `monpro cores`")
    parser.add_argument("--bits", type=int, default=32, help="bits of the modulus (32)")
    parser.add_argument("--traces", type=int, default=4000, help="powers for each test (4000)")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers (1)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    try:
        core = design(given.core, given.bits, dict(map(_parameter, given.set)))
        if not isinstance(core, Exponentiator):
            raise ValueError(f"{given.core} computes products: give an exponentiator")  # noqa: TRY301, TRY004
        found = []
        for subject in SUBJECTS:
            found.append(assess(core, subject, given.traces, given.seed))
            if not given.json:
                say(in_words(found[-1]))
    except (ValueError, tools.ToolError) as error:
        print(f"monpro: {error}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    if given.json:
        say(json.dumps([asdict(one) | {"largest_t": str(one.largest_t)} for one in found]))
    return 1 if any(one.wrong for one in found) else 0


def in_words(found: Assessment) -> str:
    """Return a line about a test."""
    many = f"{len(found.leaking)} of {found.samples} samples leak"
    where = f", from clock {found.leaking[0]} to {found.leaking[-1]}" if found.leaks else ""
    wrong = f", {found.wrong} POWERS WRONG" if found.wrong else ""
    return (
        f"{found.core}, {found.subject} fixed or random, {found.traces} traces, "
        f"{found.state_bits} bits of state: largest |t| {found.largest_t:.1f}, {many}{where}{wrong}"
    )


def _parameter(setting: str) -> tuple[str, int]:
    name, _, value = setting.partition("=")
    if not value.isascii() or not value.isdigit():
        raise ValueError(f"--set {setting!a}: give NAME=VALUE with a number, such as constant_time=1")
    return name, int(value)


if __name__ == "__main__":
    sys.exit(main())
