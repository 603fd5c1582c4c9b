"""Every page at three widths, light and dark, German and English, with 2, 3 and 5 players.

    python -m benchmarks.page_looks FOLDER

writes a picture of each into a folder, to be looked at, and counts in ``benchmarks/page_looks.md``
what axe-core finds and which pages scroll sideways.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.markdown_tables import markdown, provenance, show
from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.kind import KeptRules
from companion.games.kingdomino.table import COLOURS, new_table
from companion.store import Actor, Store, new_id, open_store
from companion.web.request import DEVICE_COOKIE, LANGUAGE_COOKIE
from scorer.kingdomino import Kingdom, Rules

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser.tools import Server

OUT = Path(__file__).with_name("page_looks.md")
WIDTHS, SCHEMES = (320, 390, 1280), ("light", "dark")
LOCALES = {"de": "de-DE", "en": "en-GB"}
NAMES = ("Anna", "Benedikt der Große", "Çiğdem", "Oma Gerda", "Konstantin")
FIFTH = "w1 w f f m/w c l l m2/g g s l1 w/. f1 f g g2/w w l l s2"
PHONE_PX = 1000


def addresses(store: Store, device: str) -> dict[str, str]:
    """The pages by name, with games of two, three and five players in the store."""
    from tests.browser.tables import FOUR

    found = {
        "home": "",
        "history": "?view=history",
        "statistics": "?view=statistics",
        "help": "?view=help&kind=kingdomino",
    }
    kingdoms = [*FOUR.values(), FIFTH]
    for count in (2, 3, 5):
        rules = KeptRules(Rules(age_of_giants=count == 5))
        table = new_table(store, Actor(device, NAMES[0]), rules)
        for name, colour, kingdom in list(zip(NAMES, COLOURS, kingdoms, strict=True))[:count]:
            table = table.with_player(name, colour)
            table = table.with_board(table.seats[-1], KeptBoard(Kingdom.parse(kingdom)), "set")
        game = f"?game={table.game.id}"
        found[f"board-{count}"] = f"{game}&seat={count}"
        found[f"result-{count}"] = f"{game}&view=result"
        found[f"players-{count}"] = f"{game}&view=players"
    return found


def looks(
    browser: Browser, server: Server, pages: dict[str, str], device: str, folder: Path
) -> Iterator[tuple[str, int, int]]:
    """Each page in each look: its name, what axe-core finds, pixels that it scrolls sideways."""
    from tests.browser.tools import axe_violations

    for width, scheme, language in product(WIDTHS, SCHEMES, LOCALES):
        on_phone = width < PHONE_PX
        context = browser.new_context(
            viewport={"width": width, "height": 844 if on_phone else 900},
            color_scheme="dark" if scheme == "dark" else "light",
            locale=LOCALES[language],
            has_touch=on_phone,
            is_mobile=on_phone,
            service_workers="block",
        )
        cookies = {DEVICE_COOKIE: device, LANGUAGE_COOKIE: language}
        context.add_cookies(
            [{"name": name, "value": value, "url": server.url} for name, value in cookies.items()]
        )
        page = context.new_page()
        for name, address in pages.items():
            page.goto(f"{server.url}/{address}")
            page.locator(".surface").first.wait_for(timeout=60_000)
            page.wait_for_timeout(1200)
            look = f"{name}-{width}-{scheme}-{language}"
            page.screenshot(path=folder / f"{look}.png")
            beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            yield look, len(axe_violations(page)), int(beyond)
        context.close()


def main(argv: Sequence[str] | None = None) -> None:
    from playwright.sync_api import sync_playwright

    from tests.browser.companion_app import APP
    from tests.browser.tools import CHROMIUM_FLAGS, Server, chromium_path

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the pictures go")
    folder: Path = parser.parse_args(argv).folder
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(APP, Path(data))
        server.start()
        device = new_id()
        store = open_store(f"sqlite:///{(Path(data) / 'companion.sqlite').as_posix()}")
        browser = playwright.chromium.launch(
            executable_path=chromium_path(), args=list(CHROMIUM_FLAGS)
        )
        found = list(looks(browser, server, addresses(store, device), device, folder))
        browser.close()
        store.close()
        server.kill()
    bad = [each for each in found if any(each[1:])]
    head = ("page", "axe-core", "pixels sideways")
    show(
        f"# page_looks\n\n{provenance()}. {len(found)} looks of pages; those with a finding of "
        f"axe-core, or that scroll sideways: {len(bad)}.\n\n{markdown(head, bad) if bad else ''}",
        OUT,
    )


if __name__ == "__main__":
    main()
