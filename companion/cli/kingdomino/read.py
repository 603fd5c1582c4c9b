"""`kingdomino read`: from photos to kingdoms, their scores and what to check."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.kingdomino.arguments import WrongUse
from companion.languages import Language, say

if TYPE_CHECKING:
    from companion.kingdomino.reading_jobs import Job

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  kingdomino read table.jpg
  kingdomino read --json red.jpg blue.jpg
  kingdomino read --draw checked.jpg table.jpg
  kingdomino read --results league.jsonl photos/
"""

DRAWING_SUFFIXES = frozenset((".jpg", ".jpeg", ".png"))
PICTURE_SUFFIXES = DRAWING_SUFFIXES | {
    *(".avif", ".bmp", ".gif", ".heic", ".heif", ".jfif", ".jpe", ".tif", ".tiff", ".webp")
}
INTERRUPTED = 130
"""Exit code of a program that was interrupted from the keyboard: 128 + SIGINT."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `read` to the subcommands."""
    parser = subparsers.add_parser(
        "read",
        help="read kingdoms from photos",
        description="Print for each photo the kingdom as a grid, its score and what to check. "
        "A folder stands for the pictures in it. Exit code: 0 if every photo was read, "
        "1 if any was not, 2 for wrong use.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="a photo, or a folder of photos")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each photo")
    parser.add_argument(
        "--draw",
        metavar="OUT",
        type=Path,
        help="draw the reading on the photo: a .jpg or .png, or a folder for several photos",
    )
    parser.add_argument(
        "--results",
        metavar="FILE.jsonl",
        type=Path,
        help="keep the lines of JSON in this file too; a photo that was read into it before "
        "is skipped, so that an interrupted run goes on where it stopped",
    )
    parser.add_argument(
        "--jobs",
        type=_positive,
        metavar="N",
        help="processes to read with (default: the cores, if there are photos enough)",
    )
    parser.add_argument(
        "--dask",
        metavar="SCHEDULER",
        help='read on a Dask cluster: the address of its scheduler, or "local" to start one here; '
        "every worker must see the photos under the same names",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read the photos; 0 if all were read, 1 if any was not. WrongUse for wrong use."""
    # Loaded here, so that help and the other commands need not wait for it.
    from companion.cli.kingdomino.report import ReadingReport
    from companion.cli.progress import Progress
    from companion.cli.results_file import ResultsFile, ResultsFileError
    from companion.kingdomino.reading_jobs import dask_backend, read_photos, worker_count

    photos = with_folders_expanded(args.photos)
    with ExitStack() as stack:
        try:
            drawings = _drawings(args.draw, photos, args.language)
            results = stack.enter_context(ResultsFile(args.results)) if args.results else None
            backend = stack.enter_context(dask_backend(args.dask)) if args.dask else None
        except ResultsFileError as error:
            file, line = error.path, error.line
            raise WrongUse(
                say("read.results_unreadable", args.language, file=file, line=line)
            ) from error
        except ImportError as error:
            raise WrongUse(say("read.dask_missing", args.language)) from error
        except OSError as error:
            file, reason = error.filename, error.strerror
            raise WrongUse(
                say("file.not_written", args.language, file=file, reason=reason)
            ) from error

        jobs = _jobs(photos, drawings, results.done if results else frozenset())
        if results is not None and len(jobs) < len(photos):
            count = len(photos) - len(jobs)
            _tell(say("read.done_before", args.language, count=count, file=results.path))
        progress = Progress(len(jobs), sys.stderr, args.language)
        report = ReadingReport(args.language, progress, as_json=args.json, results=results)
        try:
            for outcome in read_photos(jobs, worker_count(len(jobs), args.jobs), backend):
                report.tell(outcome)
        except KeyboardInterrupt:
            progress.clear()
            done, total = progress.done, progress.total
            _tell(say("read.interrupted", args.language, done=done, total=total))
            if results is not None:
                _tell(say("read.go_on", args.language))
            return INTERRUPTED
        progress.finish()
    return 0 if report.all_well else 1


def with_folders_expanded(names: Sequence[str]) -> list[str]:
    """Every folder replaced by the pictures in it, by name; one without any stays as it is."""
    photos = []
    for name in names:
        folder = Path(name)
        inside = []
        if folder.is_dir():
            inside = sorted(
                str(path)
                for path in folder.iterdir()
                if path.suffix.lower() in PICTURE_SUFFIXES and path.is_file()
            )
        photos.extend(inside or [name])
    return list(dict.fromkeys(photos))


def _drawings(out: Path | None, photos: Sequence[str], language: Language) -> dict[str, str]:
    """Where to draw each photo: one file for one photo, else a folder with a file for each."""
    if out is None:
        return {}
    if out.suffix and not out.is_dir():
        if out.suffix.lower() not in DRAWING_SUFFIXES:
            raise WrongUse(say("read.draw_format", language, suffix=out.suffix))
        if len(photos) > 1:
            count = len(photos)
            raise WrongUse(say("read.draw_needs_folder", language, file=out, count=count))
        return {photos[0]: str(out)}
    out.mkdir(parents=True, exist_ok=True)
    drawings: dict[str, str] = {}
    taken: set[str] = set()
    for photo in photos:
        stem, number = Path(photo).stem, 1
        while (name := stem if number == 1 else f"{stem}-{number}") in taken:
            number += 1
        taken.add(name)
        drawings[photo] = str(out / f"{name}.jpg")
    return drawings


def _jobs(photos: Sequence[str], drawings: dict[str, str], done: frozenset[str]) -> list[Job]:
    from companion.kingdomino.reading_jobs import Job

    return [Job(photo, drawings.get(photo)) for photo in photos if photo not in done]


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1, got {number}")
    return number


def _tell(message: str) -> None:
    print(message, file=sys.stderr)
