"""Another photo of a kingdom: it is read together with the first, what people set stays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.kingdomino.kept_board import KeptBoard, board_frame, on_reading, rotated
from companion.games.kingdomino.kept_reading import KeptReading, kept_readings
from companion.games.kingdomino.kind import KeptRules
from companion.games.kingdomino.table import Table, new_table
from companion.store import Actor, Store
from companion.web.kingdomino import photos
from companion.web.kingdomino.board_changes import own_steps
from companion.web.kingdomino.photos import ANOTHER, read_another_photo, take_photos
from companion.web.kingdomino.seat_view import another_photo_markup
from companion.web.photo_cache import CachedPhoto
from companion.web.visit import Visit
from scorer.kingdomino import Kingdom, Rules, Square
from tests.companion.games.kingdomino.readings import kingdom_reading, photo_reading
from tests.companion.web.test_shared_state import jpeg
from vision.kingdomino.result import LABELS, KingdomReading, PhotoReading
from vision.photo import PhotoError

# Something hides the last row and one square.
SEEN = "c w w f/. m g1 ."
WHOLE = "l . . ./c w w f/w1 m g1 s"
DOUBTS = {(1, 0): ".", (1, 3): "f1"}


def shown(notation: str, doubts: dict[tuple[int, int], str] | None = None) -> KingdomReading:
    read = kingdom_reading(notation, doubts)
    shape = read.kingdom.height, read.kingdom.width, len(LABELS)
    return replace(read, probabilities=np.full(shape, 1 / len(LABELS)))


FIRST = shown(SEEN, DOUBTS)
# A row above was seen in the second photo alone.
UP = np.array([[1.0, 0, 0], [0, 1, -1], [0, 0, 1]])
BOTH = replace(shown(WHOLE), homography=FIRST.homography @ UP, photos=(0, 1))


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[KingdomReading | PhotoError]:
    """What comes of the next photos; the kingdoms, or why they were refused."""
    outcomes: list[KingdomReading | PhotoError] = []

    def read(_: Visit, photo: CachedPhoto, kept: KeptReading, **how: bool) -> PhotoReading:
        assert (kept.width, kept.height) == (640, 480)
        outcome = outcomes.pop(0)
        if isinstance(outcome, PhotoError):
            raise outcome
        others = () if 1 in outcome.photos or how["same"] else (shown("c g g"),)
        more = tuple(replace(each, photos=(1,)) for each in others)
        return photo_reading(outcome, *more)

    monkeypatch.setattr(photos, "read_with", read)
    return outcomes


@pytest.fixture
def table(store: Store, visit: Visit) -> Table:
    """Anna's kingdom as her photo shows it, and Ben's beside it."""
    made = new_table(store, Actor(visit.device)).with_player("Anna").with_player("Ben")
    for seat in made.seats:
        kept = KeptReading(FIRST, "a-photo-of-the-table", 640, 480)
        reading_id = store.keep_reading(made.game.id, kept.to_data())
        made = made.with_reading(seat, reading_id, kept)
    return made


def board_of(table: Table, player: int = 0) -> KeptBoard:
    board = table.again().seats[player].board
    assert board is not None
    return board


def sent(visit: Visit) -> str:
    return visit.photos.put(jpeg(), visit.device).id


def test_it_fills_what_was_hidden_and_is_taken_back_as_one(
    visit: Visit, table: Table, found: list[KingdomReading | PhotoError]
) -> None:
    before, others = board_of(table), board_of(table, 1)
    found.append(BOTH)
    name = sent(visit)
    take_photos(visit, table, f"{ANOTHER}0|{name}")
    board = board_of(table)
    assert board.kingdom == Kingdom.parse(WHOLE)
    assert not board.doubtful
    assert "nichts mehr" in visit.notice
    kept = kept_readings(table.store, table.game.id)[board.reading or ""]
    assert kept.reading.photos == (0, 1)
    assert kept.photo == "a-photo-of-the-table"
    # Nobody looks at the second one again.
    assert visit.photos.get(name) is None
    assert board_of(table, 1) == others
    assert visit.undo is not None
    visit.undo()
    assert board_of(table) == before


def test_the_undo_of_the_board_takes_it_back_too(
    visit: Visit, table: Table, found: list[KingdomReading | PhotoError]
) -> None:
    found.append(BOTH)
    read_another_photo(visit, table, 0, sent(visit))
    now = table.again()
    key, revision = now.seats[0].key, now.seats[0].revision
    (step,) = own_steps(table.store, table.game.id, key, revision, visit.device)
    assert step.change == now.game.sequence


def test_what_people_set_stays_where_it_lies(
    visit: Visit, table: Table, found: list[KingdomReading | PhotoError]
) -> None:
    table = table.with_square(table.seats[0], (0, 1), Square.parse("w2"))
    table = table.with_square(table.seats[0], (1, 0), Square.parse("."), insists=True)
    turned = rotated(board_of(table), 1)
    table = table.with_board(table.seats[0], turned, "turn")
    found.append(BOTH)
    read_another_photo(visit, table, 0, sent(visit))
    board = rotated(board_of(table), 3)
    assert board.kingdom == Kingdom.parse("l . . ./c w2 w f/. m g1 s")
    assert board.corrected == {(1, 1), (2, 0)}
    assert board.insisted == {(2, 0)}
    assert board_frame(board_of(table)).turns == 1


def test_what_was_set_beyond_the_reading_is_not_lost() -> None:
    wide = KeptBoard(Kingdom.parse("c w f"), corrected=frozenset({(0, 2)}), reading="first")
    now = on_reading(wide, Kingdom.parse("s/c"), [(0, 0)], (-1, 0), "second")
    assert now.kingdom == Kingdom.parse("s . ./c . f")
    assert now.doubtful == {(0, 0)}
    assert now.corrected == {(1, 2)}
    assert now.cells[1, 0][0] == "c"


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (PhotoError("no_kingdom"), "kein Königreich"),
        (PhotoError("too_large", limit=1, actual=2), ""),
        (replace(FIRST, photos=(0,)), "anderes Königreich"),
    ],
)
def test_what_shows_another_kingdom_or_none_changes_nothing(
    visit: Visit,
    table: Table,
    found: list[KingdomReading | PhotoError],
    outcome: KingdomReading | PhotoError,
    words: str,
) -> None:
    before = table.again().game.sequence
    found.append(outcome)
    read_another_photo(visit, table, 0, sent(visit))
    assert visit.notice
    assert words in visit.notice
    assert visit.undo is None
    assert table.again().game.sequence == before


def test_where_nobody_can_tell_people_are_asked(
    visit: Visit, table: Table, found: list[KingdomReading | PhotoError]
) -> None:
    before = table.again().game.sequence
    found.extend([replace(FIRST, photos=(0,), warnings=("maybe_same",)), BOTH])
    read_another_photo(visit, table, 0, sent(visit))
    assert visit.undo_name == "page.same_kingdom"
    assert table.again().game.sequence == before
    assert visit.undo is not None
    visit.undo()
    assert board_of(table).kingdom == Kingdom.parse(WHOLE)


def test_where_even_people_do_not_help_nothing_changes(
    visit: Visit, table: Table, found: list[KingdomReading | PhotoError]
) -> None:
    before = table.again().game.sequence
    found.append(replace(FIRST, photos=(0,), warnings=("maybe_same",)))
    read_another_photo(visit, table, 0, sent(visit), same=True)
    assert "zu wenig zu sehen" in visit.notice
    assert visit.undo is None
    assert table.again().game.sequence == before


def test_a_board_that_somebody_read_anew_meanwhile_is_left_alone(
    visit: Visit, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = KeptReading(shown("c g g"), "another-photo-of-it", 640, 480)

    def read(*_: object, **how: bool) -> PhotoReading:
        now = table.again()
        reading_id = table.store.keep_reading(table.game.id, other.to_data())
        now.with_reading(now.seats[0], reading_id, other)
        return photo_reading(BOTH)

    monkeypatch.setattr(photos, "read_with", read)
    read_another_photo(visit, table, 0, sent(visit))
    assert board_of(table).kingdom == Kingdom.parse("c g g")
    assert visit.undo is None


@pytest.mark.parametrize("act", [f"{ANOTHER}x|a", f"{ANOTHER}0|", f"{ANOTHER}4|photo"])
def test_an_act_that_no_button_has_does_nothing(
    visit: Visit, table: Table, found: list[KingdomReading | PhotoError], act: str
) -> None:
    before = table.again().game.sequence
    take_photos(visit, table, act)
    assert table.again().game.sequence == before


def test_it_is_offered_where_something_is_in_doubt(visit: Visit, table: Table) -> None:
    seat = table.seats[0]
    kept = table.readings[board_of(table).reading or ""]
    offered = another_photo_markup(visit, seat, kept)
    assert offered is not None
    assert f'data-photo="{ANOTHER}0"' in offered
    for place in DOUBTS:
        table = table.with_square(table.seats[0], place, board_of(table).kingdom[place])
    assert another_photo_markup(visit, table.seats[0], kept) is None
    assert another_photo_markup(visit, seat, None) is None


def test_what_people_said_is_the_same_is_no_warning_any_more(
    visit: Visit, table: Table, found: list[KingdomReading | PhotoError]
) -> None:
    found.append(replace(BOTH, warnings=("glare", "maybe_same")))
    read_another_photo(visit, table, 0, sent(visit), same=True)
    kept = kept_readings(table.store, table.game.id)[board_of(table).reading or ""]
    assert kept.reading.warnings == ("glare",)


@pytest.mark.parametrize("giants", [False, True])
def test_it_is_read_by_the_box_that_is_played_and_a_kingdom_known_before_is_told(
    visit: Visit, table: Table, monkeypatch: pytest.MonkeyPatch, giants: bool
) -> None:
    asked: list[bool] = []

    def read(*_: object, giants: bool, same: bool) -> PhotoReading:
        asked.append(giants)
        return photo_reading(replace(FIRST, photos=(0,)))

    monkeypatch.setattr(photos, "read_with", read)
    table = table.with_rules(KeptRules(Rules(age_of_giants=giants)))
    read_another_photo(visit, table, 0, sent(visit))
    assert asked == [giants]
    assert visit.notice == visit.say("seat.another_known")
    assert visit.answered == 1
