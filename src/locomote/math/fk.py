"""Forward kinematics: local rotations to world positions and rotations, for any number of poses."""

from __future__ import annotations

from locomote.math._compile import kernel
from locomote.math.quaternion import multiply, quaternion, rotate, store
from locomote.math.vector import Floats, Ints, add, vector


@kernel
def forward_kinematics(
    parents: Ints, local: Floats, roots: Floats, rotations: Floats, positions: Floats, world: Floats
) -> None:
    """Fill ``positions (N, J, 3)`` and ``world (N, J, 4)`` from ``rotations (N, J, 4)`` and ``roots (N, 3)``.

    ``local (1 or N, J, 3)`` are the joints' positions in their parents' frames; that of joint 0 is not read.
    """
    per_pose = local.shape[0] > 1
    for n in range(rotations.shape[0]):
        offsets = local[n if per_pose else 0]
        q, p, out = rotations[n], positions[n], world[n]
        p[0, 0], p[0, 1], p[0, 2] = vector(roots[n])
        store(out[0], quaternion(q[0]))
        for j in range(1, rotations.shape[1]):
            k = parents[j]
            turn = quaternion(out[k])
            p[j, 0], p[j, 1], p[j, 2] = add(vector(p[k]), rotate(turn, vector(offsets[j])))
            store(out[j], multiply(turn, quaternion(q[j])))
