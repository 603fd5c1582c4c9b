"""A pinhole camera above the table, which is the plane z = 0; lengths are in squares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Camera", "rotation_about_z"]

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Camera:
    """The projection (3, 4) from points (x right, y down, z up, 1) to pixels."""

    projection: Matrix

    @classmethod
    def above(
        cls,
        target: tuple[float, float],
        centre_px: tuple[float, float],
        square_px: float,
        *,
        tilt_deg: float,
        turn_deg: float,
        azimuth_deg: float = 0.0,
        distance: float = 14.0,
    ) -> Camera:
        """A camera that looks at ``target`` on the table from ``distance`` squares away.

        ``target`` appears at ``centre_px`` with about ``square_px`` pixels per square. ``turn_deg``
        rotates the table clockwise. The camera is tilted by ``tilt_deg`` towards the lower edge
        of the picture, or towards ``azimuth_deg`` clockwise from there.
        """
        tilt, turn, azimuth = np.deg2rad([tilt_deg, turn_deg, azimuth_deg])
        # Right-handed with y down, so z points away from the camera and height is negative z.
        lean = np.array(
            [[1, 0, 0], [0, np.cos(tilt), np.sin(tilt)], [0, -np.sin(tilt), np.cos(tilt)]]
        )
        rotation = rotation_about_z(azimuth) @ lean @ rotation_about_z(turn - azimuth)
        translation = -rotation @ np.array([*target, 0]) + (0, 0, distance)
        focal = square_px * distance
        intrinsic = np.array([[focal, 0, centre_px[0]], [0, focal, centre_px[1]], [0, 0, 1]])
        rotation = rotation * (1, 1, -1)
        return cls(intrinsic @ np.column_stack([rotation, translation]))

    def homography(self, height: float = 0.0) -> Matrix:
        """The homography (3, 3) from the plane ``height`` squares above the table to pixels."""
        x, y, z, one = self.projection.T
        return np.column_stack([x, y, one + height * z])

    def pixels(self, points: object) -> Matrix:
        """The pixels (n, 2) of points (n, 3)."""
        places = np.asarray(points, np.float64).reshape(-1, 3)
        seen = np.c_[places, np.ones(len(places))] @ self.projection.T
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def depth(self, point: object) -> float:
        """The depth of a point (3,) along the optical axis, in squares."""
        return float(self.projection[2] @ np.append(np.asarray(point, np.float64), 1.0))


def rotation_about_z(angle: float) -> Matrix:
    """The rotation matrix (3, 3) by ``angle`` in radians, from x towards y."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
