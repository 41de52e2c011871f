"""Any range of rows of Parquet, CSV and JSON lines is what was written; changed files are refused."""

import csv
import json
import os
import random
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import TOOL_LACKS
from monpro.scale import JobError, inputs, storage
from monpro.scale.inputs import STRIDE

NUMBERS = [random.Random(7).getrandbits(40 + i % 600) for i in range(3000)]
ROWS = [None if i % 97 == 5 else x for i, x in enumerate(NUMBERS)]
RANGES = [(0, 1), (0, 3000), (1023, 1025), (2999, 3000), (500, 500), (1, 2999), (2047, 2300)]


def octets(x: int | None) -> bytes | None:
    return None if x is None else x.to_bytes(max(1, (x.bit_length() + 7) // 8))


def write_parquet(path: Path) -> Path:
    cells = pa.array(map(octets, ROWS), pa.binary())
    table = pa.table({"other": pa.array(range(3000)), "c": cells})
    pq.write_table(table, path, row_group_size=700)
    return path


def write_csv(path: Path) -> Path:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["other", "c"])
        for i, x in enumerate(ROWS):
            writer.writerow([f"a, {i}", "" if x is None else hex(x) if i % 2 else x])
            if i % 100 == 0:
                file.write("\n")
    return path


def write_lines(path: Path) -> Path:
    lines = [json.dumps({"c": x if i % 2 or x is None else hex(x), "other": i}) for i, x in enumerate(ROWS)]
    path.write_text("\n\n".join(lines))
    return path


WRITERS = {"parquet": write_parquet, "csv": write_csv, "jsonl": write_lines}


@pytest.mark.parametrize("form", WRITERS)
def test_every_range_is_what_was_written(form: str, tmp_path: Path) -> None:
    (one,) = inputs.find([str(WRITERS[form](tmp_path / f"a.{form}"))])
    assert (one.rows, one.schema.names) == (3000, ["c", "other"] if form == "jsonl" else ["other", "c"])
    for start, stop in [*RANGES, *RANGES[::-1]]:
        batch = inputs.read(one.source, ["c"], start, stop, one.offset(start))
        assert batch.column(0).to_pylist() == [octets(x) for x in ROWS[start:stop]]
        assert batch.schema.names == ["c"]


def test_a_range_that_follows_the_last_one_reads_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (one,) = inputs.find([str(write_parquet(tmp_path / "a.parquet"))])
    monkeypatch.setattr(inputs, "BATCH", 64)
    inputs.read(one.source, ["c"], 0, 100, 0)
    reader = inputs.OPEN.reader
    decoded = reader.batches
    inputs.read(one.source, ["c"], 130, 600, 0)
    assert inputs.OPEN.reader is reader
    assert reader.batches is decoded
    inputs.read(one.source, ["c"], 2500, 2600, 0)
    assert reader.batches is not decoded


def test_what_is_no_number_in_a_text_is_null(tmp_path: Path) -> None:
    cells = ["12", " 0x0F ", "", "-1", "1.5", "twelve", "0x", "0" * 9 + "1", "9" * 5000, "9" * 131_073]
    path = tmp_path / "a.csv"
    path.write_text("c\n" + "\n".join(f'"{cell}"' for cell in cells) + '\n"é\n'.replace('"', ""))
    (one,) = inputs.find([str(path)])
    batch = inputs.read(one.source, ["c"], 0, one.rows, one.offset(0))
    large = sum(9 * 10**i for i in range(5000))
    expected = [12, 15, None, None, None, None, None, 1, large, None, None]
    assert [None if x is None else int.from_bytes(x) for x in batch.column(0).to_pylist()] == expected
    path = tmp_path / "b.jsonl"
    path.write_text('{"c": 3}\nnot json\n[1]\n{"d": 4}\n{"c": true}\n{"c": 1.5}\n{"c": "0x10"}\n')
    (one,) = inputs.find([str(path)])
    batch = inputs.read(one.source, ["c"], 0, 7, 0)
    assert batch.column(0).to_pylist() == [b"\x03", None, None, None, None, None, b"\x10"]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "marked"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["unix", "windows"])
def test_texts_of_other_systems_and_blank_lines_are_read(mark: bytes, end: bytes, tmp_path: Path) -> None:
    texts = {
        "a.csv": [b"", b"c,n", b"", b"7,0x10", b" ", b"8"],
        "b.jsonl": [b" ", b'{"c": 7, "n": "0x10"}', b"", b'{"c": 8}', b" "],
    }
    for name, lines in texts.items():
        (tmp_path / name).write_bytes(mark + end.join(lines))
        (one,) = inputs.find([str(tmp_path / name)])
        assert (one.rows, one.schema.names) == (2, ["c", "n"])
        batch = inputs.read(one.source, ["n", "c"], 0, 2, one.offset(0))
        assert batch.to_pydict() == {"n": [b"\x10", None], "c": [b"\x07", b"\x08"]}


