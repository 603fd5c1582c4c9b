"""Everything out as JSON, CSV or for BG Stats, and JSON in again."""

from __future__ import annotations

import csv
import json
import random
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from pathlib import Path
from unittest.mock import ANY
from urllib.parse import unquote

import pytest
from jsonschema import Draft202012Validator  # has no types
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlalchemy.orm import Session

from companion import games
from companion.games.kingdomino.kept_reading import KeptReading
from companion.games.kingdomino.kind import KINGDOMINO, board_key
from companion.games.pip_dominoes.kind import CASTLE_ROCK
from companion.store import Game, Json, Store, StoreError, open_store
from companion.store.exchange import (
    Imported,
    bg_stats_link,
    bg_stats_play,
    export_games,
    export_text,
    import_games,
    schema,
)
from companion.store.history import delete_game, erase_game, find_games, results_csv
from companion.store.incoming import ExportData, check_form, parsed
from tests.companion.games.kingdomino.readings import kingdom_reading
from tests.companion.store.table_talk import ANNA, BEN, FOUR, SEVEN, board, new_game, send
from tests.companion.store.undoing import redo_last, undo_last

READING: Json = KeptReading(kingdom_reading("w"), "photo-1", 40, 30).to_data()


def played(store: Store) -> Game:
    """A game with a merge, a collision, an undo, a reading."""
    game = new_game(store, rules={"harmony": True})
    store.keep_reading(game.id, READING)
    first = send(store, game, board("w w1", corrected=[[0, 0]]), 0)
    send(store, game, board("f w1", corrected=[[0, 0]]), first.part_sequence)
    send(store, game, board("l w1", corrected=[[0, 0]]), first.part_sequence, actor=BEN)
    send(store, game, board(SEVEN), 0, board_key(1))
    undo_last(store, game.id, board_key(1), "u")
    redo_last(store, game.id, board_key(1), "r")
    return store.game(game.id)


@pytest.fixture
def sqlite(tmp_path: Path, empty_database: Path) -> Iterator[Store]:
    """For what no database can make a difference to."""
    opened = open_store(f"sqlite:///{shutil.copy(empty_database, tmp_path / 'games.sqlite')}")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def of_one_game(
    tmp_path_factory: pytest.TempPathFactory, empty_database: Path
) -> Callable[[], Json]:
    """Gives the export of ``played``, to be spoilt, with every call."""
    path = shutil.copy(empty_database, tmp_path_factory.mktemp("played") / "games.sqlite")
    store = open_store(f"sqlite:///{path}")
    played(store)
    text = "".join(export_text(store))
    store.close()
    return lambda: json.loads(text)


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
    assert import_games(other, export, "elsewhere") == Imported(known=2)
    for device in ("there", "elsewhere"):
        assert [each.id for each in find_games(other, device=device)] == [game.id]
    assert [each.id for each in find_games(other, deleted=True)] == [deleted.id]
    assert as_text(export_games(other))["games"] == export["games"]
    assert undo_last(other, game.id, board_key(1), "u2").value is None
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
    (copy,) = {each.id for each in find_games(other)} - {game.id}
    assert len(copy) == 32
    erase_game(other, copy)
    assert import_games(other, split) == Imported(copied=1)
    delete_game(other, copy, BEN)
    assert import_games(other, split) == Imported(continued=1)
    assert {each.id for each in find_games(other)} == {game.id, copy}
    other.close()


