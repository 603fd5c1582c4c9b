"""What the pages of all games share: names and seats, charts, refusals, days and points."""

from __future__ import annotations

import logging
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from datetime import datetime
from functools import partial
from threading import Lock

import altair as alt
import streamlit as st

from companion.languages import Language, codes, listed, say
from companion.reading.jobs import photo_message
from companion.store import DATABASE_ERRORS, Game, Player, Store, StoreError, registered
from companion.store.history import Summary, delete_game, remembered_names, restore_game
from companion.web.game_pages import GamePages
from companion.web.network import qr_code, shown_address
from companion.web.photo_cache import CachedPhoto
from companion.web.shell import Act, Markup, act_button, go_link, icon, joined, show_markup, tag
from companion.web.visit import Visit, address
from vision.photo.errors import PhotoError

_LOG = logging.getLogger(__name__)
_INKS = {"light": ("#2b2116", "#dcc7a3"), "dark": ("#f6ebdb", "#54432f")}


def chart_of(rows: Sequence[Mapping[str, object]]) -> alt.Chart:
    """A chart of rows of plain data, to be encoded with types of its own."""
    return alt.Chart(alt.Data(values=list(rows)))  # type: ignore[no-untyped-call]


def show_chart(chart: alt.Chart, *, key: str) -> None:
    """Draw a chart without a frame, with letters large enough for a phone."""
    ink, line = _INKS["dark" if st.context.theme.type == "dark" else "light"]
    look = (
        chart.configure(background="transparent", autosize=alt.AutoSizeParams(type="fit-x"))
        .configure_view(strokeWidth=0)
        .configure_axis(
            labelFontSize=14,
            titleFontSize=14,
            labelLimit=110,
            labelColor=ink,
            titleColor=ink,
            gridColor=line,
            domainColor=line,
            tickColor=line,
        )
        .configure_legend(labelFontSize=14, labelLimit=180, labelColor=ink, symbolStrokeWidth=0)
    )
    st.altair_chart(look, theme=None, width="stretch", key=key)


def count_of_points(points: int, language: Language) -> str:
    """ "1 point", "27 points"."""
    return say("points", language, count=points)


def day(moment: datetime, language: Language) -> str:
    """The day as it is written in the language."""
    return say("page.day", language, day=moment.date())


def headline(game: Summary, language: Language, *, is_open: bool = False) -> str:
    """Who won a game, or who sits at it; who sits there too where it ``is_open`` who won.

    Of a patience that did not come out it says what was left.
    """
    names = [each.name for each in game.players]
    if not names:
        return say("game.none", language)
    if not game.complete:
        return f"{listed(names, language)}, {say('game.running', language)}"
    if is_open:
        return f"{listed(names, language)}, {say('game.winner_open', language)}"
    winners = [each for each in game.players if each.won]
    points = count_of_points((winners or game.players)[0].points or 0, language)
    if not winners:
        return f"{listed(names, language)}, {points}"
    if len(winners) == 1:
        return say("game.won", language, name=winners[0].name, points=points)
    shared = listed([each.name for each in winners], language)
    return say("game.shared", language, names=shared, points=points)


_REFUSED = re.compile(r"refused:([a-z_]{1,40})(?::([A-Za-z0-9]{1,12}))?")


def refused_id(error: PhotoError) -> str:
    """What the browser gets in place of the id of a photo."""
    file_format = str(error.details.get("format", ""))
    return f"refused:{error.code}:{file_format}" if file_format else f"refused:{error.code}"


def sent_photo(visit: Visit, photo_id: str) -> CachedPhoto:
    """The photo that this device sent under that id.

    PhotoError with what ``refused_id`` wrote into the id, or ``gone``: also for what others sent.
    """
    if found := _REFUSED.fullmatch(photo_id):
        raise PhotoError(found[1], format=found[2] or "")
    photo = visit.photos.get(photo_id)
    if photo is None or photo.device != visit.device:
        raise PhotoError("gone")
    return photo


