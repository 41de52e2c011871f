"""Area and speed of a core: Yosys for six targets, OpenSTA for the ASIC library, nextpnr for two FPGAs."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from string import Template
from typing import Any

from monpro.cores import Design
from monpro.files import working_in
from monpro.flow import multiplier, sources, tools
from monpro.flow.simulate import cache_folder, parameter_values

LIBERTY = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
SERIAL_PORTS = Path(__file__).with_name("serial_ports.sv.in")
CLOCK_PERIOD_NS = 100.0  # OpenSTA's clock; the delay is this period minus the slack
BUFFERING_PS = 2000  # the target delay for sizing gates and buffering nets of many loads
SEED = 1  # for place and route: the first of them

# Measured: from one width of a core to the next, the area of the mapping for the shortest delay may jump by a
# fifth. So each core is mapped twice, by Yosys' own script and by one that first lets paths be RELAXATION %
# longer. The mapping with the smaller product of area and delay counts.
RELAXATION = 40
RELAXED = f"""strash
&get -n
&fraig -x
&put
scorr
dc2
strash
&get -n
&dch -f
&nf -R {RELAXATION} -F 10
&put
buffer
upsize -D {BUFFERING_PS}
dnsize -D {BUFFERING_PS}
"""
MAPPINGS = {"shortest": "", "relaxed": " -script relaxed.abc"}  # name: options of the command abc
_MAP_ASIC = {
    name: f"design -load unmapped; abc -liberty {LIBERTY} -constr constraints -D {BUFFERING_PS}{options}; "
    f"splitnets; opt_clean -purge; write_verilog -noattr {name}.v; tee -o {name}.txt stat -liberty {LIBERTY}"
    for name, options in MAPPINGS.items()
}


@dataclass(frozen=True)
class Target:
    """A technology: the Yosys commands that map to it, and the patterns of its LUTs, registers, RAMs, DSPs.

    memory_luts: the number of lookup tables that each type of memory cell takes. pack: the options with which
    nextpnr only packs cells into the device's sites. packed_luts: the lookup tables of each packed site.
    netlists: for each netlist that can be simulated, the commands that write it. models: the models of its
    cells, in the folder of Yosys' data; else they come from the Liberty file.
    """

    name: str
    title: str
    synthesis: str
    luts: str = ""
    ffs: str = ""
    brams: str = ""
    dsps: str = ""
    place: tuple[str, ...] = ()  # the nextpnr and its options
    memory_luts: Mapping[str, int] = field(default_factory=dict)
    pack: tuple[str, ...] = ()
    packed_luts: Mapping[str, int] = field(default_factory=dict)
    netlists: Mapping[str, str] = field(default_factory=dict)
    models: str = ""


VIRTEX_MEMORY_LUTS = {  # tables of four inputs: 16 bits each
    "RAM16X1S": 1,
    "RAM32X1S": 2,
    "RAM64X1S": 4,
    "RAM128X1S": 8,
    "RAM16X1D": 2,
    "RAM32X1D": 4,
    "RAM64X1D": 8,
}
SERIES_7_MEMORY_LUTS = {  # tables of six inputs: 64 bits each
    "RAM32X1S": 1,
    "RAM64X1S": 1,
    "RAM32X1D": 2,
    "RAM64X1D": 2,
    "RAM32M": 4,
    "RAM64M": 4,
}
ULTRASCALE_MEMORY_LUTS = SERIES_7_MEMORY_LUTS | {"RAM32M16": 8, "RAM64M8": 8}

TARGETS = {
    target.name: target
    for target in (
        Target(
            "osu018",
            "OSU 0.18 µm standard cells",
            "synth -flatten -top {top}; rename -top {top}; "
            f"dfflibmap -liberty {LIBERTY}; design -save unmapped",
            netlists=_MAP_ASIC,
        ),
        Target(
            "xc2v",
            "Xilinx Virtex-II",
            "synth_xilinx -family xc2v -nowidelut -nosrl -noiopad -top {top}; tee -o statistics.txt stat",
            luts=r"LUT\d",
            ffs=r"FD\w+",
            brams=r"RAMB\w+",
            dsps=r"MULT18X18\w*",
            memory_luts=VIRTEX_MEMORY_LUTS,
        ),
        Target(
            "xc7",
            "Xilinx 7 series",
            "synth_xilinx -family xc7 -nowidelut -nosrl -noiopad -top {top}; tee -o statistics.txt stat",
            luts=r"LUT\d",
            ffs=r"FD\w+",
            brams=r"RAMB\w+",
            dsps="DSP48E1",
            memory_luts=SERIES_7_MEMORY_LUTS,
        ),
        Target(
            "xcup",
            "Xilinx UltraScale+",
            "synth_xilinx -family xcup -nowidelut -nosrl -noiopad -top {top}; tee -o statistics.txt stat",
            luts=r"LUT\d",
            ffs=r"FD\w+",
            brams=r"RAMB\w+",
            dsps="DSP48E2",
            memory_luts=ULTRASCALE_MEMORY_LUTS,
        ),
        Target(
            "ecp5",
            "Lattice ECP5-85, speed grade 6",
            "synth_ecp5 -top {top} -json netlist.json; tee -o statistics.txt stat",
            luts="LUT4",
            ffs="TRELLIS_FF",
            brams=r"DP16KD|PDPW16KD",
            dsps="MULT18X18D",
            memory_luts={"TRELLIS_DPR16X4": 4},
            place=(
                "nextpnr-ecp5",
                "--85k",
                "--package",
                "CABGA756",
                "--speed",
                "6",
                "--lpf-allow-unconstrained",
            ),
            pack=("--out-of-context", "--pack-only"),
            # Packing counts the two tables that a memory's write port takes as two TRELLIS_COMB.
            packed_luts={"TRELLIS_COMB": 1},
            netlists={"mapped": "rename -top {top}; write_verilog -noattr mapped.v"},
            models="ecp5/cells_sim.v",
        ),
        Target(
            "ice40",
            "Lattice iCE40 HX8K",
            "synth_ice40 -top {top} -json netlist.json; tee -o statistics.txt stat",
            luts="SB_LUT4",
            ffs=r"SB_DFF\w*",
            brams=r"SB_RAM\w+",
            place=("nextpnr-ice40", "--hx8k", "--package", "ct256"),
            pack=("--pack-only",),
            packed_luts={"ICESTORM_LC": 1},
        ),
    )
}


@dataclass(frozen=True)
class Figures:
    """Area and speed of a core on a target; None if the target has no such figure.

    delay_ns: the shortest clock period between registers, before layout. fmax_mhz: after place and route,
    for the core behind 32-bit ports: the median over `seeds` runs, beside the least and the greatest of them.
    If it was requested and is missing, `reason` says why. All counts are for the core alone. memory_luts:
    lookup tables used as memory, not included in `luts`. dsps: multipliers.

    area_luts: all the lookup tables that the core takes from the device, for logic, memory and carries.
    nextpnr counts them where a carry takes the place of tables: an ECP5 gives up two tables for two bits of a
    carry chain. On the Xilinx devices a carry uses the table beside it, so the area is the sum of `luts` and
    `memory_luts`.
    """

    area_um2: float | None
    cells: int
    delay_ns: float | None
    luts: int | None
    ffs: int | None
    brams: int | None
    fmax_mhz: float | None
    reason: str | None = None
    memory_luts: int | None = None
    area_luts: int | None = None
    dsps: int | None = None
    seeds: int | None = None
    fmax_least_mhz: float | None = None
    fmax_greatest_mhz: float | None = None


@dataclass(frozen=True)
class Circuit:
    """RTL to synthesise: its files, the top module with values of its parameters, and the name of its clock.

    ports: a module `monpro_serial_ports` around the top, if the top has too many ports for place and route.
    included: folders of files that the files include.
    """

    files: tuple[Path, ...]
    top: str
    parameters: Mapping[str, str]
    clock: str = "clk_i"
    ports: str = ""
    included: tuple[Path, ...] = ()

    def read(self, *further: Path) -> str:
        """Return the command by which Yosys reads the files, and further ones."""
        folders = [f"-I{folder}" for folder in self.included]
        return " ".join(["read_verilog -sv", *folders, *map(str, [*self.files, *further])])


def circuit(core: Design, target: Target) -> Circuit:
    """Return the RTL of a core, with the target's own cells where it has some."""
    ports = _serial_ports(core) if core.wide_ports else ""
    files = multiplier.sources_of(core, sources.cells_of(target.name))
    return Circuit(files, core.top, parameter_values(core), ports=ports)


