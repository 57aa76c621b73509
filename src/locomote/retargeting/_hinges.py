"""A motion as the angles of a robot's joints, within their ranges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.errors import SkeletonError
from locomote.formats._rigid import RigidModel
from locomote.motion import Motion, checked_motion
from locomote.retargeting._retarget import retarget
from locomote.rotations import FloatArray

ROUNDS = 20  # of Gauss and Newton
DAMPING = 1e-5  # m^2; of the steps
EASE = 0.003  # m for a radian: how much the first guess draws, for what nothing else asks for
LONGEST = 0.3  # rad, of the step of a joint in one round
OTHERS = 0.03  # how much the place of a link counts beside those where feet end
TURNS = 0.01  # m for a radian: how much the turns of hands and feet count
SOLES = 0.1  # m for a radian: the same of feet that can turn about themselves
MANY = 5  # joints of a leg with such a foot
AT_ONCE = 128  # frames
DOUBT = 0.002  # m that feet are off, and more: the search may have ended on the wrong side of a straight leg
LIMIT = 1e-9  # rad
CLOSE = 1e-3  # rad, of the last step of a live search; angles are then about as much off


class JointAngles(NamedTuple):
    """Angles of a robot's joints over time, and where its base is; ours in all axes."""

    names: tuple[str, ...]  # (N,) of the joints
    positions: FloatArray  # (F, N) rad
    velocities: FloatArray  # (F, N) rad/s
    base_positions: FloatArray  # (F, 3) m
    base_rotations: FloatArray  # (F, 4)
    errors: FloatArray  # (F,) m, from where the motion has the feet, at most
    fps: float


def joint_angles(motion: Motion, robot: RigidModel) -> JointAngles:
    """The angles with which a robot does a motion best: feet as the motion has them, then the other links.

    A motion of another body is retargeted first. Angles are within the ranges of the joints; every frame is by itself.

    Parameters
    ----------
    motion : of the robot's links, or of any body with as many legs
    robot : as `locomote.formats.urdf.read_model` reads it
    """
    motion = checked_motion(motion, "joint_angles")
    if not any(robot.hinges):
        raise SkeletonError("joint_angles: the robot has no joint with a name that turns")
    if not set(motion.skeleton.names) <= set(robot.skeleton.names):
        motion = retarget(motion, robot.skeleton)
    chain = _Chain.of(robot, motion)
    places, turns = motion.world()
    parts = [
        chain.solved(places[start : start + AT_ONCE], turns[start : start + AT_ONCE])
        for start in range(0, len(motion), AT_ONCE)
    ]
    found = tuple(np.concatenate(each) for each in zip(*parts, strict=True))
    _try_again(chain, places, turns, found)
    angles, base_places, base_turns, errors = found
    free = chain.high - chain.low >= 2.0 * np.pi - LIMIT
    angles[:, free] = np.unwrap(angles[:, free], axis=0)
    speeds = np.gradient(angles, 1.0 / motion.fps, axis=0) if len(motion) > 1 else np.zeros_like(angles)
    return JointAngles(chain.names, angles, speeds, base_places, base_turns, errors, motion.fps)


def _try_again(chain: _Chain, places: FloatArray, turns: FloatArray, found: tuple[FloatArray, ...]) -> None:
    """Search anew, from the angles of the frame before or after, where feet are off; what is better is kept."""
    angles, errors = found[0], found[3]
    for order in (range(1, len(errors)), range(len(errors) - 2, -1, -1)):
        for frame in order:
            beside = frame - order.step
            if errors[frame] > max(DOUBT, errors[beside]):
                one = slice(frame, frame + 1)
                other = chain.solved(places[one], turns[one], angles[beside : beside + 1])
                if other[3][0] < errors[frame]:
                    for kept, better in zip(found, other, strict=True):
                        kept[one] = better


class LiveAngles:
    """The angles of a robot for poses of its links as they come, as `joint_angles` has them, in a third of the time.

    Each is searched from its own first guess: from the angles before, a leg may stay bent the wrong way for long.

    Parameters
    ----------
    robot : as `locomote.formats.urdf.read_model` reads it
    """

    def __init__(self, robot: RigidModel) -> None:
        self._robot = robot
        self._chain: _Chain | None = None

    def follow(self, pose: Motion) -> JointAngles:
        """The angles for a pose of the robot's links, a motion of one frame; speeds are not known."""
        if self._chain is None:
            self._chain = _Chain.of(self._robot, pose)
        angles, places, turns, errors = self._chain.solved(*pose.world(), enough=CLOSE)
        return JointAngles(self._chain.names, angles, np.zeros_like(angles), places, turns, errors, pose.fps)


