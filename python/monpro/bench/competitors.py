"""Other libraries' modular exponentiation, if they are installed, to compare monpro with.

Over GF(2)[x], bit i of an integer is the coefficient of xⁱ.
"""

import ctypes
import ctypes.util
import importlib
import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Literal, SupportsInt


@dataclass(frozen=True)
class Competitor:
    """One library's function that computes xᵉ mod n for odd n, conversions of integers included."""

    name: str
    version: str
    constant_time: bool
    power: Callable[[int, int, int], int]


def competitors(ring: Literal["integers", "gf2"]) -> list[Competitor]:
    """Return the installed competitors over the ring; over the integers Python's own pow is always one."""
    if ring == "gf2":
        return [*_flint(), *_galois()]
    python = Competitor("python pow", platform.python_version(), constant_time=False, power=pow)
    return [python, *_gmp(), *_openssl()]


def _gmp() -> Iterator[Competitor]:
    try:
        gmpy2: ModuleType = importlib.import_module("gmpy2")
    except ImportError:
        return
    version = f"GMP {gmpy2.mp_version().split()[-1]}"
    for function, constant_time in ((gmpy2.powmod, False), (gmpy2.powmod_sec, True)):
        yield Competitor(f"gmpy2 {function.__name__}", version, constant_time, partial(_as_integer, function))


def _flint() -> Iterator[Competitor]:
    try:
        flint: ModuleType = importlib.import_module("flint")
    except ImportError:
        return

    def power(x: int, e: int, n: int) -> int:
        base, modulus = (flint.nmod_poly([int(bit) for bit in f"{p:b}"[::-1]], 2) for p in (x, n))
        return sum(1 << i for i, coefficient in enumerate(pow(base, e, modulus).coeffs()) if int(coefficient))

    yield Competitor(
        "python-flint",
        f"{flint.__version__}, FLINT {flint.__FLINT_VERSION__}",
        constant_time=False,
        power=power,
    )


def _galois() -> Iterator[Competitor]:
    try:
        galois: ModuleType = importlib.import_module("galois")
    except ImportError:
        return

    def power(x: int, e: int, n: int) -> int:
        return int(pow(galois.Poly.Int(x), e, galois.Poly.Int(n)))

    yield Competitor("galois", galois.__version__, constant_time=False, power=power)


def _as_integer(function: Callable[[int, int, int], SupportsInt], x: int, e: int, n: int) -> int:
    return int(function(x, e, n))


def _openssl() -> Iterator[Competitor]:
    name = ctypes.util.find_library("crypto")
    try:
        library = ctypes.CDLL(name) if name else None
    except OSError:
        library = None
    if library is not None and hasattr(library, "BN_mod_exp_mont_consttime"):
        openssl = _OpenSsl(library)
        yield Competitor("openssl consttime", openssl.version, constant_time=True, power=openssl.power)


class _OpenSsl:
    """libcrypto's BN_mod_exp_mont_consttime, by way of ctypes."""

    def __init__(self, library: ctypes.CDLL) -> None:
        pointer, size = ctypes.c_void_p, ctypes.c_int
        for name, result, arguments in (
            ("BN_new", pointer, []),
            ("BN_CTX_new", pointer, []),
            ("BN_bin2bn", pointer, [ctypes.c_char_p, size, pointer]),
            ("BN_bn2binpad", size, [pointer, ctypes.c_char_p, size]),
            ("BN_clear_free", None, [pointer]),
            ("BN_mod_exp_mont_consttime", size, [pointer] * 6),
            ("OpenSSL_version", ctypes.c_char_p, [size]),
        ):
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        self._library = library
        self._context = library.BN_CTX_new()
        self.version: str = library.OpenSSL_version(0).decode()

    def power(self, x: int, e: int, n: int) -> int:
        """Return xᵉ mod n for odd n and 0 ≤ x < n, e ≥ 0."""
        library = self._library
        result = library.BN_new()
        operands = [self._number(value) for value in (x, e, n)]
        try:
            if library.BN_mod_exp_mont_consttime(result, *operands, self._context, None) != 1:
                raise ValueError("libcrypto refused the operands")
            length = (n.bit_length() + 7) // 8
            text = ctypes.create_string_buffer(length)
            library.BN_bn2binpad(result, text, length)
            return int.from_bytes(text.raw, "big")
        finally:
            for number in (result, *operands):
                library.BN_clear_free(number)

    def _number(self, value: int) -> int:
        text = value.to_bytes((value.bit_length() + 7) // 8, "big")
        number: int = self._library.BN_bin2bn(text, len(text), None)
        return number
