"""The claims of the text of [koc96]: operations, tested by counted runs of the specs."""

import random
from functools import cache
from statistics import mean

from monpro.report.finding import Finding, claim, found, measured
from monpro.report.koc96.table1 import PUBLISHED, counted
from monpro.report.polynomial import Polynomial, letter
from monpro.spec import koc96
from monpro.spec.counting import Event, totals

METHODS: dict[str, koc96.Method] = {
    "SOS": koc96.sos,
    "CIOS": koc96.cios,
    "FIOS": koc96.fios,
    "FIPS": koc96.fips,
    "CIHS": koc96.cihs,
}
LARGE = 64  # words: 2048 bits of 32-bit words, the longest operands of Table 3
S = letter("s")


@cache
def counts() -> dict[str, dict[str, Polynomial]]:
    """Return the operations and the space of each method, from counted runs."""
    return {name: counted(method) for name, method in METHODS.items()}


def at(polynomial: Polynomial, s: int = LARGE) -> float:
    """Return the value of a polynomial in s."""
    return float(polynomial.number(s=s))


@claim(
    "koc96.claim.additions",
    "§9",
    "CIOS requires fewer additions than each of the other four methods.",
    "fewer",
    source="counted",
)
def additions() -> Finding:
    """Compare the additions of CIOS with those of the others."""
    own = counts()["CIOS"]["add"]
    differences = {name: at(count["add"] - own) for name, count in counts().items() if name != "CIOS"}
    equal = [name for name, difference in differences.items() if difference == 0]
    printed = [name for name, row in PUBLISHED.items() if row[1] == PUBLISHED["CIOS"][1] and name != "CIOS"]
    holds = min(differences.values()) > 0
    ours = "fewer" if holds else f"as many as {' and '.join(equal)}" if equal else "more"
    reason = f"CIOS takes {own}; Table 1 itself prints as many for {' and '.join(printed)}"
    return found(holds, ours, reason)


@claim(
    "koc96.claim.lower_bound",
    "§9",
    "SOS and CIOS, of the five methods, reach the lower bound of 4s² + 4s + 2 additions.",
    "SOS, CIOS",
    source="counted",
)
def lower_bound() -> Finding:
    """Find the methods with the fewest additions."""
    least = min(at(count["add"]) for count in counts().values())
    reach = [name for name, count in counts().items() if at(count["add"]) == least]
    count = str(counts()[reach[0]]["add"])
    printed = [name for name, row in PUBLISHED.items() if row[1] == count]
    reason = (
        f"counted: {count}; Table 1 prints it for {', '.join(printed)}: "
        f"CIHS needs {counts()['CIHS']['add']} once its lost carries are added"
    )
    return found(reach == ["SOS", "CIOS"] and count == PUBLISHED["CIOS"][1], ", ".join(reach), reason)


WORD_BITS, WORDS, PRODUCTS = 32, 8, 60


def touched(method: koc96.Method) -> list[int]:
    """Return the words that each ADD of products of random numbers adds to."""
    chance = random.Random(1996)  # noqa: S311  (a sample, no secret)
    bits = WORD_BITS * WORDS
    words: list[int] = []
    for _ in range(PRODUCTS):
        n = chance.getrandbits(bits) | 1 << bits - 1 | 1
        a, b = chance.randrange(n), chance.randrange(n)
        machine = koc96.run(method, a, b, n=n, w=WORD_BITS, s=WORDS).machine
        words += [len(event.writes) for event in machine.events if event.counts["write"] > 1]
    return words


@claim(
    "koc96.claim.add",
    "§9",
    "ADD with its carries takes two reads, two additions and two writes on average.",
    2.0,
    source="counted",
    unit="words",
)
def mean_of_add() -> Finding:
    """Count the words that ADD touches for random operands."""
    means = {name: mean(touched(METHODS[name])) for name in ("SOS", "FIOS", "FIPS")}
    each = ", ".join(f"{name} {value:.2f}" for name, value in means.items())
    reason = (
        f"s = {WORDS}, w = {WORD_BITS}, random operands: {each}; a second word needs a carry out of the first"
    )
    ours = round(mean(means.values()), 2)
    return measured(ours, reason, within=0.025)


