"""Operations for the tests of `monpro.scale`, which workers import by their names."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa


@dataclass(frozen=True)
class Square:
    """Squares the numbers of a column modulo 2^64 − 59, with a fault at the rows that hold `fault`.

    Each call appends a line to `log`: the first number of its rows, and how many there are.
    """

    column: str = "x"
    log: str = ""
    fault: int | None = None
    kind: str = "abort"
    seconds: float = 0.0

    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    def schema(self, input: pa.Schema) -> pa.Schema:  # noqa: A002
        if not pa.types.is_binary(input.field(self.column).type):
            raise ValueError(f"the column {self.column} must hold octets")
        return pa.schema([("result", pa.binary()), ("status", pa.uint8())])

    def description(self) -> dict[str, object]:
        return {"name": "square", "column": self.column}

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        numbers = [None if cell is None else int.from_bytes(cell) for cell in batch.column(0).to_pylist()]
        if self.log:
            with Path(self.log).open("a") as file:
                file.write(f"{numbers[0]} {len(numbers)}\n")
        time.sleep(self.seconds)
        if self.fault is not None and self.fault in numbers:
            if self.kind == "abort":
                os.kill(os.getpid(), signal.SIGKILL)
            raise ValueError(f"the number {self.fault} is poison")
        results = [None if x is None else squared(x).to_bytes(8) for x in numbers]
        statuses = [7 if x is None else 0 for x in numbers]
        return pa.RecordBatch.from_arrays(
            [pa.array(results, pa.binary()), pa.array(statuses, pa.uint8())], schema=self.schema(batch.schema)
        )


def squared(x: int) -> int:
    return x * x % ((1 << 64) - 59)
