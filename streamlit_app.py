"""Entry of the web app: `streamlit run streamlit_app.py`, or `kingdomino app`."""

from companion.web.page import show

show()
