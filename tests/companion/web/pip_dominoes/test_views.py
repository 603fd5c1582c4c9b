"""The pages of the four games: new game, rounds, Muggins, Castle Rock."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from functools import partial

import pytest

from companion.games.pip_dominoes.card import PIPS
from companion.games.pip_dominoes.guide import set_up_lines
from companion.games.pip_dominoes.kept import KeptHand, KeptTile, MugginsTableRules
from companion.games.pip_dominoes.kept_reading import KeptHandReading
from companion.games.pip_dominoes.kind import (
    CASTLE_ROCK,
    KINDS,
    MEXICAN_TRAIN,
    MUGGINS,
    MugginsStanding,
    muggins_rounds_of,
    muggins_standing,
)
from companion.games.pip_dominoes.standing import muggins_of, round_standing
from companion.games.pip_dominoes.table import DominoTable, new_table
from companion.languages import Language
from companion.store import Actor, Game, Json, Store
from companion.store.history import find_games
from companion.web.games import GAMES, pages_of
from companion.web.pip_dominoes import castle_view, hand_view, muggins_view
from companion.web.pip_dominoes.castle_view import _keep_clock, castle_markup, own_results
from companion.web.pip_dominoes.hand_view import hand_state
from companion.web.pip_dominoes.muggins_view import (
    _below,
    _keep_plays,
    kept_plays,
    muggins_end_markup,
    muggins_markup,
)
from companion.web.pip_dominoes.new_game import (
    ROUND_SETS,
    SETS,
    NewGame,
    choice_of,
    default_guide,
    help_markup,
    new_game_markup,
)
from companion.web.pip_dominoes.new_game import _act as act_on_new
from companion.web.pip_dominoes.new_game import _act_on_help as help_act
from companion.web.pip_dominoes.parts import piece_words, tile_name, tile_picture
from companion.web.pip_dominoes.round_view import _act, act_on_hands, round_markup
from companion.web.request import KEEP_PHOTOS_COOKIE
from companion.web.shared_state import SharedState
from companion.web.shell import Act, joined
from companion.web.shell.bridge import Message
from companion.web.visit import Visit
from scorer.pip_dominoes import HIGHEST_PIPS, MugginsRules, Rounding, RoundWorth, Tile
from scorer.pip_dominoes import Game as PlayedGame
from scorer.pip_dominoes.castle_rock import Challenge
from tests.companion.games.pip_dominoes.hands import hand_of
from tests.companion.web.test_shared_state import jpeg

DEVICE = "device-of-anna-1"


def played(store: Store, tiles: list[Tile], highest: int = 6, device: str = DEVICE) -> DominoTable:
    rules = {"set": highest, "challenge": "pips"}
    table = new_table(store, "castle_rock", ["Anna"], rules, Actor(device))
    table.set_hand(1, 0, KeptHand.of_tiles(tiles))
    return table


def test_the_best_list_is_one_s_own_and_of_this_set(store: Store) -> None:
    visit = Visit(SharedState(store), DEVICE, Language.ENGLISH)
    mine = played(store, [Tile(1, 2)])
    better = played(store, [Tile(0, 1)])
    played(store, [], highest=9)
    played(store, [], device="device-of-ben-12")
    found = {game_id: result.score for game_id, result in own_results(visit, mine.game)}
    assert found == {mine.game_id: 3, better.game_id: 1}
    page = castle_markup(visit, mine)
    assert "1 domino left with 3 pips" in page
    assert page.index(">1<") < page.index("this one")


def test_nothing_left_is_won(store: Store) -> None:
    visit = Visit(SharedState(store), DEVICE, Language.GERMAN)
    table = played(store, [])
    page = castle_markup(visit, table)
    assert "Gewonnen: nichts ist übrig!" in page
    assert f'href="card/{table.game_id}/de"' in page
    assert "bgstats://" in page


def test_a_number_is_enough_where_pips_count(store: Store) -> None:
    visit = Visit(SharedState(store), DEVICE, Language.GERMAN)
    table = played(store, [])
    assert hand_state(visit, table, 1, 0)["counting"]
    table.set_hand(1, 0, KeptHand(counted=7))
    page = castle_markup(visit, table)
    assert "7 Augen übrig" in page
    assert "<td>7</td><td>–</td>" in page
    (result,) = table.game.results.players
    assert (result.points, result.won, "tiles_left" in result.details) == (7, False, False)
    against_the_clock = {"set": 6, "challenge": "clock"}
    other = new_table(store, "castle_rock", ["Anna"], against_the_clock, Actor(DEVICE))
    assert not hand_state(visit, other, 1, 0)["counting"]


@pytest.mark.parametrize(
    "sent",
    [{"seconds": -1, "running": True}, {"seconds": "5", "running": True}, {"seconds": 5}, {}],
)
def test_a_clock_that_can_not_be_is_not_kept(store: Store, sent: dict[str, object]) -> None:
    table = new_table(store, "castle_rock", ["Anna"], {"set": 6}, Actor(DEVICE))
    _keep_clock(table, sent)
    assert table.last_own() is None
    _keep_clock(table, {"seconds": 5.5, "running": False})
    assert table.game.values["round:1"]["seconds"] == 5.5
    before = time.time()
    _keep_clock(table, {"seconds": 7, "running": True})
    assert before <= table.game.values["round:1"]["running_since"] <= time.time()


def test_only_plays_are_taken_from_a_message() -> None:
    plays = [
        {"id": "a", "player": 0, "points": 10, "caller": None},
        {"id": "b", "player": 1, "points": 5, "caller": 0, "round": 2},
        {"id": 7, "player": 0, "points": 10},
        {"id": "c", "player": "0", "points": 10},
        {"id": "d", "player": 0, "points": 10, "round": "2"},
        "nonsense",
    ]
    assert kept_plays({"plays": plays}) == [("a", 0, 10, None, None), ("b", 1, 5, 0, 2)]
    assert kept_plays({"plays": 5}) == []


def table_of_two(store: Store) -> DominoTable:
    return new_table(store, "muggins", ["Anna", "Ben"], {"target": 50, "first": 0}, Actor(DEVICE))


def standing_of(table: DominoTable) -> MugginsStanding:
    rounds = muggins_rounds_of(table.game.values)
    found = muggins_standing([0, 1], rounds, MugginsRules(target=50))
    assert found is not None
    return found


def test_plays_are_kept_once_and_odd_ones_dropped(store: Store) -> None:
    table = table_of_two(store)
    plays = [
        {"id": "a", "player": 0, "points": 10},
        {"id": "b", "player": 0, "points": 7},
        {"id": "c", "player": 5, "points": 10},
        {"id": "d", "player": 1, "points": 5},
    ]
    for _ in range(2):
        _keep_plays(table, 1, {"plays": plays})
    kept = muggins_rounds_of(table.game.values)[1].plays
    assert [(each.player, each.points) for each in kept] == [(0, 10), (1, 5)]


@pytest.mark.parametrize("language", [Language.ENGLISH, Language.GERMAN])
def test_the_page_from_the_first_play_to_the_winner(store: Store, language: Language) -> None:
    visit = Visit(SharedState(store), DEVICE, language)
    table = table_of_two(store)
    german = language is Language.GERMAN
    table.add_play(1, 1, 10)
    shown = muggins_markup(visit, table, standing_of(table))
    assert ("Anna beginnt." if german else "Anna starts.") in shown
    table.set_hand(1, 0, KeptHand(counted=3))
    assert ">3<" in muggins_end_markup(visit, table, standing_of(table))
    table.set_hand(1, 1, KeptHand(counted=3))
    shown = muggins_markup(visit, table, standing_of(table))
    assert ("Niemand bekommt" if german else "Nobody gets") in shown
    table.add_play(2, 0, 50)
    shown = muggins_markup(visit, table, standing_of(table))
    won = "Anna gewinnt mit 50 Punkten" if german else "Anna wins with 50 points"
    assert won in shown


@pytest.mark.parametrize(
    ("language", "singles", "said"),
    [
        (Language.GERMAN, False, "Ben und Dora bekommen 20 Punkte für die Runde."),
        (Language.ENGLISH, False, "Ben and Dora get 20 points for the round."),
        (Language.GERMAN, True, "Ben bekommt 20 Punkte für die Runde."),
        (Language.ENGLISH, True, "Ben gets 20 points for the round."),
    ],
)
def test_a_team_gets_its_points_in_the_plural(
    store: Store, language: Language, singles: bool, said: str
) -> None:
    names = ["Anna", "Ben", "Cem", "Dora"]
    rules = MugginsTableRules(MugginsRules(singles=singles)).to_data()
    table = new_table(store, MUGGINS.key, names, rules, Actor(DEVICE))
    for player, pips in enumerate((7, 0, 12, 1)):
        table.set_hand(1, player, KeptHand(counted=pips) if pips else KeptHand())
    standing = muggins_of(table.game)
    assert standing is not None
    visit = Visit(SharedState(store), DEVICE, language)
    assert said in muggins_markup(visit, table, standing)


def test_names_are_seated_once_and_moved() -> None:
    chosen = NewGame(MEXICAN_TRAIN.key)
    for name in (" Anna ", "Ben", "anna", "", "Cem"):
        chosen.add(name)
    chosen.move_up("Cem")
    assert chosen.names == ["Anna", "Cem", "Ben"]
    chosen.first = 2
    chosen.remove("Anna")
    assert (chosen.names, chosen.first) == (["Cem", "Ben"], 1)


@pytest.mark.parametrize(
    ("kind", "names", "ready"),
    [
        (MEXICAN_TRAIN.key, 1, False),
        (MEXICAN_TRAIN.key, 2, True),
        (MUGGINS.key, 4, True),
        (CASTLE_ROCK.key, 0, False),
        (CASTLE_ROCK.key, 1, True),
    ],
)
def test_a_game_starts_with_enough_players(kind: str, names: int, ready: bool) -> None:
    chosen = NewGame(kind)
    for number in range(names):
        chosen.add(f"P{number}")
    assert chosen.is_ready is ready


def test_no_more_sit_down_than_the_game_takes() -> None:
    muggins, castle = NewGame(MUGGINS.key), NewGame(CASTLE_ROCK.key)
    for name in "abcdef":
        muggins.add(name)
        castle.add(name)
    assert (muggins.names, castle.names) == (list("abcd"), ["f"])


@pytest.mark.parametrize(
    ("first", "left", "up", "starts"),
    [
        (1, "Anna", "", "Ben"), (1, "", "Ben", "Ben"), (2, "", "Cem", "Cem"), (1, "", "Cem", "Ben"),
        (1, "Ben", "", "Anna"), (0, "", "Ben", "Ben"), (0, "Anna", "", "Ben"),
    ],
)  # fmt: skip
def test_who_was_chosen_starts_wherever_they_sit_else_whoever_sits_first(
    first: int, left: str, up: str, starts: str
) -> None:
    chosen = NewGame("chickenfoot", ["Anna", "Ben", "Cem"], first=first)
    chosen.remove(left)
    chosen.move_up(up)
    assert chosen.names[chosen.first] == starts


@pytest.mark.parametrize("kind", [kind.key for kind in KINDS])
def test_the_rules_are_those_of_the_kind(kind: str, store: Store) -> None:
    chosen = NewGame(kind, ["Anna"], highest=12, rounds=3, muggins=MugginsRules(100))
    game = store.create_game(kind, {"rules": chosen.rules()})
    rules = game.values["rules"]
    expected = {"muggins": ("target", 100), "castle_rock": ("challenge", "pips")}
    name, value = expected.get(kind, ("rounds", 3))
    assert rules[name] == value


@pytest.mark.parametrize("language", [Language.ENGLISH, Language.GERMAN])
@pytest.mark.parametrize("kind", [kind.key for kind in KINDS])
def test_the_page_says_how_to_set_up(kind: str, language: Language, store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", language)
    chosen = NewGame(kind)
    shown = new_game_markup(visit, chosen)
    assert "disabled" in shown
    for name in ("Anna", "<b>Ben</b>", "Cem", "Dora")[: min(4, chosen.most_players)]:
        chosen.add(name)
    shown = new_game_markup(visit, chosen)
    said = {
        "mexican_train": ("Each draws 18 dominoes, 18 stay", "Jeder zieht 18 Steine, 18 bleiben"),
        "chickenfoot": ("Each draws 18 dominoes, 18 stay", "Jeder zieht 18 Steine, 18 bleiben"),
        "muggins": ("Each draws 5 dominoes, 8 stay", "Jeder zieht 5 Steine, 8 bleiben"),
        "castle_rock": ("Lay 3 dominoes", "3 Steine offen"),
    }[kind]
    assert said[language is Language.GERMAN] in shown
    assert "<b>Ben" not in shown


def test_what_was_agreed_on_is_kept_with_the_game(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    chosen = NewGame("muggins", ["Anna", "Ben"])
    assert "The spinner counts both halves" in new_game_markup(visit, chosen)
    for name in ("round_up", "each_hand", "spinner_never"):
        act_on_new(visit, chosen, Act(name, "true"))
    shown = new_game_markup(visit, chosen)
    assert "spinner&#x27;s own pips never count." in shown
    assert "Each hand is rounded by itself, up to" in shown
    expected = MugginsRules(
        rounding=Rounding.UP, rounded=RoundWorth.EACH_HAND, spinner_counts=False
    )
    game = store.create_game("muggins", {"rules": chosen.rules()})
    assert MugginsTableRules.from_data(game.values["rules"]).rules == expected
    for name in ("round_up", "each_hand", "spinner_never"):
        act_on_new(visit, chosen, Act(name, "false"))
    assert chosen.muggins == MugginsRules()


@pytest.mark.parametrize("language", [Language.ENGLISH, Language.GERMAN])
@pytest.mark.parametrize("game", list(PlayedGame))
def test_the_help_page_follows_players_and_set(
    game: PlayedGame, language: Language, store: Store
) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", language)
    for act in (Act("players", "3"), Act("set", "9"), Act("set", "7"), Act("players", "99")):
        help_act(visit, game, act)
        page = help_markup(visit, game)
        assert "guide." not in page
        assert 'data-key="rules-play"' in page
    said = {
        PlayedGame.MUGGINS: ": 5<",
        PlayedGame.CASTLE_ROCK: ": 52<",
        PlayedGame.CHICKENFOOT: ": 7<",
        PlayedGame.MEXICAN_TRAIN: ": 7<",
    }[game]
    assert said in page


def test_large_sets_are_said_to_be_unproven(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    names = ["Anna", "Ben"]
    known, large = (
        new_game_markup(visit, NewGame("chickenfoot", names, each)) for each in (12, 15)
    )
    assert "never checked" in large
    assert "never checked" not in known
    # The sheet has no draw for two with either set.
    assert "agree on one" in large


KEYS = [kind.key for kind in KINDS]


def test_all_four_are_offered_in_their_order() -> None:
    offered = [each.kind for each in GAMES]
    assert [kind for kind in offered if kind in KEYS] == KEYS


def a_game(kind: str, store: Store) -> Game:
    names = ["Anna"] if kind == "castle_rock" else ["Anna", "Ben"]
    table = new_table(store, kind, names, {}, Actor("device-of-anna-1"))
    if kind == "muggins":
        table.add_play(1, 0, 10)
    elif kind == "castle_rock":
        table.set_clock(5.0, None)
    table.set_hand(1, 0, KeptHand())
    return table.game


@pytest.mark.parametrize("kind", KEYS)
def test_every_figure_that_is_named_is_counted(kind: str, store: Store) -> None:
    anna = a_game(kind, store).results.players[0]
    pages = pages_of(kind)
    assert pages is not None
    assert pages.details
    assert set(pages.details) <= set(anna.details)
    for words in pages.details.values():
        assert words(Language.ENGLISH) != words(Language.GERMAN)


@pytest.fixture
def visit(store: Store) -> Visit:
    return Visit(SharedState(store), DEVICE, Language.GERMAN)


@pytest.mark.parametrize("kind", [kind.key for kind in KINDS])
def test_a_game_that_is_played_again_lends_its_people_and_rules(
    kind: str, visit: Visit, store: Store
) -> None:
    names = ["Anna"] if kind == "castle_rock" else ["Anna", "Ben"]
    agreed = NewGame(kind, names, highest=9, rounds=3, muggins=MugginsRules(100))
    agreed.challenge = Challenge.CLOCK
    players: list[Json] = [{"id": k, "name": name} for k, name in enumerate(names)]
    game = store.create_game(kind, {"players": players, "rules": agreed.rules()}, Actor(DEVICE))
    visit.parameters["like"] = game.id
    chosen = choice_of(visit, kind)
    assert (chosen.names, chosen.rules()) == (names, agreed.rules())
    act_on_new(visit, chosen, Act("challenge", "a browser may send anything"))
    assert chosen.rules() == agreed.rules()
    # What is changed then stays until it starts.
    chosen.remove("Anna")
    assert choice_of(visit, kind).names == names[1:]


def table_of_rounds(store: Store, rounds: int | None = None) -> DominoTable:
    rules = {"set": 9, "rounds": rounds, "first": 1}
    return new_table(store, "mexican_train", ["Anna", "<i>Ben"], rules, Actor(DEVICE))


def shown(visit: Visit, table: DominoTable) -> str:
    return round_markup(visit, table, round_standing(table.game))


def test_a_fresh_round_asks_for_a_photo_of_each(visit: Visit, store: Store) -> None:
    page = shown(visit, table_of_rounds(store))
    assert "Runde 1 von 10" in page
    assert page.count('type="file"') == 2
    assert page.count('class="button main"') == 1  # Whose hand is due.
    assert 'aria-label="9-9"' in page
    assert "&lt;i&gt;Ben beginnt." in page
    assert "<i>Ben" not in page


def test_the_sheet_grows_and_can_end(visit: Visit, store: Store) -> None:
    table = table_of_rounds(store)
    _act(visit, table, Act("out", "hand:1:0"))
    table.set_hand(1, 1, KeptHand(counted=30))
    page = shown(visit, table)
    assert "Runde 2 von 10" in page
    assert "Nach Runde 1 Schluss machen" in page
    _act(visit, table, Act("finish", "1"))
    page = shown(visit, table)
    assert "Anna gewinnt mit 0 Punkten" in page
    _act(visit, table, Act("go-on"))
    assert "Runde 2 von 10" in shown(visit, table)
    _act(visit, table, Act("undo", str(table.last_own())))
    assert "Anna gewinnt" in shown(visit, table)


def test_doubts_come_before_the_winner(visit: Visit, store: Store) -> None:
    table = table_of_rounds(store, rounds=1)
    table.set_hand(1, 0, KeptHand((KeptTile(Tile(0, 0), 0, True),)))
    table.set_hand(1, 1, KeptHand())
    page = shown(visit, table)
    assert "Anna prüfen: 1" in page
    assert "gewinnt" not in page.replace("wer gewinnt", "")


def test_doubts_that_decide_nothing_come_after_the_winner(visit: Visit, store: Store) -> None:
    """Whether Anna has the double blank or not, she has more than Ben, who laid all."""
    table = table_of_rounds(store, rounds=1)
    seen = KeptHandReading.of(hand_of("3|4 0|0"), "photo-1", 400, 300)
    table.set_hand(1, 0, seen.hand(store.keep_reading(table.game_id, seen.to_data())))
    table.set_hand(1, 1, KeptHand())
    page = shown(visit, table)
    assert "gewinnt" in page
    assert page.index("gewinnt") < page.index("am Sieg ändert es nichts: 1")
    assert "Anna prüfen: 1" in page
    # Had Ben 20 points, it would decide.
    table.set_hand(1, 1, KeptHand(counted=20))
    page = shown(visit, table)
    assert "Anna prüfen: 1" in page
    assert "gewinnt" not in page.replace("wer gewinnt", "")


def test_what_is_odd_is_said_without_notation(visit: Visit, store: Store) -> None:
    table = table_of_rounds(store)
    table.set_hand(1, 0, KeptHand.of_tiles([Tile(9, 9)]))
    page = shown(visit, table)
    assert "9-9 liegt in der Mitte" in page
    table.set_hand(1, 1, KeptHand())
    assert "Runde 1: Anna: 9-9 liegt in der Mitte" in shown(visit, table)
    assert "|" not in page


@pytest.mark.parametrize("value", ["", "hand:1", "hand:1:7", "hand:x:0", "hand:99999:0"])
def test_an_act_for_nobody_changes_nothing(visit: Visit, store: Store, value: str) -> None:
    table = table_of_rounds(store)
    act_on_hands(visit, table, Act("out", value))
    assert table.game.sequence == store.game(table.game_id).sequence
    assert table.last_own() is None


def test_a_photo_that_is_gone_is_said(visit: Visit, store: Store) -> None:
    table = table_of_rounds(store)
    act_on_hands(visit, table, Act("photo", "hand:1:0|nothing-there-at-all"))
    assert visit.notice == "Das Foto ist nicht mehr da. Bitte noch einmal aufnehmen."
    act_on_hands(visit, table, Act("photo", "hand:1:0|refused:not_a_picture"))
    assert visit.notice.startswith("Das ist kein Bild")
    act_on_hands(visit, table, Act("photo", "hand:1:0|refused:nonsense"))
    assert visit.notice == "Das Foto ist nicht angekommen. Bitte noch einmal."
    assert table.hand(1, 0) is None


def test_a_round_starts_from_the_double_that_is_chosen(visit: Visit, store: Store) -> None:
    table = table_of_rounds(store)
    page = shown(visit, table)
    assert page.count('data-do="double"') == 10
    _act(visit, table, Act("double", "1:0"))
    standing = round_standing(table.game)
    assert (standing.double(1), standing.double(2)) == (Tile(0, 0), Tile(8, 8))
    assert 'aria-label="0-0"' in shown(visit, table)
    # The double blank lies in the middle, so that it costs nobody 50 points.
    table.set_hand(1, 0, KeptHand.of_tiles([Tile(0, 0), Tile(1, 2)]))
    assert round_standing(table.game).totals[0] == 3
    for wrong in ("1:10", "2:3", "x:1", "1:", "", "1:1:1"):
        _act(visit, table, Act("double", wrong))
    assert round_standing(table.game).double(1) == Tile(0, 0)
    _act(visit, table, Act("undo", str(table.last_own())))
    _act(visit, table, Act("undo", str(table.last_own())))
    assert round_standing(table.game).double(1) == Tile(9, 9)


@pytest.mark.parametrize("number", range(HIGHEST_PIPS + 1))
def test_a_half_has_as_many_pips_as_its_number(number: int) -> None:
    assert sum(row.bit_count() for row in PIPS[number]) == number
    assert tile_picture(Tile(0, number)).count("<circle") == number


def test_a_picture_is_named_only_where_it_says_something() -> None:
    tile = Tile(5, 9)
    assert 'aria-label="5-9"' in tile_picture(tile, tile_name(tile))
    assert 'aria-hidden="true"' in tile_picture(tile)


def patience(store: Store, challenge: str = "pips") -> DominoTable:
    rules = {"set": 6, "challenge": challenge}
    return new_table(store, "castle_rock", ["Anna"], rules, Actor(DEVICE))


def test_what_is_still_to_be_checked_is_no_result_of_the_best_list(
    visit: Visit, store: Store
) -> None:
    table = patience(store)
    table.set_hand(1, 0, KeptHand((KeptTile(Tile(1, 2), None, True),)))
    assert own_results(visit, table.game) == []
    table.set_hand(1, 0, KeptHand.of_tiles([Tile(1, 2)]))
    assert [game_id for game_id, _ in own_results(visit, table.game)] == [table.game_id]


@pytest.mark.parametrize(("challenge", "best"), [("clock", "6|6"), ("pips", "0|1 0|2")])
def test_the_best_list_goes_by_what_the_game_is_about(
    challenge: str, best: str, visit: Visit, store: Store
) -> None:
    """Against the clock one big tile is better than two small ones."""
    found = {}
    for tiles in ("6|6", "0|1 0|2"):
        found[tiles] = patience(store, challenge)
        found[tiles].set_hand(1, 0, KeptHand.of_tiles(list(map(Tile.parse, tiles.split()))))
    assert '<tbody><tr class="this">' in castle_markup(visit, found.pop(best))
    (other,) = found.values()
    assert '<tbody><tr class="this">' not in castle_markup(visit, other)


def test_the_clock_stops_with_the_end_however_it_comes(
    visit: Visit, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What ran before it was stopped for a while is in the time too."""
    monkeypatch.setattr(time, "time", lambda: 1000.0)
    tapped = Message("phone00001", 1, (), {"hand": {"tiles": "1|2"}, "before": None}, first=True)
    acts = (Act("nothing"), Act("photo", "hand:1:0|nothing-there-at-all"))
    ends = [partial(castle_view._act, visit, act=act) for act in acts]
    ends += [partial(hand_view._act, visit, number=1, player=0, act=act) for act in acts]
    for end in (*ends, partial(hand_view._keep, number=1, player=0, message=tapped)):
        table = patience(store)
        table.set_clock(60.0, 970.0)
        end(table=table)
        kept = table.game.values["round:1"]
        assert (kept["seconds"], kept["running_since"]) == (90.0, None)


