"""`monpro rsa`: keys, signatures and encryption in files."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, TypedDict, TypeVar

import typer

from monpro.cli.errors import CheckFailed, InputError
from monpro.cli.files import read, refuse_equal, refuse_present, write
from monpro.cli.interrupt import interruptibly
from monpro.hardware import rsa
from monpro.hardware.exponentiation import Simulated
from monpro.rsa import PrivateKey, PublicKey

EncryptionPadding = Literal["oaep", "pkcs1v15"]
SignaturePadding = Literal["pkcs1v15", "pss"]
Hash = Literal[
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha512_224",
    "sha512_256",
    "sha3_224",
    "sha3_256",
    "sha3_384",
    "sha3_512",
]
Key = TypeVar("Key", PrivateKey, PublicKey)

KeyFile = Annotated[Path, typer.Option("--key", metavar="FILE", help="The file with the key, or -.")]
Input = Annotated[Path, typer.Option("--in", metavar="FILE", help="The file to read, or -.")]
Output = Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write, or -.")]
HashName = Annotated[Hash, typer.Option("--hash", help="The hash function.")]
EncryptionName = Annotated[EncryptionPadding, typer.Option("--padding", help="The padding of the message.")]
SignatureName = Annotated[SignaturePadding, typer.Option("--padding", help="The padding of the hash.")]
Mgf1Name = Annotated[
    Hash | None, typer.Option("--mgf1", help="The hash function of MGF1, if not --hash; of oaep and pss.")
]
SaltLength = Annotated[
    str | None,
    typer.Option(
        "--salt-length",
        metavar="hash|any|BYTES",
        help="The salt of pss: as long as the hash (the default), of any length, or of this number of bytes.",
    ),
]
Label = Annotated[
    str | None,
    typer.Option("--label", help="The label of oaep: the message decrypts with this label only."),
]
EngineName = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="A hardware core, such as systolic, or systolic-rtl for its RTL. Also simulates the operation "
        "on it, checks that the results agree, and prints the cycles.",
    ),
]
EngineCount = Annotated[
    int, typer.Option("--engines", min=1, max=2, help="With 2, two cores compute the halves at once.")
]

app = typer.Typer(
    help="Make RSA keys, encrypt, decrypt, sign and verify. Keys are files in PEM or DER.",
    no_args_is_help=True,
)


@app.command()
def genkey(
    out: Output,
    bits: Annotated[int, typer.Option(help="Bits of the modulus.")] = 3072,
    public: Annotated[
        Path | None, typer.Option("--public", metavar="FILE", help="The file for the public half, or -.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there already.")] = False,
) -> int:
    """Make a key with the public exponent 65537, in a file that only its owner can read."""
    files = {"--out": out} | ({} if public is None else {"--public": public})
    refuse_equal(files)
    if not force:
        refuse_present(files)
    with refusals("--bits"):
        key = interruptibly(partial(PrivateKey.generate, bits))
    write(out, key.to_pem(), "--out", secret=True, force=force)
    if public is not None:
        write(public, key.public_key.to_pem(), "--public", force=force)
    return 0


@app.command()
def encrypt(
    key: KeyFile,
    input_: Input,
    out: Output,
    padding: EncryptionName = "oaep",
    hash_: HashName = "sha256",
    mgf1: Mgf1Name = None,
    label: Label = None,
    engine: EngineName = None,
) -> int:
    """Encrypt a short message with a public key."""
    refuse_equal({"--out": out}, {"--key": key, "--in": input_})
    options = oaep_options(padding, mgf1, label)
    public = read_key(PublicKey, key)
    with refusals("--in"):
        encoded = public.encode(read(input_, "--in"), padding=padding, hash=hash_, **options)
    ciphertext = public.raw(encoded)
    on_hardware(engine, lambda core: rsa.public_power(core, public, encoded))
    write(out, ciphertext, "--out")
    return 0


@app.command()
def decrypt(
    key: KeyFile,
    input_: Input,
    out: Output,
    padding: EncryptionName = "oaep",
    hash_: HashName = "sha256",
    mgf1: Mgf1Name = None,
    label: Label = None,
    engine: EngineName = None,
    engines: EngineCount = 1,
) -> int:
    """Decrypt with a private key, into a file that only its owner can read."""
    refuse_equal({"--out": out}, {"--key": key, "--in": input_})
    options = oaep_options(padding, mgf1, label)
    private = read_key(PrivateKey, key)
    ciphertext = read(input_, "--in")
    with failures():
        message = private.decrypt(ciphertext, padding=padding, hash=hash_, **options)
    on_hardware(engine, lambda core: rsa.private_power(core, private, ciphertext, engines), engines)
    write(out, message, "--out", secret=True)
    return 0


@app.command()
def sign(
    key: KeyFile,
    input_: Input,
    out: Output,
    padding: SignatureName = "pkcs1v15",
    hash_: HashName = "sha256",
    salt_length: SaltLength = None,
    mgf1: Mgf1Name = None,
    engine: EngineName = None,
    engines: EngineCount = 1,
) -> int:
    """Sign the file with a private key."""
    refuse_equal({"--out": out}, {"--key": key, "--in": input_})
    options = pss_options(padding, salt_length, mgf1)
    private = read_key(PrivateKey, key)
    message = read(input_, "--in")
    with refusals("--hash"):
        signature = private.sign(message, padding=padding, hash=hash_, **options)
    encoded = private.public_key.raw(signature)
    on_hardware(engine, lambda core: rsa.private_power(core, private, encoded, engines), engines)
    write(out, signature, "--out")
    return 0


@app.command()
def verify(
    key: KeyFile,
    input_: Input,
    signature: Annotated[
        Path, typer.Option("--signature", metavar="FILE", help="The file with the signature, or -.")
    ],
    padding: SignatureName = "pkcs1v15",
    hash_: HashName = "sha256",
    salt_length: SaltLength = None,
    mgf1: Mgf1Name = None,
    engine: EngineName = None,
) -> int:
    """Check a signature of the file with a public key; the status is 1 if it is wrong."""
    refuse_equal({}, {"--key": key, "--in": input_, "--signature": signature})
    options = pss_options(padding, salt_length, mgf1)
    public = read_key(PublicKey, key)
    message, octets = read(input_, "--in"), read(signature, "--signature")
    with refusals("--hash"):
        is_good = public.verify(message, octets, padding=padding, hash=hash_, **options)
    if not is_good:
        raise CheckFailed(f"{signature} is not a signature of {input_} by this key")
    on_hardware(engine, lambda core: rsa.public_power(core, public, octets))
    typer.echo("the signature is good")
    return 0


class PssOptions(TypedDict):
    """The options of the padding pss, as `monpro.rsa` takes them."""

    salt_length: int | Literal["hash", "any"] | None
    mgf1_hash: Hash | None


class OaepOptions(TypedDict):
    """The options of the padding oaep, as `monpro.rsa` takes them."""

    mgf1_hash: Hash | None
    label: bytes | None


def pss_options(padding: SignaturePadding, salt_length: str | None, mgf1: Hash | None) -> PssOptions:
    """Return the options of pss; InputError if there are some for another padding."""
    if padding != "pss" and (salt_length is not None or mgf1 is not None):
        raise InputError("--salt-length, --mgf1: these belong to --padding pss: add that, or omit them")
    return {"salt_length": parse_salt_length(salt_length), "mgf1_hash": mgf1}


def oaep_options(padding: EncryptionPadding, mgf1: Hash | None, label: str | None) -> OaepOptions:
    """Return the options of oaep; InputError if there are some for another padding."""
    if padding != "oaep" and (mgf1 is not None or label is not None):
        raise InputError("--mgf1, --label: these belong to --padding oaep: add that, or omit them")
    return {"mgf1_hash": mgf1, "label": None if label is None else os.fsencode(label)}


def parse_salt_length(text: str | None) -> int | Literal["hash", "any"] | None:
    """Return the length of a salt; InputError if the text is none."""
    match text:
        case None | "hash" | "any":
            return text
        case digits if re.fullmatch("[0-9]{1,9}", digits):
            return int(digits)
        case _:
            raise InputError("--salt-length: give hash, any, or a number of bytes")


def on_hardware(name: str | None, operate: Callable[[Simulated], rsa.Operation], engines: int = 1) -> None:
    """Run the operation on a core too, if one is named, and print its cycles; CheckFailed if it is wrong."""
    if name is None:
        if engines > 1:
            raise InputError("--engines: name the core with --engine")
        return
    with refusals("--engine"):
        core = rsa.find(name)
        operation = interruptibly(partial(operate, core))
    halves = {1: "", 2: ", by halves in turn"}[len(operation.cycles)]
    halves = ", by halves at once on two engines" if operation.engines == 2 else halves
    sys.stderr.write(f"{name} agrees: {operation.total_cycles:,} clock cycles{halves}\n")


@contextmanager
def refusals(option: str) -> Iterator[None]:
    """Turn an error in an option's value into an InputError, and a withheld result into a CheckFailed."""
    try:
        yield
    except (ValueError, OverflowError) as error:
        raise InputError(f"{option}: {error}") from None
    except RuntimeError as error:
        raise CheckFailed(str(error)) from None


@contextmanager
def failures() -> Iterator[None]:
    """Turn a ciphertext that does not decrypt, or a withheld result, into a CheckFailed."""
    try:
        yield
    except (ValueError, RuntimeError) as error:
        raise CheckFailed(str(error)) from None


def read_key(kind: type[Key], path: Path) -> Key:
    """Return the key in a file, in PEM or DER; InputError if there is none."""
    octets = read(path, "--key")
    with refusals("--key"):
        if b"-----BEGIN" in octets:
            return kind.from_pem(octets.decode("ascii", errors="replace"))
        return kind.from_der(octets)
