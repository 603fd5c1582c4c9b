"""Which format a picture has, by its first bytes and whatever the file is called."""

from __future__ import annotations

from vision.photo.errors import PhotoError

__all__ = ["READ_FORMATS", "SIGNATURE_BYTES", "picture_format"]

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
