"""The papers as BibTeX."""

from collections.abc import Sequence

from monpro.report.papers import PAPERS

ACCENTS = {"Ç": r"{\c C}", "ç": r"{\c c}"}
FIELDS = ("journal", "booktitle", "volume", "number", "pages", "month", "doi")


def bibtex(keys: Sequence[str]) -> str:
    """Return the entries of these papers, by their keys in PAPERS.toml."""
    return "\n".join(map(entry, keys))


def entry(key: str) -> str:
    """Return the entry of one paper."""
    paper = PAPERS[key]
    kind = "article" if "journal" in paper else "inproceedings"
    authors = " and ".join(reversed_name(author) for author in paper["authors"])
    fields = {"author": authors, "title": f"{{{paper['title']}}}", "year": str(paper["year"])}
    fields |= {name: str(paper[name]) for name in FIELDS if name in paper}
    fields["pages"] = fields["pages"].replace("–", "--")
    lines = "".join(f"  {name} = {{{latex(text)}}},\n" for name, text in fields.items())
    return f"@{kind}{{{key},\n{lines}}}\n"


def reversed_name(author: str) -> str:
    """Return a name as BibTeX sorts it: Kaliski, Jr., Burton S."""
    first, _, last = author.removesuffix(" Jr.").rpartition(" ")
    return f"{last}, Jr., {first}" if author.endswith(" Jr.") else f"{last}, {first}"


def latex(text: str) -> str:
    """Return text with LaTeX's names of the letters that old styles lack, and with powers in mathematics."""
    for letter, name in ACCENTS.items():
        text = text.replace(letter, name)
    return text.replace("2^k", "$2^k$")
