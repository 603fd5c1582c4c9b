"""What the system says against a file, in the language of the command."""

from __future__ import annotations

import errno
import os

from companion.languages import Language, translate

__all__ = ["SYSTEM_ERRORS", "reason_of", "translate_reason"]

DOMAIN = "usage"

SYSTEM_ERRORS = (
    errno.EACCES,
    errno.EEXIST,
    errno.EIO,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOENT,
    errno.ENOSPC,
    errno.ENOTDIR,
    errno.EPERM,
    errno.EROFS,
)
"""The errors of files that people meet; others stay in the words of the system."""


def reason_of(error: Exception, language: Language) -> str:
    """Why a file can't be read or written."""
    return translate_reason(getattr(error, "strerror", None) or str(error), language)


def translate_reason(reason: str, language: Language) -> str:
    """The words of the system, such as those of ``os.strerror``, in another language.

    They stay as they are where there is no translation.
    """
    known = {os.strerror(number) for number in SYSTEM_ERRORS}
    return translate(reason, language, DOMAIN) if reason in known else reason
