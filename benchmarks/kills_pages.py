"""Whether a killed server ever loses what its pages have confirmed.

    python -m benchmarks.kills_pages --kills 100 --out benchmarks/kills_pages.md

A phone paints a kingdom; at a random moment the server is killed and started again, over and over,
while the page stays open. Right after each kill the database must have every change that the page
showed as confirmed, and in the end every change at all.
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from benchmarks.markdown_tables import provenance, show

if TYPE_CHECKING:
    from tests.browser.killing_pages import KilledPage


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="write the table here too")
    options = parser.parse_args(argv)
    found: list[KilledPage] = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            run(Path(folder), options.kills, Random(options.seed), found)
        finally:
            text = report(found, options.seed)
            show(text, options.out)
    return int(any(each.lost or each.missing for each in found))


def run(folder: Path, kills: int, rng: Random, found: list[KilledPage]) -> None:
    """Kill so many times; each result is added to ``found`` as it comes."""
    from playwright.sync_api import sync_playwright

    from tests.browser.companion_app import APP, Visitor, game_by_hand
    from tests.browser.killing_pages import kill_while_painting
    from tests.browser.tools import CHROMIUM_FLAGS, Server, chromium_path, open_phone

    server = Server(APP, folder)
    server.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium_path(), args=list(CHROMIUM_FLAGS)
            )
            visitor = Visitor(open_phone(browser).new_page(), server.url)
            game_by_hand(visitor, "Anna")
            for killed in kill_while_painting(visitor, server, kills, rng):
                found.append(killed)
                print(f"{len(found)}/{kills}: {killed}", file=sys.stderr, flush=True)
            browser.close()
    finally:
        server.kill()


def report(found: Sequence[KilledPage], seed: int) -> str:
    """The table of all kills."""
    return "\n".join(
        [
            f"# The server of the pages killed {len(found)} times, {provenance()}",
            "",
            f"`python -m benchmarks.kills_pages --kills {len(found)} --seed {seed}`, "
            f"Python {platform.python_version()}, Chromium at 390×844",
            "",
            "| kills | changes | confirmed before the kill | lost of these | missing in the end |",
            "| --- | --- | --- | --- | --- |",
            f"| {len(found)} | {sum(each.taps for each in found)} | "
            f"{sum(each.confirmed for each in found)} | {sum(each.lost for each in found)} | "
            f"{sum(each.missing for each in found)} |",
            "",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
