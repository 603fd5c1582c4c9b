"""The dominoes on the table at Muggins: where one fits, and what the open ends come to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from scorer.pip_dominoes.errors import RulesError
from scorer.pip_dominoes.games import MUGGINS_SET
from scorer.pip_dominoes.tiles import Hand, Tile


def reach(chain: Iterable[Tile], number: int) -> int | None:
    """The free half at the far end of a chain joined to ``number``; None if it doesn't match."""
    for tile in chain:
        if not tile.has(number):
            return None
        number = tile.beside(number)
    return number


def end_of(chain: Iterable[Tile], number: int) -> int:
    """Like ``reach`` for a chain that is known to match; ValueError for another."""
    far = reach(chain, number)
    if far is None:
        raise ValueError("chain: expected neighbours that match")
    return far


def find_misfit(chain: Iterable[Tile], number: int) -> Tile | None:
    """The first tile that doesn't match what lies before it; None if all do."""
    for tile in chain:
        if not tile.has(number):
            return tile
        number = tile.beside(number)
    return None


def orient(chain: Iterable[Tile], number: int) -> Iterator[str]:
    """Each tile as text, the half first that touches the tile before it, or ``number``."""
    for tile in chain:
        far = tile.beside(number)
        yield f"{number}|{far}"
        number = far


DIVISOR = 5


class Spot(Enum):
    """Where a tile can be laid; a line without a double has two ends, a spinner four arms."""

    START = "start"
    LEFT = "left"
    RIGHT = "right"
    SIDE_1 = "side 1"
    SIDE_2 = "side 2"
    END_1 = "end 1"
    END_2 = "end 2"

    def __str__(self) -> str:
        return self.value


SIDES = (Spot.SIDE_1, Spot.SIDE_2)
ENDS = (Spot.END_1, Spot.END_2)
ARMS = (*SIDES, *ENDS)
BAR, NO_TILE = "/", "."


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """An end that counts: the tile that lies there, and the pips that it adds."""

    tile: Tile
    value: int


