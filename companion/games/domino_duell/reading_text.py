"""A reading as `domino-duell read` writes it: as lines of text, and as the line of JSON, a stable
format.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.domino_duell.texts import piece_name
from companion.languages import Language, say
from vision.domino_duell.result import BoardReading


def board_record(photo: str, reading: BoardReading) -> dict[str, Any]:
    """The record of a photo that was read: the board, what to check, and seconds by step."""
    return {
        "photo": photo,
        "tried_on": reading.tried_on,
        "board": {hollow: str(piece) for hollow, piece in reading.position.items()},
        "certain": reading.certain,
        "check": [
            {
                "hollow": each.hollow,
                "read": None if each.piece is None else str(each.piece),
                "probability": round(each.probability, 4),
                "runner_up": None if each.runner_up is None else str(each.runner_up),
            }
            for each in reading.hollows
            if each.doubtful
        ],
        "seconds": {step: round(seconds, 4) for step, seconds in reading.seconds.items()},
    }


def board_lines(reading: BoardReading, language: Language) -> Iterator[str]:
    """The stones row by row, then what to check; all but the stones is a comment."""
    yield f"# {say('duell.tried', language)}"
    rows: dict[str, list[str]] = {}
    for hollow, piece in reading.position.items():
        rows.setdefault(hollow[0], []).append(f"{hollow}={piece}")
    for row in rows.values():
        yield " ".join(row)
    if not reading.certain:
        yield f"# {say('duell.board_uncertain', language)}"
        return
    if reading.doubtful:
        yield f"# {say('duell.check', language)}"
    for each in reading.hollows:
        if not each.doubtful:
            continue
        names = [
            say("duell.empty", language) if piece is None else piece_name(piece, language)
            for piece in (each.piece, each.runner_up)
        ]
        line = say(
            "duell.doubt",
            language,
            hollow=each.hollow,
            first=names[0],
            percent=round(100 * each.probability),
            second=names[1],
        )
        yield f"#   {line}"
