"""RSA and OpenSSL accept each other's keys, signatures and ciphertexts."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding as theirs
from cryptography.hazmat.primitives.asymmetric import rsa as their_rsa

from monpro import rsa
from monpro.rsa import PrivateKey, PublicKey

MESSAGE = b"the message\n"
# The hash functions, as `hashlib` and as `cryptography` call them.
HASHES: dict[str, hashes.HashAlgorithm] = {
    "sha1": hashes.SHA1(),  # noqa: S303  (for verification, OAEP and MGF1)
    "sha224": hashes.SHA224(),
    "sha256": hashes.SHA256(),
    "sha384": hashes.SHA384(),
    "sha512": hashes.SHA512(),
    "sha512_224": hashes.SHA512_224(),
    "sha512_256": hashes.SHA512_256(),
    "sha3_224": hashes.SHA3_224(),
    "sha3_256": hashes.SHA3_256(),
    "sha3_384": hashes.SHA3_384(),
    "sha3_512": hashes.SHA3_512(),
}
SIGNING = [name for name in HASHES if name != "sha1"]


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


def in_openssl(name: str) -> str:
    """Return the name that OpenSSL has for a hash function."""
    return name.replace("_", "-")


def options(flag: str, **values: str | int | None) -> list[str]:
    """Return options for OpenSSL's commands, without those that are None."""
    return [word for name, value in values.items() if value is not None for word in (flag, f"{name}:{value}")]


@pytest.mark.parametrize("hash_name", SIGNING)
@pytest.mark.parametrize("padding", ["pkcs1v15", "pss"])
def test_our_signatures_verify_there_and_theirs_here(
    folder: Path, name: str, private: PrivateKey, padding: Any, hash_name: Any
) -> None:
    public = private.public_key
    pss = options("-sigopt", rsa_padding_mode="pss", rsa_pss_saltlen="digest")
    scheme = pss if padding == "pss" else []
    ours, their = folder / "ours.signature", folder / "theirs.signature"
    ours.write_bytes(private.sign(MESSAGE, padding=padding, hash=hash_name))
    digest = [f"-{in_openssl(hash_name)}", *scheme]
    check: list[str | Path] = [*digest, "-verify", folder / f"{name}.public.pem", "-signature", ours]
    assert b"OK" in openssl("dgst", *check, folder / "message")
    openssl("dgst", *digest, "-sign", folder / f"{name}.pem", "-out", their, folder / "message")
    for message, is_good in [(MESSAGE, True), (MESSAGE + b"!", False)]:
        assert public.verify(message, their.read_bytes(), padding=padding, hash=hash_name) is is_good


PSS_OPTIONS = [("hash", "sha1"), ("hash", "sha3_256"), (0, None), (20, "sha512"), (222, None)]


@pytest.mark.parametrize(("salt_length", "mgf1_hash"), PSS_OPTIONS)
def test_salts_and_mgf1_of_openssl(folder: Path, salt_length: Any, mgf1_hash: Any) -> None:
    private = PrivateKey.from_pem((folder / "ours.pem").read_text())
    ours, their = folder / "ours.signature", folder / "theirs.signature"
    arguments: dict[str, Any] = {"padding": "pss", "salt_length": salt_length, "mgf1_hash": mgf1_hash}
    ours.write_bytes(private.sign(MESSAGE, **arguments))
    digest: list[str | Path] = ["-sha256", *options("-sigopt", rsa_padding_mode="pss")]
    digest += options("-sigopt", rsa_pss_saltlen="digest" if salt_length == "hash" else salt_length)
    digest += options("-sigopt", rsa_mgf1_md=None if mgf1_hash is None else in_openssl(mgf1_hash))
    check: list[str | Path] = [*digest, "-verify", folder / "ours.public.pem", "-signature", ours]
    assert b"OK" in openssl("dgst", *check, folder / "message")
    openssl("dgst", *digest, "-sign", folder / "ours.pem", "-out", their, folder / "message")

    def verdict(**changes: Any) -> bool:
        return private.public_key.verify(MESSAGE, their.read_bytes(), **(arguments | changes))

    assert verdict()
    assert verdict(salt_length="any")
    assert verdict(salt_length=None) is (salt_length == "hash")
    assert not verdict(mgf1_hash="sha224")


