from __future__ import annotations

import copy

import pytest

from companion.languages import Language, language_of_locale, preferred_language


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("de", Language.GERMAN),
        ("de-CH", Language.GERMAN),
        ("de_AT.UTF-8", Language.GERMAN),
        ("DE", Language.GERMAN),
        ("den", Language.ENGLISH),
        ("en-US", Language.ENGLISH),
        ("xx", Language.ENGLISH),
        ("C.UTF-8", Language.ENGLISH),
        ("", Language.ENGLISH),
        (None, Language.ENGLISH),
    ],
)
def test_language_of_a_locale(locale: str | None, language: Language) -> None:
    assert language_of_locale(locale) is language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, Language.GERMAN),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "en_GB.UTF-8"}, Language.ENGLISH),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "de_DE.UTF-8"}, Language.GERMAN),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, Language.GERMAN),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, Language.ENGLISH),
        ({}, Language.ENGLISH),
    ],
)
def test_language_of_the_environment(environment: dict[str, str], language: Language) -> None:
    assert preferred_language(environment) is language


def test_a_language_is_its_code_and_there_is_one_value_for_each() -> None:
    assert Language("de") is Language.GERMAN
    assert Language.GERMAN == "de"
    assert Language.GERMAN.value == "de"
    assert {Language.ENGLISH, Language.GERMAN} <= set(Language)
    assert copy.deepcopy(Language.GERMAN) is Language.GERMAN


def test_a_language_without_catalogues_is_refused() -> None:
    with pytest.raises(ValueError, match="expected one of de en, got 'xx'"):
        Language("xx")
