"""The figures of blum01 against the RTL that they are drawn from."""

import re
from pathlib import Path

import drawings
from monpro.report import Figure, select

RTL = Path(__file__).parents[3] / "rtl"


def texts(number: int) -> list[str]:
    (item,) = select(f"blum01.figure{number}")
    figure = item.build()
    assert isinstance(figure, Figure)
    return drawings.texts(drawings.parsed(figure.svg))


def source(module: str) -> str:
    return (RTL / f"{module}.sv").read_text(encoding="utf-8")


def test_the_unit_has_the_registers_and_memories_of_the_rtl() -> None:
    shown, rtl = texts(1), source("monpro_pe_systolic")
    for memory, name in (("b_ram", "B-RAM"), ("m_ram", "M˜-RAM")):
        assert f"{memory} [2**RadixLog2]" in rtl
        assert shown.count(name) == 1
    registers = {"multiple_q": "multiple", "multiple_carry_o": "carry", "b_q": "b", "s_o": "S", "z_o": "z"}
    registers |= {"carry_o": "carries", "a_o": "command, ai, qi"}
    for register, name in registers.items():
        assert re.search(rf"\b{register} +<=", rtl), register
        assert name in shown


def test_the_array_has_the_exceptional_units_of_the_rtl() -> None:
    shown, rtl = texts(2), source("monpro_mul_systolic")
    assert {"m + 2", "m + 1", "2", "1", "0", "overflow"} <= set(shown)
    assert "localparam int Top = Digits + 2" in rtl
    assert ".HasMultiplicand(j != 0)" in rtl
    assert ".HasModulus(1'b0)" in rtl
    assert "overflow_q <= top_s[RadixLog2]" in rtl
    notes = " ".join(shown)
    assert "Unit 0 has no B-RAM" in notes
    assert "Unit m + 2 has no M˜-RAM" in notes


def test_the_exponentiator_has_the_memories_of_the_rtl() -> None:
    shown, rtl = texts(3), source("monpro_exp_systolic")
    assert "exponent_ram [Words]" in rtl
    assert "operand_ram [Entries]" in rtl
    assert {"exponent RAM", "Z and P, dual-ported", "word", "scanned word"} <= set(shown)
    assert "array of m + 3 units (Fig. 2)" in shown
