"""`monpro rsa` with keys of other tools: passphrases, forms, JSON, large files, short keys."""

import hashlib
import json
import os
import pty
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import Cli
from monpro.rsa import PrivateKey, PublicKey

KEY = PrivateKey.generate(2048)
SECRET = "correct horse"  # noqa: S105  (of keys that live as long as a test)
MESSAGE = b"the message\n"
JSON = "--json"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a key, an encrypted key, a public key, a message and a passphrase."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SECRET", SECRET)
    (tmp_path / "key").write_text(KEY.to_pem())
    (tmp_path / "public").write_text(KEY.public_key.to_pem())
    (tmp_path / "message").write_bytes(MESSAGE)
    (tmp_path / "secret").write_bytes(SECRET.encode() + b"\r\nanother line\n")
    return tmp_path


@pytest.fixture
def encrypted(folder: Path) -> Path:
    """An encrypted key, as OpenSSL writes it quickly."""
    path = folder / "encrypted"
    command = ["openssl", "pkcs8", "-topk8", "-in", "key", "-out", str(path), "-passout", f"pass:{SECRET}"]
    subprocess.run(command, check=True)
    return path


@pytest.mark.usefixtures("encrypted")
@pytest.mark.parametrize("source", ["env:SECRET", "file:secret"])
def test_passphrases_from_elsewhere(cli: Cli, source: str) -> None:
    sign = [
        "rsa",
        "sign",
        "--key",
        "encrypted",
        "--in",
        "message",
        "--out",
        "signature",
        "--passphrase",
        source,
    ]
    assert cli(*sign) == (0, "", "")
    verify = ["rsa", "verify", "--key", "encrypted", "--in", "message", "--signature", "signature"]
    assert cli(*verify, "--passphrase", source) == (0, "the signature is good\n", "")
    encrypt = ["rsa", "encrypt", "--key", "public", "--in", "message", "--out", "ciphertext"]
    assert cli(*encrypt) == (0, "", "")
    decrypt = ["rsa", "decrypt", "--key", "encrypted", "--in", "ciphertext", "--out", "back"]
    assert cli(*decrypt, "--passphrase", source) == (0, "", "")
    assert Path("back").read_bytes() == MESSAGE


@pytest.mark.usefixtures("encrypted")
@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("env:NONE", "the environment has no variable NONE"),
        ("env:", "give prompt, env:NAME or file:FILE"),
        ("file:", "give prompt, env:NAME or file:FILE"),
        ("file:none", "cannot read none: No such file"),
        ("file:.", "cannot read .: Is a directory"),
        ("file:/dev/zero", "longer than any passphrase"),
        ("file:message", "--key: the passphrase is not that of the key"),
        (SECRET, "a passphrase itself could be read in the list of processes"),
        (f"pass:{SECRET}", "a passphrase itself could be read in the list of processes"),
    ],
)
def test_passphrases_that_are_not_there(cli: Cli, source: str, says: str) -> None:
    line = cli.complaint("rsa", "show", "--key", "encrypted", "--passphrase", source)
    assert says in line
    assert SECRET not in line


def in_terminal(arguments: list[str], typed: list[str]) -> tuple[int, bytes]:
    """Run the command with a terminal of its own, and type lines as it asks; return status and screen."""
    process, terminal = pty.fork()
    if process == 0:
        os.execv(sys.executable, [sys.executable, "-m", "monpro", *arguments])  # noqa: S606
    shown = b""
    try:
        while piece := os.read(terminal, 1024):
            shown += piece
            if piece.rstrip().endswith(b":") and typed:
                os.write(terminal, typed.pop(0).encode() + b"\n")
    except OSError:  # how Linux says that the terminal's other end is closed
        pass
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), shown


@pytest.mark.usefixtures("encrypted")
def test_the_terminal_is_asked() -> None:
    status, shown = in_terminal(["rsa", "show", "--key", "encrypted"], [SECRET])
    assert status == 0
    assert b"Passphrase of encrypted: " in shown
    assert b"2048" in shown
    assert SECRET.encode() not in shown
    convert = ["rsa", "convert", "--key", "key", "--out", "new", "--new-passphrase", "prompt"]
    status, shown = in_terminal(convert, ["one", "two"])
    assert status == 2
    assert b"the two passphrases are not the same" in shown
    assert not Path("new").exists()
    assert in_terminal(convert, ["one", "one"])[0] == 0
    assert PrivateKey.load(Path("new").read_bytes(), passphrase="one").n == KEY.n  # noqa: S106  (typed above)


def test_without_a_terminal_the_line_says_what_to_give(encrypted: Path) -> None:
    command = [sys.executable, "-m", "monpro", "rsa", "show", "--key", str(encrypted)]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, start_new_session=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert b"give env:NAME or file:FILE" in done.stderr


