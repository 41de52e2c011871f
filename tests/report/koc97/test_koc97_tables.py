"""Tables 1 to 5 of [koc97]: derived entries against printed entries."""

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from conftest import CPU_LACKS
from monpro import _native
from monpro.report import Claim, Table, select
from monpro.report.koc97 import claims, table1, table2, table3, table4, table5
from monpro.report.koc97.counts import M, as_counted
from monpro.report.table import UNEXPLAINED, Row
from monpro.results import exponentiations
from monpro.spec import koc97


def wrong_rows(table: Table) -> dict[str, object]:
    return {row.label: row.ours for row in table.rows if row.agrees is False}


def test_every_table_and_figure_is_there_and_a_plot_of_table_5() -> None:
    paper = tomllib.loads((Path(__file__).parents[3] / "PAPERS.toml").read_text(encoding="utf-8"))["koc97"]
    published = {f"koc97.table{number}" for number in paper["tables"]}
    published |= {f"koc97.figure{number}" for number in paper["figures"]}
    ids = {item.id for item in select("koc97") if item.kind != "claim"}
    assert ids == published | {"koc97.table5.figure"}
    assert all(item.kind in item.id for item in select("koc97"))


# --- Tables 1 to 4 ------------------------------------------------------------------------------------------


def test_table_1_agrees_except_for_one_count_and_what_is_not_counted() -> None:
    table = table1.build()
    assert wrong_rows(table) == {
        "Montgomery MUL, XOR/AND, all": "4s² + s",
        "Montgomery SQU, XOR/AND, all": "2s² + (2w + 2)s",
        "Standard SQU, XOR/AND": "2.25ws² + (2.75w + 1)s",
    }
    assert sum(row.agrees is True for row in table.rows) == 4 * 3 - 1


def test_table_1_is_counted_and_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """If one method replaces another, the counts are those of the method that ran, without a reason."""
    monkeypatch.setitem(table1.METHODS, "Montgomery MUL", (koc97.standard_multiplication, 2))
    assert UNEXPLAINED in {row.note for row in table1.build().rows}


def test_table_2_agrees_except_for_the_same_count() -> None:
    table = table2.build()
    assert wrong_rows(table) == {"Standard Step 3, XOR/AND": "2.25wms² + (2.75w + 1)ms"}
    assert len(table.rows) == (5 + 2) * 3


def test_table_2_as_printed_follows_from_table_1_as_printed() -> None:
    """m squares, m/2 products, one product before and one after. This checks the typed-in data."""
    one = {label: list(counts.values()) for label, counts in table1.PUBLISHED.items()}
    two = {
        (method, step): list(counts.values())
        for method, steps in table2.PUBLISHED.items()
        for step, counts in steps.items()
    }
    assert two["Montgomery", "Step 2"] == one["Standard MUL"]
    assert two["Montgomery", "Step 4"] == [M * count for count in one["Montgomery SQU"]]
    assert two["Montgomery", "Step 5"] == [M / 2 * count for count in one["Montgomery MUL"]]
    assert two["Montgomery", "Step 6"] == one["Montgomery MUL"]
    assert two["Standard", "Step 3"] == [M * count for count in one["Standard SQU"]]
    assert two["Standard", "Step 4"] == [M / 2 * count for count in one["Standard MUL"]]


def test_table_3_agrees_as_counted_for_montgomery_and_as_printed_for_the_standard_method() -> None:
    table = table3.build()
    linear = {8: "54.5ms", 16: "106.5ms", 32: "210.5ms"}
    square: dict[str, dict[int, float]] = {
        "Emulation": {8: 70.5, 16: 138.5, 32: 274.5},
        "Instruction": {8: 59, 16: 115, 32: 227},
    }
    assert wrong_rows(table) == {
        f"Standard, {mulgf2}, w = {w}": f"{square[mulgf2][w]:g}ms² + {linear[w]}"
        for mulgf2 in square
        for w in linear
    }
    assert sum(row.agrees is True for row in table.rows) == 12


@pytest.mark.parametrize("w", table3.WIDTHS_BITS)
def test_table_3_is_what_a_run_with_the_emulation_executes(w: int) -> None:
    """With s = 1 and m = 2, the XOR and SHIFT of emulated MULGF2 are counted directly."""
    operations = ("xor", "and", "or", "shift")
    events = as_counted(
        koc97.run(
            koc97.montgomery_exponentiation, 1, n=1 << w | 1, w=w, e=0b10, mulgf2=koc97.emulation
        ).machine.events
    )
    executed = sum(
        event.probability * sum(event.counts[operation] for operation in operations) for event in events
    )
    total = table3.total(table2.PUBLISHED["Montgomery"].values(), "Emulation", w)
    assert executed == total.number(m=2, s=1)


