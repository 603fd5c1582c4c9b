"""The commands of training hand on what is typed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from training import __main__ as commands
from training.common import judge, make
from training.common.recipe import ROOT, load_recipes


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, dict[str, Any]]]:
    found: list[tuple[Any, dict[str, Any]]] = []

    def noted(recipe: Any, *paths: Path, **options: Any) -> tuple[str, Path]:
        found.append((recipe.name, {"paths": paths, **options}))
        return "as good", Path("page.md")

    monkeypatch.setattr(make, "make", noted)
    monkeypatch.setattr(judge, "judge", noted)
    monkeypatch.setattr(judge, "ship", noted)
    monkeypatch.setattr(commands, "write_cards", lambda *_: None)
    return found


def test_make_hands_on_every_option(calls: list[tuple[Any, dict[str, Any]]]) -> None:
    typed = "make mirrored --data D --out O --workers 2 --device cuda --hold-out 1/3"
    assert commands.main(typed.split()) == 0
    paths = (Path("D"), Path("O"))
    assert calls == [
        ("mirrored", {"paths": paths, "device": "cuda", "workers": 2, "held_out": (1, 3)})
    ]


def test_make_all_makes_all(calls: list[tuple[Any, dict[str, Any]]]) -> None:
    assert commands.main(["make", "all", "--data", "D", "--out", "O"]) == 0
    assert [name for name, _ in calls] == list(load_recipes())
    assert all(options["held_out"] is None for _, options in calls)


def test_judge_ships_only_if_told_to(calls: list[tuple[Any, dict[str, Any]]]) -> None:
    assert commands.main(["judge", "mirrored", "O", "--data", "D"]) == 0
    assert len(calls) == 1
    assert calls[0][1]["parts"] is None
    assert commands.main(["judge", "mirrored", "O", "--data", "D", "--ship"]) == 0
    assert calls[-1][1]["paths"] == (Path("O"), commands.MODELS, "as good")


@pytest.mark.parametrize("part", ["3/3", "one", "-1/3"])
def test_a_part_that_does_not_exist_is_refused(part: str) -> None:
    with pytest.raises(SystemExit):
        commands.main(["make", "mirrored", "--data", "D", "--out", "O", f"--hold-out={part}"])


def test_what_is_wrong_is_said_without_a_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--data", str(tmp_path), "--out", str(tmp_path / "out")]
    assert commands.main(["make", "mirrored", *where]) == 2
    assert "mirrored: " in capsys.readouterr().err


def test_a_recipe_of_ones_own_is_a_file(
    calls: list[tuple[Any, dict[str, Any]]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "kingdomino/recipes/mirrored.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(f'game = "kingdomino"\n{text}', encoding="utf-8")
    assert commands.main(["make", str(tmp_path / "mine.toml"), "--data", "D", "--out", "O"]) == 0
    assert [name for name, _ in calls] == ["mine"]
    assert commands.main(["make", "none", "--data", "D", "--out", "O"]) == 2
    assert "none: expected one of domino_duell" in capsys.readouterr().err
