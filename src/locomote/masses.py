"""Mass, centre of mass and inertia of the segment that every joint of a body carries.

People have them from a table, scaled by their own bones; other bodies from the volume of their skins, or of capsules
along their bones where there is no skin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.body import Body, capsule_body
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton, checked_skeleton

PERSON = 70.0  # kg, of a person of whom nothing else is known
DENSITY = 1000.0  # kg/m3, of bodies without a table


class _Limb(NamedTuple):
    """A limb of the table: shares of the body's mass, of its own length from the upper end, and of that again."""

    share: float
    centre: float
    across: float  # radius of gyration about an axis square to the limb
    along: float  # and about its own


class _Trunk(NamedTuple):
    """A part of the trunk, from the hips up; lengths are shares of the stature."""

    share: float
    length: float
    centre: float  # from its lower end, of its length
    wide: float  # spread of its mass to the sides
    deep: float  # and to front and back


# Means of women and men of de Leva (1996), after the scans of Zatsiorsky.
_HEAD = _Limb(0.0681, 0.0385, 0.042, 0.036)  # all but the share in statures: from the joint of the head upwards
_UPPER_ARM = _Limb(0.0263, 0.5763, 0.274, 0.153)
_FOREARM = _Limb(0.0150, 0.4567, 0.265, 0.108)
_HAND = _Limb(0.0059, 0.044, 0.028, 0.019)  # in statures, on from the wrist
_THIGH = _Limb(0.1447, 0.3854, 0.349, 0.156)
_SHANK = _Limb(0.0457, 0.4418, 0.261, 0.098)
_FOOT = _Limb(0.0133, 0.4208, 0.268, 0.132)  # from the heel to the tip of the toes
_TRUNK = (
    _Trunk(0.1182, 0.0915, 0.430, 0.038, 0.031),
    _Trunk(0.1549, 0.1215, 0.550, 0.047, 0.032),
    _Trunk(0.1571, 0.0930, 0.600, 0.058, 0.025),
)
_LEG_LENGTH = 0.49  # of the stature, hip to ankle
_HEEL_BEHIND = 0.22  # of the foot's length from heel to toes, behind the ankle
_SLICES = 24  # of each part of the trunk, shared among the joints of the spine


@dataclass(frozen=True, eq=False)
class Masses:
    """What every joint of a skeleton carries: all in the frame of that joint.

    Joints that carry nothing (fingers, clavicles, the ends of chains) have mass 0.

    >>> from locomote.human_skeleton import COMMON
    >>> person = Masses.of(COMMON.scaled(0.93), mass=70.0)
    >>> round(person.total, 6), round(person.mass[COMMON.index("LeftUpLeg")], 1)
    (70.0, 10.1)
    """

    mass: FloatArray  # (J,) kg
    centre: FloatArray  # (J, 3) m
    inertia: FloatArray  # (J, 3, 3) kg m2, about the centre

    def __post_init__(self) -> None:
        count = len(self.mass)
        for name, shape in (("mass", (count,)), ("centre", (count, 3)), ("inertia", (count, 3, 3))):
            values = np.array(getattr(self, name), dtype=np.float64)
            if values.shape != shape or not np.all(np.isfinite(values)):
                raise LocomoteError(f"masses: {name} must be finite, of shape {shape}; got {values.shape}")
            values.setflags(write=False)
            object.__setattr__(self, name, values)
        if np.any(self.mass < 0.0) or not np.any(self.mass > 0.0):
            raise LocomoteError("masses: none may be negative, and one must be above 0")

    @classmethod
    def of(cls, skeleton: Skeleton, mass: float | None = None, body: Body | None = None) -> Masses:
        """Masses of any body: a person's by the table of people, another's by its volume.

        Parameters
        ----------
        skeleton : whose
        mass : kg, of all; 70 of a person without it, and 1,000 kg/m3 of any other body
        body : the skin of any other body, in its bind pose; capsules along the bones without it
        """
        skeleton = checked_skeleton(skeleton, "Masses.of")
        if mass is not None and not 0.0 < mass < np.inf:
            raise LocomoteError(f"mass: expected kilograms above 0, got {mass}")
        if is_person(skeleton):
            return _person(skeleton, PERSON if mass is None else mass)
        return _volume(skeleton, mass, body or capsule_body(skeleton))

    @property
    def total(self) -> float:
        """kg"""
        return float(self.mass.sum())

    def centres(self, positions: FloatArray, turns: FloatArray) -> FloatArray:
        """The centres of the segments in the world, ``(..., J, 3)`` m.

        Parameters
        ----------
        positions, turns : (..., J, 3) m and (..., J, 4), of the joints in the world
        """
        return positions + rot.rotate(turns, self.centre)

    def centre_of_mass(self, positions: FloatArray, turns: FloatArray) -> FloatArray:
        """The centre of mass of the body, ``(..., 3)`` m.

        Parameters
        ----------
        positions, turns : (..., J, 3) m and (..., J, 4), of the joints in the world
        """
        weighed: FloatArray = self.mass @ self.centres(positions, turns) / self.total
        return weighed

    def joint_shares(self, skeleton: Skeleton) -> FloatArray:
        """Shares ``(J,)`` of the mass that, put at the joints themselves, have nearly the same centre of mass.

        Every segment is shared between its joint and those that hang on it, by where its centre lies between them.
        """
        shares = self.mass / self.total
        for j in np.flatnonzero(self.mass):
            children = skeleton.children(int(j))
            reach = skeleton.offsets[children].mean(axis=0) if children else np.zeros(3)
            if (length := float(reach @ reach)) > 0.0:
                part = self.mass[j] / self.total * float(self.centre[j] @ reach) / length
                shares[j] -= part
                shares[children] += part / len(children)
        return shares

    def scaled_to(self, mass: float) -> Masses:
        """The same body, as heavy as this, kg."""
        factor = mass / self.total
        return replace(self, mass=self.mass * factor, inertia=self.inertia * factor)


