"""The synthetic performer: a person who walks or runs, whose every contact with the floor is known."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human_skeleton import heel_offset, human_skeleton
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.samples._gait import choose_gait
from locomote.samples._legs import pose_leg
from locomote.samples._path import ArcPath
from locomote.samples._pelvis import bank_angle, pelvis_track
from locomote.samples._truth import LegContacts, inside, leg_contacts
from locomote.samples._upper import pose_upper_body

MOST_SECONDS = 3600.0
FPS_RANGE = (10.0, 2000.0)
MOST_TURN = 1.0  # rad/s
MOST_SIDEWAYS = 2.5  # m/s^2: speed times turn rate
MOST_NOISE = 0.05  # m


@dataclass(frozen=True, eq=False)
class Performance:
    """A motion together with the truth about it. Legs are in the order of ``motion.skeleton.roles.legs``."""

    motion: Motion
    gait: str  # "walk" or "run"
    speed: float  # m/s along the path
    contacts: tuple[LegContacts, ...]  # left, right
    contact_mask: npt.NDArray[np.bool_]  # (F, 2) whether any part of the foot is on the floor
    step_length: float  # m along the path
    step_width: float  # m
    cadence: float  # steps/min
    duty_factor: float  # part of the stride for which a foot is on the floor
    double_support: float  # part of the stride for which both feet are; 0 in a run
    heel_offset: FloatArray  # (3,) the point of the heel on the floor, in the frame of the ankle

    @property
    def heel_strikes(self) -> tuple[FloatArray, ...]:
        """Times of each leg in the clip, seconds."""
        return self._times("heel", 0)

    @property
    def toe_strikes(self) -> tuple[FloatArray, ...]:
        """Times of each leg in the clip, seconds."""
        return self._times("forefoot", 0)

    @property
    def heel_offs(self) -> tuple[FloatArray, ...]:
        """Times of each leg in the clip, seconds."""
        return self._times("heel", 1)

    @property
    def toe_offs(self) -> tuple[FloatArray, ...]:
        """Times of each leg in the clip, seconds."""
        return self._times("forefoot", 1)

    def heel_positions(self) -> FloatArray:
        """World positions ``(F, 2, 3)`` of the heels, left and right."""
        positions, turns = self.motion.world()
        ankles = [leg.ankle for leg in self.motion.skeleton.roles.legs]
        return positions[:, ankles] + rot.rotate(turns[:, ankles], self.heel_offset)

    def _times(self, part: str, end: int) -> tuple[FloatArray, ...]:
        whole = [getattr(leg, part)[:, end] for leg in self.contacts]
        return tuple(times[(times >= 0.0) & (times <= self.motion.duration)] for times in whole)


def performer(
    speed: float = 1.4,
    gait: str | None = None,
    leg_length: float = 0.9,
    seconds: float = 4.0,
    fps: float = 120.0,
    turn_rate: float = 0.0,
    noise: float = 0.0,
    seed: int = 0,
) -> Performance:
    """A person who walks or runs steadily.

    Parameters
    ----------
    speed : m/s
    gait : "walk" or "run"; the speed decides without it
    leg_length : m, hip to ankle
    seconds, fps : how long, and frames a second
    turn_rate : rad/s, positive to the left
    noise : m, standard deviation by which the root is shaken, not its truth; joints by that over the leg length, rad
    seed : of the noise
    """
    law = choose_gait(speed, leg_length, gait)
    _check(speed, seconds, fps, turn_rate, noise)
    path = ArcPath(speed, turn_rate)
    skeleton = human_skeleton(leg_length)
    times = np.arange(int(np.floor(seconds * fps + 1e-6)) + 1) / fps

    roots, pelvis = pelvis_track(law, path, times)
    local = rot.identity(len(times), len(skeleton))
    local[:, 0] = pelvis
    for side in (0, 1):
        pose_leg(skeleton, law, path, side, times, roots, local)
    pose_upper_body(skeleton, law, times, path.heading(times), bank_angle(path), local)
    if noise > 0.0:
        random = np.random.default_rng(seed)
        roots = roots + random.normal(0.0, noise, roots.shape)
        shake = random.normal(0.0, noise / leg_length, (*local.shape[:2], 3))
        local = rot.multiply(local, rot.exp(shake))

    local = rot.continuous(rot.canonical(rot.normalize(local)))
    motion = Motion(skeleton, fps, roots, local, name=f"{law.name} {speed:g} m/s")
    contacts = tuple(leg_contacts(law, side, motion.duration) for side in (0, 1))
    return Performance(
        motion=motion,
        gait=law.name,
        speed=speed,
        contacts=contacts,
        contact_mask=np.stack([inside(leg.foot, motion.times) for leg in contacts], axis=-1),
        step_length=law.step_length,
        step_width=law.step_width,
        cadence=law.cadence,
        duty_factor=law.duty_factor,
        double_support=max(2.0 * law.duty_factor - 1.0, 0.0),
        heel_offset=heel_offset(leg_length),
    )


def _check(speed: float, seconds: float, fps: float, turn_rate: float, noise: float) -> None:
    turn = min(MOST_TURN, MOST_SIDEWAYS / speed)
    for name, value, least, most, unit in (
        ("seconds", seconds, 0.0, MOST_SECONDS, "s"),
        ("fps", fps, *FPS_RANGE, "frames/s"),
        ("turn_rate", turn_rate, -turn, turn, f"rad/s at {speed:g} m/s"),
        ("noise", noise, 0.0, MOST_NOISE, "m"),
    ):
        if not (isfinite(value) and least <= value <= most):
            raise LocomoteError(f"{name} {value}: expected {least:g} to {most:g} {unit}")
