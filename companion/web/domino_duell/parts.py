"""What the pages of Domino-Duell share: the bar at the top, stones, turns in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from html import escape

from companion.games.domino_duell.card import DARK, FILLS, INKS, outline
from companion.games.domino_duell.kind import DOMINO_DUELL
from companion.games.domino_duell.table import DuelTable
from companion.games.domino_duell.texts import feature_name
from companion.languages import Language, codes, listed, say
from companion.store import StoreError
from companion.web.parts import count_of_points, sign_link, top_bar
from companion.web.shell import Markup, icon, joined, tag
from companion.web.visit import Visit, address
from scorer.domino_duell import (
    Exchange,
    Lay,
    NotationError,
    Pass,
    Piece,
    Step,
    Stone,
    Symbol,
    SymbolColour,
    legal_moves,
    parse_piece,
)


def stones_picture(stones: Sequence[Stone], missing: Stone, name: str) -> Markup:
    """Stones in a row, and after a plus the one that is missing, ringed by dashes."""
    parts = [_drawn(stone, 50 + 96 * number) for number, stone in enumerate(stones)]
    end = 96 * len(stones)
    plus = f'<path d="M{end + 12} 50h32m-16-16v32" stroke="currentColor" stroke-width="6"/>'
    x = end + 110
    ring = (
        f'<circle cx="{x}" cy="50" r="48" fill="none" stroke="currentColor" stroke-width="3" '
        'stroke-dasharray="8 6"/>'
    )
    width = end + 164
    return Markup(
        f'<svg viewBox="0 0 {width} 100" width="{width * 0.7:.0f}" style="max-width:100%" '
        f'role="img" aria-label="{escape(name)}">{"".join(parts)}{plus}{_drawn(missing, x)}{ring}'
        "</svg>"
    )


def _drawn(stone: Stone, x: int) -> str:
    ink = stone.symbol_colour
    line = "#ffffff" if ink is SymbolColour.BLACK else DARK
    look = f'fill="{INKS[ink]}" stroke="{line}" stroke-width="3" stroke-linejoin="round"'
    if stone.symbol is Symbol.CIRCLE:
        symbol = f'<circle r="22" {look}/>'
    else:
        points = " ".join(f"{43 * x:.1f},{43 * y:.1f}" for x, y in outline(stone.symbol))
        symbol = f'<polygon points="{points}" {look}/>'
    disc = f'<circle r="43" fill="{FILLS[stone.colour]}" stroke="{DARK}" stroke-width="2"/>'
    return f'<g transform="translate({x} 50)">{disc}{symbol}</g>'


_OWN = {"somebody_was_faster": "duell_page.faster", "game_has_begun": "duell_page.begun"}


def piece_words(piece: Piece, language: Language) -> str:
    """ "red, circle, white"."""
    if not isinstance(piece, Stone):
        return say("duell.joker", language)
    return ", ".join(feature_name(feature, language) for feature in piece.features)


def step_text(step: Step, language: Language) -> str:
    """What was done in a turn, and what it brought."""
    turn = step.turn
    if isinstance(turn, Pass):
        return say("duell_page.passed", language)
    if isinstance(turn, Exchange):
        return say("duell_page.swapped", language, count=turn.count)
    sentences = []
    if step.taken is not None:
        hollow = turn.joker if isinstance(turn, Lay) else turn.hollow
        piece = piece_words(step.taken, language)
        sentences.append(say("duell_page.joker", language, hollow=hollow, piece=piece))
    if step.move is not None:
        sentences.append(
            say(
                "duell_page.laid",
                language,
                piece=piece_words(step.move.stone, language),
                hollow=step.move.hollow,
                points=count_of_points(step.points, language),
            )
        )
    if len(sentences) == 1:
        return sentences[0]
    return say("duell_page.then", language, first=sentences[0], second=sentences[1])


def refusal(error: StoreError, language: Language) -> str:
    """Why something was not done."""
    reason = str(error.details.get("reason", ""))
    if reason in _OWN:
        return say(_OWN[reason], language)
    if (shared := f"players.refused.{reason}") in codes():
        return say(shared, language, most=error.details.get("most", ""))
    code = f"duell_error.{reason}"
    if code not in codes():
        return say("duell_page.not_kept", language)
    details = dict(error.details)
    with suppress(NotationError):
        details["stone"] = piece_words(parse_piece(str(details.get("stone"))), language)
    sentence = say(code, language, **details)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def start_line(table: DuelTable, language: Language) -> str:
    """Who can begin, as far as the hands are known before the first turn."""
    duel = table.duel
    names = [
        each.name
        for each in table.players
        if duel is not None and not duel.steps and legal_moves(duel.position, table.hand(each.id))
    ]
    if not names:
        return say("duell_page.begins_hint", language)
    return say("duell_start.able", language, count=len(names), players=listed(names, language))


def standing_line(table: DuelTable, language: Language) -> str:
    """Who is in front, or who has won; empty before the first turn."""
    duel = table.duel
    if duel is None or not duel.steps:
        return ""
    best = max(duel.totals)
    points = count_of_points(best, language)
    pairs = zip(table.players, duel.totals, strict=True)
    names = [player.name for player, total in pairs if total == best]
    if not duel.over:
        return say("duell_page.leads", language, names=listed(names, language), points=points)
    if len(names) == 1:
        return say("game.won", language, name=names[0], points=points)
    return say("game.shared", language, names=listed(names, language), points=points)


def head(visit: Visit, table: DuelTable) -> Markup:
    """The bar at the top."""
    people = sign_link(
        visit.say("duell_page.people"), "people", address(game=table.game.id, view="players")
    )
    if visit.view == "result":
        other = sign_link(visit.say("duell_page.board"), "dice", address(game=table.game.id))
    else:
        where = address(game=table.game.id, view="result")
        other = sign_link(visit.say("duell_page.chart"), "chart", where)
    return top_bar(visit, DOMINO_DUELL.name, people, other)


def seats(visit: Visit, table: DuelTable) -> Markup:
    """Everybody's points, and who is next."""
    totals = table.duel.totals if table.duel else (0,) * len(table.players)
    fields = []
    for player, total in zip(table.players, totals, strict=True):
        next_one = player == table.to_move
        points = count_of_points(total, visit.language)
        code = "duell_page.seat_to_move" if next_one else "duell_page.seat"
        mark = tag("span", icon("next"), class_="mark") if next_one else None
        inside = joined(
            tag("span", player.name, class_="name"),
            tag("span", total, mark, class_="points"),
        )
        fields.append(
            tag(
                "li",
                tag("span", visit.say(code, name=player.name, points=points), class_="hidden"),
                tag("div", inside, aria_hidden="true"),
                class_="seat",
                aria_current="true" if next_one else None,
                data_key=f"seat-{player.id}",
            )
        )
    return tag("ul", *fields, class_="duel-seats", aria_label=visit.say("duell_page.seats"))


def refuse(visit: Visit, table: DuelTable, words: str) -> None:
    """Say on the board why something was not done, until it is done or a turn is over."""
    visit.page_state["refused", table.game.id] = (table.turns, words)


def refused(visit: Visit, table: DuelTable) -> str | None:
    """Why something was not done, where no turn was over since; None where all was."""
    turns, words = visit.page_state.get(("refused", table.game.id), ((), None))
    return words if turns == table.turns else None
