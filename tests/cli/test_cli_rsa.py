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


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (["--hash", "sha512", "--salt-length", "20"], ["-sha512", "rsa_pss_saltlen:20"]),
        (["--mgf1", "sha1"], ["-sha256", "rsa_mgf1_md:sha1", "rsa_pss_saltlen:digest"]),
        (["--hash", "sha3_256", "--salt-length", "hash"], ["-sha3-256", "rsa_pss_saltlen:digest"]),
    ],
)
def test_options_of_pss_on_the_command_line(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ours: list[str], theirs: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("message").write_bytes(MESSAGE)
    cli("rsa", "genkey", "--bits", "1024", "--out", "key", "--public", "public")
    signed = ["--padding", "pss", "--in", "message"]
    assert cli("rsa", "sign", *signed, "--key", "key", *ours, "--out", "signature")[0] == 0
    digest, *options = theirs
    words = [word for option in ["rsa_padding_mode:pss", *options] for word in ("-sigopt", option)]
    check = ["-verify", "public", "-signature", "signature", "message"]
    assert b"OK" in openssl("dgst", digest, *words, *check)
    check = ["rsa", "verify", *signed, "--key", "public", "--signature", "signature"]
    assert cli(*check, *ours)[0] == 0
    assert cli(*check)[0] == 1
    assert cli(*check, *ours, "--salt-length", "any")[0] == 0


def test_labels_on_the_command_line(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("message").write_bytes(MESSAGE)
    cli("rsa", "genkey", "--bits", "1024", "--out", "key", "--public", "public")
    options = ["--label", "für Zürich", "--mgf1", "sha1"]
    encrypt = ["rsa", "encrypt", "--key", "public", "--in", "message", "--out", "ciphertext"]
    assert cli(*encrypt, *options)[0] == 0
    mode = ["rsa_padding_mode:oaep", "rsa_oaep_md:sha256", "rsa_mgf1_md:sha1"]
    mode.append(f"rsa_oaep_label:{'für Zürich'.encode().hex()}")
    words = [word for option in mode for word in ("-pkeyopt", option)]
    assert openssl("pkeyutl", "-decrypt", "-inkey", "key", "-in", "ciphertext", *words) == MESSAGE
    decrypt = ["rsa", "decrypt", "--key", "key", "--in", "ciphertext", "--out", "back"]
    assert cli(*decrypt, *options)[0] == 0
    assert Path("back").read_bytes() == MESSAGE
    status, _, errors = cli(*decrypt)
    assert (status, "does not decrypt" in errors) == (1, True)


@pytest.mark.parametrize(
    ("verb", "options", "says"),
    [
        ("sign", ["--salt-length", "20"], "--salt-length, --mgf1: these belong to --padding pss"),
        ("sign", ["--mgf1", "sha1"], "--salt-length, --mgf1: these belong to --padding pss"),
        ("sign", ["--padding", "pss", "--salt-length", "x"], "--salt-length: give hash, any, or a number"),
        (
            "sign",
            ["--padding", "pss", "--salt-length", "9" * 5000],
            "--salt-length: give hash, any, or a number",
        ),
        ("sign", ["--padding", "pss", "--salt-length", "999999999"], "use a longer key"),
        ("sign", ["--hash", "sha1"], "--hash: signatures are not made with SHA-1"),
        ("sign", ["--hash", "md5"], "--hash"),
        (
            "encrypt",
            ["--padding", "pkcs1v15", "--label", "x"],
            "--mgf1, --label: these belong to --padding oaep",
        ),
        ("decrypt", ["--padding", "pkcs1v15", "--mgf1", "sha1"], "these belong to --padding oaep"),
    ],
)
def test_bad_options_on_the_command_line(
    cli: Cli, tmp_path: Path, verb: str, options: list[str], says: str
) -> None:
    key, message, out = (str(tmp_path / name) for name in ("key", "message", "out"))
    Path(key).write_text(PrivateKey.generate(1024).to_pem())
    Path(message).write_bytes(MESSAGE)
    assert says in cli.complaint("rsa", verb, *options, "--key", key, "--in", message, "--out", out)
    assert not Path(out).exists()


Damage = Callable[[str], str]


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda pem: pem[:300], "without the line -----END"),
        (lambda _: "nothing", "not a key"),
        (lambda _: openssl("genpkey", "-algorithm", "ED25519").decode(), "a key of Curve25519"),
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
