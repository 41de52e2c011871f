"""Every row comes out once and in order, on every place; what is poisonous is quarantined alone."""

import json
import os
import pickle
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from monpro.scale import JobError, Limits, driver, map_columns, plan, sizes, status
from monpro.scale.driver import Event
from monpro.scale.executors import Pool, opened
from scale_folders import asides, expected, write_rows, written
from scale_operations import Square

ROWS = 3000


@pytest.fixture(name="source")
def written_source(tmp_path: Path) -> str:
    write_rows(tmp_path / "in", 3, ROWS // 3)
    return str(tmp_path / "in")


@pytest.fixture(name="out")
def named_out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def spawned() -> Executor:
    """Return an executor, as a user's factory does."""
    return ProcessPoolExecutor(2, mp_context=get_context("spawn"))


@pytest.mark.parametrize("executor", ["local", "processes:2", "test_driver:spawned", spawned])
def test_every_row_comes_out_once_and_in_order(executor: object, source: str, out: Path) -> None:
    events: list[Event] = []
    report = map_columns(Square(), source, str(out), executor=executor, rows=128, tell=events.append)  # type: ignore[arg-type]
    assert written(out) == expected(ROWS)
    counts = (report.rows, report.parts, report.failed, report.quarantined, report.retried, report.reused)
    assert counts == (ROWS, 24, 3, 0, 0, 0)
    assert Counter(event["event"] for event in events) == {"start": 1, "part": 24, "done": 1}
    assert asides(out) == []
    assert sorted(path.name for path in out.iterdir() if path.suffix != ".parquet") == ["_monpro"]


def test_a_users_executor_stays_open(source: str, out: Path) -> None:
    with ThreadPoolExecutor(3) as executor:
        map_columns(Square(), source, str(out), executor=executor, rows=200)
        assert executor.submit(int, "7").result() == 7
    assert written(out) == expected(ROWS)


def test_the_same_rows_give_the_same_files_wherever_they_run(source: str, tmp_path: Path) -> None:
    for name, executor in (("one", "local"), ("two", "processes:2")):
        map_columns(Square(), source, str(tmp_path / name), executor=executor, rows=500)
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / name).glob("*.parquet")}
        for name in ("one", "two")
    )
    assert one == two
    assert len(one) == 6


def test_a_row_that_raises_is_quarantined_and_its_neighbours_are_right(source: str, out: Path) -> None:
    operation = Square(fault=1234, kind="raise", log=str(out.parent / "log"))
    report = map_columns(operation, source, str(out), rows=512)
    assert written(out) == expected(ROWS, (1234,))
    assert (report.quarantined, report.failed) == (1, 4)
    (record,) = (out / "_quarantine").iterdir()
    facts = json.loads(record.read_text())
    assert facts == {"file": f"{source}/001.parquet", "row": 234, "reason": "ValueError", "tries": 3}
    log = (out.parent / "log").read_text().splitlines()
    assert log.count("1000 512") == 3
    assert len(log) < 6 + 2 + 2 * 9 + 3
    assert status(str(out)).quarantined == 1


def test_a_row_that_kills_its_worker_is_quarantined_and_its_neighbours_are_right(tmp_path: Path) -> None:
    write_rows(tmp_path / "in", 1, 200)
    out = tmp_path / "out"
    report = map_columns(Square(fault=77), str(tmp_path / "in"), str(out), executor="processes:2", rows=16)
    assert written(out) == expected(200, (77,))
    assert (report.quarantined, report.failed) == (1, 2)
    (record,) = (out / "_quarantine").iterdir()
    assert json.loads(record.read_text())["reason"] == "the worker died"


