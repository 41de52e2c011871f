"""The plain reference for powers of polynomials, by the definitions of products and remainders."""

from monpro.spec import reference

AES = 0x11B  # an irreducible polynomial of degree 8


def test_reference_product_has_the_coefficients_of_a_product() -> None:
    for x in range(32):
        for y in range(32):
            z = reference.product(x, y)
            for i in range(10):
                terms = sum((x >> j & 1) * (y >> (i - j) & 1) for j in range(i + 1))
                assert z >> i & 1 == terms % 2


def test_reference_remainder_differs_by_a_multiple_and_has_a_lower_degree() -> None:
    multiples = {reference.product(AES, q) for q in range(256)}
    for x in range(1 << 12):
        remainder = reference.remainder(x, AES)
        assert remainder < 1 << 8
        assert x ^ remainder in multiples


def test_reference_power_obeys_fermat_in_a_field() -> None:
    for x in range(1, 256):
        assert reference.power(x, 255, AES) == 1
        assert reference.power(x, 256, AES) == x
        assert reference.power(x, 3, AES) == reference.remainder(
            reference.product(x, reference.product(x, x)), AES
        )
    assert reference.power(5, 0, 1) == 0
