from __future__ import annotations

import json

from companion.games.pip_dominoes.reading_text import hand_record
from tests.companion.pip_dominoes.hands import hand_of


def test_the_line_of_a_photo_to_the_letter() -> None:
    reading = hand_of("5|9 0|0", {"5|9": "5|8"}, warnings=("set_inferred",))
    assert json.dumps(hand_record("hand.jpg", reading)) == (
        '{"photo": "hand.jpg", "dominoes": ['
        '{"tile": "5|9", "corners": [[10.0, 20.0], [50.0, 20.0], [50.0, 100.0], [10.0, 100.0]], '
        '"probability": 0.6123, "doubtful": true, "runner_up": "5|8"}, '
        '{"tile": "0|0", "corners": [[60.0, 20.0], [100.0, 20.0], [100.0, 100.0], [60.0, 100.0]], '
        '"probability": 0.9877, "doubtful": false, "runner_up": null}], '
        '"sum": 14, "doubtful": true, "set": 12, "warnings": ["set_inferred"], '
        '"seconds": {"decode": 0.0123, "locate": 0.5}}'
    )
