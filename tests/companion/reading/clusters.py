"""A real Dask cluster on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


class RealCluster:
    """A scheduler and workers as processes of their own, which may be killed."""

    def __init__(self, folder: Path, port: int) -> None:
        self.address = f"tcp://127.0.0.1:{port}"
        self._folder = folder
        self._port = port
        self._running: list[subprocess.Popen[bytes]] = []
        self._workers: list[subprocess.Popen[bytes]] = []
        self._log = (folder / "log").open("ab")

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        return self._start("scheduler", "--port", str(self._port), "--host", "127.0.0.1")

    def start_worker(self) -> subprocess.Popen[bytes]:
        """One that reads one photo at a time."""
        started = self._start(
            "worker", self.address, "--nthreads", "1", "--no-nanny", "--death-timeout", "60"
        )
        self._workers.append(started)
        return started

    def processes(self) -> list[int]:
        """The numbers of those that run."""
        return [each.pid for each in self._running if each.poll() is None]

    def kill_a_worker(self) -> None:
        """End the one that was started first of those that run."""
        worker = self._workers.pop(0)
        worker.kill()
        worker.wait()

    def _start(self, *command: str) -> subprocess.Popen[bytes]:
        started = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + command[0], *command[1:]]
            + ["--no-dashboard"],
            cwd=self._folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.DEVNULL,
            stderr=self._log,
        )
        self._running.append(started)
        return started

    def end(self) -> None:
        for each in self._running:
            each.kill()
            each.wait()
        self._log.close()
