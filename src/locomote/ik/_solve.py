"""Several points of a body reach for goals at once, in order of priority, by damped least squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from locomote.errors import LocomoteError
from locomote.ik._bodies import Arrays, Body, Solution, arrays_of, positive, vectors, with_rotations
from locomote.ik._chains import Joint, joint_index
from locomote.ik._limits import JointLimit, limits_for
from locomote.rotations import ArrayLike, FloatArray


@dataclass(frozen=True, eq=False)
class Goal:
    """A point of a body and where it should be.

    Parameters
    ----------
    joint
        The joint that carries the point, by name or number.
    position
        Where the point should be in the world, ``(3,)`` or ``(N, 3)``, m.
    point
        The point ``(3,)`` in the frame of the joint, m; the joint itself by default.
    weight
        Against the other goals of the same priority, one or ``(N,)``; 0 switches the goal off.
    priority
        0 comes first; a later one moves the body only where those before it leave it free.
    """

    joint: Joint
    position: ArrayLike
    point: ArrayLike = (0.0, 0.0, 0.0)
    weight: ArrayLike = 1.0
    priority: int = 0


def solve(
    body: Body,
    goals: Sequence[Goal],
    *,
    joints: Sequence[Joint] | Mapping[str, float] | None = None,
    limits: Mapping[str, JointLimit] | None = None,
    tolerance: float = 1e-3,
    steps: int = 16,
    damping: float = 0.02,
) -> Solution[Body]:
    """Turn the joints of a body so that several of its points come to their goals, in order of priority.

    The root may turn if it is among ``joints``, but stays in its place. Two or three goals on one joint hold its
    direction too. A limb that is exactly straight does not find the way to a goal on its own line: start it bent.

    Parameters
    ----------
    body
        A motion, or poses of several characters.
    goals
        What should be where.
    joints
        Those that may turn, by name or number, or as a mapping from name to how freely, 0 (not at all) to 1. All but
        the root without it.
    limits
        Joint name: how far it may turn. Joints that are not named are free. Limits hold, but where they bite a goal
        may disturb one of a higher priority.
    tolerance
        The error that counts as success, m.
    steps
        Rounds; always all of them, so that the result is continuous in the goals. The last three for each priority
        settle the goals of those before it.
    damping
        Fraction of the way from the root to a goal's point: larger is calmer near stretched limbs, and slower.

    Returns
    -------
    Solution
        ``pose, error, steps, success``; ``error`` and ``success`` are ``(N, G)``, one column for each goal.

    Raises
    ------
    SkeletonError
        There is no such joint.
    LocomoteError
        A number or a shape is wrong.
    """
    from locomote.ik._dls import PointGoals, solve_trees

    arrays = arrays_of(body)
    skeleton, count = arrays.skeleton, len(arrays)
    if not goals:
        raise LocomoteError("goals: expected at least one")
    if steps < 0:
        raise LocomoteError(f"steps {steps}: expected 0 or more")
    asked = PointGoals(
        np.array([joint_index(skeleton, goal.joint) for goal in goals]),
        np.concatenate([vectors(f"goal {g}, point", goal.point, 1) for g, goal in enumerate(goals)]),
        np.stack([arrays.goals(f"goal {g}, position", goal.position) for g, goal in enumerate(goals)], axis=1),
        np.stack([_weights(g, goal, count) for g, goal in enumerate(goals)], axis=1),
        np.unique([goal.priority for goal in goals], return_inverse=True)[1],
    )
    freedom = _freedom(arrays, joints)
    rows = limits_for(skeleton, range(len(skeleton)), limits) if limits else None
    positive("damping", damping)
    parents = np.array(skeleton.parents)  # a copy: for arrays that cannot be written the kernel would compile anew
    error = np.empty(asked.weights.shape)
    # The kernel knows one skeleton: where joints move against their parents every frame has one of its own.
    pieces = [slice(None)] if len(arrays.offsets) == 1 else [slice(n, n + 1) for n in range(count)]
    for piece in pieces:
        solved = solve_trees(
            parents,
            np.array(arrays.offsets[piece][0]),
            arrays.roots[piece],
            arrays.rotations[piece],
            asked._replace(positions=asked.positions[piece], weights=asked.weights[piece]),
            freedom,
            rows,
            damping,
            steps,
        )
        arrays.rotations[piece], error[piece] = solved.rotations, solved.errors
    error = error * arrays.scales[:, None]
    made = np.full(count, steps, dtype=np.int64)
    return Solution(with_rotations(body, arrays.rotations), error, made, error <= positive("tolerance", tolerance))


def _weights(g: int, goal: Goal, count: int) -> FloatArray:
    weights = vectors(f"goal {g}, weight", np.atleast_1d(goal.weight)[:, None], count, 1)[:, 0]
    if np.any(weights < 0.0):
        raise LocomoteError(f"goal {g}, weight {weights.min()}: expected 0 or more")
    return weights


def _freedom(arrays: Arrays, joints: Sequence[Joint] | Mapping[str, float] | None) -> FloatArray:
    """How freely each joint turns about its own axes, ``(J, 3)``."""
    skeleton = arrays.skeleton
    if joints is None:
        joints = range(1, len(skeleton))
    shares = joints if isinstance(joints, Mapping) else dict.fromkeys(joints, 1.0)
    freedom = np.zeros((len(skeleton), 3))
    for joint, share in shares.items():
        if not 0.0 <= share <= 1.0:
            raise LocomoteError(f"joints, {joint}: {share}, expected a share from 0 to 1")
        freedom[joint_index(skeleton, joint)] = share
    return freedom
