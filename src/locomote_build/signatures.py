"""With which kinds of arguments every kernel is called: seen by a watcher while everything is rehearsed."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any, NamedTuple

import numba

import locomote
from locomote.math._compile import Kernel, choice
from locomote.math._kinds import Kind, kind_of, takes


class Call(NamedTuple):
    """One kind of call: as Numba tells it, and as the package does at run time."""

    types: tuple[Any, ...]
    kinds: list[Kind]


def kernels() -> dict[str, Kernel]:
    """All kernels of the package by name."""
    found = {}
    for module in pkgutil.walk_packages(locomote.__path__, "locomote."):
        _, room, *inside = module.name.split(".")
        # Those for GPUs need numba-cuda, which an isolated build has not; `gpu` compiles them.
        if room not in ("__main__", "cli", "studio", "stream") and not any(name.startswith("_cuda") for name in inside):
            held = vars(importlib.import_module(module.name)).values()
            found.update({each.name: each for each in held if isinstance(each, Kernel)})
    return dict(sorted(found.items()))


def rehearsed() -> dict[str, list[Call]]:
    """The calls of every kernel; a kernel that was never called is an error."""
    from locomote_build.rehearsal import PARTS

    seen: dict[str, dict[tuple[Any, ...], Call]] = {name: {} for name in kernels()}

    def watch(kernel: Kernel, arguments: tuple[Any, ...]) -> None:
        types = tuple(numba.typeof(each) for each in arguments)  # type: ignore[no-untyped-call]
        if types not in seen[kernel.name]:
            seen[kernel.name][types] = Call(types, [kind_of(each) for each in arguments])

    choice.watch = watch
    for part in PARTS:
        part()
    choice.watch = None
    missing = [name for name, calls in seen.items() if not calls]
    if missing:
        raise SystemExit(f"never called in the rehearsal: {', '.join(missing)}")
    return {name: distinct(list(calls.values())) for name, calls in seen.items()}


def distinct(calls: list[Call]) -> list[Call]:
    """Calls without those that another one does as well: what only reads an array takes one that may be written to."""
    return [
        call
        for at, call in enumerate(calls)
        if not any(
            _covers(other, call) and not (_covers(call, other) and at < n) for n, other in enumerate(calls) if n != at
        )
    ]


def _covers(wide: Call, narrow: Call) -> bool:
    return all(map(takes, wide.kinds, narrow.kinds)) and _layouts(wide.kinds) == _layouts(narrow.kinds)


def _layouts(kinds: Kind) -> Any:
    if isinstance(kinds, str):
        return None
    return (
        kinds[3] if kinds and kinds[0] == "array" else [_layouts(each) for each in kinds if not isinstance(each, str)]
    )
