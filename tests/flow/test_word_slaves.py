"""The slaves around cores whose ports carry words, driven by models of their buses, in Icarus.

pytest runs this file here, and cocotb runs it inside the simulator.
"""
# ruff: noqa: E402  (what may be missing is asked for first, so that its skip is loud)

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

LACKING = "this machine lacks a tool: cocotb is not installed: make setup"
pytest.importorskip("cocotb", reason=LACKING)
pytest.importorskip("cocotbext.axi", reason=LACKING)

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout

import bus_coverage
import bus_simulation
from bus_coverage import Met, inside, reset_in
from bus_masters import CHANNELS, MASTERS
from monpro.cores import WordSerial, design
from monpro.cores.word_serial import port_words
from monpro.flow import tools
from monpro.flow.buses import Bus
from monpro.flow.emit import emit
from monpro.flow.emit_word_serial import jobs, register_map
from monpro.flow.registers import offsets

DESIGNS: dict[str, tuple[str, int, dict[str, int]]] = {
    "quotient-pipelined": ("quotient-pipelined", 33, {}),
    "dsp": ("dsp", 33, {"fold": 2}),
    "systolic": ("systolic", 17, {"word_width": 8}),
    "dsp-exp": ("dsp-exp", 20, {"fold": 8, "window_width": 4}),
    "window-exp": ("window-exp", 24, {}),
}
REFUSED = {  # the index of an input word of the first job, and a word in its place
    "quotient-pipelined": (1, 0),
    "dsp-exp": (1, 2),
    "window-exp": (1, 0),
}
NEVER = {  # bins that a core does not meet
    "dsp": "an access waits",  # it takes a word in each clock, and gives one
    "systolic": "a result's word is read right after another",
}
BEHIND_A_FAULTY_SLAVE = "quotient-pipelined"
RUNNING, RESULT, ERROR = 1, 2, 4


@pytest.mark.parametrize("bus", ["axi4lite", "apb"])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * name.endswith("-exp")) for name in DESIGNS]
)
def test_an_independent_bus_model_gets_right_results(name: str, bus: Bus, tmp_path: Path) -> None:
    tools.find("iverilog")
    emit(design(*DESIGNS[name]), bus, tmp_path / "emitted")
    results = simulate(name, bus, tmp_path)
    assert results.count("<testcase") == 9
    assert "<failure" not in results, (tmp_path / "test.log").read_text()
    assert set(bus_coverage.read_report(tmp_path / "bins.json")) <= {NEVER.get(name)}


