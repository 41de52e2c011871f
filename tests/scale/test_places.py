"""The same results, to the octet, from every place: one process, several, a Dask cluster, MPI, and Ray."""

import logging
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import TOOL_LACKS
from monpro.scale.executors import opened
from scale_folders import KILL, TESTS, children, wait_for

BIN = Path(sys.executable).parent
ROWS = 100_000
SECRET = (1 << 521) - 1
ENVIRONMENT = os.environ | {
    "PYTHONPATH": str(TESTS),
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}
DUMP = """
import sys, distributed
distributed.Client(sys.argv[1]).dump_cluster_state(sys.argv[2], format="yaml")
"""
TLS = {"DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION": "True"}

pytestmark = pytest.mark.slow


def need(name: str) -> str:
    """Return the path of a program of requirements/scale.txt; the test is skipped loudly without it."""
    path = BIN / name
    if not path.exists():
        pytest.skip(f"{TOOL_LACKS}: {name} is not installed: pip install -r requirements/scale.txt")
    return str(path)


def write_mixed(folder: Path, rows: int) -> None:
    """Write rows of 512 to 4096 bits: most moduli odd, some even, some 0, some rows null; exponents short."""
    source = random.Random(19)
    folder.mkdir()
    for file in range(4):
        columns: dict[str, list[bytes | None]] = {"c": [], "n": []}
        for i in range(rows // 4):
            bits = 4096 if i % 500 == 0 else 2048 if i % 50 == 0 else source.choice((512, 768, 1024))
            n = source.getrandbits(bits) | (1 << (bits - 1)) | 1
            n = 0 if i % 997 == 3 else n - 1 if i % 101 == 5 else n
            c = source.getrandbits(bits)
            columns["n"].append(n.to_bytes(bits // 8))
            columns["c"].append(None if i % 613 == 7 else c.to_bytes(bits // 8))
        table = pa.table({name: pa.array(cells, pa.binary()) for name, cells in columns.items()})
        pq.write_table(table, folder / f"{file}.parquet", row_group_size=7000)


@pytest.fixture(name="folder", scope="module")
def made_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the input, the exponent in a file, and the results of one process."""
    folder = tmp_path_factory.mktemp("places")
    write_mixed(folder / "in", ROWS)
    (folder / "e").write_text("0x10001")
    succeeded(mapped(folder, "local"))
    return folder


def mapped(folder: Path, executor: str, *before: str, name: str = "", rows: int = 4096) -> list[str]:
    """Return the command that writes the results of a place into a folder named after it."""
    operands = ["--base", "c", "--exp", f"@{folder}/e", "--mod", "n", "--rows", str(rows)]
    out = folder / (name or executor.partition(":")[0])
    command = [
        sys.executable,
        "-m",
        "monpro",
        "map",
        "pow-vartime",
        "--in",
        f"{folder}/in",
        "--out",
        str(out),
    ]
    return [*before, *command, *operands, "--executor", executor]


def succeeded(command: list[str], **variables: str) -> str:
    ended = subprocess.run(
        command, env=ENVIRONMENT | variables, capture_output=True, text=True, check=False, timeout=500
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("part-*")}


@contextmanager
def dask_cluster(folder: Path, *options: str, scheme: str = "tcp", **variables: str) -> Iterator[str]:
    """Begin a scheduler and two workers by Dask's own commands; yield the scheduler's address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"{scheme}://127.0.0.1:{port}"
    environment = ENVIRONMENT | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "10"} | variables
    scheduler = [
        need("dask"),
        "scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--dashboard-address",
        "127.0.0.1:0",
    ]
    if scheme == "tls":
        scheduler += ["--protocol", "tls"]
    worker = [need("dask"), "worker", address, "--nworkers", "1", "--nthreads", "1", "--no-dashboard"]
    with ExitStack() as stack:
        for number, command in enumerate((scheduler, worker, worker)):
            log = stack.enter_context((folder / f"dask-{scheme}-{number}.log").open("w"))
            process = subprocess.Popen(
                [*command, *options], cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT
            )
            stack.callback(end, process)
        yield address


def end(process: subprocess.Popen[bytes]) -> None:
    """End one of Dask's processes, by force if need be: a worker may wait for ever for a dead scheduler."""
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def test_processes_give_the_same_files(folder: Path) -> None:
    succeeded(mapped(folder, "processes:2"))
    assert files(folder / "processes") == files(folder / "local")
    assert len(files(folder / "local")) == 28


def test_a_dask_cluster_gives_the_same_files_and_knows_no_secret(folder: Path) -> None:
    """The scheduler's state is read by its own dump, after the job and while its tasks are remembered."""
    with dask_cluster(folder) as address:
        told = succeeded(mapped(folder, f"dask:{address}"))
        assert files(folder / "dask") == files(folder / "local")
        (folder / "secret").write_text(str(SECRET))
        command = mapped(folder, f"dask:{address}", name="of-secret", rows=50_000)
        command[command.index("--exp") + 1] = f"@{folder}/secret"
        command[command.index("--base") + 1] = "c"
        process = subprocess.Popen(
            command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        time.sleep(8)
        succeeded([sys.executable, "-c", DUMP, address, str(folder / "state")])
        told += process.communicate(timeout=300)[0]
        assert process.returncode == 0, told
    octets = SECRET.to_bytes(66)
    needles = [str(SECRET).encode(), octets, octets.hex().encode(), hex(SECRET).encode()]
    places = [*folder.glob("dask-*.log"), folder / "state.yaml", *(folder / "of-secret").rglob("*.json")]
    assert len(places) == 5
    for content in [told.encode(), *(path.read_bytes() for path in places)]:
        assert not [needle for needle in needles if needle in content]
    assert b"run" in (folder / "state.yaml").read_bytes()


def test_a_dask_worker_that_is_killed_loses_nothing(folder: Path) -> None:
    with dask_cluster(folder) as address:
        process = subprocess.Popen(
            mapped(folder, f"dask:{address}", name="killed", rows=512),
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        mine = os.getpid()
        for _ in range(3):
            before = len(files(folder / "killed"))
            wait_for(lambda before=before: len(files(folder / "killed")) > before + 10)
            wait_for(lambda: workers_below(mine))
            os.kill(random.choice(workers_below(mine)), KILL)
        told = process.communicate(timeout=300)[0]
        assert process.returncode == 0, told
    one, other = (pq.read_table(folder / name) for name in ("killed", "local"))
    assert one.replace_schema_metadata(None).equals(other.replace_schema_metadata(None))


def test_a_dask_scheduler_that_dies_is_one_line_and_the_job_is_resumed(folder: Path) -> None:
    """Dask's own log would print a traceback besides."""
    short = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "3s"}
    with dask_cluster(folder) as address:
        command = mapped(folder, f"dask:{address}", name="lost", rows=512)
        process = subprocess.Popen(
            command, env=ENVIRONMENT | short, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        wait_for(lambda: len(files(folder / "lost")) > 10)
        os.kill(scheduler_at(address), KILL)
        errors = process.communicate(timeout=100)[1]
    assert process.returncode == 2, errors
    lines = [line for line in errors.splitlines() if line != "map: there is no worker yet"]
    ended = [
        "the executor ended with chunks in flight: resume the job",
        f"dask:{address}: no scheduler answers: OSError",
    ]
    assert lines in [[f"monpro: {line}"] for line in ended]
    succeeded([*mapped(folder, "local", name="lost"), "--resume"])
    one, other = (pq.read_table(folder / name) for name in ("lost", "local"))
    assert one.replace_schema_metadata(None).equals(other.replace_schema_metadata(None))


def test_what_dask_says_of_a_dead_scheduler_besides_is_neither_raised_nor_logged(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    with dask_cluster(folder) as address:
        dask = pytest.importorskip("dask")
        with dask.config.set({"distributed.comm.timeouts.connect": "2s"}), opened(f"dask:{address}") as place:
            executor = place.make()
            executor.submit(time.sleep, 3)
            os.kill(scheduler_at(address), KILL)
            wait_for(lambda: place.has_ended(executor))
            place.close(executor)
    assert not caplog.text


def scheduler_at(address: str) -> int:
    """Return the process that begins with Dask's command and this port."""
    port = address.rpartition(":")[2]
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                words = (entry / "cmdline").read_text(errors="replace").split("\0")
                if "scheduler" in words and port in words:
                    return int(entry.name)
    raise AssertionError(address)


@pytest.mark.parametrize("where", ["nowhere", "tcp://127.0.0.1", "none.json"])
def test_what_is_no_address_of_a_scheduler_is_refused_and_not_waited_for(where: str, folder: Path) -> None:
    need("dask")
    command = mapped(folder, f"dask:{where}", name="nowhere")
    ended = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"monpro: dask:{where}: ")
    assert ended.stderr.count("\n") == 1
    assert not (folder / "nowhere").exists()


def workers_below(pid: int) -> list[int]:
    """Return the processes that the children of a process, Dask's nannies, have begun as workers."""
    below = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            below += children(int(entry.name)) if parent == pid else []
    return below


def certificates(folder: Path) -> dict[str, str]:
    """Make an authority of our own and a certificate that it signs; return Dask's configuration of them."""

    def openssl(*words: str) -> None:
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    new = ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl(*new, "-x509", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=ca")
    openssl(*new, "-keyout", "node.key", "-out", "node.csr", "-subj", "/CN=node")
    sign = ["x509", "-req", "-in", "node.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"]
    openssl(*sign, "-out", "node.pem")
    prefix = "DASK_DISTRIBUTED__COMM__TLS"
    variables = {f"{prefix}__CA_FILE": str(folder / "ca.pem")}
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        variables |= {
            f"{prefix}__{role}__CERT": str(folder / "node.pem"),
            f"{prefix}__{role}__KEY": str(folder / "node.key"),
        }
    return variables


def test_a_dask_cluster_behind_tls_serves_those_with_certificates_only(folder: Path) -> None:
    variables = certificates(folder) | TLS
    with dask_cluster(folder, scheme="tls", **variables) as address:
        succeeded(mapped(folder, f"dask:{address}", name="tls"), **variables)
        assert files(folder / "tls") == files(folder / "local")
        stranger = subprocess.run(
            mapped(folder, f"dask:{address}", name="stranger"),
            env=ENVIRONMENT | {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s"},
            capture_output=True,
            text=True,
            check=False,
            timeout=200,
        )
        assert stranger.returncode == 2
        assert stranger.stderr.count("monpro: dask:tls://") == 1
        assert not (folder / "stranger").exists()


def test_mpi_gives_the_same_files(folder: Path) -> None:
    succeeded(mapped(folder, "mpi", need("mpiexec"), "-n", "3"))
    assert files(folder / "mpi") == files(folder / "local")


def test_an_mpi_job_whose_rank_dies_ends_and_is_resumed(folder: Path) -> None:
    command = mapped(folder, "mpi", need("mpiexec"), "-n", "3", name="rank", rows=512)
    process = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: len(files(folder / "rank")) > 20)
    os.kill(max(ranks_of(folder / "rank")), KILL)
    assert process.wait(60) != 0
    wait_for(lambda: not ranks_of(folder / "rank"))
    before = files(folder / "rank")
    assert len(before) < ROWS // 512
    succeeded([*command, "--resume"])
    assert {name: octets for name, octets in files(folder / "rank").items() if name in before} == before
    one, other = (pq.read_table(folder / name) for name in ("rank", "local"))
    assert one.replace_schema_metadata(None).equals(other.replace_schema_metadata(None))


def ranks_of(out: Path) -> list[int]:
    """Return the processes that run `monpro map` into a folder, without mpiexec."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                words = (entry / "cmdline").read_text(errors="replace").split("\0")
                if words[1:4] == ["-m", "monpro", "map"] and str(out) in words:
                    found.append(int(entry.name))
    return found


def test_ray_by_the_documents_factory_gives_the_same_files(folder: Path) -> None:
    if find_spec("ray") is None:
        pytest.skip(f"{TOOL_LACKS}: ray is not installed: pip install -r requirements/scale.txt")
    text = (TESTS.parent / "docs" / "scale.md").read_text(encoding="utf-8")
    factory = next(block for block in text.split("```") if "class RayExecutor" in block)
    (folder / "my_ray.py").write_text(factory.removeprefix("text\n"))
    path = f"{folder}{os.pathsep}{TESTS}"
    succeeded(mapped(folder, "my_ray:executor", name="ray"), PYTHONPATH=path)
    assert files(folder / "ray") == files(folder / "local")


def test_mpi_refuses_bad_input_once_and_ends(folder: Path) -> None:
    command = mapped(folder, "mpi", need("mpiexec"), "-n", "3", name="bad")
    command[command.index("--base") + 1] = "no_column"
    ended = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=100)
    assert ended.returncode == 2
    assert ended.stderr.count("has no column no_column") == 1
    alone = subprocess.run(
        mapped(folder, "mpi"), env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert alone.returncode == 2
    assert "begin the command with mpiexec -n 3" in alone.stderr
