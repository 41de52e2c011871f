"""The identity of a job: which operation on which rows, in which chunks, and what each part is called."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Protocol

import pyarrow as pa

from monpro.scale.errors import JobError
from monpro.scale.inputs import Input, Source
from monpro.scale.storage import Fingerprint

LAYOUT = 1  # the version of names and records in a folder of parts
PART = re.compile(r"part-([0-9]{5,})-([0-9]{12,})-([0-9]{12,})-([0-9a-f]{32})\.parquet")


class Operation(Protocol):
    """A pure function from record batches to record batches, with as many rows in the same order.

    It is picklable and holds no secret, only the names of files. `columns` are the input's columns that it
    reads, `schema` is that of its results, and `description` is JSON that says what it computes.

    An error of an operation is a fault of some row, which is looked for and quarantined. One with an
    attribute `ends_job` that is True ends the job with its message: one line without a value or a secret.
    """

    def __call__(self, batch: pa.RecordBatch, /) -> pa.RecordBatch:
        """Return the results of the rows."""

    def columns(self) -> Sequence[str]:
        """Return the names of the columns that are read."""

    def schema(self, input: pa.Schema, /) -> pa.Schema:  # noqa: A002
        """Return the schema of the results; ValueError if the input's columns do not serve."""

    def description(self) -> Mapping[str, object]:
        """Return what is computed, without any secret."""


class Chunk(NamedTuple):
    """The rows start ≤ row < stop of one file, given by its place in the list of inputs."""

    file: int
    start: int
    stop: int

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return self.stop - self.start

    def halves(self) -> tuple["Chunk", "Chunk"]:
        """Return the two halves of a chunk of two rows or more. They depend on nothing but the chunk."""
        middle = (self.start + self.stop + 1) // 2
        return Chunk(self.file, self.start, middle), Chunk(self.file, middle, self.stop)

    def holds(self, other: "Chunk") -> bool:
        """Return whether another chunk lies within this one."""
        return self.file == other.file and self.start <= other.start and other.stop <= self.stop


def digest(data: object) -> str:
    """Return the SHA-256 of data as canonical JSON."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def identity_of(description: Mapping[str, object]) -> str:
    """Return the identity of what is computed, whatever the input."""
    return digest({"layout": LAYOUT, "operation": description})


def part_name(identity: str, source: Source, chunk: Chunk) -> str:
    """Return the name of the file with the results of a chunk.

    Its last field is the first half of the SHA-256 of the operation, the input's fingerprint and the range.
    Names in their order are the rows in their order.
    """
    content = digest([identity, asdict(source.fingerprint), chunk.start, chunk.stop])[:32]
    return f"part-{chunk.file:05}-{chunk.start:012}-{chunk.stop:012}-{content}.parquet"


def chunk_of(name: str) -> Chunk | None:
    """Return the chunk whose results a file of this name holds, or None for any other name."""
    match = PART.fullmatch(name)
    return Chunk(int(match[1]), int(match[2]), int(match[3])) if match else None


@dataclass(frozen=True)
class Job:
    """An operation on the rows of files, each cut into chunks of `rows_per_chunk` rows or fewer at its end.

    `request` says how the operation is made anew, in words of whoever asked, such as the command line.
    """

    description: Mapping[str, object]
    inputs: Sequence[Input]
    rows_per_chunk: int
    request: Mapping[str, object]

    @property
    def identity(self) -> str:
        """Return the identity of what is computed."""
        return identity_of(self.description)

    @property
    def rows(self) -> int:
        """Return the number of rows of all files."""
        return sum(one.rows for one in self.inputs)

    @property
    def chunk_count(self) -> int:
        """Return the number of chunks before any is halved."""
        return sum(self.chunks_of(one) for one in self.inputs)

    def chunks_of(self, one: Input) -> int:
        """Return the number of chunks of a file. One without rows has one without rows, with the schema."""
        return max(1, -(-one.rows // self.rows_per_chunk))

    def chunks(self) -> Iterator[Chunk]:
        """Yield the chunks in the order of the rows."""
        for file, one in enumerate(self.inputs):
            for index in range(self.chunks_of(one)):
                start = index * self.rows_per_chunk
                yield Chunk(file, start, min(start + self.rows_per_chunk, one.rows))

    def name(self, chunk: Chunk) -> str:
        """Return the name of a chunk's part."""
        return part_name(self.identity, self.inputs[chunk.file].source, chunk)

    def record(self) -> bytes:
        """Return the job as JSON, which a resumed job is compared with."""
        data = {
            "layout": LAYOUT,
            "operation": self.description,
            "request": self.request,
            "rows_per_chunk": self.rows_per_chunk,
            "inputs": [asdict(one.source) | {"rows": one.rows} for one in self.inputs],
        }
        return (json.dumps(data, indent=1) + "\n").encode()


@dataclass(frozen=True)
class Record:
    """What a folder says of the job whose parts it holds."""

    description: Mapping[str, object]
    request: Mapping[str, object]
    rows_per_chunk: int
    sources: Sequence[Source]
    rows: Sequence[int]

    @classmethod
    def parse(cls, text: bytes, where: str) -> "Record":
        """Return the record in a file; JobError if it is none."""
        try:
            data: dict[str, Any] = json.loads(text)
            sources = [
                Source(one["path"], one["form"], Fingerprint(**one["fingerprint"])) for one in data["inputs"]
            ]
            counts = [int(one["rows"]) for one in data["inputs"]]
            record = cls(data["operation"], data["request"], int(data["rows_per_chunk"]), sources, counts)
            is_ours = data["layout"] == LAYOUT and record.rows_per_chunk >= 1 and min(counts, default=0) >= 0
            is_ours = is_ours and isinstance(record.request, dict) and isinstance(record.description, dict)
        except (ValueError, KeyError, TypeError):
            record, is_ours = None, False
        if record is None or not is_ours:
            raise JobError(f"{where}: is no record of a job: choose another folder")
        return record

    def refuse_other(self, job: Job, where: str) -> None:
        """Raise JobError, with the difference, if a job is not the one that this folder holds."""
        if digest(self.description) != digest(job.description):
            raise JobError(f"{where}: holds another operation's results: choose another folder")
        theirs = {source.path: source for source in self.sources}
        ours = {one.source.path: one.source for one in job.inputs}
        for path in [*theirs, *ours]:
            if path not in ours:
                raise JobError(f"{where}: {path} is not among the inputs any more")
            if path not in theirs:
                raise JobError(f"{where}: {path} was not among the inputs when the job began")
            if theirs[path] != ours[path]:
                raise JobError(f"{path}: has changed since the job in {where} began")
        if list(theirs) != list(ours):
            raise JobError(f"{where}: the inputs came in another order when the job began")
