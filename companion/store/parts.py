"""The parts that every game has: what they must be, and how two changes of them are merged."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import cast

from companion.store.errors import StoreError
from companion.store.kinds import GameKind
from companion.store.merging import Json, LeafCollision, Merged, merge_objects
from companion.store.model import ABOUT, GAME, PLAYERS

_ORDER = "order"


def merge_part(kind: GameKind, part: str, base: Json, current: Json, sent: Json) -> Merged:
    """``GameKind.merge`` for any part; players' leaves are ``0/name``, ``0/colour``, ``order``."""
    if part != PLAYERS:
        return kind.merge(part, base, current, sent)
    merged = merge_objects(_by_id(base), _by_id(current), _by_id(sent))
    collisions = [
        each if each.leaf else LeafCollision("", _in_order(each.kept), _in_order(each.other))
        for each in merged.collisions
    ]
    return Merged(_in_order(merged.value), tuple(collisions))


def leaf_of(kind: GameKind, part: str, value: Json, leaf: str) -> Json:
    """``GameKind.leaf`` for any part."""
    return kind.leaf(part, _by_id(value) if part == PLAYERS else value, leaf)


def _by_id(players: Json) -> Json:
    if players is None:
        return None
    order = {_ORDER: [player["id"] for player in players]}
    return order | {str(player["id"]): player for player in players}


def _in_order(value: Json) -> Json:
    """The players in the merged order; one that only the other side knew sits last."""
    if value is None:
        return None
    ids = dict.fromkeys([str(number) for number in value[_ORDER]])
    ids |= dict.fromkeys(key for key in value if key != _ORDER)
    return [value[key] for key in ids if key in value]


