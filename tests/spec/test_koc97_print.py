"""The spec of [koc97], turned back into the paper's pseudo-code, equals the print line by line."""

import pytest

from monpro.spec import koc97
from monpro.spec.notation import KOC97, listing

# As printed in sections 2 to 7, but without step numbers such as "Step 1.", and with "do" for every loop.
# Errata are not corrected here. The sum in the first step of the squaring is written without its bounds.
PRINTED = {
    "montgomery_product": """
        t(x) := a(x)b(x)
        u(x) := t(x)n'(x) mod r(x)
        c(x) := [t(x) + u(x)n(x)]/r(x)
    """,
    "bit_level_multiplication": """
        c(x) := 0
        for i = 0 to k-1 do
        c(x) := c(x) + aib(x)
        c(x) := c(x) + c0n(x)
        c(x) := c(x)/x
    """,
    "montgomery_multiplication": """
        c(x) := 0
        for i = 0 to s-1 do
        c(x) := c(x) + Ai(x)b(x)
        M(x) := C0(x)N0'(x) (mod x^w)
        c(x) := c(x) + M(x)n(x)
        c(x) := c(x)/x^w
    """,
    "montgomery_squaring": """
        c(x) := Σ aix^2i
        for i = 0 to s-1 do
        M(x) := C0(x)N0'(x) (mod x^w)
        c(x) := c(x) + M(x)n(x)
        c(x) := c(x)/x^w
    """,
    "inverse_of_N0": """
        N0'(x) := 1
        for i = 2 to w do
        t(x) := N0(x)N0'(x) mod x^i
        if t(x) ≠ 1 then N0'(x) := N0'(x) + x^(i-1)
    """,
    "emulation": """
        H := 0
        L := 0
        for j = w-1 downto 0 do
        L := SHL(L,1)
        H := RCL(H,1)
        if BIT(B,j)=1 then L := L XOR A
    """,
    "hybrid_16_as_printed": """
        a1 := SHR(a,8)
        a0 := a AND 0xff
        b1 := SHR(b,8)
        b0 := b AND 0xff
        L := TableL[a0][b0] XOR SHR(TableH[a0][b0] XOR TableL[a1][b0] XOR TableL[a0][b1],8)
        H := TableH[a1][b0] XOR TableH[a0][b1] XOR TableL[a1][b1] XOR SHR(TableH[a1][b1],8)
    """,
    "montgomery_exponentiation": """
        c̄ := 1·r
        ā := a·r
        for i = m-1 downto 0 do
        c̄ := c̄·c̄·r⁻¹
        if ei = 1 then c̄ := c̄·ā·r⁻¹
        c := c̄·1·r⁻¹
    """,
    "standard_exponentiation": """
        c := 1
        for i = m-1 downto 0 do
        c := c·c
        if ei = 1 then c := c·a
    """,
}


def printed(name: str) -> list[str]:
    return [line.strip() for line in PRINTED[name].strip().splitlines()]


@pytest.mark.parametrize("name", [name for name in PRINTED if name != "montgomery_squaring"])
def test_spec_is_the_print(name: str) -> None:
    assert listing(getattr(koc97, name), KOC97) == printed(name)


def test_squaring_is_the_print_but_for_a_cleared_array() -> None:
    assert listing(koc97.montgomery_squaring, KOC97) == ["c(x) := 0", *printed("montgomery_squaring")]


def test_the_corrected_hybrid_differs_from_the_print_in_its_erratum_only() -> None:
    corrected = listing(koc97.hybrid_16, KOC97)
    assert corrected != printed("hybrid_16_as_printed")
    assert [line.replace("XOR SHL(", "XOR SHR(") for line in corrected] == printed("hybrid_16_as_printed")


def test_a_change_of_the_spec_shows_in_the_listing() -> None:
    """Every captured operand appears in the listing, so a wrong operand differs from the print."""
    assert listing(koc97.hybrid_32, KOC97)[0] == "a1 := SHR(a,16)"
    assert listing(koc97.standard_multiplication, KOC97) != listing(koc97.standard_squaring, KOC97)
