"""Walkers that come into a crowd in the middle of a walk: from another kind of motion, without a jump."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from locomote import rotations as rot
from locomote._arguments import rows_of
from locomote.errors import LocomoteError
from locomote.human._kernels.state import PLANTED, Foot, Jump, People, Ramp
from locomote.human._stepping import needs_processor
from locomote.human_skeleton import COMMON_PROPORTIONS, Proportions
from locomote.math.records import zeros
from locomote.motion import Poses
from locomote.rotations import FloatArray
from locomote.world import Ground

if TYPE_CHECKING:
    from locomote.human._kernels.model import Model
    from locomote.human._kernels.scratch import Scratch

RATE = 60.0  # frames a second, at which the motion after the hand-over is looked at
STANDING = 0.15  # m/s, below which a body stands
SURE = 0.4  # m/s, from which on the way of a body tells where it goes
ASIDE = math.radians(60.0)  # between its way and its pelvis, up to which it goes ahead
LOOKS = 9  # phases of a double stance that are tried
SOLE = 0.03  # m around the ball of a foot, over which the slope of the ground is taken
SAME_LEG = 1e-3  # m


class Easing(Protocol):
    """What is left of the motion before a hand-over, fading away."""

    def onto(
        self, root: FloatArray, rotations: FloatArray, dt: float
    ) -> tuple[FloatArray, FloatArray, FloatArray] | None:
        """Root ``(3,)``, rotations and joints of the pose with what is left ``dt`` later; None when nothing is."""


@dataclass(frozen=True, eq=False)
class Handover:
    """A walker in the middle of its motion: where it is, how it moves, where its feet stand."""

    pose: Poses
    velocity: FloatArray  # (3,) m/s, of the pelvis
    heading: float  # rad, of the pelvis
    footholds: FloatArray  # (2, 3) m, under the balls of the left and right foot
    foot_yaws: FloatArray  # (2,) rad
    next_side: int  # 0 left or 1 right: the foot whose turn it is
    stands: bool  # on both feet
    leg_length: float  # m
    # How its motion fades into another one, given by two poses so many seconds apart, the first of them now.
    easing: Callable[[Poses, Poses, float], Easing]


class Handovers:
    """Walkers of a crowd that take over from elsewhere; `Crowd` has all of this."""

    device: str
    ground: Ground
    holds_feet: bool
    proportions: tuple[Proportions, ...]
    _state: People
    _packed: Model
    _poses: Poses
    _scratch: Scratch
    _easings: dict[int, Easing]

    def place(self, who: int, handover: Handover) -> None:
        """Let a walker go on where another one stands on both feet, such as a `locomote.steps.Stepper` that hands back.

        Place, heading, speed and the step that is due are taken over; the feet stay where they stand, and what the pose
        of the crowd is unlike that of the other fades away. Goals and commands are the crowd's: the speed is kept
        until told otherwise.

        Parameters
        ----------
        who : the walker of the crowd
        handover : from whom it goes on, such as ``stepper.hand_back()``
        """
        needs_processor(self.device, "hand-overs")
        row = int(rows_of(who, len(self._state.walkers))[0])
        check_common(self, row)
        leg = float(self._state.walkers["leg"]["value"][row])
        if abs(leg - handover.leg_length) > SAME_LEG:
            raise LocomoteError(
                f"walker {who}: legs of {leg:.3f} m cannot go on for legs of {handover.leg_length:.3f} m"
            )
        if not handover.stands:
            raise LocomoteError(f"walker {who}: a foot is in the air; hand over when both feet stand")
        self._easings.pop(row, None)
        self._take_over(row, handover)
        for side in range(2):
            self._set_foot(row, side, handover)
        alone, poses = self._alone(row)
        self._play(0.0, alone, poses)
        self._write(row, poses)
        if self.holds_feet:
            ahead = alone.copy()
            soon = poses.copy()
            self._play(1.0 / RATE, ahead, soon)
            self._easings[row] = handover.easing(poses, soon, 1.0 / RATE)
            self._ease(0.0)

    def _take_over(self, row: int, handover: Handover) -> None:
        """Set course, place and phase of a walker."""
        state, feet = self._state.walkers[row], self._state.feet
        state["jump"], feet[row] = zeros(Jump, 1)[0], zeros(Foot, 1)[0]
        for name in ("speed", "turn", "run"):
            state[name] = zeros(Ramp, 1)[0]
        heading, speed = _course(handover)
        state["yaw"] = heading
        state["speed"]["value"] = state["speed"]["target"] = state["stride_speed"] = speed
        for name in ("ground_rate", "tilt", "sink", "sink_rate", "steep", "steep_ahead"):
            state[name] = 0.0
        state["steering"] = state["free_stop"] = False
        state["profile"]["duration"] = 0.0
        state["news"] = state["stale"] = True
        begin = math.ceil(state["cycles"])  # counts of cycles never go back
        state["cycles"] = begin
        alone, poses = self._alone(row)
        self._play(0.0, alone, poses)  # brings the timing of the feet up to date
        if speed == 0.0:
            # In rest the right foot goes first half a cycle after the left one would.
            phases = self._packed.timing.rest + 0.5 * np.arange(2)
            off = state["contact_phases"][2 * handover.next_side + 1]
            state["cycles"] = begin + min(phases, key=lambda phase: (off - phase) % 1.0)
        else:
            state["cycles"] = begin + self._likeliest(row, handover)
        state["held"], feet[row] = -1, zeros(Foot, 1)[0]
        self._play(0.0, alone, poses)
        aside = handover.pose.root_positions[0] - poses.root_positions[0]
        if speed == 0.0:  # who stands does so over the feet
            balls = poses.joint_positions()[0, self._packed.legs[:, 3]]
            aside = (handover.footholds - balls).mean(axis=0)
        state["x"], state["z"] = state["x"] + aside[0], state["z"] + aside[2]
        feet[row] = zeros(Foot, 1)[0]
        self._play(0.0, alone, poses)

    def _likeliest(self, row: int, handover: Handover) -> float:
        """The phase of the double stance, before the foot whose turn it is leaves, whose feet are most alike."""
        state, legs = self._state.walkers[row], self._packed.legs
        side = handover.next_side
        strike, off = state["contact_phases"][2 * (1 - side)], state["contact_phases"][2 * side + 1]
        phases = strike + ((off - strike) % 1.0) * (np.arange(LOOKS) + 0.5) / LOOKS
        wanted = handover.pose.joint_positions()[0, legs[:, 2]] - handover.pose.root_positions[0]
        best, least = float(phases[0]), math.inf
        alone, poses = self._alone(row)
        for phase in phases:
            trial = alone.copy()
            trial.walkers["cycles"], trial.walkers["held"] = math.floor(state["cycles"]) + phase, -1
            self._play(0.0, trial, poses, hold=False)
            off_by = poses.joint_positions()[0, legs[:, 2]] - poses.root_positions[0] - wanted
            if float(np.sum(off_by**2)) < least:
                best, least = float(phase), float(np.sum(off_by**2))
        return best

    def _set_foot(self, row: int, side: int, handover: Handover) -> None:
        """A foot that stands, and where."""
        from locomote.human._kernels.feet import LEAST_STAND
        from locomote.world._kernels import ground as pieces_at

        foot, place = self._state.feet[row, side], handover.footholds[side]
        flat = _flat(float(handover.foot_yaws[side]), place, self.ground)
        piece = int(self.ground.pieces_at(place[None])[0])
        foot["state"], foot["stood"], foot["overhangs"], foot["tiptoe"] = PLANTED, LEAST_STAND, False, 0.0
        foot["piece"] = foot["last_piece"] = piece
        foot["goal"], foot["flat_turn"], foot["last_height"] = place, flat, place[1]
        if piece >= 0:
            on = self.ground.arrays[0][piece]
            back = rot.from_yaw(-on[pieces_at.YAW])
            middle = on[[pieces_at.X, pieces_at.Y, pieces_at.Z]]
            foot["local_place"], foot["local_turn"] = rot.rotate(back, place - middle), rot.multiply(back, flat)

    def _alone(self, row: int) -> tuple[People, Poses]:
        """The state of one walker, not copied, and poses for it."""
        one = slice(row, row + 1)
        poses = self._poses
        assert poses.scales is not None
        assert poses.known_positions is not None
        alone = Poses(
            poses.skeleton, poses.root_positions[one].copy(), poses.rotations[one].copy(),
            poses.scales[one].copy(), poses.known_positions[one].copy(),
            None if poses.offsets is None else poses.offsets[one],
        )  # fmt: skip
        return self._state.only(row, row + 1), alone

    def _play(self, dt: float, people: People, poses: Poses, hold: bool | None = None) -> None:
        """One step of a walker alone."""
        from locomote.human._kernels.step import PoseArrays, step

        outputs = PoseArrays(poses.root_positions, poses.rotations, poses.joint_positions())
        terrain = self.ground.arrays
        holds, before = self.holds_feet if hold is None else hold, terrain.pieces[:, :4].copy()
        step(dt, holds, people, self._packed, terrain, before, outputs, self._scratch)

    def _write(self, row: int, poses: Poses) -> None:
        self._poses.root_positions[row] = poses.root_positions[0]
        self._poses.rotations[row] = poses.rotations[0]
        self._poses.joint_positions()[row] = poses.joint_positions()[0]

    def _ease(self, dt: float) -> None:
        """Add what is left of the motion before hand-overs to the poses of a step."""
        poses = self._poses
        for row, easing in list(self._easings.items()):
            eased = easing.onto(poses.root_positions[row], poses.rotations[row], dt)
            if eased is None:
                del self._easings[row]
                continue
            poses.root_positions[row], poses.rotations[row], poses.joint_positions()[row] = eased


def check_common(crowd: Handovers, who: int) -> None:
    """Refuse a hand-over of a body with proportions of its own: exact steps know only the common ones."""
    if crowd.proportions[who] != COMMON_PROPORTIONS:
        raise LocomoteError(f"walker {who}: exact steps are for the common body; make the crowd without a body")


def _course(handover: Handover) -> tuple[float, float]:
    """Heading and speed with which a walker goes on: bodies of a crowd go where they face."""
    x, _, z = handover.velocity
    speed, feet = math.hypot(x, z), _mean(handover.foot_yaws)
    way = math.atan2(x, z)
    off = (way - handover.heading + math.pi) % (2.0 * math.pi) - math.pi
    if speed > SURE and abs(off) < ASIDE:
        # Each of them sways from step to step.
        return _mean(np.array([way, handover.heading, feet])), speed
    ahead = speed * math.cos(off)
    return (handover.heading, ahead) if ahead > STANDING else (feet, 0.0)


def _mean(angles: FloatArray) -> float:
    return math.atan2(float(np.sum(np.sin(angles))), float(np.sum(np.cos(angles))))


def _flat(yaw: float, place: FloatArray, ground: Ground) -> FloatArray:
    """The rotation of a foot that lies flat on the ground at a place."""
    ahead, left = (
        np.array([math.sin(yaw), 0.0, math.cos(yaw)]),
        np.array([math.cos(yaw), 0.0, -math.sin(yaw)]),
    )
    around = place + SOLE * np.stack([ahead, -ahead, left, -left])
    heights = ground.heights(around)
    # The foot of a step or the edge of a stone is no slope.
    rises = [
        (a - b) / (2.0 * SOLE) if max(abs(a - place[1]), abs(b - place[1])) < SOLE else 0.0
        for a, b in (heights[:2], heights[2:])
    ]
    ahead[1], left[1] = rises
    up = np.cross(ahead, left)
    up /= np.linalg.norm(up)
    tilt = rot.between(np.array([0.0, 1.0, 0.0]), up)
    return rot.multiply(tilt, rot.from_yaw(yaw))
