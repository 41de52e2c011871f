"""Plots for the demo's page, as SVG in the page's own colours, so that they follow light and dark.

Each panel is a picture of its own: the page sets them side by side, or below each other where it is narrow.
"""

import io
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from monpro.demo.core_jobs import AreaTime
from monpro.demo.jobs import Section
from monpro.demo.product_times import ProductCurve
from monpro.results.durations import format_seconds
from monpro.results.sweep import Sweep

WIDTH_INCHES = 4.4
LEAST_TICKS, MOST_TICKS = 2, 4  # of a scale of times, whose labels are long
# Matplotlib writes colours into the SVG; these stand for the page's variables and are replaced by them.
INK, MUTED, GRID, WIDE, NARROW = "#000001", "#000002", "#000003", "#000004", "#000005"
SERIES = ("#000011", "#000012", "#000013", "#000014", "#000015", "#000016")
VARIABLES = {INK: "ink", MUTED: "muted", GRID: "line", WIDE: "series-1", NARROW: "series-2"} | {
    colour: f"series-{i}" for i, colour in enumerate(SERIES, 1)
}
MARKERS = "osD^vPX"  # one more than colours, so that no two of 42 series look the same
STYLE: dict[Any, object] = {  # matplotlib has a type of all its keys' names
    "svg.fonttype": "none",
    "svg.hashsalt": "monpro",
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": MUTED,
    "axes.edgecolor": GRID,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
}


def power_times(sections: Sequence[Section]) -> list[str]:
    """Return the times of every engine as SVG, the fastest on top: one panel for each job."""
    return [_power_times(section) for section in sections]


def product_curves(curves: Sequence[ProductCurve]) -> list[str]:
    """Return the time of a product against the size, and the same per word multiplication, as SVG."""
    sizes = sorted({bits for curve in curves for bits in curve.bits})
    with mpl.rc_context(STYLE):
        whole, axes = _panel("time of one product, µs", 3.2)
        for number, curve in enumerate(curves):
            axes.plot(curve.bits, [time * 1e-3 for time in curve.time_ns], **_look(number, curve.kernel))
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        _label_sizes(axes, sizes)
        normal, axes = _panel("time per word multiplication, ns", 3.2)
        for number, curve in enumerate(curves):
            axes.plot(curve.bits, curve.time_per_multiplication_ns, **_look(number, curve.kernel))
        axes.set_ylim(bottom=0)
        _label_sizes(axes, sizes)
        for figure in (whole, normal):
            _legend_below(figure, figure.axes[0], columns=4)
        return [
            to_svg(whole, "Time of a Montgomery product against the size of the modulus"),
            to_svg(normal, "Time of a Montgomery product for each word multiplication, against the size"),
        ]


def power_sweep(sweep: Sweep) -> list[str]:
    """Return the cycles of an exponentiation against the size, and their ratio to the limits, as SVG."""
    sizes = (256, 512, 1024, 2048, 4096, 8192)
    curves = sorted(
        sweep.curves, key=lambda curve: not curve.limit
    )  # those of both pictures differ in colour
    with mpl.rc_context(STYLE):
        cycles, axes = _panel("cycles of one exponentiation", 3.9)
        for number, curve in enumerate(curves):
            axes.plot(list(curve.cycles), list(curve.cycles.values()), **_look(number, curve.name))
        for (name, limit), style in zip(sweep.limits.items(), (":", "--", "-."), strict=False):
            look: dict[str, Any] = {
                "color": MUTED,
                "linewidth": 1.1,
                "linestyle": style,
                "label": f"limit: {name}",
            }
            axes.plot(list(limit), list(limit.values()), **look)
        axes.set_yscale("log")
        _label_sizes(axes, sizes)
        _legend_below(cycles, axes, columns=2)
        ratios, axes = _panel("cycles as a multiple of the limit", 3.9)
        for number, curve in enumerate(curves):
            if curve.limit:
                times = [curve.cycles[bits] / limit for bits, limit in curve.limit.items()]
                axes.plot(list(curve.limit), times, **_look(number, curve.name))
        axes.set_ylim(bottom=0)
        axes.axhline(1, color=MUTED, linewidth=1.1, linestyle=":", label="the limit")
        _label_sizes(axes, sizes)
        _legend_below(ratios, axes, columns=2)
        return [
            to_svg(cycles, "Cycles of a modular exponentiation against the size of the modulus"),
            to_svg(ratios, "Cycles of a modular exponentiation as a multiple of the limit, against the size"),
        ]


def area_times(points: Sequence[AreaTime]) -> list[str]:
    """Return the area of synthesised cores against the time of their products as SVG, one panel a width."""
    names = {name: number for number, name in enumerate(dict.fromkeys(map(_name, points)))}
    return [
        _area_times(bits, [point for point in points if point.bits == bits], names)
        for bits in sorted({point.bits for point in points})
    ]


def to_svg(figure: Figure, description: str) -> str:
    """Return the figure as an SVG element for inlining, its colours replaced by the page's variables."""
    text = io.StringIO()
    figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg [^>]*?)width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg [^>]*?)height="[^"]*"', r"\1", svg, count=1)
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{description}" ', 1)
    return re.sub(r"#0000[01]\d", lambda colour: f"var(--{VARIABLES[colour[0]]})", svg)


