"""Photos that were refused as they came in: told to the page, which has the words for it."""

from __future__ import annotations

import re

from companion.languages import codes
from companion.refusals import photo_message
from companion.web.visit import Visit
from vision.photo.errors import PhotoError

__all__ = ["photo_refusal", "refused_id", "refused_photo"]

_REFUSED = re.compile(r"refused:([a-z_]{1,40})(?::([A-Za-z0-9]{1,12}))?")


def refused_id(error: PhotoError) -> str:
    """What the browser gets in place of the id of a photo."""
    told = str(error.details.get("format", ""))
    return f"refused:{error.code}:{told}" if told else f"refused:{error.code}"


def refused_photo(photo_id: str) -> PhotoError | None:
    """Why there is no photo of that id, as ``refused_id`` told it; None for any other id."""
    found = _REFUSED.fullmatch(photo_id)
    return PhotoError(found[1], format=found[2] or "") if found else None


def photo_refusal(error: PhotoError, visit: Visit) -> str:
    """Why a photo was not taken, in a sentence; that it did not arrive for an unknown reason."""
    if f"photo.{error.code}" not in codes():
        return visit.say("photo.failed")
    try:
        return photo_message(error, visit.language)
    except KeyError:  # A sentence with a detail that is not told.
        return visit.say("photo.failed")
