"""The same picture gets the same answer, whatever its worker has read before."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator, Sequence

import pytest
from PIL import Image

from companion.reading.kingdomino import KINGDOMS
from companion.reading.pool import PoolSettings, WorkerPool
from tests.vision.photo.attacks import webp_of_huffman_groups
from vision.kingdomino.refit import sample_folder, sample_labels
from vision.photo import PhotoError

FORMATS: tuple[tuple[str, dict[str, object]], ...] = (
    ("JPEG", {"quality": 80}),
    ("JPEG", {"quality": 60, "progressive": True}),
    ("JPEG", {"quality": 90, "subsampling": 0}),
    ("PNG", {"compress_level": 1}),
    ("WEBP", {"quality": 70, "method": 0}),
    ("AVIF", {"quality": 60, "speed": 10}),
)


def varied_pictures(count: int) -> Iterator[bytes]:
    """Samples of every size and format, turned, and now and then what only fills memory."""
    rng = random.Random(29)
    samples = sorted(sample_labels())
    for number in range(count):
        if number % 12 == 7:
            yield webp_of_huffman_groups(rng.randrange(16, 200), 150)
        elif number % 12 == 10:
            yield large_jpeg((rng.randrange(8000, 12_001), 9000))
        else:
            name, options = rng.choice(FORMATS)
            with Image.open(sample_folder() / rng.choice(samples)) as picture:
                side = rng.randrange(500, 1800)
                picture.thumbnail((side, side))
                buffer = io.BytesIO()
                turned = picture.convert("RGB").rotate(rng.choice((0, 0, 90, 7)), expand=True)
                turned.resize((side, side * turned.height // turned.width)).save(
                    buffer, name, **options
                )
                yield buffer.getvalue()


def large_jpeg(size: tuple[int, int]) -> bytes:
    """As many pixels as the largest cameras of phones have."""
    buffer = io.BytesIO()
    Image.new("RGB", size, (120, 90, 60)).save(buffer, "JPEG", quality=50)
    return buffer.getvalue()


def answers(pictures: Sequence[bytes], order: Sequence[int]) -> dict[int, object]:
    """What one worker says of each picture when it is asked in this order."""
    found: dict[int, object] = {}
    with WorkerPool(KINGDOMS.task, PoolSettings(workers=1)) as pool:
        for number in order:
            try:
                reading = KINGDOMS.codec.to_plain(KINGDOMS.ask(pictures[number], pool=pool))
                found[number] = {**reading, "seconds": None}
            except PhotoError as error:
                found[number] = error.code
    return found


@pytest.mark.slow
def test_two_orders_of_many_pictures_give_the_same_answers() -> None:
    count = 100
    pictures = list(varied_pictures(count))
    forth = list(range(count))
    mixed = random.Random(30).sample(forth, count)
    first, second = answers(pictures, forth), answers(pictures, mixed)
    assert [number for number in forth if first[number] != second[number]] == []
    read = [number for number in forth if isinstance(first[number], dict)]
    assert len(read) > count // 3
    codes = {each for each in first.values() if isinstance(each, str)}
    assert codes <= {"no_kingdom", "truncated", "too_complex"}
    large = [number for number in forth if number % 12 == 10]
    assert {first[number] for number in large} <= {"no_kingdom"}
