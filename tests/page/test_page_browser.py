"""The page of `monpro report` in a real browser, offline: errors, ids, filters, widths, keys, print."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import devtools
import monpro
from monpro import report
from monpro.page import build, hardware, software
from monpro.report.item import Item
from monpro.results import machine
from monpro.results.recording import newest_of_each_cpu, read

WIDTHS = (360, 768, 1280)
MOST_BYTES = 2_000_000
QUICK = (  # one of each kind; the others have the same shapes, and take their time
    *("koc96.table2", "koc96.figure1", "koc96.claim.additions"),
    *("koc97.table4", "kuang16.figure11", "kuang16.table1", "blum01.table1", "amberg08.table1"),
)


@pytest.fixture(scope="module")
def items() -> tuple[Item, ...]:
    """Return the items of the page that is tested."""
    return tuple(item for item in report.catalogue() if item.id in QUICK)


@pytest.fixture(scope="module")
def path(items: tuple[Item, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a page with some of the items and everything else."""
    target = tmp_path_factory.mktemp("page") / "report.html"
    target.write_text(build.page(build.recompute(lambda _: None, items)), encoding="utf-8")
    return target


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[devtools.Page]:
    """Return a browser without a network."""
    with devtools.opened(tmp_path_factory.mktemp("browser")) as page:
        yield page


@pytest.fixture
def page(driver: devtools.Page, path: Path) -> Iterator[devtools.Page]:
    """Return the open page; anything that the browser complains about fails the test."""
    driver.problems.clear()
    driver.medium()
    driver.resize(1280)
    driver.open(path)
    yield driver
    assert driver.problems == []


def choose(page: devtools.Page, box: str, name: str, value: str) -> None:
    """Choose a value in a field, as a reader does."""
    field = f"document.querySelector('#{box} [data-for=\"{name}\"]')"
    page.run(
        f"{field}.value = {json.dumps(value)}; {field}.dispatchEvent(new Event('input', {{bubbles: true}}));"
        f"{field}.dispatchEvent(new Event('change', {{bubbles: true}})); void 0"
    )


def check(page: devtools.Page, box: str, name: str) -> None:
    """Click a box."""
    page.run(f"document.querySelector('#{box} [data-for=\"{name}\"]').click()")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_scrolls_sideways(page: devtools.Page, path: Path, width: int, dark: bool) -> None:
    page.resize(width)
    page.medium(dark=dark)
    page.open(path)
    page.run("document.querySelectorAll('details').forEach(part => { part.open = true }); void 0")
    page.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.run("innerWidth") == width
    assert page.run("document.documentElement.scrollWidth") <= width
    wider = page.run(
        "[...document.querySelectorAll('.card, td, th, p, dd, select')].filter(one => one.offsetParent"
        " && !one.closest('.drawing, thead') && one.getBoundingClientRect().right > innerWidth + 1)"
        ".map(one => one.textContent.slice(0, 60))"
    )
    assert wider == []
    background = page.run("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", background)[:3])) < 200) == dark


def test_every_item_is_there_and_opens(page: devtools.Page, items: tuple[Item, ...]) -> None:
    chips = page.run(
        "[...document.querySelectorAll('.chips a')].map(link => link.getAttribute('href').slice(1))"
    )
    rows = page.run("[...document.querySelectorAll('#grid tbody tr a')].map(link => link.textContent)")
    parts = page.run("[...document.querySelectorAll('#items details')].map(part => part.id)")
    assert sorted(chips) == sorted(rows) == sorted(parts) == sorted(item.id for item in items)
    for item in items:
        page.run(f"location.hash = '#{item.id}'; void 0")
        page.run("new Promise(done => setTimeout(done, 50))")
        text = page.run(f"document.getElementById('{item.id}').innerText")
        assert f"monpro reproduce {item.id}" in text, "the part is open and tells the command"
        assert "commit" in text


def test_the_grid_filters_and_sorts(page: devtools.Page, items: tuple[Item, ...]) -> None:
    shown = (
        "[...document.querySelectorAll('#grid tbody tr')].filter(row => !row.hidden)"
        ".map(row => row.cells[0].innerText)"
    )
    for kind in ("table", "figure", "claim"):
        choose(page, "grid-controls", "kind", kind)
        assert page.run(shown) == [name for name in page.run(shown) if f".{kind}" in name]
        assert len(page.run(shown)) == sum(item.kind == kind for item in items)
    choose(page, "grid-controls", "kind", "")
    choose(page, "grid-controls", "paper", "koc97")
    assert page.run(shown) == ["koc97.table4"]
    choose(page, "grid-controls", "paper", "")
    choose(page, "grid-controls", "text", "refuted")
    assert page.run(shown) == ["koc96.claim.additions"]
    choose(page, "grid-controls", "text", "")
    for _ in range(2):
        page.run("document.querySelector('#grid th button').click()")
    assert page.run(shown) == sorted((item.id for item in items), reverse=True)
    assert page.run("document.querySelector('#grid th').getAttribute('aria-sort')") == "descending"