def is_person(skeleton: Skeleton) -> bool:
    """Whether the table of people fits: two legs, two arms and a head."""
    roles = skeleton.roles
    return len(roles.legs) == 2 and len(roles.arms) == 2 and roles.head is not None


class _Parts:
    """Segments that are gathered joint by joint, in the rest pose and the axes of the world."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.positions, self.turns = skeleton.rest_pose()
        self.mass = np.zeros(len(skeleton))
        self.centre = np.zeros((len(skeleton), 3))
        self.inertia = np.zeros((len(skeleton), 3, 3))

    def put(self, joint: int, mass: float, centre: npt.ArrayLike, spread: FloatArray) -> None:
        """A segment by its mass, centre and second moments ``(3, 3)`` m2 of its mass about the centre."""
        self.mass[joint], self.centre[joint] = mass, centre
        self.inertia[joint] = mass * (np.trace(spread) * np.eye(3) - spread)

    def limb(self, joint: int, mass: float, start: FloatArray, end: FloatArray, of: _Limb) -> None:
        """A limb between two points."""
        axis = end - start
        length = float(np.linalg.norm(axis))
        if length == 0.0:
            self.put(joint, mass, start, np.zeros((3, 3)))
            return
        axis = axis / length
        thick = 0.5 * of.along**2  # spread to either side
        spread = thick * np.eye(3) + (of.across**2 - 2.0 * thick) * np.outer(axis, axis)
        self.put(joint, mass, start + of.centre * length * axis, length**2 * spread)

    def masses(self) -> Masses:
        back = rot.inverse(self.turns)
        centre = np.where(self.mass[:, None] > 0.0, rot.rotate(back, self.centre - self.positions), 0.0)
        turn = rot.to_matrix(back)
        return Masses(self.mass, centre, turn @ self.inertia @ np.swapaxes(turn, 1, 2))


def _person(skeleton: Skeleton, mass: float) -> Masses:
    roles, parts = skeleton.roles, _Parts(skeleton)
    at = parts.positions
    stature = skeleton.leg_length() / _LEG_LENGTH
    for leg in roles.legs:
        parts.limb(leg.hip, mass * _THIGH.share, at[leg.hip], at[leg.knee], _THIGH)
        parts.limb(leg.knee, mass * _SHANK.share, at[leg.knee], at[leg.ankle], _SHANK)
        toe = at[leg.toe] + rot.rotate(parts.turns[leg.toe], np.array(leg.toe_offset))
        ahead = (toe - at[leg.ankle]) * (1.0, 0.0, 1.0)
        behind = _HEEL_BEHIND / (1.0 - _HEEL_BEHIND) * ahead
        if leg.heel_behind is not None:
            behind = leg.heel_behind * ahead / max(float(np.linalg.norm(ahead)), 1e-9)
        heel = at[leg.ankle] * (1.0, 0.5, 1.0) + (0.0, 0.5 * toe[1], 0.0) - behind
        parts.limb(leg.ankle, mass * _FOOT.share, heel, toe, _FOOT)
    for arm in roles.arms:
        parts.limb(arm.shoulder, mass * _UPPER_ARM.share, at[arm.shoulder], at[arm.elbow], _UPPER_ARM)
        parts.limb(arm.elbow, mass * _FOREARM.share, at[arm.elbow], at[arm.wrist], _FOREARM)
        along = at[arm.wrist] - at[arm.elbow]
        onwards = stature * along / max(float(np.linalg.norm(along)), 1e-9)
        parts.limb(arm.wrist, mass * _HAND.share, at[arm.wrist], at[arm.wrist] + onwards, _HAND)
    assert roles.head is not None  # a person has one
    parts.limb(roles.head, mass * _HEAD.share, at[roles.head], at[roles.head] + (0.0, stature, 0.0), _HEAD)
    _put_trunk(skeleton, parts, mass, stature)
    return parts.masses().scaled_to(mass)


def _put_trunk(skeleton: Skeleton, parts: _Parts, mass: float, stature: float) -> None:
    """The trunk, cut where the joints of the spine are."""
    roles, at = skeleton.roles, parts.positions
    low = np.mean([at[leg.hip] for leg in roles.legs], axis=0)
    high = at[roles.neck[0]] if roles.neck else np.mean([at[arm.shoulder] for arm in roles.arms], axis=0)
    axis = high - low
    share, height, wide, deep = _slices()
    joints = [roles.root, *roles.spine]
    begins = [(at[j] - low) @ axis / (axis @ axis) for j in joints]
    owner = np.maximum(np.searchsorted(np.maximum.accumulate(begins), height, side="right") - 1, 0)
    side = np.mean([at[arm.shoulder] * (1.0 if arm.side == "left" else -1.0) for arm in roles.arms], axis=0)
    side -= axis * (side @ axis) / (axis @ axis)
    side /= max(float(np.linalg.norm(side)), 1e-9)
    front = np.cross(side, axis / np.linalg.norm(axis))
    for k, joint in enumerate(joints):
        mine = owner == k
        if not np.any(mine):
            continue
        own = share[mine] / share[mine].sum()
        middle = own @ height[mine]
        spread = (own @ (height[mine] - middle) ** 2) * np.outer(axis, axis)
        spread += stature**2 * (own @ wide[mine] ** 2) * np.outer(side, side)
        spread += stature**2 * (own @ deep[mine] ** 2) * np.outer(front, front)
        parts.put(joint, mass * share[mine].sum(), low + middle * axis, spread)


def _slices() -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Share of the mass, height from hips (0) to neck (1), width and depth of thin slices of the trunk."""
    whole = sum(part.length for part in _TRUNK)
    base, rows = 0.0, []
    middle = (np.arange(_SLICES) + 0.5) / _SLICES
    for part in _TRUNK:
        density = middle ** ((2.0 * part.centre - 1.0) / (1.0 - part.centre))  # a power of height has this centre
        for u, weight in zip(middle, density / density.sum(), strict=True):
            rows.append((part.share * weight, (base + u * part.length) / whole, part.wide, part.deep))
        base += part.length
    share, height, wide, deep = np.array(rows).T
    return share, height, wide, deep


