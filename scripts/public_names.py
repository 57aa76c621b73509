"""Write tests/docs/public_names.txt: every public name, a line each, with its parameters."""

from __future__ import annotations

import dataclasses
import inspect
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import locomote

LIST = Path(__file__).resolve().parents[1] / "tests" / "docs" / "public_names.txt"
PRIVATE = re.compile(r"\._|\.cli\b|\.math\b")


def facades() -> Iterator[ModuleType]:
    """The package, and all packages and modules in it that list what is public."""
    yield locomote
    for found in pkgutil.walk_packages(locomote.__path__, "locomote."):
        if not PRIVATE.search(found.name):
            module = import_module(found.name)
            if hasattr(module, "__all__"):
                yield module


def parameters(thing: object) -> str:
    """How something is called: the names of its parameters, with a mark on those that may be left out."""
    try:
        found = inspect.signature(thing).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    names = [
        stars.get(each.kind, "") + each.name + ("=" if each.default is not inspect.Parameter.empty else "")
        for each in found
        if each.name not in ("self", "cls")
    ]
    return f"({', '.join(names)})"


def lines_of(name: str, thing: object) -> Iterator[str]:
    """The lines of a public name: itself, and the public methods and fields of a class of ours."""
    if isinstance(thing, ModuleType):
        return
    if not inspect.isclass(thing):
        yield name + (parameters(thing) if callable(thing) else "")
        return
    ours = thing.__module__.startswith("locomote") and not issubclass(thing, BaseException)
    yield name + (parameters(thing) if ours and not hasattr(thing, "__members__") else "")
    if not ours:
        return
    fields = {each.name for each in dataclasses.fields(thing)} if dataclasses.is_dataclass(thing) else set()
    for part in sorted({each for each in dir(thing) if not each.startswith("_")} - fields):
        value = inspect.getattr_static(thing, part)
        home = getattr(inspect.unwrap(getattr(value, "__func__", value)), "__module__", None) or ""
        if isinstance(value, property) or not callable(getattr(thing, part, None)):
            yield f"{name}.{part}"
        elif home.startswith("locomote"):
            yield f"{name}.{part}{parameters(getattr(thing, part))}"


def names() -> list[str]:
    """All lines."""
    found = {
        line
        for module in facades()
        for name in module.__all__
        for line in lines_of(f"{module.__name__}.{name}", getattr(module, name))
    }
    return sorted(found)


if __name__ == "__main__":
    LIST.write_text("\n".join(names()) + "\n", encoding="utf-8")
