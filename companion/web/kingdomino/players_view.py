"""Who plays, in which order and colour, and by which rules, asked once a game and remembered; and
how so many players set up and play, with a picture of each quest.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial

from companion.games.guide import Item
from companion.games.kingdomino.guide import (
    example_of,
    goal_rule,
    rules_of_play,
    set_up_lines,
)
from companion.games.kingdomino.kind import KeptRules
from companion.games.kingdomino.table import COLOURS, MAX_PLAYERS, Table
from companion.games.kingdomino.texts import castle_colour_name, count_of_points, quest_name
from companion.store import Player, StoreError
from companion.web.kingdomino.board_changes import is_untouched
from companion.web.kingdomino.parts import flag, head, kingdom_picture, number_parameter
from companion.web.parts import (
    chips,
    newcomers,
    rename_field,
    sharing_parts,
    show_part,
    sign_button,
    switch,
)
from companion.web.request import KEEP_PHOTOS_COOKIE, KEEP_SQUARES_COOKIE
from companion.web.rules import rules_cards, rules_page
from companion.web.shell import Act, Markup, act_button, go_link, icon, joined, show_markup, tag
from companion.web.visit import Visit, address, rerun_on_changes
from scorer.kingdomino import (
    QUESTS,
    BleakKing,
    Kingdom,
    Quest,
    Rules,
    RulesError,
    SetUp,
    TieBreak,
    score,
    setup_guide,
)


def rules_markup(visit: Visit, table: Table) -> Markup:
    """What is played, the expansion with its quests, and what is kept: a card each."""
    kept, rules = table.rules, table.rules.rules
    quests = bool(rules.quests)
    variants = [
        _switch(visit, "harmony", rules.harmony, off=quests),
        _switch(visit, "middle_kingdom", rules.middle_kingdom, off=quests),
        _switch(visit, "mighty_duel", rules.mighty_duel),
        _switch(visit, "dynasty", kept.dynasty),
        _games_of_dynasty(visit, table) if kept.dynasty else None,
        _switch(visit, "compare_crowns", rules.tie_break is TieBreak.CROWNS),
    ]
    expansion = [
        _switch(visit, "giants", rules.age_of_giants),
        _quests(visit, kept),
        _switch(visit, "bleak_king_by_squares", rules.bleak_king is BleakKing.SQUARES)
        if any(quest.goal.key == "bleak-king" for quest in rules.quests)
        else None,
        _switch(visit, "court", rules.court),
    ]
    return joined(
        _card(visit, "title", *variants),
        _card(visit, "expansion", *expansion),
        _privacy(visit),
    )


def _card(visit: Visit, title: str, *parts: Markup | None) -> Markup:
    return tag("section", tag("h2", visit.say(f"rules.{title}")), *parts, class_="card")


def _privacy(visit: Visit) -> Markup:
    """How long photos stay, and what is kept beyond that, where the person agrees."""
    return _card(
        visit,
        "privacy",
        tag("p", visit.say("rules.photos_hint"), class_="soft"),
        _switch(visit, "photos", visit.keep_photos, remember=KEEP_PHOTOS_COOKIE),
        _switch(visit, "squares", visit.keep_squares, remember=KEEP_SQUARES_COOKIE),
    )


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
    return switch(name, visit.say(f"rules.{name}"), on, off=off, remember=remember)


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
        if quest is not None:
            rule = goal_rule(quest.goal, visit.language, kept.rules.bleak_king)
            fields.append(tag("p", rule, class_="soft small"))
    draw = act_button("draw", icon("dice"), visit.say("rules.draw"))
    return tag("div", tag("h3", visit.say("rules.quests")), *fields, draw, class_="stack")


def _games_of_dynasty(visit: Visit, table: Table) -> Markup:
    links = [
        go_link(
            address(game=table.game.id, number=number if number > 1 else None),
            visit.say("rules.game_of_dynasty", number=number),
            look="button chosen" if number == table.number else "button",
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
        return replace(kept, rules=replace(rules, age_of_giants=on))
    if act.do == "court":
        return replace(kept, rules=replace(rules, court=on))
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


def show_players(visit: Visit, table: Table) -> None:
    """Draw the page."""
    show_part(
        visit,
        joined(head(visit, table, visit.say("game.menu")), _body(visit, table)),
        "players",
        partial(_act, visit, table),
    )
    rerun_on_changes(visit, table.game)


def _body(visit: Visit, table: Table) -> Markup:
    people = tag(
        "section",
        tag("h2", visit.say("players.title")),
        *[_player(visit, table, player) for player in table.game.players],
        _add(visit, table),
        _play(visit, table),
        class_="card stack",
    )
    side = tag(
        "div",
        rules_markup(visit, table),
        _about(visit, table),
        _sharing(visit, table),
        class_="stack",
    )
    return tag("div", people, side, class_="columns two")


def _player(visit: Visit, table: Table, player: Player) -> Markup:
    name = rename_field(visit, player)
    earlier = visit.say("players.earlier", name=player.name)
    leave = visit.say("players.remove", name=player.name)
    first = tag(
        "div",
        tag("span", name, class_="grow"),
        sign_button("up", earlier, "earlier", player.id, off=player == table.game.players[0]),
        sign_button("trash", leave, "leave", player.id),
        class_="row closer",
    )
    key = f"player-{player.id}"
    return tag("div", first, swatches(visit, player), class_="player", data_key=key)


def swatches(visit: Visit, player: Player) -> Markup:
    """The five castles, the player's own pressed; the act is ``colour`` with ``ID|COLOUR``.

    Tapped once more, the player has none.
    """
    buttons = []
    for colour in COLOURS:
        own = colour == player.colour
        name = castle_colour_name(colour, visit.language)
        buttons.append(
            act_button(
                "colour",
                flag(colour),
                value=f"{player.id}|{'' if own else colour}",
                pressed=own,
                named=name,
            )
        )
    said = visit.say("players.colour", name=player.name)
    return tag("span", *buttons, class_="swatches", role="group", aria_label=said)


def recoloured(players: list[Player], index: int, colour: str | None) -> list[Player]:
    """The players after one has taken a castle; whoever had it takes the one that became free."""
    before = players[index].colour
    return [
        replace(each, colour=colour)
        if number == index
        else replace(each, colour=before)
        if colour is not None and each.colour == colour
        else each
        for number, each in enumerate(players)
    ]


def _add(visit: Visit, table: Table) -> Markup | None:
    """Names of earlier games are one tap each; another one is typed."""
    if len(table.game.players) >= MAX_PLAYERS:
        return None
    here = {player.name.casefold() for player in table.game.players}
    return newcomers(visit, here)


def _play(visit: Visit, table: Table) -> Markup:
    return go_link(
        address(game=table.game.id, number=number_parameter(table)),
        icon("next"),
        visit.say("players.play"),
        look="button main middle",
    )


def _about(visit: Visit, table: Table) -> Markup:
    """Where it was played, and a note: the history finds the game by both."""
    about = table.game.values.get("about") or {}
    fields = [
        tag(
            "label",
            visit.say(f"history.{name}"),
            tag(
                "input",
                type="text",
                value=about.get(name, ""),
                data_do=name,
                maxlength=80,
                autocomplete="off",
            ),
        )
        for name in ("place", "note")
    ]
    return tag("section", *fields, class_="card stack")


def _sharing(visit: Visit, table: Table) -> Markup:
    """The unguessable link of the game, as a QR code for the phones around the table."""
    hint, code, button = sharing_parts(visit, table.game.id)
    return tag(
        "section",
        tag("h2", visit.say("game.share")),
        hint,
        code,
        button,
        class_="card stack",
    )


def _act(visit: Visit, table: Table, act: Act) -> None:
    try:
        _done(visit, table.again(), act)
    except RulesError as error:
        raise StoreError("bad_value", part="rules", reason=error.code) from error


def _done(visit: Visit, table: Table, act: Act) -> None:
    players = list(table.game.players)
    value, _, text = act.value.partition("|")
    index = next((i for i, each in enumerate(players) if str(each.id) == value), None)
    if act.do == "photos":
        visit.keep_photos = act.value == "true"
    elif act.do == "squares":
        visit.keep_squares = act.value == "true"
    elif act.do in ("place", "note"):
        table.with_about(act.do, act.value)
    elif act.do == "add":
        name = act.value.strip()
        if name:
            table.with_player(name)
    elif index is not None and act.do == "name":
        players[index] = replace(players[index], name=text)
        table.with_players(players, "name")
    elif index is not None and act.do == "colour":
        colour = text if text in COLOURS else None
        table.with_players(recoloured(players, index, colour), "colour")
    elif index and act.do == "earlier":
        players[index - 1], players[index] = players[index], players[index - 1]
        table.with_players(players, "order")
    elif index is not None and act.do == "leave":
        name = players.pop(index).name
        left = table.with_players(players, "leave")

        def back() -> None:
            left.undone(*left.made[-1:])

        visit.notify(visit.say("players.removed", name=name), back)
    elif (rules := changed_rules(table.rules, act)) is not None:
        table = table.with_rules(rules)
        for seat in table.seats:
            # Nothing was entered yet: the grid is that of the rules.
            if act.do == "mighty_duel" and is_untouched(seat.board):
                table = table.begun_by_hand(seat)


_EXAMPLE = Kingdom.parse("w1 w f . ./w w f1 f ./l l1 c m2 m1/. l g g1 ./. . g . .")
_PLAYERS = ("2", "3", "4", "5")
_SWITCHES = ("giants", "quests", "duel", "court")


def show_help(visit: Visit) -> None:
    """Draw the page; what was chosen stays for the visit."""
    show_markup(help_markup(visit), key="help", on_act=lambda act: _choose(visit, act))


def _choose(visit: Visit, act: Act) -> None:
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
