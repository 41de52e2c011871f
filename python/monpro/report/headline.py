"""README's table of speeds, from the newest measurements that `make bench` recorded.

`python -m monpro.report.headline README.md results` writes it between README's markers.
"""

import json
import sys
from pathlib import Path
from typing import TypedDict

BEGIN = "<!-- headline:begin -->"
END = "<!-- headline:end -->"

TITLES = {
    "monmul": "Montgomery product",
    "monsqr": "Montgomery square",
    "modexp": "modular exponentiation, constant time",
    "modexp-vartime": "modular exponentiation, variable time",
}


class Figure(TypedDict):
    """What one operation took: the median over the rounds of a run."""

    operation: str
    bits: int
    library: str
    median_ns: float


class Machine(TypedDict):
    """Where and with what a run measured."""

    cpu: str
    rustc: str
    date: str
    libraries: dict[str, str]


class Recording(TypedDict):
    """The parts of a `bench.json` that the table shows."""

    machine: Machine
    rounds: int
    figures: list[Figure]


def newest(results: Path) -> Path:
    """Return the latest recorded `bench.json` under the folder; ValueError where there is none."""
    recorded = sorted(results.glob("*/bench.json"), key=lambda path: (_read(path)["machine"]["date"], path))
    if not recorded:
        raise ValueError(f"no measurements are recorded under {results}: record some with bench's --record")
    return recorded[-1]


def headline(recorded: Path) -> str:
    """Return the Markdown table of a `bench.json`: each library's fastest way, the best of each size bold."""
    recording = _read(recorded)
    machine, figures = recording["machine"], recording["figures"]
    sizes = sorted({figure["bits"] for figure in figures})
    lines = [
        "| | " + " | ".join(f"{bits} bits" for bits in sizes) + " |",
        "|---|" + "---:|" * len(sizes),
    ]
    for operation, title in TITLES.items():
        same = [figure for figure in figures if figure["operation"] == operation]
        for library in dict.fromkeys(figure["library"] for figure in same):
            cells = " | ".join(_cell(same, library, bits) for bits in sizes)
            lines.append(f"| {title}: {library} {machine['libraries'][library]} | {cells} |")
    compiler = " ".join(machine["rustc"].split()[:2])
    lines += [
        "",
        f"One core of {machine['cpu']}, {compiler}, {machine['date']}. Each library's fastest way; medians",
        f"of {recording['rounds']} rounds that ran all of them in turn. Every figure is in",
        f"`{'/'.join(recorded.parts[-3:])}`.",
    ]
    return "\n".join(lines)


def insert(readme: str, table: str) -> str:
    """Return the text with the table between its markers; ValueError where it lacks them."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the text has no lines {BEGIN} and {END} to put the table between")
    return f"{before}{begin}\n{table}\n{end}{after}"


def update(readme: Path, results: Path) -> None:
    """Write the table of the newest measurements into the file."""
    text = insert(readme.read_text(encoding="utf-8"), headline(newest(results)))
    beside = readme.with_suffix(".partial")
    beside.write_text(text, encoding="utf-8")
    beside.replace(readme)


def _read(recorded: Path) -> Recording:
    recording: Recording = json.loads(recorded.read_text(encoding="utf-8"))
    return recording


def _cell(figures: list[Figure], library: str, bits: int) -> str:
    fastest: dict[str, float] = {}
    for figure in figures:
        if figure["bits"] == bits:
            time_ns = figure["median_ns"]
            fastest[figure["library"]] = min(time_ns, fastest.get(figure["library"], time_ns))
    if library not in fastest:
        return "–"
    text = _duration(fastest[library])
    return f"**{text}**" if fastest[library] == min(fastest.values()) else text


def _duration(time_ns: float) -> str:
    """Write a time with three digits and the unit that suits it."""
    value, unit = time_ns, "ns"
    for larger in ("µs", "ms", "s"):
        if value < 999.5:
            break
        value, unit = value / 1000, larger
    decimals = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{decimals}f} {unit}"


def main(arguments: list[str]) -> int:
    """Update the README given first from the results given second."""
    if len(arguments) != 2:
        print("usage: python -m monpro.report.headline README.md results", file=sys.stderr)
        return 2
    try:
        update(Path(arguments[0]), Path(arguments[1]))
    except (OSError, ValueError) as error:
        print(f"headline: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
