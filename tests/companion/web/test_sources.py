"""The sources of the pages: types of every script, words for every code, refusals."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion.web
from companion.languages import Language, codes
from companion.store import open_store
from companion.web.parts import photo_refusal, refused_id, refused_photo
from companion.web.shared_state import SharedState
from companion.web.visit import Visit
from tests.companion.web.board.node import tsc_command
from vision.photo.errors import PhotoError


@pytest.fixture
def visit(tmp_path: Path) -> Iterator[Visit]:
    store = open_store(f"sqlite:///{(tmp_path / 'games.sqlite').as_posix()}")
    yield Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    store.close()


def test_every_reason_comes_back_and_has_words(visit: Visit) -> None:
    for code in [code.removeprefix("photo.") for code in codes() if code.startswith("photo.")]:
        error = refused_photo(refused_id(PhotoError(code, format="JPEG", width=3)))
        assert error is not None
        assert error.code == code
        assert photo_refusal(error, visit)
        assert photo_refusal(PhotoError(code), visit)
    told = refused_photo(refused_id(PhotoError("unsupported_format", format="TIFF")))
    assert told is not None
    assert "(TIFF)" in photo_refusal(told, visit)


@pytest.mark.parametrize("sent", ["x", "refused:", "refused:A", "refused:a:<b>", "refused:a\nb"])
def test_anything_else_is_no_refusal(sent: str) -> None:
    assert refused_photo(sent) is None


def test_what_nobody_knows_did_not_arrive(visit: Visit) -> None:
    assert photo_refusal(PhotoError("nothing_known"), visit) == visit.say("photo.failed")


WEB = Path(companion.web.__file__).parent
PROJECTS = sorted(WEB.glob("*/jsconfig.json"))


def checked(project: Path) -> list[str]:
    """The files of the companion that the compiler looks at, and what it finds wrong."""
    done = subprocess.run(
        [*tsc_command(), "-p", str(project), "--listFiles"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout.splitlines()


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.parent.name)
def test_types(project: Path) -> None:
    seen = {Path(line).resolve() for line in checked(project) if line.endswith(".mjs")}
    assert seen >= {path.resolve() for path in (project.parent / "static").glob("*.mjs")}


def test_every_script_asks_to_be_checked() -> None:
    scripts = sorted(WEB.rglob("*.mjs"))
    assert len(scripts) > 50
    projects = {project.parent / "static" for project in PROJECTS}
    for script in scripts:
        assert script.parent in projects, script
        assert script.read_text(encoding="utf-8").startswith("// @ts-check\n"), script.name


PAGES = Path(__file__).parents[3] / "companion" / "web"


def test_every_code_is_in_a_catalogue() -> None:
    said = set()
    for file in PAGES.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        said |= set(re.findall(r"""\bsay\(\s*["']([a-z_.]+)["']""", text))
    assert len(said) > 60
    assert said <= codes()
