"""What a phone sends of a hand, believed only after a look; whose a tile is."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image

from companion.games.pip_dominoes.kept import KeptHand, KeptTile
from companion.games.pip_dominoes.kept_reading import KeptHandReading
from companion.games.pip_dominoes.kind import rounds_of
from companion.games.pip_dominoes.table import DominoTable, new_table
from companion.languages import Language, say
from companion.store import Actor, Store
from companion.store.photos import photos_of
from companion.web.pip_dominoes import hand_view as web_hand_view
from companion.web.pip_dominoes.hand_view import _act as hand_act
from companion.web.pip_dominoes.hand_view import _foot, _keep, _named, changed_hand, hand_state
from companion.web.pip_dominoes.parts import table_of, take_photo
from companion.web.shared_state import SharedState
from companion.web.shell import Act, joined
from companion.web.shell.bridge import Message
from companion.web.visit import Visit
from scorer.pip_dominoes import Hand, Tile
from tests.companion.games.pip_dominoes.hands import hand_of
from vision.pip_dominoes.result import HandReading

BEFORE = KeptHand((KeptTile(Tile(5, 9), 0, True),), reading="r1")


def test_a_changed_hand_keeps_its_reading() -> None:
    sent = {"hand": {"tiles": "5|8 1|2", "places": [0, None]}}
    found = changed_hand(sent, BEFORE, dominoes=1)
    assert found == KeptHand((KeptTile(Tile(5, 8), 0), KeptTile(Tile(1, 2))), reading="r1")
    counted = changed_hand({"hand": {"counted": 7}}, BEFORE, dominoes=1)
    assert counted == KeptHand(counted=7, reading="r1")


@pytest.mark.parametrize(
    "hand",
    [
        None,
        "5|9",
        {"tiles": "5|19"},
        {"tiles": "5|9", "places": [1]},
        {"tiles": "5|9", "reading": "r2"},
        {"counted": -3},
    ],
    ids=str,
)
def test_what_a_piece_does_not_send_changes_nothing(hand: Any) -> None:
    assert changed_hand({"hand": hand}, BEFORE, dominoes=1) is None


def test_the_pad_knows_the_middle_and_the_other_hands(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    rules = {"set": 9, "rounds": None, "first": 0}
    table = new_table(store, "chickenfoot", ["Anna", "Ben"], rules, Actor("device-of-anna-1"))
    table.set_hand(2, 1, KeptHand.of_tiles([Tile(3, 4)]))
    state = hand_state(visit, table, 2, 0)
    assert (state["middle"], state["costs"], state["highest"]) == ("8|8", True, 9)
    assert state["elsewhere"] == {"3|4": "Ben"}
    assert (state["hand"], state["photo"], state["counting"]) == (None, None, True)
    assert hand_state(visit, table, 10, 0)["costs"] is False


def picture() -> bytes:
    file = BytesIO()
    Image.new("RGB", (400, 300), (90, 60, 40)).save(file, "PNG")
    return file.getvalue()


def table_with_photo(store: Store, visit: Visit) -> DominoTable:
    rules = {"set": 12, "rounds": None, "first": 0}
    made = new_table(store, "chickenfoot", ["Anna", "Ben"], rules, visit.actor)
    table = DominoTable(store, made.game_id, visit.actor, lambda data, highest: hand_of("5|9 0|0"))
    photo = visit.photos.put(picture(), visit.device)
    assert take_photo(visit, table, 1, 0, [photo.id]) is not None
    visit.photos.drop(photo.id)
    return table


def test_a_photo_that_was_not_kept_is_shown_no_more(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    table = table_with_photo(store, visit)
    state = hand_state(visit, table, 1, 0)
    assert (state["photo"], state["hand"]["tiles"]) == (None, "5|9 0|0")
    assert photos_of(store, table.game_id) == []


def test_a_photo_that_people_keep_stays(store: Store, for_workers: list[bytes]) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH, keep_photos=True)
    table = table_with_photo(store, visit)
    (kept,) = photos_of(store, table.game_id)
    assert len(for_workers) == 1
    photo = hand_state(visit, table, 1, 0)["photo"]
    assert (photo["address"], photo["width"], photo["height"]) == (f"photo/{kept.id}", 400, 300)
    assert len(photo["dominoes"]) == 2


def test_an_address_from_elsewhere_is_not_shown(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    table = table_with_photo(store, visit)
    reading = KeptHandReading.of(hand_of("5|9"), "x');background:url(//elsewhere/", 400, 300)
    reading_id = store.keep_reading(table.game_id, reading.to_data())
    table.set_hand(1, 1, reading.hand(reading_id))
    assert hand_state(visit, table, 1, 1)["photo"] is None


def test_a_patience_against_the_clock_takes_tiles_and_no_number(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    rules = {"set": 6, "challenge": "clock"}
    table = new_table(store, "castle_rock", ["Anna"], rules, Actor("device-of-anna-1"))
    assert hand_state(visit, table, 1, 0)["counting"] is False
    rules = {"set": 6, "challenge": "pips"}
    table = new_table(store, "castle_rock", ["Anna"], rules, Actor("device-of-anna-1"))
    assert hand_state(visit, table, 1, 0)["counting"] is True


def test_what_a_phone_sends_again_after_a_restart_undoes_nobodys_correction(store: Store) -> None:
    rules = {"set": 9, "rounds": None, "first": 0}
    table = new_table(store, "chickenfoot", ["Anna", "Ben"], rules, Actor("device-of-anna-1"))
    corrected = KeptHand.of_tiles([Tile(3, 4)])
    table.set_hand(1, 0, corrected)
    old = Message("phone00001", 3, (), {"hand": {"tiles": "3|5"}, "before": None}, first=True)
    _keep(table, 1, 0, old)
    assert table.hand(1, 0) == corrected
    # What was made from the hand as it is, or is not the first that was heard of, counts.
    _keep(table, 1, 0, replace(old, data={**old.data, "before": corrected.to_data()}))
    assert table.hand(1, 0) == KeptHand.of_tiles([Tile(3, 5)])
    _keep(table, 1, 0, replace(old, data={**old.data, "hand": {"tiles": "3|6"}}, first=False))
    assert table.hand(1, 0) == KeptHand.of_tiles([Tile(3, 6)])
    _keep(table, 1, 0, replace(old, data={"before": None}, first=False))
    assert table.hand(1, 0) is not None
    # Where everything is undone, the round waits for that player again.
    _keep(table, 1, 0, replace(old, data={"hand": None, "before": None}, first=False))
    assert table.hand(1, 0) is None


def test_the_photo_of_a_later_round_is_the_hand_of_that_round(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    made = new_table(store, "chickenfoot", ["Anna", "Ben"], {"set": 12}, visit.actor)
    table = DominoTable(store, made.game_id, visit.actor, lambda data, highest: hand_of("5|9"))
    photo = visit.photos.put(picture(), visit.device)
    hand_act(visit, table, 2, 1, Act("photo", f"hand:2:1|{photo.id}"))
    hand = table.hand(2, 1)
    assert hand is not None
    assert hand.left == Hand.parse("5|9")
    assert table.hand(1, 1) is None


def test_a_hand_that_is_removed_leads_back_to_where_it_was_opened(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At Muggins that is the end of the round, also where the hand was the last one of it."""
    monkeypatch.setattr(Visit, "go", lambda self, **where: self.parameters.update(where))
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    for kind, view in (("muggins", "end"), ("chickenfoot", "")):
        table = new_table(store, kind, ["Anna", "Ben"], {}, visit.actor)
        for player in (0, 1):
            table.set_hand(1, player, KeptHand(counted=5))
        hand_act(visit, table, 1, 1, Act("remove"))
        assert (visit.parameters["game"], visit.view) == (table.game_id, view)
        assert table.hand(1, 1) is None


