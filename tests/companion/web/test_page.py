"""The page as Streamlit runs it: which view an address shows; surfaces can't be driven here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
import streamlit
from sqlalchemy.exc import OperationalError
from streamlit.testing.v1 import AppTest

from companion.games.domino_duell.kind import DOMINO_DUELL
from companion.games.kingdomino.kind import KINGDOMINO
from companion.languages import Language
from companion.store import Actor, Game, Store
from companion.store.history import RECENT_GAMES
from companion.web import page as web_page
from companion.web import shared_state
from companion.web import visit as web_visit
from companion.web.games import GAMES
from companion.web.request import (
    DEVICE_COOKIE,
    KEEP_GAMES_COOKIE,
    KEEP_PHOTOS_COOKIE,
    KEEP_SQUARES_COOKIE,
)
from companion.web.script import SCRIPT
from companion.web.shared_state import SharedState
from companion.web.shell import Act, joined
from companion.web.visit import Visit
from tests.companion.store.many_games import CLUB, add_games
from tests.companion.web.test_shared_state import jpeg

FIRST = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def empty_store(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("KINGDOMINO_DATABASE_URL", empty_url)
    yield
    shared_state.shared_state().store.close()


def shown(locale: str = "de-DE", **parameters: str) -> str:
    """All markup of the page at an address."""
    page = AppTest.from_file(SCRIPT, default_timeout=60)
    page.context = {"locale": locale}
    for name, value in parameters.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception, page.exception
    return "".join(
        json.loads(each.proto.json).get("markup", "")
        for each in page.get("bidi_component")
        if each.proto.component_name.endswith("companion_surface")
    )


@pytest.mark.parametrize(
    ("view", "german", "english"),
    [
        ("", "Wer hat gewonnen?", "Who won?"),
        ("history", "Keine Partie gefunden.", "No game found."),
        ("statistics", "Fertige Partien", "Finished games"),
        ("help", "Wertung in Kürze", "Scoring in short"),
    ],
)
def test_every_view_in_both_languages(view: str, german: str, english: str) -> None:
    assert german in shown(view=view)
    assert english in shown("en-GB", view=view)


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        (
            "de-DE",
            "Die Partien sind gerade nicht zu erreichen. Bitte die Seite gleich noch einmal laden.",
        ),
        (
            "en-GB",
            "The games can't be reached right now. Please load the page again in a moment.",
        ),
    ],
    ids=["de", "en"],
)
@pytest.mark.parametrize("url", ["sqlite:////nowhere/games.sqlite", "no address"])
def test_where_the_database_is_not_there_the_page_says_so_in_its_language(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    url: str,
    locale: str,
    said: str,
) -> None:
    page = AppTest.from_file(SCRIPT, default_timeout=60)
    page.context = {"locale": locale}
    with monkeypatch.context() as patch:
        patch.setenv("KINGDOMINO_DATABASE_URL", url)
        page.run()
    assert [each.value for each in page.error] == [said]
    assert not page.exception
    # Who runs the server finds out why.
    assert caplog.records[-1].exc_info is not None


@pytest.mark.parametrize(
    ("kind", "view"),
    [(KINGDOMINO.key, ""), (KINGDOMINO.key, "result"), (DOMINO_DUELL.key, "")],
    ids=["board", "result", "duel"],
)
def test_a_part_that_draws_itself_says_so_where_the_database_goes_away(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, kind: str, view: str
) -> None:
    players = [{"id": 0, "name": "Anna"}, {"id": 1, "name": "Ben"}]
    game = shared_state.shared_state().store.create_game(kind, {"players": players}, Actor())

    def away(*_: object) -> Game:
        raise OperationalError("select", {}, Exception("no connection"))

    monkeypatch.setattr(Visit, "catch_up", lambda _: monkeypatch.setattr(Store, "game", away))
    page = AppTest.from_file(SCRIPT, default_timeout=60)
    page.context = {"locale": "de-DE"}
    page.query_params["game"] = game.id
    page.query_params["view"] = view
    page.run()
    said = "Die Partien sind gerade nicht zu erreichen. Bitte die Seite gleich noch einmal laden."
    assert [each.value for each in page.error] == [said]
    assert not page.exception
    assert caplog.records[-1].exc_info is not None


def test_a_game_by_its_link() -> None:
    store = shared_state.shared_state().store
    players = [{"id": 0, "name": "Anna & <b>"}, {"id": 1, "name": "Ben"}]
    game = store.create_game(KINGDOMINO.key, {"players": players}, Actor("another-device"))
    assert "Anna &amp; &lt;b&gt;" in shown(game=game.id)
    assert "Es fehlt noch" in shown(game=game.id, view="result")
    assert "Regeln dieser Partie" in shown(game=game.id, view="players")
    assert store.devices(game.id) == 4


@pytest.mark.parametrize("game", ["nothing", "../..", "x" * 3000])
def test_a_link_to_nothing_says_so(game: str) -> None:
    assert "Diese Partie gibt es nicht." in shown(game=game)


def test_the_device_is_named_by_a_cookie() -> None:
    assert DEVICE_COOKIE.isascii()


def test_what_was_agreed_to_is_remembered_each_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    names = (KEEP_PHOTOS_COOKIE, KEEP_SQUARES_COOKIE, KEEP_GAMES_COOKIE)
    for chosen in names:
        cookies = {chosen: "false" if chosen == KEEP_GAMES_COOKIE else "true"}
        monkeypatch.setattr(type(streamlit.context), "cookies", cookies)
        visit = AppTest.from_file(SCRIPT, default_timeout=60).run().session_state["visit"]
        found = (visit.keep_photos, visit.keep_squares, not visit.keep_games)
        assert found == tuple(name == chosen for name in names)


def test_a_refusal_is_said_on_its_page_only_and_an_undo_stays() -> None:
    page = AppTest.from_file(SCRIPT, default_timeout=60).run()
    for undo, said in ((None, ""), (print, "Das geht nicht.")):
        page.session_state["visit"].notify("Das geht nicht.", undo)
        page.run()
        assert page.session_state["visit"].notice == "Das geht nicht."
        page.query_params["view"] = "history" if undo is None else "statistics"
        page.run()
        assert page.session_state["visit"].notice == said


def drawn(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Callable[[Act], None]]]:
    """The notice of a page, with what its buttons do; none where there is nothing to say."""
    found: list[tuple[str, Callable[[Act], None]]] = []

    def show(markup: str, *, key: str, on_act: Callable[[Act], None]) -> None:
        found.append((markup, on_act))

    monkeypatch.setattr(web_page, "show_markup", show)
    web_page._show_notice(visit)
    return found


def test_a_notice_offers_what_it_can_do_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.GERMAN)
    done: list[str] = []
    assert drawn(visit, monkeypatch) == []
    visit.notify("Zu dunkel.", lambda: done.append("read"), "page.read_anyway")
    ((bar, act),) = drawn(visit, monkeypatch)
    assert joined("Zu dunkel.") in bar
    assert joined(visit.say("page.read_anyway")) in bar
    assert visit.say("page.undo") not in bar
    for _ in range(2):
        act(Act("undo"))
    assert done == ["read"]
    assert drawn(visit, monkeypatch) == []
    visit.notify("Gelöscht.", lambda: done.append("back"))
    ((bar, act),) = drawn(visit, monkeypatch)
    assert joined(visit.say("page.undo")) in bar
    act(Act("close"))
    act(Act("undo"))
    assert (done, visit.notice) == (["read"], "")


def test_statistics_are_those_of_one_s_own_games(store: Store) -> None:
    add_games(store, 2, lambda number: ("mine", "theirs")[number], FIRST, "game")
    visit = Visit(SharedState(store), "mine", Language.GERMAN)
    kingdomino = GAMES[0]
    found = web_page._players(visit, kingdomino)
    assert {each.games for each in found} == {1}
    assert "<td>1</td>" in web_page.statistics_markup(visit, kingdomino, found)
    one = replace(found[0], wins=2, mean=40.5, best=71, worst=13)
    row = "<td>1</td><td>2</td><td>40,5</td><td>71</td>"
    assert row in web_page.statistics_markup(visit, kingdomino, [one])
    nobody = replace(visit, device="nobody")
    assert web_page._players(nobody, kingdomino) == []


def test_photos_of_a_game_that_somebody_looks_at_stay(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nothing is done for long: a page asks for changes, and that is enough."""
    monkeypatch.setattr(streamlit, "rerun", lambda: None)
    visit = Visit(SharedState(store), "device-of-anna-1", Language.GERMAN)
    game = store.create_game(KINGDOMINO.key, {}, visit.actor)
    photo = visit.photos.put(jpeg(), "device-of-ben-12")
    visit.photos.give_to(photo, game.id)
    photo.used_at = before = photo.used_at - 50.0
    # Without a page Streamlit leaves out what draws itself.
    vars(web_visit)["look_for_changes"].__wrapped__(visit, game.id)
    assert photo.used_at > before


