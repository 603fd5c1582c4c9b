"""The last change of a part taken back or done again, as a page does that names it."""

from __future__ import annotations

from companion.games.table import GameTable
from companion.store import Actor, Confirmed, Store
from companion.store.confirming import REDO, UNDO, undo_target


def undo_last(
    store: Store,
    game_id: str,
    part: str,
    change_id: str,
    actor: Actor | None = None,
    *,
    only_own: bool = False,
) -> Confirmed:
    """StoreError ``nothing_to_undo`` where there is nothing left of the part, or of the actor."""
    actor = actor or Actor()
    lines = [each for each in store.log(game_id) if each.part == part]
    sent = {each.change_id: each.undoes for each in lines}
    device = actor.device if only_own else None
    found = sent.get(change_id) or undo_target(lines, device) or 0
    return store.undo(game_id, found, change_id, actor)


def redo_last(
    store: Store,
    game_id: str,
    part: str,
    change_id: str,
    actor: Actor | None = None,
    *,
    only_own: bool = False,
) -> Confirmed:
    """StoreError ``nothing_to_redo`` where something new was done since."""
    actor = actor or Actor()
    undone: list[int] = []
    for each in store.log(game_id):
        if each.part != part or (only_own and each.device != actor.device):
            continue
        if each.action == UNDO and each.undoes:
            undone.append(each.undoes)
        elif each.action == REDO and each.undoes:
            undone.remove(each.undoes)
        else:
            undone.clear()
    return store.redo(game_id, undone[-1] if undone else 0, change_id, actor)


def take_back_last(table: GameTable) -> bool:
    """Take back what the device of a table did last; whether there was anything."""
    last = table.last_own()
    if last is not None:
        table.take_back(last)
    return last is not None
