"""RSA keys, signatures and encryption of RFC 8017.

>>> from monpro.rsa import PrivateKey
>>> key = PrivateKey.generate(2048)
>>> signature = key.sign(b"message")
>>> key.public_key.verify(b"message", signature)
True
>>> key.decrypt(key.public_key.encrypt(b"secret"))
b'secret'

Documents are PEM or DER: PKCS#8 and SubjectPublicKeyInfo are written, PKCS#1 is read as well.

| option | of | value |
|---|---|---|
| `padding` | signatures | `pkcs1v15`, the default, or `pss` |
| `padding` | encryption | `oaep`, the default, or `pkcs1v15` |
| `hash` | signatures, OAEP | `sha256`, the default, or a name in `hashlib` of SHA-1, SHA-2 or SHA-3 |
| `salt_length` | PSS | `hash`, the default: that of the hash; a number of bytes; `any`: all are verified |
| `mgf1_hash` | PSS, OAEP | the hash function of MGF1, if not `hash` |
| `label` | OAEP | bytes to which the ciphertext is bound: it decrypts with this label only |

Signatures with SHA-1 are verified but not made. With the padding `pkcs1v15`, a malformed ciphertext decrypts
to a message that the key and the ciphertext determine, which an attacker cannot recognise.

Private operations use the Chinese remainder theorem [blum01, §5.2] on a blinded number. A result is returned
only after a check with the public exponent. The operations take constant time; the bytes that Python holds,
including messages and the result of `to_pem`, cannot be erased.
"""

from monpro._native import RsaPrivateKey as PrivateKey
from monpro._native import RsaPublicKey as PublicKey

__all__ = ["PrivateKey", "PublicKey"]
