"""What can't be understood or is against the rules: errors with a code and its details."""

from __future__ import annotations

from scorer.errors import CodedError

_SENTENCES = {
    "bad_entry": (
        "“{text}” is not understood; write NAME = DOMINOES, a number, or - for none left"
    ),
    "bad_players": "Muggins is for 2, 3 or 4 players, not {players}",
    "bad_plays": (
        "“{text}” are no points; write for example Ben = 10, or Ben = 10 > Anna if Anna called it"
    ),
    "bad_record": "the record lacks “{field}” or has another kind of value there",
    "bad_round": (
        "“{text}” is no round; write the starting double and what each player had left, as "
        "in 12|12: Anna = 10|11 0|0; Ben = -"
    ),
    "bad_target": "a game can't end at {target} points",
    "bad_tile": "“{text}” is no domino; write both halves, as in 5|9 or 5-9",
    "below_zero": "a number is below zero",
    "does_not_fit": "{tile} doesn't match the domino before it",
    "ends_before_sides": "both sides of the spinner are taken before its ends",
    "few_players": "a game has two players or more, not {players}",
    "game_over": "somebody had reached the target before these points of round {round}",
    "must_remove": "a domino must be removed before one is drawn",
    "no_double": "a round starts with a double, {tile} is none",
    "no_spinner": "arms start from a double, written alone before the first /",
    "no_such_round": "there is no round {round}, there are {rounds}",
    "not_in_fives": "{points} are no points by play: they are multiples of five, from 5",
    "not_in_hand": "{tile} is not in the hand",
    "not_in_table": "{game} with double-{set} is not for {players} players, but for {allowed}",
    "not_removable": "these dominoes can't be removed: {tiles}",
    "other_players": "round {round} has other players than the game",
    "outside_set": "{tile} has more than {set} pips on a half",
    "quick_not_played": "the quick game belongs to Mexican Train, not to {game}",
    "same_name": "two players are called {name}; give them different names",
    "set_not_played": "{game} is not played with double-{set}; the sets are {sets}",
    "several_doubles": (
        "which double is the spinner? Write it first, then its arms: 5|5 / side 1 / side 2 / "
        "end 1 / end 2, a dot for an empty one"
    ),
    "singles_not_played": "playing without teams is a choice at Muggins, not at {game}",
    "spot_not_open": "nothing can be laid there",
    "tile_twice": "{tile} is there twice",
    "too_many_arms": "a spinner has four arms, not {arms}",
    "too_many_rounds": "{rounds} rounds are more than the {due} of the game",
    "unfinished_round": "round {round} has no hands at its end, but another round follows",
    "unknown_game": (
        "there is no game {game}; there are muggins, castle-rock, chickenfoot and mexican-train"
    ),
    "unknown_set": "there is no double-{set} set; there are 6, 9, 12, 15 and 18",
}
"""English, by code; the catalogues of the companion have the same sentences."""


class NotationError(CodedError):
    """A text or a record that is no tile, hand, layout, round or game.

    ``code`` is ``bad_tile``, ``bad_entry``, ``bad_round``, ``bad_plays`` (each with the ``text``
    that can't be read) or ``bad_record`` (with the ``field`` that is missing or of another kind).
    """

    sentences = _SENTENCES


class RulesError(CodedError):
    """Tiles, players, moves or a set-up that the rules do not allow."""

    sentences = _SENTENCES
