"""Tiles laid one after the other, matching halves together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scorer.pip_dominoes.tile import Tile

__all__ = ["end_of", "find_misfit", "orient", "reach"]


def reach(chain: Iterable[Tile], number: int) -> int | None:
    """The free half at the far end of a chain joined to ``number``; None if it doesn't match."""
    for tile in chain:
        if not tile.has(number):
            return None
        number = tile.beside(number)
    return number


def end_of(chain: Iterable[Tile], number: int) -> int:
    """Like ``reach`` for a chain that is known to match; ValueError for another."""
    far = reach(chain, number)
    if far is None:
        raise ValueError("chain: expected neighbours that match")
    return far


def find_misfit(chain: Iterable[Tile], number: int) -> Tile | None:
    """The first tile that doesn't match what lies before it; None if all do."""
    for tile in chain:
        if not tile.has(number):
            return tile
        number = tile.beside(number)
    return None


def orient(chain: Iterable[Tile], number: int) -> Iterator[str]:
    """Each tile as text, the half first that touches the tile before it, or ``number``."""
    for tile in chain:
        far = tile.beside(number)
        yield f"{number}|{far}"
        number = far
