"""Whether a new network may take the place of the shipped one, with figures on a page."""

from __future__ import annotations

import hashlib
import importlib
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from training.common.answers import Answer, Comparison, compare, read_answers, score, write_answers
from training.common.make import make
from training.common.manifest import MANIFEST, files_of, load_manifest, note, write_cards
from training.common.markdown import markdown
from training.common.recipe import Recipe
from training.common.task import Source, task_class, task_of

JUDGED = Path(__file__).parents[2] / "benchmarks" / "judged"
"""Where pages of shipped networks and their answers to what they had not seen are kept."""
# So many changed questions stand on the page.
SHOWN = 40

Answers = Sequence[Answer]
Pairs = Mapping[str, tuple[Answers, Answers]]
"""By what they were asked the answers of the shipped and of the new network."""


def judge(
    recipe: Recipe,
    new: Path,
    shipped: Path,
    data: Path,
    *,
    device: str,
    workers: int,
    parts: int | None = None,
) -> tuple[str, Path]:
    """The verdict on the files in ``new``, and the page that says why, beside them.

    Where data has sessions, networks are trained by the recipe, each without another of
    ``Task.parts``, or of the first ``parts``, and answer what they have not seen. Where the shipped
    network once did so, kept in ``JUDGED``, these are compared; else both files answer what both
    have seen, and the held-out answers stand beside. Drawings are new to everybody.
    """
    work = new / "judged"
    work.mkdir(parents=True, exist_ok=True)
    source, of_all = Source(data, work / "drawn", recipe.schedule.seed), task_class(recipe).parts
    held_out: list[Answer] = []
    for part in range(of_all)[:parts]:
        folder, without = work / f"part{part}", (part, of_all)
        make(recipe, data, folder, device=device, workers=workers, held_out=without)
        if recipe.temperature and recipe.temperature.file:
            shutil.copy(new / recipe.temperature.file, folder)
        held_out += task_of(recipe, replace(source, held_out=without)).answers(folder)
    if held_out:
        write_answers(held_out, work / f"{recipe.name}.csv")
    before, seen = JUDGED / f"{recipe.name}.csv", of_all > 0
    if before.exists() and held_out:
        alone, held_out, seen = (read_answers(before), held_out), [], False
    else:
        task = task_of(recipe, source)
        alone = list(task.answers(shipped)), list(task.answers(new))
    tables = _read_tables(recipe, new, shipped, data, work)
    pairs = {"what is seen alone": alone, "whole tables": tables}
    made = load_manifest(new / MANIFEST)["networks"].get(recipe.name, {})
    verdict, page = page_of(recipe, pairs, held_out, seen=seen, made=made)
    path = new / f"{recipe.name}.judged.md"
    path.write_text(page, encoding="utf-8")
    return verdict, path


def _read_tables(
    recipe: Recipe, new: Path, shipped: Path, data: Path, work: Path
) -> tuple[list[Answer], list[Answer]]:
    """What the reader makes of all labelled tables with the shipped and with the new files.

    Kept in ``work`` for these very files, so that a judgement that was interrupted goes on.
    """
    made = [new / name for name in files_of(recipe)]
    files = [*(shipped / file.name for file in made), *made]
    key = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]
    kept = [work / f"{recipe.name}.tables.{key}.{side}.csv" for side in ("shipped", "new")]
    if not all(path.exists() for path in kept):
        # The shipped weights with the new files among them.
        (mixed := work / "models").mkdir(exist_ok=True)
        for path in (*shipped.glob("*.onnx"), *shipped.glob("*.json"), *made):
            shutil.copy(path, mixed)
        readings = importlib.import_module(f"training.{recipe.game}.readings")
        read = list(readings.read_tables((shipped, mixed), data, recipe.name))
        for side, path in enumerate(kept):
            write_answers([pair[side] for pair in read], path)
    return read_answers(kept[0]), read_answers(kept[1])


def verdict_of(found: Iterable[Comparison]) -> str:
    """The verdict on several comparisons: worse where one is worse, else the first one's.

    Of tables, which are few, "too few to tell" is no objection.
    """
    verdicts = [comparison.verdict for comparison in found]
    return "worse" if "worse" in verdicts else verdicts[0]


