"""The numbered steps of kuang16's algorithms have the numbers that the text refers to."""

import ast

import pytest

from monpro.spec import kuang16
from monpro.spec.numbered import Step, selection, statement, steps


def numbered(function: object) -> list[str]:
    assert callable(function)
    return [f"{step.number} {'  ' * step.depth}{step.text}" for step in steps(function)]


def parsed(line: str) -> ast.stmt:
    return ast.parse(line).body[0]


def expression_of(text: str) -> str:
    return statement(parsed(f"x = {text}")).removeprefix("x = ")


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
    assert numbered(kuang16.fcs_mm_1) == [
        "1 SS[0] = 0; SC[0] = 0",
        "2 for i = 0 to k+1 do",
        "3   qᵢ = (SS[i]₀ + SC[i]₀ + Aᵢ × (BS₀ + BC₀)) mod 2",
        "4   (SS[i+1], SC[i+1]) = (SS[i] + SC[i] + Aᵢ × BS + Aᵢ × BC + qᵢ × N) / 2",
        "5 end",
        "6 return (SS[k+2], SC[k+2])",
    ]


def test_figure_7a_has_the_steps_of_the_text() -> None:
    """[kuang16, §III-A]: steps 3, 6 to 13, 7, 12 and 15."""
    assert numbered(kuang16.mscs_mm) == [
        "1 (SS[0], SC[0]) = B + N + 0",
        "2 while SC[0] ≠ 0 do",
        "3   (SS[0], SC[0]) = SS[0] + SC[0] + 0",
        "4 D = SS[0]",
        "5 SS[0] = 0; SC[0] = 0",
        "6 for i = 0 to k+1 do",
        "7   qᵢ = (SS[i]₀ + SC[i]₀ + Aᵢ × B₀) mod 2",
        "8   if Aᵢ = 0 and qᵢ = 0 then x = 0",
        "9   if Aᵢ = 0 and qᵢ = 1 then x = N",
        "10   if Aᵢ = 1 and qᵢ = 0 then x = B",
        "11   if Aᵢ = 1 and qᵢ = 1 then x = D",
        "12   (SS[i+1], SC[i+1]) = (SS[i] + SC[i] + x) / 2",
        "13 end",
        "14 while SC[k+2] ≠ 0 do",
        "15   (SS[k+2], SC[k+2]) = SS[k+2] + SC[k+2] + 0",
        "16 return SS[k+2]",
    ]


def test_figure_10_has_the_steps_of_the_text() -> None:
    """[kuang16, §III-D]: steps 1 to 5, 7 to 21, 8 to 11, 12, 13, 14 to 20, 15, 23 and 24."""
    assert numbered(kuang16.scs_mm_new) == [
        "1 B̂ = B << 3; q̂ = 0; Â = 0",
        "2 (SS[0], SC[0]) = B̂ + N̂ + 0",
        "3 while SC[0] ≠ 0 do",
        "4   (SS[0], SC[0]) = 2H_CSA(SS[0], SC[0])",
        "5 D̂ = SS[0]",
        "6 i = −1; SS[−1] = 0; SC[−1] = 0",
        "7 while i ≤ k + 4 do",
        "8   if Â = 0 and q̂ = 0 then x = 0",
        "9   if Â = 0 and q̂ = 1 then x = N̂",
        "10   if Â = 1 and q̂ = 0 then x = B̂",
        "11   if Â = 1 and q̂ = 1 then x = D̂",
        "12   (SS[i+1], SC[i+1]) = (SS[i] + SC[i] + x) / 2",
        "13   qᵢ₊₁ by (5), qᵢ₊₂ by (7)",
        "13   skipᵢ₊₁ = ~(Aᵢ₊₁ ∨ δ₁ ∨ δ₀ ∨ i = k+4)",
        "14   if skipᵢ₊₁ then",
        "15     SS[i+2] = SS[i+1] >> 1; SC[i+2] = SC[i+1] >> 1",
        "16     q̂ = qᵢ₊₂; Â = Aᵢ₊₂",
        "17     i = i + 2",
        "18   else",
        "19     q̂ = qᵢ₊₁; Â = Aᵢ₊₁",
        "20     i = i + 1",
        "21 end",
        "22 q̂ = 0; Â = 0",
        "23 while SC[i] ≠ 0 do",
        "24   (SS[i], SC[i]) = 2H_CSA(SS[i], SC[i])",
        "25 return SS[i]",
    ]


def three_loops(i: int, j: int) -> None:
    while i != j:  # 1
        while i != j:
            while i != j:  # 2
                j = i  # 3
            # 4
        # 5


def test_the_depth_of_a_step_is_that_of_its_line_in_the_source() -> None:
    assert [(step.number, step.depth) for step in steps(three_loops)] == [
        ("1", 0),
        ("2", 2),
        ("3", 3),
        ("4", 2),
        ("5", 1),
    ]


def test_only_a_sum_in_a_product_has_parentheses() -> None:
    assert expression_of("(a + b) * c % 2") == "(a + b) × c mod 2"
    assert expression_of("(a - b) // 2") == "(a − b) / 2"
    assert expression_of("a * b + c") == "a × b + c"


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
        statement(parsed(line))


def test_an_assignment_of_more_values_than_variables_is_refused() -> None:
    with pytest.raises(ValueError, match="longer"):
        statement(parsed("x, y = 1, 2, 3"))


@pytest.mark.parametrize("line", ["x = 1", "selected(A, q, N, B, D)"])
def test_a_range_of_steps_is_that_of_a_selection(line: str) -> None:
    with pytest.raises(TypeError, match="not a selection"):
        list(selection(parsed(line)))
