"""MuJoCo models (``.xml``): bodies as joints of a skeleton, hinges as limits, primitive geometry as tips.

Read are body frames, hinges and balls with their ranges, defaults by class, and the first keyframe as the pose.
A hinge beside its body's origin is taken through the origin; slides stay at rest; meshes are not looked at.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from locomote import rotations as rot
from locomote.errors import FormatError
from locomote.formats import _files
from locomote.formats._rigid import (
    MOST_BODIES,
    Rigid,
    RigidModel,
    Turning,
    axis_of,
    build_model,
    farthest,
    numbers_of,
    outer_point,
    parse_xml,
)
from locomote.motion import Motion
from locomote.rotations import FloatArray

__all__ = ["read", "read_model"]

_ROUND = ("sphere", "capsule", "ellipsoid", "cylinder", "box")
_QPOS = {"free": 7, "ball": 4, "hinge": 1, "slide": 1}  # numbers of a joint in a keyframe
Attributes = dict[str, str]


def read(data: bytes, path: Path) -> Motion:
    """One frame of a MuJoCo model: its first keyframe, or else all joints at zero.

    Parameters
    ----------
    data, path : the file, and its name for messages and what lies beside it
    """
    return parse(data, path).motion()


def read_model(path: str | PathLike[str]) -> RigidModel:
    """The skeleton of a MuJoCo model and the limits of its joints."""
    path = Path(path)
    return parse(_files.read_bytes(path), path)


def parse(data: bytes, path: Path) -> RigidModel:
    """A model from the bytes of a file."""
    top = parse_xml(data, path, "mujoco")
    reader = _Reader(top, path)
    world = [body for part in top.findall("worldbody") for body in part.findall("body")]
    if not world:
        raise FormatError(path, "has no <body> in its <worldbody>, so there is no skeleton")
    trees = []
    for body in world:
        reader.bodies, reader.widths = [], []
        reader.add_tree(body)
        trees.append((len(reader.bodies), reader.bodies, reader.widths))
    _, bodies, _ = max(trees, key=lambda tree: tree[0])
    notes = []
    if len(trees) > 1:
        others = ", ".join(tree[1][0].name for tree in trees if tree[1] is not bodies)
        notes.append(f"loose bodies left out: {others}")
    if reader.aside:
        notes.append(f"{reader.aside} hinges beside their body's origin are taken through it")
    if reader.slides:
        notes.append(f"{reader.slides} slides stay at rest")
    reader.strike_pose([tree[1] for tree in trees], [tree[2] for tree in trees])
    return build_model(bodies, path, notes)


class _Reader:
    """What holds for the whole file: units, defaults by class, and the bodies found so far."""

    def __init__(self, top: Element, path: Path) -> None:
        self.path = path
        compiler: Attributes = {}
        for element in top.findall("compiler"):
            compiler |= element.attrib
        self.angle = 1.0 if compiler.get("angle") == "radian" else np.pi / 180.0
        self.euler = compiler.get("eulerseq", "xyz")
        self.auto_limits = compiler.get("autolimits", "true") == "true"
        if len(self.euler) != 3 or set(self.euler.lower()) - set("xyz"):
            raise FormatError(path, f"eulerseq={self.euler!r}: expected three of x, y, z", "compiler")
        self.top = top
        self.defaults: dict[str, dict[str, Attributes]] = {"main": {}}
        for element in top.findall("default"):
            self._add_defaults(element)
        self.bodies: list[Rigid] = []
        self.widths: list[tuple[int, int, str]] = []  # body, its joint, and the joint's kind, as in a keyframe
        self.aside = self.slides = 0

    def _add_defaults(self, top: Element) -> None:
        """A tree of classes; each knows what the classes above it say."""
        waiting: list[tuple[Element, str, dict[str, Attributes]]] = [(top, "main", {})]
        while waiting:
            element, name, above = waiting.pop()
            own = {tag: dict(attributes) for tag, attributes in above.items()}
            for child in element:
                if child.tag == "default":
                    waiting.append((child, child.get("class", ""), own))
                else:
                    own[child.tag] = own.get(child.tag, {}) | child.attrib
            self.defaults[name] = own

    def _attributes(self, element: Element, childclass: str) -> Attributes:
        name = element.get("class", childclass)
        if name not in self.defaults:
            raise FormatError(self.path, f"the class {name!r} has no <default>", f"<{element.tag}>")
        return self.defaults[name].get(element.tag, {}) | element.attrib

    def add_tree(self, top: Element) -> None:
        """A body and all below it, in the order of the file."""
        waiting = [(top, -1, "main")]
        while waiting:
            element, parent, childclass = waiting.pop()
            childclass = element.get("childclass", childclass)
            self._add(element, parent, childclass)
            index = len(self.bodies) - 1
            waiting += [(child, index, childclass) for child in reversed(element.findall("body"))]

    def _add(self, element: Element, parent: int, childclass: str) -> None:
        if len(self.bodies) >= MOST_BODIES:
            raise FormatError(self.path, f"has more than {MOST_BODIES} bodies")
        index = len(self.bodies)
        name = element.get("name", f"body_{index}")
        place = f"body {name}"
        position = numbers_of(element.attrib, "pos", 3, (0, 0, 0), self.path, place)
        body = Rigid(name, parent, position, self._rotation(element.attrib, place))
        self.bodies.append(body)
        points = []
        for child in element:
            if child.tag in ("joint", "freejoint"):
                self._add_joint(child, childclass, index, place)
            elif child.tag == "geom":
                point = self._geom_end(self._attributes(child, childclass), body, place)
                if point is not None:
                    points.append(point)
        if element.find("body") is None:
            body.tip = farthest(points)

    def _add_joint(self, element: Element, childclass: str, index: int, place: str) -> None:
        own = dict(element.attrib) if element.tag == "freejoint" else self._attributes(element, childclass)
        kind = "free" if element.tag == "freejoint" else own.get("type", "hinge")
        if kind not in _QPOS:
            raise FormatError(self.path, f"type={kind!r}: expected one of {', '.join(_QPOS)}", f"joint in {place}")
        body = self.bodies[index]
        self.widths.append((index, len(body.joints), kind))
        if kind == "slide":
            self.slides += 1
        if kind in ("free", "slide"):
            return
        if np.abs(numbers_of(own, "pos", 3, (0, 0, 0), self.path, place)).max() > 1e-6:
            self.aside += 1
        low, high = self.angle * numbers_of(own, "range", 2, (0, 0), self.path, place)
        limited = own.get("limited", "auto")
        if limited == "false" or (limited != "true" and not (self.auto_limits and "range" in own)):
            low, high = -np.pi, np.pi
        if kind == "ball":
            body.joints.append(Turning(None, -high, high))
            return
        axis = axis_of(own, "axis", (0, 0, 1), self.path, place)
        body.joints.append(Turning(axis, float(low), float(high)))

    def _rotation(self, own: Attributes, place: str) -> FloatArray:
        """The rotation of a frame, in whichever of the five ways it is said."""
        path = self.path
        if "quat" in own:
            q = numbers_of(own, "quat", 4, (), path, place)
            return rot.normalize(q) if np.linalg.norm(q) > 1e-12 else rot.identity()
        if "axisangle" in own:
            x, y, z, angle = numbers_of(own, "axisangle", 4, (), path, place)
            length = float(np.linalg.norm([x, y, z]))
            return rot.from_axis_angle(np.array([x, y, z]) / max(length, 1e-12), self.angle * angle)
        if "euler" in own:
            out = rot.identity()
            for letter, angle in zip(self.euler, numbers_of(own, "euler", 3, (), path, place), strict=True):
                turn = rot.from_axis_angle(np.eye(3)["xyz".index(letter.lower())], self.angle * angle)
                # Small letters turn with the frame, capitals about the axes of the parent.
                out = rot.multiply(out, turn) if letter.islower() else rot.multiply(turn, out)
            return out
        if "xyaxes" in own:
            x, y = numbers_of(own, "xyaxes", 6, (), path, place).reshape(2, 3)
            z = np.cross(x, y)
            if np.linalg.norm(z) < 1e-12:
                raise FormatError(path, "xyaxes lie on one line", place)
            columns = [x, np.cross(z, x), z]
            return rot.from_matrix(np.stack([c / np.linalg.norm(c) for c in columns], axis=-1))
        if "zaxis" in own:
            z = numbers_of(own, "zaxis", 3, (), path, place)
            return rot.between([0.0, 0.0, 1.0], z) if np.linalg.norm(z) > 1e-12 else rot.identity()
        return rot.identity()

    def _geom_end(self, own: Attributes, body: Rigid, place: str) -> FloatArray | None:
        """The far end of a piece of primitive geometry, seen from the origin of its body."""
        kind = own.get("type", "sphere")
        if kind not in _ROUND or "mesh" in own:
            return None
        size = numbers_of(own, "size", None, (), self.path, place)
        if len(size) == 0:
            return None
        rotation = self._rotation(own, place)
        if "fromto" in own:
            start, end = numbers_of(own, "fromto", 6, (), self.path, place).reshape(2, 3)
            far, near = (end, start) if np.linalg.norm(end) >= np.linalg.norm(start) else (start, end)
            length = float(np.linalg.norm(far - near))
            cap = size[0] if kind == "capsule" else 0.0
            out: FloatArray = far + (far - near) / length * cap if length > 0.0 else far
            return out
        centre = numbers_of(own, "pos", 3, (0, 0, 0), self.path, place)
        half = np.full(3, size[0])
        if kind in ("capsule", "cylinder"):
            half[2] = size[-1] if len(size) < 2 else size[1] + (size[0] if kind == "capsule" else 0.0)
        elif kind in ("ellipsoid", "box") and len(size) == 3:
            half = size
        away = rot.rotate(rot.inverse(body.rotation), body.position)
        return outer_point(centre, rotation, half, away)

    def strike_pose(self, trees: list[list[Rigid]], widths: list[list[tuple[int, int, str]]]) -> None:
        """Give every joint its rotation in the first keyframe that has one."""
        keys = [key for part in self.top.findall("keyframe") for key in part.findall("key")]
        text = next((key.attrib for key in keys if key.get("qpos")), None)
        if text is None:
            return
        total = sum(_QPOS[kind] for tree in widths for _, _, kind in tree)
        values = numbers_of(text, "qpos", total, (), self.path, "keyframe")
        at = 0
        for bodies, joints in zip(trees, widths, strict=True):
            for index, joint, kind in joints:
                part = values[at : at + _QPOS[kind]]
                at += _QPOS[kind]
                if kind == "free":
                    bodies[index].position = part[:3]
                elif kind == "ball":
                    bodies[index].home.append(rot.normalize(part))
                elif kind == "hinge":
                    axis = bodies[index].joints[joint].axis
                    bodies[index].home.append(rot.from_axis_angle(axis, part[0]))  # type: ignore[arg-type]
