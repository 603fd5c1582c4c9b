"""Keys of components, in which Streamlit takes two underscores in a row for its own."""

from __future__ import annotations

__all__ = ["component_key"]


def component_key(*parts: object) -> str:
    """The parts joined by hyphens; one in two hundred ids of games holds two underscores."""
    return "-".join(map(str, parts)).replace("_", ".")
