"""Write a core to a folder that works without monpro: sources, lists, a test bench, a manifest."""

import shutil
import tempfile
from functools import singledispatch
from pathlib import Path

import monpro
from monpro.cores import Core, WordSerial
from monpro.flow import buses, contract, emit_word_serial, package, registers
from monpro.flow.buses import WORD_BITS, Bus
from monpro.flow.driver import driver
from monpro.flow.operands import random_products
from monpro.flow.registers import Register
from monpro.flow.simulate import parameter_values, testbench
from monpro.flow.systemrdl import systemrdl

SLAVE = "multiplier_slave.sv.in"
SLAVE_TESTBENCH = "multiplier_slave_testbench.sv.in"
VECTORS = 24
MARGIN_CYCLES = 100  # which the test bench allows a product beyond the core's bound


def emit(core: Core | WordSerial, bus: Bus, folder: Path) -> list[str]:
    """Write the core, with a bus slave if `bus` is not none, and return the names of the files.

    If anything fails, no folder is left. FileExistsError if the folder exists and is not empty.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileExistsError(f"{folder} is there and not empty: give another folder, or remove it first")
    files = contents(core, bus)
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        beside.chmod(0o755)
        for name, text in files.items():
            (beside / name).parent.mkdir(exist_ok=True)
            (beside / name).write_text(text, encoding="utf-8")
        beside.replace(folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return list(files)


@singledispatch
def contents(core: Core | WordSerial, bus: Bus) -> dict[str, str]:
    """Return the files by name; ValueError if the core has no such port."""
    raise TypeError(f"{core!r} behind the port {bus} is neither a multiplier nor an exponentiator")


contents.register(emit_word_serial.contents)


@contents.register
def _of_multiplier(core: Core, bus: Bus) -> dict[str, str]:
    """Return the files of a multiplier; ValueError for streams, as its ports carry whole numbers."""
    if bus == "axi4stream":
        raise ValueError(f"the ports of {core.name} carry whole numbers: take --bus axi4lite or apb")
    rtl = package.rtl_of(core)
    products = random_products(core, VECTORS)
    bench = testbench(core, products, [core.run(*given) for given in products])
    top = core.top
    host: dict[str, str] = {}
    if bus != "none":
        top = buses.top(bus, core.name)
        host = driver(core, top, register_map(core)) | systemrdl(core, top, register_map(core))
        names = _names(core, top) | {"count": str(VECTORS), "limit": str(core.max_cycles + MARGIN_CYCLES)}
        rtl |= buses.slave(bus, SLAVE, names, _address_bits(core))
        bench["monpro_testbench.sv"] = buses.testbench(bus, SLAVE_TESTBENCH, names)
    return package.package(core, rtl, bench, host, describe(core, bus, top))


def register_map(core: Core) -> dict[str, Register]:
    """Return the registers by name; each number has its own block."""
    block = 1 << _index_bits(core) + 2
    return registers.of_multiplier(block, _words(core.operand_bits), _words(core.modulus_bits))


def describe(core: Core, bus: Bus, top: str) -> dict[str, object]:
    """Return the manifest's facts for host software."""
    n = (1 << core.width_bits) - 3
    bound = "n" if core.operand_bound(3) == 3 else f"2 * {core.formulas['effective_modulus']}"
    description: dict[str, object] = {
        "monpro": monpro.__version__,
        "core": core.name,
        "paper": core.paper,
        "source": core.source,
        "bits": core.width_bits,
        "bus": bus,
        "top": top,
        "parameters": parameter_values(core) if bus == "none" else {},
        "core_parameters": core.parameters,
        "ports": ports(core, bus),
        **contract.of_ports(core, bus),
        "formulas": contract.FORMULAS,
        "constants": {
            "n_i": core.formulas["modulus_input"],
            "r_log2": str(core.r_log2),
            "r": "2**r_log2 % n",
            "r2": "2**(2 * r_log2) % n",
        },
        "numbers": {"n": contract.range_of_n(core), **_numbers(core, bus, bound)},
        "result": "z * 2**r_log2 % n == x * y % n",
        "to_montgomery": "the product of x and r2, or x * r % n",
        "from_montgomery": "the product of z and 1, then reduced modulo n",
        "constants_example": {"n": hex(n)} | {name: hex(value) for name, value in core.constants(n).items()},
        "cycles": {
            "counted": contract.CYCLES[Core],
            "least": str(core.min_cycles),
            "most": str(core.max_cycles),
            **contract.latency(core),
        },
        "constant_time": core.is_constant_time,
    }
    if bus != "none":
        description["word_order"] = contract.WORD_ORDER
        description["registers"] = registers.described(register_map(core))
    return description


def _numbers(core: Core, bus: Bus, bound: str) -> dict[str, dict[str, object]]:
    """Return where x, y, n_i and z pass, and their exclusive bounds or their values."""
    numbers: dict[str, dict[str, object]] = {
        "x": {"port": "x_i", "below": bound},
        "y": {"port": "y_i", "below": bound},
        "n_i": {"port": "n_i", "equals": "n_i"},
        "z": {"port": "z_o", "below": bound},
    }
    for name, number in numbers.items():
        if core.operand_bits != core.value_bits and name != "n_i":
            number["represents"] = f"(carried & 2**{core.value_bits} - 1) + (carried >> {core.value_bits})"
        if bus != "none":
            number["register"] = name
            del number["port"]
    return numbers


def ports(core: Core, bus: Bus) -> list[dict[str, object]]:
    """Return the ports of the top module: name, direction and width."""
    if bus != "none":
        return package.bus_ports(bus, _address_bits(core))
    operand = core.operand_bits
    inputs = {"valid_i": 1, "x_i": operand, "y_i": operand, "n_i": core.modulus_bits, "ready_i": 1}
    return package.ports(inputs, {"ready_o": 1, "valid_o": 1, "z_o": operand})


def _index_bits(core: Core) -> int:
    """Return the bits of a word's index within its block, which holds a number or the four registers."""
    return max(2, (_words(core.operand_bits) - 1).bit_length())


def _address_bits(core: Core) -> int:
    """Return the bits of an address: a block, a word in it, a byte."""
    return _index_bits(core) + 5


def _words(bits: int) -> int:
    return -(-bits // WORD_BITS)


def _names(core: Core, top: str) -> dict[str, str]:
    """Return the values for the placeholders of the slave and of its test bench."""
    offset = registers.offsets(register_map(core))
    parameters = ",\n    ".join(f".{name}({value})" for name, value in parameter_values(core).items())
    return {
        "top": top,
        "more_ports": "",
        "core_top": core.top,
        "parameters": parameters,
        "operand_bits": str(core.operand_bits),
        "modulus_bits": str(core.modulus_bits),
        "operand_words": str(_words(core.operand_bits)),
        "modulus_words": str(_words(core.modulus_bits)),
        "index_bits": str(_index_bits(core)),
        "address_msb": str(_address_bits(core) - 1),
        "x_offset": str(offset["x"]),
        "y_offset": str(offset["y"]),
        "n_offset": str(offset["n_i"]),
        "z_offset": str(offset["z"]),
    }
