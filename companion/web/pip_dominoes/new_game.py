"""A new game: who plays, with which set, how long, and what was agreed on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from companion.games.pip_dominoes.guide import rules_of_play, set_up_lines
from companion.games.pip_dominoes.kept import CastleRules, MugginsTableRules, RoundRules
from companion.games.pip_dominoes.kind import CASTLE_ROCK, MUGGINS
from companion.games.pip_dominoes.table import new_table
from companion.languages import listed
from companion.store import Json, StoreError, kind_of
from companion.web.parts import (
    chips,
    name_field,
    remembered_chips,
    show_part,
    sign_button,
    switch,
)
from companion.web.pip_dominoes.parts import head
from companion.web.request import KEEP_PHOTOS_COOKIE
from companion.web.rules import rules_cards, rules_in_short, rules_page
from companion.web.shell import Act, Markup, act_button, icon, joined, show_markup, tag
from companion.web.shell.bridge import component_key
from companion.web.visit import Visit
from scorer.pip_dominoes import (
    Challenge,
    DominoSet,
    Game,
    MugginsRules,
    Rounding,
    RoundWorth,
    RulesError,
    SetUp,
    players_allowed,
    setup_guide,
)
from scorer.pip_dominoes.games import MUGGINS_SET, TEAM_PLAYERS

SETS = {"muggins": (), "castle_rock": (6, 9, 12)}
ROUND_SETS = (9, 12, 15, 18)
SHORT_GAMES = (3, 5)
TARGETS = (100, 150, 250)


@dataclass
class NewGame:
    """What has been chosen so far for a game of ``kind``."""

    kind: str
    names: list[str] = field(default_factory=list)
    highest: int = 12
    rounds: int | None = None
    first: int = 0
    muggins: MugginsRules = field(default_factory=MugginsRules)
    challenge: Challenge = Challenge.PIPS

    @property
    def most_players(self) -> int:
        """How many can play it."""
        return {MUGGINS.key: 4, CASTLE_ROCK.key: 1}.get(self.kind, 16)

    @property
    def is_ready(self) -> bool:
        """Whether there are as many players as the game takes."""
        least = 1 if self.kind == CASTLE_ROCK.key else 2
        return least <= len(self.names) <= self.most_players

    @property
    def shorter(self) -> list[int]:
        """The numbers of rounds to choose from beside all of them.

        That of a game which ended early, and is played again, is among them.
        """
        agreed = [self.rounds] if self.rounds and self.rounds <= self.highest else []
        return sorted({*SHORT_GAMES, *agreed})

    def add(self, name: str) -> None:
        """Seat somebody; the only player of a patience takes the other's place."""
        name = " ".join(name.split())[:40]
        if not name or name.casefold() in map(str.casefold, self.names):
            return
        if self.most_players == 1:
            self.names = [name]
        elif len(self.names) < self.most_players:
            self.names.append(name)

    def remove(self, name: str) -> None:
        """Take somebody from the table; the first player starts where the starter has left."""
        self._seat([each for each in self.names if each != name])

    def move_up(self, name: str) -> None:
        """Seat somebody one place further to the front."""
        place = self.names.index(name) if name in self.names else 0
        if place:
            names = self.names.copy()
            names[place - 1 : place + 1] = [name, names[place - 1]]
            self._seat(names)

    def _seat(self, names: list[str]) -> None:
        """Seat these; who was chosen to start still does, else whoever sits first."""
        starter = self.names[self.first] if 0 < self.first < len(self.names) else ""
        self.names = names
        self.first = names.index(starter) if starter in names else 0

    def rules(self) -> Json:
        """The rules for the store."""
        if self.kind == MUGGINS.key:
            return MugginsTableRules(self.muggins, self.first).to_data()
        if self.kind == CASTLE_ROCK.key:
            return CastleRules(self.highest, self.challenge).to_data()
        return RoundRules(self.highest, self.rounds, self.first).to_data()


def choice_of(visit: Visit, kind: str) -> NewGame:
    """What this visitor has chosen; a game to be played again lends its people and rules."""
    like = visit.parameters.get("like", "")
    known = visit.page_state.get(f"new {kind}")
    if isinstance(known, tuple) and known[0] == like:
        kept = known[1]
        assert isinstance(kept, NewGame)
        return kept
    fresh = NewGame(kind, highest=6 if kind == CASTLE_ROCK.key else 12)
    if like:
        _take_over(visit, fresh, like)
    visit.page_state[f"new {kind}"] = (like, fresh)
    return fresh


