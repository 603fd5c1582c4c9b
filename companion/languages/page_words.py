"""What the web app says."""

from __future__ import annotations

from companion.languages.words import Words

__all__ = ["WORDS"]

WORDS = {
    "page.title": Words("Kingdomino companion", "Kingdomino-Begleiter"),
    "page.title_short": Words("Companion", "Begleiter"),
    "page.home": Words("Home", "Startseite"),
    "page.back": Words("Back", "Zurück"),
    "page.close": Words("Close", "Schließen"),
    "page.undo": Words("Undo", "Rückgängig"),
    "page.done": Words("Done", "Fertig"),
    "page.cancel": Words("Cancel", "Abbrechen"),
    "page.other_language": Words("Deutsch", "English"),
    "page.needs_javascript": Words(
        "Please switch JavaScript on for this page.",
        "Bitte JavaScript für diese Seite einschalten.",
    ),
    "home.question": Words("Who won?", "Wer hat gewonnen?"),
    "home.photo": Words("Photograph the table", "Tisch fotografieren"),
    "home.photo_hint": Words(
        "From above, one kingdom or all of them.", "Von oben, ein Königreich oder alle."
    ),
    "home.by_hand": Words("By hand", "Von Hand"),
    "home.new": Words("New game", "Neue Partie"),
    "home.others": Words("Other games", "Andere Spiele"),
    "home.last": Words("Last games", "Letzte Partien"),
    "home.no_games": Words(
        "No games yet. The first photo makes one.",
        "Noch keine Partien. Das erste Foto macht eine.",
    ),
    "home.all_games": Words("All games", "Alle Partien"),
    "home.statistics": Words("Statistics", "Statistik"),
    "home.help": Words("Set-up and rules", "Aufbau und Regeln"),
    "home.phone": Words("Open on a phone", "Auf dem Telefon öffnen"),
    "home.phone_hint": Words(
        "In the same wireless network: scan this, or type the address.",
        "Im selben WLAN: das hier abfotografieren oder die Adresse eintippen.",
    ),
    "home.sample": Words("Try it with a sample", "Mit einem Beispiel ausprobieren"),
    "photo.reading": Words("Reading the photo …", "Das Foto wird gelesen …"),
    "photo.failed": Words(
        "The photo did not arrive. Please try again.",
        "Das Foto ist nicht angekommen. Bitte noch einmal.",
    ),
    "photo.gone": Words(
        "The photo is no longer here. Please take it again.",
        "Das Foto ist nicht mehr da. Bitte noch einmal aufnehmen.",
    ),
    "game.unknown": Words("There is no such game.", "Diese Partie gibt es nicht."),
    "game.deleted": Words("This game was deleted.", "Diese Partie wurde gelöscht."),
    "game.running": Words("not finished", "noch offen"),
    "game.won": Words("{name} wins, {points}", "{name} gewinnt, {points}"),
    "game.shared": Words("{names} share, {points}", "{names} teilen sich den Sieg, {points}"),
    "game.none": Words("No players yet", "Noch keine Spieler"),
    "game.share": Words("Share this game", "Partie teilen"),
    "game.share_hint": Words(
        "Whoever opens this link can look and change along.",
        "Wer diesen Link öffnet, sieht mit und kann mitändern.",
    ),
    "game.share_button": Words("Send the link", "Link schicken"),
    "game.menu": Words("Players and rules", "Spieler und Regeln"),
    "game.others_changed": Words(
        "Somebody else has changed this game.", "Jemand anderes hat diese Partie geändert."
    ),
    "list.two": Words("{first} and {last}", "{first} und {last}"),
    "quest.terrain": Words("{quest}: {terrain}", "{quest}: {terrain}"),
    "seat.numbered": Words("Player {number}", "Spieler {number}"),
    "seat.strip": Words("Players", "Spieler"),
    "seat.add": Words("Another player", "Noch ein Spieler"),
    "seat.open": Words("{name}, {points}", "{name}, {points}"),
    "seat.empty": Words("{name}, no kingdom yet", "{name}, noch kein Königreich"),
    "seat.to_check": Words("{count} to check", "{count} zu prüfen"),
    "seat.photo": Words("Photograph {name}’s kingdom", "Königreich von {name} fotografieren"),
    "seat.photo_short": Words("Take the photo", "Foto aufnehmen"),
    "seat.photo_next": Words("Photograph the next kingdom", "Nächstes Königreich fotografieren"),
    "seat.photo_again": Words("New photo", "Neues Foto"),
    "seat.by_hand": Words("Enter by hand", "Von Hand eingeben"),
    "seat.result": Words("Result", "Ergebnis"),
    "seat.filled": Words("{name}: the photo was read.", "{name}: Das Foto ist gelesen."),
    "seat.replaced": Words("{name}: new kingdom from the photo.", "{name}: neues Königreich."),
    "seat.next_best": Words(
        "The grid may be another one: {height} × {width}, {points}",
        "Das Raster kann ein anderes sein: {height} × {width}, {points}",
    ),
    "seat.take_next_best": Words("Take that one", "Dieses nehmen"),
    "seat.lattice": Words(
        "The grid itself is not certain. Compare rows and columns with the table.",
        "Das Raster selbst ist nicht sicher. Vergleiche Zeilen und Spalten mit dem Tisch.",
    ),
    "seat.odd": Words("Worth a look", "Ein Blick lohnt sich"),
    "seat.no_grid": Words(
        "No squares were found in that frame.", "In diesem Rahmen wurden keine Felder gefunden."
    ),
    "seat.collision": Words(
        "Two people set the same square. Which is right?",
        "Zwei haben dasselbe Feld gesetzt. Was stimmt?",
    ),
    "seat.collision_board": Words(
        "Two people changed this kingdom in different ways.",
        "Zwei haben dieses Königreich verschieden geändert.",
    ),
    "seat.collision_keep": Words("Keep what is here", "So lassen"),
    "seat.collision_other": Words("Take the other one", "Das andere nehmen"),
    "warning.unclear": Words("The photo is hard to read.", "Das Foto ist schwer zu lesen."),
    "whose.title": Words("Whose kingdom is it?", "Wessen Königreich ist das?"),
    "whose.new": Words("Somebody else", "Jemand anderes"),
    "whose.replace": Words("{name}, instead", "{name}, stattdessen"),
    "whose.skip": Words("Nobody’s", "Keins davon"),
    "players.title": Words("Players", "Spieler"),
    "players.name": Words("Name", "Name"),
    "players.add": Words("Add a player", "Spieler dazu"),
    "players.remembered": Words("From earlier games", "Aus früheren Partien"),
    "players.remove": Words("Remove {name}", "{name} entfernen"),
    "players.earlier": Words("{name} sits further to the front", "{name} weiter nach vorn"),
    "players.colour": Words("Castle of {name}", "Schloss von {name}"),
    "players.no_colour": Words("no colour yet", "noch keine Farbe"),
    "players.removed": Words("{name} has left the table.", "{name} ist nicht mehr dabei."),
    "players.play": Words("To the kingdoms", "Zu den Königreichen"),
    "players.refused.name_twice": Words(
        "Two players need two names.", "Zwei Spieler brauchen zwei Namen."
    ),
    "players.refused.bad_name": Words(
        "A name has up to 40 letters.", "Ein Name hat bis zu 40 Zeichen."
    ),
    "players.refused.too_many": Words("At most five play.", "Höchstens fünf spielen mit."),
    "players.refused.five_players_need_expansion": Words(
        "Five players need Age of Giants; switch it on below.",
        "Zu fünft braucht es Zeitalter der Giganten; schalte es unten ein.",
    ),
    "players.refused.duel_needs_two_players": Words(
        "The Mighty Duel is for two.", "Das große Duell ist für zwei."
    ),
    "players.refused.large_grid_needs_two_players": Words(
        "The 7×7 grid is for two.", "Das 7×7-Raster ist für zwei."
    ),
    "players.refused.other": Words("That does not go together.", "Das passt nicht zusammen."),
    "rules.title": Words("Rules of this game", "Regeln dieser Partie"),
    "rules.harmony": Words("Harmony: 5 for a full grid", "Harmonie: 5 für ein volles Raster"),
    "rules.middle_kingdom": Words(
        "Middle Kingdom: 10 for a castle in the centre",
        "Reich der Mitte: 10 für das Schloss in der Mitte",
    ),
    "rules.mighty_duel": Words("Mighty Duel, 7×7", "Das große Duell, 7×7"),
    "rules.dynasty": Words("Dynasty: three games, points added", "Dynastie: drei Partien, addiert"),
    "rules.giants": Words("Age of Giants", "Zeitalter der Giganten"),
    "rules.quests": Words("Quests", "Wertungsplättchen"),
    "rules.quest": Words("Quest {number}", "Wertungsplättchen {number}"),
    "rules.no_quest": Words("none", "keins"),
    "rules.draw": Words("Draw two", "Zwei ziehen"),
    "rules.compare_crowns": Words(
        "Ties: compare crowns too, as in the first English edition",
        "Gleichstand: auch Kronen vergleichen, wie in der ersten englischen Ausgabe",
    ),
    "rules.bleak_king_by_squares": Words(
        "Bleak King counts squares, not territories",
        "Bauernschlau zählt Felder statt Gebiete",
    ),
    "rules.game_of_dynasty": Words("Game {number}", "Partie {number}"),
    "rules.photos": Words(
        "Keep the photos with this game on this computer",
        "Fotos mit der Partie auf diesem Rechner behalten",
    ),
    "rules.squares": Words(
        "Keep corrected squares, so that reading gets better",
        "Verbesserte Felder behalten, damit das Lesen besser wird",
    ),
    "result.title": Words("Result", "Ergebnis"),
    "result.missing": Words("Still missing: {names}", "Es fehlt noch: {names}"),
    "result.few": Words(
        "A winner needs two kingdoms at least.", "Für einen Sieger braucht es zwei Königreiche."
    ),
    "result.to_check": Words("{name}: {count} to check", "{name}: {count} zu prüfen"),
    "result.tie": Words("How the tie was broken", "So löst sich der Gleichstand"),
    "result.pad": Words("Score pad", "Wertungsblock"),
    "result.kingdoms": Words("Kingdoms", "Königreiche"),
    "result.chart": Words("Where the points come from", "Woher die Punkte kommen"),
    "result.bonuses": Words("Bonuses", "Boni"),
    "result.quests": Words("Quests", "Wertungsplättchen"),
    "result.sum": Words("Sum", "Summe"),
    "result.game": Words("Game {number}", "Partie {number}"),
    "result.figure": Words("{name}, {row}: {points}", "{name}, {row}: {points}"),
    "result.card": Words("Picture to share", "Bild zum Teilen"),
    "result.card_alt": Words("The result as a picture", "Das Ergebnis als Bild"),
    "result.again": Words("Next game, same people", "Nächste Partie, gleiche Leute"),
    "result.edit": Words("Back to the kingdoms", "Zu den Königreichen"),
    "result.bg_stats": Words("Send to BG Stats", "An BG Stats"),
    "result.points": Words("Points", "Punkte"),
    "result.player": Words("Player", "Spieler"),
    "result.source": Words("From", "Aus"),
    "history.title": Words("All games", "Alle Partien"),
    "history.search": Words("Name, place or note", "Name, Ort oder Notiz"),
    "history.nothing": Words("No game found.", "Keine Partie gefunden."),
    "history.delete": Words("Delete the game of {day}", "Partie vom {day} löschen"),
    "history.deleted": Words("The game was deleted.", "Die Partie ist gelöscht."),
    "history.export": Words("Save everything (JSON)", "Alles sichern (JSON)"),
    "history.csv": Words("Results as a table (CSV)", "Ergebnisse als Tabelle (CSV)"),
    "history.import": Words("Bring games in (JSON)", "Partien einlesen (JSON)"),
    "history.imported": Words("{new} new, {known} already there.", "{new} neu, {known} schon da."),
    "history.not_imported": Words(
        "This file holds no games.", "In dieser Datei sind keine Partien."
    ),
    "history.note": Words("Note", "Notiz"),
    "history.place": Words("Place", "Ort"),
    "statistics.title": Words("Statistics", "Statistik"),
    "statistics.empty": Words(
        "Finished games fill this page.", "Fertige Partien füllen diese Seite."
    ),
    "statistics.games": Words("Games", "Partien"),
    "statistics.wins": Words("Wins", "Siege"),
    "statistics.mean": Words("Mean", "Schnitt"),
    "statistics.best": Words("Best", "Beste"),
    "statistics.over_time": Words("Points over time", "Punkte im Lauf der Zeit"),
    "statistics.by_terrain": Words("Mean points by terrain", "Punkte nach Landschaft im Schnitt"),
    "statistics.day": Words("Day", "Tag"),
    "help.title": Words("Set-up and rules", "Aufbau und Regeln"),
    "help.players": Words("How many play?", "Wie viele spielen?"),
    "help.scoring": Words("Scoring in short", "Wertung in Kürze"),
    "help.territory": Words(
        "A territory is squares of one terrain joined by their edges. It is worth its squares "
        "times its crowns.",
        "Ein Gebiet sind Felder einer Landschaft, Kante an Kante. Es zählt seine Felder mal seine "
        "Kronen.",
    ),
    "help.no_crowns": Words(
        "Without a crown a territory is worth nothing.", "Ohne Krone zählt ein Gebiet nichts."
    ),
    "help.tie": Words(
        "With equal points the largest territory wins; then the victory is shared.",
        "Bei gleichen Punkten siegt das größte Gebiet; danach teilt man sich den Sieg.",
    ),
    "help.variants": Words(
        "Harmony: 5 points for a full grid. Middle Kingdom: 10 points for a castle in the centre.",
        "Harmonie: 5 Punkte für ein volles Raster. Reich der Mitte: 10 Punkte für das Schloss in "
        "der Mitte.",
    ),
    "help.giants": Words(
        "Giants hide crowns: a hidden crown does not count.",
        "Giganten verdecken Kronen: Eine verdeckte Krone zählt nicht.",
    ),
}
