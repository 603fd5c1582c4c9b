"""What the readers of all games share; nothing here depends on a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module


def lazily(package: str, modules: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """The ``__getattr__`` (PEP 562) of a package that takes each name from the module that has it.

    So importing the package costs nothing: its names are loaded once they are asked for.
    Checkers of types read the same names imported under ``TYPE_CHECKING``.
    """

    def load(name: str) -> object:
        for module, names in modules.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load
