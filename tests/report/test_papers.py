"""All texts about the papers follow from PAPERS.toml."""

import pytest

from monpro.report.papers import published_ids, short_title, venue


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


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("koc96", "IEEE Micro 16(3), pages 26–33, June 1996"),
        ("koc97", "13th IEEE Symposium on Computer Arithmetic, pages 225–231, July 1997"),
    ],
)
def test_a_venue_is_a_journal_or_a_book(key: str, place: str) -> None:
    assert venue(key) == place


def test_what_is_published_is_named_as_in_the_catalogue() -> None:
    assert {"koc96.table1", "koc97.figure1", "amberg08.table1"} <= published_ids()
