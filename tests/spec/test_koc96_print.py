"""The spec of [koc96], turned back into the paper's pseudo-code, equals the print line by line."""

import pytest

from monpro.spec import koc96
from monpro.spec.koc96 import METHODS, Method
from monpro.spec.notation import listing, statements

# As printed in sections 4 to 8. Errata are not corrected here.
PRINTED = {
    "sos": """
        for i=0 to s-1
        C := 0
        for j=0 to s-1
        (C,S) := t[i+j] + a[j]*b[i] + C
        t[i+j] := S
        t[i+s] := C
    """,
    "sos_reduction": """
        for i=0 to s-1
        C := 0
        m := t[i]*n'[0] mod W
        for j=0 to s-1
        (C,S) := t[i+j] + m*n[j] + C
        t[i+j] := S
        ADD(t[i+s],C)
        for j=0 to s
        u[j] := t[j+s]
    """,
    "step_3": """
        B := 0
        for i=0 to s-1
        (B,D) := u[i] - n[i] - B
        t[i] := D
        (B,D) := u[s] - B
        t[s] := D
    """,
    "sos_square_wide_carry": """
        for i=0 to s-1
        (C,S) := t[i+i] + a[i]*a[i]
        for j=i+1 to s-1
        (C,S) := t[i+j] + 2*a[j]*a[i] + C
        t[i+j] := S
        t[i+s] := C
    """,
    "cios_unimproved": """
        for i=0 to s-1
        C := 0
        for j=0 to s-1
        (C,S) := t[j] + a[j]*b[i] + C
        t[j] := S
        (C,S) := t[s] + C
        t[s] := S
        t[s+1] := C
        C := 0
        m := t[0]*n'[0] mod W
        for j=0 to s-1
        (C,S) := t[j] + m*n[j] + C
        t[j] := S
        (C,S) := t[s] + C
        t[s] := S
        t[s+1] := t[s+1] + C
        for j=0 to s
        t[j] := t[j+1]
    """,
    "cios": """
        for i=0 to s-1
        C := 0
        for j=0 to s-1
        (C,S) := t[j] + a[j]*b[i] + C
        t[j] := S
        (C,S) := t[s] + C
        t[s] := S
        t[s+1] := C
        m := t[0]*n'[0] mod W
        (C,S) := t[0] + m*n[0]
        for j=1 to s-1
        (C,S) := t[j] + m*n[j] + C
        t[j-1] := S
        (C,S) := t[s] + C
        t[s-1] := S
        t[s] := t[s+1] + C
    """,
    "fios": """
        for i=0 to s-1
        (C,S) := t[0] + a[0]*b[i]
        ADD(t[1],C)
        m := S*n'[0] mod W
        (C,S) := S + m*n[0]
        for j=1 to s-1
        (C,S) := t[j] + a[j]*b[i] + C
        ADD(t[j+1],C)
        (C,S) := S + m*n[j]
        t[j-1] := S
        (C,S) := t[s] + C
        t[s-1] := S
        t[s] := t[s+1] + C
        t[s+1] := 0
    """,
    "fips": """
        for i=0 to s-1
        for j=0 to i-1
        (C,S) := t[0] + a[j]*b[i-j]
        ADD(t[1],C)
        (C,S) := S + m[j]*n[i-j]
        t[0] := S
        ADD(t[1],C)
        (C,S) := t[0] + a[i]*b[0]
        ADD(t[1],C)
        m[i] := S*n'[0] mod W
        (C,S) := S + m[i]*n[0]
        ADD(t[1],C)
        t[0] := t[1]
        t[1] := t[2]
        t[2] := 0
        for i=s to 2s-1
        for j=i-s+1 to s-1
        (C,S) := t[0] + a[j]*b[i-j]
        ADD(t[1],C)
        (C,S) := S + m[j]*n[i-j]
        t[0] := S
        ADD(t[1],C)
        m[i-s] := t[0]
        t[0] := t[1]
        t[1] := t[2]
        t[2] := 0
    """,
    "cihs_as_printed": """
        for i=0 to s-1
        C := 0
        for j=0 to s-i-1
        (C,S) := t[i+j] + a[j]*b[i] + C
        t[i+j] := S
        (C,S) := t[s] + C
        t[s] := S
        t[s+1] := C
        for i=0 to s-1
        m := t[0]*n'[0] mod W
        (C,S) := t[0] + m*n[0]
        for j=1 to s-1
        (C,S) := t[j] + m*n[j] + C
        t[j-1] := S
        (C,S) := t[s] + C
        t[s-1] := S
        t[s] := t[s+1] + C
        t[s+1] := 0
        for j=i+1 to s-1
        (C,S) := t[s-1] + b[j]*a[s-j+i]
        t[s-1] := S
        (C,S) := t[s] + C
        t[s] := S
        t[s+1] := C
    """,
}


def printed(name: str) -> list[str]:
    return [line.strip() for line in PRINTED[name].strip().splitlines()]


@pytest.mark.parametrize("name", [name for name in PRINTED if name != "sos_square_wide_carry"])
def test_spec_is_the_print(name: str) -> None:
    assert listing(getattr(koc96, name)) == printed(name)


def test_corrected_cihs_differs_from_the_print_in_its_two_errata_only() -> None:
    pairs = list(zip(listing(koc96.cihs), printed("cihs_as_printed"), strict=True))
    changed = [(index, ours, theirs) for index, (ours, theirs) in enumerate(pairs) if ours != theirs]
    correction = ("t[s+1] := t[s+1] + C", "t[s+1] := C")
    assert changed == [(7, *correction), (23, *correction)]


def test_squaring_differs_from_the_print_in_its_two_errata_only() -> None:
    corrected = printed("sos_square_wide_carry")
    corrected.insert(2, "t[i+i] := S")
    corrected[-1:] = ["(X,S) := C + X", "t[i+s] := S"]
    assert listing(koc96.sos_square_wide_carry) == ["X := 0", *corrected]


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_a_run_executes_every_printed_statement_and_no_other(method: Method) -> None:
    executed = [
        statement
        for statement in statements(koc96.run(method, 2, 3, n=5, w=8, s=4).machine.events)
        if statement.function == method.__name__
    ]
    source = [line for line in listing(method) if not line.startswith("for ")]
    assert [statement.text for statement in executed] == source


def test_the_statements_of_cios_cost_and_run_as_in_table_2() -> None:
    """[koc96, Table 2] at s = 4: multiplications, additions, reads, writes and iterations of each line."""
    executed = [
        (*(statement.counts[kind] for kind in ("mult", "add", "read", "write")), statement.iterations)
        for statement in statements(koc96.run(koc96.cios, 2, 3, n=5, w=8, s=4).machine.events)
        if statement.function == "cios"
    ]
    assert executed == [
        (0, 0, 0, 0, 4),
        (1, 2, 3, 0, 16),
        (0, 0, 0, 1, 16),
        (0, 1, 1, 0, 4),
        (0, 0, 0, 1, 4),
        (0, 0, 0, 1, 4),
        (1, 0, 2, 1, 4),
        (1, 1, 3, 0, 4),
        (1, 2, 3, 0, 16 - 4),
        (0, 0, 0, 1, 16 - 4),
        (0, 1, 1, 0, 4),
        (0, 0, 0, 1, 4),
        (0, 1, 1, 1, 4),
    ]