def test_table_4_agrees() -> None:
    table = table4.build()
    assert all(row.agrees for row in table.rows)
    assert [row.ours for row in table.rows] == [1.36, 1.39, 1.40, 9.83, 19.17, 37.83]


def test_table_4_is_approached_from_below() -> None:
    for mulgf2, w in table4.PUBLISHED:
        growing = [table4.speedup(mulgf2, w, size, size) for size in (10, 1000, 10**6)]
        limit = table4.limit(mulgf2, w)
        assert growing[0] < growing[1] < growing[2] < limit < growing[2] * Fraction(1001, 1000)


# --- Table 5 ------------------------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(table5, "ROUNDS", 2)
    monkeypatch.setattr(table5, "BATCH_SECONDS", 0.0002)
    monkeypatch.setattr(table5, "SIZES", (64, 256))
    table5.one_round.cache_clear()
    yield
    table5.one_round.cache_clear()


@pytest.mark.usefixtures("quick")
def test_table_5_measures_every_series_at_every_k() -> None:
    steps: list[tuple[int, int]] = []
    table = table5.build(lambda done, total: steps.append((done, total)))
    labels = [row.label for row in table.rows]
    assert len(set(labels)) == len(labels)
    for k in table5.SIZES:
        for series in (*table5.MEASURED_IN_1997, *table5.PREDICTED_IN_1997):
            assert {f"k = {k}, {series}, over {baseline}" for baseline in table5.BASELINES} <= set(labels)
    # The other rows count at how many k something is faster: perhaps none, where the machine is disturbed.
    assert all(row.ours is None or row.ours for row in table.rows if row.label.startswith("k = "))
    assert steps[-1] == (2, 2)


@pytest.mark.usefixtures("quick")
def test_table_5_and_its_figure_share_their_measurements() -> None:
    assert table5.measure(lambda *_: None) == table5.measure(lambda *_: None)


@pytest.mark.parametrize("w", [8, 16, 32])
def test_one_baseline_is_scalar_and_the_other_on_vectors(w: int) -> None:
    """Vectors gain most for squares of 2048 bits: a factor of 3 for w = 32, more for narrower words.

    The words of 64 bits are compiled from the same lines. They gain a factor of 2, which is lost where
    another thread of the core takes the vector units, so no clock judges them.
    """
    series = table5.Series(w, table5.INSTRUCTION)
    if table5.ON_VECTORS not in table5.available(series):
        pytest.skip(f"{CPU_LACKS}: PCLMULQDQ and AVX2")
    kernels = [series.kernel(*table5.METHODS[baseline]) for baseline in table5.BASELINES]
    times = [_native.time_products(kernel, 2048, "sqr", 1, 0.001)[0] for _ in range(7) for kernel in kernels]
    assert min(times[::2]) > 1.5 * min(times[1::2])


def test_table_5_counts_whole_exponentiations() -> None:
    """First every product and square takes one nanosecond; then squares take no time."""
    alike = {(method, operation): 1.0 for method in table5.METHODS for operation in ("mul", "sqr")}
    inversion = 7 / (2 * 8 * 8 + 8)
    no_squares = alike | {(method, "sqr"): 0.0 for method in table5.METHODS}
    for baseline in table5.BASELINES:
        assert table5.speedup(8, 64, alike, baseline) == pytest.approx(192 / (192 + 2 + inversion))
        assert table5.speedup(8, 64, no_squares, baseline) == pytest.approx(64 / (66 + inversion))


def test_table_5_judges_the_claims_of_the_print() -> None:
    printed = {
        (series, k): value
        for k, values in table5.PUBLISHED.items()
        for series, value in zip(table5.MEASURED_IN_1997, values, strict=True)
    }
    rows = table5.claim_rows(printed, table5.SCALAR)
    assert len(rows) == 6 + 3
    assert all(row.agrees and not row.note for row in rows)
    slow = {case: value / 10 for case, value in printed.items()}
    rows_by_label = {row.label: row for row in table5.claim_rows(slow, table5.SCALAR)}
    assert rows_by_label["faster than scalar standard, w = 8, tables: number of k, of 7"].agrees is False
    assert rows_by_label["faster than scalar standard, w = 8, tables: number of k, of 7"].note
    assert rows_by_label["tables before emulation, w = 8: number of k, of 7"].agrees
    assert all(row.published == 7 for row in rows_by_label.values())
    on_vectors = table5.claim_rows(slow, table5.ON_VECTORS)
    assert [row.note for row in on_vectors] == [table5.COMPILED_FOR_VECTORS] * 6


def test_table_5_says_what_this_cpu_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    row = table5.predicted_row("", (table5.PREDICTED_IN_1997[0], 2048), None, table5.SCALAR)
    assert (row.ours, row.note) == (None, table5.LACKING)
    assert isinstance(row.published, float)
    assert 9 < row.published < 9.83
    row = table5.measured_row("", (table5.MEASURED_IN_1997[0], 2048), 6.05, None, table5.SCALAR)
    assert (row.ours, row.note) == (None, table5.LACKING)
    monkeypatch.setattr(_native, "kernels", list)
    assert table5.cases() == []


