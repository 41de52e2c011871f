"""The recipes of docs/columns.md run with the packages that `make test-full` installs."""

import importlib.util
import re
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from conftest import TOOL_LACKS
from monpro.columns import Column, Constant, Operation, Source

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "columns.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
RECIPES = re.findall(r"^```text\n(import (\w+)[^`]*)^```", TEXT, re.MULTILINE | re.DOTALL)


def test_there_are_recipes() -> None:
    assert [package for _, package in RECIPES] == ["pandas", "polars", "duckdb", "dask", "ray"]


@pytest.mark.slow
@pytest.mark.parametrize(("recipe", "package"), RECIPES, ids=[package for _, package in RECIPES])
def test_a_recipe_gives_the_powers(recipe: str, package: str) -> None:
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{TOOL_LACKS}: {package} is not installed: pip install -r requirements/scale.txt")
    operands: dict[str, Source] = {
        "base": Column("c"),
        "exponent": Constant(65537),
        "modulus": Constant(1000003),
    }
    names: dict[str, Any] = {"pa": pa, "power": Operation("pow", operands)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the package's own
        exec(recipe, names)  # noqa: S102  (it is one of our documents)
    rows = [None if value is None or value is names.get("pd", pa).NA else value for value in names["rows"]]
    assert rows == [pow(2, 65537, 1000003).to_bytes(3), pow(3, 65537, 1000003).to_bytes(3), None]
