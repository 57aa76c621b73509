"""The few rigid bodies of a pose space: which joints move, and what each of them carries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.ik._chains import joint_index
from locomote.masses import Masses
from locomote.physics._kernels.reduced_dynamics import ROOT, State, Tree, Work, look, make_state, make_work
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import IntArray
from locomote.spaces._pose_space import PoseSpace

WORST = 1e4  # condition of the mass matrix beyond which steps are not to be trusted


@dataclass(frozen=True, eq=False)
class ReducedBody:
    """A pose space with masses: joints that keep their mean are part of the body above them, those without mass end.

    Made by `of`.
    """

    space: PoseSpace
    masses: Masses
    tree: Tree
    joints: IntArray  # (B,) of the skeleton, one for each body
    owner: IntArray  # (J,) the body of which each joint is a part
    offsets: FloatArray  # (J, 3) where each joint is in the frame of its body
    turns: FloatArray  # (J, 4) and how it is turned there

    @classmethod
    def of(cls, space: PoseSpace, masses: Masses) -> ReducedBody:
        """The bodies of a space.

        Parameters
        ----------
        space : whose coordinates move them
        masses : of the joints of its skeleton
        """
        skeleton, count = space.skeleton, len(space.skeleton)
        if len(masses.mass) != count:
            raise LocomoteError(f"masses: of {len(masses.mass)} joints, expected {count} as in the space")
        heavy = np.zeros(count, dtype=bool)
        for loaded in np.flatnonzero(masses.mass):
            heavy[skeleton.ancestors(int(loaded))] = True
        own = np.any(space.directions != 0.0, axis=(0, 2)) & heavy
        own[0] = True
        joints = np.flatnonzero(own)
        owner, offsets, turns = np.zeros(count, dtype=np.int64), np.zeros((count, 3)), rot.identity(count)
        hung = np.zeros((count, 3))
        for j in range(1, count):
            parent = int(skeleton.parents[j])
            place = offsets[parent] + rot.rotate(turns[parent], skeleton.offsets[j])
            if own[j]:
                owner[j], hung[j] = int(np.searchsorted(joints, j)), place
            else:
                fixed = space.mean_rotations[j] if heavy[j] else skeleton.rest_rotations[j]
                owner[j], offsets[j], turns[j] = owner[parent], place, rot.multiply(turns[parent], fixed)
        parents = np.array([-1, *(owner[skeleton.parents[j]] for j in joints[1:])], dtype=np.int64)
        # A joint on a part of another body hangs there turned as that part is.
        mean = np.stack([rot.multiply(turns[max(skeleton.parents[j], 0)], space.mean_rotations[j]) for j in joints])
        mean[0] = rot.IDENTITY
        mass, centre, inertia = _gathered(masses, owner, offsets, turns, len(joints))
        directions = np.ascontiguousarray(space.by_joint[joints])
        directions[0] = 0.0
        tree = Tree(parents, np.ascontiguousarray(hung[joints]), mean, directions, mass, centre, inertia)
        return cls(space, masses, tree, joints, owner, offsets, turns)

    @property
    def total(self) -> float:
        """Its mass, kg."""
        return self.masses.total

    @property
    def unknowns(self) -> int:
        """Velocities: six of the root and one for each coordinate."""
        return ROOT + len(self.space)

    def state(self) -> State:
        """At rest, the mean pose at the origin."""
        return make_state(len(self.space))

    def work(self) -> Work:
        """Memory for sweeps."""
        return make_work(len(self.joints), len(self.space))

    def point(self, joint: str | int, point: ArrayLike = (0.0, 0.0, 0.0)) -> tuple[int, FloatArray]:
        """The body that carries a point of a joint, and where on it.

        Parameters
        ----------
        joint : by name or number
        point : (3,) m, in the frame of the joint
        """
        j = joint_index(self.space.skeleton, joint)
        out: FloatArray = self.offsets[j] + rot.rotate(self.turns[j], np.asarray(point, dtype=np.float64))
        return int(self.owner[j]), out

    def mass_matrix(self, x: ArrayLike) -> FloatArray:
        """The mass matrix ``(6 + k, 6 + k)`` at coordinates, the root unturned."""
        state, work = self.state(), self.work()
        state.x[:] = x
        look(self.tree, state, np.zeros(3), work)
        return work.matrix

    @cached_property
    def condition(self) -> float:
        """Condition number of the mass matrix at the mean pose."""
        return float(np.linalg.cond(self.mass_matrix(np.zeros(len(self.space)))))

    def check(self) -> None:
        """Refuse spaces with directions that move next to no mass."""
        if self.condition > WORST:
            raise LocomoteError(
                f"the mass matrix of this space has the condition {self.condition:.0e}, more than {WORST:.0e}: "
                'some directions move next to no mass; fit it with metric="kinetic"'
            )


def _gathered(
    masses: Masses, owner: IntArray, offsets: FloatArray, turns: FloatArray, count: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mass, centre and inertia of each body from those of the joints that are its parts."""
    mass, centre, inertia = np.zeros(count), np.zeros((count, 3)), np.zeros((count, 3, 3))
    centres = offsets + rot.rotate(turns, masses.centre)
    np.add.at(mass, owner, masses.mass)
    np.add.at(centre, owner, masses.mass[:, None] * centres)
    centre /= np.where(mass > 0.0, mass, 1.0)[:, None]
    matrices = rot.to_matrix(turns)
    away = centres - centre[owner]
    spread = np.einsum("ja,ja->j", away, away)[:, None, None] * np.eye(3) - np.einsum("ja,jb->jab", away, away)
    whole = matrices @ masses.inertia @ np.swapaxes(matrices, 1, 2) + masses.mass[:, None, None] * spread
    np.add.at(inertia, owner, whole)
    return mass, centre, inertia
