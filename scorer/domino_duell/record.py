"""A whole game written down: as text, and as plain data for JSON.

The text has a line for each fact and each turn; what stands after ``#`` is a comment::

    players Anna, Ben
    start f6=rtl f7=bmg g5=gml g6=ycw
    hand Anna: ytk bsl rcw
    begins Ben
    ends edge
    jokers

    Ben: e6=rmw +gsk
    swap 3

Capitals of these words don't matter, a colon may follow the first one, and German words go too:
``Spieler``, ``Start``, ``Hand``, ``beginnt``, ``endet Rand``, ``Joker``. Only ``players`` and
``start`` must be there. A line that starts with a bar is a row of the board's drawing, for boards
of another shape. The turns are those of ``notation``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from scorer.domino_duell.board import DEFAULT_SHAPE, Board, Shape
from scorer.domino_duell.errors import NotationError, SetUpError
from scorer.domino_duell.game import End, SetUp, Turn
from scorer.domino_duell.notation import Word, format_turn, parse_turn, words_of
from scorer.domino_duell.stone import JOKER, JOKERS, Piece, parse_piece

BAR = "|"


@dataclass(frozen=True)
class Record:
    """A game as it was written down; ``lines`` are those of the turns in its text, from 1."""

    set_up: SetUp
    turns: tuple[Turn, ...] = ()
    lines: tuple[int, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> Record:
        """The game of a text, its turns not yet checked against the rules: ``replay`` does that.

        NotationError with ``line`` and ``column``: those of ``parse_turn``, of ``Shape`` and of
        ``SetUp``, or ``unknown_line``, ``line_twice``, ``late_line`` (a fact after the first
        turn), ``line_missing`` (players or start), ``unknown_player``, ``hollow_twice``.
        """
        return _RecordText(text).record()

    def __str__(self) -> str:
        return "\n".join([*_head(self.set_up), "", *map(format_turn, self.turns)]).strip() + "\n"

    def to_data(self) -> dict[str, Any]:
        """The game as dictionaries, lists, texts and flags, ready for JSON."""
        set_up = self.set_up
        hands = zip(set_up.players, set_up.hands, strict=False)
        return {
            "players": list(set_up.players),
            "board": None if set_up.shape == DEFAULT_SHAPE else list(set_up.shape.rows),
            "start": {hollow: str(piece) for hollow, piece in set_up.start.items()},
            "hands": {name: [str(piece) for piece in hand] for name, hand in hands if hand},
            "begins": set_up.players[set_up.begins],
            "end": set_up.end.value,
            "jokers": set_up.jokers,
            "turns": [format_turn(turn) for turn in self.turns],
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Record:
        """The game of what ``to_data`` gave. NotationError, BoardError or SetUpError as there.

        KeyError, TypeError or ValueError for data of another form.
        """
        players = tuple(data["players"])
        board = data.get("board")
        shape = DEFAULT_SHAPE if board is None else Shape(tuple(board))
        hands = data.get("hands") or {}
        if set(hands) - set(players):
            raise SetUpError("unknown_player", player=sorted(set(hands) - set(players))[0])
        set_up = SetUp(
            players,
            Board.of(data["start"], shape),
            tuple(tuple(parse_piece(piece) for piece in hands.get(name, ())) for name in players),
            players.index(data["begins"]) if "begins" in data else 0,
            End(data.get("end", End.STONES)),
            bool(data.get("jokers", False)),
        )
        turns = data.get("turns", ())
        return cls(set_up, tuple(parse_turn(turn, shape, players) for turn in turns))


def is_record(text: str) -> bool:
    """Whether a text is that of a game, which says its players; else it may be a board's."""
    lines = (words_of(line, number) for number, line in enumerate(text.splitlines(), start=1))
    return any(words and _keyword(words) == "players" for words in lines)


