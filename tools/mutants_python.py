"""Change `spec`, `cores` and `report` by one small fault at a time, and name the faults that no test sees.

cosmic-ray changes a module in a copy of the sources below target/, and runs the tests that mirror it. A
fault that survives and is not in tests/survivors_python.toml fails the run. All faults take hours;
`--minutes` tries random faults for so long, in the modules that are triaged: all their survivors are known.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from setup import ROOT, SetupError, run

PACKAGE = ROOT / "python" / "monpro"
SUBPACKAGES = ("spec", "cores", "report")
# Where the lines of a drawing stand: a test sees that a drawing changed, and people look at it.
DRAWINGS = ("report/draw/*", "report/kuang16/figure*", "report/koc96/figure*", "report/koc97/figure1.py")
LOCK = ROOT / "requirements" / "mutation.txt"
TOOLS = ROOT / "target" / "mutation-tools"
FOLDER = ROOT / "target" / "mutants-python"
SURVIVORS = ROOT / "tests" / "survivors_python.toml"
READ_BY_TESTS = ("PAPERS.toml", "README.md", "docs", "results", "rtl")
# Without conftest.py and its imports, which these tests do not use, pytest starts four times as fast.
PYTEST = (
    "-m pytest",
    "-x",
    "-q",
    "--noconftest",
    "-p no:cacheprovider",
    "-p no:hypothesispytest",
    "-p no:xdist",
)
SLOW_FILES = "test_cores or test_cycles"
TIMEOUT = 60  # seconds for one test, after which a mutant counts as one that never ends
SLICE = 30  # seconds for a module of a sample
# One other operator for each operator, instead of the ten others.
OPERATORS = (
    *("Add_Sub", "Sub_Add", "Mul_Add", "Div_Mul", "FloorDiv_Mul", "Mod_FloorDiv", "Pow_Mul"),
    *("LShift_RShift", "RShift_LShift", "BitAnd_BitOr", "BitOr_BitXor", "BitXor_BitOr"),
)
COMPARISONS = (
    "Lt_LtE",
    "LtE_Lt",
    "Gt_GtE",
    "GtE_Gt",
    "Eq_NotEq",
    "NotEq_Eq",
    "Is_IsNot",
    "IsNot_Is",
    "In_NotIn",
)
LINES = ("function", "line", "mutant")  # what an accepted entry may say beside the modules and the reason
SETTINGS = """
[cosmic-ray]
module-path = {module}
timeout = 3600.0 # of the tests of one mutant; pytest ends a single test much earlier
excluded-modules = []
test-command = {command}
distributor = {{ name = "local" }}
"""


@dataclass(frozen=True)
class Mutant:
    """One fault: where it is, the lines before and after without indentation, and what became of it."""

    module: str
    function: str
    line: str
    mutant: str
    state: str

    def is_accepted(self, entries: list[dict[str, str]]) -> bool:
        """Return whether an entry of the accepted list fits: all that it says of the fault is true."""
        return any(
            fnmatchcase(self.module, entry["module"])
            and all(entry.get(key, getattr(self, key)) == getattr(self, key) for key in LINES)
            for entry in entries
        )


def main() -> int:
    """Try the faults; return 0 if every survivor is accepted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="module", help="as spec/koc96.py or spec; else all")
    parser.add_argument("--minutes", type=float, help="try a sample for so long")
    chosen = parser.parse_args()
    try:
        known = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))
        modules = modules_within(
            chosen.modules or (known["triaged"] if chosen.minutes else list(SUBPACKAGES))
        )
        install_cosmic_ray()
        prepare()
        for subpackage in sorted({module.split("/")[0] for module in modules}):
            require_passing(f"tests/{subpackage}")
        mutants = sample(modules, 60 * chosen.minutes) if chosen.minutes else list(every(modules))
        return 0 if judge(mutants, known["survivor"]) else 1
    except SetupError as error:
        print(f"mutants-python: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def modules_within(names: list[str]) -> list[str]:
    """Return the modules, as paths in the package, that are or lie below one of these names."""
    modules = [
        path.relative_to(PACKAGE)
        for name in names
        for path in sorted([PACKAGE / name] if name.endswith(".py") else (PACKAGE / name).rglob("*.py"))
        if path.is_file()
    ]
    chosen = [module.as_posix() for module in modules if not any(map(module.match, DRAWINGS))]
    if not chosen or {module.split("/")[0] for module in chosen} - set(SUBPACKAGES):
        raise SetupError(f"no modules of {', '.join(SUBPACKAGES)}: {' '.join(names)}")
    return chosen


def every(modules: list[str]) -> Iterator[Mutant]:
    """Try every fault of these modules."""
    for module in modules:
        yield from try_faults(module)


def sample(modules: list[str], seconds: float) -> list[Mutant]:
    """Try random faults of random modules, the larger ones more often."""
    ends = time.monotonic() + seconds
    sizes = [(PACKAGE / module).stat().st_size for module in modules]
    mutants: list[Mutant] = []
    while (left := ends - time.monotonic()) > 0:
        [module] = random.choices(modules, sizes)  # noqa: S311 - which faults are tried is no secret
        mutants += [fault for fault in try_faults(module, min(SLICE, left)) if fault.state != "not run"]
    return mutants


def try_faults(module: str, seconds: float | None = None) -> Iterator[Mutant]:
    """Try the faults of a module in random order, as many as the time allows; yield each with its end."""
    settings, session = (FOLDER / f"{module.replace('/', '.')}{ending}" for ending in (".toml", ".sqlite"))
    texts = {"module": json.dumps(f"monpro/{module}"), "command": json.dumps(test_command(module))}
    settings.write_text(SETTINGS.format(**texts), encoding="utf-8")
    session.unlink(missing_ok=True)
    cosmic_ray("init", settings, session)
    keep_one_operator(session)
    cosmic_ray("exec", settings, session, seconds=seconds)
    for line in cosmic_ray("dump", session).splitlines():
        item, result = json.loads(line)
        yield mutant_of(module, item["mutations"][0], result)


def keep_one_operator(session: Path) -> None:
    """Leave, of the faults that replace an operator, those of OPERATORS and COMPARISONS."""
    kept = [f"core/ReplaceBinaryOperator_{name}" for name in OPERATORS]
    kept += [f"core/ReplaceComparisonOperator_{name}" for name in COMPARISONS]
    with sqlite3.connect(session) as database:
        database.execute(
            "DELETE FROM mutation_specs WHERE operator_name GLOB 'core/Replace[BC]*Operator_*'"
            " AND operator_name NOT IN (SELECT value FROM json_each(?))",
            [json.dumps(kept)],
        )
        database.execute("DELETE FROM work_items WHERE job_id NOT IN (SELECT job_id FROM mutation_specs)")
    database.close()


def test_command(module: str) -> str:
    """Return the command that tests a module: the tests named after it first, then all of its subpackage.

    Of the two files that multiply by all cores, which takes minutes, a core's own file is tested by the tests
    that name the core, or in their names all architectures or configurations.
    """
    subpackage, *_, name = module.removesuffix(".py").split("/")
    tests = ROOT / "tests" / subpackage
    folder = tests / module.split("/")[1]
    mirrors = [folder] if folder.is_dir() else sorted(tests.glob(f"test_{name}*.py"))
    options = [f"-o faulthandler_timeout={TIMEOUT}", "-o faulthandler_exit_on_timeout=true"]
    core = name.removesuffix("_array")
    if subpackage == "cores" and f'"{core}",' in (PACKAGE / "cores" / "__init__.py").read_text(
        encoding="utf-8"
    ):
        named = f"{core} or {core.replace('_', '-')} or architectures or configurations"
        options.append(f"-k 'not ({SLOW_FILES}) or {named}'")
    paths = [path.relative_to(ROOT).as_posix() for path in (*mirrors, tests)]
    return " ".join([sys.executable, *PYTEST, *options, *paths])


def mutant_of(module: str, mutation: dict[str, Any], result: dict[str, Any] | None) -> Mutant:
    """Return a fault as its lines, read from the difference that it makes."""
    diff = result["diff"] if result else ""
    changed = [line for line in diff.splitlines() if re.match(r"[-+](?![-+]{2} )", line)]
    before, after = (
        " ".join(line[1:].strip() for line in changed if line[0] == sign).strip() for sign in "-+"
    )
    state = (result["test_outcome"] or result["worker_outcome"]) if result else "not run"
    if result and "Timeout (" in (result["output"] or ""):
        state = "timed out"
    return Mutant(module, mutation["definition_name"] or "", before, after, state)


def judge(mutants: list[Mutant], accepted: list[dict[str, str]]) -> bool:
    """Print the counts and the survivors that are not accepted; return whether all is well."""
    survivors = [mutant for mutant in mutants if mutant.state not in {"killed", "timed out", "not run"}]
    open_cases = [mutant for mutant in survivors if not mutant.is_accepted(accepted)]
    for subpackage in SUBPACKAGES:
        states = Counter(mutant.state for mutant in mutants if mutant.module.startswith(f"{subpackage}/"))
        if states:
            counts = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
            print(f"mutants-python: {subpackage}: {states.total()} mutants: {counts}")
    for mutant in open_cases:
        print(
            f"SURVIVED: {mutant.module}: {mutant.function}: {mutant.state}",
            f"  - {mutant.line}",
            f"  + {mutant.mutant}",
            sep="\n",
        )
    if not mutants:
        print("mutants-python: no fault was tried: give more minutes")
    return bool(mutants) and not open_cases


def prepare() -> None:
    """Copy the sources, the tests and what these read into an empty folder, for cosmic-ray to change."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    unwanted = shutil.ignore_patterns("__pycache__")
    for source in (PACKAGE, ROOT / "tests", *(ROOT / name for name in READ_BY_TESTS)):
        if source.is_dir():
            shutil.copytree(source, FOLDER / source.name, ignore=unwanted)
        else:
            shutil.copyfile(source, FOLDER / source.name)
    shutil.copyfile(ROOT / "pyproject.toml", FOLDER / "pyproject.toml")


def require_passing(tests: str) -> None:
    """Run tests in the copy without a fault: where they fail, every fault would seem to be noticed."""
    command = " ".join([sys.executable, *PYTEST, tests])
    process = subprocess.run(
        command.split(), cwd=FOLDER, env=environment(), stdout=subprocess.PIPE, text=True, check=False
    )
    if process.returncode != 0:
        last = "\n".join(process.stdout.splitlines()[-10:])
        raise SetupError(f"the tests fail without a fault: mend them first: {tests}\n{last}")


def environment() -> dict[str, str]:
    """Return the variables for a command in the copy: Python finds there what it finds in this checkout.

    With CI set, hypothesis draws the same examples each time and gives them all the time that they take:
    a busy machine would otherwise seem to notice a fault.
    """
    path = os.pathsep.join(map(str, [FOLDER, FOLDER / "tests", ROOT / "tools", ROOT / "proofs"]))
    return os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "CI": "1"}


def install_cosmic_ray() -> None:
    """Install the packages of requirements/mutation.txt in an environment of their own."""
    stamp = TOOLS / LOCK.name
    if stamp.exists() and stamp.read_bytes() == LOCK.read_bytes():
        return
    print("mutants-python: installing the tools of requirements/mutation.txt (once)", flush=True)
    run([sys.executable, "-m", "venv", "--clear", TOOLS], "the environment of the tools could not be made")
    pip: list[str | Path] = [
        TOOLS / "bin" / "pip",
        "install",
        "--quiet",
        "--require-hashes",
        "--requirement",
        LOCK,
    ]
    run(pip, "cosmic-ray could not be installed (is the network there?)")
    shutil.copyfile(LOCK, stamp)


def cosmic_ray(verb: str, *arguments: str | Path, seconds: float | None = None) -> str:
    """Run cosmic-ray in the copy, for so long at most; return what it printed."""
    process = subprocess.Popen(
        [TOOLS / "bin" / "cosmic-ray", verb, *arguments],
        cwd=FOLDER,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        printed, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        process.communicate()
        return ""
    if process.returncode != 0:
        raise SetupError(f"`cosmic-ray {verb}` failed: {printed.strip()}")
    return printed


if __name__ == "__main__":
    sys.exit(main())
