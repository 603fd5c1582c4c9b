"""The Court: its parts, what may lie where, and what characters and buildings are worth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.kingdomino import (
    PIECES,
    Character,
    GameProblem,
    Goal,
    Kingdom,
    NotationError,
    Player,
    Problem,
    Quest,
    Rules,
    Square,
    Terrain,
    Verdict,
    box_check,
    game_problems,
    piece_of,
    problems,
    rules_in_play,
    score,
)
from scorer.kingdomino.court import BUILDINGS
from tests.scorer.kingdomino.golden_tables import rows
from tests.scorer.kingdomino.random_kingdoms import any_kingdoms

WITH_TOKENS = [terrain for terrain in Terrain if f"{terrain.letter}*" in PIECES]


def test_the_parts() -> None:
    tokens = {key: count for key, count in PIECES.items() if key.endswith("*")}
    assert tokens == {"w*": 21, "f*": 16, "l*": 12, "g*": 10}
    assert sum(tokens.values()) == 59
    assert sum(BUILDINGS.values()) == 13
    assert {terrain for terrain, _ in BUILDINGS} == {*Terrain} - {Terrain.MINE}
    assert len(Character) == 12
    assert sum(PIECES.values()) == 59 + 25


@pytest.mark.parametrize(("text", "characters", "points"), rows("court"))
def test_points(text: str, characters: str, points: str) -> None:
    result = score(Kingdom.parse(text))
    counted = [f"{each.character.key}:{each.points}" for each in result.characters]
    assert " ".join(counted) == characters
    assert result.points == int(points)


def test_where_the_points_come_from() -> None:
    (farmer,) = score(Kingdom.parse("w* f* w*/g f:farmer w/. . .")).characters
    assert (farmer.square, farmer.around, farmer.count, farmer.each) == (
        (1, 1),
        ((0, 0), (0, 2)),
        2,
        3,
    )
    (king,) = score(Kingdom.parse("m3 f:king")).characters
    assert (king.around, king.count, king.by_hand) == (((0, 0),), 3, None)


def test_every_notation_round_trips() -> None:
    letters = [terrain.letter for terrain in Terrain]
    texts = [
        *(f"{terrain.letter}*" for terrain in WITH_TOKENS),
        *(f"{letter}+{crowns}" for letter in letters for crowns in (1, 2)),
        *(f"{letter}:{each.key}" for letter in letters for each in Character),
        *(f"m:{each.key}:{points}" for each in Character for points in (0, 7, 10, 99)),
    ]
    assert [str(Square.parse(text)) for text in texts] == texts
    assert len({Square.parse(text) for text in texts}) == len(texts)


@pytest.mark.parametrize(
    "text",
    ["s*", "m*", "c*", ".*", "w1*", "w**", "w*!", "w+0", "w+3", "w+", "w1+1", "+1", "c+1", ".:king",
     "c:king", "w1:king", "w:", "w:prince", "w:King", "w:king:", "w:king:07", "w:king:100",
     "w:king:-1", "w:king:1:2", "w*:king", "w:king!", "w+1:king", "w:7"],
)  # fmt: skip
def test_no_square(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        Square.parse(text)
    assert caught.value.code == "bad_square"


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"token": True}, "expected on terrain without crowns"),
        ({"is_castle": True, "building": 1}, "expected on terrain without crowns"),
        ({"terrain": Terrain.LAKE, "crowns": 1, "token": True}, "terrain without crowns"),
        ({"terrain": Terrain.SWAMP, "token": True}, "token: expected none on SWAMP"),
        ({"terrain": Terrain.MINE, "token": True}, "token: expected none on MINE"),
        ({"terrain": Terrain.LAKE, "building": 3}, r"building: expected 0\.\.2, got 3"),
        ({"terrain": Terrain.LAKE, "building": -1}, r"building: expected 0\.\.2, got -1"),
        ({"terrain": Terrain.LAKE, "token": True, "building": 1}, "got several"),
        ({"terrain": Terrain.LAKE, "token": True, "character": Character.KING}, "got several"),
        ({"terrain": Terrain.LAKE, "points": 3}, r"expected 0\.\.99 of a character, got 3"),
        ({"terrain": Terrain.LAKE, "character": Character.KING, "points": 100}, "got 100"),
        ({"terrain": Terrain.LAKE, "character": Character.KING, "points": -1}, "got -1"),
    ],
)
def test_contradictions(parts: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Square(**parts)  # type: ignore[arg-type]  # wrong on purpose


def test_a_building_is_worth_its_crowns() -> None:
    plain, built = Kingdom.parse("c w w/w w f"), Kingdom.parse("c w+1 w/w w f")
    assert (score(plain).points, score(built).points) == (0, 4)
    assert score(built).crowns == 1
    line, bleak = Quest(Goal.FOLIE_DES_GRANDEURS), Quest(Goal.BLEAK_KING)
    assert score(Kingdom.parse("c w1 w+1 w1"), Rules(quests=(line,))).bonus_points == 10
    assert score(Kingdom.parse("c w w w w w"), Rules(quests=(bleak,))).bonus_points == 10
    assert score(Kingdom.parse("c w w+1 w w w"), Rules(quests=(bleak,))).bonus_points == 0


def test_tokens_and_characters_leave_territories_alone() -> None:
    bare = Kingdom.parse("c w1 w/w w f")
    laid = Kingdom.parse("c w1 w*/w:queen w* f*")
    assert score(laid).territories == score(bare).territories
    assert score(laid).points == score(bare).points + 2


def test_more_pieces_than_there_are() -> None:
    kingdom = Kingdom.parse("c m+1 m/g+2 g+2 s:king/w+2 f f:king")
    found = [each for each in problems(kingdom) if each.code == "more_than_court"]
    assert found == [
        Problem("more_than_court", ((0, 1),), 1, 0, "m+1"),
        Problem("more_than_court", ((1, 0), (1, 1)), 2, 1, "g+2"),
        Problem("more_than_court", ((1, 2), (2, 2)), 2, 1, "king"),
        Problem("more_than_court", ((2, 0),), 1, 0, "w+2"),
    ]


def test_as_many_pieces_as_there_are() -> None:
    assert problems(Kingdom.parse("c g+2 g:king")) == ()


def test_one_king_for_all_players() -> None:
    players = [Player(name, Kingdom.parse("c f f:king")) for name in ("Anna", "Ben")]
    assert game_problems(players) == (
        GameProblem(
            "more_than_court",
            (("Anna", (0, 2)), ("Ben", (0, 2))),
            ("Anna", "Ben"),
            2,
            1,
            "king",
        ),
    )


@pytest.mark.parametrize("square", ["w*", "w+1", "w:king"])
def test_a_piece_anywhere_puts_the_court_in_play(square: str) -> None:
    plain, laid = Kingdom.parse("c w"), Kingdom.parse(f"c {square}")
    assert not rules_in_play([plain], Rules()).court
    assert rules_in_play([plain, laid], Rules()) == Rules(court=True, size=5)
    assert rules_in_play([plain], Rules(court=True)).court


def test_the_box_looks_at_the_dominoes_alone() -> None:
    bare = Kingdom.parse("c w w/f f l")
    laid = Kingdom.parse("c w* w+1/f:king f* l*")
    assert box_check([laid]).verdict is box_check([bare]).verdict is Verdict.IMPOSSIBLE
    bare, laid = Kingdom.parse("c w w/f f ."), Kingdom.parse("c w* w+1/f:king f* .")
    assert box_check([laid]).cuts == box_check([bare]).cuts
    assert box_check([laid]).verdict is Verdict.LEGAL


pieces = st.one_of(
    st.builds(Square, st.sampled_from(WITH_TOKENS), token=st.just(True)),
    st.builds(Square, st.sampled_from(Terrain), building=st.sampled_from((1, 2))),
    st.builds(
        Square,
        st.sampled_from(Terrain),
        character=st.sampled_from(Character),
        points=st.one_of(st.none(), st.integers(0, 99)),
    ),
)


@st.composite
def laid_kingdoms(draw: st.DrawFn) -> Kingdom:
    """A kingdom with pieces on some of its squares."""
    kingdom = draw(any_kingdoms(max_side=5))
    places = [place for place, _ in kingdom.items()]
    return kingdom.replace(draw(st.dictionaries(st.sampled_from(places), pieces)))


@given(laid_kingdoms())
def test_the_notation_of_a_laid_kingdom_round_trips(kingdom: Kingdom) -> None:
    assert Kingdom.parse(kingdom.format()) == kingdom


@given(laid_kingdoms())
def test_characters_count_the_same_whichever_way_it_lies(kingdom: Kingdom) -> None:
    def earned(laid: Kingdom) -> list[tuple[str, int, int, int]]:
        found = score(laid).characters
        return sorted(
            (each.character.key, each.points, each.count, len(each.around)) for each in found
        )

    for other in (kingdom.turned(), kingdom.mirrored(), kingdom.transposed()):
        assert earned(other) == earned(kingdom)
        assert score(other).points == score(kingdom).points


@given(laid_kingdoms())
def test_points_of_characters_by_plain_counting(kingdom: Kingdom) -> None:
    def neighbours(row: int, column: int) -> list[Square]:
        return [
            kingdom[r, c]
            for r in range(row - 1, row + 2)
            for c in range(column - 1, column + 2)
            if (r, c) != (row, column) and 0 <= r < kingdom.height and 0 <= c < kingdom.width
        ]

    own = {"farmer": 3, "lumberjack": 3, "fisherman": 3, "shepherdess": 3, "banker": 2, "queen": 2,
           "king": 0, "captain": 1, "axe-warrior": 3, "sword-warrior": 3, "light-archer": 4,
           "heavy-archer": 4}  # fmt: skip
    tokens = {"farmer": "w*", "lumberjack": "f*", "fisherman": "l*", "shepherdess": "g*"}
    expected = 0
    for (row, column), square in kingdom.items():
        name = piece_of(square)
        if name not in own:
            continue
        near = neighbours(row, column)
        texts = [str(each) for each in near]
        points = own[name]
        if name in tokens:
            points += 3 * texts.count(tokens[name])
        elif name == "banker":
            points += 2 * sum(text.endswith("*") for text in texts)
        elif name == "queen":
            points += 2 * sum(":" in text for text in texts)
        elif name == "king":
            points += sum(each.crowns + each.building - each.giants for each in near)
        elif name == "captain":
            warriors = ("captain", "warrior", "archer")
            points += 3 * sum((piece_of(each) or "").endswith(warriors) for each in near)
        expected += points if square.points is None else square.points
    assert score(kingdom).character_points == expected


@given(laid_kingdoms())
def test_what_is_printed_has_nothing_on_it(kingdom: Kingdom) -> None:
    for _, square in kingdom.items():
        assert not square.printed.has_piece
        assert square.printed.giants == 0
        assert (square.printed.terrain, square.printed.crowns) == (square.terrain, square.crowns)
