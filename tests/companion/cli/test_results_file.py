from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.results_file import ResultsFile, ResultsFileError

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
    assert (raised.value.code, raised.value.line) == ("no_result", line)
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
            with pytest.raises(OSError, match="No space"):
                results.add(REFUSED)
        assert lines(path) == [READ]
        results.add(REFUSED)
    assert lines(path) == [READ, REFUSED]
