"""From the bytes of a picture to upright RGB pixels, or the reason why not."""

from vision.photo.bounds import PhotoSettings
from vision.photo.decoding import Photo, decode
from vision.photo.errors import PhotoError

__all__ = ["Photo", "PhotoError", "PhotoSettings", "decode"]
