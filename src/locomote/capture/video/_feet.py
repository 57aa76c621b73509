"""What the feet of a cycle of poses do: when they stand, how high they are lifted, how fast the ground goes by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.capture.video._cycles import PoseCycle
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

NAMES = ("L1", "R1", "L2", "R2")  # left and right in front, left and right behind
PHASES = 240  # at which a cycle is looked at
LOWEST, LOW = 0.2, 0.35  # of the lift of a foot, over its lowest place: where it surely stands, and where it may
KEEPS = 0.45  # of the speed of the ground, at which a foot must go back with it to stand
SHORTEST, LONGEST = 0.08, 0.9  # of a cycle, that a foot stands


class Foot(NamedTuple):
    """Where a leg begins and ends."""

    hip: int
    toe: int
    offset: tuple[float, float, float]  # m, of the tip from the last joint, in its frame

    def places(self, motion: Motion) -> FloatArray:
        """Of its tip in every frame, ``(F, 3)``."""
        joints, turns = motion.world()
        return np.asarray(joints[:, self.toe] + rot.rotate(turns[:, self.toe], np.array(self.offset)))


@dataclass(frozen=True, eq=False)
class Steps:
    """What four feet do in a cycle, each ``(4,)`` in the order of `NAMES`.

    Parameters
    ----------
    lands : turns of the cycle at which they land
    duty : share of the cycle for which they stand
    lift : m, how high they are lifted in the mean
    stride : m, that the body goes in a cycle
    hip_height : m, of the hips over the ground in the mean
    rise : (2,) m, by how much shoulders and hips rise and fall, lowest to highest place
    """

    lands: FloatArray
    duty: FloatArray
    lift: float
    stride: float
    hip_height: float
    rise: FloatArray


def feet_of(skeleton: Skeleton) -> list[Foot]:
    """The four feet of an animal's skeleton, in the order of `NAMES`."""
    from locomote.capture.video._poses import rows_of_four

    legs = skeleton.roles.legs
    order = rows_of_four([leg.side for leg in legs], [leg.row for leg in legs], "the rig of the poses")
    return [Foot(legs[k].hip, legs[k].toe, legs[k].toe_offset) for k in order]


def measure_steps(cycle: PoseCycle) -> Steps:
    """When and how the feet of a cycle step; the body faces +Z and the ground is at height 0.

    A foot stands where it is low and goes back with the ground, whose speed is that of the low feet.
    """
    phases = np.arange(PHASES) / PHASES
    motion = cycle.motion(phases, PHASES)
    feet = feet_of(cycle.skeleton)
    joints = motion.joint_positions()
    tips = np.stack([foot.places(motion) for foot in feet], axis=1)  # (n, 4, 3)
    height = tips[..., 1] - tips[..., 1].min(axis=0)
    lifts = height.max(axis=0)
    back = -PHASES * 0.5 * (np.roll(tips[..., 2], -1, axis=0) - np.roll(tips[..., 2], 1, axis=0))  # m a cycle
    lifted = height / np.maximum(lifts, 1e-9)
    speeds = back[(lifted <= LOWEST) & (back > 0.0)]
    if not len(speeds):
        raise LocomoteError("no foot of these poses goes back along the ground: are they in the order of the keys?")
    stride = float(np.median(speeds))
    stands = (lifted <= LOW) & (back > KEEPS * stride)
    lands, duty = np.empty(4), np.empty(4)
    for k in range(4):
        first, count = _longest_run(stands[:, k])
        lands[k], duty[k] = phases[first], np.clip(count / PHASES, SHORTEST, LONGEST)
    hips = joints[:, [foot.hip for foot in feet], 1]
    girdles = np.stack([hips[:, :2].mean(axis=1), hips[:, 2:].mean(axis=1)], axis=1)
    return Steps(lands, duty, float(lifts.mean()), stride, float(hips[:, 2:].mean()), np.ptp(girdles, axis=0))


def _longest_run(mask: npt.NDArray[np.bool_]) -> tuple[int, int]:
    """Where the longest run of a closed row of answers begins, and how long it is."""
    count = len(mask)
    if mask.all() or not mask.any():
        return 0, int(mask.sum())
    begins = np.flatnonzero(mask & ~np.roll(mask, 1))
    lengths = [int(np.argmin(np.roll(mask, -begin))) for begin in begins]
    best = int(np.argmax(lengths))
    return int(begins[best]), min(lengths[best], count)
