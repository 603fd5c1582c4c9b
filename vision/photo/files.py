"""The bytes of a file that may be anything."""

from __future__ import annotations

import errno
import os
import stat

from vision.photo.errors import PhotoError
from vision.photo.formats import SIGNATURE_BYTES, picture_format

__all__ = ["file_bytes"]

# Without it, opening a pipe waits for somebody who writes into it. Windows has neither.
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)


def file_bytes(path: str | os.PathLike[str], max_bytes: int) -> bytes:
    """All bytes of a picture file.

    PhotoError with the codes missing_file, not_permitted, not_readable, is_folder,
    not_a_file (a pipe, a device), too_many_bytes and those of ``picture_format``: what is no
    picture is refused as such before gigabytes of it are read.
    """
    name = os.fsdecode(path)
    try:
        if os.path.isdir(name):
            os.scandir(name).close()  # A folder that may not be looked into is told as such.
            raise PhotoError("is_folder", path=name)
        descriptor = os.open(name, os.O_RDONLY | _AT_ONCE | _BINARY)
        with open(descriptor, "rb", buffering=0) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise PhotoError("not_a_file", path=name)
            start = file.read(SIGNATURE_BYTES)
            if not start:
                raise PhotoError("empty_file")
            picture_format(start)
            if status.st_size > max_bytes:
                raise PhotoError("too_many_bytes", limit=max_bytes)
            file.seek(0)
            return file.read(max_bytes)
    except PhotoError:
        raise
    except (OSError, ValueError) as error:
        raise _refusal(name, error) from error


def _refusal(name: str, error: OSError | ValueError) -> PhotoError:
    if isinstance(error, PermissionError):
        return PhotoError("not_permitted", path=name)
    number = getattr(error, "errno", None)
    if number in (None, errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL):
        return PhotoError("missing_file", path=name)
    if number == errno.ENXIO:  # A socket, or a device that is not there.
        return PhotoError("not_a_file", path=name)
    return PhotoError("not_readable", path=name, reason=getattr(error, "strerror", str(error)))
