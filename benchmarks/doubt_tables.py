"""The tables of doubts in the documents: ``python -m benchmarks.doubt_tables``.

They are made of the rules by which the readers of pip dominoes and Domino-Duell flag what they
read, with the figures of their settings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from benchmarks.markdown_tables import markdown
from vision.domino_duell import judge as duel
from vision.pip_dominoes import judge as pips

DOCS = Path(__file__).resolve().parents[1] / "docs"
BEGIN = "<!-- doubts: python -m benchmarks.doubt_tables -->\n"
END = "<!-- end of doubts -->\n"


def pip_table() -> str:
    """Why a domino is flagged and a photograph warned of."""
    settings = asdict(pips.DoubtSettings())
    rows = [
        (
            f"`{rule.code}`",
            rule.meaning.format(**settings),
            f"`{rule.warning}`" if rule.warning else "",
            "kept" if rule.seen else "judged anew",
            "yes" if rule.refused else "",
        )
        for rule in pips.RULES
    ]
    head = (
        "reason",
        "a domino is flagged where",
        "warning",
        "settled again",
        "refused if nine in ten have one",
    )
    of_photo = [(f"`{rule.code}`", rule.meaning.format(**settings)) for rule in pips.PHOTO_RULES]
    return (
        markdown(head, rows) + "\n" + markdown(("warning", "a photograph has it where"), of_photo)
    )


def duel_table() -> str:
    """Why a hollow is flagged."""
    settings = asdict(duel.DoubtSettings())
    rows = [(f"`{rule.code}`", rule.meaning.format(**settings)) for rule in duel.RULES]
    return markdown(("reason", "a hollow is flagged where"), rows)


TABLES: dict[str, Callable[[], str]] = {
    "pip_reader.md": pip_table,
    "domino_duell.md": duel_table,
}
"""By the document that has the table."""


def with_table(text: str, table: str) -> str:
    """A document with the table between its two marks. ValueError where it has none."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"text: expected {BEGIN.strip()} and {END.strip()}")
    return f"{before}{begin}\n{table}\n{end}{after}"


def write_tables(folder: Path = DOCS) -> None:
    """Write the tables into the documents of a folder."""
    for name, table in TABLES.items():
        document = folder / name
        changed = with_table(document.read_text(encoding="utf-8"), table())
        document.write_text(changed, encoding="utf-8")


if __name__ == "__main__":
    write_tables()
