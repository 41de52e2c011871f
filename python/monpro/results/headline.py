"""The tables of times in docs/performance.md, from what `make bench` recorded last on each CPU.

`python -m monpro.results.headline docs/performance.md results` writes them between their markers.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from monpro.files import write_whole
from monpro.results.durations import format_seconds
from monpro.results.recording import Recording, read, required_of_each_cpu


@dataclass(frozen=True)
class Block:
    """A table that is generated into a document, between two lines with its name."""

    name: str

    @property
    def begin(self) -> str:
        """Return the line before the table."""
        return f"<!-- {self.name}:begin -->"

    @property
    def end(self) -> str:
        """Return the line after the table."""
        return f"<!-- {self.name}:end -->"


@dataclass(frozen=True)
class Headline(Block):
    """A table of times: the recorded file, and the rows by operation and shape of the modulus."""

    file_name: str
    size: str
    titles: Mapping[tuple[str, str | None], str]


INTEGERS = Headline(
    "headline",
    "bench.json",
    "{} bits",
    {
        ("monmul", None): "Montgomery product",
        ("monsqr", None): "Montgomery square",
        ("modexp", None): "modular exponentiation, constant time",
        ("modexp-batch", None): "modular exponentiation, constant time, one of a batch of 8",
        ("modexp-vartime", None): "modular exponentiation, variable time",
    },
)
RSA = Headline(
    "headline-rsa",
    "rsa.json",
    "{} bits",
    {
        ("rsa-crt", None): "private operation by the primes",
        ("rsa-crt-batch", None): "private operation by the primes, one of a batch of 8",
        ("rsa-private", None): "private operation, blinded and checked",
    },
)
BINARY_FIELDS = Headline(
    "headline-gf2",
    "gf2.json",
    "k = {}",
    {
        ("mul", "dense"): "product, random modulus",
        ("pow", "dense"): "power to k bits, random modulus",
        ("mul", "sparse"): "product, sparse modulus",
        ("pow", "sparse"): "power to k bits, sparse modulus",
        ("inv", "dense"): "inverse",
    },
)
ARRAYS = Headline(
    "headline-arrays",
    "arrays.json",
    "GF(2^{})",
    {
        ("product", None): "10⁶ products",
        ("inverse", None): "10⁶ inverses",
        ("matrix-product", None): "product of matrices of 1000 × 1000",
    },
)
HEADLINES = (INTEGERS, BINARY_FIELDS, RSA, ARRAYS)


def tables(headline: Headline, results: Path) -> str:
    """Return the tables of the newest measurements on each CPU, the latest first."""
    return "\n\n".join(table(headline, path) for path in required_of_each_cpu(results, headline.file_name))


def table(headline: Headline, recorded: Path) -> str:
    """Return the Markdown table of a recorded file: each library's fastest way, the best in bold."""
    recording = read(recorded)
    machine, figures = recording["machine"], recording["figures"]
    sizes = sorted({figure["bits"] for figure in figures})
    lines = [
        "| | " + " | ".join(headline.size.format(bits) for bits in sizes) + " |",
        "|---|" + "---:|" * len(sizes),
    ]
    for (operation, shape), title in headline.titles.items():
        times = _fastest(recording, operation, shape)
        for library in times:
            cells = " | ".join(_cell(times, library, bits) for bits in sizes)
            lines.append(f"| {title}: {library} {machine['libraries'][library]} | {cells} |")
        floors = {
            floor["bits"]: floor["floor_ns"]
            for floor in recording.get("floors", [])
            if (floor["operation"], floor["shape"]) == (operation, shape)
        }
        if floors:
            cells = " | ".join(
                format_seconds(floors[bits] * 1e-9) if bits in floors else "–" for bits in sizes
            )
            lines.append(f"| {title}: *floor, the PCLMULQDQ alone* | {cells} |")
    software = " ".join(machine["rustc"].split()[:2]) if "rustc" in machine else machine["python"]
    lines += [
        "",
        f"One core of {machine['cpu']}, {software}, {machine['date']}. Each library's fastest way; medians",
        f"of {recording['rounds']} rounds that ran all of them in turn. Every figure is in",
        f"`{'/'.join(recorded.parts[-3:])}`.",
    ]
    return "\n".join(lines)


def insert(document: str, block: Block, text: str) -> str:
    """Return the document with the text between the block's markers; ValueError if it lacks them."""
    before, begin, rest = document.partition(block.begin)
    _, end, after = rest.partition(block.end)
    if not (begin and end):
        raise ValueError(f"the text has no lines {block.begin} and {block.end} to put the table between")
    return f"{before}{begin}\n{text}\n{end}{after}"


def update(document: Path, results: Path) -> None:
    """Write the tables of the newest measurements into the file."""
    text = document.read_text(encoding="utf-8")
    for headline in HEADLINES:
        text = insert(text, headline, tables(headline, results))
    write_whole(document, text)


def _fastest(recording: Recording, operation: str, shape: str | None) -> dict[str, dict[int, float]]:
    """Return, for each library with a version, the time of its fastest way at each size."""
    times: dict[str, dict[int, float]] = {}
    for figure in recording["figures"]:
        library, bits, time_ns = figure["library"], figure["bits"], figure["median_ns"]
        same = (figure["operation"], figure.get("shape")) == (operation, shape)
        if same and library in recording["machine"]["libraries"]:
            sizes = times.setdefault(library, {})
            sizes[bits] = min(time_ns, sizes.get(bits, time_ns))
    return times


def _cell(times: dict[str, dict[int, float]], library: str, bits: int) -> str:
    if bits not in times[library]:
        return "–"
    text = format_seconds(times[library][bits] * 1e-9)
    best = min(sizes[bits] for sizes in times.values() if bits in sizes)
    return f"**{text}**" if times[library][bits] == best else text


def run(name: str, subject: str, update: Callable[[Path, Path], None], arguments: list[str]) -> int:
    """Call `update` with the two paths given, the subject and the results; print bad input as one line."""
    if len(arguments) != 2:
        print(f"usage: python -m monpro.results.{name} {subject} results", file=sys.stderr)
        return 2
    try:
        update(Path(arguments[0]), Path(arguments[1]))
    except (OSError, ValueError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    return 0


def main(arguments: list[str]) -> int:
    """Update the document given first from the results given second."""
    return run("headline", "docs/performance.md", update, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
