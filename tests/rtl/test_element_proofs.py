"""Proofs over all words and digits that the elements of the scalable multiplier compute each word right."""

import pytest

from monpro.flow import prove_elements, sources
from monpro.flow.prove_elements import ELEMENTS, Element, freed, improved, left, multiple, recoder, right

SLOW = [
    *(left(1, 8, offset, booth=booth) for offset in (0, 4, 7) for booth in (False, True)),
    *(left(2, 4, offset, booth=False) for offset in (0, 2)),
    right(2, 4, booth=True),
    left(3, 6, 0, booth=False),
    *(left(3, 3, 0, booth=booth) for booth in (False, True)),
    *(right(3, 3, booth=booth) for booth in (False, True)),
    right(4, 4, booth=True),
    *(multiple(3, 6, booth=booth) for booth in (False, True)),
    *(freed(left(3, 6, 3, booth=booth)) for booth in (False, True)),
    *(multiple(4, width, booth=booth) for width in (4, 8) for booth in (False, True)),
    *(freed(left(4, 4, 0, booth=booth)) for booth in (False, True)),
    freed(left(4, 8, 4, booth=False)),
    freed(right(4, 4, booth=False)),
]
OF_A_KIND = [
    improved(4, 1),
    left(2, 4, 2, booth=True),
    left(2, 4, 0, booth=False),
    right(2, 3, booth=True),
    freed(left(2, 4, 0, booth=False)),
    freed(right(2, 3, booth=True)),
]
MUTATIONS: dict[str, tuple[Element, str, str, str]] = {
    "a carry of the first row is lost": (
        left(1, 4, 0, booth=False),
        "monpro_pe_scalable_left",
        "completed_1[WordWidth-1] & ~load_i;",
        "1'b0;",
    ),
    "Q stays in Z": (
        left(1, 4, 3, booth=False),
        "monpro_pe_scalable_left",
        "assign kept_sum   = sum_i & kept;",
        "assign kept_sum   = sum_i;",
    ),
    "a negative multiple is not completed": (
        left(2, 4, 2, booth=True),
        "monpro_pe_scalable_left",
        "{WordWidth{first_i & q_negative}}",
        "'0",
    ),
    "the extension forgets a carry": (
        left(2, 4, 0, booth=True),
        "monpro_pe_scalable_left",
        "{sum_i[WordWidth-1] & carry_i[WordWidth-1] & sum_i[WordWidth-2],",
        "{1'b0,",
    ),
    "nothing is pending": (
        right(1, 3, booth=False),
        "monpro_pe_scalable_right",
        "pending_o     <= resolved[RadixLog2];",
        "pending_o     <= 1'b0;",
    ),
    "Z is extended by zeros": (
        right(2, 3, booth=True),
        "monpro_pe_scalable_right",
        "assign extension = extension_q;",
        "assign extension = 2'b00;",
    ),
    "an even multiple loses a bit": (
        right(2, 3, booth=False),
        "monpro_cell_multiple",
        "before_i[(k+1)*RadixLog2-s+:s]}",
        "{s{1'b0}}}",
    ),
    "Q does not wait for X·Y": (
        improved(4, 1),
        "monpro_pe_scalable_improved",
        "first_i ? sum_1[Offset]",
        "first_i ? sum_i[Offset] ^ carry_i[Offset]",
    ),
    "a word of an even multiple loses a bit": (
        multiple(2, 4, booth=False),
        "monpro_cell_multiple",
        "before_i[(k+1)*RadixLog2-s+:s]}",
        "{s{1'b0}}}",
    ),
    "an even multiple takes bits from below": (
        freed(left(2, 4, 0, booth=False)),
        "monpro_pe_scalable_left",
        "load_i ? '0 : y_i[(k+1)*WordWidth-1-:RadixLog2];",
        "load_i ? '0 : y_i[k*WordWidth+:RadixLog2];",
    ),
    "a free word loses a carry": (
        freed(left(2, 4, 0, booth=False)),
        "monpro_pe_scalable_left",
        "completed_2[WordWidth-1] & ~load_i;",
        "1'b0;",
    ),
    "Booth's digit is one too small": (
        recoder(3),
        "monpro_cell_booth",
        "increment   = carry_i ^ negative_o;",
        "increment   = carry_i & ~negative_o;",
    ),
}


@pytest.mark.parametrize(
    "element", [*ELEMENTS, *(pytest.param(element, marks=pytest.mark.slow) for element in SLOW)], ids=str
)
def test_a_word_is_proved_right(element: Element) -> None:
    assert prove_elements.is_right(element)


@pytest.mark.parametrize("element", OF_A_KIND, ids=str)
def test_what_is_assumed_lets_a_window_of_words_pass(element: Element) -> None:
    assert prove_elements.a_window_is_reached(element)


@pytest.mark.parametrize(("element", "module", "right", "wrong"), MUTATIONS.values(), ids=MUTATIONS)
def test_an_element_that_is_wrong_is_not_proved(
    element: Element, module: str, right: str, wrong: str
) -> None:
    text = (sources.rtl_folder() / f"{module}.sv").read_text(encoding="utf-8")
    assert text.count(right) == 1
    assert not prove_elements.is_right(element, changed={module: text.replace(right, wrong)})
