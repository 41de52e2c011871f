"""`monpro doctor`: what it finds, what it says of what is missing, and when it fails."""

import dataclasses
from functools import partial
from typing import Any
from unittest.mock import Mock

import pytest

import monpro
from conftest import Cli
from monpro.cli import doctor
from monpro.engines import kernel_engines
from monpro.flow import tools


def found(cli: Cli, group: str) -> dict[str, Any]:
    """Return the findings of a group by their names."""
    findings = cli.json("doctor")["findings"]
    return {finding["name"]: finding for finding in findings if finding["group"] == group}


def test_it_finds_what_is_here(cli: Cli) -> None:
    answer = cli.json("doctor")
    assert answer["healthy"] is True
    assert answer["machine"]["monpro"] == monpro.__version__
    kernels = [kernel for kernel in monpro.kernels() if kernel.ring == "integers"]
    here = sum(kernel.available for kernel in kernels)
    library = found(cli, "library")
    assert library["kernels, the integers"]["found"] == f"{here} of {len(kernels)} run here"
    assert {"typer", "rich", "matplotlib", "jinja2"} <= set(found(cli, "packages"))
    assert {tool.program for tool in tools.TOOLS.values()} == set(found(cli, "programs"))
    status, output, errors = cli("doctor")
    assert (status, errors) == (0, "")
    assert max(map(len, output.splitlines())) <= 100


def test_what_is_missing_has_the_command_that_gets_it(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    absent = tools.Tool("yosys", "no-such-program", (), "apt-get install yosys", "synth")
    monkeypatch.setitem(tools.TOOLS, "yosys", absent)
    old = tools.Tool("z3", "z3", (99,), "apt-get install z3", "proofs")
    monkeypatch.setitem(tools.TOOLS, "z3", old)
    monkeypatch.setattr("importlib.metadata.requires", lambda _: ["absent>=1; extra == 'lab'"])
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/cache")
    programs = found(cli, "programs")
    assert programs["no-such-program"]["remedy"] == "apt-get install yosys"
    assert not programs["no-such-program"]["right"]
    assert programs["z3"]["remedy"] == "apt-get install z3"
    assert found(cli, "packages")["absent"]["remedy"] == "pip install 'monpro[lab]'"
    assert "XDG_CACHE_HOME" in found(cli, "places")["cache of builds"]["remedy"]
    status, output, _ = cli("doctor")
    assert status == 0, "none of these is needed"
    assert "apt-get install yosys" in output


def test_a_kernel_that_computes_wrong_fails_it(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for ring in ("integers", "gf2"):
        right = next(engine for engine in kernel_engines() if engine.ring == ring)
        power = Mock(return_value=-1)
        wrong = dataclasses.replace(right, power=power)
        monkeypatch.setattr(doctor, "kernel_engines", partial(list, [wrong]))
        status, output, _ = cli("doctor")
        assert status == 1
        assert f"WRONG: {right.name}" in output
