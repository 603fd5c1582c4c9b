"""What stands above every page of a game: the way home, the score, and where else to go."""

from __future__ import annotations

from companion.domino_duell.kind import DOMINO_DUELL
from companion.domino_duell.table import DuelTable
from companion.web.surface import Markup, icon, joined, tag
from companion.web.visit import Visit, address
from companion.web.wording import count_of_points

__all__ = ["head", "seats"]


def head(visit: Visit, table: DuelTable) -> Markup:
    """The bar at the top."""
    home = _sign(visit.say("page.home"), "back", "./")
    people = _sign(
        visit.say("duell_page.people"), "people", address(game=table.game.id, view="players")
    )
    if visit.view == "result":
        other = _sign(visit.say("duell_page.board"), "dice", address(game=table.game.id))
    else:
        where = address(game=table.game.id, view="result")
        other = _sign(visit.say("duell_page.chart"), "chart", where)
    title = tag("h1", DOMINO_DUELL.name, class_="title")
    return tag("header", home, title, people, other, class_="top")


def _sign(name: str, sign: str, where: str) -> Markup:
    return tag(
        "a", icon(sign), href=where, data_go=True, class_="button bare", aria_label=name, title=name
    )


def seats(visit: Visit, table: DuelTable) -> Markup:
    """Everybody's points, and who is next."""
    totals = table.duel.totals if table.duel else (0,) * len(table.players)
    fields = []
    for player, total in zip(table.players, totals, strict=True):
        next_one = player == table.to_move
        points = count_of_points(total, visit.language)
        code = "duell_page.seat_to_move" if next_one else "duell_page.seat"
        mark = tag("span", icon("next"), class_="mark") if next_one else None
        inside = joined(
            tag("span", player.name, class_="name"),
            tag("span", total, mark, class_="points"),
        )
        fields.append(
            tag(
                "li",
                tag("span", visit.say(code, name=player.name, points=points), class_="hidden"),
                tag("div", inside, aria_hidden="true"),
                class_="seat",
                aria_current="true" if next_one else None,
                data_key=f"seat-{player.id}",
            )
        )
    return tag("ul", *fields, class_="duel-seats", aria_label=visit.say("duell_page.seats"))