@dataclass(frozen=True, eq=False)
class _Chain:
    """A robot, and which of its links a motion tells."""

    robot: RigidModel
    names: tuple[str, ...]
    hinge: npt.NDArray[np.int64]  # (N,) the link that each joint turns
    low: FloatArray  # (N,) rad
    high: FloatArray
    told: npt.NDArray[np.int64]  # (T,) links of the robot
    joint: npt.NDArray[np.int64]  # (T,) which joints of the motion these are
    carries: npt.NDArray[np.bool_]  # (T, N) whether a joint moves a link
    ends: npt.NDArray[np.bool_]  # (T,) whether no other joint comes behind it
    points: FloatArray  # (T, 3) what of each link is to be in place, in its frame: where hands and feet end
    feet: npt.NDArray[np.bool_]  # (T,) which of them are feet
    turns: FloatArray  # (ends,) m for a radian: how much the turn of each counts

    @classmethod
    def of(cls, robot: RigidModel, motion: Motion) -> _Chain:
        skeleton = robot.skeleton
        hinge = np.array([j for j, name in enumerate(robot.hinges) if name])
        numbers = {name: j for j, name in enumerate(motion.skeleton.names)}
        told = np.array([j for j, name in enumerate(skeleton.names) if name in numbers])
        lines = [set(skeleton.ancestors(j)) for j in range(len(skeleton))]
        carries = np.array([[k in lines[j] for k in hinge] for j in told])
        moving = {int(k) for k in hinge}
        ends = np.array([not any(j in lines[k] and k != j for k in moving) for j in told])
        hips = {leg.hip for leg in skeleton.roles.legs}
        feet = ends & np.array([not hips.isdisjoint(lines[j]) for j in told])
        points = np.array([_tip(robot, int(j)) if end else np.zeros(3) for j, end in zip(told, ends, strict=True)])
        return cls(
            robot,
            tuple(robot.hinges[j] for j in hinge),
            hinge,
            robot.twist[hinge, 0],
            robot.twist[hinge, 1],
            told,
            np.array([numbers[skeleton.names[j]] for j in told]),
            carries,
            ends,
            points,
            feet if feet.any() else ends,
            np.where(feet & (carries.sum(axis=1) >= MANY), SOLES, TURNS)[ends],
        )

    def solved(
        self, places: FloatArray, turns: FloatArray, start: FloatArray | None = None, enough: float = LIMIT
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Angles, places and turns of the base, and errors, for joints of the motion in the world.

        The search begins at the angles ``start``, or at its own guess, and ends with a step of ``enough``, rad.
        """
        goal, goal_turns = places[:, self.joint], turns[:, self.joint]
        wanted = goal + rot.rotate(goal_turns, self.points)
        guess = self._first_guess(goal_turns)
        angles = guess if start is None else start
        for _ in range(ROUNDS):
            at, turned, _, _ = self._links(angles, goal, goal_turns)
            step = self._step(angles, angles - guess, at, turned, wanted, goal_turns)
            angles = np.clip(angles + step, self.low, self.high)
            if np.abs(step).max(initial=0.0) < enough:
                break
        at, turned, base, base_turn = self._links(angles, goal, goal_turns)
        off = self._points(at, turned) - wanted
        errors = np.linalg.norm(off[:, self.feet], axis=-1).max(axis=1)
        return angles, base, base_turn, errors

    def _first_guess(self, goal_turns: FloatArray) -> FloatArray:
        """How far each link is turned about its axis against the next link above that is told."""
        skeleton, place = self.robot.skeleton, {int(j): t for t, j in enumerate(self.told)}
        angles = np.zeros((len(goal_turns), len(self.hinge)))
        for n, j in enumerate(self.hinge):
            above, rest = int(skeleton.parents[j]), skeleton.rest_rotations[j]
            while above >= 0 and above not in place:
                rest = rot.multiply(skeleton.rest_rotations[above], rest)
                above = int(skeleton.parents[above])
            if j in place and above >= 0:
                local = rot.multiply(rot.inverse(goal_turns[:, place[above]]), goal_turns[:, place[int(j)]])
                turn = rot.multiply(rot.inverse(rest), local)
                angle = 2.0 * np.arctan2(turn[:, 1:] @ self.robot.axes[j], turn[:, 0])
                angles[:, n] = (angle + np.pi) % (2.0 * np.pi) - np.pi
        return np.clip(angles, self.low, self.high)

    def _links(
        self, angles: FloatArray, goal: FloatArray, goal_turns: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Places and turns of all links, and of the base; the first link that is told is where it is told."""
        skeleton, frames = self.robot.skeleton, len(angles)
        at, turned = np.zeros((frames, len(skeleton), 3)), np.zeros((frames, len(skeleton), 4))
        turned[:, 0] = rot.IDENTITY
        column = {int(j): n for n, j in enumerate(self.hinge)}
        for j, parent in enumerate(skeleton.parents[1:], start=1):
            local = np.broadcast_to(skeleton.rest_rotations[j], (frames, 4))
            if j in column:
                local = rot.multiply(local, rot.from_axis_angle(self.robot.axes[j], angles[:, column[j]]))
            at[:, j] = at[:, parent] + rot.rotate(turned[:, parent], skeleton.offsets[j])
            turned[:, j] = rot.multiply(turned[:, parent], local)
        first = self.told[0]
        base_turn = rot.multiply(goal_turns[:, 0], rot.inverse(turned[:, first]))
        base = goal[:, 0] - rot.rotate(base_turn, at[:, first])
        at = base[:, None] + rot.rotate(base_turn[:, None], at)
        return at, rot.multiply(base_turn[:, None], turned), base, base_turn

    def _points(self, at: FloatArray, turned: FloatArray) -> FloatArray:
        out: FloatArray = at[:, self.told] + rot.rotate(turned[:, self.told], self.points)
        return out

    def _step(
        self,
        angles: FloatArray,
        drawn: FloatArray,
        at: FloatArray,
        turned: FloatArray,
        wanted: FloatArray,
        goal_turns: FloatArray,
    ) -> FloatArray:
        """The step of all angles, ``drawn`` from the first guess; those at an end of their range stay there."""
        axes = rot.rotate(turned[:, self.hinge], self.robot.axes[self.hinge])
        points, ends = self._points(at, turned), self.ends
        weights = np.where(self.feet, 1.0, OTHERS)[:, None]
        arms = points[:, :, None] - at[:, None, self.hinge]
        moved = np.cross(axes[:, None], arms) * (self.carries * weights)[..., None]
        spun = axes[:, None] * (self.carries[ends] * self.turns[:, None])[..., None]
        off = (wanted - points) * weights
        askew = rot.log(rot.multiply(goal_turns[:, ends], rot.inverse(turned[:, self.told[ends]])))
        askew *= self.turns[:, None]
        rows = np.concatenate([moved, spun], axis=1).transpose(0, 1, 3, 2).reshape(len(angles), -1, len(self.hinge))
        wish = np.concatenate([off, askew], axis=1).reshape(len(angles), -1)
        square = rows.transpose(0, 2, 1) @ rows
        pull = (rows.transpose(0, 2, 1) @ wish[..., None])[..., 0] - EASE**2 * drawn
        held = ((angles <= self.low + LIMIT) & (pull < 0.0)) | ((angles >= self.high - LIMIT) & (pull > 0.0))
        free = ~held
        square = square * free[:, :, None] * free[:, None, :] + (DAMPING + EASE**2) * np.eye(len(self.hinge))
        step: FloatArray = np.linalg.solve(square, (pull * free)[..., None])[..., 0]
        return np.clip(step, -LONGEST, LONGEST)


def _tip(robot: RigidModel, link: int) -> FloatArray:
    """Where a link ends with all that is welded to it, in its frame; its own place where nothing is told."""
    skeleton, ends = robot.skeleton, [np.zeros(3)]
    ends += list(skeleton.end_offsets[skeleton.end_parents == link])
    for child in skeleton.children(link):
        if not robot.hinges[child]:
            ends.append(skeleton.offsets[child] + rot.rotate(skeleton.rest_rotations[child], _tip(robot, child)))
    return max(ends, key=lambda end: float(np.linalg.norm(end)))
