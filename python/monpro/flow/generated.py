"""What is generated in rtl/: the default of the module `monpro_multiplier`, and the lists of all sources.

The lists are `monpro.f`, which most tools read, and `monpro.core`, for FuseSoC.
`python -m monpro.flow.generated` writes all, after a source was added, renamed or removed.
"""

import re
import sys

from monpro.cores import core
from monpro.files import write_whole
from monpro.flow import multiplier, sources

LISTS = {  # by name of the file: the lines that name sources, and how one is written
    sources.FILE_LIST: (r"^(?:monpro_\w+\.sv\n)+", "{}\n"),
    "monpro.core": (r"^(?: +- monpro_\w+\.sv\n)+", "      - {}\n"),
}
FILES = (f"{multiplier.MODULE}.sv", *LISTS)


def up_to_date(name: str) -> str:
    """Return the text that a generated file should have: a list, its own text with every source there is."""
    if name not in LISTS:
        return multiplier.module(core(multiplier.DEFAULT, multiplier.DEFAULT_BITS))
    lines, line = LISTS[name]
    listed = "".join(line.format(source.name) for source in sources.all_sources())
    text = (sources.rtl_folder() / name).read_text(encoding="utf-8")
    return re.sub(lines, listed, text, count=1, flags=re.MULTILINE)


def main() -> int:
    """Write all."""
    for name in FILES:
        write_whole(sources.rtl_folder() / name, up_to_date(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
