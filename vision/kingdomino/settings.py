"""The settings of all steps of the Kingdomino reader."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.kingdomino.detect.classifier import GridSettings
from vision.kingdomino.detect.search import LocateSettings
from vision.kingdomino.detect.view import ViewSettings
from vision.kingdomino.judge.judgement import JudgeSettings
from vision.kingdomino.judge.light import DimSettings, QualitySettings
from vision.kingdomino.judge.mirrored import MirrorSettings
from vision.kingdomino.judge.missing import MissingSettings
from vision.kingdomino.judge.warn import HiddenSettings, WarnSettings
from vision.kingdomino.kingdoms.choose import ChooseSettings
from vision.kingdomino.kingdoms.detached import DetachedSettings
from vision.kingdomino.kingdoms.divide import DivideSettings
from vision.kingdomino.kingdoms.hanging import HangingSettings
from vision.kingdomino.kingdoms.regroup import RegroupSettings
from vision.kingdomino.kingdoms.table_likeness import TableSettings
from vision.kingdomino.together import TogetherSettings
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
    apart: DetachedSettings = field(default_factory=DetachedSettings)
    warn: WarnSettings = field(default_factory=WarnSettings)
    quality: QualitySettings = field(default_factory=QualitySettings)
    hidden: HiddenSettings = field(default_factory=HiddenSettings)
    table: TableSettings = field(default_factory=TableSettings)
    missing: MissingSettings = field(default_factory=MissingSettings)
    mirror: MirrorSettings = field(default_factory=MirrorSettings)
    view: ViewSettings = field(default_factory=ViewSettings)
    dim: DimSettings = field(default_factory=DimSettings)
    together: TogetherSettings = field(default_factory=TogetherSettings)
    sure_colour: float = 0.8
