"""Every kernel over GF(2)[x] against the spec of [koc97]; they share nothing but the contract."""

import random

import pytest

import monpro
from monpro.spec import koc97

FIELDS = (233, 283, 409, 571, 1024, 2048)
EXPONENT = 0b11


@pytest.mark.parametrize(
    "degrees",
    [
        pytest.param(range(2, 100), id="short"),
        pytest.param(range(100, 201), id="longer", marks=pytest.mark.slow),
        pytest.param(FIELDS, id="fields"),
    ],
)
def test_kernels_agree_with_the_spec_in_every_degree(degrees: range | tuple[int, ...]) -> None:
    """A product, a square and a power, modulo a random polynomial and, up to degree 571, also a trinomial."""
    kernels = [kernel for kernel in monpro.kernels() if kernel.ring == "gf2" and kernel.available]
    for k in degrees:
        generator = random.Random(k)
        polynomials = [generator.getrandbits(k) | 1 << k | 1, 1 << k | 1 << generator.randrange(1, k) | 1]
        for n in polynomials[: 2 if k <= 571 else 1]:  # the spec is slow, because it counts operations
            x, y = generator.getrandbits(k), generator.getrandbits(k)
            expected = (
                koc97.run(koc97.standard_multiplication, x, y, n=n, w=64).result,
                koc97.run(koc97.standard_squaring, x, n=n, w=64).result,
                koc97.run(koc97.montgomery_exponentiation, x, n=n, w=64, e=EXPONENT).result,
            )
            for kernel in (kernel for kernel in kernels if kernel.supports(n)):
                modulus = monpro.Modulus(n, kernel=kernel.name)
                square = modulus.pow(x, 2, method="binary_vartime")
                found = int(modulus(x) * modulus(y)), square, modulus.pow(x, EXPONENT)
                assert found == expected, (kernel.name, n)
