import pytest

from scorer.kingdomino import (
    Criterion,
    Kingdom,
    Result,
    Rules,
    RulesError,
    Terrain,
    TieBreak,
    dynasty,
    rank,
    score,
)
from scorer.kingdomino.ranking import Ranking
from tests.scorer.kingdomino.golden_tables import rows


def results(text: str) -> dict[str, Result]:
    """Players written as ``A 20/7/3, B …``: points, largest territory, crowns."""
    found = {}
    for entry in text.split(","):
        name, figures = entry.split()
        points, largest, crowns = map(int, figures.split("/"))
        found[name] = Result(points, largest, crowns)
    return found


def written(ranking: Ranking) -> tuple[str, str, str]:
    """The ranking as the golden table writes it."""
    return (
        " ".join(f"{place.player}{place.place}" for place in ranking.places),
        " ".join(place.decided_by.value for place in ranking.places),
        "; ".join(
            f"{tie.ahead}{'=' if tie.criterion is Criterion.SHARED else '>'}{tie.behind} "
            f"{tie.criterion.value} {tie.ahead_value}:{tie.behind_value}"
            for tie in ranking.ties
        ),
    )


@pytest.mark.parametrize(("players", "tie_break", "places", "decided", "ties"), rows("ranking"))
def test_golden(players: str, tie_break: str, places: str, decided: str, ties: str) -> None:
    ranking = rank(results(players), Rules(tie_break=TieBreak(tie_break)))
    assert written(ranking) == (places, decided, ties)


def test_kingdoms_are_ranked_by_their_scores() -> None:
    blue = score(Kingdom.parse("c f1 f f f f/m m . . . ."))
    green = score(Kingdom.parse("c l1 l l l . w/. . . . m1 . ."))
    ranking = rank({"Green": green, "Blue": blue})
    (tie,) = ranking.ties
    assert (tie.ahead, tie.behind, tie.criterion) == ("Blue", "Green", Criterion.LARGEST_TERRITORY)
    assert (tie.ahead_value, tie.behind_value) == (5, 4)
    assert (tie.ahead_terrains, tie.behind_terrains) == ((Terrain.FOREST,), (Terrain.LAKE,))
    assert ranking.winners == ("Blue",)


@pytest.mark.parametrize("count", [0, 1, 6])
def test_two_to_five_players(count: int) -> None:
    with pytest.raises(RulesError) as caught:
        rank({str(number): Result(number) for number in range(count)})
    assert (caught.value.code, caught.value.details) == ("bad_players", {"players": count})


def test_as_many_players_as_the_rules_say() -> None:
    with pytest.raises(RulesError, match="bad_players"):
        rank({"A": Result(1), "B": Result(2)}, Rules(players=3))


def games(*texts: str) -> list[dict[str, Result]]:
    return [results(text) for text in texts]


def test_dynasty_sums_three_games() -> None:
    ranking = dynasty(games("A 50/1/1, B 10/9/9", "A 10/1/1, B 30/9/9", "A 10/1/1, B 29/9/9"))
    assert [(place.player, place.points) for place in ranking.places] == [("A", 70), ("B", 69)]
    assert ranking.ties == ()


def test_a_tied_dynasty_is_shared_whatever_the_territories() -> None:
    rules = Rules(tie_break=TieBreak.CROWNS)
    ranking = dynasty(games("A 1/1/1, B 2/9/9", "A 2/1/1, B 1/9/9", "A 3/1/1, B 3/9/9"), rules)
    assert [place.place for place in ranking.places] == [1, 1]
    assert [tie.criterion for tie in ranking.ties] == [Criterion.SHARED]
    assert ranking.winners == ("A", "B")


def test_dynasty_refusals() -> None:
    with pytest.raises(RulesError, match="dynasty_needs_three_games"):
        dynasty(games("A 1/1/1, B 2/9/9"))
    with pytest.raises(RulesError, match="other_players"):
        dynasty(games("A 1/1/1, B 2/9/9", "A 2/1/1, B 1/9/9", "A 3/1/1, C 3/9/9"))
    with pytest.raises(RulesError, match="other_players"):
        dynasty(games("A 1/1/1, B 2/9/9, C 1/1/1", "A 2/1/1, B 1/9/9", "A 3/1/1, B 3/9/9"))
    with pytest.raises(RulesError, match="bad_players"):
        dynasty(games("A 1/1/1", "A 2/1/1", "A 3/1/1"))