def test_processes_that_die_while_they_begin_lose_no_task(
    source: str, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is killed before it has read what it is to do is a broken pipe to the driver."""
    begin, faults = ProcessPoolExecutor.submit, iter([True, False, True, True])

    def submit(self: ProcessPoolExecutor, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        if function is os.getpid and next(faults, False):
            raise BrokenPipeError(32, "Broken pipe")
        return begin(self, function, *arguments)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", submit)
    assert map_columns(Square(), source, str(out), executor="processes:2", rows=500).retried == 0
    assert written(out) == expected(ROWS)
    monkeypatch.setattr(ProcessPoolExecutor, "submit", broken)
    with pytest.raises(JobError, match="no worker could run a first task: BrokenExecutor"):
        map_columns(Square(), source, str(out.parent / "none"), executor="processes:2")


def broken(*_: object) -> None:
    raise BrokenPipeError(32, "Broken pipe")


class DiesWriting(Square):
    """Leaves half a file, as a worker does that is killed while it writes, and dies once."""

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        half = Path(self.log) / ".part.0.aside"
        if not half.exists():
            half.write_bytes(b"half")
            os.kill(os.getpid(), signal.SIGKILL)
        return Square()(batch)


def test_nothing_is_left_of_a_worker_that_was_killed_while_it_wrote(source: str, out: Path) -> None:
    operation = DiesWriting(log=str(out))
    report = map_columns(operation, source, str(out), executor="processes:1", rows=1000)
    assert report.retried == 1
    assert asides(out) == []
    assert written(out) == expected(ROWS)


class Exits(Square):
    """Asks the process to end, at every row."""

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        raise SystemExit(batch.num_rows)


def test_an_operation_that_asks_to_exit_does_not_end_the_driver(source: str, out: Path) -> None:
    with pytest.raises(JobError, match="SystemExit"):
        map_columns(Exits(), source, str(out), rows=500, limits=Limits(tries=1, quarantined=0))


def test_too_many_rows_that_fail_stop_the_job(source: str, out: Path) -> None:
    with pytest.raises(JobError, match=r"more than 2 rows fail \(ValueError\): .*_quarantine names them"):
        map_columns(Always(), source, str(out), rows=500, limits=Limits(tries=1, quarantined=2))
    assert len(list((out / "_quarantine").iterdir())) == 2


class Always(Square):
    """Fails at every row."""

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        raise ValueError(batch)


class Loses(Square):
    """Returns one row less than it gets."""

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        return super().__call__(batch).slice(1)


def test_an_operation_that_loses_rows_is_noticed(source: str, out: Path) -> None:
    with pytest.raises(JobError, match="TypeError"):
        map_columns(Loses(), source, str(out), rows=500, limits=Limits(tries=1, quarantined=0))


@pytest.mark.slow
def test_a_lone_executor_that_breaks_ends_the_job_which_a_factory_ends(tmp_path: Path) -> None:
    write_rows(tmp_path / "in", 1, 60)
    source, out = str(tmp_path / "in"), str(tmp_path / "out")
    with spawned() as executor, pytest.raises(JobError, match="the executor broke"):
        map_columns(Square(fault=55), source, out, executor=executor, rows=4)
    report = map_columns(Square(fault=55), source, out, executor=spawned, resume=True)
    assert written(tmp_path / "out") == expected(60, (55,))
    assert report.reused > 0


def test_resumed_jobs_compute_only_what_is_missing(source: str, out: Path) -> None:
    operation = Square(log=str(out.parent / "log"))
    map_columns(operation, source, str(out), rows=256)
    parts = sorted(out.glob("*.parquet"))
    content = [path.read_bytes() for path in parts]
    parts[3].unlink()
    parts[5].write_bytes(content[5][:-100])
    (out / f".{parts[3].name}.0.aside").write_bytes(b"half")
    before = (out.parent / "log").read_text()
    assert plan(operation, source, str(out), resume=True).rows_done == ROWS - 232 - 256
    state = status(str(out))
    assert (state.rows_done, state.damaged, state.is_running) == (ROWS - 232 - 256, 1, False)
    report = map_columns(operation, source, str(out), resume=True, rows=7)
    assert (report.reused, report.parts) == (10, 12)
    assert (out.parent / "log").read_text().removeprefix(before).count("\n") == 2
    assert [path.read_bytes() for path in parts] == content
    assert asides(out) == []
    assert map_columns(operation, source, str(out), resume=True).reused == 12


def test_a_folder_that_holds_something_else_is_refused(source: str, out: Path) -> None:
    out.mkdir()
    (out / "mine.txt").write_text("precious")
    with pytest.raises(JobError, match=r"out: holds other files, such as mine\.txt"):
        map_columns(Square(), source, str(out))
    assert [path.name for path in out.iterdir()] == ["mine.txt"]
    with pytest.raises(JobError, match="Not a directory"):
        map_columns(Square(), source, str(out / "mine.txt"))


def test_a_job_is_not_begun_twice_and_not_by_another_operation(source: str, out: Path) -> None:
    map_columns(Square(), source, str(out), rows=500)
    with pytest.raises(JobError, match="holds a job already: add --resume"):
        map_columns(Square(), source, str(out))
    other = Cube()
    with pytest.raises(JobError, match="holds another operation's results"):
        map_columns(other, source, str(out), resume=True)
    (out / "mine.parquet").write_bytes(b"")
    with pytest.raises(JobError, match=r"mine\.parquet: is no part of this job"):
        map_columns(Square(), source, str(out), resume=True)


class Cube(Square):
    """Says that it is another operation."""

    def description(self) -> dict[str, object]:
        return {"name": "cube"}


def test_input_that_is_replaced_between_runs_is_refused(source: str, out: Path) -> None:
    map_columns(Square(), source, str(out), rows=500)
    path = Path(source) / "001.parquet"
    pq.write_table(pq.read_table(path), path)
    (out / next(out.glob("part-00001*")).name).unlink()
    before = sorted(out.iterdir())
    with pytest.raises(JobError, match=r"001\.parquet: has changed since the job in .*out began"):
        map_columns(Square(), source, str(out), resume=True)
    assert sorted(out.iterdir()) == before


class Replaces(Square):
    """Replaces its own input while it runs."""

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        os.utime(self.log)
        return replace(self, log="").plain(batch)

    def plain(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        return Square()(batch)


def test_input_that_is_replaced_during_a_run_stops_it(source: str, out: Path) -> None:
    with pytest.raises(JobError, match=r"000\.parquet: has changed since the job began"):
        map_columns(Replaces(log=f"{source}/000.parquet"), source, str(out), rows=500)


@pytest.mark.parametrize(
    ("operation", "line"),
    [(Square("y"), "has no column y: its columns are x"), (Square("n"), "the column n must hold octets")],
)
def test_columns_that_do_not_serve_are_refused_before_anything_is_written(
    operation: Square, line: str, tmp_path: Path, out: Path
) -> None:
    columns = {"x": pa.array([b"1"])} | ({"n": pa.array([1])} if operation.column == "n" else {})
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    with pytest.raises(JobError, match=line):
        map_columns(operation, str(tmp_path / "a.parquet"), str(out))
    assert not out.exists()


def test_the_input_may_not_lie_in_the_output(source: str) -> None:
    with pytest.raises(JobError, match="the input lies in the folder for the output"):
        map_columns(Square(), source, source)


@pytest.mark.parametrize(
    ("executor", "line"),
    [
        ("local:4", "nothing follows local: give local alone"),
        ("mpi:4", "nothing follows mpi: give mpi alone"),
        ("processes:0", "give a number from 1 to 4096"),
        ("processes:4097", "give a number from 1 to 4096"),
        ("processes:many", "give a number from 1 to 4096"),
        ("threads", "give one of local, processes, dask, mpi, or MODULE:FACTORY"),
        ("no_module:f", "no_module:f: there is no such factory: ModuleNotFoundError: No module named"),
        ("faulty:f", "faulty:f: there is no such factory: RuntimeError: in two lines"),
        ("test_driver:no_executor", "no_executor: made NoneType, which is no executor"),
        ("test_driver:failing", "test_driver:failing: made no executor: OSError: in two lines"),
        ("os:no_factory", "there is no such factory"),
        ("os:sep", "is not a function that returns an executor"),
        ("dask:", "give the scheduler's address"),
    ],
)
def test_an_executor_that_there_is_not_is_one_line(
    executor: str, line: str, source: str, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(out.parent)
    (out.parent / "faulty.py").write_text("raise RuntimeError('in two\\nlines')")
    with pytest.raises(JobError, match=line) as caught:
        map_columns(Square(), source, str(out), executor=executor)
    assert "\n" not in str(caught.value)
    assert not out.exists()


def test_processes_without_a_task_have_ended_when_their_place_is_closed() -> None:
    """The end of Python would meet them while they close their pipes, and print a traceback."""
    before = set(threading.enumerate())
    with opened("processes:2") as place:
        executor = place.make()
        for future in [executor.submit(time.sleep, 0.5) for _ in range(2)]:
            future.result()
        assert set(threading.enumerate()) != before
        place.close(executor)
        assert set(threading.enumerate()) <= before


def test_a_function_that_makes_no_executor_is_one_line(source: str, out: Path) -> None:
    with pytest.raises(JobError, match="no_executor: made NoneType, which is no executor"):
        map_columns(Square(), source, str(out), executor=no_executor)  # type: ignore[arg-type]
    with pytest.raises(JobError, match="failing: made no executor: OSError: in two lines"):
        map_columns(Square(), source, str(out), executor=failing)


def no_executor() -> None:
    """Return nothing, in place of an executor."""


def failing() -> Executor:
    """Fail, as an engine does that is not there."""
    raise OSError("in two\nlines")


class Forgets(Executor):
    """Takes chunks and never ends them, as Dask's client may that has lost its scheduler."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if not args:
            future.set_result(function())
        return future


def test_an_executor_that_ends_without_its_chunks_ends_the_job(
    source: str, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "SECONDS_BETWEEN_COUNTS", 0.01)
    looks = iter([False, False])
    monkeypatch.setattr(Pool, "has_ended", lambda _pool: next(looks, True))
    with pytest.raises(JobError, match="the executor ended with chunks in flight: resume the job"):
        map_columns(Square(), source, str(out), executor=Forgets, rows=500)
    assert next(looks, None) is None


def test_that_there_is_no_worker_yet_is_told(source: str, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts, events = iter([0, 0, 0]), list[Event]()
    monkeypatch.setattr(Pool, "is_ready", lambda _pool: next(counts, 1) > 0)
    map_columns(Square(), source, str(out), rows=1000, tell=events.append)
    assert [event["event"] for event in events] == ["wait", "start", "part", "part", "part", "done"]
    monkeypatch.setattr(Pool, "is_ready", lambda _pool: False)
    monkeypatch.setattr(sizes, "WAIT_SECONDS", 0.0)
    with pytest.raises(JobError, match="no worker has come in 0 seconds"):
        map_columns(Square(), source, str(out), resume=True)


def test_a_chunk_is_as_long_as_a_worker_needs_to_be_busy(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sleep for each row makes its time known, and a task's is set: an eighth of the rows, or 100 tasks."""
    for overhead, most in ((0.0, {128, 256, 384}), (0.01, {1000})):
        monkeypatch.setattr(sizes, "seconds_a_task", lambda _pool, overhead=overhead: overhead)
        out = tmp_path / f"out{overhead}"
        map_columns(Slow(), source, str(out))
        assert written(out) == expected(ROWS)
        assert {max(pq.read_metadata(path).num_rows for path in out.glob("*.parquet"))} <= most


class Slow(Square):
    """Takes 0.4 milliseconds a row."""

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        return replace(Square(), seconds=batch.num_rows * 4e-4)(batch)


def test_a_worker_that_is_slow_at_first_makes_no_chunk_smaller(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one is that imports, and reads a cold disk: an eighth of the rows is a chunk, nevertheless."""
    monkeypatch.setattr(sizes, "STEP", 1)
    monkeypatch.setattr(sizes, "seconds_a_task", lambda _pool: 0.0)
    out = tmp_path / "out"
    map_columns(SlowAtFirst(log=str(tmp_path / "log")), source, str(out))
    assert max(pq.read_metadata(path).num_rows for path in out.glob("*.parquet")) == ROWS // 8


class SlowAtFirst(Square):
    """Takes a second more in the first call."""

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        is_first = not Path(self.log).exists()
        return replace(Square(), seconds=is_first + batch.num_rows * 4e-4, log=self.log)(batch)


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_a_file_without_rows_has_a_part_without_rows(form: str, tmp_path: Path) -> None:
    """So that whoever reads the results finds their columns."""
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    if form == "csv":
        (folder / "a.csv").write_text("x\n")
    else:
        pq.write_table(pa.table({"x": pa.array([], pa.binary())}), folder / "a.parquet")
    report = map_columns(Square(), str(folder), str(out))
    assert (report.rows, report.parts, report.quarantined) == (0, 1, 0)
    assert written(out) == ([], [])
    assert map_columns(Square(), str(folder), str(out), resume=True).reused == 1
    assert (status(str(out)).parts, status(str(out)).damaged) == (1, 0)


def test_a_task_is_small_and_names_no_row() -> None:
    from monpro.scale.work import Setup  # noqa: PLC0415

    packed = Setup(Square(), "0" * 64, "/somewhere").packed()
    assert len(packed) < 600
    assert pickle.loads(packed).operation == Square()


def test_places_say_how_many_workers_they_have() -> None:
    for name, count in (("local", 1), ("processes:3", 3)):
        with opened(name) as place:
            executor = place.make()
            assert place.workers(executor) == count
            place.close(executor)
