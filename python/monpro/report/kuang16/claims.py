"""The claims of the text of [kuang16] that its tables do not hold: clocks by the specs, areas as recorded."""

from functools import cache
from statistics import mean

from monpro.cores import configurations
from monpro.flow.synthesis_records import recorded
from monpro.report.finding import Finding, claim, found, measured, untested
from monpro.report.kuang16.cells import FCS_MM_1, FCS_MM_2, NEW, NEW_PLAIN
from monpro.report.kuang16.library import NAME
from monpro.report.kuang16.table3 import NOT_RECORDED, SIZES_BITS, TARGET, operands, sampler
from monpro.spec import kuang16
from monpro.spec.kuang16 import CONVERSION, PRECOMPUTATION, Adder

SAMPLES = 40
EXTRA = (PRECOMPUTATION, CONVERSION)
PRODUCT_CORES = ("scs-mm-new-{}", "scs-mm-new-{}-plain-adder")


@cache
def clocks(bits: int, *, configurable: bool) -> dict[str, float]:
    """Return the mean clocks of SCS-MM-New in each phase, with a configurable or a plain adder."""
    chance, adder = sampler(bits), Adder()
    for _ in range(SAMPLES):
        a, b, n = operands(bits, chance)
        kuang16.scs_mm_new(a, b, n, kuang16.n_hat(n).bit_length(), adder, configurable=configurable)
    return {phase: count / SAMPLES for phase, count in adder.clocks.items()}


def extra_clocks(bits: int, *, configurable: bool) -> float:
    """Return the mean clocks of the precomputation and the conversion."""
    return sum(clocks(bits, configurable=configurable)[phase] for phase in EXTRA)


@claim(
    "kuang16.claim.ccsa_halves",
    "§III-B",
    "The configurable adder halves the extra clocks for the precomputation and the conversion.",
    0.5,
    source="modelled",
    unit="of the extra clocks",
)
def ccsa_halves() -> Finding:
    """Count the extra clocks with two half adders a clock and with one."""
    pairs = {
        bits: [extra_clocks(bits, configurable=choice) for choice in (False, True)] for bits in SIZES_BITS
    }
    shares = [two / one for one, two in pairs.values()]
    each = ", ".join(f"{one:.1f} to {two:.1f} at {bits} bits" for bits, (one, two) in pairs.items())
    reason = f"the mean falls from {each}: the clock of step 2 has nothing to halve"
    return measured(round(mean(shares), 2), reason, within=0.2)


@claim(
    "kuang16.claim.ccsa_pays",
    "§III-B, §IV-A",
    "The configurable adder, 5 % larger and as fast as a plain one, lowers the area–time product.",
    "lowers it",
    source="recorded",
)
def ccsa_pays() -> Finding:
    """Compare area × delay × clocks with both adders, as synthesised."""
    results, shares = recorded(TARGET), {}
    for bits in SIZES_BITS:
        names = [name.format(bits) for name in PRODUCT_CORES]
        if not set(names) <= set(results):
            return untested(NOT_RECORDED)
        products = [
            results[name].area_um2 * results[name].delay_ns * sum(clocks(bits, configurable=choice).values())
            for name, choice in zip(names, (True, False), strict=True)
        ]
        shares[bits] = products[0] / products[1]
    each = ", ".join(f"{100 * (share - 1):+.0f} % at {bits} bits" for bits, share in shares.items())
    reason = (
        f"area × path × clocks of {TARGET}, configurable to plain: {each}; it saves 1 % of the clocks and "
        "pays with area and path"
    )
    holds = all(share < 1 for share in shares.values())
    return found(holds, "lowers it" if holds else "raises it", reason)


@claim(
    "kuang16.claim.ccsa_area",
    "§IV-A",
    "The configurable adder takes about 5 % more area.",
    5.0,
    source="recorded",
    unit="%",
)
def ccsa_area() -> Finding:
    """Compare the areas with both adders, as synthesised and cell by cell."""
    results, larger = recorded(TARGET), {}
    for bits in SIZES_BITS:
        new, plain = (name.format(bits) for name in PRODUCT_CORES)
        if not {new, plain} <= set(results):
            return untested(NOT_RECORDED)
        larger[bits] = 100 * (results[new].area_um2 / results[plain].area_um2 - 1)
    each = ", ".join(f"{more:.1f} % at {bits} bits" for bits, more in larger.items())
    gates = 100 * (NEW.area / NEW_PLAIN.area - 1)
    reason = f"{TARGET}: {each}; {gates:.1f} % by {NAME}; gates are resized for each netlist"
    return measured(round(mean(larger.values()), 1), reason, within=0.02)


