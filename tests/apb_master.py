"""A master of APB for cocotb, which is idle between accesses at random, and checks the rules of the slave."""

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, Lock, ReadOnly, RisingEdge

MOST_CLOCKS = 100_000  # that an access may wait


class ApbMaster:
    """Reads and writes words, one access after the other; accesses that are begun at once wait in a queue."""

    def __init__(self, dut: Any, seed: int, idle: float) -> None:
        self.dut = dut
        self.random = random.Random(seed)
        self.idle = idle  # the chance of a clock without an access, before each access and after each clock
        self.queue = Lock()
        self.enabled = 0
        for name in ("paddr", "psel", "penable", "pwrite", "pwdata", "pstrb"):
            self._drive(name, 0)
        cocotb.start_soon(self._watch())

    def _drive(self, name: str, value: int) -> None:
        getattr(self.dut, f"s_apb_{name}").value = value

    def _see(self, name: str) -> int:
        return int(getattr(self.dut, f"s_apb_{name}").value)

    async def _watch(self) -> None:
        """Nothing is answered or refused but the last clock of an access."""
        while True:
            await FallingEdge(self.dut.clk_i)
            await ReadOnly()
            if not (self._see("psel") and self._see("penable")):
                assert not self._see("pready"), "ready outside of an access"
            assert self._see("pready") or not self._see("pslverr"), "an error before the end of an access"

    async def access(self, address: int, data: int | None = None, strobe: int = 15) -> tuple[bool, int]:
        """Write the data, or read for None; return whether the slave accepts it, and the word."""
        async with self.queue:
            while self.random.random() < self.idle:
                await RisingEdge(self.dut.clk_i)
            for name, value in (
                ("paddr", address),
                ("pwrite", int(data is not None)),
                ("pwdata", data or 0),
                ("pstrb", strobe if data is not None else 0),
                ("psel", 1),
            ):
                self._drive(name, value)
            await RisingEdge(self.dut.clk_i)
            self._drive("penable", 1)
            for _ in range(MOST_CLOCKS):
                await FallingEdge(self.dut.clk_i)
                ended = self._see("pready")
                answer = (not self._see("pslverr"), self._see("prdata"))
                await RisingEdge(self.dut.clk_i)
                if ended:
                    break
            else:
                raise AssertionError(f"no answer to an access to {address:#x}")
            self._drive("penable", 0)
            self._drive("psel", 0)
            return answer
