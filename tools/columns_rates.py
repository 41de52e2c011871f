"""Time operations on columns beside gmpy2, and `monpro.scale` beside plain calls; docs/columns.md quotes it.

`python tools/columns_rates.py` runs all ways in turn, in rounds, and prints medians with quartiles: how many
times as fast columns compute x^65537 modulo one number as gmpy2's loop over Python's integers; the time of a
job with the executor `local` over that of plain calls; the rate of two worker processes over that of one.
Processor time says more than the clock where other processes disturb. So worker processes have a second rate:
the share of the time in which they have a task, over the processor time of a task. It is what the clock would
say if nothing else ran.
"""

import json
import os
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from monpro.columns import Column, Constant, Operation, Source
from monpro.scale import map_columns
from monpro.scale.crew import Crew

BITS = 2048
WIDTH = BITS // 8
ROUNDS = 9
POWERS = 4000  # rows of short exponents
ROWS = 7680  # rows of long exponents
CHUNK = 3840  # of them, which take more than a second
SMALL_CHUNK = 384
OPERANDS = {"base": Column("c"), "exponent": Column("e"), "modulus": Column("n")}


def told(what: str, ratios: list[float]) -> None:
    """Print the quartiles of ratios."""
    low, middle, high = statistics.quantiles(ratios, n=4)
    print(f"{what}: {middle:.3f} ({low:.3f} … {high:.3f})", flush=True)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds of the clock and of all threads' processor time that some work takes."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processor


def odd(source: random.Random) -> int:
    """Return an odd number of BITS bits."""
    return source.getrandbits(BITS) | 1 << BITS - 1 | 1


def beside_gmpy2(source: random.Random) -> None:
    """Print how many times as fast columns are as gmpy2's loop, for e = 65537 and one modulus."""
    try:
        import gmpy2  # noqa: PLC0415  (nothing else needs it)
    except ModuleNotFoundError:
        print("gmpy2 is not installed: pip install gmpy2")
        return
    n = odd(source)
    numbers = [source.randrange(n) for _ in range(POWERS)]
    batch = pa.record_batch({"c": pa.array([x.to_bytes(WIDTH) for x in numbers], pa.binary(WIDTH))})
    constants: dict[str, Source] = {"base": Column("c"), "exponent": Constant(65537), "modulus": Constant(n)}
    ratios: dict[str, list[float]] = {"pow": [], "pow-vartime": []}
    for _ in range(ROUNDS):
        loop = timed(lambda: [int(gmpy2.powmod(x, 65537, n)) for x in numbers])
        for name, found in ratios.items():
            power = partial(Operation(name, constants, threads=1), batch)
            found.append(loop[1] / timed(power)[1])
    for name, found in ratios.items():
        told(f"x^65537 mod n by {name} over gmpy2's loop, on one core", found)


def write_powers(source: random.Random, path: Path) -> pa.Table:
    """Write rows with three numbers of BITS bits, and return them."""
    columns = {
        name: pa.array([odd(source).to_bytes(WIDTH) for _ in range(ROWS)], pa.binary(WIDTH)) for name in "cen"
    }
    table = pa.table(columns)
    pq.write_table(table, path, row_group_size=2000)
    return table


def beside_plain_calls(table: pa.Table, folder: Path) -> None:
    """Print the time of a job over that of the plain calls, both with one thread."""
    power = Operation("pow", OPERANDS, threads=1)

    def plain() -> None:
        for batch in table.to_batches(max_chunksize=CHUNK):
            power(batch)

    def driven() -> None:
        shutil.rmtree(folder / "out", ignore_errors=True)
        map_columns(power, str(folder / "rows.parquet"), str(folder / "out"), rows=CHUNK)

    clock, processor = [], []
    for _ in range(ROUNDS):
        job, calls = timed(driven), timed(plain)
        clock.append(job[0] / calls[0])
        processor.append(job[1] / calls[1])
    told("a job over plain calls, by processor time", processor)
    told("a job over plain calls, by the clock", clock)


@dataclass(frozen=True)
class Task:
    """When a process had a task, by the clock, and the processor time that it took."""

    process: int
    begin: float
    end: float
    processor: float


class TimedCrew(Crew):
    """Processes as those of `processes:N`, which write down their tasks."""

    def __init__(self, count: int, log: str) -> None:
        """Begin no process yet."""
        super().__init__(count)
        self._max_workers, self.log = count, log

    def submit(self, function: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:  # noqa: ANN401
        """Begin a task when a process is free."""
        return super().submit(written_down, self.log, function, *args)


def written_down(log: str, function: Callable[..., object], *arguments: object) -> object:
    """Run a task on a worker; write down a chunk."""
    begin, processor = time.perf_counter(), time.process_time()
    result = function(*arguments)
    if arguments:  # the first task of a job has none
        task = [os.getpid(), begin, time.perf_counter(), time.process_time() - processor]
        with Path(log).open("a") as file:
            file.write(f"{json.dumps(task)}\n")
    return result


def rates_of_processes(folder: Path, count: int) -> tuple[float, float]:
    """Return the rate of worker processes with a thread each: chunks a second, and as if nothing else ran.

    It is that between the moments when the last of them begins and the first of them has no more to do.
    """
    shutil.rmtree(folder / "out", ignore_errors=True)
    log = folder / "log"
    log.unlink(missing_ok=True)
    power = Operation("pow", OPERANDS, threads=1)
    source, out = str(folder / "rows.parquet"), str(folder / "out")
    map_columns(power, source, out, executor=partial(TimedCrew, count, str(log)), rows=SMALL_CHUNK)
    tasks = [Task(*json.loads(line)) for line in log.read_text().splitlines()]
    processes = {task.process for task in tasks}
    begin = max(min(task.begin for task in tasks if task.process == one) for one in processes)
    end = min(max(task.end for task in tasks if task.process == one) for one in processes)
    inside = [task for task in tasks if begin < task.end <= end]
    busy = sum(
        min(task.end, end) - max(task.begin, begin) for task in tasks if task.end > begin and task.begin < end
    )
    processor = statistics.median(task.processor for task in tasks)
    return len(inside) / (end - begin), busy / (end - begin) / processor


def main() -> None:
    """Print all ratios."""
    source = random.Random(65537)  # noqa: S311  # no secret
    beside_gmpy2(source)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = write_powers(source, folder / "rows.parquet")
        beside_plain_calls(table, folder)
        rates = [(rates_of_processes(folder, 2), rates_of_processes(folder, 1)) for _ in range(ROUNDS)]
    told("two processes over one, by the clock", [two[0] / one[0] for two, one in rates])
    told("two processes over one, as if nothing else ran", [two[1] / one[1] for two, one in rates])


if __name__ == "__main__":
    main()
