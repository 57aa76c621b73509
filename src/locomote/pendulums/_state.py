"""Pendulums in motion: the state of one tree for any number of characters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.pendulums._kernels import layout as at
from locomote.pendulums._tree import Tree
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

MERGES = ("sum", "mean", "mass", "priority")
MODES = ("exact", "source")

Scratch = tuple[FloatArray, IntArray, FloatArray]  # moves, picked and eight of `Swing`


class Pendulums:
    """N characters with a tree each; a step takes the animation's anchors and frames and a push, if there is one.

    Parameters
    ----------
    tree : of P pendulums
    anchors : (N, P, 3) m, where bars hang in the animation
    frames : (N, P, 4), how bars lie in the animation; +Y is the bar
    merge : how pushes of several sons meet in their father: "sum", "mean", "mass" or "priority"
    overlay : the animation's own movement swings nothing, only what deviates from it does
    mode : "exact", or "source": masses stay behind by geometry alone, which depends on the frame rate; for comparison
    velocities : (N, P, 3) m/s, of the anchors at the beginning
    """

    def __init__(
        self,
        tree: Tree,
        anchors: FloatArray,
        frames: FloatArray,
        *,
        merge: str = "sum",
        overlay: bool = False,
        mode: str = "exact",
        velocities: FloatArray | None = None,
    ) -> None:
        if merge not in MERGES:
            raise LocomoteError(f"pushes merge by one of {', '.join(MERGES)}, not {merge!r}")
        if mode not in MODES or (overlay and mode == "source"):
            raise LocomoteError(f"mode {mode!r}: pendulums move by 'exact', or outside overlays by 'source'")
        self._merge, self._manner = merge, (merge != "sum", mode == "source", overlay)
        self._set_tree(tree)
        shape = (len(anchors), len(tree))
        self._shapes = (*shape, 3), (*shape, 4), shape
        self._anchors, self._frames = _shaped(anchors, self._shapes[0]), _shaped(frames, self._shapes[1])
        self._state = np.zeros((*shape, at.STATE))
        self._state[..., at.ANCHOR : at.ANCHOR + 3] = self._anchors
        self._state[..., at.ANIMATED_ANCHOR : at.ANIMATED_ANCHOR + 3] = self._anchors
        self._state[..., at.ANIMATED_FRAME : at.ANIMATED_FRAME + 4] = self._frames
        self._state[..., at.TARGET : at.TARGET + 4] = self._frames
        tips = resting_tips(tree, self._anchors, self._frames)
        self._state[..., at.TIP : at.TIP + 3] = tips
        if not overlay:
            self._state[..., at.RESTING : at.RESTING + 3] = tips
            if velocities is not None:
                self._state[..., at.VELOCITY : at.VELOCITY + 3] = velocities
        self._state[..., at.DEFLECTION] = 1.0
        self._still, self._untwisted = np.zeros((0, len(tree), 3)), np.zeros((0, len(tree)))
        self.rows = self._state.reshape(-1, at.STATE)
        self.calm = np.zeros(len(anchors))  # for the kernels: who is taken along without a kick
        self._scratch = self._make_scratch()
        self._kernel: Callable[..., None] | None = None  # prepared by the first step

    @property
    def tree(self) -> Tree:
        """What swings; a tree of the same shape may take its place at any time."""
        return self._tree

    @tree.setter
    def tree(self, tree: Tree) -> None:
        if not np.array_equal(tree.parents, self._tree.parents):
            raise LocomoteError("only a tree of the same shape can take the place of another")
        self._set_tree(tree)

    @property
    def anchors(self) -> FloatArray:
        """Where the bars hang, ``(N, P, 3)`` in the world."""
        return self._state[..., at.ANCHOR : at.ANCHOR + 3]

    @property
    def tips(self) -> FloatArray:
        """Where the bars end, ``(N, P, 3)`` in the world."""
        return self._state[..., at.TIP : at.TIP + 3]

    @property
    def swings(self) -> FloatArray:
        """How far the bars lean along x and z of their target frames, ``(N, P, 2)`` rad; may be written."""
        return self._state[..., at.SWING : at.SWING + 2]

    @property
    def rates(self) -> FloatArray:
        """How fast they do, ``(N, P, 2)`` rad/s; may be written."""
        return self._state[..., at.SWING_RATE : at.SWING_RATE + 2]

    @property
    def twists(self) -> FloatArray:
        """How far the bars are turned about themselves, ``(N, P)`` rad; may be written."""
        return self._state[..., at.TWIST]

    @property
    def deflections(self) -> FloatArray:
        """The rotations from the animated bars to the real ones, ``(N, P, 4)`` in the world."""
        return self._state[..., at.DEFLECTION : at.DEFLECTION + 4]

    def step(
        self,
        dt: float,
        anchors: FloatArray | None = None,
        frames: FloatArray | None = None,
        pushes: FloatArray | None = None,
        twists: FloatArray | None = None,
    ) -> None:
        """Bring the pendulums on, to where the animation is then; without it, the animation stands.

        Parameters
        ----------
        dt : s
        anchors, frames : (N, P, 3) m and (N, P, 4)
        pushes : (N, P, 3) m in the world, that move tips and drag fathers along
        twists : (N, P) rad, that turn bars
        """
        if not dt > 0.0:
            raise LocomoteError(f"a step of pendulums must take some time, got {dt} s")
        if anchors is not None:
            self._anchors = _shaped(anchors, self._shapes[0])
        if frames is not None:
            self._frames = _shaped(frames, self._shapes[1])
        swing = self.arrays(dt)
        if self._kernel is None:
            self._kernel = self._prepared(swing)
        self._kernel(
            dt,
            self._anchors,
            self._frames,
            self._still if pushes is None else _shaped(pushes, self._shapes[0]),
            self._untwisted if twists is None else _shaped(twists, self._shapes[2]),
            swing,
        )

    def arrays(self, dt: float, rows: tuple[int, int] | None = None) -> at.Swing:
        """What the kernels need for a step.

        Parameters
        ----------
        dt : s
        rows : first and behind the last of those who are stepped, all unless given; they have scratch of their own, so
            that threads may work on several sets of them at once
        """
        if dt != self._dt:
            self._set_step(dt)
        if rows is None or rows == (0, len(self.calm)):
            return self._packed
        (first, last), count = rows, len(self._tree)
        moves, picked, eight = self._make_scratch()
        return self._packed._replace(
            calm=self.calm[first:last],
            state=self.rows[first * count : last * count],
            moves=moves,
            picked=picked,
            eight=eight,
        )

    def _make_scratch(self) -> Scratch:
        from locomote.pendulums._kernels.lanes import LANES, ROWS

        return (
            np.zeros((len(self._tree), at.PUSH)),
            np.zeros((4, LANES), dtype=np.int64),
            np.zeros(ROWS * LANES),
        )

    def _prepared(self, swing: at.Swing) -> Callable[..., None]:
        """The kernel of a step; `_shaped` sees to it that all arrays are of the kinds that it is prepared for."""
        from locomote.math._compile import prepared
        from locomote.pendulums._kernels.step import step_pendulums

        return prepared(step_pendulums, 0.0, self._still, self._still, self._still, self._untwisted, swing)

    def _set_tree(self, tree: Tree) -> None:
        self._tree = tree
        self._dt = -1.0

    def _set_step(self, dt: float) -> None:
        tree = self._tree
        rows = np.zeros((len(tree), at.SETTINGS))
        rows[:, at.LENGTH] = tree.lengths
        rows[:, at.TRAIL] = tree.drag / tree.levers * [-2.0 * s.damping / s.rate for s in tree.springs]
        rows[:, at.INHERIT] = tree.inherit
        rows[:, at.CONE] = tree.cone
        rows[:, at.TWIST_LIMIT] = tree.twist_limit
        steps = {s: s.transition(dt).reshape(4) for s in set(tree.springs)}
        rows[:, at.KEEP : at.HOLD + 1] = [steps[s] for s in tree.springs]
        rows[:, at.SWAY] = 1.0 / tree.levers
        rows[:, at.CONE_COSINE] = np.cos(tree.cone)
        weights = {"mass": tree.masses, "priority": tree.priorities}
        rows[:, at.WEIGHT] = weights.get(self._merge, 1.0)
        settings, kinds = np.unique(rows, axis=0, return_inverse=True)
        links = np.concatenate([tree.links, kinds.reshape(1, -1)])
        self._packed = at.Swing(links, tree.levels, settings, *self._manner, self.calm, self.rows, *self._scratch)
        self._dt = dt


def resting_tips(tree: Tree, anchors: FloatArray, frames: FloatArray) -> FloatArray:
    """Where the tips are while nothing swings."""
    bars: FloatArray = tree.lengths[:, None] * rot.rotate(frames, np.array([0.0, 1.0, 0.0]))
    return anchors + bars


def _shaped(values: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.shape != shape:
        raise LocomoteError(f"pendulums expected an array of shape {shape}, got {array.shape}")
    return array
