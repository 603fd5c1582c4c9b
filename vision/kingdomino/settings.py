"""The settings of all steps of the Kingdomino reader."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.kingdomino.apart import ApartSettings
from vision.kingdomino.choose import ChooseSettings
from vision.kingdomino.classify.cells import GridSettings
from vision.kingdomino.dim import DimSettings
from vision.kingdomino.divide import DivideSettings
from vision.kingdomino.doubts import DoubtSettings
from vision.kingdomino.hanging import HangingSettings
from vision.kingdomino.hidden import HiddenSettings
from vision.kingdomino.judgement import JudgeSettings
from vision.kingdomino.locate.search import LocateSettings
from vision.kingdomino.mirrored import MirrorSettings
from vision.kingdomino.missing import MissingSettings
from vision.kingdomino.quality import QualitySettings
from vision.kingdomino.regroup import RegroupSettings
from vision.kingdomino.table_likeness import TableSettings
from vision.kingdomino.view import ViewSettings
from vision.kingdomino.warn import WarnSettings
from vision.photo import PhotoSettings

__all__ = ["ReadSettings"]


@dataclass(frozen=True)
class ReadSettings:
    """Settings of all steps.

    A castle's colour is named from probability ``sure_colour`` on.
    """

    photo: PhotoSettings = field(default_factory=PhotoSettings)
    locate: LocateSettings = field(default_factory=LocateSettings)
    grid: GridSettings = field(default_factory=GridSettings)
    choose: ChooseSettings = field(default_factory=ChooseSettings)
    judge: JudgeSettings = field(default_factory=JudgeSettings)
    divide: DivideSettings = field(default_factory=DivideSettings)
    regroup: RegroupSettings = field(default_factory=RegroupSettings)
    hanging: HangingSettings = field(default_factory=HangingSettings)
    apart: ApartSettings = field(default_factory=ApartSettings)
    warn: WarnSettings = field(default_factory=WarnSettings)
    quality: QualitySettings = field(default_factory=QualitySettings)
    hidden: HiddenSettings = field(default_factory=HiddenSettings)
    table: TableSettings = field(default_factory=TableSettings)
    doubts: DoubtSettings = field(default_factory=DoubtSettings)
    missing: MissingSettings = field(default_factory=MissingSettings)
    mirror: MirrorSettings = field(default_factory=MirrorSettings)
    view: ViewSettings = field(default_factory=ViewSettings)
    dim: DimSettings = field(default_factory=DimSettings)
    sure_colour: float = 0.8
