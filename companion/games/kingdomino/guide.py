"""Kingdomino's set-up and rules in words, and a kingdom that shows what each quest asks for.

Source: Kingdomino, all sections; Age of Giants, all sections.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from companion.games.guide import Item, Section, section
from companion.languages import Language, say
from scorer.kingdomino import BleakKing, Goal, Kingdom, Quest, SetUp, Terrain


def set_up_record(guide: SetUp) -> dict[str, Any]:
    """The set-up as plain data, with what follows from it."""
    more = {"drawn": guide.drawn, "removed": guide.removed, "played": guide.played}
    return asdict(guide) | more


def set_up_lines(guide: SetUp, language: Language) -> Iterator[str]:
    """What to put back, lay out and play, a sentence each."""
    values = set_up_record(guide)
    if guide.put_back:
        yield say("setup.put_back", language, **values)
    elif guide.played == guide.dominoes:
        yield say("setup.put_back_none", language, **values)
    else:
        yield say("setup.drawn", language, **values)
    yield say("setup.row_letters" if guide.giants else "setup.row", language, **values)
    if guide.put_aside:
        places = ", ".join(map(str, guide.put_aside))
        yield say("setup.put_aside", language, places=places)
    for code in ("rounds", "kings", "grid"):
        yield say(f"setup.{code}", language, **values)
    if guide.giants:
        yield say("setup.giants", language, **values)
    if guide.quests:
        yield say("setup.quests", language, **values)
    yield say("guide.kingdomino.castles", language)
    if guide.giants or guide.quests:
        yield say("guide.kingdomino.parts", language)


def rules_of_play(guide: SetUp, language: Language, *, court: bool = False) -> tuple[Section, ...]:
    """What follows the set-up: kings, turns, placing, what is in play, scoring, decisions."""
    values = asdict(guide)
    two, expansion = guide.players == 2, bool(guide.giants or guide.quests)

    def about(key: str, *codes: str) -> Section:
        return section("kingdomino", key, codes, language, **values)

    kings = "kings_of_two" if two else "kings_drawn"
    giving_up = "must_place" if expansion else "may_waive"
    found = [
        about("kings", kings, "one_king", "next_row"),
        about("turn", "order", "two_actions", *(["twice"] if two else []), "last_round"),
        about("placing", "at_castle", "matching", "grid", "fits_nowhere", giving_up),
    ]
    if guide.giants:
        found.append(about("giants", "giant_arrives", "giant_moves", "giant_stays", "giant_covers"))
    found.append(about("scoring", "territory", "alone", "tie"))
    if guide.quests:
        found.append(replace(about("quests", "drawn", "incomplete"), items=_items(Goal, language)))
        found.append(about("variants", "dynasty", "mighty_duel", "not_beside_quests"))
    else:
        base = _items((Goal.HARMONY, Goal.MIDDLE_KINGDOM), language)
        variants = about("variants", "combined", "dynasty", "mighty_duel")
        found.append(replace(variants, items=base))
    if court:
        title = say("guide.court", language)
        found.append(Section("court", title, (say("setup.court", language),)))
    readings = ["bleak_king_readings"] if guide.quests else []
    found.append(about("open", "extent", *readings, "crowns_compared", "dynasty_tie"))
    return tuple(found)


def goal_rule(goal: Goal, language: Language, bleak_king: BleakKing = BleakKing.TERRITORY) -> str:
    """What a quest or variant gives points for."""
    by_squares = goal is Goal.BLEAK_KING and bleak_king is BleakKing.SQUARES
    code = f"{goal.key}-by-squares" if by_squares else goal.key
    return say(f"guide.goal.{code}", language, points=goal.points)


def _items(goals: Iterable[Goal], language: Language) -> tuple[Item, ...]:
    return tuple(
        Item(each.key, say(f"quest.{each.key}", language), goal_rule(each, language))
        for each in goals
    )


_EXAMPLES: Mapping[Goal, str] = {
    Goal.LOCAL_BUSINESS: "T T a/b c T/T b a",
    Goal.FOUR_CORNERS: "T a a b T/a a b b b/a b c a b/b b a a a/T b b a a",
    Goal.HARMONY: "w w f f l/w g c f l1/g g w w l/m s s w l/m1 f f1 g g",
    Goal.MIDDLE_KINGDOM: ". w f f ./w w g f l1/g g c w l/m s s w ./. f f1 . .",
    Goal.LOST_CORNER: "c w w f ./l l g f f/l1 m g s s/. m g w w1",
    Goal.FOLIE_DES_GRANDEURS: "w1 f1 l1 g g/w f1 g2 l ./s s c f1 f/m2 w w l f/. w l l .",
    Goal.BLEAK_KING: "w w w f f1/w w g f l/w c g l l1/s s g m ./s1 f g . .",
}
"""Kingdoms in notation; ``T`` is the terrain that a tile shows, ``a`` and ``b`` two others."""


def example_of(quest: Quest) -> Kingdom:
    """A kingdom in which the quest gives points."""
    text = _EXAMPLES[quest.goal]
    if quest.terrain is not None:
        others = [each.letter for each in Terrain if each is not quest.terrain]
        start = list(Terrain).index(quest.terrain)
        for sign, letter in (("a", others[start % 5]), ("b", others[(start + 2) % 5])):
            text = text.replace(sign, letter)
        text = text.replace("T", quest.terrain.letter)
    return Kingdom.parse(text)
