"""Where the last layer refitted for this user lies, and how the reader comes to use it."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

__all__ = ["install_head", "newest_head", "undo_head", "use_own_head"]

_NAME = "squares-{number:04}.npz"
# As in ``vision.kingdomino.weights``, which loads OpenCV: not before there is a photo to read.
_VARIABLE = "KINGDOMINO_OWN_HEAD"


def _folder() -> Path:
    """In the user's data folder; named here again, since the store takes long to import."""
    return user_data_path("kingdomino", appauthor=False) / "own_head"


def _kept() -> list[Path]:
    return sorted(_folder().glob("squares-[0-9][0-9][0-9][0-9].npz"))


def newest_head() -> Path | None:
    """The file in use, None where the shipped layer is."""
    kept = _kept()
    return kept[-1] if kept else None


def install_head(data: bytes) -> Path:
    """Keep a refitted layer, as ``Head.to_bytes`` gives it; it is used from the next start on."""
    folder, newest = _folder(), newest_head()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    number = int(newest.stem.rpartition("-")[2]) + 1 if newest else 1
    path = folder / _NAME.format(number=number)
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_bytes(data)
    unfinished.replace(path)
    return path


def undo_head() -> bool:
    """Go back to the layer before, the shipped one in the end; False where that is in use."""
    newest = newest_head()
    if newest is None:
        return False
    newest.unlink()
    return True


def use_own_head() -> None:
    """Have this process and those it starts read with the layer of this user, if there is one.

    What the environment names already stays, an empty text for the shipped layer included.
    """
    if _VARIABLE in os.environ:
        return
    newest = newest_head()
    if newest is not None:
        os.environ[_VARIABLE] = str(newest)
