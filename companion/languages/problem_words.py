"""What is odd about a kingdom or a game. Codes are those of `Problem` and `GameProblem`."""

from __future__ import annotations

from companion.languages.words import Words

__all__ = ["WORDS"]

WORDS = {
    "problem.no_castle": Words("there is no castle", "das Schloss fehlt"),
    "problem.several_castles": Words("there are {found} castles", "es sind {found} Schlösser"),
    "problem.odd_squares": Words(
        "{found} terrain squares: dominoes always make an even number",
        "{found} Landschaftsfelder: Dominosteine ergeben immer eine gerade Zahl",
    ),
    "problem.too_many_crowns": Words(
        "{found} crowns: {terrain} never has more than {allowed}",
        "{found} Kronen: {terrain} hat nie mehr als {allowed}",
    ),
    "problem.more_than_box": Words(
        "{found} times {square}: the box holds only {allowed}",
        "{found}-mal {square}: die Schachtel hat nur {allowed}",
    ),
    "problem.too_wide": Words(
        "{found} columns: only {allowed} are allowed",
        "{found} Spalten: nur {allowed} sind erlaubt",
    ),
    "problem.too_high": Words(
        "{found} rows: only {allowed} are allowed", "{found} Zeilen: nur {allowed} sind erlaubt"
    ),
    "problem.not_connected": Words(
        "a part is not connected to the rest", "ein Teil hängt nicht mit dem Rest zusammen"
    ),
    "problem.no_partner": Words(
        "no neighbour that could be the other half of the domino",
        "kein Nachbarfeld, das die andere Hälfte des Dominosteins sein könnte",
    ),
    "problem.too_many_giants": Words(
        "{found} giants: there are only {allowed}", "{found} Giganten: es gibt nur {allowed}"
    ),
    "problem.same_colour": Words(
        "{players} have the same colour, {colour}", "{players} haben dieselbe Farbe, {colour}"
    ),
    "problem.brown_without_expansion": Words(
        "{players}: brown comes with Age of Giants only",
        "{players}: Braun gibt es nur mit Zeitalter der Giganten",
    ),
    "problem.at": Words("{problem} ({squares})", "{problem} ({squares})"),
    "square.place": Words("row {row}, column {column}", "Zeile {row}, Spalte {column}"),
    "square.player_place": Words("{player}: {place}", "{player}: {place}"),
}
