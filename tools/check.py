"""Check everything: format, lint, types, and the tests of both languages. `make test` runs it."""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IN_VENV = ROOT / ".venv" / "bin"


@dataclass(frozen=True)
class Step:
    """One check: a command that ends with status 0 where all is right."""

    title: str
    command: tuple[str, ...]
    rust_component: str | None = None
    speaks: bool = False  # its output says what was not checked, and is shown in any case
    # A command that succeeds where the check can be done, and what to do where it does not.
    possible_with: tuple[tuple[str, ...], str] | None = None


PYTHON = str(IN_VENV / "python")
RUFF = str(IN_VENV / "ruff")
RUST_WORKSPACES = ("Cargo.toml", "bench/Cargo.toml", "constant-time/Cargo.toml", "fuzz/Cargo.toml")
CARGO_FLAGS = ("--quiet", "--locked", "--workspace")

LINT = (
    *(
        Step(
            f"format of the Rust sources: {path}",
            ("cargo", "fmt", "--all", "--check", "--manifest-path", path),
            "rustfmt",
        )
        for path in RUST_WORKSPACES
    ),
    Step(
        "lint of the Rust sources",
        ("cargo", "clippy", *CARGO_FLAGS, "--all-targets", "--", "--deny", "warnings"),
        "clippy",
    ),
    Step("format of the Python sources", (RUFF, "format", "--quiet", "--check", ".")),
    Step("lint of the Python sources", (RUFF, "check", "--quiet", ".")),
    Step("types of the Python sources", (PYTHON, "-m", "mypy", "--no-error-summary")),
    Step("stub of the native module", (PYTHON, "-m", "mypy.stubtest", "--concise", "monpro._native")),
)
RUST_TESTS = Step(
    "tests of the Rust sources, documentation examples included",
    ("cargo", "test", *CARGO_FLAGS, "--exclude", "monpro-py"),
)
FULL = (
    Step(
        "values in GF(2^k) for k from 2 to 200, against NTL and OpenSSL where they are installed",
        (
            *("cargo", "run", "--quiet", "--release", "--locked", "--manifest-path", "bench/Cargo.toml"),
            *("--", "--race", "check"),
        ),
        speaks=True,
    ),
    Step(
        "a million products by every kernel",
        ("cargo", "test", *CARGO_FLAGS, "--exclude", "monpro-py", "--release", "--", "--ignored"),
    ),
    Step(
        "time and addresses without secrets, and their erasure",
        ("make", "--silent", "constant-time"),
        possible_with=(("valgrind", "--version"), "apt-get install valgrind"),
    ),
    Step(
        "modular exponentiation of odd inputs, against GMP",
        ("make", "--silent", "fuzz"),
        possible_with=(("c++", "-shared", "-lgmp", "-o", os.devnull), "apt-get install g++ libgmp-dev"),
    ),
)


def main() -> int:
    """Run the checks in turn up to the first that fails; 0 where all passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lint", action="store_true", help="format, lint and types only")
    parser.add_argument("--full", action="store_true", help="with the tests that take minutes")
    chosen = parser.parse_args()
    steps = LINT if chosen.lint else (*LINT, RUST_TESTS, *(FULL if chosen.full else ()))
    if not all(is_impossible_here(step) or passes(step) for step in steps):
        return 1
    return 0 if chosen.lint else run_pytest(full=chosen.full)


def is_impossible_here(step: Step) -> bool:
    """Whether a step lacks a program, or a component of Rust that cannot be added; then said loudly."""
    if step.possible_with is not None:
        command, remedy = step.possible_with
        possible = shutil.which(command[0]) is not None and execute(command, capture=True).returncode == 0
        if not possible:
            say_unchecked(step, f"{command[0]} fails", remedy)
        return not possible
    component = step.rust_component
    if component is None or has_component(component):
        return False
    if shutil.which("rustup"):
        remedy = f"rustup component add {component}"
        print(f"check: {remedy}", flush=True)
        execute(remedy.split(), capture=True)
        if has_component(component):
            return False
    else:
        remedy = f"install {component} from where the Rust toolchain came"
    say_unchecked(step, f"{component} is not installed", remedy)
    return True


def say_unchecked(step: Step, reason: str, remedy: str) -> None:
    """Say loudly that a step is left out."""
    print(f"check: NOT CHECKED: {step.title}: {reason} ({remedy})", file=sys.stderr, flush=True)


def has_component(component: str) -> bool:
    """Whether cargo finds rustfmt or clippy."""
    subcommand = {"rustfmt": "fmt", "clippy": "clippy"}[component]
    return execute(["cargo", subcommand, "--version"], capture=True).returncode == 0


def passes(step: Step) -> bool:
    """Run a step; what it printed is shown where it fails, or always has something to say."""
    print(f"check: {step.title} ... ", end="", flush=True)
    started = time.monotonic()
    ended = execute(step.command, capture=True)
    verdict = "ok" if ended.returncode == 0 else "FAILED"
    print(f"{verdict} ({time.monotonic() - started:.1f} s)", flush=True)
    if ended.returncode != 0 or step.speaks:
        print(ended.stdout, end="", flush=True)
    if ended.returncode != 0:
        print(f"check: failed: {' '.join(step.command)}", file=sys.stderr)
    return ended.returncode == 0


def run_pytest(*, full: bool) -> int:
    """Run the Python tests with their own output, last, so that their summary ends the run."""
    print("check: tests of the Python sources", flush=True)
    everything = ["-m", "", "--hypothesis-profile=full"] if full else []
    return execute([PYTHON, "-m", "pytest", "-q", *everything]).returncode


def execute(command: Sequence[str], *, capture: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a command in the root; pyo3 is built for the Python of the virtual environment."""
    environment = os.environ | {"PYO3_PYTHON": PYTHON}
    stdout, stderr = (subprocess.PIPE, subprocess.STDOUT) if capture else (None, None)
    return subprocess.run(
        command, cwd=ROOT, env=environment, check=False, text=True, stdout=stdout, stderr=stderr
    )


if __name__ == "__main__":
    sys.exit(main())