@claim(
    "kuang16.claim.fcs_mm_2_path",
    "§II-C",
    "The critical path of FCS-MM-2 may be slightly shorter than that of FCS-MM-1.",
    "shorter",
    source="recorded",
)
def path_of_fcs_mm_2() -> Finding:
    """Compare the recorded paths."""
    results, paths = recorded(TARGET), {}
    for bits in SIZES_BITS:
        names = [f"fcs-mm-{which}-{bits}-pairs" for which in (1, 2)]
        if not set(names) <= set(results):
            return untested(NOT_RECORDED)
        paths[bits] = [results[name].delay_ns for name in names]
    each = ", ".join(f"{two:.2f} against {one:.2f} ns at {bits} bits" for bits, (one, two) in paths.items())
    gates = "shorter" if FCS_MM_2.delay < FCS_MM_1.delay else "longer"
    reason = f"{TARGET}: {each}; {gates} by {NAME}, which see neither the load of A_i and q_i nor buffers"
    holds = all(two < one for one, two in paths.values())
    return found(holds, "shorter" if holds else "longer", reason)


@claim(
    "kuang16.claim.extra_clocks_hidden",
    "Abstract, §III-B",
    "Skipping hides the extra clocks for the precomputation and the conversion.",
    "fewer than k + 2 clocks",
    source="modelled",
)
def extra_clocks_hidden() -> Finding:
    """Compare all clocks of SCS-MM-New with k + 2."""
    totals = {bits: sum(clocks(bits, configurable=True).values()) for bits in SIZES_BITS}
    each = ", ".join(
        f"{total:.0f} clocks at {bits} bits, {extra_clocks(bits, configurable=True):.0f} of them extra"
        for bits, total in totals.items()
    )
    holds = all(total < bits + 2 for bits, total in totals.items())
    return found(holds, "fewer" if holds else "more", f"mean of random products: {each}")


@claim(
    "kuang16.claim.cpa64",
    "§IV-B",
    "A 64-bit adder for the conversion lengthens the path of SCS-MM-1 significantly.",
    "longer",
    source="recorded",
)
def path_with_64_bits() -> Finding:
    """Compare the recorded paths of SCS-MM-1 with adders of 32 and of 64 bits."""
    results = recorded(TARGET)
    names = [f"scs-mm-1-1024{suffix}" for suffix in ("", "-cpa64")]
    if not set(names) <= set(results):
        return untested(NOT_RECORDED)
    short, long = (results[name].delay_ns for name in names)
    reason = (
        f"{TARGET}, 1024 bits: {short:.2f} and {long:.2f} ns; the paper's adder looks carries ahead, ours "
        "is what the synthesis makes of a sum"
    )
    holds = long > 1.1 * short
    return found(holds, f"{100 * (long / short - 1):.0f} % longer", reason)


@claim(
    "kuang16.claim.one_level_with_cpa",
    "§II-B",
    "One level of adders with D = B + N still suffers from the path of the converter's adder.",
    "the converter's path",
    source="recorded",
)
def one_level_with_converter() -> Finding:
    """Compare the path of one level with D, MSCS-MM, with that of the converter of SCS-MM-1."""
    results = recorded(TARGET)
    names = ("mscs-mm-1024", "scs-mm-1-1024")
    if not set(names) <= set(results):
        return untested(NOT_RECORDED)
    level, converter = (results[name].delay_ns for name in names)
    reason = (
        f"{TARGET}, 1024 bits: a level with D has {level:.2f} ns in MSCS-MM, the converter "
        f"{converter:.2f} ns in SCS-MM-1; the multiplier of references [6] and [7], with both, is not built"
    )
    holds = converter > level
    return found(holds, "the converter's path" if holds else "the level's path", reason)


@claim(
    "kuang16.claim.energy",
    "§I",
    "FCS-MMM42 suppresses superfluous additions, which saves energy and raises the throughput.",
    "saves energy",
    source="modelled",
)
def energy() -> Finding:
    """Compare clocks, and clocks × area, of FCS-MMM42 and FCS-MM-2; energy itself is not measured."""
    results, bits = recorded(TARGET), 1024
    names = [f"{name}-{bits}-pairs" for name in ("fcs-mmm42", "fcs-mm-2")]
    if not set(names) <= set(results):
        return untested(NOT_RECORDED)
    chance = sampler(bits)
    cycles = [
        mean(configurations()[name].run(*operands(bits, chance)).cycles for _ in range(SAMPLES))
        for name in names
    ]
    skipped = 100 * (1 - cycles[0] / cycles[1])
    switched = [count * results[name].area_um2 for count, name in zip(cycles, names, strict=True)]
    reason = (
        f"{skipped:.0f} % fewer additions than FCS-MM-2, and {100 * (1 - switched[0] / switched[1]):.0f} % "
        "less area × clocks, a rough stand-in; energy is not measured"
    )
    return untested(reason)


CLAIMS = (
    energy,
    one_level_with_converter,
    path_of_fcs_mm_2,
    ccsa_halves,
    ccsa_pays,
    extra_clocks_hidden,
    ccsa_area,
    path_with_64_bits,
)