def _take_over(visit: Visit, fresh: NewGame, like: str) -> None:
    try:
        if not visit.shared.may_see(like, visit.device):
            return
        game = visit.store.game(like)
    except StoreError:
        return
    if game.kind != fresh.kind:
        return
    fresh.names = [player.name for player in game.players]
    rules = game.values.get("rules")
    if game.kind == MUGGINS.key:
        fresh.muggins = MugginsTableRules.from_data(rules).rules
    elif game.kind == CASTLE_ROCK.key:
        castle = CastleRules.from_data(rules)
        fresh.highest, fresh.challenge = castle.highest, castle.challenge
    else:
        of_rounds = RoundRules.from_data(rules)
        fresh.highest, fresh.rounds = of_rounds.highest, of_rounds.rounds


_NEVER_PHOTOGRAPHED = 15


def show_new_game(visit: Visit, kind: str) -> None:
    """Draw the page."""
    chosen = choice_of(visit, kind)
    show_part(
        visit,
        new_game_markup(visit, chosen),
        component_key("new", kind),
        partial(_act, visit, chosen),
    )


def new_game_markup(visit: Visit, chosen: NewGame) -> Markup:
    """The page as markup."""
    title = kind_of(chosen.kind).name
    start = act_button(
        "start",
        icon("next"),
        visit.say("domino_page.start"),
        disabled=not chosen.is_ready,
        look="main middle",
    )
    hint = None if chosen.is_ready else tag("p", _missing(visit, chosen), class_="soft")
    people = tag("section", _people(visit, chosen), class_="card stack")
    rules = tag(
        "section",
        _rules(visit, chosen),
        _set_up(visit, chosen),
        _photos(visit),
        class_="card stack",
    )
    guide = _guide(chosen) or default_guide(_game(chosen.kind), highest=chosen.highest)
    lines = set_up_lines(guide, visit.language)
    short = rules_in_short(visit, lines, rules_of_play(guide, visit.language, chosen.muggins))
    foot = tag("div", hint, start, tag("section", short, class_="card"), class_="stack")
    body = tag("div", people, tag("div", rules, foot, class_="stack"), class_="columns two")
    return joined(head(visit, title), tag("div", body))


def _missing(visit: Visit, chosen: NewGame) -> str:
    if chosen.kind == CASTLE_ROCK.key:
        return visit.say("domino_page.name_needed")
    code = "muggins_players" if chosen.kind == MUGGINS.key else "too_few"
    return visit.say(f"domino_page.{code}")


def _people(visit: Visit, chosen: NewGame) -> Markup:
    alone = chosen.most_players == 1
    title = visit.say("domino_page.who_plays_alone" if alone else "domino_page.who_plays")
    seats = [_seat(visit, chosen, number, name) for number, name in enumerate(chosen.names)]
    here = set(map(str.casefold, chosen.names))
    full = len(chosen.names) >= chosen.most_players and not alone
    earlier = remembered_chips(visit, here)
    typed = name_field(visit.say("domino_page.add"), "add-typed")
    more = None if full else joined(tag("div", *earlier, class_="chips"), typed)
    listed_ = tag("ol", *seats, class_="seating") if seats else None
    return joined(tag("h2", title), listed_, more)


def _seat(visit: Visit, chosen: NewGame, number: int, name: str) -> Markup:
    said = visit.say("domino_page.earlier", name=name)
    earlier = sign_button("up", said, "earlier", name, off=number == 0)
    leave = sign_button("close", visit.say("domino_page.leave", name=name), "leave", name)
    alone = chosen.most_players == 1
    shown = tag("span", name, class_="grow name")
    return tag(
        "li", shown, None if alone else earlier, leave, class_="row", data_key=f"seat-{name}"
    )


def _choice(do: str, options: Iterable[tuple[str, object]], chosen: object, name: str) -> Markup:
    return joined(tag("h3", name), chips(do, options, chosen, name))


