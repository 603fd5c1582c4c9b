"""Places that two people set differently: shown, and settled by saying which is right."""

from __future__ import annotations

from dataclasses import replace

from companion.games import Change, Collision, new_id
from companion.kingdomino.kept_board import KeptBoard
from companion.web.kingdomino.drawing import kingdom_picture
from companion.web.kingdomino.table import Seat, Table
from companion.web.kingdomino.wording import label_of
from companion.web.surface import Act, Markup, tag
from companion.web.visit import Visit
from scorer.kingdomino import Square

__all__ = ["collisions_markup", "settle_collision"]


def collisions_markup(visit: Visit, table: Table, seat: Seat) -> Markup | None:
    """Places that two people set differently: which is right?"""
    found = [each for each in table.collisions if each.part == seat.key]
    if not found:
        return None
    lines = [_collision(visit, seat, each) for each in found]
    heading = tag("h2", visit.say("seat.collision"), class_="minor")
    return tag("section", heading, *lines, class_="card stack")


def _collision(visit: Visit, seat: Seat, collision: Collision) -> Markup:
    if collision.leaf:
        kept = label_of(collision.kept, visit.language)
        other = label_of(collision.other, visit.language)
    else:
        kept, other = visit.say("seat.collision_keep"), visit.say("seat.collision_other")
    value = f"{collision.sequence}|{collision.leaf}"
    buttons = [
        tag("button", words, type="button", data_do=f"settle-{which}", data_value=value)
        for which, words in (("kept", kept), ("other", other))
    ]
    if not collision.leaf:
        said = tag("p", visit.say("seat.collision_board"))
        return tag("div", said, *buttons, class_="row")
    where = tag("div", _where(visit, seat, collision.leaf), class_="where")
    return tag("div", where, tag("div", *buttons, class_="stack grow"), class_="row")


def _where(visit: Visit, seat: Seat, leaf: str) -> Markup | None:
    """The kingdom with that square bright; None where it is not in it any more."""
    if seat.board is None:
        return None
    row, column = map(int, leaf.split(","))
    place = (row + seat.board.origin[0], column + seat.board.origin[1])
    kingdom = seat.board.kingdom
    if not (0 <= place[0] < kingdom.height and 0 <= place[1] < kingdom.width):
        return None
    return kingdom_picture(kingdom, visit.say("seat.collision_where"), lit={place})


def settle_collision(table: Table, seat: Seat, act: Act) -> None:
    """One of two values is right; the collision is settled by saying so."""
    sequence, _, leaf = act.value.partition("|")
    found = [
        each
        for each in table.collisions
        if each.part == seat.key and str(each.sequence) == sequence and each.leaf == leaf
    ]
    if not found or seat.board is None:
        return
    value = table.game.part(seat.key).value
    if act.do == "settle-other":
        value = found[0].other if not leaf else _with_leaf(seat.board, leaf, found[0].other)
    settles = ((found[0].sequence, leaf),)
    change = Change(seat.key, value, seat.revision, new_id(), "settle_collision", settles)
    table.store.change(table.game.id, change, table.actor)


def _with_leaf(kept: KeptBoard, leaf: str, notation: object) -> object:
    row, column = map(int, leaf.split(","))
    place = (row + kept.origin[0], column + kept.origin[1])
    square = Square.parse(str(notation))
    changed = replace(
        kept,
        kingdom=kept.kingdom.replace({place: square}),
        corrected=kept.corrected | {place},
        doubtful=kept.doubtful - {place},
    )
    return changed.to_data()
