"""Where the work runs: a table of places, each a factory of executors as in `concurrent.futures`."""

import json
import logging
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Self, TypeVar, cast

from monpro.scale.crew import Crew
from monpro.scale.errors import JobError

T = TypeVar("T")
MOST_PROCESSES = 4096
Given = str | Executor | Callable[[], Executor]


def no_close(_executor: Executor) -> None:
    """Leave an executor to whoever made it."""


def never(_executor: Executor) -> bool:
    """Return False: every task of an executor ends."""
    return False


def shut_down(executor: Executor) -> None:
    """Let an executor end; whoever gave it tasks has cancelled those that have not begun."""
    executor.shutdown(wait=False)


def default_workers(executor: Executor) -> int:
    """Return how many workers an executor says it has, or the number of cores."""
    return int(getattr(executor, "_max_workers", 0) or os.cpu_count() or 1)


@dataclass(frozen=True)
class Place:
    """A way to get an executor: `make` it, ask how many `workers` it has now, and `close` it.

    A place that is not `renewable` has one executor, which cannot be replaced when it breaks.
    """

    make: Callable[[], Executor]
    workers: Callable[[Executor], int] = default_workers
    close: Callable[[Executor], None] = no_close
    has_ended: Callable[[Executor], bool] = never
    renewable: bool = True


class Pool:
    """The executor that is in use now, and the place that it is of."""

    def __init__(self, place: Place) -> None:
        """Make the first executor."""
        self.place = place
        self.executor = place.make()

    def __enter__(self) -> Self:
        """Return this pool."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the executor, unless it is somebody else's."""
        self.place.close(self.executor)

    def workers(self) -> int:
        """Return how many workers there are now, at least one."""
        return max(1, self.place.workers(self.executor))

    def is_ready(self) -> bool:
        """Return whether there is a worker."""
        return self.place.workers(self.executor) > 0

    def has_ended(self) -> bool:
        """Return whether the executor is gone, so that its tasks may never end."""
        return self.place.has_ended(self.executor)

    def submit(self, function: Callable[..., T], /, *arguments: object) -> Future[T]:
        """Begin a task on a worker."""
        return self.executor.submit(function, *arguments)

    def renew(self) -> None:
        """Replace a broken executor by a new one; JobError if there is only the one."""
        if not self.place.renewable:
            raise JobError("the executor broke, because a worker died: resume the job, or give a factory")
        self.place.close(self.executor)
        self.executor = self.place.make()


def is_death(error: BaseException) -> bool:
    """Return whether an error of a task says that some worker died, rather than that this task failed."""
    lost = {"KilledWorker", "FutureCancelledError", "CommClosedError"}  # of distributed
    return isinstance(error, BrokenExecutor | CancelledError) or type(error).__name__ in lost


class Inline(Executor):
    """Runs a task in the thread that submits it, at once."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401
        """Run a task and return its future, which is done."""
        future: Future[Any] = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:  # as every executor keeps it
            future.set_exception(error)
        return future


def refuse_more(name: str, rest: str) -> None:
    """Raise JobError if something follows the name of a place that takes nothing, such as local:4."""
    if rest:
        raise JobError(f"{name}:{rest}: nothing follows {name}: give {name} alone")


@contextmanager
def local(rest: str) -> Iterator[Place]:
    """Run everything in this process; the operation's own threads use all cores."""
    refuse_more("local", rest)
    yield Place(Inline, lambda _executor: 1)


@contextmanager
def processes(rest: str) -> Iterator[Place]:
    """Run N processes on this machine."""
    if not rest.isdecimal() or not 1 <= int(rest) <= MOST_PROCESSES:
        raise JobError(f"processes:{rest}: give a number from 1 to {MOST_PROCESSES}, as in processes:4")
    yield Place(lambda: Crew(int(rest)), lambda _executor: int(rest), shut_down)