def test_a_page_that_asks_while_the_database_is_away_asks_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_again: list[str] = []
    monkeypatch.setattr(streamlit, "rerun", lambda: drawn_again.append("again"))
    visit = Visit(SharedState(store), "device-of-anna-1", Language.GERMAN)
    game = store.create_game(KINGDOMINO.key, {"players": []}, visit.actor)

    def away(*_: object) -> None:
        raise OperationalError("select", {}, Exception("no connection"))

    with monkeypatch.context() as patch:
        patch.setattr(Store, "changes_since", away)
        vars(web_visit)["look_for_changes"].__wrapped__(visit, game.id)
    assert drawn_again == []
    vars(web_visit)["look_for_changes"].__wrapped__(visit, game.id)
    assert drawn_again == ["again"]


def test_statistics_of_the_kind_in_the_address_say_where_the_chart_has_the_last_games_only(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_games(store, 2, lambda _: "mine", FIRST, "game")
    add_games(store, 10, lambda _: "mine", FIRST, "club", CLUB)
    found: dict[str, Any] = {}
    for name in ("show_markup", "show_chart"):
        monkeypatch.setattr(web_page, name, lambda shown, key: found.update({key: shown}))
    visit = Visit(SharedState(store), "mine", Language.GERMAN)
    web_page.show_statistics(visit)
    note = visit.say("statistics.last_games", count=RECENT_GAMES)
    assert note not in found["over-time-title"]
    # All are in the table, those with most wins in the charts.
    assert found["statistics"].count('<th scope="row">') == len(CLUB)
    for chart in ("over-time", "by-source"):
        names = {row["player"] for row in found[chart].to_dict()["data"]["values"]}
        assert (len(names), names < {*CLUB}) == (8, True)
    monkeypatch.setattr("companion.store.history.RECENT_GAMES", 5)
    web_page.show_statistics(visit)
    assert note in found["over-time-title"]
    found.clear()
    visit.parameters = {"view": "statistics", "kind": "muggins"}
    web_page.show_statistics(visit)
    assert visit.say("statistics.empty") in found["statistics"]
    assert found.keys() == {"statistics"}
