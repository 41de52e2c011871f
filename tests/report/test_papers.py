"""All texts about the papers follow from PAPERS.toml."""

import pytest

from monpro.report.papers import short_title


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("koc96", "Koç, Acar and Kaliski 1996"),
        ("kuang16", "Kuang, Wu and Lu 2016"),
        ("koc97", "Koç and Acar 1997"),
    ],
)
def test_a_short_title_has_family_names_and_year(key: str, title: str) -> None:
    assert short_title(key) == title
