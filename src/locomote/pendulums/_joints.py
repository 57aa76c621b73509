"""Joints that swing, frame by frame: pendulums on the skeletons of characters whose poses are made live."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.motion import Poses
from locomote.pendulums._kernels.layout import Swing
from locomote.pendulums._state import Pendulums
from locomote.pendulums._tree import Tree
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

if TYPE_CHECKING:
    from locomote.pendulums._kernels.joints import Memory, Rig

Span = tuple[int, int]  # the first of some rows and the one behind their last


class SwingingJoints:
    """Some joints of N characters on one skeleton swing behind whatever poses them.

    ``step`` turns these joints in the poses that it is given. What poses them need not turn them back: a joint that is
    found as it was left counts as not animated anew.

    Parameters
    ----------
    skeleton : that all share
    tree : the joints that swing
    count : N
    overlay : only pushes swing anything
    merge : how pushes of several sons meet in their father: "sum", "mean", "mass" or "priority"
    """

    def __init__(
        self, skeleton: Skeleton, tree: Tree, count: int = 1, *, overlay: bool = False, merge: str = "sum"
    ) -> None:
        from locomote.pendulums._kernels.joints import Memory, Rig, swing_joints
        from locomote.pendulums._kernels.step import LOST

        if np.any(tree.joints < 0):
            raise LocomoteError("joints swing by a tree made from their skeleton: see Tree.from_skeleton")
        above = {int(a) for j in tree.joints for a in skeleton.ancestors(int(j))}
        nodes = np.full(len(skeleton), -1)
        nodes[tree.joints] = np.arange(len(tree))
        self._rig: Rig = Rig(
            np.array(skeleton.parents, dtype=np.int64),
            np.ascontiguousarray(skeleton.offsets, dtype=np.float64),
            np.array(sorted(above)),
            nodes,
            tree.joints,
            np.ascontiguousarray(tree.bar_rotations),
        )
        shape = (count, len(tree))
        self.pendulums = Pendulums(tree, np.zeros((*shape, 3)), rot.identity(*shape), overlay=overlay, merge=merge)
        self.memory: Memory = Memory(
            animated=np.zeros((*shape, 4)),
            written=np.zeros((*shape, 4)),
            shares=np.ones(shape),
            roots=np.full((count, 3), np.nan),
            anchors=np.zeros((*shape, 3)),
            frames=rot.identity(*shape),
            world=np.zeros((len(skeleton), 7)),
        )
        self.pendulums.calm[:] = LOST
        self._none = np.zeros((0, len(tree), 3))
        self._kernel = swing_joints

    @property
    def rig(self) -> Rig:
        """The skeleton, for the kernels."""
        return self._rig

    @property
    def shares(self) -> FloatArray:
        """How much of its swing every joint shows, ``(N, P)``, 0 to 1; may be written."""
        return self.memory.shares

    def reset(self) -> None:
        """Let all hang still, wherever they are found next."""
        from locomote.pendulums._kernels.step import LOST

        self.pendulums.swings[:] = 0.0
        self.pendulums.rates[:] = 0.0
        self.pendulums.calm[:] = LOST

    def arrays(self, dt: float, rows: Span | None = None) -> tuple[Memory, Swing]:
        """The arrays of a step for the kernels.

        Parameters
        ----------
        dt : s
        rows : first and behind the last of those who are stepped, all unless given; they have scratch of their own
        """
        swing, memory = self.pendulums.arrays(dt, rows), self.memory
        if rows is None or rows == (0, len(memory.roots)):
            return memory, swing
        some = slice(*rows)
        own = memory._replace(
            animated=memory.animated[some],
            written=memory.written[some],
            shares=memory.shares[some],
            roots=memory.roots[some],
            anchors=memory.anchors[some],
            frames=memory.frames[some],
            world=np.zeros_like(memory.world),
        )
        return own, swing

    def step(self, dt: float, poses: Poses, pushes: FloatArray | None = None, rows: Span | None = None) -> None:
        """Bring the joints on and turn them in the poses.

        Parameters
        ----------
        dt : s; 0 takes them along as they swing
        poses : of N characters, changed in place
        pushes : (N, P, 3) m in the world, that move the tips of bones
        rows : first and behind the last of those who are stepped, all unless given; threads may share the work
        """
        some = slice(None) if rows is None else slice(*rows)
        self._kernel(
            dt,
            poses.root_positions[some],
            poses.rotations[some],
            self._none if pushes is None else pushes[some],
            self._rig,
            *self.arrays(dt, rows),
        )
