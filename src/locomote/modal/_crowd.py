"""Characters that play a gait of vibrations: no ground, no feet that hold, as the source has it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property

import numpy as np

from locomote import rotations as rot
from locomote._arguments import Values, Who, rows_of, spread
from locomote.errors import LocomoteError
from locomote.modal._gait import Gait
from locomote.modal._kernels.play import Placed, Played, PlayScratch, play_scratch
from locomote.motion import Motion, Poses
from locomote.rotations import ArrayLike, FloatArray

SOFT = math.radians(5.0)  # rad that a limit of a joint gives way
FARTHEST = math.radians(100.0)  # rad that a ball joint turns from rest
BENDS = 2.4  # rad that a hinge is bent from straight, at most
CYCLE = 64  # moments at which a cycle is looked at
SPACING = 2.0  # m


class Crowd:
    """Characters of one body in one gait of vibrations, each in its own moment of it.

    ``step`` returns the same `Poses` each time, with arrays that the next step overwrites. They go straight ahead as
    fast as the gait takes their low feet backwards, and know nothing of the ground: `creatures.Crowd` does.

    Parameters
    ----------
    gait : what they do
    count : N
    seed : of the moments at which they begin; a crowd of one begins at 0
    positions : (N, 3) m, of their places on the ground; in a row unless given
    heading : rad, number or (N,)
    soft : rad that a limit of a joint gives way
    """

    def __init__(
        self,
        gait: Gait,
        count: int = 1,
        *,
        seed: int = 0,
        positions: ArrayLike | None = None,
        heading: Values = 0.0,
        soft: float = SOFT,
    ) -> None:
        if not (isinstance(count, (int, np.integer)) and count >= 1):
            raise LocomoteError(f"count {count}: a crowd has at least one character")
        if not 0.0 < soft < math.pi:
            raise LocomoteError(f"soft {soft:g}: expected radians above 0")
        if gait.modes.body is None:
            raise LocomoteError("this gait is one of a linkage, not of a skeleton; physics.ModalCreature drives it")
        self.gait = gait
        self._body, self._played = gait.modes.body, played(gait, soft)
        joints = len(self._body.skeleton)
        phases = np.random.default_rng(seed).random(count) * 2.0 * np.pi if count > 1 else np.zeros(1)
        places = np.zeros((count, 3))
        places[:, 0] = SPACING * (np.arange(count) - 0.5 * (count - 1))
        if positions is not None:
            places = np.array(positions, dtype=np.float64)
            if places.shape != (count, 3) or not np.all(np.isfinite(places)):
                raise LocomoteError(f"positions: expected finite numbers of shape ({count}, 3)")
        places = places + self._body.world[0][0]
        self._placed = Placed(phases, np.ones(count), places, np.array(spread("heading", heading, count)))
        self._frequencies, self._paces = np.full(count, gait.frequency), np.ones(count)
        self._scratch: PlayScratch = play_scratch(joints, len(self._played.harmonics))
        arrays = np.zeros((count, 3)), np.zeros((count, joints, 4)), np.zeros((count, joints, 3))
        self._poses = Poses(self._body.skeleton, arrays[0], arrays[1], known_positions=arrays[2])
        self.step(0.0)

    def __len__(self) -> int:
        return len(self._frequencies)

    @property
    def poses(self) -> Poses:
        """The poses of the last step."""
        return self._poses

    @property
    def phases(self) -> FloatArray:
        """In which moment of its gait each is, ``(N,)`` rad."""
        return self._placed.phases % (2.0 * np.pi)

    @cached_property
    def speed(self) -> float:
        """How fast its low feet go backwards under a character at the frequency of the gait, m/s."""
        speeds = stance_speeds(self.gait)
        return max(-float(speeds.mean()), 0.0) if len(speeds) else 0.0

    def command(
        self,
        *,
        frequency: Values | None = None,
        amplitude: Values | None = None,
        pace: Values | None = None,
        heading: Values | None = None,
        who: Who = None,
    ) -> None:
        """Give new targets, one number or one for each character meant by ``who``; what is left out stays.

        Parameters
        ----------
        frequency : Hz
        amplitude : of all motions, against the gait
        pace : of the way, against that of the low feet; 0 on the spot
        heading : rad
        who : all, one, a slice, indices or a mask
        """
        rows = rows_of(who, len(self))
        told: Mapping[str, tuple[Values | None, FloatArray]] = {
            "frequency": (frequency, self._frequencies),
            "amplitude": (amplitude, self._placed.amplitudes),
            "pace": (pace, self._paces),
            "heading": (heading, self._placed.yaws),
        }
        for name, (values, kept) in told.items():
            if values is not None:
                kept[rows] = spread(name, values, len(rows))
        if np.any(self._frequencies < 0.0):
            raise LocomoteError("frequency: expected Hz, 0 or more")

    def step(self, dt: float) -> Poses:
        """Advance by ``dt`` seconds."""
        from locomote.modal._kernels.play import play

        if not 0.0 <= dt < math.inf:
            raise LocomoteError(f"dt {dt}: expected seconds, 0 or more")
        placed = self._placed
        np.add(placed.phases, 2.0 * np.pi * dt * self._frequencies, out=placed.phases)
        way = dt * self.speed * self._paces * placed.amplitudes * self._frequencies / self.gait.frequency
        placed.places[:, 0] += way * np.sin(placed.yaws)
        placed.places[:, 2] += way * np.cos(placed.yaws)
        poses = self._poses
        play(self._played, placed, poses.rotations, poses.root_positions, poses.joint_positions(), self._scratch)
        return poses

    def record(self, seconds: float, fps: float = 60.0, who: int = 0) -> Motion:
        """Step for so long and give the motion of one character.

        Parameters
        ----------
        seconds, fps : how long, and frames a second
        who : the character
        """
        frames = max(round(seconds * fps), 1) + 1
        roots, turns = np.empty((frames, 3)), np.empty((frames, len(self._body.skeleton), 4))
        for frame in range(frames):
            poses = self.step(1.0 / fps) if frame else self._poses
            roots[frame], turns[frame] = poses.root_positions[who], poses.rotations[who]
        return Motion(self._body.skeleton, fps, roots, rot.continuous(turns))


class Cycle:
    """One cycle of a gait, on the spot."""

    def __init__(self, places: FloatArray, turns: FloatArray, feet: FloatArray) -> None:
        self.places, self.turns = places, turns  # (CYCLE, J, 3) m and (CYCLE, J, 4), in the world
        self.feet = feet  # (CYCLE, F, 3) m, seen from the root


def cycle(gait: Gait, known: Played | None = None) -> Cycle:
    """One cycle of a gait by its poses, on the spot.

    Parameters
    ----------
    gait : of a skeleton
    known : the same for the kernel, where it was made already
    """
    from locomote.modal._kernels.play import play

    body = gait.modes.body
    assert body is not None
    told, joints = played(gait) if known is None else known, len(body.skeleton)
    phases = 2.0 * np.pi * np.arange(CYCLE) / CYCLE / min(1.0, float(np.min(told.harmonics, initial=1.0)))
    placed = Placed(phases, np.ones(CYCLE), np.tile(body.world[0][0], (CYCLE, 1)), np.zeros(CYCLE))
    roots, turns, places = np.zeros((CYCLE, 3)), np.zeros((CYCLE, joints, 4)), np.zeros((CYCLE, joints, 3))
    play(told, placed, turns, roots, places, play_scratch(joints, len(told.harmonics)))
    motion = Motion(body.skeleton, CYCLE, roots, turns)
    world = motion.world()[1]
    legs = body.skeleton.roles.legs
    rest, rest_turns = body.world
    toes = [leg.toe for leg in legs]
    own = rot.rotate(rot.inverse(rest_turns[toes]), body.feet - rest[toes]) if toes else np.zeros((0, 3))
    feet = places[:, toes] + rot.rotate(world[:, toes], own) - roots[:, None]
    back = rot.multiply(rest_turns[0], rot.inverse(world[:, 0]))
    return Cycle(places, world, rot.rotate(back[:, None], feet))


def stance_speeds(gait: Gait) -> FloatArray:
    """How fast each foot goes ahead under the pelvis while it stands ``(F,)`` m/s: below 0 where a gait goes forwards.

    Those that are lower than the feet are on the average, each against where it is at rest, are taken to stand; one
    that never is has speed 0.
    """
    feet = cycle(gait).feet
    if not feet.shape[1]:
        return np.zeros(0)
    body = gait.modes.body
    assert body is not None
    rate = (np.roll(feet, -1, axis=0) - np.roll(feet, 1, axis=0)) * 0.5 * CYCLE * gait.frequency
    height = feet[:, :, 1] - body.feet[:, 1]
    low = height <= height.mean(axis=1, keepdims=True)
    return np.asarray((rate[:, :, 2] * low).sum(axis=0) / np.maximum(low.sum(axis=0), 1))


def played(gait: Gait, soft: float = SOFT) -> Played:
    """A gait of a skeleton for the kernel: its vibrations of one harmonic come together as a sine and a cosine."""
    modes, body = gait.modes, gait.modes.body
    assert body is not None
    skeleton = body.skeleton
    harmonics = sorted({channel.harmonic for channel in gait.channels}) or [1.0]
    joints = len(skeleton)
    waves, root = np.zeros((len(harmonics), 2, joints, 3)), np.zeros((len(harmonics), 2, 6))
    postures, root_posture = np.zeros((joints, 3)), np.zeros(6)
    for channel in gait.channels:
        h = harmonics.index(channel.harmonic)
        for k, share in enumerate((math.cos(channel.phase), math.sin(channel.phase))):
            waves[h, k] += channel.amplitude * share * modes.shapes[channel.mode]
            root[h, k] += channel.amplitude * share * modes.root[channel.mode]
        postures += channel.offset * modes.shapes[channel.mode]
        root_posture += channel.offset * modes.root[channel.mode]
    hinges, limits = _limits(gait)
    steady = np.zeros(joints, dtype=np.int64)
    for hold in modes.hold:
        if hold.kind == "turn":
            steady[[skeleton.index(name) for name in hold.joints]] = 1
    return Played(
        parents=np.array(skeleton.parents),
        offsets=np.array(skeleton.offsets),
        rest=np.array(body.rest),
        waves=waves,
        postures=postures,
        hinges=hinges,
        limits=limits,
        soft=float(soft),
        harmonics=np.array(harmonics),
        root=root,
        root_posture=root_posture,
        steady=steady,
        facing=np.array(body.world[1]),
    )


def _limits(gait: Gait) -> tuple[FloatArray, FloatArray]:
    """Axes of hinges ``(J, 3)`` in the frames of their joints, and how far from rest all may turn ``(J, 2)``.

    A hinge may be straightened, not bent the other way.
    """
    body = gait.modes.body
    assert body is not None
    count = len(body.skeleton)
    axes, limits = np.zeros((count, 3)), np.tile([-FARTHEST, FARTHEST], (count, 1))
    places, world = body.world
    for joint, link in zip(body.joints[1:], gait.modes.linkage.links, strict=True):
        if len(link.axes) != 1:
            continue
        axes[joint] = rot.rotate(rot.inverse(world[joint]), link.axes[0])
        children = body.skeleton.children(int(joint))
        upper = places[joint] - places[body.skeleton.parents[joint]]
        lower = places[children[0]] - places[joint] if children else upper
        across = np.cross(upper, lower) @ link.axes[0]
        bent = max(float(np.arctan2(across, upper @ lower)), 0.0)
        limits[joint] = -bent, max(BENDS - bent, 0.3)
    ankles = {leg.ankle for leg in body.skeleton.roles.legs} | {arm.wrist for arm in body.skeleton.roles.arms}
    for joint in ankles & set(np.flatnonzero(axes.any(axis=1))):
        limits[joint] = -0.7, 0.7  # feet and hands turn both ways
    return axes, limits
