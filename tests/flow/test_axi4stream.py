"""Cores between AXI4-Streams, driven by the sources, sinks and masters of cocotbext-axi, in Icarus.

pytest runs this file here, and cocotb runs it inside the simulator.
"""
# ruff: noqa: E402  (what may be missing is asked for first, so that its skip is loud)

import json
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
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge, with_timeout
from cocotbext.axi import (
    AxiLiteBus,
    AxiLiteMaster,
    AxiResp,
    AxiStreamBus,
    AxiStreamFrame,
    AxiStreamSink,
    AxiStreamSource,
)

import bus_coverage
import bus_simulation
import paths
from bus_coverage import Met, inside, reset_in
from bus_masters import pauses
from monpro.cores import WordSerial, core, design
from monpro.cores.quotient_pipelined import QuotientPipelined
from monpro.cores.word_multiplier import Command
from monpro.cores.word_serial import port_words
from monpro.flow import tools
from monpro.flow.emit import emit
from monpro.flow.emit_word_serial import jobs, register_map
from monpro.flow.registers import identification, offsets

DESIGNS: dict[str, tuple[str, int, dict[str, int]]] = {
    "quotient-pipelined": ("quotient-pipelined", 33, {}),
    "dsp": ("dsp", 33, {}),
    "window-exp": ("window-exp", 24, {}),
    "systolic": ("systolic", 17, {"word_width": 8}),
}
RUNNING, DONE, ERROR, FRAME = 1, 2, 4, 8


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "window-exp")) for name in DESIGNS]
)
def test_independent_models_of_the_streams_get_right_results(name: str, tmp_path: Path) -> None:
    tools.find("iverilog")
    folder = tmp_path / "emitted"
    emit(design(*DESIGNS[name]), "axi4stream", folder)
    results = simulate(name, folder, tmp_path)
    assert results.count("<testcase") == 12
    assert "<failure" not in results, (tmp_path / "test.log").read_text()
    assert list(bus_coverage.read_report(tmp_path / "bins.json")) == []


def state(see: bus_coverage.See) -> str:
    """Return what the core and its streams do."""
    names = {
        "frame is wrong": see("frame_error"),
        "job is refused": see("core_error"),
        "result leaves": see("leaves_q"),
        "job runs": see("core_busy"),
        "within a frame": see("u_streams.partial_q"),
    }
    return next((name for name, is_so in names.items() if is_so), "idle")


SEEN = ("frame_error", "core_error", "leaves_q", "core_busy", "u_streams.partial_q")
REFUSED = "job is refused"  # only by cores that are told lengths
STATES = ("idle", "within a frame", "job runs", "result leaves", REFUSED, "frame is wrong")
BINS: dict[str, Met] = {
    **{f"abort, {name}": inside(lambda see: see("abort"), state, name) for name in STATES},
    **{
        f"reset, {name}": reset_in(state, SEEN, name)
        for name in ("idle", "within a frame", "job runs", "result leaves")
    },
    "a frame ends early": lambda see: see("u_streams.early"),
    "a frame ends late": lambda see: see("u_streams.late"),
    "a word is dropped": lambda see: see("u_streams.drop_q") and see("u_streams.taken"),
    "a result is cut": lambda see: see("u_streams.close_q") and see("u_streams.frees"),
    "a result is cut where the sink stalls": lambda see: (
        see("u_streams.close_q") and not see("m_axis_tready")
    ),
    "the core stalls the source": lambda see: see("s_axis_tvalid") and not see("s_axis_tready"),
    "the source pauses": lambda see: not see("s_axis_tvalid") and see("u_streams.partial_q"),
    "the sink stalls the core": lambda see: see("core_valid") and not see("core_ready"),
    "a frame waits while a job runs": lambda see: see("u_streams.waits") and see("core_busy"),
    "done is cleared": lambda see: see("clear_done") and see("done_q"),
    "done is cleared in the clock in which it is set": (
        lambda see: see("clear_done") and see("core_valid") and not see("leaves_q")
    ),
    "interrupt": lambda see: see("irq_o"),
}


def simulate(name: str, folder: Path, place: Path, *, only: str | None = None) -> str:
    """Return the results of the tests of this file, or of those of a name, on the core in the folder."""
    environment = {"DESIGN": json.dumps(DESIGNS[name])}
    return bus_simulation.simulate(Path(__file__), folder, place, environment, only=only)


