"""The pages of a duel: the game, help, and a photo of the board."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from typing import Any

import numpy as np
import pytest
import streamlit
from PIL import Image

from companion.games.domino_duell.guide import rules_of_play, set_up_lines
from companion.games.domino_duell.kind import KeptSetUp
from companion.games.domino_duell.table import DuelTable, new_duel
from companion.languages import Language
from companion.reading import jobs
from companion.reading.domino_duell import BOARDS
from companion.store import Actor, StoreError
from companion.store.labelled_squares import count_squares
from companion.web.domino_duell import game_view, pages
from companion.web.domino_duell import photo as photo_module
from companion.web.domino_duell.board import MOVES_SHOWN, DuelAction, board_state
from companion.web.domino_duell.game_view import (
    _act,
    answer_action,
    below_markup,
    chosen_pieces,
    result_markup,
    running_chart,
    top_markup,
)
from companion.web.domino_duell.parts import (
    refusal,
    refused,
    standing_line,
    start_line,
    step_text,
)
from companion.web.domino_duell.photo import news_of, photo_part, seen_of
from companion.web.domino_duell.players_view import (
    _FOURTH,
    _TRIPLE,
    _choose,
    help_markup,
    players_markup,
)
from companion.web.domino_duell.players_view import _act as act_of_players
from companion.web.games import GAMES, pages_of
from companion.web.shell import Act, joined
from companion.web.visit import Visit
from scorer.domino_duell import (
    DEFAULT_SHAPE,
    JOKER,
    STONES,
    Board,
    End,
    Move,
    Piece,
    Stone,
    UseJoker,
    completions,
    joker_hollows,
    legal_moves,
)
from tests.companion.games.domino_duell.duels import START
from vision.domino_duell import BoardReading, HollowReading, hollow_patches
from vision.domino_duell.refit import label_of
from vision.photo import PhotoError

CLIENT = "abcdefgh01"


def fresh(table: DuelTable) -> DuelTable:
    return DuelTable(table.store, table.actor, table.store.game(table.game.id))


def best(table: DuelTable) -> Move:
    assert table.duel is not None
    return legal_moves(table.duel.position, STONES)[0]


def laid(table: DuelTable, count: int) -> DuelTable:
    for _ in range(count):
        move = best(table)
        table = table.lay(move.stone, move.hollow)
    return table


def test_the_pages_are_offered() -> None:
    offered = pages_of("domino_duell")
    assert offered is not None
    assert offered in GAMES[1:]
    assert offered.title(Language.GERMAN) == "Domino-Duell"
    assert offered.details["best_move"](Language.ENGLISH) == "Best move"


def test_what_others_do_while_the_page_is_drawn_is_drawn_next(
    visit: Visit, table: DuelTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    again: list[bool] = []

    def draw(_markup: object, *, key: str, **_options: object) -> None:
        if key == "duel-below":
            laid(fresh(table), 1)

    monkeypatch.setattr(game_view, "show_markup", draw)
    monkeypatch.setattr(game_view, "duel_board", lambda *_args, **_options: None)
    monkeypatch.setattr("streamlit.rerun", lambda: again.append(True))
    # Without a page Streamlit leaves out what draws itself.
    for part in ("_table", "look_for_changes"):
        monkeypatch.setattr(game_view, part, vars(game_view)[part].__wrapped__)
    game_view.show_board(visit, fresh(table))
    assert again


def test_a_tap_is_kept_and_the_same_tap_again_is_nothing(visit: Visit, table: DuelTable) -> None:
    move = best(table)
    action = DuelAction(f"{CLIENT}.1", "lay", 0, move.hollow, move.stone, True)
    answer_action(visit, table.game.id, action)
    answer_action(visit, table.game.id, action)
    table = fresh(table)
    assert table.turns == (f"0: {move.hollow}={move.stone} edge",)
    assert refused(visit, fresh(table)) is None


def test_what_is_refused_is_said_in_words(visit: Visit, table: DuelTable) -> None:
    action = DuelAction(f"{CLIENT}.1", "lay", 0, "a1", Stone.parse("rcw"))
    answer_action(visit, table.game.id, action)
    said = refused(visit, fresh(table))
    assert said == "Rot, Kreis, weiß auf a1 ergibt kein neues Tripel oder Quadrupel."
    assert not fresh(table).turns
    answer_action(visit, table.game.id, replace(action, change_id=f"{CLIENT}.2", kind="hand-done"))
    assert refused(visit, fresh(table)) is None


def test_somebody_was_faster(visit: Visit, table: DuelTable) -> None:
    laid(table, 1)
    move = best(table)
    action = DuelAction(f"{CLIENT}.1", "lay", 0, "h6", Stone.parse("yck") if move else None)
    answer_action(visit, table.game.id, action)
    assert "Ein anderes Handy" in (refused(visit, fresh(table)) or "")
    laid(fresh(table), 1)
    assert refused(visit, fresh(table)) is None


def test_a_refusal_nobody_foresaw_has_words_too() -> None:
    assert refusal(
        StoreError("too_large", part="turns", limit=1, actual=2), Language.ENGLISH
    ).startswith("This could")


def test_the_board_gets_stones_phase_and_last_move(table: DuelTable) -> None:
    empty = table.set_start("f6", None)
    assert board_state(empty)["phase"] == "start"
    table = empty.set_start("f6", Stone.parse("rtl"))
    state = board_state(table)
    assert (state["phase"], state["name"], state["turns"]) == ("play", "Anna & Co", 0)
    assert state["stones"]["f6"] == "rtl"
    move = best(table)
    table = table.lay(move.stone, move.hollow)
    state = board_state(table)
    assert state["last"] == move.hollow
    assert move.hollow in state["lit"]
    assert board_state(table.sit_out().sit_out())["phase"] == "over"


def test_moves_are_shown_only_where_the_game_wants_it(table: DuelTable) -> None:
    table = table.set_hand(0, STONES[:7])
    assert board_state(table)["moves"] is None
    table = table.set_rules(replace(table.set_up, helper=True))
    assert table.duel is not None
    moves = board_state(table)["moves"]
    wanted = legal_moves(table.duel.position, table.hand(0))[:MOVES_SHOWN]
    assert moves == [[str(each.stone), each.hollow, each.points] for each in wanted]


def test_stones_that_a_joker_may_take(table: DuelTable) -> None:
    table = laid(table.set_rules(replace(table.set_up, jokers=True)), 30)
    assert table.duel is not None
    assert board_state(table)["takeable"] == list(joker_hollows(table.duel.position)) != []


def test_turns_are_told_without_notation(visit: Visit, table: DuelTable) -> None:
    table = table.set_rules(replace(table.set_up, jokers=True))
    table = laid(table, 30)
    assert table.duel is not None
    hollow = joker_hollows(table.duel.position)[0]
    table = table.use_joker(hollow).exchange(2).exchange(1)
    assert table.duel is not None
    told = [step_text(step, Language.GERMAN) for step in table.duel.steps]
    assert told[30].startswith(f"Joker auf {hollow}, nimmt ")
    assert told[31:] == ["tauscht 2", "tauscht 1"]
    markup = below_markup(visit, table)
    assert "33. Anna &amp; Co: tauscht 1" in markup
    assert not any(f">{stone}<" in markup or f" {stone} " in markup for stone in STONES)


def test_back_to_any_turn_and_on_again(visit: Visit, table: DuelTable) -> None:
    table = laid(table, 4)
    _act(visit, table.game.id, Act("back", "1"))
    assert len(fresh(table).turns) == 1
    assert visit.notice == "3 Züge zurückgenommen."
    assert visit.undo is not None
    visit.undo()
    assert fresh(table).turns == table.turns


def test_the_turns_are_told_with_a_way_back_before_each(visit: Visit, table: DuelTable) -> None:
    table = laid(table, 3)
    below = below_markup(visit, table)
    ways = re.findall(r'data-do="back" data-value="(\d)"', below)
    assert ways == ["2", "2", "1", "0"]
    numbers = re.findall(r'data-key="turn-\d"><span[^>]*>(\d)\. ', below)
    assert numbers == ["3", "2", "1"]
    _act(visit, table.game.id, Act("back", ways[0]))
    assert visit.notice == "1 Zug zurückgenommen."
    assert fresh(table).turns == table.turns[:2]


def test_turns_that_can_not_be_brought_back_are_said(visit: Visit, table: DuelTable) -> None:
    table = laid(table, 2)
    _act(visit, table.game.id, Act("back", "1"))
    bring_back = visit.undo
    assert bring_back is not None
    bring_back()
    visit.notice = ""
    bring_back()
    assert visit.notice


def test_who_can_not_lay_exchanges_or_sits_out(visit: Visit, table: DuelTable) -> None:
    below = below_markup(visit, table)
    counts = re.findall(r'data-do="swap" data-value="(\d)"', below)
    assert counts == [str(count) for count in range(1, 8)]
    for act, turn in ((Act("swap", "3"), "0: swap 3"), (Act("pass"), "1: pass")):
        _act(visit, table.game.id, act)
        assert fresh(table).turns[-1] == turn


def test_hands_are_entered_each_for_its_player_and_missed_where_moves_are_offered(
    visit: Visit, table: DuelTable
) -> None:
    missing = joined(visit.say("duell_page.hand_missing", name="Anna & Co"))
    assert missing not in below_markup(visit, table)
    free = [stone for stone in STONES if stone not in START.values()]
    table = table.set_rules(replace(table.set_up, helper=True)).set_hand(1, free[:2])
    below = below_markup(visit, table)
    assert missing in below
    for name, count in (("Anna & Co", 0), ("Ben", 2)):
        assert joined(visit.say("duell_page.hand_of", name=name, count=count)) in below
    assert re.findall(r'data-do="hand" data-value="(\d)"', below) == ["0", "1"]
    assert missing not in below_markup(visit, table.set_hand(0, free[2:4]))


def test_exchange_of_named_pieces(visit: Visit, table: DuelTable) -> None:
    table = table.set_hand(0, [Stone.parse("gcw"), Stone.parse("yck")])
    for number in ("1", "0", "1", "7"):
        _act(visit, table.game.id, Act("choose", number))
    assert 'data-do="swap-chosen"' in below_markup(visit, fresh(table))
    _act(visit, table.game.id, Act("swap-chosen"))
    assert fresh(table).turns == ("0: swap gcw",)


def test_two_jokers_are_exchanged_at_once(visit: Visit, table: DuelTable) -> None:
    table = table.set_rules(replace(table.set_up, jokers=True))
    table = table.set_hand(0, [JOKER, Stone.parse("gcw"), JOKER])
    for number in ("0", "2"):
        _act(visit, table.game.id, Act("choose", number))
    assert below_markup(visit, fresh(table)).count('aria-pressed="true"') == 2
    _act(visit, table.game.id, Act("swap-chosen"))
    assert fresh(table).turns == ("0: swap * *",)
    assert fresh(table).hand(0) == (Stone.parse("gcw"),)


def test_what_was_chosen_for_an_exchange_is_forgotten_after_the_turn(
    visit: Visit, table: DuelTable
) -> None:
    hand = [Stone.parse("gcw"), Stone.parse("yck")]
    table = table.set_hand(0, hand).set_hand(1, hand)
    _act(visit, table.game.id, Act("choose", "0"))
    assert chosen_pieces(visit, table) == {0: hand[0]}
    assert chosen_pieces(visit, table.set_hand(0, hand[::-1])) == {}
    laid(table, 1)
    assert chosen_pieces(visit, fresh(table)) == {}
    assert 'data-do="swap-chosen"' not in below_markup(visit, fresh(table))


@pytest.mark.parametrize("act", [Act("back", "x"), Act("swap", "99"), Act("fly"), Act("hand", "")])
def test_acts_that_make_no_sense_do_nothing(visit: Visit, table: DuelTable, act: Act) -> None:
    _act(visit, table.game.id, act)
    assert fresh(table).game.sequence == table.game.sequence


def test_the_winner_and_the_chart(visit: Visit, table: DuelTable) -> None:
    table = laid(table, 3)
    assert standing_line(table, Language.ENGLISH).startswith("Anna & Co in front with")
    assert 'href="card/' not in result_markup(visit, table)
    table = table.sit_out().sit_out()
    line = standing_line(table, Language.GERMAN)
    assert line.startswith("Anna & Co gewinnt")
    assert "Anna &amp; Co gewinnt" in top_markup(visit, table)
    assert "Anna &amp; Co gewinnt" in result_markup(visit, table)
    assert 'href="card/' in result_markup(visit, table)
    chart = running_chart(table, Language.GERMAN).to_dict()
    assert len(chart["data"]["values"]) == 2 * 6
    assert chart["data"]["values"][-2]["points"] == table.game.results.players[0].points


def test_shared_victory_is_said(table: DuelTable) -> None:
    table = table.sit_out().sit_out()
    line = standing_line(table, Language.GERMAN)
    assert "Anna & Co und Ben" in line


def test_players_and_rules_by_acts(visit: Visit, table: DuelTable) -> None:
    for act in (
        Act("add", "Cara"),
        Act("name", "1|Bernd"),
        Act("earlier", "1"),
        Act("begins", "2"),
        Act("jokers", "true"),
        Act("edge_end", "true"),
        Act("helper", "true"),
    ):
        act_of_players(visit, fresh(table), act)
    table = fresh(table)
    assert [each.name for each in table.players] == ["Bernd", "Anna & Co", "Cara"]
    assert table.to_move == table.players[2]
    assert (table.set_up.jokers, table.set_up.helper) == (True, True)
    assert table.set_up.end is End.EDGE
    assert "Anfangs aus" in players_markup(visit, table)
    act_of_players(visit, table, Act("add", "cara"))
    assert visit.notice
    act_of_players(visit, fresh(table), Act("leave", "2"))
    assert len(fresh(table).players) == 2


def test_nobody_leaves_a_game_that_has_begun(visit: Visit, table: DuelTable) -> None:
    table = laid(table, 1)
    act_of_players(visit, table, Act("leave", "1"))
    assert len(fresh(table).players) == 2
    assert "läuft" in visit.notice
    assert 'data-do="leave"' not in players_markup(visit, table)


def test_labels() -> None:
    assert [label_of(each) for each in (None, JOKER, Stone.parse("rcw"))] == [".", "joker", "rcw"]


@pytest.mark.parametrize("language", list(Language))
def test_the_rules_in_short(visit: Visit, language: Language) -> None:
    visit.language = language
    page = help_markup(visit)
    assert page.count("<details") == 5
    assert "guide." not in page
    assert "<svg" in page
    for act in (Act("players", "6"), Act("jokers", "true"), Act("edge_end", "true")):
        _choose(visit, act)
    assert help_markup(visit).count("<details") == 6
    assert " 22 " in help_markup(visit)
    _choose(visit, Act("players", "7"))
    assert " 22 " in help_markup(visit)


def test_who_can_begin_is_said_before_the_first_turn(visit: Visit, table: DuelTable) -> None:
    first, second = table.players[:2]
    assert start_line(table, Language.ENGLISH).startswith("Whoever can make a triple")
    assert table.duel is not None
    triples = [
        stone
        for stone in STONES
        if stone not in table.duel.position.stones and legal_moves(table.duel.position, [stone])
    ]
    table = table.set_hand(second.id, triples[:1])
    assert start_line(table, Language.ENGLISH) == f"{second.name} can begin with a triple."
    table = table.set_hand(first.id, triples[1:2])
    said = start_line(table, Language.GERMAN)
    assert said.startswith(f"{first.name} und {second.name} können mit einem Tripel beginnen")
    visit.language = Language.GERMAN
    assert joined(said) in players_markup(visit, table)


def test_the_stones_of_the_picture_are_what_it_says() -> None:
    assert completions(_TRIPLE) == (_FOURTH,)


def test_the_page_is_registered() -> None:
    pages = pages_of("domino_duell")
    assert pages is not None
    assert pages.help is not None
    assert pages.card is not None


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


def turned(stones: dict[str, Piece]) -> dict[str, Piece]:
    return {HOLLOWS[-1 - HOLLOWS.index(hollow)]: piece for hollow, piece in stones.items()}


def look_at(
    visit: Visit, table: DuelTable, reading: BoardReading, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A photo arrives, and the worker reads this from it."""
    file = BytesIO()
    Image.new("RGB", (100, 100), (160, 110, 60)).save(file, "PNG")
    cached = visit.photos.put(file.getvalue(), visit.device)
    monkeypatch.setattr(photo_module, "read_with_patches", lambda photo: (reading, PATCHES))
    _act(visit, table.game.id, Act("photo", f"|{cached.id}"))


