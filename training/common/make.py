"""From a recipe to what is shipped: train, write, convert, fit the temperature, check, and note."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import subprocess
import time
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from torch import nn

from training.common.drawn import drawn_sha256
from training.common.loop import draw_curve, train
from training.common.manifest import MANIFEST, digest, note
from training.common.onnx_files import apart, check, quantise, save_onnx, store_in_16_bits
from training.common.recipe import ROOT, Recipe
from training.common.task import Source, Task, has_bfloat16, task_of
from training.data_sheet import faults_of, read_rows

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
    rows = [row for row in read_rows(data) if row.table.partition("/")[0] in recipe.data]
    faults = faults_of(rows)
    if wrong := [fault for fault in faults if not fault.near_copy]:
        raise ValueError("\n".join(["the data is wrong:", *map(str, wrong)]))
    for fault in faults:
        print(f"warning: {fault}", flush=True)
    out.mkdir(parents=True, exist_ok=True)
    hashed, work = _hash_data(recipe, data, out), out / "work"
    started = time.monotonic()
    task = task_of(recipe, Source(data, work / "drawn", recipe.schedule.seed, held_out))
    begun = time.monotonic()
    network, curve, seconds = train(task, recipe, work, device=device, workers=workers)
    # What an interrupted training had taken before counts too.
    started -= max(0.0, seconds - (time.monotonic() - begun))
    draw_curve(curve, out / f"{recipe.name}.curve.png")
    figures: dict[str, Any] = {n: round(v, 4) for n, v in curve[-1].items() if n != "step"}
    figures |= _write_files(recipe, task, network, out)
    how, folder = recipe.temperature, out
    if how and held_out is None:
        if how.folds:
            # Fitted to what another training says of a part that it has not seen.
            folder, without, begun = work / "part", (0, how.folds), time.monotonic()
            shorter = replace(recipe.schedule, steps=how.steps)
            part = replace(recipe, schedule=shorter, temperature=None)
            made = make(part, data, folder, device=device, workers=workers, held_out=without)
            started -= max(0.0, 60 * made["minutes"] - (time.monotonic() - begun))
            task = task_of(part, Source(data, folder / "work" / "drawn", how.seed, without))
        temperature, count = task.temperature(folder, how.seed)
        fitted = {"temperature": round(temperature, 4)}
        if how.file:
            (out / how.file).write_text(json.dumps(fitted) + "\n", encoding="utf-8")
        figures |= fitted | {"temperature fitted to": count}
    entry = {
        "recipe": recipe.path,
        "recipe_sha256": recipe.sha256,
        "commit": _commit(),
        "made": datetime.now(UTC).date().isoformat(),
        "seed": recipe.schedule.seed,
        "steps": recipe.schedule.steps,
        "training_minutes": round(seconds / 60, 1),
        "minutes": round((time.monotonic() - started) / 60, 1),
        "device": device,
        "machine": _machine(),
        "versions": {"python": platform.python_version(), **{n: version(n) for n in LIBRARIES}},
        "data": hashed,
        "figures": figures,
    }
    if held_out is None:
        entry["drawn_sha256"] = drawn_sha256(recipe, data)
        note(out / MANIFEST, recipe, entry)
    return entry


def _write_files(recipe: Recipe, task: Task, network: nn.Module, out: Path) -> dict[str, float]:
    """Write and check the files of a training; how far those of fewer bits are from 32 bits.

    ValueError where the recipe names others, or one is further off than it allows.
    """
    exports = {export.file: export for export in task.exports(network)}
    if unexpected := set(exports) ^ {n for n, how in recipe.files.items() if not how.of}:
        raise ValueError(
            f"{recipe.path}: files: expected {sorted(exports)}, differs in {unexpected}"
        )
    figures = {}
    # Those that are made of another file come after it.
    for name, how in sorted(recipe.files.items(), key=lambda file: bool(file[1].of)):
        source = how.of or name
        if not how.of:
            save_onnx(exports[name], out)
        if how.bits < 32:
            whole = (out / source).read_bytes()
            if how.bits == 16:
                stored = store_in_16_bits(whole)
            else:
                stored = quantise(whole, task.calibration(name, how.batches, UNSEEN_SEED - 1), how)
            (out / name).write_bytes(stored)
            off = apart(whole, stored, task.calibration(name, UNSEEN, UNSEEN_SEED))
            if off > how.tolerance:
                allowed = f"allowed {how.tolerance}"
                raise ValueError(f"{name}: {how.bits} bits are {off:.3g} apart, {allowed}")
            figures[f"{name} apart"] = round(off, 5)
        check(out / name, exports[source].example.numpy())
    return figures


def _hash_data(recipe: Recipe, data: Path, out: Path) -> dict[str, dict[str, Any]]:
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
    digests = {n: hashlib.sha256("\n".join(some).encode()) for n, some in lines.items()}
    return {n: {"files": len(lines[n]), "sha256": d.hexdigest()} for n, d in digests.items()}


def _machine() -> str:
    """The kind of processor and of the graphics card, with the number of cores.

    The name alone does not tell in how many bits the products of a training are.
    """
    name = platform.processor() or platform.machine()
    listed = Path("/proc/cpuinfo")
    if listed.exists():
        model = re.search(r"model name\s*:(.*)", listed.read_text(encoding="utf-8"))
        name = model[1].strip() if model else name
    card = f", {torch.cuda.get_device_name()}" if torch.cuda.is_available() else ""
    name += "" if has_bfloat16() else " without bfloat16"
    return f"{name}, {os.cpu_count()} cores{card}"


def _commit() -> str:
    """The commit at hand, "+" behind it where files differ from it."""

    def git(*words: str) -> str:
        told = subprocess.run(
            ["git", *words], cwd=ROOT.parent, capture_output=True, text=True, check=True
        )
        return told.stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", "training", "vision", "scorer")
        return git("rev-parse", "--short=10", "HEAD") + ("+" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