def test_a_game_whose_every_id_is_taken_is_refused(
    sqlite: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(sqlite)
    export = as_text(export_games(sqlite))
    export["games"][0]["changes"][0]["who"] = "Eve"
    monkeypatch.setattr("companion.store.exchange._ids", lambda data: iter([data.id]))
    with pytest.raises(StoreError) as caught:
        import_games(sqlite, export)
    assert caught.value.details == {"place": "$.games", "reason": "id_taken"}
    assert sqlite.log(game.id)[0].who == "Anna"


@pytest.mark.parametrize("kind", [DataError, IntegrityError])
def test_what_a_database_does_not_take_is_told_as_such(
    sqlite: Store, monkeypatch: pytest.MonkeyPatch, kind: type[DBAPIError]
) -> None:
    def refuse(*_: object) -> None:
        raise kind("INSERT", {}, Exception())

    export = as_text(export_games(sqlite, game_ids=[new_game(sqlite).id]))
    monkeypatch.setattr("companion.store.exchange._take_in", refuse)
    with pytest.raises(StoreError) as caught:
        import_games(sqlite, export)
    assert caught.value.code == "bad_import"
    assert caught.value.details == {"place": "$", "reason": "not_kept"}


def test_a_collision_that_was_settled_since_makes_no_other_game(
    store: Store, new_url: Callable[[], str]
) -> None:
    game = played(store)
    early = as_text(export_games(store))
    (collision,) = store.game(game.id).collisions
    store.settle_collision(game.id, collision.sequence, ANNA, take_other=True)
    assert import_games(store, early) == Imported(known=1)
    assert store.game(game.id).collisions == ()
    other = open_store(new_url())
    import_games(other, early)
    assert other.game(game.id).collisions == (collision,)
    assert import_games(other, as_text(export_games(store))) == Imported(continued=1)
    assert other.game(game.id).collisions == ()
    other.close()


def test_a_photo_that_was_read_since_makes_no_other_game(
    store: Store, new_url: Callable[[], str]
) -> None:
    game = new_game(store)
    early = as_text(export_games(store))
    reading = store.keep_reading(game.id, READING)
    assert import_games(store, early) == Imported(known=1)
    assert store.readings(game.id) == {reading: READING}
    other = open_store(new_url())
    import_games(other, early)
    send(store, game, {"title": "Ostern"}, 0, "about")
    assert import_games(other, as_text(export_games(store))) == Imported(continued=1)
    assert other.readings(game.id) == {reading: READING}
    other.close()


def test_an_export_gives_no_device_away_unless_asked(store: Store) -> None:
    new_game(store)
    assert ANNA.device not in json.dumps(export_games(store))
    assert ANNA.device in json.dumps(export_games(store, with_devices=True))
    assert export_games(store, device=BEN.device)["games"] == []


def test_a_device_gets_no_game_of_others_by_its_id(store: Store) -> None:
    game = new_game(store)
    pieces = export_text(store, device=BEN.device, game_ids=[game.id])
    assert json.loads("".join(pieces))["games"] == []
    assert export_games(store, device=BEN.device, game_ids=[game.id])["games"] == []
    new_game(store)
    some = export_games(store, device=ANNA.device, game_ids=[game.id, "x"])["games"]
    assert [each["id"] for each in some] == [game.id]


def broken(change: Callable[[Json], object]) -> Callable[[Json], Json]:
    def apply(export: Json) -> Json:
        change(export)
        return export

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
    store: Store, of_one_game: Callable[[], Json], wrong: Callable[[Json], Json]
) -> None:
    with pytest.raises(StoreError) as caught:
        import_games(store, wrong(of_one_game()))
    assert caught.value.code in ("bad_import", "bad_value")
    assert export_games(store)["games"] == []


Change = Callable[[Json], object]

