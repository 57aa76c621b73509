"""What compression needs of many clips, and what it cost one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.contacts import Contacts, detect
from locomote.errors import LocomoteError, SkeletonError
from locomote.formats._lmz_chart import Basis, Chart, mean_pose
from locomote.formats._lmz_file import kept_basis
from locomote.measures import measure
from locomote.motion import Motion, checked_motion, checked_motions
from locomote.rotations import FloatArray

_FITTING_FPS = 30.0  # frames a second that are looked at
_MEAN_FRAMES = 20_000  # at most, for the mean pose
RAW_BYTES = 40  # of a joint in a frame: rotation, place and scale in ten float32, the usual measure of packers


def fit_basis(clips: Sequence[Motion]) -> Basis:
    """What goes together in the movements of one kind of body, so that other clips of its kind pack smaller.

    Parameters
    ----------
    clips : motions whose skeletons have the same joints; bones may differ in length
    """
    clips = checked_motions(clips, "fit_basis")
    if not clips:
        raise LocomoteError("a basis is fitted to at least one clip")
    names = clips[0].skeleton.names
    for clip in clips:
        if clip.skeleton.names != names or np.any(clip.skeleton.parents != clips[0].skeleton.parents):
            raise SkeletonError(f"{clip.name}: the clips of a basis must have the same joints")
    strides = [max(round(clip.fps / _FITTING_FPS), 1) for clip in clips]
    thin = max(sum(map(len, clips)) // _MEAN_FRAMES, 1)
    means = mean_pose(np.concatenate([clip.rotations[::thin] for clip in clips]))
    size = 3 * len(names) - 1
    spread, none = np.zeros((size, size)), np.zeros(0, dtype=np.int64)
    for clip, stride in zip(clips, strides, strict=True):
        chart = Chart(clip.skeleton, means, none, none, np.eye(size), shared=True)
        rows = chart.numbers(clip[::stride])[:, 4 : 4 + size]
        rows = rows - rows.mean(axis=0)  # how clips differ from each other is told once a clip, movements all along
        spread += rows.T @ rows
    _, vectors = np.linalg.eigh(spread)
    return kept_basis(Basis(names, means, np.ascontiguousarray(vectors[:, ::-1].T)))


class Loss(NamedTuple):
    """What packing did to a clip (PGA-14)."""

    largest_error: float  # m, of joints and end sites
    mean_error: float  # m, over joints and frames
    distortion: float  # per cent: distance of all joint places from the true ones over that from their mean place
    distortion_root: float  # per cent, the same with places relative to the root
    angle_error: float  # rad, mean over joints and frames
    skate_added: float  # m/s, mean speed of feet in contact beyond the source's; 0 for a body without legs


def compression_loss(source: Motion, packed: Motion, contacts: Contacts | None = None) -> Loss:
    """How far a packed motion is from its source.

    Parameters
    ----------
    source, packed : the same clip before and after
    contacts : of the source, found anew without them
    """
    source = checked_motion(source, "compression_loss")
    packed = checked_motion(packed, "compression_loss")
    if len(source) != len(packed) or source.skeleton.names != packed.skeleton.names:
        raise LocomoteError(f"{packed.name}: not the clip that {source.name} is, its frames or joints differ")
    places, found = source.joint_positions(), packed.joint_positions()
    ends = np.linalg.norm(packed.end_positions() - source.end_positions(), axis=-1)
    far = np.linalg.norm(found - places, axis=-1)
    angles = rot.distance(source.rotations, packed.rotations)
    skate = 0.0
    if source.skeleton.roles.legs:
        contacts = detect(source) if contacts is None else contacts
        skate = float(measure(packed).skate_contact - measure(source, contacts).skate_contact)
    return Loss(
        float(max(far.max(), ends.max(initial=0.0))),
        float(far.mean()),
        _distortion(places, found),
        _distortion(places - places[:, :1], found - found[:, :1]),
        float(angles.mean()),
        skate,
    )


def _distortion(true: FloatArray, found: FloatArray) -> float:
    """100 |A - A'| / |A - mean of A| over the matrix of all joint places, frame by frame (B1)."""
    spread = np.linalg.norm(true - true.mean(axis=0))
    return float(100.0 * np.linalg.norm(found - true) / spread) if spread > 0.0 else 0.0
