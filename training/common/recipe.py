"""Recipes: all that decides what a network becomes, ``training/<game>/recipes/NAME.toml`` each.

A key that nobody reads is an error, so that a slip of the pen is not taken for a default.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

ROOT = Path(__file__).parents[1]


class RecipeError(ValueError):
    """A recipe that cannot be used, with the file and the key."""


@dataclass(frozen=True)
class Schedule:
    """The learning rate rises to ``rate`` in ``warm_share`` of the steps, 0..1; the mean of the
    weights keeps ``mean_decay``, 0..1, at each update; every ``chapter`` steps all that is kept.
    """

    steps: int
    batch: int
    seed: int = 1
    rate: float = 3e-3
    warm_share: float = 0.1
    weight_decay: float = 1e-2
    mean_decay: float = 0.98
    clip: float = 5.0
    chapter: int = 500


@dataclass(frozen=True)
class Stage:
    """From this share of the steps on, 0..1, the task is given these other options."""

    begins: float
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Conversion:
    """How a file of a training is stored: in 32 or 16 bits, or in 8 made from file ``of``.

    Ranges of 8 bits are chosen by ``method``, "MinMax" or "Percentile", of ``batches`` of examples;
    parts with one of ``floats`` in their names stay. ``tolerance`` is how much outputs may differ
    from those of 32 bits, as a share of their root mean square.
    """

    bits: int = 32
    of: str = ""
    batches: int = 0
    floats: tuple[str, ...] = ()
    method: str = "MinMax"
    tolerance: float = 0.02


@dataclass(frozen=True)
class Temperature:
    """What is fitted after the training; without a ``file`` it is noted in the manifest alone.

    With ``folds`` to what another training of ``steps`` says of the first of so many parts, which
    it has not seen; else to newly drawn examples of ``seed``.
    """

    seed: int
    file: str = ""
    folds: int = 0
    steps: int = 0


@dataclass(frozen=True)
class Card:
    """What people say of a network; the figures of its card come from the manifest."""

    does: str
    trained_on: str
    use: str
    limits: str


@dataclass(frozen=True)
class Recipe:
    """One network from its data to its files.

    ``task`` names a module of the game and its class that makes examples by the ``options``;
    ``data`` are the folders and files of the data folder that it reads, with what they are for.
    """

    name: str
    game: str
    task: str
    data: Mapping[str, str]
    schedule: Schedule
    files: Mapping[str, Conversion]
    card: Card
    options: Mapping[str, Any]
    stages: tuple[Stage, ...] = ()
    temperature: Temperature | None = None

    @classmethod
    def load(cls, path: Path) -> Recipe:
        """Read a recipe; RecipeError names what is wrong with it."""
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise RecipeError(f"{path.name}: {error}") from error
        # A recipe of the project lies with its game; one of somebody's own names it.
        table = {"options": {}, "game": path.resolve().parents[1].name, **table, "name": path.stem}
        files, stages = table.setdefault("files", {}), table.get("stages", [])
        for name, of in files.items():
            where = f"{path.name}: files.{name}"
            stored = files[name] = build(Conversion, of, where)
            if stored.bits not in (8, 16, 32) or (stored.bits == 8) != bool(stored.of):
                raise RecipeError(f"{where}: expected 8 bits of another file, or 16 or 32, "
                                  f"got {stored.bits} of {stored.of!r}")  # fmt: skip
        table["stages"] = [build(Stage, stage, f"{path.name}: stages") for stage in stages]
        if how := table.get("temperature"):
            table["temperature"] = build(Temperature, how, f"{path.name}: temperature")
        return build(cls, table, path.name)

    @property
    def path(self) -> str:
        """Where it lies, from the root of the project."""
        return f"training/{self.game}/recipes/{self.name}.toml"

    @property
    def sha256(self) -> str:
        """The digest of all that decides the files: not of the card."""
        return self._digest("files", "temperature")

    @property
    def trained_sha256(self) -> str:
        """The digest of what decides the weights: not how they are stored or what they're asked."""
        options = {name: value for name, value in self.options.items() if name != "asked"}
        return dataclasses.replace(self, options=options)._digest()

    def _digest(self, *more: str) -> str:
        decisive = ("name", "game", "task", "schedule", "options", "stages", *more)
        said = {name: value for name, value in dataclasses.asdict(self).items() if name in decisive}
        text = json.dumps(said | {"data": sorted(self.data)}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def options_at(self, share: float) -> dict[str, Any]:
        """The options of the task when this share of the steps is done."""
        options = dict(self.options)
        for stage in self.stages:
            if share >= stage.begins:
                options |= stage.options
        return options


Built = TypeVar("Built")


def build(kind: type[Built], table: Mapping[str, Any], where: str) -> Built:
    """A dataclass from a table, and dataclasses in its fields from the tables within.

    RecipeError, with ``where``, for a key that is unknown, missing, or of another type.
    """
    hints, values = get_type_hints(kind), {}
    for key, value in table.items():
        if key not in hints:
            raise RecipeError(f"{where}: {key}: expected one of {', '.join(sorted(hints))}")
        wanted = hints[key]
        if wanted is float and type(value) is int:
            value = float(value)
        if dataclasses.is_dataclass(wanted) and isinstance(value, dict):
            value = build(wanted, value, f"{where}: {key}")  # type: ignore[arg-type]
        if wanted in (int, float, str) and type(value) is not wanted:
            raise RecipeError(f"{where}: {key}: expected {wanted.__name__}, got {value!r}")
        values[key] = tuple(value) if isinstance(value, list) else value
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]
        needed = field.default is field.default_factory is dataclasses.MISSING
        if needed and field.name not in table:
            raise RecipeError(f"{where}: {field.name} is missing")
    return kind(**values)


def load_recipes(root: Path = ROOT) -> dict[str, Recipe]:
    """All recipes by name, the quickest trainings first."""
    found = [Recipe.load(path) for path in root.glob("*/recipes/*.toml")]
    found.sort(key=lambda r: (r.schedule.steps * r.schedule.batch, r.name))
    return {recipe.name: recipe for recipe in found}
