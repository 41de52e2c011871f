"""The project's policy as functions: each takes the tree, path by path, and yields complaints.

`test_tidy.py` applies them to this tree, and to small bad trees, which shows that each can fail.
"""

import ast
import graphlib
import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

Tree = Mapping[str, str]  # path from the root, with forward slashes, to text

IGNORED_FOLDERS = {".git", ".venv", ".hypothesis", "__pycache__", "target", "report"}
MAX_FUNCTION_LINES = 70
MAX_FILE_BYTES = 1_000_000
# Unsafe Rust may be below these paths only: instruction sets, the C interface, tests that are an allocator,
# and the borders of the OpenSSL provider.
UNSAFE_ALLOWED = (
    "adapters/openssl/src/border",
    "adapters/openssl/src/libcrypto",
    "adapters/openssl/src/parameters.rs",
    "crates/monpro-capi/src/",
    "crates/monpro-rsa/tests/erasure.rs",
    "crates/monpro-rsa/tests/memory.rs",
    "crates/monpro/src/arch/",
    "crates/monpro/tests/allocations.rs",
    "crates/monpro/tests/erasure.rs",
)
POLICY = {"tests/tidy.py", "tests/test_tidy.py"}  # these two files name what they forbid

# A module may import modules of earlier groups only; modules of one group do not import each other.
RUST_LAYERS = (
    {"cancellation", "monoid", "natural", "progress", "word"},
    {"ring", "power"},
    {"error", "arch", "n0"},
    {"product"},
    {"division"},
    {"fixed"},
    {"kernel"},
    {"modulus", "power_of_two"},
    {"residue"},
    {"crt", "inverse", "number_theory", "pow", "powers"},
    {"batch", "binary_field", "modexp"},
    {"array_field", "columns", "diffie_hellman"},
    {"lib"},
)
# The modules below `kernel` that are not methods, with their layer. Methods are in layer 1 and may use each
# other.
KERNEL_LAYERS = {"contract": 0, "preferred": 0, "table": 2, "select": 3, "faster": 4}
PYTHON_LAYERS = (
    {"_freshness", "_native", "files", "numerals", "spec"},
    {"arrays", "columns", "cores", "dh", "results", "rsa"},
    {"polynomials"},
    {"__init__"},
    {"flow", "scale"},
    {"hardware", "report"},
    {"engines"},
    {"bench"},
    {"page"},
    {"demo"},
    {"cli"},
    {"__main__"},
)


def read_tree(root: Path) -> dict[str, str]:
    """Return every text file below the root, except files that `make` and the tools leave there."""
    tree = {}
    for folder, folders, names in os.walk(root):
        at_root = Path(folder) == root
        folders[:] = [
            name
            for name in folders
            if not (name in IGNORED_FOLDERS and (at_root or name != "report")) and not name.endswith("_cache")
        ]
        for name in names:
            path = Path(folder) / name
            if at_root and name == ".git":  # a file in a worktree
                continue
            try:
                tree[path.relative_to(root).as_posix()] = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue  # compiled
    return tree


def matching(tree: Tree, prefix: str, suffix: str) -> Iterator[tuple[str, str]]:
    """Yield the files whose path has this beginning and this end."""
    return ((path, text) for path, text in tree.items() if path.startswith(prefix) and path.endswith(suffix))


# ---- layers


def layer_of(module: str, layers: tuple[set[str], ...]) -> int | None:
    """Return the position of a module's group, or None if it has none."""
    return next((position for position, group in enumerate(layers) if module in group), None)


def check_import(path: str, importer: str, imported: str, layers: tuple[set[str], ...]) -> Iterator[str]:
    """Complain about an import from the same or a higher layer."""
    if importer == imported:
        return
    here, there = layer_of(importer, layers), layer_of(imported, layers)
    if here is None or there is None:
        yield f"{path}: {importer if here is None else imported} has no layer: give it one in tests/tidy.py"
    elif there >= here:
        yield f"{path}: {importer} imports {imported}, which is not in a lower layer"