FAULTS = {  # the test that sees it, a piece of the slave, one in its place
    "a word is taken while a result waits": ("refused", "&& !core_busy && !core_error", "&& !core_error"),
    "a word after a refusal waits": ("the_core_refuses", "&& !core_busy && !core_error", "&& !core_busy"),
    "a part of a word is taken": ("part_of_a_word", " && write_strobe == 4'hf", ""),
    "an abort keeps the result": ("abort", "if (abort || (read", "if ((read"),
    "an abort does not reset the core": ("abort", ".clear_i    (abort)", ".clear_i    (1'b0)"),
    "a word is given to a core in reset": ("abort", "(core_ready && core_rst_n)", "core_ready"),
    "a read takes no word": ("pauses", ".ready_i(read && read_data)", ".ready_i(1'b0)"),
    "the last word leaves the result": ("pauses", "read_data && core_last)", "read_data && 1'b0)"),
    "no interrupt of a refusal": ("the_core_refuses", "(result_q || core_error)", "result_q"),
    "clocks go on while the result waits": ("pauses", "core_busy && !result_q && !core_valid", "core_busy"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_models_of_the_buses_see_a_fault(fault: str, tmp_path: Path) -> None:
    tools.find("iverilog")
    folder = tmp_path / "emitted"
    emit(design(*DESIGNS[BEHIND_A_FAULTY_SLAVE]), "axi4lite", folder)
    test, right, wrong = FAULTS[fault]
    bus_simulation.plant((right, wrong), folder)
    assert "<failure" in simulate(BEHIND_A_FAULTY_SLAVE, "axi4lite", tmp_path, only=test)


def simulate(name: str, bus: Bus, place: Path, *, only: str | None = None) -> str:
    """Return the results of the tests of this file on the core in the folder `emitted`."""
    environment = {"NAME": name, "BUS": bus}
    return bus_simulation.simulate(Path(__file__), place / "emitted", place, environment, only=only)


CONTROL, STATUS, INTERRUPT_ENABLE, CYCLES, DATA, NOWHERE = range(6)
SEEN = ("core_error", "result_q", "core_busy")


def state(see: bus_coverage.See) -> str:
    """Return what the core and its slave do."""
    names = {"refused": see("core_error"), "result": see("result_q"), "running": see("core_busy")}
    return next((name for name, is_so in names.items() if is_so), "waiting")


def writes(register: int) -> Met:
    """Return the bin of a write to a register."""
    return lambda see: see("write") and see("write_register") == register


def reads(register: int) -> Met:
    """Return the bin of a read of a register."""
    return lambda see: see("read") and see("read_register") == register


STATES = ("waiting", "running", "result", "refused")
BINS: dict[str, Met] = {
    **{f"word written, {s}": inside(writes(DATA), state, s) for s in STATES},
    **{f"word read, {s}": inside(reads(DATA), state, s) for s in STATES},
    **{f"status read, {s}": inside(reads(STATUS), state, s) for s in STATES},
    **{f"abort, {s}": inside(lambda see: see("abort"), state, s) for s in STATES},
    **{f"reset, {s}": reset_in(state, SEEN, s) for s in STATES},
    **{f"interrupt, {s}": inside(lambda see: see("irq_o"), state, s) for s in ("result", "refused")},
    "a result without interrupt": lambda see: see("result_q") and not see("irq_o"),
    "a part of a word is written": lambda see: writes(DATA)(see) and see("write_strobe") not in {0, 15},
    "a read-only register is written": writes(STATUS),
    "nowhere is written": writes(NOWHERE),
    "nowhere is read": reads(NOWHERE),
    "the last word of a result is read": lambda see: reads(DATA)(see) and see("core_last"),
    "a result's word is read right after another": (
        lambda see: reads(DATA)(see) and see("result_q") and see.was("read")
    ),
}
BOTH_AT_ONCE: dict[str, Met] = {  # APB has one access at a time
    "a write and a read are taken at once": lambda see: see("write") and see("read"),
}


class Host:
    """Software that uses the slave through the bus model."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.name, bus = os.environ["NAME"], os.environ["BUS"]
        self.core: WordSerial = design(*DESIGNS[self.name])  # type: ignore[assignment]
        self.registers = offsets(register_map(self.core, "axi4lite"))
        self.bus = MASTERS[bus](dut)
        self.jobs = jobs(self.core)
        bins = BINS | CHANNELS[bus] | (BOTH_AT_ONCE if bus == "axi4lite" else {})
        if self.name not in REFUSED:
            bins = {name: is_met for name, is_met in bins.items() if not name.endswith(", refused")}
        if bus == "apb":
            bins = {name: is_met for name, is_met in bins.items() if "right after" not in name}
        bus_coverage.start(dut, bins)
        Clock(dut.clk_i, 10, "ns").start()
        dut.scan_mode_i.value = 0

    async def reset(self) -> None:
        """Reset the slave."""
        self.dut.rst_ni.value = 0
        await ClockCycles(self.dut.clk_i, 3)
        self.dut.rst_ni.value = 1
        await ClockCycles(self.dut.clk_i, 2)

    async def write(self, register: str, word: int) -> bool:
        """Write a word; return whether it is accepted."""
        return await self.bus.write(self.registers[register], word.to_bytes(4, "little"))

    async def read(self, register: str) -> int:
        """Read a word, which must not be refused."""
        right, data = await self.bus.read(self.registers[register], 4)
        assert right
        return int.from_bytes(data, "little")

    async def is_refused(self) -> None:
        """Check that a read of the result is refused, and shows nothing."""
        assert await self.bus.read(self.registers["data"], 4) == (False, bytes(4))

    async def send(self, words: Sequence[int]) -> None:
        """Post the words one behind the other; each must be accepted."""
        for response in [cocotb.start_soon(self.write("data", word)) for word in words]:
            assert await response

    async def finished(self) -> int:
        """Return the status when the core computes no more."""
        for _ in range(self.core.max_cycles + 1000):
            status = await self.read("status")
            if status & (RESULT | ERROR):
                return status
        raise AssertionError("the core does not end")

    async def result(self, index: int) -> None:
        """Compare the result that waits with that of a job."""
        _, result, count = self.jobs[index]
        asked = [cocotb.start_soon(self.read("data")) for _ in range(count)]
        assert [await word for word in asked] == port_words(result.z, self.core.port_bits, count)
        assert await self.read("status") == 0
        await self.is_refused()

    async def compute(self, index: int) -> None:
        """Compute a job, and compare its result."""
        await self.send(self.jobs[index][0])
        assert await self.finished() == RESULT
        await self.result(index)

    async def abort(self) -> None:
        """Abort, and compute a job after it: its words are posted behind the abort."""
        posted = [cocotb.start_soon(self.write("control", 1))]
        posted += [cocotb.start_soon(self.write("data", word)) for word in self.jobs[0][0]]
        for response in posted:
            assert await response
        assert await self.finished() == RESULT
        await self.result(0)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def results_with_pauses_of_every_channel(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    host.bus.pause_at_random(5)
    assert await host.write("interrupt_enable", 1)
    counted = "exactly" in host.core.cycles_formulas_of_slow_words
    for index, (words, result, _) in enumerate(host.jobs[:5]):
        await host.send(words)
        if not dut.irq_o.value:
            await with_timeout(RisingEdge(dut.irq_o), 10 * (host.core.max_cycles + 1000), "ns")
        # So many that one waits behind another, which the master does not take yet.
        asked = [cocotb.start_soon(host.read(register)) for register in ["status", "cycles"] * 2]
        status, clocks, *again = [await word for word in asked]
        assert status == RESULT
        assert again == [status, clocks]
        assert clocks == result.cycles if counted else clocks <= host.core.max_cycles
        await host.result(index)
        assert await host.read("cycles") == clocks
        assert not dut.irq_o.value


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def what_cannot_be_done_is_refused(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    for offset in (20, 24, 28):
        assert not (await host.bus.read(offset, 4))[0]
        assert not await host.bus.write(offset, bytes(4))
    for register in ("status", "cycles"):
        assert not await host.write(register, 1)
    await host.is_refused()
    await host.send(host.jobs[0][0])
    for _ in range(3):
        await host.is_refused()
    assert not await host.write("data", 1), "the core computes"
    assert await host.finished() == RESULT
    assert not await host.write("data", 1), "a result waits"
    await host.result(0)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_part_of_a_word_is_refused(dut: Any) -> None:
    """It changes nothing: the result is that of the words that were written whole."""
    host = Host(dut)
    await host.reset()
    for word in host.jobs[0][0]:
        for lane, size in ((0, 1), (1, 2), (3, 1), (2, 2)):
            assert not await host.bus.write_bytes(host.registers["data"] + lane, bytes([7] * size))
        assert await host.write("data", word)
    assert await host.finished() == RESULT
    await host.result(0)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def what_the_core_refuses_waits_for_an_abort(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    if host.name not in REFUSED:
        return
    index, word = REFUSED[host.name]
    words = list(host.jobs[0][0])
    words[index] = word
    assert await host.write("interrupt_enable", 1)
    for given in words:  # a refused length ends the job early
        await host.write("data", given)
    assert await host.finished() == ERROR
    assert dut.irq_o.value
    assert not await host.write("data", 1)
    await host.is_refused()
    await host.abort()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def an_abort_in_every_state(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    words, _, count = host.jobs[0]
    await host.abort()
    await host.send(words[: len(words) // 2])
    await host.abort()
    for delay in (0, 3, 50):
        await host.send(words)
        await ClockCycles(dut.clk_i, delay)
        await host.abort()
    for taken in range(count):
        await host.send(words)
        assert await host.finished() == RESULT
        for _ in range(taken):
            await host.read("data")
        assert await host.write("control", 1)
        assert await host.read("status") == 0
        await host.abort()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_reset_in_every_state(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    await host.reset()
    words, result, _ = host.jobs[0]
    for delay in (0, 3, result.cycles + 200):
        await host.send(words)
        await ClockCycles(dut.clk_i, delay)
        await host.reset()
        assert await host.read("status") == 0
        await host.compute(0)
    if host.name in REFUSED:
        index, word = REFUSED[host.name]
        for given in [*words[:index], word, *words[index + 1 :]]:
            await host.write("data", given)
        assert await host.finished() == ERROR
        await host.reset()
        await host.compute(0)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_wipe_between_two_jobs(dut: Any) -> None:
    """The words of the next job wait on the bus until the wipe has ended."""
    host = Host(dut)
    await host.reset()
    await host.compute(0)
    if host.core.wipe_word:
        await host.send([host.core.wipe_word[1], *host.jobs[0][0]])
        assert await host.finished() == RESULT
        await host.result(0)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def words_of_the_next_job_come_too_early(dut: Any) -> None:
    """Posted behind the last word of a job they are refused, and the job is not disturbed."""
    host = Host(dut)
    await host.reset()
    words = host.jobs[0][0]
    posted = [cocotb.start_soon(host.write("data", word)) for word in [*words, *words[:2]]]
    assert [await response for response in posted] == [True] * len(words) + [False] * 2
    assert await host.finished() == RESULT
    await host.result(0)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def writes_and_reads_at_once(dut: Any) -> None:
    """The status is read all the time, while words are written and read; then the bins are told."""
    host = Host(dut)
    await host.reset()
    host.bus.pause_at_random(9)
    asking = True

    async def ask() -> None:
        while asking:
            assert await host.read("status") in {0, RUNNING, RESULT}

    asker = cocotb.start_soon(ask())
    for _ in range(4):
        await host.compute(0)
    asking = False
    await asker
    bus_coverage.write_report()
