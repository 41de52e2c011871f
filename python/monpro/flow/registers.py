"""The registers of a bus slave, as data: the manifest, the SystemRDL and the driver in C come from them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Access = Literal["read", "write", "read and write", "read, write 1 to clear"]


@dataclass(frozen=True)
class Field:
    """One bit of a register."""

    name: str
    bit: int
    access: Access
    meaning: str


@dataclass(frozen=True)
class Register:
    """A word of 32 bits at a byte offset, or a number of such words, the lowest first.

    refused: when an access is answered with an error and changes nothing, beyond what `access` says.
    """

    offset: int
    access: Access
    meaning: str
    words: int = 1
    fields: tuple[Field, ...] = ()
    refused: str = ""


INTERRUPT_ENABLE = "interrupt_enable"
CONTROL, STATUS, CYCLES, IDENTIFICATION = "control", "status", "cycles", "identification"
FIRST_NUMBER = 16  # the offset behind the four registers that every slave has


def _interrupt_and_cycles(condition: str, job: str) -> dict[str, Register]:
    """Return the two registers that are the same for all slaves, but for their words."""
    enable = Field("enable", 0, "read and write", f"irq_o is 1 while {condition}")
    return {
        INTERRUPT_ENABLE: Register(8, "read and write", "the interrupt", fields=(enable,)),
        CYCLES: Register(12, "read", f"clock cycles of the last {job}"),
    }


def of_multiplier(block: int, operand_words: int, modulus_words: int) -> dict[str, Register]:
    """Return the registers of a multiplier's slave by name; each number has a block of its own, in bytes."""
    operand: Access = "write"
    part = "a part of a word"
    return {
        CONTROL: Register(
            0,
            "write",
            "the commands",
            fields=(Field("start", 0, "write", "starts a product of x, y and n_i"),),
            refused="a start while a product runs",
        ),
        STATUS: Register(
            4,
            "read and write",
            "what the core does",
            fields=(
                Field("running", 0, "read", "a product runs"),
                Field("done", 1, "read, write 1 to clear", "a product has ended since the last start"),
            ),
        ),
        **_interrupt_and_cycles("done is 1", "product"),
        "x": Register(block, operand, "the factor x", operand_words, refused=part),
        "y": Register(2 * block, operand, "the factor y", operand_words, refused=part),
        "n_i": Register(
            3 * block, operand, "the input n_i, a constant of the modulus", modulus_words, refused=part
        ),
        "z": Register(4 * block, "read", "the result", operand_words, refused="while there is no result"),
    }


def of_word_serial(job: str) -> dict[str, Register]:
    """Return the registers of a slave whose numbers pass through one of them; job: product or power."""
    return {
        CONTROL: Register(
            0,
            "read and write",
            "the commands; reads as 0",
            fields=(Field("abort", 0, "write", f"ends the {job}; the next word is the first of a new one"),),
        ),
        STATUS: Register(
            4,
            "read",
            "what the core does",
            fields=(
                Field("running", 0, "read", f"a {job} is computed"),
                Field("result", 1, "read", "a result waits, or some words of it"),
                Field("error", 2, "read", "the lengths or numbers are refused, until an abort"),
            ),
        ),
        **_interrupt_and_cycles("a result waits or the job is refused", job),
        "data": Register(
            FIRST_NUMBER,
            "read and write",
            f"written: the next word of the input, the last of which starts the {job}; read: the next word "
            "of the result. The bus waits until the core takes or has the word",
            refused=f"a write while a {job} is computed, a result waits or the job is refused, or of a "
            "part of a word; a read while there is no result",
        ),
    }


def of_word_stream(job: str, identification: int) -> dict[str, Register]:
    """Return the registers beside the streams that carry the numbers; job: product or power."""
    return {
        CONTROL: Register(
            0,
            "read and write",
            "the commands; reads as 0",
            fields=(
                Field(
                    "abort",
                    0,
                    "write",
                    f"ends the {job}, drops the rest of its frame",
                ),
            ),
        ),
        STATUS: Register(
            4,
            "read and write",
            "what the core does",
            fields=(
                Field("running", 0, "read", f"a {job} is computed"),
                Field("done", 1, "read, write 1 to clear", "a result has come, and may have left"),
                Field("error", 2, "read", "the lengths or numbers are refused, until an abort"),
                Field("frame", 3, "read", "the frame has ended early or late, until an abort"),
            ),
        ),
        **_interrupt_and_cycles("done, error or frame is 1", job),
        IDENTIFICATION: Register(
            FIRST_NUMBER, "read", f"{identification:#x}: what is here, and the bits of the largest modulus"
        ),
    }


def identification(width_bits: int) -> int:
    """Return the identification of a core: "MP" in the upper half, its width in the lower one."""
    return int.from_bytes(b"MP", "big") << 16 | width_bits


def offsets(registers: Mapping[str, Register]) -> dict[str, int]:
    """Return the byte offsets by name."""
    return {name: register.offset for name, register in registers.items()}


def described(registers: Mapping[str, Register]) -> dict[str, dict[str, Any]]:
    """Return the registers by name for a manifest; what is empty is left out."""
    return {
        name: {key: value for key, value in asdict(register).items() if value not in ("", ())}
        for name, register in registers.items()
    }
