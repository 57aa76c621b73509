"""What makes the figures of a recording doubtful: too few frames, gaps, feet that stand on no level floor."""

from __future__ import annotations

import numpy as np

from locomote.contacts import Contacts
from locomote.contacts.feet import ADULT_LEG, RESTING_SPEED, speeds
from locomote.contacts.records import runs
from locomote.motion import Motion

FEWEST_FRAMES = 10.0  # a second, of an adult; a foot that lands falls between fewer
LEAP, LEAP_SPEED = 0.15, 20.0  # of a leg's length in one frame and m/s of an adult: no body gets so far
HELD = 0.08  # s in which a moving body does not move at all
OFF_FLOOR, OFF_SHARE = 0.12, 0.2  # m of an adult, and share of the frames in which feet rest so far from the floor
_BALL = 1


def doubts(motion: Motion, contacts: Contacts) -> tuple[str, ...]:
    """A sentence for each, so that nobody takes figures of a broken recording for those of a person.

    Parameters
    ----------
    motion : what is measured
    contacts : of its feet
    """
    if not contacts.legs or len(motion) < 2:
        return ()
    leg = motion.skeleton.leg_length()
    size = leg / ADULT_LEG if leg > 0.0 else 1.0
    found = (_few_frames(motion, size), *_gaps(motion, size), _no_floor(contacts, size))
    return tuple(f"doubtful: {one}" for one in found if one)


def _few_frames(motion: Motion, size: float) -> str:
    least = FEWEST_FRAMES / np.sqrt(size)
    if motion.fps >= least:
        return ""
    return f"{motion.fps:g} frames a second are too few to see feet land; give {np.ceil(least):.0f} or more"


def _gaps(motion: Motion, size: float) -> tuple[str, str]:
    places = motion.joint_positions()
    way = np.linalg.norm(np.diff(motion.root_positions, axis=0), axis=1)
    leaps = np.flatnonzero(way > max(LEAP * ADULT_LEG * size, LEAP_SPEED * np.sqrt(size) / motion.fps))
    jump = ""
    if len(leaps):
        first = int(leaps[0])
        times = "" if len(leaps) == 1 else f", and {len(leaps) - 1} more such"
        jump = f"the body jumps {way[first]:.2f} m from frame {first} to {first + 1}{times}: a gap, or several clips?"
    moves = np.any(np.abs(np.diff(places, axis=0)) > 0.0, axis=(1, 2))
    still = [(a, b) for a, b in runs(~moves) if b - a >= max(2.0, HELD * motion.fps) and a > 0 and b < len(moves)]
    held = ""
    if still and np.mean(moves) > 0.5:
        first, last = still[0]
        times = "" if len(still) == 1 else f", and {len(still) - 1} more such"
        held = f"nothing moves from frame {first} to {last}{times}: a gap that was filled by holding a pose?"
    return jump, held


def _no_floor(contacts: Contacts, size: float) -> str:
    balls = contacts.points[:, :, _BALL]
    rests = speeds(balls, contacts.fps, contacts.belt_velocity) < RESTING_SPEED * np.sqrt(size)
    if np.count_nonzero(rests) < contacts.fps * HELD:
        return ""
    off = np.abs(contacts.heights[:, :, _BALL][rests])
    if np.mean(off > OFF_FLOOR * size) <= OFF_SHARE:
        return ""
    return (
        f"feet rest up to {off.max():.2f} m off the fitted floor: stairs, a slope, or a body that drifts upwards? "
        "Figures of feet hold on one level floor"
    )
