"""The rules of decisions, whatever is done in whichever order, by two devices at one table.

A decision changes no square of another kingdom and none of its own but those that it sets. Taking
it back gives the table without it, whatever happened elsewhere meanwhile. The same decisions give
the same table in any order. What collides is open until somebody decides it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from companion.games.kingdomino.kept_board import (
    KeptBoard,
    board_frame,
    lattice_place,
    rotated,
)
from companion.games.kingdomino.kept_reading import KeptReading
from companion.games.kingdomino.kind import board_key
from companion.games.kingdomino.table import Seat, Table, new_table
from companion.store import Actor, Outcome, Store, open_store
from companion.store.confirming import UNDO
from scorer.kingdomino import Position, Square
from tests.companion.games.kingdomino.seen import seen_as
from tests.scorer.kingdomino.random_games import play

DEVICES = (Actor("phone-one"), Actor("phone-two"))
SIDE = 5
LABELS = ("w", "f1", "l", "g2", "s", "m1", "m3", "c", ".")

places = st.tuples(st.integers(0, SIDE - 1), st.integers(0, SIDE - 1))
players = st.integers(0, 2)
devices = st.sampled_from(DEVICES)


@cache
def one_store() -> Store:
    """One for all examples, each of which plays games of its own."""
    return open_store("sqlite://")


@dataclass(frozen=True)
class Decision:
    """A square that somebody set; ``place`` is that on the lattice, ``sequence`` its change."""

    sequence: int
    player: int
    place: Position
    square: Square
    insists: bool = False


@dataclass
class Steps:
    """How often something was done to a table, in all games of a run."""

    count: int = 0


STEPS = Steps()


def differences(before: KeptBoard, after: KeptBoard) -> set[Position]:
    """The places on the lattice on which two boards show different squares."""
    cells = [{place: cell[0] for place, cell in board.cells.items()} for board in (before, after)]
    return {place for place in cells[0] | cells[1] if cells[0].get(place) != cells[1].get(place)}


class Decisions(RuleBasedStateMachine):
    """Two phones and three kingdoms that were read, one square of each in doubt."""

    def __init__(self) -> None:
        super().__init__()
        self.store = one_store()
        self.done: list[Decision] = []
        self.undone: list[Decision] = []
        self.plain = True
        """Whether nothing but squares was set, no two of them the same."""
        self.steps = 0

    def stepped(self) -> None:
        self.steps += 1
        STEPS.count += 1

    @initialize(seed=st.integers(0, 3))
    def read(self, seed: int) -> None:
        self.kingdoms = play(Random(seed), 3)
        self.table = self.fresh()

    def fresh(self) -> Table:
        """A table with the kingdoms as they were read."""
        table = new_table(self.store, DEVICES[0])
        for number, kingdom in enumerate(self.kingdoms):
            table = table.with_player(f"Player {number}")
            place = next(p for p, square in kingdom.items() if square.terrain is not None)
            doubts = {place: {str(kingdom[place]): 0.6, "l": 0.3, "w": 0.1}}
            kept = KeptReading(seen_as(str(kingdom), doubts, sure=0.9995))
            reading = self.store.keep_reading(table.game.id, kept.to_data())
            table = table.with_reading(table.seats[number], reading, kept)
        return table

    @property
    def boards(self) -> Mapping[int, KeptBoard]:
        found = {seat.player.id: seat.board for seat in self.table.again().seats}
        return {player: board for player, board in found.items() if board is not None}

    def seat(self, player: int) -> Seat:
        seat = self.table.seat(player)
        assert seat is not None
        return seat

    def decide(
        self, device: Actor, player: int, place: Position, square: Square, insists: bool = False
    ) -> None:
        """Set a square, and see that nothing else became different."""
        before = self.boards
        self.table = replace(self.table.again(), actor=device)
        if place not in [each for each, _ in before[player].kingdom.items()]:
            return
        self.table = self.table.with_square(self.seat(player), place, square, insists=insists)
        self.stepped()
        after = self.boards
        assert {p: b for p, b in after.items() if p != player} == {
            p: b for p, b in before.items() if p != player
        }
        there = lattice_place(before[player], place)
        assert differences(before[player], after[player]) <= {there}
        taken = {(each.player, each.place) for each in [*self.done, *self.undone]}
        if before[player].frame or (player, there) in taken:
            self.plain = False
        self.undone.clear()
        assert not insists or place not in self.table.again().seats[player].asked
        self.done.append(Decision(self.table.made[-1], player, there, square, insists))

    @rule(device=devices, player=players, place=places, label=st.sampled_from(LABELS))
    def paint(self, device: Actor, player: int, place: Position, label: str) -> None:
        self.decide(device, player, place, Square.parse(label))

    @rule(device=devices, player=players, place=places)
    def confirm(self, device: Actor, player: int, place: Position) -> None:
        board = self.boards[player]
        if place in [each for each, _ in board.kingdom.items()]:
            self.decide(device, player, place, board.kingdom[place])

    @rule(device=devices)
    def insist(self, device: Actor) -> None:
        """It is right, said where the box says otherwise: that place is not asked about again."""
        for seat in self.table.again().seats:
            for place in sorted(seat.asked)[:1]:
                assert seat.board is not None
                square = seat.board.kingdom[place]
                self.decide(device, seat.player.id, place, square, insists=True)

    @rule(device=devices, player=players)
    def giant(self, device: Actor, player: int) -> None:
        for place, square in self.boards[player].kingdom.items():
            if square.counting_crowns and not square.has_piece:
                covered = replace(square, giants=square.giants + 1)
                self.decide(device, player, place, covered)
                return

    @precondition(lambda self: self.done)
    @rule(device=devices, which=st.integers(0, 30))
    def take_back(self, device: Actor, which: int) -> None:
        decision = self.done.pop(which % len(self.done))
        before = self.boards
        self.table = replace(self.table.again(), actor=device)
        undone = self.table.take_back(decision.sequence)
        self.stepped()
        self.undone.append(decision)
        after = self.boards
        assert {p: b for p, b in after.items() if p != decision.player} == {
            p: b for p, b in before.items() if p != decision.player
        }
        changed = differences(before[decision.player], after[decision.player])
        assert changed <= {decision.place}
        if undone.outcome is Outcome.COLLIDED:
            assert not self.plain
            assert {each.sequence for each in self.table.again().game.collisions} >= {
                undone.sequence
            }

    @precondition(lambda self: self.undone)
    @rule(device=devices)
    def do_again(self, device: Actor) -> None:
        decision = self.undone.pop()
        self.store.redo(self.table.game.id, decision.sequence, f"redo{self.steps}", device)
        self.stepped()
        self.done.append(decision)

    @rule(device=devices, player=players, stays=st.booleans())
    def turn(self, device: Actor, player: int, stays: bool) -> None:
        """A turn changes no square, and nor does taking it back."""
        before = self.boards
        self.table = replace(self.table.again(), actor=device)
        seat = self.seat(player)
        assert seat.board is not None
        self.table = self.table.with_board(seat, rotated(seat.board, 1), "turn")
        self.stepped()
        assert differences(before[player], self.boards[player]) == set()
        if stays:
            self.plain = False
            return
        self.table = self.table.undone(*self.table.made)
        self.stepped()
        assert self.boards == before

    @rule(device=devices, player=players, place=places, label=st.sampled_from(LABELS[:5]))
    def turn_while_another_sets(
        self, device: Actor, player: int, place: Position, label: str
    ) -> None:
        """One turns, the other sets a square of the board as it was: both are there."""
        table = self.table.again()
        seat = table.seat(player)
        assert seat is not None
        assert seat.board is not None
        square, held = Square.parse(label), [each for each, _ in seat.board.kingdom.items()]
        if place not in held or seat.board.kingdom[place] == square:
            return
        there = lattice_place(seat.board, place)
        other = next(each for each in DEVICES if each != device)
        replace(table, actor=device).with_board(seat, rotated(seat.board, 1), "turn")
        made = replace(table, actor=other).with_square(seat, place, square).made[-1]
        self.stepped()
        self.stepped()
        self.plain = False
        self.undone.clear()
        self.done.append(Decision(made, player, there, square))
        now = self.boards[player]
        assert now.cells[there][0] == str(square)
        assert differences(seat.board, now) == {there}
        assert board_frame(now).turns == (board_frame(seat.board).turns + 1) % 4

    @rule(device=devices, player=players, corners=st.booleans())
    def photograph(self, device: Actor, player: int, corners: bool) -> None:
        """A new photograph, or the same one in other corners; and taken back again."""
        before = self.boards
        self.table = replace(self.table.again(), actor=device)
        kept = KeptReading(
            seen_as("c w/w f" if corners else str(self.kingdoms[player]), sure=0.9995)
        )
        reading = self.store.keep_reading(self.table.game.id, kept.to_data())
        self.table = self.table.with_reading(self.seat(player), reading, kept)
        self.stepped()
        assert {p: b for p, b in self.boards.items() if p != player} == {
            p: b for p, b in before.items() if p != player
        }
        self.table.undone(*self.table.made)
        assert self.boards == before

    @rule(player=players, places=st.tuples(places, places))
    def both_at_once(self, player: int, places: tuple[Position, Position]) -> None:
        """Two phones set squares from the same state: both, or a collision that stays open."""
        table = self.table.again()
        seat = table.seat(player)
        assert seat is not None
        assert seat.board is not None
        held = [each for each, _ in seat.board.kingdom.items()]
        labels = (Square.parse("f1"), Square.parse("l1"))
        # To set what is there already is no change that another could collide with.
        if any(place not in held or seat.board.kingdom[place] in labels for place in places):
            return
        sequences = []
        for device, place, square in zip(DEVICES, places, labels, strict=True):
            made = replace(table, actor=device).with_square(seat, place, square).made[-1]
            sequences.append(made)
            self.done.append(Decision(made, player, lattice_place(seat.board, place), square))
        self.stepped()
        self.stepped()
        self.plain = False
        self.undone.clear()
        now = self.boards[player]
        assert now.kingdom[places[0]] == labels[0]
        if places[0] == places[1]:
            open_now = {each.sequence for each in self.table.again().game.collisions}
            assert sequences[1] in open_now
        else:
            assert now.kingdom[places[1]] == labels[1]

    @invariant()
    def everybody_sees_the_same(self) -> None:
        if not hasattr(self, "table"):
            return
        one, other = (
            Table(self.store, device, self.store.game(self.table.game.id)) for device in DEVICES
        )
        assert one.shown(1) == other.shown(1)
        assert one.game.part(board_key(0)) == other.game.part(board_key(0))

    def teardown(self) -> None:
        if hasattr(self, "table") and self.plain:
            table = self.fresh()
            for decision in sorted(self.done, key=lambda each: (each.place, each.player)):
                seat = table.seat(decision.player)
                assert seat is not None
                square, insists = decision.square, decision.insists
                table = table.with_square(seat, decision.place, square, insists=insists)
            for player, board in self.boards.items():
                there = table.seat(player)
                assert there is not None
                assert there.board is not None
                assert replace(board, reading=None) == replace(there.board, reading=None)
            shown = self.table.again().shown(1)
            for key, one in table.shown(1).items():
                assert (one.offers, one.asked) == (shown[key].offers, shown[key].asked)
        if hasattr(self, "table"):
            undone = [each for each in self.store.log(self.table.game.id) if each.action == UNDO]
            assert all(each.undoes for each in undone)


def run(examples: int, steps: int) -> int:
    """Play so many games of so many rules each; how often something was done to a table."""
    STEPS.count = 0
    run_state_machine_as_test(
        Decisions,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    return STEPS.count


def test_the_rules_hold() -> None:
    run(1, 8)


@pytest.mark.slow
def test_the_rules_hold_for_longer_games() -> None:
    """``python -m benchmarks.decisions`` does thousands."""
    assert run(6, 30) > 30
