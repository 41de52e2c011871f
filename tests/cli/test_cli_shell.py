"""What a shell offers: completed words, the manual page, the version, and a command that starts at once."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import TOOL_LACKS, Cli
from monpro.cli import NAME, VERBS, load, manual

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "python" / "wheel" / "data" / "share" / "man" / "man1" / "monpro.1"
BIN = Path(sys.executable).parent
SECONDS = 60
# How each shell starts without the files of its user, and how it reads the script.
SHELLS = {
    "bash": (("--norc", "--noprofile", "-i"), "source ./completions"),
    "zsh": (("-f", "-i"), "autoload -Uz compinit; compinit -u -D; source ./completions"),
    "fish": (("--no-config", "--interactive"), "source ./completions"),
}
COMPLETED = {  # what is typed before the key Tab: what the shell makes of it
    "monpro kern": "monpro kernels ",
    "monpro pow --eng": "monpro pow --engine ",
    "monpro emit fcs-mmm": "monpro emit fcs-mmm42",
}


def need(program: str) -> str:
    """Return the path of a program; the test is skipped loudly without it."""
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{TOOL_LACKS}: {program} is not installed: apt-get install {program}")
    return found


class Terminal:
    """A shell in a terminal of its own, in which a test types."""

    def __init__(self, program: str, options: tuple[str, ...], folder: Path) -> None:
        self.pid, self.controller = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
            variables = {"HOME": str(folder), "PATH": path, "TERM": "xterm", "LANG": "C.UTF-8"}
            os.execve(program, [program, *options], variables)  # noqa: S606
        self.seen = ""

    def type(self, text: str) -> None:
        """Type a text."""
        os.write(self.controller, text.encode())

    def wait(self, wanted: str) -> None:
        """Wait until the terminal shows a text, whatever stands between its signs to move the cursor."""
        pattern = re.compile(wanted)
        deadline = time.monotonic() + SECONDS
        while not pattern.search(self.seen):
            assert time.monotonic() < deadline, repr(self.seen)
            if select.select([self.controller], [], [], 1)[0]:
                new = os.read(self.controller, 4096).decode(errors="replace")
                self.seen += re.sub(
                    r"\x1b\][^\x07]*\x07|\x1b\[[0-9;?>=]*[A-Za-z]|\x1b[=>()][0AB]?|[\r\x07]", "", new
                )

    def close(self) -> None:
        """End the shell."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.controller)


@pytest.mark.parametrize("name", SHELLS)
def test_a_real_shell_completes_the_words(name: str, cli: Cli, tmp_path: Path) -> None:
    options, read_script = SHELLS[name]
    (tmp_path / "completions").write_text(cli("completion", name)[1])
    terminal = Terminal(need(name), options, tmp_path)
    try:
        terminal.type(f"{read_script}; echo rea''dy\n")
        terminal.wait("ready\n")
        for typed, completed in COMPLETED.items():
            terminal.seen = ""
            terminal.type(f"{typed}\t")
            terminal.wait(re.escape(completed))
            terminal.type("\x15")  # forget the line
    finally:
        terminal.close()


def test_the_manual_page_is_that_of_the_help() -> None:
    assert PAGE.read_text(encoding="utf-8") == manual.page(), "run `make fmt`"


def test_the_manual_page_says_what_every_verb_takes() -> None:
    page = manual.page().replace("\\-", "-")
    for verb in VERBS:
        command = load(verb)
        assert f".SS {NAME} {verb}" in page
        options = {name for parameter in command.params for name in parameter.opts if name.startswith("-")}
        assert {option for option in options if option not in page} <= {"--help"}


def test_the_manual_page_is_set_without_a_warning() -> None:
    lint: list[str | Path] = [need("mandoc"), "-Tlint", PAGE]
    told = subprocess.run(lint, capture_output=True, text=True, check=False).stdout
    assert [line for line in told.splitlines() if "missing date" not in line] == []
    setting: list[str | Path] = [need("groff"), "-man", "-Kutf8", "-Tutf8", "-ww", PAGE]
    ended = subprocess.run(setting, capture_output=True, text=True, check=True)
    assert ended.stderr == ""
    assert "monpro doctor" in ended.stdout


def modules_of(*command: str) -> set[str]:
    """Return the modules that a command has imported when it ends."""
    program = f"import sys; {'; '.join(command)}; print('\\n', *sys.modules)"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(ended.stdout.splitlines()[-1].split())


def test_the_list_of_verbs_is_printed_without_what_the_verbs_import() -> None:
    loaded = modules_of("from monpro.cli import main", "main([])")
    own = {name for name in loaded if name.startswith("monpro.cli.")}
    assert own == {"monpro.cli.errors"}
    assert not {"monpro.engines", "monpro.report", "matplotlib", "jinja2", "cryptography"} & loaded
    loaded = modules_of("from monpro.cli import main", "main(['pow', '--base=3', '--exp=5', '--mod=7'])")
    assert not {"monpro.report", "monpro.demo", "matplotlib", "jinja2", "cryptography"} & loaded
