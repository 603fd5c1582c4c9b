"""What two people set differently in a game of any kind, shown on its pages until it is decided."""

from __future__ import annotations

from functools import partial
from itertools import groupby

from companion.games.table import GameTable
from companion.store import Actor, Collision, Game, Json, Store
from companion.store.model import ABOUT, PLAYERS
from companion.web.parts import show_part
from companion.web.shell import Act, Markup, act_button, icon, joined, tag
from companion.web.visit import Visit


class _Asked(GameTable):
    """A game of any kind of which somebody decides a collision."""

    def __init__(self, visit: Visit, game: Game) -> None:
        self._visit, self._game = visit, game

    @property
    def store(self) -> Store:
        return self._visit.store

    @property
    def actor(self) -> Actor:
        return self._visit.actor

    @property
    def game(self) -> Game:
        return self._game


def show_collisions(visit: Visit, game: Game) -> None:
    """Draw the questions above the page of a game; nothing where there are none."""
    markup = collisions_markup(visit, game)
    if markup is not None:
        show_part(visit, markup, "collisions", partial(act_on_collision, visit, game))


def collisions_markup(visit: Visit, game: Game) -> Markup | None:
    """What collided, by changes: what is there and what was not taken.

    A kingdom asks on its own page, where its squares are seen.
    """
    found = [each for each in game.collisions if visit.view or not each.part.startswith("board:")]
    changes = groupby(found, key=lambda each: each.sequence)
    cards = [_question(visit, game, sequence, list(each)) for sequence, each in changes]
    if not cards:
        return None
    heading = tag("h2", icon("warning"), visit.say("collision.title"), class_="minor")
    return tag("section", heading, *cards, class_="card stack", role="status")


def _question(visit: Visit, game: Game, sequence: int, found: list[Collision]) -> Markup:
    where = _part_name(visit, game, found[0].part)
    pairs = [pair for each in found for pair in _differences(each.kept, each.other)]
    kept, other = (
        ", ".join(_in_words(visit, value) for value in values[:_MOST_VALUES])
        for values in zip(*pairs, strict=True)
    )
    said = tag("p", visit.say("collision.lost", where=where, kept=kept, other=other))
    buttons = [
        act_button(f"collision-{which}", words, value=sequence)
        for which, words in (
            ("keep", visit.say("collision.keep", value=kept)),
            ("take", visit.say("collision.take", value=other)),
        )
    ]
    inside = joined(said, tag("div", *buttons, class_="row"))
    return tag("div", inside, class_="stack", data_key=f"collision-{sequence}")


_MOST_VALUES = 6


def _differences(kept: Json, other: Json) -> list[tuple[Json, Json]]:
    """The smallest values in which two differ; one that only one of them has goes with None."""
    if not (isinstance(kept, dict) and isinstance(other, dict)):
        return [(kept, other)]
    if "name" in kept or "tiles" in kept:
        return [(kept, other)]
    return [
        pair
        for key in dict.fromkeys([*kept, *other])
        if kept.get(key) != other.get(key)
        for pair in _differences(kept.get(key), other.get(key))
    ]


def act_on_collision(visit: Visit, game: Game, act: Act) -> None:
    """One of the two is right. StoreError where it can't be taken any more."""
    if act.do in ("collision-keep", "collision-take") and act.value.isdecimal():
        open_now = {each.sequence for each in visit.store.game(game.id).collisions}
        if int(act.value) in open_now:
            _Asked(visit, game).settle(int(act.value), take_other=act.do == "collision-take")


def _part_name(visit: Visit, game: Game, part: str) -> str:
    """What a part is called: "the players", "round 2", "the hand of Anna"."""
    kind, *numbers = part.split(":")
    if kind in (PLAYERS, ABOUT, "rules", "setup", "turns"):
        return visit.say(f"collision.part.{kind}")
    if kind == "round":
        return visit.say("collision.part.round", number=int(numbers[0]))
    names = {str(player.id): player.name for player in game.players}
    return visit.say(f"collision.part.{kind}", name=names.get(numbers[-1], ""))


def _in_words(visit: Visit, value: Json) -> str:
    """A value in a few words."""
    if value is None:
        return visit.say("collision.nothing")
    if isinstance(value, bool):
        return visit.say("collision.yes" if value else "collision.no")
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, dict) and isinstance(value.get("name"), str):
        return str(value["name"])
    if isinstance(value, dict) and isinstance(value.get("tiles"), list):
        tiles = [
            each.get("tile", each) if isinstance(each, dict) else each for each in value["tiles"]
        ]
        return " ".join(map(str, tiles)) or visit.say("collision.nothing")
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return " ".join(value[-3:])
    if isinstance(value, list) and all(isinstance(e, dict) and "name" in e for e in value):
        return ", ".join(str(each["name"]) for each in value) or visit.say("collision.nothing")
    return visit.say("collision.whole")
