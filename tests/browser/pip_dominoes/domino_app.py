"""The companion with a reader of hands that knows its test photos: see ``domino_photos``."""

from __future__ import annotations

from streamlit.starlette import App

from companion.web.pip_dominoes import parts
from companion.web.routes import ROUTES
from companion.web.script import SCRIPT
from tests.browser.pip_dominoes.domino_photos import read_test_photo

vars(parts)["read_hand_isolated"] = read_test_photo
app = App(SCRIPT, routes=ROUTES)