def synthesise(
    core: Design,
    target_name: str,
    *,
    place: bool = True,
    seeds: int = 1,
    progress: Callable[[str], None] = lambda _step: None,
) -> Figures:
    """Return the figures of a core on a target; see `synthesise_circuit`."""
    design = circuit(core, _target(target_name))
    return synthesise_circuit(
        design, target_name, core.configuration, place=place, seeds=seeds, progress=progress
    )


def synthesise_circuit(  # noqa: PLR0913  (what, where to, and how much of it)
    design: Circuit,
    target_name: str,
    name: str,
    *,
    place: bool = True,
    seeds: int = 1,
    progress: Callable[[str], None] = lambda _step: None,
) -> Figures:
    """Return the figures of a circuit on a target; ToolError with the tool's message if a tool fails.

    `place` = False leaves out place and route, which takes minutes; it runs once for each of the `seeds`, 1
    or more. `progress` is called with a description of each step. Netlists and logs stay in the user's cache
    folder, under the name of the circuit.
    """
    target = _target(target_name)
    if seeds < 1:
        raise ValueError(f"place and route takes 1 seed or more, not {seeds}")
    folder = cache_folder() / "synthesise" / f"{name}-{target.name}"
    with working_in(folder):
        progress(f"Yosys maps {design.top} to {target.title}")
        _map(design, target, folder, list(target.netlists) if target.name == "osu018" else [])
        if target.name == "osu018":
            return _on_asic(design, folder, progress)
        figures = _counts(target, folder)
        if not (target.place and place):
            return figures
        return replace(figures, **_clock(design, target, folder, seeds, progress))


