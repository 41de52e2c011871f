"""The papers as BibTeX."""

from monpro.report.citation import bibtex

ENTRIES = r"""@article{koc96,
  author = {Ko{\c c}, {\c C}etin Kaya and Acar, Tolga and Kaliski, Jr., Burton S.},
  title = {{Analyzing and Comparing Montgomery Multiplication Algorithms}},
  year = {1996},
  journal = {IEEE Micro},
  volume = {16},
  number = {3},
  pages = {26--33},
  month = {June},
  doi = {10.1109/40.502403},
}

@inproceedings{koc97,
  author = {Ko{\c c}, {\c C}etin Kaya and Acar, Tolga},
  title = {{Fast Software Exponentiation in GF($2^k$)}},
  year = {1997},
  booktitle = {13th IEEE Symposium on Computer Arithmetic},
  pages = {225--231},
  month = {July},
  doi = {10.1109/ARITH.1997.614899},
}
"""


def test_an_entry_is_an_article_or_a_talk_as_bibtex_writes_them() -> None:
    assert bibtex(["koc96", "koc97"]) == ENTRIES