def fastest_engine(cpu: str, bits: int) -> str:
    """Return the engine that the newest race on a CPU recorded as the fastest power in constant time."""
    races = map(read, newest_of_each_cpu(Path(__file__).parents[2] / "results", "bench.json"))
    figures = next(race["figures"] for race in races if race["machine"]["cpu"] == cpu)
    power = ("monpro", "modexp", bits)
    ours = (row for row in figures if (row["library"], row["operation"], row["bits"]) == power)
    return str(min(ours, key=lambda row: row["median_ns"])["engine"])


def test_a_newcomer_gets_an_answer(page: devtools.Page) -> None:
    answer = "document.querySelector('#ask-{} .answer').innerText"
    assert page.run("document.querySelector('#ask-software [data-for=bits]').value") == "2048"
    for bits in (2048, 256):
        choose(page, "ask-software", "bits", str(bits))
        cpu = page.run("document.querySelector('#ask-software [data-for=cpu]').value")
        assert f"Use {fastest_engine(cpu, bits)}: " in page.run(answer.format("software"))
    smallest = page.run(answer.format("hardware"))
    assert smallest.startswith("Use dsp-"), "the first question that is asked: the smallest on an ECP5"
    assert "Without hard multipliers, use scalable-" in smallest
    choose(page, "ask-hardware", "target", "osu018")
    assert "hard multipliers" not in page.run(answer.format("hardware")), "standard cells have none"
    choose(page, "ask-hardware", "wish", "time")
    fastest = page.run(answer.format("hardware")).splitlines()[0]
    check(page, "ask-hardware", "constant")
    constant = page.run(answer.format("hardware"))
    assert fastest != constant.splitlines()[0]
    assert "the same time for all operands" in constant
    assert "monpro emit" in constant


def test_the_cpu_that_wrote_the_page_comes_first(driver: devtools.Page, path: Path, tmp_path: Path) -> None:
    """A reader on that CPU need not look for it; one whose times are not recorded is passed over."""
    text = path.read_text(encoding="utf-8")
    here = json.dumps(machine.cpu_model())
    for cpu, words in {
        "AMD EPYC family 26 model 2": " (which wrote this page)",
        "an unknown CPU": "",
    }.items():
        other = tmp_path / "report.html"
        other.write_text(text.replace(f'"here":{here}', f'"here":{json.dumps(cpu)}'), encoding="utf-8")
        driver.open(other)
        for box in ("ask-software", "software-controls", "limit-controls"):
            field = f"document.querySelector('#{box} [data-for=cpu]')"
            told = driver.run(f"{field}.selectedOptions[0].textContent")
            assert told == driver.run(f"{field}.value") + words
            assert (cpu in told) == bool(words)


