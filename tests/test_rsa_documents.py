"""Documents of RSA keys: OpenSSL and `cryptography` read what we write, and we read what they write."""

import copy
import hashlib
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding as theirs
from cryptography.hazmat.primitives.asymmetric import rsa as their_rsa

from monpro.rsa import PassphraseNeeded, PrivateKey, PublicKey

MESSAGE = b"the message\n"
PASSPHRASE = "Zürich 8001"  # noqa: S105  (of keys that live as long as a test)
FROM_ENVIRONMENT = {"PASSPHRASE": PASSPHRASE}


def openssl(*arguments: object, content: bytes = b"") -> bytes:
    """Return the output of the command, which must succeed."""
    command = ["openssl", *map(str, arguments)]
    return subprocess.run(
        command,
        input=content,
        capture_output=True,
        check=True,
        env=FROM_ENVIRONMENT | {"PATH": "/usr/bin:/bin"},
    ).stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a key of OpenSSL and a message."""
    path = tmp_path_factory.mktemp("documents")
    (path / "key.pem").write_bytes(openssl("genrsa", "2048"))
    (path / "message").write_bytes(MESSAGE)
    return path


@pytest.fixture(scope="module")
def key(folder: Path) -> PrivateKey:
    return PrivateKey.load((folder / "key.pem").read_bytes())


ENCRYPT = ["-passout", "env:PASSPHRASE"]
# The form, OpenSSL's command that makes it of PKCS#8 in PEM, and whether it is encrypted.
PRIVATE_FORMS: dict[str, tuple[list[str], bool]] = {
    "PKCS#8 in PEM": (["pkcs8", "-topk8", "-nocrypt"], False),
    "PKCS#8 in DER": (["pkcs8", "-topk8", "-nocrypt", "-outform", "DER"], False),
    "PKCS#1 in PEM": (["rsa", "-traditional"], False),
    "PKCS#1 in DER": (["rsa", "-traditional", "-outform", "DER"], False),
    "encrypted, AES-256": (["pkcs8", "-topk8", *ENCRYPT], True),
    "encrypted, AES-256, DER": (["pkcs8", "-topk8", "-outform", "DER", *ENCRYPT], True),
    "encrypted, AES-128, SHA-1": (
        ["pkcs8", "-topk8", "-v2", "aes128", "-v2prf", "hmacWithSHA1", *ENCRYPT],
        True,
    ),
    "encrypted, AES-192, SHA-512": (
        ["pkcs8", "-topk8", "-v2", "aes192", "-v2prf", "hmacWithSHA512", *ENCRYPT],
        True,
    ),
    "encrypted, triple DES": (["pkcs8", "-topk8", "-v2", "des3", *ENCRYPT], True),
    "encrypted, scrypt": (["pkcs8", "-topk8", "-scrypt", *ENCRYPT], True),
    "encrypted, 100,000 iterations": (["pkcs8", "-topk8", "-iter", "100000", *ENCRYPT], True),
}
# The form and our options that write it.
OUR_PRIVATE_FORMS: dict[str, tuple[str, dict[str, Any]]] = {
    "PKCS#8 in PEM": ("pem", {}),
    "PKCS#8 in DER": ("der", {}),
    "PKCS#1 in PEM": ("pem", {"format": "pkcs1"}),
    "PKCS#1 in DER": ("der", {"format": "pkcs1"}),
    "encrypted in PEM": ("pem", {"passphrase": PASSPHRASE}),
    "encrypted in DER": ("der", {"passphrase": PASSPHRASE.encode()}),
}
PUBLIC_FORMS: dict[str, list[str]] = {
    "SubjectPublicKeyInfo in PEM": ["rsa", "-pubout"],
    "SubjectPublicKeyInfo in DER": ["rsa", "-pubout", "-outform", "DER"],
    "PKCS#1 in PEM": ["rsa", "-RSAPublicKey_out"],
    "PKCS#1 in DER": ["rsa", "-RSAPublicKey_out", "-outform", "DER"],
}
CERTIFICATE = ["req", "-x509", "-new", "-subj", "/CN=Zürich", "-utf8", "-days", "2"]
CERTIFICATE_FORMS: dict[str, list[str]] = {
    "certificate in PEM": CERTIFICATE,
    "certificate in DER": [*CERTIFICATE, "-outform", "DER"],
    "certificate with text": [*CERTIFICATE, "-text"],
    "certificate with extensions": [*CERTIFICATE, "-addext", "subjectAltName=DNS:example.org"],
}
SIGNATURES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "PKCS#1 v1.5": ({}, ["-sha256"]),
    "PSS": (
        {"padding": "pss", "hash": "sha384"},
        ["-sha384", "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest"],
    ),
}
ENCRYPTIONS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "PKCS#1 v1.5": ({"padding": "pkcs1v15"}, []),
    "OAEP": (
        {},
        [
            "-pkeyopt",
            "rsa_padding_mode:oaep",
            "-pkeyopt",
            "rsa_oaep_md:sha256",
            "-pkeyopt",
            "rsa_mgf1_md:sha256",
        ],
    ),
}


def in_form(path: Path) -> list[str | Path]:
    """Return OpenSSL's option for the form of a file with this suffix."""
    return ["-keyform", "DER" if path.suffix == ".der" else "PEM"]


