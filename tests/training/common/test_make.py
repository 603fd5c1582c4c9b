"""From a recipe to files and to a judgement: which sessions a network learns and is asked of."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from training.common.manifest import MANIFEST, digest, load_manifest
from training.common.recipe import Card, Conversion, Recipe, Schedule, Temperature
from vision.common.network import Network

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from tests.training.common.test_loop import BrightOrDark
from training.common import judge, make
from training.common.answers import Answer, read_answers, write_answers
from training.common.loop import train
from training.common.task import Source
from training.kingdomino import readings

Part = tuple[int, int] | None
PARTS = [(0, 3), (1, 3), (2, 3)]
FILE, FITTED = "bright.onnx", "bright.json"
RECIPE = Recipe(
    "bright", "kingdomino", "none", {"greys": "shades"}, Schedule(steps=20, batch=4, chapter=10),
    {FILE: Conversion()}, Card("", "", "", ""), {"grey": 60},
    temperature=Temperature(seed=9, file=FITTED, folds=3, steps=20),
)  # fmt: skip


class OfSessions(BrightOrDark):
    """Asks about a picture of each of three sessions, or of the one that it was not shown."""

    parts = 3
    fitted: list[tuple[Part, int, str, int]]
    asked: list[tuple[Part, str]]

    def __init__(self, source: Source, options: Mapping[str, Any]) -> None:
        super().__init__()
        self.source = source

    def answers(self, folder: Path) -> Iterator[Answer]:
        self.asked.append((self.source.held_out, folder.name))
        only = range(3) if self.source.held_out is None else self.source.held_out[:1]
        for k in only:
            said = (folder / "says").read_text() if (folder / "says").exists() else "w"
            yield Answer(f"q{k}", f"session {k}", "all", "w", said, 0.9)

    def temperature(self, folder: Path, seed: int) -> tuple[float, int]:
        self.fitted.append((self.source.held_out, self.source.seed, folder.name, seed))
        assert (folder / FILE).exists()
        return 1.5, 7


@pytest.fixture(autouse=True)
def task(monkeypatch: pytest.MonkeyPatch) -> type[OfSessions]:
    OfSessions.fitted, OfSessions.asked = [], []
    for module in (make, judge):
        monkeypatch.setattr(module, "task_of", lambda recipe, at: OfSessions(at, recipe.options))
        monkeypatch.setattr(module, "task_class", lambda recipe: OfSessions)
    return OfSessions


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data" / "greys" / "dark").mkdir(parents=True)
    (tmp_path / "data" / "greys" / "dark" / "a.txt").write_text("a")
    return tmp_path / "data"


@pytest.fixture
def learnt(monkeypatch: pytest.MonkeyPatch) -> list[Part]:
    """What each training left out."""
    found = list[Part]()

    def noted(task: OfSessions, *given: Any, **how: Any) -> Any:
        found.append(task.source.held_out)
        return train(task, *given, **how)

    monkeypatch.setattr(make, "train", noted)
    return found


@pytest.mark.filterwarnings("ignore")
def test_what_is_shipped_learns_all_and_its_temperature_what_it_was_not_shown(
    data: Path, tmp_path: Path, task: type[OfSessions], learnt: list[Part]
) -> None:
    out = tmp_path / "out"
    entry = make.make(RECIPE, data, out)
    assert learnt == [None, PARTS[0]]
    assert task.fitted == [(PARTS[0], 9, "part", 9)]
    assert json.loads((out / FITTED).read_text()) == {"temperature": 1.5}
    assert Network((out / FILE).read_bytes())(np.zeros((1, 3, 8, 8), np.float32)).shape == (1, 2)
    assert entry["figures"] | {"loss": 0} == {
        "loss": 0, "temperature": 1.5, "temperature fitted to": 7,
    }  # fmt: skip
    listed = f"{digest(data / 'greys/dark/a.txt')}  greys/dark/a.txt\n"
    assert (out / "bright.data.txt").read_text() == listed
    noted = load_manifest(out / MANIFEST)
    assert noted["files"][FILE]["sha256"] == digest(out / FILE)
    assert noted["networks"]["bright"].items() >= {"recipe_sha256": RECIPE.sha256}.items()
    # Under another name it is other data.
    (data / "greys" / "dark").rename(data / "greys" / "light")
    again = make.make(replace(RECIPE, temperature=None), data, tmp_path / "again")
    assert again["data"] != entry["data"]


@pytest.mark.filterwarnings("ignore")
def test_for_a_judgement_a_part_is_left_out_and_nothing_noted(
    data: Path, tmp_path: Path, task: type[OfSessions], learnt: list[Part]
) -> None:
    make.make(RECIPE, data, tmp_path / "out", held_out=PARTS[1])
    assert (learnt, task.fitted) == ([PARTS[1]], [])
    assert not (tmp_path / "out" / MANIFEST).exists()


def test_the_minutes_of_the_training_for_the_temperature_count_once(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those before it was interrupted."""
    monkeypatch.setattr(make, "train", lambda *_, **__: (None, [{"step": 1.0}], 60.0))
    monkeypatch.setattr(make, "draw_curve", lambda *_: None)
    monkeypatch.setattr(make, "_write_files", lambda *_: {})
    monkeypatch.setattr(make, "drawn_sha256", lambda *_: "0")
    monkeypatch.setattr(make, "note", lambda *_: None)
    monkeypatch.setattr(OfSessions, "temperature", lambda *_: (1.0, 1))
    entry = make.make(RECIPE, data, tmp_path / "out")
    assert (entry["training_minutes"], entry["minutes"]) == (1.0, 2.0)


