"""Kernels compiled ahead of time: where they are, whether they belong to these sources, and which one fits.

The folder ``locomote/_native`` of a wheel holds a few extension modules and ``index.json``, which says for every kernel
in which of them it is, from which text it was made, and for arguments of which kinds (`_kinds`).
"""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import json
import logging
import platform
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from locomote.math._kinds import key_of, kind_of, takes, takes_copy, types_in
from locomote.math._stamps import stamp_of

FOLDER = Path(__file__).resolve().parents[1] / "_native"
INDEX = "index.json"
SUFFIX = importlib.machinery.EXTENSION_SUFFIXES[0]  # of this Python on this platform
X86 = "x86-64-v3"  # what is compiled for x86: the processors since 2013 with AVX2 and fused multiplication

_log = logging.getLogger("locomote.kernels")


class Exports:
    """One kernel as it was compiled, once for each set of kinds."""

    def __init__(self, module: ModuleType, exports: list[tuple[str, list[Any]]]) -> None:
        self._exports = [(kinds, getattr(module, symbol)) for symbol, kinds in exports]
        self._seen: dict[Any, Callable[..., Any]] = {}
        self._kept: list[Any] = []  # the types whose ids are in the keys

    def fitting(self, arguments: tuple[Any, ...]) -> Callable[..., Any] | None:
        """What may be handed these arguments, if anything may."""
        found = self._seen.get(key_of(arguments))
        if found is not None:
            return found
        given = [kind_of(each) for each in arguments]
        if None not in given:
            for fits in (_same, _all_taken):
                for kinds, function in self._exports:
                    if fits(kinds, given):
                        return self.keep(arguments, function)
        return None

    def copying(self, arguments: tuple[Any, ...]) -> Callable[..., Any] | None:
        """What may be handed these arguments with copies of arrays that lie otherwise in memory, if anything may."""
        given = [kind_of(each) for each in arguments]
        if None not in given:
            for kinds, function in self._exports:
                if len(kinds) == len(given) and all(map(takes_copy, kinds, given)):
                    return functools.partial(_with_copies, function, kinds)
        return None

    def keep(self, arguments: tuple[Any, ...], function: Callable[..., Any]) -> Callable[..., Any]:
        """Remember what runs with such arguments."""
        self._kept.extend(types_in(arguments))
        self._seen[key_of(arguments)] = function
        return function


def _same(kinds: list[Any], given: list[Any]) -> bool:
    return kinds == given


def _all_taken(kinds: list[Any], given: list[Any]) -> bool:
    return len(kinds) == len(given) and all(map(takes, kinds, given))


def _with_copies(function: Callable[..., Any], kinds: list[Any], *arguments: Any) -> Any:
    """Run compiled code on arrays laid out as it expects them, and bring back what it wrote into copies."""
    copies: dict[int, tuple[Any, Any]] = {}
    result = function(*(_laid_out(kind, each, copies) for kind, each in zip(kinds, arguments, strict=True)))
    # All are compared before any is written: views of one array, of which the kernel reads some, must not undo others.
    written = [pair for pair in copies.values() if pair[0].tobytes() != pair[1].tobytes()]
    for original, copy in written:
        original[...] = copy
    return result


def _laid_out(kind: Any, value: Any, copies: dict[int, tuple[Any, Any]]) -> Any:
    if takes(kind, kind_of(value)):
        return value
    if isinstance(value, tuple):
        parts = [_laid_out(of, each, copies) for of, each in zip(kind[2], value, strict=True)]
        return tuple(parts) if type(value) is tuple else type(value)(*parts)
    if id(value) not in copies:
        copies[id(value)] = value, np.array(value, order="F" if kind[3] == "F" else "C")
    return copies[id(value)][1]


def find(function: Callable[..., object], folder: Path = FOLDER) -> Exports | None:
    """A kernel compiled ahead of time from the text that it has now; None if there is none for this machine."""
    index = _index(folder)
    name = f"{function.__module__}.{function.__qualname__}"
    if index is None or name not in index["kernels"]:
        return None
    entry = index["kernels"][name]
    if entry["stamp"] != stamp_of(function.__module__):
        _log.info("%s has changed since it was compiled ahead of time", name)
        return None
    module = _module(folder, entry["module"])
    return None if module is None else Exports(module, entry["exports"])


@functools.lru_cache(maxsize=8)
def _index(folder: Path) -> dict[str, Any] | None:
    try:
        index: dict[str, Any] = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if index["processor"] == X86 and not _is_x86_v3():
        _log.warning("kernels compiled ahead of time need a processor with AVX2 and fused multiplication (%s)", X86)
        return None
    return index


@functools.lru_cache(maxsize=64)
def _module(folder: Path, name: str) -> ModuleType | None:
    path = folder / f"{name}{SUFFIX}"
    spec = importlib.util.spec_from_file_location(f"locomote._native.{name}", path)
    if spec is None or spec.loader is None:
        return None
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except ImportError as error:  # no such file for this Python, or one that this system cannot load
        _log.warning("kernels compiled ahead of time cannot be loaded: %s", error)
        return None
    return module


def processor() -> str:
    """What is compiled for: never the builder's own processor, but the plain one of its architecture."""
    return X86 if platform.machine().lower() in ("x86_64", "amd64") else "generic"


def _is_x86_v3() -> bool:
    try:
        from numpy._core._multiarray_umath import __cpu_features__ as features  # type: ignore[import-not-found,unused-ignore]
    except ImportError:  # NumPy before 2
        from numpy.core._multiarray_umath import __cpu_features__ as features  # type: ignore[import-not-found,no-redef,unused-ignore]
    return all(features.get(each, False) for each in ("AVX2", "FMA3", "F16C"))
