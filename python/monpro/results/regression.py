"""What became slower between two recordings on one CPU.

`python -m monpro.results.regression OLD NEW` compares two folders of results/: every operation of monpro that
both recorded. Libraries of the same version say how much slower the machine was; an operation counts as
slower if it is so by more than the margin both in itself and beside them. The exit status is 1 if any is.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from monpro.results.recording import Figure, Recording, read

OURS = "monpro"
MARGIN = 0.05

Key = tuple[str, int, str, str, str]  # operation, bits, shape, library, engine


@dataclass(frozen=True)
class Slower:
    """An operation of monpro that takes more cycles than before."""

    file: str
    key: Key
    ratio: float
    others: float

    def __str__(self) -> str:
        """Return one line."""
        operation, bits, shape, _, engine = self.key
        what = " ".join(word for word in (operation, f"{bits} bits", shape, engine) if word)
        times = f"{self.ratio:.2f} of the cycles before, other libraries {self.others:.2f}"
        return f"{self.file}: {what}: {times}"


def slower(old: Path, new: Path, margin: float = MARGIN) -> list[Slower]:
    """Return what became slower; ValueError if the folders have no figures in common or are of two CPUs."""
    found: list[Slower] = []
    compared = 0
    for path in sorted(new.glob("*.json")):
        if not (old / path.name).is_file():
            continue
        before, after = read(old / path.name), read(path)
        if not all("figures" in set(recording) for recording in (before, after)):
            continue  # it is of no race
        if before["machine"]["cpu"] != after["machine"]["cpu"]:
            raise ValueError(f"{old} and {new} are of different CPUs")
        ratios = _ratios(before, after)
        compared += len(ratios)
        found += _slower_in(path.name, ratios, margin)
    if not compared:
        raise ValueError(f"{old} and {new} have no figures in common")
    return found


def _slower_in(file: str, ratios: dict[Key, float], margin: float) -> Iterator[Slower]:
    """Yield what is slower in one file; where no other library was raced, the machine counts as unchanged."""
    for key, ratio in ratios.items():
        if key[3] == OURS:
            others = median(_of_others(ratios, key) or [1.0])
            if min(ratio, ratio / others) > 1 + margin:
                yield Slower(file, key, ratio, others)


def _of_others(ratios: dict[Key, float], key: Key) -> list[float]:
    """Return the ratios of other libraries at the same operation, size and shape."""
    return [ratio for other, ratio in ratios.items() if other[:3] == key[:3] and other[3] != OURS]


def _ratios(before: Recording, after: Recording) -> dict[Key, float]:
    """Return the cycles after over those before, of monpro and of the libraries whose version is the same."""
    versions = [recording["machine"]["libraries"] for recording in (before, after)]
    same = {name for name in versions[0] if versions[0][name] == versions[1].get(name)} | {OURS}
    old = {_key(figure): figure["median_cycles"] for figure in before["figures"]}
    new = {_key(figure): figure["median_cycles"] for figure in after["figures"]}
    return {key: new[key] / old[key] for key in new if key in old and key[3] in same}


def _key(figure: Figure) -> Key:
    shape = figure.get("shape", "")
    return figure["operation"], figure["bits"], shape, figure["library"], figure["engine"]


def main(arguments: list[str]) -> int:
    """Print what became slower from the first folder to the second; return 1 if anything did."""
    if len(arguments) != 2:
        print("usage: python -m monpro.results.regression OLD NEW", file=sys.stderr)
        return 2
    try:
        found = slower(Path(arguments[0]), Path(arguments[1]))
    except (OSError, ValueError) as error:
        print(f"regression: {error}", file=sys.stderr)
        return 2
    for row in found:
        print(row)
    if not found:
        print(f"nothing of monpro became slower by more than {MARGIN:.0%}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
