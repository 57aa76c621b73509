"""How easy the code is to find one's way in: files a folder, lengths of modules and functions, parameters.

Run ``python scripts/survey.py [FOLDER ...]``, src/locomote unless told; it lists what is beyond an aim.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import NamedTuple

FILES, LINES, PARAMETERS, LENGTH = 30, 350, 8, 80  # the aims


class Function(NamedTuple):
    place: str
    parameters: int
    lines: int


def functions_of(path: Path, root: Path) -> list[Function]:
    out = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            arguments = node.args
            positional = [one for one in arguments.posonlyargs + arguments.args if one.arg not in ("self", "cls")]
            count = len(positional) + len(arguments.kwonlyargs)
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            out.append(Function(f"{path.relative_to(root)}:{node.name}", count, lines))
    return out


def survey(root: Path) -> None:
    files = sorted(root.rglob("*.py"))
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    folders: dict[Path, int] = {}
    for path in files:
        folders[path.parent] = folders.get(path.parent, 0) + 1
    functions = [one for path in files for one in functions_of(path, root)]
    middle = sorted(lengths.values())[len(lengths) // 2]
    print(f"{root}: {len(files)} modules, {sum(lengths.values())} lines, median {middle}, {len(functions)} functions")
    rows: list[tuple[str, int, list[str]]] = [
        (f"folders with more than {FILES} files", max(folders.values()), [
            f"{folder.relative_to(root)} {count}" for folder, count in folders.items() if count > FILES
        ]),
        (f"modules of more than {LINES} lines", max(lengths.values()), [
            f"{path.relative_to(root)} {count}" for path, count in lengths.items() if count > LINES
        ]),
        (f"functions with more than {PARAMETERS} parameters", max(one.parameters for one in functions), [
            f"{one.place} {one.parameters}" for one in functions if one.parameters > PARAMETERS
        ]),
        (f"functions of more than {LENGTH} lines", max(one.lines for one in functions), [
            f"{one.place} {one.lines}" for one in functions if one.lines > LENGTH
        ]),
    ]  # fmt: skip
    for name, most, beyond in rows:
        print(f"\n{name}: {len(beyond)}, at most {most}")
        for each in sorted(beyond, key=lambda text: -int(text.rsplit(" ", 1)[1])):
            print(f"    {each}")


if __name__ == "__main__":
    for folder in sys.argv[1:] or ["src/locomote"]:
        survey(Path(folder))