def test_clock_and_keypad_are_those_of_their_game_in_the_language_of_who_looks(
    visit: Visit, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[str, Json]] = []
    keys: set[str] = set()

    def piece(name: str, data: Json, *, key: str, language: Language, on_change: object) -> None:
        drawn.append((f"{name} {language}", data))
        keys.add(key)

    for view in (castle_view, muggins_view):
        for name in ("show_part", "rerun_on_changes"):
            monkeypatch.setattr(view, name, lambda *_: None)
        monkeypatch.setattr(view, "piece", piece)
    monkeypatch.setattr(time, "time", lambda: 1000.0)
    over = played(store, [])
    castle_view.show_castle(visit, over.game)
    assert drawn == []
    # One that runs on while tiles are entered by hand is there to be stopped.
    over.set_clock(60.0, 970.0)
    castle_view.show_castle(visit, over.game)
    assert [name for name, _ in drawn] == [f"clock {visit.language}"]
    drawn.clear()
    keys.clear()
    expected: list[tuple[str, Json]] = []
    for visit.language in Language:
        castle = patience(store)
        castle.set_clock(60.0, 970.0)
        castle_view.show_castle(visit, castle.game)
        muggins_view.show_muggins(visit, table_of_two(store).game)
        clock: Json = {"seconds": 60.0, "since": 970.0, "now": 1000.0}
        players: list[Json] = [{"id": 0, "name": "Anna"}, {"id": 1, "name": "Ben"}]
        expected.append((f"clock {visit.language}", clock))
        expected.append((f"keypad {visit.language}", {"players": players, "round": 1}))
    assert drawn == expected
    assert len(keys) == 4


