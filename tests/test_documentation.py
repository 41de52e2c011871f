"""The examples of the documentation run."""

import doctest
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest

import monpro

ROOT = Path(__file__).resolve().parents[1]
MODULES = ["monpro", *(module.name for module in pkgutil.walk_packages(monpro.__path__, "monpro."))]


@pytest.mark.parametrize("name", [name for name in MODULES if name != "monpro.__main__"])
def test_the_examples_of_docstrings(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_the_package_has_examples() -> None:
    assert doctest.testmod(monpro).attempted >= 4


def test_the_python_examples_of_the_readme() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        names: dict[str, object] = {}
        for line in block.splitlines():
            code, _, comment = line.partition("#")
            if result := re.match(r"\s*(-?\d+);", comment):  # an expression and its value
                assert eval(code, names) == int(result[1]), line  # noqa: S307  (our own document)
            else:
                exec(code, names)  # noqa: S102  (our own document)


def test_the_targets_that_the_readme_names_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    named = set(re.findall(r"(?:`|^)make ([a-z-]+)", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert {"demo", "test"} <= named
    for target in named:
        assert re.search(rf"^{target}:.*## \S", makefile, re.MULTILINE), target


def test_continuous_integration_runs_the_test_command_and_nothing_else() -> None:
    script = ROOT / ".ci" / "run"
    commands = [line for line in script.read_text().splitlines() if line and not line.startswith("#")]
    assert commands == ['cd "$(dirname "${BASH_SOURCE[0]}")/.." && exec make test']
    assert script.stat().st_mode & 0o111
