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

_COPIES_WORDS = ("title", "none", "given.one", "given.several")
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
_OFFLINE_SCRIPT = "shell/static/offline.mjs"
_VIEWPORT = "width=device-width, initial-scale=1, shrink-to-fit=no"


@cache
def page_of(language: Language) -> str:
    """The page in a language, before anything is drawn in it.

    The companion's script comes before those of Streamlit, so that it has run when Streamlit
    brings the first part of a page; its styles come after them.
    """
    camera = {word: say(f"camera.{word}", language) for word in _CAMERA_WORDS}
    head = joined(
        tag("link", rel="manifest", href="./companion.webmanifest"),
        tag("meta", name="camera-words", content=json.dumps(camera, ensure_ascii=False)),
        _copies_words(language),
        tag("meta", name="no-connection", content=say("page.no_connection", language)),
        tag("meta", name="scripts", content=json.dumps(_needed_later(_FIRST_SCRIPT))),
        _script(_FIRST_SCRIPT),
        tags_of(_streamlit_page()),
    )
    body = joined(tag("noscript", say("page.needs_javascript", language)), tag("div", id="root"))
    return _document(language, head, body)


@cache
def page_without_connection(language: Language) -> str:
    """The page that a phone shows by itself where the server does not answer.

    It draws what the page of the same address showed last, in the frame that Streamlit would put
    around it.
    """
    head = joined(
        _copies_words(language),
        tag("meta", name="scripts", content=json.dumps(_needed_later(_OFFLINE_SCRIPT))),
        _script(_OFFLINE_SCRIPT),
    )
    said = tag("p", say("page.no_connection", language), class_="no-connection", role="status")
    unknown = tag("p", say("page.not_kept", language), class_="unknown card")
    parts = tag("div", unknown, class_="offline", data_testid="stVerticalBlock")
    inside = tag("div", parts, class_="stMainBlockContainer")
    main = tag("main", inside, class_="stMain", data_testid="stMain")
    return _document(language, head, joined(tag("div", main, class_="stApp"), said))


def _copies_words(language: Language) -> Markup:
    """What is said around the copies of games that a phone keeps; the count is filled in there."""
    words = {each: say(f"copies.{each}", language, count="{count}") for each in _COPIES_WORDS}
    words["close"] = say("page.close", language)
    return tag("meta", name="copies-words", content=json.dumps(words, ensure_ascii=False))


def needed_without_connection() -> list[str]:
    """The addresses of what the page without a connection loads."""
    return [f"./{asset_address(path)}" for path in FILES if not path.endswith("worker.mjs")]


def _document(language: Language, head: Markup, body: Markup) -> str:
    styles = [path for path in FILES if path.endswith(".css") and path not in _OWN_STYLES]
    page = tag(
        "html",
        tag(
            "head",
            tag("meta", charset="utf-8"),
            tag("meta", name="viewport", content=_VIEWPORT),
            tag("title", say("page.title", language)),
            _icon("icon.svg", rel="icon", type="image/svg+xml"),
            _icon("icon-512.png", rel="apple-touch-icon"),
            _colour("#efe2cb", "light"),
            _colour("#1b1510", "dark"),
            tag("meta", name="color-scheme", content="light dark"),
            head,
            *[tag("link", rel="stylesheet", href=f"./{asset_address(path)}") for path in styles],
        ),
        tag("body", body),
        lang=language.value,
    )
    return f"<!doctype html>\n{page}\n"


def _script(path: str) -> Markup:
    """A script, and with it all that it would else ask for one by one."""
    return joined(
        tag("script", type="module", src=f"./{asset_address(path)}"),
        *[
            tag("link", rel="modulepreload", href=f"./{asset_address(needed)}")
            for needed in SCRIPTS[path]
        ],
    )


def _needed_later(first: str) -> dict[str, list[str]]:
    """What scripts of parts need beside what a page with this first script has loaded."""
    loaded = {first, *SCRIPTS[first]}
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
