"""Robot descriptions (``.urdf``): links as joints of a skeleton, their joints as limits, primitives as tips.

Sliding joints stay at rest; meshes are not looked at.
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

_KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
_HINGES = ("revolute", "continuous")


def read(data: bytes, path: Path) -> Motion:
    """One frame of a robot with all joints at zero.

    Parameters
    ----------
    data, path : the file, and its name for messages
    """
    return parse(data, path).motion()


def read_model(path: str | PathLike[str]) -> RigidModel:
    """The skeleton of a robot and the limits of its joints."""
    path = Path(path)
    return parse(_files.read_bytes(path), path)


def parse(data: bytes, path: Path) -> RigidModel:
    """A model from the bytes of a file."""
    top = parse_xml(data, path, "robot")
    links = {link.get("name", ""): link for link in top.findall("link")}
    if not links:
        raise FormatError(path, "has no <link>, so there is no skeleton")
    if len(links) > MOST_BODIES:
        raise FormatError(path, f"has more than {MOST_BODIES} links")
    below: dict[str, list[tuple[str, Element]]] = {name: [] for name in links}
    above: dict[str, str] = {}
    for joint in top.findall("joint"):
        place = f"joint {joint.get('name', '')}"
        parent, child = _link(joint, "parent", links, path, place), _link(joint, "child", links, path, place)
        if child in above:
            raise FormatError(path, f"the link {child!r} already hangs on {above[child]!r}", place)
        above[child] = parent
        below[parent].append((child, joint))
    roots = [name for name in links if name not in above]
    if not roots:
        raise FormatError(path, "its joints form a circle; one link must hang on nothing")
    trees = [_tree(root, links, below, path) for root in roots]
    bodies = max(trees, key=len)
    notes = []
    if len(trees) > 1:
        notes.append(f"loose links left out: {', '.join(t[0].name for t in trees if t is not bodies)}")
    return build_model(bodies, path, notes)


def _link(joint: Element, key: str, links: dict[str, Element], path: Path, place: str) -> str:
    element = joint.find(key)
    name = None if element is None else element.get("link")
    if name is None or name not in links:
        raise FormatError(path, f"its {key} {name!r} is not a link; the links are: {', '.join(links)}", place)
    return name


def _tree(root: str, links: dict[str, Element], below: dict[str, list[tuple[str, Element]]], path: Path) -> list[Rigid]:
    bodies = [Rigid(root, -1, np.zeros(3), rot.identity())]
    waiting = [(child, joint, 0) for child, joint in reversed(below[root])]
    while waiting:
        name, joint, parent = waiting.pop()
        place = f"joint {joint.get('name', '')}"
        position, rotation = _origin(joint, path, place)
        body = Rigid(name, parent, position, rotation, _turning(joint, path, place))
        if joint.get("type") in _HINGES:
            body.hinge = joint.get("name", "")
        if not below[name]:
            body.tip = _tip(links[name], body, path)
        waiting += [(child, one, len(bodies)) for child, one in reversed(below[name])]
        bodies.append(body)
    return bodies


def _origin(element: Element, path: Path, place: str) -> tuple[FloatArray, FloatArray]:
    origin = element.find("origin")
    own = {} if origin is None else origin.attrib
    angles = numbers_of(own, "rpy", 3, (0, 0, 0), path, place)
    # About the fixed axes x, y, z in this order.
    turns = [rot.from_axis_angle(np.eye(3)[i], angles[i]) for i in range(3)]
    return (
        numbers_of(own, "xyz", 3, (0, 0, 0), path, place),
        rot.multiply(turns[2], rot.multiply(turns[1], turns[0])),
    )


def _turning(joint: Element, path: Path, place: str) -> list[Turning]:
    kind = joint.get("type", "")
    if kind not in _KINDS:
        raise FormatError(path, f"type={kind!r}: expected one of {', '.join(_KINDS)}", place)
    if kind == "floating":
        return [Turning(None)]
    if kind not in ("revolute", "continuous"):
        return []
    axis, limit = joint.find("axis"), joint.find("limit")
    vector = axis_of({} if axis is None else axis.attrib, "xyz", (1, 0, 0), path, place)
    if kind == "continuous" or limit is None:
        return [Turning(vector)]
    low = numbers_of(limit.attrib, "lower", 1, (0,), path, place)[0]
    high = numbers_of(limit.attrib, "upper", 1, (0,), path, place)[0]
    return [Turning(vector, float(low), float(high))]


def _tip(link: Element, body: Rigid, path: Path) -> FloatArray | None:
    """Where the primitive geometry of a last link ends."""
    place = f"link {body.name}"
    away = rot.rotate(rot.inverse(body.rotation), body.position)
    points = []
    for part in link.findall("collision") or link.findall("visual"):
        centre, rotation = _origin(part, path, place)
        for shape in part.findall("geometry/*"):
            if shape.tag == "sphere":
                half = np.tile(numbers_of(shape.attrib, "radius", 1, (0,), path, place), 3)
            elif shape.tag == "box":
                half = 0.5 * numbers_of(shape.attrib, "size", 3, (0, 0, 0), path, place)
            elif shape.tag in ("cylinder", "capsule"):
                radius = numbers_of(shape.attrib, "radius", 1, (0,), path, place)[0]
                length = numbers_of(shape.attrib, "length", 1, (0,), path, place)[0]
                half = np.array([radius, radius, 0.5 * length])
            else:
                continue
            points.append(outer_point(centre, rotation, half, away))
    return farthest(points)
