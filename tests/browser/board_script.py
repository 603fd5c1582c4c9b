"""What `board_app` runs: a board whose changes are kept in a file and scored."""

from __future__ import annotations

import json
import os
from pathlib import Path

import streamlit as st

from companion.languages import Language
from companion.web.kingdomino.board import (
    BoardChange,
    BoardScore,
    BoardState,
    board,
    board_words,
)
from companion.web.shell.bridge import finish
from scorer.kingdomino import Kingdom, score

STORE = Path(os.environ["XDG_DATA_HOME"]) / "kingdom.json"
SIDE = int(os.environ.get("BOARD_SIDE", "5"))
WORDS = board_words(Language.GERMAN)


def load() -> tuple[Kingdom, int]:
    if not STORE.exists():
        return Kingdom.empty(SIDE, SIDE), 0
    kept = json.loads(STORE.read_text())
    return Kingdom.parse(kept["kingdom"]), kept["revision"]


def keep(change: BoardChange) -> None:
    kept = {"kingdom": change.kingdom.format(), "revision": load()[1] + 1}
    draft = STORE.with_suffix(".draft")
    draft.write_text(json.dumps(kept))
    draft.replace(STORE)


@st.fragment
def show() -> None:
    kingdom, revision = load()
    points = BoardScore(score(kingdom).points)
    board(BoardState(kingdom, revision, points), key="board", words=WORDS, on_change=keep)


finish()
show()
