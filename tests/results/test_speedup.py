"""The tables and the picture of speed-ups: their values, and that the documents show the newest ones."""

import json
import re
from itertools import chain
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from monpro.results import speedup
from monpro.results.headline import insert
from monpro.results.picture import CURVES, DARK, Curve, draw
from monpro.results.recording import multipliers_of, read

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results"
HINT = "run `.venv/bin/python -m monpro.results.speedup . results`"


@pytest.mark.parametrize("block", speedup.TABLES, ids=lambda block: block.name)
def test_the_documents_show_the_newest_measurements(block: speedup.Ratios) -> None:
    document = (ROOT / block.document).read_text(encoding="utf-8")
    assert document == insert(document, block, block.table(RESULTS)), HINT


def test_the_picture_is_that_of_recorded_measurements() -> None:
    assert (ROOT / speedup.PICTURE).read_text(encoding="utf-8") == speedup.picture(RESULTS), HINT


LIBRARIES = {
    "OpenSSL": "4.0",
    "OpenSSL as packaged": "3.0",
    "AWS-LC": "5.12",
    "GMP": "6.3",
    "GMP as packaged": "6.2",
    "crypto-bigint": "0.7",
    "monpro": "0.1.0",
    "other": "1.0",
}
FIGURES = [  # library, engine, operation, bits, cycles
    ("OpenSSL", "BN", "modexp", 512, 1000.0),
    ("OpenSSL", "BN", "modexp", 2048, 9100.0),
    ("OpenSSL as packaged", "BN", "modexp", 512, 1200.0),
    ("OpenSSL as packaged", "BN", "modexp", 2048, 9000.0),
    ("AWS-LC", "BN", "modexp", 512, 1500.0),
    ("GMP", "own", "modexp", 512, 900.0),
    ("GMP as packaged", "packaged", "modexp", 512, 800.0),
    ("GMP", "own", "modexp", 2048, 9900.0),
    ("GMP as packaged", "packaged", "modexp", 2048, 9950.0),
    ("crypto-bigint", "fixed", "modexp", 2048, 18000.0),
    ("monpro", "redc-ifma", "modexp", 512, 600.0),
    ("monpro", "redc-ifma-w51", "modexp", 512, 500.0),
    ("monpro", "redc-ifma", "modexp", 2048, 3000.0),
    ("monpro", "sos-mulx", "modexp", 512, 400.0),
    ("monpro", "batch-ifma", "modexp-batch", 2048, 1500.0),
]
LIMITS = [
    {"operation": "modexp", "bits": 512, "name": "MULX", "cycles": 100.0},
    {"operation": "monmul", "bits": 512, "name": "MULX", "cycles": 7.0},
    {"operation": "modexp-batch", "bits": 2048, "name": "IFMA, 8 operands", "cycles": 1200.0},
]
RSA = [
    ("OpenSSL", "BN", "rsa-crt", 2048, 800.0),
    ("AWS-LC", "BN", "rsa-private", 2048, 1000.0),
    ("monpro", "monpro-rsa", "rsa-private", 2048, 500.0),
    ("GMP", "own", "rsa-crt", 2048, 900.0),
    ("monpro", "pow_crt_batch", "rsa-crt", 2048, 400.0),
    ("monpro", "pow_crt_batch", "rsa-crt-batch", 2048, 200.0),
]


def write(results: Path, file_name: str, figures: list[Any], folder: str = "machine", **more: Any) -> None:
    names = ("library", "engine", "operation", "bits", "median_cycles", "shape")
    recording = {
        "machine": {"cpu": "Test CPU", "date": "2026-01-02", "libraries": LIBRARIES},
        "figures": [dict(zip(names, figure, strict=False)) for figure in figures],
    }
    (results / folder).mkdir(parents=True, exist_ok=True)
    (results / folder / file_name).write_text(json.dumps(recording | more), encoding="utf-8")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Return a folder of recorded measurements."""
    folder = tmp_path / "results"
    write(folder, speedup.POWERS, FIGURES, limits=LIMITS)
    write(folder, speedup.RSA, RSA)
    shapes = [("monpro", 10.0, 10.0), ("other", 40.0, 10.0)]
    bytes_figures = [
        (library, "", "modexp-bytes", 8, cycles, shape)
        for library, *both in shapes
        for shape, cycles in zip("ab", both, strict=True)
    ]
    write(folder, speedup.BYTES, bytes_figures)
    return folder


def rows(table: str) -> dict[str, list[str]]:
    """Return the rows of a table by their names, without the row of column names."""
    lines = [line.strip("| ").split(" | ") for line in table.splitlines()[2:] if line.startswith("|")]
    return {
        " / ".join(cell for cell in line if not is_number(cell)): [c for c in line if is_number(c)]
        for line in lines
    }


def is_number(cell: str) -> bool:
    return re.fullmatch(r"[\d.,]+|–", cell) is not None


def columns(table: str) -> dict[str, list[str]]:
    """Return the cells of README's table, a list for each way and size, and the names of the columns."""
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|")]
    return {" / ".join(line[:2]): line[2:] for line in lines if not line[0].startswith("---")}


