"""The claims of the papers' text: which there are, and that their verdicts follow from what is found."""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

from monpro.flow import kernels, synthesis_records, systolic_arrays
from monpro.flow.elements import DESIGNS, ElementDesign
from monpro.report import Claim, Item, Table, catalogue, select
from monpro.report.blum01 import claims as blum01_claims
from monpro.report.claim import is_near
from monpro.report.finding import Finding, claim, untested, verdict_on
from monpro.report.koc96 import claims as koc96_claims
from monpro.report.koc96 import claims_of_methods
from monpro.report.kuang16 import claims as kuang16_claims
from monpro.report.kuang16.table3 import NOT_RECORDED, TARGET
from monpro.report.outcome import of_print
from monpro.report.table import SAME
from monpro.results import exponentiations, koc96_in_c

CLAIMS = {  # by paper and section, the names of its claims: what the text says beside its tables and figures
    "koc96": {
        "§3": {"radix", "variants"},
        "§4": {"squaring"},
        "§4, footnote 3": {"extra_word"},
        "§5": {"improvement_2"},
        "§6": {"fios_additions"},
        "§7, footnote 4": {"accumulator_words"},
        "§9": {
            "additions",
            "lower_bound",
            "add",
            "assignments",
            "space",
            "processors_with_accumulators",
            "systolic",
            "averages",
            "fastest",
            "halves",
        },
    },
    "koc97": {
        "Abstract": {"six_times"},
        "Abstract, §8": {"thirty_seven_times"},
        "§1": {"fermat"},
        "§7": {"emulation_before_standard", "table_size"},
        "§8": {"other_methods", "normal_basis"},
    },
    "kuang16": {
        "§I": {"energy"},
        "§II-B": {"one_level_with_cpa"},
        "§II-C": {"fcs_mm_2_path"},
        "§III-B": {"ccsa_halves"},
        "§III-B, §IV-A": {"ccsa_pays"},
        "Abstract, §III-B": {"extra_clocks_hidden"},
        "§IV-A": {"ccsa_area"},
        "§IV-B": {"cpa64"},
    },
    "amberg08": {
        "Abstract": {"time_plain", "time_booth"},
        "§III": {"lookup_tables"},
        "§III-B": {
            "registers_left",
            "registers_right",
            "registers_radix_8",
            "booth_clock",
            "radix_8_clock",
        },
        "§III-C": {"cycles", "half_registers"},
        "§IV": {"twelve_registers"},
        "§V, §VI": {"radix_8_no_better"},
        "§VI": {"left_better", "plain_best", "virtually_identical"},
    },
    "blum01": {
        "§3.1": {"operations"},
        "§4.1": {"rams"},
        "§4.1, §7": {"optimal_radix"},
        "§4.2": {"unit"},
        "§5.1": {"overhead", "bits_160", "routing"},
        "§5.1, Table 2": {"radix_2_smaller"},
        "Abstract, §5.2": {"recombination"},
        "§6": {"seconds_970", "any_modulus"},
    },
}

NOT_AGREED = {  # the verdicts as they stand; a claim that is not here is agreed
    "refuted": {
        "amberg08": "left_better plain_best",
        "koc96": "accumulator_words additions radix",
        "kuang16": "ccsa_pays fcs_mm_2_path",
    },
    "differs": {
        "amberg08": "booth_clock cycles half_registers time_booth time_plain virtually_identical",
        "blum01": "bits_160 overhead radix_2_smaller rams routing unit",
        "koc96": "add halves",
        "koc97": "emulation_before_standard six_times",
    },
    "not tested": {
        "amberg08": "lookup_tables",
        "koc96": "averages",
        "koc97": "normal_basis",
        "kuang16": "energy",
    },
}


def verdict_of(identity: str) -> str:
    paper, _, name = identity.split(".")
    return next(
        (told for told, papers in NOT_AGREED.items() if name in papers.get(paper, "").split()), "agreed"
    )


def built(identity: str) -> Claim:
    (item,) = select(identity)
    result = item.build()
    assert isinstance(result, Claim)
    return result


