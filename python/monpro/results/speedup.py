"""The tables and the picture of monpro's speed-ups over other libraries.

`python -m monpro.results.speedup . results` writes them into README.md and below docs/, from the newest
measurements that `make bench` recorded.
"""

import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from math import exp, fsum, log
from pathlib import Path

from monpro.files import write_whole
from monpro.results.headline import Block, insert, run
from monpro.results.picture import Curve, draw
from monpro.results.recording import Recording, multipliers_of, read, required_of_each_cpu

POWERS, RSA, BYTES = "bench.json", "rsa.json", "modexp.json"
PICTURE = "docs/speedup.svg"
BASELINE = "OpenSSL"
RIVALS: Mapping[str, tuple[str, ...]] = {  # the builds of each, the newest first
    BASELINE: (BASELINE, "OpenSSL as packaged"),
    "AWS-LC": ("AWS-LC",),
    "GMP": ("GMP", "GMP as packaged"),
}

BySize = Mapping[int, float]


@dataclass(frozen=True)
class Way:
    """A way in which monpro computes powers: its recorded operation and its kernels.

    If no kernel is named, the way is that of the fastest which multiplies by none of `without`.
    """

    title: str
    file_name: str
    operation: str
    kernels: Collection[str] = ()
    without: Collection[str] = ()

    @property
    def rivals_operation(self) -> str:
        """Return the operation by which other libraries do the same; none of them has a batch."""
        return self.operation.removesuffix("-batch")


IFMA = ("redc-ifma", "redc-ifma-w51")
MULX = ("sos-mulx", "sos-adx")  # the rules of each CPU take the faster one
WAYS = (
    Way("one power", POWERS, "modexp"),
    Way("one power without AVX-512", POWERS, "modexp", without=("IFMA",)),
    Way("one power on any CPU: `cios-pairs`", POWERS, "modexp", ("cios-pairs",)),
    Way("one of 8 powers", POWERS, "modexp-batch"),
    Way("one RSA private operation", RSA, "rsa-crt"),
    Way("one of 8 RSA private operations", RSA, "rsa-crt-batch"),
    Way("one RSA private operation, blinded and checked", RSA, "rsa-private"),
)
SIZES = {POWERS: (256, 512, 1024, 2048, 4096), RSA: (2048, 3072, 4096)}  # in the table of README
LIMITED = {  # the ways by the names of their recorded limits
    "IFMA, one operand": Way("one power: `redc-ifma`", POWERS, "modexp", IFMA),
    "MULX": Way("one power: `sos-mulx` or `sos-adx`", POWERS, "modexp", MULX),
    "IFMA, 8 operands": Way("one of 8 powers: `batch-ifma`", POWERS, "modexp-batch"),
}


def speedups(results: Path) -> str:
    """Return README's table: other libraries' cycles over monpro's, a row a way and size, a column a CPU."""
    by_cpu = {file_name: _by_cpu(results, file_name) for file_name in SIZES}
    cpus = list(dict.fromkeys(cpu for recordings in by_cpu.values() for cpu in recordings))
    rows = []
    for way in WAYS:
        for bits in SIZES[way.file_name]:
            recordings = [by_cpu[way.file_name].get(cpu) for cpu in cpus]
            cells = [_ratios(recording, way, bits) if recording else "" for recording in recordings]
            if any(cells):
                rows.append([way.title, f"{bits}", *(cell or "–" for cell in cells)])
    table = _table(["way of monpro", "bits", *cpus], [], rows)
    places = [_libraries(recording) for recordings in by_cpu.values() for recording in recordings.values()]
    caption = (
        "Constant time; exponents as long as the modulus; RSA without blinding unless it is named. One\n"
        "core; the faster kernel and the faster build of a library count."
    )
    return f"{table}\n\n{caption}\n\n{chr(10).join(dict.fromkeys(places))}"


def _by_cpu(results: Path, file_name: str) -> dict[str, Recording]:
    """Return the newest recording of each CPU by the CPU, the latest first."""
    recordings = map(read, required_of_each_cpu(results, file_name))
    return {recording["machine"]["cpu"]: recording for recording in recordings}


