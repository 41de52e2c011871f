"""Build what a release publishes into dist/: the crates, the wheel, the sdist, and their bills of materials.

Two machines with the same compilers get the same bytes, wherever their checkouts and caches are.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setup import ROOT, SetupError, succeeds

DIST = ROOT / "dist"
BUILT = ROOT / "target" / "dist"  # not cargo's default folder: the flags differ from those of `make setup`
LOCK = ROOT / "requirements" / "release.txt"
PUBLISHED = ("monpro", "monpro-rsa")  # on the registry of crates
CRATES = (*PUBLISHED, "monpro-capi", "monpro-py")
WHEEL = "monpro-py"  # its bill of materials goes into the wheel [PEP 770]


def main() -> int:
    """Build what is asked for; return 0 if all of it is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sbom", action="store_true", help="the bills of materials only")
    parser.add_argument("--twice", action="store_true", help="in two other folders instead, and compare")
    chosen = parser.parse_args()
    try:
        if chosen.twice:
            build_twice()
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
            *(release_tool("cyclonedx-py"), "requirements", "--output-reproducible", "--of", "JSON"),
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


def crate_bill(crate: str) -> Path:
    """Return the file for the bill of materials of a crate."""
    return DIST / f"{crate}.cdx.json"


def release_tool(name: str) -> Path:
    """Return a program of requirements/release.txt, installed in an environment of its own."""
    folder = ROOT / "target" / "release-tools"
    stamp = folder / "release.txt"
    if not stamp.exists() or stamp.read_bytes() != LOCK.read_bytes():
        print("release: installing the tools of requirements/release.txt (once)", flush=True)
        run(sys.executable, "-m", "venv", "--clear", folder)
        run(folder / "bin" / "pip", "install", "--quiet", "--require-hashes", "--requirement", LOCK)
        shutil.copyfile(LOCK, stamp)
    return folder / "bin" / name


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
