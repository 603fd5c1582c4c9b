"""Photos of kingdoms read in a worker process, readings as plain data, and the own head in use."""

from __future__ import annotations

import os
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import vision
from companion.reading import jobs, kingdomino
from companion.reading.decoding import ask_worker
from companion.reading.jobs import Outcome
from companion.reading.kingdomino import KINGDOMS, combine_outcomes, read_frame_isolated
from companion.reading.own_heads import KINGDOMINO_HEADS
from tests.companion.games.kingdomino.readings import kingdom_reading, photo_reading
from vision.kingdomino.reader import Reader
from vision.kingdomino.refit import sample_folder
from vision.kingdomino.result import LABELS, ONE_CROWN, KingdomReading, PhotoReading, kingdom_of
from vision.kingdomino.weights import OWN_HEAD
from vision.photo import Photo, decode
from vision.photo.errors import PhotoError

SAMPLE = sample_folder() / "begun.jpg"


def test_a_worker_reads_just_what_this_process_reads_decoded_before_or_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blocks = []

    def asked(task: str, record: dict[str, Any], block: bytes, *_: object, **how: Any) -> Any:
        blocks.append(block)
        return ask_worker(task, record, block, **how)

    monkeypatch.setattr(jobs, "ask_worker", asked)
    here, photo = vision.read_kingdoms(SAMPLE), decode(SAMPLE)
    once = KINGDOMS.ask(photo)
    again = KINGDOMS.ask(SAMPLE.read_bytes())
    assert blocks == [photo.rgb.tobytes(), SAMPLE.read_bytes()]
    assert once == again == here
    assert again.seconds["decode"] > 0
    for there in (once, again):
        for one, other in zip(there.kingdoms, here.kingdoms, strict=True):
            np.testing.assert_array_equal(one.homography, other.homography)
            assert one.unpaired == other.unpaired


def test_refusals_keep_their_code() -> None:
    with pytest.raises(PhotoError, match="not_a_picture"):
        KINGDOMS.ask(b"a letter")


@pytest.mark.parametrize("giants", [False, True])
def test_a_frame_is_read_by_the_box_of_the_game(
    monkeypatch: pytest.MonkeyPatch, giants: bool
) -> None:
    boxes: list[bool] = []

    def read_frame(reader: Reader, *_: object) -> KingdomReading:
        boxes.append(reader.settings.judge.settle.giants)
        return kingdom_reading("w1 w c")

    def asked(task: str, record: dict[str, Any], block: bytes, *_: object, **how: Any) -> Any:
        return kingdomino.carry_out(record, block)

    monkeypatch.setattr(Reader, "read_frame", read_frame)
    monkeypatch.setattr(jobs, "ask_worker", asked)
    corners = [(0.0, 0.0), (90.0, 0.0), (90.0, 30.0), (0.0, 30.0)]
    reading = read_frame_isolated(SAMPLE.read_bytes(), corners, (1, 3), (1600, 1200), giants=giants)
    assert reading.kingdom == kingdom_reading("w1 w c").kingdom
    assert boxes == [giants]


