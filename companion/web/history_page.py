"""All games: found, opened, deleted and brought back; saved to a file and read from one."""

from __future__ import annotations

import re

from companion.games.history import delete_game, find_games, restore_game
from companion.web.games import registered_pages
from companion.web.home import back_bar, game_list
from companion.web.surface import Act, Markup, icon, joined, surface, tag
from companion.web.visit import Visit

__all__ = ["history_markup", "show_history"]

_SHOWN = 60


def show_history(visit: Visit) -> None:
    """Draw the page."""
    surface(history_markup(visit), key="history", on_act=lambda act: _act(visit, act))


def history_markup(visit: Visit) -> Markup:
    """The page as markup."""
    text = str(visit.room.get("search", ""))
    games = find_games(visit.store, text, device=visit.device, limit=_SHOWN)
    words = visit.say("history.search")
    search = tag(
        "input",
        type="search",
        value=text,
        data_do="search",
        placeholder=words,
        aria_label=words,
        autocomplete="off",
    )
    if games:
        found = game_list(visit, games, registered_pages(), delete=True)
    else:
        found = tag("div", icon("search"), tag("p", visit.say("history.nothing")), class_="empty")
    field = tag("input", type="file", accept=".json,application/json", data_file="import")
    bring = tag("label", icon("plus"), visit.say("history.import"), field, class_="button")
    save = [
        tag("a", icon("share"), visit.say(f"history.{code}"), href=f"saved/{file}", class_="button")
        for code, file in (("export", "companion.json"), ("csv", "companion.csv"))
    ]
    files = tag("div", *save, bring, class_="row")
    main = tag("div", search, found, files, class_="stack")
    return joined(back_bar(visit, visit.say("history.title")), main)


def _act(visit: Visit, act: Act) -> None:
    if act.do == "search":
        visit.room["search"] = act.value[:100]
    elif act.do == "import":
        _tell_imported(visit, act.value)
    elif act.do == "delete" and visit.house.may_see(act.value, visit.device):
        game_id = act.value
        delete_game(visit.store, game_id, visit.actor)

        def back() -> None:
            restore_game(visit.store, game_id, visit.actor)

        visit.tell(visit.say("history.deleted"), back)


def _tell_imported(visit: Visit, text: str) -> None:
    """The file went to the server by an address of its own; here comes what became of it."""
    found = re.fullmatch(r"(\d{1,6}) (\d{1,6})", text)
    if found is None:
        visit.tell(visit.say("history.not_imported"))
    else:
        visit.tell(visit.say("history.imported", new=int(found[1]), known=int(found[2])))
