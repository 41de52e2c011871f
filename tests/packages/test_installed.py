"""The wheel and the sdist, installed in separate environments: the library, the command, the cores."""

import json
import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import monpro
from monpro.flow import tools

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "monpro"
MATURIN = Path(sys.executable).with_name("maturin")
LIBRARY = """
import monpro, monpro.dh, monpro.rsa
assert monpro.pow(7, 100, 101) == 1
key = monpro.rsa.PrivateKey.generate(512)
assert key.public_key.verify(b"message", key.sign(b"message"))
assert not key.public_key.verify(b"other", key.sign(b"message"))
group = monpro.dh.Group.named("ffdhe2048")
print(monpro.__file__)
"""


def run(*command: str | Path, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a program with these variables, without others that change the behaviour of Python or monpro."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("MONPRO", "PYTHON"))
    }
    return subprocess.run(
        command, cwd=cwd, env=environment | variables, capture_output=True, text=True, check=False
    )


def succeeded(ended: subprocess.CompletedProcess[str]) -> str:
    """Return the output of a program, which must succeed."""
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def built_by_pip(project: Path, folder: Path, *options: str, **variables: str) -> Path:
    """Return the wheel that pip makes of a checkout or an sdist, without a network."""
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation")
    variables["PATH"] = os.pathsep.join([str(MATURIN.parent), os.environ["PATH"]])
    succeeded(run(*pip, *options, "--wheel-dir", folder, project, cwd=None, **variables))
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from this checkout as pip does, with the Rust code that `make setup` compiled."""
    return built_by_pip(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist from this checkout."""
    folder = tmp_path_factory.mktemp("sdist")
    succeeded(run(MATURIN, "sdist", "--out", folder, cwd=ROOT))
    return next(folder.glob("*.tar.gz"))


class Environment:
    """An environment with Python, and with nothing else until a test installs it."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, symlinks=True)
        self.folder = folder

    def run(self, program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment in its folder, which is not a checkout."""
        return run(self.folder / "bin" / program, *arguments, cwd=self.folder)

    def pip(self, *arguments: str | Path) -> str:
        """Run this Python's pip for the environment, which has none, and return its output."""
        return succeeded(run(sys.executable, "-m", "pip", "--python", self.folder, *arguments))

    def install(self, package: Path) -> None:
        """Install a wheel, without its dependencies and without a network."""
        self.pip("install", "--quiet", "--no-index", "--no-deps", package)

    def add(self, *names: str) -> None:
        """Make installed packages of this Python, and what they need, visible in the environment."""
        offered = self.folder / "offered"
        offered.mkdir(exist_ok=True)
        for name in needed(*names):
            for top in {file.parts[0] for file in distribution(name).files or () if file.parts[0] != ".."}:
                if not (offered / top).exists():
                    (offered / top).symlink_to(Path(str(distribution(name).locate_file(top))))
        site_packages = next(self.folder.glob("lib/python*/site-packages"))
        (site_packages / "offered.pth").write_text(f"{offered}\n")

    def complaint(self, *arguments: str) -> str:
        """Return the one-line message in which the command says what to install."""
        ended = self.run("monpro", *arguments)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert re.fullmatch(r"monpro: .+\n", ended.stderr)
        return ended.stderr


def needed(*names: str) -> set[str]:
    """Return these packages and all packages that they require here."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            requirements = map(Requirement, distribution(name).requires or ())
            waiting += [
                requirement.name
                for requirement in requirements
                if requirement.marker is None or requirement.marker.evaluate({"extra": ""})
            ]
    return found


def extra(name: str) -> list[str]:
    """Return the packages of an extra of monpro, without the packages of extras that it contains."""
    requirements = map(Requirement, distribution("monpro").requires or ())
    return [
        requirement.name
        for requirement in requirements
        if requirement.name != "monpro"
        and requirement.marker
        and requirement.marker.evaluate({"extra": name})
    ]


@pytest.fixture(scope="session")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Return an environment with the wheel alone."""
    environment = Environment(tmp_path_factory.mktemp("bare"))
    environment.install(wheel)
    return environment


