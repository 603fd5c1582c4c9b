"""The board's modules: joined as they are, their own tests, and their scoring against Python."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from companion.web.board import bundle
from companion.web.board.bundle import STATIC
from scorer.kingdomino import CASTLE, EMPTY, Kingdom, Square, Terrain, score
from tests.companion.web.board.node import MODULES, run_node


def test_the_joined_module_loads_and_exports(tmp_path: Path) -> None:
    path = tmp_path / "joined.mjs"
    path.write_text(bundle.joined_modules(), encoding="utf-8")
    script = f"import({path.as_uri()!r}).then((m) => console.log(Object.keys(m).join()))"
    assert run_node("-e", script).strip() == "mount,show"


def test_every_module_travels() -> None:
    joined = bundle.joined_modules()
    for path in bundle.STATIC.glob("*.mjs"):
        if path.stem != "types":
            assert f"const $$_{path.stem} = " in joined, path.name


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        (
            {"main": 'import { a } from "./b.mjs";\n', "b": 'import { m } from "./main.mjs";\n'},
            "ring",
        ),
        ({"main": 'import a from "./b.mjs";\n'}, "plain imports"),
        ({"main": "const a = 1;\nexport { a };\n"}, "plain imports"),
    ],
)
def test_what_can_not_be_joined_is_refused(
    modules: dict[str, str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, source in modules.items():
        (tmp_path / f"{name}.mjs").write_text(source, encoding="utf-8")
    monkeypatch.setattr(bundle, "STATIC", tmp_path)
    with pytest.raises(ValueError, match=message):
        bundle.joined_modules.__wrapped__("main")


def test_text_can_not_end_a_script() -> None:
    assert "</script" not in bundle.as_javascript("</script><b>")


TESTS = sorted(MODULES.glob("*.test.mjs"))


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_modules(path: object) -> None:
    run_node("--test", str(path))


def test_every_module_is_checked_and_short() -> None:
    for path in STATIC.glob("*.mjs"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0] == "// @ts-check", path.name
        assert len(lines) < 300, path.name


def random_kingdom(draw: random.Random) -> Kingdom:
    def any_square() -> Square:
        if draw.random() < 0.15:
            return draw.choice((EMPTY, CASTLE))
        crowns = draw.choice((0, 0, 0, 1, 1, 2, 3))
        return Square(draw.choice(tuple(Terrain)[:4]), crowns, draw.randint(0, crowns))

    height, width = draw.randint(1, 9), draw.randint(1, 9)
    return Kingdom(tuple(tuple(any_square() for _ in range(width)) for _ in range(height)))


def test_scoring_is_that_of_the_rules() -> None:
    draw = random.Random(11)
    kingdoms = [random_kingdom(draw) for _ in range(2000)]
    text = "\n".join(kingdom.format() for kingdom in kingdoms)
    answers = json.loads(run_node(str(MODULES / "score.mjs"), text=text))
    for kingdom, found in zip(kingdoms, answers, strict=True):
        expected = [
            {
                "terrain": each.terrain.letter,
                "squares": [list(place) for place in each.squares],
                "crowns": each.crowns,
                "covered": each.covered_crowns,
                "points": each.points,
            }
            for each in score(kingdom).territories
        ]
        assert found == expected, kingdom.format()


def test_style_has_no_emoji_and_no_address() -> None:
    for path in STATIC.iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search("[\u2600-\u27bf\U0001f300-\U0001faff]", text), path.name
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), path.name
