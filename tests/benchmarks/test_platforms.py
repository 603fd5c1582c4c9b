"""The table of systems, of what a resolver says."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.platforms import (
    BEGIN,
    END,
    PYTHONS,
    README,
    SYSTEMS,
    lacking,
    main,
    table,
    with_table,
)

NO_WHEEL = (
    "error: No solution found when resolving dependencies\n  cause: Because "
    "onnxruntime{platform_machine in 'x86_64 AMD64'}==1.31.1 has no wheels with a matching "
    "platform tag (e.g., `musllinux_1_2_x86_64`) and kingdomino-scorer depends on "
    "onnxruntime{platform_machine in 'x86_64 AMD64'}==1.31.1, we can conclude"
)


def test_the_package_that_is_not_there() -> None:
    assert lacking(NO_WHEEL) == "onnxruntime"
    assert lacking("Because cryptography==50.0.2 has no usable wheels and") == "cryptography"
    assert lacking("Because opencv-python>=5.0 has no wheels") == "opencv-python"
    assert lacking("network is down") == "?"


def test_a_row_a_system() -> None:
    asked = []

    def ask(platform: str, macos: str, python: str, extra: str) -> str:
        asked.append((platform, macos, python, extra))
        if extra and platform == "x86_64-apple-darwin":
            return "Because cryptography==50.0.2 has no usable wheels"
        return NO_WHEEL if "musl" in platform else ""

    _, _, *rows = table(ask)
    cells = {row.split(" | ")[0].removeprefix("| "): row.split(" | ")[1:] for row in rows}
    assert list(cells) == list(SYSTEMS)
    assert cells["Linux, x86-64"] == ["yes"] * len(PYTHONS) + ["yes |"]
    assert cells["macOS 14, Intel"] == ["yes"] * len(PYTHONS) + ["no |"]
    assert cells["Linux with musl, x86-64"] == ["no onnxruntime"] * len(PYTHONS) + ["no |"]
    assert ("x86_64-apple-darwin", "14.0", "3.11", "https") in asked


def test_only_what_stands_between_the_marks_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert with_table(f"a\n{BEGIN}\nold\n{END}\nb", ["new"]) == f"a\n{BEGIN}\nnew\n{END}\nb"
    with pytest.raises(ValueError, match="expected"):
        with_table("no marks", ["new"])
    monkeypatch.setattr("benchmarks.platforms.table", lambda: ["| x |"])
    page = tmp_path / "page.md"
    page.write_text(f"{BEGIN}{END}")
    assert main(["--out", str(page)]) == 0
    assert page.read_text() == f"{BEGIN}\n| x |\n{END}"


def test_the_readme_has_a_row_for_every_system() -> None:
    shown = README.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    assert [line.split(" | ")[0] for line in shown.splitlines()[3:]] == [
        f"| {name}" for name in SYSTEMS
    ]
