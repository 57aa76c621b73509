"""Memory that is soon needed, asked for ahead of time: what a loop waits for that goes through many large rows."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from locomote.math._compile import inline, intrinsic

_LINE = 64  # bytes that come at once
_SOON = 3  # of 0 to 3: keep them as near as can be


def _build_fetch(builder: Any, address: Any, again: Any, unused: Any) -> Any:
    from llvmlite import ir

    pointer, whole = ir.IntType(8).as_pointer(), ir.IntType(32)
    name = f"llvm.prefetch.{'p0' if str(pointer) == 'ptr' else 'p0i8'}"  # before and since pointers have types
    known = builder.module.globals.get(name)
    fetch = known or ir.Function(builder.module, ir.FunctionType(ir.VoidType(), [pointer, whole, whole, whole]), name)
    at = builder.inttoptr(builder.fptosi(address, ir.IntType(64)), pointer)
    builder.call(fetch, [at, whole(0), whole(_SOON), whole(1)])
    return address


@intrinsic(_build_fetch)
def _fetch(address: float, again: float, unused: float) -> float:
    return address


@inline
def fetch_row(rows: npt.NDArray[Any], n: int) -> None:
    """Ask for row ``n`` of an array whose rows lie one after the other, if there is one."""
    if n < rows.shape[0]:
        size = rows.strides[0]
        first = rows.ctypes.data + n * size
        for at in range(0, size, _LINE):
            _fetch(first + at, 0.0, 0.0)
