"""What the board shows of a game, as the message that goes down to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.domino_duell.table import DuelTable
from scorer.domino_duell import Lay, joker_hollows, legal_moves

__all__ = ["MOVES_SHOWN", "Seen", "board_state"]

MOVES_SHOWN = 12

Seen = tuple[str, str, bool]
"""A hollow, what a photo shows there in notation, and whether a person should look."""


def board_state(
    table: DuelTable,
    *,
    hand_of: int | None = None,
    seen: Sequence[Seen] | None = None,
    notice: str | None = None,
) -> dict[str, Any]:
    """Plain data for the board.

    ``hand_of`` is the player whose hand is being entered, ``seen`` what a photo shows that the
    board has not. Moves are offered only where the game wants it and the hand is known.
    """
    duel, set_up = table.duel, table.set_up
    position = duel.position if duel else None
    stones = dict(position.items()) if position else set_up.start
    player = table.to_move
    moves = None
    if duel and player and set_up.helper and (hand := table.hand(player.id)):
        best = legal_moves(duel.position, hand)[:MOVES_SHOWN]
        moves = [[str(move.stone), move.hollow, move.points] for move in best]
    step = duel.steps[-1] if duel and duel.steps else None
    hand_owner = next((each for each in table.players if each.id == hand_of), None)
    return {
        "rows": list(set_up.shape.rows),
        "stones": {hollow: str(piece) for hollow, piece in stones.items()},
        "phase": "start" if duel is None else "over" if duel.over else "play",
        "name": player.name if player else "",
        "turns": len(table.turns),
        "jokers": set_up.jokers,
        "takeable": list(joker_hollows(position)) if position and set_up.jokers else [],
        "last": step.turn.hollow if step and isinstance(step.turn, Lay) else None,
        "lit": [each for group in step.move.groups for each in group.hollows]
        if step and step.move
        else [],
        "moves": moves,
        "hand": None
        if hand_owner is None
        else {
            "player": hand_owner.id,
            "name": hand_owner.name,
            "pieces": [str(piece) for piece in table.hand(hand_owner.id)],
        },
        "seen": None if seen is None else [list(each) for each in seen if each[0] not in stones],
        "notice": notice,
    }
