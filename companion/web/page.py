"""The page of the web app: its frame, its language, and which view is shown."""

from __future__ import annotations

import streamlit as st

from companion.languages import Language, language_of_locale, say
from companion.web.kingdomino.link import PLAYER
from companion.web.kingdomino.session import Session
from companion.web.kingdomino.views.kingdom import show_kingdom
from companion.web.kingdomino.views.start import show_start

__all__ = ["show"]

SESSION_KEY, LANGUAGE_KEY = "session", "language"

_STYLE = (
    ".stMainBlockContainer{padding:1rem 1rem 3rem;max-width:46rem}"
    ".stMainBlockContainer h1{font-size:1.4rem;padding:0}"
    ".stMainBlockContainer h3{font-size:1.1rem;padding:.75rem 0 .5rem}"
    ".st-key-points-line{gap:.75rem}"
)


def show() -> None:
    """Draw the whole page."""
    st.set_page_config(page_title="Kingdomino companion", layout="centered")
    st.html(f"<style>{_STYLE}</style>")
    session = _session()
    _show_header(session)
    if session.starting or not session.kingdoms:
        st.query_params.from_dict(session.link())
        show_start(session)
    else:
        show_kingdom(session)


def _session() -> Session:
    """The visitor's session; a new one speaks the browser's language and opens the link."""
    session: Session | None = st.session_state.get(SESSION_KEY)
    if session is None:
        session = Session(language_of_locale(st.context.locale))
        session.open_link(st.query_params, st.query_params.get_all(PLAYER))
        st.session_state[SESSION_KEY] = session
    return session


def _show_header(session: Session) -> None:
    st.session_state[LANGUAGE_KEY] = session.language
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(say("page.title", session.language), anchor=False)
        st.segmented_control(
            say("page.language", session.language),
            list(Language),
            format_func=lambda language: language.upper(),
            required=True,
            key=LANGUAGE_KEY,
            label_visibility="collapsed",
            on_change=_language_changed,
            args=(session,),
        )
    if not session.starting:
        st.button(
            say("kingdom.new", session.language),
            key="new-photo",
            icon=":material/photo_camera:",
            on_click=_start_again,
            args=(session,),
        )


def _language_changed(session: Session) -> None:
    session.language = Language(st.session_state[LANGUAGE_KEY])


def _start_again(session: Session) -> None:
    session.starting = True
