"""One chain of a body reaches for a point, by cyclic coordinate descent within the limits of its joints."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.ik._bodies import Body, Solution, arrays_of, positive, vectors, with_rotations
from locomote.ik._chains import Chain, joints_of
from locomote.ik._limits import JointLimit, JointLimits, limits_for
from locomote.motion import Motion
from locomote.rotations import ArrayLike, FloatArray

if TYPE_CHECKING:
    from locomote.ik._ccd import ChainSolution

_RETURN = 0.15  # s; how soon a frame forgets how the ones before it were turned, where many poses reach the goal


def reach(
    body: Body,
    chain: Chain,
    goal: ArrayLike,
    *,
    tip: ArrayLike | None = None,
    limits: Mapping[str, JointLimit] | None = None,
    tolerance: float = 1e-4,
    max_steps: int = 64,
) -> Solution[Body]:
    """Turn the joints of a chain so that its tip comes to a goal, or as near as it can.

    Characters are solved each for itself, from the poses they have. The frames of a motion are solved in order, each
    from its own pose turned as the one before it ended, so that elbows do not flip; a chain whose goals lead back to
    its own tip finds back to its own pose. A goal out of reach is pointed at.

    Parameters
    ----------
    body
        A motion, or poses of several characters.
    chain
        A limb ("left arm", "right leg"; "left leg 1" in the second pair from the front), a `Leg` or `Arm` of
        ``skeleton.roles``, or joints from the base to the tip by name or number; those between two that are named
        belong to the chain. The last joint is the tip and does not turn, unless there is a ``tip``.
    goal
        World positions ``(3,)`` or ``(N, 3)``, m: one for all, or one for each frame or character.
    tip
        A point ``(3,)`` in the frame of the last joint, m, that comes to the goal in place of the joint itself; then
        the last joint turns too.
    limits
        Joint name: how far it may turn. Joints that are not named are free; those outside the chain are not looked at.
    tolerance
        How near to the goal is near enough, m.
    max_steps
        Passes over the chain, at most.

    Returns
    -------
    Solution
        ``pose, error, steps, success``; all joints outside the chain are unchanged.

    Raises
    ------
    SkeletonError
        There is no such joint or limb, or the joints are not one below the other.
    LocomoteError
        A number or a shape is wrong.
    """
    arrays = arrays_of(body)
    joints = joints_of(arrays.skeleton, chain)
    goals = arrays.goals("goal", goal)
    bones = arrays.offsets[:, joints[1:]]
    if tip is None:
        turning = joints[:-1]
    else:
        point = np.broadcast_to(vectors("tip", tip, 1), (len(bones), 1, 3))
        turning, bones = joints, np.concatenate([bones, point], axis=1)
    lengths = np.linalg.norm(bones, axis=-1).sum(axis=-1) * arrays.scales
    if not turning or np.any(lengths <= 0.0):
        raise LocomoteError("a chain needs a bone to turn: give a joint further up, or a tip away from the joint")
    if max_steps < 0:
        raise LocomoteError(f"max_steps {max_steps}: expected 0 or more")
    positions, world = arrays.world()
    above = int(arrays.skeleton.parents[turning[0]])
    carriers = rot.identity(len(arrays)) if above < 0 else world[:, above]
    chains = _Chains(
        arrays.rotations[:, turning],
        np.broadcast_to(bones, (len(arrays), *bones.shape[1:])),
        positions[:, turning[0]],
        carriers,
        goals,
        positive("tolerance", tolerance) / lengths,
    )
    rows = limits_for(arrays.skeleton, turning, limits)
    fps = body.fps if isinstance(body, Motion) else None
    solved = chains.solve(rows, max_steps) if fps is None else _in_order(chains, rows, max_steps, fps)
    arrays.rotations[:, turning] = solved.rotations
    error = solved.errors * arrays.scales
    return Solution(with_rotations(body, arrays.rotations), error, solved.rounds, error <= tolerance)


class _Chains(NamedTuple):
    """N chains and their goals, see `locomote.ik._ccd.solve_chains`."""

    rotations: FloatArray  # (N, K, 4) from which they start
    bones: FloatArray  # (N, K, 3)
    bases: FloatArray  # (N, 3)
    carriers: FloatArray  # (N, 4) world rotations of what carries the chains
    goals: FloatArray  # (N, 3)
    tolerances: FloatArray  # (N,) of the chains' lengths

    def solve(self, limits: JointLimits, max_steps: int) -> ChainSolution:
        """Reach, each for itself."""
        from locomote.ik._ccd import solve_chains

        rotations, bones, bases, carriers, goals, tolerances = (np.array(part, order="C") for part in self)
        return solve_chains(rotations, bones, bases, carriers, goals, limits, tolerances, max_steps)


def _in_order(chains: _Chains, limits: JointLimits, max_steps: int, fps: float) -> ChainSolution:
    """Frame after frame of one chain: each begins turned from its own pose as the one before it ended.

    What is left of that turn fades, so that the chain finds back to its own pose when its goal does.
    """
    from locomote.ik._ccd import ChainSolution

    keep = math.exp(-1.0 / (fps * _RETURN))
    own, turns, found = chains.rotations, rot.identity(chains.rotations.shape[1]), []
    for n in range(len(own)):
        start = rot.multiply(own[n], turns)
        one = _Chains(*(part[n : n + 1] for part in chains))._replace(rotations=start[None])
        found.append(one.solve(limits, max_steps))
        turn = rot.log(rot.multiply(rot.inverse(own[n]), found[-1].rotations[0]))
        turns = rot.exp(keep * turn)
    return ChainSolution(*(np.concatenate(parts) for parts in zip(*found, strict=True)))
