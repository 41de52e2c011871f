"""Turns a spec whose lines end with the numbers of the paper's steps back into the paper's notation.

A line of the spec without a number is not in the paper. A number on a line of its own ends a loop.
"""

import ast
import inspect
import io
import re
import textwrap
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """A printed line: its number, its depth in loops and branches, and its text."""

    number: str
    depth: int
    text: str


NAMES = {
    "A_bits": "A",
    "N_hat": "N̂",
    "B_hat": "B̂",
    "D_hat": "D̂",
    "q_hat": "q̂",
    "A_hat": "Â",
    "q1": "qᵢ₊₁",
    "q2": "qᵢ₊₂",
    "stays": "δ₁ ∨ δ₀",
    "forbidden": "i = k+4",
}
BELOW = str.maketrans("0123456789+-ik", "₀₁₂₃₄₅₆₇₈₉₊₋ᵢₖ")
SYMBOLS: dict[type[ast.AST], str] = {
    ast.Add: " + ",
    ast.Sub: " − ",
    ast.Mult: " × ",
    ast.FloorDiv: " / ",
    ast.Mod: " mod ",
    ast.LShift: " << ",
    ast.RShift: " >> ",
    ast.BitOr: " ∨ ",
    ast.NotEq: " ≠ ",
    ast.GtE: " ≥ ",
    ast.LtE: " ≤ ",
}
TIGHTER = (ast.Mult, ast.FloorDiv, ast.Mod)  # than a sum


def steps(function: Callable[..., object]) -> list[Step]:
    """Return the numbered lines of a spec as printed."""
    source = textwrap.dedent(inspect.getsource(function))
    nodes = {last_line(node): node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)}
    found: list[Step] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        number = re.fullmatch(r"# ([\d, -]+)", token.string) if token.type == tokenize.COMMENT else None
        if number:
            found += printed(number[1], token, nodes)
    return found


def last_line(node: ast.stmt) -> int | None:
    """Return the last line of a statement, or of the head of a loop or branch; every parsed node has one."""
    if isinstance(node, ast.For):
        return node.iter.end_lineno
    if isinstance(node, ast.While | ast.If):
        return node.test.end_lineno
    return node.end_lineno


def printed(number: str, comment: tokenize.TokenInfo, nodes: dict[int | None, ast.stmt]) -> Iterator[Step]:
    """Yield the printed lines of the statement that a number belongs to."""
    code = comment.line[: comment.start[1]].strip()
    if not code or code == "else:":
        indent = len(comment.line) - len(comment.line.lstrip())
        yield Step(number, indent // 4 - 1, "else" if code else "end")
        return
    node = nodes[comment.start[0]]
    depth = node.col_offset // 4 - 1
    if "-" in number:
        first = int(number.partition("-")[0])
        for place, text in enumerate(selection(node)):
            yield Step(str(first + place), depth, text)
    else:
        yield Step(number, depth, statement(node))


def selection(node: ast.stmt) -> Iterator[str]:
    """Yield x = selected(A, q, N, B, D) as the paper's four lines."""
    if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)):
        raise TypeError(f"not a selection: {ast.unparse(node)}")
    a, q, *values = map(expression, node.value.args)
    for place, value in enumerate(["0", *values]):
        yield f"if {a} = {place // 2} and {q} = {place % 2} then {expression(node.targets[0])} = {value}"


def statement(node: ast.stmt) -> str:
    """Return one statement, or the head of a loop or branch."""
    match node:
        case ast.For(target=target, iter=ast.Call(args=[bound])):
            text = f"for {expression(target)} = 0 to {below_one(bound)} do"
        case ast.While(test=test):
            text = f"while {expression(test)} do"
        case ast.If(test=test):
            text = f"if {expression(test)} then"
        case ast.Return(value=ast.expr() as value):
            text = f"return {expression(value)}"
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            pairs = zip(targets, values, strict=True)
            text = "; ".join(filter(None, (assignment(target, value) for target, value in pairs)))
        case ast.Assign(targets=[ast.Tuple()], value=ast.Call(func=ast.Name(id="quotients"))):
            text = "qᵢ₊₁ by (5), qᵢ₊₂ by (7)"
        case ast.Assign(targets=[target], value=value):
            text = assignment(target, value)
        case _:
            raise TypeError(f"the paper's notation has no statement like {ast.unparse(node)}")
    return text


def below_one(bound: ast.expr) -> str:
    """Return the last value of a loop that ends before `bound`: k or k + 2."""
    match bound:
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=int() as count)):
            return f"{expression(left)}+{count - 1}"
        case _:
            return f"{expression(bound)}−1"


def assignment(target: ast.expr, value: ast.expr) -> str:
    """Return one assignment; an empty array is not printed, an array of one entry prints as that entry."""
    match value:
        case ast.Dict(keys=[]):
            return ""
        case ast.Dict(keys=[ast.expr() as key], values=[entry]):
            return f"{expression(target)}[{expression(key)}] = {expression(entry)}"
        case ast.IfExp(test=test, body=body):
            return f"if {expression(test)} then {expression(target)} = {expression(body)}"
        case _:
            return f"{expression(target)} = {expression(value)}"


def expression(node: ast.expr) -> str:
    """Return an expression."""
    match node:
        case ast.Name(id=name):
            text = NAMES.get(name, name)
        case ast.Constant(value=value):
            text = str(value)
        case ast.UnaryOp(op=operator, operand=operand):
            text = (
                f"−{expression(operand)}" if isinstance(operator, ast.USub) else f"~({expression(operand)})"
            )
        case ast.Tuple(elts=elements):
            text = f"({', '.join(map(expression, elements))})"
        case ast.Subscript(value=array, slice=index):
            text = indexed(expression(array), tight(index))
        case ast.Call(func=function, args=arguments):
            text = call(ast.unparse(function), arguments)
        case ast.BinOp(left=left, op=operator, right=right):
            text = SYMBOLS[type(operator)].join(bracketed(side, operator) for side in (left, right))
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            text = SYMBOLS[type(operator)].join(map(expression, (left, right)))
        case _:
            raise TypeError(f"the paper's notation has no expression like {ast.unparse(node)}")
    return text


def indexed(array: str, index: str) -> str:
    """Return an element: the bits of an iteration have a subscript, vectors an index in brackets."""
    return array + index.translate(BELOW) if array in {"q", "skip"} else f"{array}[{index}]"


def bracketed(node: ast.expr, operator: ast.operator) -> str:
    """Return an operand, in parentheses if the operator binds tighter than the operand's own operator."""
    text = expression(node)
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
    return f"({text})" if is_sum and isinstance(operator, TIGHTER) else text


def tight(index: ast.expr) -> str:
    """Return an index, without spaces."""
    return expression(index).replace(" ", "")


def call(function: str, arguments: list[ast.expr]) -> str:
    """Return a call of one of the spec's helpers in the paper's notation."""
    texts = list(map(expression, arguments))
    match function:
        case "bit":
            return texts[0] + tight(arguments[1]).translate(BELOW)
        case "adder.csa":
            return " + ".join(texts)
        case "halves":
            return f"({texts[0]}) / 2"
        case "convert":
            return f"2H_CSA({', '.join(texts)})"
    raise TypeError(f"the paper's notation has no {function}")
