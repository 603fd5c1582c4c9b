"""The report of a measurement in Markdown, failures included."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from vision import ReadSettings
from vision.common.markdown_tables import markdown, reliability, thresholds
from vision.kingdomino.evaluate.compare import Comparison
from vision.kingdomino.evaluate.results import PhotoResult, SquareResult

__all__ = ["TOTALS_HEAD", "kingdoms_report", "squares_report", "totals"]

STEPS = ("decode", "locate", "classify", "settle")
PHOTO_HEAD = (
    "photo", "located", "error", "squares right", "kingdom right", "score right", "flagged",
    "wrong flagged", "wrong not flagged", "turned by", "kingdoms", "ms " + " ".join(STEPS),
)  # fmt: skip
TOTALS_HEAD = (
    "photos", "located", "squares right", "kingdoms right", "scores right", "flagged, mean",
    "wrong, not flagged", "kingdoms wrong with nothing flagged",
)  # fmt: skip


def _yes(value: bool) -> str:
    return "yes" if value else "**no**"


def _row(result: PhotoResult) -> tuple[object, ...]:
    """The row of a photograph; a dash where a column does not apply."""
    name, compared, reading = result.picture.path.name, result.comparison, result.reading
    if reading is None:
        if compared is None:
            return (name, "refused", result.error, *["–"] * 9)
        return (name, "**no**", result.error, f"0/{compared.squares}", *["–"] * 8)
    times = " ".join(f"{1000 * reading.seconds.get(step, 0.0):.0f}" for step in STEPS)
    if compared is None:
        flagged = sum(len(kingdom.doubtful) for kingdom in reading.kingdoms)
        silent = f"{sum(not kingdom.doubtful for kingdom in reading.kingdoms)} kingdoms silent"
        read_as, dashes = str(reading.kingdoms[0].kingdom), ["–"] * 3
        count = len(reading.kingdoms)
        return (name, "read", read_as, *dashes, flagged, "–", silent, "–", count, times)
    return (
        name,
        _yes(compared.located),
        "",
        f"{compared.right}/{compared.squares}",
        _yes(compared.kingdom_right),
        _yes(compared.score_right),
        compared.flagged,
        compared.wrong_flagged,
        compared.wrong_unflagged,
        90 * compared.turned,
        len(reading.kingdoms),
        times,
    )


def totals(found: Sequence[Comparison]) -> tuple[object, ...]:
    """The totals of the comparisons, in the order of ``TOTALS_HEAD``."""
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


def kingdoms_report(results: Sequence[PhotoResult], settings: ReadSettings) -> str:
    """A row per photograph, totals by group and overall, castle colours, reliability and times."""
    text = markdown(PHOTO_HEAD, map(_row, results))
    groups: dict[str, list[Comparison]] = defaultdict(list)
    for result in results:
        if result.comparison is not None:
            groups[result.picture.group].append(result.comparison)
    everything = [c for group in groups.values() for c in group]
    if everything:
        lines = [(name, *totals(found)) for name, found in groups.items()]
        text += "\n" + markdown(("group", *TOTALS_HEAD), [*lines, ("**all**", *totals(everything))])
    without = [result for result in results if result.picture.kingdom is None]
    if without:
        silent = sum(
            any(not kingdom.doubtful for kingdom in result.reading.kingdoms)
            for result in without
            if result.reading is not None
        )
        text += f"\nWithout a kingdom: {len(without)} pictures, {silent} read in silence.\n"
    colours = [
        (result.picture.castle_colour, result.reading.kingdoms[0].castle_colour)
        for result in results
        if result.picture.castle_colour and result.reading is not None
    ]
    if colours:
        text += "\n" + _colours_line(colours)
    confidences = [pair for c in everything for pair in c.confidences]
    if confidences:
        text += "\n" + reliability(confidences)
        text += "\n" + thresholds(confidences, len(everything))
        text += f"\nBy its probability alone a square is flagged below {settings.judge.sure}.\n"
    spent = {
        step: [r.reading.seconds.get(step, 0.0) for r in results if r.reading is not None]
        for step in STEPS
    }
    medians = [f"{step} {1000 * float(np.median(v)):.0f}" for step, v in spent.items() if v]
    return text + f"\nMilliseconds, median: {', '.join(medians)}.\n"


def _colours_line(colours: Sequence[tuple[str, str | None]]) -> str:
    """How often the castle colour was named right, wrong or not at all."""
    right = sum(named == true for true, named in colours)
    unnamed = sum(named is None for _, named in colours)
    wrong = Counter(
        f"{true} as {named}" for true, named in colours if named is not None and named != true
    )
    listed = ", ".join(f"{what} {count}" for what, count in sorted(wrong.items())) or "none"
    return (
        f"Castles' colours: {right} of {len(colours)} named rightly, {unnamed} left open; "
        f"named wrongly: {listed}.\n"
    )


def squares_report(results: Sequence[SquareResult], settings: ReadSettings) -> str:
    """Accuracy by label and by session, the errors, castle colours and reliability."""
    by_label: dict[str, list[bool]] = defaultdict(list)
    by_session: dict[str, list[bool]] = defaultdict(list)
    wrong: list[tuple[object, ...]] = []
    for result in results:
        picture, reading = result.picture, result.reading
        same = reading.label == picture.label
        by_label[picture.label].append(same)
        by_session[picture.group].append(same)
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
    everything = [same for found in by_label.values() for same in found]

    def rows(groups: dict[str, list[bool]]) -> list[tuple[object, ...]]:
        return [
            (name, len(found), sum(found), f"{100 * np.mean(found):.2f} %")
            for name, found in sorted(groups.items())
        ]

    whole = rows({"**all**": everything})
    text = markdown(("label", "squares", "right", "share"), rows(by_label) + whole)
    text += "\n" + markdown(("session", "squares", "right", "share"), rows(by_session))
    text += "\n" + markdown(("wrong", "label", "read as", "probability", "runner-up"), wrong)
    colours = []
    for result in results:
        if result.picture.castle_colour:
            best = max(result.colours, key=lambda name: result.colours[name])
            named = best if result.colours[best] >= settings.sure_colour else None
            colours.append((result.picture.castle_colour, named))
    if colours:
        text += "\n" + _colours_line(colours)
    pairs = [(r.reading.probability, r.reading.label == r.picture.label) for r in results]
    return text + "\n" + reliability(pairs)
