import pickle

import pytest

from scorer.kingdomino import CASTLE, EMPTY, NotationError, Square, Terrain


def test_parts_of_a_square() -> None:
    square = Square.parse("m3!!")
    assert (square.terrain, square.crowns, square.giants) == (Terrain.MINE, 3, 2)
    assert square.counting_crowns == 1
    assert square.printed == Square.parse("m3")
    assert not square.is_castle
    assert not square.is_empty


def test_castle_and_empty() -> None:
    assert Square.parse("c") == CASTLE
    assert CASTLE.is_castle
    assert not CASTLE.is_empty
    assert CASTLE.terrain is None
    assert CASTLE.printed == CASTLE
    assert Square.parse(".") == EMPTY == Square()
    assert EMPTY.is_empty


def test_every_notation_round_trips() -> None:
    texts = [
        f"{terrain.letter}{crowns or ''}{'!' * giants}"
        for terrain in Terrain
        for crowns in range(4)
        for giants in range(crowns + 1)
    ]
    assert len({Square.parse(text) for text in texts}) == 60
    assert [str(Square.parse(text)) for text in texts] == texts


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"terrain": Terrain.WHEAT, "crowns": 4}, r"crowns: expected 0\.\.3, got 4"),
        ({"terrain": Terrain.WHEAT, "crowns": -1}, r"crowns: expected 0\.\.3, got -1"),
        ({"terrain": Terrain.WHEAT, "giants": 1}, r"giants: expected 0\.\.0"),
        ({"terrain": Terrain.WHEAT, "crowns": 1, "giants": 2}, r"giants: expected 0\.\.1"),
        ({"crowns": 1}, "crowns: expected 0 without terrain, got 1"),
        ({"is_castle": True, "crowns": 1}, "crowns: expected 0 without terrain, got 1"),
        ({"terrain": Terrain.LAKE, "is_castle": True}, "expected none under the castle, got LAKE"),
    ],
)
def test_contradictions(parts: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Square(**parts)  # type: ignore[arg-type]  # wrong on purpose


def test_notation_error_survives_a_process_boundary() -> None:
    with pytest.raises(NotationError) as caught:
        Square.parse("x")
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  # our own bytes
    assert (again.code, again.details) == ("bad_square", {"text": "x"})
