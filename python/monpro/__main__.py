"""The command `monpro`; `python -m monpro` runs it, too."""

import sys


def main() -> int:
    """Run the command line and return its exit status: 2 where a package that it needs is not installed."""
    try:
        from monpro import cli  # noqa: PLC0415  (its packages are an extra)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "monpro":
            raise
        sys.stderr.write(f"monpro: {error.name} is not installed: pip install 'monpro[cli]'\n")
        return 2
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
