"""The papers whose tables and figures are recomputed, as PAPERS.toml lists them."""

import tomllib
from pathlib import Path
from typing import Any

PAPERS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("PAPERS.toml").read_text(encoding="utf-8"))


def short_title(key: str) -> str:
    """Return the family names of a paper's authors and its year: Koç and Acar 1997."""
    paper = PAPERS[key]
    names = [author.removesuffix(" Jr.").split()[-1] for author in paper["authors"]]
    return f"{' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))} {paper['year']}"


def venue(key: str) -> str:
    """Return where a paper appeared: IEEE Micro 16(3), pages 26–33, June 1996."""
    paper = PAPERS[key]
    place = (
        paper["booktitle"]
        if "booktitle" in paper
        else f"{paper['journal']} {paper['volume']}({paper['number']})"
    )
    return f"{place}, pages {paper['pages']}, {paper['month']} {paper['year']}"


def published_ids() -> set[str]:
    """Return the ids of every table and figure that the papers print."""
    return {
        f"{key}.{kind}{number}"
        for key, paper in PAPERS.items()
        for kind in ("table", "figure")
        for number in paper[f"{kind}s"]
    }
