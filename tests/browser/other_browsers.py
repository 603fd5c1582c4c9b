"""Firefox and WebKit without a driver library: WebDriver BiDi, and WebDriver over HTTP.

Debian's ``firefox-esr`` speaks BiDi itself; ``webkit2gtk-driver`` brings WebKitWebDriver, which
starts WebKit's own small browser on a display of its own (``xvfb``).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from tests.browser.tools import free_port

_START_S = 90.0
_WIDTH, _HEIGHT = 390, 844
_MINI_BROWSERS = "webkit2gtk-*/MiniBrowser"


class Driver(Protocol):
    """What a story does with a browser: taps are those of a finger."""

    def open(self, url: str) -> None: ...

    def evaluate(self, expression: str) -> Any: ...

    def touch(self, x: float, y: float) -> None: ...

    def stroke(self, *points: tuple[float, float]) -> None: ...

    def type(self, text: str) -> None: ...

    def choose(self, selector: str, path: Path) -> None: ...


def missing_for_firefox() -> str:
    """What Firefox needs and is not there, "" for nothing."""
    return "" if shutil.which("firefox-esr") or shutil.which("firefox") else "no Firefox"


def missing_for_webkit() -> str:
    """What WebKit needs and is not there, "" for nothing."""
    if not shutil.which("WebKitWebDriver") or _mini_browser() is None:
        return "no WebKitWebDriver"
    return "" if os.environ.get("DISPLAY") or shutil.which("Xvfb") else "no display and no Xvfb"


def _mini_browser() -> Path | None:
    return next(iter(sorted(Path("/usr/lib").glob(f"*/{_MINI_BROWSERS}"), reverse=True)), None)


_PAUSE = {"type": "pause", "duration": 60}


class _Hand:
    """What a finger and a keyboard do, as actions of WebDriver."""

    finger = "touch"

    def touch(self, x: float, y: float) -> None:
        self.stroke((x, y))

    def stroke(self, *points: tuple[float, float]) -> None:
        """One finger put down at the first point, moved over the others and lifted."""
        (x, y), *others = points
        steps: list[dict[str, Any]] = [
            {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0},
            {"type": "pointerDown", "button": 0},
            _PAUSE,
        ]
        for x, y in others:
            steps.append({"type": "pointerMove", "x": round(x), "y": round(y), "duration": 60})
        steps += [_PAUSE, {"type": "pointerUp", "button": 0}]
        parameters = {"pointerType": self.finger}
        self._act({"type": "pointer", "id": "finger", "parameters": parameters, "actions": steps})

    def type(self, text: str) -> None:
        """Press these keys where the focus is; those without a sign by WebDriver's own codes."""
        steps = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keys", "actions": steps})

    def _act(self, actions: dict[str, Any]) -> None:
        raise NotImplementedError


