"""`monpro rsa`: keys, signatures and encryption in files."""

import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from monpro.cli.errors import CheckFailed, InputError
from monpro.cli.files import STANDARD, output_file, refuse_equal, refuse_present, write
from monpro.cli.interrupt import interruptibly
from monpro.cli.output import print_json
from monpro.cli.passphrase import read_passphrase
from monpro.cli.rsa_input import hash_file, parse_key, read_key, read_short, refusals, warn_if_short
from monpro.cli.rsa_options import (
    EncryptionName,
    EngineCount,
    EngineName,
    Force,
    Input,
    Json,
    KeyFile,
    Label,
    Mgf1Name,
    NewPassphrase,
    OaepHash,
    Output,
    Passphrase,
    SaltLength,
    SignatureFile,
    SignatureHash,
    SignatureName,
    oaep_options,
    signature_options,
)
from monpro.hardware import rsa
from monpro.hardware.exponentiation import Simulated
from monpro.rsa import Hash, PassphraseNeeded, PrivateKey, PublicKey

Facts = dict[str, object]
Form = Literal["pem", "der"]
Structure = Literal["pkcs8", "spki", "pkcs1"]

app = typer.Typer(
    help="Make RSA keys, encrypt, decrypt, sign and verify. Keys are files in PEM or DER.",
    no_args_is_help=True,
)


