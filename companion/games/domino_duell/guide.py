"""Domino-Duell's set-up and rules in words.

Source: Domino-Duell, all sections; what the sheet leaves open is in ``docs/domino_duell.md``.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.guide import Section, section
from companion.languages import Language, say
from scorer.domino_duell import HAND_SIZE, JOKERS, STONES, End, Game, is_group

START_STONES = 4


def set_up_lines(players: int, language: Language, *, jokers: bool = False) -> tuple[str, ...]:
    """What to lay out and draw, and who begins, a sentence each."""
    codes = ("bag_with_jokers" if jokers else "bag", "start", "hands", "begins")
    values = {"players": players, "hand": HAND_SIZE, "bag": bag_after(players, jokers=jokers)}
    return section("duell", "set_up", codes, language, **values).lines


def bag_after(players: int, *, jokers: bool = False) -> int:
    """How many pieces are in the bag when everybody has drawn."""
    return len(STONES) + (JOKERS if jokers else 0) - START_STONES - players * HAND_SIZE


def is_quadruple(started: Game) -> bool:
    """Whether the four start stones are one."""
    return is_group(started.set_up.start.stones)


def start_lines(started: Game, language: Language) -> Iterator[str]:
    """Whether the start stones are a quadruple, and who can begin with the stones that are known.

    Source: Domino-Duell, "Spielvorbereitung".
    """
    quadruple = is_quadruple(started)
    yield say("duell_start.quadruple" if quadruple else "duell_start.no_quadruple", language)
    if not started.set_up.hands:
        return
    able = started.able_to_begin()
    if not able:
        yield say("duell_start.none", language)
        return
    yield say("duell_start.able", language, count=len(able), players=", ".join(able))


def rules_of_play(
    language: Language, *, jokers: bool | None = None, end: End | None = None
) -> tuple[Section, ...]:
    """What follows the set-up: groups, moves, points, jokers, the end, decisions.

    ``jokers`` and ``end`` leave out what is not in play; with None nothing is left out.
    """

    def about(key: str, *codes: str) -> Section:
        return section("duell", key, codes, language)

    found = [
        about("groups", "triple", "quadruple"),
        about("play", "move", "swap"),
        about("points", "points", "example"),
    ]
    if jokers is not False:
        found.append(about("jokers", "joker", "joker_inside", "joker_counts"))
    ends = [] if end is End.EDGE else ["all_laid"]
    ends += [] if end is End.STONES else ["quick"]
    return (*found, about("game_end", *ends, "most"), about("open", "board", "within"))
