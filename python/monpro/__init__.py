"""Montgomery arithmetic, complete: modular products and powers over the integers and over GF(2)[x].

>>> import monpro
>>> monpro.pow(7, 100, 101)
1
>>> n = monpro.Modulus(101)
>>> n(7) * 8 - 1
<Residue 55 modulo 101>
>>> sum(n(i) / 2 for i in range(10))
<Residue 73 modulo 101>
>>> [kernel.name for kernel in monpro.kernels() if kernel.ring == "integers"][:2]
['sos', 'cios']
>>> field = monpro.BinaryField([8, 4, 3, 1, 0])  # x⁸ + x⁴ + x³ + x + 1
>>> hex(int(field(0x53).inv()))
'0xca'
>>> monpro.powmod_base_list([2, 3, 5], 65537, 1000)  # on every core, without the GIL
[472, 363, 125]
>>> monpro.pow_list([(2, 10, 1000), (3, -1, 7), (5, 3, 11)])  # likewise, each (base, exponent, modulus)
[24, 5, 4]
>>> monpro.is_prime(2**127 - 1), monpro.next_prime(100), monpro.sqrt_mod(5, 101)
(True, 101, 45)
>>> monpro.modexp(bytes([3]), bytes([200]), bytes([0, 3, 232])).hex()  # as Ethereum's MODEXP
'000001'

| for | take |
|---|---|
| one power | `pow`; from bytes to bytes `modexp`, for public numbers `modexp_vartime` |
| many powers, on every core | `powmod_base_list`, `powmod_exp_list`, `powmod_list`, `pow_list` |
| arithmetic modulo an odd n | `Modulus`, whose `Residue`s mix with ints |
| many powers of one base; products of powers | `FixedBase`; `Modulus.multi_pow` |
| GF(2^k) | `BinaryField` |
| public numbers | `invert`, `gcd`, `lcm`, `gcdext`, `crt`, `jacobi`, `legendre`, `kronecker`, `sqrt_mod` |
| public primes | `is_prime`, `next_prime`, `prev_prime` |
| RSA; Diffie–Hellman | `monpro.rsa`; `monpro.dh` |
| the algorithms | `kernels`, and `kernel=` of `pow` and `Modulus` |

Arguments have the names of Python's own `pow`: base, exp, mod. Integers are ints or have `__index__`, as
those of numpy and gmpy2; results are ints. Moduli, residues, elements and groups compare, hash, copy and
pickle by their values. A residue or an element equals the int that is its value, and no other.
"""

import os

from monpro import _freshness

_freshness.interrupts_end_command()

try:
    from monpro import _native
except ImportError:
    if _freshness.checkout_root() is None:
        raise
    _freshness.refuse("the native module is not built, or cannot be loaded: run `make setup`")

_freshness.require_fresh(_native.SOURCE_CRC32)

if "MONPRO_KERNEL" in os.environ and not _freshness.has_rights_of_another():
    _refusal = ""
    try:
        _native.override_kernel(os.environ["MONPRO_KERNEL"])
    except ValueError as error:
        _refusal = f"MONPRO_KERNEL: {error}"
    if _refusal:  # not inside `except`, where the traceback would show both exceptions
        _freshness.refuse(_refusal)

from monpro import dh  # noqa: E402  (a stale module is refused first)
from monpro._native import (  # noqa: E402
    BinaryField,
    FieldElement,
    FixedBase,
    Kernel,
    Modulus,
    Residue,
    crt,
    gcd,
    gcdext,
    invert,
    irreducible_poly,
    is_prime,
    jacobi,
    kernels,
    kronecker,
    lcm,
    legendre,
    modexp,
    modexp_vartime,
    next_prime,
    pow,
    pow_list,
    powmod_base_list,
    powmod_exp_list,
    powmod_list,
    prev_prime,
    primitive_poly,
    sqrt_mod,
)

__all__ = [
    "BinaryField",
    "FieldElement",
    "FixedBase",
    "Kernel",
    "Modulus",
    "Residue",
    "crt",
    "dh",
    "gcd",
    "gcdext",
    "invert",
    "irreducible_poly",
    "is_prime",
    "jacobi",
    "kernels",
    "kronecker",
    "lcm",
    "legendre",
    "modexp",
    "modexp_vartime",
    "next_prime",
    "pow",
    "pow_list",
    "powmod_base_list",
    "powmod_exp_list",
    "powmod_list",
    "prev_prime",
    "primitive_poly",
    "sqrt_mod",
]


def __getattr__(name: str) -> str:
    """Return `__version__` when somebody asks."""
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415  (twice the time of the whole import)

        return version("monpro")
    raise AttributeError(f"module 'monpro' has no attribute {name!r}")
