"""Numbers that say how well a walk keeps to its plan and how smooth it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from locomote.human_skeleton import heel_offset
from locomote.rotations import FloatArray
from locomote.steps._blending import LEGS, body
from locomote.steps._plan import FootPlan
from locomote.steps._walking import Options, Walk, choose, make, plants_of, trace

FLAT = 1e-7  # m; a foot whose ball is higher above its heel stands on the heel
TREMBLE = 6.0  # Hz, above which a knee trembles
_THIRD = 3  # differences
VARIANTS = {
    "all": Options(),
    "candidates by regions": Options(candidates="regions"),
    "corners of Delaunay": Options(candidates="plain"),
    "upper body blended": Options(upper_body="blend"),
    "no root fit": Options(fit_root=False),
    "no filters": Options(filters=False),
    "nearest step outside": Options(mode="nearest"),
}


@dataclass(frozen=True)
class StepMetrics:
    """All lengths in metres; what is best is 0."""

    foot_error: float  # largest distance of a ball from the plant, while the foot stands flat or on its ball
    skate: float  # largest movement of what a foot stands on (heel or ball) in a frame
    penetration: float  # how deep heel, ball or tip of the toes goes below the ground
    bone_error: float  # largest change of the length of a leg bone
    stretch: float  # largest length from hip to ankle over that of the straight leg
    root_jump: float  # m/s, largest change of the pelvis's velocity from one frame to the next
    root_jerk: float  # m/s3, root mean square
    joint_jerk: float  # rad/s3, root mean square over all joints
    outside: float  # share of the steps that are outside of what was recorded
    late: float  # s, largest difference from the times of the plan; 0 where it gives none
    duration: float  # s, mean of a step

    def as_dict(self) -> dict[str, float]:
        """All of them by name."""
        return asdict(self)


def measure(walk: Walk) -> StepMetrics:
    """The numbers of one walk."""
    motion = walk.motion
    positions, world = motion.world()
    points = sole_points(walk, positions, world)
    errors, skates, depths = [0.0], [0.0], [0.0]
    for side in range(2):
        for plant in range(len(walk.places)):
            frames = np.flatnonzero(walk.stands[side] == plant)
            if len(frames) == 0:
                continue
            heel, ball = points[frames, side, 0], points[frames, side, 1]
            on_heel = ball[:, 1] - heel[:, 1] > FLAT
            errors.append(_largest(np.linalg.norm(ball - walk.plan.places[plant], axis=1)[~on_heel]))
            for point, held in ((heel, on_heel), (ball, ~on_heel)):
                steps = np.linalg.norm(np.diff(point, axis=0), axis=1)
                skates.append(_largest(steps[held[1:] & held[:-1]]))
            depths.append(_largest(walk.places[plant][1] - points[frames, side, :, 1].min(axis=1)))
    bones = np.linalg.norm(np.diff(positions[:, LEGS], axis=2), axis=-1)
    lengths = np.linalg.norm(positions[:, LEGS[:, 2]] - positions[:, LEGS[:, 0]], axis=-1)
    straight = bones[0, 0, 0] + bones[0, 0, 1]
    velocity = np.diff(motion.root_positions, axis=0) * motion.fps
    late = np.abs(walk.late[2:])
    return StepMetrics(
        max(errors),
        max(skates),
        max(depths),
        float(np.abs(bones - bones[:1]).max()),
        float(lengths.max() / straight),
        _largest(np.linalg.norm(np.diff(velocity, axis=0), axis=1)),
        _rms(np.diff(motion.root_positions, n=_THIRD, axis=0) * motion.fps**_THIRD),
        _joint_jerk(motion.rotations, motion.fps),
        float(np.mean(walk.outside[2:] > 0.0)),
        float(np.nanmax(late)) if np.any(np.isfinite(late)) else 0.0,
        float(np.mean(np.diff(walk.lands)[1:])),
    )


def ablations(plans: Sequence[FootPlan], **how: Any) -> dict[str, StepMetrics]:
    """The worst numbers over some plans, with one thing after the other left out."""
    out = {}
    for name, options in VARIANTS.items():
        recorded = replace(options, gait=0.0)  # what is left out concerns recorded steps
        rows = [measure(walk) for walk in trace(plans, options=recorded, **how)]
        out[name] = _worst(rows)
    return out


class WalkSmoothness(NamedTuple):
    """How smooth a walk is, and how much life is left in it."""

    root_jerk: float  # m/s3, root mean square
    acceleration: float  # m/s2, of the pelvis, largest
    knee_tremble: float  # mrad, root mean square of knee rolls above TREMBLE
    sinks: float  # mm, at most
    sinks_more: float  # mm more than the legs need, mean
    foot_turn: float  # deg, by which a standing foot turns, at most
    hands: float  # m, by which hands go to and fro against the pelvis in a step, mean


def smoothness(plan: FootPlan, leg_length: float, options: Options) -> WalkSmoothness:
    """The numbers of the walk over a plan."""
    from locomote.steps._kernels import blend as at

    (walk,) = trace([plan], leg_length=leg_length, options=options)
    person, plants = body(leg_length), plants_of([plan])
    chosen = choose(plants, None, person, options)
    frames = make(plants, chosen, None, person, options, walk.motion.fps, np.array([0, len(walk.motion)])).frames
    feet = [at.FEET + at.FOOT_ROWS * side for side in range(2)]
    turns = [0.0]
    for side, first in enumerate(feet):
        for plant in range(len(plan)):
            yaws = frames[first + at.YAW, walk.stands[side] == plant]
            turns.append(float(np.degrees(np.ptp(yaws))) if len(yaws) else 0.0)
    motion = walk.motion
    acceleration = np.diff(motion.root_positions, n=2, axis=0) * motion.fps**2
    return WalkSmoothness(
        measure(walk).root_jerk,
        _largest(np.linalg.norm(acceleration, axis=1)),
        1e3 * float(np.mean([high_frequency(frames[first + at.KNEE], motion.fps) for first in feet])),
        -1e3 * float(walk.sinks[1].min()),
        1e3 * float(np.mean(walk.sinks[0] - walk.sinks[1])),
        max(turns),
        _hand_swing(walk),
    )


def high_frequency(values: FloatArray, fps: float) -> float:
    """The root mean square of what of a row of numbers is above TREMBLE."""
    ahead = np.linspace(values[0], values[-1], len(values))
    spectrum = np.fft.rfft(values - ahead)
    spectrum[np.fft.rfftfreq(len(values), 1.0 / fps) < TREMBLE] = 0.0
    return float(np.sqrt(np.mean(np.fft.irfft(spectrum, len(values)) ** 2)))


def _hand_swing(walk: Walk) -> float:
    from locomote import rotations as rot

    skeleton, positions = walk.motion.skeleton, walk.motion.joint_positions()
    back = rot.from_yaw(-rot.yaw(walk.motion.rotations[:, 0]))
    hands = [skeleton.index(side + "Hand") for side in ("Left", "Right")]
    off = rot.rotate(back[:, None], positions[:, hands] - positions[:, :1])[..., [0, 2]]
    reach = []
    for a, b in pairwise(np.round(walk.lands[2:] * walk.motion.fps).astype(int)):
        if b > a:
            reach.append(np.linalg.norm(off[a:b].max(axis=0) - off[a:b].min(axis=0), axis=-1).mean())
    return float(np.mean(reach)) if reach else 0.0


def _worst(rows: list[StepMetrics]) -> StepMetrics:
    values = {name: max(getattr(row, name) for row in rows) for name in rows[0].as_dict()}
    means = {
        name: float(np.mean([getattr(row, name) for row in rows]))
        for name in ("root_jerk", "joint_jerk", "outside", "duration")
    }
    return replace(rows[0], **{**values, **means})


def sole_points(walk: Walk, positions: FloatArray, world: FloatArray) -> FloatArray:
    """Heel, ball and tip of the toes ``(F, 2, 3, 3)``."""
    from locomote import rotations as rot

    skeleton = walk.motion.skeleton
    heel = heel_offset(skeleton.leg_length())
    tip = np.array([0.0, 0.0, body(float(skeleton.leg_length())).measures.sole.toes])
    ankles, balls = LEGS[:, 2], LEGS[:, 3]
    return np.stack(
        [
            positions[:, ankles] + rot.rotate(world[:, ankles], heel),
            positions[:, balls],
            positions[:, balls] + rot.rotate(world[:, balls], tip),
        ],
        axis=2,
    )


def _joint_jerk(rotations: FloatArray, fps: float) -> float:
    from locomote import rotations as rot

    turns = rot.log(rot.multiply(rot.inverse(rotations[:-1]), rotations[1:])) * fps
    return _rms(np.diff(turns, n=2, axis=0) * fps**2)


def _rms(values: FloatArray) -> float:
    return float(np.sqrt(np.mean(np.sum(values**2, axis=-1)))) if values.size else 0.0


def _largest(values: FloatArray) -> float:
    return float(values.max()) if values.size else 0.0
