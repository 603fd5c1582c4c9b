"""From a recipe to what is shipped: train, write, convert, fit the temperature, check, and note."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
import time
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from training.common.arrays import Floats
from training.common.loop import draw_curve, train
from training.common.manifest import MANIFEST, digest, note
from training.common.onnx_files import apart, check, quantise, save_onnx, store_in_16_bits
from training.common.recipe import Recipe
from training.common.task import Source, Task, task_of
from training.data_sheet import NEAR_COPY, faults_of, read_rows

LIBRARIES = ("torch", "onnx", "onnxruntime", "numpy", "opencv-python")
# New examples that a conversion is judged by, drawn from another seed.
UNSEEN, UNSEEN_SEED = 64, 90_001


def make(
    recipe: Recipe,
    data: Path,
    out: Path,
    *,
    device: str = "cpu",
    workers: int = 0,
    held_out: tuple[int, int] | None = None,
) -> dict[str, Any]:
    """Make a network from nothing, write its files into ``out``, and what is noted of them.

    ``out/work`` keeps what an interrupted training goes on from. With ``held_out`` it is one of
    the trainings of a judgement: no temperature is fitted, nothing noted in the manifest.
    ValueError, with table and line, for rows of the data that are wrong, before anything is made;
    near-copies in different groups, which only flatter a judgement, are printed.
    """
    rows = [row for row in read_rows(data) if row.table.relative_to(data).parts[0] in recipe.data]
    faults = faults_of(data, rows)
    if wrong := [fault for fault in faults if fault.kind != NEAR_COPY]:
        raise ValueError("\n".join(["the data is wrong:", *map(str, wrong)]))
    for fault in faults:
        print(f"warning: {fault}", flush=True)
    out.mkdir(parents=True, exist_ok=True)
    hashed, work = hash_data(recipe, data, out), out / "work"
    started = time.monotonic()
    source = Source(data, work / "drawn", recipe.schedule.seed, held_out)
    task = task_of(recipe, source)
    begun = time.monotonic()
    network, curve, seconds = train(task, recipe, work, device=device, workers=workers)
    earlier = max(0.0, seconds - (time.monotonic() - begun))
    draw_curve(curve, out / f"{recipe.name}.curve.png")
    figures: dict[str, Any] = {n: round(v, 4) for n, v in curve[-1].items() if n != "step"}
    written = {export.file: export for export in task.exports(network)}
    unexpected = set(written) ^ {n for n, how in recipe.files.items() if not how.of}
    if unexpected:
        raise ValueError(
            f"{recipe.path}: files: expected {sorted(written)}, differs in {unexpected}"
        )
    for name in sorted(recipe.files, key=lambda n: bool(recipe.files[n].of)):
        how = recipe.files[name]
        if not how.of:
            save_onnx(written[name], out)
        figures |= _convert(task, out, name, recipe)
        check(out / name, written[how.of or name].example.numpy())
    if recipe.temperature and held_out is None:
        more, before = _temperature(recipe, task, data, out, device, workers)
        figures |= more
        earlier += before
    entry = {
        "recipe": recipe.path,
        "recipe_sha256": recipe.sha256,
        "commit": _commit(),
        "made": datetime.now(UTC).date().isoformat(),
        "seed": recipe.schedule.seed,
        "steps": recipe.schedule.steps,
        "training_minutes": round(seconds / 60, 1),
        "minutes": round((time.monotonic() - started + earlier) / 60, 1),
        "device": device,
        "machine": _machine(),
        "versions": {"python": platform.python_version(), **{n: version(n) for n in LIBRARIES}},
        "data": hashed,
        "figures": figures,
    }
    if held_out is None:
        note(out / MANIFEST, recipe, entry)
    return entry


def _convert(task: Task, out: Path, name: str, recipe: Recipe) -> dict[str, float]:
    """Store a file in the bits of its recipe; how far that is from 32 bits."""
    how = recipe.files[name]
    if how.bits == 32:
        return {}
    whole = (out / (how.of or name)).read_bytes()
    if how.bits == 16:
        stored = store_in_16_bits(whole)
    else:
        stored = quantise(whole, task.calibration(name, how.batches, UNSEEN_SEED - 1), how)
    (out / name).write_bytes(stored)
    batches: list[Floats] = task.calibration(name, UNSEEN, UNSEEN_SEED)
    off = apart(whole, stored, batches)
    if off > how.tolerance:
        raise ValueError(f"{name}: {how.bits} bits are {off:.3g} apart, allowed {how.tolerance}")
    return {f"{name} apart": round(off, 5)}


def _temperature(
    recipe: Recipe, task: Task, data: Path, out: Path, device: str, workers: int
) -> tuple[dict[str, float], float]:
    """Fit the temperature as the recipe says, and write it.

    Also the seconds that an interrupted training for it had taken before.
    """
    how = recipe.temperature
    assert how is not None
    folder, earlier = out, 0.0
    if how.folds:
        folder = out / "work" / "part"
        shorter = replace(recipe.schedule, steps=how.steps)
        part = replace(recipe, schedule=shorter, temperature=None)
        begun = time.monotonic()
        entry = make(part, data, folder, device=device, workers=workers, held_out=(0, how.folds))
        earlier = max(0.0, 60 * entry["minutes"] - (time.monotonic() - begun))
        source = Source(data, folder / "work" / "drawn", how.seed, (0, how.folds))
        task = task_of(part, source)
    temperature, count = task.temperature(folder, how.seed)
    rounded = round(temperature, 4)
    if how.file:
        (out / how.file).write_text(json.dumps({"temperature": rounded}) + "\n", encoding="utf-8")
    return {"temperature": rounded, "temperature fitted to": count}, earlier


def hash_data(recipe: Recipe, data: Path, out: Path) -> dict[str, dict[str, Any]]:
    """The number of files that a recipe reads, by folder, and a digest of their digests.

    Every file's own goes into ``NAME.data.txt``, as ``sha256sum`` writes it. FileNotFoundError for
    a folder that is not there.
    """
    lines: dict[str, list[str]] = {}
    for folder in sorted(recipe.data):
        base = data / folder
        if not base.exists():
            raise FileNotFoundError(f"{recipe.path}: data: there is no {folder} in the data folder")
        paths = sorted(p for p in base.rglob("*") if p.is_file()) if base.is_dir() else [base]
        lines[folder] = [f"{digest(path)}  {path.relative_to(data).as_posix()}" for path in paths]
    text = "".join(f"{line}\n" for some in lines.values() for line in some)
    (out / f"{recipe.name}.data.txt").write_text(text, encoding="utf-8")
    return {
        folder: {
            "files": len(some),
            "sha256": hashlib.sha256("\n".join(some).encode()).hexdigest(),
        }
        for folder, some in lines.items()
    }


def _machine() -> str:
    """The kind of processor and of the graphics card, with the number of cores."""
    name = platform.processor() or platform.machine()
    listed = Path("/proc/cpuinfo")
    if listed.exists():
        models = [x for x in listed.read_text(encoding="utf-8").splitlines() if "model name" in x]
        name = models[0].partition(":")[2].strip() if models else name
    card = f", {torch.cuda.get_device_name()}" if torch.cuda.is_available() else ""
    return f"{name}, {os.cpu_count()} cores{card}"


def _commit() -> str:
    """The commit at hand, "+" behind it where files differ from it."""
    root = Path(__file__).parents[2]
    try:
        told = [
            subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
            for words in (["rev-parse", "--short=10", "HEAD"],
                          ["status", "--porcelain", "--", "training", "vision", "scorer"])
        ]  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return told[0].stdout.strip() + ("+" if told[1].stdout.strip() else "")
