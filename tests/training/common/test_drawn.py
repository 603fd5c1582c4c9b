"""What a training begins with is one number, which each change of it changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from tests.training.kingdomino.drawn_tiles import drawn_tiles  # noqa: E402
from training import __main__ as commands  # noqa: E402
from training.common import make, task  # noqa: E402
from training.common.make import drawn_sha256  # noqa: E402
from training.common.manifest import MANIFEST, load_manifest, write_manifest  # noqa: E402
from training.common.recipe import Stage, load_recipes  # noqa: E402
from training.common.task import as_input, predict  # noqa: E402
from training.kingdomino import locator, mirror  # noqa: E402
from vision.common.network import shipped_weights  # noqa: E402

TILES = drawn_tiles(1), drawn_tiles(2)
SMALL: dict[str, Any] = {"size_px": 96, "square_px": [20.0, 40.0]}
RECIPE = replace(
    load_recipes()["locator"], data={},
    options={"asked": 1, "scenes": SMALL}, stages=(Stage(0.5, {"shown": 2}),),
)  # fmt: skip


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make, "EXAMPLES", 4)
    monkeypatch.setattr(locator, "load_tiles", lambda *_: TILES[0])


def drawn(**changes: Any) -> str:
    return drawn_sha256(replace(RECIPE, **changes), Path("nowhere"))


def test_the_same_begins_the_same_and_another_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    first = drawn()
    assert drawn() == first
    with pytest.raises(FileNotFoundError, match="there is no squares"):
        drawn(data={"squares": "some"})
    # How many are asked in a judgement changes nothing.
    assert drawn(options={**RECIPE.options, "asked": 2}) == first
    found = {
        first,
        drawn(schedule=replace(RECIPE.schedule, seed=2)),
        drawn(options={"asked": 1, "scenes": {**SMALL, "thing_share": 1.0}}),
        drawn(stages=(Stage(0.5, {"scenes": {**SMALL, "thing_share": 1.0}}),)),
    }
    weights = locator.WEIGHTS
    monkeypatch.setattr(locator, "WEIGHTS", {**weights, "c": 4.0})
    found.add(drawn())
    monkeypatch.setattr(locator, "WEIGHTS", weights)
    monkeypatch.setattr(locator, "load_tiles", lambda *_: TILES[1])
    found.add(drawn())
    assert len(found) == 6


@pytest.mark.parametrize("name", ["locator", "domino_duell"])
def test_it_does_not_depend_on_what_the_processor_has(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    recipe, found = RECIPE if name == "locator" else load_recipes()[name], set()
    for has in (True, False):
        monkeypatch.setattr(task, "has_bfloat16", lambda has=has: has)
        found.add(drawn_sha256(recipe, tmp_path))
    assert len(found) == 1


def test_products_have_16_bits_where_the_processor_has_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    torch.manual_seed(1)
    network = mirror.MirrorNetwork().eval()
    pictures = as_input(torch.randint(0, 256, (4, 3, 48, 48), dtype=torch.uint8))
    found = {}
    for has in (True, False):
        monkeypatch.setattr(task, "has_bfloat16", lambda has=has: has)
        found[has] = predict(network, pictures).detach()
    assert torch.equal(found[False], network(pictures).detach())
    assert not torch.equal(found[True], found[False])
    assert found[True].dtype == found[False].dtype == torch.float32
    torch.testing.assert_close(found[True], found[False], atol=0.02, rtol=0.02)


def test_the_command_tells_which_networks_begin_as_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / MANIFEST
    manifest = load_manifest(shipped_weights() / MANIFEST)
    del manifest["networks"]["mirrored"]["drawn_sha256"]
    write_manifest(path, manifest)
    monkeypatch.setattr("training.common.make.drawn_sha256", lambda recipe, _: recipe.name)
    typed = ["same", "--data", "D", "--folder", str(tmp_path)]
    assert commands.main([*typed, "mirrored"]) == 1
    assert commands.main([*typed, "mirrored", "--note"]) == 0
    noted = load_manifest(path)["networks"]
    assert noted["mirrored"]["drawn_sha256"] == ["mirrored"]
    capsys.readouterr()
    # What was noted of others is never replaced.
    assert commands.main([*typed, "--note"]) == 1
    assert load_manifest(path)["networks"] == noted
    table = capsys.readouterr().out.splitlines()
    assert {line.split(" | ")[0]: line.split()[-2] for line in table[2:]} == {
        f"| {name}": "same" if name == "mirrored" else "other" for name in load_recipes()
    }
    # Each kind of processor has a digest of its own.
    manifest["networks"]["mirrored"]["drawn_sha256"] = ["elsewhere", "mirrored"]
    write_manifest(path, manifest)
    assert commands.main([*typed, "mirrored"]) == 0
    manifest["networks"]["mirrored"]["recipe_sha256"] = "another"
    write_manifest(path, manifest)
    assert commands.main([*typed, "mirrored"]) == 1
