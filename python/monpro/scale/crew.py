"""Processes of which one may die alone: the others go on, and only the task that it ran is lost.

Python's own `ProcessPoolExecutor` loses all its tasks with one process. So each process here is such an
executor of its own, with one task at a time.
"""

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import Any, NamedTuple

# The tracker removes the semaphores of a driver that was killed or interrupted. It need not warn of them.
SILENCE = "ignore:resource_tracker"
MOST_FALSE_STARTS = 30  # of processes in a row that died before they had a task


class WorkerDied(Exception):  # noqa: N818  (it is what happened)
    """The process that ran this task died."""


class Waiting(NamedTuple):
    """A task that has not begun."""

    future: Future[Any]
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


class Crew(Executor):
    """Runs tasks in `count` processes, each begun when it is needed, and begun anew when it dies."""

    def __init__(self, count: int) -> None:
        """Begin no process yet."""
        if SILENCE not in sys.warnoptions:  # which Python's tracker of semaphores gets when it begins
            sys.warnoptions.append(SILENCE)
        self.count = count
        self.context = get_context("spawn")  # a fork would keep the driver's lock, and half of its threads
        self.lock = threading.RLock()
        self.waiting: deque[Waiting] = deque()
        self.members: set[ProcessPoolExecutor] = set()
        self.idle: list[ProcessPoolExecutor] = []
        self.false_starts = 0

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401
        """Begin a task when a process is free; its future has WorkerDied if that process dies."""
        future: Future[Any] = Future()
        with self.lock:
            if self.false_starts > MOST_FALSE_STARTS:
                raise BrokenExecutor("no process begins")
            self.waiting.append(Waiting(future, partial(function, **kwargs) if kwargs else function, args))
            self.assign()
        return future

    def assign(self) -> None:
        """Give the tasks that wait to processes that are free, or begin one more."""
        while self.waiting and self.idle:
            task = self.waiting.popleft()
            if task.future.running() or task.future.set_running_or_notify_cancel():
                self.begin(self.idle.pop(), task)
        if self.waiting and len(self.members) < self.count:
            self.enlist()

    def enlist(self) -> None:
        """Begin a process. It is free when it has answered, so that no task dies of its beginning."""
        member = ProcessPoolExecutor(1, mp_context=self.context, initializer=begin_worker)
        self.members.add(member)
        try:
            answer = member.submit(os.getpid)
        except (OSError, BrokenExecutor) as error:  # it was killed before it had read what it is to do
            answer = Future()
            answer.set_exception(error)
        answer.add_done_callback(partial(self.answered, member))

    def answered(self, member: ProcessPoolExecutor, answer: Future[int]) -> None:
        """Take a process that has begun, or that died while it began."""
        with self.lock:
            if not answer.cancelled() and answer.exception() is None:
                self.false_starts = 0
                self.free(member)
                return
            self.false_starts += 1
            self.dismiss(member)
            if self.false_starts > MOST_FALSE_STARTS:
                while self.waiting:
                    with suppress(Exception):
                        self.waiting.popleft().future.set_exception(BrokenExecutor("no process begins"))
            self.assign()

    def begin(self, member: ProcessPoolExecutor, task: Waiting) -> None:
        """Begin a task on a process."""
        try:
            running = member.submit(task.function, *task.arguments)
        except BrokenExecutor:  # it died while it had nothing to do
            self.dismiss(member)
            self.waiting.appendleft(task)
            return
        running.add_done_callback(partial(self.ended, member, task.future))

    def ended(self, member: ProcessPoolExecutor, future: Future[Any], running: Future[Any]) -> None:
        """Hand on what a task returned or raised, and free its process, or replace it."""
        error = WorkerDied() if running.cancelled() else running.exception()
        died = isinstance(error, BrokenExecutor | WorkerDied)
        with self.lock:
            if died:
                self.dismiss(member)
                self.assign()
            else:
                self.free(member)
        if died:
            future.set_exception(WorkerDied())
        elif error is not None:
            future.set_exception(error)
        else:
            future.set_result(running.result())

    def free(self, member: ProcessPoolExecutor) -> None:
        """Take a process that has nothing to do."""
        if member in self.members:
            self.idle.append(member)
            self.assign()

    def dismiss(self, member: ProcessPoolExecutor) -> None:
        """Forget a process that died."""
        self.members.discard(member)
        member.shutdown(wait=False)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002
        """Let the processes end after their tasks.

        Those without a task end at once, and are always waited for: the end of Python 3.11 prints a traceback
        where it meets one that is just closing its pipes.
        """
        with self.lock:
            while cancel_futures and self.waiting:
                self.waiting.popleft().future.cancel()
            members, self.members = self.members, set()
            idle, self.idle = self.idle, []
        for member in members:
            member.shutdown(wait=wait or member in idle, cancel_futures=cancel_futures)


def begin_worker() -> None:
    """Leave Ctrl-C to the driver, and end this process when the driver's ends, however it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    driver = parent_process()
    if driver is not None:

        def watch() -> None:
            wait([driver.sentinel])
            os._exit(1)

        threading.Thread(target=watch, daemon=True).start()
