"""What `monpro map` reaches on 1 to 1000 nodes, by a simulation from measured overheads.

`python tools/scale_model.py` prints the table of docs/scale.md. The simulation knows one scheduler, which
serves one task at a time; workers with a queue of one chunk each; chunks whose times vary; slow nodes; and
nodes that fail. What is given to it stands below.
"""

import heapq
import random
from collections import deque
from itertools import count

# Measured on a virtual machine with two cores of x86-64 that also did other work, with two workers.
SECONDS_A_TASK = {"Dask": 0.0042, "MPI": 0.0011}  # medians of empty tasks, 500 in flight together
SECONDS_A_PART = 0.016  # to read rows, and to write a part of 1 MiB and force it to the disk
# Assumed.
ROWS_A_SECOND = 70_000.0  # of a node with 16 cores: 4,400 powers of 2048 bits a second and core
SPREAD = 0.05  # of the logarithm of a chunk's time
SLOW_SHARE, SLOW_FACTOR = 0.02, 1.5  # of the nodes, which take so much longer
SECONDS_TO_FAILURE = 30 * 86_400.0  # of a node
SECONDS_TO_RETURN = 300.0
NODES = (1, 10, 100, 1000)
JOBS = (10**8, 10**9, 10**10)  # rows
SECONDS, CHUNKS_A_WORKER = 4.0, 8  # the rule of `monpro.scale.sizes`


def seconds_a_chunk(rows: int, nodes: int, overhead: float) -> float:
    """Return how long a chunk is to take, by the rule that the driver follows."""
    shared = rows / ROWS_A_SECOND / (CHUNKS_A_WORKER * nodes)
    return max(100 * overhead, 2 * nodes * overhead, min(SECONDS, shared))


class Simulation:
    """A job on so many nodes.

    A node has at most two chunks: one that it computes, and one that waits. The scheduler takes `overhead`
    seconds for each chunk, one after the other. A chunk that is lost with its node is done again when the
    node is back. The scheduler would know sooner.
    """

    def __init__(self, rows: int, nodes: int, overhead: float) -> None:
        """Begin with all chunks left."""
        self.source = random.Random(1)  # noqa: S311
        self.overhead = overhead
        self.chunks = max(1, round(rows / ROWS_A_SECOND / seconds_a_chunk(rows, nodes, overhead)))
        self.work = rows / ROWS_A_SECOND / self.chunks
        self.factor = [SLOW_FACTOR if self.source.random() < SLOW_SHARE else 1.0 for _ in range(nodes)]
        self.waiting, self.is_computing = [0] * nodes, [False] * nodes
        self.left, self.free = self.chunks, 0.0
        self.order = count()
        self.events = list[tuple[float, int, str, int]]()
        self.starved: deque[int] = deque()  # nodes for which no chunk was left

    def ask(self, node: int, now: float) -> None:
        """Ask the scheduler for a chunk."""
        if not self.left:
            self.starved.append(node)
            return
        self.left -= 1
        self.free = max(self.free, now) + self.overhead
        heapq.heappush(self.events, (self.free, next(self.order), "arrives", node))

    def begin(self, node: int, now: float) -> None:
        """Begin to compute the chunk that waits, if there is one and nothing else is computed."""
        if not self.waiting[node] or self.is_computing[node]:
            return
        self.waiting[node] -= 1
        self.is_computing[node] = True
        seconds = self.work * self.factor[node] * self.source.lognormvariate(0, SPREAD) + SECONDS_A_PART
        failure = self.source.expovariate(1 / SECONDS_TO_FAILURE)
        kind, end = ("fails", failure + SECONDS_TO_RETURN) if failure < seconds else ("ends", seconds)
        heapq.heappush(self.events, (now + end, next(self.order), kind, node))

    def seconds(self) -> float:
        """Return the seconds from the first task to the last part."""
        nodes = len(self.waiting)
        for node in [*range(nodes), *range(nodes)]:
            self.ask(node, 0.0)
        done, now = 0, 0.0
        while done < self.chunks:
            now, _, kind, node = heapq.heappop(self.events)
            if kind == "arrives":
                self.waiting[node] += 1
            else:
                self.is_computing[node] = False
                done += kind == "ends"
                self.left += kind == "fails"
                self.ask(node, now)
                while self.left and self.starved:
                    self.ask(self.starved.popleft(), now)
            self.begin(node, now)
        return now


def table() -> list[str]:
    """Return the lines of the table: for each executor and job, time and share of the nodes' power."""
    lines = [
        "| executor | rows | " + " | ".join(f"{nodes} node{'s' * (nodes > 1)}" for nodes in NODES) + " |"
    ]
    lines += ["|---|---|" + "---|" * len(NODES)]
    for executor, overhead in SECONDS_A_TASK.items():
        for rows in JOBS:
            cells = []
            for nodes in NODES:
                seconds = Simulation(rows, nodes, overhead).seconds()
                share = rows / ROWS_A_SECOND / nodes / seconds
                cells.append(f"{duration(seconds)}, {100 * share:.0f} %")
            lines.append(f"| {executor} | 10^{len(str(rows)) - 1} | " + " | ".join(cells) + " |")
    return lines


def duration(seconds: float) -> str:
    """Return a time in the unit in which it is read."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


if __name__ == "__main__":
    print("\n".join(table()))