def decrypted(file: Path) -> Path:
    """Return the file into which OpenSSL decrypts an encrypted key."""
    path, form = file.with_name("decrypted.pem"), "DER" if file.suffix == ".der" else "PEM"
    path.write_bytes(openssl("pkcs8", "-inform", form, "-in", file, "-passin", "env:PASSPHRASE"))
    return path


def check_private_operations(folder: Path, ours: PrivateKey, file: Path) -> None:
    """Check that our key, and OpenSSL with the file, do with a private key what the other one expects."""
    public = folder / "public.pem"
    public.write_text(ours.public_key.to_pem())
    signature, message = folder / "signature", folder / "message"
    secret = in_form(file)
    for options, flags in SIGNATURES.values():
        signature.write_bytes(ours.sign(MESSAGE, **options))
        assert b"OK" in openssl("dgst", *flags, "-verify", public, "-signature", signature, message)
        made = openssl("dgst", *flags, "-sign", file, *secret, message)
        assert ours.public_key.verify(MESSAGE, made, **options)
    for options, flags in ENCRYPTIONS.values():
        ciphertext = openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", public, *flags, content=MESSAGE)
        assert ours.decrypt(ciphertext, **options) == MESSAGE
        ciphertext = ours.public_key.encrypt(MESSAGE, **options)
        assert openssl("pkeyutl", "-decrypt", "-inkey", file, *secret, *flags, content=ciphertext) == MESSAGE


@pytest.mark.parametrize("form", PRIVATE_FORMS)
def test_private_keys_of_openssl(folder: Path, key: PrivateKey, form: str) -> None:
    command, is_encrypted = PRIVATE_FORMS[form]
    file = folder / ("theirs.der" if "DER" in command else "theirs.pem")
    file.write_bytes(openssl(*command, "-in", folder / "key.pem"))
    passphrase = PASSPHRASE if is_encrypted else None
    read = PrivateKey.load(file.read_bytes(), passphrase=passphrase)
    assert read.to_der() == key.to_der()
    one = PrivateKey.from_der if file.suffix == ".der" else PrivateKey.from_pem
    assert one(file.read_bytes(), passphrase=passphrase).public_key == key.public_key
    if is_encrypted:
        for load in (PrivateKey.load, PublicKey.load, one):
            with pytest.raises(PassphraseNeeded, match="the key is encrypted: give its passphrase"):
                load(file.read_bytes())
        with pytest.raises(ValueError, match="the passphrase is not that of the key"):
            PrivateKey.load(file.read_bytes(), passphrase="another")  # noqa: S106  (as above)
    check_private_operations(folder, read, decrypted(file) if is_encrypted else file)


