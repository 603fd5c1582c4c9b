"""Photos that lie elsewhere: ``s3://bucket/photo.jpg`` and whatever else fsspec reaches."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import PurePosixPath

from vision.photo import PhotoSettings
from vision.photo.errors import PhotoError

__all__ = ["fetched", "is_address", "pictures_below"]

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)


def is_address(name: str) -> bool:
    """Whether a name is an address of fsspec and no path."""
    return _ADDRESS.match(name) is not None


def fetched(address: str, settings: PhotoSettings | None = None) -> bytes:
    """The bytes of a photo.

    PhotoError missing_file, not_permitted, not_readable or too_many_bytes.
    """
    limit = (settings or PhotoSettings()).max_file_bytes
    try:
        import fsspec

        with fsspec.open(address, "rb") as file:
            data: bytes = file.read(limit + 1)
    except FileNotFoundError as error:
        raise PhotoError("missing_file", path=address) from error
    except PermissionError as error:
        raise PhotoError("not_permitted", path=address) from error
    except Exception as error:  # Each kind of storage has errors of its own.
        reason = f"{type(error).__name__}: {error}"
        raise PhotoError("not_readable", path=address, reason=reason) from error
    if len(data) > limit:
        raise PhotoError("too_many_bytes", limit=limit)
    return data


def pictures_below(address: str, suffixes: Collection[str]) -> list[str]:
    """The pictures in a folder of this address, sorted; none where it is no folder.

    What can't be asked is no folder: reading it says why.
    """
    try:
        import fsspec

        system, path = fsspec.core.url_to_fs(address)
        if not system.isdir(path):
            return []
        inside = system.ls(path, detail=True)
        return sorted(
            str(system.unstrip_protocol(each["name"]))
            for each in inside
            if each["type"] == "file" and PurePosixPath(each["name"]).suffix.lower() in suffixes
        )
    except Exception:  # Each kind of storage has errors of its own.
        return []
