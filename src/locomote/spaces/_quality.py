"""How far a motion is from the one that it stands for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.contacts import Contacts, detect
from locomote.errors import LocomoteError
from locomote.measures import measure
from locomote.motion import Motion, checked_motion
from locomote.rotations import FloatArray


class Quality(NamedTuple):
    """What a motion that was coded, solved or edited has lost beside its source."""

    distortion: float  # %, error of the joints' places over their spread about their means over time; norms not squared
    distortion_in_root: float  # %, the same with places seen from the root
    joint_error: float  # m, mean distance of a joint from its place
    worst_joint_error: float  # m
    skate: float  # m/s, mean speed of heels and balls at the times at which those of the source stand
    angle_error: float  # rad, mean angle between local rotations


def quality(source: Motion, other: Motion, contacts: Contacts | None = None) -> Quality:
    """How far a motion is from its source, frame by frame.

    Parameters
    ----------
    source, other : motions of the same joints and length
    contacts : of the source; found unless given
    """
    source = checked_motion(source, "quality")
    other = checked_motion(other, "quality")
    if source.rotations.shape != other.rotations.shape or source.skeleton.names != other.skeleton.names:
        raise LocomoteError(
            f"motions of {source.rotations.shape[:2]} and {other.rotations.shape[:2]} frames and joints: "
            "expected the same"
        )
    places, theirs = source.joint_positions(), other.joint_positions()
    off = np.linalg.norm(theirs - places, axis=-1)
    return Quality(
        _distortion(places, theirs),
        _distortion(_in_root(source, places), _in_root(other, theirs)),
        float(off.mean()),
        float(off.max()),
        measure(other, detect(source) if contacts is None else contacts).skate_contact,
        float(rot.distance(source.rotations, other.rotations).mean()),
    )


def _distortion(places: FloatArray, theirs: FloatArray) -> float:
    spread = float(np.linalg.norm(places - places.mean(axis=0)))
    return 100.0 * float(np.linalg.norm(theirs - places)) / max(spread, 1e-300)


def _in_root(motion: Motion, places: FloatArray) -> FloatArray:
    return rot.rotate(rot.inverse(motion.rotations[:, :1]), places - motion.root_positions[:, None])
