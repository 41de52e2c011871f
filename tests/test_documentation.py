"""The examples of the documentation run."""

import doctest
import json
import os
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import monpro
from monpro.cores import WordMultiplier, of_width, word_multipliers_of_width
from monpro.cores.word_multiplier import NEW
from monpro.flow import tools
from monpro.flow.synthesis_records import recorded_figures

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("vectors/*.md")])
MODULES = ["monpro", *(module.name for module in pkgutil.walk_packages(monpro.__path__, "monpro."))]


@pytest.mark.parametrize("name", [name for name in MODULES if name != "monpro.__main__"])
def test_the_examples_of_docstrings(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_the_package_has_examples() -> None:
    assert doctest.testmod(monpro).attempted >= 4


def examples(language: str, document: Path = README) -> list[str]:
    """Return the examples of a document in a language."""
    text = document.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def execute(*command: str | Path, folder: Path, **variables: str | Path) -> str:
    """Run a command that must succeed, with these added environment variables; return its output."""
    environment = os.environ | {name: str(value) for name, value in variables.items()}
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_example_of_a_document_has_a_language_that_is_tested(document: Path) -> None:
    """Examples in Rust, C, C++ and the shell are in README only."""
    fences = re.findall(r"^```(.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    tested = {"python", "rust", "c", "cpp", "sh"} if document == README else {"python", "text"}
    assert set(fences[::2]) <= tested
    assert set(fences[1::2]) <= {""}


@pytest.mark.parametrize(
    "document", [path for path in DOCUMENTS if examples("python", path)], ids=lambda path: path.name
)
def test_the_python_examples_of_a_document(document: Path) -> None:
    for program in examples("python", document):
        exec(compile(program, document.name, "exec"), {})  # noqa: S102  (our own document)


def test_the_rust_example_of_the_readme(tmp_path: Path) -> None:
    (program,) = examples("rust")
    (tmp_path / "main.rs").write_text(program, encoding="utf-8")
    # The C library of the other examples holds the crate, so nothing is compiled a second time.
    build = ("cargo", "build", "--quiet", "--locked", "--package", "monpro-capi", "--message-format", "json")
    messages = map(json.loads, execute(*build, folder=ROOT).splitlines())
    files = [Path(name) for message in messages for name in message.get("filenames", [])]
    (library,) = [path for path in files if re.fullmatch(r"libmonpro-\w+\.rlib", path.name)]
    execute(
        *("rustc", "--edition", "2024", "main.rs", "-o", "program"),
        *("--extern", f"monpro={library}", "-L", f"dependency={library.parent}"),
        folder=tmp_path,
    )
    execute(tmp_path / "program", folder=tmp_path)


@pytest.mark.slow
def test_the_rust_example_in_a_crate_of_its_own(tmp_path: Path) -> None:
    """Type what README says: the crate is added by its path, and the example is `src/main.rs`."""
    (program,) = examples("rust")
    (command,) = re.findall(r"`cargo (add monpro [^`]*)`", README.read_text(encoding="utf-8"))
    crate = tmp_path / "reader"
    execute("cargo", "new", "--quiet", "reader", folder=tmp_path)
    execute("cargo", *command.replace("<checkout>", str(ROOT)).split(), "--offline", "--quiet", folder=crate)
    (crate / "src" / "main.rs").write_text(program, encoding="utf-8")
    execute("cargo", "run", "--quiet", "--offline", folder=crate)


@pytest.fixture
def folder_of_a_reader(tmp_path: Path) -> Path:
    """Return a folder with the C example and, below `prefix`, the installed C library."""
    (program,) = examples("c")
    (tmp_path / "power.c").write_text(program, encoding="utf-8")
    prefix = f"PREFIX={tmp_path / 'prefix'}"
    execute("make", "--silent", "install-c", "CARGO_PROFILE=dev", prefix, folder=ROOT)
    return tmp_path


def test_the_cpp_example_of_the_readme(folder_of_a_reader: Path) -> None:
    (program,) = examples("cpp")
    (folder_of_a_reader / "example.cpp").write_text(program, encoding="utf-8")
    flags = ("-Iprefix/include", "-Lprefix/lib", "-Wl,-rpath,prefix/lib", "-lmonpro")
    execute("c++", "-std=c++17", "example.cpp", "-o", "example", *flags, folder=folder_of_a_reader)
    assert execute("./example", folder=folder_of_a_reader) == "100\n"


@pytest.mark.parametrize("commands", examples("sh"), ids=lambda commands: commands.split()[0])
def test_the_commands_of_the_readme(commands: str, folder_of_a_reader: Path) -> None:
    """Run the lines in a shell; the output of each line must be its comment."""
    if "iverilog" in commands:
        tools.find("iverilog")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    prefix = folder_of_a_reader / "prefix"
    printed = execute("bash", "-eu", "-c", commands, folder=folder_of_a_reader, PATH=path, PREFIX=prefix)
    promised = re.findall(r"# prints (.*)", commands)
    assert promised
    assert [line for line in printed.splitlines() if line in promised] == promised


def test_the_targets_that_the_readme_names_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    named = set(re.findall(r"(?:`|^)make ([a-z-]+)", README.read_text(encoding="utf-8"), re.MULTILINE))
    assert {"demo", "test"} <= named
    for target in named:
        assert re.search(rf"^{target}:.*## \S", makefile, re.MULTILINE), target


SOURCES = (
    "",
    "crates/monpro/src",
    "crates/monpro-capi/src",
    "python/monpro",
)  # folders to which a document's paths are relative
# A page that the demo writes, folders that `make` fills, a file that the reader writes, an action of a forge.
ELSEWHERE = {
    "report/index.html",
    "report/report.html",
    "dist/",
    "fuzz/target/artifacts/",
    "src/main.rs",
    "actions/attest-build-provenance",
}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_files_that_a_document_names_exist(document: Path) -> None:
    spans = re.findall(r"`([^`\s<>*$]+)`", document.read_text(encoding="utf-8"))
    paths = [span for span in spans if re.fullmatch(r"[\w.-]+(/[\w.-]+)*/?", span) and "/" in span]
    missing = [
        path
        for path in paths
        if path not in ELSEWHERE and not any((ROOT / source / path).exists() for source in SOURCES)
    ]
    assert missing == []


def test_continuous_integration_runs_the_test_command_and_nothing_else() -> None:
    script = ROOT / ".ci" / "run"
    commands = [line for line in script.read_text().splitlines() if line and not line.startswith("#")]
    assert commands == ['cd "$(dirname "${BASH_SOURCE[0]}")/.." && exec make test']
    assert script.stat().st_mode & 0o111


def test_the_figures_of_cores_in_readme_are_those_of_records_and_models() -> None:
    names = ("quotient-pipelined-256", "scs-mm-new-256-constant-time")
    pipelined, plain = word_multipliers_of_width(256)[names[0]], of_width(256)[names[1]]
    assert isinstance(pipelined, WordMultiplier)
    clocks = (pipelined.cycles((1 << 256) - 1, NEW), plain.max_cycles)
    luts, megahertz = (
        [recorded_figures("ecp5")[name][figure] for name in names] for figure in ("area_luts", "fmax_mhz")
    )
    sentences = (
        f"At 256 bits on an ECP5, `quotient-pipelined` takes {luts[0]:,} lookup tables, and {clocks[0]} "
        f"clocks at {megahertz[0]:.0f} MHz from the last word in to the first word out. `scs-mm-new` in "
        f"constant time takes {luts[1]:,}, and {clocks[1]} clocks at {megahertz[1]:.0f} MHz."
    )
    assert sentences in " ".join(README.read_text(encoding="utf-8").split())
