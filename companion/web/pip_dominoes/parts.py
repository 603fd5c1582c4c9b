"""What the pages of pip dominoes share: the bar at the top, photos, tiles, hands, winners."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.pip_dominoes.card import PIPS
from companion.games.pip_dominoes.kept import KeptHand
from companion.games.pip_dominoes.kept_reading import KeptHandReading
from companion.games.pip_dominoes.table import DominoTable, ReadHand, TablePhoto
from companion.games.pip_dominoes.texts import count_of_points
from companion.languages import Language, say
from companion.reading.pip_dominoes import read_hand_isolated
from companion.store import Game, Player, StoreError
from companion.store.exchange import bg_stats_link
from companion.store.photos import keep_photo
from companion.web.parts import (
    answered,
    card_link,
    next_game,
    photo_field,
    refusal,
    sent_photo,
    spoken,
    top_bar,
    words_of,
)
from companion.web.photo_cache import CachedPhoto
from companion.web.shell import Act, Markup, act_button, go_link, icon, joined, tag
from companion.web.shell.bridge import Component, Message
from companion.web.visit import Visit, address
from scorer.pip_dominoes import Tile
from vision.photo.errors import PhotoError
from vision.pip_dominoes.result import HandReading


def reader_of(visit: Visit) -> ReadHand:
    """A function that reads a hand once a worker is free for this visitor, or raises PhotoError."""

    def read(photo: TablePhoto, highest: int) -> HandReading:
        with visit.reading_slot():
            return read_hand_isolated(photo.load(), highest)

    return read


def tile_name(tile: Tile) -> str:
    """How people say it: "5-9"."""
    return f"{tile.low}-{tile.high}"


def tile_picture(tile: Tile, name: str | None = None) -> Markup:
    """The domino lying down; named for screen readers, which else pass over it."""
    marks = {"aria_hidden": "true"} if name is None else {"role": "img", "aria_label": name}
    pips = Markup(_half(tile.low, 1) + _half(tile.high, 37))
    return tag(
        "svg",
        tag("rect", class_="face", x=1, y=1, width=72, height=36, rx=5),
        tag("path", class_="bar", d="M37 6v26"),
        tag("g", pips, class_="pips"),
        class_="tile",
        viewBox="0 0 74 38",
        focusable="false",
        **marks,
    )


def _half(number: int, x: int) -> str:
    rows = PIPS[number]
    radius = 2.2 if len(rows) > 5 else 2.7 if len(rows) > 3 else 3.5
    found = []
    for index, row in enumerate(rows):
        y = 6.5 + 23 * index / (len(rows) - 1)
        for column, bit in enumerate((1, 2, 4)):
            if row & bit:
                found.append(f'<circle cx="{x + 8 + 10 * column}" cy="{y:.1f}" r="{radius}"/>')
    return "".join(found)


def table_of(visit: Visit, game: Game) -> DominoTable:
    """The game in work for this visitor."""
    return DominoTable(visit.store, game.id, visit.actor, reader_of(visit))


def points_of(visit: Visit, points: int) -> str:
    """Points in words, in the visitor's language."""
    return count_of_points(points, visit.language)


def head(visit: Visit, title: str, *, back: str = "", undo: int | None = None) -> Markup:
    """The bar at the top: ``back`` is an address, home without one.

    ``undo`` is the number of the change that its button takes back, 0 for none, None for no button.
    """
    undo_name = visit.say("page.undo")
    button = (
        None
        if undo is None
        else act_button(
            "undo", icon("undo"), value=undo, disabled=not undo, named=undo_name, look="bare"
        )
    )
    name = visit.say("domino_page.back_to_game") if back else None
    return top_bar(visit, title, button, answered(visit), back=back or "./", back_name=name)


def take_back_named(table: DominoTable, act: Act) -> None:
    """Take back the change that the button of ``head`` named, and no other."""
    if act.value.isdecimal() and len(act.value) < 10:
        table.take_back(int(act.value))


def take_photo(
    visit: Visit, table: DominoTable, number: int, player: int, ids: Sequence[str]
) -> KeptHandReading | None:
    """Read the photo that was taken of a hand; None, and said why, where it can't be read."""
    visit.answered += 1
    for name in ids[:1]:
        try:
            photo = sent_photo(visit, name)
            return table.read_hand(number, player, _taken(visit, table.game_id, photo))
        except (PhotoError, StoreError) as error:
            visit.notify(refusal(error, visit))
    return None


def _taken(visit: Visit, game_id: str, photo: CachedPhoto) -> TablePhoto:
    """The photo under the name by which pages show it: kept with the game if that was agreed."""
    visit.photos.give_to(photo, game_id)
    name = photo.id
    if visit.keep_photos:
        name = keep_photo(visit.store, game_id, photo.data, consent=True, decoder=visit.decode).id
    return TablePhoto(name, lambda: photo.data, photo.width, photo.height)


