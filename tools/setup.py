"""Set up this checkout: the virtual environment, the locked packages, the native module, the hardware tools.

It runs before every `make` target and does only what is missing or out of date. It judges by contents, never
by file times. It uses the standard library only, because it runs on the system's Python before anything is
installed. With `--packages` it leaves the native module and the hardware tools to `make test`, which brings
them beside its first checks.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / "bin" / "python"
STAMP = VENV / "setup.json"
LOCKS = [ROOT / "requirements" / "runtime.txt", ROOT / "requirements" / "dev.txt"]
HARDWARE_LOCK = ROOT / "requirements" / "hardware.txt"
LIBERTY = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"
HARDWARE_PACKAGES = {  # a program or file that shows that the Debian package is installed: the package
    "verilator": "verilator",
    "g++": "g++",
    "pkg-config": "pkg-config",  # these two for programs in tests that use the installed C library
    "cmake": "cmake",
    "iverilog": "iverilog",
    "yosys": "yosys",
    "z3": "z3",
    "sta": "opensta",
    LIBERTY: "qflow-tech-osu018",
    "nextpnr-ice40": "nextpnr-ice40",
}
Command = list[str | Path]


class SetupError(Exception):
    """A one-line message: what is missing, and how to mend it."""


def main() -> int:
    """Bring the checkout up to date; return 0 if nothing is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packages", action="store_true", help="the compilers and the locked packages only")
    only_packages = parser.parse_args().packages
    try:
        done = make_environment()
        done = install_packages(done)
        if only_packages:
            require_compilers()
            return 0
        done = build_native_module(done)
        done = install_hardware_packages(done)
        install_hardware_wheels(done)
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def make_environment() -> dict[str, str]:
    """Create `.venv` if there is no working one; return the record of what was done in it before."""
    done = read_stamp()
    if done.get("root") == str(ROOT) and succeeds([VENV_PYTHON, "-m", "pip", "--version"]):
        return done
    say("creating the virtual environment .venv")
    command: Command = [sys.executable, "-m", "venv", "--clear", VENV]
    package = f"python3.{sys.version_info.minor}-venv"
    if not succeeds(command) and not (apt_install(package) and succeeds(command)):
        shutil.rmtree(VENV, ignore_errors=True)
        raise SetupError(
            "this Python cannot make virtual environments: "
            f"run `apt-get install {package}` as root, then make again"
        )
    return write_stamp({"root": str(ROOT)})


def install_packages(done: dict[str, str]) -> dict[str, str]:
    """Install the locked packages, checked against their hashes, if the locks have changed."""
    wanted = digest(LOCKS)
    if done.get("packages") == wanted:
        return done
    say("installing the locked packages into .venv (once, about a minute)")
    pip: Command = [VENV_PYTHON, "-m", "pip", "install", "--quiet", "--require-hashes"]
    requirements: Command = [argument for lock in LOCKS for argument in ("--requirement", lock)]
    run([*pip, *requirements], "the locked packages could not be installed (is the network there?)")
    return write_stamp(done | {"packages": wanted})


def build_native_module(done: dict[str, str]) -> dict[str, str]:
    """Build the native module and install the project, unless the module was built from these sources.

    `import monpro` compares the module with the sources (see `monpro._freshness`), so this function accepts
    exactly the modules that Python accepts.
    """
    wanted = digest([ROOT / "pyproject.toml"])
    if done.get("project") == wanted and succeeds([VENV_PYTHON, "-c", "import monpro"]):
        return done
    require_compilers()
    say("building the native module (optimised, about a minute)")
    started = time.monotonic()
    for module in (ROOT / "python" / "monpro").glob("_native*.so"):
        move_to_new_file(module)
    command: Command = [VENV / "bin" / "maturin", "develop", "--release", "--locked", "--quiet"]
    run(command, "the native module could not be built")
    run([VENV_PYTHON, "-c", "import monpro"], "the native module was built, but cannot be imported")
    say(f"built in {time.monotonic() - started:.0f} s")
    return write_stamp(done | {"project": wanted})


def move_to_new_file(module: Path) -> None:
    """Put a copy in the place of a module: maturin writes into the file, which ends processes that run it."""
    copy = module.with_name(f".{module.name}")
    shutil.copy2(module, copy)
    copy.replace(module)


def install_hardware_packages(done: dict[str, str]) -> dict[str, str]:
    """Install the missing programs of the hardware flow, or say loudly what cannot run without them."""
    lacking = missing_packages()
    if lacking and done.get("refused") != " ".join(lacking):
        if not apt_install(*lacking):
            for package in lacking:  # a package that this system lacks must not stop the others
                apt_install(package)
        lacking = missing_packages()
        done = write_stamp(done | {"refused": " ".join(lacking)})
    if lacking:
        say(
            f"NOT INSTALLED: {' '.join(lacking)}: `apt-get install` them as root; until then tests of "
            "hardware are skipped, and without verilator the demo has the cores' models only, not their RTL"
        )
    return done


