"""The history: games by month in portions, how many there are, found by kind and player."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from companion.store import Actor, Change, Store
from companion.store.history import delete_game, find_games
from companion.web.history import act_on_history, history_markup
from companion.web.request import KEEP_GAMES_COOKIE
from companion.web.shell import Act
from companion.web.visit import Visit
from tests.companion.store.many_games import CLUB, add_games
from tests.companion.web.kingdomino.conftest import visit as visit


@pytest.fixture
def years(store: Store, visit: Visit) -> Store:
    """120 games of the visitor from February to June, and games of others between them."""
    for number in range(120):
        first = datetime(2025, 2, 1, 18, tzinfo=UTC).replace(
            month=2 + number // 28, day=1 + number % 28
        )
        members = CLUB if number % 2 else ("Anna", "Ben")
        add_games(store, 1, lambda _: visit.device, first, f"own{number}-", members)
    add_games(
        store, 30, lambda _: "another", datetime(2025, 3, 1, tzinfo=UTC), "other", ("Zoe", "Max")
    )
    store.create_game("muggins", {"players": [{"id": 0, "name": "Ben"}]}, visit.actor)
    return store


def test_a_patience_that_did_not_come_out_is_over(store: Store, visit: Visit) -> None:
    parts = {
        "players": [{"id": 0, "name": "Anna"}],
        "rules": {"set": 6},
        "round:1": {"hand": {"tiles": "1|2 3|4"}},
    }
    game = store.create_game("castle_rock", parts, visit.actor)
    assert "Anna, 10 Punkte" in history_markup(visit)
    store.change(game.id, Change("round:1", {"hand": None}, 1, "again"), visit.actor)
    assert "Anna, noch offen" in history_markup(visit)


def games_in(markup: str) -> list[str]:
    return re.findall(r"game=([a-zA-Z0-9_-]+)", markup)


def test_all_games_come_fifty_at_a_time_each_once(years: Store, visit: Visit) -> None:
    first = history_markup(visit)
    assert "121 Partien" in first
    assert len(set(games_in(first))) == 50
    for _ in range(5):
        more = re.search(r'data-do="more" data-value="(\d+)"', history_markup(visit))
        if more is None:
            break
        act_on_history(visit, Act("more", more[1]))
    whole = history_markup(visit)
    assert len(games_in(whole)) == len(set(games_in(whole))) == 121
    assert not any(each.startswith("other") for each in games_in(whole))
    assert games_in(whole)[:50] == games_in(first)


def test_games_are_grouped_by_month_also_across_portions(years: Store, visit: Visit) -> None:
    act_on_history(visit, Act("more", "150"))
    months = re.findall(r'<h2 class="minor">(\w+ \d+)</h2>', history_markup(visit))
    assert months[1:] == ["Juni 2025", "Mai 2025", "April 2025", "März 2025", "Februar 2025"]


def test_a_player_and_a_kind_are_chosen(years: Store, visit: Visit) -> None:
    everything = history_markup(visit)
    assert '<option value="Anna">' in everything
    assert "Zoe" not in everything
    assert "kind=muggins" in everything
    visit.parameters = {"view": "history", "kind": "muggins"}
    assert "1 Partie<" in history_markup(visit)
    visit.parameters = {"view": "history", "player": "cleo"}
    of_cleo = history_markup(visit)
    assert "60 Partien" in of_cleo
    assert all(int(each.split("-")[0][3:]) % 2 for each in games_in(of_cleo))
    visit.parameters = {"view": "history", "kind": "muggins", "player": "Cleo"}
    assert "Keine Partie gefunden." in history_markup(visit)


def test_a_search_begins_at_its_top(years: Store, visit: Visit) -> None:
    act_on_history(visit, Act("more", "150"))
    act_on_history(visit, Act("search", "ben"))
    assert len(games_in(history_markup(visit))) == 50


@pytest.mark.parametrize("value", ["", "-5", "x", "99999999999999999999"])
def test_odd_numbers_of_games_do_no_harm(visit: Visit, value: str) -> None:
    act_on_history(visit, Act("more", value))
    assert "Keine Partie gefunden." in history_markup(visit)


def test_what_was_chosen_stays_when_more_is_chosen(
    years: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The links to the kinds name the player, choosing a player keeps the kind."""
    monkeypatch.setattr(Visit, "go", lambda self, **where: setattr(self, "parameters", where))
    visit.parameters = {"view": "history", "kind": "kingdomino"}
    act_on_history(visit, Act("player", "Cleo"))
    assert visit.parameters == {"view": "history", "kind": "kingdomino", "player": "Cleo"}
    page = history_markup(visit)
    assert "view=history&amp;kind=muggins&amp;player=Cleo" in page
    assert "view=history&amp;player=Cleo" in page
    assert "60 Partien" in page


