from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli.results_file import ResultsFile, ResultsFileError

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
        ('{"photo": "a.jpg", "dominoes": []}\n', 1),
        ("a letter without a line end", 1),
    ],
)
def test_a_file_of_something_else_stays_as_it_is(tmp_path: Path, content: str, line: int) -> None:
    path = tmp_path / "letter.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ResultsFileError) as raised:
        ResultsFile(path, "kingdoms")
    assert raised.value.line == line
    assert path.read_text(encoding="utf-8") == content
