"""What goes down to the board, what comes up and is believed, and the words it says."""

from __future__ import annotations

import json
import re
from string import Formatter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import companion.web.kingdomino.board as board_module
from companion.games.kingdomino.kept_board import Frame
from companion.games.kingdomino.texts import bonus_name
from companion.languages import Language
from companion.web.kingdomino.board import (
    Action,
    BoardBonus,
    BoardChange,
    BoardPhoto,
    BoardScore,
    BoardState,
    BoardStep,
    ChangeKind,
    OpenSquare,
    board,
    board_words,
    parse_change,
)
from companion.web.shell.assets import WEB
from companion.web.shell.bridge import message_of
from scorer.kingdomino import Goal, Kingdom, Quest, Rules, score
from tests.companion.games.kingdomino.readings import kingdom_reading


def message(**changes: Any) -> dict[str, Any]:
    return {
        "client": "0123456789ab",
        "seq": 3,
        "base": 7,
        "has": "d",
        "kingdom": "w1 ./c f2!",
        "settled": "1001",
        "frame": [1, 0, -2],
        "done": [
            {"seq": 2, "kind": "set", "squares": [[0, 0]], "value": "w1"},
            {"seq": 3, "kind": "add_line", "value": "top"},
        ],
        "corners": None,
        "grid": None,
        **changes,
    }


def parsed(sent: object) -> BoardChange | None:
    found = message_of(sent)
    return None if found is None else parse_change(found)


def test_a_change_is_read_whole() -> None:
    change = parsed(message())
    assert change is not None
    assert change.kingdom == Kingdom.parse("w1 ./c f2!")
    assert change.settled == {(0, 0), (1, 1)}
    assert change.frame == Frame(1, 0, -2)
    assert [action.kind for action in change.actions] == [ChangeKind.SET, ChangeKind.ADD_LINE]
    assert change.actions[0].squares == ((0, 0),)
    assert (change.client, change.seq, change.base) == ("0123456789ab", 3, 7)


def test_what_a_person_insists_on_is_settled_too() -> None:
    change = parsed(message(settled="1020"))
    assert change is not None
    assert change.settled == {(0, 0), (1, 0)}
    assert change.insisted == {(1, 0)}


def test_the_change_that_is_taken_back_is_read() -> None:
    change = parsed(message(done=[{"seq": 3, "kind": "undo", "change": 17}]))
    assert change is not None
    assert change.actions == (Action(3, ChangeKind.UNDO, change=17),)
    for wrong in (0, -1, "17", 1.5, None, 2**40):
        assert parsed(message(done=[{"seq": 3, "kind": "undo", "change": wrong}])) is None


def test_what_is_to_be_looked_at_goes_down_by_its_place_on_the_lattice() -> None:
    squares = {(0, 1): OpenSquare(("w", "f1")), (-1, 0): OpenSquare((), asked=True)}
    state = BoardState(Kingdom.parse("w"), open_squares=squares)
    assert state.message("d")["open"] == {
        "0,1": {"offers": ["w", "f1"], "asked": False},
        "-1,0": {"offers": [], "asked": True},
    }
    assert "open" not in BoardState(Kingdom.parse("w")).message("d")


def test_corners_and_their_grid_are_read() -> None:
    corners = [[10, 10], [500, 20.5], [510, 480], [0, 490]]
    change = parsed(message(corners=corners, grid=[5, 4]))
    assert change is not None
    assert change.corners == ((10.0, 10.0), (500.0, 20.5), (510.0, 480.0), (0.0, 490.0))
    assert change.grid == (5, 4)


@pytest.mark.parametrize(
    "wrong",
    [
        {"client": ""},
        {"client": "<script>alert(1)"},
        {"client": 12345678},
        {"seq": 0},
        {"seq": True},
        {"seq": 1.5},
        {"seq": 2**31},
        {"base": -1},
        {"kingdom": ""},
        {"kingdom": "x"},
        {"kingdom": "w9 ./c f"},
        {"kingdom": " ".join("w" * 10), "settled": "0" * 10},
        {"kingdom": "w " * 5000},
        {"kingdom": None},
        {"settled": "100"},
        {"settled": "1003"},
        {"settled": None},
        {"frame": [4, 0, 0]},
        {"frame": [0, 0]},
        {"frame": [0, 1000, 0]},
        {"done": None},
        {"done": [{}] * 201},
        {"done": [{"seq": 1, "kind": "hack"}]},
        {"done": [{"seq": 1, "kind": ["set"]}]},
        {"done": [{"seq": 1, "kind": "set", "squares": [[9, 0]]}]},
        {"done": [{"seq": 1, "kind": "set", "squares": [[0]]}]},
        {"done": [{"seq": 1, "kind": "set", "value": "<b>"}]},
        {"done": [{"seq": 1, "kind": "set", "value": 3}]},
        {"corners": [[0, 0], [10, 0], [10, 10]]},
        {"corners": [[0, 0], [0, 10], [10, 10], [10, 0]]},
        {"corners": [[0, 0], [10, 0], [5, 1], [0, 10]]},
        {"corners": [[0, 0], [0, 0], [0, 0], [0, 0]]},
        {"corners": [[0, 0], [10, 0], [10, float("nan")], [0, 10]]},
        {"corners": [[0, 0], [1e300, 0], [10, 10], [0, 10]]},
        {"corners": [[0, 0], [10, 0], [10, "10"], [0, 10]]},
        {"corners": "0,0"},
        {"grid": [0, 5]},
        {"grid": [10, 5]},
    ],
    ids=str,
)
def test_what_the_board_does_not_send_is_not_believed(wrong: dict[str, Any]) -> None:
    assert parsed(message(**wrong)) is None


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


