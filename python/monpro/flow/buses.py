"""The buses of the slaves: the ports and cells by which each bus reaches the one register file of a core."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from string import Template
from typing import Literal

Bus = Literal["none", "axi4lite", "apb", "axi4stream"]

WORD_BITS = 32
FOLDER = Path(__file__).parent
ADDRESS = 0  # in place of the width of a port that carries an address


@dataclass(frozen=True)
class FrontEnd:
    """How a bus reaches a register file.

    cells: the files of its handshakes; the last of them has the module that a slave instantiates. tasks: the
    template of a test bench's reads and writes. refusal: the answer to a refused access. inputs, outputs:
    the widths of its ports by name. handshakes, transfer: what a manifest says of them.
    """

    title: str
    cells: tuple[str, ...]
    tasks: str
    refusal: str
    inputs: Mapping[str, int]
    outputs: Mapping[str, int]
    handshakes: tuple[Mapping[str, object], ...]
    transfer: str

    def widths(self, ports: Mapping[str, int], address_bits: int) -> dict[str, int]:
        """Return the widths of some of its ports by name."""
        return {name: width or address_bits for name, width in ports.items()}

    def placeholders(self, address_bits: int) -> dict[str, str]:
        """Return what the template of a slave needs: the ports, and how the handshakes are connected."""
        declared = (
            f"  {direction} logic {_range(width):<6} {name},"
            for direction, ports in (("input ", self.inputs), ("output", self.outputs))
            for name, width in self.widths(ports, address_bits).items()
        )
        return {
            "bus_title": self.title,
            "refusal": self.refusal,
            "front_end": self.cells[-1].removesuffix(".sv"),
            "bus_ports": "\n".join(declared),
            "bus_connections": "\n".join(
                f"    .{name:<16}({name})," for name in (*self.inputs, *self.outputs)
            ),
        }


def stream_bits(word_bits: int) -> int:
    """Return the bits of a stream's data: 8, 16 or 32, the least that hold a word."""
    return next(bits for bits in (8, 16, WORD_BITS) if word_bits <= bits)


def stream_ports(word_bits: int) -> tuple[dict[str, int], dict[str, int]]:
    """Return the inputs and the outputs of both streams: widths by name."""
    bits = stream_bits(word_bits)
    return (
        {"s_axis_tdata": bits, "s_axis_tvalid": 1, "s_axis_tlast": 1, "m_axis_tready": 1},
        {"s_axis_tready": 1, "m_axis_tdata": bits, "m_axis_tvalid": 1, "m_axis_tlast": 1},
    )


def _range(width: int) -> str:
    return f"[{width - 1}:0]" if width > 1 else ""


def handshake(meaning: str, valid: str, ready: str, data: Sequence[str]) -> dict[str, object]:
    """Return what a manifest says of one handshake."""
    return {"meaning": meaning, "valid": valid, "ready": ready, "data": list(data)}


