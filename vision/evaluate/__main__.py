"""``python -m vision.evaluate FOLDER``: read a labelled folder and write what came out."""

from __future__ import annotations

import argparse
import datetime
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

from vision import PhotoError, ReadSettings, classify_squares, read_kingdoms
from vision.decide import DoubtSettings
from vision.evaluate.compare import Comparison, compare
from vision.evaluate.labels import LabelledKingdom, LabelledSquare, read_labels
from vision.evaluate.tables import markdown, reliability
from vision.training.corpus import held_out_sessions

STEPS = ("decode", "locate", "classify", "settle")


def _yes(value: bool) -> str:
    return "yes" if value else "**no**"


def kingdoms_report(pictures: list[LabelledKingdom], settings: ReadSettings) -> str:
    """A row a photograph, then totals by group and over all, then reliability."""
    rows: list[tuple[object, ...]] = []
    groups: dict[str, list[Comparison]] = defaultdict(list)
    confidences: list[tuple[float, bool]] = []
    nothing = silent = 0
    spent: dict[str, list[float]] = defaultdict(list)
    for picture in pictures:
        name = picture.path.name
        try:
            reading = read_kingdoms(picture.path, settings)
        except PhotoError as error:
            if picture.kingdom is None:
                nothing += 1
                rows.append((name, "refused", error.code, *["–"] * 9))
            else:
                squares = sum(not s.is_empty for row in picture.kingdom.rows for s in row)
                lost = Comparison(False, squares, 0, False, 0, 0, 0, 0, ())
                groups[picture.group].append(lost)
                rows.append((name, "**no**", error.code, f"0/{squares}", *["–"] * 8))
            continue
        seconds = [reading.seconds.get(step, 0.0) for step in STEPS]
        for step, value in zip(STEPS, seconds, strict=True):
            spent[step].append(value)
        times = " ".join(f"{1000 * s:.0f}" for s in seconds)
        best = reading.kingdoms[0]
        if picture.kingdom is None:
            nothing += 1
            flagged = sum(len(k.doubtful) for k in reading.kingdoms)
            unflagged = sum(not k.doubtful for k in reading.kingdoms)
            silent += unflagged > 0
            rows.append(
                (
                    name,
                    "read",
                    str(best.kingdom),
                    "–",
                    "–",
                    "–",
                    flagged,
                    "–",
                    f"{unflagged} kingdoms silent",
                    "–",
                    len(reading.kingdoms),
                    times,
                )
            )
            continue
        result = compare(picture.kingdom, best)
        groups[picture.group].append(result)
        confidences.extend(result.confidences)
        rows.append(
            (
                name,
                _yes(result.located),
                "",
                f"{result.right}/{result.squares}",
                _yes(result.kingdom_right),
                _yes(result.score_right),
                result.flagged,
                result.wrong_flagged,
                result.wrong_unflagged,
                90 * result.turned,
                len(reading.kingdoms),
                times,
            )
        )
    head = (
        "photo",
        "located",
        "error",
        "squares right",
        "kingdom right",
        "score right",
        "flagged",
        "wrong flagged",
        "wrong not flagged",
        "turned by",
        "kingdoms",
        "ms " + " ".join(STEPS),
    )
    text = markdown(head, rows)
    everything = [c for group in groups.values() for c in group]
    totals = [(name, *_totals(found)) for name, found in groups.items()]
    if everything:
        totals.append(("**all**", *_totals(everything)))
    text += "\n" + markdown(
        (
            "group",
            "photos",
            "located",
            "squares right",
            "kingdoms right",
            "scores right",
            "flagged, mean",
            "wrong, not flagged",
            "kingdoms wrong with nothing flagged",
        ),
        totals,
    )
    if nothing:
        text += f"\nWithout a kingdom: {nothing} pictures, {silent} read in silence.\n"
    if confidences:
        text += "\n" + reliability(confidences)
    medians = ", ".join(f"{s} {1000 * float(np.median(v)):.0f}" for s, v in spent.items())
    return text + f"\nMilliseconds, median: {medians}.\n"


