"""Entry of the web app: `streamlit run streamlit_app.py`, or `companion app`."""

from streamlit.starlette import App

from companion.web.routes import ROUTES
from companion.web.script import SCRIPT

app = App(SCRIPT, routes=ROUTES)
