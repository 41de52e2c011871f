"""A job from its beginning to its end: `map_columns`, and what a folder of parts says of its job."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from monpro.scale import sizes
from monpro.scale.driver import Driver, Event, Limits, Tell
from monpro.scale.errors import JobError, ends_job
from monpro.scale.executors import Given, Pool, opened
from monpro.scale.inputs import Input, find
from monpro.scale.job import Job, Operation, Record, identity_of
from monpro.scale.parts import JOB_RECORD, LOCK, QUARANTINE, RECORDS, Done
from monpro.scale.storage import Folder, folder_at, one_line
from monpro.scale.work import Setup

SECONDS_BETWEEN_LOOKS = 0.2  # for the first worker


@dataclass(frozen=True)
class Report:
    """What a job has come to: `failed` rows have a status other than 0, `quarantined` ones among them.

    `retried` counts the chunks that were tried once more, and `reused` the parts of an earlier run.
    """

    rows: int
    parts: int
    failed: int
    quarantined: int
    retried: int
    reused: int
    seconds: float


@dataclass(frozen=True)
class Plan:
    """What a job would do: its files, rows, and the chunks that are missing, as far as they are known."""

    files: int
    rows: int
    rows_done: int
    rows_per_chunk: int | None


def silent(_event: Event) -> None:
    """Tell nothing."""


def map_columns(
    operation: Operation,
    source: str | Sequence[str],
    out: str,
    *,
    executor: Given = "local",
    rows: int | None = None,
    resume: bool = False,
    limits: Limits | None = None,
    request: Mapping[str, object] | None = None,
    tell: Tell = silent,
) -> Report:
    """Compute `operation` on all rows of the files `source`, and write the results to the folder `out`.

    The results are Parquet files; their rows in the order of the files' names are the input's. A row that
    could not be computed is null, with the status 255, and `out/_quarantine` names it. A chunk of rows is
    done when its part is there. So a job that was killed goes on with `resume`, and nothing is done twice.

    `executor` is a name (local, processes:N, dask:ADDRESS, mpi, MODULE:FACTORY), a function that returns an
    executor of `concurrent.futures`, or such an executor; only the first two can replace a broken one. `rows`
    is the size of a chunk, measured if it is not given. `tell` gets events as dictionaries.

    JobError, with one line, if the input or the folder is refused, or the job cannot go on.
    """
    started = time.perf_counter()
    with opened(executor) as place:
        inputs = examined(operation, source, out)
        folder = folder_at(out)
        refuse_foreign(folder, resume=resume)
        try:
            with Pool(place) as pool, folder.locked(LOCK):
                wait_for_workers(pool, tell)
                refuse_foreign(folder, resume=resume)  # it may have been filled since it was looked at
                job = begun(pool, operation, inputs, folder, rows, request)
                done = Done.found(job, folder, mend=True)
                reused = done.parts
                tell(start_of(job, done))
                packed, schema = packed_setup(operation, folder), operation.schema(inputs[0].schema)
                driver = Driver(job, packed, folder, schema, done, limits or Limits(), tell)
                driver.drive(pool)
                sweep(folder)
        except OSError as error:
            raise JobError(f"{folder.url}: {one_line(error)}") from None
    counts = (done.rows, done.parts, done.failed, done.quarantined, driver.retried, reused)
    report = Report(*counts, time.perf_counter() - started)
    tell({"event": "done"} | vars(report))
    return report


def wait_for_workers(pool: Pool, tell: Tell) -> None:
    """Return when there is a worker. That there is none is told; JobError if none comes in ten minutes."""
    deadline = time.monotonic() + sizes.WAIT_SECONDS
    if not pool.is_ready():
        tell({"event": "wait"})
    while not pool.is_ready():
        if time.monotonic() > deadline:
            raise JobError(f"no worker has come in {sizes.WAIT_SECONDS:.0f} seconds")
        time.sleep(SECONDS_BETWEEN_LOOKS)


def plan(operation: Operation, source: str | Sequence[str], out: str, *, resume: bool = False) -> Plan:
    """Check everything that `map_columns` checks before it computes, and change nothing."""
    inputs = examined(operation, source, out)
    folder = folder_at(out)
    refuse_foreign(folder, resume=resume)
    record = recorded(folder)
    if record is None:
        return Plan(len(inputs), sum(one.rows for one in inputs), 0, None)
    job = Job(operation.description(), inputs, record.rows_per_chunk, record.request)
    record.refuse_other(job, folder.url)
    return Plan(len(inputs), job.rows, Done.found(job, folder, mend=False).rows, job.rows_per_chunk)


def examined(operation: Operation, source: str | Sequence[str], out: str) -> list[Input]:
    """Return the inputs; JobError if there are none, or the operation does not take their columns."""
    inputs = find([source] if isinstance(source, str) else source)
    schemas: list[pa.Schema] = []
    for one in inputs:
        path = one.source.path
        lacking = [name for name in operation.columns() if name not in one.schema.names]
        if lacking:
            there = ", ".join(one.schema.names) or "none"
            raise JobError(f"{path}: has no column {', '.join(lacking)}: its columns are {there}")
        if path.startswith(f"{folder_at(out).url}/"):
            raise JobError(f"{path}: the input lies in the folder for the output: choose another folder")
        try:
            schemas.append(operation.schema(one.schema))
        except (ValueError, TypeError) as error:
            line = " ".join(str(error).split())
            raise JobError(line if ends_job(error) else f"{path}: {line}") from None
        refuse_unlike(schemas, inputs[0].source.path, path)
    return inputs


def refuse_unlike(schemas: Sequence[pa.Schema], first: str, last: str) -> None:
    """Raise JobError if the results of the last file do not go into one data set with those of the first."""
    for one, other in zip(schemas[0], schemas[-1], strict=True):
        if one.type != other.type:
            types = f"its {other.name} would be {other.type}, and that of {first} {one.type}"
            raise JobError(f"{last}: {types}: give all results one width, by --width")


def recorded(folder: Folder) -> Record | None:
    """Return the record of the job whose parts a folder holds, if there is one."""
    if not folder.exists(JOB_RECORD):
        return None
    with folder.open(JOB_RECORD) as file:
        return Record.parse(file.read(), f"{folder.url}/{JOB_RECORD}")


def refuse_foreign(folder: Folder, *, resume: bool) -> None:
    """Raise JobError for a folder that holds something else, or a job that is not to be resumed."""
    try:
        names = folder.names()
        if recorded(folder) is not None:
            if not resume and not folder.is_locked(LOCK):
                raise JobError(f"{folder.url}: holds a job already: add --resume, or choose another folder")
            return
    except OSError as error:
        raise JobError(f"{folder.url}: {one_line(error)}") from None
    foreign = [name for name in names if name != RECORDS and not name.startswith(".")]
    if foreign:
        raise JobError(f"{folder.url}: holds other files, such as {foreign[0]}: choose another folder")


def packed_setup(operation: Operation, folder: Folder) -> bytes:
    """Return what every task carries."""
    return Setup(operation, identity_of(operation.description()), folder.url).packed()


def begun(
    pool: Pool,
    operation: Operation,
    inputs: Sequence[Input],
    folder: Folder,
    rows: int | None,
    request: Mapping[str, object] | None,
) -> Job:
    """Return the job that is recorded in a folder, if it is this one, or record a new one."""
    sweep(folder)
    record = recorded(folder)
    if record is not None:
        job = Job(operation.description(), inputs, record.rows_per_chunk, record.request)
        record.refuse_other(job, folder.url)
        return job
    sizes.check_workers(pool)
    size = rows or sizes.rows_per_chunk(pool, packed_setup(operation, folder), inputs)
    job = Job(operation.description(), inputs, size, request or {})
    folder.write(JOB_RECORD, job.record())
    return job


def sweep(folder: Folder) -> None:
    """Remove what writers that were killed have left."""
    folder.sweep()
    folder.sweep(QUARANTINE)


def start_of(job: Job, done: Done) -> Event:
    """Return the event that begins a job."""
    counts = {"rows": job.rows, "rows_done": done.rows, "chunks": job.chunk_count, "damaged": done.damaged}
    return {"event": "start", "rows_per_chunk": job.rows_per_chunk} | counts


@dataclass(frozen=True)
class Status:
    """How far the job in a folder is, by its parts alone."""

    rows: int
    rows_done: int
    parts: int
    failed: int
    quarantined: int
    damaged: int
    rows_per_chunk: int
    is_running: bool


def recorded_job(folder: Folder) -> Job:
    """Return the job of a folder as it was recorded; JobError if there is none."""
    record = recorded(folder)
    if record is None:
        raise JobError(f"{folder.url}: holds no job")
    pairs = zip(record.sources, record.rows, strict=True)
    inputs = [Input(source, rows, None, 0) for source, rows in pairs]
    return Job(record.description, inputs, record.rows_per_chunk, record.request)


def status(out: str) -> Status:
    """Return how far the job in a folder is. The inputs are not looked at, and nothing is changed."""
    folder = folder_at(out)
    job = recorded_job(folder)
    done = Done.found(job, folder, mend=False)
    counts = (done.parts, done.failed, done.quarantined, done.damaged)
    return Status(job.rows, done.rows, *counts, job.rows_per_chunk, folder.is_locked(LOCK))
