"""The table of a mutation test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.mutation.rooms import Mutant
from vision.common.markdown_tables import markdown, provenance

__all__ = ["Counted", "report"]

_LONGEST = 400


@dataclass(frozen=True)
class Counted:
    """The changes of one kind in a room: how many there are, and those that were tried."""

    room: str
    kind: str
    number: int
    mutants: tuple[Mutant, ...]


def report(counted: Sequence[Counted]) -> str:
    """Markdown: by room and kind, by module, and every change that nothing noticed."""
    mutants = [mutant for each in counted for mutant in each.mutants]
    by_room = [
        (each.room, each.kind, each.number, *_figures(each.mutants)) for each in counted
    ] + [
        (f"**{room}**", "all", sum(each.number for each in counted if each.room == room),
         *_figures([mutant for mutant in mutants if mutant.room == room]))
        for room in dict.fromkeys(each.room for each in counted)
    ]  # fmt: skip
    modules = dict.fromkeys(mutant.module for mutant in mutants)
    by_module = [
        (name, *_figures([mutant for mutant in mutants if mutant.module == name]))
        for name in modules
    ]
    living = [mutant for mutant in mutants if not mutant.killed]
    lists = [
        f"\n### {name}\n\n"
        + markdown(
            ("kind", "change", "why it may live"),
            [(m.kind, _code(m.change), m.reason) for m in living if m.module == name],
        )
        for name in dict.fromkeys(mutant.module for mutant in living)
    ]
    return (
        f"# What breaks unnoticed\n\n{provenance()}.\n\n"
        "One change at a time; noticed is one with which a test of the room fails, or the tests "
        "need five times as long. Where fewer were tried than there are, they were drawn at "
        "random. Left alone: annotations, type aliases, docstrings, imports, `__all__`, "
        "decorators, `len` and `isinstance`.\n\n"
        + markdown(("room", "changes", "there are", "tried", "noticed", "share"), by_room)
        + "\n## By module\n\n"
        + markdown(("module", "tried", "noticed", "share"), by_module)
        + "\n## Not noticed\n"
        + "".join(lists)
    )


def _figures(mutants: Sequence[Mutant]) -> tuple[object, ...]:
    killed = sum(mutant.killed for mutant in mutants)
    share = f"{100 * killed / len(mutants):.1f} %" if mutants else "–"
    return len(mutants), killed, share


def _code(change: str) -> str:
    short = change if len(change) <= _LONGEST else change[:_LONGEST] + " …"
    return "`" + short.replace("|", "\\|").replace("`", "'") + "`"
