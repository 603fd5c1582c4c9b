"""Who got points where, as a chart."""

from __future__ import annotations

import altair as alt

from companion.languages import Language, say
from companion.web.charts import chart_of
from companion.web.kingdomino.pad import pad_rows
from companion.web.kingdomino.table import Table
from scorer.kingdomino import Terrain

__all__ = ["points_chart"]

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
