"""The four games, how they are set up, and ranking."""

from __future__ import annotations

import pytest

from scorer.pip_dominoes import (
    SETS,
    DominoSet,
    Game,
    Place,
    RulesError,
    SetUp,
    Tile,
    players_allowed,
    rank,
    setup_guide,
)
from tests.scorer.pip_dominoes.golden_tables import rows


def guide_of(text: str) -> SetUp:
    game, highest, players, *options = text.split()
    return setup_guide(
        Game.of(game),
        int(players),
        DominoSet(int(highest)),
        quick="quick" in options,
        singles="singles" in options,
    )


@pytest.mark.parametrize("row", rows("set_up"), ids=lambda row: row[0])
def test_golden(row: list[str]) -> None:
    text, put_aside, draw, boneyard, rounds, teams = row
    guide = guide_of(text)
    assert (guide.put_aside, guide.draw, guide.boneyard) == tuple(
        map(int, (put_aside, draw, boneyard))
    )
    game, _, players, *_ = text.split()
    assert (guide.game.key, guide.players) == (game, int(players))
    assert guide.rounds == (int(rounds) if rounds else None)
    assert guide.teams == tuple(tuple(map(int, team)) for team in teams.split())
    highest = guide.domino_set.highest
    assert guide.first_double == (Tile(highest, highest) if rounds else None)
    assert guide.target == (250 if guide.game is Game.MUGGINS else None)


@pytest.mark.parametrize("row", rows("set_up"), ids=lambda row: row[0])
def test_every_tile_of_the_box_is_somewhere(row: list[str]) -> None:
    guide = guide_of(row[0])
    box = DominoSet(int(row[0].split()[1]))
    in_the_middle = guide.first_double is not None
    dealt = guide.draw * guide.players + guide.boneyard + in_the_middle
    assert dealt == guide.domino_set.size == box.size - guide.put_aside
    assert guide.boneyard > 0


@pytest.mark.parametrize("row", rows("set_up_refused"), ids=lambda row: row[0])
def test_refusals(row: list[str]) -> None:
    with pytest.raises(RulesError) as caught:
        guide_of(row[0])
    assert caught.value.code == row[1]


def test_the_table_deals_about_as_much_everywhere() -> None:
    """The reason of decision 7: every row deals out 74 to 83 % of the tiles."""
    for highest in (9, 12, 15, 18):
        domino_set = DominoSet(highest)
        for players in players_allowed(Game.MEXICAN_TRAIN, domino_set):
            guide = setup_guide(Game.MEXICAN_TRAIN, players, domino_set)
            share = guide.draw * players / (domino_set.size - 1)
            assert 0.735 < share < 0.835, (highest, players)
            assert guide.draw == setup_guide(Game.CHICKENFOOT, players, domino_set).draw


def test_games_by_key() -> None:
    assert [Game.of(game.key) for game in Game] == list(Game)
    with pytest.raises(RulesError) as caught:
        Game.of("rummy")
    assert caught.value.code == "unknown_game"
    assert set(Game.MUGGINS.sets) == set(Game.CASTLE_ROCK.sets) == set(SETS)
    assert [game for game in Game if game.has_rounds] == [Game.CHICKENFOOT, Game.MEXICAN_TRAIN]


def test_six_chickentoes_start_at_the_double() -> None:
    box = DominoSet(12)
    assert setup_guide(Game.CHICKENFOOT, 4, box).toes == 6
    assert setup_guide(Game.MEXICAN_TRAIN, 4, box).toes is None


def test_a_set_that_a_game_is_not_played_with_allows_no_players() -> None:
    assert players_allowed(Game.CHICKENFOOT, DominoSet(6)) == ()


def test_equal_totals_share_a_place_and_the_next_is_skipped() -> None:
    totals = {"Anna": 210, "Ben": 187, "Cleo": 187}
    assert rank(totals, lowest_wins=True) == (
        Place("Ben", 1, 187),
        Place("Cleo", 1, 187),
        Place("Anna", 3, 210),
    )
    assert rank(totals, lowest_wins=False) == (
        Place("Anna", 1, 210),
        Place("Ben", 2, 187),
        Place("Cleo", 2, 187),
    )


def test_nobody() -> None:
    assert rank({}, lowest_wins=True) == ()
