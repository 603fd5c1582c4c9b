"""From the bytes of a picture to upright RGB pixels, or the reason why not."""

from typing import TYPE_CHECKING

from vision.common.lazy import lazily

if TYPE_CHECKING:
    from vision.photo.bounds import PhotoSettings
    from vision.photo.decoding import Photo, decode
    from vision.photo.errors import PhotoError
else:
    __getattr__ = lazily(
        __name__,
        {
            "Photo": "vision.photo.decoding",
            "PhotoError": "vision.photo.errors",
            "PhotoSettings": "vision.photo.bounds",
            "decode": "vision.photo.decoding",
        },
    )

__all__ = [
    "Photo",
    "PhotoError",
    "PhotoSettings",
    "decode",
]
