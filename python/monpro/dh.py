"""Diffie–Hellman key agreement, modulo a prime or in a binary field.

>>> from monpro.dh import Group
>>> group = Group.named("ffdhe2048")
>>> alice, bob = group.generate(), group.generate()
>>> alice.agree(bob.public) == bob.agree(alice.public)
True

A `Group` is one of the safe primes of RFC 3526 (`modp2048` … `modp8192`) or RFC 7919 (`ffdhe2048` …
`ffdhe8192`) by its name, `Group.integers(p, g, order)`, or `Group.binary_field(generator, order)` for an
element of a `BinaryField`. `generate` draws a private key from the module `secrets`. `agree` refuses a public
value that is not below the modulus, that is 0, 1 or −1, or that lies outside the generator's group if its
order is known. The secret is an element of the group, not a key: derive keys from it with a key derivation
function such as HKDF.

**Take a named group. GF(2^k) is for study and for old systems.** Discrete logarithms in GF(2^k) are far
easier than modulo a prime of the same size: algorithms of quasi-polynomial time have been known since 2013,
and logarithms have been computed for k = 1279 (2014) and for k = 30750 (2019). Secrets that matter must not
rest on GF(2^k), whatever k is.

Private keys are used in constant time and erased with the object. The bytes that Python holds, including the
secret, cannot be erased.
"""

from monpro._native import Group, PrivateKey

__all__ = ["Group", "PrivateKey"]
