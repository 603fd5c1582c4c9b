"""The command `app`: the address it shows, the server it starts, HTTPS."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from socket import create_server
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from cryptography import x509

from companion.cli.app import _https, _is_free, script
from companion.cli.kingdomino import main
from companion.cli.terminal import WrongUse
from companion.languages import Language

ROOT = Path(__file__).parents[3]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The address of a running app."""
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "companion.cli.kingdomino",
        "app",
        "--no-browser",
        "--port",
        str(port),
        "--language",
        "de",
    ]
    with (tmp_path / "said.txt").open("wb") as said:
        server = subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=said)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=20)


def answer(address: str, within_s: float = 120) -> str:
    deadline = time.monotonic() + within_s
    while True:
        try:
            with urlopen(address, timeout=5) as response:
                return str(response.read().decode())
        except (URLError, ConnectionError, TimeoutError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


@pytest.mark.slow
def test_the_app_is_served_and_says_where_in_one_language(served: str, tmp_path: Path) -> None:
    assert answer(f"{served}/_stcore/health") == "ok"
    assert "<title>" in answer(served)
    said = (tmp_path / "said.txt").read_text(encoding="utf-8")
    assert said.startswith("Auf diesem Rechner und in seinem Netz: http://")
    assert served.rpartition(":")[2] in said
    assert "█" in said
    assert "Streamlit" not in said
    assert "URL" not in said


def test_the_script_is_the_entry_of_the_page() -> None:
    assert "App(SCRIPT" in script().read_text(encoding="utf-8")


def test_the_page_tells_nobody_about_its_visitors() -> None:
    settings = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["client"]["showErrorDetails"] == "none"
    assert settings["client"]["showErrorLinks"] is False


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
    certificate = x509.load_pem_x509_certificate(Path(options[1]).read_bytes())
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert ip_address("192.0.2.7") in names.get_values_for_type(x509.IPAddress)
    said = capsys.readouterr().out
    assert word in said
    assert said.count(":") >= 32


def test_a_port_that_is_taken_is_named_as_it_is_typed(capsys: pytest.CaptureFixture[str]) -> None:
    with create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for language in ("en", "de"):
            code = main(["app", "--no-browser", "--port", str(port), "--language", language])
            assert code == 2
            assert str(port) in capsys.readouterr().err


def test_https_names_the_package_that_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "companion.web.certificate", raising=False)
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(WrongUse, match="pip install 'cryptography>=46'"):
        _https("https://localhost:8501", Language.ENGLISH)


@pytest.mark.parametrize(
    ("given", "scheme", "options"),
    [
        ((), "http", []),
        (("--no-browser",), "http", ["--server.headless", "true"]),
        (("--https",), "https", ["--in", "de", "--by", "https://there/"]),
    ],
)
def test_how_the_server_is_started_and_what_is_said_before(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    given: tuple[str, ...],
    scheme: str,
    options: list[str],
) -> None:
    started: list[tuple[list[str], dict[str, object], str, str]] = []

    def serve(command: list[str], **how: object) -> None:
        # Whoever waits at a pipe for the address has it by now.
        said = capsys.readouterr().out
        started.append((command, how, os.environ["COMPANION_ADDRESS"], said))

    def https(address: str, language: Language) -> list[str]:
        return ["--in", language.value, "--by", address]

    monkeypatch.setattr("companion.web.network.SHOWN_ADDRESS", "COMPANION_ADDRESS")
    monkeypatch.setenv("COMPANION_ADDRESS", "")
    monkeypatch.setattr("companion.web.network.network_address", lambda port, by: f"{by}://there/")
    monkeypatch.setattr("companion.web.network.terminal_code", lambda address: f"[{address}]")
    monkeypatch.setattr("streamlit.web.cli.main", serve)
    monkeypatch.setattr("companion.cli.app._is_free", lambda port: port == 8501)
    monkeypatch.setattr("companion.cli.app._https", https)
    assert main(["app", *given, "--language", "de"]) == 0
    ((command, how, address, said),) = started
    run = ["run", str(script()), "--server.port", "8501", "--logger.hideWelcomeMessage", "true"]
    assert command == run + options
    assert how == {"standalone_mode": False}
    assert address == f"{scheme}://there/"
    assert f"{scheme}://there/" in said.splitlines()[0]
    assert said.splitlines()[-1] == f"[{scheme}://there/]"


def test_a_port_may_be_served_at_again_at_once() -> None:
    with create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert not _is_free(port)
    assert _is_free(port)
