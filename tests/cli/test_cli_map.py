"""`monpro map` from files to files: results against Python's own, refusals, events, status, verification."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import Cli
from monpro.rsa import PrivateKey

ROWS = 600
N = (1 << 255) - 19


def octets(x: int) -> bytes:
    return x.to_bytes(32)


def table(rows: int = ROWS) -> pa.Table:
    moduli = [0 if i % 50 == 7 else N - i for i in range(rows)]
    return pa.table(
        {
            "c": pa.array(
                [None if i % 60 == 9 else octets(pow(3, i, N)) for i in range(rows)], pa.binary(32)
            ),
            "n": pa.array(map(octets, moduli), pa.binary(32)),
            "id": pa.array(range(rows)),
        }
    )


@pytest.fixture(name="source")
def written_source(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    pq.write_table(table().slice(0, 350), tmp_path / "in" / "a.parquet", row_group_size=100)
    pq.write_table(table().slice(350), tmp_path / "in" / "b.parquet")
    (tmp_path / "e").write_text("65537\n")
    return tmp_path


def mapped(folder: Path, *more: str, verb: str = "pow") -> list[str]:
    operands = {
        "pow": ["--base", "c", "--exp", f"@{folder}/e", "--mod", "n"],
        "inverse": ["--number", "c", "--mod", "n"],
    }
    return ["map", verb, "--in", f"{folder}/in/*.parquet", "--out", f"{folder}/out", *operands[verb], *more]


def results(folder: Path) -> list[tuple[int | None, int]]:
    found = pq.read_table(folder / "out").to_pylist()
    return [
        (None if row["result"] is None else int.from_bytes(row["result"]), row["status"]) for row in found
    ]


def is_as_python_says(folder: Path, e: int) -> bool:
    pairs = zip(table().to_pylist(), results(folder), strict=True)
    for row, (result, status) in pairs:
        n = int.from_bytes(row["n"])
        right = None if row["c"] is None or n == 0 else pow(int.from_bytes(row["c"]), e, n)
        if result != right or (status == 0) != (right is not None):
            return False
    return True


def test_powers_are_pythons_and_are_verified(cli: Cli, source: Path) -> None:
    status, output, errors = cli(*mapped(source, "--rows", "128"))
    assert (status, errors) == (0, "")
    assert "600 in 5 parts" in output
    assert is_as_python_says(source, 65537)
    state = cli.json("map", "status", f"{source}/out")
    assert (state["rows"], state["rows_done"], state["parts"], state["quarantined"]) == (600, 600, 5, 0)
    assert state["failed"] == 22 == sum(status != 0 for _, status in results(source))
    found = cli.json("map", "verify", f"{source}/out", "--sample", "300")
    assert (found["sampled"], found["missing"], found["wrong"]) == (300, 0, [])


def test_a_result_that_was_changed_is_found(cli: Cli, source: Path) -> None:
    cli(*mapped(source, "--rows", "300"))
    path = min((source / "out").glob("part-*"))
    content = bytearray(path.read_bytes())
    place = content.index(octets(pow(3, 65537, N - 1)))
    content[place + 31] ^= 1
    path.write_bytes(content)
    status, _, errors = cli("map", "verify", f"{source}/out", "--sample", "0")
    assert status == 1
    assert path.name in errors
    batch = pq.read_table(path, page_checksum_verification=False).to_batches()[0]
    from monpro.scale.parts import encoded  # noqa: PLC0415

    path.write_bytes(encoded(batch.replace_schema_metadata(None), path.name)[0].to_pybytes())
    status, _, errors = cli("map", "verify", f"{source}/out", "--sample", "600")
    assert status == 1
    assert "a.parquet: row 1\n" in errors


def test_other_operations_and_texts(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,n\n7,101\n0x10,97\nno,5\n6,9\n")
    words = ("--in", f"{tmp_path}/a.csv", "--out")
    assert cli("map", "inverse", *words, f"{tmp_path}/out", "--number", "x", "--mod", "n")[0] == 0
    assert results(tmp_path)[:2] == [(pow(7, -1, 101), 0), (pow(16, -1, 97), 0)]
    assert all(status and result is None for result, status in results(tmp_path)[2:])
    assert cli("map", "verify", f"{tmp_path}/out")[0] == 0
    assert cli("map", "prime", *words, f"{tmp_path}/p", "--number", "n")[0] == 0
    assert pq.read_table(tmp_path / "p")["result"].to_pylist() == [True, True, True, False]
    assert cli("map", "verify", f"{tmp_path}/p")[0] == 0
    operands = ("--base", "x", "--factor", "0x10000000000000001", "--mod", "n")
    assert cli("map", "product", *words, f"{tmp_path}/m", *operands)[0] == 0
    assert cli("map", "verify", f"{tmp_path}/m")[0] == 0


def test_an_rsa_key_in_a_file_decrypts_a_column(cli: Cli, tmp_path: Path) -> None:
    key = PrivateKey.generate(1024)
    n, e = key.public_key.n, key.public_key.e
    (tmp_path / "key.pem").write_text(key.to_pem())
    cells = pa.array([pow(x, e, n).to_bytes(128) for x in range(40)], pa.binary(128))
    pq.write_table(pa.table({"c": cells}), tmp_path / "a.parquet")
    words = ("--in", f"{tmp_path}/a.parquet", "--out", f"{tmp_path}/out", "--number", "c")
    command = ("map", "rsa-private", *words, "--key")
    assert "--key: give @file" in cli.complaint(*command, "123")
    line = f"monpro: {tmp_path}/missing cannot be read: No such file or directory\n"
    assert cli.complaint(*command, f"@{tmp_path}/missing") == line
    (tmp_path / "locked.pem").write_text(key.to_pem(passphrase="p"))  # noqa: S106  (no secret)
    line = "locked.pem: the key is encrypted: give one without a passphrase"
    assert line in cli.complaint(*command, f"@{tmp_path}/locked.pem")
    assert cli(*command, f"@{tmp_path}/key.pem", "--executor", "processes:1")[0] == 0
    assert results(tmp_path) == [(x, 0) for x in range(40)]
    assert cli("map", "verify", f"{tmp_path}/out")[0] == 0


def test_events_are_a_line_of_json_each(cli: Cli, source: Path) -> None:
    status, output, errors = cli(*mapped(source, "--rows", "200", "--json"))
    events = [json.loads(line) for line in output.splitlines()]
    assert (status, errors) == (0, "")
    assert [event["event"] for event in events] == ["start", *["part"] * 4, "done"]
    assert events[0]["rows"] == sum(event["rows"] for event in events[1:-1]) == events[-1]["rows"] == 600


def test_files_whose_results_have_unlike_widths_are_one_data_set_by_width(cli: Cli, source: Path) -> None:
    """No reader of Parquet takes 32 and 40 octets for one column."""
    wide = [octets(N).rjust(40, b"\0")] * 3
    columns = {"c": pa.array([b"\2"] * 3), "n": pa.array(wide, pa.binary(40))}
    pq.write_table(pa.table(columns), source / "in" / "c.parquet")
    line = "/in/c.parquet: its result would be fixed_size_binary[40], and that of "
    assert line in cli.complaint(*mapped(source))
    assert line in cli.complaint(*mapped(source, "--dry-run"))
    assert not (source / "out").exists()
    assert cli(*mapped(source, "--width", "40"))[0] == 0
    assert results(source)[ROWS:] == [(pow(2, 65537, N), 0)] * 3


def test_events_that_cannot_be_written_are_no_fault_of_the_folder(source: Path) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            monpro_map(*mapped(source, "--json")), stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ended.returncode == 1
    assert ended.stderr == "monpro: cannot write the output: No space left on device\n"


def test_a_dry_run_changes_nothing(cli: Cli, source: Path) -> None:
    found = cli.json(*mapped(source, "--dry-run"))
    assert found == {"files": 2, "rows": 600, "rows_done": 0, "rows_per_chunk": None}
    assert not (source / "out").exists()
    cli(*mapped(source, "--rows", "100"))
    assert cli.json(*mapped(source, "--dry-run", "--resume"))["rows_done"] == 600


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--base", "d"], "has no column d: its columns are c, n, id"),
        (["--base", "id"], "id"),
        (["--base", "5", "--mod", "7"], "every operand of pow is a constant"),
        (["--exp", "-3"], "--exp is negative"),
        (["--mod", "@missing"], "missing cannot be read"),
        (["--in", "nothing/*.parquet"], "nothing is named nothing"),
        (["--executor", "ray"], "give one of local, processes, dask, mpi"),
        (["--rows", "0"], "rows"),
        (["--out", "/proc/out"], "/proc/out"),
        (["--width", "0"], "width"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(
    words: list[str], line: str, cli: Cli, source: Path
) -> None:
    arguments = mapped(source)
    for name, value in zip(words[::2], words[1::2], strict=True):
        if name in arguments:
            arguments[arguments.index(name) + 1] = value
        else:
            arguments += [name, value]
    assert line in cli.complaint(*arguments)
    assert not (source / "out").exists()


def test_a_factory_is_found_in_the_working_folder(source: Path) -> None:
    """As `python -m` finds it, but the command does not."""
    text = "from concurrent.futures import ThreadPoolExecutor\ndef factory(): return ThreadPoolExecutor(1)"
    (source / "own_factory.py").write_text(text)
    command = str(Path(sys.executable).with_name("monpro"))
    words = [command, *mapped(source, "--executor", "own_factory:factory")]
    subprocess.run(words, cwd=source, check=True, capture_output=True)
    assert is_as_python_says(source, 65537)


@pytest.mark.parametrize("executor", ["local", "processes:1"])
def test_a_file_that_no_worker_can_read_ends_the_job_in_one_line(
    executor: str, cli: Cli, source: Path
) -> None:
    """No row is at fault, so that none is looked for."""
    (source / "e").unlink()
    words = mapped(source, "--executor", executor, "--resume")
    line = f"monpro: {source}/e cannot be read: No such file or directory\n"
    assert cli.complaint(*words) == line
    assert cli.complaint(*words, "--rows", "100") == line
    (source / "e").write_text("12 13")
    assert "/e holds no number: give one in decimal" in cli.complaint(*words)
    assert [path.name for path in (source / "out").iterdir()] == ["_monpro"]
    (source / "e").write_text("3")
    assert cli(*words)[0] == 0
    assert is_as_python_says(source, 3)


def test_folders_that_hold_no_job_or_another_one_are_refused(cli: Cli, source: Path) -> None:
    for verb in ("status", "verify"):
        assert "holds no job" in cli.complaint("map", verb, f"{source}/nothing")
    cli(*mapped(source))
    path = source / "out" / "_monpro" / "job.json"
    record = path.read_text()
    changes: list[dict[str, object]] = [
        {"operands": {}},
        {"operands": 5},
        {"operation": "cube"},
        {"operation": []},
    ]
    for change in changes:
        data = json.loads(record)
        path.write_text(json.dumps(data | {"request": data["request"] | change}))
        line = f"monpro: {source}/out: was not made by `monpro map`\n"
        assert cli.complaint("map", "verify", f"{source}/out") == line
    path.write_text(record)
    assert "add --resume" in cli.complaint(*mapped(source))
    assert "another operation" in cli.complaint(*mapped(source, "--resume", verb="inverse"))


def test_a_file_that_changed_is_noticed_on_resume_if_it_is_public_and_else_by_verify(
    cli: Cli, source: Path
) -> None:
    (source / "n").write_text(f"{N}")
    words = mapped(source, "--rows", "300", "--mod", f"@{source}/n")
    assert cli(*words)[0] == 0
    min((source / "out").glob("part-*")).unlink()
    (source / "e").write_text("3")
    assert cli(*words, "--resume")[0] == 0
    assert results(source)[1] == (27, 0)
    assert results(source)[599] == (pow(3, 599 * 65537, N), 0)
    status, _, errors = cli("map", "verify", f"{source}/out", "--sample", "600")
    assert status == 1
    assert "a.parquet: row 300\n" in errors
    (source / "n").write_text(f"{N - 2}")
    assert "another operation" in cli.complaint(*words, "--resume")


def test_without_pyarrow_the_extra_is_named(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [
        name for name in sys.modules if name.partition(".")[0] == "pyarrow" or name.endswith("cli.map")
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert cli.complaint("map", "pow") == "monpro: pyarrow is not installed: pip install 'monpro[columns]'\n"


def test_rows_in_quarantine_give_status_1(cli: Cli, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The arithmetic is made to fail at one modulus, as memory that runs out would."""
    from monpro.columns import Operation  # noqa: PLC0415

    compute = Operation.compute

    def failing(self: Operation, batch: pa.RecordBatch) -> pa.RecordBatch:
        if octets(N - 123) in batch.column("n").to_pylist():
            raise MemoryError
        return compute(self, batch)

    monkeypatch.setattr(Operation, "compute", failing)
    status, output, errors = cli(*mapped(source, "--rows", "100"))
    assert status == 1
    assert errors == f"map: quarantined: {source}/in/a.parquet, row 123: MemoryError\n"
    assert "1 are in quarantine" in output
    assert results(source)[123] == (None, 255)