@contextmanager
def dask(rest: str) -> Iterator[Place]:
    """Run on the workers of a Dask scheduler, given by its address or by its file.

    The certificates of a tls:// address are those of Dask's configuration (`distributed.comm.tls`).
    """
    refuse_no_scheduler(rest)
    try:
        from distributed import Client  # noqa: PLC0415  (an extra)
    except ModuleNotFoundError as error:
        raise JobError(f"{error.name} is not installed: pip install 'monpro[dask]'") from None
    clients: list[Any] = []
    where = {"scheduler_file": rest} if rest.endswith(".json") else {"address": rest}

    def make() -> Executor:
        try:
            client = Client(**where, set_as_default=False)
        except Exception as error:  # of many types, by protocol
            raise JobError(f"dask:{rest}: no scheduler answers: {type(error).__name__}") from None
        clients.append(client)
        executor: Executor = client.get_executor(pure=False)
        return executor

    def close(executor: Executor) -> None:
        with suppress(Exception):  # the client of a scheduler that has died is closed, and says so
            shut_down(executor)
        while clients:
            clients.pop().close()

    with unlogged("distributed.client"), unlogged("tornado.application"):
        yield Place(
            make,
            lambda _executor: sum(clients[-1].nthreads().values()),
            close,
            has_ended=lambda _executor: clients[-1].status in {"closing", "closed"},
        )


@contextmanager
def unlogged(name: str) -> Iterator[None]:
    """Keep a package from printing, with a traceback, what it raises besides."""
    logger = logging.getLogger(name)
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def refuse_no_scheduler(where: str) -> None:
    """Raise JobError for what is neither an address nor a file: Dask's client would wait for ever."""
    if where.endswith(".json"):
        try:
            is_written = bool(json.loads(Path(where).read_bytes())["address"])
        except (OSError, ValueError, LookupError, TypeError):
            is_written = False
        if not is_written:
            raise JobError(f"dask:{where}: is not there, or no file of a scheduler")
    elif not re.fullmatch(r".*[^/]:[0-9]+/?", where):
        raise JobError(f"dask:{where}: give the scheduler's address or file, as in dask:tcp://host:8786")


@contextmanager
def mpi(rest: str) -> Iterator[Place]:
    """Run on the other ranks of this MPI job. They serve, and end with status 0 when the first rank ends."""
    refuse_more("mpi", rest)
    try:
        from mpi4py import MPI  # noqa: PLC0415  (an extra, and its import begins MPI)
        from mpi4py.futures import MPICommExecutor  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise JobError(f"{error.name} is not installed: pip install 'monpro[mpi]'") from None
    except (ImportError, RuntimeError):
        raise JobError("mpi: there is no MPI library: apt-get install openmpi-bin, or mpich") from None
    others = MPI.COMM_WORLD.Get_size() - 1
    if others < 1:
        raise JobError("mpi: there is one rank only: begin the command with mpiexec -n 3")
    with MPICommExecutor(MPI.COMM_WORLD, root=0) as executor:
        if executor is not None:
            ranks = cast("Executor", executor)
            yield Place(lambda: ranks, lambda _executor: others, renewable=False)
            return
    raise SystemExit(0)


PLACES = {"local": local, "processes": processes, "dask": dask, "mpi": mpi}


@contextmanager
def named(name: str) -> Iterator[Place]:
    """Take the factory of executors MODULE:FACTORY; JobError if there is none."""
    module, _, attribute = name.partition(":")
    if not module or not attribute:
        raise JobError(f"{name}: give one of {', '.join(PLACES)}, or MODULE:FACTORY")
    try:
        factory = getattr(import_module(module), attribute)
    except Exception as error:  # whatever a module does when it is imported
        raise JobError(f"{name}: there is no such factory: {said(error)}") from None
    if not callable(factory):
        raise JobError(f"{name}: is not a function that returns an executor")
    yield Place(partial(made_by, factory, name), close=shut_down)


def made_by(factory: Callable[[], object], name: str) -> Executor:
    """Return what a factory makes; JobError if it fails, or makes no executor."""
    try:
        executor = factory()
    except Exception as error:  # of many types, by engine
        raise JobError(f"{name}: made no executor: {said(error)}") from None
    if not isinstance(executor, Executor):
        raise JobError(f"{name}: made {type(executor).__name__}, which is no executor of concurrent.futures")
    return executor


def said(error: Exception) -> str:
    """Return the type and the message of an error in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


@contextmanager
def opened(given: Given) -> Iterator[Place]:
    """Open a place by its name, from a factory of executors, or from an executor, which stays open."""
    if isinstance(given, Executor):
        yield Place(lambda: given, renewable=False)
    elif callable(given):
        yield Place(partial(made_by, given, getattr(given, "__name__", "the factory")), close=shut_down)
    else:
        kind, _, rest = given.partition(":")
        with PLACES[kind](rest) if kind in PLACES else named(given) as place:
            yield place