@app.command()
def genkey(
    out: Output,
    bits: Annotated[int, typer.Option(help="Bits of the modulus.")] = 3072,
    public: Annotated[
        Path | None,
        typer.Option(
            "--public", metavar="FILE", parser=output_file, help="The file for the public half, or -."
        ),
    ] = None,
    new_passphrase: NewPassphrase = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Make a key with the public exponent 65537, in a file that only its owner can read."""
    files = {"--out": out} | ({} if public is None else {"--public": public})
    refuse_equal(files)
    refuse_json_on(json, *files.values())
    if not force:
        refuse_present(files)
    secret = read_new_passphrase(new_passphrase, out)
    with refusals("--bits"):
        key = interruptibly(partial(PrivateKey.generate, bits))
    write(out, encoded_private(key, "pem", None, secret), "--out", secret=True, force=force)
    if public is not None:
        write(public, key.public_key.to_pem(), "--public", force=force)
    report(json, facts_of(key.public_key) | {"encrypted": secret is not None})
    warn_if_short(key.public_key)
    return 0


@app.command()
def show(key: KeyFile, passphrase: Passphrase = None, json: Json = False) -> int:
    """Say what a key is: length, exponent, use, fingerprint. Its private numbers are not shown."""
    private, public = read_any_key(key, passphrase)
    facts = facts_of(public) | {"kind": "public" if private is None else "private"}
    if private is not None:
        facts["primes"] = 2 + len(private.private_numbers().others)
    if json:
        print_json(facts | {"e": public.e, "n": hex(public.n)})
    else:
        for name, value in (facts | {"e": public.e}).items():
            typer.echo(f"{name:12} {value}")
    warn_if_short(public)
    return 0


@app.command()
def convert(
    key: KeyFile,
    out: Output,
    public: Annotated[bool, typer.Option("--public", help="Write the public half alone.")] = False,
    form: Annotated[Form, typer.Option(help="The encoding of the file that is written.")] = "pem",
    structure: Annotated[
        Structure | None,
        typer.Option("--format", help="pkcs8 (the default) or pkcs1; of a public key spki or pkcs1."),
    ] = None,
    passphrase: Passphrase = None,
    new_passphrase: NewPassphrase = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Write a key in another form. A private key is encrypted only with --new-passphrase."""
    refuse_equal({"--out": out}, {"--key": key})
    refuse_json_on(json, out)
    if not force:
        refuse_present({"--out": out})
    if public and new_passphrase is not None:
        raise InputError("--new-passphrase: a public key is not encrypted: omit it, or --public")
    if public:
        read = read_key(PublicKey, key, passphrase)
        content: str | bytes = encoded_public(read, form, structure)
    else:
        private = read_key(PrivateKey, key, passphrase)
        read = private.public_key
        content = encoded_private(private, form, structure, read_new_passphrase(new_passphrase, out))
    write(out, content, "--out", secret=not public, force=force)
    report(json, facts_of(read) | {"encrypted": new_passphrase is not None})
    warn_if_short(read)
    return 0


@app.command()
def encrypt(
    key: KeyFile,
    input_: Input,
    out: Output,
    padding: EncryptionName = "oaep",
    hash_: OaepHash = "sha256",
    mgf1: Mgf1Name = None,
    label: Label = None,
    passphrase: Passphrase = None,
    engine: EngineName = None,
    json: Json = False,
) -> int:
    """Encrypt a short message with a public key."""
    refuse_equal({"--out": out}, {"--key": key, "--in": input_})
    refuse_json_on(json, out)
    options = oaep_options(padding, mgf1, label)
    public = read_key(PublicKey, key, passphrase)
    with refusals("--in"):
        encoded = public.encode(read_short(input_, "--in"), padding=padding, hash=hash_, **options)
    ciphertext = public.raw(encoded)
    cycles = on_hardware(engine, lambda core: rsa.public_power(core, public, encoded))
    write(out, ciphertext, "--out")
    report(json, {"bits": public.bits, "padding": padding, "bytes": len(ciphertext)} | cycles)
    warn_if_short(public)
    return 0


@app.command()
def decrypt(
    key: KeyFile,
    input_: Input,
    out: Output,
    padding: EncryptionName = "oaep",
    hash_: OaepHash = "sha256",
    mgf1: Mgf1Name = None,
    label: Label = None,
    passphrase: Passphrase = None,
    engine: EngineName = None,
    engines: EngineCount = 1,
    json: Json = False,
) -> int:
    """Decrypt with a private key, into a file that only its owner can read."""
    refuse_equal({"--out": out}, {"--key": key, "--in": input_})
    refuse_json_on(json, out)
    options = oaep_options(padding, mgf1, label)
    private = read_key(PrivateKey, key, passphrase)
    refuse_pss_key(private.public_key)
    ciphertext = read_short(input_, "--in")
    with failures():
        message = private.decrypt(ciphertext, padding=padding, hash=hash_, **options)
    cycles = on_hardware(engine, lambda core: rsa.private_power(core, private, ciphertext, engines), engines)
    write(out, message, "--out", secret=True)
    report(json, {"bits": private.bits, "padding": padding, "bytes": len(message)} | cycles)
    warn_if_short(private.public_key)
    return 0


@app.command()
def sign(
    key: KeyFile,
    input_: Input,
    out: Output,
    padding: SignatureName = None,
    hash_: SignatureHash = None,
    salt_length: SaltLength = None,
    mgf1: Mgf1Name = None,
    passphrase: Passphrase = None,
    engine: EngineName = None,
    engines: EngineCount = 1,
    json: Json = False,
) -> int:
    """Sign the file, of any size, with a private key."""
    refuse_equal({"--out": out}, {"--key": key, "--in": input_})
    refuse_json_on(json, out)
    private = read_key(PrivateKey, key, passphrase)
    public = private.public_key
    options = signature_options(padding, salt_length, mgf1, of_pss=public.pss_limits is not None)
    with refusals("--hash"):
        hashed = interruptibly(partial(hash_file, input_, hash_name(public, hash_)))
        signature = private.sign(hashed, **options)
    encoded = public.raw(signature)
    cycles = on_hardware(engine, lambda core: rsa.private_power(core, private, encoded, engines), engines)
    write(out, signature, "--out")
    report(json, signature_facts(public, hashed) | {"bytes": len(signature)} | cycles)
    warn_if_short(public)
    return 0


@app.command()
def verify(
    key: KeyFile,
    input_: Input,
    signature: SignatureFile,
    padding: SignatureName = None,
    hash_: SignatureHash = None,
    salt_length: SaltLength = None,
    mgf1: Mgf1Name = None,
    passphrase: Passphrase = None,
    engine: EngineName = None,
    json: Json = False,
) -> int:
    """Check a signature of the file, of any size, with a public key; the status is 1 if it is wrong."""
    refuse_equal({}, {"--key": key, "--in": input_, "--signature": signature})
    public = read_key(PublicKey, key, passphrase)
    options = signature_options(padding, salt_length, mgf1, of_pss=public.pss_limits is not None)
    octets = read_short(signature, "--signature")
    with refusals("--hash"):
        hashed = interruptibly(partial(hash_file, input_, hash_name(public, hash_)))
        is_good = public.verify(hashed, octets, **options)
    facts = signature_facts(public, hashed) | {"good": is_good}
    if not is_good:
        report(json, facts)
        raise CheckFailed(f"{signature} is not a signature of {input_} by this key")
    cycles = on_hardware(engine, lambda core: rsa.public_power(core, public, octets))
    report(json, facts | cycles)
    if not json:
        typer.echo("the signature is good")
    warn_if_short(public)
    return 0


def hash_name(key: PublicKey, asked: Hash | None) -> Hash:
    """Return the hash function that is asked for, or the one that the key is bound to, or SHA-256."""
    return asked or (key.pss_limits[0] if key.pss_limits else "sha256")


def read_new_passphrase(source: str | None, out: Path) -> bytes | None:
    """Return the passphrase with which a key is to be encrypted, or None; InputError if it is empty."""
    if source is None:
        return None
    secret = read_passphrase(source, "--new-passphrase", f"the new {out}", twice=True)
    if not secret:
        raise InputError("--new-passphrase: an empty passphrase protects nothing: give a longer one")
    return secret


def read_any_key(path: Path, passphrase: str | None) -> tuple[PrivateKey | None, PublicKey]:
    """Return the private key in a file, if it holds one, and the public key; InputError if it holds none."""
    document = read_short(path, "--key")
    try:
        PrivateKey.load(document)
    except PassphraseNeeded:
        pass
    except ValueError:
        return None, parse_key(PublicKey, document, path, passphrase)
    private = parse_key(PrivateKey, document, path, passphrase)
    return private, private.public_key


def encoded_private(
    key: PrivateKey, form: Form, structure: Structure | None, secret: bytes | None
) -> str | bytes:
    """Return a private key as it is written; InputError for a structure that it has not."""
    if structure == "spki":
        raise InputError("--format: spki is of public keys: add --public, or choose pkcs8 or pkcs1")
    with refusals("--format"):
        return (key.to_pem if form == "pem" else key.to_der)(format=structure or "pkcs8", passphrase=secret)


def encoded_public(key: PublicKey, form: Form, structure: Structure | None) -> str | bytes:
    """Return a public key as it is written; InputError for a structure that it has not."""
    if structure == "pkcs8":
        raise InputError("--format: pkcs8 is of private keys: omit --public, or choose spki or pkcs1")
    return (key.to_pem if form == "pem" else key.to_der)(format=structure or "spki")


def facts_of(key: PublicKey) -> Facts:
    """Return what can be told of a key: its length, its use, and the SHA-256 of its SubjectPublicKeyInfo."""
    use = "any" if key.pss_limits is None else " ".join(["pss", *map(str, key.pss_limits)])
    return {"bits": key.bits, "use": use, "fingerprint": hashlib.sha256(key.to_der()).hexdigest()}


def signature_facts(key: PublicKey, hashed: "hashlib._Hash") -> Facts:
    """Return what can be told of a signature: the length of its key, and the hash of its message."""
    return {"bits": key.bits, "hash": hashed.name, "digest": hashed.hexdigest()}


def report(json: bool, facts: Facts) -> None:
    """Print the facts as JSON, if that is asked for."""
    if json:
        print_json(facts)


def refuse_json_on(json: bool, *outputs: Path) -> None:
    """Raise InputError if JSON would be mixed with what goes to standard output."""
    if json and STANDARD in outputs:
        raise InputError("--json: standard output takes the result already: name a file in place of -")


def refuse_pss_key(key: PublicKey) -> None:
    """Raise InputError for a key that is for signatures, so that it does not look like a wrong ciphertext."""
    if key.pss_limits is not None:
        raise InputError("--key: the key is for signatures by PSS alone (id-RSASSA-PSS): give another key")


def on_hardware(name: str | None, operate: Callable[[Simulated], rsa.Operation], engines: int = 1) -> Facts:
    """Run the operation on a core too, if one is named, and print its cycles; CheckFailed if it is wrong."""
    if name is None:
        if engines > 1:
            raise InputError("--engines: name the core with --engine")
        return {}
    with refusals("--engine"):
        core = rsa.find(name)
        operation = interruptibly(partial(operate, core))
    halves = {1: "", 2: ", by halves in turn"}[len(operation.cycles)]
    halves = ", by halves at once on two engines" if operation.engines == 2 else halves
    sys.stderr.write(f"{name} agrees: {operation.total_cycles:,} clock cycles{halves}\n")
    return {"engine": name, "cycles": operation.total_cycles}


@contextmanager
def failures() -> Iterator[None]:
    """Turn a ciphertext that does not decrypt, or a withheld result, into a CheckFailed."""
    try:
        yield
    except (ValueError, RuntimeError) as error:
        raise CheckFailed(str(error)) from None
