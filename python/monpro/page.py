"""The demo's page: one HTML file that needs no network."""

import datetime as dt
from collections.abc import Sequence

import jinja2

import monpro
from monpro import machine, report
from monpro.curves import ProductCurve
from monpro.demo import Section
from monpro.engines import RING_TITLES
from monpro.timing import format_seconds

PAPER_ITEMS = ("koc96.table1", "koc96.table2", "koc96.figure1", "koc96.figure2", "koc96.figure3")


def render(
    sections: Sequence[Section],
    curves: Sequence[ProductCurve],
    paper_items: Sequence[report.Table | report.Figure],
) -> str:
    """Return the page as HTML."""
    from monpro import plots  # noqa: PLC0415  (matplotlib takes longer to import than most verbs to run)

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("monpro", "."),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["seconds"] = format_seconds
    return environment.get_template("page.html.j2").render(
        sections=sections,
        engine_count=sum(len(section.outcomes) for section in sections),
        correct=all(section.correct for section in sections),
        ring_titles=RING_TITLES,
        power_times=plots.power_times(sections),
        product_curves=plots.product_curves(curves),
        tables=[item for item in paper_items if isinstance(item, report.Table)],
        figures=[item for item in paper_items if isinstance(item, report.Figure)],
        machine=machine.describe() | {"monpro": monpro.__version__},
        date=dt.datetime.now(dt.UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )
