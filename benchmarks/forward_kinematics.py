"""Forward kinematics and quaternion batches beside NumPy: microseconds for one pose of 31 joints."""

from __future__ import annotations

import numpy as np

from _kernels import (
    JOINTS,
    Table,
    best_seconds,
    first_call_seconds,
    from_tests,
    random_body,
    write_kernels_page,
)
from locomote import rotations as rot
from locomote.math import quaternion as kernels
from locomote.math.fk import forward_kinematics

twins = from_tests("math.twins")

SIZES = (1, 31, 1000, 10000)
SETUP = "import numpy as np\nf = np.zeros"
BATCH = 10000


def fk_rows() -> list[list[str]]:
    parents, offsets = random_body()
    r = np.random.default_rng(1)
    rows = []
    for count in SIZES:
        local, roots = offsets[None], r.normal(size=(count, 3))
        rotations = rot.normalize(r.normal(size=(count, JOINTS, 4)))
        positions, world = np.empty((count, JOINTS, 3)), np.empty((count, JOINTS, 4))
        pose = (parents, local, roots, rotations)
        ours = best_seconds(lambda: forward_kinematics(*pose, positions, world))  # noqa: B023
        theirs = best_seconds(lambda: twins.forward_kinematics(*pose))  # noqa: B023
        expected = twins.forward_kinematics(parents, local, roots, rotations)[0]
        np.testing.assert_allclose(positions, expected, atol=1e-9)
        figures = (1e6 * ours / count, 1e6 * theirs / count)
        rows.append([str(count), f"{figures[0]:.3f}", f"{figures[1]:.2f}", f"{theirs / ours:.0f}x"])
    return rows


def quaternion_rows() -> list[list[str]]:
    r = np.random.default_rng(2)
    a, b = (rot.normalize(r.normal(size=(BATCH, 4))) for _ in range(2))
    vectors, t, weights = r.normal(size=(BATCH, 3)), r.random(BATCH), r.random((BATCH, 4))
    axes = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    near = rot.multiply(a[:, None], rot.exp(0.3 * r.normal(size=(BATCH, 4, 3))))
    out, out2, out3 = np.empty((BATCH, 4)), np.empty((BATCH, 4)), np.empty((BATCH, 3))
    cases = {
        "exp": (lambda: kernels.exp_batch(vectors, out), lambda: rot.exp(vectors)),
        "log": (lambda: kernels.log_batch(a, out3), lambda: rot.log(a)),
        "slerp": (lambda: kernels.slerp_batch(a, b, t, out), lambda: rot.slerp(a, b, t)),
        "swing and twist": (
            lambda: kernels.swing_twist_batch(a, axes, out, out2),
            lambda: rot.swing_twist(a, axes),
        ),
        "mean of 4": (
            lambda: kernels.weighted_mean_batch(near, weights, out),
            lambda: rot.mean(near.swapaxes(0, 1), weights.swapaxes(0, 1)),
        ),
    }
    rows = []
    for name, (ours, theirs) in cases.items():
        mine, base = best_seconds(ours), best_seconds(theirs)
        rows.append([name, f"{1e6 * mine / BATCH:.3f}", f"{1e6 * base / BATCH:.3f}", f"{base / mine:.1f}x"])
    return rows


def tables() -> list[Table]:
    cold, warm = first_call_seconds(
        SETUP,
        "from locomote.math.fk import forward_kinematics\n"
        "p = np.array([-1])\n"
        "forward_kinematics(p, f((1, 1, 3)), f((1, 3)), f((1, 1, 4)), f((1, 1, 3)), f((1, 1, 4)))",
    )
    each = ["kernel, us", "NumPy, us", "ratio"]
    return [
        (f"Forward kinematics, {JOINTS} joints, for one pose", ["poses", *each], fk_rows()),
        (f"Quaternions, {BATCH} at once, for one", ["", *each], quaternion_rows()),
        (
            "First call of forward kinematics",
            ["compiled anew, s", "from the cache, s"],
            [[f"{cold:.1f}", f"{warm:.1f}"]],
        ),
    ]


if __name__ == "__main__":
    write_kernels_page()
