"""Walkers that come into a crowd in the middle of a walk: from another kind of motion, without a jump."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote._arguments import rows_of
from locomote.errors import LocomoteError
from locomote.motion import Poses
from locomote.rotations import FloatArray
from locomote.world import Ground

if TYPE_CHECKING:
    from locomote.human._kernels.pose import Model

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

    ground: Ground
    holds_feet: bool
    _state: FloatArray
    _feet: FloatArray
    _cache: npt.NDArray[np.float32]
    _packed: Model
    _poses: Poses
    _step: Callable[..., int]
    _easings: dict[int, Easing]

    def place(self, who: int, handover: Handover) -> None:
        """Let a walker go on where another one stands on both feet, such as a `locomote.steps.Stepper` that hands back.

        Place, heading, speed and the step that is due are taken over; the feet stay where they stand, and what the pose
        of the crowd is unlike that of the other fades away. Goals and commands are the crowd's: the speed is kept
        until told otherwise.
        """
        row = int(rows_of(who, len(self._state))[0])
        leg = float(self._leg_of(row))
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
        arrays, poses = self._alone(row)
        self._play(0.0, arrays, poses)
        self._write(row, poses)
        if self.holds_feet:
            ahead = tuple(a.copy() for a in arrays)
            soon = poses.copy()
            self._play(1.0 / RATE, ahead, soon)
            self._easings[row] = handover.easing(poses, soon, 1.0 / RATE)
            self._ease(0.0)

    def _leg_of(self, row: int) -> float:
        from locomote.human._kernels import drive

        return float(self._state[row, drive.LEG])

    def _take_over(self, row: int, handover: Handover) -> None:
        """Set course, place and phase of a walker."""
        from locomote.human._kernels import drive as at
        from locomote.human.jumps._kernels import jump as leap

        state = self._state[row]
        state[at.JUMP : at.JUMP + leap.COLUMNS] = 0.0
        for ramp in (at.SPEED, at.TURN, at.RUN):
            state[ramp : ramp + 3] = 0.0
        heading, speed = _course(handover)
        state[at.YAW], state[at.SPEED], state[at.SPEED + 1], state[at.STRIDE_SPEED] = (
            heading,
            speed,
            speed,
            speed,
        )
        for column in (at.STEERING, at.FREE_STOP, at.GROUND_RATE, at.TILT, at.SINK, at.SINK_RATE):
            state[column] = 0.0
        state[at.PROFILE_DURATION] = state[at.STEEP] = state[at.STEEP_AHEAD] = 0.0
        state[at.NEWS] = state[at.STALE] = 1.0
        self._feet[row] = 0.0
        begin = math.ceil(state[at.CYCLES])  # counts of cycles never go back
        state[at.CYCLES] = begin
        arrays, poses = self._alone(row)
        self._play(0.0, arrays, poses)  # brings the timing of the feet up to date
        if speed == 0.0:
            # In rest the right foot goes first half a cycle after the left one would.
            phases = self._packed.numbers[at.REST] + 0.5 * np.arange(2)
            off = state[at.STRIKE_OFF + 2 * handover.next_side + 1]
            state[at.CYCLES] = begin + min(phases, key=lambda phase: (off - phase) % 1.0)
        else:
            state[at.CYCLES] = begin + self._likeliest(row, handover)
        state[at.HELD] = -1.0
        self._feet[row] = 0.0
        self._play(0.0, arrays, poses)
        aside = handover.pose.root_positions[0] - poses.root_positions[0]
        if speed == 0.0:  # who stands does so over the feet
            balls = poses.joint_positions()[0, self._packed.legs[:, 3]]
            aside = (handover.footholds - balls).mean(axis=0)
        state[at.X], state[at.Z] = state[at.X] + aside[0], state[at.Z] + aside[2]
        self._feet[row] = 0.0
        self._play(0.0, arrays, poses)

    def _likeliest(self, row: int, handover: Handover) -> float:
        """The phase of the double stance, before the foot whose turn it is leaves, whose feet are most alike."""
        from locomote.human._kernels import drive as at

        state, legs = self._state[row], self._packed.legs
        side = handover.next_side
        strike = state[at.STRIKE_OFF + 2 * (1 - side)]
        off = state[at.STRIKE_OFF + 2 * side + 1]
        phases = strike + ((off - strike) % 1.0) * (np.arange(LOOKS) + 0.5) / LOOKS
        wanted = handover.pose.joint_positions()[0, legs[:, 2]] - handover.pose.root_positions[0]
        best, least = float(phases[0]), math.inf
        (states, feet, cache), poses = self._alone(row)
        for phase in phases:
            trial = states.copy(), feet.copy(), cache.copy()
            trial[0][0, at.CYCLES], trial[0][0, at.HELD] = math.floor(state[at.CYCLES]) + phase, -1.0
            self._play(0.0, trial, poses, hold=False)
            off_by = poses.joint_positions()[0, legs[:, 2]] - poses.root_positions[0] - wanted
            if float(np.sum(off_by**2)) < least:
                best, least = float(phase), float(np.sum(off_by**2))
        return best

    def _set_foot(self, row: int, side: int, handover: Handover) -> None:
        """A foot that stands, and where."""
        from locomote.human._kernels import footplants as at
        from locomote.human._kernels.feet import LEAST_STAND
        from locomote.world._kernels import ground as pieces_at

        foot, place = self._feet[row, side], handover.footholds[side]
        flat = _flat(float(handover.foot_yaws[side]), place, self.ground)
        piece = int(self.ground.pieces_at(place[None])[0])
        foot[at.STATE], foot[at.STOOD] = at.PLANTED, LEAST_STAND
        foot[at.PIECE] = foot[at.LAST_PIECE] = piece
        foot[at.GOAL : at.GOAL + 3], foot[at.FLAT : at.FLAT + 4] = place, flat
        foot[at.LAST_HEIGHT], foot[at.OVERHANGS], foot[at.TIPTOE] = place[1], 0.0, 0.0
        if piece >= 0:
            on = self.ground.arrays[0][piece]
            back = rot.from_yaw(-on[pieces_at.YAW])
            middle = on[[pieces_at.X, pieces_at.Y, pieces_at.Z]]
            foot[at.LOCAL : at.LOCAL + 3] = rot.rotate(back, place - middle)
            foot[at.LOCAL + 3 : at.LOCAL + 7] = rot.multiply(back, flat)

    def _alone(self, row: int) -> tuple[tuple[FloatArray, FloatArray, npt.NDArray[np.float32]], Poses]:
        """The arrays of one walker, not copied, and room for its pose."""
        one = slice(row, row + 1)
        poses = self._poses
        assert poses.scales is not None
        assert poses.known_positions is not None
        alone = Poses(
            poses.skeleton, poses.root_positions[one].copy(), poses.rotations[one].copy(),
            poses.scales[one].copy(), poses.known_positions[one].copy(),
        )  # fmt: skip
        return (self._state[one], self._feet[one], self._cache[one]), alone

    def _play(self, dt: float, arrays: tuple[npt.NDArray[Any], ...], poses: Poses, hold: bool | None = None) -> None:
        """One step of a walker alone."""
        outputs = poses.root_positions, poses.rotations, poses.joint_positions()
        pieces, grid, frame = self.ground.arrays
        holds = self.holds_feet if hold is None else hold
        self._step(dt, holds, *arrays, *self._packed, *outputs, pieces, grid, frame, pieces[:, :4].copy())

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
