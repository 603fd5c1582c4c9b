from __future__ import annotations

import dataclasses
import json
from dataclasses import replace

from companion.games.kingdomino.reading_text import photo_record
from tests.companion.kingdomino.readings import kingdom_reading, photo_reading


def test_the_line_of_a_photo_to_the_letter() -> None:
    reading = photo_reading(kingdom_reading("w1 w/c f", {(1, 1): "f1"}), kingdom_reading("c m2"))
    assert json.dumps(photo_record("table.jpg", reading)) == (
        '{"photo": "table.jpg", "kingdoms": ['
        '{"kingdom": "w1 w/c f", "score": 2, "doubtful": [[1, 1]], "squares": '
        '[[{"label": "w1", "probability": 0.9877}, {"label": "w", "probability": 0.9877}], '
        '[{"label": "c", "probability": 0.9877}, {"label": "f", "probability": 0.6123}]], '
        '"corners": [[10.0, 20.0], [90.0, 20.0], [90.0, 100.0], [10.0, 100.0]], "warnings": []}, '
        '{"kingdom": "c m2", "score": 2, "doubtful": [], "squares": '
        '[[{"label": "c", "probability": 0.9877}, {"label": "m2", "probability": 0.9877}]], '
        '"corners": [[10.0, 20.0], [90.0, 20.0], [90.0, 60.0], [10.0, 60.0]], "warnings": []}], '
        '"warnings": [], '
        '"seconds": {"decode": 0.0123, "locate": 0.5}}'
    )


def test_an_uncertain_grid_comes_with_the_next_best_reading() -> None:
    uncertain = kingdom_reading("w1 w/c f", lattice_certain=False)
    (plain,) = photo_record("table.jpg", photo_reading(uncertain))["kingdoms"]
    assert (plain["lattice_certain"], plain["next_best"]) == (False, None)
    both = replace(uncertain, next_best=kingdom_reading("w1 w w/c f f"))
    (told,) = photo_record("table.jpg", photo_reading(both))["kingdoms"]
    assert told["next_best"] == "w1 w w/c f f"


def test_warnings_and_reasons_stand_where_they_belong() -> None:
    kingdom = kingdom_reading("w1 w/c f", {(1, 1): "w"})
    hidden = dataclasses.replace(kingdom.squares[1][1], reason="hidden")
    rows = (kingdom.squares[0], (kingdom.squares[1][0], hidden))
    kingdom = dataclasses.replace(kingdom, squares=rows, warnings=("hidden",))
    reading = dataclasses.replace(photo_reading(kingdom), warnings=("other_squares",))
    record = photo_record("table.jpg", reading)
    assert record["warnings"] == ["other_squares"]
    assert record["kingdoms"][0]["warnings"] == ["hidden"]
    squares = record["kingdoms"][0]["squares"]
    assert [[square.get("reason") for square in row] for row in squares] == [
        [None, None],
        [None, "hidden"],
    ]
