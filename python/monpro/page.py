"""The demo's page: one HTML file that needs no network."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

import jinja2

import monpro
from monpro import machine, report
from monpro.core_demo import AreaTime, CoreSection
from monpro.curves import ProductCurve
from monpro.demo import Section
from monpro.engines import RING_TITLES
from monpro.timing import format_seconds

PAPER_ITEMS = ("koc96.table1", "koc96.table2", "koc96.figure1", "koc96.figure2", "koc96.figure3")


@dataclass(frozen=True)
class Results:
    """What the demo found: the page's contents."""

    sections: Sequence[Section]
    cores: CoreSection
    area_times: Sequence[AreaTime]  # empty where no synthesis is recorded
    curves: Sequence[ProductCurve]
    paper_items: Sequence[report.Table | report.Figure]

    @property
    def jobs(self) -> list[Section | CoreSection]:
        """Return the sections of all jobs, those of the cores last."""
        return [*self.sections, self.cores]

    @property
    def correct(self) -> bool:
        """Return whether every engine gave the expected result."""
        return all(section.correct for section in self.jobs)


def render(results: Results) -> str:
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
        sections=results.sections,
        cores=results.cores,
        engine_count=sum(len(section.outcomes) for section in results.jobs),
        correct=results.correct,
        ring_titles=RING_TITLES,
        power_times=plots.power_times(results.sections),
        product_curves=plots.product_curves(results.curves),
        area_times=plots.area_times(results.area_times) if results.area_times else None,
        tables=[item for item in results.paper_items if isinstance(item, report.Table)],
        figures=[item for item in results.paper_items if isinstance(item, report.Figure)],
        machine=machine.describe() | {"monpro": monpro.__version__},
        date=dt.datetime.now(dt.UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )
