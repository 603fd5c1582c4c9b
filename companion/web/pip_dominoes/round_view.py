"""Mexican Train and Chickenfoot: the round with its double, a photo a player, the score sheet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.games.pip_dominoes.kept import KeptHand
from companion.games.pip_dominoes.standing import RoundStanding, round_standing, winner_sentence
from companion.games.pip_dominoes.table import DominoTable
from companion.games.pip_dominoes.texts import problem_line
from companion.store import Game, kind_of
from companion.web.parts import chips, sharing, show_part
from companion.web.pip_dominoes.parts import (
    HandLine,
    hand_address,
    hand_lines,
    head,
    points_of,
    table_of,
    take_back_named,
    take_photo,
    tile_name,
    tile_picture,
    winner_card,
)
from companion.web.shell import Act, Markup, act_button, go_link, icon, joined, tag
from companion.web.visit import Visit, rerun_on_changes
from scorer.pip_dominoes import Tile


def show_round_game(visit: Visit, game: Game) -> None:
    """Draw the page."""
    table = table_of(visit, game)
    show_part(
        visit,
        round_markup(visit, table, round_standing(game)),
        "round",
        partial(_act, visit, table),
    )
    rerun_on_changes(visit, game)


def round_markup(visit: Visit, table: DominoTable, standing: RoundStanding) -> Markup:
    """The page as markup."""
    game = table.game
    title = kind_of(game.kind).name
    top = _winner(visit, table, standing) if standing.is_played else _round(visit, table, standing)
    sheet = _sheet(visit, table, standing)
    body = tag("div", tag("div", top, class_="stack"), sheet, class_="columns two")
    page = tag("div", body, sharing(visit, table.game_id), class_="stack")
    return joined(head(visit, title, undo=table.last_own() or 0), page)


def _round(visit: Visit, table: DominoTable, standing: RoundStanding) -> Markup:
    number = standing.current
    double = standing.double(number)
    title = visit.say("domino_page.round", number=number, rounds=standing.rules.rounds_due)
    starter = standing.starter
    starts = visit.say("domino_page.starts", name=starter.name) if starter else ""
    above = tag(
        "div",
        tag("div", tag("h2", title), tag("p", starts, class_="soft"), class_="grow"),
        tag("figure", tile_picture(double, tile_name(double)), class_="double"),
        class_="row",
    )
    kept = standing.rounds.get(number)
    points = kept.points(standing.ids) if kept else {}
    totals = standing.totals
    lines = [
        HandLine(
            player,
            kept.hands.get(player.id) if kept else None,
            points.get(player.id, 0),
            visit.say("domino_page.so_far", points=totals[player.id]) if standing.played else "",
        )
        for player in standing.players
    ]
    return tag(
        "section",
        above,
        _other_double(visit, standing, number),
        hand_lines(visit, table.game_id, number, lines),
        class_="card stack",
    )


def _other_double(visit: Visit, standing: RoundStanding, number: int) -> Markup:
    """The doubles that the round may start from, where the table plays them in another order."""
    now = f"{number}:{standing.double(number).low}"
    doubles = standing.rules.domino_set.doubles
    options = [(tile_name(double), f"{number}:{double.low}") for double in doubles]
    name = visit.say("domino_page.other_double")
    offered = chips("double", options, now, name)
    return tag("details", tag("summary", name), offered, class_="sharing")


def _problems(visit: Visit, standing: RoundStanding) -> Markup | None:
    """What is odd about the hands of any round, said as long as it is."""
    lines = [
        problem_line(each, visit.language)
        for number in standing.rounds
        for each in standing.problems(number)
    ]
    if not lines:
        return None
    shown = [line.replace("|", "-") for line in lines]
    items = [
        tag("li", icon("warning"), tag("span", f"{line[:1].upper()}{line[1:]}.")) for line in shown
    ]
    return tag("ul", *items, class_="problems")


def _winner(visit: Visit, table: DominoTable, standing: RoundStanding) -> Markup:
    """The winner, or what has to be checked first; doubts that decide nothing are folded away."""
    deciding = standing.deciding(table.ranges(standing)) if standing.to_check else ()
    asked = [each for each in standing.to_check if each[1] in deciding]
    idle = [each for each in standing.to_check if each[1] not in deciding]
    rest = None
    if idle:
        words = visit.say("domino_page.decides_nothing", count=len(idle))
        links = _checks(visit, table, standing, idle)
        rest = tag("details", tag("summary", words), tag("div", *links, class_="stack"))
    if asked:
        first = tag("p", visit.say("domino_page.check_first"))
        links = _checks(visit, table, standing, asked)
        return tag("section", first, *links, rest, class_="card stack")
    sentence = winner_sentence(table.game, visit.language)
    return tag("div", winner_card(visit, sentence, table.game), rest, class_="stack")


def _checks(
    visit: Visit,
    table: DominoTable,
    standing: RoundStanding,
    hands: Sequence[tuple[int, int]],
) -> list[Markup]:
    """A link to each of these hands, which are named by round and player."""
    names = {player.id: player.name for player in standing.players}
    return [
        go_link(
            hand_address(table.game_id, number, player),
            icon("doubt"),
            visit.say(
                "domino_page.check",
                name=names[player],
                count=standing.rounds[number].hands[player].checks,
            ),
            look="button middle" + (" main" if (number, player) == hands[0] else ""),
        )
        for number, player in hands
    ]


def _sheet(visit: Visit, table: DominoTable, standing: RoundStanding) -> Markup:
    """A row a round; each figure opens its hand, the totals run along."""
    title = tag("h2", visit.say("domino_page.sheet"))
    if not standing.rounds:
        empty = tag("p", visit.say("domino_page.sheet_empty"), class_="soft")
        return tag("section", title, empty, class_="card stack")
    running = standing.running
    leaders = {player.id for player in standing.leaders} if standing.played else set()
    columns = [tag("th", player.name, scope="col") for player in standing.players]
    rows = []
    for number in standing.rounds:
        double = standing.double(number)
        first = tag(
            "th",
            tag("span", str(number), class_="round-number"),
            tile_picture(double, tile_name(double)),
            scope="row",
        )
        cells = [
            _cell(visit, table, standing, number, player.id, running[number][player.id])
            for player in standing.players
        ]
        rows.append(tag("tr", first, *cells, data_key=f"round-{number}"))
    sums = [
        tag("td", standing.totals[each], class_="won" if each in leaders else None)
        for each in standing.ids
    ]
    total = tag("th", visit.say("domino_page.total"), scope="row")
    sheet = tag(
        "table",
        tag("thead", tag("tr", tag("td"), *columns)),
        tag("tbody", *rows, tag("tr", total, *sums, class_="sum")),
        class_="pad sheet-of-rounds",
    )
    framed = tag(
        "div",
        sheet,
        class_="pad-frame",
        tabindex=0,
        role="region",
        aria_label=visit.say("domino_page.sheet"),
    )
    parts = (framed, _problems(visit, standing), _length(visit, standing))
    return tag("section", title, *parts, class_="card stack")


def _cell(
    visit: Visit,
    table: DominoTable,
    standing: RoundStanding,
    number: int,
    player: int,
    running: int,
) -> Markup:
    kept = standing.rounds[number]
    if player not in kept.hands:
        return tag("td", "–")
    points = kept.points(standing.ids)[player]
    hand = kept.hands[player]
    name = next(each.name for each in standing.players if each.id == player)
    spoken = visit.say(
        "domino_page.hand_of", name=name, number=number, points=points_of(visit, points)
    )
    mark = None if hand.is_settled else icon("doubt")
    figure = go_link(
        hand_address(table.game_id, number, player),
        tag("span", points),
        mark,
        look="figure" + ("" if hand.is_settled else " doubtful"),
        aria_label=spoken,
    )
    return tag("td", figure, tag("small", running, class_="running") if number > 1 else None)


def _length(visit: Visit, standing: RoundStanding) -> Markup | None:
    """Finishing early, and playing on after all."""
    if standing.rules.rounds is not None and standing.is_played:
        if standing.rules.rounds == standing.rules.highest + 1:
            return None
        words = visit.say("domino_page.go_on")
        return act_button("go-on", words)
    begun = standing.rounds.get(standing.current)
    if not standing.played or standing.is_played or (begun and begun.hands):
        return None
    words = visit.say("domino_page.finish", number=standing.played)
    return act_button("finish", words, value=standing.played)


def act_on_hands(visit: Visit, table: DominoTable, act: Act) -> None:
    """A photo of a hand, or somebody who is out: ``hand:ROUND:PLAYER``, for photos with ids."""
    target, _, ids = act.value.partition("|")
    found = [int(each) for each in target.split(":")[1:] if each.isdecimal() and len(each) < 5]
    if len(found) != 2:
        return
    number, player = found
    if player not in [each.id for each in table.game.players]:
        return
    if act.do == "photo":
        take_photo(visit, table, number, player, ids.split())
    elif act.do == "out":
        table.set_hand(number, player, KeptHand(), "out")


def _act(visit: Visit, table: DominoTable, act: Act) -> None:
    if act.do in ("photo", "out"):
        act_on_hands(visit, table, act)
    elif act.do == "undo":
        take_back_named(table, act)
    elif act.do == "double":
        number, _, pips = act.value.partition(":")
        if number.isdecimal() and pips.isdecimal() and len(number + pips) < 6:
            standing = round_standing(table.game)
            if int(number) == standing.current and int(pips) <= standing.rules.highest:
                table.start_from(int(number), Tile(int(pips), int(pips)))
    elif act.do == "finish" and act.value.isdecimal():
        played = round_standing(table.game).played
        if played:
            table.finish_after(played)
    elif act.do == "go-on":
        table.finish_after(None)
