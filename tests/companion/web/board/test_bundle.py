"""The joined module is the modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.web.board import bundle
from tests.companion.web.board.node import run_node


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
