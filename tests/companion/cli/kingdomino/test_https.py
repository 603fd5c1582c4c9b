from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.app import _https
from companion.languages import Language


@pytest.mark.parametrize(("language", "word"), [("de", "Erweitert"), ("en", "Advanced")])
def test_the_server_gets_a_certificate_and_people_are_told_what_is_asked(
    language: str,
    word: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    options = _https("https://192.0.2.7:8501/", Language(language))
    assert options[::2] == ["--server.sslCertFile", "--server.sslKeyFile"]
    for name in options[1::2]:
        assert Path(name).read_text(encoding="ascii").startswith("-----BEGIN ")
    said = capsys.readouterr().out
    assert word in said
    assert said.count(":") >= 32
