"""The claims of the text of [koc97] that its tables do not hold."""

from monpro import _native
from monpro.report.finding import Finding, claim, found, measured, untested
from monpro.report.koc97 import table4
from monpro.report.koc97.table5 import PUBLISHED
from monpro.results.exponentiations import (
    BRANCHES,
    INSTRUCTION,
    SIZES,
    TABLES,
    recorded,
    speedup,
)
from monpro.spec import koc97

NOT_RECORDED = "not recorded: `python -m monpro.bench.exponentiations` measures it"


def speedups(w: int, way: str) -> dict[int, float]:
    """Return the recorded speed-ups by k; empty if one is missing."""
    times = recorded()
    known = {k: speedup(times, w, way, k) for k in SIZES}
    return {k: value for k, value in known.items() if value is not None} if None not in known.values() else {}


@claim(
    "koc97.claim.six_times",
    "Abstract",
    "With w = 8, Montgomery exponentiation is at least 6 times faster than standard exponentiation.",
    6.0,
    source="recorded",
    unit="times, at least",
)
def six_times() -> Finding:
    """Return the smallest of the recorded speed-ups with tables, and count those of Table 5 that reach 6."""
    ours = speedups(8, TABLES)
    if not ours:
        return untested(NOT_RECORDED)
    printed = [row[0] for row in PUBLISHED.values()]
    reach = sum(value >= 6 for value in printed)
    counted = float(table4.limit("Emulation", 8))
    reason = (
        f"recorded with tables: {min(ours.values()):.1f} to {max(ours.values()):.1f}; Table 5 itself reaches "
        f"6 for {reach} of {len(printed)} k, and Table 4 gives {counted:.2f} with emulation"
    )
    return measured(round(min(ours.values()), 1), reason, at_least=True)


@claim(
    "koc97.claim.thirty_seven_times",
    "Abstract, §8",
    "A 32-bit instruction MULGF2 would make Montgomery exponentiation up to 37 times faster.",
    37.0,
    source="recorded",
    unit="times, at most",
)
def thirty_seven_times() -> Finding:
    """Return the largest of the recorded speed-ups with the instruction."""
    ours = speedups(32, INSTRUCTION)
    if not ours:
        return untested(NOT_RECORDED)
    limit = float(table4.limit("Instruction", 32))
    largest = max(ours, key=ours.__getitem__)
    reason = (
        f"recorded with PCLMULQDQ, k = {largest}; Table 4's limit of {limit:.1f} counts each shift and "
        "addition of the standard method as much as the instruction, which takes several clocks"
    )
    return measured(round(ours[largest], 1), reason, within=0.15)


@claim(
    "koc97.claim.emulation_before_standard",
    "§7",
    "With emulation by branches, Montgomery exponentiation is 2.3 to 5 times faster.",
    2.3,
    source="recorded",
    unit="times, at least",
)
def emulation() -> Finding:
    """Return the smallest recorded speed-up with branching emulation."""
    ours = {w: speedups(w, BRANCHES) for w in (8, 16, 32)}
    if not all(ours.values()):
        return untested(NOT_RECORDED)
    least = min(min(values.values()) for values in ours.values())
    each = ", ".join(f"{min(v.values()):.2f} to {max(v.values()):.2f} for w = {w}" for w, v in ours.items())
    counted = ", ".join(f"{float(table4.limit('Emulation', w)):.2f}" for w in ours)
    reason = (
        f"recorded: {each}; Table 4's limits are {counted}. Today's CPU predicts every other branch of "
        "MULGF2 wrongly, and Montgomery's method has more of them"
    )
    return measured(round(least, 2), reason, at_least=True)


@claim(
    "koc97.claim.table_size",
    "§7",
    "For w = 16 a table of MULGF2 would take 8 Gigabytes.",
    8.0,
    source="computed",
    unit="GiB",
)
def table_size() -> Finding:
    """Compute the size of a table."""
    ours = (1 << 16) ** 2 * 16 / 8 / (1 << 30)
    return measured(ours, "one of two: the high words and the low words have a table each")


@claim(
    "koc97.claim.fermat",
    "§1",
    "In elliptic curves the exponentiation computes an inverse, by Fermat's a⁻¹ = a^(2^k − 2).",
    "a^(2^k − 2)",
    source="computed",
)
def fermat() -> Finding:
    """Invert elements of GF(2^16) by the spec; the field itself inverts in another way."""
    n = koc97.Polynomial(1 << 16 | 0b101011)
    elements = range(2, 32)
    right = 0
    for a in elements:
        inverse = koc97.run(koc97.field_inverse, a, n=n, w=8).result
        right += koc97.Polynomial(a) * koc97.Polynomial(inverse) % n == 1
    reason = (
        f"{right} of {len(elements)} inverses of GF(2^16) by the spec; BinaryField inverts by division "
        "steps, which are faster; elliptic curves are not built"
    )
    return found(right == len(elements), "a^(2^k − 2)", reason)


@claim(
    "koc97.claim.other_methods",
    "§8",
    "The five methods of the integers can be compared for GF(2^k) too; the authors were analysing them.",
    "no number",
    source="counted",
)
def other_methods() -> Finding:
    """Name the kernels of the five methods over GF(2)[x]."""
    five = ("sos", "cios", "fios", "fips", "cihs")
    names = {known.name for known in _native.kernels()}
    there = [method for method in five if f"{method}-gf2" in names]
    reason = (
        f"{len(there)} methods run over GF(2)[x], by the code of the integers: without carries SOS needs no "
        "ADD and CIHS no third word; `monpro bench` compares them"
    )
    return found(len(there) == len(five), ", ".join(f"{method}-gf2" for method in there), reason)


@claim(
    "koc97.claim.normal_basis",
    "§8",
    "One could compare with a method of trinomials and the normal basis, where squaring is trivial.",
    "no number",
    source="computed",
)
def normal_basis() -> Finding:
    """Say what there is of it."""
    sparse = [known.name for known in _native.kernels() if known.name.startswith("sparse-gf2")]
    return untested(
        f"trinomials have kernels, {', '.join(sparse) or 'not on this CPU'}; no normal basis is built"
    )


CLAIMS = (
    six_times,
    thirty_seven_times,
    fermat,
    emulation,
    table_size,
    other_methods,
    normal_basis,
)
