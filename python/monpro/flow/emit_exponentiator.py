"""An exponentiator to take away: what `emit` writes where the core has word ports."""

import random
from pathlib import Path
from string import Template

import monpro
from monpro.cores import Systolic
from monpro.flow.exponentiate import Power
from monpro.flow.operands import moduli
from monpro.flow.package import Bus, bus_testbench, package, rtl_of
from monpro.flow.simulate import parameter_values

TESTBENCH = Path(__file__).with_name("exponentiator_testbench.sv")
AXI4LITE = Path(__file__).with_name("exponentiator_axi4lite.sv")
AXI4LITE_TESTBENCH = Path(__file__).with_name("exponentiator_axi4lite_testbench.sv")
VECTORS = 8
LONG_VECTORS = 2  # of them with an exponent of two words; slow simulators take minutes for more
LONG_EXPONENT_BITS = 40
SHORT_EXPONENT_BITS = 5
MARGIN_CYCLES = 10_000  # that the test bench grants a power above the core's bound
BUS_WORD_BITS = 32
REGISTERS = {"control": 0, "status": 4, "interrupt_enable": 8, "cycles": 12, "data": 16}


def contents(core: Systolic, bus: Bus) -> dict[str, str]:
    """Return the files by name; ValueError where the bus has words of another width."""
    if bus == "axi4lite" and core.word_width != BUS_WORD_BITS:
        raise ValueError(f"AXI4-Lite carries words of {BUS_WORD_BITS} bits: leave word_width at that")
    rtl, top = rtl_of(core), core.top
    names = _names(core)
    bench = {
        "monpro_testbench.sv": Template(TESTBENCH.read_text()).substitute(names),
        "vectors.hex": vectors(core),
    }
    if bus == "axi4lite":
        top = f"monpro_axi4lite_{core.name}"
        names["top"] = top
        rtl[f"{top}.sv"] = Template(AXI4LITE.read_text()).substitute(names)
        bench["monpro_testbench.sv"] = bus_testbench(AXI4LITE_TESTBENCH, names)
    return package(core, top, rtl, bench, describe(core, bus, top))


def vectors(core: Systolic) -> str:
    """Return a line of numbers for each power that the test bench tries."""
    bits = core.words * core.word_width
    lines = []
    for x, e, n in sample(core):
        constants, result, value = core.constants(n), core.run(x, e, n), 0
        for field in (constants["m_tilde"], constants["r2"], x, e, result.z):
            value = value << bits | field
        lines.append(f"{value << 32 | result.cycles:x}\n")
    return "".join(lines)


def sample(core: Systolic) -> list[Power]:
    """Return powers of random and extreme bases; most exponents are short, for slow simulators."""
    rng = random.Random(core.width_bits)  # noqa: S311  # test vectors, no secret
    powers = []
    for i in range(VECTORS):
        n = moduli(core.width_bits, rng)
        x = (0, 1, core.operand_bound(n) - 1, rng.randrange(n), n - 1)[min(i, 3)]
        bits = LONG_EXPONENT_BITS if i >= VECTORS - LONG_VECTORS else SHORT_EXPONENT_BITS
        powers.append((x, rng.getrandbits(min(bits, core.width_bits)), n))
    return powers


def describe(core: Systolic, bus: Bus, top: str) -> dict[str, object]:
    """Return what host software has to know; formulas are Python expressions in n."""
    n = (1 << core.width_bits) - 3
    description: dict[str, object] = {
        "monpro": monpro.__version__,
        "core": core.name,
        "paper": core.paper,
        "source": core.source,
        "bits": core.width_bits,
        "bus": bus,
        "top": top,
        "parameters": core.parameters if bus == "none" else {},
        "core_parameters": core.parameters,
        "word_bits": core.word_width,
        "words": core.words,
        "numbers_in": ["m_tilde", "r2", "base", "exponent"],
        "r_log2": core.r_log2,
        "modulus": f"n odd, 3 <= n < 2**{core.width_bits}",
        "base_bound": "base < 2 * m_tilde",
        "exponent_bound": f"exponent < 2**{core.exponent_bits}",
        "result_bound": "result <= m_tilde",
        "result": "congruent to base**exponent modulo n: reduce it modulo n",
        "constants": {
            "m_tilde": f"-pow(n, -1, {1 << core.radix_log2}) % {1 << core.radix_log2} * n",
            "r2": f"2**{2 * core.r_log2} % n",
        },
        "constants_example": {"n": hex(n)} | {name: hex(value) for name, value in core.constants(n).items()},
        "latency": core.latency,
        "cycles": {"steps_factor": core.product_cycles, "overhead": core.overhead_cycles},
        "constant_time": core.is_constant_time,
    }
    if bus == "axi4lite":
        description["registers"] = REGISTERS
    return description


def _names(core: Systolic) -> dict[str, str]:
    """Return what the templates leave open."""
    return {
        "top": core.top,
        "core_top": core.top,
        "parameters": ",\n    ".join(f".{name}({value})" for name, value in parameter_values(core).items()),
        "words": str(core.words),
        "word_bits": str(core.word_width),
        "count": str(VECTORS),
        "limit": str(core.max_cycles + MARGIN_CYCLES),
    }
