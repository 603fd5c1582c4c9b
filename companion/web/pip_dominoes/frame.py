"""What the pages of pip dominoes have in common: the bar at the top, photos, refusals, winners."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games import Game, StoreError
from companion.games.bg_stats import bg_stats_link
from companion.games.photos import keep_photo
from companion.pip_dominoes.kept_hand_reading import KeptHandReading
from companion.pip_dominoes.table import DominoTable, TablePhoto
from companion.pip_dominoes.wording import count_of_points
from companion.reading.decoding import decode_isolated
from companion.web.people import sharing_parts
from companion.web.photo_shelf import ShelvedPhoto
from companion.web.pip_dominoes.reading_turn import reader_of
from companion.web.refused import photo_refusal, refused_photo
from companion.web.surface import Markup, icon, joined, tag
from companion.web.visit import Visit, address
from vision.photo.errors import PhotoError

__all__ = [
    "head",
    "points_of",
    "refusal",
    "share_row",
    "sharing",
    "sign",
    "table_of",
    "take_photo",
    "winner_card",
]


def table_of(visit: Visit, game: Game) -> DominoTable:
    """The game in work for this visitor."""
    return DominoTable(visit.store, game.id, visit.actor, reader_of(visit))


def points_of(visit: Visit, points: int) -> str:
    return count_of_points(points, visit.language)


def sign(name: str, picture: str, where: str) -> Markup:
    """A link that is an icon."""
    return tag(
        "a",
        icon(picture),
        href=where,
        data_go=True,
        class_="button bare",
        aria_label=name,
        title=name,
    )


def head(visit: Visit, title: str, *, back: str = "", undo: bool | None = None) -> Markup:
    """The bar at the top: ``back`` is an address, home without one; ``undo`` adds its button."""
    name = visit.say("domino_page.back_to_game" if back else "page.home")
    undo_name = visit.say("page.undo")
    button = (
        None
        if undo is None
        else tag(
            "button",
            icon("undo"),
            type="button",
            data_do="undo",
            disabled=not undo,
            class_="bare",
            aria_label=undo_name,
            title=undo_name,
        )
    )
    answered = tag("span", hidden=True, data_answered=visit.answered)
    return tag(
        "header",
        sign(name, "back", back or "./"),
        tag("h1", title, class_="title"),
        button,
        answered,
        class_="top",
    )


def take_photo(
    visit: Visit, table: DominoTable, number: int, player: int, ids: Sequence[str]
) -> KeptHandReading | None:
    """Read the photo that was taken of a hand; None, and said why, where it can't be read."""
    visit.answered += 1
    for name in ids[:1]:
        try:
            if (refused := refused_photo(name)) is not None:
                raise refused
            photo = visit.shelf.get(name)
            if photo is None or photo.device != visit.device:
                raise PhotoError("gone")
            return table.read_hand(number, player, _taken(visit, table.game_id, photo))
        except (PhotoError, StoreError) as error:
            visit.tell(refusal(error, visit))
    return None


def _taken(visit: Visit, game_id: str, photo: ShelvedPhoto) -> TablePhoto:
    """The photo under the name by which pages show it: kept with the game if that was agreed."""
    photo.game = game_id
    name = photo.id
    if visit.keep_photos:
        name = keep_photo(
            visit.store, game_id, photo.data, consent=True, decoder=decode_isolated
        ).id
    return TablePhoto(name, photo.data, photo.width, photo.height)


def refusal(error: StoreError | PhotoError, visit: Visit) -> str:
    """Why something was not done, in a sentence."""
    if isinstance(error, PhotoError):
        return photo_refusal(error, visit)
    reason = str(error.details.get("reason", ""))
    told = reason if reason in ("name_twice", "bad_name") else "other"
    return visit.say(f"players.refused.{told}")


def sharing(visit: Visit, game_id: str) -> Markup:
    """The unguessable link of the game, as a QR code for the phones around the table."""
    parts = sharing_parts(visit, game_id)
    summary = tag("summary", visit.say("game.share"))
    return tag("details", summary, tag("div", *parts, class_="stack"), class_="sharing")


def share_row(visit: Visit, game: Game) -> Markup | None:
    """The result as a picture and for BG Stats, once it is known."""
    if not game.results.complete:
        return None
    picture = tag(
        "a",
        icon("share"),
        visit.say("result.card"),
        href=f"card/{game.id}/{visit.language.value}",
        target="_blank",
        class_="button",
    )
    play = tag("a", visit.say("result.bg_stats"), href=bg_stats_link(game), class_="button")
    return tag("div", picture, play, class_="row centred")


def winner_card(visit: Visit, sentence: str, game: Game) -> Markup:
    """Who won, as large as it should be, and the next game with the same people."""
    again = tag(
        "a",
        icon("people"),
        visit.say("domino_page.again"),
        href=address(new=game.kind, like=game.id),
        data_go=True,
        class_="button main middle",
    )
    return tag(
        "section",
        icon("trophy", "large"),
        tag("div", tag("h2", sentence), role="status"),
        joined(again),
        share_row(visit, game),
        class_="card winner stack",
    )
