"""Mutation testing of the Rust crates, by cargo-mutants: all files, some, or a random sample in a fixed time.

A sample is one of the files that are triaged: all their survivors are known.

`.cargo/mutants.toml` says what is mutated and how it is tested. A survivor that `tests/survivors.toml` does
not explain is a failure: write the test that it escapes, or the reason why it may live.
"""

import argparse
import collections
import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from ports import AVX512_IN_SOFTWARE, cpu_has
from setup import ROOT

OUTPUT = ROOT / "target" / "mutants"
SURVIVORS = ROOT / "tests" / "survivors.toml"
VERDICTS = ("caught", "missed", "timeout", "unviable")
MINUTE = 60
SECONDS_TO_STOP = 60
ENDED = (0, 2, 3)  # all caught, missed, timed out


def without_place(mutant: str) -> str:
    """Return the name of a mutant without its line and column, which change with every edit."""
    return re.sub(r":\d+:\d+(?=: )", "", mutant)


def accepted() -> dict[str, str]:
    """Return the accepted survivors with their reasons."""
    entries = tomllib.loads(SURVIVORS.read_text()).get("survivor", [])
    return {entry["mutant"]: entry["reason"] for entry in entries}


def triaged() -> list[str]:
    """Return the files all of whose survivors are accepted ones."""
    return list(tomllib.loads(SURVIVORS.read_text())["triaged"])


def others(files: Collection[str]) -> list[str]:
    """Return the sources beside these files.

    They are what a run of these files has to exclude: `--file` restricts nothing, since cargo-mutants 27
    adds it to the files of the configuration.
    """
    sources = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("crates/*/src/**/*.rs")}
    return sorted(sources.difference(files))


def environment() -> dict[str, str]:
    """Return the environment of cargo-mutants: a CPU without AVX-512 tests the engines for it in software."""
    in_software = cpu_has("avx2", "bmi2", "fma") and not cpu_has("avx512ifma", "gfni", "vpclmulqdq")
    return {**os.environ, **({"RUSTFLAGS": AVX512_IN_SOFTWARE} if in_software else {})}


def run(minutes: float | None, arguments: list[str]) -> int:
    """Run cargo-mutants, for at most so many minutes; return its status, or 0 if it was stopped."""
    command = ["cargo", "mutants", "--output", str(OUTPUT), "--no-times", "--shuffle", *arguments]
    # A shell's background programs ignore interrupts, and so would cargo.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(command, cwd=ROOT, env=environment()) as process:
        try:
            return process.wait(None if minutes is None else minutes * MINUTE)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            process.wait(SECONDS_TO_STOP)
            return 0  # its own status depends on what it was doing


def verdicts(folder: Path) -> dict[str, list[str]]:
    """Return the mutants that were tested, by verdict."""
    return {name: (folder / f"{name}.txt").read_text().splitlines() for name in VERDICTS}


def report(tested: dict[str, list[str]]) -> None:
    """Print how many mutants of each file had each verdict."""
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for verdict, mutants in tested.items():
        for mutant in mutants:
            counts[mutant.partition(":")[0]][verdict] += 1
    for path, of_path in sorted(counts.items()):
        print(f"{path}: " + ", ".join(f"{of_path[verdict]} {verdict}" for verdict in VERDICTS))
    print("all: " + ", ".join(f"{len(tested[verdict])} {verdict}" for verdict in VERDICTS))


def complaints(tested: dict[str, list[str]], reasons: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong: survivors without a reason, and a run that tested nothing."""
    for mutant in tested["missed"]:
        if without_place(mutant) not in reasons:
            yield f"survived: {mutant}: write a test, or a reason in tests/survivors.toml"
    if not any(tested.values()):
        yield "no mutant was tested: give more minutes"


def main() -> int:
    """Test the mutants; return 0 if every survivor is explained."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, help="a sample of the triaged files in this time")
    parser.add_argument("--file", action="append", metavar="PATH", help="this file alone; may be repeated")
    chosen, arguments = parser.parse_known_args()
    files = chosen.file or (None if chosen.minutes is None else triaged())
    if files is not None:
        arguments += [word for path in others(files) for word in ("--exclude", path)]
    status = run(chosen.minutes, arguments)
    if status not in ENDED:
        print(f"mutants: cargo-mutants ended with status {status}: see the lines above", file=sys.stderr)
        return 1
    tested = verdicts(OUTPUT / "mutants.out")
    report(tested)
    wrong = list(complaints(tested, accepted()))
    for line in wrong:
        print(f"mutants: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
