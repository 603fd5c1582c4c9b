"""Markup that is safe by its making, and the companion's own icons."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

_EMPTY_TAGS = frozenset({"br", "hr", "img", "input", "link", "meta"})


class Markup(str):
    """HTML that ``tag`` has made, in which every text of a person is escaped."""

    __slots__ = ()


Content = Markup | str | int | None


def tag(name: str, /, *children: Content, **attributes: str | int | bool | None) -> Markup:
    """An element: plain text among its children is escaped, None is left out.

    ``class_`` and ``for_`` stand for ``class`` and ``for``, other underscores for hyphens
    (``data_do``, ``aria_label``). An attribute that is True has no value; False and None leave it
    out.
    """
    marks = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _EMPTY_TAGS:
        return Markup(f"<{name}{marks}>")
    return Markup(f"<{name}{marks}>{joined(*children)}</{name}>")


def joined(*children: Content) -> Markup:
    """Children one after the other; plain text is escaped."""
    return Markup("".join(map(_escaped, children)))


def _escaped(child: Content) -> str:
    if child is None:
        return ""
    return child if isinstance(child, Markup) else escape(str(child))


def _attribute(key: str, value: str | int | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'


def act_button(
    do: str,
    *inside: Content,
    value: str | int | None = None,
    look: str | None = None,
    named: str | None = None,
    pressed: bool | None = None,
    **more: str | int | bool | None,
) -> Markup:
    """A button that sends the act ``do`` with ``value``; ``look`` are its classes.

    ``named`` says what one without words does, ``pressed`` whether it is the chosen one of several.
    """
    says = {
        "aria_pressed": None if pressed is None else str(pressed).lower(),
        "aria_label": named,
        "title": named,
        **more,
    }
    act = {"data_do": do, "data_value": value}
    return tag("button", *inside, type="button", **act, **says, class_=look)


def go_link(
    where: str,
    *inside: Content,
    look: str | None = None,
    named: str | None = None,
    **more: str | int | bool | None,
) -> Markup:
    """A link to another page of the companion; ``named`` says where one without words leads."""
    says = {"aria_label": named, "title": named, **more}
    return tag("a", *inside, href=where, data_go=True, class_=look, **says)


ICONS: Mapping[str, str] = {
    "camera": '<path d="M4 8h4l1.5-2.5h5L16 8h4v11H4z"/><circle cx="12" cy="13.2" r="3.4"/>',
    "crown": '<path d="M4 17 3 8l5 4 4-7 4 7 5-4-1 9z"/><path d="M5 20h14"/>',
    "castle": '<path d="M5 20V7h3v2h2.5V7h3v2H16V7h3v13z"/><path d="M10 20v-4a2 2 0 0 1 4 0v4"/>',
    "hand": '<path d="M4 20l1-4L16 5l3 3L8 19z"/><path d="M13.5 7.5l3 3"/>',
    "check": '<path d="M5 12.5l4.5 4.5L19 7.5"/>',
    "doubt": '<circle cx="12" cy="12" r="9" stroke-dasharray="3.5 3"/><path d="M9.6 9.6a2.5 2.5 0 '
    '1 1 3.6 2.2c-.9.5-1.2 1-1.2 1.9"/><path d="M12 16.6v.2"/>',
    "back": '<path d="M14.5 5.5 8 12l6.5 6.5"/>',
    "next": '<path d="M9.5 5.5 16 12l-6.5 6.5"/>',
    "undo": '<path d="M9 7H15a5 5 0 0 1 0 10H8"/><path d="M12 3.5 8.5 7l3.5 3.5"/>',
    "trash": '<path d="M5 7h14"/><path d="M9.5 7V4.5h5V7"/><path d="M7 7l1 13h8l1-13"/>',
    "people": '<circle cx="9" cy="8.5" r="3.2"/><path d="M3.5 19c0-3.5 2.5-5.5 5.5-5.5s5.5 2 5.5 '
    '5.5"/><path d="M15.5 5.6a3.2 3.2 0 0 1 0 5.8"/><path d="M17 13.9c2.2.7 3.5 2.6 3.5 5.1"/>',
    "rules": '<path d="M5 4h11l3 3v13H5z"/><path d="M8.5 10h7M8.5 13.5h7M8.5 17h4"/>',
    "share": '<path d="M12 15V4"/><path d="M8 7.5 12 3.5l4 4"/><path d="M6 12v8h12v-8"/>',
    "history": '<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5.2l3.4 2"/>',
    "chart": '<path d="M5 20V11M12 20V4M19 20v-6"/>',
    "help": '<circle cx="12" cy="12" r="8.7"/><path d="M9.6 9.6a2.5 2.5 0 1 1 3.6 2.2c-.9.5-1.2 '
    '1-1.2 1.9"/><path d="M12 16.6v.2"/>',
    "plus": '<path d="M12 5v14M5 12h14"/>',
    "close": '<path d="M6 6l12 12M18 6 6 18"/>',
    "search": '<circle cx="10.5" cy="10.5" r="6"/><path d="M15 15l5.5 5.5"/>',
    "trophy": '<path d="M8 4h8v6a4 4 0 0 1-8 0z"/><path d="M8 6H4.5c0 3 1.5 4.5 3.5 4.5M16 6h3.5c0 '
    '3-1.5 4.5-3.5 4.5"/><path d="M12 14v4M8.5 20h7"/>',
    "up": '<path d="M5.5 14.5 12 8l6.5 6.5"/>',
    "domino": '<rect x="3.5" y="7" width="17" height="10" rx="1.6"/><path d="M12 7v10"/>',
    "phone": '<rect x="7" y="3" width="10" height="18" rx="2"/><path d="M11 18h2"/>',
    "warning": '<path d="M12 4 21 20H3z"/><path d="M12 10v4.5M12 17.2v.2"/>',
    "dice": '<rect x="4" y="4" width="16" height="16" rx="3"/><path d="M8.5 8.5v.2M15.5 15.5v.2M12 '
    '12v.2M15.5 8.5v.2M8.5 15.5v.2"/>',
}


def icon(name: str, look: str = "") -> Markup:
    """An icon by its name, hidden from screen readers: what it means is said beside it."""
    return Markup(
        f'<svg class="icon {look}" viewBox="0 0 24 24" aria-hidden="true" focusable="false">'
        f"{ICONS[name]}</svg>"
    )
