"""What collided is shown in every game, what was lost is named, and one tap decides it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.domino_duell.table import new_duel
from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.table import new_table
from companion.games.pip_dominoes.kept import KeptHand
from companion.games.pip_dominoes.table import DominoTable
from companion.games.pip_dominoes.table import new_table as new_dominoes
from companion.store import Actor, Store, StoreError
from companion.web.collisions import act_on_collision, collisions_markup
from companion.web.kingdomino.players_view import _act
from companion.web.shell import Act
from companion.web.visit import Visit
from scorer.kingdomino import Kingdom
from scorer.pip_dominoes import Tile
from tests.companion.games.domino_duell.duels import START
from tests.companion.web.kingdomino.conftest import visit as visit_of_kingdoms

BEN = Actor("bens-phone")

visit = visit_of_kingdoms


def test_two_names_of_one_player_are_asked_about(store: Store, visit: Visit) -> None:
    table = new_table(store, visit.actor).with_player("Anna")
    game = table.game
    (anna,) = game.players
    table.with_players([replace(anna, name="Anna M.")], "name")
    replace(table, actor=BEN).with_players([replace(anna, name="Nina")], "name")
    game = store.game(game.id)
    assert [player.name for player in game.players] == ["Anna M."]
    markup = collisions_markup(visit, game)
    assert markup is not None
    assert "Mitspieler: Es steht Anna M.; Nina wurde nicht übernommen." in markup
    (collision,) = game.collisions
    act_on_collision(visit, game, Act("collision-take", str(collision.sequence)))
    game = store.game(game.id)
    assert [player.name for player in game.players] == ["Nina"]
    assert collisions_markup(visit, game) is None
    act_on_collision(visit, game, Act("collision-take", str(collision.sequence)))
    act_on_collision(visit, game, Act("collision-take", "nonsense"))


def test_the_undo_of_a_removed_player_keeps_a_new_name(store: Store, visit: Visit) -> None:
    """One phone removes a player, another renames one, the first takes its own back."""
    table = new_table(store, visit.actor).with_player("Anna").with_player("Ben").with_player("Cleo")
    visit.parameters["view"] = "players"
    _act(visit, table, Act("leave", "1"))
    assert visit.undo is not None
    back = visit.undo
    now = replace(table, actor=BEN).again()
    anna, cleo = now.game.players
    now.with_players([replace(anna, name="Nina"), cleo], "name")
    back()
    assert [player.name for player in store.game(table.game.id).players] == ["Nina", "Ben", "Cleo"]


def test_two_hands_of_one_player(store: Store, visit: Visit) -> None:
    table = new_dominoes(store, "mexican_train", ["Anna", "Ben"], {"set": 9}, visit.actor)
    game = store.game(table.game_id)
    table.set_hand(1, 0, KeptHand.of_tiles([Tile(1, 2)]))
    part = store.game(table.game_id).values["round:1"]
    part["hands"]["0"] = KeptHand.of_tiles([Tile(3, 4)]).to_data()
    bens = DominoTable(store, table.game_id, BEN)
    bens.confirm("round:1", part, "hand", based_on=0)
    game = store.game(table.game_id)
    markup = collisions_markup(visit, game)
    assert markup is not None
    assert "Runde 1: " in markup
    (sequence,) = {each.sequence for each in game.collisions}
    act_on_collision(visit, game, Act("collision-keep", str(sequence)))
    assert store.game(game.id).collisions == ()


def test_a_kingdom_is_asked_about_by_the_name_of_its_player_and_on_its_own_page_there(
    store: Store, visit: Visit
) -> None:
    table = new_table(store, visit.actor).with_player("Anna").with_player("Ben")
    for kingdom in ("c w", "c l"):
        table.with_board(table.seats[0], KeptBoard(Kingdom.parse(kingdom)), "set")
    game = store.game(table.game.id)
    assert collisions_markup(visit, game) is None
    visit.parameters["view"] = "players"
    assert "Das Königreich von Anna: " in str(collisions_markup(visit, game))


def test_a_start_that_was_refused_is_named(store: Store, visit: Visit) -> None:
    table = new_duel(store, ["Anna", "Ben"], visit.actor)
    hollow = min(START)
    first, second = [*START.values()][:2]
    table.set_start(hollow, first)
    with pytest.raises(StoreError, match="somebody_was_faster"):
        replace(table, actor=BEN).set_start(hollow, second)
    game = store.game(table.game.id)
    markup = collisions_markup(visit, game)
    assert markup is not None
    assert f"Beginn der Partie: Es steht {first}; {second} wurde nicht übernommen." in markup
