"""The checks on other compilers and machines: the oldest Rust, targets without `std`, other CPUs, Miri."""

import tomllib
from pathlib import Path

from setup import ROOT
from steps import Need, Step, execute, succeeds

BARE = "thumbv7em-none-eabi"
LOADERS = {"i686-linux-gnu": "ld-linux.so.2"}  # of systems whose programs another CPU may run: x86-64 does
FOLDER = "target/ports"  # not cargo's default folder, so that neither waits for the other
AVX512_IN_SOFTWARE = "--cfg avx512_in_software -C target-cpu=x86-64-v3"
PORTABLE = "monpro"  # the crate that promises to run everywhere


def promised_rust(*folders: str) -> str:
    """Return the oldest Rust that the Cargo.toml of a crate or of the workspace promises."""
    manifest = tomllib.loads(ROOT.joinpath(*folders, "Cargo.toml").read_text())
    return str(manifest.get("workspace", manifest)["package"]["rust-version"])


def rust(version: str) -> Need:
    """Return the need for a toolchain."""
    return Need(
        f"Rust {version}",
        succeeds("rustc", f"+{version}", "--version"),
        f"rustup toolchain install {version} --profile minimal --no-self-update",
    )


def target(triple: str) -> Need:
    """Return the need for the standard or core library of a target."""

    def is_installed() -> bool:
        folder = execute(("rustc", "--print", "target-libdir", "--target", triple))
        return folder.returncode == 0 and Path(folder.stdout.strip()).is_dir()

    return Need(f"Rust's library for {triple}", is_installed, f"rustup target add {triple}")


def packages(program: str, *names: str) -> Need:
    """Return the need for Debian packages, which are present if a program is."""
    return Need(program, succeeds(program, "--version"), f"apt-get install {' '.join(names)}")


def compiled_by(version: str, title: str, *what: str) -> Step:
    """Return the check that an old compiler accepts these crates."""
    folder = f"{FOLDER}/{version}"
    command = ("cargo", f"+{version}", "check", "--quiet", "--locked", "--target-dir", folder, *what)
    return Step(f"{title} compiles with Rust {version}", command, (rust(version),))


def on_cpu(cpu: str, qemu: str, debian: str, *tests: str) -> Step:
    """Return tests of the crate monpro on a CPU, as Rust, QEMU and Debian call it; QEMU emulates most."""
    triple, system = f"{cpu}-unknown-linux-gnu", f"{cpu}-linux-gnu"
    variable = f"CARGO_TARGET_{triple.upper().replace('-', '_')}"
    chosen = [word for name in tests for word in ("--test", name)] or ["--lib", "--tests"]
    return Step(
        f"{', '.join(tests) or 'all tests'} of the crate {PORTABLE} on {cpu}",
        (
            *("cargo", "test", "--quiet", "--locked", "--package", PORTABLE, *chosen),
            *("--target", triple, "--target-dir", FOLDER),
        ),
        (
            target(triple),
            packages(f"{system}-gcc", f"gcc-{system}", f"libc6-dev-{debian}-cross"),
            packages(f"qemu-{qemu}-static", "qemu-user-static"),
        ),
        {
            f"{variable}_LINKER": f"{system}-gcc",
            f"{variable}_RUNNER": runner(system, qemu),
        },
    )


def runner(system: str, qemu: str) -> str:
    """Return the command before a program of a system: its own loader where this CPU runs it, else QEMU.

    The folder of libraries is named, or those of the machine itself (/lib32) would be taken.
    """
    libraries = f"/usr/{system}/lib"
    loader = f"{libraries}/{LOADERS[system]}" if system in LOADERS else ""
    if loader and succeeds(loader, "--version")():
        return f"{loader} --library-path {libraries}"
    return f"qemu-{qemu}-static -L /usr/{system} -E LD_LIBRARY_PATH={libraries}"


def cpu_has(*instructions: str) -> bool:
    """Return whether this CPU is an x86-64 with these instructions, as Linux calls them."""
    about = Path("/proc/cpuinfo")
    return about.is_file() and set(instructions) <= set(about.read_text(encoding="utf-8").split())


WITH_AVX2 = Need("a CPU with AVX2", lambda: cpu_has("avx2", "bmi2", "fma"), "take another machine")

# Miri is thousands of times slower than the CPU; these tests take a minute or two.
QUICK_UNDER_MIRI = ("fixed::", "kernel::blocks", "a_shift_is")
NIGHTLY_WITH_MIRI = Need(
    "Miri",
    succeeds("cargo", "+nightly", "miri", "--version"),
    "rustup toolchain install nightly --profile minimal --component miri,rust-src --no-self-update",
)

AARCH64 = ("aarch64", "aarch64", "arm64")
I686 = ("i686", "i386", "i386")
S390X = ("s390x", "s390x", "s390x")  # big-endian

QUICK = (
    compiled_by(promised_rust("crates", PORTABLE), f"the crate {PORTABLE}", "--package", PORTABLE),
    compiled_by(promised_rust(), "the workspace", "--workspace"),
    Step(
        f"the libraries compile without the standard library, for {BARE}",
        (
            *("cargo", "check", "--quiet", "--locked", "--package", PORTABLE, "--package", "monpro-rsa"),
            *("--target", BARE, "--target-dir", FOLDER),
        ),
        (target(BARE),),
    ),
    Step(
        "documentation of the Rust sources",
        (
            *("cargo", "doc", "--quiet", "--locked", "--workspace", "--no-deps"),
            *("--target-dir", f"{FOLDER}/doc"),
        ),
        environment={"RUSTDOCFLAGS": "--deny warnings"},
    ),
    # Powers by every kernel: the conversions, products, squares and tables of each.
    *(on_cpu(*machine, "powers") for machine in (AARCH64, S390X)),
)
HEAVY = (
    # The engines for AVX-512 and GFNI: the functions in the place of their instructions need AVX2.
    Step(
        f"all tests of the crate {PORTABLE} with AVX-512 in software",
        (
            *("cargo", "test", "--quiet", "--locked", "--package", PORTABLE, "--lib", "--tests"),
            *("--target-dir", f"{FOLDER}/avx512"),
        ),
        (WITH_AVX2,),
        {"RUSTFLAGS": f"--deny warnings {AVX512_IN_SOFTWARE}"},
    ),
    on_cpu(*AARCH64),
    on_cpu(*I686),
    # Slow to emulate: it runs every kernel, the fields, and the conversions to bytes only.
    on_cpu(*S390X, "conformance", "binary_field", "modexp"),
    Step(
        f"undefined behaviour in quick unit tests of {PORTABLE}, by Miri",
        (
            *("cargo", "+nightly", "miri", "test", "--quiet", "--locked", "--package", PORTABLE, "--lib"),
            *("--target-dir", f"{FOLDER}/miri", "--", *QUICK_UNDER_MIRI),
        ),
        (NIGHTLY_WITH_MIRI,),
    ),
)
