from __future__ import annotations

import numpy as np

from scorer.domino_duell import Colour, SymbolColour
from vision.domino_duell.synthetic import OTHER_MATERIALS, TRAINED_MATERIALS, Material


def test_other_materials_are_other() -> None:
    assert not set(TRAINED_MATERIALS.woods) & set(OTHER_MATERIALS.woods)
    assert not set(TRAINED_MATERIALS.corners) & set(OTHER_MATERIALS.corners)


def test_a_material_has_every_paint_and_ink() -> None:
    material = Material.chosen(TRAINED_MATERIALS, np.random.default_rng(0))
    assert set(material.paints) == set(Colour)
    assert set(material.inks) == set(SymbolColour)
    assert material == Material.chosen(TRAINED_MATERIALS, np.random.default_rng(0))