def parse_board(text: str) -> Board:
    """The board of a text such as ``f6=rtl g5=gml``, on as many lines as one likes.

    Lines that start with a bar draw a board of another shape. NotationError with ``line`` and
    ``column``: ``bad_placing``, ``bad_stone``, ``off_board``, ``hollow_twice``, ``piece_twice``
    ``too_many_jokers`` or those of ``Shape``.
    """
    drawing, lines = _without_drawing(text)
    shape = _shape(drawing)
    return _position([word for number, line in lines for word in words_of(line, number)], shape)


_Lines = list[tuple[int, str]]
"""Lines of a text with their numbers from 1."""


def _without_drawing(text: str) -> tuple[_Lines, _Lines]:
    """The rows of the drawing with their bars, and the lines that say anything else."""
    lines = list(enumerate(text.splitlines(), start=1))
    drawing = [(number, line) for number, line in lines if _is_drawn(line)]
    rest = [(number, line) for number, line in lines if not _is_drawn(line)]
    return drawing, [(number, line) for number, line in rest if words_of(line, number)]


def _is_drawn(line: str) -> bool:
    return line.lstrip().startswith(BAR)


def _shape(drawing: _Lines) -> Shape:
    if not drawing:
        return DEFAULT_SHAPE
    try:
        return Shape(tuple(line.partition(BAR)[2].rstrip() for _, line in drawing))
    except NotationError as error:
        row, column = error.details.get("line", 1), error.details.get("column", 1)
        assert isinstance(row, int)
        assert isinstance(column, int)
        number, line = drawing[row - 1]
        place = {"line": number, "column": line.index(BAR) + 1 + column}
        raise NotationError(error.code, **(error.details | place)) from None


def _position(words: Sequence[Word], shape: Shape) -> Board:
    pieces: dict[str, Piece] = {}
    for word in words:
        hollow, piece = word.placing(shape)
        if hollow in pieces:
            raise word.error("hollow_twice", hollow=hollow)
        times = list(pieces.values()).count(piece)
        if piece is JOKER and times == JOKERS:
            raise word.error("too_many_jokers", found=times + 1, allowed=JOKERS)
        if piece is not JOKER and times:
            raise word.error("piece_twice", stone=str(piece))
        pieces[hollow] = piece
    return Board.of(pieces, shape)


