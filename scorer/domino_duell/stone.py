"""The 64 stones and the joker: colour, symbol and colour of the symbol, in one table each."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from scorer.domino_duell.errors import NotationError


class _Named(Enum):
    """A value of a feature: its letter, its names and the number 0..3 by which it is counted."""

    def __init__(self, letter: str, english: str, german: str) -> None:
        self.letter = letter
        self.english = english
        self.german = german
        self.number = len(type(self).__members__)


class Colour(_Named):
    """The colour (Farbe) of a stone. Source: Domino-Duell, "Die Spielsteine"."""

    YELLOW = ("y", "yellow", "gelb")
    RED = ("r", "red", "rot")
    BLUE = ("b", "blue", "blau")
    GREEN = ("g", "green", "grün")


class Symbol(_Named):
    """The symbol (Symbol) on a stone. Source: Domino-Duell, "Die Spielsteine"."""

    CIRCLE = ("c", "circle", "Kreis")
    MOON = ("m", "moon", "Mond")
    TRIANGLE = ("t", "triangle", "Dreieck")
    STAR = ("s", "star", "Stern")


class SymbolColour(_Named):
    """The colour of the symbol (Symbolfarbe). Source: Domino-Duell, "Die Spielsteine"."""

    WHITE = ("w", "white", "weiß")
    BLACK = ("k", "black", "schwarz")
    GREY = ("g", "grey", "grau")
    LIGHT_BLUE = ("l", "light blue", "hellblau")


Feature = Colour | Symbol | SymbolColour
FEATURES: tuple[type[Colour], type[Symbol], type[SymbolColour]] = (Colour, Symbol, SymbolColour)


@dataclass(frozen=True, slots=True)
class Stone:
    """A stone (Spielstein); its notation is the letters of its features, ``rcw``.

    ``number`` is 0..63: two bits for each feature, colour first. Three stones and the one that
    makes them a quadruple have numbers whose exclusive or is 0.
    """

    colour: Colour
    symbol: Symbol
    symbol_colour: SymbolColour
    number: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        colour, symbol, ink = (feature.number for feature in self.features)
        object.__setattr__(self, "number", 16 * colour + 4 * symbol + ink)

    @classmethod
    def parse(cls, text: str) -> Stone:
        """The stone of a notation; NotationError ``bad_stone`` for any other text."""
        try:
            return _BY_NOTATION[text]
        except KeyError:
            raise NotationError("bad_stone", text=text) from None

    def __str__(self) -> str:
        return "".join(feature.letter for feature in self.features)

    def __hash__(self) -> int:
        return self.number

    @property
    def features(self) -> tuple[Colour, Symbol, SymbolColour]:
        """Colour, symbol and colour of the symbol."""
        return self.colour, self.symbol, self.symbol_colour


class Joker(Enum):
    """A blank stone of the reserve, notation ``*``. Source: Domino-Duell, "Variante"."""

    JOKER = "*"

    def __str__(self) -> str:
        return self.value


JOKER = Joker.JOKER
JOKERS = 4
"""How many jokers the box holds."""

Piece = Stone | Joker
"""What can lie in a hollow, in a hand or in the bag."""

STONES = tuple(
    Stone(colour, symbol, ink) for colour in Colour for symbol in Symbol for ink in SymbolColour
)
"""All stones, each once, by number."""

_BY_NOTATION = {str(stone): stone for stone in STONES}


def parse_piece(text: str) -> Piece:
    """The stone or joker of a notation; NotationError ``bad_stone`` for any other text."""
    return JOKER if text == JOKER.value else Stone.parse(text)
