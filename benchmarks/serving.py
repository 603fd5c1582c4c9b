"""The web app started for a measurement: one copy, or several behind the proxy with PostgreSQL."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import psycopg

from tests.companion.store.servers import fresh_database, postgres_server
from tests.deploy.proxy import free_port, running_proxy

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Served:
    """The address of the app, the certificate that it is known by, its processes, their ports, and
    where its database is."""

    url: str
    trusted: Path | None
    processes: tuple[int, ...]
    ports: tuple[int, ...]
    database: str


@dataclass(frozen=True)
class Use:
    """What processes and their children use: memory in MB, and seconds of a core so far."""

    memory_mb: float
    core_seconds: float


@contextmanager
def served(copies: int, forget_after_s: int | None = None) -> Iterator[Served]:
    """The app on the loopback while the block runs.

    One copy keeps its games in SQLite and is asked directly. Several keep them in PostgreSQL and
    stand behind nginx with `deploy/nginx.conf`. ``forget_after_s`` shortens the time after which
    photos and visits of those who have left are forgotten.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        # The proxy's workers run as another user.
        folder.chmod(0o755)
        settings = {"STREAMLIT_SERVER_COOKIE_SECRET": secrets.token_hex(32)}
        database = f"sqlite:///{folder / 'games.sqlite'}"
        if copies > 1:
            database = fresh_database(stack.enter_context(postgres_server(durable=True)), "load")
        settings["KINGDOMINO_DATABASE_URL"] = database
        if forget_after_s is not None:
            settings["STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL"] = str(forget_after_s)
            settings["COMPANION_FORGET_PHOTOS_AFTER_S"] = str(forget_after_s)
        ports = [free_port() for _ in range(copies)]
        processes = [stack.enter_context(_copy(port, settings)) for port in ports]
        for port in ports:
            wait_until_healthy(port)
        if copies == 1:
            url = f"http://127.0.0.1:{ports[0]}"
            yield Served(url, None, tuple(processes), tuple(ports), database)
            return
        place = folder / "proxy"
        place.mkdir()
        place.chmod(0o777)
        proxy = stack.enter_context(running_proxy(place, ports))
        url = f"https://localhost:{proxy.https_port}"
        yield Served(url, proxy.certificate, tuple(processes), tuple(ports), database)


@contextmanager
def _copy(port: int, settings: dict[str, str]) -> Iterator[int]:
    environment = {
        **os.environ,
        **settings,
        "STREAMLIT_SERVER_ADDRESS": "127.0.0.1",
        "PYTHONPATH": str(ROOT),
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, "-m", "companion.cli.companion_command", "app", "--no-browser"]
    process = subprocess.Popen(
        [*command, "--port", str(port)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    try:
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until_healthy(port: int, within_s: float = 180) -> None:
    """Wait until the app answers at a port of this machine. OSError where it does not in time."""
    deadline = time.monotonic() + within_s
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5):
                return
        except (URLError, ConnectionError, TimeoutError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.3)


def database_mb(url: str) -> float:
    """What a database takes on the disk, without its log of what is not yet in its place."""
    path = url.removeprefix("sqlite:///")
    if path != url:
        return Path(path).stat().st_size / 1e6
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    return float(row[0]) / 1e6 if row else 0.0


def memory_mb(place: Served) -> float:
    """The memory that the app uses now, all copies and their workers."""
    use = process_use(place.processes)
    if use is None:
        raise RuntimeError("memory: expected a system with ps")
    return use.memory_mb


def process_use(processes: tuple[int, ...]) -> Use | None:
    """What these processes and all below them use now; None where there is no `ps`."""
    try:
        listed = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid=,rss=,time="], capture_output=True, text=True, check=True
        )
    except (FileNotFoundError, subprocess.CalledProcessError):
        return None
    rows = [line.split() for line in listed.stdout.splitlines()]
    wanted = set(map(str, processes))
    while True:
        below = {pid for pid, parent, *_ in rows if parent in wanted} - wanted
        if not below:
            break
        wanted |= below
    ours = [row for row in rows if row[0] in wanted]
    memory = sum(_shared_out_kib(row[0]) or int(row[2]) for row in ours) / 1000
    seconds = (_core_seconds(row[0]) for row in ours)
    reported = (_seconds(row[3]) for row in ours)
    return Use(memory, sum(each or rough for each, rough in zip(seconds, reported, strict=True)))


def _shared_out_kib(process: str) -> int:
    """KiB that a process holds, what it shares counted in parts; 0 where unknown."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def _core_seconds(process: str) -> float:
    """Finer than whole seconds; 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2]
    except OSError:
        return 0.0
    user, system = fields.split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _seconds(text: str) -> float:
    """A duration as `ps` writes it, [[days-]hours:]minutes:seconds."""
    days, _, rest = text.rpartition("-")
    total = 0.0
    for part in rest.split(":"):
        total = total * 60 + float(part)
    return total + 86400 * int(days or 0)
