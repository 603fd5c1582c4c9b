"""The reading of a kingdom as it is kept, with its photo."""

from __future__ import annotations

from dataclasses import dataclass

from companion.reading.kingdomino import KINGDOMS
from companion.store.merging import Json
from vision.kingdomino.result import KingdomReading

__all__ = ["KeptReading"]

_MAX_PX = 100_000


@dataclass(frozen=True)
class KeptReading:
    """The reading of a kingdom with its photo.

    ``photo`` is the id of the kept photo, or another name for it; None if there is none. ``width``
    and ``height`` are those of the upright photo in pixels, to which the homography maps.
    ``warnings`` are those of the whole photo, as codes of ``vision.kingdomino.judge.warn``.
    ValueError for a photo of an impossible size.
    """

    reading: KingdomReading
    photo: str | None = None
    width: int = 0
    height: int = 0
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not (0 <= self.width <= _MAX_PX and 0 <= self.height <= _MAX_PX):
            raise ValueError(f"size: expected 0..{_MAX_PX}, got {self.width}, {self.height}")

    def to_data(self) -> Json:
        """Plain data, which ``from_data`` turns back into the same reading to the bit."""
        return _CODEC.to_plain(self)

    @classmethod
    def from_data(cls, data: Json) -> KeptReading:
        """The reading from plain data; ValueError if they are invalid."""
        return _CODEC.from_plain(data)


_CODEC = KINGDOMS.codec.of(KeptReading)
