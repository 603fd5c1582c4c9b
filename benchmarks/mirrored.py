"""Mirrored pictures that are noticed, and others taken for mirrored.

``python -m benchmarks.mirrored DATA FOLD0.onnx FOLD1.onnx …``: every photograph, board and crop of
the folder is read as it is and mirrored, by the shipped reader and the network of mirror images
that was trained without its kingdom or scene (``--hold-out K/N`` for the K-th of N). Photographs
are also seen from elsewhere and in other light, as in ``benchmarks.other_views``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.markdown_tables import markdown, provenance, show
from benchmarks.other_views import VIEWS, take_view
from training.kingdomino.corpus import (
    Corpus,
    LabelledKingdom,
    held_out_sessions,
    read_labels,
    read_rgb,
)
from training.kingdomino.scenes.compose import load_photo_scene
from training.kingdomino.tiles import load_surfaces
from vision import PhotoError, Reader
from vision.common.network import Network
from vision.kingdomino.warn import MirrorSettings, sum_evidence
from vision.photo import decode

Image = NDArray[np.uint8]
FOLDERS = ("photos", "boards", "boards_loose")


@dataclass(frozen=True)
class Seen:
    """The ``evidence`` of one kingdom in a picture that is mirrored, or not."""

    name: str
    mirrored: bool
    squares: int
    evidence: float


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table, and write it to the file named by ``--keep``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mirrored", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("folds", nargs="+", type=Path, metavar="FOLD.onnx")
    parser.add_argument("--keep", type=Path, metavar="FILE.md")
    parser.add_argument("--no-views", action="store_true", help="only the pictures as they are")
    chosen = parser.parse_args(argv)
    settings = MirrorSettings()
    found: dict[str, list[Seen]] = {}
    for fold, path in enumerate(chosen.folds):
        sessions = held_out_sessions(chosen.data, fold, len(chosen.folds))
        reader, network = Reader(), Network(path.read_bytes())
        for name, pictures in _pictures(chosen.data, sessions, with_views=not chosen.no_views):
            for picture, title, mirrored in pictures:
                seen = _look(reader, network, picture, title, mirrored, settings)
                found.setdefault(name, []).extend(seen)
    rows = [make_row(name, seen, settings) for name, seen in sorted(found.items())]
    whole = [each for name in FOLDERS for each in found.get(name, [])]
    unclear = sorted(whole, key=lambda each: each.evidence if each.mirrored else -each.evidence)
    text = (
        f"# Mirrored pictures\n\n{provenance()}; told from {settings.mirrored_from:g} on.\n\n"
        + markdown(HEAD, rows)
        + "\n## The least clear kingdoms of whole pictures\n\n"
        + markdown(
            ("picture", "mirrored", "squares", "sum"),
            [(s.name, s.mirrored, s.squares, f"{s.evidence:.1f}") for s in unclear[:20]],
        )
    )
    show(text, chosen.keep)
    return 0


HEAD = (
    "pictures", "kingdoms mirrored", "told", "sum, least", "sum, median",
    "kingdoms not mirrored", "told wrongly", "sum, most", "sum, median ",
)  # fmt: skip


def make_row(name: str, seen: Iterable[Seen], settings: MirrorSettings) -> tuple[object, ...]:
    """The line for one kind of pictures."""
    cells: list[object] = [name]
    everyone = list(seen)
    for mirrored, extreme in ((True, min), (False, max)):
        sums = [each.evidence for each in everyone if each.mirrored == mirrored]
        told = sum(evidence >= settings.mirrored_from for evidence in sums)
        cells += [len(sums), told]
        cells += [f"{extreme(sums):.1f}", f"{np.median(sums):.1f}"] if sums else ["–", "–"]
    return tuple(cells)


def _pictures(
    data: Path, sessions: frozenset[str], *, with_views: bool
) -> Iterator[tuple[str, list[tuple[Image, str, bool]]]]:
    """By kind the held-out pictures with their names, each as it is and flipped."""
    corpus = Corpus(data)
    for folder in FOLDERS:
        for picture in read_labels(data / folder):
            if isinstance(picture, LabelledKingdom) and picture.session in sessions:
                rgb, name = read_rgb(picture.path), picture.path.name
                yield folder, _both(rgb, name, picture.mirrored)
    if not with_views:
        return
    surfaces = load_surfaces(corpus, np.random.default_rng(0))
    for photo in corpus.photos():
        if photo.session not in sessions:
            continue
        scene = load_photo_scene(corpus, photo)
        for number, (name, view) in enumerate(VIEWS.items()):
            rng = np.random.default_rng([1, number, *photo.path.name.encode()])
            rgb = decode(take_view(scene, view, surfaces, rng)).rgb
            yield f"view: {name}", _both(rgb, photo.path.name, False)


def _both(rgb: Image, name: str, mirrored: bool) -> list[tuple[Image, str, bool]]:
    flipped = np.ascontiguousarray(rgb[:, ::-1])
    return [(rgb, name, mirrored), (flipped, name, not mirrored)]


def _look(
    reader: Reader,
    network: Network,
    rgb: Image,
    name: str,
    mirrored: bool,
    settings: MirrorSettings,
) -> list[Seen]:
    photo = decode(rgb, reader.settings.photo)
    try:
        kingdoms = reader.read(photo).kingdoms
    except PhotoError:
        return []
    return [
        Seen(
            name,
            mirrored,
            sum(square.label != "." for row in kingdom.squares for square in row),
            sum_evidence(kingdom, photo, network, settings),
        )
        for kingdom in kingdoms
    ]


if __name__ == "__main__":
    raise SystemExit(main())
