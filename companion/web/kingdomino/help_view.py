"""How to set up and play a game for so many players, with a picture of each quest."""

from __future__ import annotations

from companion.games.guide import Item
from companion.games.kingdomino.guide import example_of, rules_of_play, set_up_lines
from companion.games.kingdomino.texts import count_of_points, quest_name
from companion.web.kingdomino.parts import kingdom_picture
from companion.web.parts import chips, switch
from companion.web.rules import rules_cards, rules_page
from companion.web.shell import Act, Markup, joined, show_markup, tag
from companion.web.visit import Visit
from scorer.kingdomino import QUESTS, Kingdom, Quest, Rules, SetUp, score, setup_guide

_EXAMPLE = Kingdom.parse("w1 w f . ./w w f1 f ./l l1 c m2 m1/. l g g1 ./. . g . .")
_PLAYERS = ("2", "3", "4", "5")
_SWITCHES = ("giants", "quests", "duel", "court")


def show_help(visit: Visit) -> None:
    """Draw the page; what was chosen stays for the visit."""
    show_markup(help_markup(visit), key="help", on_act=lambda act: _act(visit, act))


def _act(visit: Visit, act: Act) -> None:
    chosen = visit.page_state.setdefault("help", {"players": 4})
    if act.do == "players" and act.value in _PLAYERS:
        chosen["players"] = int(act.value)
    elif act.do in _SWITCHES:
        chosen[act.do] = act.value == "true"
        if act.do == "giants":
            chosen["quests"] = chosen["giants"]


def help_markup(visit: Visit) -> Markup:
    """The page as markup."""
    chosen = visit.page_state.get("help", {"players": 4})
    players = chosen["players"]
    # Five play with the dominoes of the expansion.
    giants = players == 5 or bool(chosen.get("giants"))
    duel = bool(chosen.get("duel")) and players == 2
    quests, court = bool(chosen.get("quests")), bool(chosen.get("court"))
    guide = setup_guide(players, age_of_giants=giants, mighty_duel=duel, quests=quests)
    title = visit.say("help.players")
    switches = [
        switch("giants", visit.say("rules.giants"), giants, off=players == 5),
        switch("quests", visit.say("help.quests"), quests),
        switch("duel", visit.say("rules.mighty_duel"), duel) if players == 2 else None,
        switch("court", visit.say("guide.court"), court),
    ]
    numbers = chips("players", zip(_PLAYERS, map(int, _PLAYERS), strict=True), players, title)
    asked = joined(tag("h2", title), numbers, *switches)
    example = kingdom_picture(_EXAMPLE, visit.say("help.scoring"), score(_EXAMPLE))
    cards = rules_cards(
        rules_of_play(guide, visit.language, court=court),
        {"scoring": tag("div", example, class_="example")},
        lambda item: quest_pictures(visit, item),
    )
    lines = set_up_lines(guide, visit.language)
    return rules_page(visit, visit.say("help.title"), asked, lines, cards, _row_picture(guide))


def quest_pictures(visit: Visit, item: Item) -> Markup:
    """The tiles of a goal, each as a kingdom in which it counts."""
    tiles = [quest_picture(visit, each) for each in QUESTS if each.goal.key == item.key]
    return tag("div", *tiles, class_="tiles")


def quest_picture(visit: Visit, quest: Quest) -> Markup:
    """A kingdom in which a quest counts, the squares that it counts in light, and its points."""
    kingdom = example_of(quest)
    bonus = score(kingdom, Rules(quests=(quest,))).bonuses[0]
    name = quest_name(quest, visit.language)
    points = count_of_points(bonus.points, visit.language)
    picture = kingdom_picture(kingdom, f"{name}: {points}", lit=bonus.squares)
    shown = name.rpartition(": ")[2] if quest.terrain else ""
    caption = joined(tag("span", shown) if shown else None, tag("strong", points))
    return tag("figure", picture, tag("figcaption", caption))


def _row_picture(guide: SetUp) -> Markup:
    """The row of dominoes on the table; those that are put aside are crossed out."""
    parts = []
    for index in range(guide.row):
        y = index * 14
        aside = index + 1 in guide.put_aside
        parts.append(
            f'<rect x="1" y="{y + 1}" width="24" height="11" rx="2" fill="#8a5a33" '
            f'opacity="{0.35 if aside else 1}"/><path d="M13 {y + 1}v11" stroke="#fffaf0"/>'
            f'<text x="32" y="{y + 10}" font-size="8" fill="currentColor">{index + 1}</text>'
        )
        if aside:
            parts.append(f'<path d="M2 {y + 2}l22 9M24 {y + 2}l-22 9" stroke="#97350f"/>')
    box = f"0 0 42 {guide.row * 14}"
    return Markup(
        f'<svg class="row-picture" viewBox="{box}" width="84" aria-hidden="true">'
        f"{''.join(parts)}</svg>"
    )
