"""Who plays, in which order and colour, and by which rules: asked once a game, and remembered."""

from __future__ import annotations

from dataclasses import replace

from companion.games import Player, StoreError
from companion.kingdomino.wording import castle_colour_name
from companion.web.kingdomino.frame import flag, head, number_parameter
from companion.web.kingdomino.rules_view import changed_rules, rules_markup
from companion.web.kingdomino.table import COLOURS, MAX_PLAYERS, Table
from companion.web.kingdomino.wording import refusal
from companion.web.people import newcomers, sharing_parts, sign_button
from companion.web.surface import Act, Markup, icon, joined, surface, tag
from companion.web.visit import Visit, address
from companion.web.watching import watch
from scorer.kingdomino import RulesError

__all__ = ["show_players"]


def show_players(visit: Visit, table: Table) -> None:
    """Draw the page."""
    surface(
        joined(head(visit, table, visit.say("game.menu")), _body(visit, table)),
        key="players",
        on_act=lambda act: _act(visit, table, act),
    )
    watch(visit, table.game)


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
    taken = {each.colour for each in table.game.players if each.id != player.id}
    options = [
        tag(
            "option",
            castle_colour_name(colour, visit.language),
            value=colour,
            selected=colour == player.colour,
        )
        for colour in COLOURS
        if colour not in taken
    ]
    colours = tag(
        "select",
        tag("option", visit.say("players.no_colour"), value="", selected=player.colour is None),
        *options,
        data_do="colour",
        data_value=player.id,
        aria_label=visit.say("players.colour", name=player.name),
    )
    earlier = visit.say("players.earlier", name=player.name)
    leave = visit.say("players.remove", name=player.name)
    buttons = tag(
        "div",
        tag("span", colours, class_="grow"),
        sign_button("up", earlier, "earlier", player.id, off=player == table.game.players[0]),
        sign_button("trash", leave, "leave", player.id),
        class_="row",
    )
    first = tag("div", flag(player.colour), tag("span", name, class_="grow"), class_="row")
    return tag("div", first, buttons, class_="stack", data_key=f"player-{player.id}")


def _add(visit: Visit, table: Table) -> Markup | None:
    """Names of earlier games are one tap each; another one is typed."""
    if len(table.game.players) >= MAX_PLAYERS:
        return None
    here = {player.name.casefold() for player in table.game.players}
    return newcomers(visit, here)


def _play(visit: Visit, table: Table) -> Markup:
    return tag(
        "a",
        icon("next"),
        visit.say("players.play"),
        href=address(game=table.game.id, number=number_parameter(table)),
        data_go=True,
        class_="button main middle",
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
    except (StoreError, RulesError) as error:
        if isinstance(error, RulesError):
            error = StoreError("bad_value", reason=error.code)
        visit.tell(refusal(error, visit))


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
        players[index] = replace(players[index], colour=text or None)
        table.with_players(players, "colour")
    elif index and act.do == "earlier":
        players[index - 1], players[index] = players[index], players[index - 1]
        table.with_players(players, "order")
    elif index is not None and act.do == "leave":
        name = players.pop(index).name
        table.with_players(players, "leave")

        def back() -> None:
            table.undone("players")

        visit.tell(visit.say("players.removed", name=name), back)
    elif (rules := changed_rules(table.rules, act)) is not None:
        table.with_rules(rules)
