"""Muggins: a keypad of fives, the points of the round, what everybody has left, the score sheet."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from companion.games.pip_dominoes.kept import KeptMuggins, MugginsTableRules
from companion.games.pip_dominoes.kind import MUGGINS, MugginsStanding, muggins_rounds_of
from companion.games.pip_dominoes.standing import muggins_of, side_names, winner_sentence
from companion.games.pip_dominoes.table import DominoTable
from companion.languages import listed
from companion.store import Game, StoreError
from companion.web.parts import sharing, show_part
from companion.web.pip_dominoes.parts import (
    HandLine,
    hand_address,
    hand_lines,
    head,
    piece,
    points_of,
    table_of,
    take_back_named,
    winner_card,
)
from companion.web.pip_dominoes.round_view import act_on_hands
from companion.web.shell import Act, Markup, go_link, icon, joined, show_markup, tag
from companion.web.shell.bridge import component_key
from companion.web.visit import Visit, address, rerun_on_changes
from scorer.pip_dominoes import Hand, Side


def score_sheet(visit: Visit, table: DominoTable, standing: MugginsStanding) -> Markup | None:
    """A row a round: plays and end together, the totals run along."""
    rounds = standing.game.rounds
    if not rounds:
        return None
    running = standing.game.running_totals
    before = dict.fromkeys(standing.game.totals, 0)
    columns = [
        tag("th", listed(side_names(table.game, side), visit.language), scope="col")
        for side in standing.game.sides
    ]
    rows = []
    for number, after in enumerate(running, start=1):
        cells = []
        for side in standing.game.sides:
            gained = after[side.name] - before[side.name]
            small = tag("small", after[side.name], class_="running") if number > 1 else None
            cells.append(tag("td", tag("span", gained), small))
        rows.append(tag("tr", tag("th", number, scope="row"), *cells, data_key=f"r{number}"))
        before = after
    sums = [tag("td", standing.game.totals[side.name]) for side in standing.game.sides]
    total = tag("tr", tag("th", visit.say("domino_page.total"), scope="row"), *sums, class_="sum")
    sheet = tag(
        "table",
        tag("thead", tag("tr", tag("td"), *columns)),
        tag("tbody", *rows, total),
        class_="pad sheet-of-rounds",
    )
    title = visit.say("domino_page.sheet")
    framed = tag("div", sheet, class_="pad-frame", tabindex=0, role="region", aria_label=title)
    return tag("section", tag("h2", title), framed, class_="card stack")


_MOST_PLAYS = 50


def show_muggins(visit: Visit, game: Game) -> None:
    """Draw the page of the round, or of its end (``view=end``)."""
    table = table_of(visit, game)
    standing = muggins_of(game)
    if standing is None:
        show_markup(joined(head(visit, MUGGINS.name)), key="muggins-top")
        return
    ending = visit.view == "end" and not standing.game.is_over
    if ending:
        show_part(
            visit,
            muggins_end_markup(visit, table, standing),
            "muggins-end",
            partial(_act, visit, table),
        )
        rerun_on_changes(visit, game)
        return
    show_part(
        visit, muggins_markup(visit, table, standing), "muggins-top", partial(_act, visit, table)
    )
    if not standing.game.is_over:
        number = standing.number
        piece(
            "keypad",
            {
                "players": [{"id": each.id, "name": each.name} for each in game.players],
                "round": number,
            },
            key=component_key("keypad", game.id),
            language=visit.language,
            on_change=lambda sent: _keep_plays(table, number, sent.data),
        )
    show_part(visit, _below(visit, table, standing), "muggins-below", partial(_act, visit, table))
    rerun_on_changes(visit, game)


def muggins_markup(visit: Visit, table: DominoTable, standing: MugginsStanding) -> Markup:
    """What stands above the keypad: the sides with their points, or who won."""
    game = table.game
    totals = standing.game.totals
    best = max(totals.values())
    sides = [
        tag(
            "div",
            tag("span", listed(side_names(game, side), visit.language), class_="name"),
            tag("span", totals[side.name], class_="points"),
            class_="seat side" + (" ahead" if best and totals[side.name] == best else ""),
            data_key=f"side-{side.name}",
        )
        for side in standing.game.sides
    ]
    strip = tag("div", *sides, class_="seats")
    bar = head(visit, MUGGINS.name, undo=table.last_own() or 0)
    winner = standing.game.winner
    if winner is not None and standing.game.is_over:
        return joined(
            bar, tag("div", _winner(visit, table, standing, winner), strip, class_="stack")
        )
    target = visit.say("domino_page.to_target", target=standing.game.rules.target)
    title = tag("h2", visit.say("domino_page.round_only", number=standing.number))
    starter = _starter(visit, game, standing)
    soft = tag("p", "  ".join(filter(None, [starter, target])), class_="soft")
    last = _last_end(visit, table, standing)
    return joined(bar, tag("div", strip, last, tag("div", title, soft), class_="stack"))


def _starter(visit: Visit, game: Game, standing: MugginsStanding) -> str:
    first = MugginsTableRules.from_data(game.values.get("rules")).first
    names = {str(player.id): player.name for player in game.players}
    if str(first) not in names:
        return ""
    name = names[standing.game.starter(str(first))]
    return visit.say("domino_page.starts", name=name)


def _winner(visit: Visit, table: DominoTable, standing: MugginsStanding, winner: Side) -> Markup:
    unsettled = [
        (number, player.id, kept.hands[player.id])
        for number, kept in muggins_rounds_of(table.game.values).items()
        for player in table.game.players
        if player.id in kept.hands and not kept.hands[player.id].is_settled
    ]
    if unsettled:
        names = {player.id: player.name for player in table.game.players}
        links = [
            go_link(
                hand_address(table.game_id, number, player),
                icon("doubt"),
                visit.say("domino_page.check", name=names[player], count=hand.checks),
                look="button middle" + (" main" if (number, player) == unsettled[0][:2] else ""),
            )
            for number, player, hand in unsettled
        ]
        words = tag("p", visit.say("domino_page.check_first"))
        return tag("section", words, *links, class_="card stack")
    sentence = winner_sentence(table.game, visit.language)
    return winner_card(visit, sentence, table.game)


def _below(visit: Visit, table: DominoTable, standing: MugginsStanding) -> Markup:
    """Under the keypad: the end of the round, its points so far, the rounds before."""
    if standing.game.is_over:
        sheet = score_sheet(visit, table, standing)
        return tag("div", sheet, sharing(visit, table.game_id), class_="stack")
    over = go_link(
        address(game=table.game_id, view="end"),
        icon("next"),
        visit.say("domino_page.round_over"),
        look="button middle",
    )
    kept = muggins_rounds_of(table.game.values).get(standing.number, KeptMuggins())
    names = {player.id: player.name for player in table.game.players}
    lines = []
    for play in reversed(kept.plays):
        points = points_of(visit, play.points)
        if play.caller is None:
            said = visit.say("domino_page.play", name=names.get(play.player, ""), points=points)
        else:
            said = visit.say(
                "domino_page.play_called",
                name=names.get(play.caller, ""),
                player=names.get(play.player, ""),
                points=points,
            )
        lines.append(tag("li", said, data_key=play.id))
    plays = (
        tag(
            "section",
            tag("h3", visit.say("domino_page.this_round")),
            tag("ul", *lines, class_="plays"),
            class_="card stack",
        )
        if lines
        else None
    )
    sheet = score_sheet(visit, table, standing)
    return tag("div", over, plays, sheet, sharing(visit, table.game_id), class_="stack")


def muggins_end_markup(visit: Visit, table: DominoTable, standing: MugginsStanding) -> Markup:
    """The end of a round: what everybody has left."""
    number = standing.number
    kept = muggins_rounds_of(table.game.values).get(number, KeptMuggins())
    lines = []
    for player in table.game.players:
        hand = kept.hands.get(player.id)
        left = hand.left if hand else 0
        pips = left.pips if isinstance(left, Hand) else left
        lines.append(HandLine(player, hand, pips))
    title = visit.say("domino_page.round_only", number=number)
    back = address(game=table.game_id)
    section = tag(
        "section",
        tag("h2", visit.say("domino_page.what_is_left")),
        hand_lines(visit, table.game_id, number, lines),
        class_="card stack",
    )
    on = go_link(back, visit.say("domino_page.play_on"), look="button")
    bar = head(visit, title, back=back, undo=table.last_own() or 0)
    return joined(bar, tag("div", section, on, class_="stack narrow"))


class SentPlay(NamedTuple):
    """A play in a message of the keypad; ``round`` is the one that its page showed, if it says."""

    id: str
    player: int
    points: int
    caller: int | None = None
    round: int | None = None


def kept_plays(sent: Mapping[str, Any]) -> list[SentPlay]:
    """The plays in a message of the keypad; what isn't one is left."""
    plays = sent.get("plays")
    found = []
    for each in plays if isinstance(plays, list) else []:
        if not isinstance(each, dict):
            continue
        values: list[Any] = [each.get(name) for name in SentPlay._fields]
        play = SentPlay(*values)
        numbers = (play.player, play.points, play.caller or 0, play.round or 0)
        if isinstance(play.id, str) and all(type(number) is int for number in numbers):
            found.append(play)
    return found[:_MOST_PLAYS]


