"""A million chunks that do nothing: the driver's memory stays flat, and the executor's own rate is kept."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import scale_empty_chunks
from scale_folders import TESTS

pytestmark = pytest.mark.slow
CHUNKS = 1_000_000


def test_a_million_empty_chunks(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, scale_empty_chunks.__file__, str(CHUNKS), str(tmp_path)],
        env={"PYTHONPATH": str(TESTS), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert found["chunks"] == CHUNKS
    assert found["growth_mib"] < 8
    assert found["share_of_the_executors_rate"] >= 0.95
