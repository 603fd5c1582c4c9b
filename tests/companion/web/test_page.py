"""Stories of the web app: what a person does, by key, and what they then see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from streamlit.testing.v1 import AppTest

from companion.reading.pool import WorkerPool
from companion.web.kingdomino.session import Session
from companion.web.kingdomino.views import start
from tests.companion.kingdomino.readings import kingdom_reading, photo_reading
from vision.kingdomino.result import PhotoReading
from vision.photo import decode
from vision.photo.errors import PhotoError

SCRIPT = Path(__file__).parents[3] / "streamlit_app.py"
TWO_DOUBTS = photo_reading(kingdom_reading("w1 w/c f", {(0, 1): "f1", (1, 1): "f1"}))


def opened(locale: str = "en-US", **parameters: str | list[str]) -> AppTest:
    page = AppTest.from_file(SCRIPT, default_timeout=60)
    page.context = {"locale": locale}
    for name, value in parameters.items():
        page.query_params[name] = value
    return well(page.run())


def well(page: AppTest) -> AppTest:
    assert not page.exception, page.exception
    return page


def session_of(page: AppTest) -> Session:
    session: Session = page.session_state["session"]
    return session


def points(page: AppTest) -> str:
    (metric,) = page.metric
    return str(metric.value)


def keys(elements: Any) -> set[str]:
    return {element.key for element in elements}


def picture() -> bytes:
    file = BytesIO()
    Image.fromarray(np.full((480, 640, 3), 127, np.uint8)).save(file, "JPEG")
    return file.getvalue()


@pytest.fixture
def upload(monkeypatch: pytest.MonkeyPatch) -> Callable[[AppTest, PhotoReading | PhotoError], None]:
    """Upload a photo of which the reader says what the story wants."""

    def do(page: AppTest, answer: PhotoReading | PhotoError) -> None:
        def read(
            source: bytes, pool: WorkerPool, on_waiting: Callable[[int], object]
        ) -> tuple[PhotoReading, NDArray[np.uint8]]:
            assert source == picture()
            on_waiting(2)
            if isinstance(answer, PhotoError):
                raise answer
            return answer, decode(source).rgb

        monkeypatch.setattr(start, "read_upload_isolated", read)
        page.file_uploader(key="photo").upload("table.jpg", picture(), "image/jpeg")
        well(page.run())

    return do


Upload = Callable[[AppTest, PhotoReading | PhotoError], None]


def test_a_kingdom_is_entered_by_hand_and_the_score_follows() -> None:
    page = opened()
    well(page.button(key="empty-5").click().run())
    assert points(page) == "0"
    assert "terrain" not in keys(page.segmented_control)
    well(page.button(key="square-2-2").click().run())
    well(page.segmented_control(key="terrain").set_value("c").run())
    assert "crowns" not in keys(page.segmented_control)
    for position, terrain in (("2-3", "m"), ("2-4", "m")):
        well(page.button(key=f"square-{position}").click().run())
        well(page.segmented_control(key="terrain").set_value(terrain).run())
    well(page.segmented_control(key="crowns").set_value(3).run())
    assert points(page) == "6"
    (notation,) = page.code
    assert notation.value == ". . . . ./. . . . ./. . c m m3/. . . . ./. . . . ."


def test_a_seven_by_seven_grid_has_all_its_squares() -> None:
    page = opened()
    well(page.button(key="empty-7").click().run())
    squares = {key for key in keys(page.button) if key.startswith("square-")}
    assert squares == {f"square-{row}-{column}" for row in range(7) for column in range(7)}


def test_doubtful_squares_of_a_photo_are_settled_one_after_the_other(upload: Upload) -> None:
    page = opened()
    upload(page, TWO_DOUBTS)
    assert points(page) == "2"
    assert page.button(key="next-doubt").label == "2 squares to check"
    assert page.button(key="square-0-1").label.endswith("please check")
    # The first doubt is selected; the runner-up is one tap away.
    well(page.button(key="rather-f1").click().run())
    assert points(page) == "3"
    assert page.button(key="next-doubt").label == "1 square to check"
    assert session_of(page).selected == (1, 1)
    well(page.button(key="confirm").click().run())
    assert "next-doubt" not in keys(page.button)
    assert str(session_of(page).edited.kingdom) == "w1 f1/c f"


def test_a_correction_can_be_corrected_again(upload: Upload) -> None:
    page = opened()
    upload(page, TWO_DOUBTS)
    well(page.button(key="square-0-0").click().run())
    assert page.segmented_control(key="terrain").value == "w"
    assert page.segmented_control(key="crowns").value == 1
    well(page.segmented_control(key="crowns").set_value(0).run())
    assert points(page) == "0"
    well(page.segmented_control(key="crowns").set_value(1).run())
    assert points(page) == "2"


def test_each_kingdom_of_a_photo_can_be_looked_at(upload: Upload) -> None:
    page = opened()
    upload(page, photo_reading(kingdom_reading("w1 w/c f"), kingdom_reading("c l l1 l")))
    assert points(page) == "2"
    well(page.segmented_control(key="kingdom-choice").set_value(1).run())
    assert points(page) == "3"
    well(page.button(key="square-0-1").click().run())
    well(page.segmented_control(key="crowns").set_value(1).run())
    assert points(page) == "6"
    well(page.segmented_control(key="kingdom-choice").set_value(0).run())
    assert points(page) == "2"


def test_a_refused_photo_says_why_and_another_can_be_chosen(upload: Upload) -> None:
    page = opened()
    upload(page, PhotoError("no_kingdom"))
    (error,) = page.error
    assert error.value.startswith("table.jpg: No kingdom was found.")
    assert "photo" in keys(page.get("file_uploader"))
    well(page.button(key="empty-5").click().run())
    assert not page.error
    assert points(page) == "0"


def test_an_uncertain_grid_is_said(upload: Upload) -> None:
    page = opened()
    upload(page, photo_reading(kingdom_reading("w1 w/c f", lattice_certain=False)))
    assert any("grid itself is not certain" in warning.value for warning in page.warning)


def test_the_next_best_reading_is_a_tap_away(upload: Upload) -> None:
    page = opened()
    other = kingdom_reading("w1 w w/c f f")
    uncertain = replace(kingdom_reading("w1 w/c f", lattice_certain=False), next_best=other)
    upload(page, photo_reading(uncertain))
    button = page.button(key="next-best")
    assert button.label == "Take the other reading: 2 × 3, 3 points"
    button.click().run()
    elements: Any = page.get("code")
    assert [element.value for element in elements] == ["w1 w w/c f f"]


def test_odd_things_are_named_with_their_squares() -> None:
    page = opened(kingdom="w2 w w")
    (warning,) = page.warning
    assert "there is no castle" in warning.value
    assert "Wheat field never has more than 1 (row 1, column 1)" in warning.value


def test_the_browser_chooses_the_language_and_the_visitor_may_change_it() -> None:
    page = opened("de-DE", kingdom="w1 w c")
    assert page.metric[0].label == "Punkte"
    well(page.segmented_control(key="language").set_value("en").run())
    assert page.metric[0].label == "Points"
    assert points(page) == "2"


def test_a_reload_brings_the_kingdom_and_its_doubts_back(upload: Upload) -> None:
    page = opened()
    upload(page, TWO_DOUBTS)
    well(page.button(key="confirm").click().run())
    address = {name: "".join(value) for name, value in page.query_params.items()}
    again = opened(**address)
    assert str(session_of(again).edited.kingdom) == "w1 w/c f"
    assert again.button(key="next-doubt").label == "1 square to check"


def test_a_reload_brings_the_rules_back() -> None:
    page = opened(kingdom="w c w")
    well(page.toggle(key="middle").set_value(True).run())
    address = {name: "".join(value) for name, value in page.query_params.items()}
    assert points(opened(**address)) == points(page) == "10"


def test_a_new_photo_can_be_started_and_the_kingdom_gone_back_to() -> None:
    page = opened(kingdom="w1 w c")
    well(page.button(key="new-photo").click().run())
    assert not page.metric
    assert not page.query_params
    well(page.button(key="back").click().run())
    assert points(page) == "2"


def test_variants_and_quests_change_the_score() -> None:
    page = opened(kingdom="w c w1!/f f f")
    assert points(page) == "0"
    well(page.toggle(key="middle").set_value(True).run())
    assert points(page) == "0"
    well(page.toggle(key="expansion").set_value(True).run())
    quest = next(quest for quest in session_quests(page) if quest.startswith("Local Business: For"))
    well(page.multiselect(key="quests").select(quest).run())
    assert points(page) == "15"
    assert page.toggle(key="middle").disabled
    assert not page.toggle(key="middle").value


def test_bleak_king_can_be_counted_by_squares() -> None:
    page = opened(kingdom="c w w w/. w . w")
    well(page.toggle(key="expansion").set_value(True).run())
    assert "bleak-king-by-squares" not in keys(page.toggle)
    well(page.multiselect(key="quests").select("Bleak King").run())
    assert points(page) == "10"
    corner = opened(kingdom="c w w w/. . . ./. w w .")
    well(corner.toggle(key="expansion").set_value(True).run())
    well(corner.multiselect(key="quests").select("Bleak King").run())
    assert points(corner) == "0"
    well(corner.toggle(key="bleak-king-by-squares").set_value(True).run())
    assert points(corner) == "10"
    assert any("Bleak King by squares" in getattr(each, "value", "") for each in corner.get("html"))


def test_a_seven_by_seven_game_allows_wide_kingdoms() -> None:
    page = opened(kingdom="c w w w w w w")
    assert "7 columns" in page.warning[0].value
    well(page.toggle(key="large-grid").set_value(True).run())
    assert not page.warning


def test_crowns_can_settle_a_tie() -> None:
    page = opened(player=["Anna=c w1 w l1 l", "Ben=c w1 w m2 ."], kingdom="c w")
    assert page.text[-1].value == "Anna and Ben share the place: nothing settles the tie"
    well(page.toggle(key="compare-crowns").set_value(True).run())
    assert "Ben wins the tie with Anna" in page.text[-1].value


def session_quests(page: AppTest) -> list[str]:
    return list(page.multiselect(key="quests").options)


def test_giants_can_be_set_with_the_expansion() -> None:
    page = opened(kingdom="w1 w c")
    well(page.button(key="square-0-0").click().run())
    assert "giants" not in keys(page.segmented_control)
    well(page.toggle(key="expansion").set_value(True).run())
    well(page.segmented_control(key="giants").set_value(1).run())
    assert points(page) == "0"
    assert str(session_of(page).edited.kingdom) == "w1! w c"


def test_the_grid_can_be_made_larger_and_smaller() -> None:
    page = opened(kingdom="w1 w c")
    well(page.button(key="add-top").click().run())
    well(page.button(key="add-left").click().run())
    assert str(session_of(page).edited.kingdom) == ". . . ./. w1 w c"
    well(page.button(key="trim").click().run())
    assert str(session_of(page).edited.kingdom) == "w1 w c"


def test_players_are_kept_and_ranked() -> None:
    page = opened(kingdom="w1 w c")
    well(page.text_input(key="player-name").set_value("Anna").run())
    well(page.button(key="keep").click().run())
    assert page.button(key="seat-0").label == "Anna: 2"
    well(page.button(key="square-0-1").click().run())
    well(page.segmented_control(key="terrain").set_value("l").run())
    well(page.segmented_control(key="crowns").set_value(1).run())
    well(page.text_input(key="player-name").set_value("Ben").run())
    well(page.button(key="keep").click().run())
    told = [line.value for line in page.text]
    assert told[:2] == ["1. Anna, 2 points", "2. Ben, 2 points"]
    assert told[2].startswith("Anna wins the tie with Ben: 2 squares of wheat field against 1")
    well(page.button(key="remove-0").click().run())
    assert [line.value for line in page.text] == []
    assert page.button(key="seat-0").label == "Ben: 2"
