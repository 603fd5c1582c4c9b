"""Writes a checkout for a hosting service that builds a container from the root of a repository.

`python -m deploy.space FOLDER` writes what git tracks into a new folder, with `Dockerfile` and the
settings of a Docker Space at the head of `README.md`; that folder, committed, is what is pushed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from companion.web.network import HOST_NAMES

ROOT = Path(__file__).parents[1]
CONTAINERFILE = ROOT / "deploy" / "Containerfile"
OWN_USER = "10001"
SPACE_USER = "1000"
"""The user that a Space runs its container as, whatever the file says."""


def dockerfile(containerfile: str) -> str:
    """The Containerfile for the user of a Space, whose proxy alone says under which name it is."""
    names = f'ENV {HOST_NAMES}="*"\n'
    return containerfile.replace(OWN_USER, SPACE_USER).replace("VOLUME /data\n", names)


def front_matter(containerfile: str) -> str:
    """The settings that a Space reads from the head of its README. ValueError without a port."""
    port = re.search(r"^EXPOSE (\d+)$", containerfile, re.MULTILINE)
    if port is None:
        raise ValueError("Containerfile: expected a line EXPOSE with a port")
    settings = {
        "title": "Kingdomino companion",
        "colorFrom": "yellow",
        "colorTo": "red",
        "sdk": "docker",
        "app_port": port[1],
        "license": "mit",
    }
    lines = [f"{name}: {value}" for name, value in settings.items()]
    return "\n".join(["---", *lines, "---", ""])


def write(folder: Path, root: Path = ROOT) -> None:
    """Write the checkout of a Space. FileExistsError where the folder is there already."""
    folder.mkdir(parents=True)
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True, text=True
    )
    for name in filter(None, tracked.stdout.split("\0")):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((root / name).read_bytes())
        target.chmod((root / name).stat().st_mode)
    containerfile = (root / "deploy" / "Containerfile").read_text(encoding="utf-8")
    (folder / "Dockerfile").write_text(dockerfile(containerfile), encoding="utf-8")
    readme = (root / "README.md").read_text(encoding="utf-8")
    (folder / "README.md").write_text(f"{front_matter(containerfile)}\n{readme}", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m deploy.space", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a folder to be made")
    folder: Path = parser.parse_args(arguments).folder
    if folder.exists():
        parser.error(f"{folder} is there already")
    write(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
