"""The games: what is kept of each, its table, its texts and its card."""

from __future__ import annotations

__all__ = ["register_kinds"]


def register_kinds() -> None:
    """Make every kind of game known to the store of this process."""
    # Inside the function: whoever wants the texts of one game need not wait for the database.
    import companion.games.domino_duell.kind
    import companion.games.kingdomino.kind
    import companion.games.pip_dominoes.kind  # noqa: F401
