"""Inputs and parts in a server of S3: versitygw, with a folder of this machine behind it."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from shutil import which

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import TOOL_LACKS
from scale_folders import KILL, expected, wait_for, write_rows, written

STORES = Path(sys.prefix) / "stores"
SERVER = "versitygw"
NAME, SECRET = "monpro", "a-secret-of-the-test"
MODULUS = (1 << 64) - 59

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Store:
    """A server's folder, whose folders are buckets, and what a client must know."""

    folder: Path
    environment: dict[str, str]

    def map(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "monpro", "map", *words]

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.map(*words), env=self.environment, capture_output=True, text=True, check=False, timeout=300
        )


def free_port() -> int:
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def answers(port: int) -> bool:
    with closing(socket.socket()) as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(name="store")
def started_store(tmp_path: Path) -> Iterator[Store]:
    """Start a server with a bucket `numbers`, in which `in` has three files of rows."""
    program = which(SERVER, path=os.pathsep.join([str(Path(sys.prefix) / "bin"), os.environ["PATH"]]))
    if program is None or not (STORES / "s3fs").exists():
        pytest.skip(f"{TOOL_LACKS}: {SERVER} or s3fs is not installed: `make test-full` does so where Go is")
    (tmp_path / "s3" / "numbers").mkdir(parents=True)
    write_rows(tmp_path / "s3" / "numbers" / "in", 3, 400)
    port = free_port()
    account = {"ROOT_ACCESS_KEY": NAME, "ROOT_SECRET_KEY": SECRET}
    command = [
        program,
        "--quiet",
        "--port",
        f"127.0.0.1:{port}",
        "posix",
        "--sidecar",
        str(tmp_path / "facts"),
    ]
    (tmp_path / "facts").mkdir()
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(
            [*command, str(tmp_path / "s3")], env=os.environ | account, stdout=log, stderr=log
        )
    try:
        wait_for(lambda: answers(port))
        client = {
            "PYTHONPATH": str(STORES),
            "AWS_ACCESS_KEY_ID": NAME,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        }
        yield Store(tmp_path / "s3" / "numbers", os.environ | client)
    finally:
        server.terminate()
        server.wait(30)


def squares(out: str, *options: str) -> list[str]:
    operands = ["--base", "x", "--exp", "2", "--mod", str(MODULUS), "--rows", "50"]
    return ["pow-vartime", "--in", "s3://numbers/in/*.parquet", "--out", out, *operands, *options]


def test_a_job_from_bucket_to_bucket_is_killed_and_resumed(store: Store) -> None:
    out, folder = "s3://numbers/out", store.folder / "out"
    driver = subprocess.Popen(
        store.map(*squares(out, "--executor", "processes:2")),
        env=store.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_for(lambda: len(list(folder.glob("part-*"))) > 2)
    os.kill(driver.pid, KILL)
    driver.wait()
    again = store.run(*squares(out))
    assert (again.returncode, again.stderr.count("add --resume")) == (2, 1), again.stderr
    done = store.run(*squares(out, "--resume"))
    assert done.returncode == 0, done.stderr
    results, statuses = expected(1200)
    assert written(folder) == (results, [0 if status == 0 else 1 for status in statuses])
    assert len(list(folder.glob("part-*"))) == 24
    assert "1,200 of 1,200" in store.run("status", out).stdout
    assert store.run("verify", out, "--sample", "100").returncode == 0


def test_an_input_that_was_replaced_in_its_bucket_is_refused(store: Store) -> None:
    out = "s3://numbers/out"
    assert store.run(*squares(out)).returncode == 0
    next((store.folder / "out").glob("part-*")).unlink()
    time.sleep(1.1)  # the server's time of a change counts seconds
    write_rows(store.folder / "in", 3, 401)
    refused = store.run(*squares(out, "--resume"))
    assert refused.returncode == 2
    assert "has changed since the job" in refused.stderr


REFUSALS = {
    "a wrong account": ({"AWS_SECRET_ACCESS_KEY": "wrong"}, "s3://numbers/in/*", "s3://numbers/out"),
    "no server": ({"AWS_ENDPOINT_URL": "http://127.0.0.1:9"}, "s3://numbers/in/*", "s3://numbers/out"),
    "no bucket to read": ({}, "s3://nowhere/in/*", "s3://numbers/out"),
    "no bucket to write": ({}, "s3://numbers/in/*", "s3://nowhere/out"),
}


@pytest.mark.parametrize(("variables", "source", "out"), REFUSALS.values(), ids=REFUSALS)
def test_what_a_store_refuses_is_one_line(
    store: Store, variables: dict[str, str], source: str, out: str
) -> None:
    command = squares(out)
    command[command.index("--in") + 1] = source
    refused = Store(store.folder, store.environment | variables).run(*command)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr
    assert "s3://" in refused.stderr
    assert SECRET not in refused.stderr
    assert not (store.folder / "out").exists()


def test_columns_of_a_store_are_read_by_its_slices(store: Store) -> None:
    """A file of many row groups with a wide column beside; null rows stay null."""
    cells = [None if x % 7 == 3 else x.to_bytes(4) for x in range(5000)]
    table = pa.table({"wide": pa.array(["w" * 1000] * 5000), "x": pa.array(cells, pa.binary())})
    pq.write_table(table, store.folder / "in" / "9.parquet", row_group_size=64)
    command = squares("s3://numbers/out")
    command[command.index("--in") + 1] = "s3://numbers/in/9.parquet"
    assert store.run(*command).returncode == 0
    right = [None if x % 7 == 3 else (x * x % MODULUS).to_bytes(8) for x in range(5000)]
    assert written(store.folder / "out")[0] == right
