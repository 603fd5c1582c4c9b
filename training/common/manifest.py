"""The manifest of the weights, and the model cards that are written from it and the recipes."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from training.common.recipe import ROOT, Recipe

MANIFEST = "manifest.json"
WEIGHTS = (".onnx", ".json", ".npz")


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def load_manifest(path: Path) -> dict[str, Any]:
    """The manifest, an empty one where there is none yet."""
    if not path.exists():
        return {"files": {}, "networks": {}}
    return json.loads(path.read_text(encoding="utf-8"))


def write_manifest(path: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest."""
    path.write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def files_of(recipe: Recipe) -> list[str]:
    """The files that a recipe makes."""
    fitted = recipe.temperature.file if recipe.temperature else ""
    return [*recipe.files, *([fitted] if fitted else [])]


def note(path: Path, recipe: Recipe, entry: Mapping[str, Any]) -> None:
    """Enter a network and its files beside the manifest; what is noted of others stays."""
    manifest = load_manifest(path)
    manifest["networks"][recipe.name] = {**entry, "how": "by its recipe, from nothing"}
    _enter(path, manifest, {name: {"network": recipe.name} for name in files_of(recipe)})


def load_fits() -> dict[str, str]:
    """Files of models that are no networks, by name the command that fits each."""
    tables = [p.read_text(encoding="utf-8") for p in sorted(ROOT.glob("*/fits.toml"))]
    return {name: how for table in tables for name, how in tomllib.loads(table).items()}


def note_fits(path: Path) -> None:
    """Enter the fitted files that lie beside the manifest, as they are now."""
    there = {name: how for name, how in load_fits().items() if path.with_name(name).exists()}
    _enter(path, load_manifest(path), {name: {"command": how} for name, how in there.items()})


def _enter(path: Path, manifest: dict[str, Any], files: Mapping[str, dict[str, str]]) -> None:
    """Note these files in the manifest, with what is said of each, and write it."""
    for name, said in files.items():
        file = path.with_name(name)
        manifest["files"][name] = {"sha256": digest(file), "bytes": file.stat().st_size, **said}
    write_manifest(path, manifest)


def faults(folder: Path, recipes: Mapping[str, Recipe]) -> list[str]:
    """What is not as the manifest and the recipes say, a line each."""
    manifest = load_manifest(folder / MANIFEST)
    here = {p.name for p in folder.iterdir() if p.suffix in WEIGHTS and p.name != MANIFEST}
    found = [f"{name}: not in the manifest" for name in sorted(here - manifest["files"].keys())]
    for name, noted in sorted(manifest["files"].items()):
        if name not in here:
            found.append(f"{name}: in the manifest, but not there")
        elif digest(folder / name) != noted["sha256"]:
            found.append(f"{name}: expected SHA-256 {noted['sha256']}, got another file")
        if "network" in noted and name not in files_of(recipes[noted["network"]]):
            found.append(f"{name}: the recipe {noted['network']} does not make it")
    for name, recipe in recipes.items():
        if name not in manifest["networks"]:
            found.append(f"{name}: a recipe of which the manifest has nothing")
        elif (folder / f"{name}.md").read_text(encoding="utf-8") != card_of(recipe, manifest):
            found.append(f"{name}.md: not what the recipe and the manifest say")
    return found


def write_cards(folder: Path, recipes: Iterable[Recipe]) -> None:
    """Write the model card of each network."""
    manifest = load_manifest(folder / MANIFEST)
    for recipe in recipes:
        if recipe.name in manifest["networks"]:
            (folder / f"{recipe.name}.md").write_text(card_of(recipe, manifest), encoding="utf-8")


def card_of(recipe: Recipe, manifest: Mapping[str, Any]) -> str:
    """The model card: what people say of it in the recipe, and what commands noted of it."""
    network, plan = manifest["networks"][recipe.name], recipe.schedule
    files = {n: f for n, f in manifest["files"].items() if f.get("network") == recipe.name}
    stored = [f"- `{n}`: {f['bytes']:,} bytes, SHA-256 `{f['sha256']}`" for n, f in files.items()]
    figures = ", ".join(f"{name} {value}" for name, value in network["figures"].items())
    parts = [
        f"# Model card: {', '.join(f'`{name}`' for name in files)}",
        recipe.card.does,
        "\n".join(stored),
        "## Training",
        recipe.card.trained_on,
        f"The recipe `{recipe.path}`: {plan.steps:,} steps of {plan.batch}, seed {plan.seed},\n"
        f"AdamW, one-cycle rate up to {plan.rate:g}, running mean of the weights:",
        f"    python -m training make {recipe.name} --data DATA --out FOLDER",
        f"Made so on {network['made']} at commit {network['commit']} in {network['minutes']} "
        f"minutes ({network['machine']}); versions and digests of the data in `{MANIFEST}`.",
        f"At its end: {figures}.",
        *(["## Judged", network["judged"]] if "judged" in network else []),
        "## Use",
        recipe.card.use,
        "## Limits",
        recipe.card.limits,
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"
