"""Processes work in a shared folder one at a time, and never see the unfinished work of another process."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from monpro.files import working_in
from monpro.flow import simulate

HOLD = """
import sys, time
from pathlib import Path
from monpro.files import working_in
with working_in(Path(sys.argv[1])):
    print("in", flush=True)
    time.sleep(0.5)
    Path(sys.argv[1], "left").touch()
"""


def test_a_process_waits_until_the_other_has_left_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "in\n"
        with working_in(folder):
            assert (folder / "left").exists()
    assert other.returncode == 0


def test_a_folder_is_free_after_a_failure(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), working_in(tmp_path):
        raise RuntimeError
    started = time.monotonic()
    with working_in(tmp_path):
        assert time.monotonic() - started < 10


def test_objects_that_another_process_keeps_meanwhile_are_left_as_they_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kept = simulate._runtime_folder()
    kept.parent.mkdir(parents=True)
    built = tmp_path / "built"
    built.mkdir()
    (built / "verilated.o").write_text("ours")

    def copy_late(source: Path, goal: Path) -> None:
        kept.mkdir()
        (kept / "verilated.o").write_text("theirs")
        shutil.copy(source, goal)

    monkeypatch.setattr("shutil.copy2", copy_late)
    simulate._keep_runtime(built)
    assert [path.read_text() for path in kept.iterdir()] == ["theirs"]
    assert list(kept.parent.iterdir()) == [kept]


def test_objects_are_kept_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kept = simulate._runtime_folder()
    kept.parent.mkdir(parents=True)
    (tmp_path / "verilated.o").write_text("ours")
    simulate._keep_runtime(tmp_path)
    assert [path.read_text() for path in kept.iterdir()] == ["ours"]
    assert list(kept.parent.iterdir()) == [kept]
