"""The page of a hand: its photo with every domino, the pad of the set, or a number."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from companion.games.pip_dominoes.kept import CastleRules, KeptHand
from companion.games.pip_dominoes.kept_reading import KeptHandReading
from companion.games.pip_dominoes.kind import CASTLE_ROCK, MUGGINS, muggins_rounds_of, rounds_of
from companion.games.pip_dominoes.standing import round_standing
from companion.games.pip_dominoes.table import DominoTable
from companion.store import Game, Player
from companion.store.photos import photos_of
from companion.web.parts import photo_field, show_part
from companion.web.pip_dominoes.parts import head, piece, table_of, take_photo
from companion.web.shell import Act, Markup, act_button, go_link, icon, joined, show_markup, tag
from companion.web.shell.bridge import Message, component_key
from companion.web.visit import Visit, address, rerun_on_changes
from scorer.pip_dominoes import DOUBLE_BLANK, Challenge

_PHOTO = re.compile(r"[A-Za-z0-9_-]{1,64}")
_WARNINGS = ("unread", "cut_off")


def show_hand(visit: Visit, game: Game) -> None:
    """Draw the page of the hand that the address names; that of the first player without one."""
    table = table_of(visit, game)
    number, player = _named(visit, game)
    back = address(game=game.id, view=_view_behind(game, number))
    title = player.name
    if game.kind != CASTLE_ROCK.key:
        said = visit.say("domino_page.round_only", number=number)
        title = f"{player.name}  ·  {said}"
    show_markup(joined(head(visit, title, back=back)), key="hand-head")
    piece(
        "hand",
        hand_state(visit, table, number, player.id),
        key=component_key("hand", game.id, number, player.id),
        language=visit.language,
        on_change=partial(_keep, table, number, player.id),
    )
    show_part(
        visit,
        _foot(visit, table, number, player, back),
        "hand-foot",
        partial(_act, visit, table, number, player.id),
    )
    rerun_on_changes(visit, game)


def _view_behind(game: Game, number: int) -> str:
    """Where the hand was opened: the end of a round of Muggins, until everybody's hand is there."""
    if game.kind != MUGGINS.key:
        return ""
    kept = muggins_rounds_of(game.values).get(number)
    full = kept is not None and kept.is_full([player.id for player in game.players])
    return "" if full else "end"


def _named(visit: Visit, game: Game) -> tuple[int, Player]:
    """The round and the player of the address."""
    seat, number = visit.parameters.get("seat", ""), visit.parameters.get("round", "")
    player = next((each for each in game.players if str(each.id + 1) == seat), game.players[0])
    most = 1
    if game.kind == MUGGINS.key:
        most = max(muggins_rounds_of(game.values), default=0) + 1
    elif game.kind != CASTLE_ROCK.key:
        most = round_standing(game).rules.rounds_due
    named = int(number) if number.isdecimal() and len(number) < 4 else 1
    return min(max(1, named), most), player


def hand_state(visit: Visit, table: DominoTable, number: int, player: int) -> dict[str, Any]:
    """What goes down to the piece."""
    game = table.game
    hand = table.hand(number, player)
    reading = table.reading(hand)
    costs, middle = False, None
    if game.kind not in (MUGGINS.key, CASTLE_ROCK.key):
        double = round_standing(game).double(number)
        middle = str(double)
        costs = double != DOUBLE_BLANK
    photo = None
    if reading is not None and _is_there(visit, table, reading):
        photo = {
            "address": f"photo/{reading.photo}",
            "width": reading.width,
            "height": reading.height,
            "dominoes": [
                {
                    "corners": [list(corner) for corner in each.corners],
                    "runner": str(each.runner_up) if each.runner_up else None,
                }
                for each in reading.dominoes
            ],
        }
    return {
        "hand": hand.to_data() if hand else None,
        "photo": photo,
        "highest": table.highest,
        "middle": middle,
        "costs": costs,
        "counting": game.kind != CASTLE_ROCK.key or _goes_by_pips(game),
        "elsewhere": _elsewhere(table, number, player),
    }


def _goes_by_pips(game: Game) -> bool:
    """Whether the pips are what counts at Castle Rock: against the clock it is the tiles."""
    return CastleRules.from_data(game.values.get("rules")).challenge is Challenge.PIPS


def _is_there(visit: Visit, table: DominoTable, reading: KeptHandReading) -> bool:
    """Whether the photo can still be shown: just taken, or kept with the game."""
    if not _PHOTO.fullmatch(reading.photo) or not (reading.width and reading.height):
        return False
    if visit.photos.get(reading.photo) is not None:
        return True
    return reading.photo in [each.id for each in photos_of(visit.store, table.game_id)]