MAX_PLAYERS = 16
MAX_NAME = 40
MAX_TEXT = 2000
MAX_VALUE_BYTES = 500_000
MAX_DEPTH = 40
FIRST_MOMENT, END_OF_MOMENTS = datetime(2000, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
"""No game was kept before, and none is to be; far from where clocks and databases end."""
_PART = re.compile(r"[a-z][a-z_]*(:[0-9]{1,4}){0,3}")
_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_JOINERS = {0x200C: None, 0x200D: None}
"""Characters without a width that join the letters or pictures beside them, or part them."""


def checked(kind: GameKind, part: str, value: Json, game: Mapping[str, Json]) -> Json:
    """The value of a part in its normal form; None stays None.

    StoreError ``bad_part``, ``bad_value``, ``bad_players`` or ``too_large``.
    """
    if part == GAME or len(part) > 40 or not _PART.fullmatch(part):
        raise StoreError("bad_part", part=part)
    if value is None:
        return None
    check_plain(part, value)
    if part == ABOUT:
        return _checked_about(value)
    if part == PLAYERS:
        players = _checked_players(value)
        if len(players) > max(kind.players):
            raise StoreError("bad_players", reason="too_many", most=max(kind.players))
        kind.check_players(players, game)
        return players
    return kind.check(part, value, game)


def checked_text(text: object, limit: int, part: str = "") -> str:
    """A text without control characters and blanks at its ends; StoreError ``bad_value``.

    Joiners are no such characters: emoji of several people and Persian names are written with them.
    """
    if not isinstance(text, str) or len(text) > limit:
        raise StoreError("bad_value", part=part, reason="bad_text")
    text = " ".join(text.split())
    seen = text.translate(_JOINERS)
    if not seen.isprintable() or (text and not seen):
        raise StoreError("bad_value", part=part, reason="bad_text")
    return text


def checked_id(text: object) -> str:
    """An id of a device, a change or a reading; StoreError ``bad_value``."""
    if not isinstance(text, str) or not _ID.fullmatch(text):
        raise StoreError("bad_value", part="", reason="bad_id")
    return text


def name_key(name: str) -> str:
    """What two spellings of one name have in common."""
    return " ".join(name.split()).casefold()


def search_text(game: Mapping[str, Json]) -> str:
    """The words by which a game is found."""
    about = game.get(ABOUT) or {}
    names = [player["name"] for player in game.get(PLAYERS) or []]
    words = [about.get("title", ""), about.get("place", ""), about.get("note", ""), *names]
    return " ".join(words).casefold()


def check_plain(part: str, value: Json) -> None:
    """Raise StoreError ``bad_value`` or ``too_large`` for what is no plain data of fair size."""
    size = check_text(value, part)
    if size > MAX_VALUE_BYTES:
        raise StoreError("too_large", part=part, limit=MAX_VALUE_BYTES, actual=size)


def check_text(value: Json, part: str = "") -> int:
    """Bytes of the value as JSON; StoreError ``bad_value`` for what no database could keep."""
    if not _is_flat(value, MAX_DEPTH):
        raise StoreError("bad_value", part=part, reason="too_deep")
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        size = len(text.encode())
    except (TypeError, ValueError, RecursionError):
        raise StoreError("bad_value", part=part, reason="not_plain") from None
    # PostgreSQL takes no NUL in a text.
    if "\\u0000" in text:
        raise StoreError("bad_value", part=part, reason="bad_text")
    return size


def _is_flat(value: Json, depth: int) -> bool:
    """Whether lists and objects are nested at most so deep."""
    if not isinstance(value, dict | list):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return depth > 0 and all(
        _is_flat(each, depth - 1) for each in inner if isinstance(each, dict | list)
    )


def _checked_about(value: Json) -> Json:
    if not isinstance(value, dict) or not value.keys() <= {"title", "place", "note", "played_at"}:
        raise StoreError("bad_value", part=ABOUT, reason="unknown_field")
    about = {
        key: checked_text(value[key], MAX_TEXT if key == "note" else 80, ABOUT)
        for key in ("title", "place", "note")
        if value.get(key)
    }
    if value.get("played_at"):
        about["played_at"] = _checked_moment(value["played_at"]).isoformat()
    return about


def _checked_moment(text: Json) -> datetime:
    try:
        moment = datetime.fromisoformat(cast("str", text))
    except (TypeError, ValueError):
        raise StoreError("bad_value", part=ABOUT, reason="bad_time") from None
    if moment.tzinfo is None or not FIRST_MOMENT <= moment < END_OF_MOMENTS:
        raise StoreError("bad_value", part=ABOUT, reason="bad_time")
    return moment


def _checked_players(value: Json) -> list[Json]:
    """Up to 16 players with ids and names of their own, in seat order."""
    if not isinstance(value, list) or len(value) > MAX_PLAYERS:
        raise StoreError("bad_players", reason="too_many", most=MAX_PLAYERS)
    players = [_checked_player(each) for each in value]
    if len({player["id"] for player in players}) < len(players):
        raise StoreError("bad_players", reason="id_twice")
    keys = [name_key(player["name"]) for player in players]
    for player, key in zip(players, keys, strict=True):
        if keys.count(key) > 1:
            raise StoreError("bad_players", reason="name_twice", name=player["name"])
    return players


def _checked_player(value: Json) -> Json:
    if not isinstance(value, dict) or not {"id", "name"} <= value.keys() <= {
        "id",
        "name",
        "colour",
    }:
        raise StoreError("bad_players", reason="unknown_field")
    number, colour = value["id"], value.get("colour")
    if type(number) is not int or number not in range(MAX_PLAYERS):
        raise StoreError("bad_players", reason="bad_id")
    if colour is not None and not (isinstance(colour, str) and re.fullmatch("[a-z]{1,20}", colour)):
        raise StoreError("bad_players", reason="bad_colour")
    try:
        name = checked_text(value["name"], MAX_NAME)
    except StoreError:
        name = ""
    if not name:
        raise StoreError("bad_players", reason="bad_name")
    return {"id": number, "name": name, "colour": colour}
