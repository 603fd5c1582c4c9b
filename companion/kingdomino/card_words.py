"""The texts of the result card."""

from __future__ import annotations

from companion.languages.words import Words

__all__ = ["WORDS"]

WORDS = {
    "wins": Words("{name} wins with {points} points", "{name} gewinnt mit {points} Punkten"),
    "shared": Words(
        "{names} and {last} share the victory with {points} points",
        "{names} und {last} teilen sich den Sieg mit {points} Punkten",
    ),
    "largest_territory": Words(
        "ahead of {others} by the largest territory",
        "vor {others} durch das größte Gebiet",
    ),
    "crowns": Words("ahead of {others} by crowns", "vor {others} durch Kronen"),
    "dynasty": Words("Dynasty, three games", "Dynastie, drei Partien"),
    "bonuses": Words("Bonuses", "Boni"),
    "sum": Words("Sum", "Summe"),
}
