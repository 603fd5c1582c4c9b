"""The bytes of a file that may be anything, and which format of picture they are."""

from __future__ import annotations

import errno
import os
import stat

from vision.photo.errors import PhotoError

__all__ = ["READ_FORMATS", "SIGNATURE_BYTES", "file_bytes", "picture_format"]

SIGNATURE_BYTES = 64
"""So many bytes of a file tell its format."""

READ_FORMATS = ("JPEG", "PNG", "HEIF", "WEBP", "AVIF", "GIF", "BMP")
"""The formats that are read, the usual ones first, named as people know them."""

_SIGNATURES = {
    b"\xff\xd8\xff": "JPEG",
    b"\x89PNG\r\n\x1a\n": "PNG",
    b"GIF87a": "GIF",
    b"GIF89a": "GIF",
}
_BRANDS = {
    **dict.fromkeys(
        (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1"),
        "HEIF",
    ),
    b"avif": "AVIF",
    b"avis": "AVIF",
}
# Pictures and their neighbours that people do try, named so that the message can say it.
_REFUSED_SIGNATURES = {
    b"II*\0": "TIFF",
    b"MM\0*": "TIFF",
    b"%PDF": "PDF",
    b"8BPS": "Photoshop",
    b"\xff\x0a": "JPEG XL",
    b"\0\0\0\x0cJXL ": "JPEG XL",
    b"\0\0\0\x0cjP  ": "JPEG 2000",
    b"FUJIFILMCCD-RAW": "RAW",
    b"<svg": "SVG",
}


def picture_format(data: bytes) -> str:
    """One of ``READ_FORMATS``, from the first ``SIGNATURE_BYTES`` of a file.

    PhotoError with the codes unsupported_format and not_a_picture for everything else.
    """
    for signature, name in _SIGNATURES.items():
        if data.startswith(signature):
            return name
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    if data[:2] == b"BM" and data[6:10] == b"\0\0\0\0":
        return "BMP"
    if data[4:8] == b"ftyp":
        brand = data[8:12]
        if brand in _BRANDS:
            return _BRANDS[brand]
        name = "".join(c for c in brand.decode("ascii", "replace") if c.isalnum())
        raise PhotoError("unsupported_format", format=name)
    for signature, name in _REFUSED_SIGNATURES.items():
        if data.startswith(signature):
            raise PhotoError("unsupported_format", format=name)
    raise PhotoError("not_a_picture")


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
