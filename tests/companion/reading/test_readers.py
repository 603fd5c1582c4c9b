"""What the readers of all games promise: no field of a reading is lost on any way, photos are
answered alike by name, as a block and where they are refused, and older readings open.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from companion.games.domino_duell.kind import DOMINO_DUELL
from companion.games.kingdomino.kept_reading import KeptReading
from companion.games.kingdomino.kind import KINGDOMINO
from companion.games.pip_dominoes.kept_reading import KeptHandReading
from companion.games.pip_dominoes.kind import MEXICAN_TRAIN
from companion.reading import jobs
from companion.reading.codec import Codec
from companion.reading.domino_duell import BOARDS
from companion.reading.jobs import GameReader, Job
from companion.reading.kingdomino import KINGDOMS
from companion.reading.pip_dominoes import HANDS
from companion.store import Store
from companion.store.exchange import import_games
from scorer.domino_duell import Shape
from scorer.pip_dominoes import Tile
from tests.companion.reading.unusual import (
    board_reading,
    hand_reading,
    kept_hand,
    kept_kingdom,
    kingdoms_reading,
)
from vision.kingdomino.result import PhotoReading
from vision.photo.errors import PhotoError

READERS: dict[str, tuple[GameReader[Any], Any]] = {
    "kingdomino": (KINGDOMS, kingdoms_reading()),
    "pip_dominoes": (HANDS, hand_reading()),
    "domino_duell": (BOARDS, board_reading()),
}
KEPT: dict[str, tuple[Codec[Any], Any]] = {
    "kingdomino, kept": (KINGDOMS.codec.of(KeptReading), kept_kingdom()),
    "pip_dominoes, kept": (Codec(KeptHandReading, {Tile: Tile.parse}), kept_hand()),
    "domino_duell, small": (BOARDS.codec, board_reading(Shape.parse(" o o\no x o\n o o"))),
}
CODECS = {**{name: (each.codec, found) for name, (each, found) in READERS.items()}, **KEPT}


def parts_of(value: Any, notations: Any) -> Iterator[Any]:
    """Every dataclass within a reading, itself too, as far as it is not written as a text."""
    if isinstance(value, tuple | frozenset):
        for each in value:
            yield from parts_of(each, notations)
    elif is_dataclass(value) and type(value) not in notations:
        yield value
        for each in fields(value):
            yield from parts_of(getattr(value, each.name), notations)


def default_of(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def assert_same(one: Any, other: Any, where: str) -> None:
    """The same to the last bit, fields that are not compared by ``==`` included."""
    assert type(one) is type(other), where
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype, where
        np.testing.assert_array_equal(one, other, err_msg=where)
    elif isinstance(one, tuple):
        assert len(one) == len(other), where
        for number, (first, second) in enumerate(zip(one, other, strict=True)):
            assert_same(first, second, f"{where}[{number}]")
    elif is_dataclass(one):
        for each in fields(one):
            first, second = getattr(one, each.name), getattr(other, each.name)
            assert_same(first, second, f"{where}.{each.name}")
    else:
        assert one == other, where


@pytest.mark.parametrize("name", CODECS)
def test_the_readings_of_these_tests_have_something_in_every_field(name: str) -> None:
    """A field that is added to a reading fails here, until it is set in ``unusual``."""
    codec, reading = CODECS[name]
    parts = list(parts_of(reading, codec.notations))
    for kind in {type(each) for each in parts}:
        for field in fields(kind):
            values = [getattr(each, field.name) for each in parts if type(each) is kind]
            usual = default_of(field)
            assert any(
                isinstance(each, np.ndarray) or each != usual for each in values if each is not None
            ), f"{kind.__name__}.{field.name}"


@pytest.mark.parametrize("name", CODECS)
def test_every_field_comes_back_to_the_last_bit(name: str) -> None:
    codec, reading = CODECS[name]
    text = json.dumps(codec.to_plain(reading), allow_nan=False)
    assert_same(codec.from_plain(json.loads(text)), reading, name)


@pytest.mark.parametrize("name", CODECS)
def test_a_field_without_which_it_was_kept_has_its_default(name: str) -> None:
    codec, reading = CODECS[name]
    for field in fields(reading):
        plain = codec.to_plain(reading)
        plain.pop(field.name)
        if default_of(field) is MISSING:
            with pytest.raises(ValueError, match="reading"):
                codec.from_plain(plain)
        else:
            assert getattr(codec.from_plain(plain), field.name) == default_of(field)


@pytest.mark.parametrize("wrong", [None, "text", 3, [], {}, [[]], 1e400, True, {"a": None}])
@pytest.mark.parametrize("name", KEPT)
def test_anything_may_stand_in_a_file(name: str, wrong: Any) -> None:
    """What is no reading is a ValueError and nothing else; what is accepted can be kept again."""
    codec, reading = KEPT[name]
    if wrong != {}:
        with pytest.raises(ValueError, match="reading"):
            codec.from_plain(wrong)
    plain = codec.to_plain(reading)
    for at, key in places_in(plain):
        right, at[key] = at[key], wrong
        with suppress(ValueError):
            json.dumps(codec.to_plain(codec.from_plain(plain)), allow_nan=False)
        at[key] = right


def places_in(plain: Any) -> Iterator[tuple[Any, Any]]:
    """Every entry of an object, and the first of every list, with what it is in."""
    for key, value in plain.items() if isinstance(plain, dict) else enumerate(plain[:1]):
        yield plain, key
        if isinstance(value, dict | list):
            yield from places_in(value)


def test_types_that_no_reading_is_made_of_are_a_fault_of_the_program() -> None:
    @dataclass(frozen=True)
    class Odd:
        value: complex

    with pytest.raises(TypeError, match="complex"):
        Codec(Odd, {}).to_plain(Odd(1j))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("homography", [[1.0, 0.0], [0.0, 1.0]]),
        ("homography", [[None] * 3] * 3),
        ("probabilities", [[[0.1]]]),
        ("considered", [[True]]),
        ("considered", [True]),
        ("unpaired", [[0, 4]]),
        ("unpaired", [[2, 0]]),
        ("unpaired", [[0, -1]]),
        ("unpaired", [[-1, 0]]),
        ("castle_colour", "<b>pink</b>"),
        ("castle_colour", "p" * 20),
        ("squares", []),
    ],
)
def test_parts_of_a_kingdom_that_do_not_fit_are_refused(field: str, value: object) -> None:
    plain = kept_kingdom().to_data()
    plain["reading"][field] = value
    with pytest.raises(ValueError, match=field):
        KeptReading.from_data(plain)


def test_a_square_is_in_notation_and_a_photo_of_some_size() -> None:
    for key in ("label", "runner_up", "settled_from"):
        plain = kept_kingdom().to_data()
        plain["reading"]["squares"][0][0][key] = "q9"
        with pytest.raises(ValueError, match="q9"):
            KeptReading.from_data(plain)
    for size in (-1, 100_001):
        with pytest.raises(ValueError, match="size"):
            KeptReading.from_data({**kept_kingdom().to_data(), "width": size})


@pytest.mark.parametrize(
    ("field", "value"),
    [("corners", [[1.0, 2.0]]), ("likelihoods", [[0.5] * 19]), ("likelihoods", [[0.5] * 13] * 2)],
)
def test_parts_of_a_domino_that_do_not_fit_are_refused(field: str, value: object) -> None:
    plain = kept_hand().to_data()
    plain["dominoes"][0][field] = value
    with pytest.raises(ValueError, match=field):
        KeptHandReading.from_data(plain)


def test_readings_within_each_other_without_end_are_refused() -> None:
    plain = kept_kingdom().to_data()
    innermost = plain["reading"]
    for _ in range(5000):
        innermost["next_best"] = dict(innermost)
        innermost = innermost["next_best"]
    with pytest.raises(ValueError, match="reading"):
        KeptReading.from_data(plain)


BEFORE = Path(__file__).with_name("games_kept_before.json")
"""An export of a game of each kind by the version before all games had one codec."""


def test_what_the_version_before_kept_is_read_and_kept_alike(store: Store) -> None:
    export = json.loads(BEFORE.read_text(encoding="utf-8"))
    assert import_games(store, export).new == 3
    kinds = [each.key for each in (KINGDOMINO, MEXICAN_TRAIN, DOMINO_DUELL)]
    assert [game["kind"] for game in export["games"]] == kinds
    for game in export["games"]:
        values = {each["part"]: each["value"] for each in game["changes"]}
        assert store.game(game["id"]).values == values
    kingdomino, train, _ = export["games"]
    ((_, data),) = store.readings(kingdomino["id"]).items()
    again = KeptReading.from_data(data)
    assert str(again.reading.kingdom) == data["reading"]["kingdom"]
    assert again.reading.next_best is not None
    # Their number alone was kept, and not even that.
    assert again.reading.unpaired == again.reading.next_best.unpaired == frozenset()
    plain = again.to_data()
    for kept in (data["reading"], data["reading"]["next_best"]):
        # How crooked a grid is, and how sure the locator was, counts no more.
        del kept["misfit"], kept["detection_scores"]
    for reading in (plain["reading"], plain["reading"]["next_best"]):
        assert reading.pop("unpaired") == []
        # Nor were several photos read together.
        assert reading.pop("photos") == []
    assert plain == data
    ((_, data),) = store.readings(train["id"]).items()
    # What was missed was not kept.
    plain = KeptHandReading.from_data(data).to_data()
    assert plain.pop("missed") == []
    assert json.dumps(plain) == json.dumps(data)


@pytest.fixture(params=READERS)
def reader(request: pytest.FixtureRequest) -> GameReader[Any]:
    """A reader that reads something unusual from every photo but some."""
    original, reading = READERS[request.param]

    def read(source: Any, **options: Any) -> Any:
        if options:
            raise PhotoError("too_small", **options)
        if str(source).endswith("bad.jpg") or source == b"bad":
            raise PhotoError("not_a_picture")
        if str(source).endswith("odd.jpg") or source == b"odd":
            raise KeyError("fault")
        return reading

    return replace(original, read=read)


def named(photo: str, draw: str | None = None, *, sent: bool = False) -> dict[str, Any]:
    return {"options": {}, "photo": photo, "draw": draw, "sent": sent}


def test_a_photo_is_answered_by_name(reader: GameReader[Any], tmp_path: Path) -> None:
    photo = tmp_path / "table.png"
    Image.fromarray(np.full((480, 640, 3), 127, np.uint8)).save(photo)
    for record, sent in (
        (named(str(photo), "PNG"), b""),
        (named("elsewhere.png", "PNG", sent=True), photo.read_bytes()),
    ):
        answer, block = reader.carry_out(record, sent)
        assert_same(reader.codec.from_plain(answer["reading"]), reader.read(b""), "reading")
        assert (answer["error"], answer["trace"]) == (None, "")
        with Image.open(BytesIO(block)) as drawn:
            assert np.ptp(np.asarray(drawn)) > 0


def test_a_photo_is_answered_as_a_block(reader: GameReader[Any]) -> None:
    answer, block = reader.carry_out({"options": {}}, b"a picture")
    assert answer.keys() == {"reading"}
    assert_same(reader.codec.from_plain(answer["reading"]), reader.read(b""), "reading")
    assert block == b""


def test_pixels_are_answered_too(reader: GameReader[Any]) -> None:
    seen: list[Any] = []
    reading = reader.read(b"")

    def read(source: Any) -> Any:
        seen.append(source)
        return reading

    rgb = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    record = {"options": {}, "decoded": {"shape": [2, 4, 3], "size": [40, 20]}}
    replace(reader, read=read).carry_out(record, rgb.tobytes())
    np.testing.assert_array_equal(seen[0].rgb, rgb)
    assert (seen[0].width, seen[0].height) == (40, 20)


def test_a_refused_photo_is_answered_with_its_code(
    reader: GameReader[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    refused, _ = reader.carry_out(named("bad.jpg"), b"")
    assert refused["error"] == {"code": "not_a_picture", "details": {}}
    assert (refused["reading"], refused["trace"]) == (None, "")
    assert reader.carry_out({"options": {}}, b"bad")[0]["error"] == refused["error"]
    odd, _ = reader.carry_out(named("odd.jpg"), b"")
    assert odd["error"] == {"code": "unexpected", "details": {"fault": "KeyError"}}
    assert "KeyError" in odd["trace"]
    assert reader.carry_out({"options": {}}, b"odd")[0] == {"error": odd["error"]}
    assert "KeyError" in capsys.readouterr().err


def test_what_is_asked_for_goes_with_every_photo(
    reader: GameReader[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = reader.with_options(width=3)
    records: list[dict[str, Any]] = []

    def ask_worker(
        task: str, record: dict[str, Any], block: bytes, *_: object, **how: object
    ) -> Any:
        assert task == reader.task
        records.append(record)
        return {"reading": reader.codec.to_plain(reader.read(b""))}, b""

    class Pool:
        def carry_out(self, record: dict[str, Any], block: bytes) -> Any:
            records.append(record)
            return reader.carry_out(record, block)

    monkeypatch.setattr(jobs, "ask_worker", ask_worker)
    asked.ask(b"a picture")
    pool: Any = Pool()
    refusal = jobs.read_job_isolated(Job("a.jpg"), pool, asked).refusal
    assert (refusal.code, refusal.details) == ("too_small", {"width": 3})
    assert [each["options"] for each in records] == [{"width": 3}] * 2
    with pytest.raises(PhotoError, match="too_small"):
        asked.read_here(b"a picture")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"width": "640"}, "width: expected int, got str"),
        ({"kingdoms": [[]]}, "kingdoms: expected"),
        ({"warnings": [7]}, "warnings: expected str, got int"),
    ],
    ids=str,
)
def test_the_field_that_is_wrong_is_named(change: dict[str, Any], said: str) -> None:
    plain = KINGDOMS.codec.to_plain(PhotoReading((), 640, 480))
    with pytest.raises(ValueError, match=f"^{said}"):
        KINGDOMS.codec.from_plain(plain | change)
    with pytest.raises(ValueError, match=r"^reading: expected"):
        KINGDOMS.codec.from_plain([])
