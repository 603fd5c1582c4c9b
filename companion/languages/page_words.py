"""What the web app says."""

from __future__ import annotations

from companion.languages.words import Words

__all__ = ["WORDS"]

WORDS = {
    "page.title": Words("Kingdomino companion", "Kingdomino-Begleiter"),
    "page.language": Words("Language", "Sprache"),
    "start.photo": Words("Photo of a kingdom", "Foto eines Königreichs"),
    "start.choose": Words("Choose or take a photo", "Foto wählen oder aufnehmen"),
    "start.photo_hint": Words(
        "Take it from above, with all squares in the picture. Several kingdoms are fine.",
        "Am besten von oben, mit allen Feldern im Bild. Auch mehrere Königreiche.",
    ),
    "start.camera": Words("Camera of this device", "Kamera dieses Geräts"),
    "start.samples": Words("Try a sample", "Ein Beispiel ausprobieren"),
    "start.sample": Words("Read sample {number}", "Beispiel {number} lesen"),
    "start.by_hand": Words("Without a photo", "Ohne Foto"),
    "start.empty": Words("Empty {side}×{side}", "Leeres {side}×{side}"),
    "start.reading": Words("Reading the photo …", "Das Foto wird gelesen …"),
    "start.not_read": Words("{name}: {message}", "{name}: {message}"),
    "start.back": Words("Back to the kingdom", "Zurück zum Königreich"),
    "kingdom.new": Words("New photo", "Neues Foto"),
    "kingdom.choose": Words("Kingdom", "Königreich"),
    "kingdom.points": Words("Points", "Punkte"),
    "kingdom.photo": Words("What was read on the photo", "Was auf dem Foto gelesen wurde"),
    "kingdom.photo_alt": Words(
        "The photo with the grid and the reading of each square",
        "Das Foto mit dem Raster und der Lesung jedes Feldes",
    ),
    "kingdom.lattice_uncertain": Words(
        "The grid itself is not certain. Compare its rows and columns with the table.",
        "Das Raster selbst ist nicht sicher. Bitte Zeilen und Spalten mit dem Tisch vergleichen.",
    ),
    "kingdom.next_best": Words(
        "Take the other reading: {height} × {width}, {points} points",
        "Die andere Lesung nehmen: {height} × {width}, {points} Punkte",
    ),
    "kingdom.one_doubt": Words("1 square to check", "1 Feld prüfen"),
    "kingdom.doubts": Words("{count} squares to check", "{count} Felder prüfen"),
    "kingdom.show_photo": Words("Show the photo in the squares", "Foto in den Feldern zeigen"),
    "grid.square": Words("{place}: {square}", "{place}: {square}"),
    "grid.doubtful": Words("{square}, please check", "{square}, bitte prüfen"),
    "grid.tap": Words(
        "Tap a square to set its terrain and crowns.",
        "Tippe ein Feld an, um Landschaft und Kronen zu setzen.",
    ),
    "editor.read": Words("Read as {square}, {percent} %", "Gelesen als {square}, {percent} %"),
    "editor.right": Words("That is right", "Das stimmt"),
    "editor.rather": Words("Rather {square}", "Eher {square}"),
    "editor.on_photo": Words("On the photo", "Auf dem Foto"),
    "editor.terrain": Words("Terrain", "Landschaft"),
    "editor.crowns": Words("Crowns", "Kronen"),
    "editor.giants": Words("Giants", "Giganten"),
    "editor.castle": Words("Castle", "Schloss"),
    "editor.empty": Words("Empty", "Leer"),
    "score.territories": Words("Territories", "Gebiete"),
    "score.nothing": Words(
        "No crowns yet, so no territory scores.",
        "Noch keine Kronen, also bringt kein Gebiet Punkte.",
    ),
    "score.without_crowns": Words("Without crowns: {territories}", "Ohne Kronen: {territories}"),
    "score.territory_short": Words("{terrain} {squares}", "{terrain} {squares}"),
    "score.product": Words("{squares} × {crowns}", "{squares} × {crowns}"),
    "score.odd": Words("Odd about this kingdom", "Auffällig an diesem Königreich"),
    "score.notation": Words("Notation", "Notation"),
    "rules.title": Words("Rules of your game", "Regeln eurer Partie"),
    "rules.harmony": Words("Harmony: 5 for a full grid", "Harmonie: 5 für ein volles Raster"),
    "rules.middle_kingdom": Words(
        "Middle Kingdom: 10 for a castle in the centre",
        "Reich der Mitte: 10 für das Schloss in der Mitte",
    ),
    "rules.giants": Words("Age of Giants", "Zeitalter der Giganten"),
    "rules.quests": Words("Quests", "Wertungsplättchen"),
    "rules.large_grid": Words("7×7, as in the Mighty Duel", "7×7, wie im großen Duell"),
    "rules.compare_crowns": Words(
        "Ties: compare crowns too, as in the first English edition",
        "Gleichstand: auch Kronen vergleichen, wie in der ersten englischen Ausgabe",
    ),
    "rules.bleak_king_by_squares": Words(
        "Bleak King counts squares, not territories",
        "Bauernschlau zählt Felder statt Gebiete",
    ),
    "quest.terrain": Words("{quest}: {terrain}", "{quest}: {terrain}"),
    "players.title": Words("Players and ranking", "Spieler und Rangliste"),
    "players.name": Words("Player", "Spieler"),
    "players.numbered": Words("Player {number}", "Spieler {number}"),
    "players.keep": Words("Keep this kingdom", "Königreich behalten"),
    "players.kept": Words(
        "Kept kingdoms stay in the address of this page, for 2 to 5 players.",
        "Behaltene Königreiche bleiben in der Adresse dieser Seite, für 2 bis 5 Spieler.",
    ),
    "players.points": Words("{name}: {points}", "{name}: {points}"),
    "players.remove": Words("Remove {name}", "{name} entfernen"),
    "size.title": Words("Size of the grid", "Größe des Rasters"),
    "size.top": Words("Row above", "Zeile oben"),
    "size.bottom": Words("Row below", "Zeile unten"),
    "size.left": Words("Column left", "Spalte links"),
    "size.right": Words("Column right", "Spalte rechts"),
    "size.trim": Words("Cut empty edges", "Leere Ränder weg"),
}