@pytest.fixture(scope="session")
def with_cli(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Return an environment with the wheel and the packages of the extra `cli`."""
    environment = Environment(tmp_path_factory.mktemp("cli"))
    environment.install(wheel)
    environment.add(*extra("cli"))
    return environment


def files_of(package: Path) -> dict[str, bytes]:
    """Return the files of the Python package in a wheel or an sdist, by paths relative to the package."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            files = {name: wheel.read(name) for name in wheel.namelist()}
    else:
        with tarfile.open(package) as sdist:
            found = {member.name: sdist.extractfile(member) for member in sdist}
            files = {name: file.read() for name, file in found.items() if file}
    parts = {name.partition("monpro/"): content for name, content in files.items()}
    return {
        path: content
        for (before, _, path), content in parts.items()
        if path and (not before or before.endswith("/python/"))
    }


def test_both_hold_every_file_of_the_package_as_it_is_here(wheel: Path, sdist: Path) -> None:
    tracked = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "python/monpro")
    paths = [ROOT / name for name in succeeded(run(*tracked, cwd=ROOT)).splitlines()]
    paths += (PACKAGE / "rtl").rglob("*")
    here = {path.relative_to(PACKAGE).as_posix(): path.read_bytes() for path in paths if path.is_file()}
    assert {
        "rtl/monpro.f",
        "rtl/ecp5/monpro_cell_product.sv",
        "report/PAPERS.toml",
        "demo/demo.html.j2",
        "page/page.html.j2",
        "py.typed",
    } <= set(here)
    in_wheel = files_of(wheel)
    del in_wheel["_native.abi3.so"]
    assert in_wheel == here
    assert files_of(sdist) == here


