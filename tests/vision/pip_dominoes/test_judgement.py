"""Every rule that flags a domino, one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.pip_dominoes.detect import Detections
from vision.pip_dominoes.judge import (
    DoubtSettings,
    Settled,
    combine,
    find_unclear,
    judge,
    measure_existence,
    set_warnings,
    unread_faces,
)
from vision.pip_dominoes.recognise import Evidence, RecognitionSettings
from vision.pip_dominoes.result import DominoReading

BOX = np.array([(100.0, 100.0), (180.0, 100.0), (180.0, 140.0), (100.0, 140.0)])
SURE = Settled((5, 2), 0.999, (2, 6), changed=False, twice=False)


def shares(*numbers: int, sure: float = 0.99) -> np.ndarray:
    rows = np.full((2, 19), (1 - sure) / 18)
    for row, number in zip(rows, numbers, strict=True):
        row[number] = sure
    return rows


def evidence(**changed: object) -> Evidence:
    plain = Evidence(
        corners=BOX[None], counted=shares(5, 2)[None], recognised=shares(5, 2)[None],
        face=np.array([0.99]), half=np.array([0.99]), figures=np.array([0.01]),
    )  # fmt: skip
    return replace(plain, **changed)  # type: ignore[arg-type]


BLANK = evidence(counted=shares(0, 0)[None], recognised=shares(0, 0)[None])


def read(
    settled: Settled = SURE, seen: Evidence | None = None, exists: float = 0.99, scale: float = 1.0
) -> DominoReading:
    seen = seen or evidence()
    (reading,) = judge(
        [settled],
        seen,
        combine(seen, RecognitionSettings()),
        np.array([exists]),
        scale,
        (400, 300),
        DoubtSettings(),
    )
    return reading


def test_a_sure_domino_is_not_flagged() -> None:
    reading = read()
    assert not reading.doubtful
    assert reading.reasons == ()
    assert (reading.tile, reading.pips, reading.runner_up) == ("2|5", 7, "2|6")


@pytest.mark.parametrize(
    ("reason", "reading"),
    [
        ("unlikely", lambda: read(replace(SURE, probability=0.9))),
        ("changed", lambda: read(replace(SURE, changed=True))),
        ("twice", lambda: read(replace(SURE, twice=True))),
        ("double_blank", lambda: read(replace(SURE, halves=(0, 0)), BLANK)),
        ("witnesses", lambda: read(seen=evidence(counted=shares(6, 2)[None]))),
        ("witnesses", lambda: read(seen=evidence(recognised=shares(5, 3)[None]))),
        ("existence", lambda: read(exists=0.6)),
        ("closer", lambda: read(scale=0.3)),
        ("cut_off", lambda: read(seen=evidence(corners=BOX[None] - (105, 0)))),
        ("cut_off", lambda: read(seen=evidence(corners=BOX[None] + (0, 170)))),
        ("figures", lambda: read(seen=evidence(figures=np.array([0.6])))),
        ("figures", lambda: read(replace(SURE, halves=(6, 2)), evidence(figures=np.array([0.99])))),
    ],
)  # fmt: skip
def test_what_is_odd_is_flagged_with_its_reason(reason: str, reading: object) -> None:
    got = reading()  # type: ignore[operator]
    assert got.doubtful
    assert got.reasons == (reason,)


def test_figures_that_are_plain_need_no_flag() -> None:
    assert not read(seen=evidence(figures=np.array([0.99]))).doubtful


def test_pips_are_not_counted_where_there_are_figures() -> None:
    seen = evidence(counted=shares(0, 0)[None], figures=np.array([0.99]))
    assert combine(seen, RecognitionSettings())[0].argmax(1).tolist() == [5, 2]


def test_a_witness_alone_never_rules_a_number_out() -> None:
    seen = evidence(counted=shares(6, 2, sure=1.0)[None], recognised=shares(5, 2, sure=1.0)[None])
    both = combine(seen, RecognitionSettings())[0, 0]
    np.testing.assert_allclose(both[5], both[6])


def test_weights_take_a_witness_out() -> None:
    seen = evidence(counted=shares(6, 2)[None])
    by_pips = combine(seen, RecognitionSettings(half_weight=0.0))[0].argmax(1).tolist()
    by_look = combine(seen, RecognitionSettings(pip_weight=0.0))[0].argmax(1).tolist()
    assert (by_pips, by_look) == ([6, 2], [5, 2])


def test_three_witnesses_say_whether_a_domino_is_there() -> None:
    assert measure_existence(np.array([0.9]), evidence())[0] > 0.99
    assert (
        measure_existence(np.array([0.9]), evidence(face=np.array([0.01]), half=np.array([0.01])))[
            0
        ]
        < 0.01
    )
    middling = measure_existence(np.array([0.9]), evidence(face=np.array([0.05])))[0]
    assert 0.3 < middling < 0.99


def found(faces: np.ndarray) -> Detections:
    return Detections(BOX[None], np.ones(1), faces, np.array([[0.25, 0, 0], [0, 0.25, 0]]), 1.0)


def test_a_face_that_nobody_read_is_told() -> None:
    faces = np.zeros((75, 100), np.float32)
    faces[25:35, 25:45] = 1
    assert not unread_faces(found(faces), BOX[None], DoubtSettings())
    faces[50:60, 60:80] = 1
    assert unread_faces(found(faces), BOX[None], DoubtSettings())


def test_a_few_stray_pixels_are_no_face() -> None:
    faces = np.zeros((75, 100), np.float32)
    faces[50:54, 60:66] = 1
    assert not unread_faces(found(faces), BOX[None], DoubtSettings())


def test_warnings_name_the_set_and_what_is_odd() -> None:
    assert set_warnings(12, True, []) == {"set_inferred"}
    assert set_warnings(15, False, []) == {"set_never_photographed"}
    assert set_warnings(6, False, [read(replace(SURE, twice=True))]) == {"tile_twice"}
    assert set_warnings(6, False, [read(scale=0.3)]) == {"closer"}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, False),
        (
            {"recognised": shares(5, 2, sure=0.6)[None], "counted": shares(5, 2, sure=0.4)[None]},
            True,
        ),
        ({"counted": shares(4, 2, sure=0.7)[None]}, True),
    ],
)
def test_what_is_not_clear_is_worth_another_look(
    changed: dict[str, object], expected: bool
) -> None:
    seen = evidence(**changed)
    assert find_unclear(seen, combine(seen, RecognitionSettings()), DoubtSettings()).tolist() == [
        expected
    ]
