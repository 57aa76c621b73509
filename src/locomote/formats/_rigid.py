"""Models of rigid bodies on hinges, as robots and simulations describe them: one skeleton, with its limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from locomote import rotations as rot
from locomote.errors import FormatError
from locomote.formats.units import basis
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

MOST_BODIES = 10_000  # a body has far fewer; more would only cost time
_FPS = 30.0  # of the one frame that a model gives


@dataclass
class Turning:
    """A joint of one body: a hinge about the unit vector ``axis`` in the body's frame, or a ball without one."""

    axis: FloatArray | None
    low: float = -np.pi
    high: float = np.pi


@dataclass
class Rigid:
    """One body in the frame of its parent, in the axes of its file."""

    name: str
    parent: int
    position: FloatArray  # (3,)
    rotation: FloatArray  # (4,)
    joints: list[Turning] = field(default_factory=list)  # in the order in which they turn
    home: list[FloatArray] = field(default_factory=list)  # their rotations (4,) in the pose that the file names
    tip: FloatArray | None = None  # (3,) where its last geometry ends
    hinge: str = ""  # the name of its one hinge, where the file gives one


@dataclass(frozen=True, eq=False)
class RigidModel:
    """A skeleton and how far each of its joints may turn: ``rest * swing * twist``, the twist about ``axes``.

    A joint with neither swing nor twist is welded to its parent; the root is free.
    """

    skeleton: Skeleton
    axes: FloatArray  # (J, 3)
    swing: FloatArray  # (J,)
    twist: FloatArray  # (J, 2)
    pose: FloatArray  # (J, 4) local rotations: the pose that the file names, or else the rest pose
    notes: tuple[str, ...] = ()
    hinges: tuple[str, ...] = ()  # (J,) names of the joints of a robot, empty for links that are welded or slide

    def motion(self) -> Motion:
        """One frame of the model in its pose."""
        return Motion(self.skeleton, _FPS, self.skeleton.offsets[:1], self.pose[None].copy(), notes=self.notes)


def build_model(bodies: Sequence[Rigid], path: Path, notes: Sequence[str]) -> RigidModel:
    """The model of bodies in a file's usual axes, Z up and X forward; the first one is the root."""
    turn = rot.from_matrix(basis("z", "x"))
    count = len(bodies)
    rests = rot.normalize(np.array([body.rotation for body in bodies]))
    axes, swing, twist = np.tile([1.0, 0.0, 0.0], (count, 1)), np.zeros(count), np.zeros((count, 2))
    pose = rests.copy()
    for j, body in enumerate(bodies):
        if j > 0 and body.joints:
            axes[j], swing[j], twist[j] = _limits(body.joints)
        for rotation in body.home:
            pose[j] = rot.multiply(pose[j], rotation)
    tips = [(j, body.tip) for j, body in enumerate(bodies) if body.tip is not None]
    numbers = [rests, axes, swing, twist, np.array([body.position for body in bodies])]
    if not all(np.all(np.isfinite(one)) for one in numbers + [np.array(tip) for _, tip in tips]):
        raise FormatError(path, "a position, a rotation or a range is not a finite number")
    skeleton = Skeleton(
        names=_unique([body.name for body in bodies]),
        parents=np.array([body.parent for body in bodies]),
        offsets=rot.rotate(turn, np.array([body.position for body in bodies])),
        rest_rotations=_turned(turn, rests),
        end_parents=np.array([j for j, _ in tips], dtype=np.int64),
        end_offsets=rot.rotate(turn, np.array([tip for _, tip in tips]).reshape(-1, 3)),
    )
    hinges = tuple(body.hinge for body in bodies)
    told = _turned(turn, rot.normalize(pose))
    return RigidModel(skeleton, rot.rotate(turn, axes), swing, twist, told, tuple(notes), hinges)


def _turned(turn: FloatArray, q: FloatArray) -> FloatArray:
    return rot.canonical(rot.multiply(rot.multiply(turn, q), rot.inverse(turn)))


def _limits(joints: Sequence[Turning]) -> tuple[FloatArray, float, tuple[float, float]]:
    """One hinge stays what it is; of several in one place the last is the twist, the others a cone."""
    last = joints[-1]
    low, high = max(last.low, -np.pi), min(last.high, np.pi)
    widest = max((abs(angle) for one in joints[:-1] for angle in (one.low, one.high)), default=0.0)
    if last.axis is None:
        return np.array([1.0, 0.0, 0.0]), min(max(widest, high), np.pi), (low, high)
    return last.axis, min(widest, np.pi), (low, high)


def _unique(names: Sequence[str]) -> tuple[str, ...]:
    """Names that all differ: a number behind those that come again."""
    taken: set[str] = set()
    out = []
    for name in names:
        new, count = name, 1
        while new in taken:
            count += 1
            new = f"{name}_{count}"
        taken.add(new)
        out.append(new)
    return tuple(out)


def farthest(points: Sequence[FloatArray]) -> FloatArray | None:
    """The point farthest from the origin of a body."""
    return max(points, key=lambda point: float(np.linalg.norm(point)), default=None)


def outer_point(centre: FloatArray, rotation: FloatArray, half: FloatArray, away: FloatArray) -> FloatArray:
    """Where a rounded shape with half axes ``half`` ends in the direction from the body's origin to its centre.

    ``away`` is the direction to take for a shape around the origin itself.
    """
    outwards = centre if np.linalg.norm(centre) > 1e-9 else away
    length = float(np.linalg.norm(outwards))
    if length == 0.0:
        return centre
    inside = rot.rotate(rot.inverse(rotation), outwards / length)
    reach = 1.0 / max(float(np.linalg.norm(inside / np.maximum(half, 1e-9))), 1e-9)
    out: FloatArray = centre + outwards / length * reach
    return out


def parse_xml(data: bytes, path: Path, root: str) -> ElementTree.Element:
    """The root element of a file, which must be of one kind. Entities are refused: they can grow without end."""
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise FormatError(path, "declares entities or a document type, which are not read")
    try:
        top = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise FormatError(path, f"is not whole XML: {error}") from None
    if top.tag != root:
        raise FormatError(path, f"expected <{root}> as the outermost element, got <{top.tag}>")
    return top


def axis_of(attributes: Any, key: str, default: Sequence[float], path: Path, place: str) -> FloatArray:
    """A unit vector."""
    vector = numbers_of(attributes, key, 3, default, path, place)
    length = float(np.linalg.norm(vector))
    if length < 1e-9:
        raise FormatError(path, f"{key}={attributes[key]!r}: an axis needs a length", place)
    out: FloatArray = vector / length
    return out


def numbers_of(
    attributes: Any, key: str, count: int | None, default: Sequence[float], path: Path, place: str
) -> FloatArray:
    """The numbers of an attribute, ``count`` of them."""
    text = attributes.get(key)
    if text is None:
        return np.array(default, dtype=np.float64)
    try:
        values = np.array([float(word) for word in text.split()])
    except ValueError:
        raise FormatError(path, f"{key}={text!r}: expected numbers", place) from None
    if count is not None and len(values) != count:
        raise FormatError(path, f"{key}={text!r}: expected {count} numbers", place)
    if not np.all(np.isfinite(values)) or np.abs(values).max(initial=0.0) > 1e9:
        raise FormatError(path, f"{key}={text!r}: expected finite numbers", place)
    return values
