"""Drawn boards by which a layer of a user's own is judged:
``python -m training.domino_duell.known domino_duell_known.npz``.

Each is the patches of its hollows, in one of three lights from calm to strong.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from training.domino_duell.scenes import SceneSettings, draw_scene
from vision.domino_duell.detect import places_of
from vision.domino_duell.refit import COLUMNS, KnownBoard

LIGHTS = (0.4, 0.8, 1.2)
SEED = 51
BOARDS = 24
QUALITY = 92
"""Of the JPEG in which they are kept."""


def drawn_board(seed: Sequence[int]) -> KnownBoard:
    """A board drawn in the light that the last number of the seed names."""
    settings = SceneSettings(width_px=720, height_px=540, light=LIGHTS[seed[-1] % len(LIGHTS)])
    scene = draw_scene(np.random.default_rng(seed), settings)
    return KnownBoard(scene.patches(places_of(scene.position.shape)), scene.position.cells)


def keep(boards: Sequence[KnownBoard], path: Path) -> None:
    """Write boards for ``vision.domino_duell.refit.known_boards``: one sheet, a row a board."""
    sheet = np.concatenate([np.concatenate(list(board.patches), axis=1) for board in boards])
    how = (cv2.IMWRITE_JPEG_QUALITY, QUALITY, cv2.IMWRITE_JPEG_SAMPLING_FACTOR)
    finely = [*how, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]
    jpeg = cv2.imencode(".jpg", cv2.cvtColor(sheet, cv2.COLOR_RGB2BGR), finely)[1]
    columns = np.array([[COLUMNS[piece] for piece in board.pieces] for board in boards], np.uint8)
    with path.open("wb") as file:
        np.savez(file, sheet=jpeg, columns=columns)


def main(argv: Sequence[str] | None = None) -> None:
    """Draw the boards, half of them to fit to, half to judge by, and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    out = parser.parse_args(argv).out
    keep([drawn_board((SEED, part, k)) for part in (0, 1) for k in range(BOARDS // 2)], out)


if __name__ == "__main__":
    main()