def missing_packages() -> list[str]:
    """Return the Debian packages of the hardware flow that are not installed."""
    return [
        package
        for sign, package in HARDWARE_PACKAGES.items()
        if not (Path(sign).is_file() if sign.startswith("/") else shutil.which(sign))
    ]


def install_hardware_wheels(done: dict[str, str]) -> None:
    """Install the hardware tools that are Python packages, or say loudly that this failed."""
    wanted = digest([HARDWARE_LOCK])
    if done.get("hardware") == wanted:
        return
    say("installing the locked packages of the hardware flow into .venv (once, half a minute)")
    pip: Command = [VENV_PYTHON, "-m", "pip", "install", "--quiet", "--require-hashes"]
    if succeeds([*pip, "--requirement", HARDWARE_LOCK]):
        write_stamp(done | {"hardware": wanted})
    else:
        say(
            "NOT INSTALLED: requirements/hardware.txt (is the network there?): "
            "no figures for ECP5, and tests that need these packages are skipped"
        )


def require_compilers() -> None:
    """Raise SetupError without the compilers that the native module takes."""
    require_c_compiler()
    require_rust()


def require_c_compiler() -> None:
    """Raise SetupError without a C compiler, whose linker makes the module."""
    if shutil.which("cc") or (apt_install("gcc", "libc6-dev") and shutil.which("cc")):
        return
    raise SetupError("there is no C compiler: run `apt-get install build-essential` as root, then make again")


def require_rust() -> None:
    """Raise SetupError without cargo, or if it is older than the workspace allows."""
    needed = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["rust-version"]
    if not shutil.which("cargo"):
        raise SetupError(f"there is no cargo: install Rust {needed} or later from https://rustup.rs")
    printed = output(["cargo", "--version"]).split()
    found = printed[1] if len(printed) > 1 else "0.0"
    if release(found) < release(needed):
        raise SetupError(f"Rust {found} is too old: `rustup update stable` brings {needed} or later")


def release(version: str) -> tuple[int, ...]:
    """Return (1, 85) for "1.85.0-nightly"."""
    return tuple(int(part) for part in version.partition("-")[0].split(".")[:2])


def apt_install(*packages: str) -> bool:
    """Install system packages if this is allowed without a question; return whether it succeeded."""
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if not shutil.which("apt-get") or (as_root and not succeeds([*as_root, "true"])):
        return False
    say(f"installing {' '.join(packages)} with apt-get")
    apt: Command = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    update_package_lists(tuple(apt))
    return succeeds([*apt, "install", "--yes", "--no-install-recommends", *packages])


@cache
def update_package_lists(apt: tuple[str | Path, ...]) -> None:
    """Bring apt's lists up to date, once."""
    succeeds([*apt, "update"])


def digest(files: list[Path]) -> str:
    """Return a digest of the contents of the files."""
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def read_stamp() -> dict[str, str]:
    """Return the record of what was done before; empty if the environment is absent or incomplete."""
    try:
        return dict(json.loads(STAMP.read_text()))
    except (OSError, ValueError):
        return {}


def write_stamp(done: dict[str, str]) -> dict[str, str]:
    """Write the record of what is done, completely or not at all."""
    beside = STAMP.with_suffix(".partial")
    beside.write_text(json.dumps(done))
    beside.replace(STAMP)
    return done


def say(message: str) -> None:
    """Print what a long step does."""
    print(f"setup: {message}", flush=True)


def succeeds(command: Command) -> bool:
    """Run a command silently; return whether it ended with status 0."""
    try:
        return execute(command).returncode == 0
    except OSError:
        return False


def output(command: Command) -> str:
    """Run a command silently and return what it printed."""
    return execute(command).stdout


def run(command: Command, failure: str) -> None:
    """Run a command; if it fails, show what it printed."""
    ended = execute(command)
    if ended.returncode != 0:
        print(ended.stdout, file=sys.stderr, end="")
        raise SetupError(f"{failure}; what was printed is above")


def execute(command: Command) -> subprocess.CompletedProcess[str]:
    """Run a command in the root, with VIRTUAL_ENV set to the environment into which maturin installs."""
    environment = os.environ | {"VIRTUAL_ENV": str(VENV), "PYO3_PYTHON": str(VENV_PYTHON)}
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        check=False,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


if __name__ == "__main__":
    sys.exit(main())
