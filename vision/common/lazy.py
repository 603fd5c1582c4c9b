"""Packages whose names are loaded once they are asked for, so that importing them costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

__all__ = ["lazily"]


def lazily(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """The ``__getattr__`` (PEP 562) of a package that takes each name from its module.

    Checkers of types read the same names imported under ``TYPE_CHECKING``.
    """

    def load(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(modules[name]), name)

    return load