@pytest.mark.parametrize("form", OUR_PRIVATE_FORMS)
def test_our_private_keys(folder: Path, key: PrivateKey, form: str) -> None:
    suffix, options = OUR_PRIVATE_FORMS[form]
    file = folder / f"ours.{suffix}"
    written = key.to_pem(**options) if suffix == "pem" else key.to_der(**options)
    octets = written.encode() if isinstance(written, str) else written
    file.write_bytes(octets)
    load: Callable[..., Any] = {
        "pem": serialization.load_pem_private_key,
        "der": serialization.load_der_private_key,
    }[suffix]
    secret = PASSPHRASE.encode() if "passphrase" in options else None
    numbers = load(octets, secret).private_numbers()
    assert (numbers.d, numbers.p, numbers.iqmp) == (
        key.private_numbers().d,
        key.private_numbers().p,
        key.private_numbers().q_inverse,
    )
    assert PrivateKey.load(octets, passphrase=options.get("passphrase")).to_der() == key.to_der()
    check_private_operations(folder, key, decrypted(file) if secret else file)


@pytest.mark.parametrize("form", ["PKCS8", "TraditionalOpenSSL"])
@pytest.mark.parametrize("encoding", ["PEM", "DER"])
def test_private_keys_of_cryptography(key: PrivateKey, form: str, encoding: str) -> None:
    their = serialization.load_der_private_key(key.to_der(), None)
    arguments = getattr(serialization.Encoding, encoding), getattr(serialization.PrivateFormat, form)
    document = their.private_bytes(*arguments, serialization.NoEncryption())
    assert PrivateKey.load(document).to_der() == key.to_der()
    if form == "PKCS8":
        document = their.private_bytes(*arguments, serialization.BestAvailableEncryption(PASSPHRASE.encode()))
        assert PrivateKey.load(document, passphrase=PASSPHRASE).to_der() == key.to_der()


@pytest.mark.parametrize("form", [*PUBLIC_FORMS, *CERTIFICATE_FORMS])
def test_public_keys_of_openssl(folder: Path, key: PrivateKey, form: str) -> None:
    flag = "-in" if form in PUBLIC_FORMS else "-key"
    document = openssl(*(PUBLIC_FORMS | CERTIFICATE_FORMS)[form], flag, folder / "key.pem")
    public = PublicKey.load(document)
    assert public == key.public_key
    assert (PublicKey.from_der if "DER" in form else PublicKey.from_pem)(document) == public
    file = folder / "key.pem"
    for options, flags in SIGNATURES.values():
        made = openssl("dgst", *flags, "-sign", file, folder / "message")
        assert public.verify(MESSAGE, made, **options)
    for options, flags in ENCRYPTIONS.values():
        ciphertext = public.encrypt(MESSAGE, **options)
        assert openssl("pkeyutl", "-decrypt", "-inkey", file, *flags, content=ciphertext) == MESSAGE


@pytest.mark.parametrize("structure", ["spki", "pkcs1"])
def test_our_public_keys(folder: Path, key: PrivateKey, structure: Any) -> None:
    public = key.public_key
    their = serialization.load_pem_public_key(public.to_pem(format=structure).encode())
    assert their == serialization.load_der_public_key(public.to_der(format=structure))
    assert isinstance(their, their_rsa.RSAPublicKey)
    assert (their.public_numbers().n, their.public_numbers().e) == (public.n, public.e)
    flag = "-pubin" if structure == "spki" else "-RSAPublicKey_in"
    (folder / "p.pem").write_text(public.to_pem(format=structure))
    assert openssl("rsa", flag, "-in", folder / "p.pem", "-pubout").decode() == public.to_pem()
    their.verify(key.sign(MESSAGE), MESSAGE, theirs.PKCS1v15(), hashes.SHA256())


