"""`python -m monpro` is the command `monpro`."""

import sys

from monpro.cli import main

if __name__ == "__main__":
    sys.exit(main())
