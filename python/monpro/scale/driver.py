"""The driver: keeps a bounded number of chunks in flight, until every row has a part."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future
from dataclasses import dataclass
from queue import Empty, SimpleQueue

import pyarrow as pa

from monpro.scale.crew import WorkerDied
from monpro.scale.errors import JobError
from monpro.scale.executors import Pool, is_death
from monpro.scale.inputs import Source
from monpro.scale.job import Chunk, Job
from monpro.scale.parts import QUARANTINE, Done, Facts, facts_of, quarantine
from monpro.scale.storage import Folder
from monpro.scale.work import Failure, Receipt, greet, run

IN_FLIGHT = 2  # chunks for each worker: one runs, the next one waits beside it
SECONDS_BETWEEN_COUNTS = 10.0  # of the workers, which may come and go
MOST_BREAKS = 30  # of executors in a row that did not finish a single chunk

DEATH = "the worker died"

Event = dict[str, object]
Tell = Callable[[Event], None]


@dataclass(frozen=True)
class Limits:
    """How often a chunk is tried before it is halved, and how many rows may be quarantined at most."""

    tries: int = 3
    quarantined: int = 100


class Driver:
    """Runs the missing chunks of a job on a place.

    A chunk that fails is tried again, then halved, down to single rows. What then fails is quarantined.
    If a worker dies, any of the chunks in flight may be the cause. So chunks whose workers died too often run
    alone: whatever dies then is the cause.
    """

    def __init__(
        self,
        job: Job,
        packed: bytes,
        folder: Folder,
        schema: pa.Schema,
        done: Done,
        limits: Limits,
        tell: Tell,
    ) -> None:
        """Begin with what is done already."""
        self.job, self.packed, self.folder, self.schema = job, packed, folder, schema
        self.done, self.limits, self.tell = done, limits, tell
        self.missing: Iterator[Chunk] = done.missing()
        self.again: deque[Chunk] = deque()
        self.suspects: deque[Chunk] = deque()
        self.running: dict[Future[Receipt | Failure], Chunk] = {}
        self.finished: SimpleQueue[Future[Receipt | Failure]] = SimpleQueue()
        self.tries: Counter[Chunk] = Counter()  # of chunks that have failed and are not done
        self.retried = 0
        self.task: Callable[[bytes, Source, Chunk, int], Receipt | Failure] = run
        self.is_alone = False  # the chunk in flight is a suspect, and the only one
        self.is_broken = False
        self.breaks = 0

    def drive(self, pool: Pool) -> None:
        """Return when every chunk is done; JobError if the job cannot go on."""
        width, counted = IN_FLIGHT * pool.workers(), time.monotonic()
        try:
            while self.fill(pool, width) or self.is_broken:
                if self.is_broken and not self.running:
                    self.renew(pool)
                    continue
                future = self.next_finished(pool)
                self.judge(self.running.pop(future), future)
                if time.monotonic() - counted > SECONDS_BETWEEN_COUNTS and not self.is_broken:
                    width, counted = IN_FLIGHT * pool.workers(), time.monotonic()
        finally:
            for future in self.running:
                future.cancel()

    def next_finished(self, pool: Pool) -> Future[Receipt | Failure]:
        """Wait for a chunk; JobError if the executor has ended, which may leave chunks that nobody ends."""
        while True:
            try:
                return self.finished.get(timeout=SECONDS_BETWEEN_COUNTS)
            except Empty:
                if pool.has_ended():
                    raise JobError("the executor ended with chunks in flight: resume the job") from None

    def renew(self, pool: Pool) -> None:
        """Go on with a new executor; JobError if one after the other breaks."""
        self.breaks += 1
        if self.breaks > MOST_BREAKS:
            raise JobError(f"the executor broke {self.breaks} times without finishing a chunk")
        pool.renew()
        self.is_broken = False

    def fill(self, pool: Pool, width: int) -> bool:
        """Submit chunks until `width` are in flight; return whether there are any in flight."""
        if self.is_broken:
            return bool(self.running)
        if self.suspects:
            if not self.running and self.is_ready(pool):
                self.is_alone = True
                self.submit(pool, self.suspects.popleft())
            return True
        while len(self.running) < width and not self.is_broken:
            chunk = self.again.popleft() if self.again else next(self.missing, None)
            if chunk is None:
                break
            self.is_alone = False
            self.submit(pool, chunk)
        return bool(self.running)

    def is_ready(self, pool: Pool) -> bool:
        """Return whether a worker answers, so that whatever dies next dies of its chunk."""
        try:
            pool.submit(greet).result()
        except Exception:  # the executor broke, or is breaking
            self.is_broken = True
        return not self.is_broken

    def submit(self, pool: Pool, chunk: Chunk) -> None:
        """Send a chunk to a worker: the name of its file and its range."""
        one = self.job.inputs[chunk.file]
        try:
            future = pool.submit(self.task, self.packed, one.source, chunk, one.offset(chunk.start))
        except (BrokenExecutor, RuntimeError):  # it broke since the last chunk came back
            self.is_broken = True
            (self.suspects if self.is_alone else self.again).appendleft(chunk)
            return
        self.running[future] = chunk
        future.add_done_callback(self.finished.put)

    def judge(self, chunk: Chunk, future: Future[Receipt | Failure]) -> None:
        """Take a chunk that came back: done, failed, or lost with its worker."""
        try:
            result = future.result()
        except Exception as error:
            if is_death(error):
                self.is_broken |= isinstance(error, BrokenExecutor | CancelledError)
                self.take_death(chunk, DEATH)
                return
            result = Failure(reason_of(error))
        if isinstance(result, Receipt):
            self.take(chunk, result.facts, result.seconds)
        elif result.stop:
            raise JobError(result.stop)
        else:
            self.take_failure(chunk, result.error)

    def take(self, chunk: Chunk, facts: Facts, seconds: float) -> None:
        """Count a chunk that is done."""
        self.breaks = 0
        if self.tries:
            self.tries.pop(chunk, None)
        self.done.add(facts)
        self.tell(
            {
                "event": "part",
                "name": facts.name,
                "rows": facts.rows,
                "failed": facts.failed,
                "seconds": seconds,
            }
        )

    def take_death(self, chunk: Chunk, reason: str) -> None:
        """Try a chunk again whose worker died, unless its part was written first."""
        facts = facts_of(self.folder, self.job.name(chunk))
        if facts is not None:
            self.take(chunk, facts, 0.0)
            return
        self.retried += 1
        self.tries[chunk] += 1
        self.tell_of("retry", chunk, reason)
        if not self.is_alone and self.tries[chunk] < self.limits.tries:
            self.again.append(chunk)
        elif not self.is_alone:
            del self.tries[chunk]
            self.suspects.append(chunk)
        elif chunk.rows > 1:
            self.breaks = 0
            self.halve(chunk, self.suspects)
        elif self.tries[chunk] < self.limits.tries:
            self.suspects.appendleft(chunk)
        else:
            self.breaks = 0
            self.quarantine(chunk, reason)

    def take_failure(self, chunk: Chunk, reason: str) -> None:
        """Try a chunk again that raised an error; if it does so often, halve it or quarantine its row."""
        self.retried += 1
        self.tries[chunk] += 1
        self.tell_of("retry", chunk, reason)
        if self.tries[chunk] < self.limits.tries:
            self.again.append(chunk)
        elif chunk.rows > 1:
            self.halve(chunk, self.again)
        else:
            self.quarantine(chunk, reason)

    def halve(self, chunk: Chunk, queue: deque[Chunk]) -> None:
        """Put the halves of a chunk first into a queue. What is not yet a single row gets one try."""
        del self.tries[chunk]
        for half in reversed(chunk.halves()):
            if half.rows > 1:
                self.tries[half] = self.limits.tries - 1
            queue.appendleft(half)

    def quarantine(self, chunk: Chunk, reason: str) -> None:
        """Give up a row; JobError if there are too many of them."""
        if self.done.quarantined >= self.limits.quarantined:
            raise JobError(
                f"more than {self.limits.quarantined} rows fail ({reason}): "
                f"{self.folder.url}/{QUARANTINE} names them"
            )
        path = self.job.inputs[chunk.file].source.path
        facts: Event = {"file": path, "row": chunk.start, "reason": reason, "tries": self.tries.pop(chunk)}
        self.done.add(quarantine(self.folder, self.schema, self.job.name(chunk), facts))
        self.tell({"event": "quarantine"} | facts)

    def tell_of(self, event: str, chunk: Chunk, reason: str) -> None:
        """Tell what happened to a chunk."""
        path = self.job.inputs[chunk.file].source.path
        self.tell({"event": event, "file": path, "start": chunk.start, "stop": chunk.stop, "reason": reason})


def reason_of(error: BaseException) -> str:
    """Return what an error of an executor says, without its message, which may hold values."""
    return DEATH if isinstance(error, WorkerDied) else type(error).__name__
