"""A motion carried to a fitted body: joints turn as they did, feet are as high as they were (ANA-13).

Turned by the same angles, legs of other proportions lift their feet higher or drag them through the ground. So every
foot is led as high over the ground as it was, beside the height of its hip, and stands where it comes down.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from locomote import ik
from locomote import rotations as rot
from locomote.capture.bodies._fit import Fit
from locomote.contacts import Contacts, detect
from locomote.errors import LocomoteError
from locomote.motion import Motion, checked_motion
from locomote.retargeting import retarget
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Leg

ROUNDS = 2  # feet stand while those of the source do; then also from when they are taken to stand on the new body
SETTLING = 1 / 30  # s from when a foot is taken to stand until it is still


def carry(motion: Motion, fitted: Fit) -> Motion:
    """A motion of the template's body, on the body that was fitted.

    Joints turn as they did. Every foot is as high over the ground as it was, in heights of its hip, and stands still
    where it stood; how fast a body much smaller or larger goes is that of `retarget`. On the flat ground of the motion;
    `clean` puts right what is left.

    Parameters
    ----------
    motion : of a body with the joints of the template, with legs
    fitted : the other body, standing on the ground in the pose of its mesh

    Examples
    --------
    >>> import locomote as lm
    >>> walk = lm.creatures.Crowd("wolf", 1, speed=1.0).record(seconds=1.0, fps=30)
    >>> template = lm.capture.bodies.Template.of(walk)
    >>> larger = (1.2 * template.body.vertices, template.body.triangles)
    >>> carried = lm.capture.bodies.carry(walk, lm.capture.bodies.fit(template, larger))
    >>> carried.skeleton.names == walk.skeleton.names
    True
    """
    motion = checked_motion(motion, "carry")
    if motion.skeleton.names != fitted.template.skeleton.names:
        raise LocomoteError("carry: the motion and the template of the fit are of bodies with other joints")
    if not motion.skeleton.roles.legs:
        raise LocomoteError("carry: no legs found; name the joints of the legs with roles")
    pose = fitted.motion()
    legs = [motion.skeleton.roles.legs, pose.skeleton.roles.legs]
    stands = pose.joint_positions()[0, [leg.ball for leg in legs[1]], 1] - fitted.vertices[:, 1].min()
    out = _standing(retarget(motion, pose, feet=False), stands)
    contacts = detect(motion)
    spans = [_spans(contacts, k, len(out)) for k in range(len(legs[0]))]
    before, shares = motion.joint_positions(), (np.linspace(0.0, 1.0, len(out)), np.linspace(0.0, 1.0, len(motion)))
    hips = [
        [places[:, leg.hip, 1].mean() for leg in own]
        for places, own in ((before, legs[0]), (out.joint_positions(), legs[1]))
    ]
    for _ in range(ROUNDS):
        after = out.joint_positions()
        for k, (own, other) in enumerate(zip(*legs, strict=True)):
            lifted = before[:, own.ball, 1] - before[:, own.ball, 1].min()
            goals = after[:, other.ball].copy()
            goals[:, 1] = stands[k] + np.interp(*shares, lifted) * hips[1][k] / hips[0][k]
            goals[:, [0, 2]] += _stopped(goals[:, [0, 2]], spans[k])
            turned = out.world()[1][:, other.ball]
            out = _turned(ik.reach(out, _chain(out, other), goals).pose, other.ball, turned)
        contacts = detect(out)
        settling = round(SETTLING * out.fps)
        spans = [_begun(own, _spans(contacts, k, len(out)), settling) for k, own in enumerate(spans)]
    return out


def _standing(motion: Motion, stands: FloatArray) -> Motion:
    """The motion so high that its feet come down to the heights at which they stand, in the mean over the legs."""
    balls = [leg.ball for leg in motion.skeleton.roles.legs]
    off = float(np.mean(stands - motion.joint_positions()[:, balls, 1].min(axis=0)))
    return replace(motion, root_positions=motion.root_positions + np.array([0.0, off, 0.0]))


def _chain(motion: Motion, leg: Leg) -> list[int]:
    """The joints of a leg, from the hip to the ball of the foot."""
    path = motion.skeleton.ancestors(leg.ball)
    return path[: path.index(leg.hip) + 1][::-1]


def _turned(motion: Motion, joint: int, turns: FloatArray) -> Motion:
    """The motion with a joint turned as it was in the world, ``(F, 4)``: a foot rolls as it did."""
    above = motion.world()[1][:, motion.skeleton.parents[joint]]
    rotations = motion.rotations.copy()
    rotations[:, joint] = rot.multiply(rot.inverse(above), turns)
    return replace(motion, rotations=rotations)


def _spans(contacts: Contacts, leg: int, frames: int) -> IntArray:
    """First and last frames in which a foot stands, ``(N, 2)``, in a motion of another length."""
    scale = (frames - 1) / max(len(contacts) - 1, 1)
    ends = contacts.intervals(leg) - [0, 1]
    spans = np.stack([np.ceil(ends[:, 0] * scale), np.floor(ends[:, 1] * scale)], axis=1).astype(np.int64)
    return spans[spans[:, 1] >= spans[:, 0]]


def _begun(spans: IntArray, found: IntArray, settling: int) -> IntArray:
    """The spans, begun no more than so many frames after those found that overlap them.

    They end as they did: a foot that is held for as long as it is low and slow is late for its swing, and jumps.
    """
    out, free = spans.copy(), 0
    for span in out:
        same = (found[:, 0] <= span[1]) & (found[:, 1] >= span[0])
        span[0] = max(free, (found[same, 0] + settling).min(initial=span[0]))
        free = span[1] + 1
    return out


def _stopped(places: FloatArray, spans: IntArray) -> FloatArray:
    """By how much a foot is put elsewhere in every frame, ``(F, 2)`` m, so that it stands still in its spans."""
    if not len(spans):
        return np.zeros_like(places)
    stands = [np.arange(first, last + 1) for first, last in spans]
    known = np.concatenate(stands)
    away = np.concatenate([places[frames].mean(axis=0) - places[frames] for frames in stands])
    frames = np.arange(len(places))
    return np.stack([np.interp(frames, known, column) for column in away.T], axis=1)
