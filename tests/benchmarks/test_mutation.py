"""The measure of what breaks unnoticed: its packages, its interval, its changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.mutation.targets import TARGETS, Counted, Mutant, Target, report, wilson

ROOT = Path(__file__).parents[2]
CODE = '''
from dataclasses import replace


def far(stone: Stone, steps: int) -> Stone:
    """Moved on."""
    if steps < 1:
        stop(stone)
    return replace(stone, at=stone.at + steps, unsure=True)


class PaceSettings:
    step_px: float = 20.0
'''


@pytest.mark.parametrize("package", TARGETS, ids=lambda package: package.name)
def test_every_room_has_its_modules_and_tests(package: Target) -> None:
    assert package.paths(ROOT)
    assert all((ROOT / place).exists() for place in package.tests)


def test_every_room_of_the_issue_is_measured() -> None:
    found = {path.as_posix() for package in TARGETS for path in package.paths(ROOT)}
    for top in ("scorer", "vision", "companion/store", "companion/reading", "companion/games"):
        for path in (ROOT / top).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            bare = name.count("/") == 1 or "/migrations/" in name
            assert name in found or bare, name


def test_the_interval_is_wilson_s() -> None:
    # Newcombe (1998), Statistics in Medicine 17, 857: table I.
    for successes, tried, low, high in ((81, 263, 0.2553, 0.3662), (0, 20, 0.0, 0.1611)):
        assert wilson(successes, tried) == pytest.approx((low, high), abs=1e-4)


def test_the_report_counts_by_package_kind_and_module_and_names_what_lives() -> None:
    lives = Mutant("vision/photo", "vision/photo/files.py", "number", "a = 1 → a = 2", False)
    dies = Mutant("vision/photo", "vision/photo/files.py", "text", "", True)
    excused = "zip(a, strict=True) → zip(a, strict=None)"
    harmless = Mutant("vision/photo", "vision/photo/files.py", "text", excused, False)
    refused = Mutant("vision/photo", "vision/photo/files.py", "text", "b → None", False, True)
    text = report([Counted("vision/photo", 90, (lives, dies, refused, harmless))])
    assert "| vision/photo | 90 | 4 | 1 | 1 | 50.0 % | 15 to 85 % | 1 | 66.7 % |" in text
    assert "| text | 3 | 1 | 1 | 66.7 % | 21 to 94 % | 1 | 100.0 % |" in text
    assert "| vision/photo/files.py | 4 | 1 | 1 | 50.0 % |" in text
    assert "| number | `a = 1 → a = 2` |  |" in text


def test_changes_of_all_kinds_that_hand_overs_suffer_from() -> None:
    pytest.importorskip("mutmut", reason="mutation needs the extra 'dev'")
    from benchmarks.mutation.changes import changes_of, describe

    made = {
        (change.kind, describe(CODE, change.make()), change.loaded)
        for change in changes_of("a.py", CODE)
    }
    line = "return replace(stone, at=stone.at + steps, unsure=True)"
    assert ("field lost", f"{line} → return replace(stone, at=stone.at + steps)", False) in made
    assert ("field lost", f"{line} → return replace(stone, unsure=True)", False) in made
    assert ("call removed", "stop(stone) → pass", False) in made
    assert ("condition", "if steps < 1: → if not (steps < 1):", False) in made
    assert ("setting", "step_px: float = 20.0 → step_px: float = 21.0", True) in made
    (body,) = [each for each in changes_of("a.py", CODE) if each.kind == "body removed"]
    assert "def far(stone: Stone, steps: int) -> Stone:\n    return None\n" in body.make()
    compile(body.make(), "a.py", "exec")


def test_what_was_measured_of_other_tests_stays_known() -> None:
    pytest.importorskip("mutmut", reason="mutation needs the extra 'dev'")
    from benchmarks.mutation.__main__ import joined

    known = {
        "seconds": {"a.py::one": 1.0, "b.py::two": 2.0},
        "reached": {"m.py": {"3": ["a.py::one", "b.py::two"], "4": ["b.py::two"]}},
        "at_load": {"m.py": [1]},
        "installed": ["numpy"],
    }
    fresh = {
        "seconds": {"b.py::new": 3.0},
        "reached": {"m.py": {"3": ["b.py::new"]}},
        "at_load": {"m.py": [1, 2]},
        "installed": ["cv2"],
    }
    assert joined(known, fresh, {"a.py"}) == {
        "seconds": {"a.py::one": 1.0, "b.py::new": 3.0},
        "reached": {"m.py": {"3": ["a.py::one", "b.py::new"], "4": []}},
        "at_load": {"m.py": [1, 2]},
        "installed": ["cv2", "numpy"],
    }


def test_a_loaded_function_gets_the_changed_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchmarks.mutation.session import UNCHANGED, Asked, put_in

    monkeypatch.chdir(tmp_path)
    code = "class Steps:\n    def far(self):\n        return max(n for n in (1, 2))\n"
    (tmp_path / f"a{UNCHANGED}").write_text(code, encoding="utf-8")
    loaded: dict[str, Any] = {}
    exec(compile(code, str(tmp_path / "a.py"), "exec"), loaded)
    steps = loaded["Steps"]()
    changed = Asked("a.py#1", "a.py", code.replace("(1, 2)", "(1, 3)"), (), 1.0, False)
    put_in(changed, [loaded["Steps"].far])
    assert steps.far() == 3
