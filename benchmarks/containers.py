"""Build and try the Containerfile without a daemon: ``python -m benchmarks.containers OUT``.

buildah builds the last commit by its chroot isolation, on a Debian made by debootstrap below OUT
that has the name of the image that the file begins with (as root). The app is then started as its
user, with nothing writable but its volume and ``/tmp``, asked for its health, sent a photograph,
ended, and started anew with the same volume: the game has to be there.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import yaml

from benchmarks.bare_machine import make_root, megabytes, mounted
from benchmarks.markdown_tables import markdown, provenance, show
from benchmarks.serving import wait_until_healthy
from benchmarks.visitor import Refused, Visitor
from tests.deploy.proxy import free_port
from vision.kingdomino.refit import sample_folder

ROOT = Path(__file__).parents[1]
BASE = "docker.io/library/python:3.11-slim"
IMAGE = "companion"
USER = "10001"
CLOSED = ("/var/tmp", "/run/lock")
"""Where everybody may write, which a file system that is read-only would not let them."""
HOST = ("--isolation", "chroot", "--network", "host")

Row = tuple[str, str]

WRITABLE = """
import os
for place, folders, _ in os.walk("/"):
    folders[:] = [each for each in folders if os.path.join(place, each) not in ("/proc", "/sys")]
    if os.access(place, os.W_OK):
        folders.clear()
        print(place)
"""

INSTALLERS = """
find / -xdev \\( -name pip -o -name setuptools -o -path '/companion/*/test' -o -name tests \\) \
    -path '*-packages/*' -type d
"""


def buildah(*arguments: str, cwd: Path | None = None) -> str:
    """What buildah says; CalledProcessError, with its words shown, where it fails."""
    command = ["buildah", *arguments]
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(done.stdout[-3000:], file=sys.stderr)
        done.check_returncode()
    return done.stdout.strip()


def make_base(out: Path) -> None:
    """Debian's Python where the official image has it, under the name of that image."""
    root = out.resolve() / "container-base"
    make_root("bookworm", root, ("ca-certificates", "python3-venv"))
    with mounted(root):
        if not (root / "usr/local/bin/python").exists():
            venv = ["python3", "-m", "venv", "/usr/local"]
            subprocess.run(["chroot", str(root), *venv], check=True)
        subprocess.run(["chroot", str(root), "apt-get", "clean"], check=True)
    made = buildah("from", "scratch")
    buildah("copy", "--quiet", made, str(root), "/")
    buildah("commit", "--quiet", made, BASE)
    buildah("rm", made)


def size_mb(image: str) -> float:
    """The size of what lies in an image."""
    made = buildah("from", "--pull-never", image)
    try:
        return megabytes([Path(buildah("mount", made))])
    finally:
        buildah("rm", made)


def build() -> Row:
    """The image of the last commit, as the file says."""
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder, "checkout")
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(checkout)], check=True)
        begun = time.monotonic()
        file = ("--file", "deploy/Containerfile", "--tag", IMAGE)
        buildah("bud", "--quiet", *HOST, "--pull-never", *file, ".", cwd=checkout)
        return "built", f"{time.monotonic() - begun:.0f} s"


@contextmanager
def running(container: str, data: Path, port: int) -> Iterator[list[str]]:
    """The app in a container with this volume; what starts a further command in it."""
    with tempfile.TemporaryDirectory() as empty:
        Path(empty).chmod(0o755)
        volumes = ["--volume", f"{data}:/data"]
        for place in CLOSED:
            volumes += ["--volume", f"{empty}:{place}:ro"]
        run = ["buildah", "run", *HOST, "--user", USER, *volumes, container, "--"]
        command = ["companion", "app", "--no-browser", "--port", str(port)]
        process = subprocess.Popen([*run, *command], start_new_session=True)
        try:
            wait_until_healthy(port)
            yield run
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


async def photographed(url: str) -> tuple[str, str]:
    """The id of a game made of a photograph, and its kingdom."""
    visitor = Visitor(url)
    await visitor.open("")
    sent = await visitor.upload((sample_folder() / "complete-5x5.jpg").read_bytes())
    await visitor.act(visitor.component("^home$"), "photo", f"|{sent}")
    kingdom = await _kingdom(visitor)
    await visitor.leave()
    return visitor.parameter("game"), kingdom


async def kingdom_of(url: str, game: str) -> str:
    """The first kingdom of a game that is there already."""
    visitor = Visitor(url)
    await visitor.open(f"game={game}&seat=0")
    kingdom = await _kingdom(visitor)
    await visitor.leave()
    return kingdom


async def _kingdom(visitor: Visitor) -> str:
    """What the board shows, once it is there: a photograph may wait for its turn."""
    for _ in range(_LOOKS):
        with suppress(Refused):
            return str(visitor.data(visitor.component("^board-"))["kingdom"])
        await visitor.wait(1)
    raise Refused(f"no board at {visitor.query}")


_LOOKS = 60


def tried() -> Iterator[Row]:
    """What a container of the image does."""
    container = buildah("from", "--pull-never", IMAGE)
    # Or buildah gives the container a place of its own there, whatever volume is named.
    buildah("config", "--volume", "/data-", container)
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
    check = compose["services"]["app1"]["healthcheck"]["test"][1:]
    try:
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder, "data")
            data.mkdir(mode=0o700)
            os.chown(data, int(USER), int(USER))
            Path(folder).chmod(0o755)
            begun = time.monotonic()
            with running(container, data, port) as run:
                yield "answers as its user", f"after {time.monotonic() - begun:.1f} s"
                there = [each.replace(":8501/", f":{port}/") for each in check]
                healthy = subprocess.run([*run, *there], check=False).returncode == 0
                yield "health check of `compose.yaml`", "passes" if healthy else "**fails**"
                writable = _lines([*run, "python", "-c", WRITABLE])
                yield "may write to", ", ".join(writable)
                left = _lines([*run, "sh", "-c", INSTALLERS])
                yield "pip, setuptools, tests of others", ", ".join(left) or "none"
                game, kingdom = asyncio.run(photographed(url))
                yield "a photograph", kingdom
            kept = any(data.iterdir())
            with running(container, data, port):
                same = kept and asyncio.run(kingdom_of(url, game)) == kingdom
                said = "is there" if same else "**is not there**"
                yield "the game after a start anew with the same volume", said
    finally:
        buildah("rm", container)


def _lines(command: Sequence[str]) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.split()


def main(argv: Sequence[str] | None = None) -> int:
    """Build, try, print the table; 1 where something does not hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.containers", description=__doc__)
    parser.add_argument("out", type=Path, help="a folder with a gigabyte free")
    parser.add_argument("--keep", type=Path, help="write the table to this file as well")
    chosen = parser.parse_args(argv)
    begun = provenance()
    make_base(chosen.out)
    rows = [build()]
    base, whole = size_mb(BASE), size_mb(IMAGE)
    rows.append(("size", f"{whole:.0f} MB, {base:.0f} of them the system and Python"))
    rows += tried()
    table = markdown(("", f"buildah {buildah('--version').split()[2]}"), rows)
    text = f"# The container\n\n{begun}, `python -m benchmarks.containers OUT`.\n\n{table}"
    show(text, chosen.keep)
    return 1 if any("**" in found for _, found in rows) else 0


if __name__ == "__main__":
    raise SystemExit(main())
