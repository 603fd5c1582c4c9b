"""The page of the web app: which view is shown, and what stands around each of them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from companion.web.games import open_rooms, pages_of, registered_pages
from companion.web.history_page import show_history
from companion.web.home import show_home
from companion.web.statistics_page import show_statistics
from companion.web.surface import Act, icon, joined, surface, tag
from companion.web.unfinished import finish
from companion.web.visit import Visit, current_visit, link

__all__ = ["show"]


def show() -> None:
    """Draw the page that the address names."""
    open_rooms()
    visit = current_visit()
    finish()
    st.set_page_config(page_title=visit.say("page.title"), layout="wide")
    _show_view(visit)
    _show_notice(visit)


def _show_view(visit: Visit) -> None:
    if visit.game_id:
        _show_game(visit)
    elif (pages := pages_of(visit.parameters.get("new", ""))) is not None:
        pages.new_game(visit)
    elif visit.view == "history":
        show_history(visit)
    elif visit.view == "statistics":
        show_statistics(visit)
    elif visit.view == "help" and (shown := _help(visit)) is not None:
        shown(visit)
    else:
        show_home(visit)


def _help(visit: Visit) -> Callable[[Visit], None] | None:
    pages = pages_of(visit.parameters.get("kind", "")) or registered_pages()[0]
    return pages.help


def _show_game(visit: Visit) -> None:
    game = visit.joined_game()
    pages = pages_of(game.kind) if game else None
    if game is None or pages is None or game.deleted_at is not None:
        code = "game.deleted" if game is not None and game.deleted_at else "game.unknown"
        words = tag("p", visit.say(code))
        home = link(visit.say("page.home"), look="button main")
        surface(tag("div", icon("search"), words, home, class_="empty stack"), key="nothing")
        return
    visit.shelf.keep_alive(game.id)
    pages.game(visit, game)


def _show_notice(visit: Visit) -> None:
    """What has just happened, and its undo; said once."""
    if not visit.notice:
        return
    undo = (
        tag(
            "button",
            icon("undo") if visit.undo_name == "page.undo" else None,
            visit.say(visit.undo_name),
            type="button",
            data_do="undo",
        )
        if visit.undo
        else None
    )
    text = tag("span", visit.notice, class_="grow")
    close = tag(
        "button",
        icon("close"),
        type="button",
        data_do="close",
        aria_label=visit.say("page.close"),
        class_="bare",
    )
    bar = tag("div", text, undo, close, class_="notice toast", role="status")
    surface(joined(bar), key="notice", on_act=lambda act: _answer_notice(visit, act))


def _answer_notice(visit: Visit, act: Act) -> None:
    undo = visit.undo
    visit.notice, visit.undo = "", None
    if act.do == "undo" and undo is not None:
        undo()
