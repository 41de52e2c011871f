"""Arrow's columns as the native module reads them, and its results as Arrow's columns. Nothing is copied."""

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from monpro import _native
from monpro.columns.sources import ColumnsError

TYPES = "fixed_size_binary, binary or large_binary"


def check_type(name: str, kind: pa.DataType) -> None:
    """Refuse a column of another type than those of numbers."""
    if not (
        pa.types.is_fixed_size_binary(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind)
    ):
        raise ColumnsError(f"column {name} is of type {kind}: give big-endian numbers as {TYPES}")


def native_column(array: pa.Array) -> _native.Column:
    """Return the numbers of an array that has rows, in its own memory."""
    validity, *buffers = array.buffers()
    place: dict[str, Any] = {"start": array.offset, "rows": len(array)}
    if array.null_count:
        place["validity"] = validity
    if pa.types.is_fixed_size_binary(array.type):
        return _native.Column(buffers[0] or b"", width=array.type.byte_width, **place)
    offset_bytes = 8 if pa.types.is_large_binary(array.type) else 4
    return _native.Column(buffers[1] or b"", offsets=buffers[0], offset_bytes=offset_bytes, **place)


def empty(kind: pa.DataType, rows: int) -> tuple[pa.Buffer, int]:
    """Return memory for the results of so many rows of one width, and that width."""
    width = 1 if pa.types.is_boolean(kind) else kind.byte_width
    return pa.allocate_buffer(width * rows), width


def empty_like(array: pa.Array) -> tuple[pa.Buffer, pa.Buffer]:
    """Return memory for as many bytes as each row of a binary array has, and the offsets of these rows."""
    is_large = pa.types.is_large_binary(array.type)
    offsets = pa.Array.from_buffers(
        pa.int64() if is_large else pa.int32(),
        len(array) + 1,
        [None, array.buffers()[1]],
        offset=array.offset,
    )
    first, last = offsets[0].as_py(), offsets[-1].as_py()
    if array.offset or first:
        offsets = pc.subtract(offsets, offsets[0])
    return pa.allocate_buffer(last - first), offsets.buffers()[1]


def statuses_of(buffer: pa.Buffer, rows: int) -> pa.Array:
    """Return the statuses as an array."""
    return pa.Array.from_buffers(pa.uint8(), rows, [None, buffer])


def results_of(kind: pa.DataType, statuses: pa.Array, *buffers: pa.Buffer) -> pa.Array:
    """Return the results as an array of this type: null where the status is not 0."""
    are_right = pc.equal(statuses, pa.scalar(0, pa.uint8()))
    validity = None if pc.all(are_right, min_count=0).as_py() else are_right.buffers()[1]
    if not pa.types.is_boolean(kind):
        return pa.Array.from_buffers(kind, len(statuses), [validity, *buffers])
    octets = pa.Array.from_buffers(pa.uint8(), len(statuses), [validity, *buffers])
    return pc.not_equal(octets, pa.scalar(0, pa.uint8()))
