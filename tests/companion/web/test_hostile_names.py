"""Every view of every game with names of people that a careless page would read as markup."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from companion.store import Actor, StoreError
from companion.store.exchange import export_games, import_games
from companion.store.tables import ReadingRow
from companion.web import shared_state
from companion.web.script import SCRIPT
from tests.companion.web.hostile_games import HOSTILE, REFUSED, TITLE, addresses, make_games

DEVICE = "a-device-of-this-test"
TAGS = (
    " a b br button caption circle code dd details div dl dt ellipse em figcaption figure footer g "
    "h1 h2 h3 h4 header hr i img input label legend fieldset li line main nav ol option p path "
    "polygon polyline rect section select small span strong summary svg table tbody td text "
    "textarea th thead time title tr ul use "
)
"""Elements that pages are made of."""
LINKS = ("?", "./", "#", "saved/", "photo/", "card/", "language/", "bgstats://app.")
DRAWN = frozenset({"bidi_component", "arrow_vega_lite_chart", "vega_lite_chart"})
"""The only elements of Streamlit's on any page: neither of them reads a text as Markdown."""


class Markup(HTMLParser):
    """What a browser would make of a piece of a page: its texts, and whatever may do harm."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.harm: list[str] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if f" {tag} " not in TAGS:
            self.harm.append(f"<{tag}>")
        for name, value in attrs:
            text = value or ""
            self.texts.append(text)
            if name.startswith("on") or name == "srcdoc" or "<" in name or '"' in name:
                self.harm.append(f"{tag} {name}")
            links = name in ("href", "src", "action", "formaction", "xlink:href")
            if links and not text.startswith(LINKS):
                self.harm.append(f"{tag} {name}={text}")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.harm.append(f"<!--{data}")

    def handle_decl(self, decl: str) -> None:
        self.harm.append(f"<!{decl}")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, list[str]]]:
    address = f"sqlite:///{(tmp_path_factory.mktemp('games') / 'games.sqlite').as_posix()}"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("KINGDOMINO_DATABASE_URL", address)
        patched.setattr("companion.web.visit.known_device", lambda _: DEVICE)
        store = shared_state.shared_state().store
        yield make_games(store, Actor(DEVICE))
        store.close()


def shown(parameters: dict[str, str]) -> AppTest:
    page = AppTest.from_file(SCRIPT, default_timeout=60)
    page.context = {"locale": "en-GB"}
    for name, value in parameters.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception, (parameters, page.exception)
    return page


def elements(page: AppTest) -> Iterator[Any]:
    waiting: list[Any] = [page._tree.main]
    while waiting:
        block = waiting.pop()
        for child in block.children.values():
            if hasattr(child, "children"):
                waiting.append(child)
            else:
                yield child


def texts_of(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for each in value.values():
            yield from texts_of(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_of(each)
    elif isinstance(value, str):
        yield value


def seen_at(parameters: dict[str, str]) -> str:
    """All texts of a view, after it was made sure that nothing in it does harm."""
    found: list[str] = []
    page = shown(parameters)
    for element in elements(page):
        assert element.type in DRAWN, (parameters, element.type)
        if element.type != "bidi_component":
            found.append(str(element.proto))
            continue
        data = json.loads(element.proto.json or "{}")
        if "markup" in data:
            markup = Markup(data["markup"])
            assert markup.harm == [], parameters
            found += markup.texts
        else:
            found += texts_of(data)
    return "\n".join(found)


@pytest.mark.slow
def test_no_view_of_any_game_reads_a_name_as_markup(games: dict[str, list[str]]) -> None:
    views = addresses(games)
    assert len(views) > 70
    seen = {json.dumps(view): seen_at(view) for view in views}
    everywhere = "\n".join(seen.values())
    for name in HOSTILE:
        assert everywhere.count(name) > 3, name
    assert TITLE in everywhere
    for kind, ids in games.items():
        of_game = "\n".join(text for view, text in seen.items() if ids[0] in view)
        assert any(name in of_game for name in HOSTILE), kind


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_name_is_refused(games: dict[str, list[str]], what: str) -> None:
    store = shared_state.shared_state().store
    for kind in games:
        players = [{"id": 0, "name": REFUSED[what]}]
        with pytest.raises(StoreError) as refused:
            store.create_game(kind, {"players": players}, Actor(DEVICE))
        assert refused.value.code in ("bad_players", "bad_value"), kind


WILD = ("x" * 5000, "-1", "9" * 4000, "²", "<img src=x onerror=fail()>")


@pytest.mark.slow
@pytest.mark.parametrize("text", WILD)
def test_addresses_that_anybody_may_make_up_show_a_page(
    games: dict[str, list[str]], text: str
) -> None:
    for name in ("game", "view", "new", "kind"):
        seen_at({name: text})
    further = ("seat", "round", "number", "lit", "readings", "photo", "back")
    for kind, ids in games.items():
        seen_at({"game": ids[0], "view": "hand", **dict.fromkeys(further, text)})
        seen_at({"new": kind, "like": text})
    for view in ("result", "whose"):
        seen_at({"game": games["kingdomino"][0], "view": view, **dict.fromkeys(further, text)})


GARBAGE: tuple[dict[str, Any], ...] = (
    {},
    {"reading": None, "photo": None, "width": 1, "height": 1},
    {"reading": {"kingdom": "w"}, "photo": 5, "width": 1e300, "height": -1},
    {"dominoes": [{"tile": "9|99"}], "photo": 1, "width": "x", "height": {}, "set": []},
    {"dominoes": [5], "photo": "../../x", "width": 1, "height": 1, "set": 6, "warnings": ["<b>"]},
)


@pytest.mark.parametrize("data", [None, [], "reading", 5, *GARBAGE])
def test_what_is_no_reading_does_not_come_in(games: dict[str, list[str]], data: object) -> None:
    store = shared_state.shared_state().store
    export = export_games(store, device=DEVICE)
    export["games"][0]["readings"] = {"odd": data}
    with pytest.raises(StoreError, match="bad_import"):
        import_games(store, export, "another-device")


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(GARBAGE)))
def test_readings_that_are_none_do_no_harm(games: dict[str, list[str]], number: int) -> None:
    """A store may hold what came in before readings were checked; the id of a game from a file may
    have two underscores, which Streamlit wants for itself.
    """
    store = shared_state.shared_state().store
    export = export_games(store, device=DEVICE)
    own = {game_id for ids in games.values() for game_id in ids}
    export["games"] = [game for game in export["games"] if game["id"] in own]
    for game in export["games"]:
        game["id"] = f"garbage__{number}_{game['id']}"[:40]
        game["readings"] = {}
        for change in game["changes"]:
            change["change_id"] = f"{number}{change['change_id']}"[:64]
            change.update({key: _with_reading(change[key]) for key in ("value", "sent")})
        for collision in game["collisions"]:
            collision.update({key: _with_reading(collision[key]) for key in ("kept", "other")})
    assert import_games(store, export, "another-device").new == len(export["games"])
    for game in export["games"]:
        with store.writing() as session:
            session.add(ReadingRow(game_id=game["id"], id="odd", data=GARBAGE[number]))
        seen_at({"game": game["id"]})
        if game["kind"] not in ("kingdomino", "domino_duell"):
            seen_at({"game": game["id"], "view": "hand", "seat": "2"})


def _with_reading(value: Any) -> Any:
    """The same value, naming the odd reading wherever one is named."""
    if isinstance(value, dict):
        return {
            key: "odd" if key == "reading" else _with_reading(each) for key, each in value.items()
        }
    return [_with_reading(each) for each in value] if isinstance(value, list) else value
