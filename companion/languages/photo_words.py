"""Why a photo could not be read, and what to do about it. Codes are those of `PhotoError`."""

from __future__ import annotations

from companion.languages.words import Words

__all__ = ["WORDS"]

WORDS = {
    "photo.missing_file": Words(
        "There is no such file. Check the name and the folder.",
        "Diese Datei gibt es nicht. Bitte Namen und Ordner prüfen.",
    ),
    "photo.is_folder": Words(
        "This is a folder without any picture in it. Name photos, or a folder that holds some.",
        "Das ist ein Ordner ohne Bilder. Bitte Fotos angeben oder einen Ordner, der welche hat.",
    ),
    "photo.empty_file": Words(
        "The file is empty. Copy it again from the phone.",
        "Die Datei ist leer. Bitte noch einmal vom Telefon kopieren.",
    ),
    "photo.not_a_picture": Words(
        "This is not a picture, whatever its name says. Choose a photo.",
        "Das ist kein Bild, auch wenn der Name so klingt. Bitte ein Foto wählen.",
    ),
    "photo.truncated": Words(
        "The picture ends too early; a part of it is missing. Copy it again from the phone.",
        "Das Bild bricht ab, ein Teil fehlt. Bitte noch einmal vom Telefon kopieren.",
    ),
    "photo.unsupported_format": Words(
        "Pictures of this format are not read. Save it as JPEG or PNG.",
        "Bilder in diesem Format werden nicht gelesen. Bitte als JPEG oder PNG speichern.",
    ),
    "photo.too_many_pixels": Words(
        "The picture has too many pixels. Make it smaller, 4000 pixels wide is plenty.",
        "Das Bild hat zu viele Pixel. Bitte verkleinern, 4000 Pixel Breite sind reichlich.",
    ),
    "photo.too_many_bytes": Words(
        "The file is far bigger than a photo. Choose the photo itself, as JPEG or PNG.",
        "Die Datei ist viel größer als ein Foto. Bitte das Foto selbst wählen, als JPEG oder PNG.",
    ),
    "photo.too_small": Words(
        "The picture is too small to make out squares. Take a photo of at least 640 pixels width.",
        "Das Bild ist zu klein, um Felder zu erkennen. Bitte ein Foto ab 640 Pixel Breite nehmen.",
    ),
    "photo.no_kingdom": Words(
        "No kingdom was found. Take the photo from above, with the whole kingdom in it "
        "and even light, or enter the squares by hand.",
        "Kein Königreich gefunden. Bitte von oben fotografieren, mit dem ganzen Königreich im "
        "Bild und gleichmäßigem Licht, oder die Felder von Hand eingeben.",
    ),
    "photo.unexpected": Words(
        "Reading failed with a fault of the program ({fault}). Please report it with the photo.",
        "Das Lesen ist an einem Programmfehler gescheitert ({fault}). "
        "Bitte mit dem Foto zusammen melden.",
    ),
}
