"""A reading as lines of text: a board as `domino-duell moves` takes it, and what to check."""

from __future__ import annotations

from collections.abc import Iterator

from companion.domino_duell.wording import piece_name
from companion.languages import Language, say
from vision.domino_duell.result import BoardReading

__all__ = ["board_lines"]


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
