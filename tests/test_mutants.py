"""Mutation testing fails for a survivor without a reason, and each accepted survivor has one."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

import mutants

ROOT = Path(__file__).parents[1]
MUTANT = "crates/monpro/src/power.rs:42:5: replace binary_vartime -> Cells with Default::default()"
NAME = "crates/monpro/src/power.rs: replace binary_vartime -> Cells with Default::default()"


def verdicts_of(folder: Path, **mutants_of: str) -> dict[str, list[str]]:
    for verdict in mutants.VERDICTS:
        (folder / f"{verdict}.txt").write_text(mutants_of.get(verdict, ""))
    return mutants.verdicts(folder)


def test_a_survivor_without_a_reason_is_a_complaint(tmp_path: Path) -> None:
    survived = verdicts_of(tmp_path, missed=f"{MUTANT}\n")
    assert any(MUTANT in line for line in mutants.complaints(survived, {}))
    assert not list(mutants.complaints(survived, {NAME: "the reason"}))
    assert not list(mutants.complaints(verdicts_of(tmp_path, caught=f"{MUTANT}\n"), {}))


def test_a_run_that_tested_nothing_is_a_complaint(tmp_path: Path) -> None:
    assert list(mutants.complaints(verdicts_of(tmp_path), {}))


def test_accepted_survivors_are_named_without_their_place_and_have_reasons() -> None:
    for name, reason in mutants.accepted().items():
        assert mutants.without_place(name) == name
        assert (ROOT / name.partition(":")[0]).is_file()
        assert reason


def test_the_sample_is_of_files_that_are_there() -> None:
    assert mutants.triaged()
    assert all((ROOT / path).is_file() for path in mutants.triaged())


def test_all_files_but_those_of_the_sample_are_left_out() -> None:
    sources = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("crates/*/src/**/*.rs")}
    assert set(mutants.others(mutants.triaged())) == sources - set(mutants.triaged())
    assert "crates/monpro/src/modexp/large.rs" in mutants.others(["crates/monpro/src/modexp.rs"])


@pytest.mark.parametrize(
    ("instructions", "in_software"),
    [
        ("avx2 bmi2 fma", True),
        ("avx2 bmi2 fma avx512f vpclmulqdq gfni", True),
        ("avx2 bmi2 fma avx512ifma vpclmulqdq gfni", False),
        ("sse2", False),
    ],
)
def test_engines_for_avx512_are_tested_in_software_where_the_cpu_lacks_it(
    monkeypatch: pytest.MonkeyPatch, instructions: str, in_software: bool
) -> None:
    monkeypatch.setattr(mutants, "cpu_has", lambda *names: set(names) <= set(instructions.split()))
    monkeypatch.delenv("RUSTFLAGS", raising=False)
    assert ("avx512_in_software" in mutants.environment().get("RUSTFLAGS", "")) is in_software


@pytest.fixture(params=[signal.default_int_handler, signal.SIG_IGN], ids=["foreground", "background"])
def shell(request: pytest.FixtureRequest) -> Iterator[None]:
    """What becomes of an interrupt in a program that a shell has started; it ignores it in the background."""
    before = signal.signal(signal.SIGINT, request.param)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("shell")
def test_a_run_whose_time_is_over_has_not_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cargo = tmp_path / "cargo"
    cargo.write_text("#!/bin/sh\ntrap 'kill $!; exit 1' INT\ntest -n \"$FAILS\" && exit 4\nsleep 60 & wait\n")
    cargo.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(mutants, "SECONDS_TO_STOP", 10)
    assert mutants.run(0.02, []) == 0
    monkeypatch.setenv("FAILS", "1")
    assert mutants.run(1, []) == 4
