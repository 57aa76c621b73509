"""The clips of a person: stands, walks, runs, turns, starts, stops, jumps; on the engine's own body or any rig."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from locomote.clips._actor import Actor
from locomote.clips._clip import Clip
from locomote.clips._footage import Footage
from locomote.clips._seam import with_even_seam
from locomote.clips._standing import Tip
from locomote.errors import LocomoteError
from locomote.human._commands import Style
from locomote.human._model import HumanModel
from locomote.human._recording import check_seconds
from locomote.human_body import Body
from locomote.motion import Motion
from locomote.retargeting import retarget
from locomote.skeleton import Skeleton

WALK, RUN = 1.4, 3.5  # m/s of a person with legs of usual length
TURNING = np.radians(45.0)  # rad/s of those who walk in a circle
CORNER = np.radians(90.0)  # by which one turns on the spot
JUMP = 1.0  # m, of a person with legs of usual length
LEGS = (0.3, 1.5)  # m, of a rig whose legs are taken as they are; others count in another unit
UPRIGHT = 0.85  # least upward share of the way from the hips of a person to the head
FAR = 0.3  # of the length of a leg; over a longer way the sizes of two bodies can be told

_CLIPS: dict[str, Callable[[Actor, float], Footage]] = {
    "idle": lambda actor, _: actor.idle("idle"),
    "walk": lambda actor, pace: actor.cycle("walk", pace * WALK, gait="walk"),
    "run": lambda actor, pace: actor.cycle("run", pace * RUN, gait="run"),
    "walk_left": lambda actor, pace: actor.cycle("walk_left", pace * WALK, TURNING / pace, gait="walk"),
    "walk_right": lambda actor, pace: actor.cycle("walk_right", pace * WALK, -TURNING / pace, gait="walk"),
    "turn_left": lambda actor, _: actor.act("turn_left", lambda crowd: crowd.command(heading=CORNER)),
    "turn_right": lambda actor, _: actor.act("turn_right", lambda crowd: crowd.command(heading=-CORNER)),
    "start": lambda actor, pace: actor.start("start", pace * WALK),
    "stop": lambda actor, pace: actor.stop("stop", pace * WALK),
    "jump": lambda actor, pace: actor.act("jump", lambda crowd: crowd.jump(pace**2 * JUMP)),
}
PERSON_CLIPS = tuple(_CLIPS)


def person_clips(
    names: Sequence[str] | None = None,
    *,
    onto: Motion | str | os.PathLike[str] | None = None,
    fps: float = 60.0,
    style: Style | None = None,
    seed: int = 0,
    body: Body | None = None,
    model: HumanModel | None = None,
) -> list[Clip]:
    """Clips of a person that fit together: walk begins where start ends and stop begins.

    Parameters
    ----------
    names : of idle, walk, run, walk_left, walk_right, turn_left, turn_right, start, stop, jump; all without them
    onto : a rig, or its file; the engine's own body without it
    fps : frames a second; steady strides are fitted to whole frames
    style : a name or a mixture by name; drawn by the seed without it
    seed : of what is drawn at random
    body : sex, age and build, where there is no rig
    model : the shipped one without it
    """
    return list(play_clips(checked(names, PERSON_CLIPS), cast_for(onto, fps, style, seed, body, model)))


def checked(names: Sequence[str] | None, known: Sequence[str]) -> list[str]:
    """The names of clips, all of them known and each once."""
    for name in names or ():
        if name not in known:
            raise LocomoteError(f"no clip {name!r}; there are: {', '.join(known)}")
    return list(dict.fromkeys(known if names is None else names))


class Cast:
    """An actor, and the rig that the clips go onto."""

    def __init__(self, actor: Actor, rig: Motion | None) -> None:
        self.actor, self.rig = actor, rig

    def clip(self, footage: Footage) -> Clip:
        """The clip that is cut of footage, on the rig if there is one."""
        if self.rig is None:
            clip = footage.cut()
        else:
            # Strides already take the time of the rig's legs, and frames are those of the footage.
            moved = retarget(footage.motion, self.rig, froude=False)
            clip = footage.cut(moved, size_beside(footage.motion, moved))
        if not clip.loop:
            return clip
        tips = [Tip((leg.ankle,), np.zeros(3)) for leg in clip.motion.skeleton.roles.legs]
        return with_even_seam(clip, footage.stands, tips)


def cast_for(
    onto: Motion | str | os.PathLike[str] | None,
    fps: float,
    style: Style | None,
    seed: int,
    body: Body | None,
    model: HumanModel | None,
) -> Cast:
    """Who plays: with legs as long as those of the rig, so that strides take the time that they would take."""
    check_seconds(1.0, fps)
    rig = None
    if onto is not None:
        from locomote.formats import load

        rig = onto if isinstance(onto, Motion) else load(onto)
    leg = None if rig is None else leg_of(rig)
    return Cast(Actor(model or HumanModel.default(), fps, leg, body, style, seed), rig)


def leg_of(rig: Motion) -> float | None:
    """The length of a rig's legs, m, if it is one that people have."""
    own = rig.skeleton.leg_length()
    return own if LEGS[0] <= own <= LEGS[1] else None


def play_clips(names: Sequence[str], cast: Cast) -> Iterator[Clip]:
    """The clips one after the other."""
    pace = float(np.sqrt(cast.actor.size))
    for name in names:
        yield cast.clip(_CLIPS[name](cast.actor, pace))


def is_person(skeleton: Skeleton) -> bool:
    """Whether a rig is built as people are: two legs, two arms, and the head high above the hips."""
    roles = skeleton.roles
    if len(roles.legs) != 2 or len(roles.arms) != 2 or roles.head is None:
        return False
    places = skeleton.rest_pose()[0]
    way = places[roles.head] - places[[leg.hip for leg in roles.legs]].mean(axis=0)
    return bool(way[1] > UPRIGHT * np.linalg.norm(way))


def size_beside(source: Motion, moved: Motion) -> float:
    """How long the way of a retargeted motion is beside that of its source."""
    ways = []
    for motion in (source, moved):
        hips = motion.joint_positions()[:, [leg.hip for leg in motion.skeleton.roles.legs]].mean(axis=1)
        ways.append((hips - hips[0])[:, [0, 2]])
    legs = [motion.skeleton.leg_length() for motion in (source, moved)]
    if np.abs(ways[0]).max() < FAR * legs[0]:
        return legs[1] / legs[0]
    return float(np.sum(ways[0] * ways[1]) / np.sum(ways[0] ** 2))
