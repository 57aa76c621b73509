"""How synthesised and recorded cycles step: cadence, step length, contacts, and whether the joints are sound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote import contacts
from locomote import rotations as rot
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote.human.fitting._cycles import SAMPLES, Unit
from locomote.human.fitting._stride import ball_path, slip
from locomote.human_skeleton import COMMON, SHANK, THIGH, human_skeleton
from locomote.motion import Motion
from locomote.rotations import FloatArray

WALK_SPEEDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.2, 2.5)  # m/s
RUN_SPEEDS = (1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5)
MIXTURE = "mixture of all"
CYCLES = 4  # played; contacts are read from the two in the middle
FRAMES = 2 * SAMPLES  # of one played cycle

_HINGES = {  # joint: component of the quaternion about its axis, sense of the bend
    "knee": (("LeftLeg", 1, 1.0), ("RightLeg", 1, 1.0)),
    "elbow": (("LeftForeArm", 2, -1.0), ("RightForeArm", 2, 1.0)),
}


@dataclass(frozen=True)
class StepFigures:
    """One cycle at one speed; lengths are those of a person of hip height 0.9 m."""

    who: str
    gait: str
    speed: float  # m/s
    cadence: float  # steps/min
    step_length: float  # m
    duty: float  # share of the cycle that a foot is on the ground
    double_support: float  # share of the cycle with both feet on the ground
    flight: float  # share of the cycle with none
    knee: tuple[float, float]  # degrees, least and greatest bend
    elbow: tuple[float, float]
    ankle_gap: float  # m, least distance of the ankles to the sides; negative where the legs cross
    wander: float  # m, how far the ball of a planted foot strays
    drift: float  # m, from the first to the last of its stance

    @property
    def walk_ratio(self) -> float:
        """Step length over cadence, mm a (step/min)."""
        return 1000.0 * self.step_length / self.cadence


def played(root: FloatArray, rotations: FloatArray, frequency: float, speed: float, hip_height: float) -> Motion:
    """A cycle of the common skeleton (hip heights) played a few times over the ground, metres."""
    samples = len(root)
    at = np.arange(CYCLES * FRAMES) % FRAMES * samples / FRAMES
    before = at.astype(int)
    after = (before + 1) % samples
    mix = at - before
    fps = frequency * FRAMES
    place = hip_height * (root[before] + mix[:, None] * (root[after] - root[before]))
    place[:, 2] += speed * np.arange(len(at)) / fps
    turns = rot.slerp(rotations[before], rotations[after], np.broadcast_to(mix[:, None], rotations[before].shape[:-1]))
    return Motion(human_skeleton((THIGH + SHANK) * hip_height), fps, place, turns)


def steps_of_unit(unit: Unit) -> StepFigures:
    """How a recorded cycle steps, on the common skeleton of its performer's size, told for the reference size."""
    return _steps(
        unit.subject,
        unit.gait,
        unit.root,
        unit.rotations,
        unit.normal_speed,
        1.0 / unit.duration,
        unit.hip_height,
    )


def steps_of_style(model: HumanModel, style: str | None, gait: str, speed: float) -> StepFigures:
    """How a style, or the even mixture of all, steps at a speed (m/s, common skeleton) before any foot correction."""
    run = float(gait == "run")
    weights = model.weights(style)
    normal = speed / REFERENCE_HIP_HEIGHT
    root, turns = model.encoding.decode(model.unit(speed, run, weights))
    frequency = model.cycles_per_second(normal, run, weights)
    return _steps(style or MIXTURE, gait, root, turns, normal, frequency, REFERENCE_HIP_HEIGHT)


def synthesised(model: HumanModel) -> list[StepFigures]:
    """Every style of the model, and the even mixture of all, in both gaits over their ranges of speed."""
    return [
        steps_of_style(model, style, gait, speed)
        for gait, speeds in (("walk", WALK_SPEEDS), ("run", RUN_SPEEDS))
        for speed in speeds
        for style in (None, *model.styles)
    ]


def bends(rotations: FloatArray, joint: str) -> tuple[float, float]:
    """The least and the greatest bend of both knees or elbows, degrees."""
    angles = []
    for name, axis, sense in _HINGES[joint]:
        q = rotations[:, COMMON.index(name)]
        q = q * np.where(q[:, :1] < 0.0, -1.0, 1.0)
        angles.append(2.0 * sense * np.arctan2(q[:, axis], q[:, 0]))
    return float(np.degrees(np.min(angles))), float(np.degrees(np.max(angles)))


def _steps(
    who: str,
    gait: str,
    root: FloatArray,
    rotations: FloatArray,
    normal_speed: float,
    frequency: float,
    hip_height: float,
) -> StepFigures:
    motion = played(root, rotations, frequency, normal_speed * hip_height, hip_height)
    found = contacts.detect(motion, gait=gait)
    middle = slice(FRAMES, (CYCLES - 1) * FRAMES)
    ankles = Motion(COMMON, 1.0, root, rotations).joint_positions()
    gap = ankles[:, COMMON.index("LeftFoot"), 0] - ankles[:, COMMON.index("RightFoot"), 0]
    strayed = slip(ball_path(root, rotations), gait, normal_speed / frequency)
    return StepFigures(
        who=who,
        gait=gait,
        speed=normal_speed * REFERENCE_HIP_HEIGHT,
        cadence=120.0 * frequency,
        step_length=0.5 * normal_speed / frequency * REFERENCE_HIP_HEIGHT,
        duty=float(found.foot[middle].mean()),
        double_support=float(np.mean(found.support[middle] == 2)),
        flight=float(np.mean(found.support[middle] == 0)),
        knee=bends(rotations, "knee"),
        elbow=bends(rotations, "elbow"),
        ankle_gap=float(gap.min()) * REFERENCE_HIP_HEIGHT,
        wander=strayed[0] * REFERENCE_HIP_HEIGHT,
        drift=strayed[1] * REFERENCE_HIP_HEIGHT,
    )
