"""A motion as the target of one who balances: its root, posture, centre of mass and feet, and what forces it takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.physics._engine import Engine
from locomote.physics._kernels.reduced_dynamics import look
from locomote.physics._kernels.wishes import Wishes
from locomote.rotations import FloatArray

RATE = 100.0  # frames a second of the targets
_SMOOTH = 0.02  # s, by which velocities and accelerations are smoothed
_STILL = 0.5  # m/s of a sole below which its foot counts as standing
_SLOW = 25.0  # per cent of the frames of a foot, the slowest ones: it lies flat on the floor


@dataclass(frozen=True)
class Following:
    """How a motion is followed; strengths and gains as for features."""

    centre: float = 400.0  # N s/m, of the centre of mass
    centre_gain: float = 4.0  # 1/s
    trunk: float = 30.0  # N m s/rad, of the hips
    trunk_gain: float = 6.0
    posture: float = 6.0  # 1/s, of the inertia of each coordinate
    posture_gain: float = 6.0
    standing_foot: float = 2000.0  # N s/m
    swinging_foot: float = 200.0
    foot_gain: float = 10.0
    flat: float = 20.0  # N m s/rad, of the feet


@dataclass(frozen=True, eq=False)
class Track:
    """A motion on the bodies of an engine, `RATE` frames a second."""

    turns: FloatArray  # (T, 4) of the root
    places: FloatArray  # (T, 3)
    x: FloatArray  # (T, k)
    velocities: FloatArray  # (T, N)
    accelerations: FloatArray  # (T, N)
    centres: FloatArray  # (T, 3) of mass
    soles: FloatArray  # (T, 2, 3)
    feet: FloatArray  # (T, 2, 4)
    stands: FloatArray  # (T, 2) 0 to 1
    loose: FloatArray  # (T, J, 4) local rotations

    def at(self, time: float) -> tuple[int, float]:
        """The frame before a time, s, and how far the next one is."""
        place = min(max(time * RATE, 0.0), len(self.x) - 1.0)
        frame = min(int(place), len(self.x) - 2)
        return frame, place - frame

    @property
    def duration(self) -> float:
        """s"""
        return (len(self.x) - 1) / RATE


def track_of(motion: Motion, engine: Engine) -> Track:
    """A motion as targets; its floor is found and put at height 0."""
    if len(motion) < 4:
        raise LocomoteError("a motion that is followed needs at least four frames")
    space, body = engine.reduced.space, engine.reduced
    clip = motion.resampled(RATE)
    x = gaussian_filter1d(space.coordinates(clip), _SMOOTH * RATE, axis=0)
    turns = rot.continuous(clip.rotations[:, 0])
    places = clip.root_positions.copy()
    soles, feet, centres = np.zeros((len(x), 2, 3)), np.zeros((len(x), 2, 4)), np.zeros((len(x), 3))
    lowest = np.zeros((len(x), 2))
    state, work, touch = body.state(), body.work(), engine.touch
    for i in range(len(x)):
        state.x[:], state.turn[:], state.place[:] = x[i], turns[i], places[i]
        look(body.tree, state, np.zeros(3), work)
        centres[i], feet[i] = work.centre, work.rotations[touch.feet]
        soles[i] = work.places[touch.feet] + rot.rotate(work.rotations[touch.feet], touch.soles)
        at = touch.bodies[:8]
        corners = work.places[at] + rot.rotate(work.rotations[at], touch.points[:8])
        lowest[i] = corners[:, 1].reshape(2, 4).mean(axis=1)
    speed: FloatArray = np.linalg.norm(_slope(soles), axis=-1)
    floor = np.median(lowest[speed <= np.percentile(speed, _SLOW, axis=0)])
    for heights in (places[:, 1], centres[:, 1], soles[..., 1]):
        heights -= floor
    stands = np.clip(1.5 - speed / _STILL, 0.0, 1.0)
    velocities = np.zeros((len(x), body.unknowns))
    velocities[:-1, :3] = rot.log(rot.multiply(rot.inverse(turns[:-1]), turns[1:])) * RATE
    velocities[-1, :3] = velocities[-2, :3]
    velocities[:, 3:6], velocities[:, 6:] = _slope(places), _slope(x)
    velocities = gaussian_filter1d(velocities, _SMOOTH * RATE, axis=0)
    accelerations = _slope(velocities)
    smooth = gaussian_filter1d(stands, _SMOOTH * RATE, axis=0)
    return Track(turns, places, x, velocities, accelerations, centres, soles, feet, smooth, clip.rotations)


def _slope(values: FloatArray) -> FloatArray:
    """Of values over time, a second."""
    out: FloatArray = np.asarray(np.gradient(values, 1.0 / RATE, axis=0))
    return out


def begin(track: Track, engine: Engine) -> None:
    """Put the body where the motion begins, as fast as it is there."""
    state = engine.body.state
    state.x[:], state.turn[:], state.place[:] = track.x[0], track.turns[0], track.places[0]
    engine.look()
    state.v[:] = track.velocities[0]
    state.p[:] = engine.body.work.matrix @ state.v
    engine.touch.planted[:] = 0
    # The sole is stiff: where toes bend, its front goes below the floor.
    engine.touch.active[:8] = 0


def mixed(values: FloatArray, frame: int, share: float) -> FloatArray:
    """Between two frames."""
    out: FloatArray = (1.0 - share) * values[frame] + share * values[frame + 1]
    return out


def aim(track: Track, how: Following, time: float, engine: Engine, rows: tuple[int, int, int, int]) -> None:
    """Write targets, rates and strengths; ``rows`` are those of centre, height, hips and the first foot."""
    wishes = engine.wishes
    frame, share = track.at(time)
    later = min(frame + 1, len(track.x) - 2)
    centre, height, trunk, feet = rows
    wishes.strengths[: feet + 4] = 0.0
    wishes.strengths[centre] = (how.centre, 0.0, how.centre)
    wishes.strengths[height, 1] = how.centre
    goal, rate = mixed(track.centres, frame, share), (track.centres[later + 1] - track.centres[later]) * RATE
    for row in (centre, height):
        wishes.targets[row, :3], wishes.rates[row], wishes.gains[row, 0] = goal, rate, how.centre_gain
    _turn(wishes, trunk, rot.slerp(track.turns[frame], track.turns[frame + 1], share), how.trunk, how.trunk_gain)
    velocity = mixed(track.velocities, frame, share)
    wishes.rates[trunk] = rot.rotate(track.turns[frame], velocity[:3])
    wishes.posture[:], wishes.posture_rates[:] = mixed(track.x, frame, share), velocity[6:]
    wishes.posture_pull[:] = how.posture, how.posture_gain
    for foot in range(2):
        row, stands = feet + 2 * foot, float(track.stands[frame, foot])
        wishes.strengths[row] = how.swinging_foot + stands * (how.standing_foot - how.swinging_foot)
        wishes.gains[row, 0] = how.foot_gain
        wishes.targets[row, :3] = mixed(track.soles[:, foot], frame, share)
        wishes.rates[row] = (track.soles[later + 1, foot] - track.soles[later, foot]) * RATE
        turned = rot.slerp(track.feet[frame, foot], track.feet[frame + 1, foot], share)
        _turn(wishes, row + 1, turned, how.flat, how.foot_gain)
        turning = rot.multiply(track.feet[later + 1, foot], rot.inverse(track.feet[later, foot]))
        wishes.rates[row + 1] = rot.log(turning) * RATE
    engine.loose = track.loose[frame]
    engine.pushes.ahead[:] = mixed(track.accelerations, frame, share)


def _turn(wishes: Wishes, row: int, goal: FloatArray, strength: float, gain: float) -> None:
    wishes.targets[row], wishes.strengths[row], wishes.gains[row, 0] = goal, strength, gain
