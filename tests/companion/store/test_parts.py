"""The parts of every game alone: what they may be, to both sides of each bound, and how they are
merged.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import nan
from typing import ClassVar

import pytest

from companion.store import Json, StoreError
from companion.store.kinds import GameKind, Results
from companion.store.merging import LeafCollision
from companion.store.parts import (
    check_text,
    checked,
    checked_id,
    checked_text,
    leaf_of,
    merge_part,
    search_text,
)


class AnyGame(GameKind):
    """Takes whatever the store lets through, from a game of sixteen."""

    key: ClassVar[str] = "any"
    name: ClassVar[str] = "Any"
    players: ClassVar[range] = range(1, 17)

    def check(self, part: str, value: Json, game: Mapping[str, Json]) -> Json:
        return value

    def results(self, game: Mapping[str, Json]) -> Results:
        return Results()


ANY = AnyGame()


def refused(part: str, value: Json) -> dict[str, object]:
    """The code and the details with which a value is refused."""
    with pytest.raises(StoreError) as caught:
        checked(ANY, part, value, {})
    return {"code": caught.value.code, **caught.value.details}


def player(number: Json = 0, name: Json = "Anna", **more: Json) -> Json:
    return {"id": number, "name": name, **more}


@pytest.mark.parametrize("part", ["a", "a" * 40, "round:1", "board:1:0", "a_b:9999:0:12"])
def test_the_name_of_a_part(part: str) -> None:
    assert checked(ANY, part, {"x": 1}, {}) == {"x": 1}


@pytest.mark.parametrize(
    "part", ["", "A", "1", "a" * 41, "a:", "a:12345", "a:1:2:3:4", "a-b", "game"]
)
def test_what_is_no_name_of_a_part(part: str) -> None:
    assert refused(part, {}) == {"code": "bad_part", "part": part}


@pytest.mark.parametrize(
    "players",
    [
        [],
        [player(number, f"{number}") for number in range(16)],
        [player(15, "x" * 40, colour="a" * 20)],
        [player(0, "Anna", colour=None), player(1, "Ann a", colour="b")],
    ],
)
def test_players_that_can_be(players: Json) -> None:
    found = checked(ANY, "players", players, {})
    assert found == [{"colour": None, **each} for each in players]


@pytest.mark.parametrize(
    ("players", "details"),
    [
        ([player(number, f"{number}") for number in range(17)], {"reason": "too_many", "most": 16}),
        ({}, {"reason": "too_many", "most": 16}),
        ([player(16)], {"reason": "bad_id"}),
        ([player(-1)], {"reason": "bad_id"}),
        ([player(True)], {"reason": "bad_id"}),
        ([player("0")], {"reason": "bad_id"}),
        ([player(0), player(0, "Ben")], {"reason": "id_twice"}),
        ([player(0), player(1, " ANNA")], {"reason": "name_twice", "name": "Anna"}),
        ([player(0, "x" * 41)], {"reason": "bad_name"}),
        ([player(0, 7)], {"reason": "bad_name"}),
        ([player(0, colour="a" * 21)], {"reason": "bad_colour"}),
        ([player(0, colour="")], {"reason": "bad_colour"}),
        ([player(0, colour="A")], {"reason": "bad_colour"}),
        ([player(0, colour=7)], {"reason": "bad_colour"}),
        ([player(0, more=1)], {"reason": "unknown_field"}),
        ([{"id": 0}], {"reason": "unknown_field"}),
        ([{"name": "Anna"}], {"reason": "unknown_field"}),
        (["Anna"], {"reason": "unknown_field"}),
    ],
)
def test_players_that_cannot_be(players: Json, details: dict[str, object]) -> None:
    assert refused("players", players) == {"code": "bad_players", **details}


def test_a_kind_for_fewer_has_a_bound_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AnyGame, "players", range(1, 3))
    three = [player(number, f"{number}") for number in range(3)]
    assert len(checked(ANY, "players", three[:2], {})) == 2
    assert refused("players", three) == {"code": "bad_players", "reason": "too_many", "most": 2}


def test_what_is_told_of_a_game_has_bounds_and_says_nothing_in_vain() -> None:
    longest = {"title": "x" * 80, "place": "y" * 80, "note": "z" * 2000}
    assert checked(ANY, "about", longest, {}) == longest
    said = {"title": " Ein  Abend\n", "place": "", "note": None, "played_at": ""}
    assert checked(ANY, "about", said, {}) == {"title": "Ein Abend"}
    wrong = {"code": "bad_value", "part": "about"}
    for field, text in longest.items():
        assert refused("about", {field: f"{text}x"}) == wrong | {"reason": "bad_text"}
    assert refused("about", {"x": 1}) == wrong | {"reason": "unknown_field"}
    assert refused("about", []) == wrong | {"reason": "unknown_field"}
    everything = longest | {"played_at": "2026-03-01T20:00:00+01:00"}
    assert checked(ANY, "about", everything, {}) == everything
    for moment in ("x", "2026-03-01T20:00:00", 7):
        assert refused("about", {"played_at": moment}) == wrong | {"reason": "bad_time"}


def test_a_value_is_nested_so_deep_and_no_deeper() -> None:
    def nested(depth: int) -> Json:
        return [nested(depth - 1)] if depth else 0

    assert check_text(nested(40)) == 81
    assert check_text({"ä": [{}, {"b": "€"}]}) == len('{"ä": [{}, {"b": "€"}]}'.encode())
    wrong = (
        (nested(41), "too_deep"),
        ({1}, "not_plain"),
        ([nan], "not_plain"),
        (["\0"], "bad_text"),
    )
    for value, reason in wrong:
        assert refused("x", value) == {"code": "bad_value", "part": "x", "reason": reason}
        with pytest.raises(StoreError) as caught:
            check_text(value)
        assert caught.value.details == {"part": "", "reason": reason}


def test_texts_and_ids_have_bounds() -> None:
    assert checked_text("  a \t b ", 8) == "a b"
    assert checked_text("", 0) == ""
    for text, limit in (("a b", 2), (7, 9), ("a\x07", 9), ("\u200d", 9)):
        with pytest.raises(StoreError) as caught:
            checked_text(text, limit, "x")
        assert caught.value.code == "bad_value"
        assert caught.value.details == {"part": "x", "reason": "bad_text"}
    assert checked_id("aZ0_.:-" + 57 * "x") == "aZ0_.:-" + 57 * "x"
    for wrong in ("", "x" * 65, "a b", "ä", None):
        with pytest.raises(StoreError) as caught:
            checked_id(wrong)
        assert caught.value.code == "bad_value"
        assert caught.value.details == {"part": "", "reason": "bad_id"}


def test_the_words_by_which_a_game_is_found() -> None:
    about = {"title": "Ostern", "place": "Ulm", "note": "Groß"}
    game = {"about": about, "players": [player(0), player(1, "BEN")]}
    assert search_text(game) == "ostern ulm gross anna ben"
    assert search_text({}).split() == search_text({"about": {}, "players": []}).split() == []


ANNA, BEN, CLEO, DORA = (player(n, name) for n, name in enumerate(("Anna", "Ben", "Cleo", "Dora")))


def test_players_that_come_at_once_all_sit_down() -> None:
    """Those whom only the other side knew sit last; about the order both are asked."""
    merged = merge_part(ANY, "players", [ANNA], [ANNA, BEN], [CLEO, ANNA])
    assert merged.value == [ANNA, BEN, CLEO]
    assert [(each.leaf, each.kept, each.other) for each in merged.collisions] == [
        ("order", [0, 1], [2, 0])
    ]
    renamed = merge_part(ANY, "players", [ANNA, BEN], [ANNA | {"name": "A"}, BEN], [BEN, ANNA])
    assert (renamed.value, renamed.collisions) == ([BEN, ANNA | {"name": "A"}], ())
    gone = merge_part(ANY, "players", [ANNA, BEN], [ANNA, BEN, DORA], [ANNA])
    assert [each["name"] for each in gone.value] == ["Anna", "Dora"]


def test_players_who_are_there_for_the_first_time_collide_as_a_whole() -> None:
    merged = merge_part(ANY, "players", None, [ANNA], [BEN])
    assert merged.value == [ANNA]
    assert merged.collisions == (LeafCollision("", [ANNA], [BEN]),)
    assert merge_part(ANY, "players", [ANNA], None, [ANNA]).value is None


def test_the_places_of_players_have_names() -> None:
    players = [ANNA, BEN | {"colour": "blue"}]
    assert leaf_of(ANY, "players", players, "1/colour") == "blue"
    assert leaf_of(ANY, "players", players, "0/name") == "Anna"
    assert leaf_of(ANY, "players", players, "order") == [0, 1]
    assert leaf_of(ANY, "players", None, "order") is None
    assert leaf_of(ANY, "x", {"a": {"b": 1}}, "a/b") == 1
