"""Which functions of the scripts a story runs, by the browser's own count.

Where ``SCRIPT_FUNCTIONS`` names a folder, each context leaves a file there: for every script a
list of functions with their place in it, their name and whether they ran. What ran before a page
loaded another document of its own accord may be lost, so that too few are counted rather than too
many. A service worker is no page; nothing of it is counted.
"""

from __future__ import annotations

import json
import os
import re
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Error, Page

ENVIRONMENT = "SCRIPT_FUNCTIONS"
_SCRIPT = re.compile(r"([a-z_]+/static/[a-z_]+\.mjs)$")


class FunctionsRun:
    """Counts in every page that a context opens from now on."""

    def __init__(self, context: BrowserContext) -> None:
        self._folder = os.environ.get(ENVIRONMENT)
        self._sessions: list[CDPSession] = []
        self._found: dict[str, dict[str, list[Any]]] = {}
        if self._folder is None:
            return
        open_page = context.new_page

        def new_page() -> Page:
            page = open_page()
            session = context.new_cdp_session(page)
            session.send("Profiler.enable")
            session.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": False})
            self._sessions.append(session)
            # Another document forgets what ran in the one before it.
            for name in ("goto", "reload", "go_back", "close"):
                setattr(page, name, self._counted_before(getattr(page, name)))
            return page

        context.new_page = new_page  # type: ignore[method-assign]

    def _counted_before(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any, **named: Any) -> Any:
            self._count()
            return work(*given, **named)

        return counted

    def keep(self) -> None:
        """Write what was counted; to be called before the context is closed."""
        self._count()
        if self._folder is not None and self._found:
            path = Path(self._folder) / f"{uuid.uuid4().hex}.json"
            path.write_text(json.dumps(self._found), encoding="utf-8")

    def _count(self) -> None:
        for session in self._sessions:
            try:
                scripts = session.send("Profiler.takePreciseCoverage")["result"]
            except Error:
                continue  # the page is closed already
            for script in scripts:
                if match := _SCRIPT.search(script["url"]):
                    _add(self._found.setdefault(match[1], {}), script["functions"])


def _add(known: dict[str, list[Any]], functions: list[dict[str, Any]]) -> None:
    for each in functions:
        whole = each["ranges"][0]
        name = each["functionName"]
        if name:
            place = f"{whole['startOffset']}-{whole['endOffset']}"
            ran = bool(whole["count"]) or known.get(place, [name, False])[1]
            known[place] = [name, ran]
