"""The slaves around multipliers, driven by models of their buses, in Icarus: AXI4-Lite's is cocotbext-axi.

pytest runs this file here, and cocotb runs it inside the simulator.
"""
# ruff: noqa: E402  (what may be missing is asked for first, so that its skip is loud)

import itertools
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

LACKING = "this machine lacks a tool: cocotb is not installed: make setup"
pytest.importorskip("cocotb", reason=LACKING)
pytest.importorskip("cocotbext.axi", reason=LACKING)

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotb.utils import get_sim_time

import bus_coverage
from bus_coverage import Met, Watch, inside, reset_in
from bus_masters import CHANNELS, MASTERS, Axi
from bus_simulation import simulate
from monpro.cores import Core, core
from monpro.flow import tools
from monpro.flow.buses import Bus
from monpro.flow.emit import emit, register_map
from monpro.flow.registers import offsets

DESIGNS: dict[str, tuple[str, int, dict[str, int]]] = {
    "mm": ("mm", 64, {}),
    "scs-mm-new": ("scs-mm-new", 97, {}),
    "fcs-mm-1 with pairs": ("fcs-mm-1", 40, {"carry_save_ports": 1}),
}
DONE, BUSY = 2, 1


@pytest.mark.parametrize("bus", ["axi4lite", "apb"])
@pytest.mark.parametrize("name", DESIGNS)
def test_an_independent_bus_model_gets_right_products(name: str, bus: Bus, tmp_path: Path) -> None:
    tools.find("iverilog")
    design = DESIGNS[name]
    files = emit(core(*design), bus, tmp_path / "emitted")
    manifest = json.loads((tmp_path / "emitted" / "manifest.json").read_text())
    assert files == manifest["files"]
    environment = {"DESIGN": json.dumps(design), "BUS": bus}
    results = simulate(Path(__file__), tmp_path / "emitted", tmp_path, environment)
    assert results.count("<testcase") == 9
    assert "<failure" not in results, (tmp_path / "test.log").read_text()
    assert list(bus_coverage.read_report(tmp_path / "bins.json")) == []


CONTROL, X, Z, NOWHERE = 0, 1, 4, 7  # blocks of registers


def state(see: bus_coverage.See) -> str:
    """Return what the slave does: it waits for the core, a product runs, it is done, or it is idle."""
    if see("pending_q"):
        return "pending"
    return "running" if see("running_q") else "done" if see("done_q") else "idle"


def writes(see: Watch, block: int) -> bool:
    """Return whether a write to a block of registers is taken."""
    return bool(see("write")) and see("write_block") == block


def reads(see: Watch, block: int) -> bool:
    """Return whether a read of a block of registers is taken."""
    return bool(see("unused_read")) and see("read_block") == block


def clears(see: Watch) -> bool:
    """Return whether a write clears done."""
    return writes(see, CONTROL) and see("write_index") == 1 and bool(see("write_data") & 2)


SEEN = ("pending_q", "running_q", "done_q")
STATES = ("idle", "running", "done")
BINS: dict[str, Met] = {
    **{f"start, {s}": inside(lambda see: bool(see("start")), state, s) for s in STATES},
    **{f"operand written, {s}": inside(lambda see: writes(see, X), state, s) for s in STATES},
    **{f"operand read, {s}": inside(lambda see: reads(see, X), state, s) for s in STATES},
    **{f"result read, {s}": inside(lambda see: reads(see, Z), state, s) for s in ("running", "done")},
    **{f"reset, {s}": reset_in(state, SEEN, s) for s in STATES},
    "result read before there is one": lambda see: reads(see, Z) and not see("has_result"),
    "result read after done is cleared": lambda see: (
        reads(see, Z) and see("has_result") and not see("done_q")
    ),
    "a part of an operand's word is written": lambda see: (
        writes(see, X) and see("write_strobe") not in {0, 15}
    ),
    "a read-only register is written": lambda see: writes(see, Z),
    "nowhere is written": lambda see: writes(see, NOWHERE),
    "nowhere is read": lambda see: reads(see, NOWHERE),
    "a write waits until the core has the operands": lambda see: see("pending_q") and not see("write"),
    "done is cleared": lambda see: clears(see) and see("done_q"),
    "done is cleared in the clock in which it is set": (
        lambda see: clears(see) and see("running_q") and see("core_valid")
    ),
    "interrupt": lambda see: see("irq_o"),
    "done without interrupt": lambda see: see("done_q") and not see("irq_o"),
}
BOTH_AT_ONCE: dict[str, Met] = {  # APB has one access at a time
    "a write and a read are taken at once": lambda see: see("write") and see("unused_read"),
}