@dataclass(frozen=True, slots=True)
class Play:
    """A tile laid at a place."""

    tile: Tile
    spot: Spot

    def __str__(self) -> str:
        return f"{self.tile} {self.spot}"


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a round of Muggins.

    Until the first double lies, ``line`` has the tiles from left to right. That double is the
    ``spinner``, and ``arms`` are the chains from it outward: two at its sides, two at its ends.

    The notation of a line is its tiles, ``6|3 3|4``; with a spinner come the arms, side by side
    before end by end, ``2|2 / 2|6 6|1 / 2|0 / 2|4``, a dot for an empty arm before others.

    RulesError ``outside_set`` (more than six pips a half), ``tile_twice``, ``does_not_fit`` (a
    chain whose neighbours differ), ``several_doubles`` (a line from which nobody can tell the
    spinner), ``no_spinner`` (arms from something else), ``ends_before_sides`` or
    ``too_many_arms``.

    Source: sheet, "Muggins, Spielablauf"; decision 3.
    """

    line: tuple[Tile, ...] = ()
    spinner: Tile | None = None
    arms: tuple[tuple[Tile, ...], ...] = ((), (), (), ())

    def __post_init__(self) -> None:
        for tile in self.tiles:
            if tile.high > MUGGINS_SET:
                raise RulesError("outside_set", tile=str(tile), set=MUGGINS_SET)
            if self.tiles.count(tile) > 1:
                raise RulesError("tile_twice", tile=str(tile))
        if self.spinner is None:
            self._check_line()
        else:
            self._check_arms(self.spinner)

    def _check_line(self) -> None:
        if any(self.arms) or any(tile.is_double for tile in self.line):
            raise RulesError("no_spinner")
        if not self.line:
            return
        # Two tiles that are no doubles share one number at most: that settles how they lie.
        first = self.line[0]
        misfits = [find_misfit(self.line, left) for left in (first.low, first.high)]
        if None not in misfits:
            farthest = max(filter(None, misfits), key=self.line.index)
            raise RulesError("does_not_fit", tile=str(farthest))

    def _check_arms(self, spinner: Tile) -> None:
        if not spinner.is_double or self.line:
            raise RulesError("no_spinner")
        if len(self.arms) != len(ARMS):
            raise RulesError("too_many_arms", arms=len(self.arms))
        for arm in self.arms:
            if (tile := find_misfit(arm, spinner.low)) is not None:
                raise RulesError("does_not_fit", tile=str(tile))
        if any(self.arms[2:]) and not all(self.arms[:2]):
            raise RulesError("ends_before_sides")

    @classmethod
    def parse(cls, text: str) -> Layout:
        """The layout of a notation; NotationError ``bad_tile``, or RulesError as above."""
        first, *arms = (
            tuple(Tile.parse(word) for word in part.split() if word != NO_TILE)
            for part in text.split(BAR)
        )
        if not any(arms):
            return cls.of_line(first)
        if len(arms) > len(ARMS):
            raise RulesError("too_many_arms", arms=len(arms))
        if len(first) != 1:
            raise RulesError("no_spinner")
        return cls((), first[0], (*arms, *([()] * (len(ARMS) - len(arms)))))

    @classmethod
    def of_line(cls, tiles: tuple[Tile, ...]) -> Layout:
        """The layout of tiles in a line, where the only double is the spinner between its sides."""
        doubles = [number for number, tile in enumerate(tiles) if tile.is_double]
        if not doubles:
            return cls(tiles)
        if len(doubles) > 1:
            raise RulesError("several_doubles")
        left, right = tiles[: doubles[0]], tiles[doubles[0] + 1 :]
        sides = sorted((tuple(reversed(left)), right), key=lambda side: not side)
        return cls((), tiles[doubles[0]], (*sides, (), ()))

    def __str__(self) -> str:
        if self.spinner is None:
            return " ".join(orient(self.line, self._left)) if self.line else ""
        number = self.spinner.low
        parts = [" ".join(orient(arm, number)) or NO_TILE for arm in self.arms]
        while parts and parts[-1] == NO_TILE:
            parts.pop()
        return f" {BAR} ".join([str(self.spinner), *parts])

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile on the table."""
        middle = () if self.spinner is None else (self.spinner,)
        return (*self.line, *middle, *(tile for arm in self.arms for tile in arm))

    @property
    def _left(self) -> int:
        """The free half on the left of a line."""
        first = self.line[0]
        return first.low if reach(self.line, first.low) is not None else first.high

    @property
    def playable(self) -> dict[Spot, int]:
        """The number that fits at each open place; nothing before the first tile lies.

        The ends of the spinner open when both of its sides are taken.
        """
        if self.spinner is not None:
            number = self.spinner.low
            open_arms = ARMS if all(self.arms[:2]) else SIDES
            return {
                spot: end_of(arm, number)
                for spot, arm in zip(ARMS, self.arms, strict=True)
                if spot in open_arms
            }
        if not self.line:
            return {}
        left = self._left
        return {Spot.LEFT: left, Spot.RIGHT: end_of(self.line, left)}

    def open_ends(self, *, spinner_counts: bool = True) -> tuple[OpenEnd, ...]:
        """The ends that count, with the pips they add.

        A double at the end of an arm counts both halves. So does the spinner, once, until both
        of its sides are taken; then its own pips count no more, nor an end of it that nothing
        lies at. ``spinner_counts`` = False leaves the spinner out altogether (decision 3).
        """
        if self.spinner is None:
            if not self.line:
                return ()
            ends = self.playable
            return (
                OpenEnd(self.line[0], ends[Spot.LEFT]),
                OpenEnd(self.line[-1], ends[Spot.RIGHT]),
            )
        number = self.spinner.low
        own = (
            ()
            if all(self.arms[:2]) or not spinner_counts
            else (OpenEnd(self.spinner, self.spinner.pips),)
        )
        outer = (
            OpenEnd(arm[-1], arm[-1].pips if arm[-1].is_double else end_of(arm, number))
            for arm in self.arms
            if arm
        )
        return (*own, *outer)

    def total(self, *, spinner_counts: bool = True) -> int:
        """The pips of all ends that count."""
        return sum(end.value for end in self.open_ends(spinner_counts=spinner_counts))

    def points(self, *, spinner_counts: bool = True) -> int:
        """What the play that made this layout scores."""
        return ends_points([self.total(spinner_counts=spinner_counts)])

    def legal_plays(self, hand: Hand) -> tuple[Play, ...]:
        """Every way to lay a tile of the hand, tile by tile; empty where one must draw or pass."""
        return tuple(play for tile in hand for play in self._plays_of(tile))

    def _plays_of(self, tile: Tile) -> Iterator[Play]:
        if tile in self.tiles or tile.high > MUGGINS_SET:
            return
        if not self.tiles:
            yield Play(tile, Spot.START)
        for spot, number in self.playable.items():
            if tile.has(number):
                yield Play(tile, spot)

    def after(self, play: Play) -> Layout:
        """The layout once the tile lies; the first double becomes the spinner.

        RulesError ``spot_not_open``, ``does_not_fit``, ``tile_twice`` or ``outside_set``.
        """
        tile, spot = play.tile, play.spot
        if spot is Spot.START and not self.tiles:
            return Layout((), tile) if tile.is_double else Layout((tile,))
        if spot not in self.playable:
            raise RulesError("spot_not_open", spot=str(spot))
        if not tile.has(self.playable[spot]):
            raise RulesError("does_not_fit", tile=str(tile))
        if self.spinner is not None:
            number = ARMS.index(spot)
            arm = (*self.arms[number], tile)
            return replace(self, arms=(*self.arms[:number], arm, *self.arms[number + 1 :]))
        if tile.is_double:
            inward = self.line if spot is Spot.LEFT else tuple(reversed(self.line))
            return Layout((), tile, (inward, (), (), ()))
        line = (tile, *self.line) if spot is Spot.LEFT else (*self.line, tile)
        return Layout(line)


def ends_points(values: Iterable[int]) -> int:
    """The points for open ends of these values: their total where it is divisible by five.

    A total of 0 is divisible, and worth 0 (decision 19). Source: sheet, "Abrechnen von Divisor 5
    während des Spiels".
    """
    total = sum(values)
    return 0 if total % DIVISOR else total


def is_blocked(layout: Layout, hands: Iterable[Hand], boneyard: int) -> bool:
    """Whether the boneyard is empty and no tile of any hand fits (decision 4)."""
    return boneyard == 0 and not any(layout.legal_plays(hand) for hand in hands)
