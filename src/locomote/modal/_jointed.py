"""A skeleton as bodies joined by springs: which joints are hinges, who carries what, how stiff each joint is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.masses import Masses, is_person
from locomote.modal._linkage import Link, Linkage
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton, checked_skeleton

PERSON = 100.0  # N m/rad, of every joint of a person
PERSON_SPINE, SPINE = 10.0, 5.0  # times as stiff is the spine of people, and of other bodies
LENT = 0.1  # of what it hangs on: the mass of a neck or collar-bone that carries nothing by the table of people
_BENT = np.radians(3.0)  # rad from which on the bend of a joint at rest tells how it folds
_THICK = 1e-3  # of the length of its longest bone that every body is thick, at least


@dataclass(frozen=True, eq=False)
class JointedBody:
    """A skeleton in a rest pose that faces +Z, as a linkage: a body for every joint that carries something."""

    skeleton: Skeleton
    rest: FloatArray  # (J, 4) local rotations of the pose about which it vibrates
    linkage: Linkage
    joints: IntArray  # (B,) the joint of every body
    bodies: IntArray  # (J,) the body that every joint is part of

    @classmethod
    def of(
        cls,
        skeleton: Skeleton,
        masses: Masses | None = None,
        rest: FloatArray | None = None,
        stiffness: float = 1.0,
        factors: Mapping[str, float] | None = None,
    ) -> JointedBody:
        """A skeleton with what its joints carry.

        Knees, elbows and all joints below them are hinges, the others ball joints; joints that carry nothing are rigid.

        Parameters
        ----------
        skeleton : whose
        masses : what its joints carry; as `Masses.of` has it unless given
        rest : (J, 4) local rotations of the pose about which it vibrates; its rest pose unless given
        stiffness : N m/rad, of all joints
        factors : times as stiff are some of them, by groups ("spine", "legs", "arms", "tail"), names or patterns
        """
        skeleton = checked_skeleton(skeleton, "JointedBody.of")
        turns = np.array(skeleton.rest_rotations if rest is None else rest, dtype=np.float64)
        if turns.shape != (len(skeleton), 4) or not np.all(np.isfinite(turns)):
            raise LocomoteError(f"rest: expected {len(skeleton)} local rotations (w, x, y, z), got {turns.shape}")
        turns[0] = rot.multiply(rot.inverse(rot.from_yaw(_faces(skeleton))), turns[0])
        posed = replace(skeleton, rest_rotations=turns)
        given = Masses.of(skeleton) if masses is None else masses
        if len(given.mass) != len(skeleton):
            raise LocomoteError(f"masses of {len(given.mass)} joints do not fit a skeleton of {len(skeleton)}")
        carried = _lend(skeleton, given)
        bodies, joints = _bodies(skeleton, carried)
        places, world = posed.rest_pose()
        frames = rot.to_matrix(world[joints])
        thick = (_THICK * float(np.max(np.linalg.norm(skeleton.offsets[1:], axis=1), initial=1e-3))) ** 2
        mass = carried.mass[joints]
        inertia = frames @ carried.inertia[joints] @ np.swapaxes(frames, 1, 2) + thick * mass[:, None, None] * np.eye(3)
        hinges = _hinges(skeleton, places, world)
        stiff = stiffness * _factors(skeleton, factors or {})
        links = tuple(
            Link(
                int(bodies[skeleton.parents[j]]),
                int(bodies[j]),
                places[j],
                hinges.get(int(j), np.eye(3)),
                float(stiff[j]),
                skeleton.names[j],
            )
            for j in joints[1:]
        )
        names = tuple(skeleton.names[j] for j in joints)
        centre = carried.centres(places, world)[joints]
        linkage = Linkage(names, mass, centre, inertia, links, places[0])
        return cls(skeleton, turns, linkage, joints, bodies)

    @cached_property
    def world(self) -> tuple[FloatArray, FloatArray]:
        """Places ``(J, 3)`` m and rotations ``(J, 4)`` of the joints at rest."""
        return replace(self.skeleton, rest_rotations=self.rest).rest_pose()

    @cached_property
    def feet(self) -> FloatArray:
        """The points ``(F, 3)`` m with which its legs stand at rest; of people, the ankles: toes drop as knees bend."""
        places, world = self.world
        flat = is_person(self.skeleton)
        points = [
            places[leg.ankle] if flat else places[leg.toe] + rot.rotate(world[leg.toe], np.array(leg.toe_offset))
            for leg in self.skeleton.roles.legs
        ]
        return np.array(points).reshape(-1, 3)

    @cached_property
    def leg_length(self) -> float:
        """m, from the hips to the feet; half of its longest way without legs."""
        legs = self.skeleton.roles.legs
        if legs:
            hips = self.world[0][[leg.hip for leg in legs]]
            return float(np.mean(np.linalg.norm(hips - self.feet, axis=1)))
        return 0.5 * float(np.max(np.ptp(self.world[0], axis=0), initial=1e-3))

    def body(self, joint: str | int) -> int:
        """The body that a joint, by name or number, is part of."""
        return int(self.bodies[self.skeleton.index(joint) if isinstance(joint, str) else joint])

    def with_linkage(self, linkage: Linkage) -> JointedBody:
        """The same skeleton with other springs."""
        return replace(self, linkage=linkage)

    def link_factors(self, factors: Mapping[str, float]) -> FloatArray:
        """Factors of stiffness for each link ``(L,)``, by groups, names or patterns of joints."""
        return _factors(self.skeleton, factors)[self.joints[1:]]


def groups(skeleton: Skeleton) -> dict[str, tuple[int, ...]]:
    """Joints that are spoken of together."""
    roles = skeleton.roles
    head = () if roles.head is None else (roles.head,)
    arms = [(arm.clavicle, arm.shoulder, arm.elbow, arm.wrist) for arm in roles.arms]
    return {
        "spine": (*roles.spine, *roles.neck, *head),
        "legs": tuple(j for leg in roles.legs for j in leg.chain),
        "arms": tuple(j for arm in arms for j in arm if j is not None),
        "tail": roles.tail,
    }


def usual_factors(skeleton: Skeleton) -> dict[str, float]:
    """Spines are stiffer than limbs."""
    return {"spine": PERSON_SPINE if is_person(skeleton) else SPINE}


def _factors(skeleton: Skeleton, told: Mapping[str, float]) -> FloatArray:
    """The factor of every joint ``(J,)``."""
    out, known = np.ones(len(skeleton)), groups(skeleton)
    for name, factor in told.items():
        if not 0.0 < factor < np.inf:
            raise LocomoteError(f"stiffness of {name!r}: expected a factor above 0, got {factor:g}")
        which: Iterable[int] = known.get(name, ())
        if name not in known:
            which = [j for j, joint in enumerate(skeleton.names) if fnmatchcase(joint, name)]
            if not which:
                raise LocomoteError(f"stiffness: no joint or group {name!r}; groups are {', '.join(known)}")
        out[list(which)] *= factor
    return out


def _faces(skeleton: Skeleton) -> float:
    x, _, z = skeleton.roles.forward
    return float(np.arctan2(x, z))


def _lend(skeleton: Skeleton, masses: Masses) -> Masses:
    """Necks and collar-bones that the table of people has no mass for take a little of what they hang on, as rods."""
    mass, centre, inertia = masses.mass.copy(), masses.centre.copy(), masses.inertia.copy()
    roles = skeleton.roles
    for bone in (*roles.spine, *roles.neck, *(arm.clavicle for arm in roles.arms)):
        if bone is None or mass[bone] > 0.0 or not (children := skeleton.children(bone)):
            continue
        parent = int(skeleton.parents[bone])
        reach = skeleton.offsets[children].mean(axis=0)
        square = float(reach @ reach)
        if mass[parent] <= 0.0 or square == 0.0:
            continue
        taken = LENT * masses.mass[parent]
        mass[parent] -= taken
        inertia[parent] *= mass[parent] / (mass[parent] + taken)
        mass[bone], centre[bone] = taken, 0.5 * reach
        # A rod a quarter as thick as it is long.
        inertia[bone] = taken / 12.0 * (1.2 * square * np.eye(3) - 1.1 * np.outer(reach, reach))
    return Masses(mass, centre, inertia)


def _bodies(skeleton: Skeleton, masses: Masses) -> tuple[IntArray, IntArray]:
    """The body of every joint, and the joint of every body; what carries nothing belongs to what it hangs on."""
    below = masses.mass.copy()
    for j in range(len(skeleton) - 1, 0, -1):
        below[skeleton.parents[j]] += below[j]
    if below[0] <= 0.0:
        raise LocomoteError("a body without mass does not vibrate")
    first = 0
    while masses.mass[first] == 0.0:  # empty nodes above the pelvis belong to it
        first = max(skeleton.children(first), key=lambda child: float(below[child]))
    joints = [first, *(int(j) for j in np.flatnonzero(masses.mass) if j != first)]
    body = np.full(len(skeleton), -1, dtype=np.int64)
    body[joints] = np.arange(len(joints))
    for j in skeleton.ancestors(first):
        body[j] = 0
    for j in range(1, len(skeleton)):
        if body[j] < 0:
            body[j] = body[skeleton.parents[j]]
    return body, np.array(joints, dtype=np.int64)


def _hinges(skeleton: Skeleton, places: FloatArray, world: FloatArray) -> dict[int, FloatArray]:
    """The axis ``(1, 3)`` of every joint that is a hinge, about which it bends further."""
    roles = skeleton.roles
    axes: dict[int, FloatArray] = {}
    for leg in roles.legs:
        tip = places[leg.toe] + rot.rotate(world[leg.toe], np.array(leg.toe_offset))
        points = np.concatenate([places[list(leg.chain)], tip[None]])
        axes |= _limb(leg.chain, points, -1.0)
    for arm in roles.arms:
        chain = (arm.shoulder, arm.elbow, arm.wrist)
        last = places[arm.wrist] + 0.5 * (places[arm.wrist] - places[arm.elbow])
        axes |= _limb(chain, np.concatenate([places[list(chain)], last[None]]), 1.0)
    return axes


def _limb(chain: tuple[int, ...], points: FloatArray, ahead: float) -> dict[int, FloatArray]:
    """Hinges of a limb below its first joint, all about one axis: that of its plane, or across it where it is straight.

    ``ahead`` is 1 for limbs that, when straight, fold forwards as arms do, and -1 for others.
    """
    bones = np.diff(points, axis=0)
    lengths = np.linalg.norm(bones, axis=1)
    ways = bones / np.maximum(lengths, 1e-9)[:, None]
    bends = np.cross(ways[:-1], ways[1:])  # (K - 1, 3) of the joints below the first
    angles = np.linalg.norm(bends, axis=1)
    across = np.cross(points[-2] - points[0], (0.0, 0.0, ahead))
    if np.linalg.norm(across) < 1e-9:
        across = np.array([1.0, 0.0, 0.0])
    bent = len(angles) > 0 and angles.max() > np.sin(_BENT)
    normal = bends[int(np.argmax(angles))] if bent else across
    normal = normal / np.linalg.norm(normal)
    axes = {}
    for joint, bend, angle in zip(chain[1:], bends, angles, strict=True):
        own = bend if angle > np.sin(_BENT) else across
        axes[joint] = (normal if own @ normal >= 0.0 else -normal)[None]
    return axes
