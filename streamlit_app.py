"""Entry of the web app: `streamlit run streamlit_app.py`, or `kingdomino app`."""

from starlette.middleware import Middleware
from streamlit import get_option
from streamlit.starlette import App

from companion.web.middleware import CompressedAssets, Guard
from companion.web.network import own_names
from companion.web.routes import routes_below
from companion.web.script import SCRIPT
from companion.web.startup import warm_up

warm_up()
guard = Middleware(Guard, names=own_names())
routes = routes_below(get_option("server.baseUrlPath"))
app = App(SCRIPT, routes=routes, middleware=[guard, Middleware(CompressedAssets)])
