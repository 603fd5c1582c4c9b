"""Pages as plain markup with buttons and links that work: the companion's own look."""

from __future__ import annotations

from companion.web.surface.component import Act, surface
from companion.web.surface.icons import icon
from companion.web.surface.markup import Markup, joined, tag

__all__ = ["Act", "Markup", "icon", "joined", "surface", "tag"]
