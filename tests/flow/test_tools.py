"""The programs of the flow are found, or refused with one line that says how to install them."""

import subprocess
import sys
from pathlib import Path

import pytest

from monpro.flow import tools


def test_a_missing_tool_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = tools.Tool("verilator", "no-such-program", (5, 6), "apt-get install verilator", "sim")
    monkeypatch.setitem(tools.TOOLS, "verilator", missing)
    with pytest.raises(tools.ToolError, match="no-such-program is not installed: apt-get install verilator"):
        tools.find("verilator")
    assert not tools.is_available("verilator")


def test_a_tool_that_is_too_old_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    demanding = tools.Tool("verilator", "verilator", (99,), "apt-get install verilator", "sim")
    monkeypatch.setitem(tools.TOOLS, "verilator", demanding)
    with pytest.raises(tools.ToolError, match="is too old, 99 is the oldest that works"):
        tools.find("verilator")


def test_a_failure_shows_the_message_of_the_tool_and_keeps_the_log(tmp_path: Path) -> None:
    log = tmp_path / "yosys.log"
    with pytest.raises(tools.ToolError, match="ERROR: No such command: no_such_command"):
        tools.run("yosys", ["-p", "no_such_command"], log=log)
    assert "no_such_command" in log.read_text()


def test_a_tool_that_cannot_be_run_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "broken").write_text("no program")
    for path, options in ((tmp_path / "broken", ()), (Path("/bin/echo"), ("no version",))):
        tool = tools.Tool("z3", path.name, (4,), "apt-get install z3", "proofs", options)
        monkeypatch.setattr(tools, "_located", lambda _, path=path: path)
        monkeypatch.setitem(tools.TOOLS, "z3", tool)
        tools.version_of.cache_clear()
        with pytest.raises(tools.ToolError, match="or does not say its version: apt-get install z3"):
            tools.find("z3")
    tools.version_of.cache_clear()


INTERRUPTED = """
import os, signal, threading, time
from pathlib import Path
from monpro.flow import tools
signal.signal(signal.SIGINT, signal.default_int_handler)
tools.TOOLS["shell"] = tools.Tool("shell", "sh", (), "", "")
grandchild, sent = Path("grandchild"), []
def interrupt():
    while not grandchild.exists() or not grandchild.read_text():
        time.sleep(0.01)
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    tools.run("shell", ["-c", "trap '' INT; sleep 1000 & echo $! > grandchild; wait"], log=Path("log"))
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
"""


def test_ctrl_c_ends_a_tool_and_what_it_has_started(tmp_path: Path) -> None:
    command = [sys.executable, "-c", INTERRUPTED]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
    assert ended.stderr == ""
    assert float(ended.stdout) < 0.2
    status = Path("/proc") / (tmp_path / "grandchild").read_text().strip() / "stat"
    assert not status.exists() or status.read_text().split()[2] == "Z", "it runs on"
