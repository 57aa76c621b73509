"""Inverse kinematics beside NumPy: time, and the share of reachable goals that are reached."""

from __future__ import annotations

import numpy as np

from _kernels import Table, best_seconds, first_call_seconds, from_tests, write_kernels_page
from locomote import rotations as rot
from locomote.ik._ccd import solve_chains
from locomote.math.two_bone import two_bone_ik

twins = from_tests("math.twins")
limb_cases = from_tests("math.test_two_bone")
ccd_cases = from_tests("ik.test_ccd")
dls_cases = from_tests("ik.test_dls")

SETUP = "import numpy as np\nf = np.zeros\ni = np.zeros(1, dtype=np.int64)"
FIRST_CALLS = {
    "two bones": "from locomote.math.two_bone import two_bone_ik\n"
    "two_bone_ik(f((1, 3)), f((1, 3)), f((1, 3)), f((1, 3)), f((1, 3)), 0.1, f((1, 4)), f((1, 4)))",
    "CCD": "from locomote.ik._ccd import chain_ccd\n"
    "chain_ccd(f((1, 1, 4)), f((1, 1, 3)), f((1, 3)), f((1, 4)), f((1, 3)), f((1, 1, 10)), f(1), 4, f(1), i)",
    "damped least squares": "from locomote.ik._dls import chain_dls\n"
    "chain_dls(i - 1, f((1, 3)), f((1, 3)), f((1, 1, 4)), i, f((1, 3)), f((1, 1, 3)), f((1, 1)), i, "
    "f((1, 3)), f((0, 10)), 0.05, 2, f((1, 1)))",
}
LEGS = 1000
BODIES = 200


def two_bone_rows() -> list[list[str]]:
    rows = []
    for count in (1, 1000):
        limb = limb_cases.limbs(0, count, spread=0.4)
        upper, lower = np.empty((count, 4)), np.empty((count, 4))
        ours = best_seconds(lambda: two_bone_ik(*limb, 0.02, upper, lower))  # noqa: B023
        theirs = best_seconds(lambda: twins.two_bone(*limb, 0.02))  # noqa: B023
        figures = (1e6 * ours / count, 1e6 * theirs / count)
        rows.append([str(count), f"{figures[0]:.2f}", f"{figures[1]:.2f}", f"{theirs / ours:.0f}x"])
    return rows


def ccd_rows() -> list[list[str]]:
    rows = []
    for joints in (2, 3, 5, 8):
        for kind, hinges in (("balls", False), ("ball and hinges", True)):
            made = ccd_cases.chains(joints, joints, LEGS, hinges)
            goals = made.tips(made.poses)
            nudge = rot.exp(0.05 * np.random.default_rng(1).normal(size=(*made.poses.shape[:-1], 3)))
            starts = {"last frame": rot.multiply(made.poses, nudge), "anywhere": made.starts}
            for start, poses in starts.items():
                rest = (poses, made.offsets, made.places, made.bases, goals, made.limits)
                ours = best_seconds(lambda: solve_chains(*rest)) / LEGS  # noqa: B023
                got = solve_chains(*rest)
                row = [str(joints), kind, start, f"{1e6 * ours:.1f}", f"{np.mean(got.rounds):.1f}"]
                rows.append([*row, f"{100 * np.mean(got.solved):.1f} %"])
    return rows


def ccd_ratio_rows() -> list[list[str]]:
    made = ccd_cases.chains(3, 3, LEGS, True)
    goals = made.tips(made.poses)
    ours = best_seconds(lambda: made.solve(goals)) / LEGS
    limits = made.limits[0]

    def baseline() -> None:
        for n in range(20):
            chain = twins.Chain(made.offsets[0], made.places[n], made.bases[n], goals[n], limits)
            twins.ccd(chain, made.starts[n], 1e-3, 64)

    theirs = best_seconds(baseline) / 20
    return [["3, ball and hinges", f"{1e6 * ours:.1f}", f"{1e6 * theirs:.0f}", f"{theirs / ours:.0f}x"]]


def dls_rows() -> list[list[str]]:
    people = dls_cases.crowd(0, BODIES)
    rows = []
    whole = np.ones((dls_cases.JOINTS, 3))
    for name, freedom in (("legs", dls_cases.LEGS), ("whole body", whole)):
        goals = people.points(dls_cases.other_pose(people, 1, freedom, 0.15))
        ours = best_seconds(lambda: people.solve(goals, freedom=freedom)) / BODIES  # noqa: B023
        errors = people.solve(goals, freedom=freedom).errors

        def baseline() -> None:
            twins.dls_round(
                dls_cases.PARENTS,
                dls_cases.OFFSETS,
                people.roots[0],
                people.poses[0],
                dls_cases.GOAL_JOINTS,
                dls_cases.GOAL_POINTS,
                goals[0],  # noqa: B023
                np.ones(4),
                dls_cases.HEELS_FIRST,
                freedom,  # noqa: B023
                0.02,
                2,
            )

        theirs = 16 * best_seconds(baseline)
        row = [name, f"{1e6 * ours:.0f}", f"{1e6 * theirs:.0f}", f"{theirs / ours:.0f}x"]
        rows.append([*row, f"{1e3 * np.median(errors):.4f}", f"{1e3 * np.max(errors):.2f}"])
    return rows


def tables() -> list[Table]:
    calls = {name: first_call_seconds(SETUP, call) for name, call in FIRST_CALLS.items()}
    times = ["kernel, us", "NumPy, us", "ratio"]
    return [
        ("Two bones, for one limb", ["limbs", *times], two_bone_rows()),
        (
            "CCD with limits: reachable goals, tolerance 0.1 % of the length, at most 64 rounds",
            ["joints", "kind", "start", "us per chain", "rounds", "reached"],
            ccd_rows(),
        ),
        ("CCD beside NumPy, from anywhere, for one chain", ["joints", *times], ccd_ratio_rows()),
        (
            "Damped least squares: 31 joints, heels before balls of both feet, 16 rounds, for one body",
            ["free to turn", *times, "median error, mm", "largest, mm"],
            dls_rows(),
        ),
        (
            "First call of the inverse kinematics",
            ["", "compiled anew, s", "from the cache, s"],
            [[name, f"{cold:.1f}", f"{warm:.1f}"] for name, (cold, warm) in calls.items()],
        ),
    ]


if __name__ == "__main__":
    write_kernels_page()
