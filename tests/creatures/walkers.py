"""Creatures of any number of legs and bones for tests, and what is true of every crowd of them."""

from __future__ import annotations

from functools import cache

import numpy as np

from locomote import rotations as rot
from locomote.creatures import Creature, Crowd, Morphology
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

BONES = 0.9  # m, of a leg


@cache
def walker(legs: int, bones: int) -> Creature:
    """A trunk with so many legs in two rows (an odd one behind), each an arch of so many bones."""
    names, parents, offsets = ["trunk"], [-1], [np.zeros(3)]
    ends: list[int] = []
    end_offsets: list[FloatArray] = []
    named = []
    rows = max((legs + 1) // 2, 1)
    for leg in range(legs):
        side, row = (1.0 if leg % 2 == 0 else -1.0), leg // 2
        if legs % 2 and leg == legs - 1:
            side = 0.0
        spread = 0.0 if rows == 1 else 0.8 - 1.6 * row / (rows - 1)
        away = np.array([side * np.cos(spread), 0.0, np.sin(spread) if side else -1.0])
        if legs == 1:
            away = np.array([0.0, 0.0, 0.35])
        hip = np.array([0.15 * side, 0.0, 0.12 * (rows - 1) * (1.0 - 2.0 * row / max(rows - 1, 1))])
        pitch = np.radians(np.linspace(35.0, -85.0, bones))
        way = [BONES / bones * (np.cos(p) * away + np.array([0.0, np.sin(p), 0.0])) for p in pitch]
        parent = 0
        for k in range(bones):
            names.append(f"leg{leg}_{k}")
            parents.append(parent)
            offsets.append(hip if k == 0 else way[k - 1])
            parent = len(names) - 1
        ends.append(parent)
        end_offsets.append(way[-1])
        named.append((f"leg{leg}_0", f"leg{leg}_{bones - 1}"))
    skeleton = Skeleton(
        tuple(names),
        np.array(parents),
        np.array(offsets),
        end_parents=np.array(ends),
        end_offsets=np.array(end_offsets),
    )
    return Creature.of(Morphology.from_names(skeleton, named, name=f"{legs} legs of {bones} bones"))


def world(crowd: Crowd) -> tuple[FloatArray, FloatArray]:
    """Where the joints really are, ``(N, J, 3)``, and how they are turned, ``(N, J, 4)``, by their rotations alone."""
    from locomote.math.fk import forward_kinematics

    poses, skeleton = crowd.poses, crowd.creature.morphology.skeleton
    positions = np.empty((len(poses), len(skeleton), 3))
    turns = np.empty((len(poses), len(skeleton), 4))
    forward_kinematics(
        skeleton.parents, skeleton.offsets[None], poses.root_positions, poses.rotations, positions, turns
    )
    return positions, turns


def noses(crowd: Crowd) -> FloatArray:
    """Where the girdles face, from front to back, ``(N, G, 3)``."""
    joints = crowd.creature.spine.joints[crowd.creature.spine.girdles]
    back = rot.inverse(crowd.creature.morphology.rest_pose[1][joints])
    ahead = np.broadcast_to([0.0, 0.0, 1.0], (len(crowd), len(joints), 3))
    return rot.rotate(rot.multiply(world(crowd)[1][:, joints], np.broadcast_to(back, (len(crowd), *back.shape))), ahead)


def tips(crowd: Crowd) -> FloatArray:
    """Where the tips of the legs really are, ``(N, F, 3)``, by the joints' rotations alone."""
    morphology = crowd.creature.morphology
    positions, turns = world(crowd)
    last = [leg.joints[-1] for leg in morphology.legs]
    ends = np.stack([leg.tip for leg in morphology.legs])
    return positions[:, last] + rot.rotate(turns[:, last], np.broadcast_to(ends, (len(crowd), *ends.shape)))


def errors(crowd: Crowd) -> FloatArray:
    """How far each tip is from its foot, ``(N, F)``."""
    out: FloatArray = crowd._feet["error"].copy()
    return out


def highest_sunk(crowd: Crowd) -> float:
    """How deep any foot is in the ground or in a thing, metres."""
    feet = crowd.feet
    heights = crowd.maps.surface(feet.reshape(-1, 3))[0].reshape(feet.shape[:2])
    return float(np.max(heights - feet[..., 1]))


def body_clearance(crowd: Crowd) -> float:
    """The least height of the underside of any trunk over what lies below it, metres."""
    trunk = crowd.creature.trunk
    s = np.linspace(-trunk.half_length, trunk.half_length, 9)
    w = np.linspace(-trunk.half_width, trunk.half_width, 5)
    s, w = (each.ravel() for each in np.meshgrid(s, w))
    least = np.inf
    for (x, y, z), yaw, (pitch, roll) in zip(crowd.positions, crowd.headings, crowd.tilts, strict=True):
        px, pz = x + s * np.sin(yaw) + w * np.cos(yaw), z + s * np.cos(yaw) - w * np.sin(yaw)
        under = y - trunk.belly + s * np.tan(pitch) + w * np.tan(roll)
        least = min(least, float(np.min(under - crowd.maps.surface(np.stack([px, pz], axis=1))[0])))
    return least


@cache
def chain(segments: int) -> Creature:
    """A head and so many segments behind one another, each with a pair of legs of two bones."""
    names, parents, offsets = ["segment_1"], [-1], [np.array([0.0, 0.3, 0.0])]
    for k in range(2, segments + 1):
        names.append(f"segment_{k}")
        parents.append(k - 2)
        offsets.append(np.array([0.0, 0.0, -0.25]))
    names.append("head")
    parents.append(0)
    offsets.append(np.array([0.0, 0.0, 0.2]))
    ends: list[int] = []
    named = []
    for k in range(segments):
        for mark, side in (("l", 1.0), ("r", -1.0)):
            names += [f"thigh_{k}_{mark}", f"shank_{k}_{mark}"]
            parents += [k, len(names) - 2]
            offsets += [np.array([0.05 * side, 0.0, 0.0]), np.array([0.2 * side, 0.1, 0.0])]
            ends.append(len(names) - 1)
            named.append((names[-2], names[-1]))
    skeleton = Skeleton(
        tuple(names),
        np.array(parents),
        np.array(offsets),
        end_parents=np.array(ends),
        end_offsets=np.array([[0.02 * side, -0.4, 0.0] for _ in range(segments) for side in (1.0, -1.0)]),
    )
    return Creature.of(Morphology.from_names(skeleton, named, head="head", name=f"{segments} segments"))
