"""How kernels run: compiled ahead of time, just in time, or as the Python that they are written in.

A kernel is one function, called from Python, and the functions which it takes from other modules. All of them stay
plain Python functions. Only when a kernel is called for the first time is it decided what runs it:

- the module compiled ahead of time, where the package brings one that was made from these very sources (`_ahead`);
- otherwise Numba, where it is installed (`_jit`, the only module that imports it);
- otherwise the function itself.

The environment variable ``LOCOMOTE_KERNELS`` says otherwise: ``ahead`` (never Numba), ``jit`` (as if nothing had been
compiled ahead of time), ``python``. ``NUMBA_DISABLE_JIT=1`` means ``python`` too.
"""

from __future__ import annotations

import functools
import importlib.util
import logging
import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

from locomote.math import _ahead, _options

F = TypeVar("F", bound=Callable[..., object])

WAYS = ("auto", "ahead", "jit", "python")

_log = logging.getLogger("locomote.kernels")


def _asked() -> str:
    """The way that the environment asks for."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "python"
    way = os.environ.get("LOCOMOTE_KERNELS", "") or "auto"
    if way not in WAYS:
        raise ValueError(f"LOCOMOTE_KERNELS={way}: expected one of {', '.join(WAYS)}")
    return way


class _Choice:
    """What is used of the three ways; it may change until a kernel is first called."""

    def __init__(self, way: str) -> None:
        self.way = way
        self.told: set[str] = set()  # of what was said to the log, each once
        self.watch: Callable[[Kernel, tuple[Any, ...]], None] | None = None  # sees every call; for rehearsals

    @property
    def ahead(self) -> bool:
        return self.way in ("auto", "ahead")

    @property
    def jit(self) -> bool:
        return self.way in ("auto", "jit") and importlib.util.find_spec("numba") is not None

    def tell(self, what: str, message: str, *values: object) -> None:
        """Say something to the log, once."""
        if what not in self.told:
            self.told.add(what)
            _log.warning(message, *values)


choice = _Choice(_asked())
INTERPRETED = choice.way == "python"  # everything is plain Python: for coverage, debugging and short jobs

Declared = tuple[Callable[..., object], dict[str, Any]]
declared: list[Declared] = []  # functions inside kernels and how Numba compiles them, for `_jit`
_listeners: list[Callable[[Declared], None]] = []


def _inner(function: F, options: dict[str, Any]) -> F:
    declared.append((function, options))
    for listen in _listeners:
        listen(declared[-1])
    return function


def on_declaration(listen: Callable[[Declared], None]) -> None:
    """Tell of every function inside kernels that is declared from now on."""
    _listeners.append(listen)


class Kernel:
    """A loop over arrays that Python calls; what runs it is settled by the first call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.name = f"{function.__module__}.{function.__qualname__}"
        self._run: Callable[..., Any] = self._first
        self._dispatcher: Any = None
        self._exports: _ahead.Exports | None = None

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"

    def __call__(self, *arguments: Any) -> Any:
        return self._run(*arguments)

    @property
    def _numba_type_(self) -> Any:
        """What Numba takes a kernel for that is called by another."""
        return self.dispatcher._numba_type_

    @property
    def way(self) -> str:
        """What would run it: "ahead", "jit" or "python"."""
        if choice.ahead and self._exports is None:
            self._exports = _ahead.find(self.py_func)
        return "ahead" if choice.ahead and self._exports is not None else "jit" if choice.jit else "python"

    @property
    def dispatcher(self) -> Any:
        """The kernel as Numba has it; it is compiled by its first call."""
        if self._dispatcher is None:
            from locomote.math import _jit

            self._dispatcher = _jit.dispatcher_of(self.py_func)
        return self._dispatcher

    def entry(self, *arguments: Any) -> Callable[..., Any]:
        """What runs the kernel for arguments of the same kinds as these, without a look at them."""
        if choice.watch is not None:
            return self
        if self._run == self._first:
            self._settle()
        if self._run == self._fitting:
            return self._found(arguments)
        return self._compiled(arguments) if self._run is self._dispatcher else self._run

    def _first(self, *arguments: Any) -> Any:
        self._settle()
        return self._run(*arguments)

    def _settle(self) -> None:
        """Choose what runs the kernel."""
        if choice.watch is not None:
            self._run = self._watched
            return
        way = self.way
        self._run = self._fitting if way == "ahead" else self.dispatcher if way == "jit" else self._plainly()

    def _plainly(self) -> Callable[..., Any]:
        if choice.way != "python":
            choice.tell("python", "kernels run as plain Python, a hundred times as slow: no Numba, nothing compiled")
        return self.py_func

    def _watched(self, *arguments: Any) -> Any:
        if choice.watch is not None:
            choice.watch(self, arguments)
        return self.py_func(*arguments)

    def _fitting(self, *arguments: Any) -> Any:
        """Run what was compiled ahead of time for arguments like these."""
        return self._found(arguments)(*arguments)

    def _found(self, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        exports = cast(_ahead.Exports, self._exports)
        found = exports.fitting(arguments)
        if found is None:
            found = exports.keep(arguments, self._otherwise(arguments))
        return found

    def _otherwise(self, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        """For arguments of kinds that nothing was compiled for ahead of time."""
        if choice.jit:
            _log.debug("%s: compiled for arguments of new kinds", self.name)
            return self._compiled(arguments)
        copying = cast(_ahead.Exports, self._exports).copying(arguments)
        if copying is not None:
            _log.debug("%s: copies of arrays that lie otherwise in memory", self.name)
            return copying
        choice.tell(self.name, "%s runs as plain Python: it was compiled for other kinds of arrays", self.name)
        return self.py_func

    def _compiled(self, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        from locomote.math import _jit

        return _jit.entry_of(self.dispatcher, arguments)


def kernel(function: F) -> F:
    """Compile a loop over arrays; it is called from Python."""
    return cast(F, Kernel(function))


def way_of(function: Callable[..., object]) -> str:
    """What runs a kernel: "ahead", "jit" or "python"."""
    return function.way if isinstance(function, Kernel) else "python"


def prepared(function: F, *arguments: Any) -> F:
    """A kernel for arguments of the same kinds as these, which it no longer looks at.

    The kind of every argument is looked at by every call of a kernel; for tuples of many arrays that takes longer than
    a step of one person. Whoever calls must prepare it anew for arrays of another type, number of axes or layout.
    """
    return cast(F, function.entry(*arguments)) if isinstance(function, Kernel) else function


def inline(function: F) -> F:
    """Compile a small function for use inside kernels; it is melted into them and makes no arrays.

    It is compiled as part of every kernel that calls it and has no cache of its own.
    """
    return _inner(function, _options.INLINE)


def part(function: F) -> F:
    """Compile a large function for use inside kernels; it stays a call and makes no arrays."""
    return _inner(function, _options.PART)


def maker(function: F) -> F:
    """Compile a function for use inside kernels that makes arrays; it stays a call."""
    return _inner(function, _options.MAKER)


def strict(function: F) -> F:
    """Compile a small function for use inside kernels as `inline` does, every operation rounded by itself.

    Where a compiler may round products and sums at once, it chooses anew for each copy of a loop that it rolls out:
    lanes side by side would differ by the last bit.
    """
    return _inner(function, _options.STRICT)


def intrinsic(build: Callable[..., Any]) -> Callable[[F], F]:
    """Let kernels have one instruction in place of a function of numbers: ``build(builder, *arguments)`` makes it."""

    def of(function: F) -> F:
        return _inner(function, {"build": build})

    return of
