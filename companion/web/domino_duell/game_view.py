"""The page on which people play, with score and board, and the result when a game is over."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import altair as alt
import streamlit as st

from companion.games.domino_duell.table import DuelTable
from companion.languages import Language, say
from companion.store import StoreError
from companion.web.domino_duell.board import DuelAction, board_state, duel_board
from companion.web.domino_duell.parts import (
    head,
    piece_words,
    refusal,
    refuse,
    refused,
    seats,
    standing_line,
    step_text,
)
from companion.web.domino_duell.photo import learn_from, photo_part, read_photo, seen_of
from companion.web.parts import answer, answered, card_link, chart_of, next_game, show_chart
from companion.web.shell import Act, Markup, act_button, go_link, icon, joined, show_markup, tag
from companion.web.shell.bridge import component_key
from companion.web.visit import (
    Visit,
    address,
    look_for_changes,
    note_drawn,
    or_say_unreachable,
    rerun_on_changes,
)
from scorer.domino_duell import DuelError, Piece, Stone


def below_markup(visit: Visit, table: DuelTable) -> Markup:
    """Undo, what can be done instead of laying, hands, a photo, and all turns."""
    return tag(
        "div",
        tag(
            "div", _undo(visit, table), _instead(visit, table), _hands(visit, table), class_="stack"
        ),
        tag("div", _turns(visit, table), photo_part(visit), class_="stack"),
        answered(visit),
        class_="columns two",
    )


def _undo(visit: Visit, table: DuelTable) -> Markup | None:
    if not table.turns:
        return None
    return _button(visit.say("duell_page.undo"), "back", len(table.turns) - 1, sign="undo")


def _button(
    words: str, do: str, value: str | int = "", *, sign: str = "", pressed: bool | None = None
) -> Markup:
    return act_button(do, icon(sign) if sign else None, words, value=value, pressed=pressed)


def _instead(visit: Visit, table: DuelTable) -> Markup | None:
    """Exchanging and sitting out."""
    duel, player = table.duel, table.to_move
    if duel is None or player is None or duel.to_move is None:
        return None
    size = min(duel.hands[duel.to_move].size, duel.bag)
    hand = table.hand(player.id)
    if size and hand:
        exchange = _named_exchange(visit, table, hand, size)
    elif size:
        counts = [_button(str(count), "swap", count) for count in range(1, size + 1)]
        hint = tag("p", visit.say("duell_page.swap_hint"))
        exchange = joined(hint, tag("div", *counts, class_="chips"))
    else:
        exchange = tag("p", visit.say("duell_page.bag_empty"))
    return tag(
        "details",
        tag("summary", visit.say("duell_page.instead")),
        tag("h3", visit.say("duell_page.swap")),
        exchange,
        _button(visit.say("duell_page.pass"), "pass"),
        class_="card stack",
        data_key=f"instead-{len(table.turns)}",
    )


def _named_exchange(visit: Visit, table: DuelTable, hand: tuple[Piece, ...], size: int) -> Markup:
    chosen = chosen_pieces(visit, table)
    pieces = [
        _button(piece_words(each, visit.language), "choose", number, pressed=number in chosen)
        for number, each in enumerate(hand)
    ]
    count = len(chosen)
    going = None
    if 0 < count <= size:
        words = visit.say("duell_page.swap_count", count=count)
        going = _button(words, "swap-chosen")
    hint = tag("p", visit.say("duell_page.swap_which"))
    return joined(hint, tag("div", *pieces, class_="chips"), going)


def _turn_and_hand(table: DuelTable) -> tuple[int, tuple[Piece, ...]]:
    """The number of the turn, and what is known of the hand of the player to move."""
    return len(table.turns), table.hand(table.to_move.id) if table.to_move else ()


def chosen_pieces(visit: Visit, table: DuelTable) -> dict[int, Piece]:
    """The pieces of this turn's hand that were tapped for an exchange, by their numbers in it."""
    _, hand = now = _turn_and_hand(table)
    seen, numbers = visit.page_state.get(("swap", table.game.id), (None, ()))
    return {k: each for k, each in enumerate(hand) if seen == now and k in numbers}


