"""One kingdom: photo, points, the squares to tap, and where the points come from."""

from __future__ import annotations

import streamlit as st

from companion.kingdomino.wording import count_of_points
from companion.languages import say
from companion.web.kingdomino.session import Session
from companion.web.kingdomino.views.editor import show_editor
from companion.web.kingdomino.views.options import show_rules, show_size
from companion.web.kingdomino.views.players import show_players
from companion.web.kingdomino.views.score_table import show_odd_things, show_score
from companion.web.kingdomino.views.touch_grid import show_touch_grid
from scorer.kingdomino import score

__all__ = ["show_kingdom"]

CHOICE_KEY, PHOTO_KEY = "kingdom-choice", "show-photo"


@st.fragment
def show_kingdom(session: Session) -> None:
    """Draw the kingdom; a tap draws this part of the page again and nothing else."""
    st.query_params.from_dict(session.link())
    if len(session.kingdoms) > 1:
        _show_choice(session)
    _show_photo(session)
    _show_points(session)
    show_touch_grid(session)
    show_editor(session)
    show_score(session)
    show_odd_things(session)
    show_players(session)
    show_rules(session)
    show_size(session)
    st.caption(say("score.notation", session.language))
    st.code(str(session.edited.kingdom), language=None, wrap_lines=True)


def _show_choice(session: Session) -> None:
    st.session_state[CHOICE_KEY] = session.chosen
    st.segmented_control(
        say("kingdom.choose", session.language),
        range(len(session.kingdoms)),
        format_func=lambda number: str(number + 1),
        required=True,
        key=CHOICE_KEY,
        on_change=_choice_changed,
        args=(session,),
    )


def _show_photo(session: Session) -> None:
    """The photo with every kingdom drawn on it, corrections included."""
    drawn, language = session.drawn_photo(), session.language
    if drawn is None:
        return
    with st.expander(say("kingdom.photo", language), expanded=True, key="photo-box"):
        alt = say("kingdom.photo_alt", language)
        st.image(drawn, width="stretch", output_format="JPEG", alt=alt)
    readings = [edited.reading for edited in session.kingdoms]
    if not all(reading.lattice_certain for reading in readings if reading):
        st.warning(say("kingdom.lattice_uncertain", language))
    other = session.edited.reading and session.edited.reading.next_best
    if other:
        kingdom = other.kingdom
        st.button(
            say(
                "kingdom.next_best",
                language,
                height=kingdom.height,
                width=kingdom.width,
                points=count_of_points(score(kingdom, session.rules).points, language),
            ),
            key="next-best",
            icon=":material/swap_horiz:",
            on_click=_take_next_best,
            args=(session,),
        )


def _show_points(session: Session) -> None:
    """The points and what is left to check, in one line above the grid."""
    language = session.language
    with st.container(horizontal=True, vertical_alignment="center", key="points-line"):
        st.metric(say("kingdom.points", language), session.score.points, width="content")
        doubts = len(session.edited.doubtful)
        if doubts:
            st.button(
                say("kingdom.doubts", language, count=doubts),
                key="next-doubt",
                icon=":material/search:",
                on_click=_next_doubt,
                args=(session,),
            )
        if session.photo is not None:
            st.session_state[PHOTO_KEY] = session.show_photo
            st.toggle(
                say("kingdom.show_photo", language),
                key=PHOTO_KEY,
                on_change=_photo_toggled,
                args=(session,),
            )


def _choice_changed(session: Session) -> None:
    session.choose_kingdom(st.session_state[CHOICE_KEY])


def _take_next_best(session: Session) -> None:
    session.take_next_best()


def _next_doubt(session: Session) -> None:
    session.go_to_next_doubt()


def _photo_toggled(session: Session) -> None:
    session.show_photo = st.session_state[PHOTO_KEY]
