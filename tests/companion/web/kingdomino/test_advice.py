from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.kingdomino.editing import KeptReading
from companion.games.kingdomino.table import Table, new_table
from companion.languages import Language, say
from companion.store import Actor, Store
from companion.web.kingdomino.seat_view import oddities_markup
from companion.web.visit import Visit
from tests.companion.kingdomino.readings import kingdom_reading
from vision.kingdomino.judge.warn import WARNINGS


def one_seat(store: Store, visit: Visit) -> Table:
    return new_table(store, Actor(visit.device)).with_player("Anna")


def test_warnings_of_kingdom_and_photo_are_said_once_with_what_to_do(
    store: Store, visit: Visit
) -> None:
    reading = replace(kingdom_reading("c w w1"), warnings=("cut_off", "mirrored"))
    kept = KeptReading(reading, "photo", 640, 480, ("mirrored", "dark"))
    table = one_seat(store, visit)
    markup = oddities_markup(visit, table, table.seats[0], kept)
    assert markup is not None
    assert markup.count("Bitte noch einmal ganz ins Bild nehmen") == 1
    assert markup.count("gespiegelt") == 1
    assert "Bitte mit mehr Licht" in markup


@pytest.mark.parametrize("code", sorted(WARNINGS))
@pytest.mark.parametrize("language", ["de", "en"])
def test_every_warning_has_its_words(code: str, language: str) -> None:
    assert say(f"warning.{code}", Language(language))


def test_a_warning_of_tomorrow_is_said_in_general(store: Store, visit: Visit) -> None:
    reading = replace(kingdom_reading("c w w1"), warnings=("not_known_yet",))
    table = one_seat(store, visit)
    markup = oddities_markup(visit, table, table.seats[0], KeptReading(reading))
    assert markup is not None
    assert visit.say("warning.unclear") in markup
