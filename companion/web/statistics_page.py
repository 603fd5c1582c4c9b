"""What the finished games say of each player."""

from __future__ import annotations

import altair as alt

from companion.games import kind_of
from companion.games.statistics import PlayerStatistics, statistics_by_player
from companion.web.charts import chart_of, show_chart
from companion.web.games import GamePages, registered_pages
from companion.web.home import back_bar
from companion.web.surface import Markup, icon, joined, surface, tag
from companion.web.visit import Visit, link

__all__ = ["show_statistics", "statistics_markup"]

_PLAYERS_IN_CHART = 8


def show_statistics(visit: Visit) -> None:
    """Draw the page, one kind of game at a time."""
    pages = registered_pages()
    chosen = next((each for each in pages if each.kind == visit.parameters.get("kind")), pages[0])
    players = _players(visit, chosen)
    surface(statistics_markup(visit, chosen, players), key="statistics")
    if not players:
        return
    shown = players[:_PLAYERS_IN_CHART]
    surface(tag("h2", visit.say("statistics.over_time")), key="over-time-title")
    show_chart(_over_time(visit, shown), key="over-time")
    if chosen.details:
        surface(tag("h2", visit.say("statistics.by_source")), key="by-source-title")
        show_chart(_by_source(visit, shown, chosen), key="by-source")


def _players(visit: Visit, pages: GamePages) -> list[PlayerStatistics]:
    lowest = not kind_of(pages.kind).highest_wins
    return statistics_by_player(
        visit.store, pages.kind, device=visit.device, highest_wins=not lowest
    )


def statistics_markup(visit: Visit, chosen: GamePages, players: list[PlayerStatistics]) -> Markup:
    """The page as markup, but for the charts."""
    pages = registered_pages()
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
    bar = back_bar(visit, visit.say("statistics.title"))
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
    card = tag("div", tag("div", table, class_="pad-frame"), class_="card")
    return joined(bar, tag("div", choice, card, class_="stack"))


def _over_time(visit: Visit, players: list[PlayerStatistics]) -> alt.Chart:
    data = [
        {"player": each.name, "day": game.played_at.isoformat(), "points": game.points}
        for each in players
        for game in each.history
    ]
    points, day = visit.say("result.points"), visit.say("statistics.day")
    day_format = visit.say("statistics.day_format")
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
            color=alt.Color("player:N", legend=alt.Legend(orient="bottom", title=None)),
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
