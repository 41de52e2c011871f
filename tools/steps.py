"""Run checks side by side, with the needs of each one, its output if it fails, and its time."""

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import setup
from setup import ROOT, VENV_PYTHON

NO = {"", "0", "false", "no", "off"}
_speaking = threading.Lock()  # one step prints at a time
_bringing = threading.Lock()  # one program installs at a time


@dataclass(frozen=True)
class Need:
    """Something that a step cannot run without, and the command that installs it.

    A remedy that begins with `rustup` or `apt-get install` is tried; any other is only printed.
    """

    name: str
    is_met: Callable[[], bool]
    remedy: str


@dataclass(frozen=True)
class Step:
    """One check: a command that ends with status 0 if all is right."""

    title: str
    command: tuple[str, ...]
    needs: tuple[Need, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    speaks: bool = False  # its output names what was not compared, and is always shown


def is_strict(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether a check that cannot run here is a failure: STRICT decides or, if not set, CI."""
    asked = environment.get("STRICT", environment.get("CI", ""))
    return asked.strip().lower() not in NO


def all_pass(chains: Sequence[Sequence[Step]], *, strict: bool, workers: int) -> bool:
    """Run chains of steps side by side, the steps of one chain in turn; return whether all passed.

    After a failure no further step starts, and the running ones end first.
    """
    stopped = threading.Event()

    def run_chain(chain: Sequence[Step]) -> bool:
        for step in chain:
            if stopped.is_set():
                return False
            if not passes(step, strict=strict):
                stopped.set()
                return False
        return True

    with ThreadPoolExecutor(workers) as pool:
        return all(list(pool.map(run_chain, chains)))


def passes(step: Step, *, strict: bool) -> bool:
    """Run a step and return whether it passed; say loudly if it cannot run, which fails if `strict`."""
    for need in step.needs:
        if not bring(need):
            say(f"NOT CHECKED: {step.title}: {need.name} is not there ({need.remedy})", loudly=True)
            return not strict
    say(f"{step.title} ...")
    started = time.monotonic()
    ended = execute(step.command, step.environment)
    took = f"{time.monotonic() - started:.1f} s"
    if ended.returncode != 0:
        shown = " ".join(step.command)
        say(f"{step.title}: FAILED ({took})\n{ended.stdout.rstrip()}\ncheck: failed: {shown}", loudly=True)
        return False
    counted = tests_in(ended.stdout)
    say(f"{step.title}: ok ({f'{counted} tests, ' if counted else ''}{took})")
    if step.speaks:
        say(ended.stdout.rstrip())
    for line in not_run(ended.stdout):
        say(line, loudly=True)
    return True


def tests_in(output: str) -> int:
    """Return the number of passed tests in the output of `cargo test`."""
    return sum(int(count) for count in re.findall(r"^test result: ok\. (\d+) passed", output, re.MULTILINE))


def not_run(output: str) -> list[str]:
    """Return the lines in which tests name what they left out, as on a CPU without the instructions."""
    return [line.strip() for line in output.splitlines() if re.search(r"\b(?:NOT RUN|SKIPPED)\b", line)]


def bring(need: Need) -> bool:
    """Return whether a need is met; if it is not at first, try its remedy."""
    with _bringing:
        if need.is_met():
            return True
        program, *arguments = need.remedy.split()
        if program == "rustup" and shutil.which(program):
            say(need.remedy)
            execute((program, *arguments))
        elif program == "apt-get":
            setup.apt_install(*arguments[1:])
        else:
            return False
        return need.is_met()


def succeeds(*command: str) -> Callable[[], bool]:
    """Return a function that tells whether a command runs here and ends with status 0."""

    def is_success() -> bool:
        try:
            return shutil.which(command[0]) is not None and execute(command).returncode == 0
        except OSError:  # a program of another CPU
            return False

    return is_success


def say(message: str, *, loudly: bool = False) -> None:
    """Print a message without interruption by other steps."""
    with _speaking:
        print(f"check: {message}", file=sys.stderr if loudly else sys.stdout, flush=True)


def execute(
    command: Sequence[str], environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in the root and capture its output; pyo3 is built for the Python of `.venv`."""
    told = {"PYO3_PYTHON": str(VENV_PYTHON), "STRICT": str(int(is_strict()))}
    return subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | told | dict(environment or {}),
        check=False,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