def test_a_speed_up_is_the_rivals_cycles_over_those_of_the_ways_fastest_kernel(results: Path) -> None:
    table = columns(speedup.speedups(results))
    assert table == {
        "way of monpro / bits": ["Test CPU"],
        "one power / 512": ["OpenSSL 2.50, AWS-LC 3.75, GMP 2.00"],
        "one power / 2048": ["OpenSSL 3.00, GMP 3.30"],
        "one power without AVX-512 / 512": ["OpenSSL 2.50, AWS-LC 3.75, GMP 2.00"],
        "one of 8 powers / 2048": ["OpenSSL 6.00, GMP 6.60"],
        "one RSA private operation / 2048": ["OpenSSL 2.00, GMP 2.25"],
        "one of 8 RSA private operations / 2048": ["OpenSSL 4.00, GMP 4.50"],
        "one RSA private operation, blinded and checked / 2048": ["AWS-LC 2.00"],
    }


def test_a_library_that_was_not_installed_is_not_named(results: Path) -> None:
    write(results, speedup.POWERS, [figure for figure in FIGURES if not figure[0].startswith("GMP")])
    write(results, speedup.RSA, [figure for figure in RSA if figure[0] != "GMP"])
    assert "GMP" not in "".join(chain.from_iterable(columns(speedup.speedups(results)).values()))


def test_each_cpu_has_a_column_of_its_own(results: Path) -> None:
    faster = [(*figure[:-1], figure[-1] / 2) for figure in RSA if figure[0] == "monpro"] + RSA[:1]
    later = {"cpu": "Another CPU", "date": "2026-01-03", "libraries": {"OpenSSL": "5.0"}}
    write(results, speedup.RSA, faster, folder="other", machine=later)
    text = speedup.speedups(results)
    table = columns(text)
    assert table["way of monpro / bits"] == ["Test CPU", "Another CPU"]
    assert table["one RSA private operation / 2048"] == ["OpenSSL 2.00, GMP 2.25", "OpenSSL 4.00"]
    assert table["one power / 2048"] == ["OpenSSL 3.00, GMP 3.30", "–"]
    assert "- Another CPU, 2026-01-03: OpenSSL 5.0" in text.splitlines()
    assert "- Test CPU, 2026-01-02: OpenSSL 4.0, OpenSSL as packaged 3.0, AWS-LC 5.12, GMP 6.3" in text


def test_of_two_recordings_of_a_cpu_the_later_one_is_shown(results: Path) -> None:
    faster = [(*figure[:-1], figure[-1] / 2) for figure in RSA if figure[0] == "monpro"] + RSA[:1]
    later = {"cpu": "Test CPU", "date": "2026-01-03", "libraries": LIBRARIES}
    write(results, speedup.RSA, faster, folder="again", machine=later)
    assert columns(speedup.speedups(results))["one RSA private operation / 2048"] == ["OpenSSL 4.00"]


def test_no_recorded_time_is_below_its_limit() -> None:
    """A limit that a recording undercuts is none."""
    for path in [*RESULTS.glob("*/bench.json"), *RESULTS.glob("*/rsa.json"), *RESULTS.glob("*/sweep.json")]:
        recording = read(path)
        for limit in recording.get("limits", []):
            for figure in recording["figures"]:
                same = (figure["operation"], figure["bits"]) == (limit["operation"], limit["bits"])
                multipliers = multipliers_of(figure["engine"].replace("pow_crt_batch", "batch-ifma"))
                if same and figure["library"] == "monpro" and limit["name"].startswith(multipliers):
                    assert figure["median_cycles"] >= limit["cycles"], (path, figure)


def test_a_picture_without_the_newest_openssl_is_over_the_packaged_one(results: Path) -> None:
    packaged = {library: version for library, version in LIBRARIES.items() if library != "OpenSSL"}
    machine = {"cpu": "Test CPU", "date": "2026-01-02", "libraries": packaged}
    write(results, speedup.POWERS, [f for f in FIGURES if f[0] != "OpenSSL"], machine=machine)
    assert "OpenSSL 3.0 = 1" in [text.text or "" for text in elements(speedup.picture(results), "text")]


