"""How the score went, turn by turn, and who has won."""

from __future__ import annotations

import altair as alt

from companion.games.domino_duell.table import DuelTable
from companion.languages import Language, say
from companion.web.domino_duell.parts import head, seats, standing_line
from companion.web.parts import card_link, chart_of, next_game, show_chart
from companion.web.shell import Markup, icon, joined, show_markup, tag
from companion.web.visit import Visit, rerun_on_changes

_COLOURS = ("#c2410c", "#2f74b5", "#3f8f4a", "#a0519e", "#b8860b", "#5a5f66")
_DASHES = ([1, 0], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [1, 4])


def show_result(visit: Visit, table: DuelTable) -> None:
    """Draw the page."""
    show_markup(result_markup(visit, table), key="duel-result")
    if table.duel is not None and table.duel.steps:
        show_chart(running_chart(table, visit.language), key="duel-chart")
    rerun_on_changes(visit, table.game)


def result_markup(visit: Visit, table: DuelTable) -> Markup:
    """The page as markup, but for the chart."""
    line = standing_line(table, visit.language) or visit.say("duell_page.no_turns")
    over = table.duel is not None and table.duel.over
    sign = icon("trophy" if over else "chart", "large")
    section = tag(
        "section",
        sign,
        tag("div", tag("h2", line), role="status"),
        next_game(visit, table.game) if over else None,
        card_link(visit, table.game.id) if over else None,
        class_="card winner stack",
    )
    return joined(head(visit, table), tag("div", seats(visit, table), section, class_="stack"))


def running_chart(table: DuelTable, language: Language) -> alt.Chart:
    """A line a player, distinguished by colour, dashes and the shape of its points."""
    names = [player.name for player in table.players]
    steps = table.duel.steps if table.duel else ()
    totals = [(0,) * len(names), *(step.totals for step in steps)]
    turn, points, player = (
        say(f"duell_page.chart_{code}", language) for code in ("turn", "points", "player")
    )
    rows = [
        {"turn": number, "points": row[seat], "player": name}
        for number, row in enumerate(totals)
        for seat, name in enumerate(names)
    ]
    count = len(names)
    legend = alt.Legend(
        orient="bottom",
        columns=2,
        title=None,
        symbolType="stroke",
        symbolSize=700,
        symbolStrokeWidth=3,
    )
    chart: alt.Chart = (
        chart_of(rows)
        .mark_line(point=alt.OverlayMarkDef(size=45, filled=True), strokeWidth=2.5)
        .encode(
            x=alt.X("turn:Q", title=turn, axis=alt.Axis(tickMinStep=1, format="d")),
            y=alt.Y("points:Q", title=points, axis=alt.Axis(tickMinStep=1, format="d")),
            color=alt.Color(
                "player:N",
                scale=alt.Scale(domain=names, range=list(_COLOURS[:count])),
                legend=legend,
            ),
            strokeDash=alt.StrokeDash(
                "player:N",
                scale=alt.Scale(domain=names, range=list(_DASHES[:count])),
                legend=legend,
            ),
            tooltip=[
                alt.Tooltip("turn:Q", title=turn),
                alt.Tooltip("player:N", title=player),
                alt.Tooltip("points:Q", title=points),
            ],
        )
        .properties(height=300)
    )
    return chart
