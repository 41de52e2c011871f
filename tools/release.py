"""Build what a release publishes into dist/: the crates, the wheels, the sdist, and their bills of materials.

Two machines with the same compilers get the same bytes, wherever their checkouts and caches are.
"""

import argparse
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

from setup import ROOT, SetupError, succeeds

DIST = ROOT / "dist"
BUILT = ROOT / "target" / "dist"  # not cargo's default folder: the flags differ from those of `make setup`
REQUIREMENTS = ROOT / "requirements"
ARCHITECTURES = ("x86_64", "aarch64")  # of the wheels for Linux
OLDEST_GLIBC = (2, 17)  # Rust's own library needs it
PUBLISHED = ("monpro", "monpro-rsa")  # on the registry of crates
CRATES = (*PUBLISHED, "monpro-capi", "monpro-py")
WHEEL = "monpro-py"  # its bill of materials goes into the wheel [PEP 770]


def main() -> int:
    """Build what is asked for; return 0 if all of it is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sbom", action="store_true", help="the bills of materials only")
    parser.add_argument("--twice", action="store_true", help="in two other folders instead, and compare")
    parser.add_argument("--wheels", action="store_true", help="the wheels of all architectures only")
    chosen = parser.parse_args()
    try:
        if chosen.twice:
            build_twice()
        elif chosen.wheels:
            build_wheels()
        else:
            build(bills_only=chosen.sbom)
    except SetupError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def build(*, bills_only: bool) -> None:
    """Build everything, or the bills of materials only."""
    DIST.mkdir(exist_ok=True)
    write_bills_of_crates()
    write_bill_of_python_packages()
    if not bills_only:
        pack_crates()
        build_wheel_and_sdist()


def build_twice() -> None:
    """Build the last commit in two folders, with caches of different names, and compare every byte."""
    with tempfile.TemporaryDirectory() as folder:
        checkouts = [Path(folder, name, "monpro") for name in ("first", "the/second")]
        for checkout in checkouts:
            run("git", "clone", "--quiet", ROOT, checkout)
        one, other = [checksums_of_build(checkout) for checkout in checkouts]
    different = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
    if different:
        raise SetupError(f"a second build made other files: {', '.join(different)}")
    print(f"release: two builds made the same {len(one)} files")


def checksums_of_build(checkout: Path) -> dict[str, str]:
    """Return the checksums of what a checkout builds, with a cache of another name beside it."""
    cache = checkout.with_name("cargo")
    cache.mkdir()
    (cache / "registry").symlink_to(cargo_home() / "registry")
    run(sys.executable, checkout / "tools" / "release.py", CARGO_HOME=str(cache))
    built = sorted((checkout / "dist").iterdir())
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in built}


def write_bills_of_crates() -> None:
    """Write the bill of materials of each crate, in CycloneDX 1.5."""
    if not succeeds(["cargo", "cyclonedx", "--version"]):
        raise SetupError("cargo-cyclonedx is not there: run `cargo install --locked cargo-cyclonedx`")
    name = "release.partial"
    form = ("--format", "json", "--spec-version", "1.5", "--override-filename", name)
    run("cargo", "cyclonedx", "--quiet", *form)
    for manifest in sorted(ROOT.glob("**/Cargo.toml")):
        written = manifest.with_name(f"{name}.json")
        if not written.exists():
            continue
        bill = written.read_text(encoding="utf-8").replace(f"path+file://{ROOT}", "path+file://")
        written.unlink()
        crate = str(json.loads(bill)["metadata"]["component"]["name"])
        if crate in CRATES:
            place(crate_bill(crate), bill)


def write_bill_of_python_packages() -> None:
    """Write the bill of materials of the locked packages that the extras `cli` and `lab` need."""
    place(
        DIST / "python-extras.cdx.json",
        run(
            *(tools_of("release") / "cyclonedx-py", "requirements", "--output-reproducible", "--of", "JSON"),
            *("--sv", "1.5", "requirements/runtime.txt"),
        ),
    )


def pack_crates() -> None:
    """Pack the crates that are published, and compile what is packed."""
    packages = [word for crate in PUBLISHED for word in ("--package", crate)]
    run("cargo", "package", "--quiet", "--locked", *packages, "--target-dir", BUILT)
    for crate in sorted((BUILT / "package").glob("*.crate")):
        shutil.copyfile(crate, DIST / crate.name)


def build_wheel_and_sdist() -> None:
    """Build Python's packages; the wheel names no folder of this machine and holds its bill of materials."""
    maturin = Path(sys.executable).with_name("maturin")
    options = ("--target-dir", BUILT, "--compatibility", os.environ.get("COMPATIBILITY", "pypi"))
    bill = ("--sbom-include", crate_bill(WHEEL))
    run(maturin, "build", "--quiet", "--release", "--locked", "--out", DIST, *options, *bill)
    run(maturin, "sdist", "--out", DIST)


