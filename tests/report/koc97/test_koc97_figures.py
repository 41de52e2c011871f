"""Figure 1 of [koc97] and the plot of its Table 5: well-formed drawings of runs and measurements."""

from xml.etree import ElementTree as ET

import pytest

import drawings
import told
from monpro.report import Figure, select
from monpro.report.draw.drawing import Drawing
from monpro.report.koc97 import figure1, table5, table5_figure
from monpro.report.koc97.table5 import MEASURED_IN_1997, PREDICTED_IN_1997, PUBLISHED

SVG = drawings.SVG


def parsed(figure: Figure) -> tuple[ET.Element, list[str]]:
    """Return a figure's root and its texts."""
    root = drawings.parsed(figure.svg)
    return root, drawings.texts(root)


def test_figure_1_shows_both_algorithms_step_by_step() -> None:
    (item,) = select("koc97.figure1")
    figure = item.build()
    assert isinstance(figure, Figure)
    _, texts = parsed(figure)
    assert texts.count("Step 4.") == 2
    assert texts.count("Step 6.") == 1
    assert {"c̄ := 1·r", "if ei = 1 then c̄ := c̄·ā·r−1", "c := c̄·1·r−1"} <= set(texts)
    assert {"c := 1", "c := c·c", "if ei = 1 then c := c·a"} <= set(texts)


def test_the_body_of_the_loop_is_indented() -> None:
    for method, indented in (("Montgomery Exponentiation", [3, 4]), ("Standard Exponentiation", [2, 3])):
        lines = figure1.steps(figure1.ALGORITHMS[method])
        assert [place for place, line in enumerate(lines) if line.depth] == indented
        assert lines[indented[0] - 1].text.startswith("for ")


def test_figure_1_is_the_source_of_the_spec(monkeypatch: pytest.MonkeyPatch) -> None:
    standard = figure1.ALGORITHMS["Standard Exponentiation"]
    monkeypatch.setitem(figure1.ALGORITHMS, "Montgomery Exponentiation", standard)
    _, texts = parsed(figure1.build())
    assert texts.count("c := c·c") == 2


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> table5.Speedups:
    """Replace measured speed-ups by made-up ones: one series is off the scale, one is not available."""
    speedups = {
        (series, k): 1000.0 if series.w == 64 else 2.0
        for k in PUBLISHED
        for series in (*MEASURED_IN_1997, *PREDICTED_IN_1997)
        if str(series) != "w = 8, instruction"
    }
    by_baseline = dict.fromkeys(table5.BASELINES, speedups)
    monkeypatch.setattr(table5, "measure", lambda _progress: by_baseline)
    return speedups


def test_the_plot_of_table_5_draws_every_series_thrice(measured: table5.Speedups) -> None:
    root, texts = parsed(table5_figure.build())
    assert {"w = 8", "w = 16", "w = 32", "w = 64", "2048", "measured over scalar standard"} <= set(texts)
    colours = {mulgf2: colour.line for mulgf2, colour in table5_figure.COLOURS.items()}
    lines = [(line.get("stroke"), line.get("stroke-dasharray")) for line in root.iter(f"{SVG}line")]
    intervals = len(PUBLISHED) - 1
    for mulgf2, series in {"tables": 3, "emulation": 3, "instruction": 4}.items():
        in_legend = 1
        available = len({one for one, _ in measured if one.mulgf2 == mulgf2})
        over_scalar, on_vectors = table5_figure.STROKES.values()
        assert lines.count((colours[mulgf2], over_scalar)) == available * intervals + in_legend
        assert lines.count((colours[mulgf2], on_vectors)) == available * intervals
        assert lines.count((colours[mulgf2], table5_figure.DASHES)) == series * intervals


@pytest.mark.usefixtures("measured")
def test_nothing_is_drawn_outside_the_plot() -> None:
    root, _ = parsed(table5_figure.build())
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for line in root.iter(f"{SVG}line"):
        assert all(0 <= float(line.attrib[x]) <= width for x in ("x1", "x2"))
        assert all(0 <= float(line.attrib[y]) <= height for y in ("y1", "y2"))


def test_the_scale_is_logarithmic() -> None:
    panel = table5_figure.Panel(Drawing(720, 400, "A title", ""), left=10)
    assert panel.x(64) == 10
    assert panel.x(128) - panel.x(64) == pytest.approx(panel.x(2048) - panel.x(1024))
    assert panel.y(2) - panel.y(4) == pytest.approx(panel.y(16) - panel.y(32))
    assert panel.y(1e9) == table5_figure.TOP


@pytest.mark.usefixtures("measured")
def test_the_plot_of_table_5_is_drawn_as_when_somebody_last_looked_at_it() -> None:
    """Where a change is meant, look at the drawing before you keep its digest here."""
    assert told.digest(table5_figure.build()) == (
        "888e5834c22db42934cdbd112d976386fbd057a1ca03e7011f118eb73fa494ed"
    )
