"""What importing the readers loads, and that their names are there all the same."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module

import pytest

from vision.kingdomino.refit import sample_folder

PACKAGES = (
    "vision",
    "vision.kingdomino",
    "vision.pip_dominoes",
    "vision.domino_duell",
    "vision.photo",
)


def loaded_by(code: str) -> set[str]:
    """The libraries that a fresh interpreter has loaded after running ``code``."""
    wanted = ["numpy", "cv2", "PIL", "scipy", "highspy", "onnxruntime"]
    tell = f"import sys, json; print(json.dumps([m for m in {wanted} if m in sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{tell}"], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_importing_the_readers_loads_no_library() -> None:
    assert loaded_by("".join(f"import {name}\n" for name in PACKAGES)) == set()
    assert loaded_by("from vision import PhotoError") == set()


def test_results_and_errors_need_no_pictures() -> None:
    assert loaded_by("from vision import KingdomReading, HandReading, PhotoError") == {"numpy"}


@pytest.mark.parametrize(
    ("name", "library"),
    [("complete-5x5", "scipy"), ("holes-5x5", "scipy"), ("holes-5x5", "highspy")],
)
def test_a_kingdom_of_the_box_is_read_without_a_solver(name: str, library: str) -> None:
    """Where it leaves no doubt; where it does the box is asked, without a large library."""
    sample = sample_folder() / f"{name}.jpg"
    assert library not in loaded_by(f"import vision; vision.read_kingdoms({str(sample)!r})")


def test_one_that_the_box_does_not_have_is_settled_without_a_large_library() -> None:
    """Loading it would take ten times as long as to read the photograph."""
    code = """
from vision.kingdomino.result import BARE, LABELS
from vision.kingdomino.settling import settle
import numpy as np
castle_and_mine = {(0, k): np.eye(len(LABELS))[LABELS.index(x)] for k, x in enumerate(("c", "m3"))}
(settled,) = settle([castle_and_mine])
assert settled.solved and settled.unpaired
"""
    assert loaded_by(code) == {"numpy", "cv2", "highspy"}


@pytest.mark.parametrize("name", PACKAGES)
def test_every_name_of_a_package_is_there(name: str) -> None:
    package = import_module(name)
    for each in package.__all__:
        assert getattr(package, each).__name__ == each
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'nothing'"):
        package.nothing  # noqa: B018
