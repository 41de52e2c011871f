"""Curves over the size of a modulus as an SVG picture that stands alone, on a light or a dark page."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

# The light colours, which matplotlib writes, and what a dark page shows in their place.
CARD, GRID, INK, GREY = "#ffffff", "#d0d7de", "#1f2328", "#59636e"
CURVES = ("#0b5fcc", "#b3400a", "#6f3fc0", "#1a7a3c", "#7a5a00")
DARK = {CARD: "#0d1117", GRID: "#3d444d", INK: "#f0f6fc", GREY: "#9198a1"} | dict(
    zip(CURVES, ("#6cb0ff", "#ff9d66", "#c3a2ff", "#5fd08a", "#e2c04c"), strict=True)
)
STYLE: dict[Any, object] = {  # matplotlib has a type of all its keys' names
    "svg.fonttype": "none",
    "svg.hashsalt": "monpro",
    "font.size": 11,
    "text.color": INK,
    "figure.facecolor": CARD,
    "axes.facecolor": CARD,
    "axes.edgecolor": GRID,
    "axes.labelcolor": GREY,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titlecolor": GREY,
    "axes.titlesize": 11,
    "grid.color": GRID,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "legend.frameon": False,
}


@dataclass(frozen=True)
class Curve:
    """A name and its values by the bits of the modulus."""

    name: str
    values: Mapping[int, float]


def draw(title: str, subtitle: str, one: str, curves: Sequence[Curve]) -> str:
    """Return the picture of at most five curves as SVG; `one` names the line at 1."""
    sizes = sorted({bits for curve in curves for bits in curve.values})
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9.2, 4.7), layout="constrained")
        figure.suptitle(title, x=0.012, ha="left", size=13, weight="bold")
        axes = figure.subplots()
        axes.set_title(subtitle)
        for curve, colour in zip(curves, CURVES, strict=False):
            bits = sorted(curve.values)
            values = [curve.values[size] for size in bits]
            axes.plot(bits, values, color=colour, marker="o", markersize=4, label=curve.name)
        axes.axhline(1, color=GREY, linewidth=1.8, label=one)
        axes.set_xscale("log", base=2)
        axes.set_xticks(sizes, [str(bits) for bits in sizes])
        axes.minorticks_off()
        axes.set_xlabel("bits of the modulus")
        axes.set_ylim(bottom=0)
        axes.grid(visible=True, axis="y")
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Title": title})
    return _for_light_and_dark(text.getvalue())


def _for_light_and_dark(svg: str) -> str:
    """Add the style that replaces the colours for readers who prefer a dark page."""
    rules = "".join(
        f'[style*="{what}: {light}"] {{ {what}: {dark} !important; }}\n'
        for light, dark in DARK.items()
        for what in ("fill", "stroke")
    )
    style = f"@media (prefers-color-scheme: dark) {{\n{rules}}}\n"
    return svg.replace('<style type="text/css">', f'<style type="text/css">\n{style}', 1)
