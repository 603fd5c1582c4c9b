"""The training loop of every network: it goes on where it was, and says how far it is."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.optim import AdamW
from torch.optim.lr_scheduler import OneCycleLR
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, IterableDataset, default_collate, get_worker_info

from training.common.recipe import Recipe
from training.common.task import Task

# So many streams give batches in turn; how many processes, a divisor, run them changes no weight.
STREAMS = 8
# Steps between updates of the averaged weights, and between lines of the report.
AVERAGED_EVERY = 5
REPORTED_EVERY = 50

Curve = list[dict[str, float]]
"""For every ``REPORTED_EVERY`` steps the step and the mean figures since the last."""


class _Batches(IterableDataset[list[Tensor]]):
    """The batches of one chapter of a training."""

    def __init__(self, task: Task, recipe: Recipe, chapter: int, options: dict[str, Any]) -> None:
        self.task, self.options = task, options
        self.batch, self.key = recipe.schedule.batch, (recipe.schedule.seed, chapter)

    def __iter__(self) -> Iterator[list[Tensor]]:
        cv2.setNumThreads(0)
        info = get_worker_info()
        first, count = (info.id, info.num_workers) if info else (0, 1)
        rngs = (np.random.default_rng([*self.key, k]) for k in range(first, STREAMS, count))
        streams = [self.task.examples(rng, self.options) for rng in rngs]
        for stream in itertools.cycle(streams):
            yield default_collate(list(itertools.islice(stream, self.batch)))


def settle(seed: int) -> None:
    """Let the same seed give the same numbers in this process."""
    torch.set_num_threads(1)
    cv2.setNumThreads(0)
    torch.use_deterministic_algorithms(True, warn_only=True)
    # Nothing is read before it is written, and filling new memory takes a tenth of the time.
    torch.utils.deterministic.fill_uninitialized_memory = False
    # Gradients of examples with a tiny loss become denormal numbers, which are slow on CPUs.
    torch.set_flush_denormal(True)
    torch.manual_seed(seed)


def train(
    task: Task, recipe: Recipe, folder: Path, *, device: str = "cpu", workers: int = 0
) -> tuple[nn.Module, Curve, float]:
    """Train, and give the averaged weights, the curve and the seconds that it took in all.

    ``folder`` keeps the checkpoint from which an interrupted training goes on, with the same
    outcome. One-cycle learning rate (Smith and Topin, Super-Convergence, 2018) with AdamW.
    ValueError for a checkpoint of another recipe, or workers that do not divide ``STREAMS``.
    """
    if workers and STREAMS % workers:
        raise ValueError(f"workers: expected a divisor of {STREAMS}, got {workers}")
    plan = recipe.schedule
    settle(plan.seed)
    network = task.network().to(device, memory_format=torch.channels_last)
    average, weights = get_ema_multi_avg_fn(plan.mean_decay), network.parameters()
    mean = AveragedModel(network, multi_avg_fn=average, use_buffers=True)
    optimiser = AdamW(weights, lr=plan.rate, weight_decay=plan.weight_decay, fused=True)
    rates = OneCycleLR(optimiser, plan.rate, total_steps=plan.steps, pct_start=plan.warm_share)
    parts = {"network": network, "mean": mean, "optimiser": optimiser, "rates": rates}
    checkpoint = folder / f"{recipe.name}.checkpoint"
    step, seconds, curve = 0, 0.0, Curve()
    if checkpoint.exists():
        kept = torch.load(checkpoint, map_location=device, weights_only=True)
        if kept["recipe"] != recipe.trained_sha256:
            raise ValueError(f"{checkpoint.name}: made by another recipe; give an empty folder")
        for name, part in parts.items():
            part.load_state_dict(kept[name])
        step, seconds, curve = kept["step"], kept["seconds"], kept["curve"]
        print(f"{recipe.name} goes on at step {step}", flush=True)
    started = time.monotonic() - seconds
    while step < plan.steps:
        # A chapter draws from its own random numbers, so that it is the same after a pause.
        chapter = step // plan.chapter
        torch.manual_seed(plan.seed * 1_000_003 + chapter)
        options, ahead = recipe.options_at(step / plan.steps), 6 if workers else None
        batches = _Batches(task, recipe, chapter, options)
        loader = DataLoader(batches, None, num_workers=workers, prefetch_factor=ahead)
        # What is drawn ahead or loaded is so here, once, and not by the processes of each chapter.
        next(task.examples(np.random.default_rng(0), options))
        figures: list[dict[str, Tensor]] = []
        for batch in itertools.islice(loader, min(plan.chapter, plan.steps - step)):
            network.train()
            loss, shown = task.loss(network, [part.to(device) for part in batch])
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), plan.clip)
            optimiser.step()
            rates.step()
            if step % AVERAGED_EVERY == 0:
                mean.update_parameters(network)
            figures.append({name: value.detach() for name, value in shown.items()})
            step += 1
            seconds = time.monotonic() - started
            if step % REPORTED_EVERY == 0 or step == plan.steps:
                row = {n: float(sum(f[n] for f in figures) / len(figures)) for n in figures[0]}
                curve.append({"step": float(step), **row})
                figures.clear()
                left = seconds / step * (plan.steps - step)
                said = "  ".join(f"{name} {value:.4f}" for name, value in row.items())
                pace = f"{seconds / step:.3f} s/step, {left / 60:.1f} min left"
                print(f"{recipe.name} {step:6d}/{plan.steps}  {said}  {pace}", flush=True)
        kept = {"recipe": recipe.trained_sha256, "step": step, "seconds": seconds, "curve": curve}
        folder.mkdir(parents=True, exist_ok=True)
        fresh = checkpoint.with_suffix(".new")
        torch.save(kept | {name: part.state_dict() for name, part in parts.items()}, fresh)
        fresh.replace(checkpoint)
    return mean.module.to("cpu").eval(), curve, seconds


WIDTH, HEIGHT, MARGIN = 900, 420, 60
COLOURS = ((31, 119, 180), (214, 39, 40), (44, 160, 44), (255, 127, 14), (148, 103, 189))


def draw_curve(curve: Curve, path: Path) -> None:
    """The figures of a training by step as a PNG, each from 0 to its largest value."""
    picture = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)

    def write(text: str, at: tuple[int, int], rgb: tuple[int, ...] = (0, 0, 0)) -> None:
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, rgb[::-1], 1, cv2.LINE_AA)

    right, low = WIDTH - MARGIN, HEIGHT - MARGIN
    axes = np.array([(MARGIN, MARGIN), (MARGIN, low), (right, low)], np.int32)
    cv2.polylines(picture, [axes], False, (0, 0, 0))
    steps, *figures = np.array([[*row.values()] for row in curve]).T
    write(f"{int(steps[-1])} steps", (right - MARGIN, HEIGHT - 20))
    for k, (name, values) in enumerate(zip([*curve[0]][1:], figures, strict=True)):
        most, colour = max(float(values.max()), 1e-9), COLOURS[k % len(COLOURS)]
        x = MARGIN + steps / steps[-1] * (right - MARGIN)
        y = low - values / most * (low - MARGIN)
        points = np.column_stack([x, y]).round().astype(np.int32)
        cv2.polylines(picture, [points], False, colour[::-1], 1, cv2.LINE_AA)
        write(f"{name}: {values[-1]:.4f}, at most {most:.3g}", (WIDTH // 2, 20 + 18 * k), colour)
    cv2.imwrite(str(path), picture)
