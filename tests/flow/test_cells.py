"""The cells of [kuang16, Table II] in the flow's library."""

from pathlib import Path

import pytest

from monpro.flow import cells, tools
from monpro.flow.synthesise import LIBERTY


def test_areas_are_sums_of_the_library() -> None:
    library = {"NAND2X1": 2.0, "AND2X1": 3.0, "XOR2X1": 5.0, "MUX2X1": 7.0, "INVX1": 1.0, "FAX1": 11.0}
    areas = cells.areas(library | {"DFFPOSX1": 13.0})
    assert areas["MUX4"] == 3 * 7
    assert areas["MUX2"] == 7 + 1
    assert areas["CFA"] == 11 + 2 + 7
    assert areas["SR"] == 13 + 8
    assert areas["SM3"] == 2 * 7 + 2


def test_a_chain_drives_one_input_of_each_cell() -> None:
    text = cells.chain("XOR3", "i1", 3)
    assert text.count("XOR2X1") == 6
    assert ".B(w0)" in text
    assert ".Y(w3)" in text
    assert "input i0, input i2" in text


@pytest.mark.skipif(
    not LIBERTY.is_file() or not tools.is_available("opensta"), reason="OpenSTA or its library is missing"
)
def test_the_recorded_cells_are_those_of_the_library(tmp_path: Path) -> None:
    known = cells.recorded()
    assert known is not None
    assert cells.areas(cells.library_areas()) == known.areas
    assert cells.delay_ns("NAND2", tmp_path) == known.delays["NAND2"]
    assert known.delays["NAND2"] < known.delays["XOR2"] < known.delays["FA"]
