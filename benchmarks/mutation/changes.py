"""The changes of a module, one at a time: those of mutmut's operators, and some that it lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider
from mutmut.mutation import mutators

_LEFT_ALONE = (cst.Annotation, cst.Import, cst.ImportFrom, cst.Decorator)
_NEVER_CHANGED_CALLS = ("len", "isinstance", "cast", "TypeVar", "overload")


@dataclass(frozen=True)
class Change:
    """A change of one kind, at ``first`` to ``last`` line of a module, and what makes its code.

    ``loaded``: the lines run while the module is loaded, not when a function is called.
    """

    module: str
    number: int
    kind: str
    first: int
    last: int
    loaded: bool
    make: Callable[[], str]

    @property
    def name(self) -> str:
        """The change's name in files of results."""
        return f"{self.module}#{self.number}"


def changes_of(module: str, code: str) -> list[Change]:
    """All changes of a module with this code."""
    wrapper = MetadataWrapper(cst.parse_module(code))
    tree, positions = wrapper.module, wrapper.resolve(PositionProvider)

    def make(before: cst.CSTNode, after: cst.CSTNode) -> str:
        changed = tree.deep_replace(before, after)
        assert isinstance(changed, cst.Module)
        return changed.code

    found: list[Change] = []
    for kind, before, after, at, loaded in _walk(tree, positions, _Place()):
        first, last = at.start.line, at.end.line
        changed = partial(make, before, after)
        found.append(Change(module, len(found), kind, first, last, loaded, changed))
    return found


def describe(before: str, after: str) -> str:
    """What differs between two versions of a module, before and after."""
    old, new = before.splitlines(), after.splitlines()
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return " → ".join(" ".join(" ".join(lines).split()) for lines in (old, new))


@dataclass(frozen=True)
class _Place:
    """Where a node stands: the range of its statement, in which kind of body."""

    statement: CodeRange | None = None
    in_function: bool = False
    in_settings: bool = False


_Found = tuple[str, cst.CSTNode, cst.CSTNode, CodeRange, bool]


def _walk(node: cst.CSTNode, positions: object, place: _Place) -> Iterator[_Found]:
    if _is_left_alone(node):
        return
    if isinstance(node, cst.SimpleStatementLine):
        place = _Place(_range(positions, node), place.in_function, place.in_settings)
    for kind, changed in _variants(node, place):
        of = node.body if isinstance(node, cst.FunctionDef) else node
        at = place.statement or _range(positions, of)
        yield kind, node, changed, at, not (place.in_function or isinstance(node, cst.FunctionDef))
    if isinstance(node, cst.FunctionDef):
        # Defaults are read when the function is made, its body when it is called.
        yield from _walk(node.params, positions, place)
        inside = _Place(in_function=True)
        yield from _walk(node.body, positions, inside)
        return
    if isinstance(node, cst.ClassDef):
        place = _Place(in_settings=node.name.value.endswith("Settings"))
    for child in node.children:
        yield from _walk(child, positions, place)


def _range(positions: object, node: cst.CSTNode) -> CodeRange:
    found = positions[node]  # type: ignore[index]
    assert isinstance(found, CodeRange)
    return found


def _is_left_alone(node: cst.CSTNode) -> bool:
    if isinstance(node, _LEFT_ALONE):
        return True
    if isinstance(node, cst.If) and _is_name(node.test, "TYPE_CHECKING"):
        return True
    if isinstance(node, cst.Assign):
        target = node.targets[0].target
        name = target.value if isinstance(target, cst.Name) else ""
        is_alias = (
            isinstance(node.value, (cst.Subscript, cst.BinaryOperation)) and not name.isupper()
        )
        return name == "__all__" or (name.lstrip("_")[:1].isupper() and is_alias)
    return isinstance(node, cst.Call) and any(
        _is_name(node.func, name) for name in _NEVER_CHANGED_CALLS
    )