def rust_layers(tree: Tree) -> Iterator[str]:
    """Complain about Rust modules that use a higher layer."""
    source = "crates/monpro/src/"
    for path, text in matching(tree, source, ".rs"):
        importer = path.removeprefix(source).removesuffix(".rs").partition("/")[0]
        for match in re.finditer(r"\bcrate::(?:(\w+)|\{([^}]*)\})", strip_rust(text)):
            single, group = match.groups()
            names = [single] if single else re.findall(r"(?:^|,)\s*(\w+)", group)
            for imported in names:
                yield from check_import(path, importer, imported, RUST_LAYERS)


def kernel_layers(tree: Tree) -> Iterator[str]:
    """Complain about modules of the kernels that use a higher layer: the table, selection, `kernel.rs`."""
    folder = "crates/monpro/src/kernel/"
    modules = {path.removeprefix(folder).removesuffix(".rs") for path, _ in matching(tree, folder, ".rs")}
    for path, text in matching(tree, folder, ".rs"):
        importer, *deeper = path.removeprefix(folder).removesuffix(".rs").split("/")
        here = KERNEL_LAYERS.get(importer, 1)
        for imported in names_in_kernel(strip_rust(text), 1 + len(deeper)):
            there = KERNEL_LAYERS.get(imported, 1)
            if imported not in modules:
                yield f"{path}: {importer} takes {imported} from kernel.rs, which stands above: name its file"
            elif imported != importer and there >= here and not there == here == 1:
                yield f"{path}: {importer} uses {imported}, which does not stand below it"


def names_in_kernel(code: str, depth: int) -> Iterator[str]:
    """Yield the names in `kernel` that a module `depth` levels below uses, by `super` or from the crate."""
    inner = [
        (match.start(), end_of_function(code, match.end())) for match in re.finditer(r"\bmod\s+\w+", code)
    ]
    for match in re.finditer(r"\b(crate::kernel::|(?:super::)+)(?:(\w+|\*)|\{([^}]*)\})", code):
        prefix, single, group = match.groups()
        levels = depth + sum(start < match.start() < end for start, end in inner)
        if prefix.startswith("crate") or prefix.count("super") == levels:
            yield from [single] if single else re.findall(r"(?:^|,)\s*(\w+)", group)


