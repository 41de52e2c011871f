"""The rule that no test is skipped silently, itself tested by a session of its own."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py")


def run_session(folder: Path, test: str) -> subprocess.CompletedProcess[str]:
    shutil.copy(CONFTEST, folder)
    (folder / "test_sample.py").write_text(test)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(folder),
        str(folder),
    ]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)


@pytest.mark.parametrize(
    "test",
    [
        "import pytest\n\ndef test_it():\n    pytest.skip('no time')\n",
        "import pytest\n\npytest.skip('no time', allow_module_level=True)\n",
        "import pytest\n\n@pytest.mark.skipif(True, reason='no time')\ndef test_it():\n    pass\n",
    ],
)
def test_a_skip_without_need_fails_the_session(tmp_path: Path, test: str) -> None:
    ended = run_session(
        tmp_path, f"{test}\ndef test_other():\n    pass\n" if "module_level" not in test else test
    )
    assert ended.returncode != 0
    assert "SKIPPED WITHOUT NEED" in ended.stdout
    assert "no time" in ended.stdout


def test_a_kernel_that_the_cpu_cannot_run_is_named_loudly(tmp_path: Path) -> None:
    unavailable = (
        "import conftest\nfrom types import SimpleNamespace\n\n"
        "def test_it():\n"
        "    lacking = SimpleNamespace(name='fast', available=False, unavailable_reason='needs AVX-512')\n"
        "    conftest._available(lacking)\n"
    )
    ended = run_session(tmp_path, unavailable)
    assert ended.returncode == 0, ended.stdout
    assert "KERNEL NOT RUN: this CPU lacks what the kernel needs: fast needs AVX-512" in ended.stdout


def test_a_tool_that_is_not_installed_is_named_loudly(tmp_path: Path) -> None:
    missing = (
        "from monpro.flow import tools\n\n"
        "def test_it():\n    raise tools.ToolError('yosys is not installed: apt-get install yosys')\n"
    )
    ended = run_session(tmp_path, missing)
    assert ended.returncode == 0, ended.stdout
    assert "HARDWARE NOT TESTED: 1 tests skipped: yosys is not installed" in ended.stdout
    ended = run_session(tmp_path, missing.replace("is not installed", "failed"))
    assert ended.returncode == 1


def test_the_kernels_that_ran_are_listed(tmp_path: Path) -> None:
    ended = run_session(tmp_path, "def test_it(integer_kernel):\n    assert integer_kernel.name != 'cios'\n")
    assert ended.returncode == 1
    listed = next(line for line in ended.stdout.splitlines() if line.startswith("kernels that ran"))
    assert " sos " in listed
    assert " cios " not in listed
