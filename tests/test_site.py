"""The sources of the site: notebooks run, links lead somewhere, and a dead link is found (`make docs`)."""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import devtools
import docs
from monpro import report
from monpro.page.build import Paper
from monpro.report.outcome import compute

PAGES = sorted(docs.SOURCE.glob("**/*.md"))
NOTEBOOKS = sorted(docs.SOURCE.glob("**/*.ipynb"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_finds_what_it_says(notebook: Path) -> None:
    data = json.loads(notebook.read_text(encoding="utf-8"))
    assert data["nbformat"] == 4
    assert all(not cell.get("outputs") for cell in data["cells"]), "outputs are made, never stored"
    page = docs.notebook_page(notebook)
    assert page.startswith("# Notebook: ")
    assert "True" in page
    assert "False" not in page
    if notebook.stem == "montgomery":
        assert "136" in page, "2s² + s for 8 words"
        assert "as printed ff0" in page
    else:
        printed, enough = re.findall(r"k = +\d+: \[([\d, ]+)\]; the bound is 1518", page)
        assert max(map(int, printed.split(", "))) > 1518 > max(map(int, enough.split(", ")))


def test_every_page_is_in_the_contents_and_every_link_leads_somewhere() -> None:
    index = (docs.SOURCE / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^([a-z/-]+)$", index, re.MULTILINE))
    made = {"papers/index"}
    own = {
        path.relative_to(docs.SOURCE).with_suffix("").as_posix()
        for path in [*PAGES, *NOTEBOOKS, docs.SOURCE / "api.rst"]
    }
    assert listed == (own | made) - {"index"}
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            beside_the_site = target.startswith(("report:", "rust:"))
            assert beside_the_site or (page.parent / target).is_file(), (page.name, target)


def test_the_targets_that_pages_link_to_are_on_the_report() -> None:
    template = (Path(report.__file__).parents[1] / "page" / "page.html.j2").read_text(encoding="utf-8")
    for page in PAGES:
        for part in re.findall(r"\(report:([\w.-]+)\)", page.read_text(encoding="utf-8")):
            assert f'id="{part}"' in template, (page.name, part)


def test_a_paper_has_a_page_with_print_beside_ours() -> None:
    names = ("koc96.table2", "koc96.figure1", "koc96.claim.additions")
    outcomes = [compute(item, quick=True) for name in names for item in report.select(name)]
    page = docs.paper_page(Paper("koc96", outcomes))
    assert "| entry | published | ours | difference |" in page
    assert "<svg" in page
    assert "refuted" in page
    assert "## The Separated Operand Scanning" in page
    assert "[doi:10.1109/40.502403](https://doi.org/10.1109/40.502403)" in page
    assert "doi" not in docs.paper_page(Paper("amberg08", [])), "it has none in PAPERS.toml"


def as_sphinx_writes_it(lines: list[str]) -> Iterator[str]:
    """Yield the HTML of a Markdown table, each entry in a paragraph, in the box of the theme."""
    head, _, *rows = [line.strip("|").split(" | ") for line in lines]
    yield '<div style="overflow-x: auto"><table class="docutils" style="border-collapse: collapse">'
    for part, tag, shown in (("thead", "th", [head]), ("tbody", "td", rows)):
        yield f"<{part}>"
        for row in shown:
            cells = "".join(f"<{tag}><p>{html.escape(cell.strip())}</p></{tag}>" for cell in row)
            yield f"<tr>{cells}</tr>"
        yield f"</{part}>"
    yield "</table></div>"


@pytest.mark.parametrize("width", [360, 1280])  # a phone, and a desk
def test_a_reason_has_the_width_of_its_table(width: int, tmp_path: Path) -> None:
    (item,) = report.select("amberg08.table1")
    lines = list(docs.item_lines(compute(item, quick=True)))
    style = (docs.SOURCE / "_static" / "site.css").read_text(encoding="utf-8")
    page = tmp_path / "table.html"
    body = f"<body style='max-width: 40rem'>{''.join(as_sphinx_writes_it(lines))}"
    head = f"<!doctype html><meta name='viewport' content='width=device-width'><style>{style}</style>"
    page.write_text(head + body, encoding="utf-8")
    with devtools.opened(tmp_path) as opened:
        opened.resize(width)
        opened.open(page)
        box = "document.querySelector('div')"
        assert opened.run(f"{box}.scrollWidth <= {box}.clientWidth")
        reasons = opened.run("[...document.querySelectorAll('td:nth-child(7)')].map(one => one.offsetWidth)")
        assert len(reasons) == len(lines) - 2
        assert min(reasons) > 0.9 * opened.run(f"{box}.clientWidth")
        before = "getComputedStyle(cell.firstChild, '::before').content"
        told = opened.run(f"[...document.querySelectorAll('tbody tr:first-child td')].map(cell => {before})")
        headings = [cell.strip() for cell in lines[0].strip("|").split("|")]
        labels = [f'"{heading}: "' for heading in headings[1:6]] if width == 360 else ["none"] * 5
        assert told == ["none", *labels, "none"]
        assert opened.problems == []


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "report.html").write_text('<p id="here"><a href="docs/a.html#b">x</a></p>')
    links = ("../report.html#here", "../report.html#gone", "gone.html", "http://example.org/font.css", "#b")
    anchors = "".join(f'<a href="{link}"></a>' for link in links)
    (tmp_path / "docs" / "a.html").write_text(f'<p id="b">{anchors}</p>')
    found = list(docs.dead_links(tmp_path))
    assert len(found) == 3
    assert "names no part" in found[0]
    assert "leads nowhere" in found[1]
    assert "http://example.org" in found[2]


def test_text_has_no_marks_of_markdown() -> None:
    assert docs.table_line("a|b", "x_i*") == r"| a\|b | x\_i\* |"
