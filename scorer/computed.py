"""A property that is computed when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Value = TypeVar("Value")


class computed_once(Generic[Value]):
    """A property that is computed when it is first asked for, and then kept.

    In Python 3.11 ``functools.cached_property`` holds one lock for all objects of a class, so that
    on a server whoever taps waits for the games of everybody else.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Value: ...
    def __get__(self, instance: object | None, owner: type | None = None) -> Self | Value:
        if instance is None:
            return self
        value = self._compute(instance)
        # Found there from now on, before this is asked.
        instance.__dict__[self._name] = value
        return value
