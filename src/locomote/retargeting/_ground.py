"""How high the joints of a standing body are over the ground, and how large one body is against another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote.contacts import Floor, fit_floor
from locomote.errors import SkeletonError
from locomote.formats._doubts import HEIGHTS, is_person, standing_height
from locomote.motion import Motion
from locomote.retargeting._transfer import Side
from locomote.rotations import FloatArray
from locomote.skeleton import Leg

SMALLEST_PERSON, LARGEST = HEIGHTS  # m, of any body that is not told to be otherwise
_LOW_SHARE = 10.0  # per cent of the frames, the lowest, that show at which height a joint rests


@dataclass(frozen=True, eq=False)
class GroundFit:
    """The ground under a standing body: the soles of its mesh, or else the level of its feet's balls."""

    heights: FloatArray  # (J,) of the joints over the ground when the body stands
    balls: float  # mean height of the balls over the ground: 0 without a mesh

    def ankles(self, legs: tuple[Leg, ...]) -> float:
        """The mean height of the ankles of the hindmost legs."""
        return float(np.mean([self.heights[leg.ankle] for leg in hindmost(legs)]))


def hindmost(legs: tuple[Leg, ...]) -> list[Leg]:
    """The pair of legs that hangs on the pelvis."""
    last = max(leg.row for leg in legs)
    return [leg for leg in legs if leg.row == last]


def find_ground(side: Side, motion: Motion | None) -> GroundFit:
    """The ground under one of the two bodies."""
    legs = side.roles.legs
    if not side.reference.rest and motion is not None:
        # A mean pose does not stand: measure where the joints rest.
        over = fit_floor(motion).heights(motion.joint_positions())
        return GroundFit(np.percentile(over, _LOW_SHARE, axis=0), 0.0)
    balls = float(np.mean([side.reference.ball(leg)[1] for leg in legs]))
    base = float(np.median([sole.points[:, 1].min() for sole in side.soles])) if side.soles else balls
    return GroundFit(side.reference.positions[:, 1] - base, balls - base)


def check_size(which: str, side: Side) -> None:
    """Refuse bodies of a size that only a wrong unit explains."""
    size = standing_height(side.roles, side.reference.positions[None])
    least = SMALLEST_PERSON if is_person(side.roles) else 0.0
    if not least <= size <= LARGEST or size <= 0.0:
        raise SkeletonError(
            f"retarget: the {which} is {size:.3g} m tall; load it with its unit, such as unit='cm', or give scale"
        )


def leg_ratio(source: Side, target: Side) -> float:
    """The target's legs against the source's: lengths of two-legged bodies, heights of the hips of others."""
    return _reach(target) / _reach(source)


def _reach(side: Side) -> float:
    legs = hindmost(side.roles.legs)
    if len(side.roles.legs) == 2:
        return float(np.mean([side.skeleton.chain_length(leg.hip, leg.ankle) for leg in legs]))
    return float(np.mean([side.reference.positions[leg.hip, 1] - side.reference.ball(leg)[1] for leg in legs]))


def target_floor(floor: Floor, factor: float, source: GroundFit, target: GroundFit) -> Floor:
    """The ground of the result. Where only the target has a mesh its soles stand at height 0."""
    only_target = source.balls == 0.0 and target.balls != 0.0
    return Floor(0.0 if only_target else factor * (floor.height - source.balls), floor.slope_x, floor.slope_z)
