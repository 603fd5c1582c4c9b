"""Why a change that no test notices may live."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

__all__ = ["given_reasons", "reason_of"]

GIVEN = Path(__file__).with_name("reasons.toml")

_REASONS = (
    (r"strict=", "the lengths are equal by construction; strict only says so"),
    (r"quick_probability", "only how soon an answer is found; it is proven against all labels"),
    (r"time_limit|monotonic|_LIMIT_S|CLOCK_EVERY", "a limit of time, not an outcome"),
    (r"^if options |^options \+= 1", "only in which order the search goes on"),
    (r"astype|np\.asarray|dtype", "the values are of that type already"),
    (r'"INF"', "Python reads both as infinity"),
    (r"self\.points <= 1", "no multiple of five lies between"),
    (r"if columns else 1", "a kingdom without squares is too wide neither way"),
    (r"board\.castle is None\) and False", "both callers have made sure of a castle"),
    (r"^_[A-Z][a-z]\w* = .+ → _[A-Z]\w+ = None$", "a name for types, which only checkers read"),
    (r"ValueError", "the wording of an exception that tells a programmer"),
)
"""Reasons for kinds of changes, by a pattern of what is written ``before → after``."""


@cache
def given_reasons() -> dict[tuple[str, str], str]:
    """The reasons of single changes, by module and ``before → after``, from ``reasons.toml``."""
    told = tomllib.loads(GIVEN.read_text(encoding="utf-8"))
    return {
        (module, each["change"]): each["reason"]
        for module, changes in told.items()
        for each in changes
    }


def reason_of(module: str, change: str) -> str:
    """Why a change of a module may live; empty where nobody has said so."""
    given = given_reasons().get((module, change))
    if given is not None:
        return given
    return next((why for pattern, why in _REASONS if re.search(pattern, change)), "")
