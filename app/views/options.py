"""The rules of the game, and the size of the grid."""

from __future__ import annotations

import streamlit as st

from app.editing import Side
from app.languages import say
from app.session import Session
from app.wording import quest_name
from scorer.kingdomino import QUESTS

__all__ = ["show_rules", "show_size"]

HARMONY_KEY, MIDDLE_KEY, EXPANSION_KEY, QUESTS_KEY = "harmony", "middle", "expansion", "quests"
_ARROWS = {
    Side.TOP: ":material/arrow_upward:",
    Side.BOTTOM: ":material/arrow_downward:",
    Side.LEFT: ":material/arrow_back:",
    Side.RIGHT: ":material/arrow_forward:",
}


def show_rules(session: Session) -> None:
    """Variants, and the expansion with its quests."""
    language, rules = session.language, session.rules
    with st.expander(say("rules.title", language), key="rules-box"):
        keys = {
            HARMONY_KEY: rules.harmony,
            MIDDLE_KEY: rules.middle_kingdom,
            EXPANSION_KEY: rules.age_of_giants,
        }
        for key, value in keys.items():
            st.session_state[key] = value
        # The quests include both variants, so they are not played beside them.
        barred = bool(rules.quests)
        for key, code, disabled in (
            (HARMONY_KEY, "rules.harmony", barred),
            (MIDDLE_KEY, "rules.middle_kingdom", barred),
            (EXPANSION_KEY, "rules.giants", False),
        ):
            st.toggle(
                say(code, language),
                key=key,
                disabled=disabled,
                on_change=_rules_changed,
                args=(session,),
            )
        if rules.age_of_giants:
            st.session_state[QUESTS_KEY] = list(rules.quests)
            st.multiselect(
                say("rules.quests", language),
                QUESTS,
                format_func=lambda quest: quest_name(quest, language),
                key=QUESTS_KEY,
                on_change=_rules_changed,
                args=(session,),
            )


def show_size(session: Session) -> None:
    """One more row or column on any side, or fewer."""
    language = session.language
    with st.expander(say("size.title", language), key="size-box"), st.container(horizontal=True):
        for side, arrow in _ARROWS.items():
            st.button(
                say(f"size.{side.value}", language),
                key=f"add-{side.value}",
                icon=arrow,
                on_click=_add_line,
                args=(session, side),
            )
        st.button(say("size.trim", language), key="trim", on_click=_trim, args=(session,))


def _rules_changed(session: Session) -> None:
    state = st.session_state
    session.set_rules(
        harmony=state[HARMONY_KEY],
        middle_kingdom=state[MIDDLE_KEY],
        giants=state[EXPANSION_KEY],
        quests=tuple(state.get(QUESTS_KEY, ())),
    )


def _add_line(session: Session, side: Side) -> None:
    session.add_line(side)


def _trim(session: Session) -> None:
    session.trim()