def _ratios(recording: Recording, way: Way, bits: int) -> str:
    """Return each library that was raced there, with its cycles over those of the way."""
    ours = least_cycles(recording, way.operation, ("monpro",), way.kernels, way.without)
    theirs = {
        rival: least_cycles(recording, way.rivals_operation, builds).get(bits)
        for rival, builds in RIVALS.items()
    }
    known = {rival: cycles for rival, cycles in theirs.items() if cycles is not None and bits in ours}
    return ", ".join(f"{rival} {cycles / ours[bits]:.2f}" for rival, cycles in known.items())


def _libraries(recording: Recording) -> str:
    """Return where and when a race ran, and the builds that it compared with, as an item of a list."""
    libraries = recording["machine"]["libraries"]
    names = [build for builds in RIVALS.values() for build in builds if build in libraries]
    versions = ", ".join(f"{build} {libraries[build]}" for build in names)
    return f"- {recording['machine']['cpu']}, {recording['machine']['date']}: {versions}"


def shares(results: Path) -> str:
    """Return the tables of the share of the multipliers' peak that each way reaches, one for each CPU."""
    return "\n\n".join(_shares(read(path)) for path in required_of_each_cpu(results, POWERS))


def _shares(recording: Recording) -> str:
    sizes = _sizes(recording)
    rows = []
    for name, way in LIMITED.items():
        limits = {
            limit["bits"]: limit["cycles"]
            for limit in recording.get("limits", [])
            if (limit["name"], limit["operation"]) == (name, way.operation)
        }
        cycles = least_cycles(recording, way.operation, ("monpro",), way.kernels)
        reached = {bits: 100 * limits[bits] / cycles[bits] for bits in cycles if bits in limits}
        rows.append([way.title, *(_number(reached, bits, ".0f") for bits in sizes)])
    table = _table(["share of the limit in per cent"], _bits(sizes), rows)
    return f"{table}\n\n{_place(recording)}."


def private_operations(results: Path) -> str:
    """Return the tables of the cycles of RSA's private operation, one for each CPU."""
    return "\n\n".join(_private_operations(read(path)) for path in required_of_each_cpu(results, RSA))


def _private_operations(recording: Recording) -> str:
    sizes = _sizes(recording)
    rows = []
    for way in WAYS:
        if way.file_name == RSA:
            thousands = {
                bits: cycles / 1000
                for bits, cycles in least_cycles(recording, way.operation, ("monpro",)).items()
            }
            if thousands:
                rows.append([way.title, *(_number(thousands, bits, ",.0f") for bits in sizes)])
    table = _table(["thousands of cycles"], _bits(sizes), rows)
    return f"{table}\n\n{_place(recording)}."


def bytes_to_bytes(results: Path) -> str:
    """Return the tables of MODEXP's shapes: other libraries' cycles over monpro's, mean and extremes."""
    return "\n\n".join(_bytes_to_bytes(read(path)) for path in required_of_each_cpu(results, BYTES))


def _bytes_to_bytes(recording: Recording) -> str:
    cycles: dict[str, dict[str, float]] = {}
    for figure in recording["figures"]:
        cycles.setdefault(figure["library"], {})[figure["shape"]] = figure["median_cycles"]
    ours = cycles.pop("monpro")
    rows = []
    for library, theirs in cycles.items():
        ratios = [theirs[shape] / ours[shape] for shape in ours]
        mean = exp(fsum(map(log, ratios)) / len(ratios))
        version = recording["machine"]["libraries"][library]
        rows.append([f"{library} {version}", *(f"{ratio:.2f}" for ratio in (mean, min(ratios), max(ratios)))])
    table = _table(["compared with"], [f"geometric mean of {len(ours)} shapes", "least", "greatest"], rows)
    return f"{table}\n\n{_place(recording)}."


