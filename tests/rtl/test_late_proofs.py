"""Proofs about the words of the multiplier with late quotient digits: tables, and the exact division."""

import pytest

from monpro.flow import prove_late, sources
from monpro.flow.prove_late import CLAIMS, Claim, division, fill, loop, words

MUTATIONS: dict[str, tuple[Claim, str, str]] = {
    "a multiple loses the carry of the word below": (
        fill(2, 4),
        "{1'b0, word_q} + (WordWidth + 1)'(carry_i)",
        "{1'b0, word_q} + (WordWidth + 1)'(1'b0)",
    ),
    "the carry to the word above is late": (
        fill(2, 4),
        "carry_o    <= next_multiple[WordWidth];",
        "carry_o    <= 1'b0;",
    ),
    "a table begins with 1": (fill(2, 4), "      multiple_q <= '0;\n", "      multiple_q <= fill_word_i;\n"),
    "a carry of T waits a step less": (loop(2, 4), "(t_carry_q)", "(t_carries_q[Steps-2])"),
    "a carry of S is lost": (loop(2, 4), "(WordWidth + 1)'(s_carry_q)", "(WordWidth + 1)'(1'b0)"),
    "a digit from above enters the highest word": (loop(2, 4), "clear_q | top_q", "clear_q"),
    "a cleared word gives a digit": (loop(2, 4), "      t_q         <= '0;\n", ""),
    "q is used a step early": (loop(2, 4), "quotient_o   <= quotient_i;", "quotient_o   <= lowest_o;"),
    "the digit from above is that of the step before": (
        loop(2, 4),
        "{s_sum[RadixLog2+:RadixLog2], 1'b1}",
        "{s_q[RadixLog2+:RadixLog2], 1'b1}",
    ),
    "T is added in pauses": (loop(2, 4), "if (run_s_q) begin", "begin"),
    "a word of B may be longer": (words(3), "{1'b0, word_i}", "{1'b1, word_i}"),
    "S is not cleared": (words(3), "if (clear_q[2]) begin", "if (1'b0) begin"),
    "a sum is too short": (words(3), "sum    = t_q", "sum    = SumWidth'(t_q[SumWidth-3:0])"),
    "a carry is added twice": (
        words(3),
        "+ SumWidth'(above_i);",
        "+ SumWidth'(above_i) + SumWidth'(oldest[SumWidth-1:WordWidth]);",
    ),
    "q is its complement": (division(2, 4), "skip_q <= ~quotient;", "skip_q <= quotient;"),
    "the carry of a number goes on to the next": (
        division(2, 4),
        "first_q[Sum-1] ? RadixLog2'(subtract_i)",
        "first_q[Sum] ? RadixLog2'(subtract_i)",
    ),
    "a bit of q has another weight": (
        division(3, 4),
        "(TotalWidth'(partial_q[WordWidth+:WordWidth]) << 1)",
        "(TotalWidth'(partial_q[WordWidth+:WordWidth]) << 2)",
    ),
}


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_a_claim_is_proved(claim: Claim) -> None:
    assert prove_late.is_right(claim)


@pytest.mark.parametrize(("claim", "right", "wrong"), MUTATIONS.values(), ids=MUTATIONS)
def test_a_word_that_is_wrong_is_not_proved(claim: Claim, right: str, wrong: str) -> None:
    text = (sources.rtl_folder() / f"{claim.module}.sv").read_text(encoding="utf-8")
    assert text.count(right) == 1
    assert not prove_late.is_right(claim, changed={claim.module: text.replace(right, wrong)})
