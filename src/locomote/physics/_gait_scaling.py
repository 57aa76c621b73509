"""Gaits of the dog for bodies of another height and weight: the same motion by dynamic similarity (Froude)."""

from __future__ import annotations

import numpy as np

from locomote.physics._animal import DOG_MASS, Animal
from locomote.physics._gait_library import GaitLibrary, TunedGait
from locomote.physics._gait_parameters import HEIGHTS
from locomote.physics._kernels import animal_model as am
from locomote.rotations import FloatArray

NEAR = 0.02  # a body that differs by less than this share goes as the dog does


def frame_heights(animal: Animal) -> tuple[float, float]:
    """Of shoulders and hips at rest, m."""
    places, parts = animal.morphology.rest_pose[0], animal.parts
    front, rear = (places[[leg[0] for leg in parts.legs[k : k + 2]], 1].mean() for k in (0, 2))
    return float(front), float(rear)


def fitted(library: GaitLibrary, animal: Animal) -> GaitLibrary:
    """The gaits of the dog for another body: lengths by its height, times and speeds by the root of that.

    Parameters
    ----------
    library : of the dog
    animal : the other body; forces are as many times larger as it is heavier
    """
    factors, long = _factors(animal)
    if np.abs(factors - 1.0).max() < NEAR:
        return library
    return GaitLibrary(
        {
            name: TunedGait(name, gait.speeds * np.sqrt(long), gait.graphs, gait.params * factors)
            for name, gait in library.gaits.items()
        },
        library.notes,
    )


def scaled_parameters(params: FloatArray, animal: Animal) -> FloatArray:
    """Parameters ``(144,)`` of the dog for another body."""
    return np.asarray(params * _factors(animal)[0])


def _factors(animal: Animal) -> tuple[FloatArray, float]:
    """Of the parameters of a gait, ``(144,)``, and of lengths."""
    heights, heavy = frame_heights(animal), animal.masses.total / DOG_MASS
    long = float(np.mean(heights) / np.mean(HEIGHTS))
    out, slow = np.ones(am.PARAMETERS), float(np.sqrt(long))
    for k in range(am.FRAMES):
        out[am.H + am.KNOTS * k : am.H + am.KNOTS * (k + 1)] = heights[k] / HEIGHTS[k]
    out[am.PUSH : am.PLACE] = heavy  # N
    out[am.PLACE : am.WARP] = long  # m
    out[am.LIFT : am.TRACK] = long
    out[am.TRACK : am.TOE] = heavy / long  # N/m
    for leg in range(am.FEET):
        out[am.TOE + 4 * leg + 2 : am.TOE + 4 * leg + 4] = slow  # s
    out[am.REACT : am.SPRING] = slow
    out[am.SPRING : am.DRIVE : 2], out[am.SPRING + 1 : am.DRIVE : 2] = heavy / long, heavy / slow  # N/m, N s/m
    out[am.DRIVE], out[am.PERIOD] = heavy / slow, slow
    return out, long
