"""Calls of the Python interface whose secrets its native module must not leave in memory that it gives back.

`python freed_secrets.py LIBRARY GROUP`, with the allocator of freed_secrets.c preloaded from LIBRARY, prints
as JSON how many blocks with 16 octets of a secret each call of a group gives back.
"""

import ctypes
import gc
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import monpro
from monpro import dh, rsa

Call = Callable[[], object]
Secrets = Sequence[int | bytes]

BITS = 512
PASSPHRASE = "a passphrase that is longer than a window"  # noqa: S105  (of a key that is thrown away)
MESSAGE = b"a message of more than sixteen octets, to be hidden"
FORMATS: tuple[Literal["pkcs8", "pkcs1"], ...] = ("pkcs8", "pkcs1")
PADDINGS: tuple[Literal["oaep", "pkcs1v15"], ...] = ("oaep", "pkcs1v15")
NUMBERS = ("d", "p", "q", "dp", "dq", "q_inverse")


class Watch:
    """The preloaded allocator, which follows the blocks of the native module."""

    def __init__(self, library: str) -> None:
        """Tell it where the code of the module lies."""
        self.library = ctypes.CDLL(library)
        self.library.watch.argtypes = [ctypes.c_size_t] * 2
        self.library.secret.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        self.library.found.restype = ctypes.c_size_t
        lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
        spans = [line.split()[0].split("-") for line in lines if "/_native" in line]
        places = [int(place, 16) for span in spans for place in span]
        self.library.watch(min(places), max(places))

    def count(self, secrets: Secrets, call: Call) -> int:
        """Return how many blocks with a part of a secret the call gives back, with what it returned."""
        self.library.found()
        for secret in secrets:
            for layout in layouts(secret):
                self.library.secret(layout, len(layout))
        call()
        gc.collect()
        self.library.forget()
        return int(self.library.found())


def refused(call: Call) -> Call:
    """Return the call, which must refuse its input."""

    def refuse() -> None:
        try:
            call()
        except ValueError:
            return
        raise AssertionError("the input was not refused")

    return refuse


