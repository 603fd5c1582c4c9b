"""What all commands that read photos share: their arguments and the loop over the photos."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from companion.cli.parser import Commands, Parser, Run, number_between
from companion.cli.terminal import Exit, WrongUse, printable, reason_of, warn
from companion.languages import Language, say

if TYPE_CHECKING:
    from companion.cli.reading_report import Progress, ReadingFormat
    from companion.reading.jobs import GameReader, Job, Outcome

Reading = TypeVar("Reading")

DRAWING_SUFFIXES = frozenset((".jpg", ".jpeg", ".png"))
PICTURE_SUFFIXES = DRAWING_SUFFIXES | {
    *(".avif", ".bmp", ".gif", ".heic", ".heif", ".jfif", ".jpe", ".tif", ".tiff", ".webp")
}


def add_photo_parser(
    commands: Commands,
    run: Run,
    *,
    help: str,
    description: str,
    examples: Sequence[str],
    aliases: Sequence[str] = (),
) -> Parser:
    """Add the subcommand `read`: its photos, and the options for output and workers."""
    parser = commands.add_parser(
        "read", run, help=help, description=description, examples=examples, aliases=aliases
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
        "--overwrite",
        action="store_true",
        help="let drawings replace files that are there; a photo that is read is never replaced",
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
        type=number_between(1),
        metavar="N",
        help="processes to read with (default: the cores, if there are photos enough)",
    )
    parser.add_argument(
        "--dask",
        metavar="SCHEDULER",
        help='read on a Dask cluster: the address of its scheduler, or "local" to start one here; '
        "its workers see the photos under the same names, or --send",
    )
    parser.add_argument(
        "--send", action="store_true", help="send the photos to the workers of --dask"
    )
    return parser


def run_over_photos(
    args: argparse.Namespace,
    reader: GameReader[Reading],
    telling: ReadingFormat[Reading],
    read_key: str,
    together: Callable[[list[Outcome[Reading]]], list[Outcome[Reading]]] | None = None,
) -> int:
    """Read the photos; returns 0 if all were read, else 1. WrongUse for wrong use.

    ``read_key`` is the field that the JSON of a photo has if it was read. With ``together``, which
    makes better outcomes of those of all photos, in their order, these are printed when the last
    one was read.
    """
    # Imported here, so that help and the other commands start faster.
    from companion.cli.reading_report import Progress, ReadingReport
    from companion.cli.results_file import ResultsFile, ResultsFileError

    if args.send and not args.dask:
        raise WrongUse(say("read.send_needs_dask", args.language))
    photos = with_folders_expanded(args.photos)
    with ExitStack() as stack:
        try:
            results = (
                stack.enter_context(ResultsFile(args.results, read_key)) if args.results else None
            )
            jobs = _jobs(args, photos, results.done if results else ())
        except ResultsFileError as error:
            file = printable(str(error.path))
            raise WrongUse(
                say(f"results.{error.code}", args.language, file=file, line=error.line)
            ) from error
        except OSError as error:
            raise WrongUse(_not_written(error, args.language)) from error

        if results is not None and len(jobs) < len(photos):
            count = len(photos) - len(jobs)
            path = printable(str(results.path))
            warn(say("read.done_before", args.language, count=count, file=path))
        progress = Progress(len(jobs), sys.stderr, args.language)
        report = ReadingReport(telling, args.language, progress, args.json, results)
        report.order = [] if together else [job.photo for job in jobs]
        try:
            for outcome in _read(args, jobs, reader, progress, together):
                report.show(outcome)
        except KeyboardInterrupt:
            report.end()
            done, total = progress.done, progress.total
            warn(say("read.interrupted", args.language, done=done, total=total))
            if results is not None:
                warn(say("read.go_on", args.language))
            return Exit.INTERRUPTED
        except OSError as error:
            # For example a full disk; the caller handles the output, which has no name.
            if error.filename is None:
                raise
            progress.clear()
            warn(_not_written(error, args.language))
            return Exit.NOT_DONE
        except WrongUse:
            report.end()
            if results is not None and progress.done:
                warn(say("read.go_on", args.language))
            raise
        report.end()
        progress.finish()
    return Exit.DONE if report.all_well else Exit.NOT_DONE


def _read(
    args: argparse.Namespace,
    jobs: Sequence[Job],
    reader: GameReader[Reading],
    progress: Progress,
    together: Callable[[list[Outcome[Reading]]], list[Outcome[Reading]]] | None,
) -> Iterator[Outcome[Reading]]:
    """The outcomes as they come, from here or from a cluster. WrongUse where there is none."""
    from companion.reading.jobs import read_photos, worker_count

    if not args.dask:
        outcomes = read_photos(jobs, reader, worker_count(len(jobs), args.jobs))
        yield from together(_in_order(outcomes, jobs)) if together else outcomes
        return
    from companion.reading.cluster import ClusterGone, connected, read_on_cluster

    def tell(code: str, count: int) -> None:
        progress.clear()
        warn(say(f"read.{code}", args.language, count=count))

    with ExitStack() as stack:
        try:
            link = connected(args.dask, sends=args.send, threads=args.jobs, tell=tell)
            cluster = stack.enter_context(link)
        except ImportError as error:
            raise WrongUse(say("read.dask_missing", args.language)) from error
        except (OSError, ValueError) as error:
            name = printable(args.dask)
            raise WrongUse(say("read.no_scheduler", args.language, scheduler=name)) from error
        outcomes = read_on_cluster(jobs, reader, cluster)
        try:
            yield from together(_in_order(outcomes, jobs)) if together else outcomes
        except ClusterGone as gone:
            raise WrongUse(say(f"read.{gone.code}_for_good", args.language)) from gone


def _in_order(outcomes: Iterable[Outcome[Reading]], jobs: Sequence[Job]) -> list[Outcome[Reading]]:
    """The outcomes in the order of the photos, once all are there."""
    order = {job.photo: number for number, job in enumerate(jobs)}
    return sorted(outcomes, key=lambda outcome: order[outcome.photo])


def settle_outcomes(
    outcomes: Sequence[Outcome[Reading]], settle: Callable[[list[Reading]], list[Reading]]
) -> list[Outcome[Reading]]:
    """The outcomes with better readings; what was refused stays as it is."""
    read = [outcome.reading for outcome in outcomes if outcome.reading is not None]
    better = iter(settle(read) if read else [])
    return [
        outcome if outcome.reading is None else replace(outcome, reading=next(better))
        for outcome in outcomes
    ]


def refuse_beside_together(args: argparse.Namespace) -> None:
    """WrongUse for options that want each photo by itself, where all are read together."""
    for option in ("draw", "results"):
        if args.together and getattr(args, option):
            raise WrongUse(say("read.together_alone", args.language, option=f"--{option}"))


def with_folders_expanded(names: Sequence[str]) -> list[str]:
    """Replace each folder by the pictures in it, sorted by name; one at an address too.

    A folder without pictures, or without permission, stays as it is.
    """
    from companion.reading.jobs import is_address, pictures_below

    photos: list[str] = []
    for name in names:
        inside: list[str] = []
        if is_address(name):
            inside = pictures_below(name, PICTURE_SUFFIXES)
        elif os.path.isdir(name):
            with contextlib.suppress(OSError), os.scandir(name) as entries:
                inside = sorted(
                    str(Path(name, entry.name))
                    for entry in entries
                    if Path(entry.name).suffix.lower() in PICTURE_SUFFIXES and entry.is_file()
                )
        photos.extend(inside or [name])
    return list(dict.fromkeys(photos))


def _jobs(args: argparse.Namespace, photos: Sequence[str], done: Collection[str]) -> list[Job]:
    """The photos still to read; WrongUse if a drawing would overwrite something."""
    from companion.reading.jobs import Job

    left = [photo for photo in photos if photo not in done]
    if args.draw is None:
        return [Job(photo) for photo in left]
    drawings = drawing_paths(args.draw, photos, args.language)
    kept = [*photos, *([args.results] if args.results else [])]
    for photo in left:
        if any(_same_file(drawings[photo], other) for other in kept):
            file = printable(drawings[photo])
            raise WrongUse(say("read.draw_over_input", args.language, file=file))
        if os.path.lexists(drawings[photo]) and not args.overwrite:
            file = printable(drawings[photo])
            raise WrongUse(say("read.draw_exists", args.language, file=file))
    return [Job(photo, drawings[photo], args.overwrite) for photo in left]


def drawing_paths(out: Path, photos: Sequence[str], language: Language) -> dict[str, str]:
    """The paths of the drawings: a file for one photo, else a file for each in a folder.

    No two names differ only in case, because many file systems ignore it.
    """
    if out.suffix and not os.path.isdir(out):
        if out.suffix.lower() not in DRAWING_SUFFIXES:
            raise WrongUse(say("read.draw_format", language, suffix=printable(out.suffix)))
        if len(photos) > 1:
            count, file = len(photos), printable(str(out))
            raise WrongUse(say("read.draw_needs_folder", language, file=file, count=count))
        return {photos[0]: str(out)}
    out.mkdir(parents=True, exist_ok=True)
    drawings: dict[str, str] = {}
    taken: set[str] = set()
    for photo in photos:
        stem, number = Path(photo).stem, 1
        while (name := stem if number == 1 else f"{stem}-{number}").casefold() in taken:
            number += 1
        taken.add(name.casefold())
        drawings[photo] = str(out / f"{name}.jpg")
    return drawings


def _same_file(path: str, other: str | os.PathLike[str]) -> bool:
    """Whether two paths are the same file, by links or by another spelling."""
    with contextlib.suppress(OSError, ValueError):
        return os.path.samefile(path, other)
    return os.path.normcase(os.path.abspath(path)) == os.path.normcase(os.path.abspath(other))


def _not_written(error: OSError, language: Language) -> str:
    file, reason = printable(str(error.filename or "")), reason_of(error, language)
    return say("file.not_written", language, file=file, reason=reason)
