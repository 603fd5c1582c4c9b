from __future__ import annotations

import pytest

from companion.languages import Language
from companion.reading.refusals import error_record, photo_message
from vision.photo.errors import PhotoError


@pytest.mark.parametrize("language", Language)
def test_a_refusal_fills_in_its_details(language: Language) -> None:
    message = photo_message(PhotoError("unexpected", fault="ZeroDivisionError"), language)
    assert "ZeroDivisionError" in message


@pytest.mark.parametrize("language", Language)
def test_the_line_of_a_refused_photo(language: Language) -> None:
    record = error_record("table.jpg", PhotoError("empty_file"), language)
    assert list(record) == ["photo", "error"]
    assert record["error"]["code"] == "empty_file"
    assert record["error"]["message"].startswith(
        {Language.ENGLISH: "The file is empty.", Language.GERMAN: "Die Datei ist leer."}[language]
    )
