"""Engines of other packages, found through the entry points of real distributions."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from monpro.engines import Engine, engines, find_engine, kernel_engines, outside_engines

SOURCE = """
from monpro.engines import Engine

def engine(name):
    return Engine(
        name=name, paper="", kind="python", ring="integers", radix_bits=30, bound="x < n",
        available=True, reason=None,
        supports=lambda n: True, example_modulus=lambda bits: (1 << bits) - 1,
        power=lambda x, e, n, *, method=None: pow(x, e, n),
    )

def engines():
    return [engine("pythons"), engine("pythons-too")]

def fails():
    raise OSError("no device:\\nthe driver is missing")

def offers_a_number():
    return [7]

def offers_the_name_of_a_kernel():
    return [engine("cios")]

def offers_a_name_twice():
    return [engine("twin"), engine("twin")]
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder on Python's path with a distribution of engines, good and bad ones."""
    (tmp_path / "of_somebody.py").write_text(SOURCE)
    folder = tmp_path / "engines_of_somebody-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: engines-of-somebody\nVersion: 1.0\n")
    functions = {
        "good": "of_somebody:engines",
        "failing": "of_somebody:fails",
        "cios": "of_somebody:offers_the_name_of_a_kernel",
        "number": "of_somebody:offers_a_number",
        "twins": "of_somebody:offers_a_name_twice",
        "nowhere": "of_nobody:engines",
        "misspelt": "of_somebody:engine_s",
    }
    lines = [f"{name} = {function}\n" for name, function in functions.items()]
    (folder / "entry_points.txt").write_text("[monpro.engines]\n" + "".join(lines))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "of_somebody", raising=False)
    return tmp_path


def by_name(found: list[Engine]) -> dict[str, Engine]:
    assert len({engine.name for engine in found}) == len(found)
    return {engine.name: engine for engine in found}


@pytest.mark.usefixtures("install")
def test_engines_of_another_package_are_listed_and_found() -> None:
    found = by_name(engines())
    assert found.keys() >= {"pythons", "pythons-too"} | {engine.name for engine in kernel_engines()}
    assert found["cios"].kind == "kernel"
    engine = find_engine("pythons", "integers")
    assert (engine.kind, engine.available) == ("python", True)
    assert engine.power(3, 200, 1000) == pow(3, 200, 1000)


@pytest.mark.usefixtures("install")
def test_what_cannot_be_had_is_an_engine_that_says_why() -> None:
    found = by_name(outside_engines({"cios"}))
    origin = "could not be had from engines-of-somebody"
    reasons = {
        "failing": f"{origin} (of_somebody:fails): OSError: no device: the driver is missing",
        "number": f"{origin} (of_somebody:offers_a_number): it offers 7, which is not an Engine",
        "of_somebody:offers_the_name_of_a_kernel": (
            f"{origin} (of_somebody:offers_the_name_of_a_kernel): it offers a second engine named cios"
        ),
        "twins": f"{origin} (of_somebody:offers_a_name_twice): it offers a second engine named twin",
        "nowhere": f"{origin} (of_nobody:engines): ModuleNotFoundError: No module named 'of_nobody'",
    }
    assert {name: found[name].reason for name in reasons} == reasons
    assert str(found["misspelt"].reason).startswith(f"{origin} (of_somebody:engine_s): AttributeError: ")
    unusable = [engine for engine in found.values() if not engine.available]
    assert len(unusable) == len(reasons) + 1
    for engine in unusable:
        assert not engine.takes_size(64)
        with pytest.raises(ValueError, match=r"^engine .* does not run here: it could not be had from"):
            engine.power(2, 3, 7)


def test_without_such_packages_there_are_no_other_engines() -> None:
    assert outside_engines(set()) == []


def run(folder: Path, engine: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "monpro", "pow", "--base", "3", "--exp", "200", "--mod", "1000"]
    environment = os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run(
        [*command, "--engine", engine], capture_output=True, text=True, check=False, env=environment
    )


def test_the_command_line_computes_with_them(install: Path) -> None:
    ended = run(install, "pythons")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "1\n", "")


def test_the_command_line_says_in_a_line_what_is_wrong_with_one(install: Path) -> None:
    ended = run(install, "failing")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.count("\n") == 1
    assert "engine failing does not run here: it could not be had from engines-of-somebody" in ended.stderr
