"""Scripts and styles at addresses of their version, and the page that loads them."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from posixpath import dirname, normpath

import pytest

from companion.languages import Language, codes, say
from companion.web.shell.assets import FILES, SCRIPTS, VERSION, WEB, asset_address
from companion.web.shell.template import (
    needed_without_connection,
    page_of,
    page_without_connection,
    tags_of,
)
from tests.companion.web.asgi import ask

TYPES = {"mjs": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "png": "image/png"}


def test_every_file_is_served_for_good_at_its_version() -> None:
    for path, content in FILES.items():
        answer = ask(f"/{asset_address(path)}")
        assert answer.body == content, path
        assert answer.headers["content-type"].startswith(TYPES[path.rpartition(".")[2]])
        assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "path",
    [
        "/assets/000000000000/shell/static/page.mjs",
        f"/assets/{VERSION}/shell/static/nothing.mjs",
        f"/assets/{VERSION}/shell/assets.py",
        f"/assets/{VERSION}/../routes.py",
        f"/assets/{VERSION}/",
    ],
)
def test_nothing_else_is_served(path: str) -> None:
    assert ask(path).status == 404


def test_modules_import_what_is_served() -> None:
    imports = re.compile(r'"(\.{1,2}/[^"]+\.mjs)"')
    found = 0
    for path, content in FILES.items():
        if path.endswith(".mjs"):
            for name in imports.findall(content.decode()):
                assert normpath(f"{dirname(path)}/{name}") in FILES, (path, name)
                found += 1
    assert found > 50


def test_all_that_a_script_needs_is_known_before_it_is_read() -> None:
    assert SCRIPTS["shell/static/camera.mjs"] == []
    assert set(SCRIPTS["shell/static/page.mjs"]) == {
        f"shell/static/{name}.mjs"
        for name in ("surface", "bridge", "photos", "markup", "wire", "kept", "phone")
    }
    board = SCRIPTS["kingdomino/static/board.mjs"]
    assert "kingdomino/static/geometry.mjs" in board
    assert "shell/static/fingers.mjs" in board
    assert len(board) == len(set(board))
    assert set(SCRIPTS) | {each for needed in SCRIPTS.values() for each in needed} == {
        path for path in FILES if path.endswith(".mjs")
    }


def test_scripts_are_small() -> None:
    def compressed(paths: list[str]) -> int:
        return sum(len(gzip.compress(FILES[path])) for path in paths)

    first = compressed(["shell/static/page.mjs", *SCRIPTS["shell/static/page.mjs"]])
    everything = compressed([path for path in FILES if path.endswith(".mjs")])
    assert first <= 12_500
    assert everything <= 67_000


def test_of_scripts_only_lines_of_comments_are_not_served() -> None:
    for path, content in FILES.items():
        if not path.endswith(".mjs"):
            assert content == (WEB / path).read_bytes(), path
            continue
        left = content.decode().splitlines()
        for line in reversed((WEB / path).read_text(encoding="utf-8").splitlines()):
            if left and left[-1] == line:
                left.pop()
            else:
                assert re.match(r" *(//|/\*\*| \*)", line), (path, line)
        assert not left, path
    served = FILES["shell/static/photos.mjs"].decode()
    assert "@param" not in served
    assert served.startswith("\nimport")


class Seen(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((name, dict(attributes)))


@pytest.mark.parametrize("language", list(Language))
def test_the_page_loads_the_companion_first_and_all_that_streamlit_needs(
    language: Language,
) -> None:
    tags = Seen(page_of(language)).tags
    assert ("html", {"lang": language.value}) in tags
    assert ("div", {"id": "root"}) in tags
    scripts = [found["src"] or "" for name, found in tags if name == "script"]
    assert scripts[0] == f"./{asset_address('shell/static/page.mjs')}"
    assert scripts[1].startswith("./static/js/index.")
    preloaded = [found["href"] for _, found in tags if found.get("rel") == "modulepreload"]
    for path in SCRIPTS["shell/static/page.mjs"]:
        assert f"./{asset_address(path)}" in preloaded
    links = [found.get("href") or "" for _, found in tags]
    assert any(each.startswith("./static/css/index.") for each in links)
    own = [each.removeprefix("./") for each in [*scripts, *links] if "/assets/" in each]
    assert len(own) > 5
    assert all(ask(f"/{each}").status == 200 for each in own)


SHARED = ("page.title", "page.no_connection", "copies.none", "page.close")


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize(
    ("page", "codes"),
    [
        (page_of, (*SHARED, "page.needs_javascript", "camera.aim", "camera.refused")),
        (page_without_connection, (*SHARED, "page.not_kept")),
    ],
)
def test_all_that_a_page_says_is_in_its_language(
    page: Callable[[Language], str], codes: tuple[str, ...], language: Language
) -> None:
    text = unescape(page(language))
    (other,) = set(Language) - {language}
    assert all(say(code, language) in text for code in codes)
    assert [code for code in codes if say(code, other) in text] == []
    found = Seen(page(language)).tags
    (words,) = [each["content"] for _, each in found if each.get("name") == "copies-words"]
    given = say("copies.given.several", language, count="{count}")
    assert json.loads(words or "")["given.several"] == given


def test_camera_and_copies_have_all_their_words() -> None:
    found = Seen(page_of(Language.ENGLISH)).tags
    words = {
        name: json.loads(each["content"] or "")
        for name in ("camera", "copies")
        for _, each in found
        if each.get("name") == f"{name}-words"
    }
    of_camera = {code.removeprefix("camera.") for code in codes() if code.startswith("camera.")}
    assert words["camera"].keys() == of_camera
    assert words["copies"].keys() == {"title", "none", "given.one", "given.several", "close"}


def test_the_parts_of_a_page_without_a_connection_have_all_that_they_load() -> None:
    kept = needed_without_connection()
    tags = Seen(page_without_connection(Language.ENGLISH)).tags
    (later,) = [each["content"] for _, each in tags if each.get("name") == "scripts"]
    for module, needed in json.loads(later or "").items():
        assert {f"./{asset_address(path)}" for path in (module, *needed)} <= {*kept}
        assert {*needed, *SCRIPTS["shell/static/offline.mjs"]} >= {*SCRIPTS[module]}
    assert f"./{asset_address('kingdomino/static/board.css')}" in kept


def test_neither_streamlits_icons_nor_scripts_in_the_page_are_taken() -> None:
    page = """<html><head><link rel="shortcut icon" href="./favicon.png" />
        <script>window.a = "<script src=x>"</script><script type="module" crossorigin src="./a.js">
        </script><link rel="service-desc" href="./api"><link rel="modulepreload" href="./b.js">
        <link rel="stylesheet" crossorigin href="./c.css"></head></html>"""
    assert tags_of(page) == (
        '<script type="module" crossorigin src="./a.js"></script>'
        '<link rel="modulepreload" href="./b.js">'
        '<link rel="stylesheet" crossorigin href="./c.css">'
    )


def test_a_page_of_streamlit_without_a_script_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a script"):
        tags_of("<html><head><script>1</script></head></html>")