ITEMS = [item for item in catalogue() if item.kind == "claim"]


@pytest.mark.parametrize("paper", CLAIMS)
def test_each_section_has_its_claims(paper: str) -> None:
    expected = {f"{paper}.claim.{name}" for names in CLAIMS[paper].values() for name in names}
    assert {item.id for item in select(f"{paper}.claims")} == expected
    assert {item.id for item in select(paper)} > expected


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_a_claim_says_what_is_printed_what_is_found_and_why(item: Item) -> None:
    result = built(item.id)
    paper, _, name = item.id.split(".")
    assert name in CLAIMS[paper][result.section]
    assert result.id == item.id
    assert result.statement == item.title
    assert result.statement.endswith(".")
    for text in (result.statement, result.reason):
        assert "\n" not in text
        assert 10 < len(text) < 320
    assert result.published is not None
    assert result.as_dict()["verdict"] == result.verdict == verdict_of(item.id)


def test_a_claim_without_a_reason_or_without_a_finding_is_refused() -> None:
    good = Claim("x.claim.y", "§1", "One is two.", 1, 2, "differs", "a reason", "computed", within=0)
    with pytest.raises(ValueError, match="no reason"):
        replace(good, reason="")
    with pytest.raises(ValueError, match="agreed, and ours is None"):
        replace(good, ours=None, verdict="agreed")
    with pytest.raises(ValueError, match="not tested, and ours is 2"):
        replace(good, verdict="not tested")

    @claim("x.claim.z", "§2", "Nothing is known.", "nothing", source="computed")
    def nothing() -> Finding:
        """Find nothing."""
        return untested("nobody looked")

    result = nothing.build()
    assert isinstance(result, Claim)
    assert (result.ours, result.verdict) == (None, "not tested")


def test_a_number_is_near_up_to_its_tolerance_or_from_it() -> None:
    assert is_near(SAME, 0)
    assert not is_near(2 * SAME, 0)
    assert not is_near(0.5, 0.1)
    assert is_near(-SAME, 0, at_least=True)
    assert is_near(0.5, 0, at_least=True)
    assert not is_near(-2 * SAME, 0, at_least=True)


def test_a_published_number_was_printed_unless_told_otherwise() -> None:
    assert Claim("x.claim.y", "§1", "One is one.", 1, 1, "agreed", "a reason", "computed", within=0).printed


def test_a_finding_has_a_verdict_or_numbers_and_a_tolerance() -> None:
    assert verdict_on(1, Finding(1, None, "a reason", 0), "") == "agreed"
    for finding in (Finding(1, None, "a reason"), Finding("one", None, "a reason", 0)):
        with pytest.raises(ValueError, match="no number or no tolerance"):
            verdict_on(1, finding, "")


# --- Verdicts follow from what is under them ----------------------------------------------------------------

Change = Callable[[pytest.MonkeyPatch], None]


def changed(module: str, **values: Any) -> Change:
    """Replace names of a module of `monpro`, or what is under a key of a mapping, given as `NAME__key`."""

    def change(patch: pytest.MonkeyPatch) -> None:
        owner = import_module(f"monpro.{module}")
        for name, value in values.items():
            mapping, _, key = name.partition("__")
            if key:
                patch.setitem(getattr(owner, mapping), key, value)
            else:
                patch.setattr(owner, name, value)

    return change


def scaled(module: str, function: str, which: Callable[[Any], bool], **factors: float) -> Change:
    """Scale fields of the recorded figures whose key is `which`."""

    def change(patch: pytest.MonkeyPatch) -> None:
        owner = import_module(f"monpro.{module}")
        original: Callable[..., Mapping[Any, Any]] = getattr(owner, function)

        def other(*arguments: Any) -> dict[Any, Any]:
            return {
                key: replace(value, **{name: getattr(value, name) * factors[name] for name in factors})
                if which(key)
                else value
                for key, value in original(*arguments).items()
            }

        patch.setattr(owner, function, other)

    return change


def from_spec(module: str, function: str) -> Any:
    return getattr(import_module(f"monpro.spec.{module}"), function)