@pytest.mark.parametrize(("salt_length", "mgf1_hash"), PSS_OPTIONS)
def test_salts_and_mgf1_of_cryptography(private: PrivateKey, salt_length: Any, mgf1_hash: Any) -> None:
    key = serialization.load_der_private_key(private.to_der(), None)
    assert isinstance(key, their_rsa.RSAPrivateKey)
    octets = 32 if salt_length == "hash" else salt_length
    scheme = theirs.PSS(theirs.MGF1(HASHES[mgf1_hash or "sha256"]), octets)
    arguments: dict[str, Any] = {"padding": "pss", "salt_length": salt_length, "mgf1_hash": mgf1_hash}
    key.public_key().verify(private.sign(MESSAGE, **arguments), MESSAGE, scheme, hashes.SHA256())
    assert private.public_key.verify(MESSAGE, key.sign(MESSAGE, scheme, hashes.SHA256()), **arguments)


@pytest.mark.parametrize("padding", ["pkcs1v15", "pss"])
def test_signatures_with_sha1_are_verified_and_not_made(folder: Path, padding: Any) -> None:
    private = PrivateKey.from_pem((folder / "theirs.pem").read_text())
    with pytest.raises(ValueError, match="not made with SHA-1"):
        private.sign(MESSAGE, padding=padding, hash="sha1")
    scheme = options("-sigopt", rsa_padding_mode="pss", rsa_pss_saltlen="digest") if padding == "pss" else []
    signature = openssl("dgst", "-sha1", *scheme, "-sign", folder / "theirs.pem", folder / "message")
    assert private.public_key.verify(MESSAGE, signature, padding=padding, hash="sha1")
    assert not private.public_key.verify(MESSAGE + b"!", signature, padding=padding, hash="sha1")


@pytest.mark.parametrize(
    "arguments",
    [
        {"padding": "pkcs1v15"},
        {},
        {"label": b"\0 a label"},
        {"hash": "sha1", "mgf1_hash": "sha512"},
        {"hash": "sha3_512", "mgf1_hash": "sha1", "label": bytes(100)},
        {"hash": "sha512_224"},
    ],
)
def test_our_ciphertexts_decrypt_there_and_theirs_here(
    folder: Path, name: str, private: PrivateKey, public: PublicKey, arguments: dict[str, Any]
) -> None:
    if "padding" in arguments:
        mode = options("-pkeyopt", rsa_padding_mode="pkcs1")
    else:
        hash_name = in_openssl(arguments.get("hash", "sha256"))
        mgf1 = in_openssl(arguments.get("mgf1_hash", hash_name))
        mode = options("-pkeyopt", rsa_padding_mode="oaep", rsa_oaep_md=hash_name, rsa_mgf1_md=mgf1)
        mode += options("-pkeyopt", rsa_oaep_label=arguments["label"].hex()) if "label" in arguments else []
    key, public_key = folder / f"{name}.pem", folder / f"{name}.public.pem"
    ciphertext = public.encrypt(MESSAGE, **arguments)
    assert openssl("pkeyutl", "-decrypt", "-inkey", key, *mode, content=ciphertext) == MESSAGE
    ciphertext = openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", public_key, *mode, content=MESSAGE)
    assert private.decrypt(ciphertext, **arguments) == MESSAGE


@pytest.mark.parametrize("label", [b"", b"a label", bytearray(b"another")])
@pytest.mark.parametrize(
    ("hash_name", "mgf1_hash"), [("sha256", None), ("sha1", "sha1"), ("sha224", "sha384")]
)
def test_labels_and_mgf1_of_cryptography(
    private: PrivateKey, public: PublicKey, hash_name: Any, mgf1_hash: Any, label: bytes
) -> None:
    key = serialization.load_der_private_key(private.to_der(), None)
    assert isinstance(key, their_rsa.RSAPrivateKey)
    scheme = theirs.OAEP(theirs.MGF1(HASHES[mgf1_hash or hash_name]), HASHES[hash_name], bytes(label))
    arguments: dict[str, Any] = {"hash": hash_name, "mgf1_hash": mgf1_hash, "label": label}
    assert key.decrypt(public.encrypt(MESSAGE, **arguments), scheme) == MESSAGE
    ciphertext = key.public_key().encrypt(MESSAGE, scheme)
    assert private.decrypt(ciphertext, **arguments) == MESSAGE
    for wrong in ({"label": b"wrong"}, {"mgf1_hash": "sha512_256"}, {"hash": "sha384"}):
        with pytest.raises(ValueError, match="does not decrypt"):
            private.decrypt(ciphertext, **(arguments | wrong))