def test_the_wheel_does_not_name_the_folder_where_it_was_built(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as files:
        assert [name for name in files.namelist() if str(ROOT).encode() in files.read(name)] == []


def test_the_library_needs_nothing(bare: Environment) -> None:
    assert str(bare.folder) in succeeded(bare.run("python", "-c", LIBRARY))
    assert "Requires: \n" in bare.pip("show", "monpro")
    assert "No broken requirements" in bare.pip("check")


def test_the_python_example_of_the_readme_needs_nothing_else(bare: Environment) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    succeeded(bare.run("python", "-c", program))


IMPORTED = """
import resource, sys
before, modules = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, set(sys.modules)
import monpro
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, *sorted(set(sys.modules) - modules))
"""


def test_the_import_of_the_library_is_small(bare: Environment) -> None:
    """It imports little and takes little memory, which holds on every machine, unlike a time."""
    kibibytes, *modules = succeeded(bare.run("python", "-I", "-c", IMPORTED)).split()
    assert int(kibibytes) < 15 * 1024
    own = {name for name in modules if name.partition(".")[0] == "monpro"}
    assert own >= {"monpro", "monpro._native"}
    assert len(own) <= 8, own
    assert len(set(modules) - own) <= 8, modules


@pytest.mark.parametrize("arguments", [(), ("pow", "--help"), ("demo",)])
def test_the_command_says_what_it_lacks(bare: Environment, arguments: tuple[str, ...]) -> None:
    assert "pip install 'monpro[cli]'" in bare.complaint(*arguments)
    module = bare.run("python", "-m", "monpro", *arguments)
    assert (module.returncode, module.stderr) == (2, bare.complaint(*arguments))


@pytest.mark.parametrize("arguments", [("demo", "--bits", "9"), ("demo", "--help"), ("reproduce", "koc96")])
def test_a_verb_of_the_lab_says_what_it_lacks(with_cli: Environment, arguments: tuple[str, ...]) -> None:
    assert "pip install 'monpro[lab]'" in with_cli.complaint(*arguments)
    assert "reproduce" in succeeded(with_cli.run("monpro", "--help"))


def test_doctor_says_which_packages_the_lab_would_add(with_cli: Environment) -> None:
    told = json.loads(succeeded(with_cli.run("monpro", "doctor", "--json")))
    assert told["healthy"]
    packages = {found["name"]: found for found in told["findings"] if found["group"] == "packages"}
    assert packages["typer"]["right"]
    assert not packages["matplotlib"]["right"]
    assert packages["matplotlib"]["remedy"] == "pip install 'monpro[lab]'"


def test_the_manual_page_is_installed(bare: Environment) -> None:
    page = bare.folder / "share" / "man" / "man1" / "monpro.1"
    assert page.read_text().startswith(".TH MONPRO 1")


def test_the_command_computes(with_cli: Environment) -> None:
    power = ("--base", "7", "--exp", "99", "--mod", "101")
    assert int(succeeded(with_cli.run("monpro", "pow", *power))) == pow(7, 99, 101)
    assert int(succeeded(with_cli.run("monpro", "pow", *power, "--engine", "scs-mm-new"))) == pow(7, 99, 101)


def test_rsa_needs_no_lab(with_cli: Environment) -> None:
    (with_cli.folder / "message").write_text("a message")
    succeeded(with_cli.run("monpro", "rsa", "genkey", "--bits", "512", "--out", "key", "--public", "public"))
    sign = ("rsa", "sign", "--key", "key", "--in", "message", "--out", "signature")
    verify = ("rsa", "verify", "--key", "public", "--in", "message", "--signature", "signature")
    succeeded(with_cli.run("monpro", *sign))
    assert "good" in succeeded(with_cli.run("monpro", *verify))
    assert "good" in succeeded(with_cli.run("monpro", *verify, "--engine", "systolic"))


def test_a_core_is_taken_away_and_tried(with_cli: Environment) -> None:
    emit = ("emit", "scs-mm-new", "--bits", "64", "--output", "core", "--json")
    files = json.loads(succeeded(with_cli.run("monpro", *emit)))["files"]
    assert sorted(files) == sorted(path.name for path in (with_cli.folder / "core").iterdir())
    tools.find("verilator")
    sim = ("sim", "scs-mm-new", "--bits", "64", "--count", "20", "--json")
    assert json.loads(succeeded(with_cli.run("monpro", *sim)))["mismatches"] == 0


def test_an_installed_package_records_where_it_is_used(bare: Environment) -> None:
    """It records neither beside itself nor with the commit of a repository around it."""
    tell = "from monpro.flow.sources import commit; from monpro.results.recording import RESULTS"
    told = succeeded(bare.run("python", "-c", f"{tell}; print(RESULTS, commit())")).split()
    assert told == ["results", f"v{monpro.__version__}"]


def test_with_the_lab_a_table_is_recomputed(wheel: Path, tmp_path: Path) -> None:
    environment = Environment(tmp_path)
    environment.install(wheel)
    environment.add(*extra("cli"), *(name for name in extra("lab") if name != "matplotlib"))
    (table,) = json.loads(succeeded(environment.run("monpro", "reproduce", "koc96.table2", "--json")))
    assert table["id"] == "koc96.table2"
    assert "matplotlib is not installed" in environment.complaint("demo", "--bits", "9"), "before all else"


@pytest.mark.slow
def test_the_sdist_compiles_and_computes(sdist: Path, tmp_path: Path) -> None:
    """It compiles without optimisation, from its own sources and the crates that this checkout fetched."""
    built = built_by_pip(
        sdist,
        tmp_path,
        "--config-settings=build-args=--profile=dev --offline",
        CARGO_PROFILE_DEV_OPT_LEVEL="0",
        CARGO_TARGET_DIR=str(ROOT / "target" / "sdist"),
    )
    environment = Environment(tmp_path / "environment")
    environment.install(built)
    environment.add(*extra("cli"))
    assert "completion" in succeeded(environment.run("monpro", "--help"))
    succeeded(environment.run("monpro", "emit", "mm", "--bits", "64", "--output", "core"))
    sim = ("sim", "mm", "--model", "--bits", "64", "--count", "20", "--json")
    assert json.loads(succeeded(environment.run("monpro", *sim)))["mismatches"] == 0
    assert str(environment.folder) in succeeded(environment.run("python", "-c", LIBRARY))
