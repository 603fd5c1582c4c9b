"""Who won, and why: the sentence, the score pad, the kingdoms, where the points come from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import altair as alt
import streamlit as st

from companion.games.kingdomino.card import winner_sentence
from companion.games.kingdomino.kind import KeptRules
from companion.games.kingdomino.outcomes import outcome_lines, winners_line
from companion.games.kingdomino.table import Seat, Table, new_table
from companion.games.kingdomino.texts import bonus_name, terrain_name, tie_line
from companion.languages import Language, say
from companion.store import StoreError
from companion.store.exchange import bg_stats_link
from companion.web.kingdomino.parts import (
    choice_markup,
    choose_square,
    flag,
    head,
    kingdom_picture,
    number_parameter,
    photo_button,
    seat_strip,
)
from companion.web.kingdomino.photos import photos_for_table
from companion.web.parts import card_link, chart_of, listed, saying_refusals, show_chart
from companion.web.shell import Act, Markup, icon, joined, show_markup, tag
from companion.web.visit import Visit, address, rerun_on_changes
from scorer.kingdomino import Outcome, Position, Score, Terrain, score

__all__ = ["PadRow", "pad_rows", "points_chart", "result_markup", "show_result", "squares_of_row"]


@dataclass(frozen=True)
class PadRow:
    """A line of the pad, by seat: points (None without a kingdom), and the squares behind them.

    The squares are those of the kingdom without its empty edges.
    """

    code: str
    name: str
    points: tuple[int | None, ...]
    squares: tuple[tuple[Position, ...], ...]


def pad_rows(table: Table, language: Language) -> list[PadRow]:
    """A row a terrain, one for each variant or quest in play, and one for characters."""
    scores = [_score(table, seat) for seat in table.seats]
    rows = [_terrain_row(terrain, scores, language) for terrain in Terrain]
    for index, quest in enumerate(table.rules.rules.goals):
        rows.append(_bonus_row(index, str(quest), scores, language))
    if table.rules.rules.court or any(each and each.characters for each in scores):
        rows.append(_character_row(scores, language))
    if table.rules.dynasty:
        rows += [_game_row(table, number, language) for number in table.rules.games]
    return rows


def squares_of_row(rows: Sequence[PadRow], code: str, index: int) -> tuple[Position, ...] | None:
    """The squares behind one figure; None where there is no such row."""
    return next((row.squares[index] for row in rows if row.code == code), None)


def _score(table: Table, seat: Seat) -> Score | None:
    if seat.board is None:
        return None
    return score(seat.board.kingdom.trimmed(), table.rules_in_play)


def _terrain_row(terrain: Terrain, scores: Sequence[Score | None], language: Language) -> PadRow:
    own = [
        None if each is None else [t for t in each.territories if t.terrain is terrain]
        for each in scores
    ]
    return PadRow(
        terrain.letter,
        terrain_name(terrain, language),
        tuple(None if found is None else sum(t.points for t in found) for found in own),
        tuple(
            tuple(place for t in found or () if t.points for place in t.squares) for found in own
        ),
    )


def _bonus_row(index: int, code: str, scores: Sequence[Score | None], language: Language) -> PadRow:
    bonuses = [None if each is None else each.bonuses[index] for each in scores]
    named = next((each for each in bonuses if each is not None), None)
    return PadRow(
        code,
        bonus_name(named, language) if named else code,
        tuple(None if each is None else each.points for each in bonuses),
        tuple(each.squares if each is not None else () for each in bonuses),
    )


def _character_row(scores: Sequence[Score | None], language: Language) -> PadRow:
    return PadRow(
        "characters",
        say("score.characters", language),
        tuple(None if each is None else each.character_points for each in scores),
        tuple(
            tuple(one.square for one in each.characters if one.points) if each else ()
            for each in scores
        ),
    )


def _game_row(table: Table, number: int, language: Language) -> PadRow:
    from companion.languages import say

    scores = table.scores.get(number, {})
    points = [scores.get(seat.player.id) for seat in table.seats]
    return PadRow(
        f"game-{number}",
        say("result.game", language, number=number),
        tuple(None if each is None else each.points for each in points),
        tuple(() for _ in points),
    )


_COLOURS = {
    Terrain.WHEAT.letter: "#d9a514",
    Terrain.FOREST.letter: "#2c6440",
    Terrain.LAKE.letter: "#2f74b5",
    Terrain.GRASSLAND.letter: "#8bb84a",
    Terrain.SWAMP.letter: "#a08f6b",
    Terrain.MINE.letter: "#5a5160",
}
_BONUS_COLOURS = ("#97350f", "#c46a3d")


def points_chart(table: Table, language: Language) -> alt.Chart:
    """A bar a player, a part a terrain or bonus, in the order of the pad."""
    rows = [row for row in pad_rows(table, language) if not row.code.startswith("game-")]
    names = [seat.player.name for seat in table.seats]
    bonus = iter(_BONUS_COLOURS * 2)
    colours = [_COLOURS.get(row.code) or next(bonus) for row in rows]
    player, source, points = (
        say(f"result.{code}", language) for code in ("player", "source", "points")
    )
    data = [
        {"player": name, "source": row.name, "points": row.points[index], "order": order}
        for order, row in enumerate(rows)
        for index, name in enumerate(names)
        if row.points[index]
    ]
    chart: alt.Chart = (
        chart_of(data)
        .mark_bar(stroke="#fffaf0", strokeWidth=1)
        .encode(
            y=alt.Y("player:N", sort=names, title=None),
            x=alt.X("sum(points):Q", title=points),
            color=alt.Color(
                "source:N",
                sort=[row.name for row in rows],
                scale=alt.Scale(domain=[row.name for row in rows], range=colours),
                legend=alt.Legend(orient="bottom", columns=3, title=None),
            ),
            order=alt.Order("order:O"),
            tooltip=[
                alt.Tooltip("player:N", title=player),
                alt.Tooltip("source:N", title=source),
                alt.Tooltip("points:Q", title=points),
            ],
        )
        .properties(height=46 * max(len(names), 1))
    )
    return chart


_LONGEST_WORD = 8


def show_result(visit: Visit, table: Table) -> None:
    """Draw the page."""
    _top(visit, table.game.id, table.number)
    if any(seat.score for seat in table.seats):
        _chart(visit, table)
        _after(visit, table)
    rerun_on_changes(visit, table.game)


@st.fragment
def _top(visit: Visit, game_id: str, number: int) -> None:
    visit.catch_up()
    table = Table(visit.store, visit.actor, visit.store.game(game_id), number)
    show_markup(
        result_markup(visit, table),
        key="result",
        on_act=saying_refusals(visit, lambda act: _act(visit, table, act)),
    )


def result_markup(visit: Visit, table: Table) -> Markup:
    """The page as markup, but for the chart."""
    answered = tag("span", hidden=True, data_answered=visit.answered)
    bar = joined(
        head(visit, table, visit.say("result.title")), seat_strip(visit, table, None), answered
    )
    rows = pad_rows(table, visit.language)
    scored = any(seat.score for seat in table.seats)
    pad = _pad(visit, table, rows) if scored else None
    kingdoms = _kingdoms(visit, table, rows) if scored else None
    body = tag("div", pad, kingdoms, class_="columns two")
    return joined(bar, tag("div", _winner(visit, table), body, class_="stack"))


def _winner(visit: Visit, table: Table) -> Markup:
    """The sentence that everybody waits for, or what is still missing for it."""
    if len(table.seats) < 2:
        return _still(visit, visit.say("result.few"), table)
    missing = [seat.player.name for seat in table.seats if seat.board is None]
    if missing:
        names = listed(missing, visit.language)
        return _still(visit, visit.say("result.missing", names=names), table)
    if not table.game.results.complete:
        return _still(visit, visit.say("players.refused.other"), table)
    why = [tag("p", line, class_="why") for line in _tie_lines(visit, table)]
    check = [
        tag(
            "a",
            icon("doubt"),
            visit.say("result.to_check", name=seat.player.name, count=seat.doubts),
            href=address(
                game=table.game.id, seat=seat.player.id + 1, number=number_parameter(table)
            ),
            data_go=True,
            class_="button",
        )
        for seat in table.seats
        if seat.doubts
    ]
    found = table.outcome
    if found is not None and not found.certain:
        return _open(visit, table, found, check)
    lines = [tag("p", line) for line in _certain_lines(visit, table, found)]
    sentence = winner_sentence(table.game, visit.language)
    return tag(
        "section",
        icon("trophy", "large"),
        tag("div", tag("h1", sentence), role="status"),
        *why,
        *lines,
        tag("div", *check, class_="chips") if check else None,
        class_="card winner",
    )


def _certain_lines(visit: Visit, table: Table, found: Outcome | None) -> list[str]:
    """That what is in doubt changes nothing, where something is."""
    doubts = sum(len(one.offers) for n in table.rules.games for one in table.shown(n).values())
    if not doubts or found is None:
        return []
    return list(outcome_lines(found, _names(table), doubts, visit.language))


def _names(table: Table) -> dict[str, str]:
    return {str(seat.player.id): seat.player.name for seat in table.seats}


_MOST_BUTTONS = 4


def _open(visit: Visit, table: Table, found: Outcome, check: list[Markup]) -> Markup:
    """Who can still win, and the square that decides most: one tap, and it is known."""
    names = _names(table)
    results = [
        winners_line([names[each] for each in one], visit.language) for one in found.possible
    ]
    first, *more = found.deciding or (None,)
    choice = None
    if first is not None:
        there = replace(table, number=first.game)
        seat = there.seat(int(first.player))
        if seat is not None and seat.board is not None:
            squares = first.squares[:_MOST_BUTTONS]
            choice = choice_markup(visit, there, seat, first.position, squares)
    count = len(more)
    return tag(
        "section",
        icon("doubt", "large"),
        tag("div", tag("h1", visit.say("result.open", results="; ".join(results))), role="status"),
        tag("h2", visit.say("result.decides")) if choice else None,
        choice,
        tag("p", visit.say("outcome.more", count=count)) if count else None,
        tag("div", *check, class_="chips") if check else None,
        class_="card winner stack",
    )


def is_certain(table: Table) -> bool:
    """Whether no square in doubt can change who wins."""
    return table.outcome is None or table.outcome.certain


def _tie_lines(visit: Visit, table: Table) -> list[str]:
    """Why ties went as they did, with the values that decided them."""
    names = {str(seat.player.id): seat.player.name for seat in table.seats}
    ties = table.ranking.ties if table.ranking else ()
    named = [replace(tie, ahead=names[tie.ahead], behind=names[tie.behind]) for tie in ties]
    return [tie_line(tie, visit.language) for tie in named]


def _still(visit: Visit, words: str, table: Table) -> Markup:
    waiting = table.next_empty()
    if waiting is not None:
        name = visit.say("seat.photo", name=waiting.player.name)
        take = photo_button(visit, name, "main", value=f"seat:{waiting.player.id}")
    else:
        take = photo_button(visit, visit.say("seat.photo_next"), "main")
    return tag("section", icon("crown", "large"), tag("p", words), take, class_="card winner stack")


def _pad(visit: Visit, table: Table, rows: list[PadRow]) -> Markup:
    """The score pad: a column a player, a row a terrain, bonuses and the sum."""
    chosen = visit.parameters.get("lit") or visit.page_state.get(("lit", table.game.id), "")
    results = {each.player: each for each in table.game.results.players}
    columns = [
        tag("th", flag(seat.player.colour), seat.player.name, scope="col") for seat in table.seats
    ]
    body = []
    for row in rows:
        cells = [
            tag("td", _figure(visit, row, index, seat.player.name, chosen))
            for index, seat in enumerate(table.seats)
        ]
        body.append(tag("tr", tag("th", row.name, scope="row"), *cells))
    sums = [
        tag(
            "td",
            "–" if seat.total is None else seat.total,
            class_="won" if results[seat.player.id].won and is_certain(table) else None,
        )
        for seat in table.seats
    ]
    body.append(tag("tr", tag("th", visit.say("result.sum"), scope="row"), *sums, class_="sum"))
    content = tag(
        "table",
        tag("thead", tag("tr", tag("td"), *columns)),
        tag("tbody", *body),
        class_="pad plain" if _short(seat.player.name for seat in table.seats) else "pad",
    )
    heading = tag("h2", visit.say("result.pad"))
    frame = tag("div", content, class_="pad-frame")
    return tag("section", heading, frame, class_="card")


def _short(names: Iterable[str]) -> bool:
    """Whether every word of the names fits into a narrow column, so that none need be broken."""
    return all(len(word) <= _LONGEST_WORD for name in names for word in name.split())


def _figure(visit: Visit, row: PadRow, index: int, name: str, chosen: str) -> Markup | str:
    """Points that light their squares when they are tapped."""
    points = row.points[index]
    if points is None:
        return "–"
    if not row.squares[index]:
        return str(points)
    value = f"{row.code}|{index}"
    said = visit.say("result.figure", name=name, row=row.name, points=points)
    return tag(
        "button",
        points,
        type="button",
        data_do="light",
        data_value=value,
        aria_pressed="true" if value == chosen else "false",
        aria_label=said,
        class_="figure",
    )


def _kingdoms(visit: Visit, table: Table, rows: list[PadRow]) -> Markup:
    code, _, index = str(visit.page_state.get(("lit", table.game.id), "")).partition("|")
    pictures = []
    for number, seat in enumerate(table.seats):
        if seat.board is None or seat.score is None:
            continue
        lit = squares_of_row(rows, code, number) if index == str(number) else None
        name = f"{seat.player.name}: {seat.score.points}"
        trimmed = seat.board.kingdom.trimmed()
        picture = kingdom_picture(trimmed, name, score(trimmed, table.rules_in_play), lit)
        caption = tag("figcaption", flag(seat.player.colour), seat.player.name)
        pictures.append(tag("figure", picture, caption))
    heading = tag("h2", visit.say("result.kingdoms"))
    return tag("section", heading, tag("div", *pictures, class_="kingdoms"), class_="card stack")


def _chart(visit: Visit, table: Table) -> None:
    """Who got points where: a bar a player, a part a terrain."""
    show_markup(tag("h2", visit.say("result.chart")), key="chart-title")
    show_chart(points_chart(table, visit.language), key="points-chart")


def _after(visit: Visit, table: Table) -> None:
    """The picture to share, other programs, and the next game with the same people."""
    again = tag(
        "button",
        icon("people"),
        visit.say("result.again"),
        type="button",
        data_do="again",
        class_="main middle",
    )
    more: list[Markup] = []
    if table.game.results.complete and is_certain(table):
        more.append(card_link(visit, table.game.id))
        more.append(
            tag("a", visit.say("result.bg_stats"), href=bg_stats_link(table.game), class_="button")
        )
    show_markup(
        tag("div", again, tag("div", *more, class_="row"), class_="stack narrow"),
        key="after",
        on_act=saying_refusals(visit, lambda act: _act(visit, table, act)),
    )


def _act(visit: Visit, table: Table, act: Act) -> None:
    table = table.again()
    if act.do == "light":
        key = ("lit", table.game.id)
        visit.page_state[key] = "" if visit.page_state.get(key) == act.value else act.value
    elif act.do == "choose":
        choose_square(table, act)
    elif act.do == "photo":
        where, _, ids = act.value.partition("|")
        target = where.removeprefix("seat:")
        photos_for_table(visit, table, ids.split(), int(target) if target.isdecimal() else None)
    elif act.do == "add-seat":
        visit.go_to_game(table.game.id, "players", number=number_parameter(table))
    elif act.do == "again":
        _play_again(visit, table)


def _play_again(visit: Visit, table: Table) -> None:
    """A new game with the same people and rules; in a Dynasty the next of its three games."""
    if table.rules.dynasty and table.number < max(table.rules.games):
        visit.go_to_game(table.game.id, number=table.number + 1)
        return
    rules: KeptRules = table.rules
    try:
        fresh = new_table(visit.store, visit.actor)
        fresh = fresh.with_players(list(table.game.players)) if not _five(table) else fresh
        fresh = fresh.with_rules(rules)
        if _five(table):
            fresh = fresh.with_players(list(table.game.players))
    except StoreError:
        return
    visit.go_to_game(fresh.game.id)


def _five(table: Table) -> bool:
    """Five players need the rules of the expansion to be there before them."""
    return len(table.game.players) > 4
