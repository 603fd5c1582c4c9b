"""How far a long run has come, told on the standard error stream."""

from __future__ import annotations

from typing import TextIO

from tqdm import tqdm

from companion.languages import Language, say

__all__ = ["Progress"]

# tqdm's own texts are English; these fields are numbers only.
_FORMAT = "{desc}: {n_fmt}/{total_fmt} |{bar:20}| {elapsed} < {remaining}"


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
        self._bar = tqdm(
            total=total,
            desc=say("read.progress", language),
            file=stream,
            disable=total < least_photos,
            leave=False,
            dynamic_ncols=True,
            mininterval=0.1 if stream.isatty() else interval_s,
            bar_format=_FORMAT,
        )

    def step(self, *, refused: bool) -> None:
        """One more photo is done."""
        self.done += 1
        self.refused += refused
        self._bar.update()

    def clear(self) -> None:
        """Wipe the bar from a terminal, before something else is printed there."""
        if self._stream.isatty():
            self._bar.clear()

    def finish(self) -> None:
        """End the bar and print the totals."""
        seconds = self._bar.format_dict["elapsed"]
        told = not self._bar.disable
        self._bar.close()
        if told:
            values = {"total": self.done, "seconds": seconds, "refused": self.refused}
            print(say("read.finished", self._language, **values), file=self._stream, flush=True)