def test_the_picture_is_of_a_cpu_on_which_all_ways_run(results: Path) -> None:
    before = speedup.picture(results)
    newer = {"cpu": "CPU without AVX-512", "date": "2026-03-04", "libraries": LIBRARIES}
    without = [figure for figure in FIGURES if "ifma" not in figure[1]]
    write(results, speedup.POWERS, without, folder="newer", machine=newer)
    assert speedup.picture(results) == before
    (results / "machine" / speedup.POWERS).unlink()
    assert "CPU without AVX-512, 2026-03-04" in speedup.picture(results)


def test_a_picture_needs_figures_of_openssl(results: Path) -> None:
    write(results, speedup.POWERS, [figure for figure in FIGURES if "OpenSSL" not in figure[0]])
    with pytest.raises(ValueError, match="no figures of OpenSSL"):
        speedup.picture(results)


def test_a_share_is_the_limit_over_the_cycles(results: Path) -> None:
    table = rows(speedup.shares(results))
    assert table["one power: `sos-mulx` or `sos-adx`"] == ["25", "–"]
    assert table["one of 8 powers: `batch-ifma`"] == ["–", "80"]


def test_rsa_is_shown_in_cycles(results: Path) -> None:
    write(results, speedup.RSA, [("monpro", "pow_crt_batch", "rsa-crt", 2048, 1_234_500.0)])
    assert rows(speedup.private_operations(results))["one RSA private operation"] == ["1,234"]


def test_the_mean_of_bytes_to_bytes_is_geometric(results: Path) -> None:
    assert rows(speedup.bytes_to_bytes(results)) == {"other 1.0": ["2.00", "1.00", "4.00"]}


def test_the_picture_shows_speed_ups_and_names_the_cpu(results: Path) -> None:
    texts = [text.text or "" for text in elements(speedup.picture(results), "text")]
    for wanted in ("monpro, one power", "GMP", "crypto-bigint", "OpenSSL 4.0 = 1", "512", "2048"):
        assert wanted in texts
    assert any("Test CPU, 2026-01-02" in text for text in texts)


def elements(svg: str, tag: str) -> list[ET.Element]:
    """Return the elements of a drawing with this tag."""
    root = ET.fromstring(svg)  # noqa: S314  # our own drawing
    return [element for element in root.iter() if element.tag.endswith(tag)]


def points(svg: str, colour: str) -> list[tuple[float, float]]:
    """Return the corners of the line of this colour."""
    (path,) = (
        path
        for path in elements(svg, "path")
        if f"stroke: {colour}" in path.get("style", "") and "clip-path" in path.keys()  # noqa: SIM118
    )
    return [(float(x), float(y)) for x, y in re.findall(r"[ML] (\S+) (\S+)", path.get("d", ""))]


def test_a_larger_value_is_drawn_higher_and_a_doubled_size_equally_far() -> None:
    curves = [Curve("a", {256: 1.0, 512: 1.0, 1024: 1.0}), Curve("b", {256: 2.0, 1024: 2.0})]
    svg = draw("t", "s", "one", curves)
    (x0, y0), *_, (x2, y2) = points(svg, CURVES[0])
    assert y0 == y2 > points(svg, CURVES[1])[0][1]
    middles = [float(use.get("x", "")) for use in elements(svg, "use") if CURVES[0] in use.get("style", "")]
    assert middles[1] - x0 == pytest.approx(x2 - middles[1], abs=0.2)


def test_a_dark_page_replaces_every_colour_of_the_picture(results: Path) -> None:
    svg = speedup.picture(results)
    replaced = {colour for colour in DARK if f'[style*="fill: {colour}"]' in svg}
    drawn = re.sub("<style.*?</style>", "", svg, flags=re.DOTALL)
    assert set(re.findall(r"#[0-9a-f]{6}", drawn)) <= replaced


def test_every_document_is_updated(results: Path, tmp_path: Path) -> None:
    blocks: dict[str, list[speedup.Ratios]] = {}
    for block in speedup.TABLES:
        blocks.setdefault(block.document, []).append(block)
    for document, own in blocks.items():
        path = tmp_path / document
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{block.begin}\nstale\n{block.end}\n" for block in own), encoding="utf-8")
    assert speedup.main([str(tmp_path), str(results)]) == 0
    for document, own in blocks.items():
        expected = "".join(f"{block.begin}\n{block.table(results)}\n{block.end}\n" for block in own)
        assert (tmp_path / document).read_text(encoding="utf-8") == expected
    assert (tmp_path / speedup.PICTURE).read_text(encoding="utf-8") == speedup.picture(results)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [(["empty", "results"], "README.md"), (["."], "usage:"), ([".", "nothing"], "no bench.json is recorded")],
)
@pytest.mark.usefixtures("results")
def test_bad_input_gives_one_clear_line(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: list[str],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "README.md").write_text("no markers", encoding="utf-8")
    assert speedup.main(arguments) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1
