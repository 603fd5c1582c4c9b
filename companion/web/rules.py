"""The rules of a game on its page: a card for each section, which its title opens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from companion.games.guide import Item, Section
from companion.web.parts import top_bar
from companion.web.shell import Markup, joined, tag
from companion.web.visit import Visit


def _list(lines: Iterable[str]) -> Markup:
    """Sentences as a list."""
    return tag("div", tag("ul", *[tag("li", line) for line in lines]), class_="list")


def rules_cards(
    sections: Iterable[Section],
    pictures: Mapping[str, Markup] | None = None,
    picture_of: Callable[[Item], Markup] | None = None,
) -> Markup:
    """A card for each section, with its picture if ``pictures`` has one by its key.

    ``picture_of`` draws an item of a section. What somebody has opened stays open.
    """
    shown = pictures or {}
    return joined(
        *[
            tag(
                "details",
                tag("summary", tag("h2", each.title)),
                shown.get(each.key),
                _list(each.lines) if each.lines else None,
                *[_item(item, picture_of) for item in each.items],
                class_="card stack rules-part",
                data_key=f"rules-{each.key}",
            )
            for each in sections
        ]
    )


def _item(item: Item, picture_of: Callable[[Item], Markup] | None) -> Markup:
    picture = picture_of(item) if picture_of else None
    return tag("div", tag("h3", item.name), tag("p", item.rule), picture, class_="stack")


def rules_page(
    visit: Visit,
    title: str,
    asked: Markup,
    set_up: Iterable[str],
    cards: Markup,
    picture: Markup | None = None,
) -> Markup:
    """The page: what is ``asked`` and the set-up that it leads to, then the cards of the rules."""
    laid_out = tag("div", picture, tag("div", _list(set_up), class_="grow"), class_="set-up")
    setting_up = tag("section", asked, laid_out, class_="card stack")
    body = tag("div", setting_up, tag("div", cards, class_="stack"), class_="columns two")
    return joined(top_bar(visit, title), body)


def rules_in_short(visit: Visit, set_up: Iterable[str], sections: Iterable[Section]) -> Markup:
    """Set-up and rules beside something else: behind one line, the sections within."""
    parts = [
        joined(tag("h3", each.title), _list((*each.lines, *map(_in_a_line, each.items))))
        for each in sections
    ]
    summary = tag("summary", visit.say("help.title"))
    return tag("details", summary, _list(set_up), *parts, class_="stack", data_key="rules")


def _in_a_line(item: Item) -> str:
    return f"{item.name}: {item.rule}"
