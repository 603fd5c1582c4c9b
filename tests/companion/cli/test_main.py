from __future__ import annotations

import pytest

from companion.cli.__main__ import games, main


def test_the_command_line_of_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert "kingdomino" in games()
    assert main(["kingdomino", "score", "--language", "en", "c w1 w"]) == 0
    assert capsys.readouterr().out.startswith("Kingdom: 2 points\n")
    assert main(["kingdomino", "check", "w w"]) == 1


def test_help_names_the_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert "das Spiel: " in told
    assert "kingdomino" in told
    with pytest.raises(SystemExit) as ended:
        main(["chess"])
    assert ended.value.code == 2
    assert "'chess' steht nicht zur Wahl" in capsys.readouterr().err
