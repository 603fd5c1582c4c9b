"""Everything out as JSON, CSV or for BG Stats, and JSON in again."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from copy import deepcopy
from io import StringIO
from urllib.parse import unquote

import pytest
from jsonschema import Draft202012Validator  # has no types

from companion.games.kingdomino.kind import board_key
from companion.store import Game, Json, Store, StoreError, open_store
from companion.store.exchange import (
    Imported,
    bg_stats_link,
    bg_stats_play,
    export_games,
    import_games,
    schema,
)
from companion.store.history import delete_game, find_games, results_csv
from tests.companion.store.table_talk import ANNA, BEN, FOUR, SEVEN, board, new_game, send


def played(store: Store) -> Game:
    """A game with a merge, a collision, an undo, a reading."""
    game = new_game(store, rules={"harmony": True})
    store.keep_reading(game.id, {"labels": ["w"]})
    first = send(store, game, board("w w1", corrected=[[0, 0]]), 0)
    send(store, game, board("f w1", corrected=[[0, 0]]), first.part_sequence)
    send(store, game, board("l w1", corrected=[[0, 0]]), first.part_sequence, actor=BEN)
    send(store, game, board(SEVEN), 0, board_key(1))
    store.undo(game.id, board_key(1), "u")
    store.redo(game.id, board_key(1), "r")
    return store.game(game.id)


def as_text(export: Json) -> Json:
    return json.loads(json.dumps(export))


def test_the_schema_is_a_schema_and_exports_follow_it(store: Store) -> None:
    Draft202012Validator.check_schema(schema())
    played(store)
    for with_devices in (False, True):
        export = as_text(export_games(store, with_devices=with_devices))
        assert list(Draft202012Validator(schema()).iter_errors(export)) == []


def test_an_import_gives_the_same_games_and_twice_changes_nothing(
    store: Store, new_url: Callable[[], str]
) -> None:
    game = played(store)
    deleted = new_game(store)
    delete_game(store, deleted.id, ANNA)
    export = as_text(export_games(store))
    other = open_store(new_url())
    assert import_games(other, export, "there") == Imported(new=2)
    assert import_games(other, export, "there") == Imported(known=2)
    assert other.game(game.id) == game
    assert [line.value for line in other.log(game.id)] == [
        line.value for line in store.log(game.id)
    ]
    assert other.readings(game.id) == store.readings(game.id)
    assert [each.id for each in find_games(other, device="there")] == [game.id]
    assert [each.id for each in find_games(other, deleted=True)] == [deleted.id]
    assert as_text(export_games(other))["games"] == export["games"]
    assert other.undo(game.id, board_key(1), "u2").value is None
    other.close()


def test_a_game_that_went_on_is_continued_and_one_that_split_is_kept_twice(
    store: Store, new_url: Callable[[], str]
) -> None:
    game = played(store)
    early = as_text(export_games(store))
    other = open_store(new_url())
    import_games(other, early)
    send(store, game, {"dynasty": True}, 1, "rules")
    late = as_text(export_games(store))
    assert import_games(other, late) == Imported(continued=1)
    assert other.game(game.id).values == store.game(game.id).values
    assert import_games(other, early) == Imported(known=1)
    send(other, game, {"middle_kingdom": True}, 2, "rules")
    send(store, game, {"harmony": True}, 2, "rules")
    split = as_text(export_games(store))
    assert import_games(other, split) == Imported(copied=1)
    assert import_games(other, split) == Imported(known=1)
    assert len(find_games(other)) == 2
    other.close()


def test_an_export_gives_no_device_away_unless_asked(store: Store) -> None:
    new_game(store)
    assert ANNA.device not in json.dumps(export_games(store))
    assert ANNA.device in json.dumps(export_games(store, with_devices=True))
    assert export_games(store, device=BEN.device)["games"] == []


def broken(change: Callable[[Json], object]) -> Callable[[Json], Json]:
    def apply(export: Json) -> Json:
        copy = deepcopy(export)
        change(copy)
        return copy

    return apply


@pytest.mark.parametrize(
    "wrong",
    [
        lambda _: [],
        broken(lambda e: e.update(format="other")),
        broken(lambda e: e.update(version=2)),
        broken(lambda e: e.pop("exported_at")),
        broken(lambda e: e["games"][0].update(id="../../etc/passwd")),
        broken(lambda e: e["games"][0].update(created_at="2026-02-31T25:00:00Z")),
        broken(lambda e: e["games"][0]["changes"].pop(1)),
        broken(lambda e: e["games"][0]["changes"][2].update(change_id="new:players")),
        broken(lambda e: e["games"][0]["changes"][2].update(part_sequence=7)),
        broken(lambda e: e["games"][0]["changes"][2].update(value={"kingdom": "q"})),
        broken(lambda e: e["games"][0]["changes"][2].update(value="\0")),
        broken(lambda e: e["games"][0]["collisions"][0].update(sequence=99)),
    ],
)
def test_a_broken_import_changes_nothing(
    store: Store, new_url: Callable[[], str], wrong: Callable[[Json], Json]
) -> None:
    played(store)
    other = open_store(new_url())
    with pytest.raises(StoreError) as caught:
        import_games(other, wrong(as_text(export_games(store))))
    assert caught.value.code in ("bad_import", "bad_value")
    assert export_games(other)["games"] == []
    other.close()


def test_results_as_a_table(store: Store) -> None:
    game = store.create_game(
        "kingdomino",
        {
            "players": [{"id": 0, "name": "=Anna"}, {"id": 1, "name": "Ben, jun."}],
            board_key(0): board(SEVEN),
            board_key(1): board(FOUR),
        },
    )
    rows = list(csv.DictReader(StringIO(results_csv(store))))
    assert [(row["player"], row["points"], row["place"], row["won"]) for row in rows] == [
        ("'=Anna", "7", "1", "1"),
        ("Ben, jun.", "4", "2", "0"),
    ]
    assert rows[0]["forest"] == "3"
    assert game.id not in results_csv(store)
    assert results_csv(store, kind="muggins").startswith("game,kind")


def test_a_play_for_bg_stats(store: Store) -> None:
    game = new_game(store, about={"played_at": "2026-03-01T20:30:00+01:00", "place": "Ulm"})
    with pytest.raises(StoreError, match="not_complete"):
        bg_stats_play(game)
    send(store, game, board(FOUR), 0)
    send(store, game, board(SEVEN), 0, board_key(1))
    game = store.game(game.id)
    play = bg_stats_play(game)
    assert play["playDate"] == "2026-03-01 19:30:00"
    assert play["game"]["bggId"] == 204583
    assert [
        (p["name"], p["score"], p["rank"], p["winner"], p["startPlayer"]) for p in play["players"]
    ] == [("Anna", 4, 2, False, False), ("Ben", 7, 1, True, False)]
    link = bg_stats_link(game)
    assert game.id not in link
    address, _, data = link.partition("?data=")
    assert address == "bgstats://app.bgstatsapp.com/createPlay.html"
    assert json.loads(unquote(data)) == play


def test_what_no_database_takes_is_refused_and_leaves_nothing(store: Store) -> None:
    game = new_game(store)
    export = export_games(store)
    (exported,) = export["games"]
    exported["id"] = "another-game-0123456789"
    collision = {"sequence": 1, "part": "players", "leaf": "", "kept": 1, "other": 2}
    exported["collisions"] = [{**collision, "settled_by": None}] * 2
    with pytest.raises(StoreError, match="bad_import"):
        import_games(store, export, ANNA.device)
    assert [each.id for each in find_games(store)] == [game.id]


def test_more_changes_than_an_evening_has_are_refused_before_anybody_waits(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_game(store)
    export = export_games(store)
    monkeypatch.setattr("companion.store.exchange.MAX_CHANGES", 0)

    def writing() -> None:
        raise AssertionError("the others wait")

    monkeypatch.setattr(store, "writing", writing)
    with pytest.raises(StoreError, match="bad_import"):
        import_games(store, export, "device-of-another-1")