def test_a_line_of_endless_brackets_is_null(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"c": 1}\n{"c": ' + "[" * 100_000 + "\n")
    (one,) = inputs.find([str(tmp_path / "a.jsonl")])
    assert inputs.read(one.source, ["c"], 0, 2, 0).column(0).to_pylist() == [b"\x01", None]
    (tmp_path / "a.jsonl").write_text("[" * 100_000)
    (one,) = inputs.find([str(tmp_path / "a.jsonl")])
    assert one.schema.names == []


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("a.csv", "c\r1\r2\r", "a.csv: not readable as csv: the line with the names of the columns has a"),
        ("a.csv", "c," + "d" * 140_000 + "\n", "a name of more than 131,072 signs"),
        ("a.csv", 'c\n1\n"2\n3"\n', "row 1: a quoted cell goes on in the next line"),
        ("a.parquet", "PAR1 nothing", "a.parquet: not readable as parquet: "),
        ("a.txt", "1\n", "its name ends with none of .parquet, .csv, .jsonl, .ndjson"),
    ],
)
def test_a_file_that_holds_no_rows_is_refused(name: str, content: str, line: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(JobError, match=line) as caught:
        inputs.find([str(tmp_path / name)])
    assert "\n" not in str(caught.value)


def test_files_come_in_the_order_of_their_names_and_hidden_ones_are_left_out(tmp_path: Path) -> None:
    for name in ("b.csv", "a.csv", ".c.csv", "_d.csv"):
        (tmp_path / name).write_text("c\n1\n")
    for pattern in (str(tmp_path), f"{tmp_path}/*.csv", f"{tmp_path}/[ab].csv"):
        assert [Path(one.source.path).name for one in inputs.find([pattern])] == ["a.csv", "b.csv"]
    assert len(inputs.find([f"{tmp_path}/b.csv", str(tmp_path)])) == 2
    for patterns in ([f"{tmp_path}/x*.csv"], [f"{tmp_path}/b.csv", f"{tmp_path}/x*.csv"]):
        with pytest.raises(JobError, match=r"nothing is named \S+/x\*\.csv"):
            inputs.find(patterns)


@pytest.mark.parametrize("scheme", ["", pytest.param("file://", marks=pytest.mark.slow)])
def test_data_sets_in_folders_and_files_below_are_found(scheme: str, tmp_path: Path) -> None:
    """A folder that is named as a file is what other engines write; ** stands for folders of any depth."""
    if scheme and find_spec("fsspec") is None:
        pytest.skip(f"{TOOL_LACKS}: fsspec is not installed: pip install -r requirements/scale.txt")
    names = ["a.parquet", "b.parquet/_SUCCESS", "b.parquet/0.parquet", "b.parquet/year=1/1.parquet"]
    for name in [*names, "b.parquet/.crc/2.parquet", "c/d/3.parquet", "_e/4.parquet"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"")

    def found(pattern: str) -> list[str]:
        names = storage.matching(f"{scheme}{tmp_path}/{pattern}", tuple(inputs.FORMS))
        return [name.removeprefix(f"{scheme}{tmp_path}/") for name in names]

    inside = ["b.parquet/0.parquet", "b.parquet/year=1/1.parquet"]
    for pattern in ("", "*", "*.parquet"):
        assert found(pattern) == ["a.parquet", *inside]
    assert found("b.parquet") == found("b.parquet/") == inside
    assert found("c") == []
    assert found("c/**/*.parquet") == found("c/d") == ["c/d/3.parquet"]


def test_a_link_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").symlink_to("nowhere")
    with pytest.raises(JobError, match=r"a\.parquet: not readable as parquet: No such file"):
        inputs.find([str(tmp_path)])


def test_a_file_that_changes_is_not_read(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "a.parquet")
    (one,) = inputs.find([str(path)])
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    with pytest.raises(JobError, match=r"a\.parquet: has changed since the job began"):
        inputs.read(one.source, ["c"], 0, 1, 0)
    path.unlink()
    with pytest.raises(JobError, match=r"a\.parquet: No such file"):
        inputs.read(one.source, ["c"], 0, 1, 0)


def test_a_text_knows_where_its_rows_begin(tmp_path: Path) -> None:
    (one,) = inputs.find([str(write_csv(tmp_path / "a.csv"))])
    assert len(one.offsets) == -(-3000 // STRIDE)
    text = (tmp_path / "a.csv").read_bytes()
    assert text[one.offset(2050) :].startswith(b'"a, 2048"')