def test_a_game_that_was_deleted_by_mistake_comes_back_by_the_notice(
    years: Store, visit: Visit
) -> None:
    first, second = games_in(history_markup(visit))[:2]
    act_on_history(visit, Act("delete", first))
    act = visit.undo
    act_on_history(visit, Act("delete", second))
    assert not {first, second} & {*games_in(history_markup(visit))}
    for back in (visit.undo, act):
        assert back is not None
        back()
    assert games_in(history_markup(visit))[:2] == [first, second]


def test_sixty_of_those_deleted_can_come_back(years: Store, visit: Visit) -> None:
    games = [each.id for each in find_games(years, device=visit.device, limit=61)]
    for game in games:
        delete_game(years, game, visit.actor)
    shown = re.findall(r'data-key="gone-([a-zA-Z0-9_-]+)"', history_markup(visit))
    assert shown == games[:60]


def test_what_was_brought_in_is_counted(visit: Visit) -> None:
    act_on_history(visit, Act("import", "3 20"))
    assert visit.notice == "3 neu, 20 schon da."


def test_nobody_deletes_or_sees_deleted_what_they_never_had(years: Store, visit: Visit) -> None:
    theirs = find_games(years, device="another", limit=1)[0].id
    act_on_history(visit, Act("delete", theirs))
    assert years.game(theirs).deleted_at is None
    delete_game(years, theirs, Actor("another"))
    assert theirs not in history_markup(visit)


def test_what_was_chosen_is_marked_and_can_be_taken_back(years: Store, visit: Visit) -> None:
    chosen = r'class="button chosen">(.*?)</a>'
    act_on_history(visit, Act("search", "Anna"))
    page = history_markup(visit)
    assert re.findall(chosen, page) == [visit.say("history.all_kinds")]
    assert 'value="Anna" data-do="search"' in page
    visit.parameters = {"view": "history", "kind": "muggins", "player": "Nobody"}
    page = history_markup(visit)
    assert re.findall(chosen, page) == ["Muggins"]
    assert '<option value="Nobody" selected>' in page


def test_another_player_is_shown_from_the_last_game_on(
    years: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Visit, "go", lambda self, **where: setattr(self, "parameters", where))
    act_on_history(visit, Act("more", "150"))
    act_on_history(visit, Act("player", "Ben"))
    assert len(games_in(history_markup(visit))) == 50


def test_copies_on_the_phone_are_agreed_to_for_themselves(visit: Visit) -> None:
    assert f'data-do="copies" data-remember="{KEEP_GAMES_COOKIE}" checked' in history_markup(visit)
    act_on_history(visit, Act("copies", "false"))
    assert (visit.keep_games, visit.keep_photos) == (False, False)
    page = history_markup(visit)
    assert f'data-do="copies" data-remember="{KEEP_GAMES_COOKIE}">' in page


def test_games_are_saved_to_be_brought_in_again_or_as_a_table(visit: Visit) -> None:
    saved = re.findall(
        r'<a href="saved/([^"]*)"[^>]*><svg.*?</svg>(.*?)</a>', history_markup(visit)
    )
    assert saved == [
        ("companion.json", visit.say("history.export")),
        ("companion.csv", visit.say("history.csv")),
    ]
