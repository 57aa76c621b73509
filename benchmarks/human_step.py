"""A frame of walking people: one character, crowds, a new cycle; beside NumPy and the figures of the source."""

from __future__ import annotations

import numpy as np

from _kernels import Table, best_seconds, first_call_seconds
from _page import write_page
from locomote import rotations as rot
from locomote.human._crowd import Crowd
from locomote.human._kernels import step
from locomote.human._model import HumanModel
from locomote.human._packing import samples_of
from locomote.motion import Motion

FRAME = 1.0 / 60.0
SIZES = (1, 100, 1000, 10000)
SOURCE_UNIT = 230.0  # us, a new unit of 25 poses
SOURCE_FRAME = 10.0  # us, "less than", one frame of it
ROUNDS = 8  # the best of so many turns at every figure: other work on the machine comes and goes


def best(call: object) -> float:
    return min(best_seconds(call) for _ in range(ROUNDS))  # type: ignore[arg-type]


def plain_step(model: HumanModel, crowd: Crowd) -> np.ndarray:
    """The same frame by NumPy, from factors that are known: sample, exponentials, forward kinematics."""
    at = crowd.phases * model.mean.shape[0]
    first = at.astype(int)
    mix = (at - first)[:, None]
    coordinates = np.array([0.3] * model.basis.shape[0])
    poses = 0.0
    for tap, weight in ((0, 1.0 - mix), (1, mix)):
        rows = (first + tap) % model.mean.shape[0]
        poses = poses + weight * (model.mean[rows] + np.einsum("m,mnc->nc", coordinates, model.basis[:, rows]))
    root, turns = model.encoding.decode(poses)
    turns[:, 0] = rot.multiply(rot.from_yaw(crowd.headings), turns[:, 0])
    motion = Motion(crowd.poses.skeleton, 60.0, root, turns)
    parents, offsets = motion.skeleton.parents, motion.skeleton.offsets
    positions, world = [motion.root_positions], [turns[:, 0]]
    for j in range(1, len(parents)):
        up = parents[j]
        positions.append(positions[up] + rot.rotate(world[up], offsets[j]))
        world.append(rot.multiply(world[up], turns[:, j]))
    return np.stack(positions, axis=1)


def step_rows(model: HumanModel) -> list[list[str]]:
    rows = []
    for count in SIZES:
        crowd = Crowd(model, count, speed=1.4, feet=False)
        steady = best(lambda: crowd.step(FRAME))  # noqa: B023
        plain = best_seconds(lambda: plain_step(model, crowd))  # noqa: B023
        crowd.command(speed=np.linspace(0.5, 4.0, count), within=3600.0)
        changing = best(lambda: crowd.step(1e-4))  # noqa: B023
        us = [1e6 * t / count for t in (steady, changing, plain)]
        rows.append(
            [
                str(count),
                *(f"{x:.2f}" for x in us),
                f"{plain / steady:.0f}x",
                f"{FRAME / steady * count:,.0f}",
            ]
        )
    return rows


def share_rows(model: HumanModel, count: int = 10000) -> list[list[str]]:
    rows = []
    for share in (0.0, 0.1, 0.5, 1.0):
        crowd = Crowd(model, count, speed=1.4, feet=False)
        changing = int(share * count)
        crowd.command(speed=2.0, within=3600.0, who=slice(0, changing))
        rows.append([f"{100 * share:.0f} %", f"{1e6 * best(lambda: crowd.step(1e-4)) / count:.2f}"])  # noqa: B023
    return rows


def unit_rows(model: HumanModel) -> list[list[str]]:
    rows = []
    for count in (1, 1000):
        crowd = Crowd(model, count, speed=1.4, feet=False)
        packed = crowd._packed
        samples = samples_of(packed)
        out = np.empty((count, *model.mean.shape[:1], samples.shape[1] // len(model.mean)), np.float32)

        def new_units() -> None:
            step.refresh_rows(crowd._people, packed)  # noqa: B023
            step.units(crowd._people.cache, samples, out)  # noqa: B023

        ours = 1e6 * best(new_units) / count
        weights = crowd.styles[0]
        dense = 1e6 * best_seconds(lambda: model.unit(1.4, 0.0, weights))  # noqa: B023
        frames = model.mean.shape[0]
        rows.append(
            [
                str(count),
                str(frames),
                f"{ours:.2f}",
                f"{ours / frames:.3f}",
                f"{dense:.0f}",
                f"{SOURCE_UNIT:.0f}",
            ]
        )
    return rows


def command_rows(model: HumanModel) -> list[list[str]]:
    rows = []
    for count in (1, 10000):
        crowd = Crowd(model, count, speed=1.4, feet=False)
        speeds = np.linspace(0.5, 3.0, count)
        time = best_seconds(lambda: crowd.command(speed=speeds, turn_rate=0.1))  # noqa: B023
        rows.append([str(count), f"{1e6 * time:.0f}"])
    return rows


def tables() -> list[Table]:
    model = HumanModel.default()
    cold, warm = first_call_seconds(
        "from locomote.human import Crowd, HumanModel\nm = HumanModel.default()",
        "Crowd(m, 1).step(0.01)",
    )
    k, (m, s, c) = len(model.styles), model.basis.shape
    return [
        (
            f"One frame with all world positions, for one character ({k} styles, {m} components, {s} x {c})",
            ["characters", "steady, us", "all changing, us", "NumPy, us", "ratio", "characters at 60 Hz"],
            step_rows(model),
        ),
        ("Cost by the share of 10,000 characters that change", ["changing", "us each"], share_rows(model)),
        (
            "A new cycle: coefficients and all its poses, for one character",
            ["characters", "poses", "us", "us a pose", "dense NumPy, us", "source (25 poses), us"],
            unit_rows(model),
        ),
        ("One command of speed and turn rate", ["characters", "us a call"], command_rows(model)),
        ("First step", ["compiled anew, s", "from the cache, s"], [[f"{cold:.1f}", f"{warm:.1f}"]]),
    ]


if __name__ == "__main__":
    method = (
        "One thread; the best of repeated calls, with the shipped model. A frame is a call of `Crowd.step`:\n"
        "parameters, coefficients where they changed, phase, heading, pose and the world positions of 22 joints,\n"
        "with feet that are not held (for those see feet.md).\n"
        "NumPy is the pose alone, from known coefficients, over all characters at once. The source's own\n"
        f"figures: {SOURCE_UNIT:.0f} us for a new cycle, less than {SOURCE_FRAME:.0f} us for a frame of it.\n"
        "The first step is processor time in a fresh process."
    )
    write_page("human", "People", method, tables())
