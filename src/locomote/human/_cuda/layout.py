"""How the state of people lies in the memory of a GPU, and how the arguments of a launch are laid out."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

LANES = 32  # threads of a warp, people of a tile


def to_tiles(xp: Any, rows: Any) -> Any:
    """Rows ``(N, ...)`` of numbers as tiles of 32 people: the first number of all of them, then the second."""
    flat = rows.reshape(len(rows), -1)
    tiles = -(-len(flat) // LANES)
    padded = xp.zeros((tiles * LANES, flat.shape[1]), flat.dtype)
    padded[: len(flat)] = xp.asarray(flat)
    return xp.ascontiguousarray(padded.reshape(tiles, LANES, -1).transpose(0, 2, 1)).reshape(-1)


def from_tiles(tiles: Any, width: int, rows: Any) -> Any:
    """Some rows ``(n, width)`` of tiles; ``rows`` are indices, or a slice from the first on."""
    by_tile = tiles.reshape(-1, width, LANES)
    if isinstance(rows, slice):
        return by_tile.transpose(0, 2, 1).reshape(-1, width)[rows]
    return by_tile[rows // LANES, :, rows % LANES]


def into_tiles(tiles: Any, rows: Any, values: Any) -> None:
    """Put rows ``(n, width)`` into tiles."""
    tiles.reshape(-1, values.shape[1], LANES)[rows // LANES, :, rows % LANES] = values


def words_of(rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Rows of records as rows of 8-byte words, and numbers as they are; not copied."""
    numbers = rows.view(np.int64) if rows.dtype.names else rows
    return numbers.reshape(len(rows), -1)


def arguments_of(value: Any) -> list[int]:
    """The parameters of a kernel for a value as Numba lays it out, each as the bits of a whole number."""
    if isinstance(value, tuple):
        return [each for part in value for each in arguments_of(part)]
    if hasattr(value, "strides"):
        pointer = value.data.ptr if hasattr(value.data, "ptr") else value.ctypes.data
        return [0, 0, value.size, value.itemsize, pointer, *value.shape, *value.strides]
    if isinstance(value, float):
        return [int(np.float64(value).view(np.int64))]
    return [int(value)]


def parameters_of(values: list[int]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uintp]]:
    """The parameters in memory, and where each of them is: what a launch takes."""
    kept = np.array(values, dtype=np.int64)
    return kept, (kept.ctypes.data + kept.itemsize * np.arange(len(kept))).astype(np.uintp)