def _rules(visit: Visit, chosen: NewGame) -> Markup:
    parts: list[Markup | None] = []
    options: list[tuple[str, object]]
    sets = SETS.get(chosen.kind, ROUND_SETS)
    if sets:
        options = [(visit.say("domino_page.double_set", set=each), each) for each in sets]
        parts.append(_choice("set", options, chosen.highest, visit.say("domino_page.set")))
        if chosen.highest >= _NEVER_PHOTOGRAPHED:
            never = visit.say("domino_page.never_photographed")
            parts.append(tag("p", icon("warning"), tag("span", never), class_="hint"))
    if chosen.kind == MUGGINS.key:
        options = [(str(each), each) for each in TARGETS]
        target = chosen.muggins.target
        parts.append(_choice("target", options, target, visit.say("domino_page.target")))
        if len(chosen.names) == TEAM_PLAYERS:
            parts.append(_teams(visit, chosen))
        parts.append(_agreed(visit, chosen.muggins))
    elif chosen.kind == CASTLE_ROCK.key:
        options = [
            (visit.say(f"domino_page.challenge.{each.value}"), each.value) for each in Challenge
        ]
        name = visit.say("domino_page.challenge")
        parts.append(_choice("challenge", options, chosen.challenge.value, name))
    else:
        every = visit.say("domino_page.all_rounds", rounds=chosen.highest + 1)
        options = [(every, ""), *((str(each), each) for each in chosen.shorter)]
        rounds = chosen.rounds if chosen.rounds in chosen.shorter else ""
        parts.append(_choice("rounds", options, rounds, visit.say("domino_page.rounds")))
    if len(chosen.names) > 1:
        options = [(name, number) for number, name in enumerate(chosen.names)]
        parts.append(_choice("first", options, chosen.first, visit.say("domino_page.first")))
    return joined(*parts)


def _teams(visit: Visit, chosen: NewGame) -> Markup:
    singles = _switch(visit, "singles", chosen.muggins.singles)
    if chosen.muggins.singles:
        return singles
    one, other = (listed(chosen.names[start::2], visit.language) for start in (0, 1))
    sides = visit.say("domino_page.teams", one=one, other=other)
    return joined(tag("p", sides, class_="soft"), singles)


def _agreed(visit: Visit, rules: MugginsRules) -> Markup:
    """What the sheet leaves open: rounding, and the spinner's own pips."""
    return tag(
        "details",
        tag("summary", visit.say("domino_page.agreed")),
        _switch(visit, "round_up", rules.rounding is Rounding.UP),
        _switch(visit, "each_hand", rules.rounded is RoundWorth.EACH_HAND),
        _switch(visit, "spinner_never", not rules.spinner_counts),
        data_key="agreed",
    )


def _switch(visit: Visit, name: str, on: bool) -> Markup:
    return tag("div", switch(name, visit.say(f"domino_page.{name}"), on), data_key=f"{name}-{on}")


def _photos(visit: Visit) -> Markup:
    """Whether photos may be kept with the game; asked here, remembered on the device."""
    field = tag(
        "input",
        type="checkbox",
        data_do="photos",
        data_remember=KEEP_PHOTOS_COOKIE,
        checked=visit.keep_photos,
        data_key=f"photos-{visit.keep_photos}",
    )
    return tag("label", field, tag("span", visit.say("rules.photos")), class_="switch")


def _game(kind: str) -> Game:
    return Game.of(kind.replace("_", "-"))


def _guide(chosen: NewGame) -> SetUp | None:
    """The set-up of what is chosen; None where the sheet has none."""
    played = _game(chosen.kind)
    highest = MUGGINS_SET if played is Game.MUGGINS else chosen.highest
    singles = chosen.muggins.singles and played is Game.MUGGINS
    try:
        return setup_guide(played, len(chosen.names), DominoSet(highest), singles=singles)
    except RulesError:
        return None


def _set_up(visit: Visit, chosen: NewGame) -> Markup | None:
    """What to lay out and draw, from the sheet."""
    if not chosen.is_ready:
        return None
    guide = _guide(chosen)
    if guide is None:
        words = visit.say("domino_page.not_in_table", players=len(chosen.names))
        return tag("p", icon("warning"), tag("span", words), class_="hint")
    code = "row" if guide.game is Game.CASTLE_ROCK else "draw"
    words = visit.say(f"domino_page.{code}", draw=guide.draw, boneyard=guide.boneyard)
    return tag("p", icon("domino"), tag("span", words), class_="hint")


