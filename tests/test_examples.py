"""The examples run and compute what they print."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import check
from monpro.flow import tools
from monpro.rsa import PrivateKey

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"


def run(*command: str, status: int = 0, environment: dict[str, str] | None = None) -> str:
    """Return the output of a program or, if it fails, its one-line message."""
    ended = subprocess.run(
        command, cwd=ROOT, env=os.environ | (environment or {}), check=False, capture_output=True, text=True
    )
    assert ended.returncode == status, ended.stderr
    if status:
        assert ended.stderr.count("\n") == 1
    return ended.stderr if status else ended.stdout


def python(path: str, *arguments: str, status: int = 0) -> str:
    return run(sys.executable, str(EXAMPLES / path), *arguments, status=status)


def rust(name: str, *arguments: str, status: int = 0) -> str:
    # The packages of `make test`, so that features are as there and nothing is compiled anew.
    run("cargo", "build", *check.CARGO_FLAGS, "--exclude", "monpro-py", "--example", name)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return run(str(target / "debug" / "examples" / name), *arguments, status=status)


def test_the_batch_finds_the_primes_that_python_finds() -> None:
    limit = 1000
    primes = [offset for offset in range(1, limit, 2) if pow(3, 2**256 + offset - 1, 2**256 + offset) == 1]
    assert primes[0] == 297
    printed = rust("primes_in_a_batch", str(limit))
    assert printed.splitlines() == [f"2^256 + {offset} is probably prime" for offset in primes]
    assert "must be a number" in rust("primes_in_a_batch", "x", status=2)


def test_the_rate_of_columns_is_printed() -> None:
    line = r"\d+ bits: columns have [\d.]+ % of the batch's rate .*\n"
    assert re.fullmatch(f"({line}){{2}}", rust("columns_rate", "1"))
    assert "must be a number from 1 on" in rust("columns_rate", "0", status=2)


def test_both_sides_of_the_key_exchange_agree() -> None:
    assert "a secret of 256 bytes, equal on both sides: true" in rust("key_exchange", "ffdhe2048")
    assert "there is no group none; there are: " in rust("key_exchange", "none", status=2)


@pytest.mark.parametrize(("votes", "count"), [("1011", 3), ("0", 0), ("1" * 9, 9)])
def test_the_votes_are_counted(votes: str, count: int) -> None:
    assert python("python/paillier.py", *votes) == f"{count} of {len(votes)} votes are 1\n"


def test_what_is_no_vote_is_refused() -> None:
    assert "0 or 1" in python("python/paillier.py", "2", status=2)


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder below which the C library is installed."""
    if not shutil.which("pkg-config"):
        raise tools.ToolError("pkg-config is not installed: apt-get install pkg-config")
    prefix = tmp_path_factory.mktemp("prefix")
    run("make", "--silent", "install-c", "CARGO_PROFILE=dev", f"PREFIX={prefix}")
    return prefix


