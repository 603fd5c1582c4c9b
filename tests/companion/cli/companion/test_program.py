from __future__ import annotations

import subprocess
import sys

import pytest

from companion.cli import app
from companion.cli.companion_command import COMMANDS, build_parser, main
from companion.languages import Language
from companion.version import companion_version


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_comes_with_an_example(
    command: str | None, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--language", language, *([] if command is None else [command]), "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert ("Aufruf: " if language == "de" else "usage: ") in told
    program = "kingdomino app" if command == "app" else f"companion {command or 'backup'}"
    assert program in told.split("example" if language == "en" else "Beispiele", 1)[1]


def test_nothing_of_the_german_help_is_english(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ([], ["backup"], ["restore"]):
        with pytest.raises(SystemExit):
            main(["--language", "de", *command, "--help"])
    told = capsys.readouterr().out
    for english in (" the ", " file", "Write", "Fill", "FILE", "replace", "examples", "options"):
        assert english not in told.replace("--overwrite", "")


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"companion {companion_version()}\n"


def test_the_app_is_that_of_kingdomino() -> None:
    args = build_parser(Language.ENGLISH).parse_args(["app", "--port", "8080", "--no-browser"])
    assert args.run is app.run_app
    assert (args.port, args.no_browser) == (8080, True)


@pytest.mark.parametrize("arguments", [[], ["backup"], ["restore"], ["app", "--port", "0"]])
def test_wrong_use_ends_with_two(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2


def test_help_is_quick_because_it_loads_no_pictures_no_screens_and_no_database() -> None:
    code = (
        "import sys\n"
        "from companion.cli.companion_command import build_parser\n"
        "build_parser()\n"
        "heavy = {'alembic', 'cv2', 'numpy', 'scipy', 'sqlalchemy', 'streamlit'}\n"
        "print(sorted(heavy & sys.modules.keys()))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")
