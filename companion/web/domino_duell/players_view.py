"""Who plays and by which rules, and these rules in short."""

from __future__ import annotations

from dataclasses import replace

from companion.games.domino_duell.kind import DOMINO_DUELL
from companion.games.domino_duell.table import DuelTable
from companion.store import Change, Player, StoreError, new_id
from companion.web.domino_duell.parts import head, refusal, stones_picture
from companion.web.network import qr_code, shown_address
from companion.web.parts import newcomers, sign_button, switch, top_bar
from companion.web.shell import Act, Markup, icon, joined, show_markup, tag
from companion.web.visit import Visit, address, rerun_on_changes
from scorer.domino_duell import PLAYERS, End, Stone

__all__ = ["help_markup", "players_markup", "rules_list", "show_help", "show_players"]

LINES = ("stones", "triple", "quadruple", "start", "move", "points", "swap", "joker", "end")
_TRIPLE = tuple(map(Stone.parse, ("rcw", "gmw", "btw")))
_FOURTH = Stone.parse("ysw")


def show_help(visit: Visit) -> None:
    """Draw the page."""
    show_markup(help_markup(visit), key="duel-help")


def help_markup(visit: Visit) -> Markup:
    """The page as markup."""
    picture = stones_picture(_TRIPLE, _FOURTH, visit.say("duell_help.pictures"))
    caption = tag("figcaption", visit.say("duell_help.pictures"), class_="soft small")
    shown = tag("figure", picture, caption)
    board = tag("p", visit.say("duell_help.board"), class_="soft")
    title = f"{DOMINO_DUELL.name}  ·  {visit.say('duell_help.title')}"
    rules = tag("section", shown, rules_list(visit), board, class_="card stack")
    return joined(top_bar(visit, title), tag("div", rules, class_="narrow"))


def rules_list(visit: Visit) -> Markup:
    """The rules, a sentence or two each."""
    lines = [tag("li", visit.say(f"duell_help.{name}")) for name in LINES]
    return tag("div", tag("ul", *lines), class_="list")


def show_players(visit: Visit, table: DuelTable) -> None:
    """Draw the page."""
    show_markup(
        players_markup(visit, table), key="duel-players", on_act=lambda act: _act(visit, table, act)
    )
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
        tag(
            "a",
            icon("next"),
            visit.say("duell_page.board"),
            href=address(game=table.game.id),
            data_go=True,
            class_="button main middle",
        )
        if enough
        else None,
        class_="card stack",
    )
    in_short = tag("summary", icon("help"), visit.say("duell_help.title"))
    rules = tag("details", in_short, rules_list(visit), class_="card stack")
    side = tag("div", _rules(visit, table), rules, _sharing(visit, table), class_="stack")
    return joined(head(visit, table), tag("div", people, side, class_="columns two"))


def _player(visit: Visit, table: DuelTable, player: Player) -> Markup:
    name = tag(
        "input",
        type="text",
        value=player.name,
        data_do="name",
        data_value=player.id,
        maxlength=40,
        autocomplete="off",
        aria_label=visit.say("players.name"),
    )
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
            tag("span", visit.say("duell_page.begins_hint"), class_="soft small"),
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
        free = next(each for each in range(16) if each not in ids)
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
