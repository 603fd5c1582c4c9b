"""A photo of the board, offered as what it is: tried on drawn pictures only.

What is read is never taken over by itself. The stones that the photo shows and the board has not
are offered one by one, and a person looks at each and confirms it, or taps another stone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.games.domino_duell.table import DuelTable
from companion.reading.decoding import decode_isolated
from companion.reading.domino_duell import BOARDS
from companion.store.labelled_squares import CorrectedSquare, keep_corrected
from companion.web.domino_duell.board import Seen
from companion.web.domino_duell.parts import refuse
from companion.web.parts import photo_field, photo_refusal, sent_photo
from companion.web.photo_cache import CachedPhoto
from companion.web.request import KEEP_SQUARES_COOKIE
from companion.web.shell import Markup, tag
from companion.web.visit import Visit
from scorer.domino_duell import DEFAULT_SHAPE, Board, Piece
from vision.domino_duell import BoardReading, hollow_patches, labelled_crops
from vision.domino_duell.refit import label_of
from vision.photo.errors import PhotoError

MOST_NEWS = 12


@dataclass(frozen=True, eq=False)
class SeenPhoto:
    """A photo that was read in this visit, with what the board had then.

    ``photo_id`` is its id in the cache, ``patches`` (n, 32, 32, 3) show the hollows of the
    reading; ``settled`` once the board has had all that it shows.
    """

    photo_id: str
    reading: BoardReading
    patches: NDArray[np.uint8]
    known: Mapping[str, Piece]
    settled: bool = False


def photo_part(visit: Visit) -> Markup:
    """The small link that opens the photo field."""
    take = photo_field(visit, visit.say("duell_page.photo"), "", many=False)
    hint = tag("p", visit.say("duell_page.photo_hint"), class_="soft")
    summary = tag("summary", visit.say("duell_page.photo"), class_="small")
    kept = tag(
        "input",
        type="checkbox",
        data_do="squares",
        data_remember=KEEP_SQUARES_COOKIE,
        checked=visit.keep_squares,
        data_key=f"squares-{visit.keep_squares}",
    )
    consent = tag("label", kept, tag("span", visit.say("duell_page.keep")), class_="switch")
    return tag("details", summary, hint, take, consent, class_="soft stack", data_key="photo")


def read_photo(visit: Visit, table: DuelTable, sent: str) -> None:
    """Read the photo of an act, and remember for this visit what it shows."""
    visit.answered += 1
    photo_id = sent.partition("|")[2].split(" ")[0]
    try:
        cached = sent_photo(visit, photo_id)
        with visit.reading_slot():
            reading, patches = read_with_patches(cached)
    except PhotoError as error:
        visit.notify(photo_refusal(error, visit))
        return
    visit.page_state["photo", table.game.id] = SeenPhoto(photo_id, reading, patches, _known(table))
    learn_from(visit, table)


def read_with_patches(
    photo: CachedPhoto,
) -> tuple[BoardReading, NDArray[np.uint8]]:
    """The reading of a photo and the patches (n, 32, 32, 3) of its hollows, both from workers."""
    reading = BOARDS.ask(photo.data)
    decoded = photo.take_decoded() or decode_isolated(photo.data)
    return reading, hollow_patches(decoded.rgb, reading)


def seen_of(visit: Visit, table: DuelTable) -> list[Seen] | None:
    """What the photo of this visit shows that the board has not; None without a photo."""
    seen: SeenPhoto | None = visit.page_state.get(("photo", table.game.id))
    if seen is None:
        return None
    news = news_of(seen.reading, _known(table))
    if len(news) > MOST_NEWS:
        del visit.page_state["photo", table.game.id]
        refuse(visit, table, visit.say("duell_page.photo_other", count=len(news)))
        return None
    return news


def learn_from(visit: Visit, table: DuelTable) -> int:
    """Keep what people put right on their photo, once the board has all that it shows.

    That moment comes once a photo; what is laid later is not on it. Only where they have agreed
    to it; gives the number of pictures.
    """
    seen: SeenPhoto | None = visit.page_state.get(("photo", table.game.id))
    if seen is None or seen.settled or table.duel is None:
        return 0
    known = _known(table)
    if news_of(seen.reading, known):
        return 0
    visit.page_state["photo", table.game.id] = replace(seen, settled=True)
    if not visit.keep_squares:
        return 0
    offered = {name for name, _, _ in news_of(seen.reading, seen.known)}
    names = seen.reading.position.shape.hollows
    sure = {name for name in names if name in offered or known.get(name) == seen.known.get(name)}
    cells = table.duel.position.cells
    if _is_turned(seen.reading, known):
        cells = cells[::-1]
        sure = {names[-1 - names.index(name)] for name in sure}
    position = Board(seen.reading.position.shape, cells)
    return keep_corrected(
        visit.store,
        table.game.id,
        corrected_hollows(seen.reading, position, seen.patches, sure),
        source_photo=seen.photo_id,
        consent=True,
    )


def _known(table: DuelTable) -> dict[str, Piece]:
    """What lies on the board, the start stones before a game can begin."""
    return dict(table.duel.position.items()) if table.duel else {**table.set_up.start}


def _is_turned(reading: BoardReading, known: Mapping[str, Piece]) -> bool:
    """Whether the photo agrees with more of what is known after half a turn."""
    if reading.position.shape != DEFAULT_SHAPE:
        return False
    hollows = reading.position.shape.hollows
    upright, turned = (
        sum(
            name in known and known[name] == each.piece
            for name, each in zip(hollows, way, strict=True)
        )
        for way in (reading.hollows, reading.hollows[::-1])
    )
    return turned > upright


def news_of(reading: BoardReading, known: Mapping[str, Piece]) -> list[Seen]:
    """The pieces of a reading in hollows that are empty on the board.

    A board looks the same after half a turn; of the two ways the one that agrees with more of
    what is known counts.
    """
    way = reading.hollows[::-1] if _is_turned(reading, known) else reading.hollows
    return [
        (name, str(each.piece), each.doubtful)
        for name, each in zip(reading.position.shape.hollows, way, strict=True)
        if each.piece is not None and name not in known
    ]


def corrected_hollows(
    reading: BoardReading,
    position: Board,
    patches: NDArray[np.uint8],
    hollows: Collection[str],
) -> Iterator[CorrectedSquare]:
    """Every hollow that was doubtful or read wrongly.

    ``position`` is what people confirmed, row a at the upper end as in the reading; ``patches``
    (n, 32, 32, 3) show its hollows. Only those named in ``hollows`` are looked at: elsewhere
    something may have changed since the photo.
    """
    for crop in labelled_crops(patches, reading, position):
        if crop.hollow in hollows and (crop.corrected or crop.doubtful):
            yield CorrectedSquare(crop.hollow, crop.patch, label_of(crop.truth))