def _target(name: str) -> Target:
    """Return a target; ValueError if there is none of this name."""
    if name not in TARGETS:
        raise ValueError(f"there is no target {name!r}; there are: {', '.join(TARGETS)}")
    return TARGETS[name]


def map_to(core: Design, target: Target, folder: Path, netlists: Sequence[str]) -> None:
    """Let Yosys map a core to a target in a folder, and write these netlists of the target there."""
    _map(circuit(core, target), target, folder, netlists)


def _map(design: Circuit, target: Target, folder: Path, netlists: Sequence[str]) -> None:
    if target.name == "osu018":
        if not LIBERTY.is_file():
            raise tools.ToolError(f"{LIBERTY} is not installed: apt-get install qflow-tech-osu018")
        (folder / "constraints").write_text("set_driving_cell INVX8\nset_load 0.05\n", encoding="utf-8")
        (folder / "relaxed.abc").write_text(RELAXED, encoding="utf-8")
    parameters = " ".join(f"-set {name} {value}" for name, value in design.parameters.items())
    commands = [design.read(), *([f"chparam {parameters} {design.top}"] if parameters else [])]
    _yosys(commands, target, folder, design.top, netlists)


def _counts(target: Target, folder: Path) -> Figures:
    """Return the area that Yosys and the packing of nextpnr count."""
    counts, _ = statistics(folder / "statistics.txt")
    luts = matching(counts, target.luts) or 0
    memory_luts = sum(counts.get(cell, 0) * tables for cell, tables in target.memory_luts.items())
    return Figures(
        area_um2=None,
        cells=sum(counts.values()),
        delay_ns=None,
        luts=luts,
        ffs=matching(counts, target.ffs),
        brams=matching(counts, target.brams),
        fmax_mhz=None,
        memory_luts=memory_luts,
        area_luts=_packed_luts(target, folder) if target.pack else luts + memory_luts,
        dsps=matching(counts, target.dsps),
    )


def _on_asic(design: Circuit, folder: Path, progress: Callable[[str], None]) -> Figures:
    """Return the figures of the mapping with the smallest product of area and delay."""
    progress("OpenSTA times it")
    mapped = []
    for mapping in MAPPINGS:
        counts, area_um2 = statistics(folder / f"{mapping}.txt")
        mapped.append((area_um2, _delay_ns(design, mapping, folder), sum(counts.values())))
    area_um2, delay_ns, cells = min(mapped, key=lambda figures: figures[0] * figures[1])
    return Figures(area_um2, cells, delay_ns, luts=None, ffs=None, brams=None, fmax_mhz=None)


def statistics(path: Path) -> tuple[dict[str, int], float]:
    """Return the number of cells of a design by type, and its area, which is 0 if the report has none."""
    total = path.read_text(encoding="utf-8").rpartition("===")[2]  # the whole design, if it has a hierarchy
    counts = {name: int(count) for name, count in re.findall(r"^ {5}(\S+) +(\d+)$", total, re.MULTILINE)}
    modules = set(re.findall(r"^ +(\S+) +\d+$", total.partition("Number of wires")[0], re.MULTILINE))
    areas = re.findall(r"Chip area for .*: ([\d.]+)", total)
    cells = {name: count for name, count in counts.items() if name not in modules}
    return cells, float(areas[-1]) if areas else 0.0


def _yosys(
    commands: Sequence[str], target: Target, folder: Path, top: str, netlists: Sequence[str] = ()
) -> None:
    written = (target.netlists[name].format(top=top) for name in netlists)
    script = "; ".join([*commands, target.synthesis.format(top=top), *written])
    tools.run("yosys", ["-p", script], log=folder / "yosys.log", cwd=folder)


