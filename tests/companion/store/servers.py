"""A PostgreSQL server of its own for the tests: started, used, thrown away."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest


def postgres_binaries() -> Path | None:
    """The folder of the server's programs, the newest version's; None where there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


@contextmanager
def postgres_server(*, durable: bool) -> Iterator[str]:
    """The address of a running server without a database's name, ending in "/".

    ``durable`` waits for the disk at every commit, as a real server does.
    """
    binaries = postgres_binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL server is installed")
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    try:
        yield from start_postgres(binaries, folder, durable)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def start_postgres(binaries: Path, folder: Path, durable: bool) -> Iterator[str]:
    """Start a server whose data lie in ``folder``, give its address, and stop it."""
    runner: list[str] = []
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # The server refuses to be run by the root user.
        if shutil.which("runuser") is None:
            pytest.skip("no other user can run the PostgreSQL server")
        runner = ["runuser", "-u", "postgres", "--"]
        shutil.chown(folder, "postgres")
    data = folder / "data"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    _run([*runner, str(binaries / "initdb"), "-D", str(data), "-A", "trust", "-U", "games", "-N"])
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
    options += "" if durable else " -c fsync=off"
    control = [*runner, str(binaries / "pg_ctl"), "-D", str(data), "-w"]
    _run([*control, "-l", str(folder / "log"), "-o", options, "start"])
    try:
        yield f"postgresql://games@127.0.0.1:{port}/"
    finally:
        _run([*control, "-m", "immediate", "stop"])


def fresh_database(server: str, name: str) -> str:
    """The address of a new, empty database on the server."""
    with psycopg.connect(f"{server}postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    return f"{server}{name}"


def _run(command: Sequence[str]) -> None:
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    subprocess.run(
        command,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env=environment,
        cwd=tempfile.gettempdir(),
    )
