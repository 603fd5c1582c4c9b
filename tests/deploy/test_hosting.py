"""What hosting services need: their files at the root, a path of a proxy, settings they force."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from companion.reading import decoding
from companion.reading.decoding import memory_bytes, pool_settings
from deploy.space import CONTAINERFILE, SPACE_USER, dockerfile, front_matter, main
from tests.deploy.proxy import free_port

ROOT = Path(__file__).parents[2]


def test_the_requirements_of_a_hosting_service_are_the_pinned_ones() -> None:
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines == ["-c constraints.txt", "-e ."]


def test_its_libraries_are_those_of_the_container() -> None:
    packages = (ROOT / "packages.txt").read_text(encoding="utf-8").split()
    installed = re.search(r"--no-install-recommends (.*) \\", CONTAINERFILE.read_text())
    assert installed is not None
    assert packages == installed[1].split()


def test_a_space_is_written(tmp_path: Path) -> None:
    assert main([str(tmp_path / "space")]) == 0
    made = (tmp_path / "space" / "Dockerfile").read_text(encoding="utf-8")
    assert f"USER {SPACE_USER}\n" in made
    assert "10001" not in made
    assert 'ENV COMPANION_HOST_NAMES="*"\n' in made
    readme = (tmp_path / "space" / "README.md").read_text(encoding="utf-8")
    assert readme.startswith("---\n")
    assert "\nsdk: docker\napp_port: 8501\n" in readme.split("---\n")[1]
    assert (tmp_path / "space" / "streamlit_app.py").is_file()
    with pytest.raises(SystemExit, match="2"):
        main([str(tmp_path / "space")])


def test_a_space_shows_the_port_that_the_container_opens() -> None:
    assert "app_port: 9000" in front_matter("EXPOSE 9000\n")
    with pytest.raises(ValueError, match="EXPOSE"):
        front_matter("FROM scratch\n")
    assert dockerfile("useradd --uid 10001\nUSER 10001\n") == "useradd --uid 1000\nUSER 1000\n"


def test_one_worker_where_memory_is_small() -> None:
    assert pool_settings(None).workers == 2
    assert pool_settings(1_500_000_000).workers == 2
    small = pool_settings(700_000_000)
    assert (small.workers, small.max_task_bytes) == (1, 233_333_333)


def test_the_limit_of_a_container_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(decoding, "_LIMITS", (str(limit), str(tmp_path / "none")))
    whole = memory_bytes()
    limit.write_text("max\n")
    assert memory_bytes() == whole
    limit.write_text("700000000\n")
    assert memory_bytes() == 700_000_000


@contextmanager
def served(home: Path, **settings: str) -> Iterator[int]:
    """The app as a hosting service starts it; its port."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "streamlit_app.py")]
    environment = {
        **os.environ,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "STREAMLIT_SERVER_PORT": str(port),
        "STREAMLIT_SERVER_HEADLESS": "true",
        **settings,
    }
    process = subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 90
        while answer(port, "health")[0] != 200:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.2)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def answer(port: int, path: str) -> tuple[int, str]:
    try:
        with urlopen(f"http://127.0.0.1:{port}/{path}", timeout=5) as found:  # the loopback
            return found.status, found.read().decode("utf-8", "replace")
    except (URLError, OSError) as error:
        return getattr(error, "code", 0), ""


@pytest.mark.slow
def test_forced_settings_a_path_and_a_disk_that_forgets(tmp_path: Path) -> None:
    home = tmp_path / "home"
    forced = {
        "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "true",
        "STREAMLIT_SERVER_RUN_ON_SAVE": "true",
        "STREAMLIT_SERVER_BASE_URL_PATH": "spiel/tisch",
    }
    for _ in range(2):
        home.mkdir()
        with served(home, **forced) as port:
            # A proxy passes the path on, or takes it away.
            for base in ("", "spiel/tisch/"):
                status, text = answer(port, f"{base}companion.webmanifest")
                assert (status, text[:1]) == (200, "{")
                assert answer(port, f"{base}turn")[0] == 200
                assert answer(port, f"{base}_stcore/metrics")[0] == 404
            status, text = answer(port, "spiel/tisch/")
            assert status == 200
            assert 'src="./static/js/index.' in text
            assert 'href="/' not in text
        shutil.rmtree(home)