TAMPERED: dict[str, tuple[Change, str]] = {
    "points that are a text": (
        lambda g: g["changes"][2].update(points={"0": "7"}),
        "$.games[0].changes[2].points.0",
    ),
    "points of nobody": (
        lambda g: g["changes"][2].update(points={"anna": 7}),
        "$.games[0].changes[2].points.anna.[key]",
    ),
    "a list of points": (lambda g: g["changes"][2].update(points=[7]), ".changes[2].points"),
    "a year before": (lambda g: g.update(created_at="1899-01-01T00:00:00+00:00"), ".created_at"),
    "a year after": (lambda g: g["changes"][0].update(at="9999-12-31T23:59:59Z"), ".changes[0].at"),
    "no zone": (lambda g: g["changes"][0].update(at="2026-01-01T00:00:00"), ".changes[0].at"),
    "a number for a moment": (lambda g: g["changes"][0].update(at=1e9), ".changes[0].at"),
    "a name of two lines": (lambda g: g["changes"][0].update(who="An\nna"), ".changes[0].who"),
    "an unknown field": (lambda g: g["changes"][0].update(more=1), ".changes[0].more"),
    "based on the future": (lambda g: g["changes"][3].update(based_on=9), ".changes[3].based_on"),
    "undoes another part": (lambda g: g["changes"][-2].update(undoes=1), ".changes[6].undoes"),
    "undoes nothing": (lambda g: g["changes"][-2].update(undoes=99), ".changes[6].undoes"),
    "sent and applied": (lambda g: g["changes"][2].update(sent=1), ".changes[2].sent"),
    "no board": (lambda g: g["changes"][2].update(value={"kingdom": "q"}), ".changes[2]"),
    "no board was sent": (lambda g: g["changes"][4]["sent"].update(origin=0), ".changes[4]"),
    "a text for a truth": (lambda g: g["changes"][2].update(value={"x": 1}), ".changes[2]"),
    "rules that are right but for these players": (
        lambda g: (
            g["changes"][0]["value"].append({"id": 2, "name": "Cleo", "colour": None}),
            g["changes"][1].update(value={"mighty_duel": True}),
        ),
        "$.games[0].changes[0].value",
    ),
    "deep": (lambda g: g["readings"].update(r=nested(60)), ".readings.r"),
    "large": (lambda g: g["readings"].update(r={"x": "x" * 600_000}), ".readings.r"),
    "no reading": (lambda g: g["readings"].update(r={"labels": ["w"]}), ".readings.r"),
    "a reading of another form": (
        lambda g: g["readings"].update(r={**READING, "width": "40"}),
        ".readings.r",
    ),
    "leaf of nonsense": (lambda g: g["collisions"][0].update(leaf="a,b"), ".collisions[0].kept"),
    "leaf of nothing": (lambda g: g["collisions"][0].update(leaf="9,9"), ".collisions[0].kept"),
    "a kept value that is none": (
        lambda g: g["collisions"][0].update(kept="s"),
        ".collisions[0].kept",
    ),
    "another value that was not sent": (
        lambda g: g["collisions"][0].update(other={"x": 1}),
        ".collisions[0].other",
    ),
    "collision of another change": (
        lambda g: g["collisions"][0].update(sequence=3),
        ".collisions[0].sequence",
    ),
    "settled before": (lambda g: g["collisions"][0].update(settled_by=1), "[0].settled_by"),
    "no collision": (lambda g: g["collisions"].clear(), ".collisions"),
    "deleted without a word": (
        lambda g: g.update(deleted_at="2026-01-01T00:00:00Z"),
        ".deleted_at",
    ),
    "not quite deleted": (
        lambda g: g["changes"][2].update(part="game", part_sequence=1, value={"deleted": 1}),
        "$.games[0].changes[",
    ),
}


def nested(depth: int) -> Json:
    return {"x": nested(depth - 1)} if depth else {}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_game_is_refused_with_its_place_and_nothing_changed(
    sqlite: Store, of_one_game: Callable[[], Json], name: str
) -> None:
    """Even beside a game that is right."""
    export = of_one_game()
    export["games"].append({**deepcopy(export["games"][0]), "id": "another-game-0123456789"})
    change, place = TAMPERED[name]
    change(export["games"][0])
    with pytest.raises(StoreError) as caught:
        import_games(sqlite, export)
    assert caught.value.code == "bad_import"
    assert place in str(caught.value.details["place"])
    assert caught.value.details["reason"]
    assert export_games(sqlite)["games"] == []