_AGREED: Mapping[str, Callable[[bool], dict[str, Any]]] = {
    "singles": lambda on: {"singles": on},
    "round_up": lambda on: {"rounding": Rounding.UP if on else Rounding.NEAREST},
    "each_hand": lambda on: {"rounded": RoundWorth.EACH_HAND if on else RoundWorth.SUM},
    "spinner_never": lambda on: {"spinner_counts": not on},
}
"""What a switch about the rules of Muggins changes in them."""


def _act(visit: Visit, chosen: NewGame, act: Act) -> None:
    if act.do in ("add", "add-typed"):
        for name in act.value.split(","):
            chosen.add(name)
    elif act.do == "leave":
        chosen.remove(act.value)
    elif act.do == "earlier":
        chosen.move_up(act.value)
    elif act.do == "set" and act.value.isdecimal():
        highest = int(act.value)
        if highest in (SETS.get(chosen.kind) or ROUND_SETS):
            chosen.highest = highest
            chosen.rounds = chosen.rounds and min(chosen.rounds, highest + 1)
    elif act.do == "rounds":
        chosen.rounds = int(act.value) if act.value in map(str, chosen.shorter) else None
    elif act.do == "first" and act.value in map(str, range(len(chosen.names))):
        chosen.first = int(act.value)
    elif act.do == "target" and act.value in map(str, TARGETS):
        chosen.muggins = replace(chosen.muggins, target=int(act.value))
    elif act.do in _AGREED:
        chosen.muggins = replace(chosen.muggins, **_AGREED[act.do](act.value == "true"))
    elif act.do == "photos":
        visit.keep_photos = act.value == "true"
    elif act.do == "challenge" and act.value in [each.value for each in Challenge]:
        chosen.challenge = Challenge(act.value)
    elif act.do == "start" and chosen.is_ready:
        _start(visit, chosen)


def _start(visit: Visit, chosen: NewGame) -> None:
    table = new_table(visit.store, chosen.kind, chosen.names, chosen.rules(), visit.actor)
    visit.page_state.pop(f"new {chosen.kind}", None)
    visit.go_to_game(table.game_id)


_USUAL_SET, _USUAL_PLAYERS = 12, 4


def show_help(visit: Visit, kind: str) -> None:
    """Draw the page; what was chosen stays for the visit."""
    game = Game.of(kind.replace("_", "-"))
    show_markup(
        help_markup(visit, game),
        key=f"help-{kind}",
        on_act=lambda act: _act_on_help(visit, game, act),
    )


def default_guide(game: Game, players: int = _USUAL_PLAYERS, highest: int = _USUAL_SET) -> SetUp:
    """The set-up for these, or for as near to them as the sheet goes."""
    played = DominoSet(MUGGINS_SET if game is Game.MUGGINS else highest)
    allowed = players_allowed(game, played)
    return setup_guide(game, min(allowed, key=lambda each: abs(each - players)), played)


def help_markup(visit: Visit, game: Game) -> Markup:
    """The page as markup."""
    chosen = visit.page_state.get(("help", game), {})
    highest = chosen.get("set", _USUAL_SET)
    guide = default_guide(game, chosen.get("players", _USUAL_PLAYERS), highest)
    parts = []
    if game is not Game.MUGGINS:
        title = visit.say("domino_page.set")
        options = [(visit.say("domino_page.double_set", set=each), each) for each in game.sets]
        parts += [tag("h2", title), chips("set", options, highest, title)]
    allowed = players_allowed(game, guide.domino_set)
    if len(allowed) > 1:
        title = visit.say("help.players")
        numbers = [(str(each), each) for each in allowed]
        parts += [tag("h2", title), chips("players", numbers, guide.players, title)]
    title = f"{kind_of(game.key.replace('-', '_')).name}  ·  {visit.say('help.title')}"
    cards = rules_cards(rules_of_play(guide, visit.language))
    return rules_page(visit, title, joined(*parts), set_up_lines(guide, visit.language), cards)


def _act_on_help(visit: Visit, game: Game, act: Act) -> None:
    chosen = visit.page_state.setdefault(("help", game), {})
    if act.do in ("players", "set") and act.value.isdecimal():
        number = int(act.value)
        if act.do == "players" or number in game.sets:
            chosen[act.do] = number
