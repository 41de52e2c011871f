"""Builds the page of `monpro report`: the outcomes of all items, the recorded figures, and one template."""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

import monpro
from monpro import report
from monpro.flow import sources
from monpro.page import hardware, software, steps
from monpro.page.errata import errata
from monpro.report.item import Item
from monpro.report.outcome import MARKS, Outcome, compute, of_print, with_unit
from monpro.report.papers import PAPERS, published_ids, short_title, venue
from monpro.report.table import SOURCES
from monpro.results import machine
from monpro.results.recording import newest_of_each_cpu
from monpro.results.sweep import recorded_of

STYLE, SCRIPT, PARTS = "style.css", "script.js", "parts.html.j2"
COLOURS = {"exact": "good", "within": "good", "derived": "good", "agreed": "good"} | dict.fromkeys(
    ("differs", "refuted"), "bad"
)
NEEDS = {  # what the name of a kernel tells of the instructions that it needs
    "ifma": "AVX-512 IFMA",
    "adx": "BMI2 with ADX",
    "mulx": "BMI2",
    "avx512": "VPCLMULQDQ with AVX-512",
    "avx2": "VPCLMULQDQ with AVX2",
    "pclmulqdq": "PCLMULQDQ",
}


@dataclass(frozen=True)
class Paper:
    """A paper, and its items recomputed."""

    key: str
    outcomes: Sequence[Outcome]

    @property
    def title(self) -> str:
        """Return authors and year."""
        return short_title(self.key)

    @property
    def full_title(self) -> str:
        """Return the paper's title."""
        return str(PAPERS[self.key]["title"])

    @property
    def venue(self) -> str:
        """Return where the paper appeared."""
        return venue(self.key)

    @property
    def doi(self) -> str:
        """Return the paper's DOI, or nothing."""
        return str(PAPERS[self.key].get("doi", ""))


Advance = Callable[[str], None]  # called with the id of each item before it is computed


def recompute(advance: Advance, items: Sequence[Item] | None = None) -> list[Paper]:
    """Compute all items, from small samples where whole ones take minutes, by paper."""
    found: dict[str, list[Outcome]] = {}
    for item in report.catalogue() if items is None else items:
        advance(item.id)
        found.setdefault(item.paper, []).append(compute(item, quick=True))
    return [Paper(key, found[key]) for key in PAPERS if key in found]


def environment(*own: jinja2.BaseLoader) -> jinja2.Environment:
    """Return the environment of the templates: the page's, its parts, and those of another page's `own`."""
    made = jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.PackageLoader("monpro.page", "."), *own]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    made.filters |= {
        "code": code,
        "entry": with_unit,
        "of_print": of_print,
        "colour": lambda verdict: COLOURS.get(verdict, "muted"),
        "short_name": short_name,
        "inline_svg": inline_svg,
        "digest": digest,
    }
    made.globals |= {"marks": MARKS, "style": text_of(STYLE)}
    made.globals["parts"] = made.get_template(PARTS).module
    return made


def page(papers: Sequence[Paper]) -> str:
    """Return the page as HTML that loads nothing."""
    outcomes = [outcome for paper in papers for outcome in paper.outcomes]
    traces = steps.all_traces()
    return (
        environment()
        .get_template("page.html.j2")
        .render(
            papers=papers,
            outcomes=outcomes,
            printed=len(published_ids()),
            published=sum(outcome.item.id in published_ids() for outcome in outcomes),
            claims=sum(outcome.item.kind == "claim" for outcome in outcomes),
            samples=sum(bool(outcome.provenance.sample) for outcome in outcomes),
            errata=errata(),
            titles={key: short_title(key) for key in PAPERS},
            traces=traces,
            sources=SOURCES,
            about={
                "commit": sources.commit(),
                "date": machine.today(),
                "cpu": machine.cpu_model(),
                "version": monpro.__version__,
            },
            script=text_of(SCRIPT),
            data=embedded(dataset(traces)),
        )
    )


def dataset(traces: Sequence[steps.Trace]) -> dict[str, Any]:
    """Return what the page's script draws."""
    times, limits = software.recorded()
    times = [*times, *software.timed_here(sources.commit())]
    points = hardware.points()
    words: dict[str, list[str]] = {}
    operations = [*software.OPERATIONS.values(), software.QUICK]
    return {
        "times": packed(times, words),
        "limits": packed(limits, words),
        "points": packed(points, words),
        "words": words,
        "here": machine.cpu_model(),
        "chosen": software.chosen_here(),
        "quick": software.QUICK,
        "single": [name for (_, kind, _), name in software.OPERATIONS.items() if kind in software.SINGLE],
        "operations": [name for name in operations if any(time.operation == name for time in times)],
        "needs": {time.engine: needs(time.engine) for time in times if needs(time.engine)},
        "targets": hardware.target_titles(),
        "architectures": {point.name: hardware.architecture(point) for point in points},
        "distances": distances(),
        "traces": [trace.as_dict() for trace in traces],
    }


def distances() -> list[dict[str, object]]:
    """Return the cycles of exponentiations as multiples of their limits, by CPU."""
    return [
        {
            "cpu": sweep.cpu,
            "name": curve.name,
            "bits": bits,
            "cycles": curve.cycles[bits],
            "limit": limit,
            "multiple": curve.cycles[bits] / limit,
        }
        for sweep in recorded_of(newest_of_each_cpu)
        for curve in sweep.curves
        for bits, limit in curve.limit.items()
    ]


def packed(rows: Sequence[Any], words: dict[str, list[str]]) -> dict[str, object]:
    """Return rows of a dataclass as names and lists; a text stands once in `words`, by its column."""
    if not rows:
        return {"columns": [], "rows": []}
    columns = [field.name for field in fields(rows[0])]

    def place(column: str, value: object) -> object:
        if not isinstance(value, str):
            return round(value, 4) if isinstance(value, float) else value
        known = words.setdefault(column, [])
        if value not in known:
            known.append(value)
        return known.index(value)

    lines = [
        [place(column, value) for column, value in zip(columns, astuple(row), strict=True)] for row in rows
    ]
    return {"columns": columns, "rows": lines}


def embedded(data: Mapping[str, object]) -> str:
    """Return data as JSON that can stand in a script element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def needs(engine: str) -> str:
    """Return the instructions that a kernel needs, by its name; nothing for those of any CPU."""
    return next((words for part, words in NEEDS.items() if part in engine), "")


def short_name(item: Item) -> str:
    """Return the name of an item inside its paper: T1, F2, or the claim's own."""
    name = item.id.partition(".")[2]
    if numbered := re.fullmatch(r"(table|figure)(\d+)", name):
        return f"{numbered[1][0].upper()}{numbered[2]}"
    return name.removeprefix("claim.").replace("_", " ").replace(".", " ")


def code(text: str) -> Markup:
    """Return text as HTML, with `names` as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704  (escaped)


def inline_svg(svg: str) -> str:
    """Return a drawing for a page: no size of its own, no indents, the page's fonts."""
    svg = re.sub(r">\n\s*<", "><", svg.strip())  # a space alone may be one of a text
    svg = svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)  # which a page of HTML does not need
    svg = re.sub(r'(<svg [^>]*?) width="[^"]*" height="[^"]*"', r"\1", svg, count=1)
    return re.sub(r' font-family="([^"]*)"', lambda font: ' class="mono"' if "Mono" in font[1] else "", svg)


def digest(text: str) -> str:
    """Return the hash by which a Content-Security-Policy names an inline style or script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def text_of(name: str) -> str:
    """Return a file of this folder."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
