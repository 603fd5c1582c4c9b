"""The reader: from a photograph of dominoes to every domino in it and their sum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.common.network import Clock, loaded_once
from vision.photo import Photo, PhotoError, PhotoSettings, decode
from vision.photo.decoding import Source
from vision.pip_dominoes.bodies import blanks_off, unread_bodies
from vision.pip_dominoes.candidates import Candidates, beside, keep_likely
from vision.pip_dominoes.detect import (
    Detections,
    LocateSettings,
    both_looks,
    find_dominoes,
    look_again,
    match,
)
from vision.pip_dominoes.judge import (
    DoubtSettings,
    PhotoCase,
    SettleSettings,
    combine,
    find_unclear,
    find_warnings,
    infer_set,
    join_rows,
    judge,
    settle,
    settled_reading,
    why_refused,
)
from vision.pip_dominoes.recognise import (
    RecognitionSettings,
    recognise,
    recognise_closely,
)
from vision.pip_dominoes.result import SETS, HandReading, Missed, format_tile, parse_tile
from vision.pip_dominoes.weights import Weights

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ReadSettings:
    """Everything that can be set about reading; ``overlap`` is the share of the smaller of two
    dominoes that the other may cover, before the less likely one is none. With ``closer_look``
    what is not clear is looked at several times.
    """

    photo: PhotoSettings = field(default_factory=PhotoSettings)
    locate: LocateSettings = field(default_factory=LocateSettings)
    recognition: RecognitionSettings = field(default_factory=RecognitionSettings)
    settle: SettleSettings = field(default_factory=SettleSettings)
    doubt: DoubtSettings = field(default_factory=DoubtSettings)
    overlap: float = 0.3
    closer_look: bool = True


@dataclass(frozen=True, eq=False)
class Reader:
    """Reads photographs with one set of weights and settings; safe to share between threads."""

    weights: Weights = field(default_factory=Weights.load)
    settings: ReadSettings = field(default_factory=ReadSettings)

    def read(self, source: Source, set: int | None = None) -> HandReading:
        """Read every domino whose face a photograph shows.

        ``source`` is its bytes, its path, or its pixels: RGB, uint8, shape (h, w, 3), upright.
        ``set`` is the largest double of the set, 6, 9, 12, 15 or 18; without it the most probable
        one is taken and told. PhotoError with the code no_dominoes where no face of a domino is
        seen, dominoes_too_small where all are too small to be told, and with the codes of
        ``vision.photo.decode`` where there is no picture to read.
        ValueError for another set or an array of another kind.
        """
        if set is not None and set not in SETS:
            raise ValueError(f"set: expected one of {SETS}, got {set}")
        settings, clock = self.settings, Clock()
        with clock.step("decode"):
            photo = decode(source, settings.photo)
        found, seen = self.look(photo.rgb, clock)
        candidates, maybe = self._likely(seen)
        if candidates.exists.max(initial=0.0) < settings.doubt.surely_exists:
            raise PhotoError("no_dominoes")
        if settings.closer_look:
            with clock.step("recognise"):
                candidates = self._looked_closely(photo.rgb, candidates)
        with clock.step("settle"):
            reading = self._settled(photo, found, candidates, maybe, set)
        if code := why_refused(reading.dominoes, settings.doubt):
            raise PhotoError(code)
        return replace(reading, seconds=clock.seconds)

    def look(self, rgb: Image, clock: Clock | None = None) -> tuple[Detections, Candidates]:
        """What was found at first, and all that may be a domino by two looks, each judged.

        ``rgb`` is (h, w, 3), the corners are its pixels.
        """
        clock, locator = clock or Clock(), self.weights.locator
        with clock.step("locate"):
            found = find_dominoes(rgb, locator, self.settings.locate)
        with clock.step("recognise"):
            first = self.recognised(rgb, found.corners, found.scores)
        sure = self._sure(first)
        if not len(sure):
            return found, first
        with clock.step("locate"):
            second = look_again(rgb, sure, locator, self.settings.locate)
        with clock.step("recognise"):
            both = match(first, second, self.settings.doubt.surely_exists)
            more = self.recognised(rgb, second.corners[both.rows], both.scores)
            more = replace(more, rescored=second.scores[both.rows])
            seen = both.first.joined(more)
        return both_looks(found, second), self.weights.presence.judged(seen)

    def recognised(self, rgb: Image, corners: Floats, scores: Floats) -> Candidates:
        """What is seen at ``corners`` (n, 4, 2), where the locator gave ``scores`` (n,)."""
        weights, settings = self.weights, self.settings.recognition
        seen = recognise(rgb, corners, weights.faces, weights.halves, settings, scores)
        return weights.presence.judged(seen)

    def _sure(self, first: Candidates) -> Candidates:
        """The dominoes that one look shows, those that are unlikely only where there are few."""
        doubt, most_overlap = self.settings.doubt, self.settings.overlap
        likely = keep_likely(first, least=doubt.exists, most_overlap=most_overlap)
        if len(likely) >= self.settings.locate.plane_from:
            return likely
        return keep_likely(first, least=doubt.missed_exists, most_overlap=most_overlap)

    def _likely(self, candidates: Candidates) -> tuple[Candidates, Candidates]:
        """The candidates that are dominoes, and those beside them that may be."""
        settings, doubt = self.settings, self.settings.doubt
        likely = keep_likely(candidates, least=doubt.exists, most_overlap=settings.overlap)
        others = candidates.chosen(beside(candidates.corners, likely.corners, settings.overlap))
        maybe = keep_likely(others, least=doubt.missed_exists, most_overlap=settings.overlap)
        return likely, maybe

    def _looked_closely(self, rgb: Image, candidates: Candidates) -> Candidates:
        """The candidates, those that are not clear seen in several views."""
        weights, settings = self.weights, self.settings
        likelihoods = combine(candidates, settings.recognition)
        rows = np.nonzero(find_unclear(candidates, likelihoods, settings.doubt))[0]
        closer = recognise_closely(
            rgb, candidates.chosen(rows), weights.faces, weights.halves, settings.recognition
        )
        return candidates.replaced(rows, closer)

    def _settled(
        self,
        photo: Photo,
        found: Detections,
        candidates: Candidates,
        maybe: Candidates,
        set: int | None,
    ) -> HandReading:
        settings = self.settings
        likelihoods = combine(candidates, settings.recognition)
        highest = set or infer_set(likelihoods, settings.settle)
        settled = settle(likelihoods, highest, settings=settings.settle)
        size = (photo.width, photo.height)
        halves, scale = np.array([each.halves for each in settled]).reshape(-1, 2), 1 / photo.scale
        off = blanks_off(photo.rgb, candidates.corners, halves)
        readings = judge(settled, candidates, likelihoods, off, scale, size, settings.doubt)
        likely = settle(combine(maybe, settings.recognition), highest, settings=settings.settle)
        tiles = [format_tile(*each.halves) for each in likely]
        known = candidates.joined(maybe).corners
        spots = unread_bodies(photo.rgb, found, known, settings.doubt)
        places = zip([*maybe.corners, *spots], tiles + [""] * len(spots), strict=True)
        missed = tuple(Missed((box + 0.5) / photo.scale - 0.5, tile) for box, tile in places)
        warnings = find_warnings(PhotoCase(highest, set is None, bool(missed)), readings)
        dominoes = tuple(readings[k] for k in _reading_order(candidates.corners))
        return HandReading(dominoes, highest, warnings, *size, missed=missed)

    def resettle(
        self,
        readings: Sequence[HandReading],
        corrections: Sequence[Mapping[int, str]] = (),
        set: int | None = None,
    ) -> list[HandReading]:
        """The hands of one round settled together, since each domino is in one hand only.

        ``corrections`` give for each hand what a person saw, such as "5|9", by the number of the
        domino; what was corrected is certain. Without ``set`` the most probable one of all hands
        together is taken. ValueError for a correction that is no domino of the set, IndexError
        for one of a domino that is not there.
        """
        settings = self.settings
        places = [(h, d) for h, hand in enumerate(readings) for d in range(len(hand.dominoes))]
        rows = {place: row for row, place in enumerate(places)}
        fixed = {}
        for h, corrected in enumerate(corrections):
            for d, text in corrected.items():
                if (h, d) not in rows:
                    raise IndexError(f"corrections: there is no domino {d} in hand {h}")
                fixed[rows[h, d]] = parse_tile(text)
        likelihoods = join_rows([d.likelihoods[None] for hand in readings for d in hand.dominoes])
        for row, (a, b) in fixed.items():
            first, second = likelihoods[row]
            if first[b] * second[a] > first[a] * second[b]:
                a, b = b, a  # As it lies.
            likelihoods[row] = 0.0
            likelihoods[row, 0, a] = likelihoods[row, 1, b] = 1.0
        highest = set or infer_set(likelihoods, settings.settle)
        settled = settle(likelihoods, highest, fixed, settings.settle)
        hands = []
        for h, hand in enumerate(readings):
            dominoes = tuple(
                settled_reading(
                    domino,
                    settled[rows[h, d]],
                    settings.doubt,
                    known=rows[h, d] in fixed,
                )
                for d, domino in enumerate(hand.dominoes)
            )
            photo = PhotoCase(highest, set is None, "unread" in hand.warnings)
            warnings = find_warnings(photo, dominoes)
            hands.append(replace(hand, dominoes=dominoes, set=highest, warnings=warnings))
        return hands


@loaded_once
def default_reader() -> Reader:
    """The reader with the shipped weights, loaded once for the process."""
    return Reader()


def read_dominoes(source: Source, set: int | None = None) -> HandReading:
    """Read every domino of a photograph with the shipped weights, see ``Reader.read``."""
    return default_reader().read(source, set)


def settle_hands(
    readings: Sequence[HandReading],
    corrections: Sequence[Mapping[int, str]] = (),
    set: int | None = None,
) -> list[HandReading]:
    """The hands of one round settled together, see ``Reader.resettle``."""
    return default_reader().resettle(readings, corrections, set)


def _reading_order(corners: Floats) -> list[int]:
    """Dominoes row by row from the top, as one reads."""
    middles = corners.mean(1)
    height = float(np.median(np.ptp(corners[..., 1], axis=1)))
    left = sorted(range(len(middles)), key=lambda k: middles[k, 1])
    order: list[int] = []
    while left:
        top = middles[left[0], 1]
        row = [k for k in left if middles[k, 1] < top + 0.5 * height]
        order += sorted(row, key=lambda k: middles[k, 0])
        left = [k for k in left if k not in row]
    return order