def test_files_of_several_blocks(folder: Path, key: PrivateKey) -> None:
    """A key behind its certificate, attributes and parameters, and a chain."""
    private = (folder / "key.pem").read_text()
    certificate = openssl(*CERTIFICATE, "-key", folder / "key.pem").decode()
    other = openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256").decode()
    encrypted = key.to_pem(passphrase=PASSPHRASE)
    (folder / "certificate.pem").write_text(certificate)
    export = ["pkcs12", "-export", "-inkey", folder / "key.pem", "-in", folder / "certificate.pem", *ENCRYPT]
    bag = openssl("pkcs12", "-nodes", "-passin", "env:PASSPHRASE", content=openssl(*export)).decode()
    assert "Bag Attributes" in bag
    for text in (certificate + private, private + certificate, bag, bag.replace("\n", "\r\n")):
        assert PrivateKey.load(text).to_der() == key.to_der()
        assert PublicKey.load(text) == key.public_key
    # The public half of an encrypted key is in its certificate.
    assert PublicKey.load(encrypted + certificate) == key.public_key
    with pytest.raises(ValueError, match="a key of an elliptic curve"):
        PrivateKey.load(other + private)


@pytest.mark.parametrize("primes", [2, 3, 4])
def test_keys_of_more_primes(folder: Path, primes: int) -> None:
    bits = {2: 512, 3: 1024, 4: 4096}[primes]  # the least that OpenSSL makes
    command = ["openssl", "genrsa", "-primes", str(primes), str(bits)]
    document = subprocess.run(command, capture_output=True, check=True).stdout
    key = PrivateKey.load(document)
    assert len(key.private_numbers().others) == primes - 2
    file = folder / "primes.pem"
    file.write_text(key.to_pem())
    assert b"ok" in openssl("rsa", "-in", file, "-check", "-noout")
    (folder / "signature").write_bytes(key.sign(MESSAGE))
    (folder / "p.pem").write_text(key.public_key.to_pem())
    check = ["-verify", folder / "p.pem", "-signature", folder / "signature", folder / "message"]
    assert b"OK" in openssl("dgst", "-sha256", *check)
    assert openssl("dgst", "-sha256", "-sign", file, folder / "message") == key.sign(MESSAGE)


