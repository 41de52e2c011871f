"""`make test` shows what fails, runs what it can, and fails for a missing tool if STRICT asks for it."""

import sys
from pathlib import Path

import pytest

import browser
import check
import ports
import setup
import steps
from monpro.flow import tools
from steps import Need, Step

NEVER = Need("the tool", lambda: False, "build it")


def python(code: str, title: str = "a step", needs: tuple[Need, ...] = ()) -> Step:
    return Step(title, (sys.executable, "-c", code), needs)


@pytest.mark.parametrize(
    ("environment", "strict"),
    [
        ({}, False),
        ({"STRICT": "1"}, True),
        ({"CI": "true"}, True),
        ({"CI": "false"}, False),
        ({"CI": "true", "STRICT": "0"}, False),
        ({"STRICT": ""}, False),
    ],
)
def test_strictness_comes_from_the_environment(environment: dict[str, str], *, strict: bool) -> None:
    assert steps.is_strict(environment) == strict


def test_a_missing_tool_is_loud_and_fails_only_where_strict(capsys: pytest.CaptureFixture[str]) -> None:
    step = python("raise SystemExit(1)", needs=(NEVER,))
    assert steps.passes(step, strict=False)
    said = "check: NOT CHECKED: a step: the tool is not there (build it)\n"
    assert capsys.readouterr() == ("", said)
    assert not steps.passes(step, strict=True)
    assert capsys.readouterr() == ("", said)


def test_a_failed_step_is_shown_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert not steps.passes(python("print('x' * 5000); raise SystemExit('the reason')"), strict=False)
    shown = capsys.readouterr().err
    assert "x" * 5000 in shown
    assert "the reason" in shown
    assert "check: failed: " in shown


def test_a_step_that_passes_says_how_many_tests_it_ran(capsys: pytest.CaptureFixture[str]) -> None:
    tests = "print('test result: ok. 5 passed; 0 failed\\n\\ntest result: ok. 2 passed; 1 ignored')"
    assert steps.passes(python(tests), strict=True)
    shown = capsys.readouterr().out
    assert "check: a step: ok (7 tests, " in shown
    assert "test result" not in shown


def test_what_a_step_that_passes_did_not_run_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    lines = "print('kernel a ok\\nbatch: NOT RUN: b\\nkernel c SKIPPED: this CPU lacks d')"
    assert steps.passes(python(lines), strict=True)
    assert capsys.readouterr().err == "check: batch: NOT RUN: b\ncheck: kernel c SKIPPED: this CPU lacks d\n"


def test_after_a_failure_no_further_step_starts(capsys: pytest.CaptureFixture[str]) -> None:
    chains = [[python("raise SystemExit(3)", "first"), python("", "second")], [python("", "third")]]
    assert not steps.all_pass(chains, strict=False, workers=1)
    said = capsys.readouterr()
    assert "first: FAILED" in said.err
    assert "second" not in said.out + said.err
    assert "third" not in said.out + said.err


def test_chains_run_side_by_side(tmp_path: Path) -> None:
    """Each of two steps waits for a file that the other step writes."""
    meet = (
        "import sys, time, pathlib; folder = pathlib.Path({folder!r}); (folder / '{mine}').touch()\n"
        "for _ in range(600):\n"
        "    if (folder / '{other}').exists(): sys.exit(0)\n"
        "    time.sleep(0.05)\n"
        "sys.exit(1)"
    )
    chains = [
        [python(meet.format(folder=str(tmp_path), mine=mine, other=other))]
        for mine, other in (("a", "b"), ("b", "a"))
    ]
    assert steps.all_pass(chains, strict=False, workers=2)