TRANSFER = (
    "at each rising edge at which valid and ready are 1; the side that drives valid holds it and the data "
    "until then"
)
AXI4LITE = FrontEnd(
    title="AXI4-Lite",
    cells=("monpro_axi4lite_channel.sv", "monpro_axi4lite_port.sv"),
    tasks="axi4lite_bus.sv.in",
    refusal="SLVERR",
    inputs={
        "s_axi_awaddr": ADDRESS,
        "s_axi_awprot": 3,
        "s_axi_awvalid": 1,
        "s_axi_wdata": WORD_BITS,
        "s_axi_wstrb": WORD_BITS // 8,
        "s_axi_wvalid": 1,
        "s_axi_bready": 1,
        "s_axi_araddr": ADDRESS,
        "s_axi_arprot": 3,
        "s_axi_arvalid": 1,
        "s_axi_rready": 1,
    },
    outputs={
        "s_axi_awready": 1,
        "s_axi_wready": 1,
        "s_axi_bresp": 2,
        "s_axi_bvalid": 1,
        "s_axi_arready": 1,
        "s_axi_rdata": WORD_BITS,
        "s_axi_rresp": 2,
        "s_axi_rvalid": 1,
    },
    handshakes=tuple(
        handshake(
            meaning, f"s_axi_{name}valid", f"s_axi_{name}ready", [f"s_axi_{name}{data}" for data in carried]
        )
        for meaning, name, carried in (
            ("the address of a write", "aw", ("addr", "prot")),
            ("the data of a write", "w", ("data", "strb")),
            ("the answer to a write: 0 right, 2 refused", "b", ("resp",)),
            ("the address of a read", "ar", ("addr", "prot")),
            ("the answer to a read: 0 right, 2 refused", "r", ("data", "resp")),
        )
    ),
    transfer=TRANSFER,
)
APB = FrontEnd(
    title="APB",
    cells=("monpro_apb_port.sv",),
    tasks="apb_bus.sv.in",
    refusal="PSLVERR",
    inputs={
        "s_apb_paddr": ADDRESS,
        "s_apb_psel": 1,
        "s_apb_penable": 1,
        "s_apb_pwrite": 1,
        "s_apb_pwdata": WORD_BITS,
        "s_apb_pstrb": WORD_BITS // 8,
    },
    outputs={"s_apb_pready": 1, "s_apb_prdata": WORD_BITS, "s_apb_pslverr": 1},
    handshakes=(
        {
            **handshake(
                "an access; s_apb_pslverr is 1 if it is refused",
                "s_apb_penable",
                "s_apb_pready",
                ["s_apb_paddr", "s_apb_pwrite", "s_apb_pwdata", "s_apb_pstrb"],
            ),
            "select": "s_apb_psel",
            "answer": ["s_apb_prdata", "s_apb_pslverr"],
        },
    ),
    transfer="an access begins with a clock in which select is 1 and valid is 0; then both are 1, up to the "
    "rising edge at which ready is 1, where the answer counts; the data hold from the first clock on",
)
STREAMS = replace(  # AXI4-Lite controls the core
    AXI4LITE,
    title="AXI4-Stream",
    cells=("monpro_axi4stream_port.sv", *AXI4LITE.cells),
    handshakes=(
        *AXI4LITE.handshakes,
        {
            **handshake(
                "the next word of a job; s_axis_tlast is 1 with the last word, and else 0",
                "s_axis_tvalid",
                "s_axis_tready",
                ["s_axis_tdata", "s_axis_tlast"],
            ),
            "stream": "input",
        },
        {
            **handshake(
                "the next word of a result; m_axis_tlast is 1 with the last word",
                "m_axis_tvalid",
                "m_axis_tready",
                ["m_axis_tdata", "m_axis_tlast"],
            ),
            "stream": "output",
        },
    ),
)
FRONT_ENDS: dict[Bus, FrontEnd] = {"axi4lite": AXI4LITE, "apb": APB, "axi4stream": STREAMS}


def top(bus: Bus, core_name: str) -> str:
    """Return the name of the slave around a core."""
    return f"monpro_{bus}_{core_name.replace('-', '_')}"


def slave(bus: Bus, template: str, names: Mapping[str, str], address_bits: int) -> dict[str, str]:
    """Return the sources of a slave by file name: the handshakes, and the slave from its template."""
    front_end = FRONT_ENDS[bus]
    text = (FOLDER / template).read_text(encoding="utf-8")
    return {
        **cells(front_end.cells),
        f"{names['top']}.sv": Template(text).substitute(names, **front_end.placeholders(address_bits)),
    }


def cells(names: Sequence[str]) -> dict[str, str]:
    """Return the sources around a core by file name."""
    return {name: (FOLDER / name).read_text(encoding="utf-8") for name in names}


def testbench(bus: Bus, template: str, names: Mapping[str, str]) -> str:
    """Return a test bench over a bus: its template with the tasks of the bus and the names filled in."""
    front_end = FRONT_ENDS[bus]
    tasks = Template((FOLDER / front_end.tasks).read_text(encoding="utf-8")).substitute(names)
    text = (FOLDER / template).read_text(encoding="utf-8")
    return Template(text).substitute(names, bus=tasks, bus_title=front_end.title)
