"""What the blocks of MULX and ADX compute, proved for all words from the native module's machine code."""

import platform
from pathlib import Path

import pytest

import binary
from binary import BEGINNINGS, Found, Library
from blocks import CLAIMS
from changes import changes_of
from conftest import CPU_LACKS
from linear import RefutedError
from monpro import _native

if platform.machine() != "x86_64":
    pytest.skip(f"{CPU_LACKS}: the blocks need MULX", allow_module_level=True)

LIBRARY = Library(Path(_native.__file__))
WITHOUT_ADX = {"double_and_add_squares", "subtract_once"}
# Changes that change nothing: of an addition whose carry is shown to be 0, of the chain that adds the upper
# word in a square's last row, where both carries are 0, and of words that nobody reads or that are there
# already, as the highest of the lower words of T is when the reduction of a product begins. So is the upper
# word of a product modulo W, in a register that is restored next, a word of the result, in the register
# that it was selected in, and a product that is there for its place alone.
HARMLESS = (
    "mulx rax,rax,[",
    "mulx rsi,rax,[rcx]: rsi becomes rbp",
    *("adc", "add", "adcx", "pop rax", "pop rcx: rcx becomes rax", "mulx rsi,rax,[rbp-68h]: rax becomes"),
    *(f"mov r{10 + i},[rbp+{0x48 + 8 * i:x}h]" for i in range(6)),
    *("mov rbx,[rbp+78h]", "mov rdi,[rbp+80h]"),
    "mov [rsi+8],rax: rax becomes r15",
    *(f"adox r{i},rsi: adcx" for i in (8, 10, 12, 14)),
)

# By ADX, with single quotients, the top takes the lowest register, which is 0, last: the upper word may go
# through that.
HARMLESS_WITH_SINGLE_QUOTIENTS = tuple(f"adox r{i},rsi: r{i} becomes r{i + 1}" for i in range(8, 15))


def alike(claims: tuple[str, ...]) -> list[Found]:
    """The blocks that begin in the same way."""
    return [found for found in LIBRARY.found if found.claims == claims]


@pytest.mark.parametrize(
    "claims",
    [
        pytest.param(claims, id=claims[-1], marks=[pytest.mark.slow] * claims[-1].endswith("_10"))
        for claims in BEGINNINGS.values()
    ],
)
def test_each_block_is_proved(claims: tuple[str, ...]) -> None:
    proved = {found.prove() for found in alike(claims)}
    by_adx = {f"{name}, ADX" for name in set(claims) - WITHOUT_ADX}
    assert proved == {*claims, *by_adx}


def test_all_products_of_words_by_mulx_are_in_the_blocks() -> None:
    assert LIBRARY.products_outside() == []


def test_only_products_of_four_words_in_variable_time_are_not_proved() -> None:
    """`multiply_four_words`, `square_four_words` and `append_four_words`, wherever the compiler puts them."""
    blocks = list(LIBRARY.tested_only())
    assert blocks
    assert all(block.has("neg") for block in blocks)
    proved = {address for found in LIBRARY.found for address in found.addresses}
    assert proved.isdisjoint(block.start for block in blocks)


def test_a_product_outside_the_blocks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    _, *kept = BEGINNINGS
    monkeypatch.setattr(binary, "BEGINNINGS", {beginning: BEGINNINGS[beginning] for beginning in kept})
    assert Library(Path(_native.__file__)).products_outside() != []


def assert_changes_are_refuted(found: Found, step: int) -> None:
    """One of each `step` changes of an instruction is refuted, or harmless."""
    name = found.prove().removesuffix(", ADX")
    changes = list(changes_of(found.block))[step // 2 :: step]
    alive = []
    for description, changed in changes:
        try:
            CLAIMS[name](changed)
        except RefutedError:
            continue
        alive.append(description)
    harmless = HARMLESS + (HARMLESS_WITH_SINGLE_QUOTIENTS if name.endswith("_10") else ())
    assert all(change.startswith(harmless) for change in alive), alive
    assert len(alive) <= len(changes) / 5, alive


@pytest.mark.parametrize(
    ("claims", "step"),
    list(zip(BEGINNINGS.values(), (100, 100, 200, 200, 100, 1, 500, 200, 4, 1), strict=True)),
    ids=str,
)
def test_a_changed_instruction_of_a_short_block_is_refuted(claims: tuple[str, ...], step: int) -> None:
    assert_changes_are_refuted(min(alike(claims), key=lambda found: len(found.block.code)), step)


@pytest.mark.slow
@pytest.mark.parametrize(
    "found", LIBRARY.found, ids=lambda found: f"{found.claims[-1]}-{found.block.start:x}"
)
def test_a_changed_instruction_is_refuted(found: Found) -> None:
    assert_changes_are_refuted(found, 60)