def picture(results: Path) -> str:
    """Return the picture of README as SVG: speed-ups over OpenSSL against the size of the modulus.

    The newest recording of a CPU that has all the ways is drawn, with AVX-512 and without; else the newest.
    """
    recordings = [read(path) for path in required_of_each_cpu(results, POWERS)]
    with_ifma = (
        recording for recording in recordings if least_cycles(recording, "modexp", ("monpro",), IFMA)
    )
    recording = next(with_ifma, recordings[0])
    machine = recording["machine"]
    build = next((build for build in RIVALS[BASELINE] if build in machine["libraries"]), BASELINE)
    baseline = least_cycles(recording, "modexp", (build,))
    if not baseline:
        raise ValueError(f"{POWERS} has no figures of {BASELINE}: install it and run `make bench` again")
    ways = {
        "monpro, one of 8 powers": ("modexp-batch", ("monpro",), ()),
        "monpro, one power": ("modexp", ("monpro",), ()),
        "monpro without AVX-512": ("modexp", ("monpro",), ("IFMA",)),
        "GMP": ("modexp", RIVALS["GMP"], ()),
        "crypto-bigint": ("modexp", ("crypto-bigint",), ()),
    }
    curves = []
    for name, way in ways.items():
        operation, libraries, without = way
        cycles = least_cycles(recording, operation, libraries, without=without)
        ratios = {bits: baseline[bits] / cycles[bits] for bits in cycles if bits in baseline}
        curves += [Curve(name, ratios)] if ratios else []
    return draw(
        "Speed-up over OpenSSL against the bits of the modulus",
        f"x^e mod n in constant time, e as long as n; one core of {machine['cpu']}, {machine['date']}",
        f"OpenSSL {machine['libraries'][build]} = 1",
        curves,
    )


def least_cycles(
    recording: Recording,
    operation: str,
    libraries: Collection[str],
    engines: Collection[str] = (),
    without: Collection[str] = (),
) -> dict[int, float]:
    """Return the cycles of an operation by the fastest of these engines, or of all, at each size.

    Engines that multiply by one of `without` do not count.
    """
    least: dict[int, float] = {}
    for figure in recording["figures"]:
        is_wanted = figure["operation"] == operation and figure["library"] in libraries
        is_wanted &= not engines or figure["engine"] in engines
        if is_wanted and multipliers_of(figure["engine"]) not in without:
            bits, cycles = figure["bits"], figure["median_cycles"]
            least[bits] = min(cycles, least.get(bits, cycles))
    return dict(sorted(least.items()))


@dataclass(frozen=True)
class Ratios(Block):
    """A table between markers in a document of the project."""

    document: str
    table: Callable[[Path], str]


TABLES = (
    Ratios("speedup", "README.md", speedups),
    Ratios("peak", "docs/performance.md", shares),
    Ratios("rsa-cycles", "docs/performance.md", private_operations),
    Ratios("modexp-bytes", "docs/performance.md", bytes_to_bytes),
)


def update(root: Path, results: Path) -> None:
    """Write the tables into their documents, and the picture."""
    svg = picture(results)
    for table in TABLES:
        document = root / table.document
        text = insert(document.read_text(encoding="utf-8"), table, table.table(results))
        write_whole(document, text)
    write_whole(root / PICTURE, svg)


def _place(recording: Recording) -> str:
    """Return where and when a race ran."""
    return f"One core of {recording['machine']['cpu']}, {recording['machine']['date']}"


def _sizes(recording: Recording) -> list[int]:
    return sorted({figure["bits"] for figure in recording["figures"]})


def _number(values: BySize, bits: int, form: str) -> str:
    return f"{values[bits]:{form}}" if bits in values else "–"


def _bits(sizes: list[int]) -> list[str]:
    return [f"{bits} bits" for bits in sizes]


def _table(names: list[str], numbers: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown: columns of names on the left, columns of numbers on the right."""
    rule = "|" + "---|" * len(names) + "---:|" * len(numbers)
    return "\n".join([_row(names + numbers), rule, *map(_row, rows)])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main(arguments: list[str]) -> int:
    """Update the documents of the project in the folder given first from the results given second."""
    return run("speedup", "FOLDER", update, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
