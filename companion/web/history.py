"""The history: all games of a device by month, more of them as one scrolls, found by words, kind of
game and player; games saved to a file and brought in from one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby

from companion.store.history import (
    Summary,
    count_games,
    delete_game,
    find_games,
    kinds_and_players,
    restore_game,
)
from companion.web.games import GAMES
from companion.web.parts import (
    act_on_deleted,
    deleted_games,
    game_list,
    show_part,
    switch,
    top_bar,
)
from companion.web.request import KEEP_GAMES_COOKIE
from companion.web.shell import Act, Markup, act_button, icon, joined, tag
from companion.web.visit import Visit, link

_AT_ONCE = 50
"""So many games come at first, and so many more whenever the end of the list comes into sight."""

_DELETED_SHOWN = 60


def show_history(visit: Visit) -> None:
    """Draw the page; each portion is a part of its own, so that the ones before it stay."""
    for number, part in enumerate(_parts(visit)):
        show_part(visit, part, f"history-{number}", partial(act_on_history, visit))


def history_markup(visit: Visit) -> Markup:
    """The page as markup."""
    return joined(*_parts(visit))


def _parts(visit: Visit) -> Iterator[Markup]:
    """What is above the list, the list in portions, and what is below it."""
    text = str(visit.page_state.get("search", ""))
    kind, player = visit.parameters.get("kind"), visit.parameters.get("player")
    shown = max(_AT_ONCE, int(visit.page_state.get("history", _AT_ONCE)))
    games = find_games(
        visit.store, text, device=visit.device, kind=kind, player=player, limit=shown
    )
    count = len(games)
    if count == shown:
        count = count_games(visit.store, text, device=visit.device, kind=kind, player=player)
    yield joined(
        top_bar(visit, visit.say("history.title")),
        tag("div", _search(visit, text), *_filters(visit), _counted(visit, count), class_="stack"),
    )
    before = None
    for start in range(0, len(games), _AT_ONCE):
        portion = games[start : start + _AT_ONCE]
        yield tag("div", *_by_month(visit, portion, before), class_="stack")
        before = _month(portion[-1])
    yield tag(
        "div",
        _more(visit, shown) if count > len(games) else None,
        deleted_games(
            visit,
            find_games(visit.store, device=visit.device, deleted=True, limit=_DELETED_SHOWN),
            GAMES,
        ),
        _files(visit),
        _copies(visit),
        class_="stack",
    )


def _search(visit: Visit, text: str) -> Markup:
    words = visit.say("history.search")
    return tag(
        "input",
        type="search",
        value=text,
        data_do="search",
        placeholder=words,
        aria_label=words,
        autocomplete="off",
    )


def _filters(visit: Visit) -> Iterator[Markup]:
    """The kinds and the players to choose from, where there is more than one of them."""
    kinds, players = kinds_and_players(visit.store, visit.device)
    kind, player = visit.parameters.get("kind"), visit.parameters.get("player")
    if len(kinds) > 1 or kind:
        pages = [each for each in GAMES if each.kind in kinds]
        names = {"": visit.say("history.all_kinds")}
        names |= {each.kind: each.title(visit.language) for each in pages}
        links = (
            link(
                words,
                "button chosen" if each == (kind or "") else "button",
                view="history",
                kind=each,
                player=player,
            )
            for each, words in names.items()
        )
        yield tag("div", *links, class_="chips")
    if len(players) > 1 or player:
        everybody = tag("option", visit.say("history.everybody"), value="", selected=not player)
        known = dict.fromkeys((*players, *filter(None, [player])))
        options = (tag("option", each, value=each, selected=each == player) for each in known)
        words = visit.say("history.player")
        yield tag("select", everybody, *options, data_do="player", aria_label=words)


def _counted(visit: Visit, count: int) -> Markup:
    """How many games are found; an empty page says so in a picture and a sentence."""
    if count:
        return tag("p", visit.say("history.count", count=count), role="status", class_="soft")
    words = tag("p", visit.say("history.nothing"), role="status")
    return tag("div", icon("search"), words, class_="empty")


def _month(game: Summary) -> tuple[int, int]:
    return game.played_at.year, game.played_at.month


def _by_month(
    visit: Visit, games: Sequence[Summary], before: tuple[int, int] | None
) -> Iterator[Markup]:
    """The games below the names of their months; ``before`` is the month that goes on."""
    for month, found in groupby(games, _month):
        some = list(found)
        if month != before:
            words = visit.say("history.month", month=some[0].played_at.date())
            yield tag("h2", words, class_="minor")
        yield game_list(visit, some, GAMES, delete=True)


def _more(visit: Visit, shown: int) -> Markup:
    """Asks for more by itself when it comes near; without that, by a tap."""
    return act_button("more", visit.say("history.more"), value=shown + _AT_ONCE, data_near=True)


def _files(visit: Visit) -> Markup:
    field = tag("input", type="file", accept=".json,application/json", data_file="import")
    bring = tag("label", icon("plus"), visit.say("history.import"), field, class_="button")
    save = [
        tag("a", icon("share"), visit.say(f"history.{code}"), href=f"saved/{file}", class_="button")
        for code, file in (("export", "companion.json"), ("csv", "companion.csv"))
    ]
    return tag("div", *save, bring, class_="row")


def _copies(visit: Visit) -> Markup:
    """What this phone keeps of its games by itself."""
    words = joined(icon("phone"), visit.say("copies.title"))
    button = act_button("show-copies", words)
    keep = switch("copies", visit.say("copies.keep"), visit.keep_games, remember=KEEP_GAMES_COOKIE)
    why = tag("p", visit.say("copies.why"), class_="soft")
    return tag("section", button, keep, why, class_="card stack")


_MAX_SHOWN = 100_000


def act_on_history(visit: Visit, act: Act) -> None:
    """Do what a person asked for on the page."""
    if act.do == "search":
        visit.page_state["search"] = act.value[:100]
        visit.page_state.pop("history", None)
    elif act.do == "more" and act.value.isdecimal():
        visit.page_state["history"] = min(int(act.value[:9]), _MAX_SHOWN)
    elif act.do == "player":
        visit.page_state.pop("history", None)
        kind = visit.parameters.get("kind")
        visit.go(view="history", kind=kind, player=act.value[:100])
    elif act.do == "copies":
        visit.keep_games = act.value == "true"
    elif act.do == "import":
        _show_imported(visit, act.value)
    elif act_on_deleted(visit, act):
        return
    elif act.do == "delete" and visit.shared.may_see(act.value, visit.device):
        game_id = act.value
        delete_game(visit.store, game_id, visit.actor)

        def back() -> None:
            restore_game(visit.store, game_id, visit.actor)

        visit.notify(visit.say("history.deleted"), back)


def _show_imported(visit: Visit, text: str) -> None:
    """The file went to the server by an address of its own; here comes what became of it."""
    found = re.fullmatch(r"(\d{1,6}) (\d{1,6})", text)
    if found is None:
        visit.notify(_why_not_imported(visit, text))
    else:
        visit.notify(visit.say("history.imported", new=int(found[1]), known=int(found[2])))


_MAX_REFUSAL = 2000
_REFUSED_FOR = {"bad_import": ("place", "reason"), "unknown_kind": ("kind",)}


def _why_not_imported(visit: Visit, text: str) -> str:
    """The words for what the address answered; the browser may have sent anything in its place."""
    if not text:
        return visit.say("history.not_sent")
    try:
        refused = json.loads(text) if len(text) <= _MAX_REFUSAL else {}
        code, details = refused["code"], refused["details"]
        values = {name: str(details[name]) for name in _REFUSED_FOR[code]}
    except (ValueError, KeyError, TypeError, RecursionError):
        values = {"reason": "not_an_export"}
    if values.get("reason") in ("not_json", "not_an_export"):
        return visit.say("history.not_imported", button=visit.say("history.export"))
    return visit.say(f"store_error.{code}", **values)
