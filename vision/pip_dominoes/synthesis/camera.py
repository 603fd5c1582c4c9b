"""A pinhole camera above the table; lengths in short sides of a tile, the table is z = 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Camera"]

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Camera:
    """The projection (3, 4) from points (x right, y down, z up, 1) to pixels."""

    projection: Matrix

    @classmethod
    def above(
        cls,
        centre_px: tuple[float, float],
        tile_px: float,
        *,
        tilt_deg: float,
        turn_deg: float,
        distance: float,
    ) -> Camera:
        """Look at the table's origin, seen at ``centre_px`` with ``tile_px`` a short side."""
        tilt, turn = np.deg2rad([tilt_deg, turn_deg])
        c, s = np.cos(tilt), np.sin(tilt)
        lean = np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
        c, s = np.cos(turn), np.sin(turn)
        rotation = lean @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        focal = tile_px * distance
        intrinsic = np.array([[focal, 0, centre_px[0]], [0, focal, centre_px[1]], [0, 0, 1]])
        # Right-handed with y down: z points away from the camera, so height is its negative.
        return cls(intrinsic @ np.column_stack([rotation * (1, 1, -1), [0, 0, distance]]))

    def homography(self, height: float = 0.0) -> Matrix:
        """From points (x, y, 1) of the plane ``height`` above the table to pixels."""
        x, y, z, one = self.projection.T
        return np.column_stack([x, y, one + height * z])

    def pixels(self, points: Matrix, height: float = 0.0) -> Matrix:
        """Pixels (n, 2) of points (n, 2) of the plane ``height`` above the table."""
        seen = np.column_stack([points, np.ones(len(points))]) @ self.homography(height).T
        return np.asarray(seen[:, :2] / seen[:, 2:])
