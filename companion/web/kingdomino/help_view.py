"""How to set up a game for so many players, with a picture of it, and the scoring in short."""

from __future__ import annotations

from companion.languages import Language, say
from companion.web.kingdomino.parts import kingdom_picture
from companion.web.parts import switch, top_bar
from companion.web.shell import Act, Markup, joined, show_markup, tag
from companion.web.visit import Visit
from scorer.kingdomino import Kingdom, RulesError, SetUp, score, setup_guide

__all__ = ["help_markup", "show_help"]

_EXAMPLE = Kingdom.parse("w1 w f . ./w w f1 f ./l l1 c m2 m1/. l g g1 ./. . g . .")
_SWITCHES = ("giants", "duel")


def show_help(visit: Visit) -> None:
    """Draw the page; the numbers that were chosen stay for the visit."""
    show_markup(help_markup(visit), key="help", on_act=lambda act: _act(visit, act))


def _act(visit: Visit, act: Act) -> None:
    chosen = visit.page_state.setdefault("help", {"players": 4})
    if act.do == "players" and act.value in ("2", "3", "4", "5"):
        chosen["players"] = int(act.value)
        chosen["giants"] = chosen.get("giants", False) or act.value == "5"
    elif act.do in _SWITCHES:
        chosen[act.do] = act.value == "true"


def help_markup(visit: Visit) -> Markup:
    """The page as markup."""
    chosen = visit.page_state.get("help", {"players": 4})
    players, giants = chosen["players"], bool(chosen.get("giants"))
    duel = bool(chosen.get("duel")) and players == 2
    try:
        guide = setup_guide(players, age_of_giants=giants, mighty_duel=duel)
    except RulesError:
        guide = setup_guide(players, age_of_giants=True)
    numbers = [
        tag(
            "button",
            number,
            type="button",
            data_do="players",
            data_value=number,
            aria_pressed="true" if number == players else "false",
        )
        for number in (2, 3, 4, 5)
    ]
    choice = tag("div", *numbers, class_="chips", role="group")
    switches = [switch("giants", visit.say("rules.giants"), guide.giants > 0)]
    if players == 2:
        switches.append(switch("duel", visit.say("rules.mighty_duel"), duel))
    lines = tag("ul", *[tag("li", line) for line in set_up_lines(guide, visit.language)])
    setting_up = tag(
        "section",
        tag("h2", visit.say("help.players")),
        choice,
        *switches,
        _row_picture(visit, guide),
        tag("div", lines, class_="list"),
        class_="card stack",
    )
    return joined(
        top_bar(visit, visit.say("help.title")),
        tag("div", setting_up, _scoring(visit), class_="columns two"),
    )


def set_up_lines(guide: SetUp, language: Language) -> list[str]:
    """What to put back, lay out and play, a sentence each."""
    values = {name: getattr(guide, name) for name in guide.__slots__}
    lines = [
        say("setup.put_back" if guide.put_back else "setup.put_back_none", language, **values),
        say("setup.row_letters" if guide.giants else "setup.row", language, **values),
    ]
    if guide.put_aside:
        places = ", ".join(map(str, guide.put_aside))
        lines.append(say("setup.put_aside", language, places=places))
    lines += [say(f"setup.{code}", language, **values) for code in ("rounds", "kings", "grid")]
    if guide.giants:
        lines.append(say("setup.giants", language, **values))
    return lines


def _row_picture(visit: Visit, guide: SetUp) -> Markup:
    """The row of dominoes on the table; those that are put aside are crossed out."""
    parts = []
    for index in range(guide.row):
        y = index * 14
        aside = index + 1 in guide.put_aside
        parts.append(
            f'<rect x="1" y="{y + 1}" width="24" height="11" rx="2" fill="#8a5a33" '
            f'opacity="{0.35 if aside else 1}"/><path d="M13 {y + 1}v11" stroke="#fffaf0"/>'
            f'<text x="32" y="{y + 10}" font-size="8" fill="currentColor">{index + 1}</text>'
        )
        if aside:
            parts.append(f'<path d="M2 {y + 2}l22 9M24 {y + 2}l-22 9" stroke="#97350f"/>')
    box = f"0 0 42 {guide.row * 14}"
    return Markup(
        f'<svg class="row-picture" viewBox="{box}" width="126" aria-hidden="true">'
        f"{''.join(parts)}</svg>"
    )


def _scoring(visit: Visit) -> Markup:
    picture = kingdom_picture(_EXAMPLE, visit.say("help.scoring"), score(_EXAMPLE))
    lines = [
        tag("p", visit.say(f"help.{code}"))
        for code in ("territory", "no_crowns", "tie", "variants", "giants")
    ]
    heading = tag("h2", visit.say("help.scoring"))
    return tag("section", heading, picture, *lines, class_="card stack")
