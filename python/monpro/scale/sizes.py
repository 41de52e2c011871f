"""How many rows a chunk has: measured, so that it takes long beside what it costs to send and to write."""

import time
from collections.abc import Sequence
from concurrent.futures import Future

import monpro
from monpro.scale.errors import JobError
from monpro.scale.executors import Pool
from monpro.scale.inputs import Input
from monpro.scale.job import Chunk
from monpro.scale.work import Failure, greet, measure

SECONDS = 4.0  # of a chunk, where there are rows enough
CHUNKS_A_WORKER = 8  # at least, so that all workers end at about the same time
TASKS = 50  # empty ones, whose time is the overhead
PROBE_SECONDS = 0.2
FIRST_PROBE = 16  # rows
MOST_OCTETS = 64 << 20  # of the columns of a chunk
STEP = 128  # chunks have a multiple of this number of rows: full lanes of a batch on many cores
DEFAULT_ROWS = 4096  # where nothing could be measured
WAIT_SECONDS = 600.0


def check_workers(pool: Pool) -> None:
    """Raise JobError unless a worker answers, with the monpro that this process has."""
    try:
        version = pool.submit(greet).result(WAIT_SECONDS)
    except Exception as error:  # of the executor, or of an import on the worker
        raise JobError(f"no worker could run a first task: {type(error).__name__}") from None
    if version != monpro.__version__:
        raise JobError(f"a worker has monpro {version}, and this process has {monpro.__version__}")


def rows_per_chunk(pool: Pool, packed: bytes, inputs: Sequence[Input]) -> int:
    """Return the rows of a chunk, from the measured seconds a row and the measured overhead a task."""
    total = sum(one.rows for one in inputs)
    seconds = seconds_a_row(pool, packed, inputs)
    if seconds is None:
        return within_memory(DEFAULT_ROWS, inputs)
    overhead, workers = seconds_a_task(pool), pool.workers()
    shared = total * seconds / (CHUNKS_A_WORKER * workers)
    wanted = max(100 * overhead, 2 * workers * overhead, min(SECONDS, shared))
    return within_memory(int(wanted / max(seconds, 1e-9)), inputs)


def within_memory(rows: int, inputs: Sequence[Input]) -> int:
    """Return a number of rows as a multiple of STEP that memory can hold."""
    octets = max(one.octets / max(1, one.rows) for one in inputs)
    most = int(MOST_OCTETS / max(1.0, octets))
    return max(STEP, min(rows, most) // STEP * STEP)


def seconds_a_row(pool: Pool, packed: bytes, inputs: Sequence[Input]) -> float | None:
    """Return the time of a row in the middle of the largest file, or None if it cannot be measured there."""
    one = max(inputs, key=lambda one: one.rows)
    if one.rows == 0:
        return None
    rows = FIRST_PROBE
    while True:
        start = max(0, (one.rows - rows) // 2)
        chunk = Chunk(0, start, min(one.rows, start + rows))
        seconds = seconds_of(pool, packed, one, chunk, 1)
        if seconds is not None and (seconds >= PROBE_SECONDS or chunk.rows == one.rows):
            # One task more than there are workers: one of them runs two, and imports nothing in the second.
            seconds = seconds_of(pool, packed, one, chunk, pool.workers() + 1)
        if seconds is None:
            return None
        if seconds >= PROBE_SECONDS or chunk.rows == one.rows:
            return seconds / chunk.rows
        rows *= 4 if seconds > PROBE_SECONDS / 16 else 16


def seconds_of(pool: Pool, packed: bytes, one: Input, chunk: Chunk, tasks: int) -> float | None:
    """Return the least time that a chunk takes in so many tasks, or None if one fails."""
    arguments = (packed, one.source, chunk, one.offset(chunk.start))
    try:
        futures = [pool.submit(measure, *arguments) for _ in range(tasks)]
        found = [future.result(WAIT_SECONDS) for future in futures]
    except Exception:  # the driver finds out what is wrong, row by row
        return None
    for failure in found:
        if isinstance(failure, Failure):
            if failure.stop:
                raise JobError(failure.stop)
            return None
    return min(seconds for seconds in found if isinstance(seconds, float))


def seconds_a_task(pool: Pool) -> float:
    """Return the time of an empty task among others."""
    started = time.perf_counter()
    tasks: list[Future[str]] = [pool.submit(greet) for _ in range(TASKS)]
    for task in tasks:
        task.result(WAIT_SECONDS)
    return (time.perf_counter() - started) / TASKS
