"""Tools of the browser tests: a server of its own, what travels, a slow phone, axe-core."""

from __future__ import annotations

import base64
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

REPOSITORY = Path(__file__).parents[2]
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_START_S = 150.0


def chromium_path() -> str | None:
    """The Chromium to test with: ``CHROMIUM`` of the environment, or the first on the path."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named if Path(named).exists() else None
    found = (shutil.which(name) for name in _NAMES)
    return next((path for path in found if path), None)


def free_port() -> int:
    """A TCP port that nothing listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def is_busy() -> bool:
    """Whether others are at work on this machine, so that times say nothing about the board.

    Stories that are told in two processes disturb each other; `benchmarks.timings stories` tells
    those with times alone.
    """
    if "PYTEST_XDIST_WORKER" in os.environ or not hasattr(os, "getloadavg"):
        return True
    return os.getloadavg()[0] > (os.cpu_count() or 1)


@dataclass
class Server:
    """A Streamlit server of one script, with a data folder of its own.

    ``kill`` ends it at once, as a power cut would; ``start`` brings it back at the same address
    with the same data.
    """

    script: Path
    data: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    _process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        """What the server printed."""
        return self.data / "server.log"

    @property
    def surroundings(self) -> dict[str, str]:
        """The environment of the server: nothing of this user's is read or written."""
        database = (self.data / "companion.sqlite").as_posix()
        return {
            **os.environ,
            "PYTHONPATH": str(REPOSITORY),
            "XDG_DATA_HOME": str(self.data),
            "LOCALAPPDATA": str(self.data),
            "KINGDOMINO_DATABASE_URL": f"sqlite:///{database}",
            **self.environment,
        }

    def start(self) -> None:
        """Start it and wait until it answers; RuntimeError with its log where it doesn't."""
        command = [sys.executable, "-m", "streamlit", "run", str(self.script)]
        command += ["--server.port", str(self.port), "--server.address", "127.0.0.1"]
        command += ["--server.headless", "true", "--server.fileWatcherType", "none"]
        command += ["--browser.gatherUsageStats", "false"]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=REPOSITORY, env=self.surroundings, stdout=log, stderr=log
            )
        until = time.monotonic() + _START_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > until:
                self.kill()
                raise RuntimeError(f"server: no answer at {self.url}\n{self.log.read_text()}")
            time.sleep(0.1)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def kill(self) -> None:
        """End it without a chance to tidy up."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


class Traffic:
    """Bytes that travel between a page and its server, counted from the last ``reset`` on.

    ``sent`` and ``received`` are payloads of websocket messages, ``fetched`` bodies of HTTP
    answers as they were transferred.
    """

    def __init__(self, page: Page) -> None:
        self.sent = self.received = self.fetched = self.messages = 0
        self._session = page.context.new_cdp_session(page)
        self._session.on("Network.webSocketFrameSent", self._count_sent)
        self._session.on("Network.webSocketFrameReceived", self._count_received)
        self._session.on("Network.loadingFinished", self._count_fetched)
        self._session.send("Network.enable")

    @property
    def total(self) -> int:
        return self.sent + self.received + self.fetched

    def reset(self) -> None:
        self.sent = self.received = self.fetched = self.messages = 0

    def _count_sent(self, event: dict[str, Any]) -> None:
        self.messages += 1
        self.sent += _payload_size(event["response"])

    def _count_received(self, event: dict[str, Any]) -> None:
        self.messages += 1
        self.received += _payload_size(event["response"])

    def _count_fetched(self, event: dict[str, Any]) -> None:
        self.fetched += int(event["encodedDataLength"])


def _payload_size(frame: dict[str, Any]) -> int:
    data = str(frame["payloadData"])
    return len(data.encode()) if frame["opcode"] == 1 else len(base64.b64decode(data))


def slow_down(page: Page, times: float) -> CDPSession:
    """Slow the page's processor down so many times."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": times})
    return session


def open_phone(browser: Browser, **options: Any) -> BrowserContext:
    """A phone of 390×844 with touch; options as of ``Browser.new_context``."""
    return browser.new_context(**{**PHONE, "locale": "de-DE", **options})


def open_desktop(browser: Browser, **options: Any) -> BrowserContext:
    """A wide screen with a mouse; options as of ``Browser.new_context``."""
    return browser.new_context(
        **{"viewport": {"width": 1280, "height": 900}, "locale": "de-DE", **options}
    )


def axe_violations(page: Page, **options: Any) -> list[str]:
    """What axe-core finds wrong on the page, shadow roots included, one line a finding.

    Also names that don't hold what is seen, which axe-core looks at only when it is told to.
    """
    from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

    rules = {"label-content-name-mismatch": {"enabled": True}}
    # Of what passes a page has thousands of findings, and nobody looks at them.
    options = {"rules": rules, "resultTypes": ["violations"], **options}
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{violation['id']}: {node['html'][:160]} ({node.get('failureSummary', '')})"
        for violation in found
        for node in violation["nodes"]
    ]


def save_screenshot(page: Page, name: str, folder: Path) -> Path:
    """A PNG of what the page shows now; ``BROWSER_SCREENSHOTS`` names another folder."""
    folder = Path(os.environ.get("BROWSER_SCREENSHOTS", folder))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.png"
    page.screenshot(path=path)
    return path
