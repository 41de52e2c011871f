"""A driver in C for a bus slave, written from its registers, and an example that uses it."""

import random
from collections.abc import Mapping, Sequence
from functools import singledispatch
from pathlib import Path
from string import Template

from monpro.cores import Core, Exponentiator, WordMultiplier, WordSerial
from monpro.cores.window_exponentiator import BlindedWindowExponentiator, CrtWindowExponentiator
from monpro.cores.word_serial import port_words
from monpro.flow.buses import WORD_BITS
from monpro.flow.operands import sample_crt_key, sample_key
from monpro.flow.registers import IDENTIFICATION, Register, identification

HEADER = Path(__file__).with_name("driver.h.in")
MULTIPLIER = Path(__file__).with_name("driver_multiplier.h.in")
WORD_SERIAL = Path(__file__).with_name("driver_word_serial.h.in")
WORD_STREAM = Path(__file__).with_name("driver_word_stream.h.in")
EXAMPLE = Path(__file__).with_name("driver_example.c.in")
EXPONENT = 0x10001  # of the example
RANDOM_READS = 1000  # that a job may wait for a random word
SPARE_READS = 16  # of the status, beyond the clocks of a job: it starts a few clocks after the last write
MOST_READS = (1 << 32) - 1


def driver(core: Core | WordSerial, top: str, registers: Mapping[str, Register]) -> dict[str, str]:
    """Return the header and the example by file name."""
    names = {
        "top": top,
        "macro": top.upper(),
        "guard": f"{top.upper()}_DRIVER_H",
        "title": f"{core.title}, {core.width_bits} bits",
        "computes": core.computes,
        "definitions": _definitions(top.upper(), registers),
        "most_reads": str(min(core.max_cycles + _spare_reads(core), MOST_READS)),
        "identification": f"{identification(core.width_bits):#x}u",
        **{f"{name}_words": str(register.words) for name, register in registers.items()},
        **_facts(core, top),
    }
    names["functions"] = Template(_functions(core, registers).read_text(encoding="utf-8")).substitute(names)
    return {
        f"{top}_driver.h": Template(HEADER.read_text(encoding="utf-8")).substitute(names),
        f"{top}_example.c": Template(EXAMPLE.read_text(encoding="utf-8")).substitute(names),
    }


def _functions(core: Core | WordSerial, registers: Mapping[str, Register]) -> Path:
    """Return the template of the functions: numbers pass as a whole, through a register, or by streams."""
    if isinstance(core, Core):
        return MULTIPLIER
    return WORD_STREAM if IDENTIFICATION in registers else WORD_SERIAL


def _spare_reads(core: Core | WordSerial) -> int:
    """Return the reads of the status that a job may take beyond its clocks."""
    if not isinstance(core, BlindedWindowExponentiator):
        return SPARE_READS
    return SPARE_READS + RANDOM_READS * core.random_words((1 << core.width_bits) - 1)


def _definitions(macro: str, registers: Mapping[str, Register]) -> str:
    """Return the offset of each register and the masks of its bits."""
    lines = []
    for name, register in registers.items():
        lines.append(f"#define {macro}_{name.upper()} {register.offset:#x}u")
        lines += [
            f"#define {macro}_{name.upper()}_{field.name.upper()} {1 << field.bit:#x}u  // {field.meaning}"
            for field in register.fields
        ]
    return "\n".join(lines)


@singledispatch
def _facts(core: Core | WordSerial, top: str) -> dict[str, str]:
    """Return what the templates need of this kind of core."""
    raise TypeError(f"{core!r} behind {top} is neither a multiplier nor an exponentiator")


@_facts.register
def _of_multiplier(core: Core, top: str) -> dict[str, str]:
    """Return the facts of a multiplier; its example is a product of the largest operands."""
    n = (1 << core.width_bits) - 3
    x = core.operand_bound(n) - 1
    words = -(-core.operand_bits // WORD_BITS)
    modulus_words = -(-core.modulus_bits // WORD_BITS)
    arrays = {
        "n_i": port_words(core.modulus_input(n), WORD_BITS, modulus_words),
        "x": port_words(x, WORD_BITS, words),
        "expected": port_words(core.run(x, x, n).z, WORD_BITS, words),
    }
    return {
        "what": f"the square of {x:#x} modulo {n:#x}",
        "arrays": _arrays(arrays),
        "result_words": str(words),
        "calls": f"    {top}_write_modulus(MONPRO_BASE, n_i);\n"
        f"    if (!{top}_product(MONPRO_BASE, z, x, x)) return 2;",
    }


@_facts.register
def _of_exponentiator(core: Exponentiator, top: str) -> dict[str, str]:
    """Return the facts of an exponentiator; its example has a short exponent."""
    n = (1 << core.width_bits) - 3
    exponent = min(EXPONENT, (1 << core.width_bits) - 1)
    what = f"{n - 2:#x} to the power of {exponent} modulo {n:#x}"
    return _of_words(core, top, what, core.words_in(n - 2, exponent, n), core.run(n - 2, exponent, n).z)


@_facts.register
def _of_blinded(core: BlindedWindowExponentiator, top: str) -> dict[str, str]:
    """Return the facts of a blinded exponentiator; its example is a private power of a key for tests."""
    key = sample_key(core.width_bits, core.word_width, random.Random(core.width_bits))  # noqa: S311  # no secret
    what = f"{key.n - 2:#x} to the power of {key.d:#x} modulo {key.n:#x}, blinded"
    given = (key.n - 2, key.d, key.n, key.order, key.v)
    return _of_words(core, top, what, core.words_in(*given), core.run(*given).z)


@_facts.register
def _of_crt(core: CrtWindowExponentiator, top: str) -> dict[str, str]:
    """Return the facts of an exponentiator modulo p and q; the exponents of its example are random."""
    rng = random.Random(core.width_bits)  # noqa: S311  # no secret
    key = sample_crt_key(core.half_bits, core.half_bits, rng)
    what = (
        f"{key.n - 2:#x} to the powers of {key.dp:#x} modulo {key.p:#x} and of {key.dq:#x} modulo {key.q:#x}"
    )
    return _of_words(core, top, what, core.words_of(key.n - 2, key), core.run_key(key.n - 2, key).z)


@_facts.register
def _of_word_multiplier(core: WordMultiplier, top: str) -> dict[str, str]:
    """Return the facts of a multiplier with word ports; its example is a product of large operands."""
    n = (1 << core.width_bits) - 3
    y = core.operand_bound(n) - 1
    what = f"the product of {n - 1:#x} and {y:#x} modulo {n:#x}"
    return _of_words(core, top, what, core.words_in(n - 1, y, n), core.run(n - 1, y, n).z)


def _of_words(core: WordSerial, top: str, what: str, words: Sequence[int], z: int) -> dict[str, str]:
    """Return the facts of a core with word ports, whose example gives it these words."""
    count = core.words_out((1 << core.width_bits) - 1)
    return {
        "what": what,
        "arrays": _arrays({"words": words, "expected": port_words(z, core.port_bits, count)}),
        "result_words": str(count),
        "numbers": ", ".join(core.numbers_in),
        "lengths": str(core.words_with_lengths),
        "calls": f"    size_t count = sizeof words / sizeof words[0];\n"
        f"    if (!{top}_{core.computes}(MONPRO_BASE, z, {count}, words, count)) return 2;",
    }


def _arrays(arrays: Mapping[str, Sequence[int]]) -> str:
    return "\n".join(
        f"static const uint32_t {name}[{len(words)}] = {{{', '.join(f'{word:#x}u' for word in words)}}};"
        for name, words in arrays.items()
    )
