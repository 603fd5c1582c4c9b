"""Markup that is safe by its making: text is escaped unless it is markup already."""

from __future__ import annotations

from html import escape

__all__ = ["Markup", "joined", "tag"]

_EMPTY_TAGS = frozenset({"br", "hr", "img", "input"})


class Markup(str):
    """HTML that ``tag`` has made, in which every text of a person is escaped."""

    __slots__ = ()


Content = Markup | str | int | None


def tag(name: str, *children: Content, **attributes: str | int | bool | None) -> Markup:
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
