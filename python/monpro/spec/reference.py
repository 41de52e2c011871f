"""Powers of polynomials over GF(2), a bit at a time: slow, obvious, and independent of every kernel."""


def product(x: int, y: int) -> int:
    """Return x·y over GF(2)[x]: the shifted copies of x, added without carry."""
    z = 0
    for bit in f"{y:b}":
        z <<= 1
        if bit == "1":
            z ^= x
    return z


def remainder(x: int, n: int) -> int:
    """Return x mod n over GF(2)[x], for n ≠ 0."""
    degree = n.bit_length() - 1
    while (excess := x.bit_length() - 1 - degree) >= 0:
        x ^= n << excess
    return x


def power(x: int, e: int, n: int) -> int:
    """Return xᵉ mod n over GF(2)[x], for e ≥ 0, n ≠ 0: a square for each bit of e, a product if it is 1."""
    x = remainder(x, n)
    z = remainder(1, n)
    for bit in f"{e:b}":
        z = remainder(product(z, z), n)
        if bit == "1":
            z = remainder(product(z, x), n)
    return z