class _RecordText:
    """The lines of a game's text, by their first word."""

    def __init__(self, text: str) -> None:
        drawing, lines = _without_drawing(text)
        self.shape = _shape(drawing)
        self.facts: dict[str, list[Word]] = {}
        self.hands: dict[str, list[Word]] = {}
        self.players: tuple[str, ...] = ()
        self.turns: list[Turn] = []
        self.turn_lines: list[int] = []
        self.last_line = text.count("\n") + 1
        for number, line in lines:
            self._take(number, line)

    def _take(self, number: int, line: str) -> None:
        words = words_of(line, number)
        keyword = _keyword(words)
        named = line.partition(":")[0].strip() in self.players
        if keyword in _FACTS and not named:
            if self.turns:
                raise words[0].error("late_line")
            if keyword != "hand":
                if keyword in self.facts:
                    raise words[0].error("line_twice")
                self.facts[keyword] = words
            _FACTS[keyword](self, line.partition("#")[0], words)
            return
        if not self.players:
            raise words[0].error("unknown_line")
        self.turns.append(parse_turn(line, self.shape, self.players, number))
        self.turn_lines.append(number)

    def _take_players(self, line: str, words: list[Word]) -> None:
        names = line.strip().removeprefix(words[0].text).split(",")
        self.players = tuple(name.strip() for name in names)

    def _take_hand(self, line: str, words: list[Word]) -> None:
        name, colon, pieces = line.partition(":")
        player = name.strip().removeprefix(words[0].text).strip()
        if not colon or player not in self.players:
            raise words[min(1, len(words) - 1)].error("unknown_player")
        if player in self.hands:
            raise words[0].error("line_twice")
        self.hands[player] = words_of(pieces, words[0].line, len(name) + 2)

    def _take_word(self, line: str, words: list[Word]) -> None:
        """``begins``, ``ends`` and ``start`` are looked at when all lines are known."""
        if len(words) == 1:
            raise words[0].error("unknown_line")

    def _take_flag(self, line: str, words: list[Word]) -> None:
        if len(words) > 1:
            raise words[1].error("unknown_line")

    def record(self) -> Record:
        for keyword in ("players", "start"):
            if keyword not in self.facts:
                raise NotationError("line_missing", text=keyword, line=self.last_line, column=1)
        hands = tuple(
            tuple(word.piece() for word in self.hands.get(name, ())) for name in self.players
        )
        try:
            set_up = SetUp(
                self.players,
                _position(self.facts["start"][1:], self.shape),
                hands,
                self._begins(),
                self._end(),
                "jokers" in self.facts,
            )
        except SetUpError as error:
            self._raise_with_place(error)
        return Record(set_up, tuple(self.turns), tuple(self.turn_lines))

    def _begins(self) -> int:
        if "begins" not in self.facts:
            return 0
        _, *words = self.facts["begins"]
        name = " ".join(word.text for word in words)
        names = [" ".join(player.split()) for player in self.players]
        if name not in names:
            raise words[0].error("unknown_player")
        return names.index(name)

    def _end(self) -> End:
        if "ends" not in self.facts:
            return End.STONES
        _, word, *rest = self.facts["ends"]
        end = _GERMAN_ENDS.get(word.keyword, word.keyword)
        if rest or end not in list(End):
            raise word.error("unknown_end")
        return End(end)

    def _raise_with_place(self, error: SetUpError) -> NoReturn:
        """The same error where it stands in the text: at the word that is one too many."""
        details = dict(error.details)
        word = self.facts["players"][0]
        if error.code == "start_stones":
            word = self.facts["start"][0]
        elif error.code == "hand_too_large":
            word = self.hands[str(details["player"])][-1]
        elif error.code in ("piece_twice", "jokers_not_in_play"):
            wanted = details.get("stone", "*")
            word = [each for hand in self.hands.values() for each in hand if each.text == wanted][
                -1
            ]
        details |= {"text": word.text, "line": word.line, "column": word.column}
        raise NotationError(error.code, **details) from None


_FACTS: dict[str, Callable[[_RecordText, str, list[Word]], None]] = {
    "players": _RecordText._take_players,
    "start": _RecordText._take_word,
    "hand": _RecordText._take_hand,
    "begins": _RecordText._take_word,
    "ends": _RecordText._take_word,
    "jokers": _RecordText._take_flag,
}


_GERMAN_FACTS = {
    "spieler": "players",
    "beginnt": "begins",
    "endet": "ends",
}
_GERMAN_ENDS = {"steine": "stones"}


def _keyword(words: Sequence[Word]) -> str:
    """The first word of a line as one of ``_FACTS``, whatever its capitals, from German too.

    ``joker`` alone says that jokers are in play; before a hollow it is a turn.
    """
    plain = words[0].text.removesuffix(":").casefold()
    if plain == "joker" and len(words) == 1:
        return "jokers"
    return _GERMAN_FACTS.get(plain, plain)


def _head(set_up: SetUp) -> Iterator[str]:
    yield f"players {', '.join(set_up.players)}"
    if set_up.shape != DEFAULT_SHAPE:
        yield from (f"{BAR}{row}" for row in set_up.shape.rows)
    yield f"start {set_up.start}"
    for name, hand in zip(set_up.players, set_up.hands, strict=False):
        if hand:
            yield f"hand {name}: {' '.join(map(str, hand))}"
    if set_up.begins:
        yield f"begins {set_up.players[set_up.begins]}"
    if set_up.end is not End.STONES:
        yield f"ends {set_up.end}"
    if set_up.jokers:
        yield "jokers"
