"""Public docstrings: who calls something with two or more arguments finds each of them named, with its unit."""

from __future__ import annotations

import dataclasses
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest

import locomote

PRIVATE = re.compile(r"\._|\.cli\b|\.math\b")
NOT_NAMED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
SECTION = re.compile(r"^Parameters\n-{10}\n(.*?)(?=\n\w+\n-{3,}\n|\Z)", re.DOTALL | re.MULTILINE)


def facades() -> Iterator[Any]:
    """The package, and all packages and modules in it that list what is public."""
    yield locomote
    for found in pkgutil.walk_packages(locomote.__path__, "locomote."):
        if not PRIVATE.search(found.name):
            module = import_module(found.name)
            if hasattr(module, "__all__"):
                yield module


def callables_of(owner: type) -> Iterator[Callable[..., Any]]:
    """How an object is made, unless fields tell it, and its public methods, inherited ones as well."""
    if "__init__" in vars(owner) and not (dataclasses.is_dataclass(owner) or issubclass(owner, BaseException)):
        yield owner
    for name in dir(owner):
        found, function = inspect.getattr_static(owner, name), getattr(owner, name)
        ours = (getattr(function, "__module__", None) or "").startswith("locomote")
        is_method = isinstance(found, (staticmethod, classmethod)) or inspect.isfunction(found)
        if is_method and ours and not name.startswith("_"):
            yield function


def public() -> dict[str, Callable[..., Any]]:
    """Every public function, class and method by the place where it is written."""
    out: dict[str, Callable[..., Any]] = {}
    for module in facades():
        for thing in (getattr(module, name) for name in module.__all__):
            if inspect.isclass(thing):
                found = list(callables_of(thing)) if thing.__module__.startswith("locomote") else []
            else:
                found = [thing] if inspect.isfunction(inspect.unwrap(thing)) else []
            out.update({f"{each.__module__}.{each.__qualname__}": each for each in found})
    return out


def parameters_of(function: Callable[..., Any]) -> list[str]:
    found = inspect.signature(function).parameters.values()
    return [each.name for each in found if each.name != "self" and each.kind not in NOT_NAMED]


def names_told(docstring: str) -> list[str]:
    """The parameters that a docstring has entries for, in their order; an entry may be of several."""
    section = SECTION.search(docstring)
    entries = re.findall(r"^(\w[\w, ]*?)(?: :|$)", section[1], re.MULTILINE) if section else []
    return [name for entry in entries for name in entry.split(", ")]


PUBLIC = public()


def test_the_law_sees_what_it_is_about() -> None:
    for known in ("human._crowd.Crowd", "human._goals.HumanGoals.go_to", "formats.save", "steps._plan.FootPlan.of"):
        assert f"locomote.{known}" in PUBLIC
    assert names_told("A.\n\nParameters\n----------\nx, z : m\nwho\n    All.\n\nReturns\n-------\nstr\n") == [
        "x",
        "z",
        "who",
    ]


@pytest.mark.parametrize("name", sorted(name for name in PUBLIC if len(parameters_of(PUBLIC[name])) > 1))
def test_every_parameter_is_told(name: str) -> None:
    assert names_told(inspect.getdoc(PUBLIC[name]) or "") == parameters_of(PUBLIC[name])
