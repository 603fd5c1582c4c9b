"""Who plays and by which rules, and these rules in short."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from companion.games.domino_duell.guide import rules_of_play, set_up_lines
from companion.games.domino_duell.kind import DOMINO_DUELL, hand_key
from companion.games.domino_duell.table import DuelTable
from companion.store import Change, Player, StoreError, new_id
from companion.web.domino_duell.parts import head, refusal, start_line, stones_picture
from companion.web.network import qr_code, shown_address
from companion.web.parts import chips, newcomers, rename_field, show_part, sign_button, switch
from companion.web.rules import rules_cards, rules_in_short, rules_page
from companion.web.shell import Act, Markup, go_link, icon, joined, show_markup, tag
from companion.web.visit import Visit, address, rerun_on_changes
from scorer.domino_duell import PLAYERS, End, Stone

_TRIPLE = tuple(map(Stone.parse, ("rcw", "gmw", "btw")))
_FOURTH = Stone.parse("ysw")


def show_help(visit: Visit) -> None:
    """Draw the rules; what was chosen stays for the visit."""
    show_markup(help_markup(visit), key="duel-help", on_act=lambda act: _choose(visit, act))


def _choose(visit: Visit, act: Act) -> None:
    chosen = visit.page_state.setdefault("duel-help", {})
    if act.do == "players" and act.value in map(str, PLAYERS):
        chosen["players"] = int(act.value)
    elif act.do in ("jokers", "edge_end"):
        chosen[act.do] = act.value == "true"


def help_markup(visit: Visit) -> Markup:
    """The rules as markup."""
    chosen = visit.page_state.get("duel-help", {})
    players, jokers = chosen.get("players", PLAYERS[0]), chosen.get("jokers", False)
    end = End.EDGE if chosen.get("edge_end") else End.STONES
    name = visit.say("help.players")
    asked = joined(
        tag("h2", name),
        chips("players", [(str(each), each) for each in PLAYERS], players, name),
        switch("jokers", visit.say("duell_page.jokers"), jokers),
        switch("edge_end", visit.say("duell_page.edge_end"), end is End.EDGE),
    )
    words = visit.say("duell_help.pictures")
    caption = tag("figcaption", words, class_="soft small")
    stones = tag("figure", stones_picture(_TRIPLE, _FOURTH, words), caption)
    title = f"{DOMINO_DUELL.name}  ·  {visit.say('help.title')}"
    cards = rules_cards(rules_of_play(visit.language, jokers=jokers, end=end), {"groups": stones})
    lines = set_up_lines(players, visit.language, jokers=jokers)
    return rules_page(visit, title, asked, lines, cards)


def show_players(visit: Visit, table: DuelTable) -> None:
    """Draw the page."""
    show_part(visit, players_markup(visit, table), "duel-players", partial(_act, visit, table))
    rerun_on_changes(visit, table.game)


def players_markup(visit: Visit, table: DuelTable) -> Markup:
    """The page as markup."""
    enough = len(table.players) in PLAYERS
    people = tag(
        "section",
        tag("h2", visit.say("players.title")),
        None if enough else tag("p", visit.say("duell_page.few")),
        *[_player(visit, table, player) for player in table.players],
        _add(visit, table),
        go_link(
            address(game=table.game.id),
            icon("next"),
            visit.say("duell_page.board"),
            look="button main middle",
        )
        if enough
        else None,
        class_="card stack",
    )
    set_up = table.set_up
    count = len(table.players) if enough else PLAYERS[0]
    short = rules_in_short(
        visit,
        set_up_lines(count, visit.language, jokers=set_up.jokers),
        rules_of_play(visit.language, jokers=set_up.jokers, end=set_up.end),
    )
    rules = tag("section", short, class_="card")
    side = tag("div", _rules(visit, table), rules, _sharing(visit, table), class_="stack")
    return joined(head(visit, table), tag("div", people, side, class_="columns two"))


def _player(visit: Visit, table: DuelTable, player: Player) -> Markup:
    name = rename_field(visit, player)
    buttons = []
    if not table.turns:
        first = player == table.players[0]
        earlier = visit.say("players.earlier", name=player.name)
        leave = visit.say("players.remove", name=player.name)
        buttons = [
            sign_button("up", earlier, "earlier", player.id, off=first),
            sign_button("trash", leave, "leave", player.id),
        ]
    return tag(
        "div",
        tag("span", name, class_="grow"),
        *buttons,
        class_="row",
        data_key=f"player-{player.id}",
    )


def _add(visit: Visit, table: DuelTable) -> Markup | None:
    if len(table.players) >= max(PLAYERS) or table.turns:
        return None
    return newcomers(visit, {player.name.casefold() for player in table.players})


def _rules(visit: Visit, table: DuelTable) -> Markup:
    set_up = table.set_up
    options = [
        tag(
            "option",
            player.name,
            value=player.id,
            selected=player.id == set_up.begins
            or (set_up.begins is None and player == table.players[0]),
        )
        for player in table.players
    ]
    begun = bool(table.turns)
    begins = (
        tag(
            "label",
            tag("span", visit.say("duell_page.begins")),
            tag("select", *options, data_do="begins", disabled=begun),
            tag("span", start_line(table, visit.language), class_="soft small"),
        )
        if options
        else None
    )
    return tag(
        "section",
        tag("h2", visit.say("duell_page.rules")),
        begins,
        switch("jokers", visit.say("duell_page.jokers"), set_up.jokers, off=begun),
        switch("edge_end", visit.say("duell_page.edge_end"), set_up.end is End.EDGE, off=begun),
        tag("p", visit.say("duell_page.begun"), class_="soft small") if begun else None,
        switch("helper", visit.say("duell_page.helper"), set_up.helper),
        tag("p", visit.say("duell_page.helper_why"), class_="soft small"),
        class_="card stack",
    )


def _sharing(visit: Visit, table: DuelTable) -> Markup | None:
    """The game as a QR code, for the other phones at the table."""
    home = shown_address()
    if home is None:
        return None
    shown = f"{home.rstrip('/')}/{address(game=table.game.id)}"
    summary = tag("summary", icon("phone"), visit.say("home.phone"))
    return tag("details", summary, tag("div", qr_code(shown), class_="qr"), class_="card stack")


def _act(visit: Visit, table: DuelTable, act: Act) -> None:
    visit.drop_refusal()
    try:
        # Of several acts at once each is based on the one before it.
        _do(replace(table, game=visit.store.game(table.game.id)), act)
    except StoreError as error:
        visit.notify(refusal(error, visit.language))


def _do(table: DuelTable, act: Act) -> None:
    players: list[dict[str, object]] = [
        {"id": each.id, "name": each.name, "colour": each.colour} for each in table.players
    ]
    ids = [each.id for each in table.players]
    first, _, rest = act.value.partition("|")
    number = int(first) if first.isdecimal() else -1
    set_up = table.set_up
    if act.do == "add" and act.value.strip():
        # Who has left may have been the one to begin, or have a hand here still.
        left = {set_up.begins, *(k for k in range(16) if hand_key(k) in table.game.values)}
        free = min({*range(16)}.difference(ids), key=lambda each: (each in left, each))
        _set_players(table, [*players, {"id": free, "name": act.value}], "join")
    elif act.do == "name" and number in ids:
        renamed = [{**each, "name": rest} if each["id"] == number else each for each in players]
        _set_players(table, renamed, "name")
    elif act.do == "leave":
        _set_players(table, [each for each in players if each["id"] != number], "leave")
    elif act.do == "earlier" and number in ids[1:]:
        at = ids.index(number)
        players[at - 1 : at + 1] = players[at], players[at - 1]
        _set_players(table, players, "order")
    elif act.do == "begins" and number in ids:
        table.set_rules(replace(set_up, begins=number))
    elif act.do == "jokers":
        table.set_rules(replace(set_up, jokers=act.value == "true"))
    elif act.do == "helper":
        table.set_rules(replace(set_up, helper=act.value == "true"))
    elif act.do == "edge_end":
        end = End.EDGE if act.value == "true" else End.STONES
        table.set_rules(replace(set_up, end=end))


def _set_players(table: DuelTable, players: list[dict[str, object]], action: str) -> None:
    part = table.game.part("players")
    change = Change("players", players, part.sequence, new_id(), action)
    table.store.change(table.game.id, change, table.actor)
