"""The five methods of [koc96] in C: right products, by halves and by whole words."""

import random
import shutil
from pathlib import Path

import pytest

from monpro.bench import koc96_in_c
from monpro.results.koc96_in_c import METHODS, SIZES_BITS, SQUARE, recorded

pytestmark = pytest.mark.skipif(shutil.which(koc96_in_c.COMPILER) is None, reason="there is no C compiler")


def words(number: int, s: int) -> list[int]:
    return [number >> 32 * i & 0xFFFF_FFFF for i in range(s)]


@pytest.mark.parametrize("products", koc96_in_c.PRODUCTS)
def test_every_method_computes_the_montgomery_product(products: str, tmp_path: Path) -> None:
    program = koc96_in_c.compiled(products, tmp_path)
    chance = random.Random(96)
    for s in (1, 2, 3, 4, 7, 16, 64):
        r = 1 << 32 * s
        moduli = [r - 1, r // 2 + 1, 3, chance.randrange(r) | 1, chance.randrange(r >> 1, r) | 1]
        for n in moduli:
            for a, b in ((n - 1, n - 1), (0, n - 1), (chance.randrange(n), chance.randrange(n))):
                n0 = -pow(n, -1, 1 << 32) % (1 << 32)
                operands = [s, *words(n, s), n0, *words(a, s), *words(b, s)]
                product, square = (words(a * other * pow(r, -1, n) % n, s) for other in (b, a))
                assert koc96_in_c.results_of(program, operands) == [product] * len(METHODS) + [square]


def test_a_recording_holds_every_method_and_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(koc96_in_c, "ROUNDS", 1)
    monkeypatch.setattr(koc96_in_c, "BATCH_MS", 0)
    said: list[str] = []
    koc96_in_c.record(koc96_in_c.measure(said.append), tmp_path)
    times = recorded(tmp_path)
    assert said == ["round 1 of 1"]
    assert {(method, bits) for _, method, bits in times} == {
        (method, bits) for method in (*METHODS, SQUARE) for bits in SIZES_BITS
    }
    assert all(ns > 0 for ns in times.values())
    assert recorded(tmp_path / "elsewhere") == {}
