"""A second look at the results of a job: whether all parts are whole, and rows drawn at random are right."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from monpro.scale.errors import JobError
from monpro.scale.inputs import Input, look_at, one_batch, read
from monpro.scale.job import Chunk, Job, Operation, chunk_of, identity_of
from monpro.scale.mapping import recorded_job
from monpro.scale.parts import QUARANTINED, STATUS, Done
from monpro.scale.storage import Folder, folder_at, one_line

Oracle = Callable[[pa.RecordBatch, pa.RecordBatch], Sequence[bool]]
"""From rows and their results: for each row, whether its result is right by another way to compute."""


@dataclass(frozen=True)
class Verified:
    """What was looked at, and what is wrong: rows without results, and results in files or rows."""

    rows: int
    missing: int
    parts: int
    sampled: int
    wrong: Sequence[str]


def verify(
    out: str,
    operation: Operation,
    *,
    sample: int = 1000,
    oracle: Oracle | None = None,
    seed: int | None = None,
) -> Verified:
    """Read all parts, with the checksums of their pages, and compute `sample` rows drawn at random anew.

    The rows must come out to the octet as they are written and, where they have the status 0, as the `oracle`
    says. Rows in quarantine are left out. JobError if the job is another one, or its input has changed.
    """
    folder = folder_at(out)
    job = recorded_job(folder)
    if identity_of(operation.description()) != job.identity:
        raise JobError(f"{folder.url}: holds another operation's results")
    done = Done.found(job, folder, mend=False)
    chosen = sorted(random.Random(seed).sample(range(job.rows), min(sample, job.rows)))  # noqa: S311
    firsts = first_rows(job)
    known: dict[str, Input] = {}
    parts, sampled, wrong = 0, 0, list[str]()
    for name in folder.names():
        chunk = chunk_of(name)
        if chunk is None:
            continue
        parts += 1
        base = firsts[chunk.file]
        rows = [row - base for row in chosen if base + chunk.start <= row < base + chunk.stop]
        try:
            results = whole_part(folder, name)
        except (OSError, pa.ArrowInvalid) as error:
            wrong.append(f"{name}: {one_line(error)}")
            continue
        path = job.inputs[chunk.file].source.path
        if path not in known:
            known = {path: unchanged(job.inputs[chunk.file])}
        bad = wrong_rows(operation, oracle, known[path], chunk, results, rows)
        wrong += [f"{path}: row {row}" for row in bad]
        sampled += len(rows)
    return Verified(job.rows, job.rows - done.rows, parts, sampled, wrong)


def first_rows(job: Job) -> list[int]:
    """Return the number of the first row of each file, among the rows of all files."""
    firsts = [0]
    for one in job.inputs:
        firsts.append(firsts[-1] + one.rows)
    return firsts


def unchanged(recorded: Input) -> Input:
    """Return an input as it is now; JobError if it is not the recorded one."""
    now = look_at(recorded.source.path)
    if now.source != recorded.source:
        raise JobError(f"{recorded.source.path}: has changed since the job began")
    return now


def whole_part(folder: Folder, name: str) -> pa.RecordBatch:
    """Return the results in a part; OSError if a page is not as it was written."""
    with folder.open(name) as file:
        table = pq.read_table(file, page_checksum_verification=True)
    return one_batch(table.to_batches(), table.schema)


def wrong_rows(
    operation: Operation,
    oracle: Oracle | None,
    one: Input,
    chunk: Chunk,
    results: pa.RecordBatch,
    rows: Sequence[int],
) -> list[int]:
    """Return those of the rows, by their numbers in the file, whose results are wrong."""
    place = results.schema.get_field_index(STATUS)
    taken = [
        row for row in rows if place < 0 or results.column(place)[row - chunk.start].as_py() != QUARANTINED
    ]
    if not taken:
        return []
    pieces = [read(one.source, operation.columns(), row, row + 1, one.offset(row)) for row in taken]
    batch = one_batch(pieces, pieces[0].schema)
    again = operation(batch).to_pylist()
    there = results.take([row - chunk.start for row in taken])
    right = oracle(batch, there) if oracle else [True] * len(taken)
    triples = zip(taken, again, there.to_pylist(), right, strict=True)
    return [row for row, computed, found, is_right in triples if computed != found or not is_right]
