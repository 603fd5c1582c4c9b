"""The camera's modules: their own tests, and their place in the page."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.languages import Language
from companion.web.camera.live_view import STATIC, camera_files, camera_head
from tests.companion.web.asgi import ask

MODULES = Path(__file__).parent / "modules"


@pytest.mark.parametrize("path", sorted(MODULES.glob("*.test.mjs")), ids=lambda path: path.name)
def test_modules(path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    environment = {**os.environ, "CAMERA_MODULES": str(STATIC)}
    done = subprocess.run(
        [node, "--test", str(path)],
        capture_output=True,
        encoding="utf-8",
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_file_is_served_and_named_in_the_page() -> None:
    assert set(camera_files()) == {"camera.mjs", "steady.mjs", "camera.css"}
    for name in camera_files():
        assert ask(f"/assets/{name}").status == 200
    page = ask("/", headers={"accept-language": "de"}).body.decode()
    assert camera_head(Language.GERMAN) in page
    assert "Foto aufnehmen" in page


def test_every_module_is_checked_and_short() -> None:
    for path in STATIC.glob("*.mjs"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0] == "// @ts-check", path.name
        assert len(lines) < 300, path.name
