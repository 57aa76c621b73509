"""Arrows in the world: forces, velocities, whatever has a place and a direction in every frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote.draw import _palette as palette
from locomote.draw._shapes import Shapes
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

_SHAFT = 0.008  # of the body's size: the radius
_HEAD = 0.024
_HEAD_LENGTH = 0.07
_SHORTEST = 0.01  # of the body's size; shorter ones are left out


@dataclass(frozen=True, eq=False)
class Arrows:
    """Arrows of a motion: as many in every frame; those of no length are not drawn."""

    starts: FloatArray  # (F, A, 3) m
    vectors: FloatArray  # (F, A, 3) m, from the start to the tip
    warned: FloatArray | None = None  # (F, A) 1 draws it red, 0 blue, and what lies between in between

    def __post_init__(self) -> None:
        shape = np.shape(self.starts)
        if len(shape) != 3 or shape[2] != 3 or np.shape(self.vectors) != shape:
            raise LocomoteError(f"arrows: expected starts and vectors (F, A, 3), got {shape}, {np.shape(self.vectors)}")
        if self.warned is not None and np.shape(self.warned) != shape[:2]:
            raise LocomoteError(f"arrows: expected warned {shape[:2]}, got {np.shape(self.warned)}")

    def __len__(self) -> int:
        return len(self.starts)

    def shapes(self, frame: int, size: float) -> Shapes | None:
        """Shafts and heads in one frame.

        Parameters
        ----------
        frame : its number
        size : m, of the body: arrows are as thick as suits it
        """
        vectors = self.vectors[frame]
        length = np.linalg.norm(vectors, axis=1)
        seen = np.flatnonzero(length > _SHORTEST * size)
        if not len(seen):
            return None
        start, along = self.starts[frame, seen], vectors[seen] / length[seen, None]
        tip = start + vectors[seen]
        neck = tip - np.minimum(_HEAD_LENGTH * size, 0.6 * length[seen])[:, None] * along
        count = len(seen)
        thin = np.full((count, 2), _SHAFT * size)
        cone = np.tile([_HEAD * size, 0.001 * size], (count, 1))
        red = np.zeros(count) if self.warned is None else np.clip(self.warned[frame, seen], 0.0, 1.0)
        colours = (1.0 - red)[:, None] * np.array(palette.FORCE) + red[:, None] * np.array(palette.ALARM)
        return Shapes(
            ends=np.concatenate([np.stack([start, neck], axis=1), np.stack([neck, tip], axis=1)]),
            radii=np.concatenate([thin, cone]),
            flat_axes=np.tile([0.0, 1.0, 0.0], (2 * count, 1)),
            flats=np.ones(2 * count),
            colours=np.tile(colours / 255.0, (2, 1)),
            overlaid=2 * count,
        )
