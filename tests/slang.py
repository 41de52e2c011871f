"""The verdict of slang, which follows the SystemVerilog standard strictly."""

import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

LACKING = "this machine lacks a tool: pyslang is not installed: make setup"


def accepts(module: str, files: Iterable[Path], parameters: Mapping[str, str] = {}) -> bool:
    """Return whether slang elaborates a module without an error or a warning; it prints its complaints."""
    slang = pytest.importorskip("pyslang.driver", reason=LACKING)
    driver = slang.Driver()
    driver.addStandardArgs()
    values = [f"-G{name}={value}" for name, value in parameters.items()]
    command = ["slang", "-Werror", "--top", module, *values, *map(str, files)]
    assert driver.parseCommandLine(shlex.join(command))
    parsed = driver.processOptions() and driver.parseAllSources()
    return parsed and bool(driver.runFullCompilation(quiet=True))