@pytest.mark.filterwarnings("ignore")
def test_eight_bits_are_chosen_by_some_examples_and_judged_by_others(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[tuple[str, int, int]]()

    def batches(_: OfSessions, file: str, count: int, seed: int) -> list[np.ndarray]:
        asked.append((file, count, seed))
        rng = np.random.default_rng(seed)
        return [rng.random((4, 3, 8, 8), np.float32) - np.float32(0.5) for _ in range(count)]

    monkeypatch.setattr(OfSessions, "calibration", batches)
    files = {"small.onnx": Conversion(8, of=FILE, batches=3, tolerance=1.0), FILE: Conversion()}
    recipe = replace(RECIPE, files=files, temperature=None)
    entry = make.make(recipe, data, tmp_path / "out")
    (chosen, judged) = asked
    assert chosen[:2] == ("small.onnx", 3)
    assert judged[0] == "small.onnx"
    assert judged[1] > 3
    assert judged[2] != chosen[2]
    apart = entry["figures"]["small.onnx apart"]
    assert 0 < apart < 1
    files["small.onnx"] = replace(files["small.onnx"], tolerance=apart / 2)
    with pytest.raises(ValueError, match=r"small.onnx: 8 bits are .* apart, allowed"):
        make.make(recipe, data, tmp_path / "out")


@pytest.fixture
def shipped_and_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Files of two networks, of which the new one is right."""
    monkeypatch.setattr(judge, "JUDGED", tmp_path / "kept")
    (tmp_path / "kept").mkdir()
    folders = tmp_path / "shipped", tmp_path / "new"
    for folder, says in zip(folders, "fw", strict=True):
        folder.mkdir()
        (folder / FILE).write_text(folder.name)
        (folder / FITTED).write_text(folder.name)
        (folder / "says").write_text(says)
    for name in ("border.json", "locator.onnx", FILE.replace(".", ".int8.")):
        (folders[0] / name).write_text("shipped")
    return folders


def judged(
    data: Path, folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch,
    parts: int | None = None,
) -> tuple[list[tuple[Part, str, bool]], str]:  # fmt: skip
    """The trainings of a judgement, each with what it left out, and the page."""
    shipped, new = folders
    made = list[tuple[Part, str, bool]]()

    def noted(recipe: Recipe, at: Path, out: Path, *, held_out: Part, **_: Any) -> None:
        out.mkdir()
        made.append((held_out, out.name, at == data))

    monkeypatch.setattr(judge, "make", noted)
    monkeypatch.setattr(judge, "_read_tables", lambda *_: ([], []))
    _, page = judge.judge(RECIPE, new, shipped, data, device="cpu", workers=0, parts=parts)
    return made, page.read_text()


def test_a_judgement_asks_each_network_what_it_was_not_shown(
    data: Path, shipped_and_new: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, new = shipped_and_new
    made, page = judged(data, shipped_and_new, monkeypatch)
    assert made == [(part, f"part{part[0]}", True) for part in PARTS]
    held_out = [(part, f"part{part[0]}") for part in PARTS]
    assert OfSessions.asked == [*held_out, (None, "shipped"), (None, "new")]
    # They are as sure as the network that is judged.
    for part in PARTS:
        assert (new / "judged" / f"part{part[0]}" / FITTED).read_text() == "new"
    kept = read_answers(new / "judged" / "bright.csv")
    assert [each.question for each in kept] == ["q0", "q1", "q2"]
    assert "3 were wrong and are right, 0 the other way round" in page
    assert "Both networks have seen the pictures" in page
    # Next time these are what a new network is compared with.
    was_wrong = [replace(each, said="f") for each in kept]
    write_answers(was_wrong, judge.JUDGED / "bright.csv")
    for folder in (new / "judged").glob("part*"):
        (folder / FITTED).unlink()
        folder.rmdir()
    OfSessions.asked.clear()
    _, page = judged(data, shipped_and_new, monkeypatch)
    assert OfSessions.asked == held_out
    assert "3 were wrong and are right, 0 the other way round" in page
    assert "Both networks have seen the pictures" not in page


def test_a_quick_judgement_is_by_the_first_parts_alone(
    data: Path, shipped_and_new: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, _ = judged(data, shipped_and_new, monkeypatch, parts=2)
    assert [part for part, *_ in made] == PARTS[:2]


def test_tables_are_read_by_the_shipped_weights_and_by_these_with_the_new_among_them(
    data: Path, shipped_and_new: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped, new = shipped_and_new
    work = new / "judged"
    work.mkdir()

    def read_tables(
        folders: tuple[Path, Path], at: Path, name: str
    ) -> Iterator[tuple[Answer, Answer]]:
        first, mixed = folders
        assert (first, at, name) == (shipped, data, "bright")
        found = {path.name: path.read_text() for path in mixed.iterdir()}
        others = ("border.json", "locator.onnx", "bright.int8.onnx")
        assert found == {FILE: "new", FITTED: "new", **dict.fromkeys(others, "shipped")}
        old = Answer("table", "scene", "all", "w", "f", 0.5)
        yield old, replace(old, said="w")

    monkeypatch.setattr(readings, "read_tables", read_tables)
    before, after = judge._read_tables(RECIPE, new, shipped, data, work)
    assert ([a.said for a in before], [a.said for a in after]) == (["f"], ["w"])
