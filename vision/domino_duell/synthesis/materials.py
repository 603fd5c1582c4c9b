"""What a drawn game is made of: woods, shapes of stones, paints, all by name or by chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scorer.domino_duell import Colour, SymbolColour

__all__ = ["OTHER_MATERIALS", "TRAINED_MATERIALS", "Material", "Materials"]

RGB = tuple[float, float, float]

PAINTS: dict[Colour, RGB] = {
    Colour.YELLOW: (232, 192, 44),
    Colour.RED: (196, 44, 42),
    Colour.BLUE: (38, 84, 168),
    Colour.GREEN: (46, 132, 66),
}
INKS: dict[SymbolColour, RGB] = {
    SymbolColour.WHITE: (242, 242, 238),
    SymbolColour.BLACK: (28, 26, 28),
    SymbolColour.GREY: (138, 138, 140),
    SymbolColour.LIGHT_BLUE: (140, 202, 238),
}


@dataclass(frozen=True)
class Materials:
    """From what the games of a set are made: choices, and ranges as (least, most).

    ``corners`` are the corners of a stone's outline, 0 for a disc; sizes are parts of the
    distance between two hollows.
    """

    woods: tuple[RGB, ...]
    corners: tuple[int, ...]
    stone_diameter: tuple[float, float] = (0.80, 0.93)
    symbol_diameter: tuple[float, float] = (0.42, 0.58)
    rim_shares: tuple[float, float] = (0.0, 0.1)
    grain: tuple[float, float] = (1.0, 9.0)
    paint_spread: float = 12.0


TRAINED_MATERIALS = Materials(
    woods=((222, 190, 150), (190, 150, 105), (110, 75, 50), (236, 216, 184), (150, 108, 70)),
    corners=(0, 0, 6),
)
OTHER_MATERIALS = Materials(
    woods=((168, 92, 62), (72, 72, 76), (226, 208, 142), (132, 126, 116)),
    corners=(8, 4, 12),
    rim_shares=(0.1, 0.2),
    grain=(6.0, 14.0),
    paint_spread=15.0,
)
"""Woods, outlines and rims that no training has seen."""


@dataclass(frozen=True)
class Material:
    """One game: its wood, the outline of its stones, its paints and inks."""

    wood: RGB
    corners: int
    stone_diameter: float
    symbol_diameter: float
    rim_share: float
    grain: float
    paints: dict[Colour, RGB]
    inks: dict[SymbolColour, RGB]

    @classmethod
    def chosen(cls, materials: Materials, rng: np.random.Generator) -> Material:
        """A game made by chance of these materials."""

        def near(colour: RGB, spread: float) -> RGB:
            red, green, blue = np.clip(np.array(colour) + rng.normal(0, spread, 3), 0, 255)
            return float(red), float(green), float(blue)

        spread = materials.paint_spread
        return cls(
            wood=near(materials.woods[int(rng.integers(len(materials.woods)))], 8.0),
            corners=materials.corners[int(rng.integers(len(materials.corners)))],
            stone_diameter=float(rng.uniform(*materials.stone_diameter)),
            symbol_diameter=float(rng.uniform(*materials.symbol_diameter)),
            rim_share=float(rng.uniform(*materials.rim_shares)),
            grain=float(rng.uniform(*materials.grain)),
            paints={colour: near(paint, spread) for colour, paint in PAINTS.items()},
            inks={colour: near(ink, spread / 2) for colour, ink in INKS.items()},
        )