def photo_refusal(error: PhotoError, visit: Visit) -> str:
    """Why a photo was not taken, in a sentence; that it did not arrive for an unknown reason."""
    # Where pages have words of their own: no format, no size in pixels, what to do with a phone.
    if (own := f"refused.{error.code}") in codes():
        return visit.say(own)
    if f"photo.{error.code}" not in codes():
        return visit.say("photo.failed")
    try:
        return photo_message(error, visit.language)
    except KeyError:  # A sentence with a detail that was not kept.
        return visit.say("photo.failed")


_NAMES_SHOWN = 12


def sign_button(picture: str, name: str, do: str, value: str | int, *, off: bool = False) -> Markup:
    """A button that is an icon; ``name`` says what it does."""
    return act_button(do, icon(picture), value=value, named=name, disabled=off, look="bare")


def chips(do: str, options: Iterable[tuple[str, object]], chosen: object, name: str) -> Markup:
    """Buttons of which one is pressed; the act is ``do`` with the value of an option."""
    buttons = [
        act_button(do, words, value=str(value), pressed=value == chosen) for words, value in options
    ]
    return tag("div", *buttons, class_="chips", role="group", aria_label=name)


def remembered_chips(
    visit: Visit, here: Set[str], do: str = "add", before: str = ""
) -> list[Markup]:
    """Names of earlier games that are not ``here`` (casefolded), one tap each (``do``).

    ``before`` leads the name in the value of the act. Those that a game gave to somebody whom
    nobody had named are no people's names.
    """
    known = [
        name
        for name in remembered_names(visit.store, visit.device, limit=40)
        if name.casefold() not in here
        and not any(kind.is_given_name(name) for kind in registered())
    ][:_NAMES_SHOWN]
    return [act_button(do, name, value=f"{before}{name}") for name in known]


def name_field(words: str, do: str, of: str | None = None) -> Markup:
    """Where names are typed, one after the other: Enter sends one and empties the field.

    ``of`` is whose name it is, and leads the value of the act.
    """
    return tag(
        "input",
        type="text",
        value="",
        data_do=do,
        maxlength=40,
        autocomplete="off",
        placeholder=words,
        aria_label=words,
        data_value=of,
        data_again=True,
        data_key="add",
    )


def rename_field(visit: Visit, player: Player) -> Markup:
    """Where the name of a player is changed (``name``)."""
    return tag(
        "input",
        type="text",
        value=player.name,
        data_do="name",
        data_value=player.id,
        maxlength=40,
        autocomplete="off",
        aria_label=visit.say("players.name"),
    )


def newcomers(visit: Visit, here: Set[str]) -> Markup:
    """A name to type, and below it those of earlier games."""
    earlier = remembered_chips(visit, here)
    typed = name_field(visit.say("players.add"), "add")
    heading = tag("h3", visit.say("players.remembered")) if earlier else None
    offered = tag("div", *earlier, class_="chips")
    return tag("div", typed, heading, offered, class_="stack", data_key="newcomers")


def sharing_parts(visit: Visit, game_id: str) -> tuple[Markup, Markup | None, Markup]:
    """A hint, the unguessable link of the game as a QR code, and a button that sends it."""
    where = address(game=game_id)
    base = shown_address()
    code = tag("div", qr_code(base + where), class_="qr") if base else None
    button = act_button("share-link", icon("share"), visit.say("game.share_button"), value=where)
    return tag("p", visit.say("game.share_hint"), class_="soft"), code, button


def photo_field(
    visit: Visit,
    words: str,
    look: str,
    *,
    value: str = "",
    large: bool = False,
    many: bool = True,
    aim: str | None = None,
) -> Markup:
    """A button that takes or chooses photos; the act ``photo`` comes with ``VALUE|ID ID …``.

    ``aim`` names the game whose ``glance`` is shown in the live view of the camera, where there
    is one; it then takes the photo by itself.
    """
    field = tag(
        "input",
        type="file",
        accept="image/*",
        multiple=many,
        data_photo=value,
        data_aim=aim,
        data_waiting=visit.say("photo.reading"),
        data_failed=visit.say("photo.failed"),
        data_later=visit.say("photo.later"),
        data_turn=visit.say("photo.turn", count="{count}"),
    )
    look = f"button {look}"
    return tag("label", icon("camera", "large" if large else ""), words, field, class_=look)