def compiled(path: str, prefix: Path, *command: str) -> str:
    """Compile an example against the installed library; return the program."""
    found = {"PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
    flags = run("pkg-config", "--cflags", "--libs", "monpro", environment=found).split()
    strict = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror")
    program = str(prefix / Path(path).stem)
    run(*command, *strict, "-o", program, str(EXAMPLES / path), *flags, f"-Wl,-rpath,{prefix}/lib")
    return program


def test_the_powers_in_c_use_the_installed_library(installed: Path) -> None:
    program = compiled("c/powers.c", installed, "cc", "-std=c99")
    modulus, bases = 2**127 - 1, (3, 5**40, 2**126)
    printed = run(program, f"{65537:x}", f"{modulus:x}", *(f"{base:x}" for base in bases))
    assert [int(line, 16) for line in printed.split()] == [pow(base, 65537, modulus) for base in bases]
    assert "is not a number" in run(program, "1", "7", "x", status=2)
    assert "usage" in run(program, "1", status=2)


def test_the_signature_in_c_is_one_of_python_and_the_other_way_round(installed: Path, tmp_path: Path) -> None:
    program = compiled("c/signature.c", installed, "cc", "-std=c99")
    key = PrivateKey.generate(1024)
    files = [tmp_path / name for name in ("private.pem", "public.pem", "message", "signature")]
    private, public, message, signature = map(str, files)
    Path(private).write_text(key.to_pem())
    Path(public).write_text(key.public_key.to_pem())
    Path(message).write_bytes(bytes(100_000))
    run(program, "sign", private, message, signature)
    assert key.public_key.verify(bytes(100_000), Path(signature).read_bytes(), padding="pss")
    Path(signature).write_bytes(key.sign(bytes(100_000), padding="pss"))
    assert run(program, "verify", public, message, signature) == "the signature is good\n"
    Path(message).write_bytes(bytes(99_999))
    ended = subprocess.run((program, "verify", public, message, signature), check=False, capture_output=True)
    assert (ended.returncode, b"not one of this message" in ended.stdout) == (1, True)
    assert "not the RSA key that is needed" in run(program, "sign", message, message, signature, status=2)
    assert "cannot be read" in run(program, "sign", private, str(tmp_path / "none"), signature, status=2)
    assert "usage" in run(program, "sign", status=2)


def test_the_box_in_cpp_is_opened_and_one_that_was_changed_is_not(installed: Path) -> None:
    if not shutil.which("g++"):
        raise tools.ToolError("g++ is not installed: apt-get install g++")
    program = compiled("cpp/sealed_box.cpp", installed, "g++", "-std=c++17")
    assert run(program, "1024", "a line") == "opened: a line\nchanged: the signature is not good\n"
    assert "keys are made with 512 to 16384 bits" in run(program, "1", "a line", status=2)
    assert "the message is too long" in run(program, "1024", "x" * 100, status=2)


CROSS = "aarch64-linux-gnu"
TARGET = "aarch64-unknown-linux-gnu"


@pytest.mark.slow
def test_the_examples_in_c_and_cpp_run_on_aarch64(tmp_path: Path) -> None:
    """They are cross-compiled against the static library and run under QEMU."""
    qemu = "qemu-aarch64-static"
    for program, package in (
        (f"{CROSS}-gcc", f"gcc-{CROSS}"),
        (f"{CROSS}-g++", f"g++-{CROSS}"),
        (qemu, "qemu-user-static"),
    ):
        if not shutil.which(program):
            raise tools.ToolError(f"{program} is not installed: apt-get install {package}")
    folder = ROOT / "target" / "ports"
    build = ("cargo", "build", "--quiet", "--locked", "--package", "monpro-capi", "--target", TARGET)
    linker = {f"CARGO_TARGET_{TARGET.upper().replace('-', '_')}_LINKER": f"{CROSS}-gcc"}
    run(*build, "--target-dir", str(folder), environment=linker)
    library = str(folder / TARGET / "debug" / "libmonpro.a")
    include = f"-I{ROOT / 'crates' / 'monpro-capi' / 'include'}"

    def emulated(path: str, *command: str) -> list[str]:
        program = str(tmp_path / Path(path).stem)
        words = ("-Wall", "-Wextra", "-Werror", include, "-o", program, str(EXAMPLES / path), library)
        run(*command, *words, "-static", "-lpthread", "-ldl", "-lm")
        return [qemu, program]

    powers = emulated("c/powers.c", f"{CROSS}-gcc", "-std=c99")
    modulus = 2**1279 - 1
    assert int(run(*powers, f"{65537:x}", f"{modulus:x}", "5"), 16) == pow(5, 65537, modulus)
    signature = emulated("c/signature.c", f"{CROSS}-gcc", "-std=c99")
    key = PrivateKey.generate(1024)
    private, message, signed = (str(tmp_path / name) for name in ("private.pem", "message", "signed"))
    Path(private).write_text(key.to_pem())
    Path(message).write_bytes(b"a message")
    run(*signature, "sign", private, message, signed)
    assert key.public_key.verify(b"a message", Path(signed).read_bytes(), padding="pss")
    box = emulated("cpp/sealed_box.cpp", f"{CROSS}-g++", "-std=c++17")
    assert run(*box, "1024", "a line") == "opened: a line\nchanged: the signature is not good\n"


def test_the_rtl_example_computes_a_power() -> None:
    tools.find("iverilog")
    x, n = 12345, 0xC96F5A1B2D3E4F07
    printed = python("rtl/run.py", str(x))
    assert printed.startswith(f"{x}^65537 mod {n} = {pow(x, 65537, n)} in ")
    assert printed.endswith(" clock cycles, as Python\n")
    assert "one number" in python("rtl/run.py", "x", status=2)


def test_every_example_is_in_the_list_and_is_tested() -> None:
    listed = (EXAMPLES / "README.md").read_text()
    tested = Path(__file__).read_text()
    for path in (*EXAMPLES.glob("*/*.py"), *EXAMPLES.glob("c*/*.c*"), *ROOT.glob("crates/*/examples/*.rs")):
        assert f"/{path.name})" in listed
        assert path.name in tested or f'"{path.stem}"' in tested
