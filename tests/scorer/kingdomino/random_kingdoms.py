"""Hypothesis strategies: squares and kingdoms of every kind, legal or not."""

from __future__ import annotations

from hypothesis import strategies as st

from scorer.kingdomino import CASTLE, EMPTY, Kingdom, Square, Terrain

terrain_squares = st.builds(
    lambda terrain, crowns, covered: Square(terrain, crowns, min(crowns, covered)),
    st.sampled_from(Terrain),
    st.sampled_from((0, 0, 0, 1, 1, 2, 3)),
    st.sampled_from((0, 0, 0, 1, 3)),
)
any_squares = st.one_of(terrain_squares, terrain_squares, st.sampled_from((CASTLE, EMPTY)))


@st.composite
def any_kingdoms(draw: st.DrawFn, max_side: int = 7) -> Kingdom:
    """A rectangle of squares with any number of castles and gaps."""
    height = draw(st.integers(1, max_side))
    width = draw(st.integers(1, max_side))
    square = st.lists(any_squares, min_size=width, max_size=width)
    rows = draw(st.lists(square, min_size=height, max_size=height))
    return Kingdom(tuple(map(tuple, rows)))