def game_list(
    visit: Visit, games: Iterable[Summary], pages: Iterable[GamePages], *, delete: bool = False
) -> Markup:
    """Games as links, each with its day and who won."""
    of_kind = {each.kind: each for each in pages}
    titles = {kind: each.title(visit.language) for kind, each in of_kind.items()}
    lines = []
    for game in games:
        kind = titles.get(game.kind, "") if len(titles) > 1 else ""
        when = "  ·  ".join(filter(None, [day(game.played_at, visit.language), kind, game.title]))
        is_open = is_winner_open(visit.store, game, of_kind.get(game.kind))
        who = headline(game, visit.language, is_open=is_open)
        inside = joined(tag("div", who), tag("div", when, class_="when"))
        opened = go_link(address(game=game.id), inside, look="game")
        name = visit.say("history.delete", day=day(game.played_at, visit.language))
        removing = (
            act_button("delete", icon("trash"), value=game.id, named=name) if delete else None
        )
        lines.append(tag("li", opened, removing))
    return tag("ul", *lines, class_="games")


_OPEN: OrderedDict[tuple[str, datetime], bool] = OrderedDict()
_MOST_OPEN = 1000
_OPEN_LOCK = Lock()


def is_winner_open(store: Store, game: Summary, pages: GamePages | None) -> bool:
    """Whether who won is open, asked of its pages once for each change of a game."""
    ask = pages.is_open if pages is not None and game.complete else None
    if ask is None:
        return False
    key = (game.id, game.changed_at)
    with _OPEN_LOCK:
        known = _OPEN.get(key)
    if known is None:
        known = ask(store, game.id)
        with _OPEN_LOCK:
            _OPEN[key] = known
            while len(_OPEN) > _MOST_OPEN:
                _OPEN.popitem(last=False)
    return known


def spoken(words: str, shown: Markup | str, look: str = "shown") -> Markup:
    """Words for screen readers, and beside them what is seen, which says it in short."""
    heard = tag("span", words, class_="hidden")
    return joined(heard, tag("span", shown, aria_hidden="true", class_=look))


def next_game(visit: Visit, game: Game) -> Markup:
    """The way to the next game of this kind with the same people."""
    return go_link(
        address(new=game.kind, like=game.id),
        icon("people"),
        visit.say("domino_page.again"),
        look="button main middle",
    )


def restore_button(visit: Visit, game_id: str, look: str = "main") -> Markup:
    """Brings a deleted game back (``restore``), for everybody who had it."""
    words = visit.say("game.restore")
    return act_button("restore", icon("undo"), words, value=game_id, look=look)


def deleted_games(
    visit: Visit, games: Sequence[Summary], pages: Iterable[GamePages], *, by_others: bool = False
) -> Markup | None:
    """Deleted games, each with its way back; ``by_others`` where somebody else has deleted them.

    Whoever had them may agree (``delete``), and is not asked again.
    """
    if not games:
        return None
    of_kind = {each.kind: each for each in pages}
    lines = []
    for game in games:
        when = day(game.played_at, visit.language)
        by_other = game.deleted_by not in ("", visit.device)
        who = tag("div", visit.say("history.deleted_by_other"), class_="when") if by_other else None
        is_open = is_winner_open(visit.store, game, of_kind.get(game.kind))
        named = tag("div", headline(game, visit.language, is_open=is_open), class_="grow")
        said = tag("div", named, tag("div", when, class_="when"), who, class_="grow")
        agree = visit.say("history.agree")
        fine = act_button("delete", agree, value=game.id) if by_others else None
        back = restore_button(visit, game.id, "")
        lines.append(tag("li", said, back, fine, class_="deleted row", data_key=f"gone-{game.id}"))
    title = visit.say("history.deleted_by_others" if by_others else "history.deleted_title")
    if by_others:
        return tag("section", tag("h2", title), tag("ul", *lines, class_="games"), class_="card")
    body = tag("ul", *lines, class_="games")
    return tag("details", tag("summary", title), body, data_key="deleted", class_="card")


