"""Changes to decorated functions and what runs while a module is loaded, where mutmut makes none.

The changes are those of mutmut's own operators. Left alone are annotations and type aliases,
docstrings, imports, ``__all__``, decorators, and the calls that mutmut never changes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial

import libcst as cst
from mutmut.mutation.mutators import mutation_operators

__all__ = ["describe", "functions_run_when_loaded", "loaded_changes", "settings_changes"]

_LEFT_ALONE = (cst.Annotation, cst.Import, cst.ImportFrom, cst.Decorator)
_NEVER_CHANGED_CALLS = ("len", "isinstance")
_CHANGED_BY_MUTMUT = ("classmethod", "staticmethod")


def loaded_changes(code: str) -> list[Callable[[], str]]:
    """The changes of a module, each called to give its changed code."""
    module = cst.parse_module(code)

    def change(before: cst.CSTNode, after: cst.CSTNode) -> str:
        changed = module.deep_replace(before, after)
        assert isinstance(changed, cst.Module)
        return changed.code

    pairs = _changes(module, functions_run_when_loaded(module))
    return [partial(change, before, after) for before, after in pairs]


def functions_run_when_loaded(module: cst.Module) -> frozenset[str]:
    """Names of the module's functions that its own top level calls."""
    functions = {node.name.value for node in module.body if isinstance(node, cst.FunctionDef)}
    called: set[str] = set()

    class Calls(cst.CSTVisitor):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
            return False

        def visit_Call(self, node: cst.Call) -> None:
            if isinstance(node.func, cst.Name):
                called.add(node.func.value)

    module.visit(Calls())
    return frozenset(functions & called)


def _changes(
    node: cst.CSTNode, loaded: frozenset[str]
) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    if _is_left_alone(node, loaded):
        return
    for kind, operator in mutation_operators:
        if isinstance(node, kind):
            for changed in operator(node):
                yield node, changed
    for child in node.children:
        yield from _changes(child, loaded)


def _is_left_alone(node: cst.CSTNode, loaded: frozenset[str]) -> bool:
    if isinstance(node, _LEFT_ALONE):
        return True
    if isinstance(node, cst.FunctionDef):
        if node.name.value in loaded:
            return False
        names = [
            each.decorator.value for each in node.decorators if isinstance(each.decorator, cst.Name)
        ]
        return not node.decorators or (
            len(node.decorators) == 1 and names[:1] != [] and names[0] in _CHANGED_BY_MUTMUT
        )
    if isinstance(node, cst.Assign):
        target = node.targets[0].target
        name = target.value if isinstance(target, cst.Name) else ""
        is_alias = (
            isinstance(node.value, (cst.Subscript, cst.BinaryOperation)) and not name.isupper()
        )
        return name == "__all__" or (name[:1].isupper() and is_alias)
    return (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Name)
        and node.func.value in _NEVER_CHANGED_CALLS
    )


def settings_changes(code: str) -> list[Callable[[], str]]:
    """The defaults of settings changed a little: by one, by a twentieth, or to the opposite."""
    lines = code.splitlines(keepends=True)

    def change(value: ast.Constant, other: str) -> str:
        at, start, end = value.lineno - 1, value.col_offset, value.end_col_offset
        changed = lines[at][:start] + other + lines[at][end:]
        return "".join([*lines[:at], changed, *lines[at + 1 :]])

    return [
        partial(change, field.value, other)
        for cls in ast.walk(ast.parse(code))
        if isinstance(cls, ast.ClassDef) and cls.name.endswith("Settings")
        for field in cls.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.value, ast.Constant)
        for other in _near(field.value.value)
    ]


def _near(value: object) -> tuple[str, ...]:
    if isinstance(value, bool):
        return (str(not value),)
    if isinstance(value, int):
        return (str(value + 1), str(value - 1))
    return (repr(value * 1.05), repr(value * 0.95)) if isinstance(value, float) else ()


def describe(before: str, after: str) -> str:
    """What differs between two versions of a module, before and after."""
    old, new = before.splitlines(), after.splitlines()
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return " → ".join(" ".join(" ".join(lines).split()) for lines in (old, new))
