from __future__ import annotations

from io import StringIO

from companion.cli.reading_report import Progress
from companion.languages import Language


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def shown(stream: StringIO) -> list[str]:
    """What a bar showed, one after the other."""
    return [text.strip() for text in stream.getvalue().replace("\n", "\r").split("\r")]


def test_a_few_photos_are_not_worth_telling() -> None:
    stream = StringIO()
    progress = Progress(3, stream, Language.ENGLISH)
    for _ in range(3):
        progress.step(refused=False)
    progress.finish()
    assert stream.getvalue() == ""
    assert (progress.done, progress.refused) == (3, 0)


def test_a_terminal_gets_a_bar_that_is_wiped() -> None:
    stream = Terminal()
    progress = Progress(20, stream, Language.GERMAN, interval_s=60.0)
    for _ in range(10):
        progress.step(refused=False)
    progress.clear()
    assert shown(stream)[-1] == ""
    assert any(text.startswith("Fotos: ") for text in shown(stream))
    progress.finish()
    assert shown(stream)[-2].startswith("10 Fotos in 0,")


def test_a_log_gets_the_bar_now_and_then_and_the_sum() -> None:
    stream = StringIO()
    progress = Progress(40, stream, Language.ENGLISH, interval_s=0.0)
    for number in range(40):
        progress.step(refused=number % 10 == 0)
    progress.clear()
    progress.finish()
    texts = shown(stream)
    assert any(text.startswith("photos: 20/40") for text in texts)
    assert texts[-2].endswith("s, 4 of them not read")
    quiet = StringIO()
    Progress(40, quiet, Language.ENGLISH, interval_s=60.0).step(refused=False)
    assert quiet.getvalue().count("photos") == 1