@pytest.mark.parametrize(
    ("w", "mulgf2", "how", "name"),
    [
        (8, table5.TABLES, ("cios",), "cios-gf2-w8-tables_vartime"),
        (32, table5.EMULATION, ("standard",), "standard-gf2-w32-emulation"),
        (16, table5.EMULATION, ("standard", "-avx2"), "standard-gf2-w16-emulation-avx2"),
        (32, table5.INSTRUCTION, ("cios",), "cios-gf2-w32-pclmulqdq"),
        (64, table5.INSTRUCTION, ("standard", "-avx2"), "standard-gf2-pclmulqdq-avx2"),
    ],
)
def test_a_series_is_timed_by_the_kernel_that_is_named_after_it(
    w: int, mulgf2: str, how: tuple[str, ...], name: str
) -> None:
    assert table5.Series(w, mulgf2).kernel(*how) == name
    assert name in {kernel.name for kernel in _native.kernels()}


@pytest.mark.parametrize(
    ("baseline", "by_tables", "by_emulation", "predicted"),
    [
        (table5.SCALAR, table5.FAST_TABLES, table5.CONSTANT_TIME, table5.ONE_OPERATION),
        (table5.ON_VECTORS, *[table5.COMPILED_FOR_VECTORS] * 3),
    ],
    ids=["scalar", "on vectors"],
)
def test_table_5_says_why_a_speedup_differs(
    baseline: str, by_tables: str, by_emulation: str, predicted: str
) -> None:
    """Where operations were counted, the speed-up that they promise stands before the reason."""
    tables, emulation, instruction = (
        table5.Series(8, how) for how in (table5.TABLES, table5.EMULATION, table5.INSTRUCTION)
    )
    told = table5.measured_row("", (tables, 2048), 6.05, 1.0, baseline).note
    assert told == by_tables
    promised = float(table4.speedup("Emulation", 8, 128, 256))
    told = table5.measured_row("", (emulation, 2048), 3.76, 1.0, baseline).note
    assert told == f"{promised:.2f} by the operations of Table 3; {by_emulation}"
    told = table5.predicted_row("", (instruction, 2048), 1.0, baseline).note
    assert told == f"print: by the operations of Table 3; {predicted}"


def test_what_is_as_fast_is_not_faster() -> None:
    """Where an emulation wins nowhere, its operations are the reason, and not the machine."""

    def rows(value: float) -> dict[str, Row]:
        speedups = {(series, k): value for series in table5.MEASURED_IN_1997 for k in table5.SIZES}
        return {row.label.split(":")[0]: row for row in table5.claim_rows(speedups, table5.SCALAR)}

    alike = rows(1.0)
    assert [row.ours for row in alike.values()] == [0] * 9
    assert alike["faster than scalar standard, w = 8, emulation"].note == table5.CONSTANT_TIME
    assert alike["faster than scalar standard, w = 8, tables"].note == table5.OTHER_MACHINE
    ours = {label: row.ours for label, row in rows(1.25).items()}
    assert {ours[f"faster than scalar standard, {series}"] for series in table5.MEASURED_IN_1997} == {7}


def test_table_5_tells_speedups_to_two_places() -> None:
    tables, instruction = (table5.Series(8, how) for how in (table5.TABLES, table5.INSTRUCTION))
    assert table5.measured_row("", (tables, 64), 6.32, 6.3249, table5.SCALAR).ours == 6.32
    assert table5.predicted_row("", (instruction, 64), 6.3249, table5.SCALAR).ours == 6.32


def test_table_5_has_the_recorded_exponentiations(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = table5.recorded_rows()
    assert len(rows) == len(table5.SIZES) * len(table5.MEASURED_IN_1997)
    assert all(isinstance(row.ours, float) and row.source == "recorded" for row in rows)
    slower = {
        case: 2 * ns if "standard" in case[0] else ns for case, ns in exponentiations.recorded().items()
    }
    monkeypatch.setattr(exponentiations, "recorded", lambda: slower)
    for row, doubled in zip(rows, table5.recorded_rows(), strict=True):
        assert doubled.ours == pytest.approx(2 * float(row.ours or 0), abs=0.011)
    monkeypatch.setattr(exponentiations, "recorded", dict)
    assert {row.note for row in table5.recorded_rows()} == {table5.NOT_RECORDED}


def test_a_claim_tells_the_least_speedup_to_as_many_places_as_the_print(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(claims, "speedups", lambda *_: {64: 7.5, 128: 6.2345})
    six_times, emulation = claims.six_times.build(), claims.emulation.build()
    assert isinstance(six_times, Claim)
    assert isinstance(emulation, Claim)
    assert (six_times.ours, emulation.ours) == (6.2, 6.23)
