"""The picture of the house has every room and arrow of the code."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from benchmarks.packages import draw, packages_of


def test_rooms_and_arrows_come_from_the_code(tmp_path: Path) -> None:
    (tmp_path / "scorer" / "chess").mkdir(parents=True)
    (tmp_path / "scorer" / "chess" / "rules.py").write_text("X = 1\n")
    (tmp_path / "vision" / "chess").mkdir(parents=True)
    (tmp_path / "vision" / "chess" / "read.py").write_text("from scorer.chess.rules import X\n")
    (tmp_path / "companion" / "cli").mkdir(parents=True)
    (tmp_path / "companion" / "cli" / "main.py").write_text("import vision.chess.read\n\n\n")
    house = packages_of(tmp_path)
    assert {(room.path, room.lines) for room in house.rooms} == {
        ("scorer.chess", 1), ("vision.chess", 1), ("companion.cli", 3),
    }  # fmt: skip
    assert house.arrows == {("vision.chess", "scorer.chess"), ("companion.cli", "vision.chess")}
    picture = ElementTree.fromstring(draw(house))
    assert len(picture.findall(".//{*}path[@class='arrow']")) == 2
    assert len(picture.findall(".//{*}rect[@class='room']")) == 3


def test_the_project_itself_can_be_drawn() -> None:
    house = packages_of()
    assert {"scorer.kingdomino", "vision.kingdomino"} <= {room.path for room in house.rooms}
    ElementTree.fromstring(draw(house))