PSS = ["genpkey", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:1024"]


def test_pss_keys_without_parameters(folder: Path) -> None:
    file = folder / "pss.pem"
    file.write_bytes(openssl(*PSS))
    key = PrivateKey.load(file.read_bytes())
    assert key.to_pem() == file.read_text()
    assert key.public_key.pss_limits == ()
    (folder / "p.pem").write_text(key.public_key.to_pem())
    assert openssl("pkey", "-in", file, "-pubout").decode() == key.public_key.to_pem()
    (folder / "signature").write_bytes(key.sign(MESSAGE))
    check = ["-verify", folder / "p.pem", "-signature", folder / "signature", folder / "message"]
    assert b"OK" in openssl("dgst", "-sha256", *check)
    made = openssl("dgst", "-sha256", "-sigopt", "rsa_pss_saltlen:32", "-sign", file, folder / "message")
    assert key.public_key.verify(MESSAGE, made)
    for operation in (
        lambda: key.sign(MESSAGE, padding="pkcs1v15"),
        lambda: key.public_key.verify(MESSAGE, bytes(128), padding="pkcs1v15"),
        lambda: key.public_key.encrypt(MESSAGE),
        lambda: key.decrypt(bytes(128)),
    ):
        with pytest.raises(ValueError, match="for signatures by PSS alone"):
            operation()


def test_pss_keys_with_parameters(folder: Path) -> None:
    """The parameters of a key are the defaults of its operations, there and here, and others are refused."""
    file, message = folder / "pss.pem", folder / "message"
    bound = {"md": "sha384", "mgf1_md": "sha256", "saltlen": "30"}
    options = [
        word for name, value in bound.items() for word in ("-pkeyopt", f"rsa_pss_keygen_{name}:{value}")
    ]
    file.write_bytes(openssl(*PSS, *options))
    key = PrivateKey.load(file.read_bytes())
    public = key.public_key
    assert key.to_pem() == file.read_text()
    assert public.pss_limits == ("sha384", "sha256", 30)
    (folder / "p.pem").write_text(public.to_pem())
    (folder / "signature").write_bytes(key.sign(MESSAGE))
    assert b"OK" in openssl(
        "dgst", "-sha384", "-verify", folder / "p.pem", "-signature", folder / "signature", message
    )
    assert public.verify(MESSAGE, openssl("dgst", "-sha384", "-sign", file, message))
    longer = ["-sigopt", "rsa_pss_saltlen:40", "-sign", file, message]
    made = openssl("dgst", "-sha384", *longer)
    assert not public.verify(MESSAGE, made)
    assert public.verify(MESSAGE, made, salt_length=40)
    assert public.verify(MESSAGE, made, salt_length="any")
    refused: list[dict[str, Any]] = [{"hash": "sha256"}, {"mgf1_hash": "sha384"}, {"salt_length": 29}]
    for arguments in refused:
        for operation in (lambda a: key.sign(MESSAGE, **a), lambda a: public.verify(MESSAGE, made, **a)):
            with pytest.raises(ValueError, match="bound to another hash function"):
                operation(arguments)
    certificate = x509.load_pem_x509_certificate(openssl(*CERTIFICATE, "-key", file))
    assert PublicKey.load(certificate.public_bytes(serialization.Encoding.DER)) == public


def test_numbers_there_and_back(key: PrivateKey) -> None:
    numbers = key.private_numbers()
    their = their_rsa.RSAPrivateNumbers(
        numbers.p,
        numbers.q,
        numbers.d,
        numbers.dp,
        numbers.dq,
        numbers.q_inverse,
        their_rsa.RSAPublicNumbers(numbers.e, numbers.n),
    ).private_key()
    assert key.public_key.verify(MESSAGE, their.sign(MESSAGE, theirs.PKCS1v15(), hashes.SHA256()))
    of = PrivateKey.from_numbers
    n, e, d, p, q = numbers.n, numbers.e, numbers.d, numbers.p, numbers.q
    assert (key.n, key.e, key.public_key.n, key.public_key.e) == (n, e, n, e)
    for read in (of(n, e, d, p, q), of(n, e, d, p), of(n=n, e=e, d=d, p=p, q=q)):
        assert read.to_der() == key.to_der()
    assert {of(n, e, d).private_numbers().p, of(n, e, d).private_numbers().q} == {p, q}
    assert of(n, e, d, q=p).private_numbers().q == q
    assert PublicKey.from_numbers(n, e) == key.public_key
    assert str(d) not in repr(numbers) + str(vars(type(numbers)))


def test_numbers_that_are_none(key: PrivateKey) -> None:
    numbers = key.private_numbers()
    n, e, d = numbers.n, numbers.e, numbers.d
    rows: list[tuple[tuple[Any, ...], type[Exception], str]] = [
        ((n, e, d + 2), ValueError, "do not belong to the primes"),
        ((n, e, 0), ValueError, "do not belong to the primes"),
        ((n, e, d, 3), ValueError, "do not multiply to the modulus"),
        ((n, e, d, 0, 0), ValueError, "do not multiply to the modulus"),
        ((n, 4, d), ValueError, "the public exponent must be odd"),
        ((2**20000 + 1, e, d), ValueError, "the modulus must be odd and of 512 to 16384 bits"),
        ((15, 3, 3), ValueError, "the modulus must be odd and of 512 to 16384 bits"),
        ((n, e, -d), ValueError, "d is negative"),
        ((str(n), e, d), TypeError, "n must be an integer, not str"),
        ((n, e, d, 1.5), TypeError, "p must be an integer, not float"),
    ]
    for arguments, error, says in rows:
        with pytest.raises(error, match=says):
            PrivateKey.from_numbers(*arguments)


def test_messages_that_were_hashed(key: PrivateKey) -> None:
    """A hash object, and a hash, are signed as their message is."""
    public = key.public_key
    for name in ("sha256", "sha224", "sha512_256", "sha3_384"):
        hashed = hashlib.new(name, MESSAGE)
        arguments: dict[str, Any] = {"hash": name}
        signature = key.sign(MESSAGE, **arguments)
        assert key.sign(hashed) == signature
        assert key.sign(hashed, **arguments) == signature
        assert key.sign(hashed.digest(), prehashed=True, **arguments) == signature
        assert public.verify(hashed, signature)
        assert public.verify(hashed.digest(), signature, prehashed=True, **arguments)
        assert not public.verify(hashlib.new(name, b"other"), signature)
    wrong: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
        (hashlib.sha256(), {"hash": "sha512"}, ValueError, "was hashed with sha256, and not with sha512"),
        (hashlib.md5(usedforsecurity=False), {}, ValueError, "the hash function is one of"),
        (hashlib.sha1(usedforsecurity=False), {}, ValueError, "not made with SHA-1"),
        (bytes(31), {"prehashed": True}, ValueError, "the hash has another length"),
        (hashlib.shake_256(), {}, TypeError, "digest"),
        ("text", {}, TypeError, "the message must be bytes, not str"),
    ]
    for message, arguments, error, says in wrong:
        with pytest.raises(error, match=says):
            key.sign(message, **arguments)


