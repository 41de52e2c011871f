"""Files that are not the key that was asked for, as real tools write them: each error says what was found."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed448, ed25519, x448, x25519
from cryptography.hazmat.primitives.serialization import pkcs7, pkcs12
from cryptography.x509 import load_pem_x509_certificate

from conftest import Cli
from monpro.rsa import PassphraseNeeded, PrivateKey, PublicKey

ENCODING, PRIVATE, PUBLIC = serialization.Encoding, serialization.PrivateFormat, serialization.PublicFormat
PLAIN = serialization.NoEncryption()
READ = ""  # in place of an error's text: the key is read


def openssl(*arguments: object, content: bytes = b"") -> bytes:
    """Return the output of the command, which must succeed."""
    command = ["openssl", *map(str, arguments)]
    return subprocess.run(command, input=content, capture_output=True, check=True).stdout


PEM = openssl("genrsa", "2048")
DER = openssl("rsa", "-outform", "DER", content=PEM)
RSA = serialization.load_pem_private_key(PEM, None)
EC = ec.generate_private_key(ec.SECP256R1())
ED25519 = ed25519.Ed25519PrivateKey.generate()
DSA = dsa.generate_private_key(1024)  # noqa: S505  (to be refused)
CERTIFICATE = openssl("req", "-x509", "-new", "-key", "/dev/stdin", "-subj", "/CN=a", content=PEM)
REQUEST = openssl("req", "-new", "-key", "/dev/stdin", "-subj", "/CN=a", content=PEM)
LOADED = load_pem_x509_certificate(CERTIFICATE)
PRIVATE_NEEDED = "a private one is needed"
KEY_NEEDED = "a private key is needed"


def der(text: bytes) -> bytes:
    """Return the DER in a text in PEM."""
    return openssl("enc", "-d", "-base64", content=b"".join(text.splitlines(keepends=True)[1:-1]))


def pkcs8(key: object, encoding: serialization.Encoding = ENCODING.PEM) -> bytes:
    """Return a private key of `cryptography` as PKCS#8."""
    return key.private_bytes(encoding, PRIVATE.PKCS8, PLAIN)  # type: ignore[attr-defined,no-any-return]


def spki(key: object, encoding: serialization.Encoding = ENCODING.PEM) -> bytes:
    """Return the public half of a private key of `cryptography` as SubjectPublicKeyInfo."""
    public = key.public_key()  # type: ignore[attr-defined]
    return public.public_bytes(encoding, PUBLIC.SubjectPublicKeyInfo)  # type: ignore[no-any-return]


def openssh(key: object) -> bytes:
    """Return the public half of a key in the format of OpenSSH."""
    public = key.public_key()  # type: ignore[attr-defined]
    return public.public_bytes(ENCODING.OpenSSH, PUBLIC.OpenSSH)  # type: ignore[no-any-return]


def traditional(cipher: str) -> bytes:
    """Return the key in OpenSSL's own encryption, with headers."""
    return openssl("rsa", "-traditional", cipher, "-passout", "pass:secret", content=PEM)


def topk8(*options: str) -> bytes:
    """Return the key as encrypted PKCS#8."""
    return openssl("pkcs8", "-topk8", *options, "-passout", "pass:secret", content=PEM)


def revoked() -> bytes:
    """Return an empty list of revoked certificates, by the structure of RFC 5280, §5.1."""
    crl = pytest.importorskip("cryptography.x509")
    from datetime import UTC, datetime  # noqa: PLC0415

    builder = crl.CertificateRevocationListBuilder().issuer_name(LOADED.subject)
    builder = builder.last_update(datetime(2026, 1, 1, tzinfo=UTC)).next_update(
        datetime(2027, 1, 1, tzinfo=UTC)
    )
    return builder.sign(RSA, hashes.SHA256()).public_bytes(ENCODING.PEM)  # type: ignore[no-any-return]


def pkcs12_file() -> bytes:
    """Return key and certificate as PKCS#12."""
    return pkcs12.serialize_key_and_certificates(b"a", RSA, LOADED, None, PLAIN)  # type: ignore[arg-type]


