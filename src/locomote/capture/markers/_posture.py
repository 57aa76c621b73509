"""Posture of an animal on four legs as a few angles and ratios, frame by frame."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError, SkeletonError
from locomote.formats import _files
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Leg, Skeleton

_UP = np.array([0.0, 1.0, 0.0])


class Posture(NamedTuple):
    """Posture in F frames. Angles in rad; what a body does not have (a neck, a tail) is NaN."""

    times: FloatArray  # (F,) s
    head_pitch: FloatArray  # (F,) of the head against the level, positive looking up
    head_roll: FloatArray  # (F,) positive with the left ear up
    neck_angle: FloatArray  # (F,) between the neck and the line of the trunk, positive with the neck raised
    arch: FloatArray  # (F,) by which the back bends from hips to shoulders, positive with the back arched upwards
    side_bend: FloatArray  # (F,) the same seen from above, positive when it bends to the left
    trunk_roll: FloatArray  # (F,) positive with the left side up
    extension: FloatArray  # (F, L) of each leg: hip to ball of the foot, against the length of its bones
    tail_angle: FloatArray  # (F,) of the tail above the level
    length_ratio: FloatArray  # (F,) hips to head, against the rest pose
    legs: tuple[str, ...]  # (L,) "left front" …

    def series(self) -> dict[str, FloatArray]:
        """Every index by its name, ``(F,)`` each; those of legs one by one."""
        plain = [name for name in self._fields if name not in ("extension", "legs")]
        out = {name: getattr(self, name) for name in plain}
        return out | {f"extension {leg}": self.extension[:, k] for k, leg in enumerate(self.legs)}

    def summary(self) -> dict[str, dict[str, float]]:
        """Mean, standard deviation, least and greatest of every index that the body has."""
        out = {}
        for name, values in self.series().items():
            if name != "times" and np.isfinite(values).any():
                told = (np.nanmean, np.nanstd, np.nanmin, np.nanmax)
                out[name] = dict(zip(("mean", "sd", "least", "most"), (float(f(values)) for f in told), strict=True))
        return out


def posture(motion: Motion) -> Posture:
    """Posture indices of an animal on four legs.

    Parameters
    ----------
    motion
        Of a skeleton with two pairs of legs; F frames.
    """
    skeleton = motion.skeleton
    fore, hind = _girdles(skeleton)
    places, turns = motion.world()
    hips, shoulders = (places[:, [leg.hip for leg in pair]].mean(axis=1) for pair in (hind, fore))
    sides = sum((places[:, pair[0].hip] - places[:, pair[1].hip] for pair in (fore, hind)), np.zeros((1, 3)))
    ahead = _unit(shoulders - hips)
    left = _unit(sides - np.sum(sides * ahead, axis=1, keepdims=True) * ahead)
    above = np.cross(ahead, left)
    nothing = np.full(len(motion), np.nan)
    roles = skeleton.roles
    pitch, roll, neck, ratio = nothing, nothing, nothing, nothing
    if roles.head is not None:
        turn = rot.multiply(turns[:, roles.head], rot.inverse(skeleton.rest_pose()[1][roles.head]))
        face, ear = rot.rotate(turn, roles.forward), rot.rotate(turn, np.cross(_UP, roles.forward))
        pitch, roll = np.arcsin(np.clip(face @ _UP, -1.0, 1.0)), _roll(face, ear)
        base = roles.neck[0] if roles.neck else None
        if base is not None and base != roles.head:
            way = places[:, roles.head] - places[:, base]
            neck = np.arctan2(np.sum(way * above, axis=1), np.sum(way * ahead, axis=1))
        rest = skeleton.rest_pose()[0]
        usual = np.linalg.norm(rest[roles.head] - rest[[leg.hip for leg in hind]].mean(axis=0))
        ratio = np.linalg.norm(places[:, roles.head] - hips, axis=1) / max(float(usual), 1e-9)
    arch, aside = _bends(places, turns, skeleton, left, above, ahead)
    tail = nothing
    if len(roles.tail) > 1:
        tail = np.arcsin(np.clip(_unit(places[:, roles.tail[-1]] - places[:, roles.tail[0]]) @ _UP, -1.0, 1.0))
    legs = (*fore, *hind)
    names = tuple(f"{leg.side} {'front' if leg in fore else 'hind'}" for leg in legs)
    lengths = [max(skeleton.chain_length(leg.hip, leg.ball), 1e-9) for leg in legs]
    reach = [np.linalg.norm(places[:, leg.ball] - places[:, leg.hip], axis=1) for leg in legs]
    extension = np.stack(reach, axis=1) / lengths
    indices = pitch, roll, neck, arch, aside, _roll(ahead, left), extension, tail, ratio
    return Posture(motion.times, *indices, names)


def write_posture(found: Posture, path: str | PathLike[str]) -> None:
    """Write posture indices as a table, one row a frame; angles in degrees.

    Parameters
    ----------
    found : of a motion
    path : a .csv file
    """
    path = Path(path)
    if path.suffix.lower() != ".csv":
        raise LocomoteError(f"{path}: posture is written as .csv")
    series = found.series()
    factors = {
        name: 1.0 if name == "times" or "extension" in name or "ratio" in name else 180.0 / np.pi for name in series
    }
    names = [name if factors[name] == 1.0 else f"{name} (deg)" for name in series]
    table = np.stack([factors[name] * values for name, values in series.items()], axis=1)
    rows = [",".join("" if np.isnan(value) else f"{value:.6g}" for value in row) for row in table]
    with _files.atomic_path(path) as temporary:
        temporary.write_text("\n".join([",".join(names), *rows]) + "\n", encoding="utf-8")


def _girdles(skeleton: Skeleton) -> tuple[list[Leg], list[Leg]]:
    legs = skeleton.roles.legs
    rows = sorted({leg.row for leg in legs})
    pairs = [[leg for side in ("left", "right") for leg in legs if leg.row == row and leg.side == side] for row in rows]
    if len(rows) != 2 or any(len(pair) != 2 for pair in pairs):
        raise SkeletonError(f"posture is that of an animal on four legs; this body has {len(legs)}")
    return pairs[0], pairs[1]


def _bends(
    places: FloatArray, turns: FloatArray, skeleton: Skeleton, left: FloatArray, above: FloatArray, ahead: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """By how much the front of the trunk is turned against its rear, up and down and aside, beside the rest pose."""
    fore, hind = _girdles(skeleton)
    front, rear = (int(skeleton.parents[pair[0].hip]) for pair in (fore, hind))
    rest = skeleton.rest_pose()[1]
    forward = np.asarray(skeleton.roles.forward)
    ways = [rot.rotate(rot.multiply(turns[:, j], rot.inverse(rest[j])), forward) for j in (front, rear)]
    height, side = (
        [np.arctan2(np.sum(way * axis, axis=1), np.sum(way * ahead, axis=1)) for way in ways] for axis in (above, left)
    )
    return height[1] - height[0], side[0] - side[1]


def _roll(ahead: FloatArray, left: FloatArray) -> FloatArray:
    """How far the left side is up, about the direction ahead."""
    level = _unit(np.cross(_UP, ahead))
    upright = np.cross(ahead, level)
    return np.asarray(np.arctan2(np.sum(left * upright, axis=1), np.sum(left * level, axis=1)))


def _unit(v: FloatArray) -> FloatArray:
    return np.asarray(v / np.maximum(np.linalg.norm(v, axis=1, keepdims=True), 1e-12))
