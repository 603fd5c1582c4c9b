"""Where last layers fitted for this user lie, and how the reader of each game comes to use the
newest.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path


@dataclass(frozen=True)
class OwnHeads:
    """The layers of one reader: files ``NAME-0001.npz`` and so on in the user's data folder.

    ``variable`` is the environment variable that names one to the reader.
    """

    name: str
    variable: str

    @property
    def folder(self) -> Path:
        """In the user's data folder; named here again, since the store takes long to import."""
        return user_data_path("kingdomino", appauthor=False) / "own_head"

    def newest(self) -> Path | None:
        """The file in use, None where the shipped layer is; PermissionError for a closed folder."""
        kept = sorted(self.folder.glob(f"{self.name}-[0-9][0-9][0-9][0-9].npz"))
        return kept[-1] if kept else None

    def install(self, data: bytes) -> Path:
        """Keep a layer, as ``StoredHead.to_bytes`` gives it; used from the next start on."""
        newest = self.newest()
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        number = int(newest.stem.rpartition("-")[2]) + 1 if newest else 1
        path = self.folder / f"{self.name}-{number:04}.npz"
        unfinished = path.with_suffix(".unfinished")
        unfinished.write_bytes(data)
        unfinished.replace(path)
        return path

    def undo(self) -> bool:
        """Go back to the layer before, the shipped one in the end; False where that is in use."""
        newest = self.newest()
        if newest is None:
            return False
        newest.unlink()
        return True

    def use(self) -> None:
        """Have this process and those it starts read with the newest layer, if there is one.

        What the environment names already stays, an empty text for the shipped layer included.
        Whoever may not look into the data folder reads with the shipped layer.
        """
        if self.variable in os.environ:
            return
        newest = None
        with suppress(PermissionError):
            newest = self.newest()
        if newest is not None:
            os.environ[self.variable] = str(newest)


# The variables as in ``weights`` of either game, which load OpenCV: not before there is a photo.
KINGDOMINO_HEADS = OwnHeads("squares", "KINGDOMINO_OWN_HEAD")
DUEL_HEADS = OwnHeads("hollows", "DOMINO_DUELL_OWN_HEAD")