def without_second_half_adder(patch: pytest.MonkeyPatch) -> None:
    adder = from_spec("kuang16", "Adder")
    patch.setattr(adder, "csa_2h", adder.csa_1h)


def in_c_scaled(method: str, halves: float) -> Change:
    """Scale the recorded times of a method with products made of halves."""

    def change(patch: pytest.MonkeyPatch) -> None:
        times = {
            key: time * (halves if key[:2] == (koc96_in_c.HALVES, method) else 1)
            for key, time in koc96_in_c.recorded().items()
        }
        patch.setattr(koc96_in_c, "recorded", lambda: times)

    return change


def clbs_scaled(of_radix_log2: int, factor: float) -> Change:
    def change(patch: pytest.MonkeyPatch) -> None:
        module = import_module("monpro.report.blum01.claims")
        original = module.clbs
        patch.setattr(
            module,
            "clbs",
            lambda core: original(core) * (factor if core.radix_log2 == of_radix_log2 else 1),
        )

    return change


def six_times_as_fast() -> dict[tuple[str, int], float]:
    return {
        (exponentiations.kernel(method, w, way), k): 6.5 if method == exponentiations.STANDARD else 1.0
        for method in (exponentiations.STANDARD, exponentiations.MONTGOMERY)
        for w in exponentiations.WIDTHS_BITS
        for way in exponentiations.WAYS
        for k in exponentiations.SIZES
    }


def is_booth_left(design: Any) -> bool:
    return bool(design.left_shift and design.booth and design.word_width == 16)


def is_plain_left(design: Any) -> bool:
    return bool(design.left_shift and not design.booth and design.radix_log2 == 2)


def clocks_scaled(which: Callable[[Any], bool], factor: float) -> Change:
    """Change the recorded clocks of all kernels to those of one, scaled for some."""

    def recorded() -> dict[ElementDesign, list[float]]:
        return {
            design: [factor * mhz if which(design) else mhz for mhz in (100.0, 101.0, 102.0)]
            for design in DESIGNS
        }

    return lambda patch: patch.setattr(kernels, "recorded", recorded)


def alike(**fields: float) -> Change:
    """Give all designs of kuang16 that synthesis recorded the same figures."""

    def change(patch: pytest.MonkeyPatch) -> None:
        designs = {
            name: replace(design, **fields) for name, design in synthesis_records.recorded(TARGET).items()
        }
        patch.setattr(kuang16_claims, "recorded", lambda _: designs)

    return change


def paths_of_converters(short: float, long: float) -> Change:
    """Give SCS-MM-1 these paths with its adders of 32 and of 64 bits."""
    paths = {"scs-mm-1-1024": short, "scs-mm-1-1024-cpa64": long}
    designs = {name: SimpleNamespace(delay_ns=path) for name, path in paths.items()}
    return changed("report.kuang16.claims", recorded=lambda _: designs)


def clocks_above(extra: int) -> Change:
    """Let a product of SCS-MM-New take this many clocks more than it has bits."""
    one, other = kuang16_claims.EXTRA
    return changed("report.kuang16.claims", clocks=lambda bits, **_: {one: bits, other: extra})


def is_new(name: str) -> bool:
    return name in {"scs-mm-new-1024", "scs-mm-new-2048"}


