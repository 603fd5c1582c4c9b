"""What the commands that read photos share: their arguments, and the run over all photos."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from companion.cli.wrong_use import WrongUse
from companion.languages import Language, say

if TYPE_CHECKING:
    from companion.cli.reading_report import Telling
    from companion.reading_jobs import Job, Reader

__all__ = ["add_photo_arguments", "run_over_photos", "with_folders_expanded"]

Reading = TypeVar("Reading")

DRAWING_SUFFIXES = frozenset((".jpg", ".jpeg", ".png"))
PICTURE_SUFFIXES = DRAWING_SUFFIXES | {
    *(".avif", ".bmp", ".gif", ".heic", ".heif", ".jfif", ".jpe", ".tif", ".tiff", ".webp")
}
INTERRUPTED = 130
"""Exit code of a program that was interrupted from the keyboard: 128 + SIGINT."""


def add_photo_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the photos, and how and where their readings are told."""
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


def run_over_photos(
    args: argparse.Namespace, reader: Reader[Reading], telling: Telling[Reading], read_key: str
) -> int:
    """Read the photos; 0 if all were read, 1 if any was not. WrongUse for wrong use.

    ``read_key`` is the field that the JSON of a photo has if it was read.
    """
    # Loaded here, so that help and the other commands need not wait for it.
    from companion.cli.progress import Progress
    from companion.cli.reading_report import ReadingReport
    from companion.cli.results_file import ResultsFile, ResultsFileError
    from companion.reading_jobs import dask_backend, read_photos, worker_count

    photos = with_folders_expanded(args.photos)
    with ExitStack() as stack:
        try:
            drawings = _drawings(args.draw, photos, args.language)
            results = (
                stack.enter_context(ResultsFile(args.results, read_key)) if args.results else None
            )
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
        report = ReadingReport(telling, args.language, progress, args.json, results)
        try:
            for outcome in read_photos(jobs, reader, worker_count(len(jobs), args.jobs), backend):
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
    from companion.reading_jobs import Job

    return [Job(photo, drawings.get(photo)) for photo in photos if photo not in done]


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1, got {number}")
    return number


def _tell(message: str) -> None:
    print(message, file=sys.stderr)
