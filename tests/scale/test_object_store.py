"""Inputs and parts by addresses of fsspec, whose store in memory stands for an object store."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import TOOL_LACKS
from monpro.scale import JobError, map_columns, status
from scale_operations import Square, squared

pytestmark = pytest.mark.slow


def test_a_job_from_store_to_store() -> None:
    try:
        import fsspec  # noqa: PLC0415
    except ModuleNotFoundError:
        pytest.skip(f"{TOOL_LACKS}: fsspec is not installed: pip install -r requirements/scale.txt")
    system = fsspec.filesystem("memory")
    for file in range(2):
        cells = pa.array([x.to_bytes(4) for x in range(100 * file, 100 * file + 100)], pa.binary())
        with system.open(f"/in/{file}.parquet", "wb") as sink:
            pq.write_table(pa.table({"x": cells}), sink)
    report = map_columns(Square(), "memory://in/*.parquet", "memory://out", rows=30)
    assert (report.rows, report.parts) == (200, 8)
    names = sorted(name for name in system.ls("/out", detail=False) if name.endswith(".parquet"))
    tables = [pq.read_table(system.open(name)) for name in names]
    results = [cell for table in tables for cell in table["result"].to_pylist()]
    assert results == [squared(x).to_bytes(8) for x in range(200)]
    system.rm_file(names[3])
    assert status("memory://out").rows_done == 190
    assert map_columns(Square(), "memory://in", "memory://out", resume=True).reused == 7
    with system.open("/in/1.parquet", "wb") as sink:
        pq.write_table(pa.table({"x": pa.array([b"1"] * 100)}), sink)
    with pytest.raises(JobError, match=r"1\.parquet: has changed since the job"):
        map_columns(Square(), "memory://in", "memory://out", resume=True)