def test_each_round_of_muggins_is_begun_by_the_next_player(visit: Visit, store: Store) -> None:
    table = new_table(store, "muggins", ["Anna", "Ben"], {"target": 50, "first": 0}, Actor(DEVICE))
    assert "Anna beginnt." in muggins_markup(visit, table, standing_of(table))
    for player in (0, 1):
        table.set_hand(1, player, KeptHand(counted=3))
    assert "Ben beginnt." in muggins_markup(visit, table, standing_of(table))


def test_what_the_last_round_ended_with_is_said_until_the_next_has_points(
    visit: Visit, store: Store
) -> None:
    table = table_of_two(store)
    table.set_hand(1, 0, KeptHand())
    table.set_hand(1, 1, KeptHand(counted=10))
    said = visit.say("domino_page.end_points", name="Anna", points="10 Punkte")
    assert said in muggins_markup(visit, table, standing_of(table))
    table.add_play(2, 1, 5)
    assert 'class="notice"' not in muggins_markup(visit, table, standing_of(table))
    table.set_hand(2, 0, KeptHand(counted=15))
    table.set_hand(2, 1, KeptHand())
    said = visit.say("domino_page.end_points", name="Ben", points="15 Punkte")
    assert said in muggins_markup(visit, table, standing_of(table))


