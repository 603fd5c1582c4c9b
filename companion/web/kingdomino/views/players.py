"""The players of the game: kingdoms that were kept, and who wins."""

from __future__ import annotations

import streamlit as st

from companion.kingdomino.score_text import ranking_lines
from companion.kingdomino.wording import castle_colour_name
from companion.languages import say
from companion.web.kingdomino.session import MAX_PLAYERS, Seat, Session
from scorer.kingdomino import game_problems, score

__all__ = ["show_players"]

NAME_KEY = "player-name"


def show_players(session: Session) -> None:
    """Keep the shown kingdom for a player; with two players and more, the ranking."""
    language = session.language
    title = say("players.title", language)
    with st.expander(title, expanded=bool(session.seats), key="players-box"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input(
                say("players.name", language),
                key=NAME_KEY,
                placeholder=_offered_name(session),
                max_chars=30,
                width=150,
            )
            st.button(
                say("players.keep", language),
                key="keep",
                on_click=_keep,
                args=(session,),
                disabled=len(session.seats) >= MAX_PLAYERS and not _names_a_seat(session),
            )
        if not session.seats:
            st.caption(say("players.kept", language))
        for number, seat in enumerate(session.seats):
            _show_seat(session, seat, number)
        if session.ranking is not None:
            lines = ranking_lines(
                session.ranking, game_problems(session.players, session.rules), language
            )
            heading, *rest = (line.strip() for line in lines)
            st.markdown(f"**{heading}**")
            for line in rest:
                st.text(line)


def _show_seat(session: Session, seat: Seat, number: int) -> None:
    language = session.language
    points = score(seat.edited.kingdom, session.rules).points
    with st.container(horizontal=True):
        st.button(
            say("players.points", language, name=seat.name, points=points),
            key=f"seat-{number}",
            on_click=_look,
            args=(session, seat.name),
        )
        st.button(
            say("players.remove", language, name=seat.name),
            key=f"remove-{number}",
            type="tertiary",
            on_click=_remove,
            args=(session, seat.name),
        )


def _offered_name(session: Session) -> str:
    """What the player is called if nobody gives a name: the castle's colour, or a number."""
    reading = session.edited.reading
    if reading is not None and reading.castle_colour:
        colour = castle_colour_name(reading.castle_colour, session.language)
        return colour[:1].upper() + colour[1:]
    return say("players.numbered", session.language, number=len(session.seats) + 1)


def _names_a_seat(session: Session) -> bool:
    return st.session_state[NAME_KEY].strip() in {seat.name for seat in session.seats}


def _keep(session: Session) -> None:
    session.keep_for(st.session_state[NAME_KEY].strip() or _offered_name(session))
    st.session_state[NAME_KEY] = ""


def _look(session: Session, name: str) -> None:
    session.look_at_seat(name)


def _remove(session: Session, name: str) -> None:
    session.leave_seat(name)
