"""An operation on the rows of a batch, as one pure function."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from monpro import _native
from monpro.columns import arrow
from monpro.columns.sources import Column, ColumnsError, Constant, File, Source

OPERANDS: dict[str, Sequence[str]] = {**dict(_native.column_operations()), "rsa-private": ["number", "key"]}
"""The names of the operands of each operation."""

STATUSES: dict[int, str] = dict(_native.column_statuses())
"""What the status of a row says. 0 says that the result is right; with every other one it is null."""

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class Operation:
    """An operation with the sources of its operands: a pure function from a batch to a batch.

    `operands` are pairs of a name, of those in `OPERANDS`, and a source; a mapping is turned into such pairs.
    The batch that comes out has the columns `result` and `status`, in the order of the rows, after the
    columns in `keep`, which pass through as they are. `width` is that of the results in bytes; by default it
    is that of the modulus. `threads` are as many as there are cores by default. Operations pickle, compare
    and hash by their values.
    """

    name: str
    operands: Mapping[str, Source] | tuple[tuple[str, Source], ...]
    result: str = "result"
    status: str = "status"
    width: int | None = None
    threads: int | None = None
    keep: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the operation; a ColumnsError says in one line what is wrong with it."""
        if self.name not in OPERANDS:
            raise ColumnsError(f"no operation has the name {self.name}: take one of {', '.join(OPERANDS)}")
        names, sources = OPERANDS[self.name], dict(self.operands)
        if set(sources) != set(names):
            given = ", ".join(sources) or "none"
            raise ColumnsError(f"{self.name} has the operands {', '.join(names)}, and {given} are given")
        for name, source in sources.items():
            if not isinstance(source, Column | Constant | File):
                raise TypeError(f"{name} is {type(source).__name__}: give a Column, a Constant or a File")
            if name == "key" and not isinstance(source, File):
                raise ColumnsError("a key is a secret: give the File that holds it")
        if not any(isinstance(source, Column) for source in sources.values()):
            line = f"every operand of {self.name} is a constant: give a column to one of them"
            raise ColumnsError(line)
        most = _native.MOST_COLUMN_BYTES
        if self.width is not None and not 1 <= self.width <= most:
            raise ColumnsError(f"the width of the results is {self.width}: give one from 1 to {most}")
        if self.threads is not None and self.threads < 1:
            raise ColumnsError(f"the number of threads is {self.threads}: it must be at least 1")
        columns = [*self.keep, self.result, self.status]
        if len(set(columns)) < len(columns):
            raise ColumnsError(f"two columns of the results have one name: {', '.join(columns)}")
        object.__setattr__(self, "operands", tuple((name, sources[name]) for name in names))
        object.__setattr__(self, "keep", tuple(self.keep))

    def _sources(self) -> dict[str, Source]:
        """Return the sources by the names of the operands, in the order of the operation."""
        return dict(self.operands)

    def columns(self) -> tuple[str, ...]:
        """Return the names of the columns that are read, each once."""
        names = [source.name for source in self._sources().values() if isinstance(source, Column)]
        return tuple(dict.fromkeys([*self.keep, *names]))

    def description(self) -> dict[str, object]:
        """Return what identifies the job, as JSON: without the values of files."""
        return {
            "operation": self.name,
            "operands": {name: source.description() for name, source in self._sources().items()},
            "result": self.result,
            "status": self.status,
            "width": self.width,
            "keep": list(self.keep),
        }

    def schema(self, input: pa.Schema) -> pa.Schema:  # noqa: A002  (the name of the contract with drivers)
        """Return the schema of what comes out for this schema of what goes in."""
        for name in self.columns():
            if len(input.get_all_field_indices(name)) != 1:
                raise ColumnsError(f"column {name} is not there, or there twice: give one of its own")
        for source in self._sources().values():
            if isinstance(source, Column):
                arrow.check_type(source.name, input.field(source.name).type)
        kept = [input.field(name) for name in self.keep]
        result = pa.field(self.result, self._result_type(input))
        return pa.schema([*kept, result, pa.field(self.status, pa.uint8(), nullable=False)])

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the results of the rows of a batch, in their order."""
        return self.compute(batch)

    def compute(self, batch: pa.RecordBatch, progress: Progress | None = None) -> pa.RecordBatch:
        """Return the results of the rows of a batch; `progress` is told the rows done and their total."""
        schema = self.schema(batch.schema)
        kept = [batch.column(name) for name in self.keep]
        kind, rows = schema.field(self.result).type, batch.num_rows
        if not rows:
            return pa.record_batch([*kept, pa.array([], kind), pa.array([], pa.uint8())], schema=schema)
        statuses = pa.allocate_buffer(rows)
        buffers, width = self._space(kind, batch)
        self._run(batch, buffers[-1], width, statuses, progress)
        status = arrow.statuses_of(statuses, rows)
        result = arrow.results_of(kind, status, *buffers)
        return pa.record_batch([*kept, result, status], schema=schema)

    def table(self, table: pa.Table) -> pa.Table:
        """Return the results of the rows of a table, chunk by chunk."""
        schema = self.schema(table.schema)
        return pa.Table.from_batches([self(batch) for batch in table.to_batches()], schema=schema)

    def _result_type(self, schema: pa.Schema) -> pa.DataType:
        """Return the type of the results: of the width that was given, or of the modulus."""
        if self.name == "prime":
            return pa.bool_()
        if self.width is not None:
            return pa.binary(self.width)
        sources = self._sources()
        key = sources.get("key")
        if isinstance(key, File):
            return pa.binary((key.private_key().bits + 7) // 8)
        source = sources["modulus"]
        if isinstance(source, Column):
            return schema.field(source.name).type
        return pa.binary(max(1, len(source.octets())))

    def _space(self, kind: pa.DataType, batch: pa.RecordBatch) -> tuple[list[pa.Buffer], int | None]:
        """Return the buffers of the results, the values last, and the width of a row if all have the same."""
        if pa.types.is_boolean(kind) or pa.types.is_fixed_size_binary(kind):
            buffer, width = arrow.empty(kind, batch.num_rows)
            return [buffer], width
        # Only a column of moduli has rows of many widths.
        (name,) = (source.name for source in [self._sources()["modulus"]] if isinstance(source, Column))
        values, offsets = arrow.empty_like(batch.column(name))
        return [offsets, values], None

    def _run(
        self,
        batch: pa.RecordBatch,
        out: pa.Buffer,
        width: int | None,
        statuses: pa.Buffer,
        progress: Progress | None,
    ) -> None:
        """Compute the rows of a batch into these buffers."""
        sources = self._sources()
        key = sources.pop("key", None)
        operands = [_native_column(source, batch) for source in sources.values()]
        if isinstance(key, File):
            _native.compute_rsa_private_columns(
                key.private_key(), operands[0], out, width, statuses, threads=self.threads, progress=progress
            )
        else:
            _native.compute_columns(
                self.name, operands, out, width, statuses, threads=self.threads, progress=progress
            )


def _native_column(source: Source, batch: pa.RecordBatch) -> _native.Column:
    """Return the operand as the native module reads it."""
    if isinstance(source, Column):
        return arrow.native_column(batch.column(source.name))
    return _native.Column(source.octets())
