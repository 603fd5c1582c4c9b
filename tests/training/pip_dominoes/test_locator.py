"""What the locator of dominoes is to learn of a scene."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from training.pip_dominoes.corpus import StoredScene, load_scene, save_scene
from training.pip_dominoes.scenes.scene import SceneSettings, draw_scene
from training.pip_dominoes.scenes.table import Drawn
from vision.pip_dominoes.weights import BODY, CENTRE, FRAMES, LOCATOR_CHANNELS

torch = pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from tests.training.sources import source_of  # noqa: E402
from training.pip_dominoes import locator  # noqa: E402
from training.pip_dominoes.locator import Seen  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out: Path = tmp_path_factory.mktemp("scenes")
    for seed in range(4):
        scene = draw_scene(SceneSettings(size_px=320), np.random.default_rng(seed), tile_px=40.0)
        save_scene(scene, out / f"{seed}.npz")
    return out


def test_a_domino_is_asked_for_at_its_middle() -> None:
    corners = np.array([(40.0, 60.0), (120.0, 60.0), (120.0, 100.0), (40.0, 100.0)])
    heat, body, frames = locator.locator_targets((160, 160), [Seen(corners, True)])
    row, column = np.unravel_index(int(heat.argmax()), heat.shape)
    assert abs(column * 4 + 1.5 - 80) <= 2
    assert abs(row * 4 + 1.5 - 80) <= 2
    assert body[20, 20] == 1
    assert body[2, 2] == 0
    assert frames[6, 20, 20] == 1
    assert frames[6, 2, 2] == 0


def test_a_hidden_domino_is_neither_asked_for_nor_forbidden() -> None:
    corners = np.array([(40.0, 60.0), (120.0, 60.0), (120.0, 100.0), (40.0, 100.0)])
    heat, body, frames = locator.locator_targets((160, 160), [Seen(corners, False, 0.3)])
    assert heat[20, 20] == -1
    assert heat[2, 2] == 0
    assert body[20, 20] == 1
    assert frames[6].max() == 0
    assert locator.locator_targets((160, 160), [Seen(corners, False, 0.8)])[1][20, 20] == -1


def test_a_back_is_a_body_and_no_domino_to_be_read() -> None:
    back = np.array([(40.0, 60.0), (120.0, 60.0), (120.0, 100.0), (40.0, 100.0)])
    face = back + (0, 30)
    views = [Seen(back, wanted=False, back=True), Seen(face, wanted=True)]
    heat, body, frames = locator.locator_targets((160, 160), views)
    np.testing.assert_allclose(
        [heat[17, 20], body[17, 20], frames[6, 17, 20]], [0, 1, 0], atol=1e-9
    )
    assert (heat.max(), body[27, 20], frames[6, 27, 20]) == (1, 1, 1)


def test_a_view_shows_the_backs_of_a_scene_where_they_lie() -> None:
    settings = SceneSettings(size_px=320, standing_share=1.0, back_share=1.0, photo_share=0.0)
    stored = draw_scene(settings, np.random.default_rng(3), tile_px=40.0, count=6)
    assert len(stored.backs) > 0
    seen = [
        each
        for seed in range(20)
        for each in locator.view_of(
            StoredScene(b"", stored.drawn, stored.backs),
            stored.rgb,
            np.random.default_rng(seed),
        )[1]
    ]
    backs = [each for each in seen if each.back]
    assert len(backs) > 10
    assert not any(each.wanted for each in backs)


def test_a_view_shows_each_domino_where_it_says() -> None:
    """A white one on a black table, turned, larger and smaller."""
    box = np.array([(0.0, 0.0), (80.0, 20.0), (70.0, 60.0), (-10.0, 40.0)]) + (150.0, 90.0)
    quarters = set[tuple[bool, bool]]()
    for size in (320, 900):
        rgb = np.zeros((size, size, 3), np.uint8)
        cv2.fillConvexPoly(rgb, np.round(box * 16).astype(np.int32), (255,) * 3, shift=4)
        drawn = Drawn((1, 2), box, np.zeros((0, 3)), 0.4, True, False)
        scene = StoredScene(b"", (drawn,), np.zeros((0, 4, 2)))
        for seed in range(12):
            part, seen, _ = locator.view_of(scene, rgb, np.random.default_rng(seed))
            if not seen:
                continue
            (found,) = seen
            shown = np.zeros(part.shape[:2], np.uint8)
            cv2.fillConvexPoly(shown, np.round(found.corners * 16).astype(np.int32), 1, shift=4)
            white = part.mean(2) > 128
            assert found.hidden == 0.4
            assert (white & (shown > 0)).sum() >= 0.8 * max((white | (shown > 0)).sum(), 1)
            along = found.corners[1] - found.corners[0]
            quarters.add((bool(along[0] > along[1]), bool(along[0] > -along[1])))
    assert len(quarters) == 4


class Says(torch.nn.Module):  # type: ignore[name-defined]
    """A network that says the same of every picture."""

    def __init__(self, maps: Any) -> None:
        super().__init__()
        self.maps = maps

    def forward(self, pictures: Any) -> Any:
        return self.maps


def test_the_loss_is_of_what_is_asked_for_alone() -> None:
    corners = np.array([(40.0, 60.0), (120.0, 60.0), (120.0, 100.0), (40.0, 100.0)])
    seen = [Seen(corners, True), Seen(corners + (0, 60), False, 0.8)]
    targets = [torch.from_numpy(each)[None] for each in locator.locator_targets((160, 160), seen)]
    picture = torch.zeros(1, 3, 160, 160, dtype=torch.uint8)
    task = locator.Locator(source_of(), {"drawn": 1, "seed": 1, "asked": 1})

    def figures(channel: int, at: tuple[int, int] | None = None) -> dict[str, float]:
        maps = torch.zeros(1, LOCATOR_CHANNELS, 40, 40)
        if at is not None:
            maps[0, channel, at[0], at[1]] = 9.0
        loss, shown = task.loss(Says(maps), [picture, *targets])
        assert float(loss) == pytest.approx(sum(map(float, shown.values())))
        return {name: round(float(value), 6) for name, value in shown.items()}

    nothing = figures(0)
    # The first domino lies about (20, 20), the covered one about (35, 20), nothing about (5, 5).
    for name, channel, asked in (
        ("centre", CENTRE, {(20, 20): True, (35, 20): False, (5, 5): True}),
        ("body", BODY, {(20, 20): True, (35, 20): False, (5, 5): True}),
        ("frame", FRAMES.start, {(20, 20): True, (35, 20): False, (5, 5): False}),
    ):
        for at, counts in asked.items():
            found = figures(channel, at)
            changed = {each for each in nothing if found[each] != nothing[each]}
            assert changed == ({name} if counts else set()), (name, at)


def test_pips_of_a_domino_too_large_to_look_for_are_forbidden() -> None:
    corners = np.array([(20.0, 40.0), (140.0, 40.0), (140.0, 100.0), (20.0, 100.0)])
    heat, body, frames = locator.locator_targets((160, 160), [Seen(corners, True)])
    assert heat[17, 20] == -1
    assert heat[12, 8] == 0
    assert body[12, 8] == 1
    assert frames[6].max() == 0


def test_some_views_show_large_dominoes(folder: Path) -> None:
    scene = load_scene(folder / "0.npz")
    rng = np.random.default_rng(2)
    largest = [locator.view_of(scene, scene.rgb(), rng)[2] for _ in range(60)]
    assert 0.02 < np.mean(np.array(largest) > locator.MOST_PX) < 0.4
