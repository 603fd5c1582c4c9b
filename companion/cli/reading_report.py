"""Report the outcome of each photo: on the output, in the results file, in the exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from companion.cli.progress import Progress
from companion.cli.results_file import ResultsFile
from companion.cli.system_errors import translate_reason
from companion.cli.terminal import as_json, printable
from companion.languages import Language, say
from companion.reading_jobs import Outcome
from companion.refusals import error_record, photo_message

__all__ = ["ReadingReport", "Telling"]

Reading = TypeVar("Reading")


@dataclass(frozen=True)
class Telling(Generic[Reading]):
    """How the readings of a game are written: as a line of JSON, and as text.

    ``mark`` stands before what is no part of a reading, the name of the photo and a refusal.
    """

    record: Callable[[str, Reading], dict[str, Any]]
    lines: Callable[[Reading, Language], Iterable[str]]
    mark: str = ""


@dataclass
class ReadingReport(Generic[Reading]):
    """Prints outcomes as they come; ``all_well`` says whether each photo was read and drawn."""

    telling: Telling[Reading]
    language: Language
    progress: Progress
    as_json: bool = False
    results: ResultsFile | None = None
    all_well: bool = field(default=True, init=False)

    def tell(self, outcome: Outcome[Reading]) -> None:
        """Print one outcome and keep it in the results file."""
        self.progress.clear()
        self._tell_troubles(outcome)
        record = (
            self.telling.record(outcome.photo, outcome.reading)
            if outcome.reading is not None
            else error_record(outcome.photo, outcome.refusal, self.language)
        )
        if self.results is not None:
            self.results.add(record)
        if self.as_json:
            print(as_json(record), flush=True)
        else:
            self._print_text(outcome)
        self.progress.step(refused=outcome.reading is None)

    def _tell_troubles(self, outcome: Outcome[Reading]) -> None:
        if outcome.trace:
            print(outcome.trace, file=sys.stderr)
        if outcome.not_drawn:
            reason = say(
                "file.not_written",
                self.language,
                file=printable(outcome.drawing or ""),
                reason=translate_reason(outcome.not_drawn, self.language),
            )
            print(reason, file=sys.stderr)
        if outcome.reading is None or outcome.not_drawn:
            self.all_well = False

    def _print_text(self, outcome: Outcome[Reading]) -> None:
        if outcome.reading is not None:
            lines = list(self.telling.lines(outcome.reading, self.language))
        else:
            message = photo_message(outcome.refusal, self.language)
            lines = [self.telling.mark + say("read.refused", self.language, message=message)]
        name = self.telling.mark + (printable(outcome.photo) or '""')
        print("\n  ".join([name, *lines]), end="\n\n", flush=True)