FAULTS = {  # of the slave and its port: the test that sees it, a piece of a line, one in its place
    "an early end is not seen": ("early", "clear_o       = early || late", "clear_o       = late"),
    "a late end is not seen": ("late", "clear_o       = early || late", "clear_o       = early"),
    "nothing is dropped": ("late", "(waits && drop_q)", "(waits && 1'b0)"),
    "a frame that is cut does not end": (
        "abort",
        "m_axis_tlast <= close_q || last_i",
        "m_axis_tlast <= last_i",
    ),
    "an abort does not end a frame": ("abort", "abort_i && open;", "1'b0;"),
    "a word is lost in a pause": ("pauses", "!m_axis_tvalid || m_axis_tready", "1'b1"),
    "a completion is lost": (
        "completion",
        "end else if (core_valid && !leaves_q) begin",
        "end else if (core_valid && !leaves_q && !clear_done) begin",
    ),
    "the next frame does not wait": ("early", "|| frame_error_o || ended_q", "|| ended_q"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_models_of_the_streams_see_a_fault(fault: str, tmp_path: Path) -> None:
    tools.find("iverilog")
    folder = tmp_path / "emitted"
    emit(design(*DESIGNS["dsp"]), "axi4stream", folder)
    test, right, wrong = FAULTS[fault]
    bus_simulation.plant((right, wrong), folder)
    assert "<failure" in simulate("dsp", folder, tmp_path, only=test)


def test_no_input_reaches_an_output_within_a_clock(tmp_path: Path) -> None:
    folder = tmp_path / "core"
    emit(design(*DESIGNS["dsp"]), "axi4stream", folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    where = (folder, manifest["top"], manifest["sources"])
    assert paths.ports(*where) == manifest["ports"]
    for pattern in ("s_axi*", "m_axis*"):
        assert paths.outputs_within_a_clock(*where, pattern) == []
    port = folder / "monpro_axi4stream_port.sv"
    right, wrong = "      m_axis_tlast <= close_q", "      unused_last <= close_q"
    text = port.read_text().replace(right, wrong).replace("      m_axis_tlast <= 1'b0;\n", "")
    text = text.replace(
        "  assign frees ", "  logic unused_last;\n  assign m_axis_tlast = m_axis_tready;\n  assign frees "
    )
    port.write_text(text)
    assert paths.outputs_within_a_clock(*where, "m_axis*") == ["m_axis_tlast"]


def test_a_core_with_wide_ports_has_no_streams(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="take --bus axi4lite or apb"):
        emit(core("mm", 40), "axi4stream", tmp_path / "core")
    assert not (tmp_path / "core").exists()


class Host:
    """Software that controls the core, and what feeds and drains its streams."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.core: WordSerial = design(*json.loads(os.environ["DESIGN"]))  # type: ignore[assignment]
        self.registers = offsets(register_map(self.core, "axi4stream"))
        resets = (dut.clk_i, dut.rst_ni, False)
        self.control: Any = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi"), *resets)
        self.source: Any = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), *resets)
        self.sink: Any = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), *resets)
        self.bytes = len(dut.s_axis_tdata) // 8
        self.jobs = jobs(self.core)
        refuses = bool(self.core.words_with_lengths)
        bins = {name: is_met for name, is_met in BINS.items() if refuses or REFUSED not in name}
        bus_coverage.start(dut, bins)
        Clock(dut.clk_i, 10, "ns").start()
        dut.scan_mode_i.value = 0

    async def reset(self) -> None:
        """Reset the core."""
        self.dut.rst_ni.value = 0
        await ClockCycles(self.dut.clk_i, 3)
        self.dut.rst_ni.value = 1
        await ClockCycles(self.dut.clk_i, 2)

    def pause_at_random(self, share: float) -> None:
        """Let both streams pause, in this share of the clocks."""
        self.source.set_pause_generator(pauses(1, share))
        self.sink.set_pause_generator(pauses(2, share))

    async def write(self, register: str, word: int) -> bool:
        """Write a register; return whether that is accepted."""
        answer = await self.control.write(self.registers[register], word.to_bytes(4, "little"))
        return bool(answer.resp == AxiResp.OKAY)

    async def read(self, register: str) -> int:
        """Read a register, which must not be refused."""
        answer = await self.control.read(self.registers[register], 4)
        assert answer.resp == AxiResp.OKAY
        return int.from_bytes(answer.data, "little")

    async def send(self, words: Sequence[int]) -> None:
        """Send words as a frame."""
        await self.source.send(
            AxiStreamFrame(b"".join(word.to_bytes(self.bytes, "little") for word in words))
        )

    async def receive(self) -> list[int]:
        """Return the words of the next frame."""
        clocks = self.core.max_cycles + 10_000
        data = (await with_timeout(self.sink.recv(), 10 * clocks, "ns")).tdata
        return [int.from_bytes(data[i : i + self.bytes], "little") for i in range(0, len(data), self.bytes)]

    async def interrupt(self) -> None:
        """Wait for the interrupt."""
        if not self.dut.irq_o.value:
            await with_timeout(RisingEdge(self.dut.irq_o), 10 * (self.core.max_cycles + 10_000), "ns")

    async def compute(self, index: int) -> None:
        """Compute a job, and compare the result."""
        words, result, count = self.jobs[index]
        await self.send(words)
        assert await self.receive() == port_words(result.z, self.core.port_bits, count)

    async def fails(self, words: Sequence[int], status: int) -> None:
        """Check that a frame is refused; the next one waits until an abort, and is then computed."""
        assert await self.write("interrupt_enable", 1)
        assert await self.write("status", DONE)
        await self.send(words)
        await self.interrupt()
        assert await self.read("status") & ~RUNNING == status
        await self.send(self.jobs[0][0])
        await ClockCycles(self.dut.clk_i, self.core.max_cycles + 50)
        assert self.sink.empty(), "there is a result of a frame that is refused"
        assert await self.read("status") == status
        assert await self.write("control", 1)
        words, result, count = self.jobs[0]
        assert await self.receive() == port_words(result.z, self.core.port_bits, count)
        assert await self.read("status") == DONE


@cocotb.test()
async def results_with_pauses_of_both_streams(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    assert await host.read("identification") == identification(host.core.width_bits)
    for index, (words, _, _) in enumerate(host.jobs[:6]):
        host.pause_at_random((0.0, 0.3, 0.7)[index % 3])
        cocotb.start_soon(host.send(words))
    for words, result, count in host.jobs[:6]:
        assert await host.receive() == port_words(result.z, host.core.port_bits, count), words


@cocotb.test()
async def status_interrupt_and_cycles(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    assert await host.read("status") == 0
    for index in range(2):
        await host.compute(index)
        assert await host.read("status") == DONE
        assert not dut.irq_o.value, "no interrupt unless it is enabled"
        exact = "exactly" in host.core.cycles_formulas_of_slow_words
        cycles, of_model = await host.read("cycles"), host.jobs[index][1].cycles
        assert cycles == of_model if exact else 0 < cycles <= of_model
        assert await host.write("interrupt_enable", 1)
        assert dut.irq_o.value
        assert await host.write("status", 1)
        assert await host.read("status") == DONE, "bit 1 is what clears"
        assert await host.write("status", DONE)
        assert not dut.irq_o.value
        assert await host.write("interrupt_enable", 0)
    assert not await host.write("cycles", 0)
    assert not await host.write("identification", 0)
    answer = await host.control.read(20, 4)
    assert answer.resp == AxiResp.SLVERR


@cocotb.test()
async def a_frame_that_ends_early_is_refused(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    words = host.jobs[0][0]
    for length in {1, 2, len(words) // 2, len(words) - 1}:
        await host.fails(words[:length], FRAME)


@cocotb.test()
async def a_frame_that_ends_late_is_refused(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    for more in (1, 7):
        await host.fails([*host.jobs[0][0], *range(more)], FRAME)


@cocotb.test()
async def what_the_core_refuses_is_dropped(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    if host.core.words_with_lengths:
        first, _, *rest = host.jobs[0][0]
        await host.fails([first, 0, *rest], ERROR)


@cocotb.test()
async def a_wipe_is_a_frame_of_one_word(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    if host.core.wipe_word:
        await host.compute(0)
        await host.send([host.core.wipe_word[1]])
        await host.compute(0)
        assert await host.read("status") == DONE
        await host.fails([host.core.wipe_word[1], 1, 2], FRAME)


@cocotb.test()
async def a_new_modulus_alone_is_a_whole_frame(dut: Any) -> None:
    """The core is then neither ready nor busy for a while, and the frame has ended neither early nor late."""
    host = Host(dut)
    await host.reset()
    if isinstance(host.core, QuotientPipelined):
        await host.compute(0)
        n = (1 << host.core.width_bits) - 9
        await host.send(host.core.words_in(0, 0, n, Command.MODULUS))
        assert len(await host.receive()) == host.core.words_out(n)
        assert await host.read("status") == DONE


@cocotb.test()
async def an_abort_ends_every_frame(dut: Any) -> None:
    """An abort at every stage: within the input, while the core computes, while the result goes out."""
    host = Host(dut)
    await host.reset()
    words, _, count = host.jobs[0]
    clocks = await clocks_of_a_job(host)
    ends = (clocks - 8, clocks - 1, clocks, clocks + 1, clocks + count)
    for delay in (0, 1, 2, 4, len(words) // 2, *range(len(words) - 1, len(words) + 3), clocks // 2, *ends):
        host.pause_at_random(0.3 * (delay % 2))
        await host.send(words)
        await ClockCycles(dut.clk_i, delay)
        assert await host.write("control", 1)
        await ClockCycles(dut.clk_i, clocks + 3 * (len(words) + count) + 30)
        assert host.source.empty(), "the rest of a frame is not dropped"
        while not host.sink.empty():
            await host.receive()
        assert not host.sink.active, "a frame has begun and has not ended"
        assert await host.write("control", 1)
        await host.compute(0)
    host.pause_at_random(0.0)


@cocotb.test()
async def an_abort_while_the_sink_stalls(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    clocks = await clocks_of_a_job(host)
    host.sink.pause = True
    await host.send(host.jobs[0][0])
    await ClockCycles(dut.clk_i, clocks + 40)
    assert await host.write("control", 1)
    await ClockCycles(dut.clk_i, 5)
    host.sink.pause = False
    _, result, count = host.jobs[0]
    assert await host.receive() == [*port_words(result.z, host.core.port_bits, count)[:1], 0]
    await host.compute(0)


@cocotb.test()
async def a_reset_in_every_state(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    clocks = await clocks_of_a_job(host)
    words = len(host.jobs[0][0])
    for delay in (0, 4, words + 1, words + 3, clocks - 3, clocks, clocks + 1, clocks + 2):
        await host.reset()
        assert await host.read("status") == 0
        await host.send(host.jobs[0][0])
        await ClockCycles(dut.clk_i, delay)
        await host.reset()
        host.sink.clear()
        await host.compute(0)
    await host.reset()


@cocotb.test()
async def a_completion_is_never_lost(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    await clocks_of_a_job(host)
    clocks = await clocks_of_a_job(host)  # of a job after another one
    assert await host.write("interrupt_enable", 1)
    for delay in range(clocks - 24, clocks + 4):
        assert await host.write("status", DONE)
        await host.send(host.jobs[0][0])
        interrupt = cocotb.start_soon(rises(dut.irq_o))
        await ClockCycles(dut.clk_i, delay)
        assert await host.write("status", DONE)
        await host.receive()
        assert interrupt.done(), f"done was cleared {delay} clocks after the frame was sent"


async def rises(signal: Any) -> None:
    """End when the signal has risen."""
    await RisingEdge(signal)


async def clocks_of_a_job(host: Host) -> int:
    """Return the clocks from the sending of the first job to the first word of its result."""
    clocks = 0
    assert await host.write("status", DONE)
    await host.send(host.jobs[0][0])
    while not host.dut.m_axis_tvalid.value and clocks <= host.core.max_cycles + 100:
        await RisingEdge(host.dut.clk_i)
        clocks += 1
    await host.receive()
    return clocks


@cocotb.test()
async def a_word_passes_in_every_clock(dut: Any) -> None:
    host = Host(dut)
    await host.reset()
    words, _, count = host.jobs[0]
    given = cocotb.start_soon(clocks_of(dut, "s_axis", len(words)))
    taken = cocotb.start_soon(clocks_of(dut, "m_axis", count))
    await host.compute(0)
    if host.core.name == "dsp":  # which takes a word in every clock
        assert await given == len(words)
    if host.core.name != "systolic":  # which shifts digits into words
        assert await taken == count
    bus_coverage.write_report()


async def clocks_of(dut: Any, stream: str, words: int) -> int:
    """Return the clocks from the first to the last of some words."""
    valid, ready = getattr(dut, f"{stream}_tvalid"), getattr(dut, f"{stream}_tready")
    clocks = passed = 0
    while passed < words:
        await RisingEdge(dut.clk_i)
        await ReadOnly()
        passed += int(valid.value) & int(ready.value)
        clocks += bool(passed)
    return clocks
