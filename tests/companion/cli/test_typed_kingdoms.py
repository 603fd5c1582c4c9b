"""Kingdoms and quests as people type them."""

from __future__ import annotations

from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from companion.cli.terminal import WrongUse
from companion.cli.text_input import MAX_TEXT_BYTES, Line
from companion.cli.typed_kingdoms import entries_of, players_of, quest_of, rules_of_game
from companion.languages import Language, say
from scorer.kingdomino import QUESTS, Quest, Rules, RulesError

ENGLISH = Language.ENGLISH


def texts(arguments: list[str], files: list[str]) -> list[list[str]]:
    return [[entry.text for entry in game] for game in entries_of(arguments, files, ENGLISH)]


def typed(text: str) -> TextIOWrapper:
    """A standard input with that text."""
    return TextIOWrapper(BytesIO(text.encode("utf-8")), encoding="ascii")


def test_games_end_at_a_plus_an_empty_line_and_the_end_of_a_file(tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("\ufeff# first\n\n a \nb\n \n\nc\n", encoding="utf-8")
    two.write_text("d", encoding="utf-8")
    assert texts(["x", "y", "+", "z"], []) == [["x", "y"], ["z"]]
    assert texts(["x", "+"], [str(one), str(two)]) == [["x"], ["a", "b"], ["c"], ["d"]]


def test_the_standard_input_stands_where_its_sign_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", typed("a\nb\n"))
    assert texts(["x", "-", "y"], []) == [["x"], ["a", "b"], ["y"]]
    monkeypatch.setattr("sys.stdin", typed("\ufeffa\n"))
    assert texts([], ["-"]) == [["a"]]


def test_a_fault_in_a_file_names_its_line(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("# games\nA=c\n\nB=c x\n", encoding="utf-8")
    entries = [entry for game in entries_of([], [str(file)], ENGLISH) for entry in game]
    with pytest.raises(WrongUse, match=r"games\.txt, line 4: “c x” is no kingdom"):
        players_of(entries, ENGLISH)
    with pytest.raises(WrongUse, match=r"^“c x” is no kingdom"):
        players_of([Line("c x")], ENGLISH)


def test_files_that_hold_no_kingdoms(tmp_path: Path) -> None:
    empty, binary, long = (tmp_path / name for name in ("empty", "binary", "long"))
    empty.write_text("# nothing\n\n", encoding="utf-8")
    binary.write_bytes(b"\xff\xd8\xff\xe0")
    long.write_text("c" * (MAX_TEXT_BYTES + 1), encoding="utf-8")
    for file, said in (
        (empty, "empty holds no kingdom"),
        (binary, "binary is no text in UTF-8"),
        (long, f"long is too long: more than {MAX_TEXT_BYTES:,} bytes"),
        (tmp_path, "can't be read: Is a directory"),
        (tmp_path / "nothing", "nothing can't be read: No such file"),
        ("a\0b", "can't be read: embedded null byte"),
    ):
        with pytest.raises(WrongUse, match=said):
            entries_of([], [str(file)], ENGLISH)
    with pytest.raises(WrongUse, match="nothing is given"):
        entries_of(["+"], [], ENGLISH)


def test_the_rules_of_a_game_know_the_number_of_players() -> None:
    players = players_of([Line("A=c w2! f"), Line("B=c")], ENGLISH)
    assert rules_of_game(players, Rules()) == Rules(players=2, age_of_giants=True, size=5)
    assert rules_of_game(players[1:], Rules()) == Rules(size=5)
    assert rules_of_game(players[:1], Rules()).players is None
    with pytest.raises(RulesError, match="duel_needs_two_players"):
        rules_of_game([*players, players[1]], Rules(mighty_duel=True))


def test_the_standard_input_is_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", typed("c\nx"))
    (entries,) = entries_of(["-"], [], ENGLISH)
    with pytest.raises(WrongUse, match=r"^standard input, line 2: “x” is no kingdom"):
        players_of(entries, ENGLISH)
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(WrongUse, match=r"^standard input holds no kingdom"):
        entries_of(["-"], [], ENGLISH)


@pytest.mark.parametrize("quest", QUESTS, ids=str)
@pytest.mark.parametrize("language", list(Language))
def test_every_quest_by_its_name_in_every_language(quest: Quest, language: Language) -> None:
    name = say(f"quest.{quest.goal.key}", language)
    if quest.terrain:
        assert quest_of(f"{name}:{quest.terrain.letter}") == quest
        name = f"{name}:{say(f'terrain.{quest.terrain.letter}', language)}"
    assert quest_of(name) == quest
    assert quest_of(name.upper()) == quest
    assert quest_of(name.replace(" ", "-")) == quest
    assert quest_of(str(quest)) == quest


def test_umlauts_may_be_written_in_ascii() -> None:
    four = Quest.parse("four-corners:l")
    for name in ("Die 4 Ecken des Königreichs", "die-4-ecken-des-koenigreichs"):
        assert quest_of(f"{name}:See") == four


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unknown_quest"),
        ("castle", "unknown_quest"),
        ("Umland:x", "unknown_quest"),
        ("Umland:", "unknown_quest"),
        ("Umland", "quest_needs_terrain"),
        ("Harmonie:w", "quest_without_terrain"),
    ],
)
def test_texts_that_are_no_quest(text: str, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        quest_of(text)
    assert caught.value.code == code
