"""RSA keys, signatures and encryption of RFC 8017.

>>> from monpro.rsa import PrivateKey
>>> key = PrivateKey.generate(2048)
>>> signature = key.sign(b"message")
>>> key.public_key.verify(b"message", signature)
True
>>> key.decrypt(key.public_key.encrypt(b"secret"))
b'secret'

`load` reads a key in PEM or DER, `from_pem` and `from_der` one of the two; all take text or bytes.

| key | is read from | is written as |
|---|---|---|
| private | PKCS#8, also encrypted (PBES2); PKCS#1; of up to five primes | PKCS#8, PKCS#1 |
| public | SubjectPublicKeyInfo, PKCS#1, X.509 certificate, private key | SubjectPublicKeyInfo, PKCS#1 |

`passphrase=` reads an encrypted key, and writes one. A text may hold several blocks: the first fitting one
is read. Nothing in a certificate is checked. Anything else is a ValueError that says what was found; an
encrypted key without a passphrase is a `PassphraseNeeded`. Where the system gives no random numbers, whatever
needs them is a `RandomSourceError`. `from_numbers` makes keys of integers, the primes
being optional. `n` and `e` are public, and `private_numbers()` has the rest. The attribute `is_short` of a
public key tells that it has fewer than 2048 bits, which protect nothing that matters today.

| option | of | value |
|---|---|---|
| `padding` | signatures | `pkcs1v15`, the default, or `pss`, the default of id-RSASSA-PSS keys |
| `padding` | encryption | `oaep`, the default, or `pkcs1v15` |
| `hash` | signatures, OAEP | a name in `hashlib` of SHA-1, SHA-2 or SHA-3, by default `sha256` |
| `salt_length` | PSS | `hash`, the default: that of the hash; a number of bytes; `any`: all are verified |
| `mgf1_hash` | PSS, OAEP | the hash function of MGF1, if not `hash` |
| `prehashed` | signatures | if true, the message is a hash already |
| `label` | OAEP | bytes to which the ciphertext is bound: it decrypts with this label only |

In place of a message, signatures take a hash object of `hashlib`, for files that are read piece by piece:

>>> import hashlib
>>> hashed = hashlib.sha512(b"mess")
>>> hashed.update(b"age")
>>> key.public_key.verify(b"message", key.sign(hashed), hash="sha512")
True

A key of id-RSASSA-PSS makes and verifies signatures by PSS alone. If it is bound to parameters, these are the
defaults, and others are refused; `pss_limits` has the hash function, that of MGF1, and the least salt.

Signatures with SHA-1 are verified but not made. With the padding `pkcs1v15`, a malformed ciphertext decrypts
to a message that the key and the ciphertext determine, which an attacker cannot recognise.

Private operations use the Chinese remainder theorem [blum01, §5.2] on a blinded number. A result is returned
only after a check with the public exponent. The operations take constant time; what Python holds cannot be
erased: messages, passphrases, numbers and the result of `to_pem`. Private keys are not pickled.
"""

from typing import Literal

from monpro._native import (
    PassphraseNeeded,
    RandomSourceError,
    RsaPrivateKey,
    RsaPrivateNumbers,
    RsaPublicKey,
    is_private_key,
)

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

PrivateKey = RsaPrivateKey
PrivateNumbers = RsaPrivateNumbers
PublicKey = RsaPublicKey

__all__ = [
    "Hash",
    "PassphraseNeeded",
    "PrivateKey",
    "PrivateNumbers",
    "PublicKey",
    "RandomSourceError",
    "is_private_key",
]
