"""Entry of the web app: `streamlit run streamlit_app.py`, or `kingdomino app`."""

from app.page import show

show()
