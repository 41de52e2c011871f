"""Drives Chromium by its DevTools protocol, over two pipes: opens a page, runs script in it, takes pictures.

The page's own Content-Security-Policy stays in force: what the driver evaluates is no part of the page.
"""

import base64
import fcntl
import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import browser

SECONDS = 120
ERRORS = {"error", "assert"}  # the kinds of console messages that are failures


class PageError(Exception):
    """A script that was run in the page failed."""


class Page:
    """A page in a browser of its own: `problems` collects console errors, refused loads and exceptions."""

    def __init__(self, outgoing: int, incoming: int) -> None:
        """Take the pipes to and from the browser, and open an empty page."""
        self.problems: list[str] = []
        self._outgoing, self._incoming = outgoing, incoming
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")
        self._call(
            "Network.emulateNetworkConditions",
            offline=True,
            latency=0,
            downloadThroughput=-1,
            uploadThroughput=-1,
        )

    def open(self, path: Path, fragment: str = "") -> None:
        """Load a file and wait until its scripts have run."""
        self._call("Page.navigate", url="about:blank")
        self._call("Page.navigate", url=path.as_uri() + fragment)
        deadline = time.monotonic() + SECONDS
        while self.run("document.readyState + location.protocol") != "completefile:":
            if time.monotonic() > deadline:
                raise PageError(f"{path} did not load within {SECONDS} s")
            time.sleep(0.02)

    def resize(self, width: int, height: int = 900) -> None:
        """Give the page a width and a height in CSS pixels."""
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )

    def medium(self, *, dark: bool = False, printed: bool = False) -> None:
        """Ask for the dark or the light colours, and for the screen or for paper."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", media="print" if printed else "screen", features=[scheme])

    def run(self, expression: str) -> Any:
        """Evaluate JavaScript in the page, wait for a promise, and return the value as plain data."""
        told = self._call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in told:
            raise PageError(
                json.dumps(told["exceptionDetails"].get("exception", {}).get("description", told))
            )
        return told["result"].get("value")

    def press(self, key: str, code: int) -> None:
        """Press and release a key such as Enter, 13."""
        text = {"text": "\r"} if key == "Enter" else {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self._call(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text
            )

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Write what is seen, or the whole page, as PNG."""
        taken = self._call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(taken["data"]))

    def _call(self, method: str, **parameters: object) -> dict[str, Any]:
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._outgoing, json.dumps(message).encode() + b"\0")
        while True:
            told = self._receive()
            if told.get("id") == self._number:
                if "error" in told:
                    raise PageError(f"{method}: {told['error']}")
                return dict(told["result"])
            self._notice(told)

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            read = os.read(self._incoming, 1 << 16)
            if not read:
                raise PageError("the browser ended")
            self._buffer += read
        line, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(line))

    def _notice(self, told: dict[str, Any]) -> None:
        method, parameters = told.get("method"), told.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ERRORS:
            self.problems.append(json.dumps(parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.problems.append(parameters["entry"]["text"])


@contextmanager
def opened(folder: Path) -> Iterator[Page]:
    """Start a browser with a profile below the folder, and end it afterwards."""
    to_browser, from_driver = map(out_of_the_way, os.pipe())
    to_driver, from_browser = map(out_of_the_way, os.pipe())
    options = (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--remote-debugging-pipe",
    )
    process = os.posix_spawn(
        browser.browser(),
        [browser.browser(), *options, f"--user-data-dir={folder / 'profile'}"],
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, to_browser, 3),  # where the browser reads commands
            (os.POSIX_SPAWN_DUP2, from_browser, 4),  # where it answers
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ],
        setpgroup=0,
    )
    os.close(to_browser)
    os.close(from_browser)
    try:
        yield Page(from_driver, to_driver)
    finally:
        os.close(from_driver)
        os.close(to_driver)
        with suppress(ProcessLookupError):
            os.killpg(process, signal.SIGTERM)
        os.waitpid(process, 0)


def out_of_the_way(descriptor: int) -> int:
    """Return a copy of a descriptor whose number is none of those that the browser uses."""
    copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return copy
