"""`make mutants-python` fails for a fault that survives and is not accepted; the list fits the sources."""

import tomllib
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

import mutants_python
from mutants_python import Mutant
from setup import SetupError

KNOWN = tomllib.loads(mutants_python.SURVIVORS.read_text(encoding="utf-8"))
SURVIVOR = Mutant("spec/a.py", "double", "return 2 * x", "return 3 * x", "survived")
ENTRY = {"module": "spec/a.py", "function": "double", "line": "return 2 * x", "mutant": "return 3 * x"}


@pytest.mark.parametrize("state", ["survived", "incompetent", "no_test", "exception"])
def test_a_fault_that_no_test_notices_fails_the_run(state: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert not mutants_python.judge([replace(SURVIVOR, state=state)], [])
    assert "SURVIVED: spec/a.py: double" in capsys.readouterr().out


@pytest.mark.parametrize("state", ["killed", "timed out", "not run"])
def test_a_fault_that_is_noticed_or_was_not_tried_does_not_fail_the_run(state: str) -> None:
    assert mutants_python.judge([replace(SURVIVOR, state=state)], [])


def test_a_run_that_tried_nothing_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert not mutants_python.judge([], [])
    assert "no fault was tried" in capsys.readouterr().out


def test_an_accepted_fault_is_one_of_which_all_that_its_entry_says_is_true() -> None:
    assert mutants_python.judge([SURVIVOR], [ENTRY | {"reason": "x is 0"}])
    assert mutants_python.judge(
        [SURVIVOR], [{"module": "spec/a.py", "line": "return 2 * x", "reason": "x is 0"}]
    )
    for key in ENTRY:
        assert not mutants_python.judge([SURVIVOR], [ENTRY | {key: "another", "reason": "x is 0"}])


def test_every_accepted_fault_has_a_reason_and_is_in_a_line_that_is_there() -> None:
    for entry in KNOWN["survivor"]:
        modules = [path.read_text(encoding="utf-8") for path in mutants_python.PACKAGE.glob(entry["module"])]
        sources = [" ".join(line.strip() for line in module.splitlines()) for module in modules]
        assert entry.keys() - set(mutants_python.LINES) == {"module", "reason"}
        assert any(entry["line"] in source and entry.get("function", "") in source for source in sources)


def test_the_triaged_modules_are_among_those_that_are_mutated() -> None:
    assert set(KNOWN["triaged"]) <= set(mutants_python.modules_within(list(mutants_python.SUBPACKAGES)))


def test_modules_are_tested_by_what_is_named_after_them_and_then_by_all_of_their_subpackage() -> None:
    assert mutants_python.test_command("spec/blum01.py").endswith(" tests/spec/test_blum01.py tests/spec")
    assert mutants_python.test_command("report/koc96/table1.py").endswith(" tests/report/koc96 tests/report")
    assert mutants_python.test_command("cores/core.py").endswith(" tests/cores")


def test_a_core_is_tested_by_all_quick_files_and_by_what_names_it_in_the_slow_ones() -> None:
    command = mutants_python.test_command("cores/dsp_exponentiator.py")
    assert "-k 'not (test_cores or test_cycles) or dsp_exponentiator or dsp-exponentiator or " in command
    assert command.endswith(" tests/cores/test_dsp_exponentiator_model.py tests/cores")
    for file in ("test_cores.py", "test_cycles.py"):
        assert (Path(__file__).parent / "cores" / file).is_file()


@pytest.mark.parametrize(
    ("body", "passes"),
    [("assert True", True), ("assert False", False), ("import nothing_of_this_name", False)],
)
def test_tests_that_fail_without_a_fault_are_refused(
    body: str, passes: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(mutants_python, "FOLDER", tmp_path)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text(f"def test_it():\n    {body}\n", encoding="utf-8")
    with nullcontext() if passes else pytest.raises(SetupError, match="fail without a fault"):
        mutants_python.require_passing("tests")


def test_a_fault_is_known_by_its_lines() -> None:
    head = "--- mutation diff ---\n--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n def double(x):\n"
    diff = f"{head}-    return 2 * x\n+    return 3 * x\n"
    result = {"diff": diff, "test_outcome": "survived", "worker_outcome": "normal", "output": ""}
    assert mutants_python.mutant_of("spec/a.py", {"definition_name": "double"}, result) == SURVIVOR
