"""The assessment of leakage finds what leaks, and nothing where both classes are alike."""

import json
import math
import random
import statistics

import pytest

from monpro.cores import Exponentiator, design
from monpro.cores.blinding import T_BITS
from monpro.cores.window_exponentiator import BlindedWindowExponentiator, CrtWindowExponentiator
from monpro.flow import leakage
from monpro.flow.leakage import Group, assess, exceed, in_words, main, t_values, welch

# Each exponentiator in a small size, with its leaking mode and with its constant one.
CORES: dict[str, tuple[str, dict[str, int]]] = {
    "windows": ("window-exp", {"radix_log2": 3, "word_width": 15, "window_width": 4}),
    "DSP blocks": ("dsp-exp", {"word_width": 7, "fold": 8, "window_width": 4}),
    "systolic": ("systolic", {}),
    "systolic, constant time": ("systolic", {"constant_time": 1}),
    "scalable": ("scalable-exp", {"radix_log2": 1, "word_width": 4, "num_pe": 4}),
    "skipping": ("binary-exp:scs-mm-new", {}),
    "ladder, constant time": ("binary-exp:scs-mm-new", {"ladder": 1, "constant_time": 1}),
}


def small(name: str, width_bits: int = 12) -> Exponentiator:
    core = design(CORES[name][0], width_bits, CORES[name][1])
    assert isinstance(core, Exponentiator)
    return core


def group(samples: list[list[int]]) -> Group:
    """Return the sums of traces."""
    columns = list(zip(*samples, strict=True))
    return Group(len(samples), [sum(c) for c in columns], [sum(v * v for v in c) for c in columns])


def test_t_is_that_of_welch() -> None:
    rng = random.Random(1)
    first = [[rng.randrange(50), 7, 3] for _ in range(40)]
    second = [[rng.randrange(60), 7, 4] for _ in range(70)]
    a, b = ([trace[0] for trace in traces] for traces in (first, second))
    error = statistics.variance(a) / 40 + statistics.variance(b) / 70
    expected = (statistics.mean(a) - statistics.mean(b)) / math.sqrt(error)
    found = t_values(group(first), group(second))
    assert found == [pytest.approx(expected), 0.0, -math.inf]
    together = group(first) + group(second)
    assert together == group(first + second)


def test_a_known_value_of_t() -> None:
    assert welch((4, 10, 30), (4, 18, 86)) == pytest.approx(-2 / math.sqrt(5 / 3 / 4 + 5 / 3 / 4))


@pytest.mark.parametrize(
    ("pair", "both"),
    [((5, 6), True), ((-5, -6), True), ((5, -6), False), ((5, 4.4), False), ((-4.5, -9), False)],
)
def test_a_sample_leaks_in_both_halves_with_one_sign(pair: tuple[float, float], both: bool) -> None:
    assert exceed(*pair) == both


@pytest.mark.parametrize("subject", ["exponent", "base"])
def test_a_core_that_leaks_is_found(subject: leakage.Subject) -> None:
    found = assess(small("skipping"), subject, 400)
    assert found.leaks
    assert found.largest_t > 2 * leakage.THRESHOLD
    assert found.wrong == 0


def test_nothing_is_found_where_both_classes_are_random() -> None:
    found = assess(small("skipping"), "nothing", 400)
    assert found.leaking == ()
    assert found.largest_t < leakage.THRESHOLD
    assert found.samples > 300
    assert found.wrong == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", CORES)
def test_every_exponentiator_without_blinding_leaks(name: str) -> None:
    """The bits that change depend on the numbers, in constant time, too."""
    for subject in leakage.SUBJECTS:
        found = assess(small(name, 32), subject, 2000)
        assert found.leaks == (subject != "nothing")
        assert found.wrong == 0


@pytest.mark.slow
def test_with_blinding_the_exponent_shows_only_where_it_is_read() -> None:
    """In the last of the sums for e', one clock for each of its two words; the base not in the power."""
    core = design("window-exp", 32, CORES["windows"][1] | {"blinding": 1})
    assert isinstance(core, BlindedWindowExponentiator)
    exponent, base = (assess(core, subject, 600) for subject in ("exponent", "base"))
    assert exponent.wrong == base.wrong == 0
    words = 3  # of d
    a_sum = words + core.t_words + 3
    sums = core.t_words + (T_BITS + 1) * a_sum
    assert set(exponent.leaking) <= set(range(sums - a_sum, sums))
    given, last = 2100, 9700  # F has been computed; the last product begins
    assert all(clock < given or clock > last for clock in base.leaking)


def test_the_numbers_of_a_core_for_two_moduli() -> None:
    core = design("window-exp", 32, {"crt": 1})
    assert isinstance(core, CrtWindowExponentiator)
    numbers = leakage.source(core, random.Random(1))
    e = numbers.exponent()
    words, exponent_words, p, _, q, *_, dp, dq = numbers.words_in(5, e)
    assert (words, exponent_words, p * q, dp, dq) == (2, 1, numbers.n, e, e)
    assert p.bit_length() == q.bit_length() == e.bit_length() == 16


def test_the_state_is_every_register_and_bit_of_memory() -> None:
    word_width, width_bits = 8, 8
    seen = leakage.observed(small("skipping", width_bits))
    numbers = 4 * (width_bits + 4) + 2 * word_width
    assert numbers < seen.state_bits < 400
    assert not seen.takes_randomness
    (text,) = (path.read_text(encoding="utf-8") for path in seen.netlist.files)
    assert f"output [{seen.state_bits - 1}:0] state_o;" in text


def test_the_program_says_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["binary-exp:scs-mm-new", "--bits", "12", "--traces", "300"]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(", ")[1] for line in lines] == [f"{s} fixed or random" for s in leakage.SUBJECTS]
    assert "from clock" in lines[1]
    assert " 0 of " in lines[2]
    assert main([*arguments, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["subject"] for row in rows] == list(leakage.SUBJECTS)
    assert f"{len(rows[1]['leaking'])} of {rows[1]['samples']} samples leak" in lines[1]


def test_a_wrong_power_is_told() -> None:
    found = leakage.Assessment("a", "base", 100, 5, 9, 1.0, (), 3)
    assert "3 POWERS WRONG" in in_words(found)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["mm"], "mm computes products: give an exponentiator"),
        (["nothing"], "there is no core 'nothing'"),
        (["systolic", "--traces", "99"], "a test takes 100 traces or more, not 99"),
        (["systolic", "--set", "radix_log2"], "--set 'radix_log2': give NAME=VALUE with a number"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"monpro: {complaint}")
    assert errors.count("\n") == 1
