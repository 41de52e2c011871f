"""The options of `monpro rsa`, and the settings that they stand for in `monpro.rsa`."""

import os
import re
from pathlib import Path
from typing import Annotated, Literal, TypedDict

import typer

from monpro.cli.errors import InputError
from monpro.cli.files import output_file
from monpro.rsa import Hash

EncryptionPadding = Literal["oaep", "pkcs1v15"]
SignaturePadding = Literal["pkcs1v15", "pss"]

KeyFile = Annotated[
    Path, typer.Option("--key", metavar="FILE", help="The file with the key, in PEM or DER, or -.")
]
Input = Annotated[Path, typer.Option("--in", metavar="FILE", help="The file to read, or -.")]
Output = Annotated[
    Path, typer.Option("--out", metavar="FILE", parser=output_file, help="The file to write, or -.")
]
SignatureFile = Annotated[
    Path, typer.Option("--signature", metavar="FILE", help="The file with the signature, or -.")
]
Passphrase = Annotated[
    str | None,
    typer.Option(
        "--passphrase",
        metavar="SOURCE",
        help="Where the passphrase of an encrypted --key is: prompt, env:NAME, or file:FILE, of which the "
        "first line counts. By default the terminal is asked.",
    ),
]
NewPassphrase = Annotated[
    str | None,
    typer.Option(
        "--new-passphrase",
        metavar="SOURCE",
        help="Encrypt the private key that is written, with a passphrase from prompt, env:NAME or file:FILE.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace files that are there already.")]
Json = Annotated[bool, typer.Option("--json", help="Print what was done as JSON.")]
OaepHash = Annotated[Hash, typer.Option("--hash", help="The hash function of oaep.")]
SignatureHash = Annotated[
    Hash | None,
    typer.Option("--hash", help="The hash function. By default sha256, or the one that the key is bound to."),
]
EncryptionName = Annotated[EncryptionPadding, typer.Option("--padding", help="The padding of the message.")]
SignatureName = Annotated[
    SignaturePadding | None,
    typer.Option(
        "--padding", help="The padding of the hash. By default pkcs1v15, but pss for id-RSASSA-PSS keys."
    ),
]
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


class SignatureOptions(TypedDict):
    """The options of a signature, as `monpro.rsa` takes them; what is None is as the key asks."""

    padding: SignaturePadding | None
    salt_length: int | Literal["hash", "any"] | None
    mgf1_hash: Hash | None


class OaepOptions(TypedDict):
    """The options of the padding oaep, as `monpro.rsa` takes them."""

    mgf1_hash: Hash | None
    label: bytes | None


def signature_options(
    padding: SignaturePadding | None, salt_length: str | None, mgf1: Hash | None, *, of_pss: bool
) -> SignatureOptions:
    """Return the options of a signature; InputError if some belong to pss and it is not the padding.

    `of_pss` says whether the key is of id-RSASSA-PSS, so that pss is its default.
    """
    is_pss = padding == "pss" or (padding is None and of_pss)
    if not is_pss and (salt_length is not None or mgf1 is not None):
        raise InputError("--salt-length, --mgf1: these belong to --padding pss: add that, or omit them")
    return {"padding": padding, "salt_length": parse_salt_length(salt_length), "mgf1_hash": mgf1}


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
