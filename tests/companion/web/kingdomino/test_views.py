"""The pages of a game: rules, players, advice, result and score pad."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from random import Random
from xml.etree import ElementTree

import pytest

from companion.games.guide import text_of
from companion.games.kingdomino.guide import example_of, rules_of_play, set_up_lines
from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.kept_reading import KeptReading
from companion.games.kingdomino.kind import KeptRules
from companion.games.kingdomino.table import Table, new_table
from companion.games.kingdomino.texts import count_of_points
from companion.languages import Language, say
from companion.store import Actor, Player, Store
from companion.web.kingdomino.board_changes import board_state
from companion.web.kingdomino.parts import conflict_lines, kingdom_picture, seat_strip
from companion.web.kingdomino.players_view import (
    _act,
    _body,
    changed_rules,
    help_markup,
    quest_picture,
    recoloured,
    rules_markup,
    swatches,
)
from companion.web.kingdomino.players_view import _choose as help_act
from companion.web.kingdomino.result_view import _act as act_on_result
from companion.web.kingdomino.result_view import (
    bars_markup,
    pad_rows,
    result_markup,
    squares_of_row,
)
from companion.web.kingdomino.seat_view import oddities_markup
from companion.web.parts import answer, remembered_chips
from companion.web.request import KEEP_PHOTOS_COOKIE, KEEP_SQUARES_COOKIE
from companion.web.shell import Act
from companion.web.visit import Visit
from scorer.kingdomino import (
    QUESTS,
    BleakKing,
    Goal,
    Kingdom,
    Quest,
    Rules,
    RulesError,
    Terrain,
    TieBreak,
    score,
    setup_guide,
)
from tests.companion.games.kingdomino.readings import kingdom_reading
from tests.companion.web.shell.test_markup import Seen
from vision.kingdomino.warn import WARNINGS


def one_seat(store: Store, visit: Visit) -> Table:
    return new_table(store, Actor(visit.device)).with_player("Anna")


def test_warnings_of_kingdom_and_photo_are_said_once_with_what_to_do(
    store: Store, visit: Visit
) -> None:
    reading = replace(kingdom_reading("c w w1"), warnings=("cut_off", "mirrored"))
    kept = KeptReading(reading, "photo", 640, 480, ("mirrored", "dark"))
    table = one_seat(store, visit)
    markup = oddities_markup(visit, table, table.seats[0], kept)
    assert markup is not None
    assert markup.count("Bitte noch einmal ganz ins Bild nehmen") == 1
    assert markup.count("gespiegelt") == 1
    assert "Bitte mit mehr Licht" in markup


@pytest.mark.parametrize("code", sorted(WARNINGS))
@pytest.mark.parametrize("language", ["de", "en"])
def test_every_warning_has_its_words(code: str, language: str) -> None:
    assert say(f"warning.{code}", Language(language))


def test_a_warning_of_tomorrow_is_said_in_general(store: Store, visit: Visit) -> None:
    reading = replace(kingdom_reading("c w w1"), warnings=("not_known_yet",))
    table = one_seat(store, visit)
    markup = oddities_markup(visit, table, table.seats[0], KeptReading(reading))
    assert markup is not None
    assert visit.say("warning.unclear") in markup


KINGDOM = Kingdom.parse("w1 w c/. f2! m")


def test_every_square_and_every_territory_with_points_is_drawn() -> None:
    drawn = ElementTree.fromstring(kingdom_picture(KINGDOM, "Anna", score(KINGDOM)))
    assert drawn.get("aria-label") == "Anna"
    assert len([each for each in drawn if each.tag == "g"]) == 5
    assert [each.text for each in drawn if each.tag == "text"] == ["2", "1"]


def test_only_lit_squares_stay_bright() -> None:
    lit = {(0, 0), (0, 1)}
    drawn = ElementTree.fromstring(kingdom_picture(KINGDOM, "Anna", score(KINGDOM), lit))
    assert len([each for each in drawn if each.get("class") == "dim"]) == 3
    assert [each.text for each in drawn if each.tag == "text"] == ["2"]


def test_a_name_stays_a_name() -> None:
    drawn = ElementTree.fromstring(kingdom_picture(KINGDOM, '"><script>'))
    assert drawn.get("aria-label") == '"><script>'


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("language", list(Language))
def test_every_number_of_players_has_a_guide(players: int, language: Language) -> None:
    guide = setup_guide(players, age_of_giants=players == 5)
    lines = [*set_up_lines(guide, language), *text_of(rules_of_play(guide, language, court=True))]
    assert len(lines) >= 25
    assert not any("{" in line for line in lines)
    assert "guide." not in " ".join(lines)


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("quest", QUESTS, ids=str)
def test_a_picture_for_each_quest_shows_squares_that_count(
    visit: Visit, quest: Quest, language: Language
) -> None:
    visit.language = language
    bonus = score(example_of(quest), Rules(quests=(quest,))).bonuses[0]
    drawn = ElementTree.fromstring(quest_picture(visit, quest))
    assert bonus.points > 0
    frames = drawn.findall(".//rect[@stroke='#ffd64f']")
    assert len(frames) == len(bonus.squares)
    assert count_of_points(bonus.points, language) in "".join(drawn.itertext())


def test_the_help_page_has_all_that_is_in_play(visit: Visit) -> None:
    assert "rules-quests" not in help_markup(visit)
    for act in (Act("players", "5"), Act("quests", "true"), Act("court", "true")):
        help_act(visit, act)
    page = help_markup(visit)
    for key in ("kings", "turn", "placing", "giants", "scoring", "quests", "court", "open"):
        assert f'data-key="rules-{key}"' in page
    assert page.count("<figure>") == len(QUESTS)
    help_act(visit, Act("players", "2"))
    help_act(visit, Act("duel", "true"))
    assert "7×7" in help_markup(visit)
    assert "rules-giants" not in help_markup(visit)
    help_act(visit, Act("players", "3"))
    assert 'data-do="duel"' not in help_markup(visit)


def test_the_help_page_has_quests_with_the_expansion_which_five_play_with(visit: Visit) -> None:
    help_act(visit, Act("giants", "true"))
    assert "rules-quests" in help_markup(visit)
    help_act(visit, Act("giants", "false"))
    assert "rules-quests" not in help_markup(visit)
    help_act(visit, Act("players", "5"))
    assert 'data-do="giants" checked disabled' in help_markup(visit)


def test_the_rule_of_a_chosen_quest_stands_below_it(visit: Visit, table: Table) -> None:
    visit.language = Language.ENGLISH
    squares = Rules(quests=(Quest(Goal.BLEAK_KING),), bleak_king=BleakKing.SQUARES)
    for rules, said in (
        (Rules(quests=(Quest(Goal.LOST_CORNER),)), "20 points if the castle lies in a corner"),
        (squares, "10 points for each five squares"),
    ):
        table = table.with_rules(KeptRules(rules))
        assert said in rules_markup(visit, table)


def test_dominoes_that_are_put_aside_are_crossed_out(visit: Visit) -> None:
    visit.page_state["help"] = {"players": 3, "giants": True}
    assert help_markup(visit).count('stroke="#97350f"') == 2


def test_the_rows_add_up_to_the_total(table: Table) -> None:
    table = table.with_rules(KeptRules(Rules(harmony=True, middle_kingdom=True)))
    rows = pad_rows(table, Language.ENGLISH)
    assert [row.name for row in rows[6:]] == ["Harmony", "Middle Kingdom"]
    for index, seat in enumerate(table.seats):
        assert sum(row.points[index] or 0 for row in rows) == seat.total


def test_a_figure_knows_its_squares(table: Table) -> None:
    rows = pad_rows(table, Language.GERMAN)
    for row in rows:
        for index, points in enumerate(row.points):
            assert bool(points) == bool(squares_of_row(rows, row.code, index))
    assert squares_of_row(rows, "nothing", 0) is None


def test_a_seat_without_a_kingdom_has_no_points(table: Table) -> None:
    table = table.with_board(table.seats[1], None, "clear")
    assert {row.points[1] for row in pad_rows(table, Language.ENGLISH)} == {None}


def test_a_dynasty_shows_its_three_games(table: Table) -> None:
    rows = pad_rows(table.with_rules(KeptRules(dynasty=True)), Language.ENGLISH)
    assert [row.points for row in rows[-3:]] == [(19, 21, 21, 17), (None,) * 4, (None,) * 4]


def names(table: Table) -> list[str]:
    return [player.name for player in table.again().game.players]


def test_players_are_named_ordered_and_leave_with_an_undo(visit: Visit, table: Table) -> None:
    _act(visit, table, Act("name", "1|Opa Jürgen"))
    _act(visit, table, Act("earlier", "1"))
    assert names(table)[:2] == ["Opa Jürgen", "Name pink"]
    _act(visit, table, Act("leave", "1"))
    assert len(names(table)) == 3
    assert visit.undo is not None
    visit.undo()
    assert names(table)[0] == "Opa Jürgen"


def test_what_does_not_go_together_is_said_and_not_done(visit: Visit, table: Table) -> None:
    act = partial(answer, visit, partial(_act, visit, table))
    act(Act("add", "Eva"))
    assert "Zeitalter der Giganten" in visit.notice
    act(Act("name", "1|Name pink"))
    assert visit.notice == "Zwei Spieler brauchen zwei Namen."
    act(Act("name", "1|"))
    assert visit.notice == "Ein Name hat 1 bis 40 Zeichen."
    assert len(names(table)) == 4


def test_names_that_nobody_gave_are_offered_nowhere(visit: Visit, table: Table) -> None:
    given = ["Rosa", "Blue", "Spieler 2", "Player 3", "Rosalie", "Player Two", "Jan 2"]
    for name in given:
        table = table.with_players([Player(0, name)])
    chips = [Seen(chip).text.strip() for chip in remembered_chips(visit, {"jan 2"})]
    assert set(chips) & set(given) == {"Rosalie", "Player Two"}


def test_names_of_earlier_games_are_offered(visit: Visit, table: Table) -> None:
    table = table.with_players(list(table.game.players[:1]))
    text = Seen(_body(visit, table)).text
    assert "Name blue" in text
    assert "Rosa" not in text.replace("rosa", "")


HOSTILE = '"><img src=x onerror=fail()>'


def test_the_winner_is_announced_with_what_decided_the_tie(visit: Visit, table: Table) -> None:
    text = Seen(result_markup(visit, table)).text
    assert "Name yellow gewinnt mit 21 Punkten" in text
    assert "8 Felder See gegen 4 Felder Wiese" in text


def test_those_who_share_a_place_are_named_in_one_sentence(visit: Visit, table: Table) -> None:
    same = table.seats[0].board
    for seat in table.seats:
        table = table.with_board(seat, same, "set")
    text = Seen(result_markup(visit, table)).text
    everybody = "Name pink, Name yellow, Name green und Name blue"
    assert f"{everybody} teilen sich den Platz" in text
    assert text.count("teilen sich den Platz") == 1


def test_a_missing_kingdom_is_named(visit: Visit, table: Table) -> None:
    table = table.with_board(table.seats[2], None, "clear")
    text = Seen(result_markup(visit, table)).text
    assert "Es fehlt noch: Name green" in text
    assert "gewinnt" not in text


@pytest.mark.parametrize("name", [HOSTILE, "![x](http://x/y)", "<b>Ben</b>"])
def test_no_name_becomes_markup(visit: Visit, table: Table, name: str) -> None:
    players = [replace(each, name=f"{name}{each.id}") for each in table.game.players]
    seen = Seen(result_markup(visit, table.with_players(players)))
    assert f"{name}0" in seen.text
    assert not {"img", "b", "script"} & set(seen.tags)
    assert not [each for each, _ in seen.attributes if each.startswith("on")]


def test_the_board_has_the_points_of_the_pad(visit: Visit, table: Table) -> None:
    state = board_state(visit, table.seats[0], None)
    assert state.score is not None
    assert state.score.points == table.seats[0].total
    assert state.revision == table.seats[0].revision


def after(*acts: Act, start: KeptRules | None = None) -> KeptRules:
    kept = start or KeptRules()
    for act in acts:
        changed = changed_rules(kept, act, Random(3))
        assert changed is not None
        kept = changed
    return kept


def test_every_switch() -> None:
    kept = after(
        Act("mighty_duel", "true"),
        Act("dynasty", "true"),
        Act("compare_crowns", "true"),
        Act("bleak_king_by_squares", "true"),
        Act("court", "true"),
        Act("harmony", "true"),
        Act("middle_kingdom", "true"),
        Act("middle_kingdom", "false"),
    )
    assert kept.dynasty
    assert kept.rules == Rules(
        mighty_duel=True,
        harmony=True,
        tie_break=TieBreak.CROWNS,
        bleak_king=BleakKing.SQUARES,
        court=True,
    )


def test_two_quests_are_drawn_and_take_the_variants_out() -> None:
    variants = Act("harmony", "true"), Act("middle_kingdom", "true")
    kept = after(*variants, Act("giants", "true"), Act("draw"))
    assert len(set(kept.rules.quests)) == 2
    assert not kept.rules.harmony
    assert not kept.rules.middle_kingdom


def test_quests_are_chosen_one_by_one_and_taken_back() -> None:
    kept = after(Act("giants", "true"), Act("quest", "0|harmony"), Act("quest", "1|lost-corner"))
    assert kept.rules.quests == (Quest(Goal.HARMONY), Quest(Goal.LOST_CORNER))
    kept = after(Act("quest", "0|"), start=kept)
    assert kept.rules.quests == (Quest(Goal.LOST_CORNER),)
    assert after(Act("giants", "false"), start=kept).rules == Rules(
        quests=(Quest(Goal.LOST_CORNER),)
    )


def test_quests_are_offered_without_giants(visit: Visit, table: Table) -> None:
    assert 'data-do="quest"' in rules_markup(visit, table)
    assert after(Act("quest", "0|harmony")).rules == Rules(quests=(Quest(Goal.HARMONY),))


def test_what_is_kept_and_what_is_played_are_cards_of_their_own(visit: Visit, table: Table) -> None:
    cards = rules_markup(visit, table).split("<section")[1:]
    assert [card.count("<h2>") for card in cards] == [1, 1, 1]
    assert 'data-do="photos"' in cards[-1]
    assert 'data-do="harmony"' in cards[0]


def test_a_castle_that_somebody_has_is_swapped(visit: Visit, table: Table) -> None:
    first, second = table.game.players[:2]
    table = table.with_players(recoloured(list(table.game.players), 0, "pink"))
    _act(visit, table, Act("colour", f"{second.id}|pink"))
    colours = {each.id: each.colour for each in table.again().game.players}
    assert colours[second.id] == "pink"
    assert colours[first.id] == second.colour
    shown = swatches(visit, table.again().game.players[1])
    assert re.findall(r'data-value="([^"]*)" aria-pressed="true"', shown) == [f"{second.id}|"]
    # Tapped once more, the player has none.
    _act(visit, table, Act("colour", f"{second.id}|"))
    assert table.again().game.players[1].colour is None


def test_one_quest_twice_is_refused() -> None:
    with pytest.raises(RulesError, match="duplicate_quest"):
        after(Act("quest", "0|harmony"), Act("quest", "1|harmony"))


def test_an_act_about_something_else() -> None:
    assert changed_rules(KeptRules(), Act("photo")) is None


def test_variants_that_are_among_the_quests_are_not_switched_on_beside_them(
    visit: Visit, table: Table
) -> None:
    quests = table.with_rules(KeptRules(Rules(quests=(Quest(Goal.LOST_CORNER),))))
    for shown, off in ((table, []), (quests, ["harmony", "middle_kingdom"])):
        page = rules_markup(visit, shown)
        assert re.findall(r'<input[^>]*data-do="(\w+)"[^>]*disabled>', page) == off


def test_a_quest_that_is_chosen_is_not_offered_a_second_time(visit: Visit, table: Table) -> None:
    quests = Quest(Goal.LOST_CORNER), Quest(Goal.FOUR_CORNERS, Terrain.LAKE)
    page = rules_markup(visit, table.with_rules(KeptRules(Rules(quests=quests))))
    fields = re.findall(r"<select.*?</select>", page)
    for field, own, other in zip(fields, quests, reversed(quests), strict=True):
        assert f'value="{own}" selected' in field
        assert f'value="{other}"' not in field


def test_one_quest_twice_is_said_and_not_done(visit: Visit, table: Table) -> None:
    act = partial(answer, visit, partial(_act, visit, table))
    for place in ("0", "1"):
        act(Act("quest", f"{place}|harmony"))
    assert visit.notice == visit.say("players.refused.other")
    assert table.again().rules.rules.quests == (Quest(Goal.HARMONY),)


def test_photos_and_squares_are_agreed_to_each_for_itself(visit: Visit, table: Table) -> None:
    page = rules_markup(visit, table)
    for name, cookie in (("photos", KEEP_PHOTOS_COOKIE), ("squares", KEEP_SQUARES_COOKIE)):
        assert f'data-do="{name}" data-remember="{cookie}"' in page
    _act(visit, table, Act("squares", "true"))
    assert (visit.keep_photos, visit.keep_squares) == (False, True)
    _act(visit, table, Act("photos", "true"))
    _act(visit, table, Act("squares", "false"))
    assert (visit.keep_photos, visit.keep_squares) == (True, False)


def test_each_game_of_a_dynasty_can_be_gone_to(visit: Visit, table: Table) -> None:
    table = replace(table.with_rules(KeptRules(dynasty=True)), number=2)
    ways = re.findall(r'href="([^"]*)"[^>]*class="(button[^"]*)"', rules_markup(visit, table))
    game = f"?game={table.game.id}"
    assert ways == [
        (game, "button"),
        (f"{game}&amp;number=2", "button chosen"),
        (f"{game}&amp;number=3", "button"),
    ]
    play = f'href="{game}&amp;number=2" data-go class="button main'
    assert play in _body(visit, table)


def test_who_sits_first_does_not_move_up_and_nobody_joins_five(visit: Visit, table: Table) -> None:
    page = _body(visit, table)
    moves = re.findall(r'data-do="earlier" data-value="(\d)"([^>]*)', page)
    assert [player for player, more in moves if "disabled" not in more] == ["1", "2", "3"]
    assert 'data-do="add"' in page
    giants = table.with_rules(KeptRules(Rules(age_of_giants=True)))
    assert 'data-do="add"' not in _body(visit, giants.with_player("Eva"))


def test_place_and_note_are_kept_each_in_its_field(visit: Visit, table: Table) -> None:
    for name, text in (("place", "Hütte"), ("note", "Regen")):
        _act(visit, table, Act(name, text))
    page = _body(visit, table.again())
    assert 'value="Hütte" data-do="place"' in page
    assert 'value="Regen" data-do="note"' in page


def test_the_duel_leaves_kingdoms_that_are_there_as_they_are(store: Store, visit: Visit) -> None:
    table = one_seat(store, visit).with_player("Ben")
    entered = KeptBoard(Kingdom.parse("c w1 w"))
    table = table.with_board(table.seats[1], entered, "paint").begun_by_hand(table.seats[0])
    _act(visit, table, Act("mighty_duel", "true"))
    anna, ben = (seat.board for seat in table.again().seats)
    assert anna is not None
    assert anna.kingdom.height == 7
    assert ben == entered


def test_characters_have_a_row_where_the_court_is_played(table: Table) -> None:
    assert "characters" not in [row.code for row in pad_rows(table, Language.ENGLISH)]
    table = table.with_rules(KeptRules(Rules(court=True)))
    (row,) = [row for row in pad_rows(table, Language.ENGLISH) if row.code == "characters"]
    assert row.points == (0, 0, 0, 0)


def test_no_points_are_a_number_on_pad_and_strip_and_no_kingdom_is_none(
    visit: Visit, table: Table
) -> None:
    table = table.with_board(table.seats[3], KeptBoard(Kingdom.parse("c w")), "set")
    table = table.with_board(table.seats[0], None, "clear")
    sums = result_markup(visit, table).partition('<tr class="sum">')[2].partition("</tr>")[0]
    assert re.findall(r"<td[^>]*>(.*?)</td>", sums) == ["–", "21", "21", "0"]
    strip = seat_strip(visit, table, None)
    assert re.findall(r'class="points">(.*?)<', strip) == ["–", "21", "21", "0"]


def test_places_are_in_order_and_the_crown_has_a_jewel_for_each_winner(
    visit: Visit, table: Table
) -> None:
    page = result_markup(visit, table)
    line = r'class="place">(\d)\.<.*?class="grow">Name (\w+)<.*?<strong>(\d+)<'
    assert re.findall(line, page) == [
        ("1", "yellow", "21"),
        ("2", "green", "21"),
        ("3", "pink", "19"),
        ("4", "blue", "17"),
    ]
    assert re.findall(r'class="jewel (\w*)"', page) == ["yellow"]
    board = table.seats[1].board
    shared = table.with_board(table.seats[2], board, "set")
    assert re.findall(r'class="jewel (\w*)"', result_markup(visit, shared)) == ["yellow", "green"]


def test_the_parts_of_a_bar_lie_one_after_the_other(visit: Visit, table: Table) -> None:
    table = table.with_rules(KeptRules(Rules(court=True)))
    rows = pad_rows(table, visit.language)
    bars = bars_markup(visit, table, rows)
    assert bars is not None
    drawn = re.findall(r'<svg viewBox="0 0 21 10".*?</svg>', bars)
    for index, each in enumerate(drawn):
        parts = [
            (int(rect.get("x", "")), int(rect.get("width", "")))
            for rect in ElementTree.fromstring(each)
        ]
        assert [width for _, width in parts] == [
            row.points[index] for row in rows if row.points[index]
        ]
        assert [x for x, _ in parts] == [sum(w for _, w in parts[:k]) for k in range(len(parts))]
    assert len(drawn) == 4
    shown = [row.name for row in rows if any(row.points)]
    assert len(shown) < len(rows)
    assert re.findall(r'key-of-chart">.*?</svg>(.*?)</span>', bars) == shown


def test_a_figure_lights_its_squares_until_it_is_tapped_again(visit: Visit, table: Table) -> None:
    rows = pad_rows(table, visit.language)
    tapped = sum(bool(squares) for row in rows for squares in row.squares)
    assert result_markup(visit, table).count('data-do="light"') == tapped
    row = next(row for row in rows if all(row.squares[:2]))
    for lit in (True, False):
        act_on_result(visit, table, Act("light", f"{row.code}|1"))
        page = result_markup(visit, table)
        pressed = re.findall(r'data-value="([^"]*)" aria-pressed="true"', page)
        assert pressed == ([f"{row.code}|1"] if lit else [])
        drawn = re.findall(r'<svg class="kingdom".*?</svg>', page)
        assert ['class="dim"' in each for each in drawn] == [False, lit, False, False]


def test_who_is_missing_is_photographed_or_left_out_where_two_remain(
    visit: Visit, table: Table
) -> None:
    for number in (2, 3):
        table = table.with_board(table.seats[number], None, "clear")
    page = result_markup(visit, table)
    assert visit.say("result.missing", names="Name green und Name blue") in page
    assert re.search(r'data-do="again"[^>]*class=', page) is None
    assert 'data-photo="seat:2"' in page
    assert 'data-do="without"' in page
    assert 'data-do="without"' not in result_markup(
        visit, table.with_board(table.seats[1], None, "clear")
    )


def test_a_dynasty_that_goes_on_is_led_by_the_points_of_all_its_games(
    visit: Visit, table: Table
) -> None:
    table = replace(table.with_rules(KeptRules(dynasty=True)), number=2)
    for seat, kingdom in zip(table.seats, ("c w", "c w", "c w", "c w2 w w w"), strict=True):
        table = table.with_board(seat, KeptBoard(Kingdom.parse(kingdom)), "set")
    page = result_markup(visit, table)
    assert "Name blue vorn: 25 Punkte" in page
    assert "Partie 2 von 3" in page
    standing = re.findall(r'class="grow">Name (\w+)</span><strong>(\d+)<', page)
    assert standing == [("blue", "25"), ("yellow", "21"), ("green", "21"), ("pink", "19")]


def test_the_strip_marks_what_concerns_each_seat(visit: Visit, table: Table) -> None:
    """Kingdoms that can't both be there, squares to check, and where one is."""
    reading = kingdom_reading("w1 w/c f", {(0, 1): "w1", (1, 1): "l"})
    kept = KeptReading(reading, "a-photo-of-the-table", 640, 480)
    reading_id = table.store.keep_reading(table.game.id, kept.to_data())
    table = table.with_reading(table.seats[3], reading_id, kept)
    players = [replace(each, colour="pink") for each in table.game.players[:2]]
    table = table.with_players([*players, *table.game.players[2:]])
    strip = seat_strip(visit, table, 2)
    seats = re.findall(r"<a .*?</a>", strip)[:4]
    assert ['class="mark"' in each for each in seats] == [True, True, False, True]
    assert "2 zu prüfen" in seats[3]
    assert "<span>2</span>" in seats[3]
    assert ["aria-current" in each for each in seats] == [False, False, True, False]


def test_what_does_not_fit_together_is_said_where_it_concerns_somebody(
    visit: Visit, table: Table
) -> None:
    players = [replace(each, colour="pink") for each in table.game.players[:2]]
    table = table.with_players([*players, table.game.players[2]])
    said = [conflict_lines(table, seat, visit.language) for seat in table.seats]
    assert [len(lines) for lines in said] == [1, 1, 0]
    assert said[0][0].startswith("Name pink und Name yellow: ")


def test_giants_are_in_the_picture_of_a_kingdom() -> None:
    assert kingdom_picture(Kingdom.parse("f2!"), "") != kingdom_picture(Kingdom.parse("f2"), "")
