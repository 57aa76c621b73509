"""A walk for the tests of pictures, with contacts set by hand."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.contacts import Contacts, Floor, foot_points
from locomote.motion import Motion
from locomote.samples import performer


@pytest.fixture(scope="package")
def walk() -> Motion:
    return performer(1.3, seconds=1.6, fps=30.0).motion


@pytest.fixture(scope="package")
def planted(walk: Motion) -> Contacts:
    """The left foot stands in the first half, the right one in the second."""
    points = foot_points(walk)
    touching = np.zeros((len(walk), 2), dtype=bool)
    touching[: len(walk) // 2, 0] = True
    touching[len(walk) // 2 :, 1] = True
    floor = Floor(float(points[..., 1].min()))
    legs = walk.skeleton.roles.legs
    return Contacts(walk.fps, legs, points, floor.heights(points), touching, touching, floor)
