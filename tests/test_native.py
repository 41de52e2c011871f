"""The arithmetic from Python: pow, Modulus and Residue, compared with Python's own integers."""

import math
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from itertools import product, repeat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import monpro
from monpro import _native
from monpro.spec import reference

METHODS: tuple[Any, ...] = ("binary_vartime", "fixed_window", "sliding_window_vartime")
SIZES = (1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 320, 521, 1024)
WORD_COUNTS = (1, 2, 3, 4, 5, 7, 8, 16, 17, 33)

moduli = st.one_of(st.integers(1, 64), st.integers(1, 2**130), st.integers(2**500, 2**700))
odd_moduli = moduli.map(lambda n: n | 1)
integers = st.one_of(st.integers(-70, 70), st.integers(-(2**800), 2**800))


def random_number(generator: random.Random, bits: int) -> int:
    """Return a random number of exactly this many bits."""
    return generator.getrandbits(bits) | 1 << (bits - 1)


@given(integers, integers, moduli)
def test_pow_is_pythons_pow(x: int, e: int, n: int) -> None:
    try:
        expected = pow(x, e, n)
    except ValueError:
        with pytest.raises(ValueError, match="no inverse"):
            monpro.pow(x, e, n)
    else:
        assert monpro.pow(x, e, n) == expected


