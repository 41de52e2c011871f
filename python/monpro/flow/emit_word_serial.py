"""The files that `emit` writes for an engine whose ports carry words: exponentiators, some multipliers."""

import random
from functools import singledispatch
from pathlib import Path
from string import Template

import monpro
from monpro.cores import Exponentiator, Result, WordMultiplier, WordSerial
from monpro.cores.blinding import CheckFailedError, blinded_power
from monpro.cores.window_exponentiator import BlindedWindowExponentiator, CrtWindowExponentiator
from monpro.cores.word_multiplier import Command
from monpro.cores.word_serial import port_words
from monpro.flow import buses, contract, package, random_port
from monpro.flow.buses import WORD_BITS, Bus
from monpro.flow.driver import driver
from monpro.flow.exponentiate import Power
from monpro.flow.operands import sample_crt_key, sample_key, sample_modulus
from monpro.flow.registers import Register, described, identification, of_word_serial, of_word_stream
from monpro.flow.simulate import parameter_values
from monpro.flow.systemrdl import systemrdl
from monpro.flow.word_products import WordProduct, by_model, commands

TESTBENCH = Path(__file__).with_name("word_serial_testbench.sv.in")
SLAVE = "word_serial_slave.sv.in"
SLAVE_TESTBENCH = "word_serial_slave_testbench.sv.in"
STREAM = "word_serial_stream.sv.in"
STREAM_TESTBENCH = "word_serial_stream_testbench.sv.in"
RESET = "monpro_bus_reset.sv"
SCAN_MODE = "scan_mode_i"  # 0 but in a scan test
VECTORS = 8
LONG_VECTORS = 2  # vectors with an exponent of two words; more take minutes on slow simulators
LONG_EXPONENT_BITS = 40
SHORT_EXPONENT_BITS = 5
MARGIN_CYCLES = 10_000  # which the test bench allows a power beyond the core's bound
ADDRESS_BITS = 5


def contents(core: WordSerial, bus: Bus) -> dict[str, str]:
    """Return the files by name; ValueError if the words are longer than those of the bus."""
    if bus != "none" and core.port_bits > WORD_BITS:
        raise ValueError(f"{bus} carries words of {WORD_BITS} bits: word_width must not be larger")
    rtl, top, given = package.rtl_of(core), core.top, vectors(core)
    host: dict[str, str] = {}
    names = _names(core, given)
    bench = {
        "monpro_testbench.sv": Template(TESTBENCH.read_text(encoding="utf-8")).substitute(names),
        "vectors.hex": "".join(f"{word:x}\n" for power in given for word in power),
    }
    if bus != "none":
        registers = register_map(core, bus)
        top = names["top"] = buses.top(bus, core.name)
        slave, slave_bench = (STREAM, STREAM_TESTBENCH) if bus == "axi4stream" else (SLAVE, SLAVE_TESTBENCH)
        names |= _stream_names(core) if bus == "axi4stream" else {}
        rtl |= buses.cells([RESET]) | buses.slave(bus, slave, names, ADDRESS_BITS)
        bench["monpro_testbench.sv"] = buses.testbench(bus, slave_bench, names)
        host = driver(core, top, registers) | systemrdl(core, top, registers)
    return package.package(core, rtl, bench, host, describe(core, bus, top))


def register_map(core: WordSerial, bus: Bus) -> dict[str, Register]:
    """Return the registers of a slave by name."""
    if bus == "axi4stream":
        return of_word_stream(core.computes, identification(core.width_bits))
    return of_word_serial(core.computes)


def vectors(core: WordSerial) -> list[list[int]]:
    """Return the vectors of each job: input words and output words, each after their number, and cycles."""
    given = []
    for words_in, result, words_out in jobs(core):
        output = port_words(result.z, core.port_bits, words_out)
        given.append([len(words_in), *words_in, len(output), *output, result.cycles])
    return given


@singledispatch
def jobs(core: WordSerial) -> list[tuple[list[int], Result, int]]:
    """Return the jobs of the test bench: input words, the result, the number of output words."""
    raise TypeError(f"{core!r} is neither a multiplier nor an exponentiator")


@jobs.register
def _of_exponentiator(core: Exponentiator) -> list[tuple[list[int], Result, int]]:
    return [(core.words_in(x, e, n), core.run(x, e, n), core.words_out(n)) for x, e, n in sample(core)]


