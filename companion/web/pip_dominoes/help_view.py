"""How to set up and play a game of pip dominoes, by the number of players and the set."""

from __future__ import annotations

from companion.games.pip_dominoes.guide import rules_of_play, set_up_lines
from companion.store import kind_of
from companion.web.parts import chips
from companion.web.rules import rules_cards, rules_page
from companion.web.shell import Act, Markup, joined, show_markup, tag
from companion.web.visit import Visit
from scorer.pip_dominoes import DominoSet, Game, SetUp, players_allowed, setup_guide
from scorer.pip_dominoes.games import MUGGINS_SET

__all__ = ["default_guide", "help_markup", "show_help"]

_USUAL_SET, _USUAL_PLAYERS = 12, 4


def show_help(visit: Visit, kind: str) -> None:
    """Draw the page; what was chosen stays for the visit."""
    game = Game.of(kind.replace("_", "-"))
    show_markup(
        help_markup(visit, game), key=f"help-{kind}", on_act=lambda act: _act(visit, game, act)
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


def _act(visit: Visit, game: Game, act: Act) -> None:
    chosen = visit.page_state.setdefault(("help", game), {})
    if act.do in ("players", "set") and act.value.isdecimal():
        number = int(act.value)
        if act.do == "players" or number in game.sets:
            chosen[act.do] = number
