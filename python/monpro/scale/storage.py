"""Folders of parts and files of rows: on this machine's file systems or, by fsspec, in an object store."""

import fcntl
import glob
import hashlib
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from monpro.scale.errors import JobError

EXCERPT = 1 << 16  # octets at each end of a file that its fingerprint covers
ASIDE = ".aside"  # the end of the name of a file that is being written


@dataclass(frozen=True)
class Fingerprint:
    """What tells that a file is still the same one, without reading it whole.

    `changed` is the time of its last change in nanoseconds or, in an object store, the store's own tag of the
    contents. `digest` is the SHA-256 of its first and last 64 KiB. The last ones hold the footer of Parquet.
    """

    size: int
    changed: str
    digest: str


def is_remote(url: str) -> bool:
    """Return whether fsspec opens this address, such as s3://bucket/folder."""
    return "://" in url


def remote_system(url: str) -> tuple[Any, str]:
    """Return the file system of an address and the path in it, by fsspec; JobError without the package."""
    try:
        import fsspec  # noqa: PLC0415  (only who names an object store needs it)
    except ModuleNotFoundError:
        raise JobError(f"{url}: fsspec is not installed: pip install fsspec, and s3fs or gcsfs") from None
    try:
        system, path = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise JobError(f"{url}: {one_line(error)}") from None
    return system, str(path)