class _Firefox(_Hand):
    def __init__(self, connection: ClientConnection) -> None:
        self._connection, self._number = connection, 0
        self._call("session.new", capabilities={})
        tree = self._call("browsingContext.getTree")
        self._context = tree["contexts"][0]["context"]
        size = {"width": _WIDTH, "height": _HEIGHT}
        self._call("browsingContext.setViewport", context=self._context, viewport=size)

    def open(self, url: str) -> None:
        self._call("browsingContext.navigate", context=self._context, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        found = self._script(f"JSON.stringify({expression})")
        return json.loads(found["value"]) if "value" in found else None

    def _act(self, actions: dict[str, Any]) -> None:
        self._call("input.performActions", context=self._context, actions=[actions])

    def choose(self, selector: str, path: Path) -> None:
        element = self._script(f"document.querySelector({selector!r})")["sharedId"]
        self._call(
            "input.setFiles",
            context=self._context,
            element={"sharedId": element},
            files=[str(path)],
        )

    def _script(self, expression: str) -> dict[str, Any]:
        answer = self._call(
            "script.evaluate",
            expression=expression,
            target={"context": self._context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        found: dict[str, Any] = answer["result"]
        return found

    def _call(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        self._connection.send(json.dumps(message))
        while True:
            answer = json.loads(self._connection.recv(timeout=_START_S))
            if answer.get("id") == self._number:
                assert answer["type"] == "success", answer
                found: dict[str, Any] = answer["result"]
                return found


@contextmanager
def firefox(folder: Path) -> Iterator[Driver]:
    """Firefox with a profile of its own in the folder, without a window."""
    port = free_port()
    program = shutil.which("firefox-esr") or shutil.which("firefox") or "firefox"
    command = [program, "--headless", "--no-remote", "--profile", str(folder)]
    command += ["--remote-debugging-port", str(port), "about:blank"]
    with _running(command, {}):
        connection = _connected(f"ws://127.0.0.1:{port}/session")
        try:
            yield _Firefox(connection)
        finally:
            connection.close()


def _connected(address: str) -> ClientConnection:
    until = time.monotonic() + _START_S
    while True:
        try:
            return connect(address, open_timeout=5, max_size=None, legacy=True)
        except (OSError, WebSocketException, TimeoutError):
            if time.monotonic() > until:
                raise
            time.sleep(0.3)


class _WebKit(_Hand):
    # WebKit's browser for Linux has no fingers, so its taps are those of a mouse.
    finger = "mouse"

    def __init__(self, address: str) -> None:
        self._address = address
        options = {"binary": str(_mini_browser()), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        started = self._call("/session", capabilities=wanted)
        self._address = f"{address}/session/{started['sessionId']}"
        with suppress(urllib.error.HTTPError):
            self._call("/window/rect", width=_WIDTH + 20, height=_HEIGHT + 120)

    def open(self, url: str) -> None:
        self._call("/url", url=url)

    def evaluate(self, expression: str) -> Any:
        text = self._call("/execute/sync", script=f"return JSON.stringify({expression})", args=[])
        return None if text is None else json.loads(text)

    def _act(self, actions: dict[str, Any]) -> None:
        self._call("/actions", actions=[actions])

    def choose(self, selector: str, path: Path) -> None:
        found = self._call("/element", using="css selector", value=selector)
        (element,) = found.values()
        self._call(f"/element/{element}/value", text=str(path))

    def close(self) -> None:
        request = urllib.request.Request(self._address, method="DELETE")
        with suppress(OSError), urllib.request.urlopen(request, timeout=20):
            pass

    def _call(self, path: str, **values: Any) -> Any:
        request = urllib.request.Request(
            self._address + path,
            json.dumps(values).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=_START_S) as answer:
            return json.load(answer)["value"]


@contextmanager
def webkit(folder: Path) -> Iterator[Driver]:
    """WebKit's own small browser, on a display of its own where there is none."""
    port = free_port()
    with _display(folder) as environment:
        command = ["WebKitWebDriver", f"--port={port}", "--host=127.0.0.1"]
        with _running(command, environment):
            address = f"http://127.0.0.1:{port}"
            _wait_for(f"{address}/status")
            browser = _WebKit(address)
            try:
                yield browser
            finally:
                browser.close()


def _wait_for(address: str) -> None:
    until = time.monotonic() + _START_S
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


@contextmanager
def _display(folder: Path) -> Iterator[dict[str, str]]:
    own = {
        "XDG_RUNTIME_DIR": str(folder),
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
        "NO_AT_BRIDGE": "1",
    }
    if os.environ.get("DISPLAY"):
        yield own
        return
    reading, writing = os.pipe()
    command = [
        "Xvfb",
        "-displayfd",
        str(writing),
        "-screen",
        "0",
        "800x1200x24",
        "-nolisten",
        "tcp",
    ]
    server = subprocess.Popen(
        command, pass_fds=(writing,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as said:
            number = said.readline().strip()
        yield {**own, "DISPLAY": f":{number}"}
    finally:
        server.terminate()
        server.wait()


@contextmanager
def _running(command: Sequence[str], environment: dict[str, str]) -> Iterator[None]:
    process = subprocess.Popen(
        command,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
