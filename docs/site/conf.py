"""How Sphinx builds the site: offline, from Markdown, with warnings as errors (`make docs`)."""

import re
from collections.abc import Callable
from importlib.metadata import version as version_of
from typing import Protocol

project = "monpro"
author = "The monpro developers"
release = version = version_of("monpro")
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
myst_url_schemes = {
    "https": None,
    "report": "../report.html#{{path}}",  # these two lie beside the site; tools/docs.py follows every link
    "rust": "../rust/{{path}}/index.html",
}
smartquotes_action = "qe"  # quotes and ellipses, but the dashes of an option stay
html_theme = "furo"
html_title = "monpro"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
default_role = "literal"  # the docstrings' `code`
exclude_patterns = ["notebooks/*.ipynb"]
nitpick_ignore = [  # classes of the package `cryptography`, which is not documented here
    ("py:class", f"monpro.rsa.{name}") for name in ("RsaPrivateKey", "RsaPrivateNumbers", "RsaPublicKey")
]


def marked(line: str) -> str:
    """Return a line of Markdown as reStructuredText: stars are stars, and code may end inside a word."""
    return re.sub(
        r"(`[^`]+`)(\w?)", lambda code: r"\ ".join(filter(None, code.groups())), line.replace("*", r"\*")
    )


def tables_as_lists(lines: list[str]) -> list[str]:
    """Return a docstring whose Markdown tables are reStructuredText's, and whose stars are stars."""
    found: list[str] = []
    for line in lines:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.lstrip().startswith("|"):
            found.append(line if line.lstrip().startswith(">>>") else marked(line))
        elif not all(set(cell) <= set("-:") for cell in cells):
            if not (found and found[-1].startswith("   ")):
                found += ["", ".. list-table::", ""]
            found += [
                f"   {'* -' if place == 0 else '  -'} {cell}" for place, cell in enumerate(map(marked, cells))
            ]
    return [*found, ""]


class Application(Protocol):
    """What is used of Sphinx, which only the environment of the documents has."""

    def connect(self, event: str, callback: Callable[..., None]) -> int:
        """Call back at each event of this name."""


def setup(app: Application) -> None:
    """Let Sphinx read the docstrings, which are Markdown."""

    def process(
        _app: object, _what: str, _name: str, _object: object, _options: object, lines: list[str]
    ) -> None:
        lines[:] = tables_as_lists(lines)

    app.connect("autodoc-process-docstring", process)
