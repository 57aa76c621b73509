"""Kernels into an extension module, by `numba.pycc`: all that is used of it is here.

It is about to be replaced in Numba; what stands here is little more than a code generator, a few flags and a linker.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from numba.core.codegen import AOTCPUCodegen
from numba.core.compiler import Flags
from numba.core.cpu import CPUTargetOptions

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # that it is about to be replaced
    from numba.pycc import compiler as _pycc
    from numba.pycc.cc import CC

from locomote.math import _jit as _jit  # tells Numba of all functions inside kernels
from locomote.math import _linking
from locomote.math._options import KERNEL

pycc: Any = _pycc


class Export(NamedTuple):
    """A function for arguments of some types, under a name of its own."""

    symbol: str
    function: Callable[..., object]
    types: tuple[Any, ...]


def _flags() -> Flags:
    """What the kernels are compiled with just in time: no lock, NumPy's division, products and sums rounded at once."""
    flags = Flags()
    CPUTargetOptions.parse_as_flags(flags, {"nopython": True, **KERNEL})
    return flags


def build(name: str, exports: Sequence[Export], folder: Path, processor: str) -> Path:
    """Write an extension module; returns its file."""
    made = CC(name, source_module=__name__)
    made.output_dir = str(folder)
    made.target_cpu = processor
    for each in exports:
        made.export(each.symbol, each.types)(each.function)
    # It knows no other way to say how functions are compiled and linked.
    before = pycc.Flags, AOTCPUCodegen._library_class
    pycc.Flags, AOTCPUCodegen._library_class = _flags, _linking.ExportLibrary
    try:
        with _linking.compiling():
            made.compile()
    finally:
        pycc.Flags, AOTCPUCodegen._library_class = before
    return folder / str(made.output_file)
