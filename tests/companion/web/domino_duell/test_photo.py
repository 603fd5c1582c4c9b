"""A photo of the board on a page: what is offered, what is said, what is kept of it."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from companion.games.domino_duell.table import DuelTable
from companion.store.labelled_squares import count_squares
from companion.web.domino_duell import photo as photo_module
from companion.web.domino_duell.board import DuelAction
from companion.web.domino_duell.game_view import _act, answer_action
from companion.web.domino_duell.photo import news_of, photo_part, seen_of
from companion.web.shell import Act
from companion.web.visit import Visit
from scorer.domino_duell import DEFAULT_SHAPE, STONES, Board, Move, Piece, Stone, legal_moves
from tests.companion.domino_duell.duels import START
from vision.domino_duell import BoardReading, HollowReading
from vision.photo import PhotoError

CLIENT = "abcdefgh01"
HOLLOWS = DEFAULT_SHAPE.hollows
PATCHES = np.full((len(HOLLOWS), 32, 32, 3), 120, np.uint8)


def reading_of(stones: dict[str, Piece], doubtful: str = "") -> BoardReading:
    position = Board.of(stones)
    hollows = tuple(
        HollowReading(hollow, position[hollow], 0.9, None, doubtful=hollow == doubtful)
        for hollow in DEFAULT_SHAPE.hollows
    )
    return BoardReading(position, hollows, np.eye(3), 100, 100)


def moves(table: DuelTable) -> list[Move]:
    assert table.duel is not None
    return list(legal_moves(table.duel.position, STONES))


def fresh(table: DuelTable) -> DuelTable:
    return DuelTable(table.store, table.actor, table.store.game(table.game.id))


def turned(stones: dict[str, Piece]) -> dict[str, Piece]:
    return {HOLLOWS[-1 - HOLLOWS.index(hollow)]: piece for hollow, piece in stones.items()}


def look_at(
    visit: Visit, table: DuelTable, reading: BoardReading, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A photo arrives, and the worker reads this from it."""
    file = BytesIO()
    Image.new("RGB", (100, 100), (160, 110, 60)).save(file, "PNG")
    shelved = visit.shelf.put(file.getvalue(), visit.device)
    monkeypatch.setattr(photo_module, "read_upload_isolated", lambda data, told: (reading, PATCHES))
    _act(visit, table.game.id, Act("photo", f"|{shelved.id}"))


def lay(visit: Visit, table: DuelTable, move: Move, seq: int = 1) -> None:
    turns = len(fresh(table).turns)
    action = DuelAction(CLIENT, seq, "lay", turns, move.hollow, move.stone)
    answer_action(visit, table.game.id, action)
    assert len(fresh(table).turns) == turns + 1


def test_a_photo_offers_what_is_new_whichever_way_it_was_taken(table: DuelTable) -> None:
    assert table.duel is not None
    known = dict(table.duel.position.items())
    new = Stone.parse("yck")
    upright = reading_of({**known, "g7": new}, doubtful="g7")
    assert news_of(upright, known) == [("g7", "yck", True)]
    hollows = DEFAULT_SHAPE.hollows
    turned = {
        hollows[-1 - hollows.index(hollow)]: piece for hollow, piece in {**known, "g7": new}.items()
    }
    assert news_of(reading_of(turned), known) == [("g7", "yck", False)]


def test_a_photo_of_another_game_offers_nothing(
    visit: Visit, table: DuelTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    stones: dict[str, Piece] = dict(zip(HOLLOWS, STONES[:20], strict=False))
    look_at(visit, table, reading_of(stones), monkeypatch)
    assert seen_of(visit, table) is None
    assert "20" in visit.room["refused", table.game.id]
    assert seen_of(visit, table) is None


def test_a_photo_that_is_refused_is_told(
    visit: Visit, table: DuelTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(data: bytes, on_waiting: object) -> None:
        raise PhotoError("crashed")

    look_at(visit, table, reading_of({}), monkeypatch)
    visit.room.clear()
    monkeypatch.setattr(photo_module, "read_upload_isolated", crash)
    shelved = next(iter(visit.shelf._photos))
    _act(visit, table.game.id, Act("photo", f"|{shelved}"))
    assert visit.notice
    assert seen_of(visit, table) is None


@pytest.mark.parametrize("half_turn", [False, True])
@pytest.mark.parametrize("consent", [False, True])
def test_what_people_put_right_is_kept_only_with_consent(
    visit: Visit,
    table: DuelTable,
    half_turn: bool,
    consent: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    move = moves(table)[0]
    wrong = next(each for each in STONES if each != move.stone and each not in START.values())
    seen: dict[str, Piece] = {**START, move.hollow: wrong}
    _act(visit, table.game.id, Act("squares", str(consent).lower()))
    look_at(visit, table, reading_of(turned(seen) if half_turn else seen), monkeypatch)
    assert seen_of(visit, fresh(table)) == [(move.hollow, str(wrong), False)]
    lay(visit, table, move)
    kept = count_squares(visit.store, "domino_duell")
    assert kept == ({str(move.stone): 1} if consent else {})


def test_what_is_laid_after_the_photo_is_not_on_it(
    visit: Visit, table: DuelTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The photo shows an empty hollow there, and shows it rightly."""
    visit.keep_squares = True
    look_at(visit, table, reading_of(dict(START), doubtful="f6"), monkeypatch)
    assert count_squares(visit.store, "domino_duell") == {str(START["f6"]): 1}
    lay(visit, table, moves(table)[0])
    assert count_squares(visit.store, "domino_duell") == {str(START["f6"]): 1}


def test_another_phone_lays_before_the_photo_is_settled(
    visit: Visit, table: DuelTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit.keep_squares = True
    first = moves(table)[0]
    look_at(visit, table, reading_of({**START, first.hollow: first.stone}), monkeypatch)
    other = next(
        each
        for each in moves(table)
        if {each.hollow, each.stone}.isdisjoint({first.hollow, first.stone})
    )
    fresh(table).lay(other.stone, other.hollow)
    lay(visit, table, first)
    assert count_squares(visit.store, "domino_duell") == {}


def test_consent_is_asked_and_remembered(visit: Visit) -> None:
    field = photo_part(visit)
    assert 'data-remember="companion-keep-squares"' in field
    assert "nur an gezeichneten Bildern erprobt" in field
