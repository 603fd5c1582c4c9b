"""A bare page that shows a board without a server of the companion."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, Route

from companion.web.kingdomino.board import BoardState
from companion.web.shell.assets import FILES

_ADDRESS = "http://board.test/"
_PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Board</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/kingdomino/static/board.css">
<style>
body {{ margin: 0 auto; padding: 12px 16px; max-width: 75rem; background: #f4e9d8; }}
h1 {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }}
@media (prefers-color-scheme: dark) {{ body {{ background: #1b1510; }} }}
</style>
</head>
<body>
<main><h1>Board</h1><div class="board-place"><div id="place"></div></div></main>
<script type="module">
import {{ Board }} from "/kingdomino/static/board.mjs";
const state = {state};
globalThis.sent = [];
globalThis.answering = {{ delay: {delay_ms}, on: {answers} }};
globalThis.answer = (change, more = {{}}) => board.receive({{
  ...board.state, kingdom: change.kingdom, settled: change.settled, frame: change.frame,
  revision: board.state.revision + 1, score: null,
  answers: {{ client: change.client, seq: change.seq }}, ...more,
}});
const board = new Board(document.getElementById("place"), state, (change) => {{
  globalThis.sent.push(change);
  if (!globalThis.answering.on) return;
  setTimeout(() => globalThis.answer(change), globalThis.answering.delay);
}});
globalThis.board = board;
</script>
</body>
</html>
"""


def show_bare_page(
    page: Page,
    state: BoardState,
    words: Mapping[str, str],
    *,
    photo: Path,
    language: str = "en",
    delay_ms: int = 20,
    answers: bool = True,
) -> None:
    """Show a board that answers its changes itself after a while; its photo is ``photo.jpg``.

    In the page, ``sent`` are the changes, ``board`` is the board, ``answering.on`` and
    ``answering.delay`` (milliseconds) decide on answers, and ``answer(change)`` gives one.
    """
    dossier = state.dossier(words)
    message = {**state.message(dossier["id"]), "dossier": dossier}
    html = _PAGE.format(
        language=language,
        state=json.dumps(message, ensure_ascii=False).replace("<", "\\u003c"),
        delay_ms=delay_ms,
        answers="true" if answers else "false",
    )

    def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path.removeprefix("/")
        if not path:
            route.fulfill(body=html, content_type="text/html")
        elif path == "photo.jpg":
            route.fulfill(path=photo)
        elif path in FILES:
            kind = "text/css" if path.endswith(".css") else "text/javascript"
            route.fulfill(body=FILES[path], content_type=kind)
        else:
            route.fulfill(status=404)

    page.route(f"{_ADDRESS}**", answer)
    page.goto(_ADDRESS)
