"""The page that everything is drawn in: the companion's own, with the scripts of Streamlit."""

from __future__ import annotations

import json
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import streamlit

from companion.languages import Language, say
from companion.web.shell.assets import FILES, SCRIPTS, asset_address
from companion.web.shell.markup import Markup, joined, tag

__all__ = ["page_of", "tags_of"]

_CAMERA_WORDS = (
    "title",
    "aim",
    "manual",
    "still",
    "sharp",
    "shoot",
    "choose",
    "close",
    "refused",
)
# A part with a shadow tree brings its own.
_OWN_STYLES = frozenset({"kingdomino/static/board.css"})
_FIRST_SCRIPT = "shell/static/page.mjs"
_VIEWPORT = "width=device-width, initial-scale=1, shrink-to-fit=no"


@cache
def page_of(language: Language) -> str:
    """The page in a language, before anything is drawn in it.

    The companion's script comes before those of Streamlit, so that it has run when Streamlit
    brings the first part of a page; its styles come after them.
    """
    camera = {word: say(f"camera.{word}", language) for word in _CAMERA_WORDS}
    styles = [path for path in FILES if path.endswith(".css") and path not in _OWN_STYLES]
    head = joined(
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content=_VIEWPORT),
        tag("title", say("page.title", language)),
        _icon("icon.svg", rel="icon", type="image/svg+xml"),
        _icon("icon-512.png", rel="apple-touch-icon"),
        tag("link", rel="manifest", href="./companion.webmanifest"),
        _colour("#efe2cb", "light"),
        _colour("#1b1510", "dark"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="camera-words", content=json.dumps(camera, ensure_ascii=False)),
        tag("meta", name="no-connection", content=say("page.no_connection", language)),
        tag("meta", name="scripts", content=json.dumps(_needed_later())),
        tag("script", type="module", src=f"./{asset_address(_FIRST_SCRIPT)}"),
        *[
            tag("link", rel="modulepreload", href=f"./{asset_address(path)}")
            for path in SCRIPTS[_FIRST_SCRIPT]
        ],
        tags_of(_streamlit_page()),
        *[tag("link", rel="stylesheet", href=f"./{asset_address(path)}") for path in styles],
    )
    body = joined(tag("noscript", say("page.needs_javascript", language)), tag("div", id="root"))
    page = tag("html", tag("head", head), tag("body", body), lang=language.value)
    return f"<!doctype html>\n{page}\n"


def _needed_later() -> dict[str, list[str]]:
    """What scripts of parts need beside what every page has loaded."""
    loaded = {_FIRST_SCRIPT, *SCRIPTS[_FIRST_SCRIPT]}
    needed = {
        path: [name for name in names if name not in loaded] for path, names in SCRIPTS.items()
    }
    return {path: names for path, names in needed.items() if names and path not in loaded}


def _icon(name: str, **attributes: str) -> Markup:
    return tag("link", href=f"./{asset_address(f'shell/static/{name}')}", **attributes)


def _colour(colour: str, scheme: str) -> Markup:
    media = f"(prefers-color-scheme: {scheme})"
    return tag("meta", name="theme-color", content=colour, media=media)


def _streamlit_page() -> str:
    path = Path(streamlit.__file__).parent / "static" / "index.html"
    return path.read_text(encoding="utf-8")


_LOADED = frozenset({"stylesheet", "modulepreload", "preload"})


def tags_of(page: str) -> Markup:
    """What a page loads, without its own icons and without scripts that stand in it.

    ValueError where no script is loaded: then Streamlit has changed, and nothing would be shown.
    """
    found = _Tags()
    found.feed(page)
    found.close()
    if not any(each.startswith("<script") for each in found.tags):
        raise ValueError("Streamlit's page: expected a script with an address, got none")
    return joined(*found.tags)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[Markup] = []

    def handle_starttag(self, tag_name: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        loads = tag_name == "script" and "src" in given
        if loads or (tag_name == "link" and given.get("rel") in _LOADED):
            plain: dict[str, str | bool] = {
                name: True if value is None else value for name, value in given.items()
            }
            self.tags.append(tag(tag_name, **plain))