WRONG = (  # the claim, what is changed under it, the verdict with the change
    (
        "koc96.claim.additions",
        changed("report.koc96.claims", METHODS__SOS=from_spec("koc96", "fips")),
        "agreed",
    ),
    (
        "koc96.claim.lower_bound",
        changed("report.koc96.claims", METHODS__CIOS=from_spec("koc96", "fios")),
        "refuted",
    ),
    ("koc96.claim.add", changed("report.koc96.claims", touched=lambda _: [2, 2]), "agreed"),
    (
        "koc96.claim.fios_additions",
        changed("report.koc96.claims", METHODS__FIOS=from_spec("koc96", "cihs")),
        "refuted",
    ),
    (
        "koc96.claim.assignments",
        changed("report.koc96.claims", METHODS__CIOS=from_spec("koc96", "fips")),
        "refuted",
    ),
    (
        "koc96.claim.assignments",
        changed("report.koc96.claims", METHODS__FIPS=from_spec("koc96", "cios")),
        "refuted",
    ),
    ("koc96.claim.space", changed("report.koc96.claims", METHODS__CIOS=from_spec("koc96", "sos")), "differs"),
    (
        "koc96.claim.accumulator_words",
        changed("report.koc96.claims_of_methods", largest_accumulator=lambda *_: 48),
        "agreed",
    ),
    (
        "koc96.claim.radix",
        changed("report.koc96.claims_of_methods", is_right=lambda *_: True),
        "agreed",
    ),
    ("koc96.claim.squaring", changed("report.koc96.claims", LARGE=60), "refuted"),  # 56 % of 60² are saved
    ("koc96.claim.squaring", changed("report.koc96.claims", LARGE=72), "refuted"),  # 39 % of 72²
    (
        "koc96.claim.improvement_2",
        changed("report.koc96.claims", METHODS__SOS=from_spec("koc96", "fips")),
        "refuted",
    ),
    (
        "koc96.claim.processors_with_accumulators",
        changed("report.koc96.claims", _touches=lambda _: 100),
        "refuted",
    ),
    ("koc96.claim.fastest", in_c_scaled("CIOS", halves=2.0), "refuted"),
    ("koc96.claim.halves", in_c_scaled("CIOS", halves=3.0), "agreed"),
    (
        "kuang16.claim.one_level_with_cpa",
        scaled("report.kuang16.claims", "recorded", lambda name: name == "scs-mm-1-1024", delay_ns=0.1),
        "refuted",
    ),
    (
        "kuang16.claim.extra_clocks_hidden",
        changed(
            "report.kuang16.claims",
            clocks=lambda bits, **_: dict.fromkeys(kuang16_claims.EXTRA, bits),
        ),
        "refuted",
    ),
    ("kuang16.claim.ccsa_halves", without_second_half_adder, "differs"),
    ("kuang16.claim.ccsa_pays", scaled("report.kuang16.claims", "recorded", is_new, delay_ns=0.5), "agreed"),
    ("kuang16.claim.ccsa_area", scaled("report.kuang16.claims", "recorded", is_new, area_um2=2.0), "differs"),
    (
        "kuang16.claim.fcs_mm_2_path",
        scaled("report.kuang16.claims", "recorded", lambda name: name.startswith("fcs-mm-2"), delay_ns=0.5),
        "agreed",
    ),
    (
        "kuang16.claim.cpa64",
        scaled("report.kuang16.claims", "recorded", lambda name: "cpa64" in name, delay_ns=0.1),
        "refuted",
    ),
    (
        "koc97.claim.six_times",
        changed("report.koc97.claims", recorded=six_times_as_fast),
        "agreed",
    ),
    (
        "koc97.claim.thirty_seven_times",
        changed("report.koc97.claims", speedup=lambda *_: 16.0),
        "differs",
    ),
    (
        "koc97.claim.emulation_before_standard",
        changed("report.koc97.claims", speedup=lambda *_: 2.5),
        "agreed",
    ),
    ("amberg08.claim.cycles", changed("report.amberg08.claims", formula=lambda *_: 0), "differs"),
    ("amberg08.claim.booth_clock", clocks_scaled(is_booth_left, 0.71), "agreed"),
    (
        "amberg08.claim.twelve_registers",
        scaled("report.amberg08.claims", "elements", lambda design: design.word_width == 16, registers=2.0),
        "differs",
    ),
    (
        "amberg08.claim.registers_left",
        scaled("report.amberg08.claims", "elements", is_booth_left, registers=0.5),
        "differs",
    ),
    (
        "amberg08.claim.left_better",
        scaled("report.amberg08.claims", "elements", lambda design: not design.left_shift, luts=9.0),
        "refuted",  # by Table I
    ),
    (
        "amberg08.claim.time_plain",
        changed("report.amberg08.claims", exponentiation_ms=lambda *_: 9.4),
        "agreed",
    ),
    (
        "amberg08.claim.time_booth",
        changed("report.amberg08.claims", exponentiation_ms=lambda *_: 12.6),
        "agreed",
    ),
    (
        "amberg08.claim.registers_right",
        scaled("report.amberg08.claims", "elements", lambda design: not design.left_shift, registers=0.5),
        "differs",
    ),
    (
        "amberg08.claim.registers_radix_8",
        scaled("report.amberg08.claims", "elements", lambda design: design.radix_log2 == 3, registers=2.0),
        "differs",
    ),
    (
        "amberg08.claim.half_registers",
        scaled("report.amberg08.claims", "elements", is_booth_left, registers=0.85),
        "agreed",
    ),
    (
        "amberg08.claim.plain_best",
        scaled("report.amberg08.claims", "elements", is_plain_left, luts=0.5),
        "agreed",
    ),
    (
        "amberg08.claim.radix_8_no_better",
        scaled("report.amberg08.claims", "elements", lambda design: design.radix_log2 == 3, luts=0.1),
        "refuted",
    ),
    (
        "amberg08.claim.virtually_identical",
        changed("report.amberg08.claims", slowdown=lambda *_: [0.98, 1.05]),
        "agreed",
    ),
    ("amberg08.claim.radix_8_clock", clocks_scaled(lambda design: design.radix_log2 == 3, 0.5), "refuted"),
    ("blum01.claim.operations", changed("report.blum01.claims", products_of=lambda _: 256), "refuted"),
    (
        "blum01.claim.rams",
        changed("report.blum01.claims", ram_clbs=lambda k: {4: 2, 6: 18, 8: 96}[k]),
        "agreed",
    ),
    ("blum01.claim.optimal_radix", changed("spec.blum01", product_cycles=lambda *_: 100), "refuted"),
    ("blum01.claim.radix_2_smaller", clbs_scaled(1, 0.8), "agreed"),
    (
        "blum01.claim.unit",
        changed("report.blum01.claims", unit_growth=lambda _k, key: 12 if key == "ffs" else 0),
        "agreed",
    ),
    (
        "blum01.claim.overhead",
        changed("report.blum01.claims", overhead=lambda _k, bits: {160: 300, 1024: 500}[bits]),
        "agreed",
    ),
    ("blum01.claim.bits_160", clbs_scaled(4, 1.37), "agreed"),
    ("blum01.claim.seconds_970", changed("spec.blum01", product_cycles=lambda m, _k: 4 * m), "differs"),
    ("blum01.claim.recombination", changed("spec.blum01", product_cycles=lambda m, _k: 4 * m), "differs"),
    ("blum01.claim.routing", changed("report.blum01.claims", OPTIMAL_NS={512: 16.0, 1024: 16.8}), "agreed"),
)


