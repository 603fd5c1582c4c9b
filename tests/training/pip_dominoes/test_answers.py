"""What networks and whole readers of dominoes are asked, and by which files they answer."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from tests.training.sources import source_of
from training.common.answers import FLAGGED, SURE
from training.pip_dominoes import corpus, faces, readings
from training.pip_dominoes.corpus import read_photo_labels
from training.pip_dominoes.locator import Locator
from training.pip_dominoes.scenes.scene import SceneSettings, draw_scene
from training.pip_dominoes.scenes.table import Scene
from vision.common.network import shipped_weights
from vision.pip_dominoes.recognise import RecognitionSettings

SAMPLES = readings.SAMPLES
BLANK = "double-blank"
OPTIONS: dict[str, Any] = {"drawn": 1, "seed": 1, "asked": 1}


@pytest.fixture
def one_scene(monkeypatch: pytest.MonkeyPatch) -> Scene:
    """All that is asked about: six dominoes in rows."""
    scene = draw_scene(
        SceneSettings(size_px=400, hand_share=0.0, max_tilt_deg=20.0),
        np.random.default_rng(6), arrangement="rows", count=6, tile_px=50.0, surface="plain",
    )  # fmt: skip

    def unseen(_: object, count: int) -> Iterator[tuple[str, Scene]]:
        for number in range(count):
            yield f"drawn {number}", scene

    monkeypatch.setattr(faces.OfScenes, "unseen", unseen)
    return scene


@pytest.mark.parametrize("kind", [faces.Faces, faces.Halves])
def test_each_half_is_asked_for_its_own_number(
    kind: type[faces.OfDominoes], one_scene: Scene, tmp_path: Path
) -> None:
    task = kind(source_of(), OPTIONS)
    found = list(task.answers(shipped_weights()))
    halves = [d.halves for d in one_scene.drawn if d.readable]
    assert [int(each.truth) for each in found] == np.concatenate(halves).tolist()
    assert len({each.question for each in found}) == 2 * len(halves) > 6
    assert {each.group for each in found} == {"drawn 0"}
    for each in found:
        highest = {"0 to 6": 6, "7 to 12": 12, "13 to 18": 18}[each.kind]
        assert highest - 6 <= int(each.truth) <= highest
    assert sum(each.right for each in found) > 0.8 * len(found)
    with pytest.raises(FileNotFoundError):
        list(task.answers(tmp_path))


@pytest.mark.parametrize("kind", [faces.Faces, faces.Halves])
def test_the_temperature_is_the_one_with_which_the_truth_is_most_probable(
    kind: type[faces.OfDominoes], one_scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = getattr(RecognitionSettings(), kind.heat)
    monkeypatch.setattr(faces, "CALIBRATED", 1)
    monkeypatch.setattr(faces, "TEMPERATURES", (30 * own, own))
    found, count = kind(source_of(), OPTIONS).temperature(shipped_weights(), 7)
    assert (found, count) == (own, 2 * sum(d.readable for d in one_scene.drawn))


def test_the_locator_is_asked_for_every_domino_and_for_nothing_else(
    one_scene: Scene, tmp_path: Path
) -> None:
    task = Locator(source_of(), OPTIONS)
    *dominoes, more = task.answers(shipped_weights())
    assert [each.truth for each in dominoes] == ["found"] * sum(d.readable for d in one_scene.drawn)
    assert all(each.right and each.probability >= 0.5 for each in dominoes)
    assert (more.kind, more.truth, more.said) == ("nothing else", "0", "0")
    with pytest.raises(FileNotFoundError):
        list(task.answers(tmp_path))


def test_what_is_asked_about_lies_on_tables_that_no_training_has_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = list[int]()

    def noted(settings: object, rng: object, photographs: Sequence[object], *_: object) -> Scene:
        tables.append(len(photographs))
        return draw_scene(SceneSettings(size_px=96), np.random.default_rng(1))

    monkeypatch.setattr(corpus, "draw_scene", lambda *given, prints: noted(*given))
    folder = tmp_path / "data" / "backgrounds"
    folder.mkdir(parents=True)
    # Of one photograph one is kept back.
    cv2.imwrite(str(folder / "table.png"), np.full((48, 64, 3), 90, np.uint8))
    task = faces.Halves(source_of(tmp_path), OPTIONS)
    assert len(task.scenes) == len(list(task.unseen(1))) == 1
    assert tables == [0, 1]


def test_each_labelled_picture_is_read_by_the_weights_of_each_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a hand of the set that it is labelled with. The second weights see no domino anywhere."""
    (tiles,) = (photo.tiles for photo in read_photo_labels(SAMPLES) if photo.path.stem == BLANK)
    truth = " ".join(f"{a}|{b}" for a, b in tiles)
    own, samples = tmp_path / "data" / "pip_dominoes", tmp_path / "samples"
    for folder, name in ((own / "photos", "rack.jpg"), (samples, f"{BLANK}.jpg")):
        folder.mkdir(parents=True)
        rgb = cv2.imread(str(SAMPLES / name))
        assert rgb is not None
        cv2.imwrite(str(folder / name), cv2.resize(rgb, (640, 640), interpolation=cv2.INTER_AREA))
    table = "file,set,tiles,scene,source\nrack.jpg,double-9,1|2 10|11 3|4,a table,a phone\n"
    (own / "photos.csv").write_text(table, encoding="utf-8")
    table = f"file,set,tiles\n{BLANK}.jpg,,{truth}\n"
    (samples / "labels.csv").write_text(table, encoding="utf-8")
    monkeypatch.setattr(readings, "SAMPLES", samples)
    blind = Path(shutil.copytree(shipped_weights(), tmp_path / "blind"))
    presence = json.loads((blind / "pip_presence.json").read_text(encoding="utf-8"))
    for each in presence.values():
        each["bias"] = -100.0
    (blind / "pip_presence.json").write_text(json.dumps(presence), encoding="utf-8")

    of_own, of_samples = readings.read_tables(
        (shipped_weights(), blind), tmp_path / "data", "pip_faces"
    )
    for pair in (of_own, of_samples):
        assert (pair[1].said, pair[1].probability) == ("", FLAGGED)
    rack, blank = of_own[0], of_samples[0]
    assert (rack.question, rack.group, rack.kind) == (
        "pip_dominoes/rack.jpg", "a table", "a phone",
    )  # fmt: skip
    assert rack.truth == "1|2 3|4 10|11"
    assert {int(number) for number in rack.said.replace("|", " ").split()} <= {*range(10)}
    assert rack.probability == FLAGGED
    # What is said is in the same order as the truth: by numbers, not by letters.
    assert (blank.question, blank.truth) == (f"samples/{BLANK}.jpg", truth)
    assert (blank.right, blank.probability) == (True, SURE)
