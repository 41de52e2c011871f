"""Inputs and outputs of the tests of `monpro.scale`, and its driver as a process that tests kill."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scale_operations import squared

TESTS = Path(__file__).resolve().parent
NO_NUMBER = 113  # every row whose number has this remainder modulo 1000 is null
DRIVER = """
import json, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by what runs in the background
from scale_operations import Square
from monpro.scale import Limits, JobError, map_columns
facts = json.loads(sys.argv[1])
try:
    report = map_columns(Square(**facts.pop("operation")), **facts, limits=Limits(),
                         tell=lambda event: print(json.dumps(event), flush=True))
except JobError as error:
    sys.exit(f"refused: {error}")
"""


def write_rows(folder: Path, files: int, rows: int) -> None:
    """Write Parquet files with a column x: the row's number in all files, or null."""
    folder.mkdir(exist_ok=True)
    for file in range(files):
        cells = [octets(x) for x in range(file * rows, (file + 1) * rows)]
        table = pa.table({"x": pa.array(cells, pa.binary())})
        pq.write_table(table, folder / f"{file:03}.parquet", row_group_size=max(1, rows // 3))


def octets(x: int) -> bytes | None:
    return None if x % 1000 == NO_NUMBER else x.to_bytes(4)


def expected(rows: int, quarantined: tuple[int, ...] = ()) -> tuple[list[bytes | None], list[int]]:
    """Return the results and the statuses of all rows."""
    results, statuses = [], []
    for x in range(rows):
        is_right = x not in quarantined and octets(x) is not None
        results.append(squared(x).to_bytes(8) if is_right else None)
        statuses.append(255 if x in quarantined else 7 if octets(x) is None else 0)
    return results, statuses


def written(out: Path) -> tuple[list[bytes | None], list[int]]:
    """Return the results and the statuses that a data set holds, as any reader of Parquet sees them."""
    table = pq.read_table(out)
    return table["result"].to_pylist(), table["status"].to_pylist()


def asides(out: Path) -> list[str]:
    """Return the files that were not renamed, in all folders."""
    return [str(path) for path in out.rglob("*") if path.name.endswith(".aside")]


def driver(facts: dict[str, object], **variables: str) -> subprocess.Popen[str]:
    """Begin a driver in a process of its own."""
    path = f"{TESTS}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    return subprocess.Popen(
        [sys.executable, "-c", DRIVER, json.dumps(facts)],
        env=os.environ | {"PYTHONPATH": path} | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process: subprocess.Popen[str]) -> tuple[int, list[dict[str, object]], str]:
    """Return status, events and error output of a driver that has ended."""
    output, errors = process.communicate(timeout=300)
    return process.returncode, [json.loads(line) for line in output.splitlines()], errors


def children(pid: int) -> list[int]:
    """Return the worker processes of a driver: those that multiprocessing began, without its tracker."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            command = (entry / "cmdline").read_text(errors="replace")
        except OSError:
            continue
        if parent == pid and "spawn_main" in command:
            found.append(int(entry.name))
    return found


def wait_for(condition: object, seconds: float = 60.0) -> None:
    """Wait until a function returns what is true."""
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


KILL = signal.SIGKILL
