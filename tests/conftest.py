"""Shared by all tests: kernels as a parameter, the command line, and a record of everything skipped."""

import json
import os
import stat
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

import monpro
from monpro.cli import main
from monpro.flow import tools

hypothesis.settings.register_profile("default", max_examples=60, deadline=None)
hypothesis.settings.register_profile("full", max_examples=2_000, deadline=None)
hypothesis.settings.load_profile("default")

# A worker of pytest may have the width of somebody's terminal. Tests ask for a width where they mean one.
os.environ.pop("COLUMNS", None)

CPU_LACKS = "this CPU lacks what the kernel needs"
TOOL_LACKS = "this machine lacks a tool"
CHECKOUT_LACKS = "no checkout of another project was given"
KERNEL = "kernel"  # the property of a report that names a kernel


def _available(kernel: monpro.Kernel) -> monpro.Kernel:
    if not kernel.available:
        pytest.skip(f"{CPU_LACKS}: {kernel.name} {kernel.unavailable_reason}")
    return kernel


def _fixture(name: str, rings: set[str]) -> Any:
    """Return a fixture that takes every kernel of these rings in turn."""
    chosen = [kernel for kernel in monpro.kernels() if kernel.ring in rings]

    @pytest.fixture(name=name, params=chosen, ids=[kernel.name for kernel in chosen])
    def fixture(request: pytest.FixtureRequest) -> monpro.Kernel:
        return _available(request.param)

    return fixture


kernel = _fixture("kernel", {"integers", "gf2"})
integer_kernel = _fixture("integer_kernel", {"integers"})
polynomial_kernel = _fixture("polynomial_kernel", {"gf2"})


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Generator[None, object, object]:
    """Skip a hardware test whose tool is not installed; the record reports it loudly."""
    try:
        return (yield)
    except tools.ToolError as error:
        if "is not installed" in str(error):
            pytest.skip(f"{TOOL_LACKS}: {error}")
        raise


class Cli:
    """The command line, run in this process."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self.capture = capture

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Return status, output and error output."""
        status = main(list(arguments))
        output, errors = self.capture.readouterr()
        return status, output, errors

    def json(self, *arguments: str) -> Any:
        """Return the JSON that a command prints."""
        status, output, errors = self(*arguments, "--json")
        assert (status, errors) == (0, "")
        return json.loads(output)

    def complaint(self, *arguments: str) -> str:
        """Return the one-line message that refuses bad input."""
        status, output, errors = self(*arguments)
        assert (status, output) == (2, "")
        assert errors.startswith("monpro: ")
        assert errors.count("\n") == 1
        assert len(errors) > len("monpro: \n")
        assert errors.isprintable() or errors[:-1].isprintable()
        return errors


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """The command line."""
    return Cli(capsys)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write the kernels that a test ran into its report, which another process may make."""
    report = yield
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    if report.when == "call" and report.passed:
        names = [value.name for value in parameters.values() if isinstance(value, monpro.Kernel)]
        report.user_properties += [(KERNEL, name) for name in names]
    return report


def mode_of_the_null_device() -> int:
    """Return who may read and write the null device: a compiler that writes to it as root changes that."""
    return stat.S_IMODE(Path(os.devnull).stat().st_mode)


class KernelRecord:
    """Records which kernels ran and what was skipped; a skip without need fails the session.

    It reads reports only, so it also serves a session of several processes. If STRICT is 1, as `make test`
    sets it for continuous integration, a test that is skipped because a tool is missing fails the session.
    """

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict
        self.ran: set[str] = set()
        self.lacking: set[str] = set()
        self.lacking_tools: Counter[str] = Counter()
        self.lacking_checkouts: Counter[str] = Counter()
        self.skipped_without_need: list[str] = []
        self.null_mode = mode_of_the_null_device()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the outcome of a test."""
        if report.skipped and not hasattr(report, "wasxfail"):
            self.record_skip(report)
        self.ran.update(str(value) for name, value in report.user_properties if name == KERNEL)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Record a file that skips itself."""
        if report.skipped:
            self.record_skip(report)

    def record_skip(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        """Record a skipped test by its reason."""
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
        _, no_instructions, kernel_lacks = reason.partition(f"{CPU_LACKS}: ")
        _, no_tool, tool_lacks = reason.partition(f"{TOOL_LACKS}: ")
        if no_instructions:
            self.lacking.add(kernel_lacks)
        elif no_tool:
            self.lacking_tools[tool_lacks] += 1
        elif CHECKOUT_LACKS in reason:
            self.lacking_checkouts[reason.partition(f"{CHECKOUT_LACKS}: ")[2]] += 1
        else:
            self.skipped_without_need.append(f"{report.nodeid}: {reason}")

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Fail a session that skipped a test without need."""
        is_failure = (
            self.skipped_without_need
            or (self.strict and self.lacking_tools)
            or mode_of_the_null_device() != self.null_mode
        )
        if is_failure and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print which kernels ran, and loudly what did not run."""
        in_order = [kernel.name for kernel in monpro.kernels() if kernel.name in self.ran]
        if in_order:
            terminalreporter.write_line(f"kernels that ran ({len(in_order)}): {' '.join(in_order)}")
        for line in sorted(self.lacking):
            terminalreporter.write_line(f"KERNEL NOT RUN: {CPU_LACKS}: {line}", yellow=True, bold=True)
        fails = ", which fails" if self.strict else ""
        for line, count in sorted(self.lacking_tools.items()):
            text = f"NOT TESTED{fails}: {count} tests skipped: {line}"
            terminalreporter.write_line(text, yellow=not fails, red=bool(fails), bold=True)
        for line, count in sorted(self.lacking_checkouts.items()):
            text = f"NOT TESTED: {count} tests skipped: {line}"
            terminalreporter.write_line(text, yellow=True, bold=True)
        if mode_of_the_null_device() != self.null_mode:
            line = f"A TEST CHANGED THE MODE OF {os.devnull}, which fails: chmod 666 {os.devnull}"
            terminalreporter.write_line(line, red=True, bold=True)
        for line in self.skipped_without_need:
            terminalreporter.write_line(f"SKIPPED WITHOUT NEED, which fails: {line}", red=True, bold=True)


def pytest_configure(config: pytest.Config) -> None:
    """Start the record of kernels, in the process that receives the reports of all tests."""
    if not hasattr(config, "workerinput"):
        record = KernelRecord(strict=os.environ.get("STRICT") == "1")
        config.pluginmanager.register(record, "kernel-record")
