"""The way in: a photo, a sample, or an empty grid."""

from __future__ import annotations

import logging
from io import BytesIO
from urllib.parse import urlsplit

import streamlit as st
from PIL import Image

from companion.kingdomino.reading_jobs import read_or_refuse
from companion.kingdomino.samples import sample_folder, sample_labels
from companion.languages import say
from companion.refusals import photo_message
from companion.web.kingdomino.session import Session
from vision.photo import decode
from vision.photo.errors import PhotoError

__all__ = ["show_start"]

UPLOAD_KEY, CAMERA_KEY, CAMERA_TOGGLE_KEY = "photo", "camera", "camera-on"
EMPTY_SIDES = (5, 7)
THUMBNAIL_PX = 320


def show_start(session: Session) -> None:
    """Draw the ways to start, and read the photo that was chosen."""
    language = session.language
    if session.waiting is not None:
        _read_waiting(session)
        return
    if session.refusal is not None:
        name, error = session.refusal
        message = photo_message(error, language)
        st.error(say("start.not_read", language, name=name, message=message))
    st.html(f"<style>{_upload_style(session)}</style>")
    st.file_uploader(
        say("start.photo", language),
        type="image",
        key=UPLOAD_KEY,
        on_change=_chosen,
        args=(session, UPLOAD_KEY),
    )
    st.caption(say("start.photo_hint", language))
    if _camera_is_allowed():
        st.toggle(say("start.camera", language), key=CAMERA_TOGGLE_KEY)
        if st.session_state[CAMERA_TOGGLE_KEY]:
            st.camera_input(
                say("start.camera", language),
                key=CAMERA_KEY,
                on_change=_chosen,
                args=(session, CAMERA_KEY),
                label_visibility="collapsed",
                resolution="1080p",
            )
    st.subheader(say("start.by_hand", language))
    with st.container(horizontal=True):
        for side in EMPTY_SIDES:
            st.button(
                say("start.empty", language, side=side),
                key=f"empty-{side}",
                on_click=_open_empty,
                args=(session, side),
            )
        if session.kingdoms:
            st.button(say("start.back", language), key="back", on_click=_go_back, args=(session,))
    _show_samples(session)


def _upload_style(session: Session) -> str:
    """Words of ours in place of Streamlit's own, which it says in English only."""
    button = f".st-key-{UPLOAD_KEY} [data-testid=stFileUploaderDropzone] button"
    words = say("start.choose", session.language)
    return (
        f".st-key-{UPLOAD_KEY} [data-testid=stFileUploaderDropzoneInstructions]{{display:none}}"
        f"{button} p{{font-size:0}}{button} p::after{{content:'{words}';font-size:1rem}}"
    )


def _show_samples(session: Session) -> None:
    language = session.language
    st.subheader(say("start.samples", language))
    grid = st.grid(2, min_column_width=120, wrap=False, gap="small", key="samples")
    for number, file in enumerate(sample_labels(), start=1):
        with grid.cell():
            label = say("start.sample", language, number=number)
            st.image(_thumbnail(file), width="stretch", alt=label)
            st.button(
                label,
                key=f"sample-{file}",
                on_click=_open_sample,
                args=(session, file),
                width="stretch",
            )


@st.cache_data(max_entries=50, show_spinner=False)
def _thumbnail(file: str) -> bytes:
    with Image.open(sample_folder() / file) as picture:
        picture.thumbnail((THUMBNAIL_PX, THUMBNAIL_PX))
        jpeg = BytesIO()
        picture.convert("RGB").save(jpeg, "JPEG", quality=80)
    return jpeg.getvalue()


def _read_waiting(session: Session) -> None:
    """Read the photo, and draw the page again with the result or the reason why not."""
    source = session.waiting
    assert source is not None
    with st.spinner(say("start.reading", session.language)):
        try:
            reading = read_or_refuse(source.data)
            session.open_reading(reading, decode(source.data).rgb)
        except PhotoError as error:
            if error.code == "unexpected":
                logging.getLogger(__name__).exception("reading %s", source.name)
            session.refuse_photo(source.name, error)
    st.rerun()


def _camera_is_allowed() -> bool:
    """Browsers give the camera to encrypted pages and to this very machine only."""
    address = urlsplit(st.context.url or "")
    return address.scheme == "https" or address.hostname in ("localhost", "127.0.0.1")


def _chosen(session: Session, key: str) -> None:
    file = st.session_state[key]
    if file is not None:
        session.choose_photo(file.name, file.getvalue())


def _open_empty(session: Session, side: int) -> None:
    session.open_empty(side)


def _go_back(session: Session) -> None:
    session.starting = False


def _open_sample(session: Session, file: str) -> None:
    session.choose_photo(file, (sample_folder() / file).read_bytes())
