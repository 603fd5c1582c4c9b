"""What Streamlit runs for every visitor, again and again; `SCRIPT` is this file."""

from __future__ import annotations

from pathlib import Path

from companion.web.page import show

SCRIPT = Path(__file__).resolve()

if __name__ == "__main__":
    show()