def layouts(secret: int | bytes) -> list[bytes]:
    """Return octets as they are; of a number those from the highest, from the lowest, and by words."""
    if isinstance(secret, bytes):
        return [secret]
    words = -(-secret.bit_length() // 64)
    lowest_first = secret.to_bytes(8 * words, "little")
    by_words = [lowest_first[8 * i : 8 * i + 8] for i in reversed(range(words))]
    return [lowest_first[::-1], lowest_first, b"".join(by_words)]


def private_numbers(key: rsa.PrivateKey) -> list[int]:
    """Return all secret numbers of a key."""
    return [getattr(key.private_numbers(), name) for name in NUMBERS]


def documents() -> Iterator[tuple[str, Secrets, Call]]:
    """Yield how private keys are read and written."""
    key = rsa.PrivateKey.generate(2 * BITS)
    read, secrets = rsa.PrivateKey, private_numbers(key)
    for form in FORMATS:
        pem = key.to_pem(format=form)
        der = key.to_der(format=form)
        # Behind the kind of the document, the modulus and the exponent.
        text = pem[len(pem) // 3 : -64].encode()
        written: Secrets = [*secrets, text, text.replace(b"\n", b"")]
        yield f"from_pem, {form}", written, partial(read.from_pem, pem)
        yield f"from_pem, {form}, octets", written, partial(read.from_pem, pem.encode())
        yield f"from_pem, {form}, a bytearray", written, partial(read.from_pem, bytearray(pem.encode()))
        yield f"from_pem, {form}, damaged", written, refused(partial(read.from_pem, pem[:-90]))
        yield f"from_der, {form}", written, partial(read.from_der, der)
        yield f"from_der, {form}, a view", written, partial(read.from_der, memoryview(der))
        yield f"from_der, {form}, damaged", written, refused(partial(read.from_der, der[:-9]))
        yield f"public half, {form}", written, partial(rsa.PublicKey.load, pem)
        yield f"to_pem, {form}", written, partial(key.to_pem, format=form)
        yield f"to_der, {form}", written, partial(key.to_der, format=form)
    encrypted, octets = key.to_der(passphrase=PASSPHRASE), PASSPHRASE.encode()
    more: Secrets = [*secrets, octets]
    yield "to_pem, encrypted", more, partial(key.to_pem, passphrase=PASSPHRASE)
    yield "load, encrypted", more, partial(read.load, encrypted, passphrase=PASSPHRASE)
    yield "from_der, encrypted", more, partial(read.from_der, encrypted, passphrase=octets)
    wrong = partial(read.load, encrypted, passphrase=PASSPHRASE[1:])
    yield "load, wrong passphrase", more, refused(wrong)
    yield "private_numbers", secrets, partial(private_numbers, key)
    yield "from_numbers", secrets, partial(read.from_numbers, key.n, key.e, *secrets[:3])
    yield "from_numbers, without primes", secrets, partial(read.from_numbers, key.n, key.e, secrets[0])


def messages() -> Iterator[tuple[str, Secrets, Call]]:
    """Yield the operations of a private and of a public key."""
    key = rsa.PrivateKey.generate(2 * BITS)
    public, secrets = key.public_key, private_numbers(key)
    noise = random.randrange(key.n).to_bytes(2 * BITS // 8, "big")
    result = key.raw(noise)
    yield "raw", [*secrets, result, int.from_bytes(result, "big")], partial(key.raw, noise)
    yield "sign, PKCS#1 v1.5", secrets, partial(key.sign, MESSAGE, padding="pkcs1v15")
    yield "sign, PSS", secrets, partial(key.sign, MESSAGE, padding="pss")
    for padding in PADDINGS:
        hidden = public.encrypt(MESSAGE, padding=padding)
        yield f"encrypt, {padding}", [MESSAGE], partial(public.encrypt, MESSAGE, padding=padding)
        yield f"encode, {padding}", [MESSAGE], partial(public.encode, MESSAGE, padding=padding)
        yield f"decrypt, {padding}", [*secrets, MESSAGE], partial(key.decrypt, hidden, padding=padding)
    yield "decrypt noise, oaep", secrets, refused(partial(key.decrypt, noise, padding="oaep"))
    yield "decrypt noise, pkcs1v15", secrets, partial(key.decrypt, noise, padding="pkcs1v15")


def powers() -> Iterator[tuple[str, Secrets, Call]]:
    """Yield powers modulo odd and even numbers."""
    base, exp, odd = (random.getrandbits(BITS - i) | 1 << BITS - i - 1 | 1 for i in (2, 1, 0))
    for kind, n in {"odd": odd, "even": odd - 1}.items():
        long_base = base + 5 * n
        secrets = [base, exp, n, pow(base, exp, n), long_base]
        octets = [value.to_bytes(BITS // 8, "big") for value in (base, exp, n)]
        yield f"pow, {kind}", secrets, partial(monpro.pow, base, exp, n)
        yield f"pow, {kind}, long base", secrets, partial(monpro.pow, long_base, exp, n)
        yield f"pow_list, {kind}", secrets, partial(monpro.pow_list, [(base, exp, n)] * 9, threads=2)
        yield f"powmod_base_list, {kind}", secrets, partial(monpro.powmod_base_list, [base] * 9, exp, n)
        yield f"powmod_exp_list, {kind}", secrets, partial(monpro.powmod_exp_list, base, [exp] * 9, n)
        yield f"modexp, {kind}", secrets, partial(monpro.modexp, *octets)
        yield f"modexp, {kind}, bytearrays", secrets, partial(monpro.modexp, *map(bytearray, octets))


def residues() -> Iterator[tuple[str, Secrets, Call]]:
    """Yield moduli, residues and what is computed with them."""
    n = (1 << 521) - 1  # a prime
    base, exp = 3**300, random.getrandbits(BITS) | 1 << BITS - 1
    modulus = monpro.Modulus(n)
    x, fixed = modulus(base), monpro.FixedBase(modulus(base), BITS)
    form = sum(word << 64 * i for i, word in enumerate(x.words))
    results = [pow(base, exp, n), pow(base, 2, n), -base % n, pow(base, -1, n)]
    secrets = [base, exp, n, form, *results]
    yield "Modulus", secrets, lambda: monpro.Modulus(n).n
    yield "Modulus.pow", secrets, lambda: modulus.pow(base, exp)
    yield "Modulus.multi_pow", secrets, lambda: modulus.multi_pow([(base, exp), (exp, base)])
    yield "Residue", secrets, lambda: (int(modulus(base)), bytes(x), format(x, "x"), repr(x), hash(x))
    yield "Residue.words", secrets, lambda: modulus.residue_from_words(x.words)
    yield "Residue.words, too many", secrets, refused(lambda: modulus.residue_from_words([*x.words, 1]))
    yield "Residue, operators", secrets, lambda: (x + x, x - exp, x * x, base * x, -x, x == base, int(x * x))
    yield "Residue **", secrets, lambda: int(x**exp)
    yield "Residue /", secrets, lambda: (int(1 / x), x / base)
    yield "FixedBase", secrets, lambda: monpro.FixedBase(x, BITS)
    yield "FixedBase.pow", secrets, lambda: int(fixed.pow(exp))
    yield "pow, inverse", secrets, lambda: monpro.pow(base, -1, n)
    yield "invert", secrets, lambda: monpro.invert(base, n)


def elements() -> Iterator[tuple[str, Secrets, Call]]:
    """Yield the operations of elements of GF(2^k)."""
    field = monpro.BinaryField([571, 10, 5, 2, 0])
    first, second = (random.getrandbits(570) | 1 << 569 for _ in range(2))
    x, y = field(first), field(second)
    results = (x * y, x / y, y.inv(), x**second, x.square(), x.sqrt(), x.half_trace(), x.frobenius(3))
    secrets = [first, second, *map(int, results)]
    octets = first.to_bytes(field.octets, "big")
    yield "FieldElement", secrets, lambda: (int(field(first)), bytes(x), repr(x), hash(x), x == y)
    yield "from_bytes", secrets, lambda: field.from_bytes(octets)
    yield "operators", secrets, lambda: (x + y, x - y, x * y, int(x / y))
    yield "FieldElement **", secrets, lambda: int(x**second)
    yield "inverses", secrets, lambda: (y.inv(), field.batch_inverse([x, y]))
    yield "squares and roots", secrets, lambda: (x.square(), x.sqrt(), x.frobenius(3))
    yield "traces", secrets, lambda: (x.trace(), x.half_trace())
    yield "dot", secrets, lambda: field.dot([x, x], [y, y])


def agreements() -> Iterator[tuple[str, Secrets, Call]]:
    """Yield Diffie-Hellman over the integers and in GF(2^k)."""
    binary = dh.Group.binary_field(monpro.BinaryField([571, 10, 5, 2, 0])(2))
    for name, group in {"ffdhe2048": dh.Group.named("ffdhe2048"), "GF(2^571)": binary}.items():
        own = random.getrandbits(8 * group.private_octets - 8).to_bytes(group.private_octets, "big")
        key, peer = group.private_key(own), group.generate().public
        shared = key.agree(peer)
        secrets: Secrets = [own, int.from_bytes(own, "big"), shared, int.from_bytes(shared, "big")]
        yield f"private_key, {name}", secrets, partial(group.private_key, own)
        yield f"agree, {name}", secrets, partial(key.agree, peer)


def not_erased() -> Iterator[tuple[str, Secrets, Call]]:
    """Yield calls that are not promised to erase what they are given: the watch must see it."""
    base, exp, n = (random.getrandbits(BITS) | 1 << BITS - 1 | 1 for _ in range(3))
    yield "gcd", [base, exp], partial(monpro.gcd, base, exp)
    yield "pow, negative base", [base], partial(monpro.pow, -base, exp, n)


ERASED = (documents, messages, powers, residues, elements, agreements)


def main(library: str, group: str) -> None:
    """Print what each call of a group leaves."""
    random.seed(5)
    watch = Watch(library)
    cases = next(cases for cases in (*ERASED, not_erased) if cases.__name__ == group)
    print(json.dumps({name: watch.count(secrets, call) for name, secrets, call in cases()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
