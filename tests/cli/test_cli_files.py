"""The files that the command reads and writes: nothing that is there is lost, and `-` is a stream."""

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Cli
from monpro.rsa import PrivateKey

KEY = PrivateKey.generate(512)
GENKEY = ("rsa", "genkey", "--bits", "512")
WARNING = (
    b"monpro: warning: the key has 512 bits, which protect nothing that matters today: use 2048 or more\n"
)


def monpro(
    *arguments: str | Path, stdin: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "monpro", *arguments],
        input=stdin,
        env=os.environ | variables,
        capture_output=True,
        check=False,
    )


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A file with a private key."""
    path = tmp_path / "key.pem"
    path.write_text(KEY.to_pem())
    return path


@pytest.fixture
def message(tmp_path: Path) -> Path:
    """A file with a message."""
    path = tmp_path / "message"
    path.write_bytes(b"message")
    return path


def test_a_link_stays_and_its_target_is_written(cli: Cli, tmp_path: Path) -> None:
    target, link = tmp_path / "target.pem", tmp_path / "link.pem"
    link.symlink_to(target)
    assert cli(*GENKEY, "--out", str(link))[0] == 0
    assert link.is_symlink()
    assert PrivateKey.from_pem(target.read_text()).public_key.bits == 512
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_links_in_a_circle_stay(cli: Cli, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.symlink_to(two)
    two.symlink_to(one)
    assert f"--out: cannot write {one}: Too many levels" in cli.complaint(*GENKEY, "--out", str(one))
    assert one.is_symlink()
    assert two.is_symlink()


def test_a_pipe_is_written_through(cli: Cli, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()), daemon=True)
    reader.start()
    assert cli(*GENKEY, "--out", str(pipe))[0] == 0
    reader.join(timeout=60)
    assert PrivateKey.from_pem(received[0]).public_key.bits == 512
    assert pipe.is_fifo()


def test_a_device_stays_a_device(cli: Cli, tmp_path: Path) -> None:
    controller, terminal = os.openpty()
    link = tmp_path / "terminal"
    link.symlink_to(os.ttyname(terminal))
    assert cli(*GENKEY, "--out", str(link))[0] == 0
    assert os.read(controller, 27) == b"-----BEGIN PRIVATE KEY-----"
    assert Path(os.ttyname(terminal)).is_char_device()
    os.close(controller)
    os.close(terminal)


@pytest.mark.parametrize("name", ["-", "stdout", "/proc/self/fd/1"])
def test_standard_output_is_an_output(name: str, tmp_path: Path) -> None:
    """The name `stdout` is a link like /dev/stdout, which no test should risk."""
    link = tmp_path / "stdout"
    link.symlink_to("/proc/self/fd/1")
    ended = monpro(*GENKEY, "--out", link if name == "stdout" else name)
    assert (ended.returncode, ended.stderr) == (0, WARNING)
    assert PrivateKey.from_pem(ended.stdout.decode()).public_key.bits == 512
    assert link.readlink() == Path("/proc/self/fd/1")


def test_standard_output_may_be_a_file(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with out.open("wb") as stdout:
        command = [sys.executable, "-m", "monpro", *GENKEY, "--out", "/proc/self/fd/1"]
        subprocess.run(command, stdout=stdout, check=True)
    assert PrivateKey.from_pem(out.read_text()).public_key.bits == 512


def test_standard_input_is_an_input(key: Path, message: Path) -> None:
    signed = monpro("rsa", "sign", "--key", key, "--in", "-", "--out", "-", stdin=b"message")
    assert (signed.returncode, signed.stderr) == (0, WARNING)
    check = ("rsa", "verify", "--in", message, "--key", key, "--signature", "-")
    assert monpro(*check, stdin=signed.stdout).returncode == 0
    assert monpro(*check, stdin=signed.stdout[::-1]).returncode == 1
    again = monpro("rsa", "sign", "--key", "-", "--in", message, "--out", "-", stdin=key.read_bytes())
    assert again.stdout == signed.stdout
    assert monpro("pow", "--base", "3", "--exp", "5", "--mod", "@-", stdin=b"11\n").stdout == b"1\n"


def test_a_key_in_der_is_read(cli: Cli, tmp_path: Path, message: Path) -> None:
    (tmp_path / "key.der").write_bytes(KEY.to_der())
    out = tmp_path / "signature"
    sign = ("rsa", "sign", "--key", str(tmp_path / "key.der"), "--in", str(message), "--out", str(out))
    assert cli(*sign)[0] == 0
    assert KEY.public_key.verify(b"message", out.read_bytes())


def test_a_key_that_is_there_is_replaced_by_force_alone(cli: Cli, tmp_path: Path, key: Path) -> None:
    before = key.read_bytes()
    assert f"--out: {key} is there already" in cli.complaint(*GENKEY, "--out", str(key))
    new = str(tmp_path / "new.pem")
    assert "--public: " in cli.complaint(*GENKEY, "--out", new, "--public", str(key))
    assert key.read_bytes() == before
    assert not Path(new).exists()
    assert cli(*GENKEY, "--out", str(key), "--force")[0] == 0
    assert key.read_bytes() != before


def test_the_name_of_a_folder_is_no_file(cli: Cli, tmp_path: Path, key: Path, message: Path) -> None:
    folder = f"{tmp_path}/new/"
    assert f"{folder} is the name of a folder" in cli.complaint(*GENKEY, "--out", folder)
    new = str(tmp_path / "new.pem")
    assert f"{folder} is the name of a folder" in cli.complaint(*GENKEY, "--out", new, "--public", folder)
    sign = ("rsa", "sign", "--key", str(key), "--in", str(message), "--out", folder)
    assert f"{folder} is the name of a folder" in cli.complaint(*sign)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted({key.name, message.name})


def openssl(*words: str) -> bytes:
    return subprocess.run(
        ["openssl", *words], input=KEY.to_pem().encode(), capture_output=True, check=True
    ).stdout


PRIVATE_KEYS: dict[str, Callable[[], bytes]] = {
    "RSA in PEM": lambda: KEY.to_pem().encode(),
    "RSA in DER": KEY.to_der,
    "PKCS#1 in DER": lambda: KEY.to_der(format="pkcs1"),
    "encrypted as PKCS#12 does": lambda: openssl(
        *("pkcs8", "-topk8", "-v1", "PBE-SHA1-3DES", "-outform", "DER", "-passout", "pass:words")
    ),
    "encrypted at too great a cost": lambda: openssl(
        *("pkcs8", "-topk8", "-scrypt", "-scrypt_N", "65536", "-scrypt_r", "2", "-outform", "DER"),
        *("-passout", "pass:words"),
    ).replace(b"\x02\x03\x01\0\0", b"\x02\x03\x40\0\0"),
    "of an elliptic curve": lambda: openssl(
        *("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-outform", "DER")
    ),
    "Ed25519": lambda: openssl("genpkey", "-algorithm", "ED25519", "-outform", "DER"),
    "of PuTTY": lambda: b"PuTTY-User-Key-File-3: ssh-rsa\n",
    "of OpenPGP": lambda: b"-----BEGIN PGP PRIVATE KEY BLOCK-----\n",
}


@pytest.mark.parametrize("kind", PRIVATE_KEYS)
def test_no_verb_writes_over_a_private_key(
    cli: Cli, tmp_path: Path, key: Path, message: Path, kind: str
) -> None:
    other = tmp_path / "other"
    other.write_bytes(PRIVATE_KEYS[kind]())
    before = other.read_bytes()
    for verb in ("sign", "encrypt"):
        words = ("rsa", verb, "--key", str(key), "--in", str(message), "--out", str(other))
        options = ("--padding", "pkcs1v15") if verb == "encrypt" else ()
        assert "holds a private key" in cli.complaint(*words, *options)
    assert other.read_bytes() == before


def test_a_file_that_cannot_be_read_may_hold_a_private_key(
    cli: Cli, tmp_path: Path, key: Path, message: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: Path) -> bytes:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    out = tmp_path / "secret"
    out.write_bytes(b"old")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    words = ("rsa", "sign", "--key", str(key), "--in", str(message), "--out", str(out))
    assert "cannot write" in cli.complaint(*words)
    monkeypatch.undo()
    assert out.read_bytes() == b"old"


@pytest.mark.parametrize(
    "old",
    [b"old", KEY.public_key.to_der(), KEY.public_key.to_der(format="pkcs1")],
    ids=["text", "public key", "public key of PKCS#1"],
)
def test_a_verb_replaces_other_files(cli: Cli, tmp_path: Path, key: Path, message: Path, old: bytes) -> None:
    out = tmp_path / "signature"
    out.write_bytes(old)
    assert cli("rsa", "sign", "--key", str(key), "--in", str(message), "--out", str(out))[0] == 0
    assert KEY.public_key.verify(b"message", out.read_bytes())


def test_one_file_is_not_written_twice_or_over_what_is_read(
    cli: Cli, tmp_path: Path, key: Path, message: Path
) -> None:
    new = tmp_path / "new.pem"
    assert "--out and --public name one file" in cli.complaint(
        *GENKEY, "--out", str(new), "--public", str(new)
    )
    assert "--out and --public name one file" in cli.complaint(*GENKEY, "--out", "-", "--public", "-")
    assert not new.exists()
    link = tmp_path / "link"
    link.symlink_to(message)
    sign = ("rsa", "sign", "--key", str(key), "--in", str(message), "--out")
    assert "--out and --in name one file" in cli.complaint(*sign, str(link))
    assert "--out and --key name one file" in cli.complaint(*sign, str(key))
    assert message.read_bytes() == b"message"
    two = ("rsa", "sign", "--key", "-", "--in", "-", "--out", str(new))
    assert "--key and --in name one file" in cli.complaint(*two)


def test_output_that_cannot_be_written_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        for verb in (("kernels",), ("--help",), ("cores", "--json")):
            ended = subprocess.run(
                [sys.executable, "-m", "monpro", *verb], stdout=full, stderr=subprocess.PIPE, check=False
            )
            assert ended.stderr == b"monpro: cannot write the output: No space left on device\n"
            assert ended.returncode == 1


def test_an_encoding_without_some_signs_is_no_failure() -> None:
    ended = monpro("--help", PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"Montgomery arithmetic" in ended.stdout
