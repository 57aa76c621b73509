"""Foot skate and ground penetration taken out of a recorded motion."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from locomote import rotations as rot
from locomote.cleaning._legs import knee_hinges, needed_sink, reach, smooth_cover
from locomote.cleaning._plants import stand
from locomote.cleaning._pose import lowered
from locomote.cleaning._sliding import about, sound, still_slides
from locomote.cleaning._soles import FlatSole, find_soles
from locomote.cleaning._swing import SwingPath, carry
from locomote.cleaning._tracks import track
from locomote.contacts import Contacts, Floor, detect
from locomote.contacts.records import BoolArray
from locomote.errors import LocomoteError, SkeletonError
from locomote.measures import Measures, measure
from locomote.motion import Motion
from locomote.rotations import FloatArray

SINK_SPREAD = 0.2  # s; how long before and after the body sinks, slowly enough not to be seen
ROUNDS = 4  # of planting and looking again
LEAST_FRAMES = 3  # fewer show no movement


@dataclass(frozen=True, eq=False)
class Cleaned:
    """The motion with clean feet, and what it was before; ``reason`` says why nothing was done, where so."""

    motion: Motion
    before: Measures
    after: Measures
    mean_change: float  # mm, of the joints' places over all frames
    max_change: float  # mm
    sink: float  # mm, the most by which the body was lowered
    reason: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "before": self.before.as_dict(),
            "after": self.after.as_dict(),
            "mean_change": self.mean_change,
            "max_change": self.max_change,
            "sink": self.sink,
            "reason": self.reason,
        }


def clean(motion: Motion, *, floor: Floor | None = None, contacts: Contacts | None = None) -> Cleaned:
    """The motion with feet that stand still where they touch the floor and never go through it.

    Legs, feet and, where a leg would not reach, the height of the body change; all else stays as recorded.

    Parameters
    ----------
    motion : any with legs
    floor, contacts : found from the motion unless given
    """
    if not motion.skeleton.roles.legs:
        raise SkeletonError("clean: no legs found; name the joints of the legs with roles")
    if contacts is None:
        contacts = detect(motion, floor=floor)
    elif floor is not None:
        raise LocomoteError("clean: contacts bring their own floor; give one of the two")
    if len(contacts) != len(motion):
        raise LocomoteError(f"clean: the contacts have {len(contacts)} frames, the motion {len(motion)}")
    before = measure(motion, contacts)
    if len(motion) < LEAST_FRAMES or not np.any(contacts.foot):
        short = len(motion) < LEAST_FRAMES
        reason = f"the clip has only {len(motion)} frames" if short else "no foot touches the floor"
        return Cleaned(motion, before, before, 0.0, 0.0, 0.0, reason)
    result, sink, found = _agreed(motion, contacts)
    change = 1000.0 * np.linalg.norm(result.joint_positions() - motion.joint_positions(), axis=-1)
    return Cleaned(
        result,
        before,
        measure(result, found),
        mean_change=float(np.mean(change)),
        max_change=float(np.max(change)),
        sink=1000.0 * float(np.max(sink)),
    )


def _agreed(motion: Motion, contacts: Contacts) -> tuple[Motion, FloatArray, Contacts]:
    """The motion with planted feet, how far it sank, and its contacts.

    Feet that have become still are found to stand a little longer or shorter than before: those that slide at the
    ends of what is now their contact are planted there too.
    """
    asked = np.zeros_like(contacts.foot)
    beside = about(contacts)
    kept = sound(contacts)
    for _ in range(ROUNDS):
        result, sink = _planted(motion, contacts, asked, kept)
        found = detect(result, floor=contacts.floor)
        more = asked | still_slides(found) & beside
        if np.array_equal(more, asked):
            break
        asked = more
    return result, sink, found


def _planted(motion: Motion, contacts: Contacts, asked: BoolArray, kept: BoolArray) -> tuple[Motion, FloatArray]:
    legs = contacts.legs
    soles = find_soles(motion, contacts)
    tracks = [track(motion, contacts, i, sole) for i, sole in enumerate(soles)]
    stances = [stand(foot, contacts, i, soles[i], asked[:, i], kept[:, i]) for i, foot in enumerate(tracks)]
    standing = np.stack([stance.planted for stance in stances], axis=1)
    places = np.stack([stance.ankle for stance in stances], axis=1)
    hips = np.stack([foot.hip for foot in tracks], axis=1)
    reaches = np.stack([foot.reach for foot in tracks], axis=1)
    sink = smooth_cover(needed_sink(hips, places, reaches, standing & ~kept), motion.fps, SINK_SPREAD)
    ways = [
        carry(foot.lowered(sink), stance, contacts.floor, motion.fps, sole)
        for foot, stance, sole in zip(tracks, stances, soles, strict=True)
    ]
    goals = np.stack([way.ankle for way in ways], axis=1)
    turns: dict[int, FloatArray] = {}
    for sole, way in zip(soles, ways, strict=True):
        turns |= _foot_turns(motion, sole, way)
    result = reach(lowered(motion, sink), legs, goals, knee_hinges(motion, legs), turns)
    return _with_detached_feet(motion, result), sink


def _foot_turns(motion: Motion, sole: FlatSole, way: SwingPath) -> dict[int, FloatArray]:
    """World rotations of the joints of a foot; those beyond the toes' joint are carried along."""
    leg = sole.leg
    out = {leg.ankle: way.turn}
    for j in leg.chain[leg.chain.index(leg.ankle) + 1 :]:
        if j == sole.toe_joint:
            out[j] = way.toe_turn
        elif j in sole.held:
            out[j] = rot.multiply(way.turn, sole.held[j])
        else:
            out[j] = rot.multiply(out[int(motion.skeleton.parents[j])], motion.rotations[:, j])
    return out


def _with_detached_feet(motion: Motion, result: Motion) -> Motion:
    """Feet that hang elsewhere in the tree carried along with the ankles."""
    feet = [leg for leg in motion.skeleton.roles.legs if leg.detached_foot is not None]
    if not feet:
        return result
    (old, old_turns), (new, new_turns) = motion.world(), result.world()
    moved = result.translations
    if moved is None:
        moved = np.broadcast_to(motion.skeleton.offsets, new.shape).copy()
        moved[:, 0] = result.root_positions
    moved, turns = moved.copy(), result.rotations.copy()
    for leg in feet:
        foot = int(leg.detached_foot or 0)
        back = rot.inverse(new_turns[:, int(motion.skeleton.parents[foot])])
        turn = rot.multiply(new_turns[:, leg.ankle], rot.inverse(old_turns[:, leg.ankle]))
        place = new[:, leg.ankle] + rot.rotate(turn, old[:, foot] - old[:, leg.ankle])
        moved[:, foot] = rot.rotate(back, place - new[:, int(motion.skeleton.parents[foot])])
        turns[:, foot] = rot.multiply(back, rot.multiply(turn, old_turns[:, foot]))
    return replace(result, translations=moved, rotations=turns)
