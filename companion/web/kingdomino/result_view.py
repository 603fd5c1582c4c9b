"""Who won, and why: the sentence, the score pad, the kingdoms, where the points come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import cos, radians, sin

import streamlit as st

from companion.games.kingdomino.card import winner_sentence
from companion.games.kingdomino.kind import KeptRules
from companion.games.kingdomino.table import MAX_PLAYERS, Seat, Table, new_table
from companion.games.kingdomino.terrain_art import ART
from companion.games.kingdomino.texts import (
    bonus_name,
    outcome_lines,
    terrain_name,
    tie_lines,
    winners_line,
)
from companion.languages import Language, listed, say
from companion.store import PlayerResult, StoreError
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
from companion.web.kingdomino.photos import take_photos
from companion.web.parts import answered, card_link, count_of_points, show_part
from companion.web.shell import Act, Markup, act_button, go_link, icon, joined, tag
from companion.web.visit import Visit, address, or_say_unreachable, rerun_on_changes
from scorer.kingdomino import Outcome, Position, Score, Terrain, score


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
    scores = table.scores.get(number, {})
    points = [scores.get(seat.player.id) for seat in table.seats]
    return PadRow(
        f"game-{number}",
        say("result.game", language, number=number),
        tuple(None if each is None else each.points for each in points),
        tuple(() for _ in points),
    )


_BONUS_COLOURS = ("#97350f", "#c46a3d")
_BAR_HEIGHT = 10


def bars_markup(visit: Visit, table: Table, rows: Sequence[PadRow]) -> Markup | None:
    """Where the points come from: a bar a player, a part a terrain or bonus as in the pad."""
    parts = [row for row in rows if not row.code.startswith("game-")]
    most = max(
        (sum(row.points[index] or 0 for row in parts) for index in _indices(table)), default=0
    )
    if not most:
        return None
    bonus = iter(_BONUS_COLOURS * 2)
    colours = {row.code: _colour(row.code) or next(bonus) for row in parts}
    bars = [_bar(table, parts, colours, index, most) for index in _indices(table)]
    shown = [row for row in parts if any(row.points)]
    legend = [
        tag("span", _swatch(colours[row.code]), row.name, class_="key-of-chart") for row in shown
    ]
    return tag(
        "section",
        tag("h2", visit.say("result.chart")),
        tag("div", *bars, class_="bars", aria_hidden="true"),
        tag("p", *legend, class_="legend", aria_hidden="true"),
        class_="card",
    )


def _indices(table: Table) -> range:
    return range(len(table.seats))


def _colour(code: str) -> str | None:
    return next((art.ground for terrain, art in ART.items() if terrain.letter == code), None)


def _swatch(colour: str) -> Markup:
    return Markup(f'<svg viewBox="0 0 10 10"><rect width="10" height="10" fill="{colour}"/></svg>')


def _bar(
    table: Table, rows: Sequence[PadRow], colours: Mapping[str, str], index: int, most: int
) -> Markup:
    x, parts = 0, []
    for row in rows:
        points = row.points[index] or 0
        if points:
            look = f'x="{x}" width="{points}" height="{_BAR_HEIGHT}" fill="{colours[row.code]}"'
            parts.append(f"<rect {look}/>")
        x += points
    box = f'viewBox="0 0 {most} {_BAR_HEIGHT}" preserveAspectRatio="none"'
    seat = table.seats[index]
    name = tag("span", flag(seat.player.colour), tag("span", seat.player.name), class_="who")
    return joined(name, Markup(f"<svg {box}>{''.join(parts)}</svg>"), tag("strong", x))


_LONGEST_WORD = 8


def show_result(visit: Visit, table: Table) -> None:
    """Draw the page."""
    _top(visit, table.game.id, table.number)
    rerun_on_changes(visit, table.game)


@st.fragment
@or_say_unreachable
def _top(visit: Visit, game_id: str, number: int) -> None:
    visit.catch_up()
    table = Table(visit.store, visit.actor, visit.store.game(game_id), number)
    show_part(visit, result_markup(visit, table), "result", partial(_act, visit, table))


def result_markup(visit: Visit, table: Table) -> Markup:
    """The page as markup: who won, what comes next, the pad, the kingdoms, the bars."""
    bar = joined(
        head(visit, table, visit.say("result.title")),
        seat_strip(visit, table, None),
        answered(visit),
    )
    rows = pad_rows(table, visit.language)
    scored = any(seat.score for seat in table.seats)
    pad = _pad(visit, table, rows) if scored else None
    kingdoms = _kingdoms(visit, table, rows) if scored else None
    body = tag("div", pad, kingdoms, class_="columns two")
    bars = bars_markup(visit, table, rows) if scored else None
    top, after = _winner(visit, table), _after(visit, table) if scored else None
    return joined(bar, tag("div", top, after, body, bars, class_="stack"))


def _winner(visit: Visit, table: Table) -> Markup:
    """The sentence that everybody waits for, or what is still missing for it."""
    if len(table.seats) < 2:
        return _still(visit, visit.say("result.few"), table)
    missing = [seat.player.name for seat in table.seats if seat.board is None]
    if missing:
        names = listed(missing, visit.language)
        return _still(visit, visit.say("result.missing", names=names), table)
    if not table.game.results.complete and table.rules.dynasty:
        return _between(visit, table)
    if not table.game.results.complete:
        return _still(visit, visit.say("players.refused.other"), table)
    why = [tag("p", line, class_="why") for line in _tie_lines(visit, table)]
    check = [
        go_link(
            address(game=table.game.id, seat=seat.player.id + 1, number=number_parameter(table)),
            icon("doubt"),
            visit.say("result.to_check", name=seat.player.name, count=seat.doubts),
            look="button",
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
        _crown([seat.player.colour for seat in _by_place(table) if _result(table, seat).won]),
        tag("div", tag("h1", sentence), role="status"),
        *why,
        *lines,
        _places(table),
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
            choice = choice_markup(visit, there, seat, first.position, first.squares)
    count = len(more)
    return tag(
        "section",
        icon("doubt", "large"),
        tag("div", tag("h1", visit.say("result.open", names="; ".join(results))), role="status"),
        tag("h2", visit.say("result.decides")) if choice else None,
        choice,
        tag("p", visit.say("outcome.more", count=count)) if count else None,
        tag("div", *check, class_="chips") if check else None,
        class_="card winner stack",
    )


def is_certain(table: Table) -> bool:
    """Whether no square in doubt can change who wins."""
    return table.outcome is None or table.outcome.certain


def _result(table: Table, seat: Seat) -> PlayerResult:
    return next(each for each in table.game.results.players if each.player == seat.player.id)


def _by_place(table: Table) -> list[Seat]:
    """The seats from the first place to the last."""
    return sorted(table.seats, key=lambda seat: _result(table, seat).place or MAX_PLAYERS)


def _places(table: Table) -> Markup:
    """All places with their points, in order."""
    lines = [
        tag(
            "li",
            tag("span", f"{_result(table, seat).place}.", class_="place"),
            flag(seat.player.colour),
            tag("span", seat.player.name, class_="grow"),
            tag("strong", seat.total),
            class_="won" if _result(table, seat).won else None,
        )
        for seat in _by_place(table)
    ]
    return tag("ol", *lines, class_="places")


_RAYS = "".join(
    f'<path d="M60 58L{60 + 60 * x:.1f} {58 + 60 * y:.1f}"/>'
    for x, y in ((cos(radians(degrees)), sin(radians(degrees))) for degrees in range(180, 361, 20))
)


def _crown(colours: Sequence[str | None]) -> Markup:
    """The crown of the winner, a jewel for each winner in the colour of their castle."""
    jewels = "".join(
        f'<circle class="jewel {colour or ""}" r="6.5" '
        f'cx="{60 + 17 * (number - (len(colours) - 1) / 2):g}" cy="73"/>'
        for number, colour in enumerate(colours)
    )
    return Markup(
        f'<svg class="crown" viewBox="0 0 120 92" aria-hidden="true"><g class="rays">{_RAYS}</g>'
        '<path class="gold" d="M22 84L14 36L40 54L60 20L80 54L106 36L98 84z"/>'
        '<g class="gold"><circle cx="14" cy="33" r="6"/><circle cx="60" cy="16" r="7"/>'
        f'<circle cx="106" cy="33" r="6"/></g>{jewels}</svg>'
    )


def _between(visit: Visit, table: Table) -> Markup:
    """One of the games of a Dynasty is over, and others are still to come."""
    points_of = {seat.player.id: _so_far(table, seat) for seat in table.seats}
    best = max(points_of.values())
    leaders = [seat.player.name for seat in table.seats if points_of[seat.player.id] == best]
    ahead = listed(leaders, visit.language)
    ordered = sorted(table.seats, key=lambda seat: -points_of[seat.player.id])
    standing = [_standing(seat, points_of[seat.player.id]) for seat in ordered]
    points = count_of_points(best, visit.language)
    return tag(
        "section",
        tag("h1", visit.say("result.leads", names=ahead, points=points)),
        tag("p", visit.say("result.of_dynasty", number=table.number), class_="why"),
        tag(
            "ol",
            *standing,
            class_="places",
        ),
        class_="card winner",
    )


def _so_far(table: Table, seat: Seat) -> int:
    """The points of the games of a Dynasty that have been played."""
    scores = [game[seat.player.id] for game in table.scores.values() if seat.player.id in game]
    return sum(each.points for each in scores)


def _standing(seat: Seat, points: int) -> Markup:
    name = tag("span", seat.player.name, class_="grow")
    return tag("li", flag(seat.player.colour), name, tag("strong", points))


def _tie_lines(visit: Visit, table: Table) -> list[str]:
    """Why ties went as they did, with the values that decided them."""
    name_of = _names(table).__getitem__
    return [*tie_lines(table.ranking, visit.language, name_of)] if table.ranking else []


def _still(visit: Visit, words: str, table: Table) -> Markup:
    waiting = table.next_empty()
    if waiting is not None:
        name = visit.say("seat.photo", name=waiting.player.name)
        take = photo_button(visit, name, "main", value=f"seat:{waiting.player.id}")
    else:
        take = photo_button(visit, visit.say("seat.photo_next"), "main")
    waiting_for = [seat.player for seat in table.seats if seat.board is None]
    without = None
    if waiting_for and len(table.seats) - len(waiting_for) > 1:
        names = listed([each.name for each in waiting_for], visit.language)
        words_of = visit.say("result.without", names=names)
        without = act_button("without", words_of)
    look = "card winner stack"
    return tag("section", icon("crown", "large"), tag("p", words), take, without, class_=look)


def _pad(visit: Visit, table: Table, rows: list[PadRow]) -> Markup:
    """The score pad: a column a player, a row a terrain, bonuses and the sum."""
    chosen = visit.page_state.get(("lit", table.game.id), "")
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
    return act_button(
        "light", points, value=value, pressed=value == chosen, aria_label=said, look="figure"
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


def _after(visit: Visit, table: Table) -> Markup:
    """What comes next: the picture to share, the next game, or the next of a Dynasty."""
    more = table.rules.dynasty and table.number < max(table.rules.games)
    words = (
        visit.say("result.begin", number=table.number + 1) if more else visit.say("result.again")
    )
    due = more and all(seat.board is not None for seat in table.seats)
    again = act_button(
        "again",
        icon("next" if more else "people"),
        words,
        look="main" if due or table.game.results.complete else None,
    )
    share = None
    if table.game.results.complete and is_certain(table):
        play = tag(
            "a", visit.say("result.bg_stats"), href=bg_stats_link(table.game), class_="button"
        )
        share = joined(card_link(visit, table.game.id), play)
    return tag("div", again, share, class_="row centred")


def _act(visit: Visit, table: Table, act: Act) -> None:
    table = table.again()
    if act.do == "light":
        key = ("lit", table.game.id)
        visit.page_state[key] = "" if visit.page_state.get(key) == act.value else act.value
    elif act.do == "choose":
        choose_square(table, act)
    elif act.do == "photo":
        take_photos(visit, table, act.value)
    elif act.do == "without":
        _leave_out(visit, table)
    elif act.do == "again":
        _play_again(visit, table)


def _leave_out(visit: Visit, table: Table) -> None:
    """Score the kingdoms that are there: who has none leaves the game."""
    gone = [seat.player.name for seat in table.seats if seat.board is None]
    if not gone:
        return
    table = table.with_players([s.player for s in table.seats if s.board is not None], "leave")

    def back() -> None:
        table.undone(*table.made)

    visit.notify(visit.say("result.left_out", names=listed(gone, visit.language)), back)


def _play_again(visit: Visit, table: Table) -> None:
    """A new game with the same people and rules; in a Dynasty the next of its three games."""
    if table.rules.dynasty and table.number < max(table.rules.games):
        visit.go_to_game(table.game.id, number=table.number + 1)
        return
    rules: KeptRules = table.rules
    key = ("again", table.game.id)
    made = visit.page_state.get(key)
    if made is not None and _is_unplayed(visit, made):
        visit.go_to_game(made)  # The second of two quick taps.
        return
    try:
        fresh = new_table(visit.store, visit.actor)
        fresh = fresh.with_players(list(table.game.players)) if not _five(table) else fresh
        fresh = fresh.with_rules(rules)
        if _five(table):
            fresh = fresh.with_players(list(table.game.players))
    except StoreError:
        return
    visit.page_state[key] = fresh.game.id
    visit.go_to_game(fresh.game.id)


def _is_unplayed(visit: Visit, game_id: str) -> bool:
    """Whether a game is there still, and no kingdom in it yet."""
    if not visit.shared.may_see(game_id, visit.device):
        return False
    table = Table(visit.store, visit.actor, visit.store.game(game_id))
    return all(seat.board is None for seat in table.seats)


def _five(table: Table) -> bool:
    """Five players need the rules of the expansion to be there before them."""
    return len(table.game.players) > 4