def act_on_deleted(visit: Visit, act: Act) -> bool:
    """Bring a game back, or agree that it is gone; False for any other act."""
    known = visit.store.has_joined(act.value, visit.device) if act.value else False
    if act.do == "restore" and known:
        restore_game(visit.store, act.value, visit.actor)
        visit.notify(visit.say("history.restored"))
    elif act.do == "delete" and known and visit.store.is_deleted(act.value):
        delete_game(visit.store, act.value, visit.actor)
    else:
        return False
    return True


def sign_link(name: str, picture: str, where: str) -> Markup:
    """A link that is an icon; ``name`` says where it leads."""
    return go_link(where, icon(picture), look="button bare", named=name)


def top_bar(
    visit: Visit,
    title: str,
    *signs: Markup | None,
    back: str = "./",
    back_name: str | None = None,
) -> Markup:
    """The bar at the top: the way back, home without one, the title, and what else is offered."""
    name = visit.say("page.home") if back_name is None else back_name
    heading = tag("h1", title, class_="title")
    return tag(
        "header",
        sign_link(name, "back", back),
        heading,
        *signs,
        class_="top",
        data_page=address(**visit.parameters),
    )


def card_link(visit: Visit, game_id: str) -> Markup:
    """The result as a picture: for the phone's own share sheet, or else in a tab."""
    return tag(
        "a",
        icon("share"),
        visit.say("result.card"),
        href=f"card/{game_id}/{visit.language.value}",
        target="_blank",
        data_share=f"{visit.say('result.title')}.png",
        class_="button",
    )


def switch(
    name: str, words: str, on: bool, *, off: bool = False, remember: str | None = None
) -> Markup:
    """A switch whose act is its name; ``remember`` is the cookie that keeps it on the device."""
    field = tag(
        "input",
        type="checkbox",
        data_do=name,
        data_remember=remember,
        checked=on,
        disabled=off,
    )
    return tag("label", field, tag("span", words), class_="switch")


def answered(visit: Visit) -> Markup:
    """Tells the scripts of a page how many photos were dealt with."""
    return tag("span", hidden=True, data_answered=visit.answered)


def sharing(visit: Visit, game_id: str) -> Markup:
    """The link of a game behind a line that opens, for the phones around the table."""
    summary = tag("summary", visit.say("game.share"))
    parts = tag("div", *sharing_parts(visit, game_id), class_="stack")
    return tag("details", summary, parts, class_="sharing")


def refusal(error: StoreError | PhotoError, visit: Visit) -> str:
    """Why something was not done, in a sentence."""
    if isinstance(error, PhotoError):
        return photo_refusal(error, visit)
    code = f"players.refused.{error.details.get('reason', '')}"
    if error.code in ("nothing_to_undo", "no_collision"):
        code = f"store_error.{error.code}"
    if code not in codes():
        code = "players.refused.other"
    return visit.say(code, most=error.details.get("most", ""))


def show_part(visit: Visit, markup: Markup, key: str, do: Callable[[Act], None]) -> None:
    """Draw a part of a page that does acts; see ``show_markup``."""
    show_markup(markup, key=key, on_act=partial(answer, visit, do))


def answer(visit: Visit, do: Callable[[Act], None], act: Act) -> None:
    """Do an act, and say on the page why the store did not take it, until another is done."""
    visit.drop_refusal()
    try:
        do(act)
    except StoreError as error:
        visit.notify(refusal(error, visit))
    except DATABASE_ERRORS:
        _LOG.exception("not done")
        visit.notify(visit.say("page.not_done"))


def words_of(
    prefixes: str | tuple[str, ...], language: Language, fields: Iterable[str]
) -> dict[str, str]:
    """All words of these codes in a language, by their code, {fields} left as they are."""
    kept = {field: f"{{{field}}}" for field in fields}
    return {code: say(code, language, **kept) for code in codes() if code.startswith(prefixes)}