@pytest.mark.parametrize(
    "change",
    [
        lambda g: g["changes"][2]["value"].update(kingdom="s w1"),
        lambda g: g["changes"][2].update(who="Eve"),
        lambda g: g["changes"][2].update(points={"0": 99}),
        lambda g: g["changes"][2].update(at="2026-02-01T00:00:00+00:00"),
        lambda g: g["changes"][2].update(action="photo"),
        lambda g: g["changes"][0]["value"][0].update(name="Eve"),
        lambda g: g.update(created_at="2026-02-01T00:00:00+00:00"),
        lambda g: next(iter(g["readings"].values())).update(width=41),
        lambda g: g.update(kept=True),
    ],
)
@pytest.mark.parametrize("longer", [False, True])
def test_what_has_the_numbers_of_a_game_but_says_something_else_is_a_copy(
    sqlite: Store, of_one_game: Callable[[], Json], change: Change, longer: bool
) -> None:
    early = of_one_game()
    import_games(sqlite, early)
    game = sqlite.game(early["games"][0]["id"])
    forged = deepcopy(early)
    change(forged["games"][0])
    if longer:
        last = forged["games"][0]["changes"][-1]
        more = {"sequence": last["sequence"] + 1, "part_sequence": last["part_sequence"] + 1}
        fresh = {**last, **more, "change_id": "forged", "undoes": None}
        forged["games"][0]["changes"].append(fresh)
    assert import_games(sqlite, forged) == Imported(copied=1)
    assert sqlite.game(game.id) == game
    found = {each["id"]: each for each in as_text(export_games(sqlite))["games"]}
    assert found[game.id] == early["games"][0]
    assert import_games(sqlite, forged) == Imported(known=1)
    forged["games"][0]["changes"][0]["action"] = "forged again"
    assert import_games(sqlite, forged) == Imported(copied=1)
    assert len(find_games(sqlite)) + len(find_games(sqlite, kept=True)) == 3


def test_a_continued_game_keeps_who_did_what_here(store: Store, new_url: Callable[[], str]) -> None:
    """Only what is new comes in: undoing what this device did still works."""
    game = new_game(store, rules={"harmony": True})
    other = open_store(new_url())
    import_games(other, as_text(export_games(store)), BEN.device)
    other.close()
    before = store.log(game.id)
    file = as_text(export_games(store))
    line = {**file["games"][0]["changes"][1], "sequence": 3, "part_sequence": 2, "based_on": 1}
    line |= {"change_id": "elsewhere", "value": {"dynasty": True}, "device": "forged-device"}
    file["games"][0]["changes"].append(line)
    file["games"][0]["devices"] = [{"device": "forged-device", "joined_at": line["at"]}]
    assert import_games(store, file, BEN.device) == Imported(continued=1)
    log = store.log(game.id)
    assert log[:2] == before
    assert [each.device for each in log] == [ANNA.device, ANNA.device, ""]
    assert find_games(store, device="forged-device") == []
    assert [each.id for each in find_games(store, device=BEN.device)] == [game.id]
    undo_last(store, game.id, "rules", "u", ANNA, only_own=True)
    assert store.log(game.id)[-1].undoes == 2


