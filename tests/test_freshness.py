"""A native module is refused if it was built from other sources than the ones beside it."""

import shutil
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest

from monpro import _freshness, _native

ROOT = Path(__file__).resolve().parents[1]
MENDING = "run `make setup`"


def test_the_module_in_use_is_fresh() -> None:
    """The checksum is computed here in another way than in the package and in the build script."""
    fixed = [
        "Cargo.lock",
        "Cargo.toml",
        "crates/monpro-py/Cargo.toml",
        "crates/monpro-py/build.rs",
        "crates/monpro-rsa/Cargo.toml",
        "crates/monpro/Cargo.toml",
        "crates/monpro/build.rs",
    ]
    found = [
        path.relative_to(ROOT).as_posix()
        for crate in ("monpro", "monpro-py", "monpro-rsa")
        for path in (ROOT / "crates" / crate / "src").rglob("*.rs")
    ]
    summed = b"".join(
        path.encode() + b"\0" + (ROOT / path).read_bytes() + b"\0" for path in sorted(fixed + found)
    )
    assert zlib.crc32(summed) == _native.SOURCE_CRC32


def test_another_checksum_is_refused() -> None:
    _freshness.require_fresh(_native.SOURCE_CRC32)
    with pytest.raises(ImportError, match=MENDING):
        _freshness.require_fresh(_native.SOURCE_CRC32 ^ 1)


def test_the_check_is_quick() -> None:
    def seconds() -> float:
        started = time.perf_counter()
        _freshness.require_fresh(_native.SOURCE_CRC32)
        return time.perf_counter() - started

    assert min(seconds() for _ in range(5)) < 0.02


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a copy of the files that the check reads."""
    shutil.copytree(ROOT / "python", tmp_path / "python", ignore=shutil.ignore_patterns("__pycache__"))
    for crate in ("monpro", "monpro-py", "monpro-rsa"):
        shutil.copytree(
            ROOT / "crates" / crate, tmp_path / "crates" / crate, ignore=shutil.ignore_patterns("target")
        )
    for name in ("Cargo.toml", "Cargo.lock"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def run(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the package in the copied checkout."""
    environment = {"PYTHONPATH": str(checkout / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *arguments], env=environment, check=False, capture_output=True, text=True
    )


def is_refused(checkout: Path) -> None:
    """Assert that a program gets an ImportError, and the command line prints one clear line."""
    program = run(checkout, "-c", "import monpro")
    assert program.returncode == 1
    assert program.stderr.splitlines()[-1].startswith("ImportError: the native module ")
    assert MENDING in program.stderr
    command = run(checkout, "-m", "monpro", "kernels")
    assert (command.returncode, command.stdout) == (2, "")
    assert command.stderr.startswith("monpro: the native module ")
    assert command.stderr.endswith(f"{MENDING}\n")
    assert command.stderr.count("\n") == 1


def test_an_unchanged_checkout_is_accepted(checkout: Path) -> None:
    place = run(checkout, "-c", "import monpro; print(monpro.__file__)")
    assert place.stdout.startswith(str(checkout)), place.stderr
    assert run(checkout, "-m", "monpro", "kernels").returncode == 0


@pytest.mark.parametrize(
    "path",
    [
        "crates/monpro/src/pow.rs",
        "crates/monpro-py/src/lib.rs",
        "crates/monpro-py/build.rs",
        "Cargo.toml",
        "Cargo.lock",
    ],
)
def test_an_edited_source_is_noticed(checkout: Path, path: str) -> None:
    with (checkout / path).open("a") as file:
        file.write("\n")
    is_refused(checkout)


def test_a_new_and_a_removed_source_are_noticed(checkout: Path) -> None:
    (checkout / "crates/monpro/src/kernel/new.rs").write_text("")
    is_refused(checkout)
    (checkout / "crates/monpro/src/kernel/new.rs").unlink()
    assert run(checkout, "-c", "import monpro").returncode == 0
    for path in ("crates/monpro/src/pow.rs", "Cargo.lock"):
        (checkout / path).rename(checkout / "aside")
        is_refused(checkout)
        (checkout / "aside").rename(checkout / path)


def test_a_missing_module_is_one_line_too(checkout: Path) -> None:
    for module in (checkout / "python/monpro").glob("_native*.so"):
        module.unlink()
    is_refused(checkout)


def test_an_installed_package_has_nothing_to_compare(checkout: Path) -> None:
    shutil.rmtree(checkout / "crates")
    assert run(checkout, "-c", "import monpro; print(monpro.pow(2, 5, 31))").stdout == "1\n"
