"""The numbered steps of kuang16's algorithms have the numbers that the text refers to."""

import ast

import pytest

from monpro.spec import kuang16
from monpro.spec.numbered import Step, selection, statement, steps


def numbered(function: object) -> list[str]:
    assert callable(function)
    return [f"{step.number} {'  ' * step.depth}{step.text}" for step in steps(function)]


def test_figure_1() -> None:
    assert numbered(kuang16.mm) == [
        "1 S[0] = 0",
        "2 for i = 0 to k−1 do",
        "3   qᵢ = (S[i]₀ + Aᵢ × B₀) mod 2",
        "4   S[i+1] = (S[i] + Aᵢ × B + qᵢ × N) / 2",
        "5 end",
        "6 if S[k] ≥ N then S[k] = S[k] − N",
        "7 return S[k]",
    ]


def test_figure_2() -> None:
    assert numbered(kuang16.scs) == [
        "1 SS[0] = 0; SC[0] = 0",
        "2 for i = 0 to k+1 do",
        "3   qᵢ = (SS[i]₀ + SC[i]₀ + Aᵢ × B₀) mod 2",
        "4   (SS[i+1], SC[i+1]) = (SS[i] + SC[i] + Aᵢ × B + qᵢ × N) / 2",
        "5 end",
        "6, 7 return SS[k+2] + SC[k+2]",
    ]


def test_figure_5() -> None:
    printed = numbered(kuang16.fcs_mm_1)
    assert printed[2] == "3   qᵢ = (SS[i]₀ + SC[i]₀ + Aᵢ × (BS₀ + BC₀)) mod 2"
    assert printed[3] == "4   (SS[i+1], SC[i+1]) = (SS[i] + SC[i] + Aᵢ × BS + Aᵢ × BC + qᵢ × N) / 2"
    assert printed[5] == "6 return (SS[k+2], SC[k+2])"


def test_figure_7a_has_the_steps_of_the_text() -> None:
    """[kuang16, §III-A]: steps 3, 6 to 13, 7, 12 and 15."""
    printed = numbered(kuang16.mscs_mm)
    assert [line.split()[0] for line in printed] == [str(number) for number in range(1, 17)]
    assert printed[2] == "3   (SS[0], SC[0]) = SS[0] + SC[0] + 0"
    assert printed[5] == "6 for i = 0 to k+1 do"
    assert printed[6].startswith("7   qᵢ = ")
    assert printed[7:11] == [
        "8   if Aᵢ = 0 and qᵢ = 0 then x = 0",
        "9   if Aᵢ = 0 and qᵢ = 1 then x = N",
        "10   if Aᵢ = 1 and qᵢ = 0 then x = B",
        "11   if Aᵢ = 1 and qᵢ = 1 then x = D",
    ]
    assert printed[11] == "12   (SS[i+1], SC[i+1]) = (SS[i] + SC[i] + x) / 2"
    assert printed[14] == "15   (SS[k+2], SC[k+2]) = SS[k+2] + SC[k+2] + 0"


def test_figure_10_has_the_steps_of_the_text() -> None:
    """[kuang16, §III-D]: steps 1 to 5, 7 to 21, 8 to 11, 12, 13, 14 to 20, 15, 23 and 24."""
    printed = numbered(kuang16.scs_mm_new)
    numbers = [line.split()[0] for line in printed]
    assert numbers == [str(number) for number in (*range(1, 14), *range(13, 26))]
    lines = {line.split()[0]: line for line in printed}
    assert lines["1"] == "1 B̂ = B << 3; q̂ = 0; Â = 0"
    assert lines["7"] == "7 while i ≤ k + 4 do"
    assert lines["13"] == "13   skipᵢ₊₁ = ~(Aᵢ₊₁ ∨ δ₁ ∨ δ₀ ∨ i = k+4)"
    assert lines["15"] == "15     SS[i+2] = SS[i+1] >> 1; SC[i+2] = SC[i+1] >> 1"
    assert lines["16"] == "16     q̂ = qᵢ₊₂; Â = Aᵢ₊₂"
    assert lines["18"] == "18   else"
    assert lines["21"] == "21 end"
    assert lines["24"] == "24   (SS[i], SC[i]) = 2H_CSA(SS[i], SC[i])"


def nested(k: int, x: int) -> int:
    for i in range(k):  # 1
        for _ in range(k + 3):  # 2
            if x != i:  # 3
                x = x + i  # 4
            else:  # 5
                k = -x  # 6
        # 7
    # 8
    return ~x  # 9


def test_every_line_is_as_deep_as_the_loops_and_branches_around_it() -> None:
    assert numbered(nested) == [
        "1 for i = 0 to k−1 do",
        "2   for _ = 0 to k+2 do",
        "3     if x ≠ i then",
        "4       x = x + i",
        "5     else",
        "6       k = −x",
        "7   end",
        "8 end",
        "9 return ~(x)",
    ]


@pytest.mark.parametrize("line", ["x += selected(A, q)", "x = 5", "return selected(A, q)"])
def test_only_an_assigned_call_is_a_selection(line: str) -> None:
    with pytest.raises(TypeError, match="not a selection: "):
        next(selection(ast.parse(line).body[0]))


def test_lines_without_a_number_are_not_printed() -> None:
    assert steps(kuang16.n_hat) == []
    assert steps(kuang16.mm)[0] == Step("1", 0, "S[0] = 0")


@pytest.mark.parametrize("line", ["del x", "x = y(1)", "x = [1]"])
def test_what_the_notation_lacks_is_refused(line: str) -> None:
    with pytest.raises(TypeError, match="the paper's notation has no"):
        statement(ast.parse(line).body[0])