def test_the_names_of_hash_functions_are_the_same_everywhere(private: PrivateKey) -> None:
    names = list(HASHES)
    assert all(hashlib.new(name).name == name for name in names)
    with pytest.raises(ValueError, match=f"one of {', '.join(names)}$"):
        private.sign(MESSAGE, hash="none")  # type: ignore[arg-type]
    assert list(get_args(rsa.Hash)) == names
    for name in get_args(rsa.Hash):
        assert not private.public_key.verify(MESSAGE, b"", hash=name)
    package = Path(rsa.__file__).parent
    listing = [path.name for path in package.rglob("*.py*") if b'"sha512_224"' in path.read_bytes()]
    assert listing == ["rsa.py"]


def test_options_that_are_none(private: PrivateKey, public: PublicKey) -> None:
    sign, encrypt = private.sign, public.encrypt
    unknown: list[tuple[Callable[..., bytes], dict[str, Any], str]] = [
        (sign, {"hash": "md5"}, "sha512_256"),
        (sign, {"padding": "oaep"}, "pkcs1v15 or pss"),
        (sign, {"padding": "pss", "mgf1_hash": "md5"}, "the hash function is one of sha1, sha224"),
        (sign, {"padding": "pss", "salt_length": "long"}, "hash, any, or a number"),
        (sign, {"padding": "pss", "salt_length": -1}, "hash, any, or a number"),
        (sign, {"padding": "pss", "salt_length": 2**64}, "hash, any, or a number"),
        (sign, {"padding": "pss", "salt_length": 223}, "use a longer key"),
        (sign, {"salt_length": 32}, "belong to the padding pss"),
        (sign, {"mgf1_hash": "sha1"}, "belong to the padding pss"),
        (encrypt, {"hash": "SHA256"}, "the hash function is one of"),
        (encrypt, {"padding": "pss"}, "oaep or pkcs1v15"),
        (encrypt, {"padding": "pkcs1v15", "label": b""}, "belong to the padding oaep"),
        (encrypt, {"padding": "pkcs1v15", "mgf1_hash": "sha1"}, "belong to the padding oaep"),
    ]
    for operation, arguments, says in unknown:
        with pytest.raises(ValueError, match=says):
            operation(MESSAGE, **arguments)


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


# The function by which the C library gets random numbers, without any.
NO_RANDOM = """
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
ssize_t getrandom(void *bytes, size_t length, unsigned flags) {
    if (getenv("NO_RANDOM") == NULL)
        return syscall(SYS_getrandom, bytes, length, flags);
    errno = EIO;
    return -1;
}
"""
CALLS = """
import os, sys
from monpro import rsa
key = rsa.PrivateKey.from_pem(sys.stdin.read())
ciphertext = key.public_key.encrypt(b"m", padding="pkcs1v15")
os.environ["NO_RANDOM"] = "1"
calls = {
    "generate": lambda: rsa.PrivateKey.generate(1024),
    "encrypt": lambda: key.public_key.encrypt(b"m"),
    "encode": lambda: key.public_key.encode(b"m"),
    "sign, pss": lambda: key.sign(b"m", padding="pss"),
    "to_pem": lambda: key.to_pem(passphrase="secret"),
    "to_der": lambda: key.to_der(passphrase="secret"),
}
for name, call in calls.items():
    try:
        call()
        print(name, "gave a result")
    except rsa.RandomSourceError as error:
        assert isinstance(error, RuntimeError) and str(error).startswith("the random source is broken"), error
"""
COMMAND = """
import os, sys
import monpro.cli.rsa
monpro.cli.main(["pow", "--base", "3", "--exp", "2", "--mod", "7"])
os.environ["NO_RANDOM"] = "1"
sys.exit(monpro.cli.main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="random numbers come by another function")
def test_a_system_without_random_numbers_is_an_error_of_its_own(tmp_path: Path, private: PrivateKey) -> None:
    library = tmp_path / "no_random.so"
    (tmp_path / "no_random.c").write_text(NO_RANDOM)
    subprocess.run(
        ["cc", "-D_GNU_SOURCE", "-shared", "-fPIC", "-o", library, tmp_path / "no_random.c"], check=True
    )
    environment = os.environ | {"LD_PRELOAD": str(library), "PYTHONHASHSEED": "0"}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        pem = private.to_pem()
        command = [sys.executable, *words]
        return subprocess.run(
            command, input=pem, env=environment, capture_output=True, check=False, text=True
        )

    ended = run("-c", CALLS)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    out = str(tmp_path / "key.pem")
    ended = run("-c", COMMAND, "rsa", "genkey", "--bits", "1024", "--out", out)
    assert (ended.returncode, ended.stdout) == (1, "2\n")
    assert ended.stderr.startswith("monpro: the random source is broken")
    assert ended.stderr.count("\n") == 1