def build_wheels() -> None:
    """Build the wheels for every architecture, which run with any GNU C library from OLDEST_GLIBC on."""
    DIST.mkdir(exist_ok=True)
    tools = tools_of("wheels").resolve()
    bill: list[str | Path] = ["--sbom-include", crate_bill(WHEEL)] if crate_bill(WHEEL).exists() else []
    manylinux = "manylinux_{}_{}".format(*OLDEST_GLIBC)
    for architecture in ARCHITECTURES:
        target = f"{architecture}-unknown-linux-gnu"
        if not Path(run("rustc", "--print", "target-libdir", "--target", target).strip()).is_dir():
            raise SetupError(f"Rust lacks the library for {target}: run `rustup target add {target}`")
        maturin = Path(sys.executable).with_name("maturin")
        options = ["--target", target, "--target-dir", BUILT, "--out", DIST, *bill]
        options += ["--zig", "--compatibility", manylinux]
        path = f"{tools}{os.pathsep}{os.environ['PATH']}"  # Zig's Python first, by which maturin finds Zig
        run(maturin, "build", "--quiet", "--release", "--locked", *options, PATH=path)
        (wheel,) = DIST.glob(f"*{manylinux}_{architecture}.whl")
        needed = newest_glibc(wheel)
        if needed > OLDEST_GLIBC:
            raise SetupError(f"{wheel.name} needs version {needed} of the GNU C library")
        print(f"release: {wheel.relative_to(ROOT)}", flush=True)


def newest_glibc(wheel: Path) -> tuple[int, ...]:
    """Return the newest version of the GNU C library that the native module in a wheel asks for."""
    with zipfile.ZipFile(wheel) as files:
        module = ELFFile(io.BytesIO(files.read("monpro/_native.abi3.so")))
    section = module.get_section_by_name(".gnu.version_r")
    if not isinstance(section, GNUVerNeedSection):
        raise SetupError(f"{wheel.name} asks for no version of the GNU C library")
    names = [version.name for _, versions in section.iter_versions() for version in versions]
    numbers = [name.removeprefix("GLIBC_") for name in names if name.startswith("GLIBC_")]
    return max(tuple(map(int, number.split("."))) for number in numbers)


def crate_bill(crate: str) -> Path:
    """Return the file for the bill of materials of a crate."""
    return DIST / f"{crate}.cdx.json"


def tools_of(job: str) -> Path:
    """Return the folder of the programs of requirements/<job>.txt, in an environment of their own."""
    lock = REQUIREMENTS / f"{job}.txt"
    folder = ROOT / "target" / f"{job}-tools"
    stamp = folder / lock.name
    if not stamp.exists() or stamp.read_bytes() != lock.read_bytes():
        print(f"release: installing the tools of requirements/{lock.name} (once)", flush=True)
        run(sys.executable, "-m", "venv", "--clear", folder)
        run(folder / "bin" / "pip", "install", "--quiet", "--require-hashes", "--requirement", lock)
        shutil.copyfile(lock, stamp)
    return folder / "bin"


def place(path: Path, text: str) -> None:
    """Write a file completely or not at all."""
    beside = path.with_name(f"{path.name}.partial")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
    print(f"release: {path.relative_to(ROOT)}", flush=True)


def run(*command: str | Path, **variables: str) -> str:
    """Run a command in the root with what fixes its output's bytes; return what it printed."""
    ended = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | fixed_environment() | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode != 0:
        raise SetupError(f"{' '.join(map(str, command))} failed:\n{ended.stdout}{ended.stderr}".rstrip())
    return ended.stdout


def fixed_environment() -> dict[str, str]:
    """Return the time of the last commit, for archives, and flags that hide where the sources lie."""
    commit = ("git", "log", "-1", "--format=%ct")
    epoch = subprocess.run(commit, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    hidden = {str(ROOT): "/monpro", str(cargo_home()): "/cargo"}
    return {
        "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH", epoch),
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(
            f"--remap-path-prefix={folder}={shown}" for folder, shown in hidden.items()
        ),
    }


def cargo_home() -> Path:
    """Return the folder in which cargo keeps the sources of other crates."""
    return Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))


if __name__ == "__main__":
    sys.exit(main())
