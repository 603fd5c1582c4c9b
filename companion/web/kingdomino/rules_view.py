"""The rules of a game, asked once: variants, quests chosen or drawn, ties, what may be kept."""

from __future__ import annotations

import random
from dataclasses import replace

from companion.kingdomino.kept_rules import KeptRules
from companion.kingdomino.wording import quest_name
from companion.web.cookies import KEEP_PHOTOS_COOKIE, KEEP_SQUARES_COOKIE
from companion.web.kingdomino.table import Table
from companion.web.surface import Act, Markup, icon, tag
from companion.web.visit import Visit, address
from scorer.kingdomino import QUESTS, BleakKing, Quest, TieBreak

__all__ = ["base_variants", "changed_rules", "rules_markup"]


def rules_markup(visit: Visit, table: Table) -> Markup:
    kept, rules = table.rules, table.rules.rules
    quests = bool(rules.quests)
    switches = [
        _switch(visit, "harmony", rules.harmony, off=quests),
        _switch(visit, "middle_kingdom", rules.middle_kingdom, off=quests),
        _switch(visit, "mighty_duel", rules.mighty_duel),
        _switch(visit, "dynasty", kept.dynasty),
        _switch(visit, "giants", rules.age_of_giants),
        _quests(visit, kept) if rules.age_of_giants or quests else None,
        _switch(visit, "compare_crowns", rules.tie_break is TieBreak.CROWNS),
        _switch(visit, "bleak_king_by_squares", rules.bleak_king is BleakKing.SQUARES)
        if any(quest.goal.key == "bleak-king" for quest in rules.quests)
        else None,
    ]
    keeping = [
        _switch(visit, "photos", visit.keep_photos, remember=KEEP_PHOTOS_COOKIE),
        _switch(visit, "squares", visit.keep_squares, remember=KEEP_SQUARES_COOKIE),
    ]
    heading = tag("h2", visit.say("rules.title"))
    games = _games_of_dynasty(visit, table) if kept.dynasty else None
    return tag("section", heading, *switches, games, *keeping, class_="card")


def base_variants(visit: Visit, table: Table) -> list[Markup]:
    """The variants that count for a kingdom alone."""
    rules = table.rules.rules
    return [
        _switch(visit, "harmony", rules.harmony),
        _switch(visit, "middle_kingdom", rules.middle_kingdom),
    ]


def _switch(
    visit: Visit, name: str, on: bool, *, off: bool = False, remember: str | None = None
) -> Markup:
    field = tag(
        "input",
        type="checkbox",
        data_do=name,
        data_remember=remember,
        checked=on,
        disabled=off,
        data_key=f"{name}-{on}",
    )
    return tag("label", field, tag("span", visit.say(f"rules.{name}")), class_="switch")


def _quests(visit: Visit, kept: KeptRules) -> Markup:
    """Two quests, chosen or drawn."""
    chosen = [*kept.rules.quests, None, None][:2]
    fields = []
    for index, quest in enumerate(chosen):
        other = chosen[1 - index]
        options = [
            tag(
                "option",
                quest_name(each, visit.language),
                value=str(each),
                selected=each == quest,
            )
            for each in QUESTS
            if each != other
        ]
        none = tag("option", visit.say("rules.no_quest"), value="", selected=quest is None)
        name = visit.say("rules.quest", number=index + 1)
        fields.append(
            tag("select", none, *options, data_do="quest", data_value=index, aria_label=name)
        )
    draw = tag("button", icon("dice"), visit.say("rules.draw"), type="button", data_do="draw")
    return tag("div", tag("h3", visit.say("rules.quests")), *fields, draw, class_="stack")


def _games_of_dynasty(visit: Visit, table: Table) -> Markup:
    links = [
        tag(
            "a",
            visit.say("rules.game_of_dynasty", number=number),
            href=address(game=table.game.id, number=number if number > 1 else None),
            data_go=True,
            class_="button chosen" if number == table.number else "button",
        )
        for number in table.rules.games
    ]
    return tag("div", *links, class_="chips")


def changed_rules(kept: KeptRules, act: Act, rng: random.Random | None = None) -> KeptRules | None:
    """The rules after an act; None for one that is not about them.

    Choosing a quest takes the base variants out, since they are among the quests. RulesError
    where the rules don't go together.
    """
    rules, on = kept.rules, act.value == "true"
    if act.do == "harmony":
        return replace(kept, rules=replace(rules, harmony=on))
    if act.do == "middle_kingdom":
        return replace(kept, rules=replace(rules, middle_kingdom=on))
    if act.do == "mighty_duel":
        return replace(kept, rules=replace(rules, mighty_duel=on))
    if act.do == "dynasty":
        return replace(kept, dynasty=on)
    if act.do == "giants":
        quests = rules.quests if on else ()
        return replace(kept, rules=replace(rules, age_of_giants=on, quests=quests))
    if act.do == "compare_crowns":
        tie_break = TieBreak.CROWNS if on else TieBreak.SHARED
        return replace(kept, rules=replace(rules, tie_break=tie_break))
    if act.do == "bleak_king_by_squares":
        bleak_king = BleakKing.SQUARES if on else BleakKing.TERRITORY
        return replace(kept, rules=replace(rules, bleak_king=bleak_king))
    if act.do == "draw":
        return _with_quests(kept, tuple((rng or random.SystemRandom()).sample(QUESTS, 2)))
    if act.do == "quest":
        place, _, text = act.value.partition("|")
        chosen: list[Quest | None] = [*rules.quests, None, None][:2]
        if place in ("0", "1"):
            chosen[int(place)] = Quest.parse(text) if text else None
        return _with_quests(kept, tuple(each for each in chosen if each))
    return None


def _with_quests(kept: KeptRules, quests: tuple[Quest, ...]) -> KeptRules:
    rules = kept.rules
    if quests:
        rules = replace(rules, harmony=False, middle_kingdom=False)
    return replace(kept, rules=replace(rules, quests=quests))
