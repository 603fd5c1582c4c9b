from __future__ import annotations

import pytest

from companion.kingdomino.editing import EditedKingdom
from companion.web.kingdomino.link import (
    from_link,
    player_from_link,
    player_to_link,
    rules_from_link,
    rules_to_link,
    to_link,
)
from scorer.kingdomino import BleakKing, Kingdom, Quest, Rules, TieBreak
from tests.companion.kingdomino.readings import kingdom_reading


def test_a_link_brings_back_kingdom_and_doubts() -> None:
    edited = EditedKingdom.of_reading(kingdom_reading("w1 m3!!/c .", {(0, 1): "m2", (1, 1): "w"}))
    link = to_link(edited)
    assert link == {"kingdom": "w1 m3!!/c .", "check": "0-1 1-1"}
    again = from_link(link)
    assert again is not None
    assert again.kingdom == edited.kingdom
    assert again.doubtful == edited.doubtful


def test_a_kingdom_without_doubts_has_a_short_link() -> None:
    edited = EditedKingdom.empty(5)
    assert to_link(edited) == {"kingdom": "/".join([". . . . ."] * 5)}
    assert from_link(to_link(edited)) == edited


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"kingdom": ""},
        {"kingdom": "w x"},
        {"kingdom": "w w/w"},
        {"kingdom": "/".join("w" * 10)},
    ],
)
def test_other_addresses_name_no_kingdom(parameters: dict[str, str]) -> None:
    assert from_link(parameters) is None


def test_doubts_outside_the_kingdom_are_let_go() -> None:
    edited = from_link({"kingdom": "w c", "check": "0-1 5-5 7 a-b"})
    assert edited == EditedKingdom(Kingdom.parse("w c"), doubtful=frozenset({(0, 1)}))


def test_players_are_written_as_on_the_command_line() -> None:
    edited = EditedKingdom(Kingdom.parse("w1 w c"))
    assert player_to_link("Anna", edited) == "Anna=w1 w c"
    assert player_from_link("Anna=w1 w c") == ("Anna", edited)
    assert player_from_link("A=B=w1 w c") == ("A=B", edited)
    assert player_from_link("w1 w c") is None
    assert player_from_link("Anna=x") is None


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules(harmony=True),
        Rules(middle_kingdom=True, size=7),
        Rules(tie_break=TieBreak.CROWNS),
        Rules(
            age_of_giants=True,
            quests=(Quest.parse("bleak-king"), Quest.parse("local-business:w")),
            bleak_king=BleakKing.SQUARES,
        ),
    ],
)
def test_rules_come_back(rules: Rules) -> None:
    assert rules_from_link({"rules": rules_to_link(rules)}) == rules


def test_the_plain_game_needs_no_words() -> None:
    assert rules_to_link(Rules()) == ""
    assert rules_from_link({}) == Rules()


@pytest.mark.parametrize("text", ["quest-castle", "harmony quest-harmony", "anything"])
def test_rules_that_are_none_are_those_of_the_plain_game(text: str) -> None:
    assert rules_from_link({"rules": text}) == Rules()
