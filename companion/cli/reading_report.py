"""Report the reading of many photos: the outcome of each, and how far the run has come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TextIO, TypeVar

from companion.cli.results_file import ResultsFile
from companion.cli.terminal import as_json, printable, translate_reason, warn
from companion.languages import Language, say
from companion.reading.jobs import Outcome, error_record, photo_message

# tqdm's own texts are English; these fields are numbers only.
_FORMAT = "{desc}: {n_fmt}/{total_fmt} |{bar:20}| {rate_noinv_fmt}, {elapsed} < {remaining}"


class Progress:
    """Counts photos and shows the pace and the remaining time as a progress bar.

    On a terminal the bar is updated in place and erased at the end; elsewhere, as in a log, it is
    written every ``interval_s`` seconds. With fewer than ``least_photos`` photos it shows nothing.
    """

    def __init__(
        self,
        total: int,
        stream: TextIO,
        language: Language,
        *,
        interval_s: float = 10.0,
        least_photos: int = 10,
    ) -> None:
        self.total = total
        self.done = 0
        self.refused = 0
        self._stream = stream
        self._language = language
        self._bar: Any = None
        if total >= least_photos:
            from tqdm import tqdm  # Takes as long to load as a photo or two to read.

            self._bar = tqdm(
                total=total,
                desc=say("read.progress", language),
                file=stream,
                leave=False,
                dynamic_ncols=True,
                mininterval=0.1 if stream.isatty() else interval_s,
                bar_format=_FORMAT,
                unit=f" {say('read.progress', language)}",
            )

    def step(self, *, refused: bool) -> None:
        """One more photo is done."""
        self.done += 1
        self.refused += refused
        if self._bar is not None:
            self._bar.update()

    def clear(self) -> None:
        """Wipe the bar from a terminal, before something else is printed there."""
        if self._bar is not None and self._stream.isatty():
            self._bar.clear()

    def finish(self) -> None:
        """End the bar and print the totals."""
        if self._bar is None:
            return
        seconds = self._bar.format_dict["elapsed"]
        self._bar.close()
        values = {"total": self.done, "seconds": seconds, "refused": self.refused}
        print(say("read.finished", self._language, **values), file=self._stream, flush=True)


Reading = TypeVar("Reading")


@dataclass(frozen=True)
class ReadingFormat(Generic[Reading]):
    """How the readings of a game are written: as a line of JSON, and as text.

    ``mark`` stands before what is no part of a reading, the name of the photo and a refusal.
    """

    record: Callable[[str, Reading], dict[str, Any]]
    lines: Callable[[Reading, Language], Iterable[str]]
    mark: str = ""


@dataclass
class ReadingReport(Generic[Reading]):
    """Keeps outcomes as they come, and prints them in the ``order`` of the photos.

    ``all_well`` says whether each photo was read and drawn. Without an order they are printed as
    they come.
    """

    telling: ReadingFormat[Reading]
    language: Language
    progress: Progress
    as_json: bool = False
    results: ResultsFile | None = None
    order: Sequence[str] = ()
    all_well: bool = field(default=True, init=False)
    _printed: int = field(default=0, init=False)
    _waiting: dict[str, tuple[Outcome[Reading], dict[str, Any]]] = field(
        default_factory=dict, init=False
    )

    def show(self, outcome: Outcome[Reading]) -> None:
        """Keep one outcome in the results file, and print it once those before it are printed."""
        record = (
            self.telling.record(outcome.photo, outcome.reading)
            if outcome.reading is not None
            else error_record(outcome.photo, outcome.refusal, self.language)
        )
        if self.results is not None:
            self.results.add(record)
        if outcome.reading is None or outcome.not_drawn:
            self.all_well = False
        self._waiting[outcome.photo] = outcome, record
        self.progress.step(refused=outcome.reading is None)
        if not self.order:
            self.end()
        while self._printed < len(self.order) and self.order[self._printed] in self._waiting:
            self._print(*self._waiting.pop(self.order[self._printed]))
            self._printed += 1

    def end(self) -> None:
        """Print what still waits for others."""
        for outcome, record in self._waiting.values():
            self._print(outcome, record)
        self._waiting.clear()
        self.progress.clear()

    def _print(self, outcome: Outcome[Reading], record: dict[str, Any]) -> None:
        self.progress.clear()
        self._warn_of(outcome)
        if self.as_json:
            print(as_json(record), flush=True)
        else:
            self._print_text(outcome)

    def _warn_of(self, outcome: Outcome[Reading]) -> None:
        for line in (outcome.trace or "").splitlines():
            warn(line)
        if outcome.not_drawn:
            reason = say(
                "file.not_written",
                self.language,
                file=outcome.drawing or "",
                reason=translate_reason(outcome.not_drawn, self.language),
            )
            warn(reason)

    def _print_text(self, outcome: Outcome[Reading]) -> None:
        if outcome.reading is not None:
            lines = list(self.telling.lines(outcome.reading, self.language))
        else:
            message = photo_message(outcome.refusal, self.language)
            lines = [self.telling.mark + say("read.refused", self.language, message=message)]
        name = self.telling.mark + (printable(outcome.photo) or '""')
        print("\n  ".join([name, *lines]), end="\n\n", flush=True)
