"""Masters of AXI4-Lite and APB for cocotb behind one interface, and bins of what passes their channels."""

import random
from collections.abc import Iterator
from typing import Any

from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from apb_master import ApbMaster
from bus_coverage import Met, Watch


def pauses(seed: float, share: float) -> Iterator[bool]:
    """Yield whether a channel pauses, clock by clock."""
    generator = random.Random(seed)
    while True:
        yield generator.random() < share


class Axi:
    """Words over AXI4-Lite, by the bus model of cocotbext-axi."""

    def __init__(self, dut: Any) -> None:
        self.master: Any = AxiLiteMaster(
            AxiLiteBus.from_prefix(dut, "s_axi"), dut.clk_i, dut.rst_ni, reset_active_level=False
        )

    def pause_at_random(self, seed: int) -> None:
        """Let every channel of the bus pause now and then."""
        write, read = self.master.write_if, self.master.read_if
        channels = (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel)
        for i, channel in enumerate(channels):
            channel.set_pause_generator(pauses(seed + i, 0.4))

    async def write(self, offset: int, data: bytes) -> bool:
        """Write words; return whether all are accepted."""
        return bool((await self.master.write(offset, data)).resp == AxiResp.OKAY)

    write_bytes = write

    async def read(self, offset: int, size: int) -> tuple[bool, bytes]:
        """Read words; return whether all are accepted, and the words."""
        answer = await self.master.read(offset, size)
        return answer.resp == AxiResp.OKAY, answer.data


class Apb:
    """Words over APB."""

    def __init__(self, dut: Any) -> None:
        self.master = ApbMaster(dut, seed=3, idle=0.0)

    def pause_at_random(self, seed: int) -> None:
        """Let the master be idle now and then."""
        self.master.random.seed(seed)
        self.master.idle = 0.4

    async def write(self, offset: int, data: bytes) -> bool:
        """Write words; return whether all are accepted."""
        words = [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]
        return all([(await self.master.access(offset + 4 * i, word))[0] for i, word in enumerate(words)])

    async def write_bytes(self, offset: int, data: bytes) -> bool:
        """Write some bytes of one word; return whether they are accepted."""
        lane = offset % 4
        word = int.from_bytes(data, "little") << 8 * lane
        return (await self.master.access(offset - lane, word, (1 << len(data)) - 1 << lane))[0]

    async def read(self, offset: int, size: int) -> tuple[bool, bytes]:
        """Read words; return whether all are accepted, and the words."""
        answers = [await self.master.access(offset + i) for i in range(0, size, 4)]
        return all(right for right, _ in answers), b"".join(w.to_bytes(4, "little") for _, w in answers)


MASTERS: dict[str, type[Axi] | type[Apb]] = {"axi4lite": Axi, "apb": Apb}


def stall(channel: str) -> Met:
    """Return the bin of a channel of AXI4-Lite that offers something and is not ready."""
    return lambda see: see(f"s_axi_{channel}valid") and not see(f"s_axi_{channel}ready")


def passes(see: Watch, channel: str) -> bool:
    """Return whether something passes a channel of AXI4-Lite."""
    return bool(see(f"s_axi_{channel}valid") and see(f"s_axi_{channel}ready"))


CHANNELS: dict[str, dict[str, Met]] = {
    "axi4lite": {
        **{f"{name.upper()} stalls": stall(name) for name in ("aw", "w", "b", "ar", "r")},
        "AW comes before W": lambda see: passes(see, "aw") and not see("s_axi_wvalid"),
        "W comes before AW": lambda see: passes(see, "w") and not see("s_axi_awvalid"),
        "AW and W come at once": lambda see: passes(see, "aw") and passes(see, "w"),
        "a write passes right after another": lambda see: see("write") and see.was("write"),
    },
    "apb": {
        "an access waits": lambda see: see("s_apb_penable") and not see("s_apb_pready"),
        "an access follows another at once": (
            lambda see: see("s_apb_psel") and not see("s_apb_penable") and see.was("s_apb_pready")
        ),
        "the bus is idle after an access": lambda see: see.was("s_apb_pready") and not see("s_apb_psel"),
        "a write is refused": lambda see: see("s_apb_pslverr") and see("s_apb_pwrite"),
        "a read is refused": lambda see: see("s_apb_pslverr") and not see("s_apb_pwrite"),
    },
}