def share_row(visit: Visit, game: Game) -> Markup | None:
    """The result as a picture and for BG Stats, once it is known."""
    if not game.results.complete:
        return None
    play = tag("a", visit.say("result.bg_stats"), href=bg_stats_link(game), class_="button")
    return tag("div", card_link(visit, game.id), play, class_="row centred")


def winner_card(visit: Visit, sentence: str, game: Game) -> Markup:
    """Who won, as large as it should be, and the next game with the same people."""
    return tag(
        "section",
        icon("trophy", "large"),
        tag("div", tag("h2", sentence), role="status"),
        next_game(visit, game),
        share_row(visit, game),
        class_="card winner stack",
    )


@dataclass(frozen=True)
class HandLine:
    """A player with the hand of this round, its points, and what to say under the name."""

    player: Player
    hand: KeptHand | None
    points: int = 0
    below: str = ""


def hand_address(game_id: str, number: int, player: int) -> str:
    """The page of a player's hand in a round."""
    return address(game=game_id, view="hand", round=number, seat=player + 1)


def hand_lines(visit: Visit, game_id: str, number: int, lines: Sequence[HandLine]) -> Markup:
    """The lines, of which the first without a hand is due.

    The acts are ``photo`` with ``hand:ROUND:PLAYER`` and ``out`` with the same.
    """
    due = next((each for each in lines if each.hand is None), None)
    drawn = [_line(visit, game_id, number, each, is_due=each is due) for each in lines]
    return tag("ul", *drawn, class_="hands")


def _line(visit: Visit, game_id: str, number: int, line: HandLine, *, is_due: bool) -> Markup:
    name = line.player.name
    below = tag("small", line.below, class_="soft") if line.below else None
    who = tag("span", tag("strong", name), below, class_="grow who")
    where = hand_address(game_id, number, line.player.id)
    # Another round is another line, so that nothing of the last one keeps the focus.
    marks: dict[str, str | int] = {
        "data_key": f"hand-{number}-{line.player.id}",
        "data_player": line.player.id,
    }
    if line.hand is None:
        value = f"hand:{number}:{line.player.id}"
        words = spoken(visit.say("domino_page.photo_of", name=name), visit.say("domino_page.photo"))
        take = photo_field(visit, words, "main" if is_due else "", value=value, many=False)
        out_name = visit.say("domino_page.out_of", name=name)
        out = act_button("out", spoken(out_name, visit.say("domino_page.out")), value=value)
        hand_name = visit.say("domino_page.by_hand", name=name)
        by_hand = go_link(where, icon("hand"), look="button bare", named=hand_name)
        return tag("li", who, take, out, by_hand, class_="row", **marks)
    count = line.hand.checks
    said = visit.say(
        "domino_page.hand_of", name=name, number=number, points=points_of(visit, line.points)
    )
    if count:
        said = visit.say("domino_page.check", name=name, count=count)
    mark = tag("span", icon("doubt"), str(count), class_="mark") if count else None
    figure = tag("span", mark, tag("strong", line.points), class_="points")
    opened = go_link(
        where,
        spoken(said, joined(who, figure, icon("next"))),
        look="row known" + (" doubtful" if count else ""),
    )
    return tag("li", opened, **marks)


def _newest(message: Message) -> list[tuple[int, Message]]:
    """A piece sends all that it holds, so the newest message is the change."""
    return [(message.seq, message)]


_PIECE = Component("domino_piece", "pip_dominoes/static/pieces.mjs", _newest)

_WORDS = {
    "hand": ("hand.",),
    "keypad": ("keypad.", "hand.erase"),
    "clock": ("clock.",),
}
_SHARED = {
    "undo": "page.undo",
    "sheet.close": "page.close",
    "sync.late": "domino_page.sync_late",
    "points.unit.one": "domino_page.point",
    "points.unit.several": "domino_page.points",
}
_FIELDS = ("count", "name", "number", "pips", "points", "tile")


def piece_words(name: str, language: Language) -> dict[str, str]:
    """The words of a piece by their codes, {fields} left as they are."""
    shared = {code: say(asked, language) for code, asked in _SHARED.items()}
    return {**words_of(_WORDS[name], language, _FIELDS), **shared}


def piece(
    name: str,
    data: Mapping[str, Any],
    *,
    key: str,
    language: Language,
    on_change: Callable[[Message], None],
) -> None:
    """Draw the piece ``hand``, ``keypad`` or ``clock`` with what it shows.

    ``on_change`` gets what a person did, before the page is drawn again; what it holds then must
    be safe, because drawing answers it. Where it raises, the phone sends again.
    """
    words = piece_words(name, language)
    _PIECE.show({**data, "piece": name, "words": words}, key=key, on_change=on_change)
