"""The files of a job's results: how a part is written and recognised, and which rows are done."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from monpro.scale.errors import JobError
from monpro.scale.job import Chunk, Job, chunk_of
from monpro.scale.storage import Folder

RECORDS = "_monpro"  # readers of data sets pass over names that begin with _
JOB_RECORD = f"{RECORDS}/job.json"
LOCK = f"{RECORDS}/lock"
QUARANTINE = "_quarantine"
FACTS = b"monpro"  # the key of a part's facts in the footer
QUARANTINED = 255  # the status of a row that nobody could compute
STATUS = "status"  # the column of results that says, by 0, that a row is right


@dataclass(frozen=True)
class Facts:
    """What the footer of a part says of it: its own name, its rows, and how many of them are not right."""

    name: str
    rows: int
    failed: int
    quarantined: bool = False


def encoded(batch: pa.RecordBatch, name: str, *, quarantined: bool = False) -> tuple[pa.Buffer, Facts]:
    """Return the file of a part and its facts.

    Neither dictionaries nor statistics are written, because both repeat values. Pages have checksums.
    """
    facts = Facts(name, batch.num_rows, failures(batch), quarantined)
    schema = batch.schema.with_metadata({FACTS: json.dumps(vars(facts)).encode()})
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(
        sink,
        schema,
        use_dictionary=False,
        write_statistics=False,
        compression="none",
        write_page_checksum=True,
    ) as writer:
        writer.write_table(pa.Table.from_batches([batch]).cast(schema), row_group_size=max(1, batch.num_rows))
    return sink.getvalue(), facts


def failures(batch: pa.RecordBatch) -> int:
    """Return how many rows have a status other than 0, if there is such a column."""
    place = batch.schema.get_field_index(STATUS)
    if place < 0 or not pa.types.is_integer(batch.schema.field(place).type):
        return 0
    statuses = batch.column(place)
    right: int = pc.sum(pc.equal(statuses, 0)).as_py() or 0
    return int(batch.num_rows) - right


def facts_of(folder: Folder, name: str) -> Facts | None:
    """Return the facts of a part, or None if the file is not whole or says that it is another."""
    try:
        with folder.open(name) as file, pq.ParquetFile(file) as parquet:
            footer = parquet.metadata
            facts = Facts(**json.loads((footer.metadata or {})[FACTS]))
            chunk = chunk_of(name)
            is_whole = chunk is not None and footer.num_rows == facts.rows == chunk.rows
            return facts if is_whole and facts.name == name else None
    except (OSError, pa.ArrowInvalid, KeyError, TypeError, ValueError):
        return None


def quarantine(folder: Folder, schema: pa.Schema, name: str, facts: dict[str, object]) -> Facts:
    """Write the part of a row that nobody could compute: nulls, and the status QUARANTINED.

    The record in the folder `_quarantine` names the row by its coordinates. It holds no value.
    """
    folder.write(f"{QUARANTINE}/{name.removesuffix('.parquet')}.json", json.dumps(facts, indent=1).encode())
    cells = [
        pa.array([QUARANTINED], entry.type)
        if entry.name == STATUS and pa.types.is_integer(entry.type)
        else pa.nulls(1, entry.type)
        for entry in schema
    ]
    nullable = pa.schema(
        [e.with_nullable(e.nullable or c.null_count > 0) for e, c in zip(schema, cells, strict=True)]
    )
    content, part = encoded(pa.RecordBatch.from_arrays(cells, schema=nullable), name, quarantined=True)
    folder.write(name, content)
    return part


@dataclass
class Done:
    """The chunks of a job whose parts are there."""

    job: Job
    whole: list[bytearray]  # for each file, an octet for each chunk
    pieces: dict[tuple[int, int], list[Chunk]] = field(default_factory=lambda: defaultdict(list))
    parts: int = 0
    rows: int = 0
    failed: int = 0
    quarantined: int = 0
    damaged: int = 0

    @classmethod
    def none(cls, job: Job) -> "Done":
        """Return the record of a job that has not begun."""
        return cls(job, [bytearray(job.chunks_of(one)) for one in job.inputs])

    @classmethod
    def found(cls, job: Job, folder: Folder, *, mend: bool) -> "Done":
        """Return what a folder holds of a job.

        With `mend`, parts that are not whole are removed, and so are halves of a chunk that has a part of its
        own. JobError for a part of another job.
        """
        done = cls.none(job)
        chunks: list[Chunk] = []
        for name in folder.names():
            chunk = chunk_of(name)
            if chunk is None:
                if name.endswith(".parquet"):
                    raise JobError(f"{folder.url}/{name}: is no part of this job: remove it")
                continue
            if chunk.file >= len(job.inputs) or job.name(chunk) != name:
                raise JobError(f"{folder.url}/{name}: is a part of another job: remove it")
            chunks.append(chunk)
        for chunk in outermost(chunks, folder, job, mend=mend):
            done.count(chunk, folder, mend=mend)
        return done

    def count(self, chunk: Chunk, folder: Folder, *, mend: bool) -> None:
        """Take in the part of a chunk, or remove it if it is not whole."""
        name = self.job.name(chunk)
        facts = facts_of(folder, name)
        if facts is None:
            self.damaged += 1
            if mend:
                folder.remove(name)
            return
        self.add(facts)
        index = chunk.start // self.job.rows_per_chunk
        if chunk.start % self.job.rows_per_chunk == 0 and chunk.rows == self.length(chunk.file, index):
            self.whole[chunk.file][index] = 1
        else:
            self.pieces[chunk.file, index].append(chunk)

    def length(self, file: int, index: int) -> int:
        """Return the rows of a chunk of the job."""
        size = self.job.rows_per_chunk
        return min(size, self.job.inputs[file].rows - index * size)

    def add(self, facts: Facts) -> None:
        """Count a part."""
        self.parts += 1
        self.rows += facts.rows
        self.failed += facts.failed
        self.quarantined += facts.quarantined

    def missing(self) -> Iterator[Chunk]:
        """Yield the chunks that have no part; of a chunk that was halved, what is missing of its halves."""
        size = self.job.rows_per_chunk
        for chunk in self.job.chunks():
            index = chunk.start // size
            if self.whole[chunk.file][index]:
                continue
            if pieces := self.pieces.get((chunk.file, index)):
                yield from uncovered(chunk, pieces)
            else:
                yield chunk


def outermost(chunks: list[Chunk], folder: Folder, job: Job, *, mend: bool) -> Iterator[Chunk]:
    """Yield the chunks that lie in no other one; with `mend`, remove the parts of the others.

    A worker that was given up may still end and write the part of a chunk that has been halved since.
    """
    last: Chunk | None = None
    for chunk in sorted(chunks, key=lambda one: (one.file, one.start, -one.stop)):
        if last is not None and last.holds(chunk):
            if mend:
                folder.remove(job.name(chunk))
            continue
        last = chunk
        yield chunk


def uncovered(chunk: Chunk, pieces: list[Chunk]) -> Iterator[Chunk]:
    """Yield the largest halves of halves of a chunk in which no piece lies."""
    inside = [piece for piece in pieces if chunk.holds(piece)]
    if chunk in inside:
        return
    if not inside:
        yield chunk
        return
    for half in chunk.halves():
        yield from uncovered(half, inside)
