"""Odd terminals, locales and folders: one line for every error, a defined status, and Ctrl-C at any time."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import monpro
from conftest import Cli

MONPRO = f"{sys.executable} -m monpro"
POWER = "pow --base 3 --exp 200 --mod 1001"
ASCII_LOCALE = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def in_shell(line: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of the shell in which `monpro` is the command."""
    return subprocess.run(
        ["bash", "-c", f'monpro() {{ {MONPRO} "$@"; }}; {line}'],
        env=os.environ | variables,
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("line", "status", "errors"),
    [
        (f"monpro {POWER} >&-", 1, "monpro: cannot write the output: Bad file descriptor\n"),
        ("monpro kernels --json >&-", 1, "monpro: cannot write the output: Bad file descriptor\n"),
        ("monpro pow --base @- --exp 2 --mod 7 <&-", 2, "'-': Bad file descriptor\n"),
        (
            "monpro rsa sign --key - --in x --out y <&-",
            2,
            "monpro: --key: cannot read -: Bad file descriptor\n",
        ),
        (f"monpro {POWER} --fast 2>&-", 2, ""),
        (f"monpro {POWER} --fast 2> /dev/full", 2, ""),
        (f"monpro {POWER} > /dev/full", 1, "monpro: cannot write the output: No space left on device\n"),
        ("monpro completion bash > /dev/full", 1, "cannot write the output: No space left on device\n"),
        (
            "monpro rsa genkey --bits 512 --out - > /dev/full",
            2,
            "monpro: --out: cannot write -: No space left",
        ),
    ],
)
def test_a_standard_stream_that_cannot_be_used_is_one_line(line: str, status: int, errors: str) -> None:
    ended = in_shell(line)
    assert ended.returncode == status
    assert errors in ended.stderr.decode()
    assert ended.stderr.count(b"\n") == bool(errors)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_an_encoding_that_lacks_signs_changes_no_data(encoding: str) -> None:
    ended = in_shell("monpro cores --json && monpro cores", PYTHONIOENCODING=encoding)
    assert (ended.returncode, ended.stderr) == (0, b"")
    text = ended.stdout.decode(encoding)
    cores, end = json.JSONDecoder().raw_decode(text)
    assert "[kuang16, §II-C]" in [core["source"] for core in cores]
    assert "scs-mm-new" in text[end:]


def test_a_name_in_another_encoding_comes_back_as_it_was(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/core\xff"
    ended = in_shell(f"monpro emit mm --bits 8 --output {tmp_path}/core$'\\xff' --json")
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert os.fsencode(json.loads(ended.stdout)["folder"]) == folder
    assert Path(os.fsdecode(folder), "manifest.json").exists()


def test_a_locale_of_ascii_writes_the_same_core(tmp_path: Path) -> None:
    for folder, variables in (("utf-8", {}), ("ascii", ASCII_LOCALE)):
        ended = in_shell(f"monpro emit scs-mm-new --bits 8 -o {tmp_path}/{folder}", **variables)
        assert (ended.returncode, ended.stderr) == (0, b"")
    here, there = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("utf-8", "ascii")
    )
    assert here == there


def test_signs_that_steer_a_terminal_are_not_printed(cli: Cli) -> None:
    complaint = cli.complaint("rsa", "sign", "--key", "\x1b[31mred\n\udcff", "--in", "x", "--out", "y")
    assert complaint == "monpro: --key: cannot read ?[31mred ?: No such file or directory\n"


def test_a_path_that_cannot_be_looked_at_is_one_line(cli: Cli) -> None:
    name = "k" * 300
    assert f"cannot write {name}: File name too long" in cli.complaint(
        "rsa", "genkey", "--bits", "512", "--out", name
    )
    words = ("rsa", "sign", "--key", f"{name}1", "--in", f"{name}2", "--out", f"{name}3")
    assert "File name too long" in cli.complaint(*words)


def test_without_a_place_for_builds_the_remedy_is_told(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    sim = ("sim", "mm", "--bits", "8", "--count", "2")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "a folder"))
    assert "has a space: set XDG_CACHE_HOME" in cli(*sim)[2]
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    status, output, errors = cli(*sim)
    assert (status, output) == (1, "")
    assert errors == "monpro: this user has no home folder: set XDG_CACHE_HOME to a folder for builds\n"
    assert cli("doctor")[0] == 0


def test_a_group_without_a_verb_prints_its_help(cli: Cli) -> None:
    status, output, errors = cli("rsa")
    assert (status, errors) == (0, "")
    assert "genkey" in output


INTERRUPT_AT = """
import os, signal, sys

class Finder:
    def find_spec(self, name, path, target=None):
        if name == "{module}":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
"""


@pytest.mark.parametrize("module", ["typer", "monpro._native"])
def test_ctrl_c_before_the_work_begins_prints_nothing(tmp_path: Path, module: str) -> None:
    """One of the first modules that the command imports interrupts it, in place of a user."""
    (tmp_path / "sitecustomize.py").write_text(INTERRUPT_AT.format(module=module))
    ended = subprocess.run(
        ["env", "--default-signal=INT", *MONPRO.split(), "--help"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, b"", b"")


def drain(controller: int) -> bytes:
    """Return what a terminal still shows, until the program at its other side ends."""
    seen = b""
    while select.select([controller], [], [], 60)[0]:
        try:
            seen += os.read(controller, 65536)
        except OSError:  # the other side is closed
            return seen
    raise TimeoutError(seen)


def test_a_long_computation_shows_that_it_runs_on_a_terminal() -> None:
    """And on a terminal of 20 columns it says no more than that, until Ctrl-C ends it."""
    command = ["env", "--default-signal=INT", "COLUMNS=20", "TERM=xterm", *MONPRO.split()]
    number = "0x" + "f" * 30_000
    controller, terminal = pty.openpty()
    arguments = ["pow", "--base", "3", "--exp", number, "--mod", number]
    with subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, stderr=terminal) as process:
        os.close(terminal)
        try:
            seen, deadline = b"", time.monotonic() + 30
            while b"computing" not in seen:
                assert time.monotonic() < deadline
                assert select.select([controller], [], [], 30)[0]
                seen += os.read(controller, 4096)
            process.send_signal(signal.SIGINT)
            drain(controller)
            assert process.wait(timeout=20) == 130
            assert process.stdout is not None
            assert process.stdout.read() == b""
        finally:
            process.kill()
    os.close(controller)


@pytest.mark.parametrize("verb", ["--help", "kernels"])
def test_a_narrow_terminal_gets_narrow_lines(verb: str) -> None:
    controller, terminal = pty.openpty()
    command = ["env", "COLUMNS=20", "TERM=dumb", *MONPRO.split(), *verb.split()]
    with subprocess.Popen(command, stdout=terminal, stderr=subprocess.PIPE) as process:
        os.close(terminal)
        seen = drain(controller)
        assert process.wait(timeout=60) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""
    os.close(controller)
    assert max(map(len, re.split(r"[\r\n]+", seen.decode()))) <= 20
    assert monpro.kernels()[0].name in seen.decode() or "kernels" not in verb
