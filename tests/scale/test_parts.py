"""Parts are written whole or not at all, hold no value twice, and tell by their names what they are."""

import fcntl
import hashlib
import json
import multiprocessing
import os
import random
import time
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monpro.scale import JobError, inputs
from monpro.scale.job import Chunk, Job, Record
from monpro.scale.parts import JOB_RECORD, Done, encoded, facts_of, uncovered
from monpro.scale.storage import Folder

SECRET = bytes(range(100, 164))
RESULTS = pa.record_batch(
    {"result": pa.array([SECRET, b"b" * 64, None], pa.binary(64)), "status": pa.array([0, 0, 4], pa.uint8())}
)


@pytest.fixture(name="job")
def made_job(tmp_path: Path) -> Job:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, rows in (("a.csv", 25), ("b.csv", 7)):
        (folder / name).write_text("x\n" + "1\n" * rows)
    return Job({"name": "square"}, inputs.find([str(folder)]), 10, {})


def put(folder: Folder, job: Job, chunk: Chunk) -> str:
    cells = pa.array([b"\1"] * chunk.rows, pa.binary())
    name = job.name(chunk)
    folder.write(name, encoded(pa.record_batch({"result": cells}), name)[0])
    return name


def test_a_part_has_no_dictionary_no_statistics_and_its_facts(tmp_path: Path) -> None:
    name = "part-00000-000000000000-000000000003-" + "0" * 32 + ".parquet"
    content, facts = encoded(RESULTS, name)
    folder = Folder(str(tmp_path))
    folder.write(name, content)
    assert facts_of(folder, name) == facts
    assert (facts.rows, facts.failed, facts.quarantined) == (3, 1, False)
    footer = pq.read_metadata(tmp_path / name)
    columns = [footer.row_group(0).column(i) for i in range(2)]
    assert [(one.statistics, one.has_dictionary_page, one.compression) for one in columns] == [
        (None, False, "UNCOMPRESSED")
    ] * 2
    assert (tmp_path / name).read_bytes().count(SECRET) == 1
    assert pq.read_table(tmp_path / name).to_pydict() == RESULTS.to_pydict()
    assert encoded(RESULTS, name)[0].equals(content)
    damaged = bytearray(content)
    damaged[damaged.index(SECRET)] ^= 1
    (tmp_path / name).write_bytes(damaged)
    with pytest.raises(OSError, match="CRC"):
        pq.read_table(tmp_path / name, page_checksum_verification=True)


def test_a_part_that_is_not_whole_or_not_the_one_is_not_taken(tmp_path: Path) -> None:
    name = "part-00000-000000000000-000000000003-" + "0" * 32 + ".parquet"
    content = encoded(RESULTS, name)[0].to_pybytes()
    other = encoded(RESULTS.slice(1), name)[0].to_pybytes()
    unmarked = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_batches([RESULTS]), unmarked)
    elsewhere = encoded(RESULTS, name.replace("00", "01"))[0].to_pybytes()
    folder = Folder(str(tmp_path))
    for bad in (content[:-1], content[:50], b"", other, unmarked.getvalue().to_pybytes(), elsewhere):
        (tmp_path / name).write_bytes(bad)
        assert facts_of(folder, name) is None


def test_the_name_of_a_part_depends_on_all_that_makes_it(job: Job) -> None:
    chunk = Chunk(0, 0, 10)
    name = job.name(chunk)
    assert name.startswith("part-00000-000000000000-000000000010-")
    assert name == job.name(Chunk(0, 0, 10))
    source = job.inputs[0].source
    others = [
        replace(job, description={"name": "cube"}).name(chunk),
        job.name(Chunk(0, 0, 9)),
        job.name(Chunk(0, 1, 10)),
        *(
            replace(job, inputs=[replace(job.inputs[0], source=replace(source, fingerprint=changed))]).name(
                chunk
            )
            for changed in (
                replace(source.fingerprint, size=1),
                replace(source.fingerprint, changed="1"),
                replace(source.fingerprint, digest=hashlib.sha256(b"").hexdigest()),
            )
        ),
    ]
    assert len({name[-40:], *(other[-40:] for other in others)}) == 7


def test_what_is_missing_is_what_has_no_part(job: Job, tmp_path: Path) -> None:
    folder = Folder(str(tmp_path / "out"))
    every = [Chunk(0, 0, 10), Chunk(0, 10, 20), Chunk(0, 20, 25), Chunk(1, 0, 7)]
    assert list(job.chunks()) == every == list(Done.found(job, folder, mend=True).missing())
    assert (job.rows, job.chunk_count) == (32, 4)
    put(folder, job, Chunk(0, 20, 25))
    put(folder, job, Chunk(0, 0, 5))
    put(folder, job, Chunk(0, 8, 10))
    done = Done.found(job, folder, mend=True)
    assert list(done.missing()) == [Chunk(0, 5, 8), Chunk(0, 10, 20), Chunk(1, 0, 7)]
    assert (done.parts, done.rows, done.damaged) == (3, 12, 0)
    name = put(folder, job, Chunk(0, 10, 20))
    path = tmp_path / "out" / name
    path.write_bytes(path.read_bytes()[:100])
    assert Done.found(job, folder, mend=False).damaged == 1
    assert path.exists()
    assert Chunk(0, 10, 20) in list(Done.found(job, folder, mend=True).missing())
    assert not path.exists()


