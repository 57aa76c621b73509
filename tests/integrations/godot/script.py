"""GDScript run without Godot: as much of the language as the add-on uses, turned into Python.

Its expressions are nearly those of Python; what differs is where names are looked up, how numbers are counted through,
and the methods of built-in kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gdtoolkit.parser import parser
from lark import Token, Tree

Node = Any
_METHODS = {
    list: {
        "append": list.append, "clear": list.clear, "size": len, "is_empty": lambda each: not each,
        "slice": lambda each, first, end: each[first:end],
    },
    dict: {"clear": dict.clear, "is_empty": lambda each: not each, "get": dict.get, "size": len},
    str: {"length": len},
}  # fmt: skip


def look_up(owner: Any, name: str) -> Any:
    """A member, where built-in kinds have other ones than Python's."""
    for kind, methods in _METHODS.items():
        if type(owner) is kind:
            return lambda *arguments: methods[name](owner, *arguments)
    return getattr(owner, name)


def each_of(what: Any) -> Iterable[Any]:
    """What a loop goes through: numbers count up to a number."""
    return range(what) if isinstance(what, int) else what


def text_of(text: str, values: Any) -> str:
    """Text with values put in."""
    return text % (tuple(values) if isinstance(values, list) else values)


class _Writer:
    """Writes a script as a class of Python."""

    def __init__(self, tree: Tree[Token], known: set[str]) -> None:
        self.lines: list[str] = []
        self.locals: set[str] = set()
        self.known, self.name, self.base = known, "", "Node"
        self.begin: list[str] = []  # what members begin as
        for part in tree.children:
            self.member(part)

    def member(self, part: Node) -> None:
        kind = part.data
        if kind == "classname_stmt":
            self.name = str(part.children[0])
        elif kind == "extends_stmt":
            self.base = str(part.children[0])
        elif kind in ("const_stmt", "class_var_stmt"):
            (made,) = part.children
            name, last = str(made.children[0]), made.children[-1]
            value = self.of(last) if isinstance(last, Tree) else "None"
            if kind == "const_stmt":
                self.lines.append(f"    {name} = {value}")
            else:
                self.begin.append(f"        self.{name} = {value}")
        elif kind == "signal_stmt":
            self.begin.append(f"        self.{part.children[0]} = Signal()")
        elif kind == "static_func_def":
            self.function(part.children[0], static=True)
        elif kind == "func_def":
            self.function(part)
        elif kind != "annotation":
            raise NotImplementedError(part.pretty())

    def function(self, part: Node, static: bool = False) -> None:
        header, *body = part.children
        arguments = [str(each.children[0]) for each in header.children[1].children]
        self.locals = set(arguments)
        if static:
            self.lines.append("    @classmethod")
        self.lines.append(f"    def {header.children[0]}({', '.join(['self', *arguments])}):")
        self.body(body, 2)

    def body(self, parts: list[Node], depth: int) -> None:
        for part in parts:
            self.statement(part, depth)

    def put(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def statement(self, part: Node, depth: int) -> None:
        kind, inside = part.data, part.children
        if kind == "expr_stmt":
            (whole,) = inside
            self.put(depth, self.of(whole))
        elif kind == "func_var_stmt":
            (made,) = inside
            name = str(made.children[0])
            value = self.of(made.children[-1])
            self.locals.add(name)
            self.put(depth, f"{name} = {value}")
        elif kind == "return_stmt":
            self.put(depth, "return " + (self.of(inside[0]) if inside else ""))
        elif kind == "continue_stmt":
            self.put(depth, "continue")
        elif kind == "if_stmt":
            for branch in inside:
                test, first = {"if_branch": ("if", 1), "elif_branch": ("elif", 1), "else_branch": ("else", 0)}[
                    branch.data
                ]
                self.put(depth, f"{test} {self.of(branch.children[0])}:" if first else "else:")
                self.body(branch.children[first:], depth + 1)
        elif kind == "while_stmt":
            self.put(depth, f"while {self.of(inside[0])}:")
            self.body(inside[1:], depth + 1)
        elif kind == "for_stmt":
            through = self.of(inside[1])
            self.locals.add(str(inside[0]))
            self.put(depth, f"for {inside[0]} in each_of({through}):")
            self.body(inside[2:], depth + 1)
        else:
            raise NotImplementedError(part.pretty())

    def of(self, part: Node) -> str:
        """An expression."""
        if isinstance(part, Token):
            return self.word(part)
        kind, inside = str(part.data), [each for each in part.children if getattr(each, "data", "") != "trailing_comma"]
        if kind == "string":
            return str(inside[0])
        if kind in ("expr", "par_expr"):
            return f"({self.of(inside[0])})" if kind == "par_expr" else self.of(inside[0])
        if kind == "assnmnt_expr":
            return f"{self.of(inside[0])} {inside[1]} {self.of(inside[2])}"
        if kind == "getattr":
            owner, *rest = inside
            text = self.of(owner)
            for name in rest[1::2]:
                text = f"{text}.{name}" if self.is_set else f"look_up({text}, {str(name)!r})"
            return text
        if kind in ("getattr_call", "standalone_call"):
            return f"{self.of(inside[0])}({', '.join(self.of(each) for each in inside[1:])})"
        if kind == "subscr_expr":
            return f"{self.of(inside[0])}[{self.of(inside[1])}]"
        if kind == "array":
            return f"[{', '.join(self.of(each) for each in inside)}]"
        if kind == "dict":
            return "{" + ", ".join(": ".join(self.of(end) for end in each.children) for each in inside) + "}"
        if kind.endswith("mdr_expr") and any(str(each) == "%" for each in inside):
            return f"text_of({self.of(inside[0])}, {self.of(inside[2])})"
        return "(" + " ".join(self.of(each) for each in inside) + ")"

    is_set = False

    def word(self, token: Token) -> str:
        if token.type != "NAME":
            return str(token)
        name = {"true": "True", "false": "False", "null": "None"}.get(str(token), str(token))
        return name if name in self.locals or name in self.known else f"self.{name}"


class _Targets(_Writer):
    """What is assigned to is written as a place, and not looked up."""

    def of(self, part: Node) -> str:
        if getattr(part, "data", "") == "assnmnt_expr":
            target, sign, value = part.children
            self.is_set = True
            place = super().of(target)
            self.is_set = False
            return f"{place} {sign} {self.of(value)}"
        return super().of(part)


def load(path: Path, world: Mapping[str, Any]) -> type:
    """A script as a class; ``world`` has the names of Godot, and of the classes that it uses."""
    known = {*world, "True", "False", "None", "int", "str", "each_of", "look_up", "text_of"}
    tree = parser.parse(path.read_text(), gather_metadata=False)
    written = _Targets(tree, known)
    name = written.name or path.stem
    source = [f"class {name}({written.base}):", "    def __init__(self):", "        super().__init__()"]
    source += written.begin + written.lines
    names = {**world, "each_of": each_of, "look_up": look_up, "text_of": text_of}
    exec(compile("\n".join(source), str(path), "exec"), names)
    made: type = names[name]
    return made
