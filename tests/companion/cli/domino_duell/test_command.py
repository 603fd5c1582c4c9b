from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import companion.cli.parser
from companion.cli.domino_duell import COMMANDS, build_parser, main
from companion.cli.parser import DOMAIN
from companion.languages import Language, translate
from companion.languages import codes as said_codes
from scorer.domino_duell import Reason

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_comes_with_an_example(
    command: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"] if command is None else [command, "--help"])
    assert ended.value.code == 0
    assert f"domino-duell {command or 'score'}" in capsys.readouterr().out.split("example", 1)[1]


def test_every_text_of_the_help_is_in_german(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()

    def recorded(text: str, _language: Language, _domain: str) -> str:
        asked.add(text)
        return text

    monkeypatch.setattr(companion.cli.parser, "translate", recorded)
    for command in COMMANDS:
        with pytest.raises(SystemExit):
            main([command, "--help"])
    monkeypatch.undo()
    asked.discard("")
    assert len(asked) > 25
    english = {text for text in asked if translate(text, Language.GERMAN, DOMAIN) == text}
    # Signs for a number and an address, the same in both languages.
    assert english == {"N", "SCHEDULER"}


def test_the_language_goes_before_or_after_the_command() -> None:
    for arguments in (["--language", "de", "judge"], ["judge", "--language", "de"]):
        assert Language(build_parser().parse_args(arguments).language) is Language.GERMAN


def test_help_loads_no_pictures_and_no_screens() -> None:
    code = (
        "import sys\n"
        "from companion.cli.domino_duell import build_parser\n"
        "build_parser()\n"
        "heavy = {'cv2', 'numpy', 'scipy', 'sklearn', 'streamlit'} & sys.modules.keys()\n"
        "print(sorted(heavy))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_every_refusal_has_its_words() -> None:
    codes = {reason.value for reason in Reason}
    for file in (ROOT / "scorer/domino_duell").glob("*.py"):
        source = file.read_text(encoding="utf-8")
        raised = r'(?:NotationError|BoardError|SetUpError|error)\(\s*"(\w+)"'
        codes |= set(re.findall(raised, source))
    assert {"bad_stone", "start_stones", "off_lattice", "late_line", "no_group"} <= codes
    assert {f"duell_error.{code}" for code in codes} <= said_codes()