@given(_JSON)
def test_no_message_breaks_it(value: object) -> None:
    assert parsed(value) is None


@given(st.sampled_from(sorted(message())), _JSON)
def test_no_part_of_a_message_breaks_it(name: str, value: object) -> None:
    change = parsed(message(**{name: value}))
    assert change is None or isinstance(change.kingdom, Kingdom)


KINGDOM = Kingdom.parse("w1 w/c f")
READING = kingdom_reading("w1 w/c f", {(0, 1): "f"})
WORDS_ENGLISH = board_words(Language.ENGLISH)


def test_a_message_without_dossier_is_small() -> None:
    state = BoardState(KINGDOM, 3, BoardScore(2), settled=frozenset({(0, 1)}), frame=Frame(1, 0, 1))
    message = state.message("id")
    assert message["settled"] == "0100"
    assert message["frame"] == [1, 0, 1]
    assert "notice" not in message
    assert len(json.dumps(message)) < 300


def test_a_dossier_is_known_by_its_content() -> None:
    state = BoardState(KINGDOM, photo=BoardPhoto("/photo.jpg", 10, 20), reading=READING)
    first = state.dossier(WORDS_ENGLISH)
    assert first["id"] == state.dossier(WORDS_ENGLISH)["id"]
    assert first["id"] != BoardState(KINGDOM).dossier(WORDS_ENGLISH)["id"]
    assert first["id"] != state.dossier(board_words(Language.GERMAN))["id"]
    assert first["reading"]["rows"][0][1] == {"label": "w", "runnerUp": "f", "doubtful": True}
    assert first["reading"]["homography"] == [40.0, 0.0, 10.0, 0.0, 40.0, 20.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize("is_known", [False, True])
def test_a_board_that_is_new_on_its_page_gets_what_was_done_the_oldest_first(
    monkeypatch: pytest.MonkeyPatch, is_known: bool
) -> None:
    state, shown = BoardState(KINGDOM), list[dict[str, Any]]()
    has = state.dossier(WORDS_ENGLISH)["id"] if is_known else None
    monkeypatch.setattr(board_module, "sent_by", lambda key: {"has": has})
    monkeypatch.setattr(board_module._BOARD, "show", lambda data, **_: shown.append(data))
    steps = BoardStep(change=3), BoardStep(change=8)
    board(state, key="b", words=WORDS_ENGLISH, on_change=lambda _: None, earlier=lambda: steps)
    past = None if is_known else [{"change": 3}, {"change": 8}]
    assert [data.get("past") for data in shown] == [past]


def test_bonuses_are_named_for_people() -> None:
    rules = Rules(quests=(Quest(Goal.LOST_CORNER),))
    result = BoardScore.of(score(KINGDOM, rules), lambda each: bonus_name(each, Language.GERMAN))
    assert result.bonuses[0].name == "Im hintersten Winkel"
    assert result.points == score(KINGDOM, rules).points


def test_characters_come_with_the_squares_that_count_for_them() -> None:
    kingdom = Kingdom.parse("c w* f*/f f:lumberjack f")
    result = BoardScore.of(score(kingdom), lambda each: bonus_name(each, Language.GERMAN))
    assert result.bonuses == (BoardBonus("Holzfäller", 6, ((1, 1), (0, 2))),)
    assert BoardState(kingdom, score=result, court=True).message("x")["court"] is True
    assert "court" not in BoardState(kingdom).message("x")


@pytest.mark.parametrize("size", [(0, 5), (5, 0)])
def test_a_photo_has_a_size(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="photo: expected a size"):
        BoardPhoto("x", *size)


def test_a_frame_has_up_to_three_turns() -> None:
    with pytest.raises(ValueError, match="turns"):
        Frame(4)


def test_a_turned_frame_finds_the_lattice() -> None:
    height = KINGDOM.height
    frame = Frame(1, height - 1, 0)
    for (row, column), square in KINGDOM.turned().items():
        assert KINGDOM[frame.lattice_place((row, column))] == square


STATIC = WEB / "kingdomino" / "static"


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", [Language.ENGLISH, Language.GERMAN])
def test_every_code_that_the_board_says_has_words(language: Language) -> None:
    said = set()
    for file in STATIC.glob("*.mjs"):
        code = file.read_text(encoding="utf-8")
        said |= set(re.findall(r'\bsay\([\w.]+,\s*"([a-z_.]+)"', code))
        for counted in re.findall(r'\bsayCount\([\w.]+,\s*"([a-z_.]+)"', code):
            said |= {f"{counted}.one", f"{counted}.several"}
    assert len(said) > 30
    assert said <= board_words(language).keys()


def test_fields_are_left_for_the_board_to_fill() -> None:
    english, german = board_words(Language.ENGLISH), board_words(Language.GERMAN)
    assert english["square.place"] == "Row {row}, column {column}"
    assert english.keys() == german.keys()
    for code, text in english.items():
        assert fields(text) == fields(german[code]), code


def test_a_terrain_stands_at_the_beginning_of_a_name() -> None:
    assert board_words(Language.ENGLISH)["terrain.w"] == "Wheat field"
    assert board_words(Language.GERMAN)["terrain.w"][0].isupper()
