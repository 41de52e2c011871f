"""The demo's page: one HTML file that needs no network."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import jinja2

import monpro
from monpro.demo.core_jobs import AreaTime, CoreSection
from monpro.demo.jobs import Section
from monpro.demo.product_times import ProductCurve
from monpro.page.build import Paper, environment
from monpro.results import machine
from monpro.results.durations import format_seconds
from monpro.results.sweep import Sweep

if find_spec("matplotlib") is None:  # imported where it draws, which is late to find that it is missing
    raise ModuleNotFoundError("no plots without matplotlib", name="matplotlib")

REPORT = "report.html"  # the page of `monpro report`, beside the demo's own


@dataclass(frozen=True)
class Results:
    """What the demo found: the page's contents."""

    sections: Sequence[Section]
    cores: CoreSection
    area_times: Sequence[AreaTime]  # empty where no synthesis is recorded
    curves: Sequence[ProductCurve]
    papers: Sequence[Paper]
    sweep: Sweep | None  # none where none is recorded

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
    from monpro.demo import plots  # noqa: PLC0415  (matplotlib takes longer to import than most verbs to run)

    templates = environment(jinja2.PackageLoader("monpro.demo", "."))
    templates.filters |= {"seconds": format_seconds, "ratio": format_ratio}
    return templates.get_template("demo.html.j2").render(
        sections=results.sections,
        cores=results.cores,
        engine_count=sum(len(section.outcomes) for section in results.jobs),
        correct=results.correct,
        fastest=fastest(results.sections),
        power_times=plots.power_times(results.sections),
        product_curves=plots.product_curves(results.curves),
        area_times=plots.area_times(results.area_times) if results.area_times else None,
        papers=results.papers,
        report=REPORT,
        sweep=results.sweep,
        power_sweep=plots.power_sweep(results.sweep) if results.sweep else None,
        machine=machine.describe() | {"monpro": monpro.__version__},
        date=dt.datetime.now(dt.UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )


@dataclass(frozen=True)
class Fastest:
    """The fastest engine of the first job, and its time."""

    title: str
    engine: str
    seconds: float


def fastest(sections: Sequence[Section]) -> Fastest | None:
    """Return what the page says first; None where no result was right."""
    for section in sections[:1]:
        for outcome in section.outcomes:
            if outcome.ratio == 1 and outcome.timing:
                return Fastest(section.job.title, outcome.engine.name, outcome.timing.seconds)
    return None


def format_ratio(ratio: float) -> str:
    """Return a ratio with three digits, which is more than the spread of the times allows."""
    return f"{ratio:.2f}" if ratio < 9.995 else f"{ratio:.1f}" if ratio < 99.95 else f"{ratio:,.0f}"
