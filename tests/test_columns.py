"""Columns of numbers: Arrow's types, slices, nulls, chunks; nothing is copied; bad input is one line."""

import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from monpro import _native
from monpro.columns import OPERANDS, STATUSES, Column, ColumnsError, Constant, File, Operation, Source
from monpro.rsa import PrivateKey as RsaPrivateKey

ROWS = 60
NULL, ZERO, WIDE, NO_INVERSE = 1, 2, 3, 4
GENERATOR = random.Random(19)


def numbers(rows: int, most_bytes: int) -> list[bytes | None]:
    """Return numbers of mixed lengths with zeros before some, and nulls."""
    lengths = [GENERATOR.choice([0, 1, most_bytes // 2, most_bytes]) for _ in range(rows)]
    values = [GENERATOR.randbytes(length) for length in lengths]
    return [None if GENERATOR.random() < 0.1 else value for value in values]


def array(values: list[bytes | None], kind: Any) -> Any:
    if pa.types.is_fixed_size_binary(kind):
        values = [value and value.rjust(kind.byte_width, b"\0") for value in values]
        values = [b"\0" * kind.byte_width if value == b"" else value for value in values]
    return pa.array(values, kind)


def integer(value: bytes) -> int:
    return int.from_bytes(value)


def expected(  # noqa: PLR0911  (the refusals, one after the other)
    name: str, values: list[bytes | None], width: int
) -> tuple[int, int | None]:
    """Return the status and the number of a row."""
    if any(value is None for value in values):
        return NULL, None
    *others, n = [integer(value) for value in values if value is not None]
    if n == 0:
        return (0, 0) if name.startswith("modexp") else (ZERO, None)
    if n.bit_length() > 8 * width:
        return WIDE, None
    if name == "product":
        return 0, others[0] * others[1] % n
    if name == "inverse":
        try:
            return 0, pow(others[0], -1, n)
        except ValueError:
            return NO_INVERSE, None
    return 0, pow(others[0], others[1], n)


def check(name: str, columns: list[list[bytes | None]], batch: Any, width: int | None = None) -> Any:
    """Compute the operation on a batch and compare every row."""
    sources = {operand: Column(operand) for operand in OPERANDS[name]}
    operation = Operation(name, sources, width=width)
    result = operation(batch)
    assert result.schema == operation.schema(batch.schema)
    assert result.num_rows == batch.num_rows
    result.validate(full=True)
    for row, (octets, status) in enumerate(
        zip(*(column.to_pylist() for column in result.columns), strict=True)
    ):
        values = [column[row] for column in columns]
        wanted = expected(name, values, len(values[-1] or b"") if width is None else width)
        assert (status, None if octets is None else integer(octets)) == wanted, row
    return result


@pytest.mark.parametrize("name", [name for name in OPERANDS if name not in {"prime", "rsa-private"}])
@pytest.mark.parametrize("kind", [pa.binary(24), pa.binary(), pa.large_binary()], ids=str)
def test_every_type_slice_and_null_gives_the_numbers_of_python(name: str, kind: Any) -> None:
    columns = [numbers(ROWS, 24) for _ in OPERANDS[name]]
    batch = pa.record_batch({o: array(c, kind) for o, c in zip(OPERANDS[name], columns, strict=True)})
    width = 24 if pa.types.is_fixed_size_binary(kind) else None
    for start, length in ((0, ROWS), (7, 30), (ROWS - 1, 1), (5, 0)):
        part = [column[start : start + length] for column in columns]
        check(name, part, batch.slice(start, length), width)
        check(name, part, batch.slice(start, length), 10)
    if width is None:  # the results are as wide as the moduli
        result = check(name, columns, batch)
        moduli = batch.column("modulus")
        for value, modulus in zip(result["result"].to_pylist(), moduli.to_pylist(), strict=True):
            assert value is None or len(value) == len(modulus)


def test_unlike_slices_of_longer_columns_are_rows_side_by_side() -> None:
    bases, exponents, moduli = ([GENERATOR.randbytes(16) for _ in range(50)] for _ in range(3))
    batch = pa.record_batch(
        {
            "base": pa.array(bases, pa.binary(16)).slice(3, 20),
            "exponent": pa.array(exponents, pa.large_binary()).slice(11, 20),
            "modulus": pa.array(moduli, pa.binary()).slice(30, 20),
        }
    )
    columns: list[list[bytes | None]] = [[*bases[3:23]], [*exponents[11:31]], [*moduli[30:]]]
    check("pow", columns, batch)


@pytest.mark.parametrize("chunk", [1, 7, 60])
def test_tables_of_any_chunks_give_the_same(chunk: int) -> None:
    columns = [numbers(ROWS, 16) for _ in range(3)]
    batch = pa.record_batch({o: array(c, pa.binary()) for o, c in zip(OPERANDS["pow"], columns, strict=True)})
    operation = Operation("pow", {operand: Column(operand) for operand in OPERANDS["pow"]}, keep=("base",))
    table = pa.Table.from_batches([batch.slice(start, chunk) for start in range(0, ROWS, chunk)])
    result = operation.table(table)
    assert result.column_names == ["base", "result", "status"]
    assert result.combine_chunks() == pa.Table.from_batches([operation(batch)])
    assert result["base"].to_pylist() == columns[0]
    assert operation.table(table.slice(0, 0)).num_rows == 0


def test_primes_are_those_of_is_prime() -> None:
    values = [*range(3000), 2**61 - 1, 2**89 - 1, (2**61 - 1) ** 2, 3825123056546413051, 2**127 - 1]
    batch = pa.record_batch({"n": pa.array([n.to_bytes(20) for n in values] + [None], pa.binary(20))})
    result = Operation("prime", {"number": Column("n")})(batch)
    assert result["result"].to_pylist() == [_native.is_prime(n) for n in values] + [None]
    assert result["status"].to_pylist() == [0] * len(values) + [NULL]


@pytest.mark.parametrize("bits", [512, 1024])
def test_private_operations_are_those_of_the_key(bits: int, tmp_path: Path) -> None:
    key = RsaPrivateKey.generate(bits)
    (tmp_path / "key.pem").write_text(key.to_pem())
    values = [GENERATOR.randrange(key.n) for _ in range(30)] + [0, 1, key.n, key.n - 1]
    octets = [value.to_bytes(bits // 8) for value in values]
    batch = pa.record_batch({"c": pa.array([*octets, None], pa.binary())})
    operation = Operation("rsa-private", {"number": Column("c"), "key": File(str(tmp_path / "key.pem"))})
    result = operation(batch)
    powers = [pow(c, key.private_numbers().d, key.n).to_bytes(bits // 8) for c in values]
    powers[-2] = None  # type: ignore[call-overload]
    assert result["result"].to_pylist() == [*powers, None]
    assert result["status"].to_pylist() == [0] * 32 + [5, 0, NULL]
    assert key.to_pem()[100:140] not in repr(operation) + str(pickle.dumps(operation))
    assert (
        Operation("rsa-private", dict(operation.operands), width=8)(batch)["status"].to_pylist()[:3]
        == [WIDE] * 3
    )


def test_a_key_is_a_file_with_a_key(tmp_path: Path) -> None:
    with pytest.raises(ColumnsError, match="a key is a secret: give the File that holds it"):
        Operation("rsa-private", {"number": Column("c"), "key": Constant(3)})
    (tmp_path / "key").write_text("no key")
    with pytest.raises(ColumnsError, match="key: not a key: give one in PEM or DER"):
        Operation("rsa-private", {"number": Column("c"), "key": File(str(tmp_path / "key"))})(BATCH)


@pytest.mark.parametrize("name", ["pow", "pow-vartime", "modexp", "modexp-vartime"])
@pytest.mark.parametrize("modulus", [2**200 - 2**64 + 1, 2**200 - 2**64])
def test_constants_and_files_stand_for_all_rows(name: str, modulus: int, tmp_path: Path) -> None:
    (tmp_path / "n").write_text(f"{modulus:#x}\n")
    values = [GENERATOR.randrange(2**200) for _ in range(40)]
    column = pa.record_batch({"c": pa.array([value.to_bytes(25) for value in values], pa.binary(25))})
    file = File(str(tmp_path / "n"))
    for base, exponent in (
        (Column("c"), Constant(65537)),
        (Constant(7), Column("c")),
        (Column("c"), Column("c")),
    ):
        operation = Operation(name, {"base": base, "exponent": exponent, "modulus": file})
        result = operation(column)
        assert result.schema.field("result").type == pa.binary(25)
        pairs = [(7 if base != Column("c") else v, 65537 if exponent != Column("c") else v) for v in values]
        assert [integer(r) for r in result["result"].to_pylist()] == [pow(x, e, modulus) for x, e in pairs]


def test_nothing_is_copied_on_the_way_in_or_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The native module gets the addresses of Arrow's own buffers, and Arrow gets those that it wrote to."""
    read: list[int] = []
    written: list[int] = []
    native_column, compute = _native.Column, _native.compute_columns

    def watched_column(values: Any, **place: Any) -> Any:
        read.extend(getattr(buffer, "address", 0) for buffer in (values, *place.values()))
        return native_column(values, **place)

    def watched_compute(name: str, operands: Any, out: Any, *rest: Any, **options: Any) -> None:
        written.append(out.address)
        compute(name, operands, out, *rest, **options)

    monkeypatch.setattr(_native, "Column", watched_column)
    monkeypatch.setattr(_native, "compute_columns", watched_compute)
    columns = [numbers(ROWS, 24) for _ in range(3)]
    for kind in (pa.binary(24), pa.binary(), pa.large_binary()):
        arrays = [array(column, kind).slice(3) for column in columns]
        batch = pa.record_batch(dict(zip(OPERANDS["pow"], arrays, strict=True)))
        result = Operation("pow", {operand: Column(operand) for operand in OPERANDS["pow"]})(batch)
        for column in arrays:
            assert {buffer.address for buffer in column.buffers() if buffer} <= set(read)
        assert result["result"].buffers()[-1].address == written.pop()


def test_the_native_call_reads_and_writes_where_the_bytes_lie() -> None:
    """A change of the operand during the call reaches rows that were not computed yet."""
    rows, width = 20_000, 64
    octets = bytearray(b"\x01" * (rows * width))
    out, statuses = bytearray(rows * width), bytearray(rows)
    column = _native.Column(octets, width=width, rows=rows)
    modulus = _native.Column(b"\xff" * width)
    seen: list[int] = []

    def progress(done: int, _total: int) -> None:
        if not seen:
            octets[-width:] = b"\x02" * width
        seen.append(done)

    slow = _native.Column(b"\x01" * 64)
    _native.compute_columns(
        "pow", [column, slow, modulus], out, width, statuses, threads=1, progress=progress
    )
    assert out[-width:] == pow(integer(b"\x02" * 64), integer(b"\x01" * 64), integer(b"\xff" * 64)).to_bytes(
        64
    )
    assert len(seen) > 1
    assert not any(statuses)


def test_operations_pickle_compare_hash_and_tell_no_secret(tmp_path: Path) -> None:
    secret = tmp_path / "key"
    secret.write_text("123456789123456789")
    file = File(str(secret))
    operands: dict[str, Source] = {"base": Column("c"), "exponent": file, "modulus": Constant(b"\0\x65")}
    operation = Operation("pow", operands, threads=2)
    assert pickle.loads(pickle.dumps(operation)) == operation
    assert hash(operation) == hash(Operation("pow", tuple(operands.items()), threads=2))
    assert operation != Operation("pow", operands)
    text = repr(operation) + str(operation.description()) + str(pickle.dumps(operation))
    assert str(secret) in text
    assert "123456789123456789" not in text
    assert f"{123456789123456789:x}" not in text
    assert operation.columns() == ("c",)
    public = File(str(secret), public=True).description()
    assert len(public["sha256"]) == 64
    assert operation.description()["operands"] == {
        "base": {"column": "c"},
        "exponent": {"file": str(secret)},
        "modulus": {"constant": "0065"},
    }


COLUMN, THREE = Column("c"), {"base": Column("c"), "exponent": Constant(3), "modulus": Constant(101)}
BATCH = pa.record_batch({"c": pa.array([b"\x02"], pa.binary(1)), "text": pa.array(["2"])})


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("power", THREE), "no operation has the name power"),
        (("pow", {"base": COLUMN}), "pow has the operands base, exponent, modulus, and base are given"),
        (("pow", THREE | {"base": Constant(2)}), "every operand of pow is a constant"),
        (("pow", THREE, "r", "s", 0), "the width of the results is 0"),
        (("pow", THREE, "r", "s", 1 << 40), f"the width of the results is {1 << 40}: give"),
        (("pow", THREE, "r", "s", 65537), "the width of the results is 65537: give one from 1 to 65536"),
        (("pow", THREE, "r", "s", 1, 0), "the number of threads is 0"),
        (("pow", THREE, "r", "r"), "two columns of the results have one name: r, r"),
        (("pow", THREE, "r", "s", None, None, ("r",)), "two columns of the results have one name: r, r, s"),
    ],
)
def test_a_wrong_operation_is_refused_in_one_line(arguments: Any, line: str) -> None:
    with pytest.raises(ColumnsError) as caught:
        Operation(*arguments)
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"base": Column("d")}, "column d is not there, or there twice"),
        (
            {"base": Column("text")},
            "column text is of type string: give big-endian numbers as fixed_size_binary",
        ),
        ({"exponent": File("no/such/file")}, "no/such/file cannot be read: No such file or directory"),
        ({"exponent": File(__file__)}, f"{__file__} holds no number"),
    ],
)
def test_wrong_columns_and_files_are_refused_in_one_line(change: Any, line: str) -> None:
    with pytest.raises(ColumnsError) as caught:
        Operation("pow", THREE | change)(BATCH)
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