@pytest.mark.usefixtures("folder")
def test_new_keys_are_encrypted_and_never_replaced(cli: Cli) -> None:
    genkey = ["rsa", "genkey", "--bits", "2048", "--out", "new", "--new-passphrase", "file:secret"]
    facts = cli.json(*genkey)
    assert (facts["bits"], facts["encrypted"]) == (2048, True)
    assert stat.S_IMODE(Path("new").stat().st_mode) == 0o600
    new = PrivateKey.load(Path("new").read_bytes(), passphrase=SECRET)
    assert facts["fingerprint"] == hashlib.sha256(new.public_key.to_der()).hexdigest()
    command = ["openssl", "pkey", "-in", "new", "-passin", f"pass:{SECRET}", "-pubout"]
    assert subprocess.run(command, capture_output=True, check=True).stdout.decode() == new.public_key.to_pem()
    Path("new.der").write_bytes(new.to_der(passphrase=SECRET))
    Path("empty").write_bytes(b"\n")
    assert "--new-passphrase: an empty passphrase protects nothing" in cli.complaint(
        *genkey[:-2], "--new-passphrase", "file:empty", "--force"
    )
    for there in ("new", "new.der"):
        sign = ["rsa", "sign", "--key", "key", "--in", "message", "--out", there]
        assert f"{there} holds a private key" in cli.complaint(*sign)


CONVERSIONS: list[tuple[list[str], Any]] = [
    ([], KEY.to_pem),
    (["--form", "der"], KEY.to_der),
    (["--format", "pkcs1"], lambda: KEY.to_pem(format="pkcs1")),
    (["--format", "pkcs1", "--form", "der"], lambda: KEY.to_der(format="pkcs1")),
    (["--public"], KEY.public_key.to_pem),
    (["--public", "--form", "der", "--format", "spki"], KEY.public_key.to_der),
    (["--public", "--format", "pkcs1"], lambda: KEY.public_key.to_pem(format="pkcs1")),
]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("options", "expected"), CONVERSIONS)
def test_conversions(cli: Cli, options: list[str], expected: Any) -> None:
    facts = cli.json("rsa", "convert", "--key", "key", "--out", "new", *options)
    assert facts["bits"] == 2048
    content = expected()
    assert Path("new").read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert (stat.S_IMODE(Path("new").stat().st_mode) == 0o600) is ("--public" not in options)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--key", "public"], "--key: a public key, and a private one is needed"),
        (["--key", "key", "--format", "spki"], "--format: spki is of public keys"),
        (["--key", "key", "--public", "--format", "pkcs8"], "--format: pkcs8 is of private keys"),
        (["--key", "key", "--public", "--new-passphrase", "env:SECRET"], "a public key is not encrypted"),
        (
            ["--key", "key", "--format", "pkcs1", "--new-passphrase", "env:SECRET"],
            "PKCS#1 is not written encrypted",
        ),
        (["--key", "/dev/zero"], "--key: the document is far longer than any RSA key"),
        (["--key", "."], "--key: cannot read .: Is a directory"),
    ],
)
def test_conversions_that_are_none(cli: Cli, options: list[str], says: str) -> None:
    assert says in cli.complaint("rsa", "convert", *options, "--out", "new")
    assert not Path("new").exists()


@pytest.mark.usefixtures("folder")
def test_what_a_key_is(cli: Cli) -> None:
    facts = cli.json("rsa", "show", "--key", "key")
    assert (facts["kind"], facts["primes"], facts["e"], int(facts["n"], 16)) == ("private", 2, 65537, KEY.n)
    facts = cli.json("rsa", "show", "--key", "public")
    assert (facts["kind"], facts["use"], "primes" in facts) == ("public", "any", False)
    status, output, _ = cli("rsa", "show", "--key", "key")
    assert (status, facts["fingerprint"] in output) == (0, True)
    assert str(KEY.private_numbers().d) not in output
    assert "not a key" in cli.complaint("rsa", "show", "--key", "message")


@pytest.mark.usefixtures("folder")
def test_json_of_every_verb(cli: Cli) -> None:
    files = ["--key", "key", "--in", "message"]
    digest = hashlib.sha256(MESSAGE).hexdigest()
    signed = cli.json("rsa", "sign", *files, "--out", "signature")
    assert signed == {"bits": 2048, "hash": "sha256", "digest": digest, "bytes": 256}
    verify = ["rsa", "verify", "--key", "public", "--signature", "signature", "--in"]
    assert cli.json(*verify, "message") == {"bits": 2048, "hash": "sha256", "digest": digest, "good": True}
    status, output, errors = cli(*verify, "key", JSON)
    assert (status, json.loads(output)["good"], errors.count("\n")) == (1, False, 1)
    encrypted = cli.json("rsa", "encrypt", *files, "--out", "ciphertext")
    assert encrypted == {"bits": 2048, "padding": "oaep", "bytes": 256}
    decrypt = ["rsa", "decrypt", "--key", "key", "--in", "ciphertext", "--out", "back"]
    assert cli.json(*decrypt) == {"bits": 2048, "padding": "oaep", "bytes": len(MESSAGE)}
    for verb in ("sign", "encrypt"):
        line = cli.complaint("rsa", verb, *files, "--out", "-", JSON)
        assert "--json: standard output takes the result already" in line


