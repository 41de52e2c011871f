"""The machine that measures."""

import datetime as dt
import os
import platform
import re
from pathlib import Path


def cpu_model() -> str:
    """Return the CPU's name, family and model number, or its architecture if the system does not give them.

    In a virtual machine the name alone may not distinguish CPUs.
    """
    fields: dict[str, str] = {}
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            fields.setdefault(name.strip(), " ".join(value.split()))
    except OSError:
        pass
    if not (name := fields.get("model name", "")):
        return platform.processor() or platform.machine()
    if "cpu family" in fields and "model" in fields:
        return f"{name} family {fields['cpu family']} model {fields['model']}"
    return name


def today() -> str:
    """Return the date in UTC, such as 2026-01-31."""
    return dt.datetime.now(dt.UTC).date().isoformat()


def folder_of_today() -> str:
    """Return the name of the folder under results/ for measurements on this CPU today."""
    return "-".join([*re.findall(r"[a-z0-9]+", cpu_model().lower()), today()])


def system() -> str:
    """Return the name of the operating system's release."""
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.platform(terse=True)


def describe() -> dict[str, str]:
    """Return the facts about the machine that a reader of a measurement needs."""
    return {
        "cpu": cpu_model(),
        "cores": str(os.cpu_count()),
        "architecture": platform.machine(),
        "system": system(),
        "python": platform.python_version(),
    }