def _volume(skeleton: Skeleton, mass: float | None, body: Body) -> Masses:
    """Every joint carries the convex hull of the skin that follows it more than any other joint."""
    from scipy.spatial import ConvexHull, QhullError

    count = len(skeleton)
    masses, centres, inertias = np.zeros(count), np.zeros((count, 3)), np.zeros((count, 3, 3))
    owner = np.take_along_axis(body.joints, body.weights.argmax(axis=1)[:, None], axis=1)[:, 0]
    back = rot.inverse(body.bind_rotations)
    for j in range(count):
        points = rot.rotate(back[j], body.vertices[owner == j] - body.bind_positions[j])
        if len(points) < 4:
            continue
        try:
            hull = ConvexHull(points)
        except QhullError:  # flat: carries nothing
            continue
        inside = points[hull.vertices].mean(axis=0)
        corners = points[hull.simplices] - inside  # (T, 3, 3): tetrahedra from a point inside
        volume = np.abs(np.linalg.det(corners)) / 6.0
        total = float(volume.sum())
        if total <= 0.0:
            continue
        added = corners.sum(axis=1)
        centre = volume @ added / (4.0 * total)
        second = np.einsum("t,tki,tkj->ij", volume, corners, corners) + np.einsum("t,ti,tj->ij", volume, added, added)
        spread = second / 20.0 - total * np.outer(centre, centre)
        masses[j], centres[j] = DENSITY * total, inside + centre
        inertias[j] = DENSITY * (np.trace(spread) * np.eye(3) - spread)
    if not masses.any():
        raise LocomoteError("masses: this body has no volume; give a skin, or the masses themselves")
    found = Masses(masses, centres, inertias)
    return found if mass is None else found.scaled_to(mass)
