"""Run empty chunks through the driver; print its rate beside the executor's, and how memory grows.

Arguments: the number of chunks, and a folder. In rounds, the driver and bare tasks take turns. A bare task
has the arguments of a chunk's, and as many are in flight. Then the driver runs one job of all chunks.

The share of the executor's rate is that of a task's time in the time of a task and of the driver. The share
by the clock is printed, too. It says less, because processes of others disturb it.
"""

import json
import resource
import statistics
import sys
import time
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue

import pyarrow as pa

from monpro.scale.driver import IN_FLIGHT, Driver, Event, Limits, Tell
from monpro.scale.executors import Pool, opened
from monpro.scale.inputs import Input, Source
from monpro.scale.job import Chunk, Job, identity_of
from monpro.scale.parts import Done, Facts
from monpro.scale.storage import Fingerprint, Folder
from monpro.scale.work import Receipt, Setup
from scale_operations import Square

WORKERS = 2
ROUNDS = 10
SHARE = 50  # of all chunks, one part of so many is run in a round
FACTS = Facts("part", 1, 0)


def nothing(_packed: bytes, _source: Source, _chunk: Chunk, _offset: int) -> Receipt:
    """Do nothing in place of a chunk."""
    return Receipt(FACTS, 0.0)


def bare_rate(pool: Pool, packed: bytes, source: Source, count: int) -> float:
    """Return the tasks a second of the executor alone."""
    finished: SimpleQueue[Future[Receipt]] = SimpleQueue()
    started, begun = time.perf_counter(), 0
    for done in range(-IN_FLIGHT * WORKERS, count):
        if done >= 0:
            finished.get().result()
        if begun < count:
            pool.submit(nothing, packed, source, Chunk(0, begun, begun + 1), 0).add_done_callback(
                finished.put
            )
            begun += 1
    return count / (time.perf_counter() - started)


def driver_rate(pool: Pool, packed: bytes, source: Source, count: int, tell: Tell) -> float:
    """Return the chunks a second of the driver."""
    job = Job(Square().description(), [Input(source, count, pa.schema([]), 0)], 1, {})
    folder = Folder("nowhere")
    driver = Driver(job, packed, folder, pa.schema([]), Done.none(job), Limits(), tell)
    driver.task = nothing
    started = time.perf_counter()
    driver.drive(pool)
    assert driver.done.parts == count
    return count / (time.perf_counter() - started)


def microseconds_of_its_own(packed: bytes, source: Source, count: int) -> float:
    """Return what the driver adds to a task, where tasks are run as they are submitted."""
    found = []
    with opened("local") as place, Pool(place) as pool:
        for _ in range(ROUNDS):
            bare = bare_rate(pool, packed, source, count)
            found.append(1e6 / driver_rate(pool, packed, source, count, lambda _event: None) - 1e6 / bare)
    return statistics.median(found)


class Memory:
    """Keeps the memory of this process, in MiB, after each tenth of a job."""

    def __init__(self, chunks: int) -> None:
        self.step, self.told, self.seen = chunks // 10, 0, list[float]()

    def __call__(self, _event: Event) -> None:
        self.told += 1
        if self.told % self.step == 0:
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            self.seen.append(pages * resource.getpagesize() / 2**20)


def main(chunks: int, path: Path) -> None:
    """Print what was found as JSON."""
    source = Source(str(path / "a.parquet"), "parquet", Fingerprint(1, "1", "0" * 64))
    packed = Setup(Square(), identity_of(Square().description()), str(path)).packed()
    rates, shares, tasks, memory, count = [], [], [], Memory(chunks), chunks // SHARE
    with opened(f"processes:{WORKERS}") as place, Pool(place) as pool:
        bare_rate(pool, packed, source, 1000)
        for _ in range(ROUNDS):
            before = bare_rate(pool, packed, source, count // 2)
            rates.append(driver_rate(pool, packed, source, count, lambda _event: None))
            after = bare_rate(pool, packed, source, count // 2)
            shares.append(2 * rates[-1] / (before + after))
            tasks.append(2e6 / (before + after))
        driver_rate(pool, packed, source, chunks, memory)
    task, own = statistics.median(tasks), microseconds_of_its_own(packed, source, count)
    found = {
        "chunks": chunks,
        "chunks_a_second": statistics.median(rates),
        "microseconds_of_a_task": task,
        "microseconds_of_the_driver": own,
        "share_of_the_executors_rate": task / (task + own),
        "shares_by_the_clock": sorted(shares),
        "mib": memory.seen,
        "growth_mib": memory.seen[-1] - memory.seen[0],
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
