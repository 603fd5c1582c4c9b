"""The page on which people play: score, board, and what people do there."""

from __future__ import annotations

from functools import partial

import streamlit as st

from companion.domino_duell.table import DuelTable
from companion.games import StoreError
from companion.web.domino_duell.action import DuelAction
from companion.web.domino_duell.below_view import below_markup, chosen_pieces
from companion.web.domino_duell.component import duel_board
from companion.web.domino_duell.frame import head, seats
from companion.web.domino_duell.photo import learn_from, read_photo, seen_of
from companion.web.domino_duell.state import board_state
from companion.web.domino_duell.telling import refusal, standing_line
from companion.web.keys import component_key
from companion.web.surface import Act, Markup, icon, joined, surface, tag
from companion.web.visit import Visit, address
from companion.web.watching import watch
from scorer.domino_duell import DuelError, Stone, parse_piece

__all__ = ["answer_action", "show_board", "top_markup"]


def show_board(visit: Visit, table: DuelTable) -> None:
    """Draw the page."""
    _table(visit, table.game.id)
    watch(visit, visit.store.game(table.game.id))


@st.fragment
def _table(visit: Visit, game_id: str) -> None:
    visit.catch_up()
    table = _table_of(visit, game_id)
    visit.room["seen", game_id] = table.game.sequence
    surface(top_markup(visit, table), key="duel-top")
    state = board_state(
        table,
        hand_of=visit.room.get(("hand", game_id)),
        seen=seen_of(visit, table),
        notice=visit.room.get(("refused", game_id)),
    )
    duel_board(
        state,
        key=component_key("duel", game_id),
        language=visit.language,
        on_action=partial(answer_action, visit, game_id),
    )
    surface(below_markup(visit, table), key="duel-below", on_act=partial(_act, visit, game_id))


def _table_of(visit: Visit, game_id: str) -> DuelTable:
    return DuelTable(visit.store, visit.actor, visit.store.game(game_id))


def top_markup(visit: Visit, table: DuelTable) -> Markup:
    """The bar, the score, and the sentence that everybody waits for."""
    line = standing_line(table, visit.language)
    over = table.duel is not None and table.duel.over
    winner = tag(
        "section",
        icon("trophy", "large"),
        tag("div", tag("h2", line), role="status"),
        tag(
            "a",
            icon("chart"),
            visit.say("duell_page.chart"),
            href=address(game=table.game.id, view="result"),
            data_go=True,
            class_="button",
        ),
        class_="card winner stack",
    )
    return joined(head(visit, table), seats(visit, table), winner if over else None)


def answer_action(visit: Visit, game_id: str, action: DuelAction) -> None:
    """Keep what was done on the board; what is refused is said on the board."""
    visit.room.pop(("refused", game_id), None)
    table = _table_of(visit, game_id)
    try:
        _keep(visit, table, action)
    except StoreError as error:
        visit.room["refused", game_id] = refusal(error, visit.language)
    except DuelError:
        visit.room["refused", game_id] = visit.say("duell_page.not_kept")


def _keep(visit: Visit, table: DuelTable, action: DuelAction) -> None:
    change_id, stone = action.change_id, action.stone
    if action.kind == "start" and action.hollow:
        stone = stone if isinstance(stone, Stone) else None
        learn_from(visit, table.set_start(action.hollow, stone, change_id))
    elif action.kind == "lay" and action.hollow and isinstance(stone, Stone):
        table = table.lay(
            stone,
            action.hollow,
            at_edge=action.edge,
            joker=action.joker,
            seen=action.turns,
            change_id=change_id,
        )
        learn_from(visit, table)
    elif action.kind == "joker" and action.hollow:
        table.use_joker(action.hollow, seen=action.turns, change_id=change_id)
    elif action.kind == "hand" and action.player in {each.id for each in table.players}:
        assert action.player is not None
        table.set_hand(action.player, action.pieces, change_id)
    elif action.kind == "hand-done":
        visit.room.pop(("hand", table.game.id), None)


def _act(visit: Visit, game_id: str, act: Act) -> None:
    visit.room.pop(("refused", game_id), None)
    table = _table_of(visit, game_id)
    try:
        _do(visit, table, act)
    except (StoreError, DuelError) as error:
        words = (
            refusal(error, visit.language)
            if isinstance(error, StoreError)
            else visit.say("duell_page.not_kept")
        )
        visit.room["refused", game_id] = words


def _do(visit: Visit, table: DuelTable, act: Act) -> None:
    if act.do == "back" and act.value.isdecimal():
        _go_back(visit, table, int(act.value))
    elif act.do == "swap" and act.value in tuple("1234567"):
        table.exchange(int(act.value))
    elif act.do == "choose":
        chosen = chosen_pieces(visit, table)
        other = [each for each in chosen if each != act.value]
        now = other if act.value in chosen else [*chosen, act.value]
        visit.room["swap", table.game.id] = (len(table.turns), now)
    elif act.do == "swap-chosen":
        pieces = [parse_piece(each) for each in chosen_pieces(visit, table)]
        table.exchange(len(pieces), pieces)
    elif act.do == "pass":
        table.sit_out()
    elif act.do == "hand" and act.value.isdecimal():
        visit.room["hand", table.game.id] = int(act.value)
    elif act.do == "photo":
        read_photo(visit, table, act.value)
    elif act.do == "squares":
        visit.keep_squares = act.value == "true"


def _go_back(visit: Visit, table: DuelTable, count: int) -> None:
    """Undo to any turn; the notice brings the turns back."""
    turns = table.turns
    gone = len(turns) - count
    if gone < 1:
        return
    earlier = table.back_to(count)

    def bring_back() -> None:
        try:
            earlier.bring_back(turns)
        except StoreError as error:
            visit.tell(refusal(error, visit.language))

    code = "duell_page.undone_one" if gone == 1 else "duell_page.undone"
    visit.tell(visit.say(code, count=gone), bring_back)
