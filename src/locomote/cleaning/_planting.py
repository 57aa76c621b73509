"""All feet of a motion planted: where they stand, how they swing, where the body goes for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.cleaning._carriage import carriage
from locomote.cleaning._legs import knee_hinges, needed_sink, reach, smooth_cover
from locomote.cleaning._plants import stand
from locomote.cleaning._pose import shifted
from locomote.cleaning._soles import FlatSole, find_soles
from locomote.cleaning._swing import SwingPath, carry
from locomote.cleaning._tracks import track
from locomote.contacts import Contacts
from locomote.contacts.records import BoolArray
from locomote.motion import Motion
from locomote.rotations import FloatArray

MOVED = 1e-6  # m; a foot that is nearer to where it was recorded is left alone
SINK_SPREAD = 0.2  # s; how long before and after the body sinks, slowly enough not to be seen


def plant_feet(
    motion: Motion, contacts: Contacts, kept: BoolArray, straight: tuple[float, float], stray: float
) -> tuple[Motion, FloatArray]:
    """The motion with feet that stand in their contacts, and how far it sank ``(F,)``.

    Feet stay as recorded in the frames of ``kept (F, L)``; legs may be stretched as recorded, between two shares
    of their length. In the air a foot may ``stray`` so far, m of an adult, from the even way between two plants.
    """
    legs = contacts.legs
    soles = find_soles(motion, contacts)
    tracks = [track(motion, contacts, i, sole, straight) for i, sole in enumerate(soles)]
    stances = [stand(foot, contacts, i, soles[i], kept[:, i]) for i, foot in enumerate(tracks)]
    reaches = np.stack([foot.reach for foot in tracks], axis=1)

    def carried(way: FloatArray, limited: bool) -> list[SwingPath]:
        return [
            carry(foot.below(way), stance, contacts.floor, motion.fps, sole, stray, limited)
            for foot, stance, sole in zip(tracks, stances, soles, strict=True)
        ]

    # The body moves for feet that are about to stand as well: a leg that is held back in the air would jerk.
    places = np.stack([path.ankle for path in carried(np.zeros((len(motion), 3)), False)], axis=1)
    way = carriage(motion, legs, places, soles[0].size)
    hips = np.stack([foot.hip for foot in tracks], axis=1) + way[:, None]
    moved = np.linalg.norm(places - np.stack([foot.ankle for foot in tracks], axis=1), axis=-1) > MOVED
    moved |= (np.linalg.norm(way, axis=-1) > MOVED)[:, None]
    sink = smooth_cover(needed_sink(hips, places, reaches, moved), motion.fps, SINK_SPREAD)
    way = way - sink[:, None] * (0.0, 1.0, 0.0)
    paths = carried(way, True)
    goals = np.stack([path.ankle for path in paths], axis=1)
    turns: dict[int, FloatArray] = {}
    for sole, path in zip(soles, paths, strict=True):
        turns |= _foot_turns(motion, sole, path)
    result = reach(shifted(motion, way), legs, goals, knee_hinges(motion, legs), turns)
    return _with_detached_feet(motion, result), -way[:, 1]


def _foot_turns(motion: Motion, sole: FlatSole, path: SwingPath) -> dict[int, FloatArray]:
    """World rotations of the joints of a foot; those beyond the toes' joint are carried along."""
    leg = sole.leg
    out = {leg.ankle: path.turn}
    for j in leg.chain[leg.chain.index(leg.ankle) + 1 :]:
        if j == sole.toe_joint:
            out[j] = path.toe_turn
        elif j in sole.held:
            out[j] = rot.multiply(path.turn, sole.held[j])
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
