"""Forward kinematics: local rotations to world positions and rotations, for any number of poses."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote.kernels._compile import kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@kernel
def forward_kinematics(
    parents: Ints, local: Floats, roots: Floats, rotations: Floats, positions: Floats, world: Floats
) -> None:
    """Fill ``positions (N, J, 3)`` and ``world (N, J, 4)`` from ``rotations (N, J, 4)`` and ``roots (N, 3)``.

    ``local (1 or N, J, 3)`` are the joints' positions in their parents' frames; those of joint 0 are not read.
    """
    count, joints = rotations.shape[0], rotations.shape[1]
    per_pose = local.shape[0] > 1
    for n in range(count):
        offsets = local[n if per_pose else 0]
        q, p, out = rotations[n], positions[n], world[n]
        for i in range(3):
            p[0, i] = roots[n, i]
        for i in range(4):
            out[0, i] = q[0, i]
        for j in range(1, joints):
            k = parents[j]
            aw, ax, ay, az = out[k, 0], out[k, 1], out[k, 2], out[k, 3]
            bw, bx, by, bz = q[j, 0], q[j, 1], q[j, 2], q[j, 3]
            x, y, z = offsets[j, 0], offsets[j, 1], offsets[j, 2]
            tx = 2.0 * (ay * z - az * y)
            ty = 2.0 * (az * x - ax * z)
            tz = 2.0 * (ax * y - ay * x)
            p[j, 0] = p[k, 0] + x + aw * tx + ay * tz - az * ty
            p[j, 1] = p[k, 1] + y + aw * ty + az * tx - ax * tz
            p[j, 2] = p[k, 2] + z + aw * tz + ax * ty - ay * tx
            out[j, 0] = aw * bw - ax * bx - ay * by - az * bz
            out[j, 1] = aw * bx + ax * bw + ay * bz - az * by
            out[j, 2] = aw * by - ax * bz + ay * bw + az * bx
            out[j, 3] = aw * bz + ax * by - ay * bx + az * bw
