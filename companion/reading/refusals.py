"""Why a photo was not read, for people and as the line of JSON; the same for every game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.languages import Language, say

if TYPE_CHECKING:  # The commands that read no photo need not wait for OpenCV.
    from vision.photo.errors import PhotoError

__all__ = ["error_record", "photo_message"]


def photo_message(error: PhotoError, language: Language) -> str:
    """Why the photo was refused and what to do about it."""
    from vision.photo.headers import READ_FORMATS

    values = {**error.told, "formats": ", ".join(READ_FORMATS)}
    return say(f"photo.{error.code}", language, **values)


def error_record(photo: str, error: PhotoError, language: Language) -> dict[str, Any]:
    """The line of JSON of a photo that was not read: a contract that others build on."""
    message = photo_message(error, language)
    return {"photo": photo, "error": {"code": error.code, "message": message}}
