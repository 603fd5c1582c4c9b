"""A game in work and who works on it: what the tables of all games have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.store import (
    Actor,
    Change,
    Confirmed,
    Game,
    Json,
    Outcome,
    Store,
    StoreError,
    new_id,
)
from companion.store.confirming import undo_target

CREATED = "create"
"""The action of the first parts of a game, which nobody takes back."""


class GameTable:
    """What people can do to any game. Everything is kept before a method returns.

    A subclass has the ``store``, the ``actor`` and the ``game`` that the next change is based on.
    """

    if TYPE_CHECKING:

        @property
        def store(self) -> Store: ...

        @property
        def actor(self) -> Actor: ...

        @property
        def game(self) -> Game: ...

    def confirm(
        self,
        part: str,
        value: Json,
        action: str,
        *,
        change_id: str = "",
        based_on: int | None = None,
        may_collide: bool = True,
    ) -> Confirmed:
        """Set a part. The same ``change_id`` twice is one change.

        ``based_on`` is the number of the state that the change was made from, where it is not that
        of ``game``. Unless it ``may_collide``, StoreError ``bad_value`` with the reason
        ``somebody_was_faster`` where somebody else has set the same place meanwhile; then the
        collision stands, and what was there before stays.
        """
        game = self.game
        number = game.part(part).sequence if based_on is None else based_on
        change = Change(part, value, number, change_id or new_id(), action)
        confirmed = self.store.change(game.id, change, self.actor)
        if confirmed.outcome is Outcome.COLLIDED and not may_collide:
            raise StoreError("bad_value", part=part, reason="somebody_was_faster")
        return confirmed

    def take_back(self, *sequences: int, change_id: str = "") -> Confirmed:
        """Undo these changes, named by their numbers, the last one first.

        The same ``change_id`` twice is one undo. StoreError ``nothing_to_undo``.
        """
        for number, sequence in enumerate(reversed(sequences)):
            name = change_id and f"{change_id}.{number}" if len(sequences) > 1 else change_id
            confirmed = self.store.undo(self.game.id, sequence, name or new_id(), self.actor)
        return confirmed

    def settle(self, sequence: int, *, take_other: bool) -> Confirmed:
        """Decide what collided of a change. StoreError ``no_collision``."""
        return self.store.settle_collision(
            self.game.id, sequence, self.actor, take_other=take_other
        )

    def is_confirmed(self, change_id: str) -> bool:
        """Whether a change of that id has been kept."""
        return any(each.change_id == change_id for each in self.store.log(self.game.id))

    def last_own(self) -> int | None:
        """The number of the change that this device made last and has not taken back."""
        log = self.store.log(self.game.id)
        return undo_target((each for each in log if each.action != CREATED), self.actor.device)


def new_game(store: Store, kind: str, names: Sequence[str], actor: Actor, **parts: Json) -> Game:
    """A new game of players with these names in seat order."""
    players = [{"id": number, "name": name} for number, name in enumerate(names)]
    return store.create_game(kind, {"players": players, **parts}, actor)
