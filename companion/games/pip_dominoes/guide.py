"""Set-up and rules of the four games of pip dominoes in words.

Source: sheet, all sections; the decisions are those of ``docs/pip-dominoes.md``.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.guide import Section, section
from companion.games.pip_dominoes.texts import count_of_dominoes
from companion.languages import Language, listed, say
from scorer.pip_dominoes import DominoSet, Game, MugginsRules, Rounding, RoundWorth, SetUp

DOUBLE_18 = DominoSet(18)


def set_up_lines(guide: SetUp, language: Language) -> Iterator[str]:
    """What to put aside, lay out and draw, and who starts, a sentence each."""
    highest = guide.domino_set.highest
    yield say(
        "domino_setup.game",
        language,
        game=guide.game.title,
        players=guide.players,
        set=highest,
    )
    if guide.put_aside:
        count = count_of_dominoes(guide.put_aside, language)
        yield say("domino_setup.put_aside", language, count=count, set=highest)
    if guide.first_double is not None:
        yield say("domino_setup.first_double", language, double=guide.first_double)
    row = guide.game is Game.CASTLE_ROCK
    yield say("domino_setup.row" if row else "domino_setup.draw", language, draw=guide.draw)
    yield say("domino_setup.boneyard", language, boneyard=guide.boneyard)
    if guide.rounds is not None:
        yield say("domino_setup.rounds", language, rounds=guide.rounds)
    if guide.teams:
        teams = "; ".join(listed(team, language) for team in guide.teams)
        yield say("domino_setup.teams", language, teams=teams)
    if not row:
        yield say("guide.dominoes.starter", language)


def rules_of_play(
    guide: SetUp, language: Language, rules: MugginsRules | None = None
) -> tuple[Section, ...]:
    """What follows the set-up: playing, the ends of round and game, decisions.

    ``rules`` are those in play at Muggins; with None those of the sheet.
    """
    if guide.game is Game.MUGGINS:
        return _muggins(bool(guide.teams), rules or MugginsRules(), language)
    if guide.game is Game.CASTLE_ROCK:
        return (
            section("castle_rock", "play", ("between", "three", "draw", "new_row"), language),
            section("castle_rock", "game_end", ("end", "pips", "clock"), language),
            section("castle_rock", "open", ("rest",), language),
        )
    return _rounds(guide, language)


def _rounds(guide: SetUp, language: Language) -> tuple[Section, ...]:
    chickenfoot = guide.game is Game.CHICKENFOOT
    game = "chickenfoot" if chickenfoot else "mexican_train"
    values = {"toes": guide.toes, "rounds": guide.rounds}
    shared = ["double_18"] if guide.domino_set == DOUBLE_18 else []

    def about(key: str, *codes: str) -> Section:
        return section(game, key, codes, language, **values)

    def also(key: str, before: Section, *codes: str) -> Section:
        more = section("dominoes", key, codes, language, **values)
        return Section(key, more.title, (*before.lines, *more.lines))

    if chickenfoot:
        play = [
            about("play", "toes", "match", "draw", "no_markers"),
            about("doubles", "foot", "before"),
        ]
        unclear = about("open", "lost")
    else:
        trains = ("trains", "turn", "draw", "marker_off", "empty", "knock", "settled")
        play = [about("play", *trains), about("penalties", "penalty")]
        unclear = about("open", "doubles_lost", "quick", "turn_meant")
    return (
        *play,
        also("round_end", about("round_end", "blocked"), "hand", "next_double"),
        section("dominoes", "game_end", ("lowest",), language),
        also("open", unclear, *shared, "not_listed"),
    )


def _muggins(teams: bool, rules: MugginsRules, language: Language) -> tuple[Section, ...]:
    def about(key: str, *codes: str) -> Section:
        return section("muggins", key, codes, language, target=rules.target)

    of_teams = "team_" if teams else ""
    rounding = "up" if rules.rounding is Rounding.UP else "nearest"
    rounded = "each_hand" if rules.rounded is RoundWorth.EACH_HAND else "sum"
    spinner = "spinner_counts" if rules.spinner_counts else "spinner_never_counts"
    return (
        about("play", "any_tile", "match", "fives", "call"),
        about("doubles", "spinner", spinner, "later_doubles"),
        about("round_end", f"{of_teams}out", f"{of_teams}blocked", f"{rounding}_of_{rounded}"),
        about("game_end", "target"),
        about("open", "decisions", "zero"),
    )
