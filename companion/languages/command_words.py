"""What `kingdomino read` and `kingdomino app` print."""

from __future__ import annotations

from companion.languages.words import Words

__all__ = ["WORDS"]

WORDS = {
    "read.refused": Words("not read: {message}", "nicht gelesen: {message}"),
    "read.kingdom": Words("Kingdom {number} of {count}", "Königreich {number} von {count}"),
    "read.castle_colour": Words("Castle: {colour}", "Schloss: {colour}"),
    "read.notation": Words("Notation: {kingdom}", "Notation: {kingdom}"),
    "read.nothing_to_check": Words("Nothing to check.", "Nichts zu prüfen."),
    "read.check": Words("Please check:", "Bitte prüfen:"),
    "read.lattice_uncertain": Words(
        "the grid itself is not certain: compare its rows and columns with the table",
        "das Raster selbst ist nicht sicher: Zeilen und Spalten mit dem Tisch vergleichen",
    ),
    "read.next_best": Words(
        "the next best reading of this photo: {kingdom} ({points} points)",
        "die nächstbeste Lesung dieses Fotos: {kingdom} ({points} Punkte)",
    ),
    "read.doubtful": Words(
        "row {row}, column {column}: {label} ({percent} %)",
        "Zeile {row}, Spalte {column}: {label} ({percent} %)",
    ),
    "read.runner_up": Words(", or else {label}", ", sonst {label}"),
    "read.settled": Words(
        ", seen as {label} and changed to what the box holds",
        ", gesehen als {label} und geändert nach dem, was die Schachtel hat",
    ),
    "read.seconds": Words("Read in {seconds:.2f} s.", "In {seconds:.2f} s gelesen."),
    "read.done_before": Words(
        "{count} photos are in {file} already and are not read again.",
        "{count} Fotos stehen schon in {file} und werden nicht noch einmal gelesen.",
    ),
    "read.progress": Words(
        "{done} of {total} photos, {pace:.2f} s each, {left} left",
        "{done} von {total} Fotos, je {pace:.2f} s, noch {left}",
    ),
    "read.finished": Words(
        "{total} photos in {seconds:.1f} s, {refused} of them not read",
        "{total} Fotos in {seconds:.1f} s, davon {refused} nicht gelesen",
    ),
    "read.interrupted": Words(
        "Interrupted after {done} of {total} photos.",
        "Abgebrochen nach {done} von {total} Fotos.",
    ),
    "read.go_on": Words(
        "The same command goes on from there.", "Derselbe Befehl macht dort weiter."
    ),
    "read.results_unreadable": Words(
        "{file}, line {line}, is no result of this command; name another file.",
        "{file}, Zeile {line}, ist kein Ergebnis dieses Befehls; bitte eine andere Datei nennen.",
    ),
    "read.draw_needs_folder": Words(
        "--draw: {file} is one file, but there are {count} photos; name a folder.",
        "--draw: {file} ist eine Datei, es sind aber {count} Fotos; bitte einen Ordner nennen.",
    ),
    "read.draw_format": Words(
        "--draw: the picture must end in .jpg or .png, not {suffix}.",
        "--draw: das Bild muss auf .jpg oder .png enden, nicht auf {suffix}.",
    ),
    "read.dask_missing": Words(
        'Dask is not installed. Type: pip install "kingdomino-scorer[dask]"',
        'Dask ist nicht installiert. Bitte eingeben: pip install "kingdomino-scorer[dask]"',
    ),
    "file.not_written": Words(
        "{file} can't be written: {reason}", "{file} lässt sich nicht schreiben: {reason}"
    ),
    "square.castle": Words("castle", "Schloss"),
    "square.empty": Words("no square", "kein Feld"),
    "square.foreign": Words("something else", "etwas anderes"),
    "square.plain": Words("{terrain} without crown", "{terrain} ohne Krone"),
    "square.one_crown": Words("{terrain} with 1 crown", "{terrain} mit 1 Krone"),
    "square.crowns": Words("{terrain} with {crowns} crowns", "{terrain} mit {crowns} Kronen"),
    "square.covered": Words(
        "{square}, {giants} covered by giants", "{square}, {giants} von Giganten verdeckt"
    ),
    "colour.pink": Words("pink", "rosa"),
    "colour.yellow": Words("yellow", "gelb"),
    "colour.green": Words("green", "grün"),
    "colour.blue": Words("blue", "blau"),
    "colour.brown": Words("brown", "braun"),
    "crowns.one": Words("1 crown", "1 Krone"),
    "crowns.several": Words("{count} crowns", "{count} Kronen"),
    "squares.one": Words("1 square", "1 Feld"),
    "squares.several": Words("{count} squares", "{count} Felder"),
}
