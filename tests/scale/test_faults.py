"""Real faults: killed workers, killed drivers, a full disk, two drivers at once, a secret that is raised."""

import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from conftest import TOOL_LACKS
from monpro.scale import JobError, map_columns
from scale_folders import (
    KILL,
    asides,
    children,
    driver,
    expected,
    finished,
    is_alive,
    wait_for,
    write_rows,
    written,
)
from scale_operations import Square

ROWS = 4000
PLANTED = "5ec2e75ec2e75ec2e75ec2e75ec2e7"


@pytest.fixture(name="facts")
def made_facts(tmp_path: Path) -> dict[str, object]:
    """Return a job of 40 chunks, each of a twentieth of a second, on two processes."""
    write_rows(tmp_path / "in", 2, ROWS // 2)
    operation = {"seconds": 0.05, "log": str(tmp_path / "log")}
    return {
        "operation": operation,
        "source": str(tmp_path / "in"),
        "out": str(tmp_path / "out"),
        "executor": "processes:2",
        "rows": 100,
    }


def computations(tmp_path: Path) -> Counter[str]:
    """Return how often each chunk was begun."""
    return Counter((tmp_path / "log").read_text().splitlines())


def test_workers_that_are_killed_lose_nothing(facts: dict[str, object], tmp_path: Path) -> None:
    process, source, kills = driver(facts), random.Random(1), 0
    try:
        out = tmp_path / "out"
        deadline = time.monotonic() + 120
        while process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.7)
            workers = children(process.pid)
            if workers and any(out.glob("part-*")):
                os.kill(source.choice(workers), KILL)
                kills += 1
        status, events, errors = finished(process)
    finally:
        process.kill()
    assert (status, errors) == (0, "")
    assert written(out) == expected(ROWS)
    assert kills >= 2
    begun = computations(tmp_path)
    assert sum(begun.values()) - len(begun) <= 2 * kills  # two workers, each with one chunk
    assert not list(out.glob("_quarantine/*"))
    assert events[-1]["event"] == "done"


def test_a_driver_that_is_killed_twice_goes_on(facts: dict[str, object], tmp_path: Path) -> None:
    out = tmp_path / "out"
    for parts in (8, 20):
        process = driver(facts | {"resume": parts > 8})
        wait_for(lambda parts=parts: len(list(out.glob("part-*"))) >= parts)
        workers = children(process.pid)
        process.send_signal(KILL)
        process.communicate()
        wait_for(lambda workers=workers: not any(map(is_alive, workers)), 10)
    status, events, errors = finished(driver(facts | {"resume": True}))
    assert (status, errors) == (0, "")
    assert written(out) == expected(ROWS)
    assert asides(out) == []
    begun = computations(tmp_path)
    assert sum(begun.values()) - len(begun) <= 2 * 2
    assert int(str(events[-1]["reused"])) >= 20
    assert {path.name for path in out.iterdir() if not path.name.startswith("part-")} == {"_monpro"}


def test_of_two_drivers_at_once_one_is_refused(facts: dict[str, object], tmp_path: Path) -> None:
    one = driver(facts)
    wait_for(lambda: any((tmp_path / "out").glob("part-*")))
    status, events, errors = finished(driver(facts | {"resume": True}))
    assert (status, events) == (1, [])
    assert errors == f"refused: {tmp_path}/out: another process works on this folder\n"
    assert finished(one)[0] == 0
    assert written(tmp_path / "out") == expected(ROWS)
    assert max(computations(tmp_path).values()) == 1


def limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, resource.RLIM_INFINITY))


