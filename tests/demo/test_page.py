"""The demo's page as a browser sets it: nothing is cut off, pictures come first, series can be told apart."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import browser
from monpro import report
from monpro.bench.timing import Timing
from monpro.cores import Result
from monpro.demo import core_jobs, jobs, page, plots, product_times
from monpro.engines import Ring, kernel_engines
from monpro.hardware import exponentiation
from monpro.page import build
from monpro.results import machine, sweep

WIDTHS = (360, 768, 1280)
QUICK = {"koc96.table1", "koc97.figure1", "koc96.claim.additions", "blum01.table1"}
LEAST_SCALE = 0.65  # of 9 points, the size of the letters in a picture


def section(ring: Ring, bits: int) -> jobs.Section:
    """Return a section with every kernel of a ring, whatever runs here. The times are made up."""
    job = jobs.polynomial_job(1 << (bits - 1) | 1) if ring == "gf2" else jobs.rsa_job(bits)
    engines = [engine for engine in kernel_engines() if engine.ring == ring]
    seconds = [2.345e-4 * 1.2**place for place in range(len(engines))]
    outcomes = [
        jobs._outcome(engine, job, Timing(time, 0.123), seconds[0])
        for engine, time in zip(engines, seconds, strict=True)
    ]
    return jobs.Section(job, outcomes)


@pytest.fixture(scope="module")
def html() -> str:
    """Return a page with everything in it, of which nothing is measured but the products by size."""
    patch = pytest.MonkeyPatch()
    patch.setattr(exponentiation.Simulated, "power", lambda _, x, e, n: Result(pow(x, e, n), 123_456))
    patch.setattr(
        core_jobs, "decrypt", lambda: core_jobs.Decryption("systolic-rtl", 512, True, 200_000, 100_000)
    )
    patch.setattr(product_times, "ROUNDS", 1)
    patch.setattr(core_jobs, "SAMPLES", 1)
    items = [item for item in report.catalogue() if item.id in QUICK]
    results = page.Results(
        sections=[section("integers", 1024), section("gf2", 64)],
        cores=core_jobs.run(core_jobs.make_job(256), lambda: None),
        area_times=core_jobs.area_times(),
        curves=product_times.measure(lambda: None),
        papers=build.recompute(lambda _: None, items),
        sweep=sweep.recorded(),
    )
    patch.undo()
    return page.render(results)


def test_nothing_is_cut_off(html: str, tmp_path: Path) -> None:
    found = browser.measure(html, WIDTHS, tmp_path)
    assert set(found) == set(WIDTHS)
    for width, told in found.items():
        assert told["cut"] == [], width
        assert told["picture"] < told["table"], "pictures come first"
        assert told["scale"] > LEAST_SCALE


def test_a_table_that_is_too_wide_is_noticed(tmp_path: Path) -> None:
    cells = "".join(f"<td>{'wide' * 20}</td>" for _ in range(9))
    sample = f"<body><svg viewBox='0 0 9 9'></svg><table><tr>{cells}</tr></table></body>"
    assert browser.measure(sample, (360,), tmp_path)[360]["cut"]


class Tags(HTMLParser):
    """Collects the elements of a page with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def names(self) -> list[str]:
        """Return the names of the elements."""
        return [tag for tag, _ in self.found]


def test_every_table_is_folded_and_has_a_caption_and_headings_with_a_scope(html: str) -> None:
    tags = Tags(html)
    names = tags.names()
    assert names.count("table") == names.count("caption") > 2
    assert names.count("details") >= names.count("table")
    assert {attributes.get("scope") for tag, attributes in tags.found if tag == "th"} == {"row", "col"}
    assert not re.search(r"<details[^>]* open", html)
    targets = {attributes["href"] for tag, attributes in tags.found if tag == "a"}
    own = {f"#{attributes['id']}" for _, attributes in tags.found if attributes.get("id")}
    assert targets - own == {page.REPORT, *(f"{page.REPORT}#{name}" for name in QUICK)}


def test_the_machine_stands_above_all_figures(html: str) -> None:
    assert html.index(machine.cpu_model()) < html.index("<svg")


def test_recorded_figures_name_their_own_machine(html: str) -> None:
    recorded = sweep.recorded()
    assert recorded
    beginning = html.index('<section id="recorded">')
    told = html[beginning : html.index("</section>", beginning)]
    assert told.count("<svg") == len(plots.power_sweep(recorded))
    assert f"<strong>{recorded.cpu}</strong>" in told
    assert recorded.date in told
    assert "must\nnot be compared" in told


def test_no_two_series_look_the_same() -> None:
    looks = [(look["color"], look["marker"]) for look in (plots._look(number, "") for number in range(42))]
    assert len(set(looks)) == 42


@pytest.mark.parametrize(
    ("ratio", "shown"), [(1, "1.00"), (9.99, "9.99"), (17.66, "17.7"), (1766.7, "1,767")]
)
def test_a_ratio_has_three_digits(ratio: float, shown: str) -> None:
    assert page.format_ratio(ratio) == shown


@pytest.mark.parametrize(
    ("least", "most", "expected"),
    [
        (132e-6, 950e-6, [200e-6, 500e-6]),
        (0.5e-3, 30e-3, [1e-3, 10e-3]),
        (1e-6, 2, [1e-6, 1e-4, 1e-2, 1.0]),
        (80e-6, 420e-6, [100e-6, 300e-6]),
        (1.1e-3, 1.4e-3, []),
    ],
)
def test_a_scale_of_times_has_few_ticks_but_two(least: float, most: float, expected: list[float]) -> None:
    assert plots.ticks(least, most) == pytest.approx(expected)
