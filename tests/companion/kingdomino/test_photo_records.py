from __future__ import annotations

import json
from dataclasses import replace

from companion.kingdomino.photo_records import photo_record
from tests.companion.kingdomino.readings import kingdom_reading, photo_reading


def test_the_line_of_a_photo_to_the_letter() -> None:
    reading = photo_reading(kingdom_reading("w1 w/c f", {(1, 1): "f1"}), kingdom_reading("c m2"))
    assert json.dumps(photo_record("table.jpg", reading)) == (
        '{"photo": "table.jpg", "kingdoms": ['
        '{"kingdom": "w1 w/c f", "score": 2, "doubtful": [[1, 1]], "squares": '
        '[[{"label": "w1", "probability": 0.9877}, {"label": "w", "probability": 0.9877}], '
        '[{"label": "c", "probability": 0.9877}, {"label": "f", "probability": 0.6123}]], '
        '"corners": [[10.0, 20.0], [90.0, 20.0], [90.0, 100.0], [10.0, 100.0]]}, '
        '{"kingdom": "c m2", "score": 2, "doubtful": [], "squares": '
        '[[{"label": "c", "probability": 0.9877}, {"label": "m2", "probability": 0.9877}]], '
        '"corners": [[10.0, 20.0], [90.0, 20.0], [90.0, 60.0], [10.0, 60.0]]}], '
        '"seconds": {"decode": 0.0123, "locate": 0.5}}'
    )


def test_an_uncertain_grid_comes_with_the_next_best_reading() -> None:
    uncertain = kingdom_reading("w1 w/c f", lattice_certain=False)
    (plain,) = photo_record("table.jpg", photo_reading(uncertain))["kingdoms"]
    assert (plain["lattice_certain"], plain["next_best"]) == (False, None)
    both = replace(uncertain, next_best=kingdom_reading("w1 w w/c f f"))
    (told,) = photo_record("table.jpg", photo_reading(both))["kingdoms"]
    assert told["next_best"] == "w1 w w/c f f"
