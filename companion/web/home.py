"""The first page: who won? A photo, by hand, other games, the last games."""

from __future__ import annotations

from functools import partial

from companion.store.history import find_games
from companion.web.game_pages import GamePages
from companion.web.games import GAMES
from companion.web.network import qr_code, shown_address
from companion.web.parts import (
    act_on_deleted,
    answered,
    deleted_games,
    game_list,
    photo_field,
    show_part,
)
from companion.web.shell import Act, Markup, icon, joined, tag
from companion.web.visit import Visit, link

LAST_GAMES = 5


def show_home(visit: Visit) -> None:
    """Draw the page."""
    show_part(visit, home_markup(visit), "home", partial(_act, visit))


def _act(visit: Visit, act: Act) -> None:
    first = GAMES[0]
    if act_on_deleted(visit, act):
        return
    if act.do == "photo" and first.photo is not None:
        first.photo(visit, act.value.partition("|")[2].split())


def home_markup(visit: Visit) -> Markup:
    """The page as markup."""
    pages = GAMES
    game = tag("p", icon("crown"), pages[0].title(visit.language), class_="brand")
    title = tag("div", game, tag("h1", visit.say("home.question")))
    other = "en" if visit.language.value == "de" else "de"
    language = tag(
        "a",
        visit.say("page.other_language"),
        href=f"language/{other}?back=./",
        class_="button bare",
        lang=other,
    )
    head = tag("header", title, language, class_="top spread", data_page="./")
    games = find_games(visit.store, device=visit.device, limit=LAST_GAMES)
    start = tag("div", _photo_button(visit, pages), _ways(visit, pages), class_="stack")
    gone = find_games(visit.store, device=visit.device, deleted=True, limit=LAST_GAMES)
    others = [each for each in gone if each.deleted_by not in ("", visit.device)]
    last = tag(
        "section",
        deleted_games(visit, others, pages, by_others=True),
        tag("h2", visit.say("home.last")),
        tag("p", visit.say("home.forgets"), class_="soft") if visit.shared.forgets else None,
        game_list(visit, games, pages) if games else _no_games(visit),
        _more(visit),
        _phone(visit),
        class_="stack",
    )
    body = tag("div", start, last, class_="columns two")
    return tag("div", head, body, answered(visit), class_="stack")


def _photo_button(visit: Visit, pages: tuple[GamePages, ...]) -> Markup:
    return joined(
        photo_field(visit, visit.say("home.photo"), "main big", large=True, aim=pages[0].kind),
        tag("p", visit.say("home.photo_hint"), class_="soft"),
    )


def _ways(visit: Visit, pages: tuple[GamePages, ...]) -> Markup:
    first = pages[0]
    ways = [
        link(joined(icon("hand"), visit.say("home.by_hand")), "button", new=first.kind),
        link(joined(icon("help"), visit.say("home.help")), "button", view="help"),
    ]
    if first.alone is not None:
        words = joined(icon("castle"), visit.say(first.alone))
        ways.insert(1, link(words, "button", new=first.kind, kept=1))
    others = [
        link(joined(each.icon, each.title(visit.language)), "button", new=each.kind)
        for each in pages[1:]
    ]
    row = tag("div", *ways, class_="ways")
    if not others:
        return row
    heading = tag("h2", visit.say("home.others"))
    return joined(row, heading, tag("div", *others, class_="row"))


def _no_games(visit: Visit) -> Markup:
    return tag("div", icon("crown"), tag("p", visit.say("home.no_games")), class_="empty")


def _more(visit: Visit) -> Markup:
    history = link(joined(icon("history"), visit.say("home.all_games")), "button", view="history")
    figures = link(joined(icon("chart"), visit.say("home.statistics")), "button", view="statistics")
    return tag("div", history, figures, class_="row")


def _phone(visit: Visit) -> Markup | None:
    """The address of this server in the network, for whoever sits before the computer itself."""
    shown = shown_address()
    if shown is None:
        return None
    summary = tag("summary", icon("phone"), visit.say("home.phone"))
    hint = tag("p", visit.say("home.phone_hint"))
    asked = tag("p", visit.say("home.phone_https"), class_="soft")
    secure = asked if shown.startswith("https:") else None
    code = tag("div", qr_code(shown), class_="qr")
    return tag("details", summary, hint, code, tag("p", tag("code", shown)), secure, class_="card")
