"""What each guide tells, by the codes of its sentences, held against ``golden_guides.txt``.

After a change that is meant: ``GOLDEN=write pytest tests/companion/games/test_guides.py``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import companion.games.domino_duell.guide as duel
import companion.games.kingdomino.guide as kingdomino
import companion.games.pip_dominoes.guide as dominoes
from companion.games import guide
from companion.games.guide import Section
from companion.games.pip_dominoes import texts
from companion.languages import Language
from scorer import kingdomino as kingdomino_rules
from scorer import pip_dominoes as dominoes_rules
from scorer.domino_duell import End
from scorer.pip_dominoes import DominoSet, Game, MugginsRules, Rounding, RoundWorth

GOLDEN = Path(__file__).with_name("golden_guides.txt")
EN = Language.ENGLISH


def told() -> Iterator[tuple[str, Iterable[str], Iterable[Section]]]:
    """The title, the sentences of the set-up and the sections of the rules of each guide."""
    for title, set_up in (
        ("Kingdomino, two", kingdomino_rules.setup_guide(2)),
        ("Kingdomino, the Mighty Duel", kingdomino_rules.setup_guide(2, mighty_duel=True)),
        ("Kingdomino, three", kingdomino_rules.setup_guide(3)),
        ("Kingdomino, five with giants", kingdomino_rules.setup_guide(5, age_of_giants=True)),
        ("Kingdomino, four with quests", kingdomino_rules.setup_guide(4, quests=True)),
    ):
        rules = kingdomino.rules_of_play(set_up, EN, court=set_up.players == 3)
        yield title, kingdomino.set_up_lines(set_up, EN), rules
    for game, players, highest in (
        (Game.MEXICAN_TRAIN, 4, 12),
        (Game.MEXICAN_TRAIN, 8, 18),
        (Game.CHICKENFOOT, 3, 9),
        (Game.MUGGINS, 2, 6),
        (Game.MUGGINS, 4, 6),
        (Game.CASTLE_ROCK, 1, 6),
    ):
        laid_out = dominoes_rules.setup_guide(game, players, DominoSet(highest))
        lines = dominoes.set_up_lines(laid_out, EN)
        title = f"{game.title}, {players} with set {highest}"
        yield title, lines, dominoes.rules_of_play(laid_out, EN)
    other = MugginsRules(rounding=Rounding.UP, rounded=RoundWorth.EACH_HAND, spinner_counts=False)
    laid_out = dominoes_rules.setup_guide(Game.MUGGINS, 2, DominoSet(6))
    yield "Muggins by other rules", (), dominoes.rules_of_play(laid_out, EN, other)
    yield "Domino-Duell", duel.set_up_lines(3, EN), duel.rules_of_play(EN)
    with_jokers = duel.set_up_lines(6, EN, jokers=True)
    yield "Domino-Duell to the edge", with_jokers, duel.rules_of_play(EN, jokers=True, end=End.EDGE)
    yield "Domino-Duell to the end", (), duel.rules_of_play(EN, jokers=False, end=End.STONES)


def test_every_guide_tells_what_it_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def code_of(code: str, language: Language, /, **values: object) -> str:
        assert language is EN
        few = {name: value for name, value in values.items() if name in SHOWN and value is not None}
        return " ".join([code, *(f"{name}={value}" for name, value in sorted(few.items()))])

    for module in (guide, kingdomino, dominoes, duel, texts):
        monkeypatch.setattr(module, "say", code_of)
    lines: list[str] = []
    for title, set_up, rules in told():
        lines += ["", title, "; ".join(["  set-up:", *set_up])]
        for each in rules:
            told_so = [line.removeprefix("guide.") for line in each.lines]
            items = [f"{item.key} = {item.name}, {item.rule}" for item in each.items]
            lines.append("; ".join([f"  {each.key} ({each.title}):", *told_so, *items]))
    if os.environ.get("GOLDEN") == "write":
        GOLDEN.write_text("\n".join([*lines[1:], ""]), encoding="utf-8")
    assert GOLDEN.read_text(encoding="utf-8").splitlines() == lines[1:]


SHOWN = ("bag", "boneyard", "count", "double", "draw", "places", "points", "set", "target")
"""Values that a sentence may be given; a section gives all of its own to each sentence."""
