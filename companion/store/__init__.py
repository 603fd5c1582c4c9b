"""Games kept: every confirmed change in a database, whatever the kind of game."""

from companion.store.database import (
    DATABASE_ERRORS,
    URL_VARIABLE,
    data_folder,
    database_url,
    why_unusable,
)
from companion.store.errors import StoreError
from companion.store.kinds import (
    GameKind,
    PlayerResult,
    Results,
    kind_of,
    players_of,
    ranked,
    register,
    registered,
)
from companion.store.merging import Json, LeafCollision, Merged
from companion.store.model import (
    Actor,
    Change,
    Changes,
    Collision,
    Confirmed,
    Game,
    Logged,
    Outcome,
    Part,
    Player,
)
from companion.store.store import Store, new_id, open_store

__all__ = [
    "DATABASE_ERRORS",
    "URL_VARIABLE",
    "Actor",
    "Change",
    "Changes",
    "Collision",
    "Confirmed",
    "Game",
    "GameKind",
    "Json",
    "LeafCollision",
    "Logged",
    "Merged",
    "Outcome",
    "Part",
    "Player",
    "PlayerResult",
    "Results",
    "Store",
    "StoreError",
    "data_folder",
    "database_url",
    "kind_of",
    "new_id",
    "open_store",
    "players_of",
    "ranked",
    "register",
    "registered",
    "why_unusable",
]
