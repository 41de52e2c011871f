"""The generated files of rtl/: the default module `monpro_multiplier`, and the lists of all sources.

The lists are `monpro.f`, which most tools read, and `monpro.core`, for FuseSoC.
`python -m monpro.flow.generated` writes them all. Run it after a source is added, renamed or removed.
"""

import re
import sys

from monpro.cores import core
from monpro.files import write_whole
from monpro.flow import multiplier, sources

LISTS = {  # by file name: the pattern of the lines that name sources, and the format of such a line
    sources.FILE_LIST: (r"^(?:monpro_\w+\.sv\n)+", "{}\n"),
    "monpro.core": (r"^(?: +- monpro_\w+\.sv\n)+", "      - {}\n"),
}
FILES = (f"{multiplier.MODULE}.sv", *LISTS)


def up_to_date(name: str) -> str:
    """Return the text that a generated file should have; a list keeps its text around the sources."""
    if name not in LISTS:
        return multiplier.module(core(multiplier.DEFAULT, multiplier.DEFAULT_BITS))
    lines, line = LISTS[name]
    listed = "".join(line.format(source.name) for source in sources.all_sources())
    text = (sources.rtl_folder() / name).read_text(encoding="utf-8")
    return re.sub(lines, listed, text, count=1, flags=re.MULTILINE)


def main() -> int:
    """Write all generated files."""
    for name in FILES:
        write_whole(sources.rtl_folder() / name, up_to_date(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
