"""The board's modules as one module, its style, and a bare page that shows it without a server."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from companion.web.board.messages import BoardState

__all__ = ["STATIC", "as_javascript", "bare_page", "joined_modules", "style"]

STATIC = Path(__file__).parent / "static"

_IMPORT = re.compile(
    r"^import\s+(?:\{(?P<names>[^}]*)\}|\*\s+as\s+(?P<whole>\w+))\s+from\s+"
    r'"(?:\./|\.\./\.\./board/static/)(?P<module>\w+)\.mjs";\n',
    re.MULTILINE,
)
_EXPORT = re.compile(r"^export\s+(?=(?:const|function|class)\s+(?P<name>\w+))", re.MULTILINE)
_NO_EXPORT = re.compile(r"^export \{\};\n", re.MULTILINE)
_DOCUMENTATION = re.compile(r"^[ ]*/\*\*(?:(?!\*/)[\s\S])*\*/\n|^[ ]*//.*\n", re.MULTILINE)


@cache
def style() -> str:
    """The board's CSS."""
    return (STATIC / "board.css").read_text(encoding="utf-8")


@cache
def joined_modules(entry: str = "main", folder: Path | None = None) -> str:
    """A module and all that it imports as one ES module with the same exports.

    The modules import by name or as a whole, each import from ``"./NAME.mjs"``, and export where
    they define. Those of another ``folder`` may import the board's, too, from
    ``"../../board/static/NAME.mjs"``; no two may have one name. ValueError for anything else, and
    for modules that import each other in a ring.
    """
    folders = (STATIC,) if folder is None else (folder, STATIC)
    ordered: list[str] = []
    _visit(entry, ordered, (), folders)
    parts = [_closed(name, folders) for name in ordered]
    exports = ", ".join(_exported(_source(entry, folders)))
    return "".join(parts) + f"export const {{ {exports} }} = $$_{entry};\n"


def _source(name: str, folders: tuple[Path, ...]) -> str:
    paths = [folder / f"{name}.mjs" for folder in folders]
    path = next((path for path in paths if path.exists()), paths[-1])
    return path.read_text(encoding="utf-8")


def _visit(
    name: str, ordered: list[str], above: tuple[str, ...], folders: tuple[Path, ...]
) -> None:
    if name in ordered:
        return
    if name in above:
        raise ValueError(f"modules: expected no ring, got {' → '.join((*above, name))}")
    for found in _IMPORT.finditer(_source(name, folders)):
        _visit(found["module"], ordered, (*above, name), folders)
    ordered.append(name)


def _exported(source: str) -> list[str]:
    return [found["name"] for found in _EXPORT.finditer(source)]


def _closed(name: str, folders: tuple[Path, ...]) -> str:
    """A module as a function of its own, called once, whose result is its exports."""
    source = _source(name, folders)
    exports = ", ".join(_exported(source))
    body = _NO_EXPORT.sub("", _EXPORT.sub("", _IMPORT.sub(_taken, source)))
    body = _DOCUMENTATION.sub("", body)
    left = re.search(r"^\s*(?:import|export)\s.*", body, re.MULTILINE)
    if left:
        raise ValueError(f"{name}.mjs: expected plain imports and exports, got {left[0].strip()!r}")
    return f"const $$_{name} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"


def _taken(found: re.Match[str]) -> str:
    if found["whole"]:
        return f"const {found['whole']} = $$_{found['module']};\n"
    names = found["names"].replace(" as ", ": ")
    return f"const {{{names}}} = $$_{found['module']};\n"


def as_javascript(value: object) -> str:
    """A value as a JavaScript literal that is safe inside a `<script>` too."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


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
