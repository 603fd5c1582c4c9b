"""Results of many photos kept, resumed and reported, also when the process is killed."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from benchmarks.kills import kill_many
from companion.cli.reading_report import Progress, ReadingFormat, ReadingReport
from companion.cli.results_file import ResultsFile, ResultsFileError
from companion.languages import Language
from companion.reading.jobs import Outcome
from vision.photo.errors import PhotoError

ROOT = Path(__file__).parents[3]
READ = {"photo": "a.jpg", "kingdoms": [], "seconds": {}}
REFUSED = {"photo": "b.jpg", "error": {"code": "truncated", "message": "…"}}


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_each_result_is_on_disk_at_once(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with ResultsFile(path, "kingdoms") as results:
        assert results.done == frozenset()
        results.add(READ)
        assert lines(path) == [READ]
        results.add(REFUSED)
        assert lines(path) == [READ, REFUSED]


def test_photos_that_were_read_are_done_and_refused_ones_are_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with ResultsFile(path, "kingdoms") as results:
        results.add(REFUSED)
        results.add(READ)
    with ResultsFile(path, "kingdoms") as results:
        assert results.done == {"a.jpg"}
        assert lines(path) == [READ]
        results.add({**REFUSED, "photo": "c.jpg"})
    assert [line["photo"] for line in lines(path)] == ["a.jpg", "c.jpg"]


def test_a_line_cut_in_two_by_an_interruption_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    whole = json.dumps(READ) + "\n"
    path.write_text(whole + whole[:20], encoding="utf-8")
    with ResultsFile(path, "kingdoms") as results:
        assert results.done == {"a.jpg"}
        results.add({**READ, "photo": "b.jpg"})
    assert [line["photo"] for line in lines(path)] == ["a.jpg", "b.jpg"]


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="where open files are listed")
def test_no_file_stays_open_however_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"

    def opened() -> int:
        return len(os.listdir("/proc/self/fd"))

    before = opened()
    with ResultsFile(path, "kingdoms") as results:
        results.add(REFUSED)
        with pytest.raises(ResultsFileError):
            ResultsFile(path, "kingdoms")
        assert opened() == before + 1
    assert opened() == before
    with ResultsFile(path, "kingdoms"):  # What was refused is tidied away.
        assert opened() == before + 1
    path.write_text("something else\n", encoding="utf-8")
    with pytest.raises(ResultsFileError):
        ResultsFile(path, "kingdoms")
    assert opened() == before


def test_only_a_line_cut_in_two_leaves_nothing_done(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps(READ)[:20], encoding="utf-8")
    with ResultsFile(path, "kingdoms") as results:
        assert results.done == frozenset()
    assert path.read_text(encoding="utf-8") == ""


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("photos of the league\n", 1),
        (json.dumps(READ) + "\n[1, 2]\n", 2),
        ('{"name": "no photo"}\n', 1),
        ('{"photo": ["a.jpg"], "kingdoms": []}\n', 1),
        ('{"photo": "a.jpg", "kingdoms": "three"}\n', 1),
        ('{"photo": "a.jpg"}\n', 1),
        ('{"photo": "a.jpg", "dominoes": []}\n', 1),
        ("[" * 100_000 + "\n", 1),
        ("9" * 10_000 + "\n", 1),
        ("null\n", 1),
        ("\0\0\n", 1),
        ("a letter without a line end", 1),
    ],
)
def test_a_file_of_something_else_stays_as_it_is(tmp_path: Path, content: str, line: int) -> None:
    path = tmp_path / "letter.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ResultsFileError) as raised:
        ResultsFile(path, "kingdoms")
    assert (raised.value.code, raised.value.path) == ("no_result", path)
    assert raised.value.line == line
    assert path.read_text(encoding="utf-8") == content


def test_a_second_process_is_refused_until_the_first_one_ends(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    program = (
        "import sys; from pathlib import Path\n"
        "from companion.cli.results_file import ResultsFile\n"
        "with ResultsFile(Path(sys.argv[1]), 'kingdoms'):\n"
        "    print('open', flush=True); sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "open\n"
        with pytest.raises(ResultsFileError) as raised:
            ResultsFile(path, "kingdoms")
        assert raised.value.code == "in_use"
        first.kill()
        first.wait()
    with ResultsFile(path, "kingdoms") as results:
        results.add(READ)


def test_tidying_does_not_let_go_of_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps(REFUSED) + "\n", encoding="utf-8")
    with ResultsFile(path, "kingdoms"), pytest.raises(ResultsFileError, match="in_use"):
        ResultsFile(path, "kingdoms")


@pytest.mark.skipif(os.name == "nt", reason="modes and links of Unix")
def test_links_and_modes_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "kept" / "results.jsonl", tmp_path / "link.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps(each) + "\n" for each in (READ, REFUSED)), encoding="utf-8")
    path.chmod(0o600)
    link.symlink_to(path)
    with ResultsFile(link, "kingdoms") as results:
        results.add({**READ, "photo": "c.jpg"})
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [line["photo"] for line in lines(path)] == ["a.jpg", "c.jpg"]
    assert [each.name for each in path.parent.iterdir()] == ["results.jsonl"]


@pytest.mark.skipif(os.name == "nt", reason="links of Unix")
def test_two_names_of_one_file_stay_so(tmp_path: Path) -> None:
    path, other = tmp_path / "results.jsonl", tmp_path / "other.jsonl"
    path.write_text(json.dumps(REFUSED) + "\n" + json.dumps(READ)[:9], encoding="utf-8")
    other.hardlink_to(path)
    with ResultsFile(path, "kingdoms") as results:
        assert results.done == frozenset()
        results.add(READ)
    assert lines(other) == [REFUSED, READ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of Unix")
def test_a_pipe_or_a_folder_keeps_no_results(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/null")):
        with pytest.raises(ResultsFileError) as raised:
            ResultsFile(path, "kingdoms")
        assert raised.value.code == "no_file"


def test_a_full_disk_leaves_nothing_of_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.jsonl"
    write = os.write

    def full(descriptor: int, data: bytes) -> int:
        if len(data) < 30:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, data[:20])

    with ResultsFile(path, "kingdoms") as results:
        results.add(READ)
        with monkeypatch.context() as patched:
            patched.setattr(os, "write", full)
            with pytest.raises(OSError, match="No space") as failed:
                results.add(REFUSED)
        assert failed.value.filename == str(path)
        assert lines(path) == [READ]
        results.add(REFUSED)
    assert lines(path) == [READ, REFUSED]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="links of Unix")
def test_two_processes_killed_at_random_moments_lose_nothing() -> None:
    """A short form of `python -m benchmarks.kills --runs 1000`."""
    counts = kill_many(runs=15, seed=20_261_121)
    assert counts.reported > 20
    assert counts.refused >= 5
    assert (counts.lost, counts.twice, counts.unreadable) == (0, 0, 0)


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
    assert quiet.getvalue().count("photos:") == 1


TELLING: ReadingFormat[int] = ReadingFormat(
    lambda photo, reading: {"photo": photo, "number": reading},
    lambda reading, language: [f"read {reading}", language.value],
)


def report(*, as_json: bool, language: Language = Language.ENGLISH) -> ReadingReport[int]:
    return ReadingReport(TELLING, language, Progress(2, StringIO(), language), as_json)


def test_a_reading_is_told_as_its_game_says(capsys: pytest.CaptureFixture[str]) -> None:
    lines, records = report(as_json=False), report(as_json=True)
    lines.show(Outcome("a.jpg", 7))
    assert capsys.readouterr().out == "a.jpg\n  read 7\n  en\n\n"
    records.show(Outcome("a.jpg", 7))
    assert json.loads(capsys.readouterr().out) == {"photo": "a.jpg", "number": 7}
    assert lines.all_well
    assert records.all_well


def test_an_empty_name_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    report(as_json=False).show(Outcome("", error=PhotoError("missing_file")))
    assert capsys.readouterr().out.startswith('""\n  ')


def test_what_went_wrong_is_told_and_remembered(capsys: pytest.CaptureFixture[str]) -> None:
    refused, undrawn = report(as_json=True), report(as_json=True)
    refused.show(Outcome("a.jpg", error=PhotoError("empty_file")))
    undrawn.show(Outcome("b.jpg", 7, drawing="out.jpg", not_drawn="no room"))
    captured = capsys.readouterr()
    first, second = map(json.loads, captured.out.splitlines())
    assert first["error"]["code"] == "empty_file"
    assert second["number"] == 7
    assert "out.jpg can't be written: no room" in captured.err
    assert not refused.all_well
    assert not undrawn.all_well


def test_what_went_wrong_is_told_in_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    german = report(as_json=True, language=Language.GERMAN)
    german.show(Outcome("a.jpg", error=PhotoError("empty_file")))
    there = os.strerror(errno.EEXIST)
    german.show(Outcome("b.jpg", 7, drawing="out.jpg", not_drawn=there))
    captured = capsys.readouterr()
    assert json.loads(captured.out.splitlines()[0])["error"]["message"].startswith("Die Datei ist")
    assert "out.jpg" in captured.err
    assert there not in captured.err
    assert german.progress.refused == 1
