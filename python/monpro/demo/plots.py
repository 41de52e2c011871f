"""Plots for the demo's page, as SVG in the page's own colours, so that they follow light and dark."""

import io
import itertools
import re
from collections.abc import Sequence
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

# Matplotlib writes colours into the SVG; these stand for the page's variables and are replaced by them.
INK, MUTED, GRID, WIDE, NARROW = "#000001", "#000002", "#000003", "#000004", "#000005"
SERIES = ("#000011", "#000012", "#000013", "#000014", "#000015", "#000016")
VARIABLES = {INK: "ink", MUTED: "muted", GRID: "line", WIDE: "series-1", NARROW: "series-2"} | {
    colour: f"series-{i}" for i, colour in enumerate(SERIES, 1)
}
MARKERS = "osD^vP"
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


def power_times(sections: Sequence[Section]) -> str:
    """Return the bars of every engine's time as SVG: one panel for each job, two in a row."""
    with mpl.rc_context(STYLE):
        pairs = [sections[i : i + 2] for i in range(0, len(sections), 2)]
        heights = [2 + max(len(section.outcomes) for section in pair) for pair in pairs]
        figure = Figure(figsize=(9.2, 0.2 + 0.22 * sum(heights)), layout="constrained")
        panels = figure.subplots(len(pairs), 2, squeeze=False, height_ratios=heights)
        for row, pair in zip(panels, pairs, strict=True):
            for axes, section in itertools.zip_longest(row, pair):
                if section:
                    _draw_bars(axes, section)
                    axes.set_ylim(max(len(section.outcomes) for section in pair) - 0.4, -0.6)
                else:
                    axes.set_axis_off()
        return to_svg(figure, "Time of the exponentiation by each engine")


def product_curves(curves: Sequence[ProductCurve]) -> str:
    """Return the time of a product against the size, and the same per word multiplication, as SVG."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9.2, 3.4), layout="constrained")
        whole, normal = figure.subplots(1, 2)
        for curve, colour, marker in zip(curves, SERIES * 4, MARKERS * 4, strict=False):
            look = {
                "color": colour,
                "marker": marker,
                "markersize": 3.5,
                "linewidth": 1.4,
                "label": curve.kernel,
            }
            whole.plot(curve.bits, [time * 1e-3 for time in curve.time_ns], **look)
            normal.plot(curve.bits, curve.time_per_multiplication_ns, **look)
        whole.set_title("time of one product, µs")
        whole.set_yscale("log")
        whole.yaxis.set_major_formatter("{x:g}")
        normal.set_title("time per word multiplication, ns")
        normal.set_ylim(bottom=0)
        normal.legend(ncols=2)
        for axes in (whole, normal):
            _label_sizes(axes, sorted({bits for curve in curves for bits in curve.bits}))
        return to_svg(figure, "Time of a Montgomery product against the size of the modulus")


def power_sweep(sweep: Sweep) -> str:
    """Return the cycles of an exponentiation against the size, and their ratio to the limits, as SVG."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9.2, 4.0), layout="constrained")
        cycles, ratios = figure.subplots(1, 2)
        for curve, colour, marker in zip(sweep.curves, SERIES * 2, MARKERS * 2, strict=False):
            look = {
                "color": colour,
                "marker": marker,
                "markersize": 2.5,
                "linewidth": 1.2,
                "label": curve.name,
            }
            cycles.plot(list(curve.cycles), list(curve.cycles.values()), **look)
            if curve.limit:
                times = [curve.cycles[bits] / limit for bits, limit in curve.limit.items()]
                ratios.plot(list(curve.limit), times, **look)
        for (name, limit), style in zip(sweep.limits.items(), (":", "--", "-."), strict=False):
            cycles.plot(
                list(limit),
                list(limit.values()),
                color=MUTED,
                linewidth=0.9,
                linestyle=style,
                label=f"limit: {name}",
            )
        cycles.set_title("cycles of one exponentiation")
        cycles.set_yscale("log")
        cycles.legend(fontsize=7)
        ratios.set_title("cycles as a multiple of the limit")
        ratios.set_ylim(bottom=0)
        ratios.axhline(1, color=MUTED, linewidth=0.9, linestyle=":")
        for axes in (cycles, ratios):
            _label_sizes(axes, (256, 512, 1024, 2048, 4096, 8192))
        return to_svg(figure, "Cycles of a modular exponentiation against the size of the modulus")


def area_times(points: Sequence[AreaTime]) -> str:
    """Return the area of synthesised cores against the time of their products as SVG, one panel a width."""
    widths = sorted({point.bits for point in points})
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9.2, 4.2), layout="constrained")
        for axes, bits in zip(figure.subplots(1, len(widths), squeeze=False)[0], widths, strict=True):
            _draw_area_times(axes, bits, [point for point in points if point.bits == bits])
        return to_svg(figure, "Area of the hardware cores against the time of their products")


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


def _draw_bars(axes: Axes, section: Section) -> None:
    shown = [(outcome.engine, outcome.timing.seconds) for outcome in section.outcomes if outcome.timing]
    seconds = [time for _, time in shown]
    colours = [WIDE if engine.radix_bits > 32 else NARROW for engine, _ in shown]
    bars = axes.barh(range(len(shown)), seconds, color=colours, height=0.66)
    axes.bar_label(bars, [format_seconds(time) for time in seconds], padding=3, color=INK, fontsize=8)
    axes.set_yticks(range(len(shown)), [engine.name for engine, _ in shown])
    axes.set_xscale("log")
    low, high = min(seconds, default=1.0), max(seconds, default=1.0)
    axes.set_xlim(low / 2, high * (high / low) ** 0.3 * 2)
    axes.set_xticks([])
    axes.minorticks_off()
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.spines["bottom"].set_visible(False)
    axes.set_title(section.job.title)


def _draw_area_times(axes: Axes, bits: int, points: Sequence[AreaTime]) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    best = min(points, key=_product)
    for point in points:
        colour = WIDE if point == best else NARROW
        name = point.configuration.replace(f"-{bits}", "")
        axes.scatter(point.time_us, point.area_mm2, color=colour, s=22)
        axes.annotate(
            name, (point.time_us, point.area_mm2), (5, -3), textcoords="offset points", fontsize=7, color=INK
        )
    axes.margins(x=0.3, y=0.15)
    times, areas = axes.get_xlim(), axes.get_ylim()
    for product in {_product(best) * 2**doubling for doubling in range(8)}:
        line = [product / time for time in times]
        axes.plot(times, line, color=GRID, linewidth=0.8, linestyle=":", zorder=0)
    axes.set_xlim(times)
    axes.set_ylim(areas)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter("{x:g}")
    axes.minorticks_off()
    axes.set_title(f"{bits} bits")
    axes.set_xlabel("time of one product, µs")
    axes.set_ylabel("area, mm²")


def _product(point: AreaTime) -> float:
    return point.time_us * point.area_mm2


def _label_sizes(axes: Axes, sizes: Sequence[int]) -> None:
    axes.set_xscale("log", base=2)
    axes.set_xticks(sizes, [str(bits) for bits in sizes])
    axes.minorticks_off()
    axes.set_xlabel("bits of the modulus")
    axes.grid(visible=True, axis="y")