def test_the_last_play_comes_first_and_who_called_it_has_the_points(
    visit: Visit, store: Store
) -> None:
    table = table_of_two(store)
    table.add_play(1, 0, 10)
    table.add_play(1, 1, 5, 0)
    below = _below(visit, table, standing_of(table))
    called = visit.say("domino_page.play_called", name="Anna", player="Ben", points="5 Punkte")
    made = visit.say("domino_page.play", name="Anna", points="10 Punkte")
    assert 0 < below.index(called) < below.index(made)


def test_a_doubt_of_an_earlier_round_of_muggins_leads_to_that_round(
    visit: Visit, store: Store
) -> None:
    table = table_of_two(store)
    table.set_hand(1, 0, KeptHand((KeptTile(Tile(0, 5), None, True),)))
    table.set_hand(1, 1, KeptHand())
    table.add_play(2, 0, 50)
    shown = muggins_markup(visit, table, standing_of(table))
    assert "view=hand&amp;round=1&amp;seat=1" in shown
    assert "card winner" not in shown


def test_the_page_of_muggins_keeps_plays_in_the_round_that_it_shows(
    visit: Visit, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = Message("phone00001", 1, (), {"plays": [{"id": "a", "player": 1, "points": 10}]})
    for name in ("show_part", "rerun_on_changes"):
        monkeypatch.setattr(muggins_view, name, lambda *_: None)
    monkeypatch.setattr(muggins_view, "piece", lambda *_, on_change, **__: on_change(sent))
    table = table_of_two(store)
    for player in (0, 1):
        table.set_hand(1, player, KeptHand(counted=3))
    muggins_view.show_muggins(visit, table.game)
    rounds = muggins_rounds_of(table.game.values)
    assert [(each.player, each.points) for each in rounds[2].plays] == [(1, 10)]
    assert rounds[1].plays == ()


def test_what_was_tapped_before_another_phone_ended_the_round_is_of_that_round(
    store: Store,
) -> None:
    table = table_of_two(store)
    table.add_play(1, 0, 5, None, "a")
    for player in (0, 1):
        table.set_hand(1, player, KeptHand(counted=3))
    play = {"player": 1, "points": 10}
    waited = [
        {**play, "id": "a", "player": 0, "points": 5, "round": 1},
        {**play, "id": "b", "round": 1},
        {**play, "id": "c", "round": 2},
        {**play, "id": "d", "round": 0},
        {**play, "id": "e", "round": 9},
    ]
    for _ in range(2):
        _keep_plays(table, 2, {"plays": waited})
    rounds = muggins_rounds_of(table.game.values)
    assert [each.id for each in rounds[1].plays] == ["a", "b"]
    assert [each.id for each in rounds[2].plays] == ["c", "d", "e"]


def test_each_figure_of_the_sheet_opens_its_own_hand(visit: Visit, store: Store) -> None:
    table = table_of_rounds(store)
    for number in (1, 2):
        for player in (0, 1):
            table.set_hand(number, player, KeptHand(counted=10 * number + player))
    page = shown(visit, table)
    for number in (1, 2):
        for player in (0, 1):
            where = f"view=hand&amp;round={number}&amp;seat={player + 1}"
            assert re.search(rf'{where}"[^>]*><span>{10 * number + player}</span>', page)


def test_nobody_ends_the_game_in_the_middle_of_a_round(visit: Visit, store: Store) -> None:
    table = table_of_rounds(store)
    for player in (0, 1):
        table.set_hand(1, player, KeptHand(counted=player))
    assert 'data-do="finish"' in shown(visit, table)
    _act(visit, table, Act("double", "2:3"))
    assert 'data-do="finish"' in shown(visit, table)
    table.set_hand(2, 1, KeptHand())
    assert 'data-do="finish"' not in shown(visit, table)


def test_all_doubts_lead_to_their_hands_also_those_that_decide_nothing(
    visit: Visit, store: Store
) -> None:
    """Anna or Ben may win by the double blank; Cem has far too many points."""
    rules = {"set": 9, "rounds": 2, "first": 0}
    table = new_table(store, "mexican_train", ["Anna", "Ben", "Cem"], rules, Actor(DEVICE))
    seen = KeptHandReading.of(hand_of("3|4 0|0"), "photo-1", 400, 300)
    doubtful = seen.hand(store.keep_reading(table.game_id, seen.to_data()))
    for number in (1, 2):
        table.set_hand(number, 0, KeptHand(counted=30))
        table.set_hand(number, 1, KeptHand(counted=30))
        table.set_hand(number, 2, doubtful)
    table.add_penalty(1, 2, 9)
    page = shown(visit, table)
    top = page[: page.index("sheet-of-rounds")]
    assert page.index("am Sieg ändert es nichts: 2") > page.index("card winner")
    for number in (1, 2):
        assert f"round={number}&amp;seat=3" in top
    table.set_hand(2, 0, doubtful)
    page = shown(visit, table)
    top = page[: page.index("sheet-of-rounds")]
    assert "card winner" not in top
    for where in ("round=2&amp;seat=1", "round=1&amp;seat=3", "round=2&amp;seat=3"):
        assert where in top


def rounds_offered(visit: Visit, chosen: NewGame) -> dict[str, str]:
    """What each button for the number of rounds says of being chosen, by its value."""
    page = new_game_markup(visit, chosen)
    return dict(re.findall(r'data-do="rounds" data-value="(\d*)" aria-pressed="(\w+)"', page))


def test_as_many_rounds_as_the_last_game_had_are_shown_as_chosen(visit: Visit) -> None:
    """Also where that one ended early, after a number that is not offered else."""
    chosen = NewGame("mexican_train", ["Anna", "Ben"], highest=9, rounds=4)
    marked = {"": "false", "3": "false", "4": "true", "5": "false"}
    assert rounds_offered(visit, chosen) == marked
    act_on_new(visit, chosen, Act("rounds", "4"))
    assert rounds_offered(visit, chosen) == marked
    chosen.rounds = 10
    assert rounds_offered(visit, chosen) == {"": "true", "3": "false", "5": "false"}
    act_on_new(visit, chosen, Act("rounds", "4"))
    assert chosen.rounds is None


def test_a_smaller_set_has_fewer_rounds(visit: Visit) -> None:
    """A game that ended after twelve rounds and is played again with double nine."""
    chosen = NewGame("chickenfoot", ["Anna", "Ben"], highest=12, rounds=12)
    act_on_new(visit, chosen, Act("set", "9"))
    assert (chosen.rules()["set"], chosen.rules()["rounds"]) == (9, 10)


def test_a_game_that_was_begun_leaves_the_next_one_a_fresh_page(
    visit: Visit, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Visit, "go", lambda self, **where: None)
    chosen = choice_of(visit, "chickenfoot")
    for name in ("Anna", "Ben"):
        act_on_new(visit, chosen, Act("add", name))
    act_on_new(visit, chosen, Act("start"))
    assert len(find_games(store, device=DEVICE)) == 1
    assert choice_of(visit, "chickenfoot").names == []


def test_what_was_chosen_for_another_game_is_not_that_of_one_played_again(
    visit: Visit, store: Store
) -> None:
    """Nor does a game lend anything to those who may not see it."""
    mine = table_of_rounds(store)
    theirs = new_table(store, "mexican_train", ["Zoe", "Max"], {"set": 9}, Actor("another-device"))
    choice_of(visit, "mexican_train").add("Dora")
    for like, names in (
        (mine.game_id, ["Anna", "<i>Ben"]),
        (theirs.game_id, []),
        ("", []),
    ):
        visit.parameters = {"like": like}
        assert choice_of(visit, "mexican_train").names == names


def test_columns_of_the_best_list_stand_below_their_names(visit: Visit, store: Store) -> None:
    for challenge, names in (
        ("pips", ("pips", "tiles", "time")),
        ("clock", ("tiles", "time", "pips")),
    ):
        table = patience(store, challenge)
        table.set_clock(65.0, None)
        table.set_hand(1, 0, KeptHand.of_tiles([Tile(1, 2)]))
        page = castle_markup(visit, table)
        assert '<p class="soft">1:05</p>' in page
        sheet = page.partition("<table")[2]
        heads = re.findall(r'<th scope="col">(.*?)</th>', sheet)
        assert heads == [visit.say(f"domino_page.{name}") for name in names]
        figures = {"pips": "3", "tiles": "1", "time": "1:05"}
        row = sheet.partition("<tbody>")[2].partition("</tr>")[0]
        assert re.findall(r"<td>(.*?)</td>", row) == [figures[name] for name in names]
        assert f'<th scope="row">1  {visit.say("domino_page.this_one")}</th>' in row


def test_a_photo_of_what_is_left_leads_to_the_hand_where_something_is_to_check(
    visit: Visit, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Visit, "go", lambda self, **where: setattr(self, "parameters", where))
    for doubts in ({"5|6": "5|5", "3|4": "3|5"}, {}):
        seen = hand_of("5|6 3|4", doubts)
        read = replace(patience(store), read=lambda *_, seen=seen: seen)
        photo = visit.photos.put(jpeg(), visit.device)
        visit.parameters = {}
        castle_view._act(visit, read, Act("photo", f"hand:1:0|{photo.id}"))
        where = {"game": read.game_id, "view": "hand", "round": 1, "seat": 1}
        assert visit.parameters == (where if doubts else {})
        page = castle_markup(visit, read)
        assert (visit.say("hand.check", count=2) in page) == bool(doubts)


def test_the_sheet_of_muggins_has_what_each_round_gave_and_what_it_comes_to(
    visit: Visit, store: Store
) -> None:
    table = table_of_two(store)
    for number, points in ((1, 5), (2, 10)):
        table.add_play(number, 0, points)
        for player in (0, 1):
            table.set_hand(number, player, KeptHand(counted=3))
    below = _below(visit, table, standing_of(table))
    cells = re.findall(r"<td><span>(\d+)</span>(?:<small[^>]*>(\d+)</small>)?</td>", below)
    assert cells == [("5", ""), ("0", ""), ("10", "15"), ("0", "0")]


def test_who_is_ahead_at_muggins_is_marked_once_there_are_points(
    visit: Visit, store: Store
) -> None:
    table = table_of_two(store)
    assert "ahead" not in muggins_markup(visit, table, standing_of(table))
    table.add_play(1, 1, 10)
    page = muggins_markup(visit, table, standing_of(table))
    assert re.findall(r'class="seat side ahead" data-key="side-(\w+)"', page) == ["1"]
    assert visit.say("domino_page.to_target", target=50) in page


def test_the_end_of_a_round_is_left_with_its_last_hand(
    visit: Visit, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Visit, "go", lambda self, **where: self.parameters.update(where))
    table = table_of_two(store)
    visit.parameters = {"game": table.game_id, "view": "end"}
    muggins_view._act(visit, table, Act("out", "hand:1:0"))
    assert visit.view == "end"
    page = muggins_end_markup(visit, table, standing_of(table))
    assert f"?game={table.game_id}&amp;view=hand&amp;round=1&amp;seat=2" in page
    muggins_view._act(visit, table, Act("out", "hand:1:1"))
    assert visit.view == ""
    table.set_hand(2, 0, KeptHand.of_tiles([Tile(4, 6), Tile(1, 2)]))
    page = muggins_end_markup(visit, table, standing_of(table))
    assert "<strong>13</strong>" in page
    assert "round=2&amp;seat=2" in page
    # Once the game is over, its address is that of the winner.
    table.add_play(2, 0, 50)
    visit.parameters["view"] = "end"
    drawn: list[str] = []
    monkeypatch.setattr(muggins_view, "show_part", lambda visit, markup, key, do: drawn.append(key))
    monkeypatch.setattr(muggins_view, "rerun_on_changes", lambda *_: None)
    muggins_view.show_muggins(visit, table.game)
    assert drawn == ["muggins-top", "muggins-below"]


def test_the_round_says_what_each_hand_counts_and_what_it_comes_to(
    visit: Visit, store: Store
) -> None:
    table = table_of_rounds(store)
    so_far = visit.say("domino_page.so_far", points=0).removesuffix("0")
    assert so_far not in shown(visit, table)
    for player in (0, 1):
        table.set_hand(1, player, KeptHand(counted=10 + player))
    table.set_hand(2, 0, KeptHand(counted=5))
    page = shown(visit, table)
    top, _, sheet = page.partition("sheet-of-rounds")
    assert re.findall(rf"{so_far}(\d+)", top) == ["15", "11"]
    assert "<strong>5</strong>" in top
    assert '<small class="running">15</small>' in sheet
    assert re.findall(r'<td class="won">(\d+)</td>', sheet) == ["11"]
    assert 'aria-pressed="true">8-8<' in page
    fresh = table_of_rounds(store)
    fresh.set_hand(1, 0, KeptHand(counted=10))
    assert 'class="won"' not in shown(visit, fresh)


def test_a_hand_to_check_is_marked_wherever_it_is_shown(visit: Visit, store: Store) -> None:
    table = table_of_rounds(store)
    doubtful = KeptHand((KeptTile(Tile(1, 2), 0, True), KeptTile(Tile(3, 4), 1, True)))
    table.set_hand(1, 0, doubtful)
    page = shown(visit, table)
    top, _, sheet = page.partition("sheet-of-rounds")
    assert "row known doubtful" in top
    assert "Anna prüfen: 2" in top
    assert re.findall(r'class="(figure[^"]*)"', sheet) == ["figure doubtful"]
    assert sheet.count("stroke-dasharray") == 1
    table.set_hand(1, 0, KeptHand.of_tiles([Tile(1, 2)]))
    page = shown(visit, table)
    assert "doubtful" not in page


def test_the_first_hand_to_check_is_the_large_one(visit: Visit, store: Store) -> None:
    table = table_of_rounds(store, rounds=2)
    seen = KeptHandReading.of(hand_of("3|4 0|0"), "photo-1", 400, 300)
    doubtful = seen.hand(store.keep_reading(table.game_id, seen.to_data()))
    for number in (1, 2):
        table.set_hand(number, 0, doubtful)
        table.set_hand(number, 1, KeptHand(counted=20))
    top = shown(visit, table).partition("sheet-of-rounds")[0]
    found = re.findall(r'round=(\d)&amp;seat=1"[^>]*class="(button[^"]*)"', top)
    assert found == [("1", "button middle main"), ("2", "button middle")]


def test_a_game_that_ended_early_can_go_on_and_one_of_all_rounds_can_not(
    visit: Visit, store: Store
) -> None:
    for rounds, goes_on in ((1, True), (10, False), (None, False)):
        table = table_of_rounds(store, rounds)
        for number in range(1, (rounds or 10) + 1):
            for player in (0, 1):
                table.set_hand(number, player, KeptHand(counted=player))
        assert ('data-do="go-on"' in shown(visit, table)) == goes_on


def test_nothing_is_taken_back_or_shared_where_there_is_nothing(visit: Visit, store: Store) -> None:
    table = table_of_rounds(store, 1)
    page = shown(visit, table)
    assert re.search(r'data-do="undo"[^>]* disabled', page)
    for player in (0, 1):
        table.set_hand(1, player, KeptHand((KeptTile(Tile(0, 0), 0, True),) * (1 - player)))
    page = shown(visit, table)
    assert not re.search(r'data-do="undo"[^>]* disabled', page)
    assert 'href="card/' not in page


def test_one_point_is_said_in_the_singular_by_the_pieces() -> None:
    words = piece_words("hand", Language.GERMAN)
    assert (words["points.unit.one"], words["points.unit.several"]) == ("Punkt", "Punkte")


def test_all_that_is_chosen_for_a_new_game_is_in_its_rules(visit: Visit, store: Store) -> None:
    rounds = NewGame("chickenfoot", ["Anna", "Ben", "Cem"])
    for act in (Act("set", "9"), Act("rounds", "3"), Act("first", "2")):
        act_on_new(visit, rounds, act)
    page = new_game_markup(visit, rounds)
    assert rounds.rules() == {"set": 9, "rounds": 3, "first": 2}
    chosen = re.findall(r'data-do="(\w+)" data-value="(\w*)" aria-pressed="true"', page)
    assert chosen == [("set", "9"), ("rounds", "3"), ("first", "2")]
    assert visit.say("domino_page.all_rounds", rounds=10) in page
    act_on_new(visit, rounds, Act("rounds", ""))
    assert rounds.rounds is None
    alone = NewGame("castle_rock", highest=6)
    assert visit.say("domino_page.name_needed") in new_game_markup(visit, alone)
    for act in (Act("add", "Anna"), Act("set", "6"), Act("challenge", "clock")):
        act_on_new(visit, alone, act)
    assert alone.rules() == {"set": 6, "challenge": "clock"}
    page = new_game_markup(visit, alone)
    assert 'data-do="earlier"' not in page
    muggins = NewGame("muggins")
    assert visit.say("domino_page.muggins_players") in new_game_markup(visit, muggins)
    for act in (Act("add-typed", "Anna, Ben"), Act("round_up", "true"), Act("target", "150")):
        act_on_new(visit, muggins, act)
    assert muggins.muggins == MugginsRules(target=150, rounding=Rounding.UP)


def test_four_at_muggins_are_two_teams_or_play_each_alone(visit: Visit, store: Store) -> None:
    chosen = NewGame("muggins", ["Anna", "Ben", "Cem"])
    assert 'data-do="singles"' not in new_game_markup(visit, chosen)
    assert 'data-do="add-typed"' in new_game_markup(visit, chosen)
    act_on_new(visit, chosen, Act("add", "Dora"))
    page = new_game_markup(visit, chosen)
    teams = visit.say("domino_page.teams", one="Anna und Cem", other="Ben und Dora")
    assert teams in page
    assert 'data-do="add-typed"' not in page
    act_on_new(visit, chosen, Act("singles", "true"))
    alone = new_game_markup(visit, chosen)
    assert chosen.muggins.singles
    assert teams not in alone
    # The rules in short go by the teams, too.
    for code, with_teams in (("team_out", True), ("out", False)):
        rule = joined(visit.say(f"guide.muggins.{code}"))
        assert (rule in page, rule in alone) == (with_teams, not with_teams)


def test_whether_photos_are_kept_is_asked_with_every_new_game(visit: Visit, store: Store) -> None:
    chosen = NewGame("muggins")
    page = new_game_markup(visit, chosen)
    assert f'data-do="photos" data-remember="{KEEP_PHOTOS_COOKIE}"' in page
    act_on_new(visit, chosen, Act("photos", "true"))
    assert (visit.keep_photos, visit.keep_squares) == (True, False)


@pytest.mark.parametrize("kind", [kind for kind in KEYS if kind != "muggins"])
def test_before_anybody_is_seated_the_page_says_how_the_chosen_set_is_laid_out(
    kind: str, visit: Visit, store: Store
) -> None:
    """Also for a set whose draw the sheet does not name for so many players."""
    for highest in SETS.get(kind, ROUND_SETS):
        chosen = NewGame(kind, highest=highest)
        page = new_game_markup(visit, chosen)
        guide = default_guide(PlayedGame.of(kind.replace("_", "-")), highest=highest)
        assert guide.domino_set.highest == highest
        assert all(joined(line) in page for line in set_up_lines(guide, visit.language))
