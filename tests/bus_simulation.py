"""Tests of cocotb in Icarus: pytest runs a file outside of the simulator, and cocotb runs it inside."""

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from cocotb_tools.runner import get_runner


def plant(fault: tuple[str, str], folder: Path) -> None:
    """Put a piece of source in the place of one that a single file of the folder has."""
    right, wrong = fault
    (faulty,) = (source for source in folder.glob("*.sv") if right in source.read_text())
    faulty.write_text(faulty.read_text().replace(right, wrong))


def simulate(
    test: Path, folder: Path, place: Path, environment: Mapping[str, str], *, only: str | None = None
) -> str:
    """Return the results of a file's tests, or of those of a name, on what `emit` wrote to the folder.

    Logs lie at the place, and `bins.json` with the counts of bins where the last test writes them.
    """
    manifest = json.loads((folder / "manifest.json").read_text())
    runner = get_runner("icarus")
    runner.build(
        sources=[folder / source for source in manifest["sources"]],
        hdl_toplevel=manifest["top"],
        build_args=["-g2012"],
        build_dir=place / "build",
        timescale=("1ns", "1ps"),
        log_file=place / "build.log",
    )
    python_path = [*map(str, test.parents[:2]), os.environ.get("PYTHONPATH", "")]
    with contextlib.suppress(SystemExit):  # a test in the simulator has failed, which the results tell
        runner.test(
            test_module=test.stem,
            hdl_toplevel=manifest["top"],
            extra_env={
                **environment,
                "COUNTS_OF_BINS": str(place / "bins.json"),
                "PYTHONPATH": os.pathsep.join(python_path),
            },
            build_dir=place / "build",
            test_dir=place,
            test_filter=only,
            results_xml=str(place / "results.xml"),
            log_file=place / "test.log",
        )
    return (place / "results.xml").read_text()