def _hands(visit: Visit, table: DuelTable) -> Markup:
    player = table.to_move
    hint = None
    if table.set_up.helper and player and not table.hand(player.id):
        hint = tag("p", visit.say("duell_page.hand_missing", name=player.name))
    lines = [
        tag(
            "div",
            tag(
                "span",
                visit.say("duell_page.hand_of", name=each.name, count=len(table.hand(each.id))),
                class_="grow",
            ),
            act_button(
                "hand",
                icon("hand"),
                value=each.id,
                named=visit.say("duell_page.enter_hand", name=each.name),
            ),
            class_="row",
        )
        for each in table.players
    ]
    summary = tag("summary", visit.say("duell_page.hands"))
    return joined(hint, tag("details", summary, *lines, class_="card stack", data_key="hands"))


def _turns(visit: Visit, table: DuelTable) -> Markup:
    """All turns, the newest first; each can be gone back to."""
    steps = table.duel.steps if table.duel else ()
    lines = []
    for index, step in reversed(list(enumerate(steps))):
        name = table.players[step.player].name
        sentence = step_text(step, visit.language)
        back = visit.say("duell_page.back", number=index + 1)
        lines.append(
            tag(
                "li",
                tag(
                    "span",
                    visit.say("duell_page.turn", number=index + 1, name=name, told=sentence),
                    class_="grow",
                ),
                act_button("back", icon("undo"), value=index, named=back, look="bare"),
                data_key=f"turn-{index}",
            )
        )
    heading = tag("h2", visit.say("duell_page.turns"))
    body = (
        tag("ul", *lines, class_="duel-log")
        if lines
        else tag("p", visit.say("duell_page.no_turns"), class_="soft")
    )
    return tag("section", heading, body, class_="card stack")


def show_board(visit: Visit, table: DuelTable) -> None:
    """Draw the page."""
    _table(visit, table.game.id)
    look_for_changes(visit, table.game.id)


@st.fragment
@or_say_unreachable
def _table(visit: Visit, game_id: str) -> None:
    visit.catch_up()
    table = _table_of(visit, game_id)
    note_drawn(visit, table.game)
    show_markup(top_markup(visit, table), key="duel-top")
    state = board_state(
        table,
        hand_of=visit.page_state.get(("hand", game_id)),
        seen=seen_of(visit, table),
        notice=refused(visit, table),
    )
    duel_board(
        state,
        key=component_key("duel", game_id),
        language=visit.language,
        on_action=partial(answer_action, visit, game_id),
    )
    act = partial(answer, visit, partial(_act, visit, game_id))
    show_markup(below_markup(visit, table), key="duel-below", on_act=act)


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
        next_game(visit, table.game),
        go_link(
            address(game=table.game.id, view="result"),
            icon("chart"),
            visit.say("duell_page.chart"),
            look="button",
        ),
        class_="card winner stack",
    )
    return joined(head(visit, table), seats(visit, table), winner if over else None)


def answer_action(visit: Visit, game_id: str, action: DuelAction) -> None:
    """Keep what was done on the board; what is refused is said on the board."""
    _do_or_refuse(visit, game_id, lambda table: _keep(visit, table, action))


def _do_or_refuse(visit: Visit, game_id: str, do: Callable[[DuelTable], None]) -> None:
    visit.page_state.pop(("refused", game_id), None)
    table = _table_of(visit, game_id)
    try:
        do(table)
    except StoreError as error:
        refuse(visit, _table_of(visit, game_id), refusal(error, visit.language))
    except DuelError:
        refuse(visit, _table_of(visit, game_id), visit.say("duell_page.not_kept"))


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
        visit.page_state.pop(("hand", table.game.id), None)


def _act(visit: Visit, game_id: str, act: Act) -> None:
    _do_or_refuse(visit, game_id, lambda table: _do(visit, table, act))