def test_a_remedy_by_apt_get_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    installed: list[str] = []

    def install(*names: str) -> bool:
        installed.extend(names)
        return True

    monkeypatch.setattr("setup.apt_install", install)
    need = Need("gcc", lambda: "gcc" in installed, "apt-get install gcc libc6-dev")
    assert steps.bring(need)
    assert installed == ["gcc", "libc6-dev"]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The packages that apt is asked for on a machine without any program, where it installs none."""
    packages: list[str] = []

    def install(*names: str) -> bool:
        packages.extend(names)
        return False

    monkeypatch.setattr("setup.apt_install", install)
    monkeypatch.setattr("shutil.which", lambda _: None)
    return packages


PACKAGES_OF_TESTS = ["chromium", "fish", "mandoc", "zsh", "g++", "libgmp-dev", "openssl", "valgrind"]


@pytest.mark.parametrize(
    ("environment", "options", "packages"),
    [
        ("1", [], PACKAGES_OF_TESTS),
        ("1", ["--full"], [*PACKAGES_OF_TESTS, "g++-aarch64-linux-gnu"]),
        *(("0", [], []), ("0", ["--full"], []), ("1", ["--lint"], [])),
    ],
)
def test_what_tests_need_is_installed_first_where_none_may_be_left_out(
    monkeypatch: pytest.MonkeyPatch,
    asked: list[str],
    environment: str,
    options: list[str],
    packages: list[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["check.py", *options])
    monkeypatch.setattr(check, "is_strict", lambda: environment == "1")
    monkeypatch.setattr(check, "all_pass", lambda *_, **__: False)
    assert check.main() == 1
    assert asked == packages


def test_what_cannot_be_installed_is_said_in_one_line_each(
    asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    check.bring_all(check.NEEDS_OF_TESTS)
    assert asked == PACKAGES_OF_TESTS
    said = capsys.readouterr().err.splitlines()
    assert len(said) == len(check.NEEDS_OF_TESTS)
    assert said[1] == "check: NOT INSTALLED: fish (apt-get install fish): its tests will fail"


def test_another_browser_is_as_good_as_chromium(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check.BROWSERS == browser.BROWSERS
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}" if name == "google-chrome" else None)
    need = check.NEEDS_OF_TESTS[0]
    assert (need.name, need.is_met()) == ("chromium", True)


def test_every_tool_of_the_hardware_flow_from_debian_is_installed() -> None:
    """The set-up installs it everywhere, or the checks do where no test may be left out."""
    from_debian = {tool.install for tool in tools.TOOLS.values() if tool.install.startswith("apt-get")}
    by_setup = {f"apt-get install {package}" for package in setup.HARDWARE_PACKAGES.values()}
    assert from_debian <= by_setup | {need.remedy for need in check.NEEDS_OF_TESTS}


def test_a_module_that_runs_is_not_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").touch()
    module = tmp_path / "python" / "monpro" / "_native.abi3.so"
    module.parent.mkdir(parents=True)
    module.write_bytes(b"the module that runs")
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "STAMP", tmp_path / "setup.json")

    def write_as_maturin_does(command: setup.Command, failure: str) -> None:
        if "develop" in command:
            assert module.read_bytes() == b"the module that runs", failure
            module.write_bytes(b"another")

    monkeypatch.setattr(setup, "require_compilers", lambda: None)
    monkeypatch.setattr(setup, "run", write_as_maturin_does)
    with module.open("rb") as running:
        setup.build_native_module({})
        assert running.read() == b"the module that runs"
    assert module.read_bytes() == b"another"
    assert list(module.parent.iterdir()) == [module]


def test_a_remedy_by_other_means_is_only_said() -> None:
    assert not steps.bring(Need("the tool", lambda: False, f"{sys.executable} -c 1"))


def test_a_toolchain_that_does_not_exist_is_a_need_unmet() -> None:
    assert not ports.rust("0.1").is_met()
    assert not ports.target("no-such-target").is_met()


def test_the_promised_compilers_are_those_of_the_manifests() -> None:
    commands = [step.command for step in ports.QUICK]
    assert any(f"+{ports.promised_rust('crates', 'monpro')}" in command for command in commands)
    assert any(f"+{ports.promised_rust()}" in command for command in commands)


@pytest.mark.parametrize(("strict", "status"), [("0", 0), ("1", 1)])
def test_the_program_is_strict_where_the_environment_says_so(
    monkeypatch: pytest.MonkeyPatch, strict: str, status: int
) -> None:
    monkeypatch.setenv("STRICT", strict)
    monkeypatch.setattr("sys.argv", ["check.py", "--lint"])
    monkeypatch.setattr(check, "CLIPPY", python("", needs=(NEVER,)))
    monkeypatch.setattr(check, "QUICK_LINT", ())
    assert check.main() == status