class Host:
    """Software that uses the slave through the bus model."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.core: Core = core(*json.loads(os.environ["DESIGN"]))
        self.registers = offsets(register_map(self.core))
        bus = os.environ["BUS"]
        self.bus = MASTERS[bus](dut)
        self.random = random.Random(7)
        bus_coverage.start(dut, BINS | CHANNELS[bus] | (BOTH_AT_ONCE if bus == "axi4lite" else {}))
        Clock(dut.clk_i, 10, "ns").start()

    async def reset(self) -> None:
        """Reset the slave."""
        self.dut.rst_ni.value = 0
        await ClockCycles(self.dut.clk_i, 3)
        self.dut.rst_ni.value = 1
        await ClockCycles(self.dut.clk_i, 2)

    async def write(self, register: str, number: int, bits: int = 32) -> bool:
        """Write a number; return whether it is accepted."""
        return await self.bus.write(self.registers[register], number.to_bytes(4 * -(-bits // 32), "little"))

    async def read(self, register: str, bits: int = 32) -> int:
        """Read a number, which must not be refused."""
        right, data = await self.bus.read(self.registers[register], 4 * -(-bits // 32))
        assert right
        return int.from_bytes(data, "little")

    async def load(self, x: int, y: int, n: int) -> None:
        """Write the operands of a product."""
        operand_bits = self.core.operand_bits
        for register, number, bits in (
            ("x", x, operand_bits),
            ("y", y, operand_bits),
            ("n_i", self.core.modulus_input(n), self.core.modulus_bits),
        ):
            assert await self.write(register, number, bits)

    async def multiply(self, x: int, y: int, n: int) -> int:
        """Check the cycles after the interrupt, and return the product."""
        await self.load(x, y, n)
        assert await self.write("control", 1)
        if not self.dut.irq_o.value:
            await with_timeout(RisingEdge(self.dut.irq_o), 10 * (self.core.max_cycles + 20), "ns")
        assert await self.read("status") == DONE
        z = await self.read("z", self.core.operand_bits)
        assert await self.read("cycles") == self.core.run(x, y, n).cycles
        return z

    async def multiply_without_interrupt(self, x: int, y: int, n: int) -> None:
        """Check a product, whose end the status tells."""
        await self.load(x, y, n)
        assert await self.write("control", 1)
        for _ in range(self.core.max_cycles + 20):
            if await self.read("status") == DONE:
                break
        assert await self.read("z", self.core.operand_bits) == self.core.run(x, y, n).z

    def modulus(self) -> int:
        """Return a random odd modulus."""
        return self.random.getrandbits(self.core.width_bits) | 1 << self.core.width_bits - 1 | 1


@cocotb.test()
async def an_exponentiation(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    host.bus.pause_at_random(5)
    assert await host.write("interrupt_enable", 1)
    for exponent in (5, 11):
        n, x = host.modulus(), host.random.getrandbits(host.core.width_bits - 1)
        base = await host.multiply(x, host.core.constants(n)["r2"], n)
        power = base
        for digit in f"{exponent:b}"[1:]:
            power = await host.multiply(power, power, n)
            if digit == "1":
                power = await host.multiply(power, base, n)
        last = await host.multiply(power, 1, n)
        assert host.core.value(last) % n == pow(x, exponent, n)


@cocotb.test()
async def status_and_interrupt(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    assert await host.read("status") == 0
    await host.load(3, 5, n := host.modulus())
    assert await host.write("control", 0)
    assert await host.read("status") == 0, "bit 0 is what starts"
    await host.write("control", 1)
    assert await host.read("status") == BUSY
    await ClockCycles(dut.clk_i, host.core.max_cycles + 10)
    assert await host.read("status") == DONE
    assert not dut.irq_o.value, "no interrupt unless it is enabled"
    await host.write("interrupt_enable", 1)
    assert dut.irq_o.value
    await host.write("status", DONE)
    assert not dut.irq_o.value
    assert await host.read("status") == 0
    z = await host.read("z", host.core.operand_bits)
    assert z == host.core.run(3, 5, n).z, "the result stays when done is cleared"


@cocotb.test()
async def what_cannot_be_done_is_refused(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    block = host.registers["x"]
    after_x = block + 4 * -(-host.core.operand_bits // 32)
    nowhere = {5 * block, host.registers["z"]} | {16, after_x} - {block, host.registers["y"]}
    for offset in nowhere:
        assert not (await host.bus.read(offset, 4))[0]
    assert not await host.write("cycles", 0)
    assert not await host.write("z", 1)
    await host.load(3, 5, n := host.modulus())
    await host.write("control", 1)
    assert not await host.write("control", 1), "a product runs"
    assert await host.write("x", 7, host.core.operand_bits), "the next one may come early"
    for _ in range(3):
        early = await host.bus.read(host.registers["z"], 4)
        assert early == (False, bytes(4)), "nothing of a result shows before it is there"
    for register in ("x", "y", "n_i"):
        assert await host.bus.read(host.registers[register], 4) == (False, bytes(4)), "nobody reads operands"
    await ClockCycles(dut.clk_i, host.core.max_cycles + 10)
    assert await host.read("z", host.core.operand_bits) == host.core.run(3, 5, n).z
    await host.write("control", 1)
    await ClockCycles(dut.clk_i, host.core.max_cycles + 10)
    assert await host.read("z", host.core.operand_bits) == host.core.run(7, 5, n).z


@cocotb.test()
async def operands_posted_after_a_start_are_those_of_the_next_product(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    n = host.modulus()
    numbers = [host.random.getrandbits(host.core.width_bits - 1) for _ in range(6)]
    await host.load(numbers[0], numbers[0], n)
    for now, later in itertools.pairwise(numbers):
        posted = [cocotb.start_soon(host.write("control", 1))]
        for register in ("x", "y"):
            posted += [cocotb.start_soon(host.write(register, later, host.core.operand_bits))]
        for response in posted:
            assert await response
        await ClockCycles(dut.clk_i, host.core.max_cycles + 10)
        assert await host.read("z", host.core.operand_bits) == host.core.run(now, now, n).z


@cocotb.test()
async def a_completion_is_never_lost(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    await host.write("interrupt_enable", 1)
    await host.load(3, 5, n := host.modulus())
    cycles = host.core.run(3, 5, n).cycles
    for delay in range(cycles - 10, cycles + 3):
        await host.write("control", 1)
        interrupt = cocotb.start_soon(rises(dut.irq_o))
        await ClockCycles(dut.clk_i, delay)
        await host.write("status", DONE)
        await ClockCycles(dut.clk_i, 20)
        assert interrupt.done(), f"done was cleared {delay} clocks after the start"
        await host.write("status", DONE)


async def rises(signal: Any) -> None:
    """End when the signal is high."""
    await signal.value_change
    assert signal.value


@cocotb.test()
async def no_write_waits_for_the_one_before(dut: Any) -> None:
    """A write takes a clock on AXI4-Lite, and two on APB."""
    host = Host(dut)
    await host.reset()
    words = -(-host.core.operand_bits // 32)
    before = get_sim_time("ns")
    await host.write("x", 3, host.core.operand_bits)
    clocks = words + 4 if isinstance(host.bus, Axi) else 2 * words + 1
    assert get_sim_time("ns") - before <= 10 * clocks


@cocotb.test()
async def a_part_of_a_word_is_refused(dut: Any) -> None:
    """It changes nothing: the product is that of the words that were written whole."""
    host = Host(dut)
    await host.reset()
    await host.load(0x14332211, 5, n := host.modulus())
    for register in ("x", "y", "n_i"):
        for lane, size in ((0, 1), (1, 2), (3, 1), (2, 2)):
            assert not await host.bus.write_bytes(host.registers[register] + lane, bytes([7] * size))
    await host.write("control", 1)
    await ClockCycles(dut.clk_i, host.core.max_cycles + 10)
    assert await host.read("z", host.core.operand_bits) == host.core.run(0x14332211, 5, n).z


@cocotb.test()
async def a_reset_in_every_state(dut: Any) -> None:
    """After a reset nothing runs, nothing is done, and the next product is right."""
    host = Host(dut)
    await host.reset()
    await host.reset()
    n = host.modulus()
    for delay in (0, 3, host.core.max_cycles + 10):
        await host.load(3, 5, n)
        await host.write("control", 1)
        await ClockCycles(dut.clk_i, delay)
        await host.reset()
        assert await host.read("status") == 0
        await host.multiply_without_interrupt(3, 5, n)
    await host.reset()
    assert (await host.bus.read(7 * host.registers["x"], 4))[0] is False
    assert await host.bus.write(7 * host.registers["x"], bytes(4)) is False


@cocotb.test()
async def writes_and_reads_at_once(dut: Any) -> None:
    """Random accesses, several at a time; then a product is right, and the bins are told."""
    host = Host(dut)
    await host.reset()
    n, words = host.modulus(), -(-host.core.operand_bits // 32)
    host.bus.pause_at_random(9)
    for _ in range(12):
        x, y = (host.random.getrandbits(host.core.width_bits - 1) for _ in range(2))
        posted = [
            cocotb.start_soon(host.write(register, number, host.core.operand_bits))
            for register, number in (("x", x), ("y", y))
        ]
        asked = [
            cocotb.start_soon(host.bus.read(host.registers[name], 4 * words)) for name in ("x", "z", "y")
        ]
        for write in posted:
            assert await write
        for read in asked:
            await read
        await host.multiply_without_interrupt(x, y, n)
    bus_coverage.write_report()
