from __future__ import annotations

import pytest

from companion.languages import Language
from companion.web.kingdomino.help_view import help_markup, set_up_lines
from companion.web.visit import Visit
from scorer.kingdomino import setup_guide


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("language", list(Language))
def test_every_number_of_players_has_a_guide(players: int, language: Language) -> None:
    lines = set_up_lines(setup_guide(players, age_of_giants=players == 5), language)
    assert len(lines) >= 5
    assert not any("{" in line for line in lines)


def test_dominoes_that_are_put_aside_are_crossed_out(visit: Visit) -> None:
    visit.room["help"] = {"players": 3, "giants": True}
    assert help_markup(visit).count('stroke="#97350f"') == 2