def _elsewhere(table: DominoTable, number: int, player: int) -> dict[str, str]:
    """Whose hand of this round a tile is in, by its text."""
    names = {each.id: each.name for each in table.game.players}
    taken = table.taken(number, player)
    return {str(tile): names[other] for tile, other in taken.items() if other is not None}


def changed_hand(
    sent: Mapping[str, Any], before: KeptHand | None, dominoes: int
) -> KeptHand | None:
    """The hand in a message of the piece; None for anything that the piece doesn't send.

    The reading stays the one that the hand had; a tile can't name a domino that isn't in it.
    """
    data = sent.get("hand")
    if not isinstance(data, dict) or "reading" in data:
        return None
    try:
        hand = KeptHand.from_data(data)
    except ValueError:
        return None
    reading = before.reading if before else None
    if any(each.place is not None and each.place >= dominoes for each in hand.tiles):
        return None
    return replace(hand, reading=reading)


def _keep(table: DominoTable, number: int, player: int, message: Message) -> None:
    before = table.hand(number, player)
    reading = table.reading(before)
    hand = changed_hand(message.data, before, len(reading.dominoes) if reading else 0)
    if message.first and message.data.get("before") != (before.to_data() if before else None):
        return  # Somebody has changed the hand since, perhaps on another phone.
    if hand is not None and hand != before:
        table.stop_clock(time.time())
        table.set_hand(number, player, hand)
    elif before is not None and message.data.get("hand", {}) is None:
        table.set_hand(number, player, None, "remove")


def _foot(visit: Visit, table: DominoTable, number: int, player: Player, back: str) -> Markup:
    hand = table.hand(number, player.id)
    value = f"hand:{number}:{player.id}"
    code = "domino_page.photo_again" if hand else "domino_page.photo"
    photo = photo_field(visit, visit.say(code), "", value=value, many=False)
    done = go_link(back, icon("check"), visit.say("domino_page.done"), look="button main middle")
    remove = None
    if hand is not None:
        words = visit.say("domino_page.remove_hand")
        remove = act_button("remove", icon("trash"), words)
    nothing = None
    if table.game.kind == CASTLE_ROCK.key and hand is None:
        words = visit.say("domino_page.nothing_left")
        nothing = act_button("nothing", words)
    return tag(
        "div",
        _warnings(visit, table, hand),
        done,
        tag("div", photo, nothing, remove, class_="row"),
        _penalties(visit, table, number, player.id),
        class_="stack",
    )


def _warnings(visit: Visit, table: DominoTable, hand: KeptHand | None) -> Markup | None:
    reading = table.reading(hand)
    if reading is None:
        return None
    lines = [
        visit.say(f"domino_page.warning.{code}") for code in _WARNINGS if code in reading.warnings
    ]
    if reading.set != table.highest:
        lines.append(visit.say("domino_page.warning.other_set", set=reading.set))
    low, high = reading.sum_range(hand) if hand else (0, 0)
    if low != high:
        lines.append(visit.say("domino_page.range", low=low, high=high))
    items = [tag("li", icon("warning"), tag("span", line)) for line in lines]
    return tag("ul", *items, class_="problems") if items else None


def _penalties(visit: Visit, table: DominoTable, number: int, player: int) -> Markup | None:
    if table.game.kind in (MUGGINS.key, CASTLE_ROCK.key):
        return None
    kept = rounds_of(table.game.values).get(number)
    count = kept.penalties.get(player, 0) if kept else 0
    more = act_button("penalty", icon("plus"), visit.say("domino_page.penalty"))
    if not count:
        return tag("div", more, class_="row")
    said = tag("span", visit.say("domino_page.penalties", count=count), class_="grow")
    less = act_button("penalty-less", visit.say("domino_page.penalty_less"))
    return tag("div", said, more, less, class_="row")


def _act(visit: Visit, table: DominoTable, number: int, player: int, act: Act) -> None:
    if act.do in ("photo", "nothing"):
        table.stop_clock(time.time())
    if act.do == "photo":
        take_photo(visit, table, number, player, act.value.partition("|")[2].split())
    elif act.do == "remove":
        table.set_hand(number, player, None, "remove")
        visit.go_to_game(table.game_id, _view_behind(table.game, number))
    elif act.do == "nothing":
        table.set_hand(number, player, KeptHand(), "out")
    elif act.do in ("penalty", "penalty-less"):
        table.add_penalty(number, player, 1 if act.do == "penalty" else -1)
