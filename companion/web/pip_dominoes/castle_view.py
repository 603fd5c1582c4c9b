"""Castle Rock: the clock, what is left, and one's own best list."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from companion.games.pip_dominoes.kept import MAX_SECONDS, CastleRules, KeptCastle, KeptHand
from companion.games.pip_dominoes.kind import CASTLE_ROCK, castle_of, castle_result, knows_tiles
from companion.games.pip_dominoes.standing import castle_sentence
from companion.games.pip_dominoes.table import DominoTable
from companion.store import Game
from companion.store.history import find_games
from companion.web.parts import photo_field, show_part
from companion.web.pip_dominoes.parts import (
    hand_address,
    head,
    piece,
    share_row,
    table_of,
    take_back_named,
    take_photo,
)
from companion.web.shell import Act, Markup, act_button, go_link, icon, joined, tag
from companion.web.shell.bridge import component_key
from companion.web.visit import Visit, address, rerun_on_changes
from scorer.pip_dominoes import CastleRockResult, Challenge, best_list

_SHOWN = 10
_GAMES = 200


def show_castle(visit: Visit, game: Game) -> None:
    """Draw the page."""
    table = table_of(visit, game)
    castle = castle_of(game.values) or KeptCastle()
    title = CASTLE_ROCK.name
    show_part(
        visit,
        joined(head(visit, title, undo=table.last_own() or 0)),
        "castle-head",
        partial(_act, visit, table),
    )
    if not castle.is_settled or castle.running_since is not None:
        piece(
            "clock",
            {"seconds": castle.seconds, "since": castle.running_since, "now": time.time()},
            key=component_key("clock", game.id),
            language=visit.language,
            on_change=lambda sent: _keep_clock(table, sent.data),
        )
    show_part(visit, castle_markup(visit, table), "castle", partial(_act, visit, table))
    rerun_on_changes(visit, game)


def castle_markup(visit: Visit, table: DominoTable) -> Markup:
    """What is left and the best list."""
    game = table.game
    castle = castle_of(game.values) or KeptCastle()
    result = castle_result(game.values)
    if castle.hand is None or result is None:
        top = _ask(visit, table)
    else:
        top = _result_markup(visit, table, castle, result)
    best = _best(visit, game)
    return tag("div", tag("div", top, best, class_="columns two"), class_="stack")


def _ask(visit: Visit, table: DominoTable) -> Markup:
    words = visit.say("domino_page.photo_of_left")
    take = photo_field(visit, words, "main middle", value="hand:1:0", many=False)
    nothing = act_button("nothing", visit.say("domino_page.nothing_left"))
    player = table.game.players[0].id
    by_hand = go_link(
        hand_address(table.game_id, 1, player),
        icon("hand"),
        visit.say("home.by_hand"),
        look="button",
    )
    title = tag("h2", visit.say("domino_page.left"))
    return tag(
        "section", title, take, tag("div", nothing, by_hand, class_="row"), class_="card stack"
    )


def _result_markup(
    visit: Visit, table: DominoTable, castle: KeptCastle, result: CastleRockResult
) -> Markup:
    player = table.game.players[0].id
    assert castle.hand is not None
    sentence = castle_sentence(result, visit.language)
    look = go_link(
        hand_address(table.game_id, 1, player),
        icon("doubt" if castle.hand.checks else "hand"),
        visit.say("hand.check", count=castle.hand.checks)
        if castle.hand.checks
        else visit.say("home.by_hand"),
        look="button",
    )
    again = go_link(
        address(new=CASTLE_ROCK.key, like=table.game_id),
        icon("domino"),
        visit.say("home.new"),
        look="button main",
    )
    taken = tag("p", _time(castle.seconds), class_="soft") if castle.seconds else None
    return tag(
        "section",
        icon("trophy" if result.is_won else "castle", "large"),
        tag("div", tag("h2", sentence), role="status"),
        taken,
        tag("div", again, look, class_="row centred"),
        share_row(visit, table.game),
        class_="card winner stack",
    )


def own_results(visit: Visit, game: Game) -> list[tuple[str, CastleRockResult]]:
    """The settled results of this device with the set of the game, by the id of their game."""
    highest = CastleRules.from_data(game.values.get("rules")).highest
    found = []
    kind = CASTLE_ROCK.key
    for each in find_games(visit.store, device=visit.device, kind=kind, limit=_GAMES):
        values = visit.store.game(each.id).values
        castle, result = castle_of(values), castle_result(values)
        if castle is None or result is None or not castle.is_settled:
            continue
        if result.domino_set.highest == highest:
            found.append((each.id, result))
    return found


def _best(visit: Visit, game: Game) -> Markup:
    rules = CastleRules.from_data(game.values.get("rules"))
    own = own_results(visit, game)
    ordered = best_list([result for _, result in own], rules.domino_set, rules.challenge)
    mine = {id(result): game_id for game_id, result in own}
    title = tag("h2", visit.say("domino_page.best", set=rules.highest))
    if not ordered:
        none = tag("p", visit.say("domino_page.best_none"), class_="soft")
        return tag("section", title, none, class_="card stack")
    names = (
        ["tiles", "time", "pips"]
        if rules.challenge is Challenge.CLOCK
        else ["pips", "tiles", "time"]
    )
    columns = [tag("th", visit.say(f"domino_page.{name}"), scope="col") for name in names]
    rows = []
    for place, result in enumerate(ordered[:_SHOWN], start=1):
        figures = {
            "pips": str(result.score),
            "tiles": str(result.tiles_left) if knows_tiles(result) else "–",
            "time": "–" if result.seconds is None else _time(result.seconds),
        }
        this = mine[id(result)] == game.id
        label = f"{place}  {visit.say('domino_page.this_one')}" if this else str(place)
        cells = [tag("td", figures[name]) for name in names]
        rows.append(
            tag("tr", tag("th", label, scope="row"), *cells, class_="this" if this else None)
        )
    sheet = tag(
        "table", tag("thead", tag("tr", tag("td"), *columns)), tag("tbody", *rows), class_="pad"
    )
    return tag("section", title, sheet, class_="card stack")


def _time(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def _keep_clock(table: DominoTable, sent: Mapping[str, Any]) -> None:
    """Keep the time that the phone has; the clock goes on from there, by the server's time."""
    seconds, running = sent.get("seconds"), sent.get("running")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return
    if not 0 <= seconds <= MAX_SECONDS or not isinstance(running, bool):
        return
    table.set_clock(float(seconds), time.time() if running else None)


def _act(visit: Visit, table: DominoTable, act: Act) -> None:
    if act.do == "undo":
        take_back_named(table, act)
        return
    if act.do not in ("photo", "nothing"):
        return
    table.stop_clock(time.time())
    player = table.game.players[0].id
    if act.do == "nothing":
        table.set_hand(1, player, KeptHand(), "out")
        return
    kept = take_photo(visit, table, 1, player, act.value.partition("|")[2].split())
    hand = table.hand(1, player)
    if kept is not None and hand is not None and hand.checks:
        visit.go_to_game(table.game_id, "hand", round=1, seat=player + 1)
