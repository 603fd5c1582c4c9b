"""A finished game handed over to BG Stats, an app that people keep their plays in.

Source of the format: BG Stats, "Push plays to BG Stats from other apps or websites", on
bgstatsapp.com. There is no key and no server: the link opens the app, which asks before it keeps
anything.
"""

from __future__ import annotations

import json
from datetime import UTC
from urllib.parse import quote

from companion.games.errors import StoreError
from companion.games.kinds import kind_of
from companion.games.merging import Json
from companion.games.model import Game

__all__ = ["SOURCE", "bg_stats_link", "bg_stats_play"]

SOURCE = "Kingdomino companion"
_LINK = "bgstats://app.bgstatsapp.com/createPlay.html?data="


def bg_stats_play(game: Game) -> Json:
    """The play in the format of BG Stats; its time is UTC, when the game ended.

    The link of the game is not given away. StoreError ``bad_value`` for a game without a result.
    """
    if not game.results.complete:
        raise StoreError("bad_value", part="", reason="not_complete")
    kind = kind_of(game.kind)
    about = game.values.get("about") or {}
    played_at = game.played_at if "played_at" in about else game.changed_at
    results = {each.player: each for each in game.results.players}
    play: dict[str, Json] = {
        "sourceName": SOURCE,
        "sourcePlayId": f"{game.kind}-{game.created_at.astimezone(UTC):%Y%m%d%H%M%S%f}",
        "playDate": f"{played_at.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
        "game": {
            "name": kind.name,
            "sourceGameId": kind.key,
            "highestWins": kind.highest_wins,
            "noPoints": False,
        },
        "players": [
            {
                "name": player.name,
                "sourcePlayerId": player.name.casefold(),
                "startPlayer": False,
                "score": results[player.id].points,
                "rank": results[player.id].place,
                "winner": results[player.id].won,
                "role": player.colour or "",
            }
            for player in game.players
        ],
    }
    if kind.bgg_id is not None:
        play["game"]["bggId"] = kind.bgg_id
    if about.get("place"):
        play["location"] = about["place"]
    if about.get("note"):
        play["comments"] = about["note"][:400]
    return play


def bg_stats_link(game: Game) -> str:
    """The address that opens BG Stats on this phone with the play to be kept."""
    return _LINK + quote(json.dumps(bg_stats_play(game), ensure_ascii=False), safe="")
