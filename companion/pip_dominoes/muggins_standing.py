"""How a game of Muggins stands, from rounds that two phones may have filled at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.pip_dominoes.kept_hand import KeptHand
from companion.pip_dominoes.kept_round import KeptMuggins
from scorer.pip_dominoes import MugginsGame, MugginsRules, RulesError

__all__ = ["MugginsStanding", "muggins_standing"]


@dataclass(frozen=True)
class MugginsStanding:
    """The ``game``, its players named by their ids as text, and the ``hands`` counted in it.

    ``scored`` has the points of each play that counts, with the id of the player who took them.
    """

    game: MugginsGame
    hands: tuple[KeptHand, ...] = ()
    scored: tuple[tuple[int, int], ...] = ()

    @property
    def number(self) -> int:
        """The round that is being played, from 1; the last one when the game is over."""
        rounds = self.game.rounds
        if not rounds or self.game.is_over:
            return max(1, len(rounds))
        return len(rounds) + rounds[-1].is_finished

    def plays_of(self, player: int) -> list[int]:
        """The points of the plays that a player took, called ones included."""
        return [points for scorer, points in self.scored if scorer == player]


def muggins_standing(
    players: Sequence[int], rounds: Mapping[int, KeptMuggins], rules: MugginsRules
) -> MugginsStanding | None:
    """The standing; None for a number of players that Muggins is not for.

    What comes after the target was reached, or after a round whose hands are missing, does not
    count: it can only come from two phones that did not know of each other.
    """
    try:
        game = MugginsGame(tuple(map(str, players)), rules=rules)
    except RulesError:
        return None
    hands: list[KeptHand] = []
    scored: list[tuple[int, int]] = []
    for number in range(1, max(rounds, default=0) + 1):
        kept = rounds.get(number)
        if kept is None:
            break
        for each in kept.plays:
            play = each.play()
            if {play.player, play.scorer} <= set(game.players) and not game.is_over:
                game = game.with_play(play)
                scored.append((int(play.scorer), play.points))
        if game.is_over or not kept.is_full(players):
            break
        left = tuple((str(player), kept.hands[player].left) for player in players)
        game = game.with_hands(left)
        hands += [kept.hands[player] for player in players]
    return MugginsStanding(game, tuple(hands), tuple(scored))
