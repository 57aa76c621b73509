"""One clip of a game: a motion in place, its way, whether it loops, and when feet come down and leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.clips._travel import Travel, travel_of
from locomote.errors import LocomoteError
from locomote.motion import Motion, checked_motion
from locomote.rotations import FloatArray

BoolArray = npt.NDArray[np.bool_]

STRIKE, LIFT = "strike", "lift"
DIGITS = 6  # of metres, seconds and radians in what is told beside a file


class FootEvent(NamedTuple):
    """A foot comes down or leaves the ground."""

    time: float  # s from the start of the clip
    foot: str  # "left", "right", or the name of a creature's leg
    event: str  # "strike" or "lift"


@dataclass(frozen=True, eq=False)
class Clip:
    """A motion in place and the way that it goes. The last frame of a loop is its first one again."""

    motion: Motion  # in place: at the origin, facing +Z; its name is the clip's
    travel: Travel  # from the origin, facing +Z
    loop: bool = False
    standing: tuple[str, ...] = ()  # the feet that stand at the start
    events: tuple[FootEvent, ...] = ()  # in the order of time

    @property
    def name(self) -> str:
        """What it is called."""
        return self.motion.name

    @property
    def speed(self) -> float:
        """How fast it goes, m/s: the length of its way over its time."""
        steps = np.linalg.norm(np.diff(self.travel.places, axis=0), axis=1)
        return float(steps.sum() / max(self.motion.duration, 1e-9))

    @property
    def turn_rate(self) -> float:
        """How fast it turns, rad/s, on average and positive to the left."""
        return float((self.travel.yaws[-1] - self.travel.yaws[0]) / max(self.motion.duration, 1e-9))

    def travelling(self) -> Motion:
        """The motion on its way."""
        return self.travel.put_back(self.motion)

    def told(self) -> dict[str, Any]:
        """All that a game wants to know beside the poses, as plain values: metres, seconds, radians."""
        places, yaws = np.round(self.travel.places, DIGITS) + 0.0, np.round(self.travel.yaws, DIGITS) + 0.0
        return {
            "name": self.name,
            "fps": self.motion.fps,
            "duration": round(self.motion.duration, DIGITS),
            "loop": self.loop,
            "speed": round(self.speed, DIGITS),
            "turn_rate": round(self.turn_rate, DIGITS),
            "standing": list(self.standing),
            "events": [{"time": round(e.time, DIGITS), "foot": e.foot, "event": e.event} for e in self.events],
            "travel": {"x": places[:, 0].tolist(), "z": places[:, 2].tolist(), "yaw": yaws.tolist()},
        }


def clip_of(motion: Motion) -> Clip:
    """Any motion as a clip that is played once: its way and its foot events are found.

    Parameters
    ----------
    motion : of a body with legs; its name is the clip's
    """
    motion = checked_motion(motion, "clip_of")
    from locomote.contacts import detect

    travel = travel_of(motion)
    contacts = detect(motion)
    names = [leg.side if len(contacts.legs) == 2 else f"{leg.side or 'middle'} {leg.row + 1}" for leg in contacts.legs]
    return Clip(
        travel.taken_out(motion),
        travel.from_start(),
        standing=tuple(name for name, down in zip(names, contacts.foot[0], strict=True) if down),
        events=events_of(contacts.foot, names, motion.fps, loop=False),
    )


def events_of(planted: BoolArray, feet: Sequence[str], fps: float, loop: bool) -> tuple[FootEvent, ...]:
    """When feet come down and leave, from which stand in every frame ``(F, L)``; a loop's last frame is its first."""
    before = np.roll(planted[:-1], 1, axis=0) if loop else planted[:-1]
    now = planted[:-1] if loop else planted[1:]
    first = 0 if loop else 1
    found = [
        FootEvent((frame + first) / fps, feet[foot], STRIKE if now[frame, foot] else LIFT)
        for frame, foot in np.argwhere(now != before)
    ]
    return tuple(sorted(found))


def closed(motion: Motion, start: int, frames: int, overlap: int) -> Motion:
    """A loop of so many frames, and its first frame once more, from a motion in place that goes on long enough.

    At its beginning it comes out of what follows its end, and so pose and velocity are the same at both.
    """
    if start + frames + overlap >= len(motion):
        raise LocomoteError(f"{motion.name}: {len(motion)} frames do not hold a loop of {frames} from {start} on")
    own, later = motion[start : start + frames + 1], motion[start + frames : start + frames + overlap + 1]
    t = np.clip(np.arange(frames + 1) / overlap, 0.0, 1.0)
    share = t**3 * (10.0 - 15.0 * t + 6.0 * t**2)
    at = np.minimum(np.arange(frames + 1), overlap)

    def mixed(a: FloatArray, b: FloatArray) -> FloatArray:
        weight = share.reshape(-1, *([1] * (a.ndim - 1)))
        out: FloatArray = a[at] + weight * (b - a[at])
        return out

    turns = rot.slerp(later.rotations[at], own.rotations, np.broadcast_to(share[:, None], own.rotations.shape[:2]))
    moved = None
    if own.translations is not None and later.translations is not None:
        moved = mixed(later.translations, own.translations)
    return Motion(
        skeleton=motion.skeleton,
        fps=motion.fps,
        root_positions=mixed(later.root_positions, own.root_positions),
        rotations=rot.continuous(turns),
        translations=moved,
        name=motion.name,
        body=motion.body,
    )