def test_bytes_come_from_every_buffer(key: PrivateKey) -> None:
    document = key.to_pem().encode()
    kinds: tuple[Callable[[bytes], bytes | bytearray | memoryview], ...] = (bytes, bytearray, memoryview)
    for kind in kinds:
        read = PrivateKey.from_pem(kind(document))
        signature = read.sign(kind(MESSAGE))
        assert PublicKey.from_pem(kind(document)).verify(kind(MESSAGE), kind(signature))
        assert (
            read.decrypt(kind(read.public_key.encrypt(kind(MESSAGE), label=kind(b"l"))), label=kind(b"l"))
            == MESSAGE
        )
    for wrong in (1, None, [1], 1.5):
        with pytest.raises(TypeError, match="must be bytes, not"):
            PrivateKey.load(wrong)  # type: ignore[arg-type]


def test_copies_and_pickles(key: PrivateKey) -> None:
    public = key.public_key
    for same in (copy.copy(public), copy.deepcopy(public), pickle.loads(pickle.dumps(public))):
        assert (same, hash(same)) == (public, hash(public))
    assert copy.copy(key) is key
    assert copy.deepcopy([key])[0] is key
    with pytest.raises(TypeError, match="private keys are not pickled"):
        pickle.dumps(key)


def test_short_keys_say_so(key: PrivateKey) -> None:
    assert not key.public_key.is_short
    assert PrivateKey.generate(1024).public_key.is_short


def test_formats_that_are_none(key: PrivateKey) -> None:
    wrong: list[tuple[Callable[..., object], dict[str, Any], str]] = [
        (key.to_pem, {"format": "spki"}, "the format is pkcs8 or pkcs1"),
        (key.to_pem, {"format": "pkcs1", "passphrase": "x"}, "PKCS#1 is not written encrypted"),
        (key.to_pem, {"passphrase": ""}, "an empty passphrase"),
        (key.to_der, {"passphrase": b""}, "an empty passphrase"),
        (key.public_key.to_der, {"format": "pkcs8"}, "the format is spki or pkcs1"),
    ]
    for write, arguments, says in wrong:
        with pytest.raises(ValueError, match=says):
            write(**arguments)


def test_a_derivation_without_memory_is_an_error(tmp_path: Path) -> None:
    document = tmp_path / "key.der"
    command = ("pkcs8", "-topk8", "-scrypt", "-outform", "DER", "-passout", "pass:words")  # 16 MiB
    document.write_bytes(openssl(*command, content=PrivateKey.generate(512).to_pem().encode()))
    program = f"""
import resource
from pathlib import Path
from monpro.rsa import PrivateKey
pages = int(Path("/proc/self/statm").read_text().split()[0])
most = pages * resource.getpagesize() + (12 << 20)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
try:
    PrivateKey.load(Path({str(document)!r}).read_bytes(), passphrase="words")
except MemoryError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert done.stdout.startswith("there is too little memory for the derivation")
