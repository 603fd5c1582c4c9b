"""A small app round the board, with the addresses of the companion."""

from __future__ import annotations

from pathlib import Path

from streamlit.starlette import App

from companion.web.routes import ROUTES

app = App(Path(__file__).with_name("board_script.py"), routes=ROUTES)
