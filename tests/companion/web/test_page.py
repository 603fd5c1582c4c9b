"""The page as Streamlit runs it: which view an address shows; surfaces can't be driven here."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from companion.games.kingdomino.kind import KINGDOMINO
from companion.store import Actor
from companion.web import shared_state
from companion.web.request import DEVICE_COOKIE
from companion.web.script import SCRIPT


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
