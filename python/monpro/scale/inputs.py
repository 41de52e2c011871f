"""Rows of Parquet, CSV and JSON lines: what files there are, and any range of their rows as Arrow."""

import csv
import json
import re
import threading
import weakref
from array import array
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from monpro.numerals import from_decimal
from monpro.scale.errors import JobError
from monpro.scale.storage import Fingerprint, fingerprint, mark, matching, one_line, open_file

FORMS = {".parquet": "parquet", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
BATCH = 4096  # rows that are decoded at once
STRIDE = 1024  # rows of a text between two places that the index knows
MOST_DIGITS = 131_072  # of a number in a text; the limit of Python's csv
NUMBER = re.compile(r"\s*(?:0[xX]([0-9a-fA-F]+)|([0-9]+))\s*")


@dataclass(frozen=True)
class Source:
    """A file of rows: where it is, its form (parquet, csv or jsonl) and its fingerprint."""

    path: str
    form: str
    fingerprint: Fingerprint


@dataclass(frozen=True)
class Input:
    """A source as the driver knows it: also its rows, its schema, and their octets in memory, about.

    `offsets` are the places in a text where the rows 0, STRIDE, 2·STRIDE, … begin; empty for Parquet.
    """

    source: Source
    rows: int
    schema: pa.Schema
    octets: int
    offsets: Sequence[int] = ()

    def offset(self, row: int) -> int:
        """Return the place in a text from which a reader counts to the row."""
        return self.offsets[row // STRIDE] if self.offsets else 0


def find(patterns: Sequence[str]) -> list[Input]:
    """Return the files that the patterns name, each looked at.

    JobError if one is no file of rows, or a pattern names none: a job must not lose the rows of a wrong name.
    """
    paths: dict[str, None] = {}
    for pattern in patterns:
        named = found(pattern)
        if not named:
            raise JobError(f"no file: nothing is named {pattern}")
        paths |= dict.fromkeys(named)
    return [look_at(path) for path in paths]


def found(pattern: str) -> list[str]:
    """Return the files that a pattern names; JobError if a store refuses to say."""
    try:
        return matching(pattern, tuple(FORMS))
    except OSError as error:
        raise JobError(f"{pattern}: {one_line(error)}") from None


def look_at(path: str) -> Input:
    """Return what the driver needs to know of a file: its rows and its schema."""
    form = next((form for ending, form in FORMS.items() if path.lower().endswith(ending)), None)
    if form is None:
        raise JobError(f"{path}: its name ends with none of {', '.join(FORMS)}")
    try:
        source = Source(path, form, fingerprint(path))
        return look_at_parquet(source) if form == "parquet" else look_at_text(source)
    except (OSError, pa.ArrowInvalid, ValueError) as error:
        raise JobError(f"{path}: not readable as {form}: {one_line(error)}") from None


def look_at_parquet(source: Source) -> Input:
    """Return what the footer of a Parquet file says."""
    with open_file(source.path) as file, pq.ParquetFile(file) as parquet:
        footer = parquet.metadata
        groups = [footer.row_group(index) for index in range(footer.num_row_groups)]
        octets = sum(group.total_byte_size for group in groups)
        return Input(source, footer.num_rows, parquet.schema_arrow, octets)


def look_at_text(source: Source) -> Input:
    """Read a text once, and return the number of its rows and where every STRIDE-th one begins.

    A row is a line that is not blank. ValueError if a quoted cell of CSV goes on in the next line.
    """
    offsets, rows = array("q"), 0
    with open_file(source.path) as file:
        columns = header(source, file)
        place = file.tell()
        for line in file:
            if not is_blank(line):
                if source.form == "csv" and line.count(b'"') % 2:
                    raise ValueError(f"row {rows}: a quoted cell goes on in the next line")
                if rows % STRIDE == 0:
                    offsets.append(place)
                rows += 1
            place += len(line)
    schema = pa.schema([(name, pa.binary()) for name in columns])
    return Input(source, rows, schema, source.fingerprint.size, offsets)


def is_blank(line: bytes) -> bool:
    """Return whether nothing is in a line of a text but, in the first one, a mark of UTF-8."""
    return not line.removeprefix(BOM_UTF8).strip()


def header(source: Source, file: IO[bytes]) -> list[str]:
    """Return the names of a text's columns; the file then stands at the first row, or before it.

    They are those of the first line that is not blank. ValueError if it names none.
    """
    first = file.readline()
    while first and is_blank(first):
        first = file.readline()
    if source.form == "csv":
        try:
            return next(csv.reader([first.removeprefix(BOM_UTF8).decode()]), [])
        except csv.Error:
            line = f"has a carriage return in it, or a name of more than {MOST_DIGITS:,} signs"
            raise ValueError(f"the line with the names of the columns {line}") from None
    file.seek(0)
    return list(parsed_object(first.decode()))


def read(source: Source, columns: Sequence[str], start: int, stop: int, offset: int) -> pa.RecordBatch:
    """Return the rows start ≤ row < stop of a file; only these columns.

    JobError if the file is not the one of the fingerprint any more, before or after it is read.
    """
    require_unchanged(source)
    if source.form == "parquet":
        batch = parquet_rows(source, columns).take(start, stop)
    else:
        batch = text_rows(source, columns, start, stop, offset)
    require_unchanged(source)
    if batch.num_rows != stop - start:
        raise JobError(f"{source.path}: has changed since the job began")
    return batch


def require_unchanged(source: Source) -> None:
    """Raise JobError if a file's size or time of change is not what it was."""
    try:
        now = mark(source.path)
    except OSError as error:
        raise JobError(f"{source.path}: {one_line(error)}") from None
    if now != (source.fingerprint.size, source.fingerprint.changed):
        raise JobError(f"{source.path}: has changed since the job began")


class ParquetRows:
    """Reads ranges of rows of one Parquet file. A range behind the last one continues from there."""

    def __init__(self, source: Source, columns: Sequence[str]) -> None:
        """Open the file."""
        self.key = (source, tuple(columns))
        self.columns = list(columns)
        file = open_file(source.path)
        weakref.finalize(self, file.close)  # when the next file is opened, or the thread ends
        self.parquet = pq.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False)
        footer = self.parquet.metadata
        counts = (footer.row_group(index).num_rows for index in range(footer.num_row_groups))
        self.ends = list(accumulate(counts))
        self.schema = pa.schema([self.parquet.schema_arrow.field(name) for name in self.columns])
        self.batches: Iterator[pa.RecordBatch] = iter(())
        self.rest: pa.RecordBatch | None = None
        self.position = -1  # the row with which `rest` begins

    def group_of(self, row: int) -> int:
        """Return the number of the row group in which a row is."""
        return next(index for index, end in enumerate(self.ends) if row < end)

    def seek(self, row: int) -> None:
        """Begin at the row group of a row, unless reading on leads there sooner."""
        group = self.group_of(row)
        if self.rest is not None and self.position <= row and self.group_of(self.position) == group:
            return
        groups = list(range(group, len(self.ends)))
        self.batches = self.parquet.iter_batches(BATCH, groups, self.columns, use_threads=False)
        self.position = self.ends[group - 1] if group else 0
        self.rest = next(self.batches, None)

    def take(self, start: int, stop: int) -> pa.RecordBatch:
        """Return the rows start ≤ row < stop, or fewer at the end of the file."""
        if start == stop:
            return one_batch([], self.schema)  # a file without rows has no row group to begin at
        self.seek(start)
        pieces = []
        while self.rest is not None and self.position < stop:
            end = self.position + self.rest.num_rows
            first, last = max(start, self.position), min(stop, end)
            if first < last:
                pieces.append(self.rest.slice(first - self.position, last - first))
            if last < end:
                break  # the same piece serves the next range, too
            self.position, self.rest = end, next(self.batches, None)
        return one_batch(pieces, self.schema)


def one_batch(pieces: list[pa.RecordBatch], schema: pa.Schema) -> pa.RecordBatch:
    """Return record batches as one."""
    whole = pa.Table.from_batches(pieces, schema).combine_chunks().to_batches()
    return whole[0] if whole else pa.RecordBatch.from_pylist([], schema)


OPEN = threading.local()  # the file that each thread has open, because its next range mostly follows the last


def parquet_rows(source: Source, columns: Sequence[str]) -> ParquetRows:
    """Return the open reader of this thread, if it is one of this file and these columns, or a new one."""
    reader: ParquetRows | None = getattr(OPEN, "reader", None)
    if reader is None or reader.key != (source, tuple(columns)):
        reader = ParquetRows(source, columns)
        OPEN.reader = reader
    return reader


def text_rows(source: Source, columns: Sequence[str], start: int, stop: int, offset: int) -> pa.RecordBatch:
    """Return rows of a text. The cells are numbers, decimal or 0x hexadecimal; what is no number is null."""
    with open_file(source.path) as file:
        names = header(source, file)
        file.seek(offset)
        lines = (line.decode(errors="replace") for line in file if not is_blank(line))
        chosen = islice(lines, start % STRIDE, start % STRIDE + stop - start)
        rows: list[dict[str, Any]]
        if source.form == "csv":
            rows = [dict(zip(names, parsed_cells(line), strict=False)) for line in chosen]
        else:
            rows = [parsed_object(line) for line in chosen]
    cells = [pa.array([octets_of(row.get(name)) for row in rows], pa.binary()) for name in columns]
    return pa.RecordBatch.from_arrays(cells, schema=pa.schema([(name, pa.binary()) for name in columns]))


def parsed_cells(line: str) -> list[str]:
    """Return the cells in a line of CSV; none if one is longer than MOST_DIGITS."""
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []


def parsed_object(line: str) -> dict[str, Any]:
    """Return the object that a line of JSON holds, its integers as text; an empty one if it holds none."""
    try:
        found = json.loads(line.removeprefix("\ufeff"), parse_int=str)
    except (ValueError, RecursionError):  # the latter of ten thousand brackets
        return {}
    return found if isinstance(found, dict) else {}


def octets_of(cell: object) -> bytes | None:
    """Return the number in a cell as big-endian octets, at least one; None if the cell holds no number."""
    match = NUMBER.fullmatch(cell) if isinstance(cell, str) and len(cell) <= MOST_DIGITS else None
    if match is None:
        return None
    hexadecimal, decimal = match.groups()
    if hexadecimal:
        return bytes.fromhex(hexadecimal if len(hexadecimal) % 2 == 0 else f"0{hexadecimal}")
    number = from_decimal(decimal)
    return number.to_bytes(max(1, (number.bit_length() + 7) // 8))