def _panel(title: str, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(WIDTH_INCHES, height), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title)
    return figure, axes


def _look(number: int, label: str) -> dict[str, Any]:
    """Return how a series looks: by its colour and its marker, either of which the next one changes."""
    colour, marker = SERIES[number % len(SERIES)], MARKERS[number % len(MARKERS)]
    return {"color": colour, "marker": marker, "markersize": 4, "linewidth": 1.2, "label": label}


def _legend_below(figure: Figure, axes: Axes, *, columns: int) -> None:
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, fontsize=7.5, columnspacing=1.2)


def _power_times(section: Section) -> str:
    shown = [(outcome.engine, outcome.timing.seconds) for outcome in section.outcomes if outcome.timing]
    shown.sort(key=lambda pair: pair[1])
    with mpl.rc_context(STYLE):
        figure, axes = _panel(
            section.job.title.replace(", a modulus", ",\na modulus"), 1.1 + 0.2 * len(shown)
        )
        for title, colour, marker, wide in (
            ("words of more than 32 bits", WIDE, "o", True),
            ("shorter words", NARROW, "s", False),
        ):
            places = [place for place, (engine, _) in enumerate(shown) if (engine.radix_bits > 32) == wide]
            if places:
                times = [shown[place][1] for place in places]
                axes.plot(times, places, color=colour, marker=marker, linestyle="", markersize=5, label=title)
        for place, (_, time) in enumerate(shown):
            axes.annotate(
                format_seconds(time),
                (time, place),
                (7, -3),
                textcoords="offset points",
                fontsize=7.5,
                color=INK,
            )
        axes.set_yticks(range(len(shown)), [engine.name for engine, _ in shown], fontsize=8)
        axes.set_ylim(len(shown) - 0.4, -0.6)
        axes.set_xscale("log")
        _scale_of_times(axes, [time for _, time in shown] or [1.0])
        axes.minorticks_off()
        axes.tick_params(axis="y", length=0, labelcolor=INK)
        axes.grid(visible=True, axis="both")
        axes.set_axisbelow(True)
        axes.set_xlabel("time, logarithmic")
        _legend_below(figure, axes, columns=2)
        return to_svg(figure, f"Time of the exponentiation by each engine: {section.job.title}")


def _scale_of_times(axes: Axes, seconds: Sequence[float]) -> None:
    """Give the axis a logarithmic scale, with room for the labels at the right, and few enough ticks."""
    shortest, longest = min(seconds), max(seconds)
    axes.set_xscale("log")
    axes.set_xlim(shortest / 1.5, longest * (longest / shortest) ** 0.25 * 1.8)
    axes.set_xticks(ticks(*axes.get_xlim()))
    axes.xaxis.set_major_formatter(lambda time, _: re.sub(r"\.0+(?= )", "", format_seconds(time)))


def ticks(least: float, most: float) -> list[float]:
    """Return the powers of ten in a range, or finer steps if there are not two, and at most four of them."""
    found: list[float] = []
    for steps in ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 5, 7)):
        powers = range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)
        found = [step * 10.0**power for power in powers for step in steps]
        found = [tick for tick in found if least <= tick <= most]
        if len(found) >= LEAST_TICKS:
            break
    return found[:: -(-len(found) // MOST_TICKS) or 1]


def _area_times(bits: int, points: Sequence[AreaTime], names: Mapping[str, int]) -> str:
    with mpl.rc_context(STYLE):
        figure, axes = _panel(f"{bits} bits", 4.6)
        axes.set_xscale("log")
        axes.set_yscale("log")
        for point in points:
            look = _look(names[_name(point)], _name(point)) | {"linestyle": "", "markersize": 6}
            axes.plot([point.time_us], [point.area_mm2], **look)
        axes.margins(x=0.15, y=0.1)
        times, areas = axes.get_xlim(), axes.get_ylim()
        best = min(map(_product, points))
        for doubling in range(8):
            line = [best * 2**doubling / time for time in times]
            label = "equal area × time, doubled from line to line" if doubling == 0 else None
            axes.plot(times, line, color=MUTED, linewidth=0.8, linestyle=":", zorder=0, label=label)
        axes.set_xlim(times)
        axes.set_ylim(areas)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axis.set_major_formatter("{x:g}")
        axes.minorticks_off()
        axes.set_xlabel("time of one product, µs")
        axes.set_ylabel("area, mm²")
        _legend_below(figure, axes, columns=2)
        return to_svg(figure, f"Area of the hardware cores of {bits} bits against the time of their products")


def _name(point: AreaTime) -> str:
    return point.configuration.replace(f"-{point.bits}", "")


def _product(point: AreaTime) -> float:
    return point.time_us * point.area_mm2


def _label_sizes(axes: Axes, sizes: Sequence[int]) -> None:
    axes.set_xscale("log", base=2)
    axes.set_xticks(sizes, [str(bits) for bits in sizes])
    axes.minorticks_off()
    axes.set_xlabel("bits of the modulus")
    axes.grid(visible=True, axis="y")
