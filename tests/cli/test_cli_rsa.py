"""`monpro rsa`: files of keys, messages and signatures, and refused input."""

import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Cli
from monpro.rsa import PrivateKey

MESSAGE = b"the message\n"


def openssl(*arguments: str) -> bytes:
    """Return the output of the command, which must succeed."""
    return subprocess.run(["openssl", *arguments], capture_output=True, check=True).stdout


def owner_alone(path: str) -> bool:
    """Return whether only the owner can read or write the file."""
    return stat.S_IMODE(Path(path).stat().st_mode) == 0o600


def test_keys_on_the_command_line(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    key, public, message = "key", "public", "message"
    signature, ciphertext, back = "signature", "ciphertext", "back"
    Path(message).write_bytes(MESSAGE)
    assert cli("rsa", "genkey", "--bits", "1024", "--out", key, "--public", public)[0] == 0
    assert owner_alone(key)
    assert cli("rsa", "sign", "--key", key, "--in", message, "--out", signature)[0] == 0
    check = ["rsa", "verify", "--key", public, "--in", message, "--signature", signature]
    assert cli(*check)[0] == 0
    assert b"OK" in openssl("dgst", "-sha256", "-verify", public, "-signature", signature, message)
    assert cli("rsa", "encrypt", "--key", public, "--in", message, "--out", ciphertext)[0] == 0
    assert cli("rsa", "decrypt", "--key", key, "--in", ciphertext, "--out", back)[0] == 0
    assert Path(back).read_bytes() == MESSAGE
    assert owner_alone(back)
    Path(message).write_bytes(MESSAGE + b"!")
    status, _, errors = cli(*check)
    assert (status, "is not a signature of" in errors) == (1, True)
    Path(ciphertext).write_bytes(Path(ciphertext).read_bytes()[:-1])
    Path(back).unlink()
    status, _, errors = cli("rsa", "decrypt", "--key", key, "--in", ciphertext, "--out", back)
    assert (status, "does not decrypt" in errors) == (1, True)
    assert not Path(back).exists()


Damage = Callable[[str], str]


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda pem: pem[:300], "not a key"),
        (lambda _: "nothing", "not a key"),
        (lambda _: openssl("genpkey", "-algorithm", "ED25519").decode(), "a key of another algorithm"),
    ],
)
def test_bad_keys_on_the_command_line(cli: Cli, tmp_path: Path, damage: Damage, says: str) -> None:
    key, message, out = (str(tmp_path / name) for name in ("key", "message", "out"))
    Path(key).write_text(damage(PrivateKey.generate(512).to_pem()))
    Path(message).write_bytes(MESSAGE)
    assert says in cli.complaint("rsa", "sign", "--key", key, "--in", message, "--out", out)
    assert not Path(out).exists()


def test_bad_files_and_lengths_on_the_command_line(cli: Cli, tmp_path: Path) -> None:
    key, out = tmp_path / "key", tmp_path / "out"
    key.write_text(PrivateKey.generate(1024).to_pem())
    long = tmp_path / "long"
    long.write_bytes(bytes(256))
    for arguments, says in [
        (["sign", "--key", tmp_path / "none", "--in", long, "--out", out], "cannot read"),
        (["sign", "--key", key, "--in", tmp_path / "none", "--out", out], "cannot read"),
        (["sign", "--key", key, "--in", long, "--out", tmp_path / "long" / "out"], "cannot write"),
        (["encrypt", "--key", key, "--in", long, "--out", out], "too long for the modulus"),
        (["genkey", "--bits", "100", "--out", out], "512 to 16384 bits"),
    ]:
        assert says in cli.complaint("rsa", *map(str, arguments))
        assert not out.exists()
