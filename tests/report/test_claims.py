"""The claims of the papers' text: which there are, and that their verdicts follow from what is found."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from monpro.flow import kernels
from monpro.flow.elements import DESIGNS, ElementDesign
from monpro.report import Claim, Item, catalogue, select
from monpro.report.finding import Finding, claim, untested
from monpro.results import exponentiations

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
    assert result.as_dict()["verdict"] == result.verdict


def test_a_claim_without_a_reason_or_without_a_finding_is_refused() -> None:
    good = Claim("x.claim.y", "§1", "One is two.", 1, 2, "differs", "a reason", "computed")
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


def clocks_scaled(which: Callable[[Any], bool], factor: float) -> Change:
    """Change the recorded clocks of all kernels to those of one, scaled for some."""

    def recorded() -> dict[ElementDesign, list[float]]:
        return {
            design: [factor * mhz if which(design) else mhz for mhz in (100.0, 101.0, 102.0)]
            for design in DESIGNS
        }

    return lambda patch: patch.setattr(kernels, "recorded", recorded)


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
        changed("report.amberg08.claims", exponentiation_ms=lambda *_: 1.0),
        "differs",
    ),
    ("amberg08.claim.radix_8_clock", clocks_scaled(lambda design: design.radix_log2 == 3, 0.5), "refuted"),
    ("blum01.claim.operations", changed("report.blum01.claims", products_of=lambda _: 256), "differs"),
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