CURVE, EDWARDS = "a key of an elliptic curve", "a key of Curve25519 or Curve448"
OLD, OTHER = "encrypted in an old way", "encrypted by other functions"
NEEDED = "the key is encrypted: give its passphrase"
# What a file holds, and what loading it as a private and as a public key says.
ROWS: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "nothing": (lambda: b"", "is empty", "is empty"),
    "a line end": (lambda: b"\n", "is empty", "is empty"),
    "EC, PKCS#8": (lambda: pkcs8(EC), CURVE, CURVE),
    "EC, PKCS#8 in DER": (lambda: pkcs8(EC, ENCODING.DER), CURVE, CURVE),
    "EC, SEC 1 with parameters": (lambda: openssl("ecparam", "-name", "secp384r1", "-genkey"), CURVE, CURVE),
    "EC, SEC 1 in DER": (
        lambda: EC.private_bytes(ENCODING.DER, PRIVATE.TraditionalOpenSSL, PLAIN),
        CURVE,
        CURVE,
    ),
    "EC, public": (lambda: spki(EC), PRIVATE_NEEDED, CURVE),
    "EC, public in DER": (lambda: spki(EC, ENCODING.DER), CURVE, CURVE),
    "EC parameters": (
        lambda: openssl("ecparam", "-name", "secp384r1"),
        "parameters without",
        "parameters without",
    ),
    "DH parameters": (
        lambda: openssl("genpkey", "-genparam", "-algorithm", "DH", "-pkeyopt", "group:ffdhe2048"),
        "parameters without",
        "parameters without",
    ),
    "DH": (
        lambda: openssl("genpkey", "-algorithm", "DH", "-pkeyopt", "group:ffdhe2048"),
        "Diffie-Hellman",
        "Diffie-Hellman",
    ),
    "Ed25519": (lambda: pkcs8(ED25519), EDWARDS, EDWARDS),
    "Ed25519, public": (lambda: spki(ED25519, ENCODING.DER), EDWARDS, EDWARDS),
    "Ed448": (lambda: pkcs8(ed448.Ed448PrivateKey.generate()), EDWARDS, EDWARDS),
    "X25519": (lambda: pkcs8(x25519.X25519PrivateKey.generate()), EDWARDS, EDWARDS),
    "X448": (lambda: pkcs8(x448.X448PrivateKey.generate()), EDWARDS, EDWARDS),
    "DSA": (lambda: pkcs8(DSA), "a key of DSA", "a key of DSA"),
    "DSA, traditional": (
        lambda: DSA.private_bytes(ENCODING.PEM, PRIVATE.TraditionalOpenSSL, PLAIN),
        "a key of DSA",
        "a key of DSA",
    ),
    "DSA, traditional in DER": (
        lambda: DSA.private_bytes(ENCODING.DER, PRIVATE.TraditionalOpenSSL, PLAIN),
        "a key of DSA",
        "a key of DSA",
    ),
    "OpenSSH": (
        lambda: RSA.private_bytes(ENCODING.PEM, PRIVATE.OpenSSH, PLAIN),
        "OpenSSH's own",
        "OpenSSH's own",
    ),
    "OpenSSH, Ed25519": (
        lambda: ED25519.private_bytes(ENCODING.PEM, PRIVATE.OpenSSH, PLAIN),
        "OpenSSH's own",
        "OpenSSH's own",
    ),
    "OpenSSH, public": (lambda: openssh(RSA), "ssh-keygen -e -m PKCS8", "ssh-keygen -e -m PKCS8"),
    "OpenSSH, EC, public": (lambda: openssh(EC), "ssh-keygen -e -m PKCS8", "ssh-keygen -e -m PKCS8"),
    "a public key": (lambda: spki(RSA), PRIVATE_NEEDED, READ),
    "a public key in DER": (lambda: spki(RSA, ENCODING.DER), PRIVATE_NEEDED, READ),
    "a public key, PKCS#1": (
        lambda: RSA.public_key().public_bytes(ENCODING.PEM, PUBLIC.PKCS1),
        PRIVATE_NEEDED,
        READ,
    ),
    "a public key, PKCS#1 in DER": (
        lambda: RSA.public_key().public_bytes(ENCODING.DER, PUBLIC.PKCS1),
        PRIVATE_NEEDED,
        READ,
    ),
    "a certificate": (lambda: CERTIFICATE, KEY_NEEDED, READ),
    "a certificate in DER": (lambda: LOADED.public_bytes(ENCODING.DER), KEY_NEEDED, READ),
    "a trusted certificate": (
        lambda: openssl("x509", "-trustout", "-addtrust", "serverAuth", content=CERTIFICATE),
        KEY_NEEDED,
        READ,
    ),
    "a certificate request": (lambda: REQUEST, "request for a certificate", "request for a certificate"),
    "a certificate request in DER": (
        lambda: der(REQUEST),
        "request for a certificate",
        "request for a certificate",
    ),
    "revoked certificates": (revoked, "revoked certificates", "revoked certificates"),
    "revoked certificates in DER": (lambda: der(revoked()), "revoked certificates", "revoked certificates"),
    "PKCS#7": (lambda: pkcs7.serialize_certificates([LOADED], ENCODING.PEM), "PKCS#7", "PKCS#7"),
    "PKCS#7 in DER": (lambda: pkcs7.serialize_certificates([LOADED], ENCODING.DER), "PKCS#7", "PKCS#7"),
    "PKCS#12": (pkcs12_file, "a PKCS#12 file", "a PKCS#12 file"),
    "encrypted": (topk8, NEEDED, NEEDED),
    "encrypted, triple DES": (lambda: topk8("-v2", "des3"), NEEDED, NEEDED),
    "Proc-Type, AES": (lambda: traditional("-aes256"), OLD, OLD),
    "Proc-Type, triple DES": (lambda: traditional("-des3"), OLD, OLD),
    "PEM in one line": (lambda: PEM.replace(b"\n", b""), READ, READ),
    "PEM with spaces": (lambda: PEM.replace(b"\n", b"  \n "), READ, READ),
    "PEM with CR LF and a byte order mark": (
        lambda: b"\xef\xbb\xbf" + PEM.replace(b"\n", b"\r\n"),
        READ,
        READ,
    ),
    "PEM in a variable": (
        lambda: PEM.replace(b"\n", b"\\n"),
        r"the two characters \\n",
        r"the two characters \\n",
    ),
    "PEM in UTF-16": (lambda: PEM.decode().encode("utf-16"), "UTF-16", "UTF-16"),
    "PEM cut off": (lambda: PEM[:800], "without the line -----END", "without the line -----END"),
    "PEM without its lines": (lambda: b"".join(PEM.splitlines()[1:-1]), "base64 without", "base64 without"),
    "PEM with HTML": (
        lambda: PEM.replace(b"\n", b"<br>\n"),
        "something else than base64",
        "something else than base64",
    ),
    "PEM after text": (lambda: openssl("rsa", "-text", content=PEM), READ, READ),
    "text of a key": (lambda: openssl("rsa", "-text", "-noout", content=PEM), "not a key", "not a key"),
    "DER cut off": (lambda: DER[:700], "not a key", "not a key"),
    "DER with an octet behind": (lambda: DER + b"\0", "not a key", "not a key"),
    "DER twice": (lambda: DER + DER, "not a key", "not a key"),
    "DER in base64": (lambda: openssl("enc", "-base64", content=DER), "base64 without", "base64 without"),
    "a JSON Web Key": (lambda: b'{"kty":"RSA","n":"AQAB","e":"AQAB"}', "a JSON Web Key", "a JSON Web Key"),
    "XML of .NET": (
        lambda: b"<RSAKeyValue><Modulus>AQAB</Modulus></RSAKeyValue>",
        "a key of .NET",
        "a key of .NET",
    ),
    "PuTTY": (lambda: b"PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\n", "PuTTY's own", "PuTTY's own"),
    "SSH2": (lambda: b"---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n", "SSH2", "SSH2"),
    "OpenPGP": (
        lambda: b"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQ==\n-----END PGP PRIVATE KEY BLOCK-----\n",
        "OpenPGP",
        "OpenPGP",
    ),
    "a key store of Java": (lambda: b"\xfe\xed\xfe\xed\0\0\0\2", "key store of Java", "key store of Java"),
    "a blob of Microsoft": (
        lambda: openssl("rsa", "-outform", "MSBLOB", content=PEM),
        "CryptoAPI",
        "CryptoAPI",
    ),
    "encrypted by Camellia": (lambda: topk8("-v2", "camellia256"), OTHER, OTHER),
    "another label": (
        lambda: PEM.replace(b"PRIVATE KEY", b"SECRET"),
        "something else than a key",
        "something else",
    ),
    "octets that begin as JSON": (lambda: b"{" + bytes([200] * 255), "not a key", "not a key"),
    "zeros": (lambda: bytes(1000), "not a key", "not a key"),
    "two mebibytes": (lambda: bytes(1 << 21), "far longer than any RSA key", "far longer than any RSA key"),
    "a signature": (lambda: RSA.sign(b"", *signing()), "not a key", "not a key"),  # type: ignore[union-attr,arg-type]
}


