"""Knees bend no faster on another body than those of the source, nor do toes lift the leg they end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.formats import load
from locomote.measures.limits import bend_degrees
from locomote.motion import Motion
from locomote.retargeting import retarget
from locomote.retargeting._knees import _paced
from locomote.skeleton import Skeleton
from tests import made_rigs as made
from tests.roles.bodies import human

WALK = made.walker(2.5)
MOST = 1.5  # times the fastest bending of the source
BODIES: dict[str, Skeleton] = {
    **{name: skeleton for name, (skeleton, _) in {**made.ROBOTS, **made.PEOPLE}.items()},
    "mixamo": human("mixamo")[0],
    "silent": human("silent")[0],
}
RIGS = (
    "khronos_CesiumMan.glb",
    "khronos_RiggedFigure.glb",
    "mesh2motion_human_skeleton.glb",
    "quaternius_Velociraptor.glb",
)


def speeds(motion: Motion) -> rot.FloatArray:
    """How far the knees bend from frame to frame, degrees, ``(F - 1, 2)``."""
    places, legs = motion.joint_positions(), motion.skeleton.roles.legs
    bends = [bend_degrees(*(places[:, j] for j in (leg.hip, leg.knee, leg.ankle))) for leg in legs]
    return np.abs(np.diff(np.stack(bends, axis=1), axis=0))


def check(source: Motion, result: Motion) -> None:
    assert speeds(result).max() <= MOST * np.percentile(speeds(source), 99.9)


def stiff(motion: Motion) -> Motion:
    """The walk of somebody whose knees are all but straight while they stand, with toes that tremble."""
    rng = np.random.default_rng(3)
    turns, roots = motion.rotations.copy(), motion.root_positions.copy()
    for leg in motion.skeleton.roles.legs:
        knee = rot.log(turns[:, leg.knee])
        turns[:, leg.knee] = rot.exp(knee * np.clip(np.linalg.norm(knee, axis=1, keepdims=True) / 0.8, 0.0, 1.0))
        shaking = np.stack([rng.normal(scale=0.3, size=len(motion)), *np.zeros((2, len(motion)))], axis=1)
        turns[:, leg.ball] = rot.multiply(turns[:, leg.ball], rot.exp(shaking))
    return replace(motion, rotations=turns, root_positions=roots)


@pytest.mark.parametrize("name", BODIES)
def test_knees_of_made_rigs_do_not_pop(name: str) -> None:
    for source in (WALK, stiff(WALK)):
        check(source, retarget(source, BODIES[name], froude=False))


@pytest.mark.data
@pytest.mark.parametrize("clip", ["walk/cmu_39_03", "walk/cmu_132_50", "run/cmu_127_03", "walk/cmu_16_15"])
@pytest.mark.parametrize("name", [*RIGS, "mixamo"])
def test_knees_of_recorded_people_do_not_pop(data: Path, name: str, clip: str) -> None:
    source = load(data / "human" / f"{clip}.bvh.xz", drop_tpose=True)[:900]
    check(source, retarget(source, BODIES.get(name) or load(data / "rigs" / name), froude=False))


def test_the_paced_curve_is_the_smallest_one() -> None:
    rng = np.random.default_rng(1)
    angles = rng.random((60, 2))
    paced = _paced(angles, 0.05)
    assert np.all(paced >= angles - 1e-12)
    assert np.abs(np.diff(paced, axis=0)).max() <= 0.05 + 1e-12
    frames = np.arange(60)
    slow = (angles[None] - 0.05 * np.abs(frames[:, None] - frames)[..., None]).max(axis=1)
    np.testing.assert_allclose(paced, slow, atol=1e-12)
