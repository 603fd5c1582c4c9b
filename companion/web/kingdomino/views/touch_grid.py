"""The kingdom as a grid of buttons that a thumb can hit."""

from __future__ import annotations

from collections import defaultdict

import streamlit as st

from companion.kingdomino.crops import photo_of_square
from companion.kingdomino.wording import place_name, square_name
from companion.languages import say
from companion.web.kingdomino.session import Session
from companion.web.kingdomino.views.icons import data_address, square_svg
from scorer.kingdomino import Position

__all__ = ["GRID_KEY", "show_touch_grid", "square_key"]

GRID_KEY = "touch-grid"
# A kingdom of few squares shall not fill the page.
MAX_SQUARE_PX = 110


def square_key(position: Position) -> str:
    """Key of the button of a square."""
    return f"square-{position[0]}-{position[1]}"


def show_touch_grid(session: Session) -> None:
    """Draw the buttons; a tap selects a square."""
    edited = session.edited
    width = edited.kingdom.width
    st.html(f"<style>{_style(session)}</style>")
    grid = st.grid(width, min_column_width=36, wrap=False, gap=3, key=GRID_KEY)
    for position, square in edited.kingdom.items():
        label = say(
            "grid.square",
            session.language,
            place=place_name(position, session.language),
            square=square_name(square, session.language),
        )
        if position in edited.doubtful:
            label = say("grid.doubtful", session.language, square=label)
        grid.button(
            label,
            key=square_key(position),
            on_click=_tap,
            args=(session, position),
            width="stretch",
        )


def _tap(session: Session, position: Position) -> None:
    session.tap(position)


def _style(session: Session) -> str:
    """CSS of the squares: each distinct picture once, then the marks on top."""
    edited = session.edited
    pictures: dict[str, list[str]] = defaultdict(list)
    badges = []
    for position, square in edited.kingdom.items():
        selector = f".st-key-{square_key(position)} button"
        crop = photo_of_square(session, position) if session.show_photo else None
        pictures[crop or data_address(square_svg(square))].append(selector)
        if crop:
            badges.append(f"{selector}::before{{content:'{square}'}}")
    rules = [
        f'{",".join(selectors)}{{background-image:url("{picture}")}}'
        for picture, selectors in pictures.items()
    ]
    # Where nothing was read, every square is the person's own, and the mark would say nothing.
    corrected = edited.corrected if edited.reading else frozenset()
    for name, places in (("doubtful", edited.doubtful), ("corrected", corrected)):
        for position in places:
            rules.append(f".st-key-{square_key(position)} button{_MARKS[name]}")
    if session.selected is not None:
        rules.append(f".st-key-{square_key(session.selected)} button{_MARKS['selected']}")
    room = f".st-key-{GRID_KEY}{{max-width:{MAX_SQUARE_PX * edited.kingdom.width}px}}"
    return "".join([_GROUND, room, *rules, *badges])


_SQUARE = f".st-key-{GRID_KEY} button"
_GROUND = (
    f"{_SQUARE}{{aspect-ratio:1;min-height:0;height:auto;padding:0;border:0;border-radius:4px;"
    "background-size:cover;background-position:center;position:relative;overflow:hidden}"
    # The words of a button are for screen readers; eyes get the drawing.
    f"{_SQUARE} p{{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);"
    "white-space:nowrap}"
    f"{_SQUARE}::before{{position:absolute;left:0;bottom:0;padding:0 4px;font:600 13px/18px "
    "system-ui,sans-serif;background:#fffd;color:#222;border-top-right-radius:4px}"
)
_MARKS = {
    "doubtful": (
        "::after{content:'?';position:absolute;inset:0;border:4px solid #d6006c;border-radius:4px;"
        "font:700 16px/18px system-ui,sans-serif;color:#fff;text-align:right;"
        "background:linear-gradient(#d6006c,#d6006c) top right/16px 18px no-repeat}"
    ),
    "corrected": (
        "::after{content:'';position:absolute;right:4px;top:4px;width:10px;height:10px;"
        "border-radius:5px;background:#fff;border:3px solid #1d7a3a}"
    ),
    "selected": "{outline:4px solid #111;outline-offset:-1px;box-shadow:0 0 0 6px #fff;z-index:2}",
}
