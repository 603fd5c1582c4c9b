"""What people read on the board, in English and German."""

from __future__ import annotations

from collections.abc import Mapping

from companion.languages import Language, Words
from scorer.kingdomino import Terrain

__all__ = ["WORDS", "board_words"]

WORDS: Mapping[str, Words] = {
    **{f"terrain.{each.letter}": Words(each.english.capitalize(), each.german) for each in Terrain},
    "crowns.one": Words("1 crown", "1 Krone"),
    "crowns.several": Words("{count} crowns", "{count} Kronen"),
    "squares.one": Words("1 square", "1 Feld"),
    "squares.several": Words("{count} squares", "{count} Felder"),
    "giants.one": Words("1 giant", "1 Gigant"),
    "giants.several": Words("{count} giants", "{count} Giganten"),
    "giants.name": Words("Giants", "Giganten"),
    "giants.fewer": Words("One giant fewer", "Ein Gigant weniger"),
    "giants.more": Words("One giant more", "Ein Gigant mehr"),
    "square.castle": Words("Castle", "Schloss"),
    "square.empty": Words("Empty", "Leer"),
    "square.foreign": Words("Something else", "Etwas anderes"),
    "square.place": Words("Row {row}, column {column}", "Zeile {row}, Spalte {column}"),
    "square.doubtful": Words("{square}, please check", "{square}, bitte prüfen"),
    "square.on_photo": Words("The square on the photo", "Das Feld auf dem Foto"),
    "board.name": Words(
        "Kingdom of {rows} rows and {columns} columns",
        "Königreich mit {rows} Zeilen und {columns} Spalten",
    ),
    "palette.name": Words("Terrains and crowns", "Landschaften und Kronen"),
    "points.unit.one": Words("point", "Punkt"),
    "points.unit.several": Words("points", "Punkte"),
    "points.live.one": Words("1 point", "1 Punkt"),
    "points.live.several": Words("{count} points", "{count} Punkte"),
    "points.nothing": Words(
        "No points yet. Tap a square, or paint.",
        "Noch keine Punkte. Tippe ein Feld an oder male.",
    ),
    "undo": Words("Undo", "Rückgängig"),
    "redo": Words("Redo", "Wiederholen"),
    "sync.late": Words(
        "No connection. It will be sent when it is back.",
        "Keine Verbindung. Wird gesendet, sobald sie da ist.",
    ),
    "doubts.one": Words("Check 1", "1 prüfen"),
    "doubts.several": Words("Check {count}", "{count} prüfen"),
    "doubt.question": Words("{square}?", "{square}?"),
    "doubt.right": Words("That’s right", "Stimmt"),
    "doubt.rather": Words("{square}", "{square}"),
    "doubt.anything": Words("Something else …", "Etwas anderes …"),
    "doubt.count": Words("{index} of {count}", "{index} von {count}"),
    "doubt.next": Words("Next one to check", "Nächstes Feld zum Prüfen"),
    "doubt.last": Words("Last one to check", "Voriges Feld zum Prüfen"),
    "view.name": Words("View", "Ansicht"),
    "view.photo": Words("Photo", "Foto"),
    "view.plan": Words("Plan", "Plan"),
    "paint.name": Words("Paint", "Malen"),
    "paint.hint": Words("Tap or drag over squares", "Felder antippen oder überstreichen"),
    "sheet.close": Words("Close", "Schließen"),
    "sheet.done": Words("Done", "Fertig"),
    "size.name": Words("Rows and columns", "Zeilen und Spalten"),
    "size.short": Words("More", "Mehr"),
    "line.less.top": Words("Remove the top row", "Oberste Zeile entfernen"),
    "line.less.bottom": Words("Remove the bottom row", "Unterste Zeile entfernen"),
    "line.less.left": Words("Remove the left column", "Linke Spalte entfernen"),
    "line.less.right": Words("Remove the right column", "Rechte Spalte entfernen"),
    "line.more.top": Words("Add a row at the top", "Zeile oben anfügen"),
    "line.more.bottom": Words("Add a row at the bottom", "Zeile unten anfügen"),
    "line.more.left": Words("Add a column at the left", "Spalte links anfügen"),
    "line.more.right": Words("Add a column at the right", "Spalte rechts anfügen"),
    "move.name": Words("Move all squares", "Alle Felder verschieben"),
    "move.top": Words("Move up", "Nach oben"),
    "move.bottom": Words("Move down", "Nach unten"),
    "move.left": Words("Move left", "Nach links"),
    "move.right": Words("Move right", "Nach rechts"),
    "turn": Words("Turn", "Drehen"),
    "clear": Words("Clear", "Leeren"),
    "crops": Words("Photo in squares", "Foto im Plan"),
    "corners.name": Words("Set the corners", "Ecken setzen"),
    "corners.hint": Words(
        "Drag each corner to a corner of the kingdom",
        "Ziehe jede Ecke auf eine Ecke des Königreichs",
    ),
    "corners.rows": Words("Rows", "Zeilen"),
    "corners.rows.less": Words("One row fewer", "Eine Zeile weniger"),
    "corners.rows.more": Words("One row more", "Eine Zeile mehr"),
    "corners.columns": Words("Columns", "Spalten"),
    "corners.columns.less": Words("One column fewer", "Eine Spalte weniger"),
    "corners.columns.more": Words("One column more", "Eine Spalte mehr"),
    "corners.read": Words("Read again", "Neu lesen"),
    "corners.reading": Words("Reading the squares …", "Die Felder werden gelesen …"),
    "corners.cancel": Words("Cancel", "Abbrechen"),
    "corner.top_left": Words("Corner at the top left", "Ecke oben links"),
    "corner.top_right": Words("Corner at the top right", "Ecke oben rechts"),
    "corner.bottom_right": Words("Corner at the bottom right", "Ecke unten rechts"),
    "corner.bottom_left": Words("Corner at the bottom left", "Ecke unten links"),
    "zoom.in": Words("Zoom in", "Größer"),
    "zoom.out": Words("Zoom out", "Kleiner"),
    "zoom.fit": Words("Show all", "Alles zeigen"),
}


def board_words(language: Language) -> dict[str, str]:
    """All words of the board in a language, by their code, {fields} left as they are."""
    return {code: words.text(language) for code, words in WORDS.items()}
