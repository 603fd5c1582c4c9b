"""Photos of kingdoms read for a game, and kept with it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from companion.games import Store
from companion.games.photos import keep_photo
from companion.kingdomino.isolated_reading import read_kingdoms_isolated
from companion.kingdomino.kept_reading import KeptReading
from companion.reading.decoding import decode_isolated
from companion.web.house import House
from companion.web.photo_shelf import ShelvedPhoto
from vision.kingdomino.result import KingdomReading, PhotoReading

__all__ = ["keep_readings", "kept_readings", "read_shelved", "reading_with_next_best"]


def read_shelved(
    house: House, photo: ShelvedPhoto, *, anyway: bool = False, giants: bool = False
) -> PhotoReading:
    """The kingdoms of a photo, read in a worker process. PhotoError where none can be read.

    What is probably no kingdom is read ``anyway`` on request; with ``giants`` the dominoes of Age
    of Giants may be in it. The pixels that were decoded for the
    shelf are read, so that a photo is decoded once.
    """
    with house.waiting.told(photo.device) as on_waiting:
        source = photo.take_decoded() or photo.data
        return read_kingdoms_isolated(source, on_waiting, anyway=anyway, giants=giants)


def keep_readings(
    store: Store, game_id: str, photo: ShelvedPhoto, reading: PhotoReading, *, consent: bool
) -> list[str]:
    """Keep the readings of a photo with a game; their ids, the largest kingdom first.

    With ``consent`` the photo itself is kept as well, reduced and without metadata.
    """
    photo.game = game_id
    name = photo.id
    if consent:
        name = keep_photo(store, game_id, photo.data, consent=True, decoder=decode_isolated).id
    return [
        store.keep_reading(
            game_id,
            KeptReading(kingdom, name, reading.width, reading.height, reading.warnings).to_data(),
        )
        for kingdom in reading.kingdoms
    ]


def kept_readings(store: Store, game_id: str) -> dict[str, KeptReading]:
    """The readings of a game by id; what came in with a game and is none is left out."""
    found = {}
    for reading_id, data in store.readings(game_id).items():
        with suppress(ValueError):
            found[reading_id] = KeptReading.from_data(data)
    return found


def reading_with_next_best(reading: KingdomReading) -> KingdomReading | None:
    """The other reading of the photo, which offers the one that is left in its turn."""
    if reading.next_best is None:
        return None
    return replace(reading.next_best, next_best=replace(reading, next_best=None))
