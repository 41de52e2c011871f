"""Refuses what must not be loaded: above all a native module built from other sources than those beside it.

In a source checkout, every import compares the checksum in the module with the checksum of the Rust sources,
which takes a few milliseconds. An installed package has no sources beside it, and nothing to compare.
"""

import os
import sys
import zlib

TYPE_CHECKING = False  # as in typing, whose import would take longer than all the rest here
if TYPE_CHECKING:
    from typing import NoReturn

_LISTED = (
    "Cargo.toml",
    "Cargo.lock",
    "crates/monpro/Cargo.toml",
    "crates/monpro/build.rs",
    "crates/monpro-py/Cargo.toml",
    "crates/monpro-py/build.rs",
    "crates/monpro-rsa/Cargo.toml",
)
_FOLDERS = ("crates/monpro/src", "crates/monpro-py/src", "crates/monpro-rsa/src")


def checkout_root() -> str | None:
    """Return the folder of the source checkout that this package is in; None for an installed package."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return root if os.path.isdir(os.path.join(root, "crates")) else None


def source_crc32(root: str) -> int:
    """Return the CRC-32 over the Rust sources below `root`.

    The sum covers, for each path in order: the path from the root with forward slashes, a zero byte, the
    contents, a zero byte. `crates/monpro-py/build.rs` computes the same when it builds the module.
    """
    paths = list(_LISTED)
    for folder in _FOLDERS:
        for parent, _, names in os.walk(os.path.join(root, folder)):
            within = os.path.relpath(parent, root).replace(os.sep, "/")
            paths += [f"{within}/{name}" for name in names if name.endswith(".rs")]
    checksum = 0
    for path in sorted(paths):
        try:
            with open(os.path.join(root, path), "rb") as file:
                checksum = zlib.crc32(path.encode() + b"\0" + file.read() + b"\0", checksum)
        except FileNotFoundError:
            continue  # its absence changes the sum
    return checksum


def require_fresh(built_crc32: int) -> None:
    """Refuse a native module with this checksum if the sources beside it have another."""
    root = checkout_root()
    if root is not None and source_crc32(root) != built_crc32:
        refuse("the native module was built from other Rust sources than those here: run `make setup`")


def has_rights_of_another() -> bool:
    """Return whether the interpreter has rights that the user who started it may not have.

    It has those of another by a set-user-ID bit or by a capability of its file. Then that user's environment
    must not steer the computation.
    """
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415  (only where the environment names a kernel)

        at_secure = 23  # of <elf.h>
        return bool(ctypes.CDLL(None).getauxval(at_secure))
    if sys.platform == "win32":
        return False
    return (os.getuid(), os.getgid()) != (os.geteuid(), os.getegid())


def interrupts_end_command() -> None:
    """Let Ctrl-C end the process at once, without a traceback of its imports, if it is the command `monpro`.

    The verb's own work sees KeyboardInterrupt again.
    """
    program = sys.argv[0] if sys.argv else ""
    is_module = program == "-m" and ("-m", "monpro") in zip(sys.orig_argv, sys.orig_argv[1:], strict=False)
    if not is_module and os.path.basename(program) != "monpro":
        return
    import signal  # noqa: PLC0415  (a library's users need not wait for it)

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored, which stays
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def refuse(line: str) -> "NoReturn":
    """Say in one line why the package cannot be used: by ImportError or, to `monpro`, on the error output.

    The command line cannot catch the exception, because importing its own code imports the package first.
    """
    if os.path.basename(sys.argv[0] if sys.argv else "") in ("monpro", "-m"):
        sys.stderr.write(f"monpro: {line}\n")
        sys.exit(2)
    raise ImportError(line)