def test_a_file_that_cannot_be_written_whole_stops_the_job_and_leaves_no_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit of 3000 octets a file lets the record be written, and no part."""
    write_rows(tmp_path / "in", 1, 1000)
    monkeypatch.setattr(subprocess, "Popen", partial(subprocess.Popen, preexec_fn=limit_files))
    facts = {"operation": {}, "source": str(tmp_path / "in"), "out": str(tmp_path / "out"), "rows": 400}
    status, _, errors = finished(driver(facts))
    assert status == 1
    assert errors == f"refused: {tmp_path}/out: cannot write a part: File too large\n"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["_monpro"]
    assert asides(tmp_path / "out") == []
    monkeypatch.undo()
    assert finished(driver(facts | {"resume": True}))[0] == 0
    assert written(tmp_path / "out") == expected(1000)


def test_a_full_disk_stops_the_job_and_leaves_no_half(tmp_path: Path) -> None:
    """A file system in memory of 100 KiB, mounted in a name space of its own, which ends with its shell."""
    write_rows(tmp_path / "in", 1, 8000)
    (tmp_path / "disk").mkdir()
    python = f'"{sys.executable}" -c'
    script = (
        f"mount -t tmpfs -o size=100k none {tmp_path}/disk && "
        f'{python} "$1" "$2"; echo status=$?; ls -A {tmp_path}/disk/out; '
        f"mount -o remount,size=9m {tmp_path}/disk && "
        f'{python} "$1" "$3" > /dev/null; echo status=$?; cp -r {tmp_path}/disk/out {tmp_path}/out'
    )
    from scale_folders import DRIVER, TESTS  # noqa: PLC0415

    facts = f'"operation": {{}}, "source": "{tmp_path}/in", "out": "{tmp_path}/disk/out", "rows": 1000'
    begin, resume = f"{{{facts}}}", f'{{{facts}, "resume": true}}'
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    ended = subprocess.run(
        ["unshare", *user, "--mount", "sh", "-c", script, "sh", DRIVER, begin, resume],
        env=os.environ | {"PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        check=False,
    )
    if "unshare" in ended.stderr or "mount" in ended.stderr:
        pytest.skip(f"{TOOL_LACKS}: no own mounts here: {ended.stderr}")
    assert ended.stderr == f"refused: {tmp_path}/disk/out: cannot write a part: No space left on device\n"
    lines = [line for line in ended.stdout.splitlines() if not line.startswith("{")]
    assert lines[0] == "status=1"
    assert lines[-1] == "status=0"
    assert 1 <= len([line for line in lines if line.startswith("part-")]) < 8
    assert not [line for line in lines if line.endswith(".aside")]
    assert written(tmp_path / "out") == expected(8000)


def test_ctrl_c_ends_a_driver_and_its_workers_and_the_job_goes_on(
    facts: dict[str, object], tmp_path: Path
) -> None:
    process = driver(facts)
    out = tmp_path / "out"
    wait_for(lambda: len(list(out.glob("part-*"))) >= 5)
    workers = children(process.pid)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode != 0
    wait_for(lambda: not any(map(is_alive, workers)), 10)
    assert finished(driver(facts | {"resume": True}))[0] == 0
    assert written(out) == expected(ROWS)
    assert max(computations(tmp_path).values()) <= 2


class Leaks(Square):
    """Reads a secret where it runs, and raises it."""

    def __call__(self, batch: object) -> object:
        raise ValueError(f"the key is {Path(self.log).read_text()}", batch)


def test_a_secret_in_an_exception_stays_on_the_worker(tmp_path: Path) -> None:
    write_rows(tmp_path / "in", 1, 3)
    (tmp_path / "key").write_text(PLANTED)
    events: list[object] = []
    operation = Leaks(log=str(tmp_path / "key"))
    map_columns(
        operation, str(tmp_path / "in"), str(tmp_path / "out"), executor="processes:1", tell=events.append
    )
    assert "ValueError" in str(events)
    assert PLANTED not in str(events)
    for path in (tmp_path / "out").rglob("*"):
        assert path.is_dir() or PLANTED.encode() not in path.read_bytes()


def test_an_output_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    write_rows(tmp_path / "in", 1, 3)
    with pytest.raises(JobError, match="out"):
        map_columns(Square(), str(tmp_path / "in"), "/proc/out")