def _delay_ns(design: Circuit, netlist: str, folder: Path) -> float:
    (folder / "time.tcl").write_text(
        f"read_liberty {LIBERTY}\nread_verilog {netlist}.v\nlink_design {design.top}\n"
        f"create_clock -name clk -period {CLOCK_PERIOD_NS} {design.clock}\n"
        "report_checks -path_delay max\nexit\n",
        encoding="utf-8",
    )
    report = tools.run("opensta", ["-exit", "time.tcl"], log=folder / "opensta.log", cwd=folder)
    slack = re.search(r"(-?[\d.]+) +slack", report)
    if slack is None:
        raise tools.ToolError(f"sta failed: {tools.complaint(report)} (log: {folder / 'opensta.log'})")
    return round(CLOCK_PERIOD_NS - float(slack[1]), 3)


def _packed_luts(target: Target, folder: Path) -> int:
    """Return the lookup tables of the device that the core takes, counted after packing."""
    program, *device = target.place
    arguments = [*device, *target.pack, "--json", "netlist.json"]
    report = tools.run(program, arguments, log=folder / "pack.log", cwd=folder)
    used = {resource: int(count) for resource, count in re.findall(r"(\w+): +(\d+)/ *\d+ +\d+%", report)}
    return sum(tables * used[site] for site, tables in target.packed_luts.items())


def _clock(
    design: Circuit, target: Target, folder: Path, seeds: int, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Return the fields of `Figures` that place and route finds, by as many runs as there are seeds.

    A seed without a clock ends the search: what the device or nextpnr cannot hold has no median.
    """
    placed = folder
    if design.ports:
        placed = folder / "placed"
        placed.mkdir(exist_ok=True)
        ports = placed / "monpro_serial_ports.sv"
        ports.write_text(design.ports, encoding="utf-8")
        _yosys([design.read(ports)], target, placed, "monpro_serial_ports")
    rates = []
    for seed in range(SEED, SEED + seeds):
        which = f", seed {seed} of {seeds}" if seeds > 1 else ""
        progress(f"{target.place[0]} places and routes it{which}")
        fmax_mhz, reason = _fmax_mhz(target, placed, seed)
        if fmax_mhz is None:
            return {"reason": reason}
        rates.append(fmax_mhz)
    return {
        "fmax_mhz": round(median(rates), 2),
        "seeds": seeds,
        "fmax_least_mhz": min(rates),
        "fmax_greatest_mhz": max(rates),
    }


def _fmax_mhz(target: Target, folder: Path, seed: int) -> tuple[float | None, str | None]:
    """Return the frequency, or None and the reason if the device or nextpnr cannot hold the design."""
    program, *options = target.place
    arguments = [
        *options,
        "--json",
        "netlist.json",
        "--seed",
        str(seed),
        "--freq",
        "150",
        "--timing-allow-fail",
    ]
    log = folder / "nextpnr.log"
    try:
        report = tools.run(program, arguments, log=log, cwd=folder)
    except tools.ToolError:
        report = log.read_text(encoding="utf-8") if log.is_file() else ""
        if reason := _overfull(target, report) or _overflown(report):
            return None, reason
        raise
    return float(re.findall(r"Max frequency for clock .*: ([\d.]+) MHz", report)[-1]), None


def _serial_ports(core: Design) -> str:
    """Return a module around a core's wide ports that has few enough pins for place and route."""
    parameters = ",\n    ".join(f".{name}({value})" for name, value in parameter_values(core).items())
    return Template(SERIAL_PORTS.read_text(encoding="utf-8")).substitute(
        core.wide_ports, top=core.top, parameters=parameters
    )


def _overfull(target: Target, report: str) -> str | None:
    """Return a sentence on the resource that the device has too little of; None if the design fits."""
    for resource, used, available in re.findall(r"(\w+): +(\d+)/ *(\d+) +\d+%", report):
        if int(used) > int(available):
            return f"does not fit the {target.title}: {int(used):,} {resource} of {int(available):,}"
    return None


def _overflown(report: str) -> str | None:
    """Return a sentence on the end of a nextpnr that is WebAssembly by its stack; None if it ended otherwise.

    nextpnr recurses along the cells of a path, and the stack of WebAssembly has a fixed size.
    """
    if "wasm trap: out of bounds memory access" not in report:
        return None
    return "has paths of more cells than the stack of nextpnr's WebAssembly allows"


def matching(counts: dict[str, int], pattern: str) -> int | None:
    """Return the number of cells whose type matches the pattern; None if the pattern is empty."""
    if not pattern:
        return None
    return sum(count for name, count in counts.items() if re.fullmatch(pattern, name))
