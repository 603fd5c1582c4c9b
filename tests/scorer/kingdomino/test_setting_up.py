import pytest

from scorer.kingdomino import RulesError, setup_guide
from tests.scorer.kingdomino.golden_tables import rows


@pytest.mark.parametrize(
    (
        "game",
        "dominoes",
        "put_back",
        "row",
        "put_aside",
        "rounds",
        "kings",
        "grid",
        "drawn",
        "played",
    ),
    rows("set_up"),
    ids=[row[0] for row in rows("set_up")],
)
def test_golden(
    game: str,
    dominoes: str,
    put_back: str,
    row: str,
    put_aside: str,
    rounds: str,
    kings: str,
    grid: str,
    drawn: str,
    played: str,
) -> None:
    players, *options = game.split()
    guide = setup_guide(
        int(players), age_of_giants="giants" in options, mighty_duel="duel" in options
    )
    assert (guide.players, guide.dominoes, guide.put_back) == tuple(
        map(int, (players, dominoes, put_back))
    )
    assert (guide.row, guide.rounds, guide.kings, guide.grid) == tuple(
        map(int, (row, rounds, kings, grid))
    )
    assert (guide.drawn, guide.played) == (int(drawn), int(played))
    assert guide.removed == guide.drawn - guide.played
    assert guide.put_aside == tuple(map(int, put_aside.split()))
    assert (guide.giants, guide.quests) == ((6, 2) if "giants" in options else (0, 0))


@pytest.mark.parametrize("row", rows("set_up"), ids=lambda row: row[0])
def test_everyone_gets_what_fills_the_grid(row: list[str]) -> None:
    players, *options = row[0].split()
    guide = setup_guide(
        int(players), age_of_giants="giants" in options, mighty_duel="duel" in options
    )
    assert 2 * guide.dominoes_each + 1 == guide.grid**2
    assert guide.rounds * guide.row <= guide.dominoes - guide.put_back


@pytest.mark.parametrize(
    ("players", "giants", "duel", "code"),
    [
        (1, False, False, "bad_players"),
        (6, True, False, "bad_players"),
        (5, False, False, "five_players_need_expansion"),
        (3, False, True, "duel_needs_two_players"),
    ],
)
def test_refusals(players: int, giants: bool, duel: bool, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        setup_guide(players, age_of_giants=giants, mighty_duel=duel)
    assert caught.value.code == code


def test_dominoes_are_counted_in_whole_numbers() -> None:
    each = [setup_guide(players).dominoes_each for players in (2, 3, 4)]
    assert (each, {type(count) for count in each}) == ([12, 12, 12], {int})