@jobs.register
def _of_blinded(core: BlindedWindowExponentiator) -> list[tuple[list[int], Result, int]]:
    """Return private powers of keys that the random words of the test bench serve: their s is a unit."""
    rng = random.Random(core.width_bits)  # noqa: S311  # test vectors, no secret
    given: list[tuple[list[int], Result, int]] = []
    while len(given) < VECTORS:
        width_bits = core.sample_widths_bits[len(given) % len(core.sample_widths_bits)]
        key = sample_key(width_bits, core.word_width, rng)
        x = (0, 1, key.n - 1, rng.randrange(key.n))[min(len(given), 3)]
        word = random_port.RANDOM_WORD % (1 << core.word_width)
        try:
            blinded_power(x, key, core.blinding_of([word] * core.random_words(key.n), key.n))
        except CheckFailedError:
            continue
        words = core.words_in(x, key.d, key.n, key.order, key.v)
        given.append((words, core.run(x, key.d, key.n, key.order, key.v), core.words_out(key.n)))
    return given


@jobs.register
def _of_crt(core: CrtWindowExponentiator) -> list[tuple[list[int], Result, int]]:
    """Return powers modulo two numbers without a common factor; most exponents are short."""
    rng = random.Random(core.width_bits)  # noqa: S311  # test vectors, no secret
    given = []
    for i in range(VECTORS):
        half_bits = (core.sample_widths_bits[i % len(core.sample_widths_bits)] + 1) // 2
        bits = LONG_EXPONENT_BITS if i >= VECTORS - LONG_VECTORS else SHORT_EXPONENT_BITS
        key = sample_crt_key(half_bits, min(bits, half_bits), rng)
        x = (0, 1, key.n - 1, rng.randrange(key.n))[min(i, 3)]
        given.append((core.words_of(x, key), core.run_key(x, key), core.words_out(key.n)))
    return given


@jobs.register
def _of_multiplier(core: WordMultiplier) -> list[tuple[list[int], Result, int]]:
    """Return products of random and extreme operands: new ones, kept ones, reduced and not."""
    rng = random.Random(core.width_bits)  # noqa: S311  # test vectors, no secret
    given: list[WordProduct] = []
    reduces = Command.REDUCE in core.offered
    for width_bits in core.sample_widths_bits:
        n = sample_modulus(width_bits, rng)
        bound = core.operand_bound(n)
        given += [
            WordProduct(rng.randrange(bound), bound - 1, n),
            WordProduct(None, None, n),
            WordProduct(None, rng.randrange(bound), n),
            WordProduct(rng.randrange(n), None, n, reduce=reduces),
            WordProduct(n - 1, rng.randrange(bound), n, reduce=reduces),
        ]
    products = zip(given, commands(given), by_model(core, given), strict=True)
    return [
        (core.words_in(product.x or 0, product.y or 0, product.n, command), result, core.words_out(product.n))
        for product, command, result in products
    ]


def sample(core: Exponentiator) -> list[Power]:
    """Return powers of random and extreme bases; most exponents are short, for slow simulators."""
    rng = random.Random(core.width_bits)  # noqa: S311  # test vectors, no secret
    powers, widths_bits = [], core.sample_widths_bits
    for i in range(VECTORS):
        n = sample_modulus(widths_bits[i % len(widths_bits)], rng)
        x = (0, 1, core.operand_bound(n) - 1, rng.randrange(n), n - 1)[min(i, 3)]
        bits = LONG_EXPONENT_BITS if i >= VECTORS - LONG_VECTORS else SHORT_EXPONENT_BITS
        powers.append((x, rng.getrandbits(min(bits, core.width_bits)), n))
    return powers


