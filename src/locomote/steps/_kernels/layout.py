"""What the kernels of exact steps hand each other: plants, chosen steps, a body, and the walks made of them."""

from __future__ import annotations

from typing import NamedTuple

from locomote.math._compile import inline
from locomote.math.vector import Floats, Ints
from locomote.steps._kernels.blend import Singles, StepRecords

STEEP = 0.2  # hip heights that a foot climbs or sinks in a step, from which on it goes as on stairs


@inline
def steepness(climb: float, size: float) -> float:
    """How far a step is one on stairs, 0 to 1."""
    return min(abs(climb) / (STEEP * size), 1.0)


class ChainPlants(NamedTuple):
    """What is asked for: the plants of all chains, one after the other; each chain begins with two that stand."""

    firsts: Ints  # (K + 1,) the first plant of each chain, and the number of plants
    sides: Ints  # (P,) 0 left, 1 right
    places: Floats  # (P, 3) m, the ball of the foot
    yaws: Floats  # (P,) rad, NaN: free
    facings: Floats  # (P,) rad, where the body might face there; NaN: unknown
    times: Floats  # (P,) s since the beginning, NaN: free
    known_yaws: Floats  # (P,) rad, of feet that already stand so; NaN: not known
    ready: Floats  # (P,) s, before which a foot does not leave
    frozen: Ints  # (P,) 1 for steps that are already chosen


class ChosenSteps(NamedTuple):
    """What is chosen: for every plant the step that leads to it. The first two of a chain have none."""

    corners: Ints  # (P, 4)
    weights: Floats  # (P, 4) of places
    turns: Floats  # (P, 4) of rotations
    supports: Ints  # (P,) the plant on which the other foot stands
    starts: Ints  # (P,) the plant from which the foot comes
    places: Floats  # (P, 3) m, where the feet really come down
    frames: Floats  # (P,) rad, yaw of the supporting frame
    foot_yaws: Floats  # (P,) rad, of the feet on the plants
    stances: Floats  # (P,) s, double stance before the swing
    lifts: Floats  # (P,) s, when the foot leaves
    lands: Floats  # (P,) s, when it comes down
    finals: Floats  # (P,) s, double stance after it, if the chain ends here
    off: Floats  # (P,) hip heights outside the hull, 0 inside


class SoleShape(NamedTuple):
    """The foot of a body, m: the joint at the ankle, heel and ball are in one vertical plane."""

    ankle_height: float
    heel: float  # from the ball back to the heel
    ankle: float  # from the ball back to the ankle
    toes: float  # from the ball to the tip


class BodyMeasures(NamedTuple):
    """A person of one size."""

    size: float  # m, height of the hips
    tempo: float  # by which its steps take longer than recorded
    hips: Floats  # (2, 3) m, the hip joints in the frame of the pelvis
    thigh: float  # m
    shank: float  # m
    sole: SoleShape
    joints: Ints  # (JOINTS,) numbers in the skeleton of the joints in the first rows of a sheet
    legs: Ints  # (2, 4) of hip, knee, ankle and ball of either side


class GaitSheets(NamedTuple):
    """One cycle of walking as sheets, in hip heights and where it heads, at growing speeds.

    A sheet begins with the last of its S samples, and ends with the first two once more.
    """

    share: float  # of the gait in ordinary walking; 0: what was recorded stays
    sheets: Singles  # (V, ROWS, S + 3)
    speeds: Floats  # (V,) hip heights a second
    strikes: Floats  # (V, 2) phases at which the left and the right foot come down, about 0.5 and 0
    rates: Floats  # (V,) cycles a second


class PlayedChains(NamedTuple):
    """What is played: chains of chosen steps and where their frames go."""

    plants: ChainPlants
    chosen: ChosenSteps
    clips: StepRecords
    frame_firsts: Ints  # (K + 1,) the first frame of each chain, and the number of frames F
    gait: GaitSheets  # of ordinary walking


class PlayManner(NamedTuple):
    """How chains are played."""

    fps: float  # frames a second
    upper: int  # above 0: the joints above the pelvis are those of the step with most weight
    mask: Floats  # (M,) sums of the filter's weights beyond 0, 1, 2, ... frames
    fit_root: bool  # the pelvis goes smoothly over double stances
    filters: bool  # upper body and knees are filtered


class PlayScratch(NamedTuple):
    """Room to work on one chain."""

    sheets: Floats  # (2, ROWS, T) the step that plays and the one before
    limbs: Floats  # (LIMBS, the longest chain), see `locomote.steps._kernels.pose`


class MadeWalks(NamedTuple):
    """Walks one after the other, F frames in all."""

    frames: Floats  # (ROWS, the longest walk) of the last walk; see `locomote.steps._kernels.blend`
    stands: Ints  # (2, F) the plants under the feet, -1 in the air
    gait: Floats  # (F,) share of the fitted gait; see `locomote.steps._kernels.gait`
    sinks: Floats  # (2, F) m by which the body had to sink for its legs to reach, and by which it did
    roots: Floats  # (F, 3) m
    rotations: Floats  # (F, J, 4)
