"""The picture of the packages has every package and arrow of the code."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.packages import draw, packages_of


def test_rooms_and_arrows_come_from_the_code(tmp_path: Path) -> None:
    (tmp_path / "scorer" / "chess").mkdir(parents=True)
    (tmp_path / "scorer" / "chess" / "rules.py").write_text("X = 1\n")
    (tmp_path / "vision" / "chess").mkdir(parents=True)
    (tmp_path / "vision" / "chess" / "read.py").write_text("from scorer.chess.rules import X\n")
    (tmp_path / "companion" / "cli").mkdir(parents=True)
    (tmp_path / "companion" / "cli" / "main.py").write_text("import vision.chess.read\n\n\n")
    graph = packages_of(tmp_path)
    assert {(package.path, package.lines) for package in graph.packages} == {
        ("scorer.chess", 1), ("vision.chess", 1), ("companion.cli", 3),
    }  # fmt: skip
    assert graph.arrows == {("vision.chess", "scorer.chess"), ("companion.cli", "vision.chess")}
    picture = ElementTree.fromstring(draw(graph))
    assert len(picture.findall(".//{*}path[@class='arrow']")) == 2
    assert len(picture.findall(".//{*}rect[@class='package']")) == 3


@pytest.mark.slow
def test_the_project_itself_can_be_drawn() -> None:
    graph = packages_of()
    assert {"scorer.kingdomino", "vision.kingdomino"} <= {
        package.path for package in graph.packages
    }
    ElementTree.fromstring(draw(graph))
