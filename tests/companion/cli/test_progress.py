from __future__ import annotations

from io import StringIO

from companion.cli.progress import Progress
from companion.languages import Language


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_few_photos_are_not_worth_telling() -> None:
    stream = StringIO()
    progress = Progress(3, stream, Language.ENGLISH)
    for _ in range(3):
        progress.step(refused=False)
    progress.finish()
    assert stream.getvalue() == ""


def test_a_terminal_gets_one_line_kept_up_to_date() -> None:
    stream, clock = Terminal(), Clock()
    progress = Progress(100, stream, Language.ENGLISH, clock)
    for _ in range(10):
        clock.now += 0.5
        progress.step(refused=False)
    last = stream.getvalue().split("\r\x1b[K")[-1]
    assert last == "10 of 100 photos, 0.50 s each, 0:45 left"
    assert "\n" not in stream.getvalue()
    progress.clear()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_a_log_gets_a_line_now_and_then_and_the_sum() -> None:
    stream, clock = StringIO(), Clock()
    progress = Progress(40, stream, Language.GERMAN, clock)
    for number in range(40):
        clock.now += 1.0
        progress.step(refused=number % 10 == 0)
    progress.finish()
    assert stream.getvalue().splitlines() == [
        "10 von 40 Fotos, je 1,00 s, noch 0:30",
        "20 von 40 Fotos, je 1,00 s, noch 0:20",
        "30 von 40 Fotos, je 1,00 s, noch 0:10",
        "40 von 40 Fotos, je 1,00 s, noch 0:00",
        "40 Fotos in 40,0 s, davon 4 nicht gelesen",
    ]
