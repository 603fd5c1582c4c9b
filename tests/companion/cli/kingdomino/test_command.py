from __future__ import annotations

import subprocess
import sys

import pytest

from companion.cli.kingdomino import COMMANDS, build_parser, main
from companion.languages import Language


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_comes_with_an_example(
    command: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"] if command is None else [command, "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert "example" in told
    assert f"kingdomino {command or 'read'}" in told.split("example", 1)[1]


@pytest.mark.parametrize("arguments", [["--language", "de", "app"], ["app", "--language", "de"]])
def test_the_language_goes_before_or_after_the_command(arguments: list[str]) -> None:
    assert Language(build_parser().parse_args(arguments).language) is Language.GERMAN


def test_no_language_given_means_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert main(["read", "there-is-no-such-photo.jpg"]) == 1
    assert "Diese Datei gibt es nicht" in capsys.readouterr().out
    monkeypatch.setenv("LC_ALL", "C")
    assert main(["read", "there-is-no-such-photo.jpg"]) == 1
    assert "There is no such file" in capsys.readouterr().out


def test_help_is_quick_because_it_loads_no_pictures_and_no_screens() -> None:
    code = (
        "import sys\n"
        "from companion.cli.kingdomino import build_parser\n"
        "build_parser()\n"
        "heavy = {'cv2', 'numpy', 'scipy', 'sklearn', 'streamlit'} & sys.modules.keys()\n"
        "print(sorted(heavy))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_a_reader_that_goes_away_is_no_fault() -> None:
    command = f"{sys.executable} -m companion.cli.kingdomino read a.jpg b.jpg | true"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stderr == ""
