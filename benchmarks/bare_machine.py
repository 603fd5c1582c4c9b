"""Try the README on a machine with nothing on it.

    python -m benchmarks.bare_machine OUT --suite bookworm --test --keep benchmarks/bare_bookworm.md

A bare Debian is made by debootstrap below OUT (as root), a clone of the last commit is put into it,
and ``make app`` is typed there until the app answers, as root and as a user who may install
nothing, who then has the line typed that it was told; with ``--test``, ``make test`` too. The table
has the time, what was fetched and what more was installed. The app's port has to be free here too.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from benchmarks.markdown_tables import markdown, provenance, show

ROOT = Path(__file__).parents[1]
INCLUDED = ("ca-certificates", "make", "python3", "git")
USER = "family"
PLACE = "/home/family/companion"
PORT = 8501
LIMIT_S = 5400
FETCHED = ("var/cache/apt", "var/lib/apt/lists", "{home}/.npm")
"""Where what was fetched by apt and npm is kept; pip notes it."""
PIP_LOG = "pip.log"
KERNELS = ("proc", "sys", "dev", "dev/pts", "dev/shm")


@dataclass(frozen=True)
class Step:
    """What was typed by whom, whether it did what it should, and what it took.

    ``fetched_mb`` is what came from outside, ``installed_mb`` what else lies there now.
    """

    user: str
    typed: str
    worked: bool
    seconds: float
    fetched_mb: float
    installed_mb: float


def line_to_type(output: str) -> str | None:
    """The line that the set-up asks a person to type, if it does."""
    found = re.search(r"^\s+(sudo apt-get .+)$", output, re.MULTILINE)
    return found[1] if found else None


def pip_fetched_mb(log: str) -> float:
    """What pip noted to have downloaded; of its own lists of packages it says nothing."""
    sizes = re.findall(r"Downloading \S+ \(([\d.]+) (bytes|kB|MB)\)", log)
    units = {"bytes": 1e-6, "kB": 1e-3, "MB": 1.0}
    return sum(float(size) * units[unit] for size, unit in sizes)


def make_root(suite: str, root: Path, packages: Sequence[str] = INCLUDED) -> None:
    """A bare Debian of that name below ``root``, unless it is there already."""
    if not (root / "etc" / "debian_version").is_file():
        root.parent.mkdir(parents=True, exist_ok=True)
        included = f"--include={','.join(packages)}"
        command = ["debootstrap", "--variant=minbase", included, suite, str(root)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _copied(root: Path, path: Path) -> None:
    if path.is_file():
        (root / path.relative_to("/")).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, root / path.relative_to("/"))


@contextmanager
def mounted(root: Path) -> Iterator[None]:
    """The root with the kernel's file systems, and the network and pip set up as they are here."""
    for name in ("/etc/resolv.conf", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt"):
        _copied(root, Path(name))
    done = []
    try:
        for place in KERNELS:
            inside = root / place
            subprocess.run(["mount", "--bind", f"/{place}", str(inside)], check=True)
            done.append(inside)
            subprocess.run(["mount", "--make-private", str(inside)], check=True)
        yield
    finally:
        for inside in reversed(done):
            subprocess.run(["umount", "--lazy", str(inside)], check=True)


def _home(user: str) -> str:
    return "/root" if user == "root" else f"/home/{user}"


def _environment(user: str) -> dict[str, str]:
    """What a new login has, and how this machine reaches packages."""
    names = ("PIP_CERT", "PIP_INDEX_URL", "PIP_DEFAULT_TIMEOUT", "SSL_CERT_FILE")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    kept["NODE_EXTRA_CA_CERTS"] = "/etc/ssl/certs/ca-certificates.crt"
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    log = f"{_home(user)}/{PIP_LOG}"
    return {**kept, "HOME": _home(user), "PATH": path, "LANG": "C.UTF-8", "PIP_LOG": log}


def running_in(root: Path) -> list[int]:
    """The processes whose root this is."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if Path(os.readlink(each / "root")) == root:
                found.append(int(each.name))
    return found


def end_all(root: Path) -> None:
    """End whatever still runs there."""
    while left := running_in(root):
        for number in left:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        time.sleep(0.1)


def answers() -> bool:
    """Whether an app answers at the port."""
    try:
        with urlopen(f"http://127.0.0.1:{PORT}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def typed(
    root: Path, user: str, command: str, done: Callable[[], bool] = lambda: False
) -> tuple[int, str]:
    """What a person types in the clone: the exit code and the output.

    The code is 0 once it is ``done``, and 124 after the limit; whatever runs then is ended.
    """
    as_user = [] if user == "root" else [f"--userspec={user}"]
    line = f"cd {PLACE} && {command}"
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            ["chroot", *as_user, str(root), "/bin/bash", "-c", line],
            env=_environment(user),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        until = time.monotonic() + LIMIT_S
        try:
            while (code := process.poll()) is None:
                if done():
                    code = 0
                    break
                if time.monotonic() > until:
                    code = 124
                    break
                time.sleep(0.5)
        finally:
            end_all(root)
            process.wait()
        output.seek(0)
        return code, output.read().decode(errors="replace")


def megabytes(paths: Sequence[Path], without: Sequence[Path] = ()) -> float:
    """What lies in these folders, but for those left out."""
    there = [str(path) for path in paths if path.exists()]
    if not there:
        return 0.0
    left_out = [f"--exclude={path}" for path in without]
    command = ["du", "--total", "--summarize", "--block-size=1M", *left_out, *there]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return float(done.stdout.splitlines()[-1].split()[0])


def _clone(root: Path, user: str) -> None:
    inside = root / PLACE.removeprefix("/")
    shutil.rmtree(inside, ignore_errors=True)
    if not (root / "home" / USER).is_dir():
        subprocess.run(["chroot", str(root), "useradd", "--create-home", USER], check=True)
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(inside)], check=True)
    owner = "root" if user == "root" else USER
    subprocess.run(["chroot", str(root), "chown", "-R", f"{owner}:", PLACE], check=True)


def tried(root: Path, user: str, *, tests: bool) -> Iterator[Step]:
    """The README's commands on a root with nothing on it, as this user."""
    _clone(root, user)
    outside = [root / place for place in KERNELS]
    caches = [root / place.format(home=_home(user)[1:]) for place in FETCHED]
    log = root / _home(user)[1:] / PIP_LOG

    def step(command: str, who: str = user) -> tuple[Step, str]:
        log.unlink(missing_ok=True)
        kept, begun = megabytes(caches), time.monotonic()
        before = megabytes([root], outside)
        done = answers if command == "make app" else lambda: False
        code, output = typed(root, who, command.replace("sudo ", ""), done)
        took = time.monotonic() - begun
        print(f"--- {who}: {command}: {code}\n{output[-3000:]}", file=sys.stderr, flush=True)
        kept = megabytes(caches) - kept
        more = megabytes([root], outside) - before - kept
        noted = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
        fetched = kept + pip_fetched_mb(noted)
        return Step(who, command, code == 0, took, fetched, more), output

    first, output = step("make app")
    yield first
    line = line_to_type(output)
    if not first.worked and line:
        yield step(line, "root")[0]
        yield step("make app")[0]
    if tests:
        yield step("make test")[0]


def main(argv: Sequence[str] | None = None) -> int:
    """Try both users on a bare Debian and print what it took."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bare_machine", description=__doc__)
    parser.add_argument("out", type=Path, help="a folder with some gigabytes free")
    parser.add_argument("--suite", default="bookworm", help="bookworm or trixie")
    parser.add_argument("--user", choices=("root", USER), action="append", help="by default both")
    parser.add_argument("--test", action="store_true", help="make test as well")
    parser.add_argument("--keep", type=Path, help="write the table to this file as well")
    chosen = parser.parse_args(argv)
    # Whatever ends this, what is mounted there has to go.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if answers():
        raise SystemExit(f"an app answers at port {PORT} already: end it first")
    begun = f"{provenance()}, load before {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores"
    bare = chosen.out.resolve() / f"{chosen.suite}-bare"
    make_root(chosen.suite, bare)
    steps: list[Step] = []
    for user in chosen.user or ("root", USER):
        root = chosen.out.resolve() / f"{chosen.suite}-{user}"
        # What is still mounted there is this machine's own: never to be removed.
        if any(f" {root}/" in line for line in Path("/proc/mounts").read_text().splitlines()):
            raise SystemExit(f"something is still mounted below {root}: umount it first")
        shutil.rmtree(root, ignore_errors=True)
        subprocess.run(["cp", "-a", str(bare), str(root)], check=True)
        with mounted(root):
            steps += tried(root, user, tests=chosen.test)
    rows = [
        (each.user, f"`{each.typed}`", "yes" if each.worked else "no",
         f"{each.seconds:.0f}", f"{each.fetched_mb:.0f}", f"{each.installed_mb:.0f}")
        for each in steps
    ]  # fmt: skip
    text = f"# A bare Debian: {chosen.suite}\n\n{begun}.\n\n"
    text += markdown(("who", "typed", "worked", "seconds", "MB fetched", "MB more"), rows)
    show(text, chosen.keep)
    # Who may install nothing is told a line by the first try: the last one counts.
    last = {(step.user, step.typed): step.worked for step in steps}
    return 0 if all(last.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
