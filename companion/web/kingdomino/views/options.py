"""The rules of the game, and the size of the grid."""

from __future__ import annotations

import streamlit as st

from companion.kingdomino.editing import Side
from companion.kingdomino.wording import quest_name
from companion.languages import say
from companion.web.kingdomino.session import Session
from scorer.kingdomino import LARGE_GRID, QUESTS, BleakKing, Goal, TieBreak

__all__ = ["show_rules", "show_size"]

HARMONY_KEY, MIDDLE_KEY, LARGE_KEY = "harmony", "middle", "large-grid"
EXPANSION_KEY, QUESTS_KEY, BLEAK_KING_KEY = "expansion", "quests", "bleak-king-by-squares"
CROWNS_KEY = "compare-crowns"
_ARROWS = {
    Side.TOP: ":material/arrow_upward:",
    Side.BOTTOM: ":material/arrow_downward:",
    Side.LEFT: ":material/arrow_back:",
    Side.RIGHT: ":material/arrow_forward:",
}


def show_rules(session: Session) -> None:
    """Variants, size of the grid, tie-break, and the expansion with its quests."""
    language, rules = session.language, session.rules
    # Streamlit forgets a control that is not drawn, so every one is filled anew each time.
    st.session_state[HARMONY_KEY] = rules.harmony
    st.session_state[MIDDLE_KEY] = rules.middle_kingdom
    st.session_state[LARGE_KEY] = rules.size == LARGE_GRID
    st.session_state[CROWNS_KEY] = rules.tie_break is TieBreak.CROWNS
    st.session_state[EXPANSION_KEY] = rules.age_of_giants
    st.session_state[QUESTS_KEY] = list(rules.quests)
    st.session_state[BLEAK_KING_KEY] = rules.bleak_king is BleakKing.SQUARES
    with st.expander(say("rules.title", language), key="rules-box"):
        # The quests include both variants, so they are not played beside them.
        barred = bool(rules.quests)
        _show_toggle(session, HARMONY_KEY, "rules.harmony", disabled=barred)
        _show_toggle(session, MIDDLE_KEY, "rules.middle_kingdom", disabled=barred)
        _show_toggle(session, LARGE_KEY, "rules.large_grid")
        _show_toggle(session, CROWNS_KEY, "rules.compare_crowns")
        _show_toggle(session, EXPANSION_KEY, "rules.giants")
        if not rules.age_of_giants:
            return
        st.multiselect(
            say("rules.quests", language),
            QUESTS,
            format_func=lambda quest: quest_name(quest, language),
            key=QUESTS_KEY,
            on_change=_rules_changed,
            args=(session,),
        )
        if any(quest.goal is Goal.BLEAK_KING for quest in rules.quests):
            _show_toggle(session, BLEAK_KING_KEY, "rules.bleak_king_by_squares")


def _show_toggle(session: Session, key: str, code: str, *, disabled: bool = False) -> None:
    st.toggle(
        say(code, session.language),
        key=key,
        disabled=disabled,
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
        quests=tuple(state[QUESTS_KEY]),
        large_grid=state[LARGE_KEY],
        tie_break=TieBreak.CROWNS if state[CROWNS_KEY] else TieBreak.SHARED,
        bleak_king=BleakKing.SQUARES if state[BLEAK_KING_KEY] else BleakKing.TERRITORY,
    )


def _add_line(session: Session, side: Side) -> None:
    session.add_line(side)


def _trim(session: Session) -> None:
    session.trim()