def _is_name(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name


def _variants(node: cst.CSTNode, place: _Place) -> Iterator[tuple[str, cst.CSTNode]]:
    """The changes of one node, each with its kind."""
    if place.in_settings and isinstance(node, cst.AnnAssign):
        yield from _other_settings(node)
    for of, kind, operator in _OPERATORS:
        if isinstance(node, of):
            for changed in operator(node):
                yield kind, changed
    if isinstance(node, cst.Call):
        kind = "field lost" if _rebuilds(node) else "argument dropped"
        for changed in mutators.operator_arg_removal(node):
            if len(changed.args) == len(node.args):
                yield "argument is None", changed
            else:
                *others, last = changed.args
                last = last.with_changes(comma=cst.MaybeSentinel.DEFAULT)
                yield kind, changed.with_changes(args=[*others, last])
        if len(node.args) == 1:
            yield kind, node.with_changes(args=[])


def _rebuilds(call: cst.Call) -> bool:
    """Whether a call makes an object of others' fields."""
    func = call.func
    name = func.attr.value if isinstance(func, cst.Attribute) else ""
    name = func.value if isinstance(func, cst.Name) else name
    return name == "replace" or name.lstrip("_")[:1].isupper()


def _other_text(node: cst.SimpleString) -> Iterator[cst.CSTNode]:
    if not node.quote.startswith(('"""', "'''")):
        prefix, quote = node.prefix, node.quote
        inside = node.value[len(prefix) + 1 : -1]
        yield node.with_changes(value=f"{prefix}{quote}XX{inside}XX{quote}")


def _without_body(node: cst.FunctionDef) -> Iterator[cst.CSTNode]:
    if not isinstance(node.body, cst.IndentedBlock):
        return
    lines = [line for line in node.body.body if not _says_nothing(line)]
    nothing = cst.SimpleStatementLine([cst.Return(cst.Name("None"))])
    if lines and not lines[0].deep_equals(nothing):
        yield node.with_changes(body=cst.IndentedBlock([nothing]))


def _says_nothing(line: cst.BaseStatement) -> bool:
    """A docstring, ``...``, or the refusal of a method that others define."""
    if not isinstance(line, cst.SimpleStatementLine):
        return False
    only = line.body[0]
    if isinstance(only, cst.Expr):
        return isinstance(only.value, (cst.SimpleString, cst.ConcatenatedString, cst.Ellipsis))
    return isinstance(only, (cst.Pass, cst.Raise))


def _without_call(node: cst.SimpleStatementLine) -> Iterator[cst.CSTNode]:
    only = node.body[0]
    if len(node.body) == 1 and isinstance(only, cst.Expr) and isinstance(only.value, cst.Call):
        yield node.with_changes(body=[cst.Pass()])


def _opposite(node: cst.If) -> Iterator[cst.CSTNode]:
    if isinstance(node.test, cst.UnaryOperation) and isinstance(node.test.operator, cst.Not):
        return  # Taking the "not" away is a change of its own.
    test = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    yield node.with_changes(test=cst.UnaryOperation(cst.Not(), test))


def _other_settings(node: cst.AnnAssign) -> Iterator[tuple[str, cst.CSTNode]]:
    if isinstance(node.value, cst.Integer):
        others = [str(node.value.evaluated_value - 1)]
    elif isinstance(node.value, cst.Float):
        others = [repr(node.value.evaluated_value * factor) for factor in (0.95, 1.05)]
    else:
        others = []
    for other in others:
        yield "setting", node.with_changes(value=cst.parse_expression(other))


_OPERATORS: tuple[tuple[type[cst.CSTNode], str, Callable[..., Iterable[cst.CSTNode]]], ...] = (
    (cst.FunctionDef, "body removed", _without_body),
    (cst.SimpleStatementLine, "call removed", _without_call),
    (cst.If, "condition", _opposite),
    (cst.BaseNumber, "number", mutators.operator_number),
    (cst.SimpleString, "text", _other_text),
    (cst.Name, "truth", mutators.operator_name),
    (cst.Assign, "assignment", mutators.operator_assignment),
    (cst.AnnAssign, "assignment", mutators.operator_assignment),
    (cst.AugAssign, "assignment", mutators.operator_augmented_assignment),
    (cst.UnaryOperation, "operator", mutators.operator_remove_unary_ops),
    (cst.Call, "argument dropped", mutators.operator_dict_arguments),
    (cst.Call, "text method", mutators.operator_symmetric_string_methods_swap),
    (cst.Call, "text method", mutators.operator_unsymmetrical_string_methods_swap),
    (cst.Lambda, "lambda", mutators.operator_lambda),
    (cst.CSTNode, "keyword", mutators.operator_keywords),
    (cst.CSTNode, "operator", mutators.operator_swap_op),
    (cst.Match, "case", mutators.operator_match),
    (cst.IfExp, "condition", mutators.operator_if_exp),
)
