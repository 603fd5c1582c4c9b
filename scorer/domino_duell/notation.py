"""The text form of turns, parsed and formatted here and nowhere else.

A turn is one line, with or without the player's name before it::

    Anna: e6=rmw +gsk
    joker h5 e7=rcw edge +*
    swap rcw gml for ytk bsl
    swap 3
    pass

Capitals of these words don't matter, and German words go too: ``Joker``, ``Rand``, ``innen``,
``passe``, ``tausche rcw gegen ytk``.
``edge`` and ``inside`` say by hand whether the hollow is at the edge, ``+`` names what was drawn
afterwards, ``joker H`` takes the stone on H for a joker; what stands after ``#`` is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scorer.domino_duell.board import DEFAULT_SHAPE, Shape, parse_placing
from scorer.domino_duell.errors import NotationError
from scorer.domino_duell.game import HAND_SIZE, Exchange, Lay, Pass, Turn, UseJoker
from scorer.domino_duell.stone import JOKER, Piece, parse_piece

EDGE_WORDS = {"edge": True, "inside": False}
GERMAN_WORDS = {
    "rand": "edge",
    "innen": "inside",
    "tausche": "swap",
    "tauscht": "swap",
    "tausch": "swap",
    "gegen": "for",
    "passe": "pass",
    "passt": "pass",
}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text with its line and column, both from 1."""

    text: str
    line: int
    column: int

    @property
    def keyword(self) -> str:
        """The word as a keyword of the notation, whatever its capitals, from German too."""
        word = self.text.casefold()
        return GERMAN_WORDS.get(word, word)

    def error(self, code: str, **details: object) -> NotationError:
        """The error of that code at this word."""
        place = {"line": self.line, "column": self.column}
        return NotationError(code, text=self.text, **details, **place)

    def piece(self) -> Piece:
        """The stone or joker that the word names; NotationError ``bad_stone``."""
        try:
            return parse_piece(self.text)
        except NotationError as error:
            raise error.at(self.line, self.column) from None

    def placing(self, shape: Shape) -> tuple[str, Piece]:
        """The hollow and the piece of ``f6=rcw``; NotationError with the place of what is wrong."""
        try:
            return parse_placing(self.text, shape)
        except NotationError as error:
            raise error.at(self.line, self.column) from None


def words_of(text: str, line: int, column: int = 1) -> list[Word]:
    """The words of one line without its comment; ``column`` is that of its first letter."""
    bare = text.partition("#")[0]
    return [Word(found[0], line, column + found.start()) for found in re.finditer(r"\S+", bare)]


def format_turn(turn: Turn) -> str:
    """The turn in notation, which ``parse_turn`` reads back."""
    match turn:
        case Lay(joker=joker, drawn=drawn):
            words = [f"joker {joker}"] if joker is not None else []
            words.append(f"{turn.hollow}={turn.stone}")
            words += [word for word, at_edge in EDGE_WORDS.items() if at_edge is turn.at_edge]
            words += [f"+{drawn}"] if drawn is not None else []
        case UseJoker(hollow=hollow):
            words = [f"joker {hollow}"]
        case Exchange(count=count, given=given, drawn=drawn):
            words = ["swap", *(map(str, given) if given else [str(count)])]
            words += ["for", *map(str, drawn)] if drawn else []
        case Pass():
            words = ["pass"]
    text = " ".join(words)
    return f"{turn.player}: {text}" if turn.player is not None else text


def parse_turn(
    text: str, shape: Shape = DEFAULT_SHAPE, players: Sequence[str] | None = None, line: int = 1
) -> Turn:
    """The turn of one line of text, with or without the player's name before it.

    NotationError with ``line`` and ``column``: ``unknown_player`` for a name that is not among
    ``players`` (any name goes where they are not given), ``bad_turn``, ``bad_placing``,
    ``bad_stone``, ``off_board``, ``joker_laid`` or ``bad_count``.
    """
    name, colon, rest = text.partition("#")[0].partition(":")
    player = None
    column = 1
    if colon:
        player, column = name.strip(), len(name) + 2
        if players is not None and player not in players:
            first = len(name) - len(name.lstrip()) + 1
            raise NotationError("unknown_player", text=player, line=line, column=first)
        text = rest
    words = words_of(text, line, column)
    if not words:
        raise NotationError("bad_turn", text="", line=line, column=column)
    turn = _turn(words, shape)
    return replace(turn, player=player)


def _turn(words: list[Word], shape: Shape) -> Turn:
    first = words[0]
    if first.keyword == "pass":
        _check_last(words[1:])
        return Pass()
    if first.keyword == "swap":
        return _exchange(words)
    if first.keyword != "joker":
        return _lay(words, shape, None)
    if len(words) == 1:
        raise first.error("bad_turn")
    hollow = words[1]
    if hollow.text not in shape.index:
        raise hollow.error("off_board", hollow=hollow.text)
    if len(words) == 2:
        return UseJoker(hollow.text)
    return _lay(words[2:], shape, hollow.text)


def _lay(words: list[Word], shape: Shape, joker: str | None) -> Lay:
    first, *rest = words
    if "=" not in first.text:
        raise first.error("bad_turn")
    hollow, stone = first.placing(shape)
    if stone is JOKER:
        raise first.error("joker_laid")
    at_edge, drawn = None, None
    if rest and rest[0].keyword in EDGE_WORDS:
        at_edge = EDGE_WORDS[rest.pop(0).keyword]
    if rest and rest[0].text.startswith("+"):
        word = rest.pop(0)
        drawn = Word(word.text[1:], word.line, word.column + 1).piece()
    _check_last(rest)
    return Lay(stone, hollow, at_edge, joker, drawn)


def _exchange(words: list[Word]) -> Exchange:
    keywords = [word.keyword for word in words]
    middle = keywords.index("for") if "for" in keywords else len(words)
    given, drawn = words[1:middle], [word.piece() for word in words[middle + 1 :]]
    if not given or (middle < len(words) and not drawn):
        raise words[min(middle, len(words) - 1)].error("bad_count", expected=1)
    if given[0].text.isdecimal():
        _check_last(given[1:])
        try:
            count = int(given[0].text)
        except ValueError:  # Python takes no number of thousands of digits.
            raise given[0].error("bad_count", expected=HAND_SIZE) from None
        pieces: tuple[Piece, ...] = ()
    else:
        count = len(given)
        pieces = tuple(word.piece() for word in given)
    if count < 1:
        raise given[0].error("bad_count", expected=1)
    if len(drawn) not in (0, count):
        raise words[middle].error("bad_count", expected=count)
    return Exchange(count, pieces, tuple(drawn))


def _check_last(rest: Sequence[Word]) -> None:
    if rest:
        raise rest[0].error("bad_turn")
