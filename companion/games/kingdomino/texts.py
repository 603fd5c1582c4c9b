"""Kingdomino in words: squares, quests, bonuses, problems, scores, rankings, who can still win."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from companion.languages import Language, listed, say
from scorer.kingdomino import (
    BleakKing,
    Bonus,
    CharacterScore,
    Colour,
    Criterion,
    DecidingSquare,
    GameProblem,
    NotationError,
    Outcome,
    Position,
    Problem,
    Quest,
    Ranking,
    Score,
    Square,
    Terrain,
    Territory,
    Tie,
    piece_of,
)


def terrain_name(terrain: Terrain, language: Language) -> str:
    """The name of a terrain as in a list: "Wheat field", "Getreidefeld"."""
    name = say(f"terrain.{terrain.letter}", language)
    return name[:1].upper() + name[1:]


def square_name(square: Square, language: Language) -> str:
    """A square in words: "Mine with 2 crowns, 1 covered by giants"; "Lake with the queen"."""
    if square.is_castle:
        return say("square.castle", language)
    if square.terrain is None:
        return say("square.empty", language)
    if (piece := piece_of(square)) is not None:
        terrain = terrain_name(square.terrain, language)
        return say("square.piece", language, terrain=terrain, piece=piece_name(piece, language))
    code = "square.crowns" if square.crowns else "square.plain"
    name = say(code, language, terrain=terrain_name(square.terrain, language), count=square.crowns)
    if not square.giants:
        return name
    return say("square.covered", language, square=name, giants=square.giants)


def piece_name(piece: str, language: Language) -> str:
    """A piece of The Court by its key: "fish", "building with 2 crowns", "queen"."""
    if piece.endswith("*"):
        return say(f"token.{piece[0]}", language)
    terrain, plus, crowns = piece.partition("+")
    if not plus:
        return say(f"character.{piece}", language)
    return say("building", language, terrain=say(f"terrain.{terrain}", language), count=int(crowns))


def label_name(label: str, language: Language) -> str:
    """The name of a label; one outside the notation is a foreign object."""
    try:
        return square_name(Square.parse(label), language)
    except NotationError:
        return say("square.foreign", language)


def count_of_squares(count: int, language: Language) -> str:
    """ "1 square", "27 squares"."""
    return say("squares", language, count=count)


def count_of_crowns(count: int, language: Language) -> str:
    """ "1 crown", "3 crowns"."""
    return say("crowns", language, count=count)


def count_of_points(count: int, language: Language) -> str:
    """ "1 point", "27 points"."""
    return say("points", language, count=count)


def quest_name(quest: Quest, language: Language) -> str:
    """The name of a quest or variant, with its terrain if it has one."""
    name = say(f"quest.{quest.goal.key}", language)
    if quest.terrain is None:
        return name
    terrain = terrain_name(quest.terrain, language)
    return say("quest.terrain", language, quest=name, terrain=terrain)


def bonus_name(bonus: Bonus | CharacterScore, language: Language) -> str:
    """The name of a bonus or character, with the reading in use if its quest has two."""
    if isinstance(bonus, CharacterScore):
        name = piece_name(bonus.character.key, language)
        return name[:1].upper() + name[1:]
    name = quest_name(bonus.quest, language)
    if bonus.reading is None:
        return name
    by_territory = bonus.reading is BleakKing.TERRITORY
    return say("score.by_territory" if by_territory else "score.by_squares", language, quest=name)


def castle_colour_name(colour: str, language: Language) -> str:
    """The colour of a castle: "pink"."""
    return say(f"colour.{colour}", language)


def names_of_newcomers(language: Language) -> dict[str | None, str]:
    """What players are called whom nobody has named: by the colour, else by a ``{number}``."""
    names: dict[str | None, str] = {
        each.value: castle_colour_name(each.value, language).capitalize() for each in Colour
    }
    return {**names, None: say("seat.numbered", language, number="{number}")}


def is_name_of_newcomer(name: str) -> bool:
    """Whether a player is called so, in any language, because nobody has named them."""
    for language in Language:
        names = names_of_newcomers(language)
        before, _, after = names.pop(None).partition("{number}")
        if name.casefold() in {each.casefold() for each in names.values()}:
            return True
        number = name.removeprefix(before).removesuffix(after)
        if name.startswith(before) and number.isdecimal():
            return True
    return False


def place_name(position: Position, language: Language) -> str:
    """The position of a square counted from 1: "row 2, column 3"."""
    return say("square.place", language, row=position[0] + 1, column=position[1] + 1)


def problem_line(problem: Problem | GameProblem, language: Language) -> str:
    """A sentence for a problem, with its squares."""
    values: dict[str, object] = {"found": problem.found, "allowed": problem.allowed}
    if isinstance(problem, GameProblem):
        values["players"] = ", ".join(problem.players)
        places = [
            say("square.player_place", language, player=name, place=place_name(place, language))
            for name, place in problem.squares
        ]
    else:
        places = [place_name(place, language) for place in problem.squares]
    if problem.code in ("same_colour", "brown_without_expansion"):
        values["colour"] = castle_colour_name(problem.kind or "", language)
    elif problem.code == "more_than_court":
        values["piece"] = piece_name(problem.kind or "", language)
    elif problem.kind is not None:
        square = Square.parse(problem.kind)
        values["square"] = square_name(square, language)
        values["terrain"] = terrain_name(square.terrain, language) if square.terrain else ""
    line = say(f"problem.{problem.code}", language, **values)
    if not places:
        return line
    return say("problem.at", language, problem=line, squares=list_of_places(places, language))


PLACES_NAMED = 6
"""Of more squares than these nobody looks for each; the rest are counted."""


def list_of_places(places: Sequence[str], language: Language) -> str:
    """The places in a line, the first of them if there are many."""
    if len(places) <= PLACES_NAMED + 1:
        return "; ".join(places)
    first = "; ".join(places[:PLACES_NAMED])
    count = len(places) - PLACES_NAMED
    return say("square.more_places", language, places=first, count=count)


def score_lines(
    name: str, result: Score, problems: Sequence[Problem], language: Language
) -> Iterator[str]:
    """The total, each territory, bonus and character, what decides ties, and the problems."""
    yield say("score.total", language, name=name, points=count_of_points(result.points, language))
    for territory in result.territories:
        yield f"  {_territory_line(territory, language)}"
    for bonus in result.bonuses:
        yield f"  {_bonus_line(bonus, language)}"
    for character in result.characters:
        yield f"  {character_line(character, language)}"
    largest = count_of_squares(result.largest_territory, language)
    crowns = count_of_crowns(result.crowns, language)
    summary = say("score.summary", language, largest=largest, crowns=crowns)
    if result.castle_centred:
        summary = f"{summary}; {say('score.centred', language)}"
    yield f"  {summary}"
    for problem in problems:
        yield f"  {say('score.problem', language, problem=problem_line(problem, language))}"


def _territory_line(territory: Territory, language: Language) -> str:
    line = say(
        "score.territory",
        language,
        terrain=terrain_name(territory.terrain, language),
        squares=count_of_squares(territory.size, language),
        crowns=count_of_crowns(territory.crowns, language),
        points=territory.points,
    )
    if not territory.covered_crowns:
        return line
    covered = count_of_crowns(territory.covered_crowns, language)
    return say("score.covered", language, line=line, covered=covered)


def _bonus_line(bonus: Bonus, language: Language) -> str:
    name = bonus_name(bonus, language)
    if not bonus.squares:
        return say("score.bonus", language, quest=name, points=bonus.points)
    places = "; ".join(place_name(square, language) for square in bonus.squares)
    if len(bonus.groups) == 1 and len(bonus.squares) > 5:
        places = count_of_squares(len(bonus.squares), language)
    return say("score.bonus_at", language, quest=name, points=bonus.points, places=places)


def character_line(score: CharacterScore, language: Language) -> str:
    """The points of a character with where it stands and what made them."""
    values = {
        "character": piece_name(score.character.key, language),
        "place": place_name(score.square, language),
        "points": score.points,
    }
    if score.by_hand is not None:
        return say("score.character_by_hand", language, **values)
    if not score.count:
        return say("score.character_alone", language, **values)
    own = score.character.points
    return say("score.character", language, own=own, count=score.count, each=score.each, **values)


def ranking_lines(
    ranking: Ranking, problems: Sequence[GameProblem], language: Language
) -> Iterator[str]:
    """The places, why each tie between neighbours went as it did, and the problems of the game."""
    yield say("ranking.title", language)
    for place in ranking.places:
        points = count_of_points(place.points, language)
        line = say("ranking.place", language, place=place.place, player=place.player, points=points)
        yield f"  {line}"
    for line in tie_lines(ranking, language):
        yield f"  {line}"
    for problem in problems:
        yield f"  {say('score.problem', language, problem=problem_line(problem, language))}"


def tie_lines(
    ranking: Ranking, language: Language, name_of: Callable[[str], str] = str
) -> Iterator[str]:
    """Why each tie between neighbours went as it did; those who share a place are named together.

    ``name_of`` gives the name of a player of the ranking, where that is not the name itself.
    """
    shared: dict[int, list[str]] = {place.place: [] for place in ranking.places}
    for place in ranking.places:
        shared[place.place].append(place.player)
    ties = {(tie.ahead, tie.behind): tie for tie in ranking.ties}
    for one, other in pairwise(ranking.places):
        tie = ties.get((one.player, other.player))
        if tie is not None and tie.criterion is not Criterion.SHARED:
            named = replace(tie, ahead=name_of(tie.ahead), behind=name_of(tie.behind))
            yield _tie_line(named, language)
        elif tie is not None and one.player == shared[one.place][0]:
            yield _shared_line([*map(name_of, shared[one.place])], language)


def _tie_line(tie: Tie, language: Language) -> str:
    """What decided a tie, with the values of both."""
    players = {"ahead": tie.ahead, "behind": tie.behind}
    if tie.criterion is Criterion.CROWNS:
        return say(
            "ranking.crowns",
            language,
            **players,
            ahead_crowns=count_of_crowns(tie.ahead_value, language),
            behind_crowns=count_of_crowns(tie.behind_value, language),
        )
    return say(
        "ranking.largest_territory" if tie.behind_value else "ranking.no_territory",
        language,
        **players,
        ahead_squares=count_of_squares(tie.ahead_value, language),
        ahead_terrains=_either(tie.ahead_terrains, language),
        behind_squares=count_of_squares(tie.behind_value, language),
        behind_terrains=_either(tie.behind_terrains, language),
    )


def _shared_line(players: Sequence[str], language: Language) -> str:
    return say("ranking.shared", language, players=listed(players, language))


def _either(terrains: Sequence[Terrain], language: Language) -> str:
    """The terrains in a sentence: "forest or lake"."""
    names = [say(f"terrain.{terrain.letter}", language) for terrain in terrains]
    text = names[0] if names else ""
    for name in names[1:]:
        text = say("ranking.or", language, first=text, second=name)
    return text


def outcome_lines(
    found: Outcome, names: Mapping[str, str], doubts: int, language: Language
) -> Iterator[str]:
    """Who wins or can win, which square decides first, and what changes nothing.

    ``names`` are those of the players, ``doubts`` how many squares are to be checked in all.
    """
    results = [winners_line([names[each] for each in one], language) for one in found.possible]
    if found.certain and not doubts:
        yield say("outcome.sure", language, result=results[0])
    elif found.certain:
        yield say("outcome.certain", language, result=results[0], count=doubts)
    else:
        yield say("outcome.open", language, results="; ".join(results))
        for first in found.deciding[:1]:
            yield deciding_line(first, names[first.player], language)
        if (more := len(found.deciding) - 1) > 0:
            yield say("outcome.more", language, count=more)
        if rest := doubts - len(found.deciding):
            yield say("outcome.idle", language, count=rest)


def winners_line(names: Sequence[str], language: Language) -> str:
    """Who wins, without a full stop: "Anna wins", "Anna and Ben share the victory"."""
    if len(names) == 1:
        return say("outcome.wins", language, name=names[0])
    return say("outcome.shared", language, names=listed(names, language))


def deciding_line(each: DecidingSquare, name: str, language: Language) -> str:
    """The square that decides, and what it may be."""
    squares = [square_name(square, language) for square in each.squares]
    *before, last = squares
    either = say("ranking.or", language, first=", ".join(before), second=last)
    place = place_name(each.position, language)
    return say("outcome.decides", language, name=name, place=place, squares=either)
