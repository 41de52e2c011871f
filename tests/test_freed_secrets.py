"""No block of memory that the native module gives back holds a secret, whatever Python called."""

import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import freed_secrets

SOURCES = Path(freed_secrets.__file__)
FLAGS = ("-O2", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-shared", "-fPIC")
pytestmark = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc" or shutil.which("cc") is None,
    reason="the allocator is made by a C compiler, and stands before that of the GNU C library",
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the allocator, compiled."""
    compiled = tmp_path_factory.mktemp("freed_secrets") / "freed_secrets.so"
    subprocess.run(["cc", *FLAGS, "-o", compiled, SOURCES.with_suffix(".c"), "-lpthread"], check=True)
    return compiled


def left_by(library: Path, group: str) -> dict[str, int]:
    """Return how many blocks with a part of a secret each call of a group gives back."""
    done = subprocess.run(
        [sys.executable, SOURCES, library, group],
        env=os.environ | {"LD_PRELOAD": str(library)},
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stderr == ""
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("group", [cases.__name__ for cases in freed_secrets.ERASED])
def test_a_call_leaves_no_secret_in_freed_memory(library: Path, group: str) -> None:
    left = left_by(library, group)
    assert left
    assert {name: count for name, count in left.items() if count} == {}


def test_what_is_left_is_seen(library: Path) -> None:
    assert all(left_by(library, "not_erased").values())
