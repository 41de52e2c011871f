"""Build the site: `make docs` writes it to target/site, with the report and the crates' reference beside it.

Pages of the papers come from the outcomes that the report shows. Notebooks are executed, and their outputs
become part of their pages. Nothing is loaded from a network, a warning of Sphinx is an error, and every link
is followed.
"""

import argparse
import contextlib
import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from monpro.page.build import Paper
    from monpro.report.outcome import Outcome

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "docs" / "site"
STAGED = ROOT / "target" / "site-source"
SITE = ROOT / "target" / "site"


def main() -> int:
    """Build the site; return 0 if there was no warning and no dead link."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without-crates", action="store_true", help="leave the crates' reference out")
    chosen = parser.parse_args()
    for folder in (STAGED, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SOURCE, STAGED)
    stage_notebooks(STAGED)
    stage_papers(STAGED, SITE)
    if not run(
        sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-b", "html", STAGED, SITE / "docs"
    ):
        return 1
    if not chosen.without_crates and not document_crates():
        return 1
    dead = [] if chosen.without_crates else list(dead_links(SITE))
    for link in dead:
        print(f"docs: {link}", file=sys.stderr)
    print(f"docs: {(SITE / 'docs' / 'index.html').as_uri()}")
    return 1 if dead else 0


def run(*command: str | Path) -> bool:
    """Run a command in the root; return whether it succeeded."""
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def document_crates() -> bool:
    """Write rustdoc's reference of the crates beside the site."""
    built = ("cargo", "doc", "--quiet", "--locked", "--offline", "--no-deps", "--all-features")
    if not run(*built, "--package", "monpro", "--package", "monpro-rsa"):
        return False
    shutil.copytree(ROOT / "target" / "doc", SITE / "rust", dirs_exist_ok=True)
    return True


# ---- notebooks


def stage_notebooks(folder: Path) -> None:
    """Execute every notebook below the folder, and write a page with its cells and their outputs."""
    for path in sorted(folder.glob("notebooks/*.ipynb")):
        path.with_suffix(".md").write_text(notebook_page(path), encoding="utf-8")


def notebook_page(path: Path) -> str:
    """Return a notebook as Markdown: its texts, its programs, and what they print."""
    parts = []
    for kind, source, output in execute(path):
        if kind == "markdown":
            parts.append(source)
        else:
            parts.append(f"```python\n{source}\n```")
            if output:
                parts.append(f"```text\n{output.rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


def execute(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield each cell of a notebook: its kind, its source, and what it prints if it is a program."""
    names: dict[str, object] = {"__name__": "__main__"}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source, printed = "".join(cell["source"]), io.StringIO()
        if cell["cell_type"] == "code":
            with contextlib.redirect_stdout(printed):
                exec(compile(source, path.name, "exec"), names)  # noqa: S102  (our own notebook)
        yield cell["cell_type"], source, printed.getvalue()


# ---- papers


def stage_papers(folder: Path, site: Path) -> None:
    """Write a page for each paper, and the report beside the site."""
    from monpro.page import build  # noqa: PLC0415  (which the rest of this file does without)

    papers = build.recompute(lambda name: print(f"docs: {name}", flush=True))
    (folder / "papers").mkdir()
    for paper in papers:
        (folder / "papers" / f"{paper.key}.md").write_text(paper_page(paper), encoding="utf-8")
    entries = "\n".join(paper.key for paper in papers)
    contents = f"# The papers, recomputed\n\n:::{{toctree}}\n:maxdepth: 1\n\n{entries}\n:::\n"
    (folder / "papers" / "index.md").write_text(contents, encoding="utf-8")
    site.mkdir(parents=True, exist_ok=True)
    (site / "report.html").write_text(build.page(papers), encoding="utf-8")


def paper_page(paper: "Paper") -> str:
    """Return the page of a paper: print beside ours, item by item."""
    doi = f", [doi:{paper.doi}](https://doi.org/{paper.doi})" if paper.doi else ""
    lines = [f"# {paper.title}", f"*{paper.full_title}.* {paper.venue}{doi}.", ""]
    lines += [f"`monpro reproduce {paper.key}` recomputes what this page shows.", ""]
    for outcome in paper.outcomes:
        lines += [f"## {outcome.item.title}", f"`{outcome.item.id}`: {outcome.verdict}.", ""]
        lines += [*item_lines(outcome), ""]
    return "\n".join(lines) + "\n"


def item_lines(outcome: "Outcome") -> Iterator[str]:
    """Yield the lines of an item: its rows, its drawing, or its claim."""
    from monpro.page.build import inline_svg  # noqa: PLC0415
    from monpro.report import Claim, Figure, Table  # noqa: PLC0415
    from monpro.report.outcome import of_print, with_unit  # noqa: PLC0415

    match outcome.result:
        case Table(rows=rows):
            yield "| entry | published | ours | difference | tolerance | verdict | why |"
            yield "|---|---:|---:|---:|---:|---|---|"
            for row in rows:
                entries = of_print(row), with_unit(row.ours, row.unit)
                yield table_line(row.label, *entries, row.difference, row.tolerance, row.verdict, row.note)
        case Figure(svg=svg, reconstructed=reason):
            if reason:
                yield f"Reconstructed: {plain(reason)}\n"
            drawing = inline_svg(svg)
            yield f':::{{raw}} html\n<div style="max-width: 46rem; overflow-x: auto">{drawing}</div>\n:::'
        case Claim() as claim:
            yield "| where | published | ours | difference | tolerance | verdict | why |"
            yield "|---|---|---|---:|---:|---|---|"
            beside = of_print(claim), with_unit(claim.ours, claim.unit), claim.difference, claim.tolerance
            yield table_line(claim.section, *beside, claim.verdict, claim.reason)


def table_line(*cells: str) -> str:
    """Return a line of a Markdown table."""
    return f"| {' | '.join(map(plain, cells))} |"


def plain(text: str) -> str:
    """Return text in which Markdown sees no marks."""
    return re.sub(r"([\\`*_\[\]<>|$^~{}#])", r"\\\1", text)


# ---- links


class Page(HTMLParser):
    """The links and the ids of a page."""

    def __init__(self, path: Path) -> None:
        """Read the page."""
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        """Note what an element links to, and its id."""
        given = dict(attrs)
        self.ids.add(given.get("id") or given.get("name") or "")
        for name in ("href", "src"):
            if value := given.get(name):
                self.links.append(value)


def dead_links(site: Path) -> Iterator[str]:
    """Yield every link of the site's own pages that leads nowhere, and everything loaded from a network."""
    pages = {path.resolve(): Page(path) for path in [*site.glob("*.html"), *site.glob("docs/**/*.html")]}
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if parts.scheme not in {"https", "data", "mailto"}:
                    yield f"{path.relative_to(site)}: {link}"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                yield f"{path.relative_to(site)}: {link} leads nowhere"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
                yield f"{path.relative_to(site)}: {link} names no part of {target.name}"


if __name__ == "__main__":
    sys.exit(main())
