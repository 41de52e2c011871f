"""What machine the measurements were made on."""

import os
import platform
from pathlib import Path


def cpu_model() -> str:
    """Return the name of the CPU, or its architecture where the system does not tell the name."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return " ".join(value.split())
    except OSError:
        pass
    return platform.processor() or platform.machine()


def system() -> str:
    """Return the name of the operating system's release."""
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.platform(terse=True)


def describe() -> dict[str, str]:
    """Return what a reader of a measurement needs to know of the machine."""
    return {
        "cpu": cpu_model(),
        "cores": str(os.cpu_count()),
        "architecture": platform.machine(),
        "system": system(),
        "python": platform.python_version(),
    }
