"""What the task modules of all games share: the answer for a photo that is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from companion.reading.isolated import error_to_plain
from companion.reading_jobs import Job, Reader, read_photo

__all__ = ["answer_named"]

Reading = TypeVar("Reading")


def answer_named(
    record: dict[str, Any],
    reader: Reader[Reading],
    to_plain: Callable[[Reading], dict[str, Any]],
) -> dict[str, Any]:
    """The answer for the photo that ``record`` names, as ``read_job_isolated`` takes it."""
    outcome = read_photo(Job(record["photo"], record["drawing"], record["overwrite"]), reader)
    return {
        "reading": None if outcome.reading is None else to_plain(outcome.reading),
        "error": None if outcome.error is None else error_to_plain(outcome.error),
        "trace": outcome.trace,
        "not_drawn": outcome.not_drawn,
    }