def test_nothing_is_checked_while_the_others_wait(
    sqlite: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = as_text(export_games(sqlite, game_ids=[played(sqlite).id]))
    export["games"][0]["id"] = "another-game-0123456789"
    waiting = []
    writing, check = sqlite.writing, KINGDOMINO.check

    @contextmanager
    def counted() -> Iterator[Session]:
        with writing() as session:
            waiting.append(True)
            yield session
            waiting.pop()

    def checked(part: str, value: Json, game: Mapping[str, Json]) -> Json:
        assert not waiting
        return check(part, value, game)

    monkeypatch.setattr(sqlite, "writing", counted)
    monkeypatch.setattr(KINGDOMINO, "check", checked)
    assert import_games(sqlite, export) == Imported(new=1)


NONSENSE: list[Json] = [
    None,
    True,
    -1,
    10**30,
    0.5,
    "",
    "x",
    "9" * 300,
    "\ud800",
    "\0",
    [],
    {},
    [[]],
    {"x": 1},
]


def places(value: Json) -> Iterator[tuple[Json, Json]]:
    """Every container with each of its keys."""
    for key in [*value] if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


@pytest.mark.parametrize("cases", [50, pytest.param(400, marks=pytest.mark.slow)])
def test_an_export_with_nonsense_anywhere_is_refused_or_does_no_harm(
    sqlite: Store, cases: int
) -> None:
    """Whatever is taken in can be shown, undone, changed and exported again."""
    games.register_kinds()
    file = Path(__file__).parent / "earlier" / "games.json"
    whole = json.loads(file.read_text(encoding="utf-8"))
    rng = random.Random(25)
    taken = refused = 0
    codes = set()
    for number in range(cases):
        export = {**whole, "games": [deepcopy(rng.choice(whole["games"]))], "names": []}
        game = export["games"][0]
        container, key = rng.choice([*places(game)])
        container[key] = rng.choice(NONSENSE)
        if game.get("id") and rng.random() < 0.5:
            game["id"] = f"nonsense-{number:08}"
        try:
            found = import_games(sqlite, export, "my-phone")
        except StoreError as error:
            codes.add(error.code)
            refused += 1
            continue
        taken += found.new
        for each in find_games(sqlite, device="my-phone", limit=9) if found.new else []:
            sqlite.log(each.id)
            json.dumps(export_games(sqlite, game_ids=[each.id]))
            for part in sqlite.game(each.id).parts:
                undo_last(sqlite, each.id, part, f"u{number}{part}")
            erase_game(sqlite, each.id)
    assert codes <= {"bad_import", "unknown_kind"}
    assert taken > cases / 30
    assert refused > cases / 2


@pytest.mark.parametrize("with_devices", [False, True])
def test_the_text_of_an_export_says_the_same_in_pieces(store: Store, with_devices: bool) -> None:
    for _ in range(5):
        played(store)
    pieces = list(export_text(store, with_devices=with_devices))
    assert len(pieces) == 1 + 5 + 1
    told = export_games(store, with_devices=with_devices)
    assert json.loads("".join(pieces)) == as_text(told) | {"exported_at": ANY}


def test_an_export_holds_nothing_between_its_pieces(sqlite: Store) -> None:
    """A game that is erased before its turn is left out, and whoever writes does not wait."""
    games = [played(sqlite).id for _ in range(3)]
    pieces = export_text(sqlite)
    told = next(pieces)
    erase_game(sqlite, games[1])
    told += "".join(pieces)
    assert [each["id"] for each in json.loads(told)["games"]] == [games[0], games[2]]


def test_results_as_a_table(store: Store) -> None:
    game = store.create_game(
        "kingdomino",
        {
            "players": [{"id": 0, "name": "=Anna"}, {"id": 1, "name": "Ben, jun."}],
            board_key(0): board(SEVEN),
            board_key(1): board(FOUR),
        },
    )
    rows = list(csv.DictReader(StringIO("".join(results_csv(store)))))
    assert [(row["player"], row["points"], row["place"], row["won"]) for row in rows] == [
        ("'=Anna", "7", "1", "1"),
        ("Ben, jun.", "4", "2", "0"),
    ]
    assert rows[0]["forest"] == "3"
    assert game.id not in "".join(results_csv(store))
    assert next(results_csv(store, kind="muggins")).startswith("game,kind")


def test_a_play_for_bg_stats(store: Store) -> None:
    about = {"played_at": "2026-03-01T20:30:00+01:00", "place": "Ulm", "note": "Nach dem Essen"}
    game = new_game(store, about=about)
    with pytest.raises(StoreError, match="not_complete"):
        bg_stats_play(game)
    send(store, game, board(FOUR), 0)
    send(store, game, board(SEVEN), 0, board_key(1))
    game = store.game(game.id)
    play = bg_stats_play(game)
    assert play["playDate"] == "2026-03-01 19:30:00"
    assert play["sourcePlayId"] == f"kingdomino-{game.created_at:%Y%m%d%H%M%S%f}"
    assert (play["location"], play["comments"]) == ("Ulm", "Nach dem Essen")
    assert play["game"] == {
        "name": "Kingdomino",
        "sourceGameId": "kingdomino",
        "highestWins": True,
        "noPoints": False,
        "bggId": 204583,
    }
    assert [
        (p["name"], p["score"], p["rank"], p["winner"], p["startPlayer"]) for p in play["players"]
    ] == [("Anna", 4, 2, False, False), ("Ben", 7, 1, True, False)]
    link = bg_stats_link(game)
    assert game.id not in link
    address, _, data = link.partition("?data=")
    assert address == "bgstats://app.bgstatsapp.com/createPlay.html"
    assert json.loads(unquote(data)) == play


def test_a_file_is_bounded_before_it_is_taken_apart() -> None:
    """By its bytes and by what stands between values, each of which takes many times its bytes."""
    text = b'{"a": [1, 2]}'
    assert parsed(text, len(text), 4) == {"a": [1, 2]}
    for bounds in ((len(text) - 1, 4), (len(text), 3)):
        with pytest.raises(StoreError) as caught:
            parsed(text, *bounds)
        assert caught.value.details == {"place": "$", "reason": "too_large"}
    with pytest.raises(StoreError) as caught:
        parsed(b"{", 9, 9)
    assert caught.value.details == {"place": "$", "reason": "not_json"}


def test_a_game_has_so_many_readings_and_no_more(of_one_game: Callable[[], Json]) -> None:
    export = of_one_game()
    export["games"][0]["readings"] = {f"r{n}": {} for n in range(2000)}
    assert len(check_form(ExportData, export).games[0].readings) == 2000
    export["games"][0]["readings"]["more"] = {}
    with pytest.raises(StoreError) as caught:
        check_form(ExportData, export)
    assert caught.value.details == {"place": "$.games[0].readings", "reason": "value_error"}


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
    with pytest.raises(StoreError) as caught:
        import_games(store, export, "device-of-another-1")
    assert caught.value.code == "bad_import"
    assert caught.value.details == {"place": "$.games", "reason": "too_many_changes"}


def test_just_so_many_changes_are_taken_in(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game(store, about={"title": "Käse"})
    export = export_games(store)
    assert '"Käse"' in "".join(export_text(store))
    erase_game(store, game.id)
    monkeypatch.setattr("companion.store.exchange.MAX_CHANGES", 2)
    assert import_games(store, export) == Imported(new=1)


def test_long_logs_go_in_by_portions(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    game = played(store)
    log, export = store.log(game.id), export_games(store, with_devices=True)
    erase_game(store, game.id)
    monkeypatch.setattr("companion.store.exchange._ROWS_AT_ONCE", 3)
    import_games(store, export, ANNA.device)
    assert store.log(game.id) == tuple(replace(each, device="") for each in log)


def test_what_was_deleted_here_and_is_brought_in_again_is_there(store: Store) -> None:
    """One that was deleted where it comes from stays deleted."""
    here, there = new_game(store), new_game(store)
    delete_game(store, there.id, ANNA)
    export = export_games(store)
    delete_game(store, here.id, BEN)
    assert import_games(store, export, ANNA.device) == Imported(continued=1, known=1)
    assert [store.is_deleted(each.id) for each in (here, there)] == [False, True]
    assert [(each.action, each.device) for each in store.log(here.id)[-2:]] == [
        ("delete", BEN.device),
        ("restore", ANNA.device),
    ]
    assert import_games(store, export, ANNA.device) == Imported(known=2)
    assert len(store.log(here.id)) == 3


def test_a_game_that_went_on_between_looking_and_writing_is_looked_at_again(
    sqlite: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(sqlite, rules={"harmony": True})
    early = as_text(export_games(sqlite))
    send(sqlite, game, {"dynasty": True}, 1, "rules")
    late = as_text(export_games(sqlite))
    erase_game(sqlite, game.id)
    import_games(sqlite, early)
    writing = sqlite.writing

    def after_another() -> object:
        monkeypatch.setattr(sqlite, "writing", writing)
        import_games(sqlite, late)
        return writing()

    monkeypatch.setattr(sqlite, "writing", after_another)
    assert import_games(sqlite, late) == Imported(known=1)
    assert sqlite.game(game.id).sequence == 3


def test_moments_are_those_of_the_log_and_of_what_is_told(store: Store) -> None:
    game = new_game(store)
    empty = store.create_game(KINGDOMINO.key)
    send(store, game, {"played_at": "2026-03-01T20:30:00+01:00"}, 0, "about")
    export = export_games(store)
    before = [store.game(each.id) for each in (game, empty)]
    for each in before:
        erase_game(store, each.id)
    import_games(store, export)
    assert [store.game(each.id) for each in (game, empty)] == before
    assert before[1].changed_at == before[1].created_at == before[1].played_at
    assert before[1].players == ()
    send(store, game, None, 1, "about")
    assert store.game(game.id).played_at == game.created_at


def test_a_play_says_only_what_is_known(store: Store) -> None:
    game = new_game(store)
    send(store, game, board(FOUR), 0)
    send(store, game, board(SEVEN), 0, board_key(1))
    play = bg_stats_play(store.game(game.id))
    assert play["playDate"] == f"{store.game(game.id).changed_at:%Y-%m-%d %H:%M:%S}"
    assert "location" not in play
    assert "comments" not in play
    assert [each["role"] for each in play["players"]] == ["pink", ""]
    assert [each["sourcePlayerId"] for each in play["players"]] == ["anna", "ben"]
    send(store, game, {"note": "x" * 401}, 0, "about")
    assert bg_stats_play(store.game(game.id))["comments"] == "x" * 400
    hand = {"hand": {"tiles": "1|2"}}
    parts = {"players": [{"id": 0, "name": "Anna"}], "rules": {"set": 6}, "round:1": hand}
    patience = bg_stats_play(store.create_game(CASTLE_ROCK.key, parts))["game"]
    assert patience["highestWins"] is False
    assert "bggId" not in patience


WRONG: dict[str, tuple[Change, str, str]] = {
    "based on itself": (
        lambda g: g["changes"][2].update(based_on=1), ".changes[2].based_on", "bad_log",
    ),
    "undoes itself": (lambda g: g["changes"][6].update(undoes=7), ".changes[6].undoes", "bad_log"),
    "undoes an undo": (lambda g: g["changes"][7].update(undoes=7), ".changes[7].undoes", "bad_log"),
    "removed the whole game": (
        lambda g: g["changes"][5].update(part="game", part_sequence=1, value=None),
        ".changes[5].value", "bad_log",
    ),
    "another number": (
        lambda g: g["changes"][1].update(sequence=3), ".changes[1].sequence", "bad_log",
    ),
    "an id twice": (
        lambda g: g["changes"][1].update(change_id="new:players"),
        ".changes[1].change_id", "bad_log",
    ),
    "settled by the end of the log": (
        lambda g: g["collisions"][0].update(settled_by=9),
        ".collisions[0].settled_by", "bad_log",
    ),
    "settled by itself": (
        lambda g: g["collisions"][0].update(settled_by=5),
        ".collisions[0].settled_by", "bad_log",
    ),
    "settled elsewhere": (
        lambda g: g["collisions"][0].update(settled_by=6),
        ".collisions[0].settled_by", "bad_log",
    ),
    "collided elsewhere": (
        lambda g: g["collisions"][0].update(part="board:1:1"), ".collisions[0].part", "bad_log",
    ),
    "collided twice": (
        lambda g: g["collisions"].append(g["collisions"][0]), ".collisions[1].sequence", "bad_log",
    ),
    "collided after the end": (
        lambda g: g["collisions"][0].update(sequence=9), ".collisions[0].sequence", "bad_log",
    ),
    "a collision that nobody keeps": (
        lambda g: g["changes"][4].update(outcome="merged"), ".collisions[0].sequence", "bad_log",
    ),
    "more that collided": (
        lambda g: g["changes"][3].update(outcome="collided", sent={"kingdom": "w"}),
        ".collisions", "bad_log",
    ),
    "brought back": (lambda g: g.update(deleted_at=g["created_at"]), ".deleted_at", "bad_log"),
    "as many fields more": (
        lambda g: g.update({f"x{n}": 1 for n in range(9)}), ".x0", "extra_forbidden",
    ),
    "too many fields more": (
        lambda g: g.update({f"x{n}": 1 for n in range(10)}), "", "value_error",
    ),
    "a moment too long": (
        lambda g: g.update(created_at=f"2026-01-01T00:00:00.{15 * '0'}+00:00"),
        ".created_at", "value_error",
    ),
    "a part of no game": (
        lambda g: g["changes"][1].update(part="nonsense"), ".changes[1]", "bad_part",
    ),
    "a deletion that says more": (
        lambda g: g["changes"][7].update(
            part="game", part_sequence=1, based_on=0, undoes=None, value={"deleted": False, "x": 1}
        ),
        ".changes[7]", "bad_form",
    ),
    "a text for a number": (
        lambda g: g["readings"].update(r={**READING, "width": "4"}), ".readings.r", "bad_reading",
    ),
    "a blank before a name": (
        lambda g: g["changes"][0].update(who=" A"), ".changes[0].who", "value_error",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_told_where_and_why(
    sqlite: Store, of_one_game: Callable[[], Json], name: str
) -> None:
    change, place, reason = WRONG[name]
    export = of_one_game()
    change(export["games"][0])
    with pytest.raises(StoreError) as caught:
        import_games(sqlite, export)
    assert caught.value.code == "bad_import"
    assert caught.value.details == {"place": f"$.games[0]{place}", "reason": reason}


@pytest.mark.parametrize(
    ("change", "place", "reason"),
    [
        (lambda e: e.update(format="x"), "$.format", "not_an_export"),
        (lambda e: e.update(version=2), "$.version", "other_version"),
        (lambda e: e["games"].append(e["games"][0]), "$.games", "game_twice"),
        (lambda e: e.update({"x" * 300: 1}), "$." + "x" * 198, "extra_forbidden"),
    ],
)
def test_a_wrong_export_is_told_where_and_why(
    sqlite: Store, of_one_game: Callable[[], Json], change: Change, place: str, reason: str
) -> None:
    export = of_one_game()
    change(export)
    with pytest.raises(StoreError) as caught:
        import_games(sqlite, export)
    assert caught.value.details == {"place": place, "reason": reason}
    with pytest.raises(StoreError) as caught:
        import_games(sqlite, [])
    assert caught.value.details == {"place": "$.format", "reason": "not_an_export"}


def test_what_is_right_to_the_last_digit_is_taken(
    sqlite: Store, of_one_game: Callable[[], Json]
) -> None:
    export = of_one_game()
    export["games"][0]["created_at"] = f"2026-01-01T00:00:00.{14 * '0'}+00:00"
    export["games"][0]["collisions"][0]["settled_by"] = None
    assert import_games(sqlite, export) == Imported(new=1)
    (game,) = find_games(sqlite)
    assert game.played_at.isoformat() == "2026-01-01T00:00:00+00:00"


def test_a_play_without_a_date_is_of_when_it_ended(store: Store) -> None:
    game = new_game(store)
    send(store, game, board(FOUR), 0)
    send(store, game, board(SEVEN), 0, board_key(1))
    ended = store.game(game.id)
    ended = replace(ended, changed_at=ended.changed_at + timedelta(hours=3))
    assert bg_stats_play(ended)["playDate"] == f"{ended.changed_at:%Y-%m-%d %H:%M:%S}"
