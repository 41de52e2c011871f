"""Write vectors/modexp.json: inputs and results of MODEXP, a contract of the Ethereum virtual machine.

Clients of Ethereum are tested and timed with the same sizes, exponents and factors 2 of the moduli. The
numbers are random, from a seed, so none is 0 or 1 modulo the modulus, as some of the clients' numbers are.
Python computes the results, and the gas of the fork Osaka. The format is the format of go-ethereum's
`core/vm/testdata/precompiles`.
"""

import json
import random
from pathlib import Path

PATH = Path(__file__).resolve().parents[1] / "vectors" / "modexp.json"

SQUARE, CUBE, FERMAT = 2, 3, 65537


def ones(bits: int) -> int:
    """Return the number 2^bits − 1."""
    return (1 << bits) - 1


# Bits of the base, exponent, bits of the modulus, number of factors 2 of the modulus.
SHAPES = {
    **{
        f"mod-{bits}-{name}": (bits, exponent, bits, 0)
        for bits in (512, 1024, 2048, 4096, 8192)
        for name, exponent in (("square", SQUARE), ("cube", CUBE), ("pow-65537", FERMAT))
    },
    "mod-95-exp-1544-even": (24, -1544, 95, 1),
    "mod-128-exp-1725-even-96": (128, -1725, 128, 96),
    "mod-128-exp-1726-even-9": (128, -1726, 128, 9),
    "mod-5717-exp-4-even-3744": (3889, 4, 5717, 3744),
    "mod-64-exp-3080-even-49": (64, -3080, 64, 49),
    "base-1536-exp-3": (1536, CUBE, 1536, 0),
    "mod-49-exp-648": (49, ones(648), 49, 0),
    "mod-320-exp-25": (320, ones(25), 320, 0),
    "base-3264-exp-3": (3264, CUBE, 3264, 0),
    "mod-113-exp-640": (113, ones(640), 113, 0),
    "mod-448-exp-62": (448, ones(62), 448, 0),
    "mod-256-exp-128": (256, ones(128), 256, 0),
    "mod-177-exp-256": (177, ones(256), 177, 0),
    "mod-256-exp-256": (256, ones(256), 256, 0),
    **{f"mod-64-exp-{bits}-even-8": (64, ones(bits), 64, 8) for bits in (648, 896)},
    **{f"mod-256-exp-{bits}-even-8": (248, ones(bits), 256, 8) for bits in (32, 36, 40, 64, 65, 96, 128)},
    **{f"mod-{bits}-cube-even-8": (bits - 8, CUBE, bits, 8) for bits in (2048, 2112, 8192)},
    "mod-128-exp-320-even-8": (128, ones(320), 128, 8),
    "mod-192-exp-168-even-8": (192, ones(168), 192, 8),
    "mod-184-exp-64-even-1": (184, ones(64), 184, 1),
    "mod-256-exp-256-random": (256, -256, 256, 0),
    "mod-254-exp-254-random": (254, -254, 254, 0),
    "mod-256-exp-256-random-even-8": (256, -256, 256, 8),
    "mod-320-exp-320-random": (320, -320, 320, 0),
    "mod-381-exp-381-random": (381, -381, 381, 0),
    "mod-512-exp-512-random": (512, -512, 512, 0),
    "mod-512-exp-512-random-even-8": (512, -512, 512, 8),
    "base-8192-mod-256-exp-3": (8192, CUBE, 256, 0),
    "mod-2048-power-of-two": (2048, -64, 2048, 2047),
}


def gas(base: int, exponent: int, modulus: int, value: int) -> int:
    """Return the gas of a call by EIP-7883: the lengths in bytes, and the value of the exponent."""
    longest = max(base, modulus)
    complexity = 16 if longest <= 32 else 2 * ((longest + 7) // 8) ** 2
    head = value >> 8 * max(exponent - 32, 0)
    iterations = 16 * max(exponent - 32, 0) + max(head.bit_length(), 1) - 1
    return max(500, complexity * max(iterations, 1))


def vector(name: str, base_bits: int, exponent: int, modulus_bits: int, factors: int) -> dict[str, str | int]:
    """Return the vector of a shape; an exponent −b stands for a random exponent of b bits."""
    source = random.Random(name)  # noqa: S311  (the same numbers in each run)

    def of_bits(bits: int) -> int:
        return source.getrandbits(bits) | 1 << (bits - 1)

    base = of_bits(base_bits) | 1
    e = of_bits(-exponent) if exponent < 0 else exponent
    modulus = of_bits(modulus_bits) >> factors << factors | 1 << factors
    numbers = (base, e, modulus)
    base_length, e_length, modulus_length = ((x.bit_length() + 7) // 8 for x in numbers)
    lengths = (base_length, e_length, modulus_length)
    encoded = [length.to_bytes(32, "big") for length in lengths]
    encoded += [x.to_bytes(length, "big") for x, length in zip(numbers, lengths, strict=True)]
    return {
        "Name": name,
        "Input": b"".join(encoded).hex(),
        "Expected": pow(base, e, modulus).to_bytes(modulus_length, "big").hex(),
        "Gas": gas(base_length, e_length, modulus_length, e),
    }


def text() -> str:
    """Return the text of the file."""
    return json.dumps([vector(name, *shape) for name, shape in SHAPES.items()], indent=1) + "\n"


if __name__ == "__main__":
    PATH.write_text(text())
