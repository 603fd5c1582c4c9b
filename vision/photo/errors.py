"""Why a photograph could not be read: one type with a code; the words are made in the app."""

from __future__ import annotations

from scorer.errors import CodedError

_SENTENCES = {
    "crashed": (
        "The photo made the reader crash; nothing else was harmed. Save it again as a plain JPEG."
    ),
    "dominoes_too_small": (
        "The dominoes are too small in the photo to be counted. Go closer, or take two photos."
    ),
    "empty_file": "The file is empty. Copy it again from the phone.",
    "gone": "The photo is no longer here. Please take it again.",
    "is_folder": (
        "This is a folder without any picture in it. Name photos, or a folder that holds some."
    ),
    "missing_file": "There is no such file. Check the name and the folder.",
    "no_board": "No board of Domino-Duell was found; the whole board must be in the picture.",
    "no_dominoes": (
        "No domino was found. Take the photo from above and closer, with all faces in it and "
        "even light, or enter the dominoes by hand."
    ),
    "no_kingdom": (
        "No kingdom was found. This is probably no Kingdomino, or too blurred. Take the "
        "photo from above, with the whole kingdom in it and even light, or enter the squares "
        "by hand."
    ),
    "not_a_file": "This is a pipe or a device, not a file. Save the photo as a file.",
    "not_a_picture": "This is not a picture, whatever its name says. Choose a photo: {formats}.",
    "not_permitted": (
        "This file may not be read. Allow it for your user, or copy the photo elsewhere."
    ),
    "not_readable": "The file can't be read: {reason}. Copy it to another place and try again.",
    "too_complex": (
        "The picture is built in a way that takes far too long or too much memory to open. "
        "Save it again as a plain JPEG."
    ),
    "too_many_bytes": (
        "The file is far bigger than a photo. Choose the photo itself, as JPEG or PNG."
    ),
    "too_many_pixels": (
        "The picture has too many pixels. Make it smaller, 4000 pixels wide is plenty."
    ),
    "too_small": (
        "The picture is too small to make out squares. Take a photo of at least 640 pixels width."
    ),
    "took_too_long": (
        "Reading took too long and was stopped. Make the photo smaller, or try again later."
    ),
    "truncated": (
        "The picture ends too early; a part of it is missing. Copy it again from the phone."
    ),
    "unexpected": (
        "Reading failed with a fault of the program ({fault}). Please report it with the photo."
    ),
    "unsupported_format": (
        "Pictures of this kind ({format}) are not read. Save it as one of {formats}."
    ),
}
"""English, by code; the catalogues of the companion have the same sentences."""


class PhotoError(CodedError):
    """A photograph that can't be read.

    ``code`` names the reason; ``details`` are the values that a message needs. The sentence
    that a person reads is made where it is shown, in their language.
    """

    sentences = _SENTENCES

    @property
    def values(self) -> dict[str, object]:
        """The details, with something to say for those that are not known."""
        unknown = {"format": "", "reason": "", "fault": "", "formats": "JPEG, PNG and others"}
        return {**unknown, **self.details}