def test_a_cpu_without_recorded_times_is_told_what_it_takes(
    driver: devtools.Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader on such a CPU learns first that the figures are another's, and which kernel runs there."""
    monkeypatch.setattr(machine, "cpu_model", lambda: "an unknown CPU")
    text = build.page(build.recompute(lambda _: None, report.select("koc96.table2")))
    monkeypatch.undo()
    page = tmp_path / "report.html"
    page.write_text(text, encoding="utf-8")
    driver.problems.clear()
    driver.open(page)
    answer = "document.querySelector('#ask-software .answer')"
    kernel = monpro.Modulus((1 << 2048) - 1).kernel.name
    begin = "Of an unknown CPU, the CPU that wrote this page, no such times are recorded. "
    end = "Below are the times of the CPU that you choose."
    timed = "Of the products timed there while the page was written, the fastest is that of"
    told = driver.run(f"{answer}.firstChild.textContent")
    assert told.startswith(f"{begin}For 2048 bits monpro takes {kernel} there. {timed} ")
    assert re.search(rf" [\d.]+ (ns|µs)\. {re.escape(end)}$", told), told
    choose(driver, "ask-software", "operation", "GF(2^k): one power, random polynomial")
    assert driver.run(f"{answer}.firstChild.textContent") == begin + end
    choose(driver, "ask-software", "operation", software.QUICK)
    assert "no such times" not in driver.run(f"{answer}.textContent")
    assert driver.problems == []


def test_no_cell_of_a_table_is_squeezed_or_cut_off(page: devtools.Page) -> None:
    """At the width of a desk: tables fit their boxes, and what is long is no column of single words."""
    page.run("document.querySelectorAll('details').forEach(part => { part.open = true }); void 0")
    cut = page.run(
        "[...document.querySelectorAll('.wide')].filter(box => box.scrollWidth > box.clientWidth + 1)"
        ".map(box => box.textContent.slice(0, 60))"
    )
    assert cut == []
    tall = page.run(
        "[...document.querySelectorAll('td')].filter(cell => cell.offsetParent && cell.offsetHeight > 180)"
        ".map(cell => cell.textContent.slice(0, 60))"
    )
    assert tall == []


def test_the_front_has_what_nothing_beats(page: devtools.Page) -> None:
    choose(page, "hardware-controls", "target", "osu018")
    table = "[...document.querySelectorAll('#hardware-table tbody tr')]"
    columns = page.run(
        "[...document.querySelectorAll('#hardware-table th[scope=col]')].map(one => one.innerText)"
    )
    area, time = columns.index("area"), columns.index("time, µs")
    figures = page.run(
        f"{table}.map(row => [row.cells[0].innerText, +row.cells[{area}].dataset.value,"
        f" +row.cells[{time}].dataset.value, row.className === 'best'])"
    )
    assert len(figures) > 8
    for name, own_area, own_time, best in figures:
        beaten = any(
            a <= own_area and t <= own_time and (a, t) != (own_area, own_time) for _, a, t, _ in figures
        )
        assert best == (not beaten), name
    everything = len(figures)
    check(page, "hardware-controls", "constant")
    constant = page.run(f"{table}.map(row => row.innerText)")
    assert 0 < len(constant) < everything
    choose(page, "hardware-controls", "source", "peer")
    assert page.run(f"{table}.length") == 0, "no other design was checked for constant time"


def test_lookup_tables_and_standard_cells_stand_beside_each_other(page: devtools.Page) -> None:
    choose(page, "hardware-controls", "bits", "1024")
    titles = page.run(
        "[...document.querySelectorAll('#hardware-both th[scope=col]')].map(one => one.innerText)"
    )
    rows = page.run(
        "[...document.querySelectorAll('#hardware-both tbody tr')]"
        ".map(row => [...row.cells].map(cell => cell.dataset.value ?? cell.innerText))"
    )
    found = {row[0]: dict(zip(titles[1:], row[1:], strict=True)) for row in rows}
    row = found["scs-mm-new-1024-constant-time"]
    points = {
        point.target: point for point in hardware.points() if point.name == "scs-mm-new-1024-constant-time"
    }
    fpga, chip = points["ecp5"], points["osu018"]
    assert float(row["LUTs, ECP5"]) == fpga.area
    assert float(row["LUT·s"]) == pytest.approx(fpga.area * (fpga.time_us or 0) * 1e-6, rel=1e-3)
    assert float(row["mm²·µs"]) == pytest.approx(chip.area * (chip.time_us or 0), rel=1e-3)
    assert row["constant time"] == "yes"
    assert {row["constant time"] for row in found.values()} == {"yes", "no", "not checked"}
    assert {"multiplier", "multiplier, other"} <= {row["kind"] for row in found.values()}


def test_a_chart_names_one_cpu_and_can_be_read_by_keys(page: devtools.Page) -> None:
    cpu = page.run("document.querySelector('#software-controls [data-for=cpu]').value")
    assert cpu in page.run("document.querySelector('#software-chart .title').innerText")
    files = page.run(
        "[...new Set([...document.querySelectorAll('#software-table tbody tr')]"
        ".map(row => row.cells[8].innerText))]"
    )
    assert len(files) == 1
    page.run("document.querySelector('#software-chart svg').focus()")
    before = page.run("document.querySelector('#software-chart .readout').innerText")
    page.press("ArrowRight", 39)
    told = page.run("document.querySelector('#software-chart .readout').innerText")
    assert told != before
    assert "bits:" in told
    lines = "document.querySelectorAll('#software-chart path.line').length"
    count = page.run(lines)
    page.run("document.querySelector('#software-chart .legend button').click()")
    assert page.run(lines) < count, "the legend hides a curve"


def test_a_run_is_stepped_through_by_keys(page: devtools.Page) -> None:
    page.run("document.querySelector('[data-trace=\"cihs-printed\"]').click()")
    statement = "document.querySelector('#player .statement').innerText"
    first = page.run(statement)
    page.run("document.querySelector('#player [data-go=next]').focus()")
    page.press("ArrowRight", 39)
    assert page.run(statement) != first
    page.run("document.querySelector('#player [data-go=alarm]').click()")
    assert "overwrites" in page.run("document.querySelector('#player .alarm').innerText")
    slider = "document.querySelector('#player input[type=range]')"
    page.run(f"{slider}.value = {slider}.max; {slider}.dispatchEvent(new Event('input')); void 0")
    assert "which is wrong" in page.run("document.querySelector('#player .outcome').innerText")
    traces = page.run("[...document.querySelector('#player select').options].map(option => option.value)")
    for trace in traces:
        choose(page, "player", "trace", trace)
        page.run(f"{slider}.value = {slider}.max; {slider}.dispatchEvent(new Event('input')); void 0")
        assert not page.run("document.querySelector('#player .outcome').hidden")


def test_what_is_saved_is_what_is_shown(page: devtools.Page) -> None:
    page.run(
        "window.saved = []; URL.createObjectURL = blob => { saved.push(blob); return '#'; };"
        "HTMLAnchorElement.prototype.click = () => {}; void 0"
    )
    for button in (
        "[data-save=rows]",
        "[data-table=grid][data-save=csv]",
        "[data-table=grid][data-save=json]",
    ):
        page.run(f"document.querySelector('{button}').click()")
    rows, csv, data = page.run("Promise.all(saved.map(blob => blob.text()))")
    assert rows.count("\n") == 1 + page.run("document.querySelectorAll('#items tbody tr').length")
    assert csv.count("\n") == 1 + len(json.loads(data))
    assert json.loads(data)[0]["item"] == "koc96.table2"


def test_an_item_filters_and_saves_its_rows(page: devtools.Page) -> None:
    part = "document.getElementById('koc96.table2')"
    shown = f"[...{part}.querySelectorAll('tbody tr')].filter(row => !row.hidden).length"
    everything = page.run(shown)
    field = f"{part}.querySelector('input[type=search]')"
    page.run(f"{field}.value = 'differs'; {field}.dispatchEvent(new Event('input')); void 0")
    assert 0 < page.run(shown) < everything
    page.run(
        "window.saved = []; URL.createObjectURL = blob => { saved.push(blob); return '#'; };"
        "HTMLAnchorElement.prototype.click = () => {}; void 0"
    )
    page.run(f"[...{part}.querySelectorAll('.downloads button')].forEach(button => button.click())")
    page.run("document.getElementById('koc96.figure1').querySelector('.downloads button').click()")
    csv, data, drawing = page.run("Promise.all(saved.map(blob => blob.text()))")
    assert csv.count("\n") == 1 + len(json.loads(data)) == 1 + page.run(shown)
    assert {"published", "ours", "difference", "tolerance", "verdict", "why"} < set(json.loads(data)[0])
    assert drawing.startswith("<svg")


def test_print_shows_every_item_as_text(page: devtools.Page) -> None:
    page.medium(printed=True)
    page.run("dispatchEvent(new Event('beforeprint')); void 0")
    assert page.run("[...document.querySelectorAll('details')].every(part => part.open)")
    assert page.run("getComputedStyle(document.querySelector('#grid-controls')).display") == "none"
    assert page.run("getComputedStyle(document.querySelector('.scroll')).maxHeight") == "none"


def test_everything_has_a_name_for_those_who_do_not_see_it(page: devtools.Page) -> None:
    nameless = page.run(
        "[...document.querySelectorAll('svg[role=img], figure[role=group], button, select, input')]"
        ".filter(one => !(one.getAttribute('aria-label') || one.querySelector('title')"
        " || one.textContent.trim() || one.labels?.length))"
        ".map(one => one.outerHTML.slice(0, 80))"
    )
    assert nameless == []
    assert page.run(
        "[...document.querySelectorAll('table')].every(table => table.caption.textContent.trim())"
    )
    assert page.run(
        "(ids => ids.length === new Set(ids).size)([...document.querySelectorAll('[id]')].map(one => one.id))"
    )
    links = page.run(
        "[...document.querySelectorAll('a[href^=\"#\"]')].map(link => link.getAttribute('href').slice(1))"
    )
    ids = page.run("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert set(links) <= set(ids)


def test_a_script_that_is_not_the_page_s_own_is_refused(
    driver: devtools.Page, path: Path, tmp_path: Path
) -> None:
    changed = tmp_path / "changed.html"
    changed.write_text(
        path.read_text(encoding="utf-8").replace('"use strict";', '"use strict" ;'), encoding="utf-8"
    )
    driver.problems.clear()
    driver.open(changed)
    assert any("Content Security Policy" in problem for problem in driver.problems)
    assert path.stat().st_size < MOST_BYTES
