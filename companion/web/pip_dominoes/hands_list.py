"""A line a player: the photo of what is left, out, by hand, or the points that are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games import Player
from companion.pip_dominoes.kept_hand import KeptHand
from companion.web.home import photo_field
from companion.web.pip_dominoes.frame import points_of
from companion.web.surface import Markup, icon, joined, tag
from companion.web.visit import Visit, address

__all__ = ["HandLine", "hand_address", "hand_lines"]


@dataclass(frozen=True)
class HandLine:
    """A player with the hand of this round, its points, and what to say under the name."""

    player: Player
    hand: KeptHand | None
    points: int = 0
    below: str = ""


def hand_address(game_id: str, number: int, player: int) -> str:
    """The page of a player's hand in a round."""
    return address(game=game_id, view="hand", round=number, seat=player + 1)


def hand_lines(visit: Visit, game_id: str, number: int, lines: Sequence[HandLine]) -> Markup:
    """The lines; the acts are ``photo`` with ``hand:ROUND:PLAYER`` and ``out`` with the same."""
    return tag("ul", *[_line(visit, game_id, number, each) for each in lines], class_="hands")


def _line(visit: Visit, game_id: str, number: int, line: HandLine) -> Markup:
    name = line.player.name
    below = tag("small", line.below, class_="soft") if line.below else None
    who = tag("span", tag("strong", name), below, class_="grow who")
    where = hand_address(game_id, number, line.player.id)
    # Another round is another line, so that nothing of the last one keeps the focus.
    marks: dict[str, str | int] = {
        "data_key": f"hand-{number}-{line.player.id}",
        "data_player": line.player.id,
    }
    if line.hand is None:
        value = f"hand:{number}:{line.player.id}"
        spoken = tag("span", visit.say("domino_page.photo_of", name=name), class_="hidden")
        seen = tag("span", visit.say("domino_page.photo"), aria_hidden="true")
        take = photo_field(visit, joined(spoken, seen), "main", value=value, many=False)
        out_name = visit.say("domino_page.out_of", name=name)
        out = tag(
            "button",
            visit.say("domino_page.out"),
            type="button",
            data_do="out",
            data_value=value,
            aria_label=out_name,
        )
        hand_name = visit.say("domino_page.by_hand", name=name)
        by_hand = tag(
            "a",
            icon("hand"),
            href=where,
            data_go=True,
            class_="button bare",
            aria_label=hand_name,
            title=hand_name,
        )
        return tag("li", who, take, out, by_hand, class_="row", **marks)
    count = line.hand.checks
    said = visit.say(
        "domino_page.hand_of", name=name, number=number, points=points_of(visit, line.points)
    )
    if count:
        said = visit.say("domino_page.check", name=name, count=count)
    mark = tag("span", icon("doubt"), str(count), class_="mark") if count else None
    figure = tag("span", mark, tag("strong", line.points), class_="points")
    opened = tag(
        "a",
        who,
        figure,
        icon("next"),
        href=where,
        data_go=True,
        class_="row known" + (" doubtful" if count else ""),
        aria_label=said,
    )
    return tag("li", opened, **marks)
