"""The kept games for a command: every kind of game known, every error said in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.cli.terminal import Exit, show, warn
from companion.games import register_kinds
from companion.languages import Language, say

if TYPE_CHECKING:  # Help need not wait for the database.
    from companion.store import Store


def with_store(language: Language, work: Callable[[Store], str]) -> int:
    """Do something with the store and show the sentence that it gives: 0, or 1 where it failed.

    The store is that of ``KINGDOMINO_DATABASE_URL``, else that of the user's data folder. Why it
    failed is said on the error stream.
    """
    from companion.store import DATABASE_ERRORS, StoreError, open_store

    register_kinds()
    try:
        store = open_store()
        try:
            show(work(store))
        finally:
            store.close()
    except StoreError as error:
        warn(say(f"store_error.{error.code}", language, **error.details))
    except DATABASE_ERRORS:
        # What the driver says may hold the address, and with it a password.
        warn(say("store_error.no_database", language))
    else:
        return Exit.DONE
    return Exit.NOT_DONE