@pytest.mark.usefixtures("folder")
def test_large_files_are_read_piece_by_piece(cli: Cli) -> None:
    """A file of 64 MiB, all of it a hole, is signed in a small part of that memory."""
    with Path("large").open("wb") as file:
        file.truncate(64 << 20)
    script = """
import resource, sys
from monpro.cli import main
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
status = main(sys.argv[1:])
print(status, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    command = [
        sys.executable,
        "-c",
        script,
        "rsa",
        "sign",
        "--key",
        "key",
        "--in",
        "large",
        "--out",
        "signature",
    ]
    status, kilobytes = map(int, subprocess.run(command, capture_output=True, check=True).stdout.split())
    assert status == 0
    assert kilobytes < 16 << 10
    with Path("large").open("rb") as file:
        hashed = hashlib.file_digest(file, "sha256")
    assert KEY.public_key.verify(hashed, Path("signature").read_bytes())
    verify = ["rsa", "verify", "--key", "public", "--in", "large", "--signature", "signature"]
    assert cli(*verify)[0] == 0


@pytest.mark.usefixtures("folder")
def test_short_keys_are_taken_with_a_warning(cli: Cli) -> None:
    says = (
        "monpro: warning: the key has 1024 bits, which protect nothing that matters today: use 2048 or more\n"
    )
    assert cli("rsa", "genkey", "--bits", "1024", "--out", "short", "--public", "half") == (0, "", says)
    files = ["--in", "message"]
    assert cli("rsa", "sign", "--key", "short", *files, "--out", "signature") == (0, "", says)
    verify = ["rsa", "verify", "--key", "half", *files, "--signature", "signature"]
    assert cli(*verify) == (0, "the signature is good\n", says)
    assert cli("rsa", "encrypt", "--key", "half", *files, "--out", "ciphertext") == (0, "", says)
    decrypt = ["rsa", "decrypt", "--key", "short", "--in", "ciphertext", "--out", "back"]
    assert cli(*decrypt) == (0, "", says)
    assert cli("rsa", "show", "--key", "half")[2] == says
    assert cli("rsa", "convert", "--key", "short", "--public", "--out", "half2")[2] == says


@pytest.mark.usefixtures("folder")
def test_keys_that_are_bound_to_pss(cli: Cli) -> None:
    command = [
        "openssl",
        "genpkey",
        "-algorithm",
        "RSA-PSS",
        "-pkeyopt",
        "rsa_keygen_bits:2048",
        "-out",
        "pss",
    ]
    bound = ["-pkeyopt", "rsa_pss_keygen_md:sha512", "-pkeyopt", "rsa_pss_keygen_mgf1_md:sha512"]
    subprocess.run(
        [*command, *bound, "-pkeyopt", "rsa_pss_keygen_saltlen:20"], capture_output=True, check=True
    )
    assert cli.json("rsa", "show", "--key", "pss")["use"] == "pss sha512 sha512 20"
    sign = ["rsa", "sign", "--key", "pss", "--in", "message", "--out", "signature"]
    assert cli.json(*sign)["hash"] == "sha512"
    assert cli("rsa", "verify", "--key", "pss", "--in", "message", "--signature", "signature")[0] == 0
    subprocess.run(["openssl", "pkey", "-in", "pss", "-pubout", "-out", "half"], check=True)
    check = ["openssl", "dgst", "-sha512", "-verify", "half", "-signature", "signature", "message"]
    assert subprocess.run(check, capture_output=True, check=True).stdout == b"Verified OK\n"
    for options, says in [
        (["--hash", "sha256"], "bound to another hash function"),
        (["--mgf1", "sha1"], "bound to another hash function"),
        (["--salt-length", "19"], "or to longer salts"),
        (["--padding", "pkcs1v15"], "for signatures by PSS alone"),
    ]:
        assert says in cli.complaint(*sign, *options)
    files = ["--in", "message", "--out", "other"]
    assert "for signatures by PSS alone" in cli.complaint("rsa", "encrypt", "--key", "pss", *files)
    assert "for signatures by PSS alone" in cli.complaint("rsa", "decrypt", "--key", "pss", *files)


@pytest.mark.usefixtures("folder")
def test_a_certificate_verifies(cli: Cli) -> None:
    command = ["openssl", "req", "-x509", "-new", "-key", "key", "-subj", "/CN=a", "-out", "certificate"]
    subprocess.run(command, check=True)
    assert cli("rsa", "sign", "--key", "key", "--in", "message", "--out", "signature")[0] == 0
    verify = ["rsa", "verify", "--in", "message", "--signature", "signature", "--key"]
    assert cli(*verify, "certificate")[0] == 0
    assert PublicKey.load(Path("certificate").read_bytes()) == KEY.public_key
    sign = ["rsa", "sign", "--in", "message", "--out", "other", "--key", "certificate"]
    assert "a certificate, and a private key is needed" in cli.complaint(*sign)
