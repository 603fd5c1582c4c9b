from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli.domino_duell import main
from scorer.domino_duell import STONES, Board, parse_board
from vision.domino_duell import read_board
from vision.domino_duell.synthetic import SceneSettings, draw_scene


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> str:
    calm = SceneSettings(light=0.3, glare_share=0.0, shadow_share=0.0, max_blur_px=0.8)
    scene = draw_scene(np.random.default_rng(4_200_000), calm)
    path = tmp_path_factory.mktemp("photos") / "board.png"
    cv2.imwrite(str(path), scene.rgb[..., ::-1])
    return str(path)


def test_the_text_is_a_board_and_says_what_it_was_tried_on(
    photo: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", "--language", "en", photo]) == 0
    told = capsys.readouterr().out
    reading = read_board(photo)
    assert parse_board(told) == reading.position
    assert told.startswith(f"# {photo}\n  # tried on drawn pictures only")
    for hollow in reading.doubtful:
        assert f"  #   {hollow}: " in told
    assert main(["read", "--language", "de", photo]) == 0
    assert "  # nur an gezeichneten Bildern erprobt; " in capsys.readouterr().out


def test_as_json(photo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--json", photo]) == 0
    told = json.loads(capsys.readouterr().out)
    reading = read_board(photo)
    assert told["tried_on"] == "drawn pictures only"
    assert Board.of(told["board"]) == reading.position
    assert [each["hollow"] for each in told["check"]] == list(reading.doubtful)


def test_help_says_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["read", "--help"])
    assert "TRIED ON DRAWN" in capsys.readouterr().out


def test_what_can_not_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = tmp_path / "plain.png"
    cv2.imwrite(str(plain), np.full((300, 400, 3), 127, np.uint8))
    assert main(["read", "--language", "en", str(plain)]) == 1
    told = capsys.readouterr().out
    assert "# not read: No board of Domino-Duell was found" in told
    assert main(["read", "--language", "de", str(tmp_path / "none.jpg")]) == 1
    assert "Diese Datei gibt es nicht" in capsys.readouterr().out
    assert main(["read", "--json", "--language", "en", str(plain)]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "no_board"


def test_several_photos_in_workers_with_results_and_drawings(
    photo: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "letter.jpg"
    bad.write_text("no picture", encoding="utf-8")
    results, drawings = tmp_path / "results.jsonl", tmp_path / "drawn"
    asked = ["read", "--json", "--language", "en", "--results", str(results), "--jobs", "1"]
    assert main([*asked, "--draw", str(drawings), photo, str(bad)]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert Board.of(first["board"]) == read_board(photo).position
    assert second["error"]["code"] == "not_a_picture"
    kept = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    assert [line["photo"] for line in kept] == [photo, str(bad)]
    drawn, plain = cv2.imread(str(drawings / "board.jpg")), cv2.imread(photo)
    assert drawn is not None
    assert plain is not None
    assert drawn.shape == plain.shape
    assert main([*asked, photo, str(bad)]) == 1
    assert [json.loads(line)["photo"] for line in capsys.readouterr().out.splitlines()] == [
        str(bad)
    ]


def test_what_was_read_is_a_board_for_moves(
    photo: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["read", "--language", "en", photo])
    board = tmp_path / "board.txt"
    board.write_text(capsys.readouterr().out, encoding="utf-8")
    free = [each for each in STONES if each not in read_board(photo).position.stones]
    assert main(["moves", "--json", str(board), "--hand", str(free[0])]) == 0
