"""Run the RTL exponentiators in Verilator: the one on any of the multipliers, and the systolic array."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from monpro.cores import Core, Product, Systolic
from monpro.cores.systolic_array import Command
from monpro.flow.simulate import compile_bench, parameter_values, run_bench

BENCH = Path(__file__).with_name("power_bench.cpp")
ARRAY_BENCH = Path(__file__).with_name("array_bench.cpp")
TOP = "monpro_exp_binary"
MULTIPLIERS = (  # in the order of the parameter Multiplier
    *("mm", "scs-mm-1", "scs-mm-2", "fcs-mm-1", "fcs-mm-2", "fcs-mmm42", "mscs-mm"),
    *("scs-mm-new", "scs-mm-new-constant-time", "scalable"),
)
ARRAY_TOP = "monpro_mul_systolic"
_LIMIT_MARGIN_CYCLES = 10_000  # for the numbers to come in

Power = tuple[int, int, int]  # x, e, n


@dataclass(frozen=True)
class Exponentiator:
    """The module monpro_exp_binary around a multiplier: left-to-right binary, or the Montgomery ladder.

    Exponents have up to `exponent_bits` bits, the ladder always works through them all.
    """

    core: Core
    word_bits: int = 32
    ladder: bool = False

    @property
    def words(self) -> int:
        """Return the words of each number at the ports."""
        return -(-self.core.width_bits // self.word_bits)

    @property
    def exponent_bits(self) -> int:
        """Return the bits of the longest exponent."""
        return self.words * self.word_bits

    @property
    def parameters(self) -> dict[str, str]:
        """Return the parameters of the RTL module as SystemVerilog values."""
        return {
            "Width": str(self.core.width_bits),
            "WordWidth": str(self.word_bits),
            "Multiplier": str(multiplier_number(self.core)),
            "Ladder": f"1'b{int(self.ladder)}",
        }

    @property
    def ports(self) -> "WordPorts":
        """Return the ports."""
        return WordPorts(TOP, self.parameters, self.words, self.word_bits)

    def run(self, powers: Sequence[Power], *, stall_seed: int = 0) -> list[Product]:
        """Return x^e mod n for each (x, e, n), x < n, and the cycles from the last word in to the result.

        ToolError where a tool is missing, the RTL does not compile or breaks its contract.
        """
        numbers = ((n, self.core.constants(n)["r2"], x, e) for x, e, n in powers)
        limit = 3 * (self.exponent_bits + 4) * (self.core.max_cycles + 4)
        return list(self.ports.run(numbers, limit, stall_seed=stall_seed))


@dataclass(frozen=True)
class WordPorts:
    """A module that takes four numbers and gives one, each in so many words, the lowest first."""

    top: str
    parameters: Mapping[str, str]
    words: int
    word_bits: int

    def compile(self) -> Path:
        """Return the program that simulates the module."""
        return compile_bench(self.top, self.parameters, BENCH, {"WORDS": self.words})

    def run(
        self,
        operands: Iterable[tuple[int, int, int, int]],
        limit: int,
        *,
        stall_seed: int = 0,
        reset_seed: int = 0,
    ) -> Iterator[Product]:
        """Yield the result of each four numbers, and the cycles from the last word in to the first out."""
        stimulus = b"".join(self._words(number) for numbers in operands for number in numbers)
        options = [f"--limit={limit}", *([f"--stalls={stall_seed}"] if stall_seed else [])]
        options += [f"--resets={reset_seed}"] if reset_seed else []
        for record in run_bench(self.compile(), options, [stimulus], record_bytes=4 * (self.words + 2)):
            yield self._result(record)

    def _words(self, number: int) -> bytes:
        mask = (1 << self.word_bits) - 1
        return b"".join(
            (number >> self.word_bits * i & mask).to_bytes(4, "little") for i in range(self.words)
        )

    def _result(self, record: bytes) -> Product:
        words = [int.from_bytes(record[i : i + 4], "little") for i in range(0, len(record), 4)]
        value = sum(word << self.word_bits * i for i, word in enumerate(words[: self.words]))
        return Product(value, words[-2] | words[-1] << 32)


def word_ports(systolic: Systolic) -> WordPorts:
    """Return the ports of a systolic exponentiator."""
    return WordPorts(systolic.top, parameter_values(systolic), systolic.words, systolic.word_width)


def exponentiate(
    systolic: Systolic, powers: Sequence[Power], *, stall_seed: int = 0, reset_seed: int = 0
) -> Iterator[Product]:
    """Yield what the RTL of a systolic exponentiator gives for each x^e mod n, not reduced, and the cycles.

    stall_seed: the ports pause at random. reset_seed: powers come after others that a reset has cut off.
    ToolError where a tool is missing, the RTL does not compile or breaks its contract.
    """
    constants = (systolic.constants(n) for _, _, n in powers)
    numbers = (
        (known["m_tilde"], known["r2"], x, e) for known, (x, e, _) in zip(constants, powers, strict=True)
    )
    limit = systolic.max_cycles + _LIMIT_MARGIN_CYCLES
    return word_ports(systolic).run(numbers, limit, stall_seed=stall_seed, reset_seed=reset_seed)


def array_outputs(systolic: Systolic, commands: Iterable[Command]) -> list[int]:
    """Return z_o of the RTL of an exponentiator's array in every clock. ToolError as by `exponentiate`."""
    parameters = {"Digits": str(systolic.digits), "RadixLog2": str(systolic.radix_log2)}
    program = compile_bench(ARRAY_TOP, parameters, ARRAY_BENCH, {})
    stimulus = (_command_word(command).to_bytes(4, "little") for command in commands)
    return [int.from_bytes(record, "little") for record in run_bench(program, [], stimulus, record_bytes=4)]


def _command_word(command: Command) -> int:
    return (
        command.first
        | command.last << 1
        | command.source << 2
        | command.write_b << 4
        | command.write_m << 5
        | command.a << 8
    )


def multiplier_number(core: Core) -> int:
    """Return the parameter Multiplier of the exponentiator for a core."""
    constant_time = core.parameters.get("ConstantTime", 0)
    return MULTIPLIERS.index(f"{core.name}-constant-time" if constant_time else core.name)
