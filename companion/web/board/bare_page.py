"""A bare page with a board and no server: for tests, and to look at it."""

from __future__ import annotations

from collections.abc import Mapping

from companion.web.board.bundle import as_javascript, joined_modules, style
from companion.web.board.state import BoardState

__all__ = ["bare_page"]

_PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Board</title>
<style>
body {{ margin: 0 auto; padding: 12px 16px; max-width: 75rem; background: #f4e9d8; }}
h1 {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }}
@media (prefers-color-scheme: dark) {{ body {{ background: #1b1510; }} }}
</style>
</head>
<body>
<main><h1>Board</h1><div id="place"></div></main>
<script type="module">
{modules}
const state = {state};
const css = {css};
globalThis.sent = [];
globalThis.answering = {{ delay: {delay_ms}, on: {answers} }};
globalThis.answer = (change, more = {{}}) => board.receive({{
  ...board.state, kingdom: change.kingdom, settled: change.settled, frame: change.frame,
  revision: board.state.revision + 1, score: null,
  answers: {{ client: change.client, seq: change.seq }}, ...more,
}});
const board = $$_main.mount(document.getElementById("place"), css, state, (change) => {{
  globalThis.sent.push(change);
  if (!globalThis.answering.on) return;
  setTimeout(() => globalThis.answer(change), globalThis.answering.delay);
}});
globalThis.board = board;
</script>
</body>
</html>
"""


def bare_page(
    state: BoardState,
    words: Mapping[str, str],
    *,
    language: str = "en",
    delay_ms: int = 20,
    answers: bool = True,
) -> str:
    """HTML of a page that shows a board and answers its changes itself after a while.

    In the page, ``sent`` are the changes, ``board`` is the board, ``answering.on`` and
    ``answering.delay`` (milliseconds) decide on answers, and ``answer(change)`` gives one.
    """
    dossier = state.dossier(words)
    message = {**state.message(None, dossier["id"]), "dossier": dossier}
    return _PAGE.format(
        language=language,
        modules=joined_modules(),
        state=as_javascript(message),
        css=as_javascript(style()),
        delay_ms=delay_ms,
        answers="true" if answers else "false",
    )
