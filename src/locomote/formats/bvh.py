"""Biovision hierarchy (.bvh): the text format that every motion tool reads.

The format names neither its unit nor its axes; `read` guesses the unit from the size of the body, and what is up
from its legs, and says so in the motion's notes. Position channels replace a joint's offset; rotations apply in the
order of channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.formats import _bvh_output, _bvh_text, _rest
from locomote.formats._files import split_name
from locomote.formats._upright import guess_up
from locomote.formats.units import basis, guess_unit, unit_in_metres
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

_STILL = 1e-9  # relative to the body: smaller changes of a joint's position are rounding
_SAME_RATE = 2e-3  # relative: how far a rounded frame time may lie from a whole number of frames per second
_ZERO_TURN = np.radians(0.01)  # a joint at rest, exact zeros in practice
_JUMP = np.radians(5.0)  # mean turn of the joints from an added frame to the recording; no body turns so fast

_MOST_ADDED = 200  # frames in front that are looked through for an added rest pose
_BLOCK = 128  # frames turned into quaternions at a time; what is computed in between stays in the cache

_AXIS = {"x": 0, "y": 1, "z": 2}


def read(
    data: bytes,
    path: Path,
    *,
    unit: str | float = "auto",
    up: str = "auto",
    forward: str | None = None,
    drop_tpose: bool = False,
) -> Motion:
    """Read a BVH file.

    ``unit``: auto, m, cm, mm, inch, foot, cmu, or a number of metres. ``up``, ``forward``: the file's axes,
    such as ``"z"`` and ``"-y"``; the axis along which the body stands unless given. ``drop_tpose``: leave out first
    frames that only show the rest pose.
    """
    if up == "auto" and forward is None:
        motion = read(data, path, unit=unit, up="y", drop_tpose=drop_tpose)
        found = guess_up(motion)
        if found is None:
            return motion
        again = read(data, path, unit=unit, up=found.axis, drop_tpose=drop_tpose)
        return replace(again, notes=(*again.notes, found.note))
    matrix = basis("y" if up == "auto" else up, forward)
    metres = None if unit == "auto" else unit_in_metres(unit)
    text = _bvh_text.parse(data, path)
    offsets = np.array([joint.offset for joint in text.joints], dtype=np.float64)
    ends = np.array(text.end_offsets, dtype=np.float64).reshape(-1, 3)
    parents = np.array([joint.parent for joint in text.joints])
    end_parents = np.array(text.end_parents, dtype=np.int64)
    channels = [joint.channels or [] for joint in text.joints]
    positions = _positions(channels, offsets, text.values)
    names = [joint.name for joint in text.joints]
    notes: list[str] = []
    if metres is None:
        bones = np.concatenate([offsets[:1], positions[0, 1:] if positions.shape[1] > 1 else offsets[1:]])
        metres, note = guess_unit(names, parents, bones, end_parents, ends)
        notes.append(note)

    place = (metres * matrix).T
    rotations = _rotations(channels, text.values)
    if not np.array_equal(matrix, np.eye(3)):
        rotations[..., 1:] = rotations[..., 1:] @ matrix.T
    positions = positions @ place
    added = added_rest_frames(rotations)
    if added:
        which = "first frame" if added == 1 else f"first {added} frames"
        verdict = "left out" if drop_tpose else "kept; drop_tpose=True leaves it out"
        notes.append(f"{which}: an added rest pose, {verdict}")
    kept = slice(added if drop_tpose else 0, None)
    return Motion(
        skeleton=Skeleton(tuple(names), parents, offsets @ place, end_parents=end_parents, end_offsets=ends @ place),
        fps=_rate(text.frame_time, text.frame_time_step),
        root_positions=positions[kept, 0],
        rotations=rotations[kept],
        translations=positions[kept] if positions.shape[1] > 1 else None,
        name=split_name(path)[0],
        notes=tuple(notes),
    )


def _rate(frame_time: float, step: float) -> float:
    """Frames per second; a frame time such as .0083333 means the whole number that it was rounded from."""
    whole = round(1.0 / frame_time) if frame_time < 2.0 else 0
    if whole > 0 and abs(1.0 / whole - frame_time) <= min(step, _SAME_RATE * frame_time):
        return float(whole)
    return 1.0 / frame_time


def _positions(channels: Sequence[Sequence[str]], offsets: FloatArray, values: FloatArray) -> FloatArray:
    """Local positions in file units: of all joints (F, J, 3) when some move, else of the root (F, 1, 3)."""
    cells: list[tuple[int, int, int]] = []  # joint, axis, column
    column = 0
    for joint, names in enumerate(channels):
        for name in names:
            kind, axis = _bvh_text.CHANNELS[name]
            if kind == "position":
                cells.append((joint, _AXIS[axis], column))
            column += 1
    joints, axes, columns = np.array(cells, dtype=np.int64).reshape(-1, 3).T
    own = joints > 0
    size = float(np.max(np.abs(offsets), initial=0.0))
    change = np.abs(values[:, columns[own]] - offsets[joints[own], axes[own]])
    if not np.any(change > _STILL * np.maximum(size, np.max(change, initial=0.0))):
        offsets = offsets[:1]
        joints, axes, columns = joints[~own], axes[~own], columns[~own]
    positions = np.repeat(offsets[None], len(values), axis=0)
    positions[:, joints, axes] = values[:, columns]
    return positions


def _rotations(channels: Sequence[Sequence[str]], values: FloatArray) -> FloatArray:
    """Local rotations (F, J, 4), all joints of one channel order at once."""
    members: dict[str, list[tuple[int, list[int]]]] = {}
    column = 0
    for joint, names in enumerate(channels):
        kinds = [_bvh_text.CHANNELS[name] for name in names]
        turning = [column + i for i, (kind, _) in enumerate(kinds) if kind == "rotation"]
        order = "".join(axis for kind, axis in kinds if kind == "rotation")
        members.setdefault(order, []).append((joint, turning))
        column += len(names)
    groups = [
        (order, np.array([joint for joint, _ in group]), np.array([columns for _, columns in group]).T)
        for order, group in members.items()
    ]
    out = np.empty((len(values), len(channels), 4))
    for start in range(0, len(values), _BLOCK):
        block = slice(start, start + _BLOCK)
        by_column = np.ascontiguousarray(values[block].T)
        for order, joints, columns in groups:
            turns = _from_degrees(order, by_column[columns]) if order else rot.IDENTITY
            if len(groups) == 1:
                out[block] = turns
            else:
                out[block, joints] = turns
    return out


def _from_degrees(order: str, angles: FloatArray) -> FloatArray:
    """Quaternions (F, J, 4) of Euler angles (3, J, F): `rotations.from_euler`, several times faster."""
    if len(order) < 3:
        return rot.canonical(rot.from_euler(order, np.radians(angles.T)))
    i, j, k = (_AXIS[axis] for axis in order)
    # An odd order is an even one seen in a mirror: the angles change sign here, and the axes below.
    mirror = 1.0 if (j - i) % 3 == 1 else -1.0
    half = angles * (mirror * np.pi / 360.0)
    (c1, c2, c3), (s1, s2, s3) = np.cos(half), np.sin(half)
    cc, ss, cs, sc = c1 * c2, s1 * s2, c1 * s2, s1 * c2
    out = np.empty((4, *c1.shape))
    out[0] = cc * c3 - ss * s3
    out[1 + i] = sc * c3 + cs * s3
    out[1 + j] = cs * c3 - sc * s3
    out[1 + k] = cc * s3 + ss * c3
    out *= np.copysign(1.0, out[0])  # of the two quaternions of a rotation the one with w >= 0
    out[1:] *= mirror
    return out.T


def added_tpose(motion: Motion) -> int:
    """How many first frames of a motion only show its rest pose and were added to the recording."""
    return added_rest_frames(rot.multiply(rot.inverse(motion.skeleton.rest_rotations), motion.rotations))


def added_rest_frames(rotations: FloatArray) -> int:
    """How many frames were put before the recording to show the rest pose: mostly unrotated, then a jump."""
    start = np.abs(rotations[:_MOST_ADDED, :, 0])
    unrotated = np.mean(start > np.cos(0.5 * _ZERO_TURN), axis=1) > 0.5
    count = int(np.argmin(unrotated))
    if count == 0:  # the first frame is recorded, or none is
        return 0
    jump = np.mean(rot.distance(rotations[count - 1], rotations[count]))
    return count if jump > _JUMP else 0


def write(
    motion: Motion,
    path: Path,
    *,
    unit: str | float = "m",
    up: str = "y",
    forward: str | None = None,
    order: str = "zyx",
    rest: str = "file",
) -> None:
    """Write a BVH file.

    ``unit``, ``up`` and ``forward`` as in `read`; ``order`` of the rotation channels; ``rest="tpose"`` makes
    the unrotated pose a T-pose. Joints and end sites stay where they are in the world.
    """
    if rest not in ("file", "tpose"):
        raise LocomoteError(f"rest={rest!r}: expected file or tpose")
    if sorted(order.lower()) != ["x", "y", "z"]:
        raise LocomoteError(f"order={order!r}: expected the letters x, y and z once each, such as zyx")
    motion = _rest.in_tpose(motion) if rest == "tpose" else _rest.without_rest_rotations(motion)
    matrix = basis(up, forward)
    place = matrix / unit_in_metres(unit)  # rows times this go from our axes to the file's
    skeleton = motion.skeleton
    rotations = motion.rotations
    if not np.array_equal(matrix, np.eye(3)):
        rotations = np.concatenate([rotations[..., :1], rotations[..., 1:] @ matrix], axis=-1)
    angles = np.degrees(rot.to_euler(order, rotations))
    positions = motion.root_positions[:, None]
    if motion.translations is not None:
        positions = np.concatenate([positions, motion.translations[:, 1:]], axis=1)
    header, listed = _bvh_output.hierarchy_text(
        skeleton, skeleton.offsets @ place, skeleton.end_offsets @ place, order, positions.shape[1] > 1
    )
    values = _bvh_output.values_text(positions @ place, angles, listed)
    clock = f"MOTION\nFrames: {len(motion)}\nFrame Time: {1.0 / motion.fps!r}\n"
    path.write_bytes((header + clock).encode("utf-8") + values)
