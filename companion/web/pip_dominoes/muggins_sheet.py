"""The score sheet of Muggins."""

from __future__ import annotations

from companion.pip_dominoes.muggins_standing import MugginsStanding
from companion.pip_dominoes.table import DominoTable
from companion.pip_dominoes.winners import side_names
from companion.web.surface import Markup, tag
from companion.web.visit import Visit
from companion.web.wording import listed

__all__ = ["score_sheet"]


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
