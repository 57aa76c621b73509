"""Records of people that lie side by side in the memory of a GPU, so that a warp reads a field of 32 of them at once.

Rows are kept in tiles of 32: the 8-byte words of 32 rows interleaved, ``words[tile, word, lane]``. A kernel sees a row
as the same record as ever: its fields are 32 times as far from one another, and its arrays have strides to match.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.cuda import types
from numba.cuda.extending import core_models, intrinsic, register_model
from numba.cuda.np.arrayobj import make_array, populate_array
from numba.cuda.np.numpy_support import from_dtype

LANES = 32  # threads of a warp
WORD = 8  # bytes


class TiledArray(types.NestedArray):
    """An array inside a tiled record: numbers of a word each, a tile's width apart."""

    def __init__(self, dtype: Any, shape: tuple[int, ...]) -> None:
        super().__init__(dtype, shape)
        self.layout, self.name = "A", f"tiled({dtype}, {shape})"

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one to the next."""
        return tuple(LANES * stride for stride in super().strides)

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it apart from others."""
        return self.dtype, self.shape, "tiled"


register_model(TiledArray)(core_models.NestedArrayModel)


def tiled_type(dtype: np.dtype[np.void]) -> Any:
    """The type of rows of a record in tiles."""
    return _tiled(from_dtype(dtype))


def _tiled(record: Any) -> Any:
    fields = []
    for name, field in record.fields.items():
        kind = field.type
        if isinstance(kind, types.Record):
            kind = _tiled(kind)
        elif isinstance(kind, types.NestedArray):
            kind = TiledArray(kind.dtype, kind.shape)
        word, byte = divmod(field.offset, WORD)
        fields.append((name, {"type": kind, "offset": LANES * WORD * word + byte, "alignment": field.alignment}))
    return types.Record(fields, LANES * record.size, record.aligned)


def tiled_rows(kind: Any, shape: tuple[int, ...]) -> Any:
    """A function for kernels: the rows ``shape`` of a tiled record that begin at an index of an array of words."""
    return _view(types.Array(kind, len(shape), "C"), shape, kind.size)


def tiled_array(kind: Any, shape: tuple[int, ...]) -> Any:
    """A function for kernels: the numbers ``shape`` of one row that begin at an index of an array in tiles."""
    return _view(types.Array(kind, len(shape), "A"), shape, LANES * kind.bitwidth // 8)


def _view(rows: Any, shape: tuple[int, ...], step: int) -> Any:
    """A function that makes an array over memory from an index of another on, ``step`` bytes from one to the next."""
    strides = [step * int(np.prod(shape[axis + 1 :])) for axis in range(len(shape))]

    @intrinsic
    def at(typing_context: Any, memory: Any, index: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            source = make_array(signature.args[0])(context, builder, arguments[0])
            out = make_array(rows)(context, builder)
            start = builder.gep(source.data, [arguments[1]])
            populate_array(
                out,
                data=builder.bitcast(start, out.data.type),
                shape=[context.get_constant(types.intp, size) for size in shape],
                strides=[context.get_constant(types.intp, stride) for stride in strides],
                itemsize=context.get_constant(types.intp, rows.dtype.bitwidth // 8),
                meminfo=None,
                parent=None,
            )
            return out._getvalue()

        return rows(memory, index), build

    return at
