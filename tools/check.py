"""Check everything: format, lint, types, ports, and the tests of both languages. `make test` runs it.

A check that cannot run for want of a tool is one loud line; with STRICT=1, or CI=true, it is a failure.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable

import ports
from setup import ROOT, VENV_PYTHON
from steps import Need, Step, all_pass, bring, is_strict, say, succeeds

PYTHON = str(VENV_PYTHON)
RUFF = str(VENV_PYTHON.with_name("ruff"))
RUST_WORKSPACES = (
    *("Cargo.toml", "bench/Cargo.toml", "constant-time/Cargo.toml", "fuzz/Cargo.toml"),
    "bench/libraries/Cargo.toml",
    *("page-guard/Cargo.toml", "adapters/revm/Cargo.toml", "adapters/rustls/Cargo.toml"),
    *("adapters/rustls/bench/Cargo.toml", "adapters/openssl/Cargo.toml"),
)
CARGO_FLAGS = ("--quiet", "--locked", "--workspace")
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
MOST_WORKERS = 8  # of pytest: every worker collects all tests


def component(name: str, subcommand: str) -> Need:
    """Return the need for a component of the Rust toolchain."""
    return Need(name, succeeds("cargo", subcommand, "--version"), f"rustup component add {name}")


def program(name: str) -> Need:
    """Return the need for a program in the Debian package of its name."""
    return Need(name, lambda: shutil.which(name) is not None, f"apt-get install {name}")


BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")  # as in tests/browser.py
GMP = Need(
    "GMP for C++",
    succeeds("c++", "-shared", "-lgmp", "-o", str(ROOT / ".venv" / "gmp-probe.so")),
    "apt-get install g++ libgmp-dev",
)
OPENSSL = program("openssl")
VALGRIND = program("valgrind")
# A test that lacks one of these is left out, which fails if the run is strict.
NEEDS_OF_TESTS = (
    Need("chromium", lambda: any(map(shutil.which, BROWSERS)), "apt-get install chromium"),
    *map(program, ("fish", "mandoc", "zsh")),
    *(GMP, OPENSSL, VALGRIND),
)
NEEDS_OF_SLOW_TESTS = (ports.packages("aarch64-linux-gnu-g++", "g++-aarch64-linux-gnu"),)
CLIPPY = Step(
    "lint of the Rust sources",
    ("cargo", "clippy", *CARGO_FLAGS, "--all-targets", "--", "--deny", "warnings"),
    (component("clippy", "clippy"),),
)
RUST_TESTS = Step(
    "tests of the Rust sources, documentation examples included",
    ("cargo", "test", *CARGO_FLAGS, "--exclude", "monpro-py"),
)
# It builds the native module on one core, while the first chain fills the other.
SETUP = Step("setup: the native module and the hardware tools", (PYTHON, "tools/setup.py"), speaks=True)
QUICK_LINT = (
    *(
        Step(
            f"format of the Rust sources: {path}",
            ("cargo", "fmt", "--all", "--check", "--manifest-path", path),
            (component("rustfmt", "fmt"),),
        )
        for path in RUST_WORKSPACES
    ),
    Step("format of the Python sources", (RUFF, "format", "--quiet", "--check", ".")),
    Step("lint of the Python sources", (RUFF, "check", "--quiet", ".")),
    Step("types of the Python sources", (PYTHON, "-m", "mypy", "--no-error-summary")),
    Step("stub of the native module", (PYTHON, "-m", "mypy.stubtest", "--concise", "monpro._native")),
)
PURE_GO = {"CGO_ENABLED": "0"}
GO = Need(
    "Go 1.24 or later",
    succeeds("sh", "-c", "go version | grep -qE 'go1[.](2[4-9]|[3-9][0-9])'"),
    "install it from go.dev/dl",
)
QUICK_ADAPTERS = (
    Step(
        "lint of the Go sources",
        ("sh", "-c", 'cd adapters/go && go vet . && test -z "$(gofmt -l .)"'),
        (GO,),
        PURE_GO,
    ),
    Step("tests of the Go module without cgo", ("go", "-C", "adapters/go", "test", "./..."), (GO,), PURE_GO),
)
ADAPTERS = (
    *(
        Step(
            f"tests of adapters/{name}",
            ("cargo", "test", *CARGO_FLAGS, "--manifest-path", f"adapters/{name}/Cargo.toml"),
            needs,
        )
        for name, needs in (
            ("revm", ()),
            ("rustls", (OPENSSL,)),
            ("openssl", (OPENSSL,)),
        )
    ),
    Step(
        "the state of a block with either provider of revm",
        (
            *("cargo", "run", "--quiet", "--release", "--locked"),
            *("--manifest-path", "adapters/revm/Cargo.toml", "--example", "replay"),
        ),
    ),
    Step(
        "the static library",
        ("cargo", "build", "--quiet", "--release", "--locked", "--package", "monpro-capi"),
    ),
    Step("tests of the Go module", ("go", "-C", "adapters/go", "test", "./..."), (GO,)),
    Step("build of the benchmark of the Go module", ("go", "-C", "adapters/go/bench", "vet", "."), (GO,)),
)
FULL = (
    *(
        Step(
            f"lint of the Rust sources of {path}",
            ("cargo", "clippy", *CARGO_FLAGS, "--all-targets", "--manifest-path", path, "--", "-Dwarnings"),
            (component("clippy", "clippy"),),
        )
        for path in RUST_WORKSPACES[1:]
    ),
    Step(
        "values in GF(2^k) for k from 2 to 200, against NTL and OpenSSL where they are installed",
        (
            *("cargo", "run", "--quiet", "--release", "--locked", "--manifest-path", "bench/Cargo.toml"),
            *("--", "--race", "check"),
        ),
        speaks=True,
    ),
    Step(
        "a million products by every kernel",
        ("cargo", "test", *CARGO_FLAGS, "--exclude", "monpro-py", "--release", "--", "--ignored"),
    ),
    Step(
        "time and addresses without secrets, and their erasure",
        ("make", "--silent", "constant-time"),
        (VALGRIND,),
    ),
    Step(
        "no access beyond any block of the heap, by every kernel",
        (
            *("cargo", "run", "--quiet", "--release", "--locked"),
            *("--manifest-path", "page-guard/Cargo.toml"),
        ),
    ),
    Step(
        "a sample of the mutants of the Rust sources",
        (PYTHON, "tools/mutants.py", "--minutes", "20"),
        (
            Need(
                "cargo-mutants",
                succeeds("cargo", "mutants", "--version"),
                "cargo install --locked cargo-mutants",
            ),
        ),
        speaks=True,
    ),
    Step(
        "the same packages from two folders, to the byte",
        (PYTHON, "tools/release.py", "--twice"),
        (
            Need(
                "cargo-cyclonedx",
                succeeds("cargo", "cyclonedx", "--version"),
                "cargo install --locked cargo-cyclonedx",
            ),
        ),
    ),
    Step(
        "wheels for every architecture, on the oldest C library",
        (PYTHON, "tools/release.py", "--wheels"),
        tuple(map(ports.target, ("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"))),
    ),
    Step("the site of the documents, without a warning or a dead link", ("make", "--silent", "docs")),
    Step(
        "random small faults in the specs, core models and tables, each noticed by a test",
        (PYTHON, "tools/mutants_python.py", "--minutes", "4"),
        speaks=True,
    ),
    Step(
        "odd inputs to what reads, groups and exponentiates, against GMP",
        ("make", "--silent", "fuzz", "MINUTES=3"),
        (GMP,),
    ),
    Step(
        "key documents that are almost right, within a bound of time",
        ("make", "--silent", "many-documents", "COUNT=200000"),
        (GMP,),
    ),
)
CARGO_DENY = Need("cargo-deny", succeeds("cargo", "deny", "--version"), "cargo install --locked cargo-deny")
LICENCES = tuple(
    Step(
        f"licences, bans and sources of {path}",
        (
            *("cargo", "deny", "--manifest-path", path, "--config", "deny.toml"),
            *("check", "--hide-inclusion-graph", "licenses", "bans", "sources"),
        ),
        (CARGO_DENY,),
    )
    for path in RUST_WORKSPACES
)
DATABASE = Need(
    "the database of advisories", succeeds("cargo", "deny", "fetch", "db"), "connect to the network"
)
ADVISORIES = tuple(  # of `make audit` alone: not every machine reaches the database
    Step(
        f"advisories on the locked crates of {path}",
        (
            # The crates and the database were fetched.
            *("cargo", "deny", "--offline", "--manifest-path", path, "--config", "deny.toml"),
            *("check", "advisories"),
        ),
        (CARGO_DENY, DATABASE),
    )
    for path in RUST_WORKSPACES
)
PACKAGES = Step(
    "packages of the crates that are published",
    (
        *("cargo", "package", "--quiet", "--locked", "--offline", "--allow-dirty", "--no-verify"),
        *("--package", "monpro", "--package", "monpro-rsa", "--target-dir", ports.FOLDER),
    ),
)


def main() -> int:
    """Run the selected checks; return 0 if all passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lint", action="store_true", help="format, lint and types only")
    parser.add_argument("--ports", action="store_true", help="other compilers and emulated machines only")
    parser.add_argument(
        "--audit", action="store_true", help="licences, sources and advisories of crates only"
    )
    parser.add_argument("--full", action="store_true", help="with the checks that take minutes")
    chosen = parser.parse_args()
    strict = is_strict()
    if strict:
        # What an incremental build keeps is for the next one, and there is none.
        os.environ.setdefault("CARGO_INCREMENTAL", "0")
    if chosen.ports or chosen.audit:
        steps = [*ports.QUICK, *ports.HEAVY] if chosen.ports else [*LICENCES, *ADVISORIES]
        return 0 if all_pass([steps], strict=strict, workers=1) else 1
    if strict and not chosen.lint:
        bring_all([*NEEDS_OF_TESTS, *(NEEDS_OF_SLOW_TESTS if chosen.full else ())])
    # clippy and the tests are one chain, because cargo's lock makes them wait for each other.
    chains = (
        [[CLIPPY], [SETUP, *QUICK_LINT]]
        if chosen.lint
        else [[CLIPPY, RUST_TESTS, PACKAGES], [SETUP, *QUICK_LINT, *QUICK_ADAPTERS, *ports.QUICK]]
    )
    if not all_pass(chains, strict=strict, workers=CORES):
        return 1
    if chosen.lint:
        return 0
    if chosen.full and not all_pass([[*LICENCES, *FULL, *ADAPTERS, *ports.HEAVY]], strict=strict, workers=1):
        return 1
    return run_pytest(full=chosen.full, strict=strict)


def bring_all(needs: Iterable[Need]) -> None:
    """Install what tests would be left out for, or say loudly what cannot be installed."""
    for need in needs:
        if not bring(need):
            say(f"NOT INSTALLED: {need.name} ({need.remedy}): its tests will fail", loudly=True)


def run_pytest(*, full: bool, strict: bool) -> int:
    """Run the Python tests on all cores. They run last, with their own output, so their summary is last."""
    say("tests of the Python sources")
    workers = ["-n", str(min(CORES, MOST_WORKERS)), "--dist", "worksteal"]
    everything = ["-m", "", "--hypothesis-profile=full"] if full else []
    return subprocess.run(
        [PYTHON, "-m", "pytest", "-q", *workers, *everything],
        cwd=ROOT,
        env=os.environ | {"STRICT": str(int(strict))},
        check=False,
    ).returncode


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
