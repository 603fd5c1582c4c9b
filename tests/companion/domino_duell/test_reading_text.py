from __future__ import annotations

from companion.games.domino_duell.reading_text import board_lines
from companion.languages import Language
from scorer.domino_duell import DEFAULT_SHAPE, parse_board
from tests.companion.domino_duell.test_reading_data import reading_on


def test_the_lines_are_a_board_and_say_how_little_is_sure() -> None:
    reading = reading_on(DEFAULT_SHAPE)
    for language in Language:
        lines = list(board_lines(reading, language))
        assert parse_board("\n".join(lines)) == reading.position
        assert lines[0].startswith("# ")
        # The placing is in doubt, so no hollow is named.
        assert sum(line.startswith("#") for line in lines) == 2