def signing() -> tuple[object, ...]:
    """Return the padding and the hash function of a signature."""
    from cryptography.hazmat.primitives.asymmetric import padding  # noqa: PLC0415

    return padding.PKCS1v15(), hashes.SHA256()


@pytest.mark.parametrize("name", ROWS)
def test_what_was_found_is_said(cli: Cli, tmp_path: Path, name: str) -> None:
    make, as_private, as_public = ROWS[name]
    document = make()
    for kind, says in ((PrivateKey, as_private), (PublicKey, as_public)):
        if says == READ:
            assert kind.load(document).n == PrivateKey.load(PEM).n
            continue
        with pytest.raises(PassphraseNeeded if says == NEEDED else ValueError, match=says) as refused:
            kind.load(document)
        assert "\n" not in str(refused.value)
    if as_private == READ:
        return
    file, out = tmp_path / "key", tmp_path / "out"
    file.write_bytes(document)
    line = cli.complaint(
        "rsa", "sign", "--key", str(file), "--in", str(file), "--out", str(out), "--passphrase", "env:"
    )
    assert line.startswith("monpro: --key: " if as_private != NEEDED else "monpro: --passphrase: ")
    assert not out.exists()


def test_old_encryptions_of_pkcs8() -> None:
    """PBES1 and the encryption of PKCS#12, as OpenSSL's option -v1 writes them, are named."""
    for scheme in ("PBE-MD5-DES", "PBE-SHA1-3DES", "PBE-SHA1-RC2-40"):
        command = ["openssl", "pkcs8", "-topk8", "-v1", scheme, "-passout", "pass:secret"]
        for provider in ([], ["-provider", "legacy", "-provider", "default"]):
            made = subprocess.run([*command, *provider], input=PEM, capture_output=True, check=False)
            if made.returncode == 0:
                with pytest.raises(ValueError, match=OLD):
                    PrivateKey.load(made.stdout, passphrase="secret")  # noqa: S106  (of the line above)
                break
        else:
            pytest.fail(f"OpenSSL does not write {scheme}")


def test_costly_encryption_is_refused_at_once() -> None:
    """The parameters of scrypt tell the cost before anything is computed."""
    document = topk8("-outform", "DER", "-scrypt", "-scrypt_N", "1024", "-scrypt_r", "8", "-scrypt_p", "1")
    assert PrivateKey.load(document, passphrase="secret").n == PrivateKey.load(PEM).n  # noqa: S106  (of `topk8`)
    costly = document.replace(b"\2\1\x08\2\1\1", b"\2\1\x7f\2\1\x7f", 1)
    assert costly != document
    with pytest.raises(ValueError, match="would take too long"):
        PrivateKey.load(costly, passphrase="secret")  # noqa: S106  (as above)