def describe(core: WordSerial, bus: Bus, top: str) -> dict[str, object]:
    """Return the manifest's facts for host software."""
    description: dict[str, object] = {
        "monpro": monpro.__version__,
        "core": core.name,
        "paper": core.paper,
        "source": core.source,
        "bits": core.width_bits,
        "bus": bus,
        "top": top,
        "parameters": parameter_values(core) if bus == "none" else {},
        "core_parameters": core.settings,
        "ports": ports(core, bus),
        **contract.of_ports(core, bus),
        "error": contract.error_of(core, bus),
        "word_bits": core.port_bits,
        "word_order": contract.WORD_ORDER,
        "formulas": contract.FORMULAS,
        **core.facts,
        "numbers": contract.ranges(core),
        "constants_example": {name: hex(value) for name, value in _example(core).items()},
        "cycles": {"counted": contract.CYCLES[WordSerial], **_cycles(core, bus)} | contract.latency(core),
        "constant_time": core.is_constant_time,
    }
    if bus != "none":
        description["registers"] = described(register_map(core, bus))
        description["constant_inputs"] = {SCAN_MODE: 0}
    return description


@singledispatch
def _example(core: WordSerial) -> dict[str, int]:
    """Return a modulus and its constants."""
    n = (1 << core.width_bits) - 3
    return {"n": n, **core.constants(n)}


@_example.register
def _of_primes(core: CrtWindowExponentiator) -> dict[str, int]:
    """Return numbers in place of primes, and their constants."""
    p = (1 << core.half_bits) - 3
    return {"p": p, "q": p - 2, **core.constants(p * (p - 2))}


def _cycles(core: WordSerial, bus: Bus) -> dict[str, str]:
    """Return the formulas of the cycles; the words of a bus come with pauses."""
    return core.cycles_formulas if bus == "none" else core.cycles_formulas_of_slow_words


def ports(core: WordSerial, bus: Bus) -> list[dict[str, object]]:
    """Return the ports of the top module: name, direction and width."""
    if bus != "none":
        inputs, outputs = buses.stream_ports(core.port_bits) if bus == "axi4stream" else ({}, {})
        slave = package.bus_ports(bus, ADDRESS_BITS, {SCAN_MODE: 1} | inputs, outputs)
        return random_port.add_to(core, slave)
    inputs = {"valid_i": 1, "word_i": core.port_bits, "ready_i": 1}
    outputs = {"ready_o": 1, "busy_o": 1, "error_o": 1, "valid_o": 1, "word_o": core.port_bits, "last_o": 1}
    return random_port.add_to(core, package.ports(inputs, outputs))


def _names(core: WordSerial, given: list[list[int]]) -> dict[str, str]:
    """Return the values for the placeholders of the templates."""
    return {
        "top": core.top,
        "more_ports": f"    .{SCAN_MODE:<13}(1'b0),\n{random_port.driven(core)}",
        "random_ports": random_port.declarations(core),
        "random_connections": random_port.passed_on(core),
        "random_driven": random_port.driven(core),
        "random_note": random_port.note(core),
        "core_top": core.top,
        "computes": core.computes,
        "parameters": ",\n    ".join(f".{name}({value})" for name, value in parameter_values(core).items()),
        "word_bits": str(core.port_bits),
        "word_msb": str(core.port_bits - 1),
        "differ": "!==" if "exactly" in core.cycles_formulas_of_slow_words else ">",
        "numbers": ", ".join(core.numbers_in),
        "count": str(len(given)),
        "size": str(sum(map(len, given))),
        "first_words": str(given[0][0]),
        "limit": str(core.max_cycles + MARGIN_CYCLES),
    }


def _stream_names(core: WordSerial) -> dict[str, str]:
    """Return the values of what only streams need."""
    bits = buses.stream_bits(core.port_bits)
    connections = {
        SCAN_MODE: "1'b0",
        "s_axis_tdata": "stream_in",
        "s_axis_tvalid": "stream_in_valid",
        "s_axis_tready": "stream_in_ready",
        "s_axis_tlast": "stream_in_last",
        "m_axis_tdata": "stream_out",
        "m_axis_tvalid": "stream_out_valid",
        "m_axis_tready": "1'b1",
        "m_axis_tlast": "stream_out_last",
    }
    is_wipe = "1'b0"
    if core.wipe_word:
        mask, value = (
            f"{core.port_bits}'d{int(number) & (1 << core.port_bits) - 1}" for number in core.wipe_word
        )
        is_wipe = f"(core_word_in & {mask}) == {value}"
    return {
        "stream_bits": str(bits),
        "stream_msb": str(bits - 1),
        "identification": f"{identification(core.width_bits):08x}",
        "is_wipe": is_wipe,
        "more_ports": "".join(f"    .{port:<13}({signal}),\n" for port, signal in connections.items())
        + random_port.driven(core),
    }
