"""The page of the web app: which view is shown; statistics."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import altair as alt
import streamlit as st

from companion.languages import say
from companion.store.history import RECENT_GAMES, PlayerStatistics, statistics_by_player
from companion.web.collisions import show_collisions
from companion.web.game_pages import GamePages
from companion.web.games import GAMES, pages_of
from companion.web.history import show_history
from companion.web.home import show_home
from companion.web.parts import (
    act_on_deleted,
    answer,
    chart_of,
    restore_button,
    show_chart,
    show_part,
    top_bar,
)
from companion.web.shell import Act, Markup, act_button, icon, joined, show_markup, tag
from companion.web.shell.bridge import finish
from companion.web.visit import (
    Visit,
    chosen_language,
    current_visit,
    link,
    or_say_unreachable,
    rerun_on_changes,
)

_PLAYERS_IN_CHART = 8


def show_statistics(visit: Visit) -> None:
    """Draw the page, one kind of game at a time."""
    pages = GAMES
    chosen = next((each for each in pages if each.kind == visit.parameters.get("kind")), pages[0])
    players = _players(visit, chosen)
    show_markup(statistics_markup(visit, chosen, players), key="statistics")
    if not players:
        return
    shown = players[:_PLAYERS_IN_CHART]
    title = tag("h2", visit.say("statistics.over_time"))
    is_part = any(len(each.history) < each.games for each in players)
    last = visit.say("statistics.last_games", count=RECENT_GAMES)
    note = tag("p", last, class_="soft") if is_part else None
    show_markup(joined(title, note), key="over-time-title")
    show_chart(_over_time(visit, shown), key="over-time")
    if chosen.details:
        show_markup(tag("h2", visit.say("statistics.by_source")), key="by-source-title")
        show_chart(_by_source(visit, shown, chosen), key="by-source")


def _players(visit: Visit, pages: GamePages) -> list[PlayerStatistics]:
    return statistics_by_player(visit.store, pages.kind, device=visit.device, details=pages.details)


def statistics_markup(visit: Visit, chosen: GamePages, players: list[PlayerStatistics]) -> Markup:
    """The page as markup, but for the charts."""
    pages = GAMES
    kinds = [
        link(
            each.title(visit.language),
            "button chosen" if each is chosen else "button",
            view="statistics",
            kind=each.kind,
        )
        for each in pages
    ]
    choice = tag("div", *kinds, class_="chips") if len(pages) > 1 else None
    bar = top_bar(visit, visit.say("statistics.title"))
    if not players:
        nothing = tag("p", visit.say("statistics.empty"))
        return joined(
            bar,
            tag("div", choice, tag("div", icon("chart"), nothing, class_="empty"), class_="stack"),
        )
    heads = [
        tag("th", visit.say(f"statistics.{code}"), scope="col")
        for code in ("games", "wins", "mean", "best")
    ]
    rows = [
        tag(
            "tr",
            tag("th", each.name, scope="row"),
            tag("td", each.games),
            tag("td", each.wins),
            tag("td", visit.say("statistics.value", value=each.mean)),
            tag("td", each.best),
        )
        for each in players
    ]
    table = tag(
        "table", tag("thead", tag("tr", tag("td"), *heads)), tag("tbody", *rows), class_="pad plain"
    )
    title = visit.say("statistics.title")
    frame = tag("div", table, class_="pad-frame", tabindex=0, role="region", aria_label=title)
    card = tag("div", frame, class_="card")
    return joined(bar, tag("div", choice, card, class_="stack"))


def _over_time(visit: Visit, players: list[PlayerStatistics]) -> alt.Chart:
    data = [
        {"player": each.name, "day": game.played_at.isoformat(), "points": game.points}
        for each in players
        for game in each.history
    ]
    points, day = visit.say("result.points"), visit.say("statistics.day")
    day_format = visit.say("statistics.day_format")
    # In one row the legend would run out of a phone.
    legend = alt.Legend(orient="bottom", columns=2, labelLimit=120, title=None)
    chart: alt.Chart = (
        chart_of(data)
        .mark_line(point={"size": 90})
        .encode(
            x=alt.X(
                "day:T",
                title=None,
                axis=alt.Axis(format=day_format, tickCount=4),
            ),
            y=alt.Y("points:Q", title=points),
            color=alt.Color("player:N", legend=legend),
            shape=alt.Shape("player:N", legend=None),
            tooltip=[
                alt.Tooltip("player:N", title=visit.say("result.player")),
                alt.Tooltip("day:T", title=day),
                alt.Tooltip("points:Q", title=points),
            ],
        )
        .properties(height=280)
    )
    return chart


def _by_source(visit: Visit, players: list[PlayerStatistics], pages: GamePages) -> alt.Chart:
    names = {code: name(visit.language) for code, name in pages.details.items()}
    data = [
        {"player": each.name, "source": names[code], "points": round(value, 1)}
        for each in players
        for code, value in each.details.items()
        if code in names
    ]
    chart: alt.Chart = (
        chart_of(data)
        .mark_rect()
        .encode(
            y=alt.Y("player:N", title=None, sort=[each.name for each in players]),
            x=alt.X("source:N", title=None, sort=list(names.values())),
            color=alt.Color(
                "points:Q", scale=alt.Scale(scheme="oranges"), legend=alt.Legend(title=None)
            ),
            tooltip=[
                alt.Tooltip("player:N", title=visit.say("result.player")),
                alt.Tooltip("source:N", title=visit.say("result.source")),
                alt.Tooltip("points:Q", title=visit.say("result.points")),
            ],
        )
        .properties(height=50 * len(players))
    )
    return chart


def show() -> None:
    """Draw the page that the address names."""
    st.set_page_config(page_title=say("page.title", chosen_language()), layout="wide")
    _show()


@or_say_unreachable
def _show() -> None:
    visit = current_visit()
    finish()
    _show_view(visit)
    _show_notice(visit)


def _show_view(visit: Visit) -> None:
    if visit.game_id:
        _show_game(visit)
    elif (pages := pages_of(visit.parameters.get("new", ""))) is not None:
        pages.new_game(visit)
    elif visit.view == "history":
        show_history(visit)
    elif visit.view == "statistics":
        show_statistics(visit)
    elif visit.view == "help" and (shown := _help(visit)) is not None:
        shown(visit)
    else:
        show_home(visit)


def _help(visit: Visit) -> Callable[[Visit], None] | None:
    pages = pages_of(visit.parameters.get("kind", "")) or GAMES[0]
    return pages.help


def _show_game(visit: Visit) -> None:
    game = visit.joined_game()
    pages = pages_of(game.kind) if game else None
    if game is None or pages is None or game.deleted_at is not None:
        deleted = game is not None and game.deleted_at is not None
        words = tag("p", visit.say("game.deleted" if deleted else "game.unknown"))
        back = restore_button(visit, visit.game_id) if deleted else None
        home = link(visit.say("page.home"), look="button")
        ways = tag("div", back, home, class_="row centred")
        show_part(
            visit,
            tag("div", icon("search"), words, ways, class_="empty stack"),
            "nothing",
            partial(_restore, visit),
        )
        if game is not None:
            rerun_on_changes(visit, game)
        return
    visit.photos.keep_alive(game.id)
    show_collisions(visit, game)
    pages.game(visit, game)


def _restore(visit: Visit, act: Act) -> None:
    act_on_deleted(visit, act)


def _show_notice(visit: Visit) -> None:
    """What has just happened, and its undo; said once."""
    if not visit.notice:
        return
    undo = (
        act_button(
            "undo",
            icon("undo") if visit.undo_name == "page.undo" else None,
            visit.say(visit.undo_name),
        )
        if visit.undo
        else None
    )
    text = tag("span", visit.notice, class_="grow")
    close = act_button("close", icon("close"), aria_label=visit.say("page.close"), look="bare")
    bar = tag("div", text, undo, close, class_="notice toast", role="status")
    show_markup(joined(bar), key="notice", on_act=lambda act: _answer_notice(visit, act))


def _answer_notice(visit: Visit, act: Act) -> None:
    undo = visit.undo
    visit.notice, visit.undo = "", None
    if act.do == "undo" and undo is not None:
        answer(visit, lambda _: undo(), act)