def _totals(found: list[Comparison]) -> tuple[object, ...]:
    squares = sum(c.squares for c in found)
    right = sum(c.right for c in found)
    return (
        len(found),
        sum(c.located for c in found),
        f"{right}/{squares} = {100 * right / max(squares, 1):.2f} %",
        sum(c.kingdom_right for c in found),
        sum(c.score_right for c in found),
        f"{np.mean([c.flagged for c in found]):.2f}",
        sum(c.wrong_unflagged for c in found),
        sum(not c.kingdom_right and not c.flagged for c in found),
    )


def squares_report(pictures: list[LabelledSquare]) -> str:
    """Right per label, the confusions, then reliability."""
    images = [cv2.imread(str(p.path), cv2.IMREAD_COLOR_RGB) for p in pictures]
    readings = classify_squares([np.asarray(image, np.uint8) for image in images])
    by_label: dict[str, list[bool]] = defaultdict(list)
    wrong: list[tuple[object, ...]] = []
    for picture, reading in zip(pictures, readings, strict=True):
        same = reading.label == picture.label
        by_label[picture.label].append(same)
        if not same:
            wrong.append(
                (
                    picture.path.name,
                    picture.label,
                    reading.label,
                    f"{reading.probability:.3f}",
                    reading.runner_up,
                )
            )
    rows = [
        (label, len(v), sum(v), f"{100 * np.mean(v):.2f} %")
        for label, v in sorted(by_label.items())
    ]
    everything = [r for v in by_label.values() for r in v]
    rows.append(("**all**", len(everything), sum(everything), f"{100 * np.mean(everything):.2f} %"))
    text = markdown(("label", "squares", "right", "share"), rows)
    text += "\n" + markdown(("wrong", "label", "read as", "probability", "runner-up"), wrong)
    pairs = [(r.probability, r.label == p.label) for p, r in zip(pictures, readings, strict=True)]
    return text + "\n" + reliability(pairs)


def _commit() -> str:
    found = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or "unknown"


def main(argv: list[str] | None = None) -> int:
    """Print the report of a folder; keep it with ``--keep``."""
    parser = argparse.ArgumentParser(prog="python -m vision.evaluate", description=__doc__)
    parser.add_argument("folder", type=Path, help="pictures with a labels.csv")
    parser.add_argument(
        "--without-kingdom",
        action="store_true",
        help="no picture of the folder shows a kingdom; no labels are needed",
    )
    parser.add_argument(
        "--part", metavar="FOLD/FOLDS", help="only this part of the sessions of single squares"
    )
    parser.add_argument(
        "--without-box",
        action="store_true",
        help="read without settling by the dominoes of the box",
    )
    parser.add_argument("--keep", type=Path, metavar="FILE.md", help="write the report there too")
    chosen = parser.parse_args(argv)
    try:
        pictures = read_labels(chosen.folder, without_kingdom=chosen.without_kingdom)
    except (OSError, ValueError) as error:
        print(f"{error}\nGive a folder with a labels.csv, or --without-kingdom.", file=sys.stderr)
        return 2
    if chosen.part:
        fold, folds = map(int, chosen.part.split("/"))
        sessions = held_out_sessions(chosen.folder.parent, fold, folds)
        pictures = [p for p in pictures if p.group in sessions]
    today = datetime.date.today().isoformat()
    text = f"# {chosen.folder.name}\n\n{today}, commit {_commit()}, {len(pictures)} pictures.\n\n"
    kingdoms = [p for p in pictures if isinstance(p, LabelledKingdom)]
    squares = [p for p in pictures if isinstance(p, LabelledSquare)]
    if kingdoms:
        settings = ReadSettings(doubt=DoubtSettings(use_box=not chosen.without_box))
        text += kingdoms_report(kingdoms, settings)
    if squares:
        text += squares_report(squares)
    print(text)
    if chosen.keep:
        chosen.keep.parent.mkdir(parents=True, exist_ok=True)
        chosen.keep.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
