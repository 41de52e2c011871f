"""Run the RTL exponentiators in Verilator: the one around any multiplier, and those with arrays."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from monpro.cores import Exponentiator, Result, WordSerial
from monpro.cores.systolic import Systolic
from monpro.cores.systolic_array import Command
from monpro.flow import multiplier
from monpro.flow.simulate import Netlist, compile_bench, parameter_values, run_bench

BENCH = Path(__file__).with_name("power_bench.cpp")
ARRAY_BENCH = Path(__file__).with_name("array_bench.cpp")
ARRAY_TOP = "monpro_mul_systolic"
UNIT_BYTES = 4  # bytes of a number in the streams of the bench
_LIMIT_MARGIN_CYCLES = 10_000  # for the input of the numbers

Power = tuple[int, int, int]  # x, e, n


@dataclass(frozen=True)
class Job:
    """The input words, and the number of output words."""

    words_in: Sequence[int]
    words_out: int


@dataclass(frozen=True)
class WordPorts:
    """A module that takes numbers as words, the lowest first, and returns a result in the same way.

    `replaced` are sources that replace the files of the same name in rtl/. A netlist replaces all of them.
    """

    top: str
    parameters: Mapping[str, str]
    word_bits: int
    replaced: tuple[Path, ...] = ()
    netlist: Netlist | None = None

    def compile(self) -> Path:
        """Return the program that simulates the module."""
        return compile_bench(self.top, self.parameters, BENCH, {}, self.replaced, netlist=self.netlist)

    def run(
        self, jobs: Iterable[Job], limit: int, *, stall_seed: int = 0, reset_seed: int = 0
    ) -> Iterator[Result]:
        """Yield the result of each job, and the cycles from the last input word to the first output word."""
        stimulus = (_unit(unit) for job in jobs for unit in _units(job))
        options = [f"--limit={limit}", *([f"--stalls={stall_seed}"] if stall_seed else [])]
        options += [f"--resets={reset_seed}"] if reset_seed else []
        answers = run_bench(self.compile(), options, stimulus, record_bytes=UNIT_BYTES)
        units = (int.from_bytes(answer, "little") for answer in answers)
        for count in units:
            words = [next(units) for _ in range(count)]
            value = sum(word << self.word_bits * i for i, word in enumerate(words))
            yield Result(value, next(units) | next(units) << 8 * UNIT_BYTES)


def _units(job: Job) -> Iterator[int]:
    """Yield the numbers of a job that the bench reads."""
    yield from (len(job.words_in), job.words_out)
    yield from job.words_in


def _unit(value: int) -> bytes:
    return value.to_bytes(UNIT_BYTES, "little")


def word_ports(core: WordSerial, netlist: Netlist | None = None) -> WordPorts:
    """Return the ports of a design whose ports carry words, or those of its netlist."""
    return WordPorts(core.top, parameter_values(core), core.port_bits, multiplier.replaced(core), netlist)


def exponentiate(
    core: Exponentiator,
    powers: Sequence[Power],
    *,
    stall_seed: int = 0,
    reset_seed: int = 0,
) -> Iterator[Result]:
    """Yield the output of an exponentiator's ports for each x^e mod n, and the cycles.

    stall_seed: the ports pause at random. reset_seed: some powers follow a power that a reset interrupts.
    ToolError if a tool is missing, or the RTL does not compile or breaks its contract.
    """
    return powers_on(word_ports(core), core, powers, stall_seed=stall_seed, reset_seed=reset_seed)


def powers_on(
    ports: WordPorts,
    core: Exponentiator,
    powers: Sequence[tuple[int, ...]],
    *,
    stall_seed: int = 0,
    reset_seed: int = 0,
) -> Iterator[Result]:
    """Yield the same from the RTL or the netlist with these ports.

    Behind x, e and n of a power stands what else `words_in` takes.
    """
    jobs = (Job(core.words_in(*power), core.words_out(power[2])) for power in powers)
    limit = core.max_cycles + _LIMIT_MARGIN_CYCLES
    return ports.run(jobs, limit, stall_seed=stall_seed, reset_seed=reset_seed)


def array_outputs(systolic: Systolic, commands: Iterable[Command]) -> list[int]:
    """Return z_o of an exponentiator's array in every clock, from the RTL; ToolError as `exponentiate`."""
    top, parameters = ARRAY_TOP, {"Digits": str(systolic.digits), "RadixLog2": str(systolic.radix_log2)}
    if systolic.unit_width > 1:
        parameters = {"Digits": str(systolic.digits), "UnitWidth": str(systolic.unit_width)}
        top = f"{ARRAY_TOP}_radix2"
    return array_outputs_of(top, parameters, commands)


def array_outputs_of(top: str, parameters: Mapping[str, str], commands: Iterable[Command]) -> list[int]:
    """Return z_o of an array of any radix in every clock, from the RTL; ToolError as `exponentiate`."""
    program = compile_bench(top, parameters, ARRAY_BENCH, {})
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
