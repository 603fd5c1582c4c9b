"""On which systems and Pythons the pinned versions can be installed, asked of uv's resolver.

`python -m benchmarks.platforms` writes the table of README.md. Nothing is installed: the resolver
weighs the markers for the system that it is asked about, and takes built packages alone.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
BEGIN, END = "<!-- platforms -->", "<!-- end of platforms -->"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS: Mapping[str, tuple[str, str]] = {
    "Linux, x86-64": ("x86_64-unknown-linux-gnu", ""),
    "Linux, ARM 64": ("aarch64-unknown-linux-gnu", ""),
    "Windows, x86-64": ("x86_64-pc-windows-msvc", ""),
    "macOS 14, ARM": ("aarch64-apple-darwin", "14.0"),
    "macOS 14, Intel": ("x86_64-apple-darwin", "14.0"),
    "macOS 13, ARM": ("aarch64-apple-darwin", "13.0"),
    "Windows on ARM": ("aarch64-pc-windows-msvc", ""),
    "Linux with musl, x86-64": ("x86_64-unknown-linux-musl", ""),
    "Windows, 32 bits": ("i686-pc-windows-msvc", ""),
}
"""By name: the platform as uv calls it, and the oldest macOS."""

_PACKAGE = re.compile(r"Because ([A-Za-z0-9_.-]+?)(?:\{[^}]*\})?(?:[=<>!~]=?\S+)? has no")

Resolve = Callable[[str, str, str, str], str]


def resolve(platform: str, macos: str, python: str, extra: str = "") -> str:
    """What uv says that is in the way there, "" where nothing is."""
    command = [shutil.which("uv") or "uv", "pip", "compile", "--quiet", "--no-header"]
    command += ["--constraint", "constraints.txt", "--only-binary", ":all:"]
    command += ["--python-platform", platform, "--python-version", python]
    command += ["--extra", extra] if extra else []
    environment = {**os.environ, **({"MACOSX_DEPLOYMENT_TARGET": macos} if macos else {})}
    done = subprocess.run(
        [*command, "pyproject.toml"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr.strip() if done.returncode else ""


def lacking(said: str) -> str:
    """The package that is not there, by what the resolver said."""
    found = _PACKAGE.search(said)
    return found[1] if found else "?"


def table(ask: Resolve = resolve) -> list[str]:
    """The lines of the table: a row a system, a column a Python, and what HTTPS adds."""
    lines = [
        f"| system | {' | '.join(PYTHONS)} | `--https` |",
        f"| --- |{' --- |' * (len(PYTHONS) + 1)}",
    ]
    for name, (platform, macos) in SYSTEMS.items():
        said = [ask(platform, macos, python, "") for python in PYTHONS]
        cells = [f"no {lacking(each)}" if each else "yes" for each in said]
        https = ask(platform, macos, PYTHONS[0], "https") if not said[0] else said[0]
        lines.append(f"| {name} | {' | '.join(cells)} | {'no' if https else 'yes'} |")
    return lines


def with_table(text: str, lines: Sequence[str]) -> str:
    """The text with the lines between the marks. ValueError where they are missing."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"expected {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{chr(10).join(lines)}\n{END}{after}"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.platforms", description=__doc__)
    parser.add_argument("--out", type=Path, default=README, help="default: README.md")
    out: Path = parser.parse_args(arguments).out
    lines = table()
    out.write_text(with_table(out.read_text(encoding="utf-8"), lines), encoding="utf-8")
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
