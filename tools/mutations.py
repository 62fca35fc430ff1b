"""Small changes of a program that a good test should notice: another comparison, another number, an inverted condition.

Pure: source text in, changes out. Changes that no test could or should notice, or that fail before a test runs, are left out: type hints,
decorators, raised errors, query tuning, constants in capitals and logging. String contents (docstrings, help, `__all__`, names of
relations) never change.
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Add,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.BitXor: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.Pow: ast.Mult,
}  # fmt: skip
# Logs are for people, without fixed texts; clearing memory affects the duration only.
UNTESTED_OBJECTS: Final = {"logger", "log", "warnings", "gc"}
TUNING: Final = {
    "strict", "slots", "frozen", "ndigits",  # checks and representation, not values
    "batch_size", "chunk_size", "maxsize", "update_fields", "using", "no_key",  # the same rows, batched or locked differently
}  # fmt: skip
FOR_PEOPLE: Final = {"__repr__", "__str__"}  # shown in the shell and in failures
# `Rows = list[int] | None` fails at import when changed: that would count as noticed, and says nothing of the tests.
TYPES: Final = {
    "int",
    "str",
    "float",
    "bool",
    "bytes",
    "dict",
    "list",
    "tuple",
    "set",
    "frozenset",
    "type",
    "object",
}


@dataclass(frozen=True, slots=True)
class Mutation:
    """A change of a source: ``before`` in ``line`` becomes ``after``; ``start`` and ``end``: byte offsets."""

    line: int
    start: int
    end: int
    before: str
    after: str

    def of(self, source: str) -> str:
        """Return the source with this change."""
        text = source.encode()
        return (text[: self.start] + self.after.encode() + text[self.end :]).decode()

    def __str__(self) -> str:
        return f"{self.line}: {' '.join(self.before.split())} → {self.after}"


def mutations(source: str) -> list[Mutation]:
    """Return all possible changes in the order of the text; each still compiles."""
    lines = [0]
    for line in source.encode().splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    result = []
    for node, after in _changes(ast.parse(source)):
        start = lines[node.lineno - 1] + node.col_offset
        end = lines[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        before = source.encode()[start:end].decode()
        mutation = Mutation(node.lineno, start, end, before, after)
        if _compiles(mutation.of(source)):
            result.append(mutation)
    return sorted(result, key=lambda mutation: (mutation.start, mutation.end, mutation.after))


def _compiles(source: str) -> bool:
    try:
        compile(source, "mutant", "exec")
    except SyntaxError:
        return False
    return True


def _changes(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Yield each node that can be changed, with the text that replaces it."""
    for node in ast.iter_child_nodes(tree):
        if _is_left_out(node):
            continue
        if isinstance(node, ast.expr):
            yield from ((node, f"({ast.unparse(replacement)})") for replacement in _other_expressions(node))
        elif isinstance(node, ast.stmt):
            yield from ((node, replacement) for replacement in _other_statements(node))
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            for part in (*_defaults(node), *node.body):
                yield from _changes(_wrapped(part))
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                yield from _changes(_wrapped(node.value))
        else:
            yield from _changes(node)


def _wrapped(node: ast.AST) -> ast.AST:
    """Return the node inside a parent node, because `_changes` looks at the children of a node."""
    return ast.Expression(node) if isinstance(node, ast.expr) else ast.Module([node], [])  # type: ignore[list-item]


def _defaults(node: ast.FunctionDef | ast.ClassDef) -> list[ast.expr]:
    if isinstance(node, ast.ClassDef):
        return []
    return [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]


def _is_left_out(node: ast.AST) -> bool:
    if isinstance(
        node, ast.Raise | ast.Assert | ast.Import | ast.ImportFrom | ast.JoinedStr | ast.AsyncFunctionDef
    ):
        return True
    if isinstance(node, ast.FunctionDef):
        return node.name in FOR_PEOPLE
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return _is_number(node.value) and any(
            isinstance(target, ast.Name) and target.id.isupper() for target in targets
        )
    if isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Constant):
            return True
        function = node.value.func if isinstance(node.value, ast.Call) else None
        return (
            isinstance(function, ast.Attribute)
            and isinstance(function.value, ast.Name)
            and function.value.id in UNTESTED_OBJECTS
        )
    if isinstance(node, ast.keyword):
        return node.arg in TUNING
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    return False


def _is_number(value: ast.expr | None) -> bool:
    """Return whether the value is a constant, or a duration of constants such as ``timedelta(hours=1)``."""
    if isinstance(value, ast.Call):
        arguments = [*value.args, *(keyword.value for keyword in value.keywords)]
        is_timedelta = isinstance(value.func, ast.Name) and value.func.id == "timedelta"
        return is_timedelta and all(isinstance(argument, ast.Constant) for argument in arguments)
    return isinstance(value, ast.Constant)


def _other_expressions(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            mutated = copy.deepcopy(node)
            mutated.ops[index] = COMPARISONS[type(operator)]()
            yield mutated
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not _of_types(node):
        if not isinstance(node.left, ast.Constant | ast.JoinedStr) or not isinstance(
            getattr(node.left, "value", 0), str
        ):
            yield ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        for index, part in enumerate(node.generators):
            for condition_index, condition in enumerate(part.ifs):
                negated = copy.deepcopy(node)
                negated.generators[index].ifs[condition_index] = ast.UnaryOp(ast.Not(), condition)
                yield negated


def _of_types(node: ast.BinOp) -> bool:
    """Return whether the operation is a union of types (``Draw | None``) and not a bitwise operation."""
    return isinstance(node.op, ast.BitOr) and _is_type(node.left) and _is_type(node.right)


def _is_type(side: ast.expr) -> bool:
    if isinstance(side, ast.Subscript):
        return _is_type(side.value)
    if isinstance(side, ast.Name):
        return side.id in TYPES or (side.id[:1].isupper() and not side.id.isupper())
    return (
        (isinstance(side, ast.Constant) and side.value is None)
        or (isinstance(side, ast.Attribute) and side.attr[:1].isupper())
        or (isinstance(side, ast.BinOp) and _of_types(side))
    )


def _other_statements(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Continue):
        yield "break"
    elif isinstance(node, ast.Break):
        yield "continue"
    elif (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)) or isinstance(node, ast.AugAssign):
        yield "pass"
    elif isinstance(node, ast.Return) and node.value is not None and not _is_empty(node.value):
        yield "return None"
    elif isinstance(node, ast.Assign) and any(isinstance(target, ast.Attribute) for target in node.targets):
        yield "pass"


def _is_empty(value: ast.expr) -> bool:
    """Return whether the value is an empty literal or constant, which in a truth test behaves like None.

    Replacing it by None would change nothing that a test could notice, or be an error that mypy finds.
    """
    if isinstance(value, ast.List | ast.Tuple):
        return not value.elts
    if isinstance(value, ast.Dict):
        return not value.keys
    return isinstance(value, ast.Constant) and value.value in {None, False, ""}