def _keep_plays(table: DominoTable, number: int, sent: Mapping[str, Any]) -> None:
    """Keep what is new; a play that the game can't have, or that is over, is dropped.

    Another phone may have ended the round in which a play was tapped: it is of that round still.
    """
    ids = {player.id for player in table.game.players}
    for play, player, points, caller, of in kept_plays(sent):
        if player not in ids or (caller is not None and caller not in ids):
            continue
        played_in = of if of is not None and 0 < of < number else number
        try:
            table.add_play(played_in, player, points, caller, play)
        except StoreError as error:
            if error.code != "bad_value":
                raise


def _act(visit: Visit, table: DominoTable, act: Act) -> None:
    if act.do == "undo":
        take_back_named(table, act)
        return
    if act.do not in ("photo", "out"):
        return
    before = muggins_of(table.game)
    act_on_hands(visit, table, act)
    after = muggins_of(table.game)
    if before is None or after is None or visit.view != "end":
        return
    if after.game.is_over or after.number > before.number:
        visit.go_to_game(table.game_id)


def _last_end(visit: Visit, table: DominoTable, standing: MugginsStanding) -> Markup | None:
    """Who got what for the round that ended last."""
    finished = [each for each in standing.game.rounds if each.is_finished]
    if not finished or not standing.game.rounds[-1].is_finished:
        return None
    side, worth = standing.game.worth_of(finished[-1])
    if side is None:
        return tag("p", visit.say("domino_page.nobody"), class_="notice")
    names = listed(side_names(table.game, side), visit.language)
    code = "end_points" if len(side.players) == 1 else "team_end_points"
    points = points_of(visit, worth)
    said = visit.say(f"domino_page.{code}", name=names, names=names, points=points)
    return tag("p", said, class_="notice")