@claim(
    "koc96.claim.fios_additions",
    "§6",
    "FIOS requires about s² more additions, reads and writes than CIOS.",
    "about s² each",
    source="counted",
)
def additions_of_fios() -> Finding:
    """Subtract the operations of CIOS from those of FIOS."""
    difference = {
        column: counts()["FIOS"][column] - counts()["CIOS"][column] for column in ("add", "read", "write")
    }
    holds = all(polynomial.leading() == (S**2).leading() for polynomial in difference.values())
    ours = ", ".join(f"{polynomial} {column}s" for column, polynomial in difference.items())
    return found(holds, ours, "counted; the terms in s are small beside s²")


@claim(
    "koc96.claim.assignments",
    "§9",
    "CIOS requires fewer assignments than each of the other four methods.",
    "fewer",
    source="counted",
)
def assignments() -> Finding:
    """Compare the writes of CIOS with those of the others."""
    own = counts()["CIOS"]["write"]
    others = {name: at(count["write"] - own) for name, count in counts().items() if name != "CIOS"}
    nearest = min(others, key=others.__getitem__)
    holds = others[nearest] > 0
    reason = f"CIOS writes {own}, the nearest other, {nearest}, {counts()[nearest]['write']}"
    return found(holds, "fewer" if holds else "not fewer", reason)


@claim(
    "koc96.claim.space",
    "§9",
    "CIOS needs just slightly more than half of the temporary space of SOS.",
    0.5,
    source="counted",
    unit="of the words of SOS",
)
def space() -> Finding:
    """Divide the temporary words of CIOS by those of SOS."""
    shares = {s: at(counts()["CIOS"]["space"], s) / at(counts()["SOS"]["space"], s) for s in (4, 16, LARGE)}
    each = ", ".join(f"{share:.2f} for s = {s}" for s, share in shares.items())
    reason = f"{counts()['CIOS']['space']} of {counts()['SOS']['space']} words: {each}"
    return measured(round(shares[16], 2), reason, within=0.2)


@claim(
    "koc96.claim.squaring",
    "§4",
    "In a square by SOS almost half of the multiplications of a·b can be skipped.",
    "almost half",
    source="counted",
)
def squaring() -> Finding:
    """Count the multiplications of a square, which Table 1 leaves out."""
    sizes = range(1, 9)
    squares = {s: koc96.run(koc96.sos_square_wide_carry, 1, n=3, w=8, s=s).machine for s in sizes}
    square = Polynomial.fit({s: totals(machine.events)["mult"] for s, machine in squares.items()})
    saved = counts()["SOS"]["mult"] - square
    share = at(saved) / LARGE**2
    reason = (
        f"a square takes {square} multiplications, a product {counts()['SOS']['mult']}: {saved} of s² are "
        "saved, but the reduction's s² + s stay, so a quarter of all"
    )
    return found(0.4 < share < 0.5, f"{100 * share:.0f} % for s = {LARGE}", reason)


@claim(
    "koc96.claim.processors_with_accumulators",
    "§9",
    "On a signal processor FIPS is often better: t[0], t[1], t[2] are one hardware accumulator.",
    "fewest accesses",
    source="counted",
)
def accumulator() -> Finding:
    """Count the reads and writes of all methods, those of FIPS without its accumulator."""
    accesses = {name: at(count["read"] + count["write"]) for name, count in counts().items()}
    own: dict[int, int] = {}
    for s in range(1, 9):
        events = koc96.run(koc96.fips, 1, 1, n=3, w=8, s=s).machine.events
        inside = sum(name.startswith("t[") for event in events for name in event.reads)
        inside += sum(name.startswith("t[") for event in events for name, _ in event.writes)
        charged = sum(event.counts["read"] + event.counts["write"] for event in events if not _is_add(event))
        own[s] = charged - inside + sum(_touches(event) for event in events if _is_add(event))
    memory = Polynomial.fit(own)
    others = {name: count for name, count in accesses.items() if name != "FIPS"}
    least = min(others, key=others.__getitem__)
    holds = at(memory) < others[least]
    reason = (
        f"without t, FIPS makes {memory} accesses, {at(memory) / others[least]:.2f} of those of {least} for "
        f"s = {LARGE}; no signal processor was timed"
    )
    return found(holds, "fewest accesses" if holds else f"more than {least}", reason)


def _is_add(event: Event) -> bool:
    return event.counts["write"] > 1


def _touches(event: Event) -> int:
    return len(event.reads) + len(event.writes)


CLAIMS = (
    squaring,
    additions_of_fios,
    additions,
    lower_bound,
    mean_of_add,
    assignments,
    space,
    accumulator,
)