def _do(visit: Visit, table: DuelTable, act: Act) -> None:
    if act.do == "back" and act.value.isdecimal():
        _go_back(visit, table, int(act.value))
    elif act.do == "swap" and act.value in tuple("1234567"):
        table.exchange(int(act.value))
    elif act.do == "choose" and act.value.isdecimal():
        numbers = chosen_pieces(visit, table).keys() ^ {int(act.value)}
        visit.page_state["swap", table.game.id] = (_turn_and_hand(table), numbers)
    elif act.do == "swap-chosen":
        pieces = [*chosen_pieces(visit, table).values()]
        table.exchange(len(pieces), pieces)
    elif act.do == "pass":
        table.sit_out()
    elif act.do == "hand" and act.value.isdecimal():
        visit.page_state["hand", table.game.id] = int(act.value)
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
            earlier.undone(*earlier.made[-1:])
        except StoreError as error:
            visit.notify(refusal(error, visit.language))

    code = "duell_page.undone_one" if gone == 1 else "duell_page.undone"
    visit.notify(visit.say(code, count=gone), bring_back)


_COLOURS = ("#c2410c", "#2f74b5", "#3f8f4a", "#a0519e", "#b8860b", "#5a5f66")
_DASHES = ([1, 0], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [1, 4])


def show_result(visit: Visit, table: DuelTable) -> None:
    """Draw the page."""
    show_markup(result_markup(visit, table), key="duel-result")
    if table.duel is not None and table.duel.steps:
        show_chart(running_chart(table, visit.language), key="duel-chart")
    rerun_on_changes(visit, table.game)


def result_markup(visit: Visit, table: DuelTable) -> Markup:
    """The page as markup, but for the chart."""
    line = standing_line(table, visit.language) or visit.say("duell_page.no_turns")
    over = table.duel is not None and table.duel.over
    sign = icon("trophy" if over else "chart", "large")
    section = tag(
        "section",
        sign,
        tag("div", tag("h2", line), role="status"),
        next_game(visit, table.game) if over else None,
        card_link(visit, table.game.id) if over else None,
        class_="card winner stack",
    )
    return joined(head(visit, table), tag("div", seats(visit, table), section, class_="stack"))


def running_chart(table: DuelTable, language: Language) -> alt.Chart:
    """A line a player, distinguished by colour, dashes and the shape of its points."""
    names = [player.name for player in table.players]
    steps = table.duel.steps if table.duel else ()
    totals = [(0,) * len(names), *(step.totals for step in steps)]
    turn, points, player = (
        say(f"duell_page.chart_{code}", language) for code in ("turn", "points", "player")
    )
    rows = [
        {"turn": number, "points": row[seat], "player": name}
        for number, row in enumerate(totals)
        for seat, name in enumerate(names)
    ]
    count = len(names)
    legend = alt.Legend(
        orient="bottom",
        columns=2,
        title=None,
        symbolType="stroke",
        symbolSize=700,
        symbolStrokeWidth=3,
    )
    chart: alt.Chart = (
        chart_of(rows)
        .mark_line(point=alt.OverlayMarkDef(size=45, filled=True), strokeWidth=2.5)
        .encode(
            x=alt.X("turn:Q", title=turn, axis=alt.Axis(tickMinStep=1, format="d")),
            y=alt.Y("points:Q", title=points, axis=alt.Axis(tickMinStep=1, format="d")),
            color=alt.Color(
                "player:N",
                scale=alt.Scale(domain=names, range=list(_COLOURS[:count])),
                legend=legend,
            ),
            strokeDash=alt.StrokeDash(
                "player:N",
                scale=alt.Scale(domain=names, range=list(_DASHES[:count])),
                legend=legend,
            ),
            tooltip=[
                alt.Tooltip("turn:Q", title=turn),
                alt.Tooltip("player:N", title=player),
                alt.Tooltip("points:Q", title=points),
            ],
        )
        .properties(height=300)
    )
    return chart
