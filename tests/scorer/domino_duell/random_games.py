"""Games played by chance, for tests and measurements."""

from __future__ import annotations

from random import Random

from scorer.domino_duell import (
    JOKER,
    JOKERS,
    STONES,
    Board,
    Exchange,
    Game,
    Lay,
    Pass,
    Piece,
    SetUp,
    UseJoker,
    joker_hollows,
)


def set_up(rng: Random, players: int = 2, *, jokers: bool = False, known: bool = True) -> SetUp:
    """Four start stones and, where ``known``, seven pieces for each player."""
    bag: list[Piece] = [*STONES]
    rng.shuffle(bag)
    start = Board.of(dict(zip(Board.of().shape.middle, bag, strict=False)))
    bag = bag[4:] + [JOKER] * (JOKERS if jokers else 0)
    rng.shuffle(bag)
    hands = tuple(tuple(bag[7 * player : 7 * player + 7]) for player in range(players))
    names = tuple("ABCDEF"[:players])
    return SetUp(names, start, hands if known else (), rng.randrange(players), jokers=jokers)


def play(rng: Random, start: SetUp, turns: int = 200) -> Game:
    """The game after so many turns, or its end: mostly laying, now and then the rest."""
    game = Game.start(start)
    for _ in range(turns):
        if game.to_move is None:
            break
        hand = game.hands[game.to_move].known
        moves = game.legal_moves()
        drawn = rng.choice(game.unseen) if game.bag else None
        places = joker_hollows(game.position) if JOKER in hand else ()
        if places and rng.random() < 0.7:
            game = game.after(UseJoker(rng.choice(places)))
        elif moves and rng.random() < 0.95:
            # The better moves make the board compact, the worse ones fill it.
            move = moves[int(len(moves) * rng.random() ** 2)]
            game = game.after(Lay(move.stone, move.hollow, drawn=drawn))
        elif game.bag and (moves or rng.random() < 0.4):
            count = rng.randint(1, min(game.bag, len(hand)))
            given = tuple(rng.sample(hand, count))
            game = game.after(Exchange(count, given, tuple(rng.sample(game.unseen, count))))
        elif moves:
            game = game.after(Lay(moves[0].stone, moves[0].hollow))
        else:
            game = game.after(Pass())
    return game
