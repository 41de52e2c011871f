"""Other projects' multipliers and exponentiators in the flow of the cores: simulated, then synthesised.

A peer is a row of `PEERS`. Its sources are not here: they are read from a checkout that the user gives. Every
result of the simulation is compared with plain arithmetic before a figure counts.
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import mean
from string import Template

from monpro.files import working_in
from monpro.flow import sources, tools
from monpro.flow.simulate import cache_folder
from monpro.flow.synthesise import TARGETS, Circuit, Figures, synthesise_circuit
from monpro.results.recording import RESULTS, keep_row

FILE = "peer_synthesis.json"
HERE = Path(__file__).parent
BENCH = HERE / "peer_wide_bench.sv.in"
PORTS = HERE / "peer_ports.sv.in"
JOBS = 8  # besides those with exponents of one bit and of ones only
LIMIT_CLOCKS = 200_000_000
DEFAULT_BITS = 256


@dataclass(frozen=True)
class Peer:
    """A design of another project, and how it is built and driven.

    sources: patterns of its files below the folder `root` of a checkout; left_out: patterns of those that are
    not read. headers: names of files that others include. edits: for the name of a file, a text in it and
    what takes its place. parameters: of the top module, by the bits of n. ports: how the bench connects
    the top to clk, rst_n, start, done, x, y, n, constant and z. r_log2: log2 R of a multiplier, by the bits;
    None for an exponentiator. constant: the number that goes with n. pins: whether the top has few enough
    ports for place and route.
    """

    name: str
    repository: str
    licence: str
    what: str
    root: str
    sources: tuple[str, ...]
    top: str
    parameters: Callable[[int], dict[str, int]]
    ports: str
    widths_bits: tuple[int, ...]
    r_log2: Callable[[int], int] | None = None
    constant: Callable[[int], int] = lambda _n: 0
    left_out: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    edits: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    bench: Path = BENCH
    pins: bool = False
    note: str = ""

    @property
    def kind(self) -> str:
        """Return what it computes: multiplier, exponentiator."""
        return "multiplier" if self.r_log2 else "exponentiator"

    def result(self, x: int, y: int, n: int, bits: int) -> int:
        """Return x·y·R⁻¹ mod n of a multiplier, or x^y mod n."""
        if self.r_log2 is None:
            return pow(x, y, n)
        return x * y * pow(pow(2, self.r_log2(bits), n), -1, n) % n


PEERS = {
    peer.name: peer
    for peer in (
        Peer(
            name="modexpa7",
            repository="arx-research/cryptech",
            licence="BSD-3-Clause",
            what="right-to-left binary exponentiator with two systolic multipliers of 4 elements",
            root="core/math/modexpa7/src/rtl",
            sources=("**/*.v",),
            left_out=("pe/artix7/*",),
            headers=("modexpa7_primitive_switch.v", "modexpa7_settings.v"),
            edits={"modexpa7_primitive_switch.v": ("`define USE_VENDOR_PRIMITIVES", "")},
            top="modexpa7_wrapper",
            parameters=lambda bits: {
                "OPERAND_ADDR_WIDTH": bits.bit_length() - 6,  # log2 of the words of 32 bits
                "SYSTOLIC_ARRAY_POWER": 2,
            },
            ports=".clk, .rst_n, .cs, .we, .address, .write_data, .read_data",
            bench=HERE / "peer_modexpa7_bench.sv.in",
            widths_bits=(256, 512, 1024, 2048, 4096),
            pins=True,
            note="with its generic primitives; a new modulus takes a further preparation",
        ),
        Peer(
            name="caliptra-radix32",
            repository="chipsalliance/caliptra-rtl",
            licence="Apache-2.0",
            what="systolic multiplier in radix 2^32, which its authors build for 384 bits",
            root="src/ecc/rtl",
            sources=("ecc_montgomerymultiplier.sv", "ecc_mult_dsp.sv", "ecc_pe*.sv"),
            top="ecc_montgomerymultiplier",
            parameters=lambda bits: {"REG_SIZE": bits, "RADIX": 32},
            ports=".clk, .reset_n(rst_n), .zeroize(1'b0), .start_i(start), .opa_i(x), .opb_i(y), .n_i(n), "
            ".n_prime_i(constant[31:0]), .p_o(z), .ready_o(done)",
            widths_bits=(256, 384, 512, 1024, 2048),
            r_log2=lambda bits: bits + 32,
            constant=lambda n: -pow(n, -1, 1 << 32) % (1 << 32),
        ),
        Peer(
            name="sky130-modexp",
            repository="2AMLogic/sky130-modexp",
            licence="Apache-2.0",
            what="left-to-right binary exponentiator, one bit of a product in a clock",
            root="rtl",
            sources=("modexp.v",),
            top="modexp",
            parameters=lambda bits: {"WIDTH": bits},
            ports=".clk, .rst_n, .start, .base_in(x), .exp_in(y), .mod_in(n), .done, .result(z)",
            widths_bits=(16, 32, 64, 128, 256),  # its counters of bits have 8 bits
        ),
    )
}


@dataclass(frozen=True)
class Clocks:
    """The clocks of simulated products or powers, whose results were right.

    mean: over random operands. least and greatest: also over exponents of one bit and of ones only.
    """

    mean: float
    least: int
    greatest: int
    jobs: int


def gathered(peer: Peer, checkout: Path, folder: Path) -> list[Path]:
    """Copy the sources of a peer into a folder, edited, and return them; ToolError if there are none."""
    root = checkout / peer.root
    left_out = {path for pattern in peer.left_out for path in root.glob(pattern)}
    found = {path for pattern in peer.sources for path in root.glob(pattern)} - left_out
    if not found:
        raise tools.ToolError(
            f"{checkout} has no {peer.root}/{peer.sources[0]}: give a checkout of {peer.repository}"
        )
    copies = []
    for path in sorted(found):
        copy = folder / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        if path.name in peer.edits:
            old, new = peer.edits[path.name]
            text = copy.read_text(encoding="utf-8")
            if old not in text:
                raise tools.ToolError(f"{path} has no {old!r}: the flow does not know this version")
            copy.write_text(text.replace(old, new), encoding="utf-8")
        copies.append(copy)
    return copies


def simulated(peer: Peer, files: Sequence[Path], bits: int, folder: Path, jobs: int = JOBS) -> Clocks:
    """Return the clocks of random jobs; ToolError if a tool fails or a result is wrong."""
    rng = random.Random(bits)  # noqa: S311  (a sample, no secret)
    moduli = [rng.getrandbits(bits) | 1 << bits - 1 | 1 for _ in range(2)]
    edges = [1 << bits - 1, (1 << bits) - 1]
    given = []
    for job in range(jobs + len(edges)):
        n = moduli[2 * job // (jobs + len(edges))]
        second = edges[job - jobs] if job >= jobs else rng.getrandbits(bits)
        given.append((rng.randrange(n), second if peer.kind == "exponentiator" else second % n, n))
    lines = [f"{number:x}" for x, y, n in given for number in (x, y, n, peer.constant(n))]
    (folder / "vectors.hex").write_text("\n".join(lines) + "\n", encoding="utf-8")
    printed = [line.split() for line in _run_bench(peer, files, bits, folder, len(given))]
    expected = [peer.result(x, y, n, bits) for x, y, n in given]
    right = sum(
        int(clocks) < LIMIT_CLOCKS and _number(z) == wanted
        for (clocks, z), wanted in zip(printed, expected, strict=False)
    )
    if right != len(given):
        raise tools.ToolError(
            f"{peer.name}: {len(given) - right} of {len(given)} results are wrong or missing"
        )
    clocks = [int(line[0]) for line in printed]
    return Clocks(mean(clocks[:jobs]), min(clocks), max(clocks), len(given))


def _number(digits: str) -> int | None:
    try:
        return int(digits, 16)
    except ValueError:  # x and z
        return None


def _run_bench(peer: Peer, files: Sequence[Path], bits: int, folder: Path, jobs: int) -> list[str]:
    """Return the lines that the bench prints: the clocks and the result of each job."""
    bench = folder / "bench.sv"
    bench.write_text(
        Template(peer.bench.read_text(encoding="utf-8")).substitute(
            _connections(peer, bits), jobs=jobs, limit=LIMIT_CLOCKS
        ),
        encoding="utf-8",
    )
    arguments = ["--binary", "--timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-O3", "--Mdir", "built"]
    arguments += [f"-I{included}" for included in folders(files)]
    arguments += ["--top-module", "monpro_peer_bench", "-o", "bench"]
    compiled = [str(path) for path in [bench, *files] if path.name not in peer.headers]
    tools.run("verilator", [*arguments, *compiled], log=folder / "verilator.log", cwd=folder)
    ran = subprocess.run(  # noqa: S603  # the program that Verilator has built
        [folder / "built" / "bench"], cwd=folder, capture_output=True, check=False, encoding="utf-8"
    )
    if ran.returncode:
        raise tools.ToolError(f"the simulation stopped: {tools.complaint(ran.stdout + ran.stderr)}")
    return [line for line in ran.stdout.splitlines() if line[:1].isdigit()]


def _connections(peer: Peer, bits: int) -> dict[str, object]:
    parameters = ", ".join(f".{name}({value})" for name, value in peer.parameters(bits).items())
    return {"top": peer.top, "width": bits, "parameters": parameters, "ports": peer.ports}


def folders(files: Sequence[Path]) -> tuple[Path, ...]:
    """Return the folders of files, where others are included from."""
    return tuple(sorted({path.parent for path in files}))


def circuit(peer: Peer, files: Sequence[Path], bits: int) -> Circuit:
    """Return the RTL of a peer for synthesis."""
    ports = ""
    if not peer.pins:
        ports = Template(PORTS.read_text(encoding="utf-8")).substitute(_connections(peer, bits))
    parameters = {name: str(value) for name, value in peer.parameters(bits).items()}
    compiled = tuple(path for path in files if path.name not in peer.headers)
    return Circuit(compiled, peer.top, parameters, clock="clk", ports=ports, included=folders(files))


def commit_of(checkout: Path) -> str:
    """Return the commit of a checkout, with -dirty if it was changed; ToolError if it has none."""

    def git(*arguments: str) -> str:
        return subprocess.run(  # noqa: S603  # the arguments are those below
            ("git", *arguments),  # noqa: S607  # whichever git there is
            cwd=checkout,
            capture_output=True,
            check=True,
            encoding="utf-8",
        ).stdout.strip()

    try:
        return git("rev-parse", "HEAD") + ("-dirty" if git("status", "--porcelain", "-uno") else "")
    except (OSError, subprocess.CalledProcessError):
        raise tools.ToolError(
            f"{checkout} is no git checkout, so its commit is not known: clone it"
        ) from None


def measure(  # noqa: PLR0913  (what, where to, and how much of it)
    peer: Peer,
    checkout: Path,
    bits: int,
    target: str,
    *,
    place: bool = True,
    seeds: int = 1,
    jobs: int = JOBS,
) -> dict[str, object]:
    """Return a row of the recording: what was measured of a peer, where it is from, and by what.

    ValueError if the peer has no such width. ToolError if the checkout lacks it, a tool fails or a result is
    wrong.
    """
    if bits not in peer.widths_bits:
        raise ValueError(
            f"{peer.name} has widths of {', '.join(map(str, peer.widths_bits))} bits, not {bits}"
        )
    commit = commit_of(checkout)
    folder = cache_folder() / "peers" / f"{peer.name}-{bits}"
    with working_in(folder):
        files = gathered(peer, checkout, folder / "sources")
        clocks = simulated(peer, files, bits, folder, jobs)
        figures = synthesise_circuit(
            circuit(peer, files, bits), target, f"{peer.name}-{bits}", place=place, seeds=seeds
        )
    return _row(peer, bits, target, figures, clocks) | {
        "peer_commit": commit,
        "commit": sources.commit(),
        "tools": {name: tools.version_of(name) for name in programs(target)},
    }


def programs(target: str) -> list[str]:
    """Return the tools of the flow that a target needs."""
    timing = ["opensta"] if target == "osu018" else []
    return ["verilator", "yosys", *timing, *TARGETS[target].place[:1]]


def _row(peer: Peer, bits: int, target: str, figures: Figures, clocks: Clocks) -> dict[str, object]:
    return {
        "design": f"{peer.name}-{bits}",
        "what": f"{peer.what}, {peer.repository}, {peer.licence}",
        "kind": peer.kind,
        "bits": bits,
        "target": target,
        **asdict(figures),
        "clocks": clocks.mean,
        "clocks_least": clocks.least,
        "clocks_greatest": clocks.greatest,
        "jobs": clocks.jobs,
        "parameters": peer.parameters(bits),
        "note": peer.note,
    }


def main(arguments: Sequence[str] | None = None, say: Callable[[str], object] = print) -> int:
    """Print what is measured of a peer; return 2 for a wrong argument, 1 for a failed tool or result."""
    parser = argparse.ArgumentParser("python -m monpro.flow.peers", description=__doc__)
    parser.add_argument("checkout", type=Path, help="a git checkout of the peer's repository")
    parser.add_argument("--design", required=True, choices=PEERS, help="which design of it")
    parser.add_argument("--bits", type=int, default=DEFAULT_BITS, help=f"bits of n ({DEFAULT_BITS})")
    parser.add_argument("--target", default="ecp5", choices=TARGETS, help="the technology (ecp5)")
    parser.add_argument("--seeds", type=int, default=1, help="place and route from so many seeds (1)")
    parser.add_argument("--no-place", action="store_true", help="no place and route")
    parser.add_argument("--jobs", type=int, default=JOBS, help=f"random products or powers ({JOBS})")
    parser.add_argument("--record", action="store_true", help="record the figures under results/")
    given = parser.parse_args(arguments)
    try:
        if given.jobs < 1:
            raise ValueError(f"--jobs: give 1 or more, not {given.jobs}")  # noqa: TRY301
        row = measure(
            PEERS[given.design],
            given.checkout,
            given.bits,
            given.target,
            place=not given.no_place,
            seeds=given.seeds,
            jobs=given.jobs,
        )
        if given.record:
            keep(row)
    except (ValueError, tools.ToolError) as error:
        print(f"monpro: {error}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    say(json.dumps(row, indent=1, ensure_ascii=False))
    return 0


def keep(row: Mapping[str, object], results: Path = RESULTS) -> Path:
    """Write a row into today's file of this machine; it replaces an older one of the design and target."""
    return keep_row(FILE, "figures", row, ("target", "design"), {}, results=results)


if __name__ == "__main__":
    sys.exit(main())
