"""Tables, claims and figures tell what they told when somebody last read them: a change is seen."""

import pytest

import told
from monpro.report import Item


@pytest.mark.parametrize("item", told.ITEMS, ids=lambda item: item.id)
def test_an_item_tells_what_is_kept_of_it(item: Item) -> None:
    """Where a change is meant, `.venv/bin/python tests/told.py` keeps it: read the difference.

    On the way it reports ever more steps of a number that stays, up to all.
    """
    steps: list[tuple[int, int]] = []
    assert told.told(item, lambda done, total: steps.append((done, total))) == told.kept(item)
    dones = [done for done, _ in steps]
    assert dones == sorted(set(dones))
    assert dones[0] >= 0
    assert {total for _, total in steps} == {dones[-1]}


def test_nothing_is_kept_that_is_not_told() -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted(told.FOLDER.iterdir())]
    ids = [block.partition(":")[0] for text in texts for block in text.split("\n\n")]
    assert ids == sorted(item.id for item in told.ITEMS)