def test_sources_of_other_kinds_are_refused() -> None:
    with pytest.raises(TypeError, match="base is str: give a Column, a Constant or a File"):
        Operation("pow", THREE | {"base": "c"})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a constant is an int or bytes, not str"):
        Constant("3")  # type: ignore[arg-type]
    with pytest.raises(ColumnsError, match="a constant is negative"):
        Constant(-3)
    with pytest.raises(ColumnsError, match="has more than 300,000 bytes"):
        File("/dev/zero").octets()


def native(
    *, out: Any = None, width: int | None = 1, statuses: Any = None, operands: Any = None, **options: Any
) -> None:
    column = _native.Column(b"\x02\x03", width=1, rows=2)
    operands = operands or [column, _native.Column(b"\x03"), _native.Column(b"\x65")]
    out = bytearray(2) if out is None else out
    _native.compute_columns(
        "pow", operands, out, width, bytearray(2) if statuses is None else statuses, **options
    )


def test_the_native_call_refuses_what_does_not_fit() -> None:
    native()
    shared = bytearray(b"\x02\x03")
    for error, line, options in (
        (TypeError, "out cannot be written", {"out": bytes(2)}),
        (TypeError, "a column needs an object with a buffer", {"out": 3}),
        (ValueError, "a buffer has 1 bytes, and its rows have 2", {"out": bytearray(1)}),
        (ValueError, "a column has 3 rows and another has 2", {"statuses": bytearray(3)}),
        (ValueError, "out shares memory with another column", {"out": shared, "statuses": shared}),
        (ValueError, "the number of threads is 0", {"threads": 0}),
        (ValueError, "the last operand is a constant: give the width", {"width": None}),
        (ValueError, "the operation has 3 operands, and 1 are", {"operands": [_native.Column(b"\1")]}),
    ):
        with pytest.raises(error, match=line):
            native(**options)
    column = _native.Column(shared, width=1, rows=2)
    with pytest.raises(ValueError, match="out shares memory"):
        native(out=memoryview(shared), operands=[column, _native.Column(b"\3"), _native.Column(b"\x65")])
    with pytest.raises(ValueError, match="no operation on columns has the name"):
        _native.compute_columns("power", [column], bytearray(2), 1, bytearray(2))