def imported_modules(path: str, text: str, tree: Tree) -> Iterator[str]:
    """Yield the dotted names of the modules that a Python file imports."""
    for node in ast.walk(ast.parse(text, path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                deeper = f"{node.module}.{alias.name}"
                yield deeper if module_path(deeper, tree) else node.module


def module_path(dotted: str, tree: Tree) -> str | None:
    """Return the file of a module of the package, or None if there is no such module."""
    base = f"python/{dotted.replace('.', '/')}"
    return next((path for path in (f"{base}.py", f"{base}/__init__.py", f"{base}.pyi") if path in tree), None)


def python_layers(tree: Tree) -> Iterator[str]:
    """Complain about Python modules that import a higher layer, and specs that import anything."""
    source = "python/monpro/"
    for path, text in matching(tree, source, ".py"):
        importer = path.removeprefix(source).removesuffix(".py").partition("/")[0]
        for dotted in imported_modules(path, text, tree):
            package, _, rest = dotted.partition(".")
            if package == "monpro":
                yield from check_import(path, importer, rest.partition(".")[0] or "__init__", PYTHON_LAYERS)
            elif importer == "spec" and package not in sys.stdlib_module_names:
                yield f"{path}: a spec imports {package}, which is not of the standard library"
            if importer == "spec" and package == "monpro" and not rest.startswith("spec"):
                yield f"{path}: a spec imports {dotted}"


def python_circles(tree: Tree) -> Iterator[str]:
    """Complain about Python files of the package that import each other in a circle."""
    graph = {
        path: {module_path(dotted, tree) for dotted in imported_modules(path, text, tree)} - {None, path}
        for path, text in matching(tree, "python/monpro/", ".py")
    }
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        yield f"{' imports '.join(reversed(error.args[1]))}: a circle"


# ---- citations


def citations(tree: Tree) -> Iterator[str]:
    """Complain about citations of unknown papers, and about implemented papers that are never cited."""
    papers = tomllib.loads(tree["PAPERS.toml"])
    cited = set()
    for folder in ("crates/", "python/", "tests/", "rtl/"):
        for path, text in matching(tree, folder, ""):
            keys = re.findall(r"\[([a-z]{3,}\d{2})\\?[\],]", text) if path not in POLICY else []
            for key in keys:
                cited.add(key)
                if key not in papers:
                    yield f"{path}: cites [{key}], which is not in PAPERS.toml"
    for path, _ in matching(tree, "python/monpro/spec/", ".py"):
        key = Path(path).stem
        if re.fullmatch(r"[a-z]{3,}\d{2}", key) and key not in papers:
            yield f"{path}: is not a paper in PAPERS.toml"
        elif key in papers and key not in cited:
            yield f"PAPERS.toml: {key} has a spec and is cited nowhere"


# ---- dead files


def dead_python_files(tree: Tree) -> Iterator[str]:
    """Complain about files of the package that nothing imports, loads or runs."""
    sources = dict(matching(tree, "python/monpro/", ".py"))
    used = {"python/monpro/__init__.py", "python/monpro/__main__.py"}
    used |= {path for path, text in sources.items() if '__name__ == "__main__"' in text}
    for path, text in sources.items():
        used |= {module_path(dotted, tree) or "" for dotted in imported_modules(path, text, tree)}
        used |= {
            f"{path.rpartition('/')[0]}/{name}"  # a template, or a module loaded by its name
            for node in ast.walk(ast.parse(text, path))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
            for name in (node.value, f"{node.value.replace('.', '/')}.py")
        }
    for path in sorted(path for path in tree if path.startswith("python/monpro/")):
        is_marker = path.endswith(("/py.typed", ".pyi", "/__init__.py"))
        if path not in used and not is_marker:
            yield f"{path}: nothing uses this file"


def dead_rust_files(tree: Tree) -> Iterator[str]:
    """Complain about Rust files whose parent module does not name them."""
    for path, _ in matching(tree, "crates/", ".rs"):
        folder, _, name = path.rpartition("/")
        stem = name.removesuffix(".rs")
        if stem in ("lib", "main", "build", "mod") or folder.endswith(("/tests", "/benches", "/examples")):
            continue
        parents = (f"{folder}/lib.rs", f"{folder}/main.rs", f"{folder}/mod.rs", f"{folder}.rs")
        if not any(re.search(rf"\b{stem}\b", tree.get(parent, "")) for parent in parents):
            yield f"{path}: no module declares this file"


def dead_tests(tree: Tree) -> Iterator[str]:
    """Complain about Python files below tests/ that pytest does not collect and no test imports."""
    sources = dict(matching(tree, "tests/", ".py"))
    for path in sources:
        stem = Path(path).stem
        imported = any(
            re.search(rf"^(?:import|from) {stem}\b", text, re.MULTILINE) for text in sources.values()
        )
        if not stem.startswith("test_") and stem != "conftest" and not imported:
            yield f"{path}: neither a test nor imported by one"


# ---- functions


def long_python_functions(tree: Tree) -> Iterator[str]:
    """Complain about Python functions that do not fit on a screen."""
    for path, text in matching(tree, "", ".py"):
        for node in ast.walk(ast.parse(text, path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > MAX_FUNCTION_LINES:
                    yield f"{path}:{node.lineno}: {node.name} has {lines} lines"


def long_rust_functions(tree: Tree) -> Iterator[str]:
    """Complain about Rust functions that do not fit on a screen."""
    for path, text in matching(tree, "", ".rs"):
        code = strip_rust(text)
        for match in re.finditer(r"\bfn\s+(\w+)", code):
            end = end_of_function(code, match.end())
            lines = code.count("\n", match.start(), end) + 1
            if lines > MAX_FUNCTION_LINES:
                yield f"{path}:{code.count(chr(10), 0, match.start()) + 1}: {match[1]} has {lines} lines"


def end_of_function(code: str, start: int) -> int:
    """Return the end of the function whose name ends at `start`: the end of its body, or a semicolon."""
    depth = 0
    for position in range(start, len(code)):
        character = code[position]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth == 0 and character == "}":
                return position
        elif character == ";" and depth == 0:
            return position
    return len(code)


RUST_NON_CODE = re.compile(
    r"""
    //[^\n]*                               # comment to the end of the line
    | /\*.*?\*/                            # comment (the project nests none)
    | \b(?:b|c)?r(\#*)".*?"\1              # raw string
    | \b[bc]?"(?:[^"\\]|\\.)*"             # string
    | "(?:[^"\\]|\\.)*"
    | '(?:[^'\\\n]|\\[^\n]{1,10}?)'        # character; a lifetime has no second quote
    """,
    re.VERBOSE | re.DOTALL,
)


def strip_rust(text: str) -> str:
    """Return Rust code with comments, strings and characters blanked; line numbers do not change."""
    return RUST_NON_CODE.sub(lambda match: "\n" * match[0].count("\n") or " ", text)


# ---- unsafe


def unsafe_code(tree: Tree, allowed: tuple[str, ...] = UNSAFE_ALLOWED) -> Iterator[str]:
    """Complain about unsafe Rust in files where it is not allowed, and without a SAFETY comment."""
    for path, text in (*matching(tree, "crates/", ".rs"), *matching(tree, "adapters/", ".rs")):
        lines = text.splitlines()
        for number, line in enumerate(strip_rust(text).splitlines()):
            if not re.search(r"\bunsafe\b", line):
                continue
            if not path.startswith(allowed):
                yield f"{path}:{number + 1}: unsafe code in a file that may have none"
            above = number
            while above and lines[above - 1].lstrip().startswith(("//", "#[")):
                above -= 1
            if not re.search(r"SAFETY:|# Safety", "\n".join(lines[above : number + 1])):
                yield f"{path}:{number + 1}: unsafe without a `// SAFETY:` comment"


# ---- text

UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX)\b|\b(?:todo|unimplemented)!\(|NotImplementedError")
CONFLICT_MARKER = re.compile(r"^(?:<{7}|>{7}|\|{7})(?: |$)")  # `=======` underlines a title, too
MACHINE_PATH = re.compile(r"(?<![\w.~/-])/(?:home|root|work|Users|opt|mnt|var|tmp)/[\w.-]+")
SILENT_SKIP = re.compile(r"::detect\(\) else \{ return;? \}")
INDEX_ADDRESS = re.compile(r"--(?:extra-)?index-url|--find-links|--trusted-host|https?://")


def unfinished_work(tree: Tree) -> Iterator[str]:
    """Complain about markers of unfinished work."""
    yield from found(tree, UNFINISHED, "unfinished work: finish it, or write an issue")


def conflict_markers(tree: Tree) -> Iterator[str]:
    """Complain about what a merge left for its author to settle."""
    yield from found(tree, CONFLICT_MARKER, "the marker of a conflict: settle it")


def unstated_encodings(tree: Tree) -> Iterator[str]:
    """Complain about text that the package reads or writes in whatever encoding the user's locale has."""
    for path, text in matching(tree, "python/monpro/", ".py"):
        for node in ast.walk(ast.parse(text, path)):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            of_text = name in {"read_text", "write_text"} or any(
                keyword.arg == "text" and isinstance(keyword.value, ast.Constant) and keyword.value.value
                for keyword in node.keywords
            )
            if of_text and all(keyword.arg not in {"encoding", "errors"} for keyword in node.keywords):
                yield f"{path}:{node.lineno}: {name} without an encoding: the user's locale may be ASCII"


def silent_skips(tree: Tree) -> Iterator[str]:
    """Complain about Rust tests that pass without a word where the CPU lacks their instructions."""
    sources = dict(matching(tree, "crates/", ".rs"))
    yield from found(sources, SILENT_SKIP, "a test that does not run is silent: detect_or_say says so")


def machine_paths(tree: Tree) -> Iterator[str]:
    """Complain about absolute paths of one machine."""
    yield from found(tree, MACHINE_PATH, "a path of one machine")


def index_addresses(tree: Tree) -> Iterator[str]:
    """Complain about locks that contain the address of a package index."""
    locks = dict(matching(tree, "requirements/", ".txt"))
    locks |= {path: text for path, text in tree.items() if path.endswith(("go.mod", "go.sum"))}
    yield from found(locks, INDEX_ADDRESS, "an address: a lock says what, not where from")


def found(tree: Tree, pattern: re.Pattern[str], complaint: str) -> Iterator[str]:
    """Yield a complaint for every line that matches the pattern."""
    for path, text in tree.items():
        for number, line in enumerate(text.splitlines() if path not in POLICY else [], 1):
            if match := pattern.search(line):
                yield f"{path}:{number}: {match[0]}: {complaint}"


def misnamed_templates(tree: Tree) -> Iterator[str]:
    """Complain about SystemVerilog templates that are named like sources which a tool can read."""
    for path, text in matching(tree, "", ".sv"):
        if "${" in text:
            yield f"{path}: a template: name it .sv.in"


def big_files(tree: Tree) -> Iterator[str]:
    """Complain about files too big for a repository of sources."""
    for path, text in tree.items():
        if (size := len(text.encode())) > MAX_FILE_BYTES:
            yield f"{path}: {size:,} bytes"


# ---- requirements


def stale_locks(tree: Tree) -> Iterator[str]:
    """Complain about requirements that are not pinned with hashes, or missing from the lock."""
    project = tomllib.loads(tree["pyproject.toml"])["project"]
    extras = [requirement for extra in project["optional-dependencies"].values() for requirement in extra]
    apart = re.findall(r"(?m)^[\w.-]+", tree.get("requirements/scale.in", ""))  # locked apart from the others
    others = [
        requirement
        for requirement in extras
        if re.split(r"[^\w.-]", requirement)[0] not in {project["name"], *apart}
    ]
    wanted = {"requirements/runtime.txt": [*project["dependencies"], *others]}
    for source in (path for path in tree if path.startswith("requirements/") and path.endswith(".in")):
        tools = [line.partition("#")[0].strip() for line in tree[source].splitlines()]
        wanted[source.replace(".in", ".txt")] = [tool for tool in tools if tool and not tool.startswith("-")]
    for path, requirements in wanted.items():
        entries = re.split(r"\n(?=\S)", re.sub(r"(?m)^\s*#.*\n?", "", tree[path]).strip())
        pinned = {match[1] for entry in entries if (match := re.match(r"([\w.-]+)==\S+ \\\n", entry))}
        yield from (
            f"{path}: {entry.splitlines()[0]} is not pinned" for entry in entries if "==" not in entry
        )
        yield from (
            f"{path}: {entry.splitlines()[0]} has no hash" for entry in entries if "--hash=" not in entry
        )
        for requirement in requirements:
            name = re.split(r"[^\w.-]", requirement)[0]
            if name not in pinned:
                yield f"{path}: {name} is missing: run `make lock`"


# ---- documents


def undocumented_verbs(tree: Tree, verbs: list[str]) -> Iterator[str]:
    """Complain about commands that README or CHANGELOG do not mention."""
    for path in ("README.md", "CHANGELOG.md"):
        for verb in verbs:
            if not re.search(rf"\bmonpro {verb}\b|`{verb}`", tree.get(path, "")):
                yield f"{path}: says nothing of `monpro {verb}`"


def broken_links(tree: Tree) -> Iterator[str]:
    """Complain about links in documents to files that do not exist."""
    for path, text in matching(tree, "", ".md"):
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if re.match(r"\w+:", target):
                continue
            goal = os.path.normpath(Path(path).parent / target)
            if not any(known == goal or known.startswith(f"{goal}/") for known in tree):
                yield f"{path}: links to {target}, which is not there"
