"""Plans on which exact steps are judged: three set scenes, and random ones."""

from __future__ import annotations

import numpy as np

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.steps._blending import body, default_database, pack
from locomote.steps._plan import LEFT, RIGHT, FootPlan, check

INDOOR_LEG = 0.85  # m, of who walked it
# Side, x, z (m), yaw (deg), time (s): read from a recorded walk in tight curves, clip 56_01 of the CMU database.
_INDOOR = (
    (0, 0.458, 1.326, -179, 3.79), (1, 0.512, 0.604, -175, 4.44), (0, 0.411, -0.032, -177, 5.08),
    (1, 0.419, -0.680, -173, 5.68), (0, 0.398, -1.296, -166, 6.30), (1, 0.177, -1.806, -121, 6.96),
    (0, -0.319, -1.551, -51, 7.55), (1, -0.634, -0.987, -17, 8.27), (0, -0.588, -0.377, 14, 8.87),
    (1, -0.355, 0.173, 37, 9.51), (0, 0.156, 0.475, 61, 10.12), (1, 0.730, 0.732, 47, 10.79),
    (0, 1.087, 1.228, 10, 11.43), (1, 0.879, 1.710, -46, 12.07),
)  # fmt: skip
RIDGE_FROM, RIDGE_TO = 6, 18  # plants of the ridge that are taken sideways
_RIDGE_STEP, _RIDGE_STANCE = 0.32, 0.20  # m along the ridge: of a step, and between the feet after it
_HALF_WIDTH = 0.09  # m


def indoor() -> FootPlan:
    """12 steps in tight curves, as recorded: where, how turned and when."""
    rows = np.array(_INDOOR)
    places = np.column_stack([rows[:, 1], np.zeros(len(rows)), rows[:, 2]])
    return FootPlan(rows[:, 0].astype(np.int64), places, np.radians(rows[:, 3]), rows[:, 4])


def ridge() -> FootPlan:
    """20 steps to a narrow ridge, along it and on: only there, where both feet are on one line, it goes sideways."""
    rows = [(LEFT, _HALF_WIDTH, 0.0), (RIGHT, -_HALF_WIDTH, 0.0), (LEFT, 0.08, 0.5), (RIGHT, -0.08, 0.95)]
    rows += [(LEFT, 0.10, 1.3), (RIGHT, -0.10, 1.3)]
    x = -0.10
    while len(rows) < RIDGE_TO:
        x -= _RIDGE_STEP
        rows += [(RIGHT, x, 1.3), (LEFT, x + _RIDGE_STANCE, 1.3)]
    x += 0.5 * _RIDGE_STANCE
    rows += [(RIGHT, x - _HALF_WIDTH, 1.7), (LEFT, x + _HALF_WIDTH, 2.2)]
    rows += [(RIGHT, x - _HALF_WIDTH, 2.7), (LEFT, x + _HALF_WIDTH, 2.7)]
    return FootPlan.of([row[0] for row in rows], np.array([row[1:] for row in rows]))


def reversal() -> FootPlan:
    """12 steps forwards, backwards and forwards again, with no thought for comfort."""
    z = [0.0, 0.0, 0.5, 1.0, 1.5, 1.85, 1.45, 1.1, 0.75, 0.45, 0.8, 1.3, 1.85, 1.85]
    sides = np.arange(len(z)) % 2
    return FootPlan.of(sides, np.column_stack([np.where(sides == LEFT, _HALF_WIDTH, -_HALF_WIDTH), z]))


def single_steps(count: int, seed: int = 0, beyond: float = 0.0) -> list[FootPlan]:
    """Plans of one step each, inside of what was recorded, or so many metres outside of it; all can be walked."""
    random = np.random.default_rng(seed)
    steps, size = pack(default_database()).steps, body(0.9).measures.size
    plans: list[FootPlan] = []
    for _ in range(50 * count):
        if beyond > 0.0:
            params = _outside(steps.features[steps.hull[random.integers(len(steps.hull)), :3], :3], beyond / size)
        else:
            corners = steps.simplices[random.integers(len(steps.simplices))]
            params = random.dirichlet(np.ones(4)) @ steps.features[corners, :3]
        p1, p2, p3 = size * params
        plan = FootPlan.of([LEFT, RIGHT, RIGHT], [(0.0, 0.0), (p1, 0.0), (p2, p3)])
        try:
            check(plan, 0.9)
        except LocomoteError:
            continue
        plans.append(plan if random.integers(2) else plan.mirrored())
        if len(plans) == count:
            break
    return plans


def _outside(corners: FloatArray, far: float) -> FloatArray:
    """A point so far (hip heights) from the middle of a face of the hull, away from the ordinary step."""
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    normal /= max(float(np.linalg.norm(normal)), 1e-12)
    middle: FloatArray = corners.mean(axis=0)
    inside = np.median(pack(default_database()).steps.features[:, :3], axis=0)
    return middle + far * (normal if normal @ (middle - inside) > 0.0 else -normal)


def stones(plants: int, most: float, seed: int = 0) -> FootPlan:
    """A walk over stones whose heights are drawn within so many metres up and down."""
    random = np.random.default_rng(seed)
    sides = np.arange(plants) % 2
    z = np.concatenate([[0.0, 0.0], np.cumsum(random.uniform(0.3, 0.5, plants - 2))])
    heights = np.concatenate([[0.0, 0.0], random.uniform(-most, most, plants - 2)])
    x = np.where(sides == LEFT, 0.11, -0.11) + random.uniform(-0.04, 0.04, plants)
    return FootPlan.of(sides, np.column_stack([x, heights, z]))
