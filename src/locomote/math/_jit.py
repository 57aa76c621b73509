"""Kernels compiled just in time by Numba and kept on disk. Nothing else in the package imports Numba.

Functions inside kernels stay plain Python; Numba finds what it makes of them by an attribute (``_numba_type_``).
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numba
from numba.core import config, event
from numba.core.registry import cpu_target
from numba.core.types import unliteral
from numba.extending import intrinsic

from locomote.math import _compile, _options
from locomote.math._stamps import stamp_of

try:
    from locomote.math import _linking

    _linking.install()
    _PIPELINE: dict[str, Any] = {"pipeline_class": _linking.KernelCompiler}
except (ImportError, AttributeError):  # another Numba, which has these things elsewhere: it takes twice as long
    _PIPELINE = {}


def dispatcher_of(function: Callable[..., object]) -> Any:
    """A kernel that Numba compiles for what it is called with; what was compiled is kept on disk."""
    dispatcher: Any = numba.njit(**_PIPELINE, **_options.KERNEL)(function)
    if _keep(dispatcher):
        # Numba renews what it kept when the kernel's own file is newer, whatever happened to those from which it takes
        # functions.
        kept: Any = getattr(dispatcher._cache, "_cache_file", None)
        if hasattr(kept, "_source_stamp") and hasattr(kept, "_version"):
            kept._source_stamp = stamp_of(function.__module__)
            # It reads a whole index before it compares stamps, which fails if that names a class that is gone by now.
            kept._version = f"{kept._version} {kept._source_stamp}"
    return dispatcher


def is_kept(dispatcher: Any) -> bool:
    """Whether anything was compiled from this very text before."""
    try:
        return bool(dispatcher._cache._cache_file._load_index())
    except AttributeError:
        return False


def _keep(dispatcher: Any) -> bool:
    """Keep what is compiled beside the sources, else in the user's folder, else in a temporary one, else nowhere."""
    if _is_enabled(dispatcher):
        return True
    folder = temporary_folder()
    if folder is not None:
        config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
        if _is_enabled(dispatcher):
            return True
    _compile.choice.tell("kept", "compiled kernels cannot be kept: no folder can be written to")
    return False


def _is_enabled(dispatcher: Any) -> bool:
    try:
        dispatcher.enable_caching()
    except RuntimeError:  # no folder that can be written to
        return False
    return True


def temporary_folder() -> Path | None:
    """A folder of this user's own; what is kept there is run, so nobody else may have made it."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"locomote-kernels-{user}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    if hasattr(os, "getuid") and (found.st_uid != user or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)):
        return None
    return folder if stat.S_ISDIR(found.st_mode) and os.access(folder, os.W_OK) else None


def entry_of(dispatcher: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """The bare way into a kernel, for arguments of the same kinds as these."""
    kinds = tuple(numba.typeof(each) for each in arguments)
    dispatcher.compile(kinds)
    return cast(Callable[..., Any], dispatcher.overloads[kinds].entry_point)


def _declare(each: _compile.Declared) -> None:
    """Tell Numba what to take a function inside kernels for."""
    function: Any = each[0]
    options = each[1]
    if "build" in options:
        function._numba_type_ = _instruction(options["build"])
        return
    dispatcher: Any = numba.njit(**options)(function)
    function._dispatcher = dispatcher  # Numba itself does not hold on to it
    function._numba_type_ = dispatcher._numba_type_
    template = dispatcher.get_call_template

    def get_call_template(arguments: Any, named: Any) -> Any:
        """One version for all numbers: Numba would compile another for each number that is written into a call."""
        return template(tuple(map(unliteral, arguments)), {name: unliteral(kind) for name, kind in named.items()})

    dispatcher.get_call_template = get_call_template


def _instruction(build: Callable[..., Any]) -> Any:
    """The type of a function of three numbers that one instruction does."""
    number = numba.types.float64

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return build(builder, *arguments)

    def declare(typing_context: Any, a: Any, b: Any, c: Any) -> Any:
        return number(number, number, number), generate

    instruction = intrinsic(declare)
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(instruction)


# What compiling takes with an empty cache, by room; docs/performance/compiled.md.
_SECONDS = {"human": 30, "creatures": 50}
_FEWEST = 10  # s, of all others


class _Announcer(event.Listener):
    """Says that something is compiled, which may take long."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0  # of functions compiled for one that calls them; one compiles at a time

    def on_start(self, event: Any) -> None:
        """Say it once for each room, of kernels; Numba compiles small things of its own as well."""
        self._depth += 1
        package, _, module = event.data["dispatcher"].py_func.__module__.partition(".")
        if package == "locomote" and self._depth == 1:
            room = module.partition(".")[0]
            seconds = _SECONDS.get(room, _FEWEST)
            _compile.choice.tell(f"jit {room}", "compiling locomote.%s, about %d s, once", room, seconds)

    def on_end(self, event: Any) -> None:
        """What was compiled within another is done, or the whole."""
        self._depth -= 1


for _each in _compile.declared:
    _declare(_each)
_compile.on_declaration(_declare)
event.register("numba:compile", _Announcer())
