"""RSA and OpenSSL accept each other's keys, signatures and ciphertexts."""

import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding as theirs
from cryptography.hazmat.primitives.asymmetric import rsa as their_rsa

from monpro.rsa import PrivateKey, PublicKey

MESSAGE = b"the message\n"
HASHES = {"sha256": hashes.SHA256(), "sha384": hashes.SHA384(), "sha512": hashes.SHA512()}


def openssl(*arguments: str | Path, content: bytes = b"") -> bytes:
    """Return the output of the command, which must succeed."""
    command = ["openssl", *map(str, arguments)]
    return subprocess.run(command, input=content, capture_output=True, check=True).stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a key of monpro and one of OpenSSL, each with its public half, and a message."""
    path = tmp_path_factory.mktemp("rsa")
    ours = PrivateKey.generate(2048)
    (path / "ours.pem").write_text(ours.to_pem())
    (path / "ours.public.pem").write_text(ours.public_key.to_pem())
    (path / "theirs.pem").write_bytes(openssl("genrsa", "2048"))
    (path / "theirs.public.pem").write_bytes(openssl("rsa", "-in", path / "theirs.pem", "-pubout"))
    (path / "message").write_bytes(MESSAGE)
    return path


@pytest.fixture(scope="module", params=["ours", "theirs"])
def name(request: pytest.FixtureRequest) -> str:
    """Return the name of the library that made the key."""
    return str(request.param)


@pytest.fixture(scope="module")
def private(folder: Path, name: str) -> PrivateKey:
    return PrivateKey.from_pem((folder / f"{name}.pem").read_text())


@pytest.fixture(scope="module")
def public(folder: Path, name: str) -> PublicKey:
    return PublicKey.from_pem((folder / f"{name}.public.pem").read_text())


def test_openssl_finds_our_key_consistent(folder: Path) -> None:
    assert b"ok" in openssl("rsa", "-in", folder / "ours.pem", "-check", "-noout")


@pytest.mark.parametrize("width", [60, 76, 10_000])
def test_a_document_with_lines_of_another_length_is_the_same_key(folder: Path, width: int) -> None:
    pem = (folder / "theirs.pem").read_text()
    first, *lines, last = pem.splitlines()
    body = "".join(lines)
    wrapped = [body[start : start + width] for start in range(0, len(body), width)]
    assert PrivateKey.from_pem("\n".join([first, *wrapped, last])).to_pem() == pem


def test_a_document_of_pkcs1_is_the_same_key(folder: Path) -> None:
    pkcs1 = openssl("rsa", "-in", folder / "theirs.pem", "-traditional").decode()
    assert "BEGIN RSA PRIVATE KEY" in pkcs1
    pkcs8 = (folder / "theirs.pem").read_text()
    assert PrivateKey.from_pem(pkcs1).to_pem() == PrivateKey.from_pem(pkcs8).to_pem()
    public = openssl("rsa", "-in", folder / "theirs.pem", "-RSAPublicKey_out").decode()
    assert PublicKey.from_pem(public) == PrivateKey.from_pem(pkcs8).public_key


@pytest.mark.parametrize("hash_name", HASHES)
@pytest.mark.parametrize("padding", ["pkcs1v15", "pss"])
def test_our_signatures_verify_there_and_theirs_here(
    folder: Path, name: str, private: PrivateKey, padding: str, hash_name: str
) -> None:
    public = private.public_key
    options: list[str | Path] = ["-sigopt", "rsa_padding_mode:pss"] if padding == "pss" else []
    ours, their = folder / "ours.signature", folder / "theirs.signature"
    ours.write_bytes(private.sign(MESSAGE, padding=padding, hash=hash_name))  # type: ignore[arg-type]
    check = [f"-{hash_name}", *options, "-verify", folder / f"{name}.public.pem", "-signature", ours]
    assert b"OK" in openssl("dgst", *check, folder / "message")
    key = folder / f"{name}.pem"
    openssl("dgst", f"-{hash_name}", *options, "-sign", key, "-out", their, folder / "message")
    for message, is_good in [(MESSAGE, True), (MESSAGE + b"!", False)]:
        verdict = public.verify(message, their.read_bytes(), padding=padding, hash=hash_name)  # type: ignore[arg-type]
        assert verdict is is_good


@pytest.mark.parametrize("padding", ["oaep", "pkcs1v15"])
def test_our_ciphertexts_decrypt_there_and_theirs_here(
    folder: Path, name: str, private: PrivateKey, public: PublicKey, padding: str
) -> None:
    mode: list[str | Path] = ["-pkeyopt", f"rsa_padding_mode:{'oaep' if padding == 'oaep' else 'pkcs1'}"]
    mode += ["-pkeyopt", "rsa_oaep_md:sha256"] if padding == "oaep" else []
    key, public_key = folder / f"{name}.pem", folder / f"{name}.public.pem"
    ciphertext = public.encrypt(MESSAGE, padding=padding)  # type: ignore[arg-type]
    assert openssl("pkeyutl", "-decrypt", "-inkey", key, *mode, content=ciphertext) == MESSAGE
    ciphertext = openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", public_key, *mode, content=MESSAGE)
    assert private.decrypt(ciphertext, padding=padding) == MESSAGE  # type: ignore[arg-type]


def test_the_raw_operations_are_powers(private: PrivateKey, public: PublicKey) -> None:
    numbers = serialization.load_der_private_key(private.to_der(), None)
    assert isinstance(numbers, their_rsa.RSAPrivateKey)
    n, d = numbers.private_numbers().public_numbers.n, numbers.private_numbers().d
    for m in (0, 1, 2, n - 1, n // 3):
        octets = m.to_bytes(256)
        assert int.from_bytes(public.raw(octets)) == pow(m, 65537, n)
        assert int.from_bytes(private.raw(octets)) == pow(m, d, n)


def test_implicit_rejection_gives_the_message_that_openssl_gives(private: PrivateKey) -> None:
    """Two implementations of draft-irtf-cfrg-rsa-guidance decrypt nonsense to the same message."""
    key = serialization.load_der_private_key(private.to_der(), None)
    assert isinstance(key, their_rsa.RSAPrivateKey)
    lengths = set()
    for seed in range(40):
        ciphertext = (seed + 2).to_bytes(256)
        message = private.decrypt(ciphertext, padding="pkcs1v15")
        assert message == key.decrypt(ciphertext, theirs.PKCS1v15())
        lengths.add(len(message))
    assert len(lengths) > 10


def test_keys_whose_numbers_do_not_belong_together() -> None:
    """Documents with wrong numbers, which another library wrote, are refused."""
    numbers = their_rsa.generate_private_key(65537, 2048).private_numbers()
    good = {
        "p": numbers.p,
        "q": numbers.q,
        "d": numbers.d,
        "dmp1": numbers.dmp1,
        "dmq1": numbers.dmq1,
        "iqmp": numbers.iqmp,
    }
    for changed, value in good.items():
        wrong = good | {changed: value + 2}
        document = their_rsa.RSAPrivateNumbers(**wrong, public_numbers=numbers.public_numbers)
        try:
            der = document.private_key(unsafe_skip_rsa_key_validation=True).private_bytes(
                serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        except ValueError:
            continue  # OpenSSL refuses to load it
        with pytest.raises(ValueError, match="the key is damaged"):
            PrivateKey.from_der(der)
