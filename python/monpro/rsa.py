"""RSA keys, signatures and encryption of RFC 8017.

>>> from monpro.rsa import PrivateKey
>>> key = PrivateKey.generate(2048)
>>> signature = key.sign(b"message")
>>> key.public_key.verify(b"message", signature)
True
>>> key.decrypt(key.public_key.encrypt(b"secret"))
b'secret'

Documents are PEM or DER: PKCS#8 and SubjectPublicKeyInfo are written, PKCS#1 is read as well. Signatures are
PKCS#1 v1.5 with SHA-256 unless `padding="pss"` or another `hash` is given; encryption is OAEP with SHA-256
unless `padding="pkcs1v15"` is given. With that padding, a malformed ciphertext decrypts to a message that the
key and the ciphertext determine, which an attacker cannot recognise.

Private operations use the Chinese remainder theorem [blum01, §5.2] on a blinded number. A result is returned
only after a check with the public exponent. The operations take constant time; the bytes that Python holds,
including messages and the result of `to_pem`, cannot be erased.
"""

from monpro._native import RsaPrivateKey as PrivateKey
from monpro._native import RsaPublicKey as PublicKey

__all__ = ["PrivateKey", "PublicKey"]
