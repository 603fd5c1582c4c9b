"""From a recipe to what is shipped: train, write, convert, fit the temperature, check, and note.

What a training begins with is one number: it tells in a minute whether code makes another network.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import platform
import re
import subprocess
import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import default_collate

from training.common.loop import draw_curve, settle, train
from training.common.manifest import MANIFEST, digest, load_manifest, note, write_manifest
from training.common.markdown import markdown
from training.common.onnx_files import apart, check, quantise, save_onnx, store_in_16_bits
from training.common.recipe import ROOT, Recipe
from training.common.task import Source, Task, has_bfloat16, task_class, task_of
from training.data_sheet import faults_of, read_rows

LIBRARIES = ("torch", "onnx", "onnxruntime", "numpy", "opencv-python")
# New examples that a conversion is judged by, drawn from another seed.
UNSEEN, UNSEEN_SEED = 64, 90_001
# How much is drawn ahead, the examples of each stage, and those of them that the loss is of.
STOCK, EXAMPLES, IN_LOSS = 4, 10, 4


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

    ``out/work`` keeps what an interrupted training goes on from. With ``held_out``, for a
    judgement, no temperature is fitted, nothing noted in the manifest. ValueError, with table and
    line, for wrong rows of the data, before anything is made; near-copies are only printed.
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
            part = replace(recipe, schedule=replace(recipe.schedule, steps=how.steps))
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
        entry["drawn_sha256"] = [drawn_sha256(recipe, data)]
        note(out / MANIFEST, recipe, entry)
    return entry


def _write_files(recipe: Recipe, task: Task, network: nn.Module, out: Path) -> dict[str, float]:
    """Write and check the files of a training; how far those of fewer bits are from 32 bits.

    ValueError where the recipe names others, or one is further off than it allows.
    """
    exports = {export.file: export for export in task.exports(network)}
    if other := set(exports) ^ {n for n, how in recipe.files.items() if not how.of}:
        raise ValueError(f"{recipe.path}: files: expected {sorted(exports)}, differs in {other}")
    figures = {}
    # Those that are made of another file come after it.
    for name, how in sorted(recipe.files.items(), key=lambda file: bool(file[1].of)):
        export = exports[how.of or name]
        if not how.of:
            save_onnx(export, out)
        if how.bits < 32:
            whole = (out / export.file).read_bytes()
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
        check(out / name, export.example.numpy())
    return figures


def _folders(recipe: Recipe, data: Path) -> dict[str, Path]:
    """What the recipe reads, by name in order. FileNotFoundError for data that is not there."""
    found = {name: data / name for name in sorted(recipe.data)}
    for name, path in found.items():
        if not path.exists():
            raise FileNotFoundError(f"{recipe.path}: data: there is no {name} in the data folder")
    return found


def _hash_data(recipe: Recipe, data: Path, out: Path) -> dict[str, dict[str, Any]]:
    """How many files a recipe reads, by folder, with a digest of the lines ``sha256sum`` has of
    them, which go into ``NAME.data.txt``. FileNotFoundError for a folder that is not there.
    """
    every, found = list[str](), dict[str, dict[str, Any]]()
    for folder, base in _folders(recipe, data).items():
        paths = sorted(p for p in base.rglob("*") if p.is_file()) if base.is_dir() else [base]
        lines = [f"{digest(path)}  {path.relative_to(data).as_posix()}" for path in paths]
        all_of_them = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        found[folder] = {"files": len(lines), "sha256": all_of_them}
        every += [f"{line}\n" for line in lines]
    (out / f"{recipe.name}.data.txt").write_text("".join(every), encoding="utf-8")
    return found


def _machine() -> str:
    """The kind of processor, with its bits of products, and of the graphics card, and the cores."""
    listed, model = Path("/proc/cpuinfo"), None
    if listed.exists():
        model = re.search(r"model name\s*:(.*)", listed.read_text(encoding="utf-8"))
    name = model[1].strip() if model else platform.processor() or platform.machine()
    card = f", {torch.cuda.get_device_name()}" if torch.cuda.is_available() else ""
    lacking = "" if has_bfloat16() else " without bfloat16"
    return f"{name}{lacking}, {os.cpu_count()} cores{card}"


def _commit() -> str:
    """The commit at hand, "+" behind it where files differ from it."""
    git = partial(subprocess.check_output, cwd=ROOT.parent, text=True, stderr=subprocess.DEVNULL)
    try:
        changed = git(["git", "status", "--porcelain", "--", "training", "vision", "scorer"])
        head = git(["git", "rev-parse", "--short=10", "HEAD"]).strip()
        return f"{head}+" if changed else head
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def drawn_sha256(recipe: Recipe, data: Path) -> str:
    """The SHA-256 of the first weights, the first examples of each stage, and their loss.

    Stocks are small, the loss is computed in 32 bits whatever the processor has. With the loop and
    the recipe's own digest that decides the weights. Comparable on one kind of processor alone:
    OpenCV and BLAS round otherwise elsewhere. FileNotFoundError for data that is not there.
    """
    _folders(recipe, data)
    plan, kind, found = recipe.schedule, task_class(recipe), hashlib.sha256()
    small = dict.fromkeys(kind.stocks, STOCK)

    def add(*values: Any) -> None:
        for value in map(np.asarray, values):
            found.update(f"{value.dtype} {value.shape} ".encode() + value.tobytes())

    settle(plan.seed)
    with tempfile.TemporaryDirectory() as cache:
        task = kind(Source(data, Path(cache), plan.seed), {**recipe.options, **small})
        network = task.network().train()
        add(*network.state_dict().values())
        for part in network.modules():
            part.forward = torch.autocast("cpu", enabled=False)(part.forward)
        for share in (0.0, *(stage.begins for stage in recipe.stages)):
            rng = np.random.default_rng([plan.seed, round(100 * share)])
            stream = task.examples(rng, recipe.options_at(share) | small)
            examples = list(itertools.islice(stream, EXAMPLES))
            add(*itertools.chain(*examples))
            loss, _ = task.loss(network, default_collate(examples[:IN_LOSS]))
            add(loss.detach())
    return found.hexdigest()


def compare_drawn(
    recipes: Iterable[Recipe], data: Path, folder: Path, *, note: bool = False
) -> tuple[str, bool]:
    """A table of the networks of a manifest in ``folder``, and whether all are drawn the same.

    Where a recipe is not the one that is noted, or the digest none of those noted, one for each
    kind of processor, the network is another. With ``note`` digests are entered for networks that
    have none, and no other.
    """
    manifest, rows = load_manifest(folder / MANIFEST), []
    for recipe in recipes:
        if (network := manifest["networks"].get(recipe.name)) is None:
            continue
        found = drawn_sha256(recipe, data)
        if note:
            network.setdefault("drawn_sha256", [found])
        begins_so = found in network.get("drawn_sha256", [])
        file = manifest["files"][next(iter(recipe.files))]["sha256"][:12]
        is_same = begins_so and network["recipe_sha256"] == recipe.sha256
        made = (network[name] for name in ("commit", "made", "machine", "minutes"))
        rows.append((recipe.name, *made, f"`{file}`", "same" if is_same else "other"))
    if note:
        write_manifest(folder / MANIFEST, manifest)
    head = ("recipe", "commit", "made", "machine", "minutes", "SHA-256", "drawn by this code")
    return markdown(head, rows), all(row[-1] == "same" for row in rows)
