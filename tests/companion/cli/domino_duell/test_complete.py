from __future__ import annotations

import json

import pytest

from companion.cli.domino_duell import main


def test_the_missing_stones_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", "--language", "de", "gcg", "gtg"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Farbe gleich, daher grün",
        "Symbol ungleich, daher Mond oder Stern",
        "Symbolfarbe gleich, daher grau",
        "es fehlt: gmg (grün, Mond, grau); gsg (grün, Stern, grau)",
    ]


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", "--json", "rcw", "rmk", "rsl"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "stones": ["rcw", "rmk", "rsl"],
        "missing": ["rtg"],
    }


def test_what_is_no_triple(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", "--language", "en", "rcw", "rmk", "ysl"]) == 1
    told = capsys.readouterr().out
    assert "colour neither equal nor different" in told
    assert told.endswith("No stone completes these.\n")


@pytest.mark.parametrize("stones", [["rcw"], ["rcw", "rcw"], ["rcw", "rck", "rcg", "rcl"]])
def test_wrong_use(stones: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", "--language", "en", *stones]) == 2
    assert "Give two stones or three" in capsys.readouterr().err
