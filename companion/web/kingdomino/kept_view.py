"""One kingdom without a game: scored, kept, and taken into a game when there is one."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from companion.games.kingdomino.table import Seat, Table, new_table
from companion.store import StoreError
from companion.store.history import Summary, delete_game, restore_game
from companion.web.kingdomino.parts import number_parameter, photo_button
from companion.web.kingdomino.photos import (
    kept_kingdoms,
    new_kept_kingdom,
    open_games,
    photos_for_table,
    take_into,
)
from companion.web.kingdomino.players_view import base_variants, changed_rules
from companion.web.parts import answered, count_of_points, day, headline, show_part, top_bar
from companion.web.shell import Act, Markup, act_button, go_link, icon, joined, tag
from companion.web.visit import Visit, address
from scorer.kingdomino import RulesError


def kept_head(visit: Visit) -> Markup:
    """The bar above a kingdom without a game."""
    return joined(top_bar(visit, visit.say("kept.title")), answered(visit))


def kept_foot(visit: Visit, table: Table, seat: Seat) -> Markup:
    """Whose it is, the variants that it is scored by, and the way into a game."""
    title = (table.game.values.get("about") or {}).get("title", "")
    name = tag(
        "input",
        type="text",
        value=title,
        data_do="title",
        maxlength=40,
        autocomplete="off",
        aria_label=visit.say("kept.name"),
        placeholder=visit.say("kept.name"),
    )
    games = [act_button("take", _of_game(visit, game), value=game.id) for game in open_games(visit)]
    fresh = act_button("take", icon("plus"), visit.say("kept.new_game"), look="main")
    heading = tag("h2", visit.say("kept.take"))
    into = tag("section", heading, tag("div", fresh, *games, class_="chips"), class_="card stack")
    variants = tag(
        "section", tag("h2", visit.say("kept.rules")), *base_variants(visit, table), class_="card"
    )
    again = photo_button(visit, visit.say("seat.photo_again"), "", value="seat:0", many=False)
    words = visit.say("kept.delete")
    remove = act_button("remove", icon("trash"), words, look="bare")
    return tag("div", name, into, variants, tag("div", again, remove, class_="row"), class_="stack")


def _of_game(visit: Visit, game: Summary) -> str:
    return f"{headline(game, visit.language)} · {day(game.played_at, visit.language)}"


def act_on_kept(visit: Visit, table: Table, act: Act) -> bool:
    """Do what belongs to a kingdom without a game; whether the act was one of these."""
    try:
        if act.do == "title":
            table.with_about("title", act.value.strip())
        elif act.do == "take":
            _take(visit, table, act.value)
        elif act.do == "remove":
            _remove(visit, table)
        elif (rules := changed_rules(table.rules, act)) is not None:
            table.with_rules(rules)
        else:
            return False
    except RulesError as error:
        raise StoreError("bad_value", part="rules", reason=error.code) from error
    return True


def _take(visit: Visit, kept: Table, game_id: str) -> None:
    if game_id and not visit.shared.may_see(game_id, visit.device):
        return
    if game_id:
        table = _waiting(Table(visit.store, visit.actor, visit.store.game(game_id)))
    else:
        table = new_table(visit.store, visit.actor, kept.rules)
    _take_into(visit, kept, table, table.next_empty())


def _waiting(table: Table) -> Table:
    """The first game of a Dynasty that still waits for a kingdom, if any does."""
    games = (replace(table, number=number) for number in table.rules.games)
    return next((each for each in games if each.next_empty() is not None), table)


def _take_into(visit: Visit, kept: Table, table: Table, seat: Seat | None) -> None:
    table, taken = take_into(visit, kept, table, seat)
    visit.go_to_game(table.game.id, seat=taken.player.id + 1, number=number_parameter(table))


def _remove(visit: Visit, table: Table) -> None:
    game_id = table.game.id
    delete_game(visit.store, game_id, visit.actor)

    def back() -> None:
        restore_game(visit.store, game_id, visit.actor)

    visit.go(new=table.game.kind, kept=1)
    visit.notify(visit.say("kept.deleted"), back)


def take_named(visit: Visit, table: Table, seat: Seat | None, kept_id: str) -> None:
    """Bring a kept kingdom, chosen at an empty seat, to that seat."""
    if not visit.shared.may_see(kept_id, visit.device):
        return
    kept = Table(visit.store, visit.actor, visit.store.game(kept_id))
    _take_into(visit, kept, table, seat)


def kept_chips(visit: Visit) -> Markup | None:
    """Kept kingdoms, offered at a seat that has none yet."""
    found = [each for each in kept_kingdoms(visit) if each.players[0].points is not None]
    if not found:
        return None
    buttons = [act_button("take-kept", _named(visit, each), value=each.id) for each in found]
    heading = tag("h2", visit.say("kept.use"))
    return tag("section", heading, tag("div", *buttons, class_="chips"), class_="card stack")


def kept_list(visit: Visit) -> None:
    """The page of kingdoms without a game: one more, and those that are kept."""
    take = photo_button(visit, visit.say("kept.photo"), "main big", large=True, many=False)
    by_hand = act_button("by-hand", icon("hand"), visit.say("seat.by_hand"), look="middle")
    found = kept_kingdoms(visit)
    lines = [go_link(address(game=each.id), _named(visit, each), look="game") for each in found]
    kept = tag("ul", *[tag("li", line) for line in lines], class_="games")
    if not found:
        kept = tag("div", icon("castle"), tag("p", visit.say("kept.none")), class_="empty")
    hint = tag("p", visit.say("kept.hint"), class_="soft")
    start = tag("div", take, hint, by_hand, class_="stack")
    last = tag("section", tag("h2", visit.say("kept.list")), kept, class_="stack")
    show_part(
        visit,
        joined(
            top_bar(visit, visit.say("kept.title")),
            tag("div", start, last, class_="columns two"),
            answered(visit),
        ),
        "kept",
        partial(_act, visit),
    )


def _named(visit: Visit, kept: Summary) -> str:
    points = kept.players[0].points if kept.players else None
    said = visit.say("game.running") if points is None else count_of_points(points, visit.language)
    title = kept.title or visit.say("kept.nameless")
    return f"{title}, {said} · {day(kept.played_at, visit.language)}"


def _act(visit: Visit, act: Act) -> None:
    if act.do == "photo":
        photos_for_table(visit, None, act.value.partition("|")[2].split()[:1], None, kept=True)
    elif act.do == "by-hand":
        table = new_kept_kingdom(visit)
        table.begun_by_hand(table.seats[0])
        visit.go_to_game(table.game.id)
