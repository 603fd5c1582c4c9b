"""A pinhole camera above a table, and outlines on it; the unit is the square or tile of a game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import block_diag

from training.common.arrays import Matrix


@dataclass(frozen=True, eq=False)
class Camera:
    """The projection (3, 4) from points (x right, y down, z up, 1) to pixels."""

    projection: Matrix

    @classmethod
    def above(
        cls,
        target: tuple[float, float],
        centre_px: tuple[float, float],
        unit_px: float,
        *,
        tilt_deg: float,
        turn_deg: float,
        azimuth_deg: float = 0.0,
        distance: float = 14.0,
    ) -> Camera:
        """A camera that sees ``target`` at ``centre_px``, ``distance`` away, units ``unit_px`` big.

        ``turn_deg`` rotates the table clockwise. The camera is tilted by ``tilt_deg`` towards the
        lower edge of the picture, or towards ``azimuth_deg`` clockwise from there.
        """
        tilt, turn, azimuth = np.deg2rad([tilt_deg, turn_deg, azimuth_deg])
        # Right-handed with y down, so z points away from the camera and height is negative z.
        lean = block_diag(1, rotation(-tilt))
        turned = rotation_about_z(azimuth) @ lean @ rotation_about_z(turn - azimuth)
        shift = -turned @ np.array([*target, 0]) + (0, 0, distance)
        focal = unit_px * distance
        intrinsic = np.array([[focal, 0, centre_px[0]], [0, focal, centre_px[1]], [0, 0, 1]])
        return cls(intrinsic @ np.column_stack([turned * (1, 1, -1), shift]))

    def on(self, place: Matrix) -> Camera:
        """This camera for points of a sheet that ``place`` (3, 3) lays on the table."""
        laid = np.eye(4)
        laid[np.ix_((0, 1, 3), (0, 1, 3))] = place
        return Camera(self.projection @ laid)

    def homography(self, height: float = 0.0) -> Matrix:
        """The homography (3, 3) from the plane ``height`` above the table to pixels."""
        x, y, z, one = self.projection.T
        return np.column_stack([x, y, one + height * z])

    def on_plane(self, points: Matrix, height: float = 0.0) -> Matrix:
        """The pixels (n, 2) of points (n, 2) of the plane ``height`` above the table."""
        return _seen(points, self.homography(height))

    def pixels(self, points: object) -> Matrix:
        """The pixels (n, 2) of points (n, 3)."""
        return _seen(np.asarray(points, np.float64).reshape(-1, 3), self.projection)

    def depth(self, point: object) -> float:
        """The depth of a point (3,) along the optical axis."""
        return float(self.projection[2] @ np.append(np.asarray(point, np.float64), 1.0))


def _seen(points: Matrix, projection: Matrix) -> Matrix:
    seen = np.column_stack([points, np.ones(len(points))]) @ projection.T
    return np.asarray(seen[:, :2] / seen[:, 2:])


def rotation(angle: float) -> Matrix:
    """The rotation matrix (2, 2) by ``angle`` in radians, from x towards y."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def rotation_about_z(angle: float) -> Matrix:
    """The rotation matrix (3, 3) by ``angle`` in radians, from x towards y."""
    return np.asarray(block_diag(rotation(angle), 1))


def moved(turn_deg: float, at: object, middle: object = (0.0, 0.0)) -> Matrix:
    """The matrix (3, 3) that turns a sheet clockwise and brings its ``middle`` to ``at`` (x, y)."""
    place = rotation_about_z(float(np.deg2rad(turn_deg)))
    place[:2, 2] = np.asarray(at) - place[:2, :2] @ np.asarray(middle)
    return place


def box(middle: Matrix, length: float, width: float, turn: float) -> Matrix:
    """The corners (4, 2) of a rectangle about ``middle``, its length turned by ``turn`` from x."""
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * (length, width)
    return np.asarray(corners @ rotation(turn).T + middle)


def disc(middle: Matrix, radius: float, points: int = 48) -> Matrix:
    """The outline (points, 2) of a disc."""
    angle = np.linspace(0, 2 * np.pi, points, endpoint=False)
    return np.asarray(middle + radius * np.column_stack([np.cos(angle), np.sin(angle)]))
