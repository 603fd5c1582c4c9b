"""What the store tells of the games of ``earlier``, whole, held against ``golden_told.txt``.

After a change that is meant: ``GOLDEN=write pytest tests/companion/store/test_told.py``.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import companion.games as games
from companion.store import Json, Store, StoreError, open_store
from companion.store.exchange import bg_stats_play, compare_copies, export_text, schema
from companion.store.history import (
    count_games,
    find_games,
    kinds_and_players,
    results_csv,
    statistics_by_player,
    summary_of,
)
from companion.store.incoming import PicturesData
from companion.store.photos import photos_of

GOLDEN = Path(__file__).with_name("golden_told.txt")
DEVICES = (None, "annas-phone", "bens-phone")


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    path = tmp_path_factory.mktemp("earlier") / "games.sqlite"
    with closing(sqlite3.connect(path)) as opened:
        opened.executescript((Path(__file__).parent / "earlier/games.sql").read_text("utf-8"))
    games.register_kinds()
    store = open_store(f"sqlite:///{path.as_posix()}")
    yield store
    store.close()


def told(store: Store) -> Iterator[object]:
    """Lines under titles of what each question is answered."""
    whole = [*find_games(store), *find_games(store, kept=True), *find_games(store, deleted=True)]
    kinds = sorted({each.kind for each in whole})
    for device in DEVICES:
        yield f"# Games of {device}"
        yield [each.id for each in find_games(store, device=device)]
        yield [each.id for each in find_games(store, device=device, kept=True)]
        yield [each.id for each in find_games(store, device=device, deleted=True)]
        for text in ("anna", "BEN anna", "cleo", "%", "abend"):
            yield text, [each.id for each in find_games(store, text, device=device, limit=3)]
            yield count_games(store, text, device=device)
        for kind in kinds:
            yield kind, count_games(store, device=device, kind=kind, player="anna")
            details = ("wheat", "forest", "bonuses", "round:1")
            yield from statistics_by_player(store, kind, device=device, details=details)
        yield from "".join(results_csv(store, device=device)).splitlines()
        yield "".join(results_csv(store, device=device, kind="muggins"))
    for device in DEVICES[1:]:
        kinds_here, players = kinds_and_players(store, device)
        yield sorted(kinds_here), players
        held = {each.id: 6 for each in whole[::2]} | {"x" * 22: 1}
        yield compare_copies(store, device, held)
    for each in whole:
        yield f"# {each.kind} {each.id}"
        assert summary_of(store, each.id) == each
        yield each
        game = store.game(each.id)
        yield from game.results.players
        yield from game.collisions
        yield {key: part.sequence for key, part in game.parts.items()}, game.players
        yield store.devices(game.id), [len(str(each)) for each in store.readings(game.id).values()]
        yield photos_of(store, game.id)
        yield from store.changes_since(game.id, game.sequence - 2).changes
        news = store.changes_since(game.id, 1, limit=2)
        yield news.sequence, [line.action for line in news.changes], news.more, news.collisions
        if game.results.complete:
            yield bg_stats_play(game)


def as_listing(store: Store) -> str:
    listing = "".join(f"{each}\n" for each in told(store))
    export = [line[:160] for line in "".join(export_text(store)).splitlines()[1:]]
    forms = [schema(), PicturesData.model_json_schema()]
    asked = [line for form in forms for line in sorted(conditions(form, ""))]
    return "\n".join([listing, "# Exported", *export, "# What a file must be like", *asked, ""])


CONDITIONS = (
    *("pattern", "maxLength", "minimum", "maximum", "const", "enum", "required", "default"),
    "description",
)


def conditions(form: Json, path: str) -> Iterator[str]:
    """What a schema asks, by its places, in whatever words this version of the library says it."""
    for key, value in form.items() if isinstance(form, dict) else enumerate(form):
        if key in CONDITIONS:
            yield f"{path} {key}: {value}"
        elif isinstance(value, dict | list):
            yield from conditions(
                value, path if key in ("$defs", "properties") else f"{path}.{key}"
            )


def test_all_that_is_told_of_known_games(earlier: Store) -> None:
    listing = as_listing(earlier)
    if os.environ.get("GOLDEN") == "write":
        GOLDEN.write_text(listing, encoding="utf-8")
    assert listing.splitlines() == GOLDEN.read_text(encoding="utf-8").splitlines()


def test_only_finished_games_are_given_away(earlier: Store) -> None:
    (open_game,) = [each for each in find_games(earlier) if each.kind == "muggins"]
    with pytest.raises(StoreError) as caught:
        bg_stats_play(earlier.game(open_game.id))
    assert (caught.value.code, caught.value.details) == (
        "bad_value",
        {"part": "", "reason": "not_complete"},
    )
