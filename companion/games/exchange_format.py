"""What a file of exported games looks like, and whether one looks so."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from jsonschema import Draft202012Validator  # has no types

from companion.games.checking import check_text
from companion.games.errors import StoreError
from companion.games.merging import Json

__all__ = ["CHANGE_FIELDS", "FORMAT", "VERSION", "schema", "validate"]

FORMAT = "companion-games"
VERSION = 1
CHANGE_FIELDS = (
    "sequence",
    "part",
    "part_sequence",
    "based_on",
    "change_id",
    "who",
    "action",
    "outcome",
    "undoes",
    "value",
    "sent",
    "points",
)
"""What an export says of a change, besides when it was made."""


@cache
def schema() -> Json:
    """The JSON Schema (draft 2020-12) of an export."""
    text = files("companion.games").joinpath("export.schema.json").read_text(encoding="utf-8")
    return json.loads(text)


def validate(export: Json) -> None:
    """StoreError ``bad_import`` with the first thing of an export that is wrong."""
    if not isinstance(export, dict) or export.get("format") != FORMAT:
        raise StoreError("bad_import", reason="not_an_export")
    if export.get("version") != VERSION:
        raise StoreError("bad_import", reason="other_version", version=export.get("version"))
    error = next(iter(Draft202012Validator(schema()).iter_errors(export)), None)
    if error is not None:
        raise StoreError("bad_import", reason="schema", place=error.json_path)
    check_text(export)
    for game in export["games"]:
        sequences = [change["sequence"] for change in game["changes"]]
        ids = {change["change_id"] for change in game["changes"]}
        if sequences != list(range(1, len(sequences) + 1)) or len(ids) != len(sequences):
            raise StoreError("bad_import", reason="bad_log", game=game["id"])
        parts: dict[str, int] = {}
        for change in game["changes"]:
            parts[change["part"]] = parts.get(change["part"], 0) + 1
            if change["part_sequence"] != parts[change["part"]]:
                raise StoreError("bad_import", reason="bad_log", game=game["id"])
        if any(each["sequence"] > len(sequences) for each in game["collisions"]):
            raise StoreError("bad_import", reason="bad_log", game=game["id"])
