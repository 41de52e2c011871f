"""Every locked Rust or Python package has a licence that deny.toml allows, or is named with a reason."""

import importlib.metadata
import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from monpro.flow import tools

ROOT = Path(__file__).resolve().parents[1]
POLICY = tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]
ALLOWED = set(POLICY["allow"])
RUST_EXCEPTIONS = {entry["crate"]: set(entry["allow"]) for entry in POLICY["exceptions"]}

# Further licences of Python packages, by their SPDX names or the index's classifiers.
RUNTIME_EXCEPTIONS = {
    "cffi": "MIT-0",  # MIT without the duty to name the author
    "matplotlib": "Python Software Foundation License",  # permissive, like Python's own
    "pillow": "MIT-CMU",  # MIT with a clause against advertising by the author's name
    "pyelftools": "Public Domain",
    "typing-extensions": "PSF-2.0",  # Python's own
}
TOOL_EXCEPTIONS = {  # run in tests only; monpro neither imports nor distributes them
    "antlr4-python3-runtime": "BSD",  # the three clauses, in its LICENSE file; comes with systemrdl-compiler
    "hypothesis": "MPL-2.0",
    "pathspec": "Mozilla Public License 2.0 (MPL 2.0)",
    "scapy": "GPL-2.0-only",  # comes with cocotb-bus, which cocotbext-axi, the model of the bus, needs
    "typing-extensions": "PSF-2.0",
}
UNDECLARED = {"cocotb-bus": "BSD-3-Clause"}  # stated in the package's LICENSE file only
CLASSIFIED = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
}


def is_allowed(expression: str, allowed: set[str]) -> bool:
    """Return whether the allowed licences satisfy an SPDX expression; False for any other text."""
    tokens = re.findall(r"\(|\)|/|[^\s()/]+(?: WITH [^\s()]+)?", expression)
    words = {"(": "(", ")": ")", "/": "or", "OR": "or", "AND": "and"}
    condition = " ".join(words.get(token, str(token in allowed)) for token in tokens)
    try:
        return bool(eval(condition))  # noqa: S307  (of these words only)
    except SyntaxError:
        return False


def declared(package: str) -> str:
    """Return the licence that an installed Python package states."""
    metadata = importlib.metadata.metadata(package)
    if stated := metadata.get_all("License-Expression"):
        return str(stated[0])
    if package in UNDECLARED:
        return UNDECLARED[package]
    classifiers = [
        line.removeprefix("License ::").strip()
        for line in metadata.get_all("Classifier", [])
        if line.startswith("License ::")
    ]
    if classifiers:
        name = classifiers[0].rpartition(":: ")[2]
        return str(CLASSIFIED.get(name, name))
    return str((metadata.get_all("License") or [""])[0]).partition("\n")[0]


def locked(group: str) -> list[str]:
    return re.findall(r"^([\w.-]+)==", (ROOT / "requirements" / f"{group}.txt").read_text(), re.MULTILINE)


@pytest.mark.parametrize(
    ("expression", "is_met"),
    [
        ("MIT", True),
        ("GPL-3.0", False),
        ("GPL-3.0 OR MIT", True),
        ("GPL-3.0 AND MIT", False),
        ("MIT/Apache-2.0", True),
        ("(MIT OR GPL-3.0) AND Unicode-3.0", True),
        ("(MIT OR Apache-2.0) AND GPL-3.0", False),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("Apache-2.0 WITH other-exception", False),
        ("Public Domain", False),
        ("", False),
    ],
)
def test_expressions_of_licences(expression: str, *, is_met: bool) -> None:
    assert is_allowed(expression, ALLOWED) == is_met


def test_the_licences_of_the_rust_packages() -> None:
    command = ["cargo", "metadata", "--format-version=1", "--locked", "--offline"]
    metadata = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    packages = {package["name"]: package["license"] for package in json.loads(metadata)["packages"]}
    assert len(packages) > 20
    refused = {
        name: licence
        for name, licence in packages.items()
        if not is_allowed(licence or "", ALLOWED | RUST_EXCEPTIONS.get(name, set()))
    }
    assert not refused


@pytest.mark.parametrize("group", ["runtime", "dev", "hardware"])
def test_the_licences_of_the_python_packages(group: str) -> None:
    exceptions = RUNTIME_EXCEPTIONS if group == "runtime" else TOOL_EXCEPTIONS
    installed = {
        distribution.name.lower().replace("_", "-") for distribution in importlib.metadata.distributions()
    }
    packages = locked(group)
    if group == "hardware" and not installed.issuperset(packages):
        raise tools.ToolError("requirements/hardware.txt is not installed: make setup")
    stated = {name: declared(name) for name in packages}
    refused = {
        name: licence
        for name, licence in stated.items()
        if not is_allowed(licence or "", ALLOWED) and exceptions.get(name) != licence
    }
    assert not refused


def test_no_exception_is_idle() -> None:
    assert set(RUNTIME_EXCEPTIONS) <= set(locked("runtime"))
    assert set(TOOL_EXCEPTIONS) | set(UNDECLARED) <= {*locked("dev"), *locked("hardware")}
