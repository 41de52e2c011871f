"""What a worker does: it reads a range of rows, computes, and writes the part. Only names come and go."""

import pickle
import time
from dataclasses import dataclass
from functools import lru_cache

import pyarrow as pa

import monpro
from monpro.scale.errors import ends_job
from monpro.scale.inputs import Source, read
from monpro.scale.job import Chunk, Operation, part_name
from monpro.scale.parts import Facts, encoded
from monpro.scale.storage import Folder, folder_at, one_line


@dataclass(frozen=True)
class Setup:
    """What is the same for all chunks of a job."""

    operation: Operation
    identity: str
    folder: str

    def packed(self) -> bytes:
        """Return the set-up as octets, which every task carries and every worker opens once."""
        return pickle.dumps(self)


@dataclass(frozen=True)
class Receipt:
    """A chunk is done: the facts of its part, and the seconds that the worker took."""

    facts: Facts
    seconds: float


@dataclass(frozen=True)
class Failure:
    """A chunk is not done. `error` is an exception's type, never its message, which may hold values.

    If the whole job cannot go on, `stop` is the line that says why.
    """

    error: str
    stop: str = ""


@lru_cache(maxsize=8)
def opened(packed: bytes) -> tuple[Setup, Folder]:
    """Return the set-up and the folder of a job."""
    setup: Setup = pickle.loads(packed)  # noqa: S301  (our own driver made it)
    return setup, folder_at(setup.folder)


def run(packed: bytes, source: Source, chunk: Chunk, offset: int) -> Receipt | Failure:
    """Compute the results of a chunk and write its part.

    Nothing is raised, because executors log what is raised, with its message and the values in it.
    """
    started = time.perf_counter()
    try:
        setup, folder = opened(packed)
        results = computed(setup.operation, source, chunk, offset)
        content, facts = encoded(results, part_name(setup.identity, source, chunk))
    except (Exception, SystemExit) as error:  # whatever the operation raises
        return failure_of(error)
    try:
        folder.write(facts.name, content)
    except OSError as error:
        return Failure(type(error).__name__, f"{folder.url}: cannot write a part: {one_line(error)}")
    return Receipt(facts, time.perf_counter() - started)


def failure_of(error: BaseException) -> Failure:
    """Return what is told of an error: its type and, if it ends the job, its message."""
    return Failure(type(error).__name__, str(error) if ends_job(error) else "")


def computed(operation: Operation, source: Source, chunk: Chunk, offset: int) -> pa.RecordBatch:
    """Return the results of a chunk; TypeError if the operation loses rows or changes the schema."""
    batch = read(source, operation.columns(), chunk.start, chunk.stop, offset)
    results = operation(batch)
    if results.num_rows != batch.num_rows or results.schema != operation.schema(batch.schema):
        raise TypeError("the operation must return as many rows as it gets, with its own schema")
    return results


def measure(packed: bytes, source: Source, chunk: Chunk, offset: int) -> float | Failure:
    """Return the seconds that a chunk takes to read and to compute. Nothing is written."""
    started = time.perf_counter()
    try:
        setup, _ = opened(packed)
        computed(setup.operation, source, chunk, offset)
    except (Exception, SystemExit) as error:
        return failure_of(error)
    return time.perf_counter() - started


def greet() -> str:
    """Return the version of monpro on the worker."""
    return monpro.__version__