def test_a_frame_is_in_pixels_of_the_photo_as_it_was_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever copy of it is read, here one of half the size."""
    given: list[Any] = []

    def read_frame(_: Reader, photo: Photo, *frame: Any) -> KingdomReading:
        given.append((photo.width, *frame))
        return kingdom_reading("w1 w c")

    def asked(task: str, record: dict[str, Any], block: bytes, *_: object, **how: Any) -> Any:
        return kingdomino.carry_out(record, block)

    monkeypatch.setattr(Reader, "read_frame", read_frame)
    monkeypatch.setattr(jobs, "ask_worker", asked)
    corners = [(0.0, 0.0), (90.0, 0.0), (90.0, 30.0), (0.0, 30.0)]
    reading = read_frame_isolated(SAMPLE.read_bytes(), corners, (1, 3), (3200, 2400))
    assert given == [(1600, [(0, 0), (45, 0), (45, 15), (0, 15)], 1, 3)]
    inside = kingdom_reading("w1 w c").homography
    np.testing.assert_allclose(reading.homography, np.diag([2, 2, 1]) @ inside)


def test_the_reader_is_told_by_its_own_variable() -> None:
    assert KINGDOMINO_HEADS.variable == OWN_HEAD
    assert KINGDOMINO_HEADS.name == "squares"


def test_a_worker_is_told_before_it_loads_the_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setenv(OWN_HEAD, "")
    monkeypatch.delenv(OWN_HEAD)
    newest, told = KINGDOMINO_HEADS.install(b"1"), []
    monkeypatch.setattr(
        vision, "read_kingdoms", lambda _, **how: told.append(os.environ.get(OWN_HEAD))
    )
    kingdomino.warm_up()
    assert told == [str(newest)]


@pytest.mark.parametrize("anyway", [False, True])
@pytest.mark.parametrize("giants", [False, True])
def test_here_and_in_a_worker_photos_are_read_alike(
    monkeypatch: pytest.MonkeyPatch, anyway: bool, giants: bool
) -> None:
    asked: list[dict[str, bool]] = []

    def read(source: object, **how: bool) -> PhotoReading:
        asked.append(how)
        return photo_reading(kingdom_reading("w1 w c"))

    monkeypatch.setattr(vision, "read_kingdoms", read)
    reader = KINGDOMS.with_options(anyway=anyway, giants=giants)
    reader.read_here("a.jpg")
    kingdomino.carry_out({"options": reader.options}, b"a picture")
    assert asked == [{"anyway": anyway, "giants": giants}] * 2


def test_a_photo_is_read_together_with_what_an_earlier_one_showed() -> None:
    photo = decode(sample_folder() / "turned-30.jpg")
    first = vision.read_kingdoms(photo)
    squares = [list(row) for row in first.kingdoms[0].squares]
    squares[0][4] = replace(squares[0][4], label=".", doubtful=True, reason="hidden")
    rows = tuple(map(tuple, squares))
    hidden = replace(first.kingdoms[0], kingdom=kingdom_of(rows), squares=rows)
    earlier = KINGDOMS.codec.to_plain(replace(first, kingdoms=(hidden,)))
    turned = np.ascontiguousarray(np.rot90(photo.rgb))
    (both,) = KINGDOMS.with_options(earlier=earlier).read_here(turned).kingdoms
    assert both.kingdom == first.kingdoms[0].kingdom
    assert both.photos == (0, 1)
    assert both.doubtful == ()


def test_outcomes_of_one_table_are_one_and_refusals_stay() -> None:
    blue = "s m2 g g1 f/s w g w f/m2 w c f f/g w m2 f f/l w1 s l1 l1"
    first = photo_reading(kingdom_reading(blue, {(0, 0): "g"}))
    second = photo_reading(kingdom_reading(blue, {(4, 4): "l"}, left=30))
    cut = Outcome[PhotoReading]("cut.jpg", error=PhotoError("truncated"))
    outcomes = [cut, Outcome("a.jpg", first), Outcome("b.jpg", second, drawing="b.png")]
    both, refused = combine_outcomes(outcomes)
    assert (both.photo, refused) == ("a.jpg", cut)
    assert both.reading is not None
    (kingdom,) = both.reading.kingdoms
    assert (str(kingdom.kingdom), kingdom.photos, kingdom.doubtful) == (blue, (0, 1), ())
    assert combine_outcomes([cut]) == [cut]


def test_probabilities_from_before_giants_were_read_are_of_the_same_labels() -> None:
    reading = kingdom_reading("c w1/f l2")
    known = [label for label in LABELS if label not in ONE_CROWN]
    old = np.random.default_rng(3).random((2, 2, len(known)))
    plain = KINGDOMS.codec.of(KingdomReading).to_plain(replace(reading, probabilities=old))
    found = KINGDOMS.codec.of(KingdomReading).from_plain(plain)
    assert found.probabilities is not None
    assert found.probabilities.shape == (2, 2, len(LABELS))
    for place, label in enumerate(LABELS):
        expected = old[..., known.index(label)] if label in known else np.zeros((2, 2))
        np.testing.assert_array_equal(found.probabilities[..., place], expected)


def test_what_is_too_little_to_tell_is_one_where_a_person_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not where it could lie on the other in two ways."""
    for notation, ways in (("c w f", 1), ("w c w", 2)):
        seen = photo_reading(kingdom_reading(notation))
        monkeypatch.setattr(vision, "read_kingdoms", lambda *_, seen=seen, **how: seen)
        moved = photo_reading(kingdom_reading(notation, left=70))
        earlier = KINGDOMS.codec.to_plain(moved)
        asked = KINGDOMS.with_options(earlier=earlier).read_here("a.jpg")
        told = KINGDOMS.with_options(earlier=earlier, same=True).read_here("a.jpg")
        assert [each.photos for each in asked.kingdoms] == [(0,), (1,)]
        assert all("maybe_same" in each.warnings for each in asked.kingdoms)
        assert len(told.kingdoms) == ways


def test_a_camera_sends_small_pictures_only() -> None:
    def seen(size: tuple[int, int]) -> PhotoReading:
        file = BytesIO()
        Image.new("RGB", size, (150, 120, 90)).save(file, "JPEG")
        return KINGDOMS.with_options(glance=True).ask(file.getvalue())

    assert seen((2000, 1000)).kingdoms == ()
    with pytest.raises(PhotoError, match="too_many_pixels"):
        seen((2001, 1000))


@pytest.mark.parametrize("giants", [False, True])
def test_a_glance_is_by_the_box_of_the_game_and_light(
    monkeypatch: pytest.MonkeyPatch, giants: bool
) -> None:
    looked: list[object] = []
    seen = kingdom_reading("w1 w c")
    heavy = replace(
        seen, probabilities=np.zeros((1, 3, len(LABELS))), considered=np.zeros((1, 3), bool)
    )

    class Glancing:
        box = False

        def with_giants(self) -> Glancing:
            self.box = True
            return self

        def glance(self, photo: Photo) -> PhotoReading:
            looked.append((self.box, photo.rgb.shape))
            return photo_reading(heavy, heavy)

    monkeypatch.setattr("vision.kingdomino.reader.default_reader", Glancing)
    file = BytesIO()
    Image.new("RGB", (1300, 1000), (150, 120, 90)).save(file, "JPEG")
    found = KINGDOMS.with_options(glance=True, giants=giants).read_here(file.getvalue())
    assert looked == [(giants, (500, 650, 3))]
    assert len(found.kingdoms) == 2
    for each in found.kingdoms:
        assert (each.kingdom, each.squares) == (seen.kingdom, seen.squares)
        for heavy_part in (each.probabilities, each.considered):
            assert heavy_part is None


def test_a_kingdom_is_drawn() -> None:
    reading = photo_reading(kingdom_reading("w1 w c"))
    drawn = KINGDOMS.draw(np.full((480, 640, 3), 127, np.uint8), reading)
    assert drawn.shape == (480, 640, 3)
    assert np.ptp(drawn) > 0
