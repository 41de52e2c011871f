"""What the cores tell host software: the formulas of a manifest agree with the models, job by job."""

import random
import re
from collections.abc import Iterator
from itertools import product as combinations
from typing import Any

import pytest

from from_manifest import Job
from monpro.cores import (
    BinaryExponentiator,
    Core,
    Exponentiator,
    WordMultiplier,
    WordSerial,
    everything,
    of_width,
)
from monpro.cores.dsp import Dsp
from monpro.cores.dsp_exponentiator import DspExponentiator
from monpro.cores.fcs_mmm42 import FcsMmm42
from monpro.cores.mm import Mm
from monpro.cores.quotient_pipelined import QuotientPipelined
from monpro.cores.scalable_exponentiator import ScalableExponentiator
from monpro.cores.scs_mm_new import ScsMmNew
from monpro.cores.systolic import Systolic
from monpro.cores.window_exponentiator import (
    BlindedWindowExponentiator,
    CrtWindowExponentiator,
    WindowExponentiator,
)
from monpro.cores.word_multiplier import KEPT, NEW, Command, squares
from monpro.flow import contract, sources
from monpro.flow.operands import sample_crt_key, sample_key, sample_modulus

# The largest moduli fill their words where a length has words: a bit more would need another word.
MULTIPLIERS: dict[str, WordMultiplier] = {
    "dsp": Dsp(97),
    "dsp, folded by 2": Dsp(97, fold=2),
    "dsp, folded by 4, words of 5 bits": Dsp(97, 5, 4),
    "dsp, folded by 8": Dsp(97, fold=8),
    "radix 8": QuotientPipelined(101, 3, 15),
    "radix 16": QuotientPipelined(519),
    "radix 32": QuotientPipelined(89, 5, 30),
    "radix 64": QuotientPipelined(83, 6, 30),
}
EXPONENTIATORS: dict[str, Exponentiator] = {
    "binary, mm": BinaryExponentiator.around(Mm(47), 16),
    "binary, pairs within": BinaryExponentiator.around(FcsMmm42(24)),
    "binary, skipping": BinaryExponentiator.around(ScsMmNew(24)),
    "ladder": BinaryExponentiator.around(ScsMmNew(16, constant_time=True), 8, ladder=True),
    "systolic, radix 2": Systolic(97, 8, 1),
    "systolic, radix 4": Systolic(97, 16, 2),
    "systolic, radix 16": Systolic(97),
    "systolic, constant time": Systolic(97, constant_time=True),
    "scalable": ScalableExponentiator(201),
    "scalable, Booth": ScalableExponentiator(97, word_width=8, booth=True),
    "scalable, radix 2": ScalableExponentiator(97, 1, 16, 16),
    "scalable, radix 16, few elements": ScalableExponentiator(97, 4, 8, 2),
    "scalable, radix 16": ScalableExponentiator(97, 4, 32, 8),
    "scalable, right": ScalableExponentiator(97, 2, 4, 3, left_shift=False, booth=True),
    "scalable, constant time": ScalableExponentiator(97, num_pe=8, constant_time=True),
    "windows, radix 8": WindowExponentiator(101, 3, 15, 4),
    "windows, radix 16": WindowExponentiator(519),
    "windows, radix 32": WindowExponentiator(94, 5, 25, 4),
    "windows, dsp": DspExponentiator(97),
    "windows, dsp folded by 2": DspExponentiator(97, fold=2, window_width=6),
    "windows, dsp folded by 8": DspExponentiator(97, 9, 8, 4),
}
BLINDED = {
    "radix 8": BlindedWindowExponentiator(101, 3, 15, 4),
    "radix 16": BlindedWindowExponentiator(519),
    "radix 32": BlindedWindowExponentiator(94, 5, 25, 4),
}
PRIMES = {
    "radix 8": CrtWindowExponentiator(202, 3, 15, 4),
    "radix 16": CrtWindowExponentiator(1038),
    "radix 32": CrtWindowExponentiator(188, 5, 25, 4),
    "radix 32, more than 8 words": CrtWindowExponentiator(400, 5, 25, 4),
}


def job_of(core: WordSerial, **numbers: int) -> Job:
    """Return a job by what the core tells of it: numbers, and constants by their formulas."""
    facts: dict[str, Any] = core.facts
    told = {"word_bits": core.port_bits, "numbers": contract.ranges(core), "cycles": core.cycles_formulas}
    job = Job(facts | told, numbers)
    for name, formula in facts["constants"].items():
        job.numbers[name] = job.value(formula)
    return job


