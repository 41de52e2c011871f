"""Verilog models of the cells of a Liberty library: what each computes, without its delays.

A cell has a model if all its outputs are functions of its inputs and of at most one flip-flop. Latches and
cells that drive a net to high impedance have none.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from monpro.flow.tools import ToolError

_TOKEN = re.compile(r'"[^"]*"|[^\s"{}();:,]+|[{}();:,]')
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|\\\n", re.DOTALL)
_SIGN = re.compile(r"\w+|[!'^&*|+()]")


@dataclass
class Group:
    """A group of a Liberty file, such as `pin(A) { … }`: kind, arguments, attributes, and inner groups."""

    kind: str
    arguments: tuple[str, ...]
    attributes: dict[str, str] = field(default_factory=dict)
    groups: list["Group"] = field(default_factory=list)

    def of_kind(self, kind: str) -> list["Group"]:
        """Return the inner groups of a kind."""
        return [group for group in self.groups if group.kind == kind]


def read(liberty: Path) -> Group:
    """Return the library; ToolError if the text is none."""
    text = _COMMENT.sub(" ", liberty.read_text(encoding="utf-8", errors="replace"))
    tokens = (token.strip('"') for token in _TOKEN.findall(text))
    root = Group("", ())
    try:
        _statements(tokens, root)
    except StopIteration:
        pass
    else:
        raise ToolError(f"{liberty} has a closing brace too many")
    if len(root.of_kind("library")) != 1:
        raise ToolError(f"{liberty} holds no library")
    return root.of_kind("library")[0]


def models(library: Group) -> dict[str, str]:
    """Return a Verilog module for each cell of a library that can have a model, by the cell's name."""
    texts = ((cell.arguments[0], model(cell)) for cell in library.of_kind("cell"))
    return {name: text for name, text in texts if text}


def model(cell: Group) -> str:
    """Return the Verilog module of a cell; empty if it holds a latch, or an output that can float."""
    pins = {pin.arguments[0]: pin.attributes for pin in cell.of_kind("pin")}
    outputs = {name: pin for name, pin in pins.items() if pin["direction"] == "output"}
    floats = any("three_state" in pin or "function" not in pin for pin in outputs.values())
    flip_flops = cell.of_kind("ff")
    if cell.of_kind("latch") or floats or not outputs or len(flip_flops) > 1:
        return ""
    ports = ", ".join(f"{pin['direction']} {name}" for name, pin in pins.items())
    body = chain.from_iterable(map(_register, flip_flops))
    assigned = (f"  assign {name} = {verilog(pin['function'])};" for name, pin in outputs.items())
    return "\n".join([f"module {cell.arguments[0]} ({ports});", *body, *assigned, "endmodule", ""])


def verilog(function: str) -> str:
    """Return a Liberty function as a Verilog expression; ToolError if it is none.

    Inversions bind closest, then ^, then products (`&`, `*` or nothing between the factors), then sums.
    """
    signs = iter([*_SIGN.findall(function), ""])
    text, rest = _sum(next(signs), signs)
    if rest or re.sub(r"\s", "", function) != "".join(_SIGN.findall(function)):
        raise ToolError(f"{function!r} is no function of a Liberty file")
    return text


def _register(flip_flop: Group) -> Iterator[str]:
    """Yield the lines of a flip-flop. Where clear and preset meet, the first of its states is as it says."""
    state, inverse = flip_flop.arguments
    attributes = flip_flop.attributes
    set_first = attributes.get("clear_preset_var1", "L") == "H"
    forced = [("clear", "1'b0"), ("preset", "1'b1")]
    forced = [pair for pair in (forced[::-1] if set_first else forced) if pair[0] in attributes]
    yield f"  reg {state};"
    yield f"  wire {inverse} = ~{state};"
    yield f"  wire clock = {verilog(attributes['clocked_on'])};"
    for name, _ in forced:
        yield f"  wire {name} = {verilog(attributes[name])};"
    edges = " or ".join(f"posedge {name}" for name in ("clock", *(name for name, _ in forced)))
    yield f"  always @({edges})"
    for name, value in forced:
        yield f"    if ({name}) {state} <= {value}; else"
    yield f"    {state} <= {verilog(attributes['next_state'])};"


def _statements(tokens: Iterator[str], group: Group) -> None:
    """Read the statements of a group up to its closing brace."""
    while (name := next(tokens)) != "}":
        if name == ";":
            continue
        sign = next(tokens)
        if sign == ":":
            group.attributes[name] = next(tokens)
        elif sign == "(":
            arguments = tuple(sign for sign in iter(tokens.__next__, ")") if sign != ",")
            if (end := next(tokens)) == "{":
                inner = Group(name, arguments)
                _statements(tokens, inner)
                group.groups.append(inner)
            elif end != ";":
                raise ToolError(f"{name} of a Liberty file ends in {end!r}, not in a group or a semicolon")


def _sum(sign: str, signs: Iterator[str]) -> tuple[str, str]:
    """Return a sum that begins with a sign, and the sign after it."""
    text, sign = _product(sign, signs)
    while sign and sign in "+|":
        right, sign = _product(next(signs), signs)
        text = f"({text} | {right})"
    return text, sign


def _product(sign: str, signs: Iterator[str]) -> tuple[str, str]:
    text, sign = _difference(sign, signs)
    while sign and sign not in "+|)":
        right, sign = _difference(next(signs) if sign in "&*" else sign, signs)
        text = f"({text} & {right})"
    return text, sign


def _difference(sign: str, signs: Iterator[str]) -> tuple[str, str]:
    text, sign = _factor(sign, signs)
    while sign == "^":
        right, sign = _factor(next(signs), signs)
        text = f"({text} ^ {right})"
    return text, sign


def _factor(sign: str, signs: Iterator[str]) -> tuple[str, str]:
    if sign == "!":
        text, sign = _factor(next(signs), signs)
        return f"~{text}", sign
    if sign == "(":
        text, end = _sum(next(signs), signs)
        if end != ")":
            raise ToolError("a function of a Liberty file lacks a closing parenthesis")
    elif re.fullmatch(r"\w+", sign):
        text = {"0": "1'b0", "1": "1'b1"}.get(sign, sign)
    else:
        raise ToolError(f"a function of a Liberty file has {sign or 'nothing'} where an input is due")
    sign = next(signs)
    while sign == "'":
        text, sign = f"~{text}", next(signs)
    return text, sign
