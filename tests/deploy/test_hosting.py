"""What hosting services need: their files at the root, a path of a proxy, settings they force."""

from __future__ import annotations

import asyncio
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
from PIL import Image

from benchmarks.serving import process_use
from benchmarks.visitor import Visitor
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
    assert (tmp_path / "space" / ".ci" / "run").stat().st_mode & 0o100
    with pytest.raises(SystemExit, match="2"):
        main([str(tmp_path / "space")])


def test_a_space_shows_the_port_that_the_container_opens() -> None:
    assert "app_port: 9000" in front_matter("EXPOSE 9000\n")
    with pytest.raises(ValueError, match="EXPOSE"):
        front_matter("FROM scratch\n")
    assert dockerfile("useradd --uid 10001\nUSER 10001\n") == "useradd --uid 1000\nUSER 1000\n"


@contextmanager
def served(home: Path, *, launcher: str = "", **settings: str) -> Iterator[int]:
    """The app as a hosting service starts it; its port. A ``launcher`` is a script that does so."""
    port = free_port()
    streamlit = [launcher] if launcher else ["-m", "streamlit"]
    command = [sys.executable, *streamlit, "run", str(ROOT / "streamlit_app.py")]
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


def read_by_a_visitor(port: int, photo: Path, base: str = "") -> tuple[str, float]:
    """A photo taken on the home page: the game that it became, and the most MB used meanwhile."""
    visitor = Visitor(f"http://127.0.0.1:{port}{base}")
    most = 0.0

    async def take() -> str:
        await visitor.open("")
        sent = await visitor.upload(photo.read_bytes())
        await visitor.act(visitor.component("home"), "photo", f"|{sent}")
        game = visitor.parameter("game")
        await visitor.leave()
        return game

    async def watch(work: asyncio.Task[str]) -> str:
        nonlocal most
        while not work.done():
            used = process_use(tuple(own_children()))
            most = max(most, used.memory_mb if used else 0.0)
            await asyncio.sleep(0.1)
        return work.result()

    async def both() -> str:
        return await watch(asyncio.ensure_future(take()))

    return asyncio.run(both()), most


def own_children() -> list[int]:
    """The processes that this one has started."""
    here = Path(f"/proc/{os.getpid()}/task")
    return [int(pid) for each in here.glob("*/children") for pid in each.read_text().split()]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="/proc says what processes use")
def test_a_photo_is_read_within_700_mb_by_one_worker(tmp_path: Path) -> None:
    """Every process has that limit too, so that none can have more for a moment."""
    limit = tmp_path / "memory.max"
    limit.write_text("700000000\n")
    launcher = tmp_path / "launcher.py"
    launcher.write_text(
        "import resource, runpy, sys\n"
        "from companion.reading import decoding\n"
        f"decoding._LIMITS = ({str(limit)!r},)\n"
        "resource.setrlimit(resource.RLIMIT_DATA, (700_000_000, 700_000_000))\n"
        "sys.argv[0] = 'streamlit'\n"
        "runpy.run_module('streamlit', run_name='__main__')\n"
    )
    # As large as phones take them.
    photo = tmp_path / "photo.jpg"
    with Image.open(ROOT / "sample_images" / "complete-5x5.jpg") as sample:
        sample.resize((4032, 3024)).save(photo, quality=92)
    with served(tmp_path, launcher=str(launcher)) as port:
        game, most = read_by_a_visitor(port, photo)
    assert game
    assert 100 < most < 700


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="/proc is a folder that nobody can write")
def test_a_disk_that_can_not_be_written(tmp_path: Path) -> None:
    with served(Path("/proc/nowhere")) as port:
        game, _ = read_by_a_visitor(port, ROOT / "sample_images" / "complete-5x5.jpg")
        assert game
