"""A photo of the board, offered as what it is: tried on drawn pictures only.

What is read is never taken over by itself. The stones that the photo shows and the board has not
are offered one by one, and a person looks at each and confirms it, or taps another stone.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.domino_duell.table import DuelTable
from companion.web.domino_duell.state import Seen
from companion.web.home import photo_field
from companion.web.surface import Markup, tag
from companion.web.visit import Visit
from scorer.domino_duell import DEFAULT_SHAPE, Piece
from vision.domino_duell import BoardReading, HollowReading, read_board
from vision.photo import PhotoError

__all__ = ["news_of", "photo_part", "read_photo", "seen_of"]

MOST_NEWS = 12


def photo_part(visit: Visit) -> Markup:
    """The small link that opens the photo field."""
    take = photo_field(visit, visit.say("duell_page.photo"), "", many=False)
    hint = tag("p", visit.say("duell_page.photo_hint"), class_="soft")
    summary = tag("summary", visit.say("duell_page.photo"), class_="small")
    return tag("details", summary, hint, take, class_="soft stack", data_key="photo")


def read_photo(visit: Visit, table: DuelTable, sent: str) -> None:
    """Read the photo of an act, and remember for this visit what it shows."""
    visit.answered += 1
    photo_id = sent.partition("|")[2].split(" ")[0]
    refused = photo_id.partition(":")[2]
    shelved = visit.shelf.get(photo_id)
    if shelved is None:
        visit.tell(visit.say(f"photo.{refused}") if refused else visit.say("photo.failed"))
        return
    try:
        reading = read_board(shelved.data)
    except PhotoError as error:
        visit.tell(visit.say(f"photo.{error.code}", **error.details))
        return
    visit.room["reading", table.game.id] = reading


def seen_of(visit: Visit, table: DuelTable) -> list[Seen] | None:
    """What the photo of this visit shows that the board has not; None without a photo."""
    reading: BoardReading | None = visit.room.get(("reading", table.game.id))
    if reading is None:
        return None
    known: dict[str, Piece] = {**table.set_up.start}
    if table.duel:
        known = dict(table.duel.position.items())
    news = news_of(reading, known)
    if len(news) > MOST_NEWS:
        del visit.room["reading", table.game.id]
        refused = visit.say("duell_page.photo_other", count=len(news))
        visit.room["refused", table.game.id] = refused
        return None
    return news


def news_of(reading: BoardReading, known: Mapping[str, Piece]) -> list[Seen]:
    """The pieces of a reading in hollows that are empty on the board.

    A board looks the same after half a turn; of the two ways the one that agrees with more of
    what is known counts.
    """
    hollows = reading.hollows
    ways = [hollows]
    if reading.position.shape == DEFAULT_SHAPE:
        ways.append(hollows[::-1])
    names = reading.position.shape.hollows

    def agreeing(way: tuple[HollowReading, ...]) -> int:
        return sum(
            name in known and each.piece == known[name]
            for name, each in zip(names, way, strict=True)
        )

    best = max(ways, key=agreeing)
    return [
        (name, str(each.piece), each.doubtful)
        for name, each in zip(names, best, strict=True)
        if each.piece is not None and name not in known
    ]
