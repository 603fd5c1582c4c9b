"""Try the README on a machine with nothing on it: ``python -m benchmarks.bare_machine OUT``.

A bare Debian is made by debootstrap below OUT (as root), a clone of the last commit is put into
it, and ``make app`` is typed there, as root and as a user who may install nothing; with ``--test``,
``make test`` too. It prints the time, what was installed, and what was printed at the end.
``--bind`` shows a folder of this machine there, such as one of wheels for pip.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.markdown_tables import markdown, provenance, show

__all__ = ["Step", "line_to_type"]

ROOT = Path(__file__).parents[1]
INCLUDED = ("ca-certificates", "make", "python3", "git")
USER = "family"
PLACE = "/home/family/companion"
ASK = (
    "import urllib.request as request;"
    "request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=1)"
)
WAIT_S = 900


@dataclass(frozen=True)
class Step:
    """What was typed by whom, whether it did what it should, and what it took."""

    user: str
    typed: str
    worked: bool
    seconds: float
    megabytes: float


def line_to_type(output: str) -> str | None:
    """The line that the set-up asks a person to type, if it does."""
    found = re.search(r"^\s+(sudo apt-get .+)$", output, re.MULTILINE)
    return found[1] if found else None


def make_root(suite: str, root: Path) -> None:
    """A bare Debian of that name below ``root``, unless it is there already."""
    if not (root / "etc" / "debian_version").is_file():
        root.parent.mkdir(parents=True, exist_ok=True)
        included = f"--include={','.join(INCLUDED)}"
        command = ["debootstrap", "--variant=minbase", included, suite, str(root)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _copied(root: Path, path: Path) -> None:
    if path.is_file():
        (root / path.relative_to("/")).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, root / path.relative_to("/"))


@contextmanager
def mounted(root: Path, bound: Sequence[Path]) -> Iterator[None]:
    """The root with the kernel's file systems, and the network and pip set up as they are here."""
    for name in ("/etc/resolv.conf", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt"):
        _copied(root, Path(name))
    places = [Path("/proc"), Path("/dev"), *bound]
    done = []
    try:
        for place in places:
            inside = root / place.relative_to("/")
            inside.mkdir(parents=True, exist_ok=True)
            subprocess.run(["mount", "--bind", str(place), str(inside)], check=True)
            done.append(inside)
            subprocess.run(["mount", "--make-private", str(inside)], check=True)
        yield
    finally:
        for inside in reversed(done):
            subprocess.run(["umount", "--lazy", str(inside)], check=True)


def _environment(user: str) -> dict[str, str]:
    """What a new login has, and how this machine reaches packages."""
    kept = {k: v for k, v in os.environ.items() if k.startswith("PIP_") or k == "SSL_CERT_FILE"}
    home = "/root" if user == "root" else f"/home/{user}"
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    return {**kept, "HOME": home, "PATH": path, "LANG": "C.UTF-8"}


def typed(root: Path, user: str, command: str, limit_s: float) -> tuple[int, str]:
    """What a person types in the clone: the exit code, 124 after the limit, and the output."""
    change = (
        ["chroot", str(root)] if user == "root" else ["chroot", f"--userspec={user}", str(root)]
    )
    shell = [*change, "/bin/bash", "-c", f"cd {PLACE} && {command}"]
    with subprocess.Popen(
        shell,
        env=_environment(user),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            output, _ = process.communicate()
            return 124, output
    return process.returncode, output


APP = f"""
setsid make app > /tmp/app.log 2>&1 & app=$!
for _ in $(seq {WAIT_S}); do
    kill -0 $app 2>/dev/null || {{ cat /tmp/app.log; exit 1; }}
    if grep -q :8501 /tmp/app.log && python3 -c "{ASK}" 2>/dev/null; then
        kill -- -$app; cat /tmp/app.log; exit 0
    fi
    sleep 1
done
cat /tmp/app.log; exit 1
"""


def _used_mb(root: Path) -> float:
    done = subprocess.run(
        ["du", "-xsm", "--exclude=proc", "--exclude=dev", str(root)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return float(done.stdout.split()[0])


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

    def step(name: str, command: str, who: str = user) -> tuple[Step, str]:
        before, begun = _used_mb(root), time.monotonic()
        code, output = typed(root, who, command, 1800)
        took = time.monotonic() - begun
        print(f"--- {who}: {name}: {code}\n{output[-1500:]}", file=sys.stderr)
        return Step(who, name, code == 0, took, _used_mb(root) - before), output

    first, output = step("make app", APP)
    yield first
    line = line_to_type(output)
    if not first.worked and line:
        yield step(line, line.replace("sudo ", ""), "root")[0]
        yield step("make app", APP)[0]
    if tests:
        yield step("make test", "make test")[0]


def main(argv: Sequence[str] | None = None) -> int:
    """Try both users on a bare Debian and print what it took."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bare_machine", description=__doc__)
    parser.add_argument("out", type=Path, help="an empty folder with some gigabytes free")
    parser.add_argument("--suite", default="bookworm", help="bookworm or trixie")
    parser.add_argument("--user", choices=("root", USER), action="append", help="by default both")
    parser.add_argument("--bind", type=Path, action="append", default=[], metavar="FOLDER")
    parser.add_argument("--test", action="store_true", help="make test as well")
    parser.add_argument("--keep", type=Path, help="write the table to this file as well")
    chosen = parser.parse_args(argv)
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
        with mounted(root, chosen.bind):
            steps += tried(root, user, tests=chosen.test)
    rows = [
        (each.user, f"`{each.typed}`", "yes" if each.worked else "no",
         f"{each.seconds:.0f}", f"{each.megabytes:.0f}")
        for each in steps
    ]  # fmt: skip
    text = f"# A bare Debian: {chosen.suite}\n\n{provenance()}.\n\n"
    text += markdown(("who", "typed", "worked", "seconds", "megabytes more"), rows)
    show(text, chosen.keep)
    return 0 if all(step.worked for step in steps if step.typed != "make app") else 1


if __name__ == "__main__":
    raise SystemExit(main())
