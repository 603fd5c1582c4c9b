from __future__ import annotations

import subprocess
import sys

import pytest

from companion.cli.dominoes import COMMANDS, build_parser, main
from companion.languages import Language


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_comes_with_an_example(
    command: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"] if command is None else [command, "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert f"dominoes {command or 'count'}" in told.split("example", 1)[1]


def test_the_language_goes_before_or_after_the_command() -> None:
    for arguments in (
        ["--language", "de", "setup", "muggins"],
        ["setup", "muggins", "--language", "de"],
    ):
        assert Language(build_parser().parse_args(arguments).language) is Language.GERMAN


def test_help_is_quick_because_it_loads_no_pictures_and_no_screens() -> None:
    code = (
        "import sys\n"
        "from companion.cli.dominoes import build_parser\n"
        "build_parser()\n"
        "heavy = {'cv2', 'numpy', 'scipy', 'sklearn', 'streamlit'} & sys.modules.keys()\n"
        "print(sorted(heavy))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize("arguments", [[], ["count"], ["score", "rummy", "x"], ["setup", "poker"]])
def test_wrong_use_ends_with_two(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
