"""Whether a new network may take the place of the shipped one, with figures on a page."""

from __future__ import annotations

import hashlib
import importlib
import shutil
from collections.abc import Mapping, Sequence
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
GOOD = ("better", "as good")

Manifest = Mapping[str, Any]
Pairs = Mapping[str, tuple[Sequence[Answer], Sequence[Answer]]]
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

    Where data has sessions, networks are trained by the recipe, each without another part of them,
    and answer what they have not seen: all ``Task.parts``, or only the first ``parts``. Where the
    shipped network once answered the same held out, kept in ``JUDGED``, these are compared; else
    both files answer what both have seen, and the held-out answers stand beside. Drawings are new
    to everybody. Then both read all labelled tables.
    """
    work = new / "judged"
    work.mkdir(parents=True, exist_ok=True)
    seed, drawn, of_all = recipe.schedule.seed, work / "drawn", task_class(recipe).parts
    task = task_of(recipe, Source(data, drawn, seed))
    held_out: list[Answer] = []
    # One part alone: nothing that is learnt from has sessions.
    for part in range(of_all if of_all > 1 else 0)[:parts]:
        folder, without = work / f"part{part}", (part, of_all)
        make(recipe, data, folder, device=device, workers=workers, held_out=without)
        if recipe.temperature and recipe.temperature.file:
            shutil.copy(new / recipe.temperature.file, folder)
        held_out += task_of(recipe, Source(data, drawn, seed, without)).answers(folder)
    if held_out:
        write_answers(held_out, work / f"{recipe.name}.csv")
    before, seen = JUDGED / f"{recipe.name}.csv", of_all > 1
    if before.exists() and held_out:
        alone, held_out, seen = (read_answers(before), held_out), [], False
    else:
        alone = list(task.answers(shipped)), list(task.answers(new))
    pairs = {
        "what is seen alone": alone,
        "whole tables": _read_tables(recipe, new, shipped, data, work),
    }
    page = page_of(recipe, pairs, held_out, seen=seen, manifest=load_manifest(new / MANIFEST))
    path = new / f"{recipe.name}.judged.md"
    path.write_text(page, encoding="utf-8")
    return verdict_of([compare(*pair) for pair in pairs.values()]), path


def _read_tables(
    recipe: Recipe, new: Path, shipped: Path, data: Path, work: Path
) -> tuple[list[Answer], list[Answer]]:
    """What the whole reader makes of all labelled tables with the shipped and with the new files.

    Kept in ``work`` for these very files, so that a judgement that was interrupted goes on.
    """
    files = [folder / name for folder in (shipped, new) for name in files_of(recipe)]
    key = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]
    kept = [work / f"{recipe.name}.tables.{key}.{side}.csv" for side in ("shipped", "new")]
    if not all(path.exists() for path in kept):
        # The shipped weights with the new files among them.
        mixed = work / "models"
        mixed.mkdir(exist_ok=True)
        made = (new / name for name in files_of(recipe))
        for path in (*shipped.glob("*.onnx"), *shipped.glob("*.json"), *made):
            shutil.copy(path, mixed)
        readings = importlib.import_module(f"training.{recipe.game}.readings")
        read = list(readings.read_tables((shipped, mixed), data, recipe.name))
        for side, path in enumerate(kept):
            write_answers([pair[side] for pair in read], path)
    return read_answers(kept[0]), read_answers(kept[1])


def verdict_of(found: Sequence[Comparison]) -> str:
    """The verdict on several comparisons: worse where one is worse, else the first one's.

    Of tables, which are few, "too few to tell" is no objection.
    """
    verdicts = [comparison.verdict for comparison in found]
    return "worse" if "worse" in verdicts else verdicts[0]


def page_of(
    recipe: Recipe, pairs: Pairs, held_out: Sequence[Answer], *, seen: bool, manifest: Manifest
) -> str:
    """The page: the verdict, figures by kind of question, and what changed."""
    found = {name: compare(*pair) for name, pair in pairs.items()}
    made = manifest["networks"].get(recipe.name, {})
    text = [
        f"# Judged: `{recipe.name}`",
        f"**{verdict_of(list(found.values())).capitalize()}**, next to what was shipped before.",
        f"Recipe `{recipe.path}`, commit {made.get('commit', 'unknown')}, made on "
        f"{made.get('made', 'an unknown day')}.",
    ]
    if seen:
        text.append(
            "Both networks have seen the pictures that they read here, which tells which is the "
            "better one, and not how good they are elsewhere."
        )
    for name, (old, new) in pairs.items():
        asked = {answer.question for answer in new}
        sides = {"shipped": [each for each in old if each.question in asked], "new": new}
        told = found[name]
        text += [
            f"## By {name}",
            f"{told.verdict.capitalize()}: of {told.both} questions that both answered "
            f"{told.gained} were wrong and are right, {told.lost} the other way round "
            f"(McNemar's exact test, by group: p = {told.p:.3g}). The share of wrong answers "
            f"grew by {100 * told.worse_at_most:.2f} in a hundred at most.",
            _table(sides),
        ]
    if held_out:
        text += [
            "## Held out",
            "The recipe was trained anew without a part of the sessions, boards and scenes, and "
            "read that part. No such answers of the shipped network are known.",
            _table({"by the recipe": held_out}),
        ]
    return "\n\n".join([*text, "## What changed", *_changes(pairs)]) + "\n"


HEAD = (
    "what", "network", "asked", "wrong", "95 % interval, %", "risk, 0.1 % flagged, %",
    "risk, 1 % flagged, %", "calibration error, %", "log likelihood",
)  # fmt: skip


def _table(sides: Mapping[str, Sequence[Answer]]) -> str:
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


def _changes(pairs: Pairs) -> list[str]:
    rows = []
    for old, new in reversed(list(pairs.values())):
        before = {answer.question: answer for answer in old}
        for answer in new:
            was = before.get(answer.question)
            if was is not None and was.right != answer.right:
                now = "right" if answer.right else f"**{answer.said}**"
                rows.append((answer.question, answer.truth, was.said, now))
    table = markdown(("question", "truth", "shipped", "new"), rows[:SHOWN]).rstrip()
    more = [f"and {len(rows) - SHOWN} more."] if len(rows) > SHOWN else []
    return [table, *more] if rows else ["Nothing."]


def ship(recipe: Recipe, new: Path, shipped: Path, verdict: str) -> None:
    """Put the files of ``new`` where they are shipped, with manifest, card and answers.

    ValueError unless they are judged as good or better.
    """
    if verdict not in GOOD:
        raise ValueError(f"{recipe.name}: {verdict}; shipped is what is better or as good")
    for name in files_of(recipe):
        shutil.copy(new / name, shipped / name)
    JUDGED.mkdir(exist_ok=True)
    held_out = new / "judged" / f"{recipe.name}.csv"
    if held_out.exists():
        shutil.copy(held_out, JUDGED)
    shutil.copy(new / f"{recipe.name}.judged.md", JUDGED / f"{recipe.name}.md")
    entry = load_manifest(new / MANIFEST)["networks"][recipe.name]
    told = f"{verdict.capitalize()}: see `benchmarks/judged/{recipe.name}.md`."
    note(shipped / MANIFEST, recipe, {**entry, "judged": told})
    write_cards(shipped, [recipe])
