"""The lists of the SystemVerilog sources for other tools: `rtl/monpro.f`, and FuseSoC's `rtl/monpro.core`.

`python -m monpro.flow.source_lists` writes both after a source was added, renamed or removed.
"""

import re
import sys

from monpro.files import write_whole
from monpro.flow import sources

LISTS = {  # by name of the file: the lines that name sources, and how one is written
    sources.FILE_LIST: (r"^(?:monpro_\w+\.sv\n)+", "{}\n"),
    "monpro.core": (r"^(?: +- monpro_\w+\.sv\n)+", "      - {}\n"),
}


def up_to_date(name: str) -> str:
    """Return the text that a list should have: its own, with every source there is."""
    lines, line = LISTS[name]
    listed = "".join(line.format(source.name) for source in sources.all_sources())
    text = (sources.rtl_folder() / name).read_text(encoding="utf-8")
    return re.sub(lines, listed, text, count=1, flags=re.MULTILINE)


def main() -> int:
    """Write every list."""
    for name in LISTS:
        write_whole(sources.rtl_folder() / name, up_to_date(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
