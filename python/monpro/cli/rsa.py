"""`monpro rsa`: keys, signatures and encryption in files."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import typer

from monpro.cli.errors import CheckFailed, InputError
from monpro.cli.interrupt import interruptibly
from monpro.files import write_whole
from monpro.hardware import rsa
from monpro.hardware.exponentiation import Simulated
from monpro.rsa import PrivateKey, PublicKey

EncryptionPadding = Literal["oaep", "pkcs1v15"]
SignaturePadding = Literal["pkcs1v15", "pss"]
Hash = Literal["sha256", "sha384", "sha512"]
Key = TypeVar("Key")

KeyFile = Annotated[Path, typer.Option("--key", metavar="PEM", help="The file with the key.")]
Input = Annotated[Path, typer.Option("--in", metavar="FILE", help="The file to read.")]
Output = Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write.")]
HashName = Annotated[Hash, typer.Option("--hash", help="The hash function.")]
EncryptionName = Annotated[EncryptionPadding, typer.Option("--padding", help="The padding of the message.")]
SignatureName = Annotated[SignaturePadding, typer.Option("--padding", help="The padding of the hash.")]
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
    help="Make RSA keys, encrypt, decrypt, sign and verify. Keys are PEM files.", no_args_is_help=True
)


@app.command()
def genkey(
    out: Output,
    bits: Annotated[int, typer.Option(help="Bits of the modulus.")] = 3072,
    public: Annotated[
        Path | None, typer.Option("--public", metavar="FILE", help="The file for the public half.")
    ] = None,
) -> int:
    """Make a key with the public exponent 65537, in a file that only its owner can read."""
    with refusals("--bits"):
        key = interruptibly(partial(PrivateKey.generate, bits))
    write(out, key.to_pem(), secret=True)
    if public is not None:
        write(public, key.public_key.to_pem())
    return 0


@app.command()
def encrypt(
    key: KeyFile,
    input_: Input,
    out: Output,
    padding: EncryptionName = "oaep",
    hash_: HashName = "sha256",
    engine: EngineName = None,
) -> int:
    """Encrypt a short message with a public key."""
    public = read_key(PublicKey.from_pem, key)
    with refusals("--in"):
        encoded = public.encode(read(input_, "--in"), padding=padding, hash=hash_)
    ciphertext = public.raw(encoded)
    on_hardware(engine, lambda core: rsa.public_power(core, public, encoded))
    write(out, ciphertext)
    return 0


@app.command()
def decrypt(
    key: KeyFile,
    input_: Input,
    out: Output,
    padding: EncryptionName = "oaep",
    hash_: HashName = "sha256",
    engine: EngineName = None,
    engines: EngineCount = 1,
) -> int:
    """Decrypt with a private key, into a file that only its owner can read."""
    private = read_key(PrivateKey.from_pem, key)
    ciphertext = read(input_, "--in")
    with failures():
        message = private.decrypt(ciphertext, padding=padding, hash=hash_)
    on_hardware(engine, lambda core: rsa.private_power(core, private, ciphertext, engines), engines)
    write(out, message, secret=True)
    return 0


@app.command()
def sign(
    key: KeyFile,
    input_: Input,
    out: Output,
    padding: SignatureName = "pkcs1v15",
    hash_: HashName = "sha256",
    engine: EngineName = None,
    engines: EngineCount = 1,
) -> int:
    """Sign the file with a private key."""
    private = read_key(PrivateKey.from_pem, key)
    message = read(input_, "--in")
    with refusals("--key"):
        signature = private.sign(message, padding=padding, hash=hash_)
    encoded = private.public_key.raw(signature)
    on_hardware(engine, lambda core: rsa.private_power(core, private, encoded, engines), engines)
    write(out, signature)
    return 0


@app.command()
def verify(
    key: KeyFile,
    input_: Input,
    signature: Annotated[
        Path, typer.Option("--signature", metavar="FILE", help="The file with the signature.")
    ],
    padding: SignatureName = "pkcs1v15",
    hash_: HashName = "sha256",
    engine: EngineName = None,
) -> int:
    """Check a signature of the file with a public key; the status is 1 if it is wrong."""
    public = read_key(PublicKey.from_pem, key)
    message, octets = read(input_, "--in"), read(signature, "--signature")
    with refusals("--key"):
        is_good = public.verify(message, octets, padding=padding, hash=hash_)
    if not is_good:
        raise CheckFailed(f"{signature} is not a signature of {input_} by this key")
    on_hardware(engine, lambda core: rsa.public_power(core, public, octets))
    typer.echo("the signature is good")
    return 0


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


def read_key(decode: Callable[[str], Key], path: Path) -> Key:
    """Return the key in a file; InputError if there is none."""
    with refusals("--key"):
        return decode(read(path, "--key").decode("ascii", errors="replace"))


def read(path: Path, option: str) -> bytes:
    """Return the content of a file; InputError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{option}: cannot read {path}: {error.strerror}") from None


def write(path: Path, content: str | bytes, *, secret: bool = False) -> None:
    """Write a file, whole or not at all; InputError if it cannot be written."""
    try:
        write_whole(path, content, secret=secret)
    except OSError as error:
        raise InputError(f"--out: cannot write {path}: {error.strerror}") from None
