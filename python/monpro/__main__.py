"""The command `monpro`; `python -m monpro` runs it, too."""

import os
import sys


def main() -> int:
    """Run the command line and return its exit status: 2 where a package that it needs is not installed.

    Ctrl-C ends the process at once while modules are imported. The verb's own work sees KeyboardInterrupt.
    """
    try:
        from monpro import cli  # noqa: PLC0415  (its packages are an extra)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "monpro":
            raise
        sys.stderr.write(f"monpro: {error.name} is not installed: pip install 'monpro[cli]'\n")
        return 2
    status = cli.main()
    if status == cli.INTERRUPTED:
        os._exit(status)  # the end of the interpreter would take longer, and threads may still compute
    return status


if __name__ == "__main__":
    sys.exit(main())
