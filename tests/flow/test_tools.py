"""The programs of the flow are found, or refused with one line that says how to install them."""

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
