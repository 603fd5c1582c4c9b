"""The score, territory by territory and bonus by bonus, and what is odd about the kingdom."""

from __future__ import annotations

from html import escape

import streamlit as st

from companion.kingdomino.wording import bonus_name, count_of_squares, problem_line, terrain_name
from companion.languages import Language, say
from companion.web.kingdomino.session import Session
from companion.web.kingdomino.views.icons import data_address, square_svg
from scorer.kingdomino import Bonus, Square, Territory, problems

__all__ = ["show_odd_things", "show_score"]


def show_score(session: Session) -> None:
    """Every territory and bonus with its points, the plain territories in one line."""
    language, result = session.language, session.score
    scoring = [territory for territory in result.territories if territory.points]
    plain = [territory for territory in result.territories if not territory.points]
    st.markdown(f"**{say('score.territories', language)}**")
    rows = [_territory_row(territory, language) for territory in scoring]
    rows += [_bonus_row(bonus, language) for bonus in result.bonuses]
    if rows:
        st.html(f'<table class="score" style="width:100%">{"".join(rows)}</table>')
    if not scoring:
        st.caption(say("score.nothing", language))
    if plain:
        names = ", ".join(
            say(
                "score.territory_short",
                language,
                terrain=terrain_name(territory.terrain, language),
                squares=territory.size,
            )
            for territory in plain
        )
        st.caption(say("score.without_crowns", language, territories=names))


def show_odd_things(session: Session) -> None:
    """What the rules or the box don't allow; an empty grid is no oddity."""
    kingdom, language = session.edited.kingdom, session.language
    if all(square.is_empty for _, square in kingdom.items()):
        return
    found = problems(kingdom, session.rules)
    if found:
        lines = "\n".join(f"- {problem_line(problem, language)}" for problem in found)
        st.warning(f"{say('score.odd', language)}\n\n{lines}")


def _territory_row(territory: Territory, language: Language) -> str:
    product = say("score.product", language, squares=territory.size, crowns=territory.crowns)
    picture = data_address(square_svg(Square(territory.terrain)))
    alt = escape(count_of_squares(territory.size, language))
    return _row(terrain_name(territory.terrain, language), product, territory.points, picture, alt)


def _bonus_row(bonus: Bonus, language: Language) -> str:
    return _row(bonus_name(bonus, language), "", bonus.points)


def _row(name: str, product: str, points: int, picture: str = "", alt: str = "") -> str:
    image = (
        f'<img src="{picture}" alt="{alt}" style="width:28px;height:28px;border-radius:4px">'
        if picture
        else ""
    )
    cell = 'style="padding:3px 6px;border:0;vertical-align:middle'
    return (
        f'<tr><td {cell};width:40px">{image}</td><td {cell}">{escape(name)}</td>'
        f'<td {cell};text-align:right">{escape(product)}</td>'
        f'<td {cell};text-align:right;font-weight:700">{points}</td></tr>'
    )