def monpro_map(*words: str) -> list[str]:
    return ["env", "--default-signal=INT", sys.executable, "-m", "monpro", *words]


def test_a_terminal_sees_rate_and_remaining_time_and_ctrl_c_gives_130(source: Path) -> None:
    rows = 20_000
    pq.write_table(pa.table({"c": pa.array([octets(N - 2)] * rows)}), source / "in" / "a.parquet")
    (source / "in" / "b.parquet").unlink()
    words = mapped(source, "--rows", "200", "--mod", hex((1 << 2048) - 1942289))
    words[words.index("--exp") + 1] = hex((1 << 2048) - 1)
    controller, terminal = pty.openpty()
    command = monpro_map(*words)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=terminal, env=os.environ | {"TERM": "xterm", "COLUMNS": "90"}
    ) as process:
        os.close(terminal)
        try:
            seen, deadline = b"", time.monotonic() + 60
            while b"rows/s" not in seen or b"left" not in seen:
                assert time.monotonic() < deadline, seen
                seen += os.read(controller, 4096)
            process.send_signal(signal.SIGINT)
            asked = time.monotonic()
            assert process.wait(timeout=20) == 130
            assert time.monotonic() - asked < 2
        finally:
            process.kill()
    os.close(controller)
    done = len(list((source / "out").glob("part-*")))
    assert 0 < done < 100
    assert not [path for path in (source / "out").iterdir() if path.name.endswith(".aside")]


def test_a_pipe_to_a_worker_that_was_killed_does_not_end_the_command(cli: Cli, source: Path) -> None:
    """As a closed pipe ends other verbs."""
    before = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        assert cli(*mapped(source))[0] == 0
        assert signal.getsignal(signal.SIGPIPE) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGPIPE, before)


def test_a_key_file_is_named_and_never_shown(cli: Cli, source: Path) -> None:
    secret = "1234567890" * 30
    (source / "e").write_text(secret)
    status, output, errors = cli(*mapped(source, "--rows", "100", "--executor", "processes:1", "--json"))
    assert (status, errors) == (0, "")
    assert is_as_python_says(source, int(secret))
    raw = int(secret).to_bytes((int(secret).bit_length() + 7) // 8)
    for path in (source / "out").rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert secret.encode() not in content
            assert raw not in content
            assert raw.hex().encode() not in content
    assert secret not in output
    assert f"@{source}/e" in (source / "out" / "_monpro" / "job.json").read_text()