def moduli(core: WordSerial, chance: random.Random) -> Iterator[int]:
    """Yield the least moduli, the largest one, and random ones of lengths between them."""
    yield from (3, 5, (1 << core.width_bits) - 1)
    yield from (sample_modulus(bits, chance) for bits in range(4, core.width_bits + 1, core.width_bits // 4))


def check_constants(core: WordSerial, job: Job, n: int) -> None:
    """Compare the constants of n, and the words of a result, with the formulas."""
    constants = core.constants(n)
    assert {name: job.numbers[name] for name in constants} == constants
    assert job.value(job.manifest["output"]["words"]) == core.words_out(n)


def bounds(job: Job) -> dict[str, int]:
    """Return the exclusive bounds of all numbers of a job."""
    return {name: job.value(told["below"]) for name, told in job.manifest["numbers"].items()}


@pytest.mark.parametrize("name", MULTIPLIERS)
def test_a_product_is_as_the_facts_of_the_multiplier_say(name: str) -> None:
    core, chance = MULTIPLIERS[name], random.Random(name)
    for n in moduli(core, chance):
        for command in {NEW, core.whole, NEW | squares(2) & core.offered}:
            bound = n if Command.REDUCE in command else core.operand_bound(n)
            x, y = chance.randrange(bound), chance.randrange(core.operand_bound(n))
            job = job_of(core, n=n, x=x, y=y, command=int(command))
            check_constants(core, job, n)
            assert list(job.words()) == core.words_in(x, y, n, command)
            assert bounds(job) == {
                "n": 1 << core.width_bits,
                "x": bound,
                "y": core.operand_bound(n),
                "z": bound,
            }
            assert core.result_bound(n) == bound or command != core.whole
            result = core.run(x, y, n, command)
            job.check(result.z, result.cycles)
            assert result.cycles <= core.max_cycles * (1 + command.squares)
            assert not job.value(core.refused)


@pytest.mark.parametrize("name", MULTIPLIERS)
def test_a_job_brings_the_numbers_that_the_facts_say_for_its_command(name: str) -> None:
    core, n = MULTIPLIERS[name], (1 << 83) - 141
    names = {"modulus": 1, "y": 2, "x": 4, "reduce": 8, "wipe": 16, "square": 32}  # the interface of the RTL
    told = job_of(core, n=n, command=0).manifest["command"]
    assert told == {name: bit for name, bit in names.items() if Command(bit) in core.offered}
    for command in (bit | other for bit, other in combinations((KEPT, *NEW), repeat=2)):
        job = job_of(core, n=n, x=5, y=7, command=int(command))
        assert list(job.words()) == core.words_in(5, 7, n, command)


@pytest.mark.parametrize("name", EXPONENTIATORS)
def test_a_power_is_as_the_facts_of_the_exponentiator_say(name: str) -> None:
    core, chance = EXPONENTIATORS[name], random.Random(name)
    for n in moduli(core, chance):
        x = chance.randrange(core.operand_bound(n))
        longest = (1 << core.exponent_bits) - 1
        for e in (0, 1, chance.getrandbits(min(40, core.exponent_bits)), longest if n == 5 else 260):
            job = job_of(core, n=n, base=x, exponent=e)
            check_constants(core, job, n)
            assert list(job.words()) == core.words_in(x, e, n)
            told = {"base": core.operand_bound(n), "exponent": longest + 1, "z": core.result_bound(n)}
            assert bounds(job) == {"n": 1 << core.width_bits, **told}
            result = core.run(x, e, n)
            job.check(result.z, result.cycles)
            assert result.cycles <= core.max_cycles
            assert not job.value(core.refused)


@pytest.mark.parametrize("name", BLINDED)
def test_a_blinded_power_is_as_the_facts_of_the_exponentiator_say(name: str) -> None:
    core, chance = BLINDED[name], random.Random(name)
    for bits in range(9, core.width_bits + 1, core.width_bits // 6):
        key = sample_key(bits, core.word_width, chance)
        x = chance.randrange(key.n)
        job = job_of(core, n=key.n, base=x, exponent=key.d, order=key.order, v=key.v)
        check_constants(core, job, key.n)
        assert list(job.words()) == core.words_in(x, key.d, key.n, key.order, key.v)
        assert job.value(job.manifest["random"]["words"]) == core.random_words(key.n)
        assert job.value(job.manifest["check"]["of"], z=pow(x, key.d, key.n))
        told = job.manifest["numbers"]
        assert job.value(told["exponent"]["equals"]) == key.d
        longest = 1 << core.word_width * core.exponent_words(key.d, key.n)
        below = {"n": 1 << core.width_bits, "base": key.n, "order": longest, "v": 1 << core.word_width}
        assert {number: job.value(told[number]["below"]) for number in below} == below
        assert [told["v"][which] for which in ("least", "odd")] == ["3", True]
        result = core.run(x, key.d, key.n, key.order, key.v)
        job.check(result.z, result.cycles)
        assert not job.value(core.refused)


@pytest.mark.parametrize("name", PRIMES)
def test_a_power_modulo_two_primes_is_as_the_facts_of_the_exponentiator_say(name: str) -> None:
    core, chance = PRIMES[name], random.Random(name)
    for bits in range(3, core.half_bits + 1, core.half_bits // 6):
        key = sample_crt_key(bits, chance.choice((bits, core.exponent_bits)), chance)
        x = chance.randrange(key.n)
        job = job_of(core, p=key.p, q=key.q, qinv=key.qinv, base=x, dp=key.dp, dq=key.dq)
        check_constants(core, job, key.n)
        assert list(job.words()) == core.words_of(x, key)
        told = job.manifest["numbers"]
        assert job.value(told["qinv"]["equals"]) == key.qinv
        assert job.value(told["q"]["bits"]) == bits
        below = dict.fromkeys("pq", 1 << core.half_bits) | dict.fromkeys(("base", "z"), key.n)
        below |= dict.fromkeys(("dp", "dq"), 1 << core.exponent_bits)
        assert {number: job.value(told[number]["below"]) for number in below} == below
        assert [(told[one]["least"], told[one]["odd"]) for one in "pq"] == [("3", True)] * 2
        result = core.run_key(x, key)
        job.check(result.z, result.cycles)
        assert not job.value(core.refused)


def is_refused(core: WordSerial, job: Job, **changed: int) -> bool:
    """Return whether the formula refuses a job with some of its numbers changed."""
    return bool(job.value(core.refused, **changed))


@pytest.mark.parametrize("name", ["windows, radix 8", "windows, radix 16", "windows, radix 32"])
def test_windows_refuse_lengths_and_numbers_that_no_job_has(name: str) -> None:
    core = EXPONENTIATORS[name]
    assert isinstance(core, WindowExponentiator)
    for n in moduli(core, random.Random(name)):
        job, most = job_of(core, n=n, base=n - 1, exponent=5), core.words_out((1 << core.width_bits) - 1)
        for words in range(1, most + 3):
            assert is_refused(core, job, words=words) == (not core.words_out(n) <= words <= most)
        for exponent_words in range(most + 3):
            assert is_refused(core, job, exponent_words=exponent_words) == (not 1 <= exponent_words <= most)
        for changed in ({"n": n - 1}, {"n": 1, "base": 0}, {"base": n}, {"base": n + 1}):
            assert is_refused(core, job, **changed)
    for bits in range(2, core.width_bits + 1):
        job = job_of(core, n=(1 << bits) - 1, base=0, exponent=5)
        assert is_refused(core, job, words=core.words_out((1 << bits) - 1) - 1)
        assert not is_refused(core, job)


@pytest.mark.parametrize("name", BLINDED)
def test_blinding_refuses_an_even_exponent_no_order_and_what_is_no_v(name: str) -> None:
    core = BLINDED[name]
    key = sample_key(33, core.word_width, random.Random(name))
    job = job_of(core, n=key.n, base=2, exponent=key.d, order=key.order, v=key.v)
    most = core.words_out((1 << core.width_bits) - 1)
    wrong = ({"exponent": key.d + 1}, {"order": 0}, {"v": 1}, {"v": 2}, {"v": 4}, {"base": key.n})
    assert all(is_refused(core, job, **changed) for changed in (*wrong, {"words": most + 1}))
    assert not any(is_refused(core, job, **changed) for changed in ({"order": 1}, {"v": 3}, {"v": 5}))


@pytest.mark.parametrize("name", PRIMES)
def test_two_primes_are_refused_unless_they_fit(name: str) -> None:
    core = PRIMES[name]
    for bits in (3, 17, core.half_bits):
        p, q = (1 << bits) - 1, (1 << bits) - 3
        job = job_of(core, p=p, q=q, qinv=p - 1, base=p * q - 1, dp=5, dq=7)
        most = core.words_out((1 << 2 * core.half_bits) - 1) // 2
        for words in range(1, most + 3):
            assert is_refused(core, job, words=words) == (not job.numbers["words"] <= words <= most)
        for exponent_words in range(most + 3):
            assert is_refused(core, job, exponent_words=exponent_words) == (not 1 <= exponent_words <= most)
        wrong = (
            {"p": p - 1},
            {"q": q - 1},
            {"p": 1, "q": 1},
            {"qinv": p},
            {"base": p * q},
            {"q": q >> 1 | 1},
        )
        assert all(is_refused(core, job, **changed) for changed in wrong)
        assert not is_refused(core, job, p=q, q=p, qinv=q - 1)
    for bits in range(3, core.half_bits + 1):
        p, q = (1 << bits) - 1, (1 << bits) - 3
        job, words = job_of(core, p=p, q=q, qinv=1, base=0, dp=5, dq=7), core.words_out(p * q) // 2
        assert job.numbers["words"] == words
        assert is_refused(core, job, words=words - 1)
        assert not is_refused(core, job)


@pytest.mark.parametrize("name", ["windows, dsp", "windows, dsp folded by 2", "windows, dsp folded by 8"])
def test_windows_on_dsp_blocks_refuse_what_does_not_fit(name: str) -> None:
    core, n = EXPONENTIATORS[name], (1 << 97) - 141
    job = job_of(core, n=n, base=n - 1, exponent=5)
    most = core.exponent_bits // core.port_bits
    wrong = (
        {"exponent_words": most + 1},
        {"n": n - 1},
        {"n": 1, "base": 0},
        {"base": n},
        {"n": (1 << 97) + 1},
    )
    assert all(is_refused(core, job, **changed) for changed in wrong)
    assert not any(
        is_refused(core, job, **changed) for changed in ({"exponent_words": most}, {"n": 3, "base": 2})
    )


@pytest.mark.parametrize("name", ["radix 8", "radix 16", "radix 32", "radix 64"])
def test_a_multiplier_refuses_lengths_that_none_of_its_moduli_has(name: str) -> None:
    core = MULTIPLIERS[name]
    lengths = {core.words_out((1 << bits) - 1) for bits in range(2, core.width_bits + 1)}
    job = job_of(core, n=3, command=int(NEW))
    for words in range(max(lengths) + 3):
        assert is_refused(core, job, words=words) == (words not in lengths)
        assert not is_refused(core, job, words=words, command=int(Command.X))


@pytest.mark.parametrize("name", [name for name in EXPONENTIATORS if name.startswith("scalable")])
def test_the_scalable_exponentiator_refuses_lengths_that_none_of_its_moduli_has(name: str) -> None:
    core = EXPONENTIATORS[name]
    assert isinstance(core, ScalableExponentiator)
    lengths = {
        tuple(core.constants((1 << bits) - 1)[which] for which in ("words", "passes"))
        for bits in range(2, core.width_bits + 1)
    }
    most = core.exponent_bits // core.port_bits
    tried = combinations(
        *(range(max(length) + 3) for length in zip(*lengths, strict=True)), (0, 1, most, most + 1)
    )
    job = job_of(core, n=3, exponent=0)
    for words, passes, exponent_words in tried:
        refused = (words, passes) not in lengths or not 1 <= exponent_words <= most
        assert core.refuses(words, passes, exponent_words) == refused
        changed = {"words": words, "passes": passes, "exponent_words": exponent_words}
        assert is_refused(core, job, **changed) == refused


@pytest.mark.parametrize("name", ["radix 8", "radix 16", "radix 32", "radix 64"])
def test_words_that_wait_hide_the_clocks_in_which_a_table_fills(name: str) -> None:
    core = MULTIPLIERS[name]
    formulas = core.cycles_formulas_of_slow_words
    for n in moduli(core, random.Random(name)):
        job = job_of(core, n=n, command=int(NEW))
        hidden = max(0, (1 << core.radix_bits) - 2 * core.words_out(n))
        most = core.cycles(n, NEW)
        assert (job.value(formulas["least"]), job.value(formulas["most"])) == (most - hidden, most)


@pytest.mark.parametrize("name", of_width(40))
def test_what_goes_in_for_a_modulus_is_a_formula(name: str) -> None:
    core = of_width(40)[name]
    for n in (3, 5, 7, 9, 255, 257, (1 << 40) - 87):
        told = {quantity: Job({}, {"n": n}).value(formula) for quantity, formula in core.formulas.items()}
        assert told == {
            "effective_modulus": core.effective_modulus(n),
            "modulus_input": core.modulus_input(n),
        }


@pytest.mark.parametrize("architecture", [*everything(), BinaryExponentiator], ids=lambda one: one.name)
def test_the_usual_parameters_are_those_of_the_rtl(architecture: type[Core | WordSerial]) -> None:
    is_around = issubclass(architecture, BinaryExponentiator)
    usual = BinaryExponentiator(1024, Mm(1024)) if is_around else architecture(1024)
    source = (sources.rtl_folder() / f"{usual.top}.sv").read_text(encoding="utf-8")
    of_module = re.findall(r"parameter\s+(?:int|bit|logic)\s+(\w+)\s*=\s*(?:1'b)?(\d+)", source)
    assert usual.parameters.items() - {(name, int(value)) for name, value in of_module} <= {("Width", 1024)}
    assert not is_around or usual == BinaryExponentiator.around(Mm(1024))


ALL: dict[str, WordSerial] = {
    **MULTIPLIERS,
    **EXPONENTIATORS,
    **{f"blinded, {name}": core for name, core in BLINDED.items()},
    **{f"primes, {name}": core for name, core in PRIMES.items()},
}


@pytest.mark.parametrize("name", ALL)
def test_the_numbers_of_a_job_come_in_order_and_its_lengths_first(name: str) -> None:
    core = ALL[name]
    parts = job_of(core, n=3, p=3, q=3, exponent=0, dp=0, dq=0).manifest["input"]
    numbers = tuple(dict.fromkeys(part["number"] for part in parts))
    assert core.numbers_in == numbers
    lengths = [i for i, number in enumerate(numbers) if number in {"words", "passes", "exponent_words"}]
    assert core.words_with_lengths == max(lengths, default=-1) + 1


@pytest.mark.parametrize("name", ALL)
def test_the_first_word_that_wipes_is_no_length_and_no_other_command(name: str) -> None:
    core = ALL[name]
    mask, value = core.wipe_word or (0, 1)
    wiping = [word for word in range(64) if word & mask == value]
    if isinstance(core, WordMultiplier):
        assert wiping == [word for word in range(64) if Command.WIPE & core.offered & word]
    else:
        assert wiping == ([0] if "wipe" in core.facts else [])


@pytest.mark.parametrize("name", [name for name in ALL if not name.startswith(("binary", "ladder"))])
def test_a_digit_has_the_bits_of_the_radix_or_is_a_word_of_dsp_blocks(name: str) -> None:
    core = ALL[name]
    assert isinstance(core, WordMultiplier | Exponentiator)
    assert core.radix_bits == core.settings.get("RadixLog2", core.settings["WordWidth"])


@pytest.mark.parametrize("name", ALL)
def test_trials_take_moduli_that_fit_and_shorter_ones_where_a_build_takes_any_length(name: str) -> None:
    core = ALL[name]
    widths = core.sample_widths_bits
    assert max(widths) == core.width_bits
    assert min(widths) >= (16 if name.startswith("blinded") else 8)  # v of a private key is below its primes
    has_one_length = name.startswith(("systolic", "binary", "ladder"))
    assert (len(set(widths)) == 1) == has_one_length


@pytest.mark.parametrize("name", [*EXPONENTIATORS, *(name for name in MULTIPLIERS if name.startswith("dsp"))])
def test_words_that_wait_change_no_cycles_where_no_table_fills_meanwhile(name: str) -> None:
    assert ALL[name].cycles_formulas_of_slow_words == ALL[name].cycles_formulas


@pytest.mark.parametrize("cores", [MULTIPLIERS, BLINDED, PRIMES])
def test_cycles_whose_formula_names_no_operand_are_constant(cores: dict[str, WordSerial]) -> None:
    assert all(core.is_constant_time is True for core in cores.values())


@pytest.mark.parametrize("name", EXPONENTIATORS)
def test_the_cycles_are_the_same_for_all_powers_if_the_core_says_so(name: str) -> None:
    core, n = EXPONENTIATORS[name], (1 << EXPONENTIATORS[name].width_bits) - 1
    cycles = {core.run(x, e, n).cycles for x in (0, n - 1) for e in (0, 1, 255, 1 << core.width_bits - 1)}
    assert (len(cycles) == 1) == core.is_constant_time