def test_a_native_column_refuses_what_is_beyond_its_buffers() -> None:
    offsets = b"".join(value.to_bytes(4, sys.byteorder, signed=True) for value in (0, 1, -1))
    cases: tuple[tuple[str, dict[str, Any]], ...] = (
        ("the offsets are beyond the end", {"offsets": offsets, "rows": 3}),
        ("offset 2 is negative", {"offsets": offsets, "rows": 2}),
        ("offsets have 4 or 8 bytes, not 2", {"offsets": offsets, "offset_bytes": 2}),
        ("the bits of validity are beyond the end", {"width": 1, "rows": 9, "validity": b"\xff"}),
        ("a column has a width or offsets", {"width": 1, "offsets": offsets}),
    )
    for line, options in cases:
        with pytest.raises(ValueError, match=line):
            _native.Column(b"\1\2", **options)
    with pytest.raises(ValueError, match="is not contiguous"):
        _native.Column(memoryview(b"\1\2\3\4")[::2], width=1, rows=2)


def test_an_exception_of_progress_ends_the_call() -> None:
    rows = 300
    column = _native.Column(b"\xff" * (512 * rows), width=512, rows=rows)
    out, statuses, calls = bytearray(512 * rows), bytearray(rows), []

    def progress(done: int, total: int) -> None:
        calls.append((done, total))
        raise KeyError("stop")

    with pytest.raises(KeyError, match="stop"):
        _native.compute_columns("pow", [column] * 3, out, 512, statuses, progress=progress)
    assert len(calls) == 1
    assert calls[0][1] == rows


@pytest.mark.parametrize(
    ("module", "subject"), [("columns", "columns of numbers"), ("scale", "jobs on columns")]
)
def test_without_pyarrow_one_line_names_the_extra(module: str, subject: str) -> None:
    program = (
        "import sys, importlib.util\n"
        "find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: None if name == 'pyarrow' else find(name, *rest)\n"
        f"try:\n    import monpro.{module}\nexcept ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == f'{subject} need pyarrow: python -m pip install "monpro[columns]"\n'


def test_rows_without_octets_are_counted_before_anything_goes_through_them() -> None:
    column = _native.Column(b"", width=0, rows=1 << 40)
    with pytest.raises(ValueError, match="rows"):
        _native.compute_columns("pow", [column] * 3, bytearray(0), 0, bytearray(0))


def test_statuses_are_listed() -> None:
    assert STATUSES[0] == "the result is right"
    assert list(STATUSES) == list(range(7))
