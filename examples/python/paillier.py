"""Count secret votes by Paillier's encryption: the product of ciphertexts is the ciphertext of the sum.

`python examples/python/paillier.py 1 0 1 1` prints how many votes of four are 1, which nobody saw one by one.

Teaching code: the key lives for one count, and Python's integers do not take constant time.
"""

import math
import secrets
import sys

import monpro

PRIME_BITS = 512
ROUNDS = 32  # of Miller and Rabin's test


def is_probable_prime(n: int) -> bool:
    """Return whether n > 3, odd, passes Miller and Rabin's test to random bases."""
    odd_part = n - 1
    twos = (odd_part & -odd_part).bit_length() - 1
    odd_part >>= twos
    modulus = monpro.Modulus(n)  # its constants serve every round
    for _ in range(ROUNDS):
        power = modulus(secrets.randbelow(n - 3) + 2) ** odd_part
        if int(power) == 1:
            continue
        for _ in range(twos):
            if int(power) == n - 1:
                break
            power = power * power
        else:
            return False
    return True


def random_prime(bits: int) -> int:
    """Return a random prime of so many bits, the two highest of them 1."""
    while True:
        candidate = secrets.randbits(bits) | 3 << bits - 2 | 1
        if math.gcd(candidate, 3 * 5 * 7 * 11 * 13 * 17 * 19 * 23) == 1 and is_probable_prime(candidate):
            return candidate


def encrypt(messages: list[int], n: int) -> list[int]:
    """Return (1 + m·n)·rⁿ mod n² for each message m, each with a random r; all rⁿ are computed at once."""
    square = n * n
    blinds = monpro.powmod_base_list([secrets.randbelow(n - 1) + 1 for _ in messages], n, square)
    return [(1 + m * n) * blind % square for m, blind in zip(messages, blinds, strict=True)]


def decrypt(ciphertext: int, p: int, q: int) -> int:
    """Return the message below n = p·q."""
    n, order = p * q, math.lcm(p - 1, q - 1)
    return (monpro.pow(ciphertext, order, n * n) - 1) // n * pow(order, -1, n) % n


def main(arguments: list[str]) -> int:
    """Encrypt the votes, multiply the ciphertexts, decrypt the product."""
    if not arguments or not all(argument in {"0", "1"} for argument in arguments):
        print("paillier: give each vote as 0 or 1, such as: 1 0 1 1", file=sys.stderr)
        return 2
    p, q = random_prime(PRIME_BITS), random_prime(PRIME_BITS)
    n = p * q
    ballots = encrypt([int(vote) for vote in arguments], n)
    total = math.prod(ballots) % (n * n)
    print(f"{decrypt(total, p, q)} of {len(ballots)} votes are 1")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
