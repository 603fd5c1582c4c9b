"""Pages as plain markup with buttons and links that work: the companion's own look."""

from __future__ import annotations

from companion.web.shell.bridge import Act, show_markup
from companion.web.shell.markup import Markup, act_button, go_link, icon, joined, tag

__all__ = ["Act", "Markup", "act_button", "go_link", "icon", "joined", "show_markup", "tag"]