def one_line(error: BaseException) -> str:
    """Return the message of an error of a file system in one line."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(reason.split()) or type(error).__name__


@contextmanager
def errors_of_a_store() -> Iterator[None]:
    """Turn whatever the package of an object store raises into OSError: each has types of its own."""
    try:
        yield
    except OSError:
        raise
    except Exception as error:
        raise OSError(f"{type(error).__name__}: {one_line(error)}") from None


def open_file(url: str) -> IO[bytes]:
    """Open a file for reading; OSError if this fails."""
    if not is_remote(url):
        return Path(url).open("rb")
    system, path = remote_system(url)
    with errors_of_a_store():
        return cast("IO[bytes]", system.open(path, "rb"))


def mark(url: str) -> tuple[int, str]:
    """Return the size of a file and what changes when the file is replaced: cheap enough for every chunk."""
    if not is_remote(url):
        status = Path(url).stat()
        return status.st_size, str(status.st_mtime_ns)
    system, path = remote_system(url)
    with errors_of_a_store():
        system.invalidate_cache(os.path.dirname(path))  # noqa: PTH120  (no path of this machine)
        facts = system.info(path)
    tag = next(
        (str(facts[name]) for name in ("ETag", "etag", "LastModified", "mtime") if facts.get(name)), ""
    )
    return int(facts["size"]), tag


def fingerprint(url: str) -> Fingerprint:
    """Return the fingerprint of a file; OSError if it cannot be read."""
    size, changed = mark(url)
    with open_file(url) as file:
        head = file.read(EXCERPT)
        file.seek(max(0, size - EXCERPT))
        return Fingerprint(size, changed, hashlib.sha256(head + file.read(EXCERPT)).hexdigest())


def matching(pattern: str, endings: tuple[str, ...]) -> list[str]:
    """Return the files that a path, a pattern or a folder names, in the order of their names.

    A folder stands for the files in it. One that is named as a file with one of these endings is a data set,
    as other engines write them: it stands for all files below it. So it does where a pattern or a folder has
    it. Names that begin with `_` or `.` are left out. Paths become absolute. OSError if a store refuses.
    """
    if is_remote(pattern):
        system, path = remote_system(pattern)
        with errors_of_a_store():
            if system.isdir(path) and not path.lower().endswith(endings):
                path = f"{path.rstrip('/')}/*"
            named = [name for name in system.glob(path) if is_shown(name)]
            found = [name for name in named if system.isfile(name)]
            folders = [name for name in named if name not in found and name.lower().endswith(endings)]
            found += [file for name in folders for file in system.find(name) if is_shown(file, name)]
            return sorted({str(system.unstrip_protocol(name)) for name in found})
    pattern = str(Path(pattern).absolute())
    if Path(pattern).is_dir():
        pattern = glob.escape(pattern) + ("" if pattern.lower().endswith(endings) else "/*")
    local = [Path(name) for name in glob.glob(pattern, recursive=True) if is_shown(name)]  # noqa: PTH207
    sets = [path for path in local if path.is_dir() and path.name.lower().endswith(endings)]
    below = [file for path in sets for file in path.rglob("*") if is_shown(str(file), str(path))]
    return sorted({str(path) for path in local + below if path.is_file() or is_broken(path)})


def is_shown(path: str, above: str = "") -> bool:
    """Return whether the name, and those of the folders below `above`, begin with neither `_` nor `.`."""
    names = path.removeprefix(above).split("/") if above else [path.rpartition("/")[2]]
    return not any(name.startswith(("_", ".")) for name in names)


def is_broken(path: Path) -> bool:
    """Return whether a link leads nowhere: it is refused later, because its rows would be missed."""
    return path.is_symlink() and not path.exists()


class Folder:
    """A folder of files that are written whole or not at all.

    A file is written aside, forced to the disk and renamed, and then the folder is forced to the disk. So a
    file that is seen under its own name is complete, whatever is killed or loses power.
    """

    def __init__(self, url: str) -> None:
        """Name the folder, which need not be there."""
        self.path = Path(url).absolute()
        self.url = str(self.path)

    def names(self, within: str = ".") -> list[str]:
        """Return the names of all files and folders in the folder, or in a folder within."""
        try:
            return sorted(os.listdir(self.path / within))  # noqa: PTH208  (a million names, no paths)
        except FileNotFoundError:
            return []

    def open(self, name: str) -> IO[bytes]:
        """Open a file for reading."""
        return (self.path / name).open("rb")

    def exists(self, name: str) -> bool:
        """Return whether there is a file of this name."""
        return (self.path / name).exists()

    def write(self, name: str, content: bytes | memoryview) -> None:
        """Write a file, and missing folders; OSError, and no file, if that fails."""
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = target.with_name(f".{target.name}.{uuid.uuid4().hex}{ASIDE}")
        try:
            with aside.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(target)
        finally:
            with suppress(FileNotFoundError):
                aside.unlink()
        force(target.parent)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        (self.path / name).unlink(missing_ok=True)

    def sweep(self, within: str = ".") -> None:
        """Remove what writers that were killed have left."""
        for name in self.names(within):
            if name.startswith(".") and name.endswith(ASIDE):
                self.remove(f"{within}/{name}")

    @contextmanager
    def locked(self, name: str) -> Iterator[None]:
        """Keep every other process from locking the same name; JobError if one has done so.

        The lock ends with the process, however that ends.
        """
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(target, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            if not is_taken(descriptor):
                raise JobError(f"{self.url}: another process works on this folder")
            yield
        finally:
            os.close(descriptor)

    def is_locked(self, name: str) -> bool:
        """Return whether a process has locked the name."""
        try:
            descriptor = os.open(self.path / name, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False


def is_taken(descriptor: int) -> bool:
    """Lock an open file; return whether that succeeds. `is_locked` has the lock for an instant, only."""
    for wait in (0.05, 0.1, 0.2, 0.0):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(wait)
        else:
            return True
    return False


def force(folder: Path) -> None:
    """Force the names in a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class RemoteFolder(Folder):
    """A folder in an object store. An object is put there whole or not at all, so nothing is written aside.

    There is no lock. Two drivers on one folder do the same work twice and write the same objects.
    """

    def __init__(self, url: str) -> None:
        """Name the folder, which need not be there."""
        self.url = url.rstrip("/")
        self.system, self.root = remote_system(self.url)

    def names(self, within: str = ".") -> list[str]:
        """Return the names of all objects and folders in the folder, or in a folder within."""
        path = self.root if within == "." else f"{self.root}/{within}"
        try:
            with errors_of_a_store():
                self.system.invalidate_cache()
                found = self.system.ls(path, detail=False)
        except FileNotFoundError:
            return []
        return sorted(str(name).rstrip("/").rpartition("/")[2] for name in found)

    def open(self, name: str) -> IO[bytes]:
        """Open an object for reading."""
        return open_file(f"{self.url}/{name}")

    def exists(self, name: str) -> bool:
        """Return whether there is an object of this name."""
        with errors_of_a_store():
            self.system.invalidate_cache()
            return bool(self.system.exists(f"{self.root}/{name}"))

    def write(self, name: str, content: bytes | memoryview) -> None:
        """Put an object."""
        with errors_of_a_store():
            self.system.pipe_file(f"{self.root}/{name}", bytes(content))

    def remove(self, name: str) -> None:
        """Remove an object, if it is there."""
        with suppress(FileNotFoundError), errors_of_a_store():
            self.system.rm_file(f"{self.root}/{name}")

    def sweep(self, within: str = ".") -> None:
        """Do nothing, because nothing is written aside."""

    @contextmanager
    def locked(self, name: str) -> Iterator[None]:  # noqa: ARG002
        """Lock nothing."""
        yield

    def is_locked(self, name: str) -> bool:  # noqa: ARG002
        """Return False: nobody can tell."""
        return False


def folder_at(url: str) -> Folder:
    """Return the folder of this path or address."""
    return RemoteFolder(url) if is_remote(url) else Folder(url)
