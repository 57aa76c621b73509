"""Façades: the names of a package are imported on first use, so that importing the package costs next to nothing."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any


def facade(
    package: str,
    homes: Mapping[str, str],
    eager: tuple[str, ...] = (),
    renamed: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The ``__getattr__`` and ``__dir__`` of a package.

    Parameters
    ----------
    package
        The ``__name__`` of the package.
    homes
        Public name: the module of the package that defines it, or "" where the name is a module itself. A home that is
        not in the package is written out from the top, as in "locomote.motion".
    eager
        Public names that the package has already.
    renamed
        Names of old: what they are called now. They still work, with a warning.
    """

    def find(name: str) -> Any:
        if renamed and name in renamed:
            new = renamed[name]
            warnings.warn(f"{package}.{name} is called {new} now", DeprecationWarning, stacklevel=2)
            return getattr(sys.modules[package], new)
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        if home == "":
            return importlib.import_module(f"{package}.{name}")
        inside = not home.startswith(package.partition(".")[0] + ".")
        value = getattr(importlib.import_module(f"{package}.{home}" if inside else home), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted([*homes, *eager])

    return find, names