def lay(visit: Visit, table: DuelTable, move: Move, seq: int = 1) -> None:
    turns = len(fresh(table).turns)
    action = DuelAction(f"{CLIENT}.{seq}", "lay", turns, move.hollow, move.stone)
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
    assert "20" in (refused(visit, fresh(table)) or "")
    assert seen_of(visit, table) is None


def test_the_patches_of_a_photo_are_those_of_its_hollows(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the pixels that were decoded when it came in, and decoded anew from then on."""
    rgb = np.random.default_rng(8).integers(0, 256, (90, 120, 3), np.uint8)
    file = BytesIO()
    Image.fromarray(rgb).save(file, "PNG")
    cached = visit.photos.put(file.getvalue(), visit.device)
    squeezed = np.array([[9.0, 0.0, 8.0], [0.0, 9.0, 8.0], [0.0, 0.0, 1.0]])
    reading = replace(reading_of({}), homography=squeezed, width=240, height=180)

    def ask_worker(task: str, *_: object, **how: object) -> object:
        assert task == BOARDS.task
        return {"reading": BOARDS.codec.to_plain(reading)}, b""

    monkeypatch.setattr(jobs, "ask_worker", ask_worker)
    for _ in range(2):
        found, patches = photo_module.read_with_patches(cached)
        assert found == reading
        np.testing.assert_array_equal(patches, hollow_patches(rgb, reading))
        assert np.ptp(patches) > 0


def test_a_photo_that_is_refused_is_told(
    visit: Visit, table: DuelTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(photo: object) -> None:
        raise PhotoError("crashed")

    look_at(visit, table, reading_of({}), monkeypatch)
    visit.page_state.clear()
    monkeypatch.setattr(photo_module, "read_with_patches", crash)
    cached = next(iter(visit.photos._photos))
    _act(visit, table.game.id, Act("photo", f"|{cached}"))
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


def test_a_game_that_is_over_leads_to_the_next_with_the_same_people(
    visit: Visit, table: DuelTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = table.sit_out().sit_out()
    again = f"?new=domino_duell&amp;like={over.game.id}"
    for markup in (result_markup(visit, over), top_markup(visit, over)):
        assert markup.count('"button main') == 1
        assert again in markup
    assert again not in result_markup(visit, table)
    monkeypatch.setattr(streamlit, "rerun", lambda: None)
    monkeypatch.setattr(Visit, "go", lambda self, **where: self.parameters.update(where))
    over.store.join(over.game.id, visit.actor)
    for like in (over.game.id, "nobodysgame"):
        made = set()
        for _ in range(2):  # Two quick taps are one.
            visit.parameters = {"new": "domino_duell", "like": like}
            pages.show_new_game(visit)
            made.add(visit.parameters["game"])
        (game,) = made
        names = [player.name for player in over.store.game(game).players]
        assert names == ([each.name for each in over.players] if like == over.game.id else [])


def test_a_joker_that_another_phone_was_faster_than_is_not_used(
    visit: Visit, table: DuelTable
) -> None:
    table = laid(table.set_rules(replace(table.set_up, jokers=True)), 30)
    assert table.duel is not None
    hollow = joker_hollows(table.duel.position)[0]
    table = table.sit_out()
    answer_action(visit, table.game.id, DuelAction(f"{CLIENT}.1", "joker", 30, hollow))
    assert "Ein anderes Handy" in (refused(visit, fresh(table)) or "")
    assert fresh(table).turns == table.turns
    # Whatever is done beside the board makes that old news, too.
    _act(visit, table.game.id, Act("hand", "1"))
    assert refused(visit, fresh(table)) is None


def test_a_hand_that_a_phone_sends_again_brings_nothing_back(
    visit: Visit, table: DuelTable
) -> None:
    given = Stone.parse("gcw")
    action = DuelAction(f"{CLIENT}.1", "hand", player=0, pieces=(given, Stone.parse("yck")))
    answer_action(visit, table.game.id, action)
    fresh(table).exchange(1, [given])
    answer_action(visit, table.game.id, action)
    assert fresh(table).hand(0) == (Stone.parse("yck"),)


def test_a_hand_is_what_somebody_holds_when_it_is_entered(table: DuelTable) -> None:
    """Exchanges before that are in it; a stone that lies in the middle is not."""
    table = table.exchange(2).sit_out()
    hand = (Stone.parse("gcw"), Stone.parse("yck"))
    assert table.set_hand(0, hand).hand(0) == hand
    assert table.back_to(0).set_start("f6", None).set_hand(1, [START["f7"], *hand]).hand(1) == hand


def test_all_groups_of_the_last_move_are_lit(table: DuelTable) -> None:
    for _ in range(40):
        assert table.duel is not None
        found = legal_moves(table.duel.position, STONES)
        several = [each for each in found if len(each.groups) > 1]
        move = (several or list(found))[0]
        table = table.lay(move.stone, move.hollow)
        if several:
            break
    lit = set(board_state(table)["lit"])
    assert all(lit > {*group.hollows} for group in move.groups)


def test_no_stone_is_offered_for_a_joker_where_nobody_plays_with_jokers(table: DuelTable) -> None:
    table = laid(table, 30)
    assert table.duel is not None
    assert joker_hollows(table.duel.position)
    assert board_state(table)["takeable"] == []


def test_a_stone_laid_after_a_joker_was_taken_is_told_with_both_hollows(table: DuelTable) -> None:
    table = laid(table.set_rules(replace(table.set_up, jokers=True)), 30)
    assert table.duel is not None
    joker = joker_hollows(table.duel.position)[0]
    move = legal_moves(table.duel.after(UseJoker(joker)).position, STONES)[0]
    table = table.lay(move.stone, move.hollow, joker=joker)
    assert table.duel is not None
    told = step_text(table.duel.steps[-1], Language.GERMAN)
    assert told.startswith(f"Joker auf {joker}, nimmt ")
    assert f"auf {move.hollow}" in told


def test_nothing_is_offered_for_an_exchange_that_the_bag_does_not_have(
    visit: Visit, table: DuelTable
) -> None:
    while table.duel is not None and table.duel.bag > 1:
        table = laid(table, 1)
    assert 'data-do="swap" data-value="1"' in below_markup(visit, table)
    assert 'data-do="swap" data-value="2"' not in below_markup(visit, table)
    # Of named pieces no more go either.
    assert table.duel is not None
    assert table.to_move is not None
    free = [stone for stone in STONES if stone not in table.duel.position.stones]
    named = table.set_hand(table.to_move.id, free[:2])
    for number, going in (("0", True), ("1", False)):
        _act(visit, table.game.id, Act("choose", number))
        assert ('data-do="swap-chosen"' in below_markup(visit, named)) == going
    table = laid(table, 1)
    assert 'data-do="swap"' not in below_markup(visit, table)


def test_acts_that_come_at_once_are_each_based_on_the_one_before(
    visit: Visit, table: DuelTable
) -> None:
    for name in ("Cara", "Dora"):
        act_of_players(visit, table, Act("add", name))
    assert [each.name for each in fresh(table).players] == ["Anna & Co", "Ben", "Cara", "Dora"]
    assert fresh(table).game.collisions == ()


def test_who_begins_is_chosen_in_the_list(visit: Visit, table: DuelTable) -> None:
    chosen = '<option value="{}" selected>'
    assert chosen.format(0) in players_markup(visit, table)
    page = players_markup(visit, table.set_rules(replace(table.set_up, begins=1)))
    assert chosen.format(1) in page
    assert chosen.format(0) not in page


def test_the_winner_is_shown_with_the_way_to_the_chart(visit: Visit, table: DuelTable) -> None:
    over = table.sit_out().sit_out()
    top = top_markup(visit, over)
    assert top.count(f"?game={over.game.id}&amp;view=result") == 2


def test_a_photo_of_another_game_is_refused_once(
    visit: Visit, table: DuelTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    stones: dict[str, Piece] = dict(zip(HOLLOWS, STONES[:20], strict=False))
    look_at(visit, table, reading_of(stones), monkeypatch)
    assert visit.answered == 1
    assert seen_of(visit, table) is None
    _act(visit, table.game.id, Act("hand", "0"))
    assert seen_of(visit, table) is None
    assert refused(visit, fresh(table)) is None


def test_a_photo_taken_before_the_first_stones_lie_teaches_with_the_last_of_them(
    visit: Visit, table: DuelTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit.keep_squares = True
    table = table.set_start("f6", None)
    look_at(visit, table, reading_of(dict(START), doubtful="f6"), monkeypatch)
    assert count_squares(visit.store, "domino_duell") == {}
    stone = START["f6"]
    answer_action(visit, table.game.id, DuelAction(f"{CLIENT}.1", "start", 0, "f6", stone))
    assert count_squares(visit.store, "domino_duell") == {str(stone): 1}


def test_a_new_game_without_people_asks_for_them_and_is_nobody_elses(
    visit: Visit, table: DuelTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streamlit, "rerun", lambda: None)
    monkeypatch.setattr(Visit, "go", lambda self, **where: self.parameters.update(where))
    of_others = new_duel(visit.store, [], Actor("another-device"))
    visit.parameters = {"new": "domino_duell"}
    pages.show_new_game(visit)
    assert visit.view == "players"
    assert visit.game_id != of_others.game.id
    visit.parameters = {"new": "domino_duell", "like": table.game.id}
    pages.show_new_game(visit)
    assert visit.view == ""


def board_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_view, "show_markup", lambda *_, **__: None)
    monkeypatch.setattr(game_view, "look_for_changes", lambda *_: None)
    monkeypatch.setattr(game_view, "_table", vars(game_view)["_table"].__wrapped__)


def test_each_game_has_a_board_of_its_own_in_the_language_of_who_looks(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[dict[str, Any]] = []
    board_alone(monkeypatch)
    monkeypatch.setattr(game_view, "duel_board", lambda _, **given: drawn.append(given))
    for visit.language in Language:
        game_view.show_board(visit, new_duel(visit.store, ["Anna", "Ben"], visit.actor))
    assert [each["language"] for each in drawn] == list(Language)
    assert len({each["key"] for each in drawn}) == 2


def test_the_board_gets_what_is_asked_for_beside_it(
    visit: Visit, table: DuelTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hand that somebody enters, what a photo shows, and why something was refused."""
    drawn: list[dict[str, Any]] = []
    board_alone(monkeypatch)
    monkeypatch.setattr(game_view, "duel_board", lambda state, **_: drawn.append(state))
    seen = reading_of({**START, "g7": Stone.parse("yck")})
    look_at(visit, table, seen, monkeypatch)
    _act(visit, table.game.id, Act("hand", "1"))
    answer_action(visit, table.game.id, DuelAction(f"{CLIENT}.1", "lay", 0, "a1", STONES[0]))
    game_view.show_board(visit, fresh(table))
    (state,) = drawn
    assert state["hand"] == {"player": 1, "name": "Ben", "pieces": []}
    assert state["seen"] == [["g7", "yck", False]]
    assert state["notice"] == refused(visit, fresh(table))
    answer_action(visit, table.game.id, DuelAction(f"{CLIENT}.2", "hand-done"))
    game_view.show_board(visit, fresh(table))
    assert (drawn[-1]["hand"], drawn[-1]["notice"]) == (None, None)


def test_a_newcomer_has_neither_the_hand_nor_the_beginning_of_who_left(visit: Visit) -> None:
    table = new_duel(visit.store, ["Anna", "Ben", "Cara"], visit.actor)
    table = table.set_rules(KeptSetUp(START, begins=1)).set_hand(1, [Stone.parse("gcw")])
    for act in (Act("leave", "1"), Act("add", "Dora")):
        act_of_players(visit, fresh(table), act)
    anna, _, dora = fresh(table).players
    assert (dora.name, fresh(table).hand(dora.id)) == ("Dora", ())
    assert fresh(table).to_move == anna


def test_points_of_everybody_stand_above_the_board_with_who_is_next(
    visit: Visit, table: DuelTable
) -> None:
    table = laid(table, 1)
    assert table.duel is not None
    top = top_markup(visit, table)
    points = re.findall(r'class="points">(\d+)', top)
    assert points == [str(total) for total in table.duel.totals]
    assert re.findall(r'aria-current="true" data-key="seat-(\d)"', top) == ["1"]
    said = visit.say("duell_page.seat_to_move", name="Ben", points="0 Punkte")
    assert said in top


def test_board_and_chart_lead_to_each_other(visit: Visit, table: DuelTable) -> None:
    board = f'href="?game={table.game.id}" data-go class="button bare"'
    chart = f'href="?game={table.game.id}&amp;view=result" data-go class="button bare"'
    top = top_markup(visit, table)
    assert (board in top, chart in top) == (False, True)
    visit.parameters["view"] = "result"
    result = result_markup(visit, table)
    assert (board in result, chart in result) == (True, False)


def test_what_can_be_changed_of_players_and_rules_before_the_first_turn(
    visit: Visit, table: DuelTable
) -> None:
    page = players_markup(visit, table)
    moves = re.findall(r'data-do="earlier" data-value="(\d)"([^>]*)', page)
    assert [player for player, more in moves if "disabled" not in more] == ["1"]
    assert 'data-do="add"' in page
    for name in ("Cara", "Dora", "Emil", "Fritz", "Gina"):
        act_of_players(visit, table, Act("add", name))
    assert visit.notice == visit.say("players.refused.too_many", most=6)
    assert 'data-do="add"' not in players_markup(visit, fresh(table))
    for player in range(3, 6):
        act_of_players(visit, table, Act("leave", str(player)))
    begun = players_markup(visit, laid(fresh(table), 1))
    off = re.findall(r'data-do="(\w+)"[^>]* disabled', begun)
    assert off == ["begins", "jokers", "edge_end"]
    assert 'data-do="add"' not in begun


def test_the_rules_in_short_are_those_of_this_game(visit: Visit, table: DuelTable) -> None:
    alone = new_duel(visit.store, ["Anna"], visit.actor)
    assert visit.say("duell_page.few") in players_markup(visit, alone)
    act_of_players(visit, table, Act("add", "Cara"))
    table = fresh(table).set_rules(replace(table.set_up, jokers=True, end=End.EDGE))
    page = players_markup(visit, table)
    assert visit.say("duell_page.few") not in page
    laid_out = set_up_lines(3, visit.language, jokers=True)
    sections = rules_of_play(visit.language, jokers=True, end=End.EDGE)
    for line in (*laid_out, *(line for each in sections for line in each.lines)):
        assert joined(line) in page
    assert joined(visit.say("guide.duell.all_laid")) not in page


def test_who_plays_is_asked_before_the_board_is_shown(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    for name in ("show_players", "show_board", "show_result"):
        monkeypatch.setattr(pages, name, lambda *_, name=name: shown.append(name))
    for names in (["Anna"], ["Anna", "Ben"]):
        pages.show_game(visit, new_duel(visit.store, names, visit.actor).game)
    assert shown == ["show_players", "show_board"]


def test_a_game_with_other_rules_is_not_taken_for_a_fresh_one(
    visit: Visit, table: DuelTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streamlit, "rerun", lambda: None)
    monkeypatch.setattr(Visit, "go", lambda self, **where: self.parameters.update(where))
    visit.parameters = {"new": "domino_duell", "like": table.game.id}
    pages.show_new_game(visit)
    assert visit.game_id != table.game.id
