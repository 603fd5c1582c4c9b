"""What the pages ask about people in every game: names, seats, and the link for other phones."""

from __future__ import annotations

from collections.abc import Set

from companion.games.history import remembered_names
from companion.web.games import registered_pages
from companion.web.network import qr_code, shown_address
from companion.web.surface import Markup, icon, tag
from companion.web.visit import Visit, address

__all__ = ["name_field", "newcomers", "remembered_chips", "sharing_parts", "sign_button"]

_NAMES_SHOWN = 12


def sign_button(picture: str, name: str, do: str, value: str | int, *, off: bool = False) -> Markup:
    """A button that is an icon; ``name`` says what it does."""
    return tag(
        "button",
        icon(picture),
        type="button",
        data_do=do,
        data_value=value,
        aria_label=name,
        title=name,
        disabled=off,
        class_="bare",
    )


def remembered_chips(visit: Visit, here: Set[str]) -> list[Markup]:
    """Names of earlier games that are not ``here`` (casefolded), one tap each (``add``).

    Those that a game gave to somebody whom nobody had named are no people's names.
    """
    given = [each.is_given_name for each in registered_pages() if each.is_given_name]
    known = [
        name
        for name in remembered_names(visit.store, visit.device, limit=40)
        if name.casefold() not in here and not any(is_given(name) for is_given in given)
    ][:_NAMES_SHOWN]
    return [tag("button", name, type="button", data_do="add", data_value=name) for name in known]


def name_field(words: str, do: str, key: str) -> Markup:
    """Where another name is typed; ``key`` changes when the field is to be empty again."""
    return tag(
        "input",
        type="text",
        value="",
        data_do=do,
        maxlength=40,
        autocomplete="off",
        placeholder=words,
        aria_label=words,
        data_key=key,
    )


def newcomers(visit: Visit, here: Set[str]) -> Markup:
    """A name to type, and below it those of earlier games."""
    chips = remembered_chips(visit, here)
    typed = name_field(visit.say("players.add"), "add", f"add-{len(here)}")
    heading = tag("h3", visit.say("players.remembered")) if chips else None
    return tag("div", typed, heading, tag("div", *chips, class_="chips"), class_="stack")


def sharing_parts(visit: Visit, game_id: str) -> tuple[Markup, Markup | None, Markup]:
    """A hint, the unguessable link of the game as a QR code, and a button that sends it."""
    where = address(game=game_id)
    base = shown_address()
    code = tag("div", qr_code(base + where), class_="qr") if base else None
    button = tag(
        "button",
        icon("share"),
        visit.say("game.share_button"),
        type="button",
        data_do="share-link",
        data_value=where,
    )
    return tag("p", visit.say("game.share_hint"), class_="soft"), code, button
