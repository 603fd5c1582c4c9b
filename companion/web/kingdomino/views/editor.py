"""The selected square: what was read there, and the controls that set it."""

from __future__ import annotations

import streamlit as st

from companion.kingdomino.crops import photo_of_square
from companion.kingdomino.wording import label_name, place_name, square_name, terrain_name
from companion.languages import Language, say
from companion.web.kingdomino.session import CASTLE_CHOICE, EMPTY_CHOICE, TERRAIN_CHOICES, Session
from companion.web.kingdomino.views.icons import data_address, square_svg
from scorer.kingdomino import Square, Terrain

__all__ = ["show_editor"]

TERRAIN_KEY, CROWNS_KEY, GIANTS_KEY = "terrain", "crowns", "giants"


def show_editor(session: Session) -> None:
    """Draw the controls of the selected square, or how to select one."""
    language = session.language
    if session.selected is None:
        st.caption(say("grid.tap", language))
        return
    square = session.edited.kingdom[session.selected]
    st.html(_header(session, square))
    _show_offers(session)
    _fill_controls(square)
    st.segmented_control(
        say("editor.terrain", language),
        TERRAIN_CHOICES,
        format_func=lambda choice: _choice_name(choice, language),
        required=True,
        key=TERRAIN_KEY,
        on_change=_terrain_changed,
        args=(session,),
        wrap=True,
    )
    if square.terrain is None:
        return
    st.segmented_control(
        say("editor.crowns", language),
        range(4),
        required=True,
        key=CROWNS_KEY,
        on_change=_crowns_changed,
        args=(session,),
    )
    if square.crowns and (session.rules.expansion or square.giants):
        st.segmented_control(
            say("editor.giants", language),
            range(square.crowns + 1),
            required=True,
            key=GIANTS_KEY,
            on_change=_giants_changed,
            args=(session,),
        )


def _fill_controls(square: Square) -> None:
    """Let the controls show the square; they are drawn after this."""
    letter = square.terrain.letter if square.terrain else None
    st.session_state[TERRAIN_KEY] = letter or (CASTLE_CHOICE if square.is_castle else EMPTY_CHOICE)
    st.session_state[CROWNS_KEY] = square.crowns
    st.session_state[GIANTS_KEY] = square.giants


def _header(session: Session, square: Square) -> str:
    """Place and name of the square beside its photo and its drawing."""
    assert session.selected is not None
    language = session.language
    pictures = [(data_address(square_svg(square)), square_name(square, language))]
    crop = photo_of_square(session, session.selected)
    if crop:
        pictures.insert(0, (crop, say("editor.on_photo", language)))
    images = "".join(
        f'<img src="{address}" alt="{words}" '
        'style="width:72px;height:72px;border-radius:6px;object-fit:cover">'
        for address, words in pictures
    )
    place = place_name(session.selected, language)
    lines = [f"<b>{place[:1].upper()}{place[1:]}</b>", square_name(square, language)]
    read = session.edited.read_at(session.selected)
    if read is not None:
        read_name = label_name(read.label, language)
        percent = round(100 * read.probability)
        note = say("editor.read", language, square=read_name, percent=percent)
        lines.append(f'<span style="font-size:13px;opacity:.75">{note}</span>')
    return (
        '<div style="display:flex;gap:8px;align-items:center">'
        f'{images}<div style="line-height:1.35">{"<br>".join(lines)}</div></div>'
    )


def _show_offers(session: Session) -> None:
    """For a doubtful square: one tap to confirm it, one for each other reading."""
    assert session.selected is not None
    if session.selected not in session.edited.doubtful:
        return
    language = session.language
    with st.container(horizontal=True, gap="small"):
        st.button(
            say("editor.right", language),
            key="confirm",
            type="primary",
            on_click=_confirm,
            args=(session,),
        )
        for square in session.edited.offers(session.selected):
            name = square_name(square, language)
            st.button(
                say("editor.rather", language, square=name),
                key=f"rather-{square}",
                on_click=_take_offer,
                args=(session, square),
            )


def _choice_name(choice: str, language: Language) -> str:
    if choice == CASTLE_CHOICE:
        return say("editor.castle", language)
    if choice == EMPTY_CHOICE:
        return say("editor.empty", language)
    return terrain_name(Terrain.of(choice), language)


def _terrain_changed(session: Session) -> None:
    session.set_terrain(st.session_state[TERRAIN_KEY])


def _crowns_changed(session: Session) -> None:
    session.set_crowns(st.session_state[CROWNS_KEY])


def _giants_changed(session: Session) -> None:
    session.set_giants(st.session_state[GIANTS_KEY])


def _confirm(session: Session) -> None:
    session.confirm()


def _take_offer(session: Session, square: Square) -> None:
    session.set_square(square)
