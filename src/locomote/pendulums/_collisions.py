"""Pushes that bring the tips of pendulums out of balls, capsules and the ground: for the next step to take."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.pendulums._state import Pendulums
from locomote.rotations import FloatArray


class Heights(Protocol):
    """Anything that knows heights, such as `locomote.world.Ground`."""

    def heights(self, points: npt.ArrayLike) -> FloatArray:
        """The heights at places ``(..., 2)`` as (x, z)."""
        ...


def push_out(
    pendulums: Pendulums,
    *,
    balls: npt.ArrayLike | None = None,
    capsules: npt.ArrayLike | None = None,
    ground: Heights | None = None,
    clearance: float = 0.0,
) -> FloatArray:
    """Pushes ``(N, P, 3)`` for tips that are inside something, the shortest way out; 0 for all others.

    Give the result to `Pendulums.step`, which drags along what hangs together.

    Parameters
    ----------
    pendulums : whose tips
    balls : (B, 4) m, x, y, z and radius
    capsules : (C, 7) m, both ends and a radius
    ground : tips stay above it
    clearance : m, that tips keep away
    """
    tips = pendulums.tips
    rods = [_rows("capsules", capsules, 7)]
    around = _rows("balls", balls, 4)
    rods.append(np.concatenate([around[:, :3], around], axis=1))
    out: FloatArray = np.zeros(tips.shape)
    for rod in np.concatenate(rods):
        start, way, radius = rod[:3], rod[3:6] - rod[:3], rod[6] + clearance
        length = float(way @ way)
        share = np.clip((tips + out - start) @ way / length, 0.0, 1.0) if length > 0.0 else np.zeros(tips.shape[:2])
        away = tips + out - (start + share[..., None] * way)
        far = np.linalg.norm(away, axis=-1, keepdims=True)
        # From the very middle every way out is as short as any other: up.
        direction = np.where(far > 1e-12, away / np.maximum(far, 1e-12), [0.0, 1.0, 0.0])
        out += np.maximum(radius - far, 0.0) * direction
    if ground is not None:
        moved = tips + out
        out[..., 1] += np.maximum(ground.heights(moved[..., [0, 2]]) + clearance - moved[..., 1], 0.0)
    return out


def _rows(name: str, values: npt.ArrayLike | None, width: int) -> FloatArray:
    if values is None:
        return np.zeros((0, width))
    rows = np.asarray(values, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != width or not np.all(np.isfinite(rows)):
        raise LocomoteError(f"{name}: expected finite numbers of shape (n, {width}), got {rows.shape}")
    return rows
