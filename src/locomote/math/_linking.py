"""Functions inside kernels are compiled once, as part of the kernel: half of the time that Numba takes is saved.

As it comes, Numba links, optimises and translates every function that a kernel calls as a library of its own, with all
that it calls in turn, although only the kernel is ever run. Here such libraries stay what they were lowered to, and the
library of a kernel takes in all of them, once, before it is optimised. The code that comes out is the same.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as ll
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import codegen, compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import cpu_target

ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of globals begin that hold what a function refers to in Python

SHARED = "linkonce_odr"  # the linkage of functions of which any copy will do, and none if nothing calls them

_inside = 0  # how many kernels are just being compiled, one within another


class InnerLibrary(codegen.JITCodeLibrary):
    """A function inside kernels, as it was lowered: neither linked nor optimised nor run."""

    late = False

    def finalize(self) -> None:
        """Leave all to the library that takes this one in."""
        self._raise_if_finalized()
        self._finalized = self.late = True

    def _get_module_for_linking(self) -> Any:
        """The module with all that it calls, for libraries that know nothing of this."""
        if not self.late:
            return super()._get_module_for_linking()
        whole = self._final_module.clone()
        take_in(whole, closure([self])[1:])
        for each in whole.functions:
            if _is_defined(each):
                each.linkage = SHARED
        return whole


class _Whole:
    """A library that takes in all that it calls, at once."""

    def add_linking_library(self: Any, library: Any) -> None:
        """Take in a library, and all that it calls."""
        library._ensure_finalized()
        for each in closure([library]):
            if each not in self._linking_libraries:
                self._linking_libraries.append(each)
                self._reload_init.update(each._reload_init)

    def finalize(self: Any) -> None:
        """Link, optimise and translate."""
        self._codegen._check_llvm_bugs()
        self._raise_if_finalized()
        take_in(self._final_module, self._linking_libraries)
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()


class KernelLibrary(_Whole, codegen.JITCodeLibrary):
    """A kernel, to be run at once and kept."""


class ExportLibrary(_Whole, codegen.AOTCodeLibrary):
    """Kernels, to be written to a file."""


def closure(libraries: Iterable[Any]) -> list[Any]:
    """Libraries with all that they call, each once."""
    found: dict[int, Any] = {}
    waiting = list(libraries)[::-1]
    while waiting:
        library = waiting.pop()
        if id(library) not in found:
            found[id(library)] = library
            if getattr(library, "late", False):
                waiting.extend(library._linking_libraries[::-1])
    return list(found.values())


def take_in(module: Any, libraries: Iterable[Any]) -> None:
    """Link libraries into a module, each without what it calls in turn."""
    shared = []
    for each in libraries:
        if getattr(each, "late", False):
            # The linker would leave out a shared function that nothing calls as yet, so they are shared only later.
            shared += [f.name for f in each._final_module.functions if _is_defined(f)]
            module.link_in(each._final_module, preserve=True)
        else:
            module.link_in(each._get_module_for_linking(), preserve=True)
    for name in shared:
        module.get_function(name).linkage = SHARED


def _is_defined(function: Any) -> bool:
    return not function.is_declaration and function.linkage == ll.Linkage.external


@contextmanager
def compiling() -> Iterator[None]:
    """While this lasts, what is compiled is part of a kernel."""
    global _inside
    collects = gc.isenabled()
    gc.disable()  # a compiler keeps nearly all that it makes; looking for what it does not takes an eighth of the time
    _inside += 1
    try:
        yield
    finally:
        _inside -= 1
        if collects:
            gc.enable()


class KernelCompiler(compiler.Compiler):
    """Compiles a kernel with all that it calls."""

    def __init__(self, typing: Any, target: Any, library: Any, *arguments: Any) -> None:
        if library is None:
            library = KernelLibrary(target.codegen(), "kernel")
            library.enable_object_caching()
        super().__init__(typing, target, library, *arguments)

    @global_compiler_lock
    def compile_extra(self, function: Any) -> Any:
        """Compile a function."""
        with compiling():
            return super().compile_extra(function)


def install() -> None:
    """Let Numba make such libraries."""
    context = cpu_target.target_context
    generator = context.codegen()
    make, execute = generator.create_library, context.get_executable

    def create_library(name: str, **options: Any) -> Any:
        return InnerLibrary(generator, name, **options) if _inside else make(name, **options)

    def get_executable(library: Any, description: Any, environment: Any) -> Any:
        library._ensure_finalized()
        if getattr(library, "late", False):  # what Numba knows the function by; nobody calls it
            name = description.qualname.split(".")[-1]
            return _dynfunc.make_function(description.lookup_module(), name, "", 0, environment, (library,))
        made = execute(library, description, environment)
        if isinstance(library, KernelLibrary):
            for each in library._final_module.global_variables:
                held = lookup_environment(each.name) if each.name.startswith(ENVIRONMENT) else None
                if held is not None:
                    generator.set_env(each.name, held)
        return made

    generator.create_library, context.get_executable = create_library, get_executable
