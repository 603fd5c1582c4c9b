"""A game from its first change to its winner: several phones, undo, processes killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event, select
from sqlalchemy.orm import ORMExecuteState, Session

from companion.games.kingdomino.kind import board_key
from companion.store import (
    Actor,
    Change,
    Changes,
    Confirmed,
    Game,
    Outcome,
    Store,
    StoreError,
    new_id,
    open_store,
)
from companion.store.confirming import REDO, UNDO, Line, undo_target
from companion.store.exchange import export_games, import_games
from companion.store.history import delete_game, remembered_names, restore_game
from companion.store.parts import check_plain
from companion.store.tables import CollisionRow, GameRow, NameRow
from tests.companion.store.killing import kill_a_writer, lost_changes, sound
from tests.companion.store.table_talk import (
    ANNA,
    BEN,
    FOUR,
    SEVEN,
    TWO_PLAYERS,
    board,
    new_game,
    send,
)
from tests.companion.store.undoing import redo_last, undo_last
from tests.companion.store.writer import ROOT, begin_kingdom, start_writer


def test_a_game_is_there_after_the_server_was_started_again(store: Store, url: str) -> None:
    game = new_game(store, rules={"harmony": True})
    send(store, game, board(FOUR), 0)
    store.close()
    again = open_store(url)
    found = again.game(game.id)
    again.close()
    assert [player.name for player in found.players] == ["Anna", "Ben"]
    assert found.values["rules"]["harmony"] is True
    assert found.values["board:1:0"]["kingdom"] == FOUR
    assert found.sequence == 3


def test_whether_the_database_answers(store: Store, tmp_path: Path) -> None:
    assert store.answers()
    assert not store.is_on_server or store.engine.dialect.name == "postgresql"
    other = open_store(f"sqlite:///{tmp_path / 'other.sqlite'}")
    assert other.answers()
    assert not other.is_on_server
    with other.writing() as session:
        session.connection().exec_driver_sql("DROP TABLE devices")
    assert not other.answers()
    other.close()


def test_links_cannot_be_guessed() -> None:
    ids = {new_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert min(map(len, ids)) == 22


def test_two_kingdoms_give_places_and_a_winner(store: Store) -> None:
    game = new_game(store)
    send(store, game, board(FOUR), 0)
    assert not store.game(game.id).results.complete
    send(store, game, board(SEVEN), 0, board_key(1), BEN)
    results = store.game(game.id).results
    assert results.complete
    assert [(r.player, r.points, r.place, r.won) for r in results.players] == [
        (0, 4, 2, False),
        (1, 7, 1, True),
    ]
    assert results.players[1].details["forest"] == 3


def test_a_dynasty_adds_three_games(store: Store) -> None:
    game = new_game(store, rules={"dynasty": True})
    for number in (1, 2, 3):
        assert not store.game(game.id).results.complete
        send(store, game, board(FOUR), 0, board_key(0, number))
        send(store, game, board(SEVEN if number == 2 else FOUR), 0, board_key(1, number))
    results = store.game(game.id).results
    assert [(r.points, r.place) for r in results.players] == [(12, 2), (15, 1)]


def test_changes_of_different_squares_are_merged(store: Store) -> None:
    game = new_game(store)
    first = send(store, game, board("w w1/c ."), 0)
    left = board("f w1/c .", corrected=[[0, 0]])
    right = board("w w1/c l1", corrected=[[1, 1]])
    assert send(store, game, left, first.part_sequence).outcome is Outcome.APPLIED
    merged = send(store, game, right, first.part_sequence, actor=BEN)
    assert merged.outcome is Outcome.MERGED
    assert merged.collisions == ()
    assert merged.value["kingdom"] == "f w1/c l1"
    assert merged.value["corrected"] == [[0, 0], [1, 1]]


def test_a_collision_keeps_both_and_is_told_until_it_is_settled(store: Store) -> None:
    game = new_game(store)
    first = send(store, game, board("w w1/c ."), 0)
    send(store, game, board("f w1/c .", corrected=[[0, 0]]), first.part_sequence)
    late = board("l w1/c s", corrected=[[0, 0], [1, 1]])
    told = send(store, game, late, first.part_sequence, actor=BEN)
    assert told.outcome is Outcome.COLLIDED
    assert told.value["kingdom"] == "f w1/c s"
    assert [(c.leaf, c.kept, c.other) for c in told.collisions] == [("0,0", "f", "l")]
    assert store.game(game.id).collisions == told.collisions
    assert store.changes_since(game.id, first.sequence).collisions == told.collisions
    other = send(store, game, board("f w1/c s1", corrected=[[0, 0], [1, 1]]), told.part_sequence)
    assert store.game(game.id).collisions == told.collisions
    decided = board("l w1/c s1", corrected=[[0, 0], [1, 1]])
    send(store, game, decided, other.part_sequence)
    assert store.game(game.id).collisions == ()


def test_a_collision_is_settled_by_saying_that_the_kept_one_is_right(store: Store) -> None:
    game = new_game(store)
    first = send(store, game, board("w w1"), 0)
    send(store, game, board("f w1", corrected=[[0, 0]]), first.part_sequence)
    told = send(store, game, board("l w1", corrected=[[0, 0]]), first.part_sequence)
    change = Change(
        board_key(0), told.value, told.part_sequence, "yes", "confirm", ((told.sequence, "0,0"),)
    )
    store.change(game.id, change)
    assert store.game(game.id).collisions == ()


def test_a_change_sent_twice_is_done_once(store: Store) -> None:
    game = new_game(store)
    change = Change(board_key(0), board(FOUR), 0, "once")
    first = store.change(game.id, change)
    send(store, game, board(SEVEN), first.part_sequence)
    again = store.change(game.id, change)
    assert again.again
    assert (again.sequence, again.part_sequence) == (first.sequence, 2)
    assert again.value["kingdom"] == SEVEN
    assert store.game(game.id).sequence == 3
    with pytest.raises(StoreError, match="change_id_reused"):
        store.change(game.id, Change(board_key(0), board(SEVEN), 1, "once"))


def test_a_collided_change_sent_again_is_told_again(store: Store) -> None:
    game = new_game(store)
    first = send(store, game, board("w w1"), 0)
    send(store, game, board("f w1", corrected=[[0, 0]]), first.part_sequence)
    late = Change(board_key(0), board("l w1", corrected=[[0, 0]]), 1, "late")
    told, again = store.change(game.id, late), store.change(game.id, late)
    assert again.again
    assert again.outcome is Outcome.COLLIDED
    assert again.collisions == told.collisions != ()


def test_several_changes_are_confirmed_together_or_not_at_all(store: Store) -> None:
    game = new_game(store)
    good = Change(board_key(0), board(FOUR), 0, "good")
    with pytest.raises(StoreError, match="bad_value"):
        store.change_all(game.id, [good, Change(board_key(1), board("w q"), 0, "bad")])
    assert store.game(game.id).sequence == 1
    both = store.change_all(game.id, [good, Change(board_key(1), board(SEVEN), 0, "fine")])
    assert [each.sequence for each in both] == [2, 3]


def test_a_second_phone_sees_what_was_changed_since(store: Store) -> None:
    game = new_game(store)
    joined = store.join(game.id, BEN)
    assert store.devices(game.id) == 2
    assert store.changes_since(game.id, joined.sequence).changes == ()
    send(store, game, board(FOUR), 0)
    send(store, game, board(SEVEN), 1)
    news = store.changes_since(game.id, joined.sequence)
    assert [each.value["kingdom"] for each in news.changes] == [FOUR, SEVEN]
    assert (news.sequence, news.more) == (3, False)
    part = store.changes_since(game.id, 0, limit=1)
    assert (part.sequence, part.more) == (1, True)


def test_the_log_tells_who_did_what_and_every_score(store: Store) -> None:
    game = new_game(store)
    send(store, game, board(FOUR), 0)
    send(store, game, board(SEVEN), 1, actor=BEN)
    log = store.log(game.id)
    assert [(line.action, line.who, line.points.get(0)) for line in log] == [
        ("create", "Anna", None),
        ("paint", "Anna", 4),
        ("paint", "Ben", 7),
    ]


def test_two_who_rename_different_players_both_succeed(store: Store) -> None:
    game = new_game(store)
    anna, ben = ({"id": n, "name": name} for n, name in enumerate(("Anna", "Ben")))
    send(store, game, [{**anna, "name": "Änne"}, ben], 1, "players")
    second = send(store, game, [anna, {**ben, "colour": "blue"}], 1, "players", BEN)
    assert second.outcome is Outcome.COLLIDED or second.outcome is Outcome.MERGED
    players = store.game(game.id).players
    assert [(p.name, p.colour) for p in players] == [("Änne", None), ("Ben", "blue")]


def test_a_part_can_be_taken_away(store: Store) -> None:
    game = new_game(store)
    send(store, game, board(FOUR), 0)
    gone = send(store, game, None, 1)
    assert gone.value is None
    assert "board:1:0" not in store.game(game.id).values
    assert undo_last(store, game.id, board_key(0), "back").value["kingdom"] == FOUR


def test_a_board_can_be_kept_without_a_game(store: Store) -> None:
    kept = store.create_game("kingdomino", {board_key(0): board(FOUR)}, ANNA, kept=True)
    assert kept.kept
    assert store.game(kept.id).values["board:1:0"]["kingdom"] == FOUR


def test_readings_come_back_as_they_were(store: Store) -> None:
    game = new_game(store)
    data = {"labels": ["w", "f1"], "probabilities": [0.1, 1 / 3, 5e-324]}
    reading = store.keep_reading(game.id, data)
    assert store.readings(game.id) == {reading: data}


@pytest.mark.parametrize(
    ("part", "value", "code", "reason"),
    [
        ("nonsense", {}, "bad_part", None),
        ("game", {"deleted": True}, "bad_part", None),
        ("board:4:0", {"kingdom": "w"}, "bad_part", None),
        ("board:1:0", {"kingdom": "w w/w"}, "bad_value", "unequal_rows"),
        ("board:1:0", {"kingdom": "w", "doubtful": [[5, 5]]}, "bad_value", "bad_board"),
        ("board:1:0", {"kingdom": "w", "more": 1}, "bad_value", "bad_board"),
        ("board:1:0", {"kingdom": float("nan")}, "bad_value", "not_plain"),
        ("board:1:0", {"kingdom": "w", "frame": "\0"}, "bad_value", "bad_text"),
        ("board:1:0", {"kingdom": "w", "frame": "\ud800"}, "bad_value", "not_plain"),
        ("board:1:0", 7, "bad_value", "bad_board"),
        ("rules", {"harmony": "yes"}, "bad_value", "unknown_rule"),
        ("rules", {"quests": ["harmony", "harmony"]}, "bad_value", "duplicate_quest"),
        ("rules", {"size": 7, "mighty_duel": 1}, "bad_value", "unknown_rule"),
        ("about", {"title": 3}, "bad_value", "bad_text"),
        ("about", {"played_at": "2026-11-21T20:00:00"}, "bad_value", "bad_time"),
        ("about", {"played_at": "1999-12-31T23:59:59+00:00"}, "bad_value", "bad_time"),
        ("about", {"played_at": "2200-01-01T00:00:00+00:00"}, "bad_value", "bad_time"),
        ("about", {"played_at": 7}, "bad_value", "bad_time"),
        ("about", {"who": "A"}, "bad_value", "unknown_field"),
        ("about", {"note": "x" * 2001}, "bad_value", "bad_text"),
        ("about", {"place": "x" * 81}, "bad_value", "bad_text"),
    ],
)
def test_what_makes_no_sense_is_refused(
    store: Store, part: str, value: object, code: str, reason: str | None
) -> None:
    game = new_game(store)
    with pytest.raises(StoreError) as caught:
        store.change(game.id, Change(part, value, 0, "x"))
    assert caught.value.code == code
    assert caught.value.details == {"part": part} | ({"reason": reason} if reason else {})
    assert store.game(game.id).sequence == 1


@pytest.mark.parametrize(
    ("players", "details"),
    [
        ([(0, "A"), (1, "a ")], {"reason": "name_twice", "name": "A"}),
        ([(0, "A"), (0, "B")], {"reason": "id_twice"}),
        ([(0, " ")], {"reason": "bad_name"}),
        ([(0, "A", "black")], {"reason": "bad_colour"}),
        ([(n, f"{n}") for n in range(6)], {"reason": "too_many", "most": 5}),
        ([(n, f"{n}") for n in range(5)], {"reason": "five_players_need_expansion"}),
    ],
)
def test_players_that_cannot_be_are_refused(
    store: Store, players: list[tuple[object, ...]], details: dict[str, object]
) -> None:
    game = new_game(store)
    value = [dict(zip(("id", "name", "colour"), player, strict=False)) for player in players]
    with pytest.raises(StoreError) as caught:
        store.change(game.id, Change("players", value, 0, "x"))
    assert (caught.value.code, caught.value.details) == ("bad_players", details)


def test_a_value_may_be_so_large_and_no_larger(store: Store) -> None:
    game = new_game(store)
    about = {"title": "x" * 80, "place": "y" * 80, "note": "z" * 2000}
    assert new_game(store, about=about).values["about"] == about
    with pytest.raises(StoreError) as caught:
        store.change(game.id, Change("board:1:0", board("w", frame="x" * 600_000), 0, "x"))
    details = {"part": "board:1:0", "limit": 500_000, "actual": 600_029}
    assert (caught.value.code, caught.value.details) == ("too_large", details)
    check_plain("reading", "x" * 499_998)
    with pytest.raises(StoreError, match="too_large"):
        check_plain("reading", "x" * 499_999)


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"


@pytest.mark.parametrize("name", [FAMILY, f"Anna {FAMILY}", "\u0646\u06cc\u200c\u0645\u0627"])
def test_a_name_may_be_joined(store: Store, name: str) -> None:
    game = store.create_game("kingdomino", {"players": [{"id": 0, "name": name}]})
    assert game.players[0].name == name


@pytest.mark.parametrize("name", ["\u200d", "A\u202eB", "A\x07B", "x" * 41])
def test_a_name_is_seen_and_turns_no_text_round(store: Store, name: str) -> None:
    with pytest.raises(StoreError, match="bad_players"):
        store.create_game("kingdomino", {"players": [{"id": 0, "name": name}]})


def test_the_changes_of_a_part_are_told_from_one_number_to_another(store: Store) -> None:
    """Those of other parts, in between, are not among them."""
    game, sent = new_game(store), []
    for based_on, kingdom in enumerate((FOUR, SEVEN, "w w1")):
        sent.append(send(store, game, board(kingdom), based_on))
        send(store, game, {"title": kingdom}, based_on, "about")
    part = board_key(0)
    told = store.changes_of(game.id, part, 0)
    assert [each.sequence for each in told] == [each.sequence for each in sent]
    assert [each.value["kingdom"] for each in told] == [FOUR, SEVEN, "w w1"]
    assert store.changes_of(game.id, part, 1) == told[1:]
    assert store.changes_of(game.id, part, 1, 2) == told[1:2]
    assert store.changes_of(game.id, part, 3) == store.changes_of("nobody's", part, 0) == ()


@pytest.mark.parametrize("moment", ["2000-01-01T00:00:00+00:00", "2199-12-31T23:59:59+00:00"])
def test_a_game_may_be_of_these_two_centuries(store: Store, moment: str) -> None:
    assert new_game(store, about={"played_at": moment}).played_at.isoformat() == moment


def test_a_number_from_the_future_is_refused(store: Store) -> None:
    game = new_game(store)
    with pytest.raises(StoreError, match="bad_sequence") as refused:
        send(store, game, board(FOUR), 1)
    assert refused.value.details == {"expected": 0, "actual": 1}


def test_a_game_that_is_not_there_is_said_so(store: Store) -> None:
    for ask in (store.game, store.log, lambda each: store.changes_since(each, 0)):
        with pytest.raises(StoreError, match="no_game"):
            ask("a" * 22)
    assert refusal(lambda: store.create_game("chess")) == {"code": "unknown_kind", "kind": "chess"}


CHANGES = 40


@pytest.mark.slow
def test_two_processes_that_edit_one_kingdom_lose_nothing(url: str) -> None:
    store = open_store(url)
    game = new_game(store)
    begin_kingdom(store, game.id, board_key(0))
    writers = [start_writer(url, game.id, board_key(0), f"w{n}", CHANGES) for n in range(2)]
    said = [line for each in writers for line in each.communicate(timeout=120)[0].split()]
    assert [each.returncode for each in writers] == [0, 0]
    said = [line for line in said if line != "ready"]
    assert len(said) == 2 * CHANGES
    found = store.game(game.id)
    assert lost_changes(store, game.id, said) == []
    assert sound(store, found)
    assert found.sequence == 2 + 2 * CHANGES
    # The last square that each wrote in every row is there: neither undid the other.
    assert found.values["board:1:0"]["kingdom"] == "/".join(["g2 g2"] * 10)
    store.close()


@pytest.mark.slow
def test_a_killed_process_loses_nothing_that_it_confirmed(url: str) -> None:
    rng = Random(11)
    runs = [kill_a_writer(url, rng) for _ in range(3)]
    assert [(run.lost, run.sound) for run in runs] == [(0, True)] * 3
    assert sum(run.confirmed for run in runs) > 0


@pytest.mark.slow
def test_processes_that_start_at_once_make_the_tables_once(url: str) -> None:
    code = "import sys; from companion.store import open_store; open_store(sys.argv[1]).close()"
    starts = [
        subprocess.Popen([sys.executable, "-c", code, url], cwd=ROOT, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    said = [each.communicate(timeout=120)[1].decode() for each in starts]
    assert [each.returncode for each in starts] == [0, 0, 0], said
    store = open_store(url)
    new_game(store)
    store.close()


PART = board_key(0)


def test_undo_and_redo_outlast_a_reload(store: Store, url: str) -> None:
    game = new_game(store)
    for based_on, kingdom in enumerate((FOUR, SEVEN, "w w1")):
        send(store, game, board(kingdom), based_on)
    store.close()
    again = open_store(url)
    undone = [undo_last(again, game.id, PART, f"u{n}", ANNA).value for n in range(3)]
    assert [value and value["kingdom"] for value in undone] == [SEVEN, FOUR, None]
    with pytest.raises(StoreError, match="nothing_to_undo"):
        undo_last(again, game.id, PART, "u3")
    done = [redo_last(again, game.id, PART, f"r{n}", ANNA).value["kingdom"] for n in range(3)]
    assert done == [FOUR, SEVEN, "w w1"]
    with pytest.raises(StoreError, match="nothing_to_redo"):
        redo_last(again, game.id, PART, "r3")
    again.close()


def test_something_new_ends_redoing(store: Store) -> None:
    game = new_game(store)
    send(store, game, board(FOUR), 0)
    send(store, game, board(SEVEN), 1)
    undone = undo_last(store, game.id, PART, "u")
    send(store, game, board("w"), undone.part_sequence)
    with pytest.raises(StoreError, match="nothing_to_redo"):
        redo_last(store, game.id, PART, "r")
    assert undo_last(store, game.id, PART, "u2").value["kingdom"] == FOUR


def test_undoing_ones_own_change_leaves_what_others_did(store: Store) -> None:
    game = new_game(store)
    first = send(store, game, board("w w1/c ."), 0)
    anna = board("f w1/c .", corrected=[[0, 0]])
    mine = send(store, game, anna, first.part_sequence)
    ben = board("f w1/c l1", corrected=[[0, 0], [1, 1]])
    send(store, game, ben, mine.part_sequence, actor=BEN)
    undone = undo_last(store, game.id, PART, "u", ANNA, only_own=True)
    assert undone.value["kingdom"] == "w w1/c l1"
    assert undone.outcome is Outcome.MERGED


def test_an_undo_that_would_overwrite_others_is_told(store: Store) -> None:
    game = new_game(store)
    first = send(store, game, board("w w1", corrected=[[0, 0]]), 0)
    mine = send(store, game, board("f w1", corrected=[[0, 0]]), first.part_sequence)
    send(store, game, board("l w1", corrected=[[0, 0]]), mine.part_sequence, actor=BEN)
    undone = undo_last(store, game.id, PART, "u", ANNA, only_own=True)
    assert undone.value["kingdom"] == "l w1"
    assert [(c.kept, c.other) for c in undone.collisions] == [("l", "w")]


def test_what_was_done_again_and_collided_can_be_taken(store: Store) -> None:
    game = new_game(store)
    first = send(store, game, board("w w1", corrected=[[0, 0]]), 0)
    mine = send(store, game, board("f w1", corrected=[[0, 0]]), first.part_sequence)
    undone = store.undo(game.id, mine.sequence, "u", ANNA)
    send(store, game, board("l w1", corrected=[[0, 0]]), undone.part_sequence, actor=BEN)
    done = store.redo(game.id, mine.sequence, "r", ANNA)
    assert [(each.kept, each.other) for each in done.collisions] == [("l", "f")]
    settled = store.settle_collision(game.id, done.sequence, ANNA, take_other=True)
    assert settled.value["kingdom"] == "f w1"
    assert store.game(game.id).collisions == ()


def test_an_undo_sent_twice_is_done_once(store: Store) -> None:
    game = new_game(store)
    send(store, game, board(FOUR), 0)
    send(store, game, board(SEVEN), 1)
    first, again = (undo_last(store, game.id, PART, "u") for _ in range(2))
    assert again.again
    assert (first.sequence, again.value["kingdom"]) == (again.sequence, FOUR)


def test_rules_and_players_can_be_undone_too(store: Store) -> None:
    game = new_game(store, rules={"harmony": True})
    send(store, game, {"middle_kingdom": True}, 1, "rules")
    assert undo_last(store, game.id, "rules", "u").value["harmony"] is True


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(st.sampled_from(["paint", "undo", "redo"]), max_size=14))
def test_undo_and_redo_follow_the_two_stacks_of_an_editor(store: Store, steps: list[str]) -> None:
    """The log does what a plain editor with two stacks does."""
    game = new_game(store)
    past: list[str | None] = [None]
    future: list[str | None] = []
    number = 0
    for index, step in enumerate(steps):
        if step == "paint":
            kingdom = f"w{index % 2 or ''} f/c {'wflgsm'[index % 6]}"
            number = send(store, game, board(kingdom), number).part_sequence
            past.append(kingdom)
            future.clear()
        elif step == "undo" and len(past) > 1:
            future.append(past.pop())
            number = undo_last(store, game.id, PART, f"s{index}").part_sequence
        elif step == "redo" and future:
            past.append(future.pop())
            number = redo_last(store, game.id, PART, f"s{index}").part_sequence
        value = store.game(game.id).part(PART).value
        assert (value and value["kingdom"]) == past[-1]


def test_targets_by_device() -> None:
    lines = [
        Line(1, "a", "set", None),
        Line(2, "b", "set", None),
        Line(3, "a", UNDO, 1),
    ]
    assert undo_target(lines, None) == 2
    assert undo_target(lines, "a") is None
    lines.append(Line(4, "a", REDO, 1))
    assert undo_target(lines, "a") == 1


def test_who_changes_a_game_has_it_alone(store: Store) -> None:
    """Its row is locked before anything of it is read, on databases that lock rows."""
    locked: list[bool] = []

    def note(state: ORMExecuteState) -> None:
        if state.is_select and state.bind_mapper and state.bind_mapper.class_ is GameRow:
            locked.append(getattr(state.statement, "_for_update_arg", None) is not None)

    game = new_game(store)
    first = send(store, game, board("w w1", corrected=[[0, 0]]), 0)
    send(store, game, board("f w1", corrected=[[0, 0]]), first.part_sequence)
    export = export_games(store)
    changes: list[Callable[[], object]] = [
        lambda: send(store, game, board("l w1", corrected=[[0, 0]]), first.part_sequence),
        lambda: store.settle_collision(game.id, 4, take_other=True),
        lambda: store.undo(game.id, 5, "u"),
        lambda: store.redo(game.id, 5, "r"),
        lambda: store.join(game.id, BEN),
        lambda: store.keep_reading(game.id, {}),
        lambda: delete_game(store, game.id, ANNA),
        lambda: restore_game(store, game.id, ANNA),
    ]
    event.listen(Session, "do_orm_execute", note)
    try:
        for number, change in enumerate(changes):
            locked.clear()
            change()
            assert locked[:1] == [True], number
        locked.clear()
        import_games(store, export)
        assert any(locked)
    finally:
        event.remove(Session, "do_orm_execute", note)


def refusal(act: Callable[[], object]) -> dict[str, object]:
    """The code and the details with which something is refused."""
    with pytest.raises(StoreError) as caught:
        act()
    return {"code": caught.value.code, **caught.value.details}


def test_every_refusal_says_what_it_is_about(store: Store) -> None:
    game = new_game(store)
    first = send(store, game, board(FOUR), 0)
    part = board_key(0)

    def changed(**fields: object) -> Callable[[], object]:
        change = {"part": part, "value": board(SEVEN), "based_on": 1, "change_id": "x", **fields}
        return lambda: store.change(game.id, Change(**change), ANNA)

    bad_text = {"code": "bad_value", "part": "", "reason": "bad_text"}
    assert refusal(changed(change_id="a b")) == bad_text | {"reason": "bad_id"}
    assert refusal(changed(action="x" * 41)) == bad_text
    for wrong in (2, -1, True, "1"):
        refused = {"code": "bad_sequence", "expected": 1, "actual": wrong}
        assert refusal(changed(based_on=wrong)) == refused
    long = Actor("phone", "x" * 41)
    change = Change(part, board(SEVEN), 1, "x")
    assert refusal(lambda: store.change(game.id, change, long)) == bad_text
    assert refusal(lambda: store.join(game.id, Actor(""))) == bad_text | {"reason": "bad_id"}
    assert store.game(game.id).sequence == 2
    changed(action="x" * 40)()
    for number in (0, 9):
        undone = {"code": "nothing_to_undo", "sequence": number}
        assert refusal(partial(store.undo, game.id, number, "u")) == undone
        redone = {"code": "nothing_to_redo", "sequence": number}
        assert refusal(partial(store.redo, game.id, number, "u")) == redone
    store.undo(game.id, first.sequence, "u")
    again = {"code": "nothing_to_undo", "sequence": first.sequence}
    assert refusal(lambda: store.undo(game.id, first.sequence, "u2")) == again
    reused = {"code": "change_id_reused", "change_id": "u"}
    assert refusal(lambda: store.undo(game.id, 3, "u")) == reused
    assert refusal(changed(change_id="u")) == reused
    open_none = {"code": "no_collision", "sequence": 2}
    assert refusal(lambda: store.settle_collision(game.id, 2, take_other=True)) == open_none
    large = {"x": "y" * 500_000}
    refused = {"code": "too_large", "part": "reading", "limit": 500_000, "actual": 500_009}
    assert refusal(lambda: store.keep_reading(game.id, large)) == refused
    delete_game(store, game.id, ANNA)
    deleted = store.game(game.id).sequence
    assert refusal(lambda: store.undo(game.id, deleted, "u3")) == {"code": "deleted_game"}
    assert refusal(lambda: store.join(game.id, BEN)) == {"code": "deleted_game"}
    restore_game(store, game.id, ANNA)
    undone = {"code": "nothing_to_undo", "sequence": deleted}
    assert refusal(lambda: store.undo(game.id, deleted, "u3")) == undone


def collide(store: Store, game: Game, part: str, based_on: int = 1) -> Confirmed:
    """Two set one square of a board differently; the second is told."""
    send(store, game, board("f w1", corrected=[[0, 0]]), based_on, part)
    return send(store, game, board("l w1", corrected=[[0, 0]]), based_on, part, BEN)


def test_a_collision_is_settled_where_it_is_and_nowhere_else(store: Store) -> None:
    """Not on another board or in another game, not by whom it was unknown to, and but once."""
    games = [new_game(store), new_game(store)]
    parts = board_key(0), board_key(1)
    for game in games:
        for part in parts:
            send(store, game, board("w w1", corrected=[[0, 0]]), 0, part)
            collide(store, game, part)
    first, other = games
    found = store.game(first.id).collisions
    assert [(each.sequence, each.part, each.leaf) for each in found] == [
        (4, parts[0], "0,0"),
        (7, parts[1], "0,0"),
    ]
    # Made from the state before: it is merged with what collided, and settles nothing.
    send(store, first, board("f w2", corrected=[[0, 0], [0, 1]]), 2, parts[0])
    assert store.game(first.id).collisions == found
    settled = send(store, first, board("s w2", corrected=[[0, 0], [0, 1]]), 4, parts[0])
    assert store.game(first.id).collisions == found[1:]
    assert store.game(other.id).collisions == found
    send(store, first, board("g w2", corrected=[[0, 0], [0, 1]]), 5, parts[0])
    with store.reading() as session:
        rows = session.execute(
            select(CollisionRow.game_id, CollisionRow.part, CollisionRow.settled_by)
        ).all()
    assert {tuple(each) for each in rows if each.settled_by is not None} == {
        (first.id, parts[0], settled.sequence)
    }


def test_no_change_settles_what_it_brings_up_itself(store: Store) -> None:
    game, part = new_game(store), board_key(0)
    send(store, game, board("w w1", corrected=[[0, 0]]), 0)
    send(store, game, board("f w1", corrected=[[0, 0]]), 1)
    late = board("l w1", corrected=[[0, 0]])
    told = store.change(game.id, Change(part, late, 1, "late", "paint", ((4, "0,0"),)), BEN)
    assert [(each.sequence, each.leaf) for each in told.collisions] == [(4, "0,0")]
    assert store.game(game.id).collisions == told.collisions


def test_what_is_told_again_is_told_of_that_change(store: Store) -> None:
    game = new_game(store)
    for part in (board_key(0), board_key(1)):
        send(store, game, board("w w1", corrected=[[0, 0]]), 0, part)
    collide(store, game, board_key(1))
    mine = send(store, game, board("f w1", corrected=[[0, 0]]), 1)
    send(store, game, board("l w1", corrected=[[0, 0]]), 2, actor=BEN)
    undone, again = (store.undo(game.id, mine.sequence, "u", ANNA) for _ in range(2))
    assert [(each.part, each.kept, each.other) for each in undone.collisions] == [
        (board_key(0), "l", "w")
    ]
    assert (again.collisions, again.again, again.outcome) == (
        undone.collisions,
        True,
        Outcome.COLLIDED,
    )
    assert len(store.game(game.id).collisions) == 2


def test_what_no_game_can_hold_collides_as_a_whole(store: Store) -> None:
    """Two who sit down under one name: the first stays."""
    game = new_game(store)
    anna, ben = TWO_PLAYERS
    send(store, game, [anna, ben, {"id": 2, "name": "Cleo"}], 1, "players")
    late = [anna, ben, {"id": 3, "name": "CLEO", "colour": None}]
    told = send(store, game, late, 1, "players", BEN)
    assert [each["name"] for each in told.value] == ["Anna", "Ben", "Cleo"]
    (collision,) = told.collisions
    assert (collision.leaf, collision.kept, collision.other[2]["name"]) == ("", told.value, "CLEO")
    assert store.settle_collision(game.id, told.sequence, BEN, take_other=False).collisions == ()
    last = store.log(game.id)[-1]
    assert (last.action, last.device, last.who) == ("settle_collision", BEN.device, "Ben")
    assert store.game(game.id).collisions == ()


def test_the_names_of_a_device_are_spelt_and_dated_as_last(store: Store) -> None:
    game = new_game(store)
    with store.writing() as session:
        for row in session.scalars(select(NameRow)):
            row.used_at = datetime(2026, 1, 1, tzinfo=UTC)
    send(store, game, [{"id": 0, "name": "ANNA"}], 1, "players")
    with store.reading() as session:
        rows = session.scalars(select(NameRow).order_by(NameRow.name_key)).all()
    assert [(each.device, each.name_key, each.name) for each in rows] == [
        (ANNA.device, "anna", "ANNA"),
        (ANNA.device, "ben", "Ben"),
    ]
    assert rows[0].used_at > rows[1].used_at
    send(store, game, [{"id": 0, "name": "Änne"}], 2, "players", BEN)
    assert remembered_names(store, BEN.device, 9) == ["Änne"]


def test_a_device_remembers_what_was_typed_there_alone(store: Store) -> None:
    """As it is kept; where it is sent again, nothing of what others have made of it since."""
    game = new_game(store)
    cleo = {"id": 2, "name": " Cleo  Maria "}
    typed = Change("players", [*TWO_PLAYERS, cleo], 1, "typed")
    store.change(game.id, typed, BEN)
    send(store, game, [*TWO_PLAYERS, {"id": 2, "name": "Dora"}], 2, "players")
    assert store.change(game.id, typed, BEN).again
    assert remembered_names(store, BEN.device, 9) == ["Anna", "Ben", "Cleo Maria"]


def test_news_come_in_portions(store: Store) -> None:
    game = new_game(store)
    for number in range(4):
        send(store, game, {"title": f"{number}"}, number, "about")
    news = store.changes_since(game.id, 1, limit=3)
    assert [each.sequence for each in news.changes] == [2, 3, 4]
    assert (news.sequence, news.more) == (4, True)
    news = store.changes_since(game.id, 1, limit=4)
    assert (news.sequence, news.more, len(news.changes)) == (5, False, 4)
    assert store.changes_since(game.id, 5) == Changes(5)
    assert [each.sequence for each in store.log(game.id)] == [1, 2, 3, 4, 5]


def test_a_device_joins_once_and_is_known_by_its_game(store: Store) -> None:
    game, other = new_game(store), new_game(store)
    for _ in range(2):
        assert store.join(game.id, BEN).id == game.id
    assert [store.devices(each.id) for each in (game, other)] == [2, 1]
    assert [store.has_joined(each.id, BEN.device) for each in (game, other)] == [True, False]
    assert store.has_joined(game.id, ANNA.device)
    assert not store.is_deleted("a" * 22)
    reading = store.keep_reading(other.id, {"x": 1})
    assert (store.readings(game.id), store.readings(other.id)) == ({}, {reading: {"x": 1}})
    delete_game(store, game.id, ANNA)
    assert [store.is_deleted(each.id) for each in (game, other)] == [True, False]
