"""What stands below the board: undo, what else can be done in turn, hands, a photo, all turns."""

from __future__ import annotations

from companion.domino_duell.table import DuelTable
from companion.web.domino_duell.photo import photo_part
from companion.web.domino_duell.telling import piece_words, step_told
from companion.web.surface import Markup, icon, joined, tag
from companion.web.visit import Visit
from scorer.domino_duell import Piece

__all__ = ["below_markup", "chosen_pieces"]


def below_markup(visit: Visit, table: DuelTable) -> Markup:
    """Undo, what can be done instead of laying, hands, a photo, and all turns."""
    answered = tag("span", hidden=True, data_answered=visit.answered)
    return tag(
        "div",
        tag(
            "div", _undo(visit, table), _instead(visit, table), _hands(visit, table), class_="stack"
        ),
        tag("div", _turns(visit, table), photo_part(visit), class_="stack"),
        answered,
        class_="columns two",
    )


def _undo(visit: Visit, table: DuelTable) -> Markup | None:
    if not table.turns:
        return None
    return _button(visit.say("duell_page.undo"), "back", len(table.turns) - 1, sign="undo")


def _button(
    words: str, do: str, value: str | int = "", *, sign: str = "", pressed: bool | None = None
) -> Markup:
    return tag(
        "button",
        icon(sign) if sign else None,
        words,
        type="button",
        data_do=do,
        data_value=value,
        aria_pressed=None if pressed is None else str(pressed).lower(),
    )


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
        _button(piece_words(each, visit.language), "choose", str(each), pressed=str(each) in chosen)
        for each in hand
    ]
    count = len(chosen)
    going = None
    if 0 < count <= size:
        words = visit.say("duell_page.swap_count", count=count)
        going = _button(words, "swap-chosen")
    hint = tag("p", visit.say("duell_page.swap_which"))
    return joined(hint, tag("div", *pieces, class_="chips"), going)


def chosen_pieces(visit: Visit, table: DuelTable) -> list[str]:
    """The pieces that were tapped for an exchange in this turn, in notation."""
    turn, pieces = visit.room.get(("swap", table.game.id), (-1, []))
    return pieces if turn == len(table.turns) else []


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
            tag(
                "button",
                icon("hand"),
                type="button",
                data_do="hand",
                data_value=each.id,
                aria_label=visit.say("duell_page.enter_hand", name=each.name),
                title=visit.say("duell_page.enter_hand", name=each.name),
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
        told = step_told(step, visit.language)
        back = visit.say("duell_page.back", number=index + 1)
        lines.append(
            tag(
                "li",
                tag(
                    "span",
                    visit.say("duell_page.turn", number=index + 1, name=name, told=told),
                    class_="grow",
                ),
                tag(
                    "button",
                    icon("undo"),
                    type="button",
                    data_do="back",
                    data_value=index,
                    aria_label=back,
                    title=back,
                    class_="bare",
                ),
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
