"""`companion app`: starts the web app, as `kingdomino app` does."""

from __future__ import annotations

from companion.cli.kingdomino.app import add_parser, run

__all__ = ["add_parser", "run"]
