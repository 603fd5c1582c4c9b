from __future__ import annotations

import pytest

from companion.cli.typed_kingdoms import quest_of
from companion.languages import Language, say
from scorer.kingdomino import QUESTS, Quest, RulesError


@pytest.mark.parametrize("quest", QUESTS, ids=str)
@pytest.mark.parametrize("language", list(Language))
def test_every_quest_by_its_name_in_every_language(quest: Quest, language: Language) -> None:
    name = say(f"quest.{quest.goal.key}", language)
    if quest.terrain:
        assert quest_of(f"{name}:{quest.terrain.letter}") == quest
        name = f"{name}:{say(f'terrain.{quest.terrain.letter}', language)}"
    assert quest_of(name) == quest
    assert quest_of(name.upper()) == quest
    assert quest_of(name.replace(" ", "-")) == quest
    assert quest_of(str(quest)) == quest


def test_umlauts_may_be_written_in_ascii() -> None:
    four = Quest.parse("four-corners:l")
    for name in ("Die 4 Ecken des Königreichs", "die-4-ecken-des-koenigreichs"):
        assert quest_of(f"{name}:See") == four


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unknown_quest"),
        ("castle", "unknown_quest"),
        ("Umland:x", "unknown_quest"),
        ("Umland:", "unknown_quest"),
        ("Umland", "quest_needs_terrain"),
        ("Harmonie:w", "quest_without_terrain"),
    ],
)
def test_texts_that_are_no_quest(text: str, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        quest_of(text)
    assert caught.value.code == code