def page_of(
    recipe: Recipe, pairs: Pairs, held_out: Answers, *, seen: bool, made: Mapping[str, Any]
) -> tuple[str, str]:
    """The verdict, and the page with figures by kind of question, and what changed.

    ``made`` is what the manifest notes of the new network.
    """
    found = {name: compare(*pair) for name, pair in pairs.items()}
    verdict, changed = verdict_of(found.values()), list[tuple[str, ...]]()
    text = [
        f"# Judged: `{recipe.name}`",
        f"**{verdict.capitalize()}**, next to what was shipped before.",
        f"Recipe `{recipe.path}`, commit {made.get('commit', 'unknown')}, made on "
        f"{made.get('made', 'an unknown day')}.",
    ]
    if seen:
        text.append(
            "Both networks have seen the pictures that they read here, which tells which is the "
            "better one, and not how good they are elsewhere."
        )
    for (name, told), (old, new) in zip(found.items(), pairs.values(), strict=True):
        before, asked = {each.question: each for each in old}, {each.question for each in new}
        text += [
            f"## By {name}",
            f"{told.verdict.capitalize()}: of {told.both} questions that both answered "
            f"{told.gained} were wrong and are right, {told.lost} the other way round "
            f"(McNemar's exact test, by group: p = {told.p:.3g}). The share of wrong answers "
            f"grew by {100 * told.worse_at_most:.2f} in a hundred at most.",
            _table({"shipped": [each for each in old if each.question in asked], "new": new}),
        ]
        # Of tables, the last, stand first.
        changed = [
            (now.question, now.truth, was.said, "right" if now.right else f"**{now.said}**")
            for now in new
            if (was := before.get(now.question, now)).right != now.right
        ] + changed
    if held_out:
        text += [
            "## Held out",
            "The recipe was trained anew without a part of the sessions, boards and scenes, and "
            "read that part. No such answers of the shipped network are known.",
            _table({"by the recipe": held_out}),
        ]
    table = markdown(("question", "truth", "shipped", "new"), changed[:SHOWN]).rstrip()
    text += ["## What changed", table if changed else "Nothing."]
    if len(changed) > SHOWN:
        text.append(f"and {len(changed) - SHOWN} more.")
    return verdict, "\n\n".join(text) + "\n"


HEAD = (
    "what", "network", "asked", "wrong", "95 % interval, %", "risk, 0.1 % flagged, %",
    "risk, 1 % flagged, %", "calibration error, %", "log likelihood",
)  # fmt: skip


def _table(sides: Mapping[str, Answers]) -> str:
    rows = []
    kinds = sorted({answer.kind for answers in sides.values() for answer in answers})
    for kind in ("all", *(kinds if len(kinds) > 1 else [])):
        for side, answers in sides.items():
            found = score([a for a in answers if kind in ("all", a.kind)])
            low, high = (100 * share for share in found.interval)
            risks = (f"{100 * risk:.3f}" for risk in found.risk.values())
            rows.append((
                kind, side, found.count, found.wrong, f"{low:.2f} to {high:.2f}", *risks,
                f"{100 * found.calibration:.2f}", f"{found.likelihood:.4f}",
            ))  # fmt: skip
    return markdown(HEAD, rows).rstrip()


def ship(recipe: Recipe, new: Path, shipped: Path, verdict: str) -> None:
    """Put the files of ``new`` where they are shipped, with manifest, card and answers.

    ValueError unless they are judged as good or better.
    """
    if verdict not in ("better", "as good"):
        raise ValueError(f"{recipe.name}: {verdict}; shipped is what is better or as good")
    for name in files_of(recipe):
        shutil.copy(new / name, shipped / name)
    JUDGED.mkdir(exist_ok=True)
    if (held_out := new / "judged" / f"{recipe.name}.csv").exists():
        shutil.copy(held_out, JUDGED)
    shutil.copy(new / f"{recipe.name}.judged.md", JUDGED / f"{recipe.name}.md")
    entry = load_manifest(new / MANIFEST)["networks"][recipe.name]
    told = f"{verdict.capitalize()}: see `benchmarks/judged/{recipe.name}.md`."
    note(shipped / MANIFEST, recipe, {**entry, "judged": told})
    write_cards(shipped, [recipe])
