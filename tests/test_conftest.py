"""The rule that no test is skipped silently, tested in a separate pytest session."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from conftest import KernelRecord

CONFTEST = Path(__file__).with_name("conftest.py")


@pytest.fixture(params=[(), ("-n", "2")], ids=["one process", "two processes"])
def workers(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """Return the pytest options for this many processes."""
    options: tuple[str, ...] = request.param
    return options


def run_session(
    folder: Path, test: str, workers: tuple[str, ...] = (), *, strict: bool = False
) -> subprocess.CompletedProcess[str]:
    shutil.copy(CONFTEST, folder)
    (folder / "test_sample.py").write_text(test)
    quiet = ("-q", "-p", "no:cacheprovider", "--rootdir", str(folder))
    return subprocess.run(
        [sys.executable, "-m", "pytest", *quiet, *workers, str(folder)],
        cwd=folder,
        env=os.environ | {"STRICT": str(int(strict))},
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    "test",
    [
        "import pytest\n\ndef test_it():\n    pytest.skip('no time')\n",
        "import pytest\n\npytest.skip('no time', allow_module_level=True)\n",
        "import pytest\n\n@pytest.mark.skipif(True, reason='no time')\ndef test_it():\n    pass\n",
    ],
)
def test_a_skip_without_need_fails_the_session(tmp_path: Path, test: str, workers: tuple[str, ...]) -> None:
    other = "" if "module_level" in test else "\ndef test_other():\n    pass\n"
    ended = run_session(tmp_path, test + other, workers)
    assert ended.returncode != 0
    assert "SKIPPED WITHOUT NEED" in ended.stdout
    assert "no time" in ended.stdout


def test_a_kernel_that_the_cpu_cannot_run_is_named_loudly(tmp_path: Path, workers: tuple[str, ...]) -> None:
    unavailable = (
        "import conftest\nfrom types import SimpleNamespace\n\n"
        "def test_it():\n"
        "    lacking = SimpleNamespace(name='fast', available=False, unavailable_reason='needs AVX-512')\n"
        "    conftest._available(lacking)\n"
    )
    ended = run_session(tmp_path, unavailable, workers, strict=True)
    assert ended.returncode == 0, ended.stdout
    assert "KERNEL NOT RUN: this CPU lacks what the kernel needs: fast needs AVX-512" in ended.stdout


MISSING_TOOL = (
    "from monpro.flow import tools\n\n"
    "def test_it():\n    raise tools.ToolError('yosys is not installed: apt-get install yosys')\n"
)


def test_a_tool_that_is_not_installed_is_named_loudly(tmp_path: Path, workers: tuple[str, ...]) -> None:
    ended = run_session(tmp_path, MISSING_TOOL, workers)
    assert ended.returncode == 0, ended.stdout
    assert "NOT TESTED: 1 tests skipped: yosys is not installed" in ended.stdout


def test_a_tool_that_is_not_installed_fails_a_strict_session(
    tmp_path: Path, workers: tuple[str, ...]
) -> None:
    ended = run_session(tmp_path, MISSING_TOOL, workers, strict=True)
    assert ended.returncode == 1
    assert "NOT TESTED, which fails: 1 tests skipped: yosys is not installed" in ended.stdout


def test_a_tool_that_fails_fails_its_test(tmp_path: Path) -> None:
    assert run_session(tmp_path, MISSING_TOOL.replace("is not installed", "failed")).returncode == 1


def test_the_kernels_that_ran_are_listed(tmp_path: Path, workers: tuple[str, ...]) -> None:
    test = "def test_it(integer_kernel):\n    assert integer_kernel.name != 'cios'\n"
    ended = run_session(tmp_path, test, workers)
    assert ended.returncode == 1
    listed = next(line for line in ended.stdout.splitlines() if line.startswith("kernels that ran"))
    assert " sos " in listed
    assert " cios " not in listed


def test_a_test_that_changes_the_null_device_fails_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As root, `iverilog -o` would: it makes what it writes executable."""
    device = tmp_path / "null"
    device.touch()
    monkeypatch.setattr("os.devnull", str(device))
    session = Mock(exitstatus=pytest.ExitCode.OK)
    for mode, status in ((0o666, pytest.ExitCode.OK), (0o755, pytest.ExitCode.TESTS_FAILED)):
        device.chmod(0o666)
        record = KernelRecord(strict=False)
        device.chmod(mode)
        record.pytest_sessionfinish(session, pytest.ExitCode.OK)
        assert session.exitstatus == status