LIMITS = (  # the claim, what is set under it so that it just holds or just does not, its verdict then
    ("kuang16.claim.ccsa_pays", (alike(area_um2=1, delay_ns=1), clocks_above(0)), "refuted"),
    ("kuang16.claim.fcs_mm_2_path", (alike(delay_ns=1),), "refuted"),
    ("kuang16.claim.one_level_with_cpa", (alike(delay_ns=1),), "refuted"),
    ("kuang16.claim.extra_clocks_hidden", (clocks_above(2),), "refuted"),
    ("kuang16.claim.extra_clocks_hidden", (clocks_above(1),), "agreed"),
    ("kuang16.claim.cpa64", (paths_of_converters(10.0, 11.0),), "refuted"),
    ("kuang16.claim.cpa64", (paths_of_converters(10.0, 11.2),), "agreed"),
    ("kuang16.claim.cpa64", (paths_of_converters(1.0, 1.5),), "agreed"),
)


@pytest.mark.parametrize(("identity", "changes", "verdict"), LIMITS)
def test_a_claim_is_refuted_from_its_limit_on(
    identity: str, changes: tuple[Change, ...], verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget()
    for change in changes:
        change(monkeypatch)
    assert built(identity).verdict == verdict


class Asked(dict[str, Any]):
    """Recorded designs that remember which of them were looked at."""

    def __init__(self, designs: Mapping[str, Any]) -> None:
        super().__init__(designs)
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.names.add(name)
        return super().__getitem__(name)


@pytest.mark.parametrize(
    "name", ["ccsa_pays", "ccsa_area", "fcs_mm_2_path", "cpa64", "one_level_with_cpa", "energy"]
)
def test_a_claim_needs_the_designs_that_it_reads_and_no_others(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity = f"kuang16.claim.{name}"
    asked = Asked(synthesis_records.recorded(TARGET))
    monkeypatch.setattr(kuang16_claims, "recorded", lambda _: asked)
    found = built(identity)
    read = {design: asked[design] for design in asked.names}
    monkeypatch.setattr(kuang16_claims, "recorded", lambda _: read)
    assert built(identity) == found
    for design in read:
        others = {other: read[other] for other in read if other != design}
        monkeypatch.setattr(kuang16_claims, "recorded", lambda _, others=others: others)
        claim = built(identity)
        assert (claim.verdict, claim.reason) == ("not tested", NOT_RECORDED)


def test_percentages_of_kuang16_are_hundredths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of figures of which one is four times the other: 300 % more, or 75 % less."""
    alike(area_um2=1, delay_ns=1)(monkeypatch)
    scaled("report.kuang16.claims", "recorded", is_new, area_um2=4.0)(monkeypatch)
    clocks_above(0)(monkeypatch)
    assert "+300 % at 1024 bits, +300 % at 2048 bits" in built("kuang16.claim.ccsa_pays").reason
    monkeypatch.setattr(kuang16_claims, "NEW", SimpleNamespace(area=4.0))
    monkeypatch.setattr(kuang16_claims, "NEW_PLAIN", SimpleNamespace(area=1.0))
    assert "300.0 % by" in built("kuang16.claim.ccsa_area").reason

    def runs(cycles: int) -> SimpleNamespace:
        return SimpleNamespace(run=lambda *_: SimpleNamespace(cycles=cycles))

    designs = {"fcs-mmm42-1024-pairs": runs(100), "fcs-mm-2-1024-pairs": runs(400)}
    monkeypatch.setattr(kuang16_claims, "configurations", lambda: designs)
    alike(area_um2=1)(monkeypatch)
    assert "75 % fewer additions than FCS-MM-2, and 75 % less" in built("kuang16.claim.energy").reason
    paths_of_converters(1.0, 4.0)(monkeypatch)
    assert built("kuang16.claim.cpa64").ours == "300 % longer"


def test_the_verdict_on_a_number_follows_from_its_tolerance() -> None:
    good = Claim("x.claim.y", "§1", "One is two.", 10, 11, "agreed", "a reason", "computed", within=0.1)
    assert (good.difference, good.tolerance) == ("+10 %", "± 10 %")
    with pytest.raises(ValueError, match="its numbers say otherwise"):
        replace(good, within=0.09)
    with pytest.raises(ValueError, match="its numbers say otherwise"):
        replace(good, verdict="differs")
    with pytest.raises(ValueError, match="gives no tolerance"):
        replace(good, within=None)
    more = replace(good, ours=20, within=0, at_least=True)
    assert (more.difference, more.tolerance) == ("+100 %", "no less")
    with pytest.raises(ValueError, match="its numbers say otherwise"):
        replace(more, ours=9.9)
    share = replace(good, unit="%", within=0.01)
    assert (share.difference, share.tolerance) == ("+1.0 points", "± 1 point")
    exact = replace(good, ours=10, within=0)
    assert (exact.difference, exact.tolerance) == ("none", "exact")
    words = replace(good, ours="eleven", within=None)
    assert (words.difference, words.tolerance) == ("", "")
    assert good.as_dict()["tolerance"] == "± 10 %"


def test_a_published_number_that_was_never_printed_is_called_derived() -> None:
    derived = {item.id for item in ITEMS if not built(item.id).printed}
    assert derived == {"koc96.claim.halves", "blum01.claim.bits_160", "blum01.claim.radix_2_smaller"}
    assert of_print(built("blum01.claim.bits_160")) == "1260 CLBs (derived)"
    assert of_print(built("blum01.claim.unit")) == "24 CLBs"


def test_the_same_time_has_the_same_verdict_as_claim_and_as_row() -> None:
    """The time of the abstract stands in a table too, beside the same number of ours."""
    (item,) = select("amberg08.headline.table")
    table = item.build()
    assert isinstance(table, Table)
    rows = {row.label: row for row in table.rows}
    for name, label in (("time_plain", "radix 4, left: time"), ("time_booth", "radix 4, left, Booth: time")):
        found, row = built(f"amberg08.claim.{name}"), rows[label]
        assert (found.published, found.ours, found.within) == (row.published, row.ours, row.within)
        assert found.verdict == row.verdict == "differs"


# --- Formulas that a verdict does not tell, with figures made up here ---------------------------------------


@pytest.mark.parametrize(
    ("identity", "told", "by_hand"),
    [
        (
            "koc96.claim.squaring",
            r"(\d+) % for s = 64",
            100 * (64 * 63 / 2) / 64**2,
        ),  # a pair of i ≠ j is one
        ("kuang16.claim.energy", r"(\d+) % fewer additions", 100 * (1 - 824 / 1027)),  # clocks of a product
        ("kuang16.claim.energy", r"(\d+) % less area × clocks", 100 * (1 - 824 * 2.51 / (1027 * 2.16))),
        ("kuang16.claim.ccsa_area", r"([\d.]+) % by OSU", 100 * (0.6 / 9.73)),  # NAND2 + MUXI2 of New's cells
    ],
)
def test_a_share_is_that_of_its_numbers(identity: str, told: str, by_hand: float) -> None:
    result = built(identity)
    (found,) = re.findall(told, f"{result.ours}; {result.reason}")
    assert float(found) == pytest.approx(by_hand, abs=0.5 if "." not in found else 0.05)


def test_the_extra_clocks_are_halved_by_the_share_of_their_means() -> None:
    result = built("kuang16.claim.ccsa_halves")
    pairs = re.findall(r"([\d.]+) to ([\d.]+) at", result.reason)
    shares = [float(two) / float(one) for one, two in pairs]
    assert len(shares) == 2
    assert result.ours == pytest.approx(sum(shares) / 2, abs=0.01)


def test_the_word_above_is_needed_where_a_result_has_its_bit() -> None:
    """Every product modulo every odd n of six bits: the result before the subtraction reaches r = 64."""
    needed = {
        (n, a, b)
        for n in range(1, 64, 2)
        for a in range(n)
        for b in range(n)
        if (a * b + n * (-a * b * pow(n, -1, 64) % 64)) // 64 >= 64
    }
    assert all(n > 32 for n, _, _ in needed)
    assert f"with 2n > r {len(needed)} of" in built("koc96.claim.extra_word").reason


def test_booth_s_digits_by_table_i_take_the_times_of_its_numbers() -> None:
    """At one clock, by hand from Table I: 132 and 176 LUTs, 120 and 89 registers, and the same clocks."""
    reason = built("amberg08.claim.virtually_identical").reason
    told = [tuple(map(float, found)) for found in re.findall(r"(\d\.\d\d) to (\d\.\d\d)", reason)]
    for (least, most), share in zip(told, (176 / 132, (176 + 89) / (132 + 120)), strict=True):
        assert share - 0.09 < least <= most < share + 0.01, "the controller, which both have, makes it less"


def test_the_registers_beside_twelve_words_are_the_rest_of_an_element(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def elements(*designs: ElementDesign) -> list[SimpleNamespace]:
        return [SimpleNamespace(registers=12 * design.word_width + 7) for design in designs]

    monkeypatch.setattr("monpro.report.amberg08.claims.figures", elements)
    result = built("amberg08.claim.twelve_registers")
    assert (result.ours, result.verdict) == (12, "agreed")
    assert "with 7 registers besides" in result.reason


def test_memories_are_counted_by_the_parts_of_a_clb() -> None:
    """2^k words of k bits: blocks of 32 × 1 bits, half a CLB a bit to choose, half a CLB a write enable."""
    assert [blum01_claims.ram_clbs(k) for k in (4, 6, 8)] == [2, 2 * 6 + 6 / 2 + 1, 8 * 8 + 7 * 8 / 2 + 4]


def test_overhead_is_what_does_not_grow_with_the_modulus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blum01_claims, "clbs", lambda core: 6 * core.width_bits + 321)
    assert blum01_claims.overhead(4, 160) == blum01_claims.overhead(4, 1024) == 321


def test_a_recombination_takes_two_products_of_half_the_length() -> None:
    """2m + 20 clocks each [blum01, §4.3], for the 128 digits of 512 bits."""
    assert f"about {2 * (2 * 128 + 20)} for Garner's" in built("blum01.claim.recombination").reason


def test_the_products_of_time_and_area_are_told() -> None:
    """Clocks of a product × CLBs, from the recorded CLBs and the clocks 2m + 6 + max(2^k − 2, 2) by hand."""
    clocks = {1: 2 * 256 + 8, 2: 2 * 128 + 8, 4: 2 * 64 + 20, 6: 2 * 43 + 68, 8: 2 * 32 + 260}
    areas = systolic_arrays.recorded()
    sixteen = clocks[4] * areas[4].clbs
    for k, radix in ((1, 2), (2, 4), (4, 16), (6, 64), (8, 256)):
        told = f"{clocks[k] * areas[k].clbs / sixteen:.2f} in radix {radix}"
        assert told in built("blum01.claim.optimal_radix").reason


def test_the_words_that_add_touches_are_those_of_its_carries() -> None:
    """In SOS, by plain numbers: row i hands a carry to word i + s, and each carry out touches a word more."""
    w, s = koc96_claims.WORD_BITS, koc96_claims.WORDS
    chance = random.Random(1996)
    words = []
    for _ in range(koc96_claims.PRODUCTS):
        n = chance.getrandbits(w * s) | 1 << w * s - 1 | 1
        t = chance.randrange(n) * chance.randrange(n)
        for i in range(s):
            m = (t >> w * i) * -pow(n, -1, 1 << w) % (1 << w)
            above = t >> w * (i + s)
            t += m * n << w * i
            changed = above ^ t >> w * (i + s)
            words.append(max(1, -(-changed.bit_length() // w)))
    assert koc96_claims.touched(from_spec("koc96", "sos")) == words


def test_the_accumulator_of_fips_holds_the_columns_of_a_product() -> None:
    """Its value after step i is the sum of all products of words up to column i, less i words."""
    w, s, chance = 4, 3, random.Random(4)
    for _ in range(50):
        n = chance.getrandbits(w * s) | 1
        a, b = chance.randrange(n), chance.randrange(n)
        m = a * b * -pow(n, -1, 1 << w * s) % (1 << w * s)
        words = [[number >> w * i & 15 for i in range(s)] for number in (a, b, m, n)]
        columns = [
            sum(
                (words[0][j] * words[1][k] + words[2][j] * words[3][k]) << w * (j + k)
                for j in range(s)
                for k in range(s)
                if j + k <= i
            )
            for i in range(2 * s)
        ]
        largest = max(column >> w * i for i, column in enumerate(columns))
        assert claims_of_methods.largest_accumulator(a, b, n, w, s) == largest


def forget() -> None:
    for module, name in (("koc96", "counts"), ("kuang16", "clocks")):
        getattr(import_module(f"monpro.report.{module}.claims"), name).cache_clear()


@pytest.fixture(autouse=True)
def _no_cache() -> Iterator[None]:
    yield
    forget()


@pytest.mark.parametrize(("identity", "change", "verdict"), WRONG, ids=[name for name, *_ in WRONG])
def test_a_verdict_follows_from_what_is_found(
    identity: str, change: Change, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = built(identity)
    forget()
    change(monkeypatch)
    after = built(identity)
    assert after.verdict == verdict
    assert (before.ours, before.reason) != (after.ours, after.reason)
    assert before.published == after.published
