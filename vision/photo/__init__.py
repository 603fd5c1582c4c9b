"""From the bytes of a picture to upright RGB pixels, or the reason why not."""

from typing import TYPE_CHECKING

from vision.common import lazily

if TYPE_CHECKING:
    from vision.photo.decoding import Photo, decode
    from vision.photo.errors import PhotoError
    from vision.photo.headers import PhotoSettings
else:
    __getattr__ = lazily(
        __name__,
        {
            "vision.photo.headers": ("PhotoSettings",),
            "vision.photo.decoding": ("Photo", "decode"),
            "vision.photo.errors": ("PhotoError",),
        },
    )

__all__ = [
    "Photo",
    "PhotoError",
    "PhotoSettings",
    "decode",
]