def test_the_address_of_a_hand_names_a_round_that_has_begun_or_is_next(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    table = new_table(store, "muggins", ["Anna", "Ben"], {}, visit.actor)
    for number, expected in ((0, 1), (1, 1), (2, 1)):
        visit.parameters = {"round": str(number), "seat": "2"}
        found, player = _named(visit, table.game)
        assert (found, player.name) == (expected, "Ben")
    for player_id in (0, 1):
        table.set_hand(1, player_id, KeptHand(counted=5))
    for number, expected in ((1, 1), (2, 2), (3, 2)):
        visit.parameters = {"round": str(number), "seat": "9"}
        found, player = _named(visit, table.game)
        assert (found, player.name) == (expected, "Anna")


def test_what_is_odd_about_a_photo_is_said_as_long_as_the_hand_comes_from_it(
    store: Store,
) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    table = new_table(store, "chickenfoot", ["Anna", "Ben"], {"set": 15}, visit.actor)
    seen = KeptHandReading.of(hand_of("5|9", warnings=("cut_off", "unread")), "photo-1", 400, 300)
    hand = seen.hand(store.keep_reading(table.game_id, seen.to_data()))
    anna = table.game.players[0]
    said = [
        *(say(f"domino_page.warning.{code}", visit.language) for code in ("cut_off", "unread")),
        say("domino_page.warning.other_set", visit.language, set=12),
    ]
    for kept in (hand, KeptHand(counted=7, reading=hand.reading)):
        table.set_hand(1, 0, kept)
        foot = _foot(visit, table, 1, anna, "./")
        assert all(joined(words) in foot for words in said)
        assert foot.count("<li>") == len(said)
    table.set_hand(1, 0, KeptHand(counted=7))
    assert "problems" not in _foot(visit, table, 1, anna, "./")


def test_of_several_photos_that_people_keep_each_is_shown_with_its_hand(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH, keep_photos=True)
    table = table_with_photo(store, visit)
    photo = visit.photos.put(picture(), visit.device)
    assert take_photo(visit, table, 1, 1, [photo.id]) is not None
    kept = [each.id for each in photos_of(store, table.game_id)]
    shown = [hand_state(visit, table, 1, player)["photo"]["address"] for player in (0, 1)]
    assert sorted(shown) == sorted(f"photo/{each}" for each in kept)
    assert len(set(shown)) == 2


def test_a_photo_of_a_hand_is_one_of_its_game(store: Store) -> None:
    """So all who play see it, and it stays for the evening."""
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    made = new_table(store, "chickenfoot", ["Anna", "Ben"], {"set": 12}, visit.actor)
    table = DominoTable(store, made.game_id, visit.actor, lambda data, highest: hand_of("5|9"))
    photo = visit.photos.put(picture(), visit.device)
    assert take_photo(visit, table, 1, 0, [photo.id]) is not None
    assert photo.game == table.game_id
    # The phone is told that it was dealt with, whatever became of it.
    assert visit.answered == 1
    take_photo(visit, table, 1, 0, ["nothing-there-at-all"])
    assert visit.answered == 2


def alone_on_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("show_markup", "show_part", "rerun_on_changes"):
        monkeypatch.setattr(web_hand_view, name, lambda *_, **__: None)


def test_each_hand_of_a_game_is_a_piece_of_its_own(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a phone still has to send of one must not come to another."""
    drawn: dict[str, object] = {}
    alone_on_its_page(monkeypatch)
    monkeypatch.setattr(
        web_hand_view, "piece", lambda name, data, *, key, **_: drawn.update({key: data["hand"]})
    )
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    for _ in range(2):
        table = new_table(store, "chickenfoot", ["Anna", "Ben"], {"set": 9}, visit.actor)
        for number in (1, 2):
            for player in (0, 1):
                table.set_hand(number, player, KeptHand(counted=10 * number + player))
                visit.parameters = {"round": str(number), "seat": str(player + 1)}
                web_hand_view.show_hand(visit, table.game)
    held = [10, 11, 20, 21] * 2
    assert list(drawn.values()) == [{"counted": each, "double_blank": False} for each in held]


def test_the_photo_of_a_hand_lies_under_its_dominoes_also_where_it_is_not_kept(
    store: Store,
) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    made = new_table(store, "chickenfoot", ["Anna", "Ben"], {"set": 12}, visit.actor)
    read = hand_of("5|9 3|4", {"3|4": "3|5"})
    table = DominoTable(store, made.game_id, visit.actor, lambda data, highest: read)
    taken = visit.photos.put(picture(), visit.device)
    assert take_photo(visit, table, 1, 0, [taken.id]) is not None
    photo = hand_state(visit, table, 1, 0)["photo"]
    assert photo["address"] == f"photo/{taken.id}"
    assert [each["runner"] for each in photo["dominoes"]] == [None, "3|5"]
    for domino, seen in zip(photo["dominoes"], read.dominoes, strict=True):
        np.testing.assert_allclose(domino["corners"], seen.corners)


def test_the_page_of_a_hand_keeps_what_is_done_in_the_round_and_for_the_player_of_its_address(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = Message("phone00001", 1, (), {"hand": {"tiles": "3|4"}})
    alone_on_its_page(monkeypatch)
    monkeypatch.setattr(web_hand_view, "piece", lambda *_, on_change, **__: on_change(sent))
    monkeypatch.setattr(
        web_hand_view, "show_part", lambda visit, markup, key, do: do(Act("penalty"))
    )
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    table = new_table(store, "chickenfoot", ["Anna", "Ben"], {"set": 9}, visit.actor)
    visit.parameters = {"round": "2", "seat": "2"}
    web_hand_view.show_hand(visit, table.game)
    (number,) = rounds_of(table.game.values)
    kept = rounds_of(table.game.values)[number]
    assert (number, kept.hands) == (2, {1: KeptHand.of_tiles([Tile(3, 4)])})
    assert kept.penalties == {1: 1}


def test_a_photo_is_read_as_one_of_the_set_in_play(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def read(data: bytes, highest: int | None = None) -> HandReading:
        asked.append(highest or 0)
        return hand_of("5|9")

    monkeypatch.setattr("companion.web.pip_dominoes.parts.read_hand_isolated", read)
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    for highest in (9, 15):
        rules = {"set": highest}
        game = new_table(store, "chickenfoot", ["Anna", "Ben"], rules, visit.actor).game
        photo = visit.photos.put(picture(), visit.device)
        assert take_photo(visit, table_of(visit, game), 1, 0, [photo.id]) is not None
    assert asked == [9, 15]


def test_what_doubts_leave_of_the_sum_is_said(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    table = new_table(store, "chickenfoot", ["Anna", "Ben"], {"set": 12}, visit.actor)
    seen = KeptHandReading.of(hand_of("5|9 3|4", {"3|4": "3|5"}), "photo-1", 400, 300)
    table.set_hand(1, 0, seen.hand(store.keep_reading(table.game_id, seen.to_data())))
    foot = _foot(visit, table, 1, table.game.players[0], "./")
    assert joined(visit.say("domino_page.range", low=21, high=22)) in foot


def test_a_hand_that_is_there_can_be_photographed_anew_or_taken_away(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    for kind, names in (("chickenfoot", ["Anna", "Ben"]), ("castle_rock", ["Anna"])):
        table = new_table(store, kind, names, {"set": 9}, visit.actor)
        player = table.game.players[0]
        before = _foot(visit, table, 1, player, "./")
        table.set_hand(1, 0, KeptHand(counted=7))
        after = _foot(visit, table, 1, player, "./")
        for foot, is_there in ((before, False), (after, True)):
            assert (visit.say("domino_page.photo_again") in foot) == is_there
            assert ('data-do="remove"' in foot) == is_there
            assert ('data-do="nothing"' in foot) == (kind == "castle_rock" and not is_there)


def test_nothing_left_of_a_patience_is_a_hand_without_tiles(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    table = new_table(store, "castle_rock", ["Anna"], {"set": 9}, visit.actor)
    hand_act(visit, table, 1, 0, Act("nothing"))
    assert table.hand(1, 0) == KeptHand()


def test_penalties_are_counted_and_taken_away(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    table = new_table(store, "mexican_train", ["Anna", "Ben"], {"set": 9}, visit.actor)
    anna = table.game.players[0]
    for do, count in (("penalty", 1), ("penalty", 2), ("penalty-less", 1), ("penalty-less", 0)):
        hand_act(visit, table, 1, 0, Act(do))
        foot = _foot(visit, table, 1, anna, "./")
        said = visit.say("domino_page.penalties", count=count)
        assert (joined(said) in foot) == bool(count)
        assert ("penalty-less" in foot) == bool(count)


def test_the_page_of_a_hand_says_its_round_and_leads_back_to_where_it_was_opened(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a game of rounds any round can be opened, also one that is still to come."""
    shown: list[str] = []
    alone_on_its_page(monkeypatch)
    monkeypatch.setattr(web_hand_view, "show_markup", lambda markup, key: shown.append(markup))
    monkeypatch.setattr(web_hand_view, "piece", lambda *_, **__: None)
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    for kind, number, back in (("muggins", 1, "&amp;view=end"), ("chickenfoot", 4, "")):
        game = new_table(store, kind, ["Anna", "Ben"], {}, visit.actor).game
        visit.parameters = {"round": str(number), "seat": "2"}
        web_hand_view.show_hand(visit, game)
        assert f'href="?game={game.id}{back}"' in shown[-1]
        assert f"Ben  ·  {visit.say('domino_page.round_only', number=number)}" in shown[-1]