def test_a_late_part_replaces_its_halves(job: Job, tmp_path: Path) -> None:
    folder = Folder(str(tmp_path / "out"))
    whole = put(folder, job, Chunk(0, 0, 10))
    half = put(folder, job, Chunk(0, 5, 10))
    done = Done.found(job, folder, mend=True)
    assert (done.rows, [name for name in folder.names() if name.endswith(".parquet")]) == (10, [whole])
    assert half != whole


def test_parts_of_another_job_are_refused(job: Job, tmp_path: Path) -> None:
    folder = Folder(str(tmp_path / "out"))
    put(folder, replace(job, description={"name": "cube"}), Chunk(0, 0, 10))
    with pytest.raises(JobError, match="is a part of another job: remove it"):
        Done.found(job, folder, mend=True)
    (tmp_path / "out" / folder.names()[0]).rename(tmp_path / "out" / "mine.parquet")
    with pytest.raises(JobError, match="is no part of this job: remove it"):
        Done.found(job, folder, mend=True)


@given(st.integers(1, 400), st.randoms())
def test_halves_of_halves_cover_a_chunk_once(rows: int, source: random.Random) -> None:
    """Whichever halves are done, those and what is missing are the whole chunk."""
    pieces, stack = [], [Chunk(0, 1000, 1000 + rows)]
    while stack:
        chunk = stack.pop()
        if chunk.rows > 1 and source.random() < 0.7:
            stack += chunk.halves()
        elif source.random() < 0.5:
            pieces.append(chunk)
    missing = list(uncovered(Chunk(0, 1000, 1000 + rows), pieces))
    covered = sorted(row for chunk in [*pieces, *missing] for row in range(chunk.start, chunk.stop))
    assert covered == list(range(1000, 1000 + rows))


def test_a_record_says_what_has_changed(job: Job) -> None:
    record = Record.parse(job.record(), JOB_RECORD)
    record.refuse_other(job, "out")
    first, second = job.inputs
    changed = replace(first, source=replace(first.source, form="jsonl"))
    for other, line in [
        (replace(job, description={"name": "cube"}), "out: holds another operation's results"),
        (replace(job, inputs=[first]), r"b\.csv is not among the inputs any more"),
        (replace(job, inputs=[second, first]), "the inputs came in another order"),
        (replace(job, inputs=[changed, second]), r"a\.csv: has changed since the job in out began"),
    ]:
        with pytest.raises(JobError, match=line):
            record.refuse_other(other, "out")
    with pytest.raises(JobError, match=r"b\.csv was not among the inputs"):
        Record.parse(replace(job, inputs=[first]).record(), "").refuse_other(job, "out")
    changed_texts = (
        job.record().replace(*change)
        for change in ((b'"layout": 1', b'"layout": 2'), (b'"request": {}', b'"request": 5'))
    )
    for text in (b"", b"{}", b"[]", *changed_texts):
        with pytest.raises(JobError, match=r"_monpro/job\.json: is no record of a job"):
            Record.parse(text, JOB_RECORD)
    assert json.loads(job.record())["rows_per_chunk"] == 10


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Folder(str(tmp_path))
    folder.write("a", b"old")

    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    for name in ("a", "b"):
        with pytest.raises(OSError, match="No space"):
            folder.write(name, b"new")
    assert folder.names() == ["a"]
    assert (tmp_path / "a").read_bytes() == b"old"


def hold(path: str, ready: "multiprocessing.synchronize.Event") -> None:
    with Folder(path).locked("lock"):
        ready.set()
        ready.wait(60)
        multiprocessing.Event().wait(60)


def test_a_look_at_a_lock_keeps_nobody_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`map status` locks for an instant what it looks at."""
    folder = Folder(str(tmp_path))
    with folder.locked("lock"):
        pass
    looking = (tmp_path / "lock").open()
    fcntl.flock(looking, fcntl.LOCK_EX)
    waits: list[float] = []

    def end(seconds: float) -> None:
        waits.append(seconds)
        looking.close()

    monkeypatch.setattr(time, "sleep", end)
    with folder.locked("lock"):
        assert len(waits) == 1


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    process = context.Process(target=hold, args=(str(tmp_path), ready))
    process.start()
    ready.wait(60)
    folder = Folder(str(tmp_path))
    assert folder.is_locked("lock")
    with pytest.raises(JobError, match="another process works on this folder"), folder.locked("lock"):
        pass
    process.kill()
    process.join()
    assert not folder.is_locked("lock")
    with folder.locked("lock"):
        assert folder.is_locked("lock")