@pytest.mark.parametrize("method", METHODS)
def test_every_kernel_computes_powers_of_every_size(integer_kernel: monpro.Kernel, method: Any) -> None:
    generator = random.Random(integer_kernel.name + method)
    for bits in SIZES:
        x, e = generator.getrandbits(bits + 7), generator.getrandbits(min(bits, 160))
        for n in (random_number(generator, bits) | 1, (1 << bits) - 1, random_number(generator, bits)):
            if not integer_kernel.supports(n // (n & -n)):
                continue
            assert monpro.pow(x, e, n, kernel=integer_kernel.name, method=method) == pow(x, e, n), (bits, n)


@pytest.mark.parametrize("method", METHODS)
def test_every_kernel_computes_powers_of_polynomials(polynomial_kernel: monpro.Kernel, method: Any) -> None:
    generator = random.Random(polynomial_kernel.name + method)
    for bits in (1, 2, 3, 31, 32, 33, 64, 65, 66, 129, 257):
        n = polynomial_kernel.example_modulus(bits)
        if n is None:
            continue
        x, e = generator.getrandbits(bits + 7), generator.getrandbits(40)
        power = monpro.Modulus(n, kernel=polynomial_kernel.name).pow(x, e, method=method)
        assert power == reference.power(x, e, n), (bits, n)


@pytest.mark.parametrize("bits", [4096, 8192, 16384])
def test_large_moduli(bits: int) -> None:
    generator = random.Random(bits)
    x, e = generator.getrandbits(bits), generator.getrandbits(70)
    for n in (random_number(generator, bits) | 1, random_number(generator, bits) << 3, 1 << bits):
        assert monpro.pow(x, e, n) == pow(x, e, n)


@pytest.mark.slow
def test_large_moduli_with_every_kernel(integer_kernel: monpro.Kernel) -> None:
    generator = random.Random(integer_kernel.name)
    for bits in (4096, 8191, 16384):
        x, e, n = (random_number(generator, size) for size in (bits, 1024, bits))
        for modulus in (n | 1, n & ~1):
            power = monpro.pow(x, e, modulus, kernel=integer_kernel.name)
            assert power == pow(x, e, modulus), bits


@pytest.mark.parametrize(
    ("x", "e", "n", "expected"),
    [(5, 0, 7, 1), (0, 0, 7, 1), (5, 0, 1, 0), (0, 0, 1, 0), (9, 9, 1, 0), (0, 5, 8, 0)],
)
def test_the_corners(x: int, e: int, n: int, expected: int) -> None:
    assert monpro.pow(x, e, n) == expected == pow(x, e, n)


def edges(n: int, limit: int) -> list[int]:
    """Return operands below the limit at which carries and reductions begin or end."""
    candidates = {0, 1, 2, n - 1, n - 2, n // 2, (1 << (n.bit_length() - 1)) - 1, 1 << (n.bit_length() - 1)}
    return sorted(x for x in candidates if 0 <= x < limit)


def edge_moduli(generator: random.Random, bits: int) -> list[int]:
    """Return odd moduli of at most this many bits: all ones, one bit at each end, top bit clear, random."""
    return [
        (1 << bits) - 1,
        1 << (bits - 1) | 1,
        random_number(generator, bits) | 1,
        random_number(generator, bits - 1) | 1,
    ]


def from_words(words: list[int], radix_bits: int) -> int:
    return sum(word << radix_bits * i for i, word in enumerate(words))


def to_words(number: int, modulus: monpro.Modulus) -> list[int]:
    radix_bits = modulus.kernel.radix_bits
    return [number >> radix_bits * i & (1 << radix_bits) - 1 for i in range(modulus.s)]


def test_every_kernel_keeps_the_contract_of_the_product(kernel: monpro.Kernel) -> None:
    """z·R ≡ x·y (mod n) and z is reduced, for the Montgomery forms themselves."""
    generator = random.Random(kernel.name)
    for s in WORD_COUNTS:
        bits = s * kernel.radix_bits
        for n in filter(kernel.supports, edge_moduli(generator, bits)):
            modulus = monpro.Modulus(n, kernel=kernel.name)
            assert modulus.r in (1, 1 << kernel.radix_bits * modulus.s)
            # over GF(2), reduced means of lower degree
            limit = n if kernel.ring == "integers" else 1 << (n.bit_length() - 1)
            for x, y in product(edges(n, limit), repeat=2):
                z = modulus.residue_from_words(to_words(x, modulus)) * modulus.residue_from_words(
                    to_words(y, modulus)
                )
                number = from_words(z.words, kernel.radix_bits)
                assert number < limit
                if kernel.ring == "integers":
                    assert (number * modulus.r - x * y) % n == 0
                else:
                    difference = reference.product(number, modulus.r) ^ reference.product(x, y)
                    assert reference.remainder(difference, n) == 0


@given(odd_moduli, integers, integers, st.integers(-40, 90))
def test_residues_are_the_ring_of_integers_modulo_n(n: int, x: int, y: int, e: int) -> None:
    modulus = monpro.Modulus(n)
    a, b = modulus(x), modulus(y)
    assert int(a) == x % n
    assert int(a + b) == (x + y) % n
    assert int(a - b) == (x - y) % n
    assert int(a * b) == x * y % n
    assert int(-a) == -x % n
    assert (a == b) == ((x - y) % n == 0)
    assert modulus.residue_from_words(a.words) == a
    assert int(a ** abs(e)) == pow(x, abs(e), n) == modulus.pow(x, abs(e))


@given(
    st.integers(1, 2**90).map(lambda n: n | 1),
    st.integers(0, 2**200),
    st.integers(0, 2**200),
    st.integers(0, 50),
)
def test_residues_are_the_ring_of_polynomials_modulo_n(n: int, x: int, y: int, e: int) -> None:
    modulus = monpro.Modulus(n, kernel="cios-gf2")
    a, b = modulus(x), modulus(y)
    assert int(a) == reference.remainder(x, n)
    assert int(a + b) == int(a - b) == reference.remainder(x ^ y, n)
    assert int(a * b) == reference.remainder(reference.product(x, y), n)
    assert -a == a
    assert int(a**e) == reference.power(x, e, n)


@given(odd_moduli, integers)
def test_a_negative_exponent_inverts(n: int, x: int) -> None:
    modulus = monpro.Modulus(n)
    try:
        inverse = pow(x, -1, n)
    except ValueError:
        with pytest.raises(ValueError, match="no inverse"):
            modulus(x) ** -1
    else:
        assert int(modulus(x) ** -1) == inverse


@pytest.mark.parametrize("wrong", [1.5, "7", None, b"7", [7]])
def test_what_is_not_an_integer_is_a_type_error(wrong: Any) -> None:
    for arguments in ((wrong, 3, 7), (3, wrong, 7), (3, 3, wrong)):
        with pytest.raises(TypeError, match="must be an integer, not"):
            monpro.pow(*arguments)
    with pytest.raises(TypeError, match="must be an integer, not"):
        monpro.Modulus(wrong)
    with pytest.raises(TypeError, match="must be an integer, not"):
        monpro.Modulus(7)(wrong)


def test_whatever_has_an_index_is_an_integer() -> None:
    class Seven:
        def __index__(self) -> int:
            return 7

    assert monpro.pow(Seven(), True, Seven()) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: monpro.pow(3, 3, 0), "at least 1"),
        (lambda: monpro.pow(3, 3, -7), "at least 1"),
        (lambda: monpro.pow(3, -1, 9), "no inverse"),
        (lambda: monpro.pow(3, 3, 7, kernel="nonsense"), "lists all"),
        (lambda: monpro.pow(3, 3, 7, kernel="sos-gf2"), "choose a kernel of the integers"),
        (lambda: monpro.pow(3, 3, 7, method="nonsense"), "fixed_window"),  # type: ignore[arg-type]
        (lambda: monpro.Modulus(0), "at least 1"),
        (lambda: monpro.Modulus(8), "odd"),
        (lambda: monpro.Modulus(6, ring="gf2"), "^the polynomial has no term 1"),
        (lambda: monpro.Modulus(6, kernel="cios-gf2"), "^the polynomial has no term 1"),
        (lambda: monpro.pow(3, 3, 7, kernel="coss"), "did you mean cios"),
        (lambda: monpro.Modulus(7, kernel="nonsense"), "lists all"),
        (lambda: monpro.Modulus(7, kernel="sos-gf2")(-1), "negative"),
        (lambda: monpro.Modulus(7, kernel="sos-gf2").pow(3, -1), "take a BinaryField"),
        (lambda: monpro.Modulus(7).residue_from_words([]), "exactly 1"),
        (lambda: monpro.Modulus(7).residue_from_words([1, 0]), "exactly 1"),
        (lambda: monpro.Modulus(7).residue_from_words(repeat(1, 1000)), "^more words given.*exactly 1"),
        (lambda: monpro.Modulus(7).residue_from_words([7]), "reduce"),
        (lambda: monpro.Modulus(7).residue_from_words([1 << 64]), "reduce"),
        (lambda: monpro.Modulus(7).residue_from_words([-1]), "^a word is negative: it must be at least 0"),
        (lambda: monpro.FixedBase(monpro.Modulus(7)(3), -1), "^exp_bits is negative: it must be at least 0"),
        (lambda: _native.RsaPrivateKey.generate(-1), "^the length of a key is negative"),
        (lambda: monpro.kernels()[0].example_modulus(-1), "^the number of bits is negative"),
        (lambda: monpro.pow_list([(1, 2, 3)], threads=0), "threads is 0: it must be at least 1"),
        (lambda: monpro.pow_list([(1, 2, 3)], threads=-1), "^the number of threads is negative"),
        (lambda: monpro.pow_list([(1, 2, 3)], threads=1 << 70), "^the number of threads has 71 bits"),
        (lambda: monpro.Modulus(7, kernel="sos-w32").residue_from_words([1 << 32]), "radix|words|reduce"),
        (lambda: monpro.Modulus(7)(1) + monpro.Modulus(9)(1), "different moduli"),
        (lambda: monpro.Modulus(7, kernel="sos")(1) * monpro.Modulus(7, kernel="fips")(1), "different"),
        (lambda: _native.time_products("sos", 0, "mul", 1, 0.0), "no modulus of 0 bits"),
        (lambda: _native.time_products("sos", 64, "div", 1, 0.0), "mul"),  # type: ignore[arg-type]
        (lambda: _native.code_address("nonsense", "mul"), "lists all"),
    ],
)  # fmt: skip
def test_bad_values_are_value_errors_that_say_what_is_wrong(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_a_residue_has_its_modulus() -> None:
    residue: Any = monpro.Modulus(7)(3)
    with pytest.raises(ValueError, match="has its modulus"):
        pow(residue, 2, 7)


def test_an_exception_of_an_operand_is_raised() -> None:
    class Broken:
        def __index__(self) -> int:
            return 1 // 0

    for call in (
        lambda: monpro.pow(Broken(), 2, 7),
        lambda: monpro.Modulus(Broken()),
        lambda: monpro.pow_list([(3, Broken(), 7)]),
    ):
        with pytest.raises(ZeroDivisionError):
            call()


def test_the_class_of_an_integer_does_not_decide_its_value() -> None:
    class Liar(int):
        def bit_length(self) -> int:
            return 1

        def to_bytes(self, *_arguments: Any, **_options: Any) -> bytes:
            return b"?"

        def __lt__(self, other: object) -> bool:
            return True

    assert monpro.pow(Liar(3), Liar(1 << 70), Liar((1 << 89) - 1)) == pow(3, 1 << 70, (1 << 89) - 1)


def test_a_residue_is_true_unless_it_is_0(kernel: monpro.Kernel) -> None:
    n = kernel.example_modulus(70) or 7
    modulus = monpro.Modulus(n, kernel=kernel.name)
    assert not modulus(0)
    assert not modulus(n)
    assert modulus(1)
    assert modulus(1 << 68)


@pytest.mark.parametrize("pair", [3, (3,), (3, 4, 5), None, [3], "34", {3, 4}])
def test_what_is_no_pair_is_a_type_error(pair: Any) -> None:
    for call in (monpro.Modulus(7).multi_pow, lambda pairs: monpro.powmod_list(pairs, 7)):
        with pytest.raises(TypeError, match=r"^pair 1: give a pair \(base, exponent\), not \w+"):
            call([(3, 4), pair])


def test_what_a_modulus_tells() -> None:
    modulus = monpro.Modulus(101)
    assert (modulus.n, modulus.s, modulus(5).modulus == modulus) == (101, 1, True)
    assert modulus != monpro.Modulus(103)


@pytest.mark.parametrize("bits", [31, 32, 62, 63, 64, 65, 127, 128, 129, 256])
def test_integers_at_the_ends_of_words_come_and_go_unchanged(bits: int) -> None:
    n = (1 << 521) - 1
    for magnitude in ((1 << bits) - 1, 1 << bits, (1 << bits) + 1):
        for x in (magnitude, -magnitude):
            assert monpro.pow(x, 1, n) == x % n
            assert int(monpro.Modulus(n)(x)) == x % n
        assert monpro.pow(3, -magnitude, 7) == pow(3, -magnitude, 7)
        assert monpro.pow(5, magnitude, magnitude) == pow(5, magnitude, magnitude)


def test_long_computations_release_the_gil() -> None:
    """While one thread computes, another makes progress; with the GIL held it would take a step or two."""
    n = (1 << 12288) - 1

    def compute() -> None:
        monpro.pow(3, n - 2, n)

    thread = threading.Thread(target=compute)
    thread.start()
    steps = 0
    while thread.is_alive():
        steps += 1
        time.sleep(0.001)
    assert steps >= 10


@given(x=integers, es=st.lists(st.integers(0, 2**300), min_size=1, max_size=5), n=odd_moduli)
def test_a_fixed_base_has_the_powers_of_the_base(x: int, es: list[int], n: int) -> None:
    powers = monpro.FixedBase(monpro.Modulus(n)(x), max(es).bit_length())
    assert [int(powers.pow(e)) for e in es] == [pow(x, e, n) for e in es]
    assert powers.exp_bits == max(es).bit_length()
    with pytest.raises(ValueError, match="this table is for at most"):
        powers.pow(1 << powers.exp_bits)


def test_a_table_for_exponents_that_would_take_minutes_is_refused() -> None:
    with pytest.raises(ValueError, match="a bound of 1099511627776 bits for exponents is too large"):
        monpro.FixedBase(monpro.Modulus(101)(3), 2**40)


@given(terms=st.lists(st.tuples(integers, st.integers(0, 2**300)), max_size=5), n=odd_moduli)
def test_products_of_powers_are_those_of_the_powers(terms: list[tuple[int, int]], n: int) -> None:
    expected = math.prod(pow(x, e, n) for x, e in terms) % n
    assert monpro.Modulus(n).multi_pow(terms) == expected


def in_python(code: str, kernel: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MONPRO_KERNEL": kernel}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, check=False, text=True
    )


def test_the_environment_chooses_the_kernel_of_its_ring() -> None:
    code = "import monpro; print(monpro.Modulus(7).kernel.name, monpro.Modulus(7, ring='gf2').kernel.name)"
    of_integers, of_polynomials = in_python(code, "fips").stdout.split()
    assert of_integers == "fips"
    assert of_polynomials.startswith(("words-gf2", "cios-gf2", "karatsuba-gf2", "sparse-gf2"))
    assert in_python(code, "sos-gf2-w32").stdout.split()[1] == "sos-gf2-w32"


def test_a_kernel_of_the_environment_that_there_is_not_is_refused() -> None:
    refused = in_python("import monpro", "nonsense")
    assert refused.returncode == 1
    assert 'ImportError: MONPRO_KERNEL: no kernel "nonsense": monpro.kernels() lists all' in refused.stderr
    assert refused.stderr.count("Traceback") == 1
    assert refused.stderr.count("nonsense") == 1
    environment = {**os.environ, "MONPRO_KERNEL": "nonsense"}
    command = [sys.executable, "-m", "monpro", "kernels"]
    told = subprocess.run(command, env=environment, capture_output=True, check=False, text=True)
    assert told.returncode == 2
    assert told.stderr.startswith("monpro: MONPRO_KERNEL:")
    assert told.stderr.count("\n") == 1
    assert (
        'ImportError: MONPRO_KERNEL: no kernel "fips?": ' in in_python("import monpro", "fips\udcff").stderr
    )


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives a program away")
def test_the_environment_does_not_steer_an_interpreter_with_rights_of_its_own(tmp_path: Path) -> None:
    nobody = 65534  # a group; as another user, the interpreter may be unable to read its library
    interpreter = tmp_path / "python"
    shutil.copy(Path(sys.executable).resolve(), interpreter)
    package = Path(monpro.__file__).parents[1]
    environment = {"MONPRO_KERNEL": "nonsense", "PYTHONHOME": sys.base_prefix, "PYTHONPATH": str(package)}

    def imported() -> subprocess.CompletedProcess[str]:
        code = "import monpro; print(monpro.Modulus(7).kernel.name)"
        return subprocess.run(
            [interpreter, "-c", code], env=environment, capture_output=True, text=True, check=False
        )

    assert "MONPRO_KERNEL" in imported().stderr
    os.chown(interpreter, -1, nobody)
    interpreter.chmod(0o2755)
    steered = imported()
    assert steered.stdout.strip() == monpro.Modulus(7).kernel.name, steered.stderr
