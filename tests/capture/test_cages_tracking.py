"""Cages that follow hulls and meshes: fields, energies and slopes against differences, tracks against the truth."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.capture import camera_ring, stage
from locomote.capture.cages import (
    CageRig,
    Hulls,
    Meshes,
    PosePrior,
    Settings,
    Tracker,
    errors_of,
    gait_curves,
    load_cameras,
    save_cameras,
)
from locomote.capture.cages._energy import Fit, Pose
from locomote.capture.cages._evidence import Evidence, InField, InOutlines
from locomote.capture.cages._fields import Field, Grid, field_of, filled_by
from locomote.draw._camera import Camera

FRAMES = 8
SIZE = (200, 200)


@functools.cache
def walk(speed: float = 1.3, seed: int = 0) -> lm.Motion:
    return lm.samples.performer(speed=speed, seconds=1.2, fps=30.0, leg_length=0.9).motion


@functools.cache
def rig() -> CageRig:
    return CageRig.of(walk())


@functools.cache
def prior(method: str = "linear") -> PosePrior:
    others = [walk(speed)[::2] for speed in (0.8, 1.1, 1.5, 1.8)]
    return PosePrior.of(rig(), others, method=method, dimensions=6, poses=80)


@functools.cache
def scene(cameras: int = 6) -> tuple[list[Camera], list[np.ndarray]]:
    part = walk()[10 : 10 + FRAMES]
    middle = part.root_positions.mean(axis=0)
    eyes = camera_ring(cameras, 3.5, 1.6, (middle[0], 0.9, middle[2]), SIZE, np.radians(45.0))
    return eyes, [stage.silhouettes(part, eye) for eye in eyes]


def truth() -> np.ndarray:
    return walk().joint_positions()[10 : 10 + FRAMES]


SETTINGS = Settings(voxel=0.03, points=500)


@pytest.mark.feature("CAG-06")
def test_a_field_is_the_distance_and_its_slope_that_of_its_values() -> None:
    grid = Grid.around((-0.6, -0.6, -0.6), (0.6, 0.6, 0.6), 0.04)
    index = np.stack(np.meshgrid(*(np.arange(n) for n in grid.shape), indexing="ij"), axis=-1)
    away = np.linalg.norm(grid.origin + grid.voxel * index, axis=-1)
    field = field_of((away < 0.4).astype(np.uint8), grid)
    assert field is not None
    points = np.random.default_rng(0).uniform(-0.8, 0.8, (400, 3))
    values, slopes = field.at(points)
    inside = np.all(np.abs(points) < 0.55, axis=1)
    assert np.abs(values - (np.linalg.norm(points, axis=1) - 0.4))[inside].max() < 0.04
    for axis in range(3):
        step = 1e-7 * np.eye(3)[axis]
        difference = (field.at(points + step)[0] - field.at(points - step)[0]) / 2e-7
        np.testing.assert_allclose(slopes[:, axis], difference, atol=1e-5)


def test_meshes_fill_their_inside_whatever_their_state() -> None:
    person = rig()
    vertices, faces = person.stance.vertices, person.body.triangles
    grid = Grid.around(vertices.min(axis=0) - 0.2, vertices.max(axis=0) + 0.2, 0.02)
    whole = filled_by(vertices, faces, grid)
    random = np.random.default_rng(1)
    flipped = faces.copy()
    some = random.random(len(faces)) < 0.5
    flipped[some] = flipped[some][:, ::-1]
    np.testing.assert_array_equal(filled_by(vertices, flipped, grid), whole)
    np.testing.assert_array_equal(filled_by(vertices, np.concatenate([faces, faces[::3]]), grid), whole)
    holes = filled_by(vertices, faces[random.random(len(faces)) < 0.9], grid)
    assert np.mean(holes != whole) < 0.15 * whole.mean()
    # Truth: the winding number by the solid angles of all triangles.
    places = grid.origin + grid.voxel * np.argwhere(np.ones(grid.shape))[random.integers(0, whole.size, 400)]
    inside = np.abs(winding(places, vertices, faces)) > 0.5
    index = np.rint((places - grid.origin) / grid.voxel).astype(int)
    assert np.mean(whole[tuple(index.T)].astype(bool) != inside) < 0.02


def winding(points: np.ndarray, vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    a, b, c = (vertices[faces[:, k]][None] - points[:, None] for k in range(3))
    na, nb, nc = (np.linalg.norm(v, axis=-1) for v in (a, b, c))
    above = np.einsum("pfi,pfi->pf", a, np.cross(b, c))
    below = na * nb * nc + np.sum(a * b, -1) * nc + np.sum(b * c, -1) * na + np.sum(c * a, -1) * nb
    return np.sum(2.0 * np.arctan2(above, below), axis=1) / (4.0 * np.pi)


def smooth_field() -> Field:
    grid = Grid.around((-1.5, -0.5, -1.5), (1.5, 2.5, 1.5), 0.05)
    index = np.stack(np.meshgrid(*(np.arange(n) for n in grid.shape), indexing="ij"), axis=-1)
    away = np.linalg.norm(grid.origin + grid.voxel * index - [0.1, 1.0, 0.1], axis=-1)
    return Field((away - 0.5).astype(np.float32), grid.origin, grid.voxel)


def seen_of(what: str) -> Evidence:
    if what == "field":
        return InField(smooth_field())
    eyes, masks = scene()
    found = Hulls(masks, eyes).seen(0, np.zeros((1, 3)), 0.03).evidence
    assert isinstance(found, InOutlines)
    return found


@pytest.mark.feature("CAG-07")
@pytest.mark.parametrize("method", ["linear", "process"])
@pytest.mark.parametrize("what", ["field", "outlines"])
def test_the_slope_of_the_energy_and_a_fit_that_reduces_it(method: str, what: str) -> None:
    fit, seen = Fit(rig(), prior(method), Settings(points=300)), seen_of(what)
    latent = fit.latent
    x = latent.points[7] + 0.1
    place = walk().root_positions[10] * [1.0, 0.0, 1.0] if what == "outlines" else np.zeros(3)
    place[1] = prior().heights[7]
    pose = Pose(place, np.array([1.0, 0.0, 0.0, 0.0]), x, latent.state(x))
    random = np.random.default_rng(2)
    pelvis, state = random.normal(0, 0.03, 6), pose.state + random.normal(0, 0.03, len(pose.state))
    seen.pair(fit.points(pose))  # where the pelvis begins
    every = np.eye(len(state))
    here = fit.expanded(pelvis, state, every, seen)
    for k in range(0, 6 + len(state), 3):
        step = np.zeros(6 + len(state))
        step[k] = 1e-6
        costs = [fit.expanded(pelvis + s * step[:6], state + s * step[6:], every, seen).cost for s in (1, -1)]
        assert here.slope[k] == pytest.approx((costs[0] - costs[1]) / 2e-6, abs=1e-7)
    np.testing.assert_allclose(here.bend, here.bend.T, atol=1e-4)
    assert np.linalg.eigvalsh(here.bend).min() > -1e-3
    cost, pulled = latent.penalty(x)
    for k in range(len(x)):
        step = 1e-4 * np.eye(len(x))[k]
        difference = (latent.penalty(x + step)[0] - latent.penalty(x - step)[0]) / 2e-4
        assert pulled[k] == pytest.approx(difference, rel=1e-2, abs=1e-4)
        moved = (latent.state(x + step) - latent.state(x - step)) / 2e-4
        np.testing.assert_allclose(latent.ways(x)[k], moved, rtol=1e-3, atol=1e-6)
    start = fit.cost(pose, seen) + fit.settings.prior * cost
    better, energy = fit.latent_fit(pose, seen, 20)
    assert energy < 0.8 * start
    unlikely = latent.penalty(better.latent)[0]
    again = 1e-6 if what == "field" else 5e-2  # outlines are paired anew by then
    assert energy == pytest.approx(fit.cost(better, seen) + fit.settings.prior * unlikely, rel=again)
    free, _ = Fit(rig(), prior(method), Settings(points=300, prior=0.0)).latent_fit(pose, seen, 20)
    assert latent.penalty(better.latent)[0] < latent.penalty(free.latent)[0]


@pytest.mark.feature("CAG-05")
def test_a_process_keeps_poses_that_are_near_each_other_near() -> None:
    known, process = prior("process").known, prior("process").latent
    points = process.points
    apart = np.linalg.norm(known[:, None] - known[None], axis=2)
    latent = np.linalg.norm(points[:, None] - points[None], axis=2)
    beside = np.argmin(apart + 9.0 * np.eye(len(known)), axis=1)
    assert np.median(latent[np.arange(len(known)), beside]) < 0.5 * np.median(latent)
    # Latent points are a linear map of poses: half-way between two of them is half-way between their points.
    lines = np.linalg.lstsq(known - known.mean(axis=0), points - points.mean(axis=0))[0]
    np.testing.assert_allclose((known - known.mean(axis=0)) @ lines, points - points.mean(axis=0), atol=1e-6)
    error = np.array([process.state(x) for x in points]) - known
    assert np.sqrt(np.mean(error**2)) < 0.02  # m


@pytest.mark.feature("CAG-08")
def test_a_walk_is_found_and_followed_and_quads_by_themselves_fit_better() -> None:
    eyes, masks = scene()
    tracker = Tracker(rig(), prior(), SETTINGS)
    track = tracker.follow(Hulls(masks, eyes), 30.0)
    errors = errors_of(track.joints(), truth())
    assert errors.mean < 35.0
    assert errors.worst < 60.0
    assert not track.gaps.any()
    assert len(track.motion) == FRAMES
    assert errors_of(track.motion.joint_positions(), truth()).mean < 40.0
    latent = Tracker(rig(), prior(), Settings(voxel=0.03, points=500, local=False))
    assert np.mean(track.costs) < np.mean(latent.follow(Hulls(masks, eyes), 30.0).costs)
    assert track.vertices().shape == (FRAMES, len(rig().body.vertices), 3)


@pytest.mark.feature("CAG-09")
def test_quads_by_themselves_come_nearer_to_poses_that_are_not_in_the_prior() -> None:
    part = walk()[10 : 10 + FRAMES]
    rotations = part.rotations.copy()
    for side, turn in (("Left", 0.25), ("Right", -0.25)):  # arms held away from the body
        joint = part.skeleton.index(f"{side}Arm")
        rotations[:, joint] = rot.multiply(rotations[:, joint], rot.exp(np.array([0.0, 0.0, turn])))
    wide = replace(part, rotations=rotations)
    eyes, _ = scene()
    masks = [stage.silhouettes(wide, eye) for eye in eyes]
    errors = []
    for local in (True, False):
        tracker = Tracker(rig(), prior(), replace(SETTINGS, local=local))
        track = tracker.follow(Hulls(masks, eyes), 30.0, start=rig().quads_of(wide[:1]))
        errors.append(errors_of(track.joints(), wide.joint_positions()).mean)
    assert errors[0] < 0.8 * errors[1]


def test_two_cameras_of_four_are_enough_for_a_while() -> None:
    eyes, masks = scene(4)
    spoilt = [mask.copy() for mask in masks]
    for mask in spoilt[:2]:
        mask[2:6] = False
    tracker, start = Tracker(rig(), prior(), SETTINGS), rig().quads_of(walk()[10:11])
    track = tracker.follow(Hulls(spoilt, eyes), 30.0, start=start)
    assert not track.used[2:6, :2].any()
    assert track.used[6:].all()
    assert not track.gaps.any()
    errors = errors_of(track.joints(), truth())
    assert errors.frames[2:6].mean() < 30.0
    assert errors.frames[6:].mean() < 30.0


def test_absent_and_empty_frames_are_reported_as_gaps() -> None:
    eyes, masks = scene()
    spoilt = [mask.copy() for mask in masks]
    for mask in spoilt:
        mask[3] = False
    spoilt[0][:] = False
    start = rig().quads_of(walk()[10:11])
    track = Tracker(rig(), prior(), SETTINGS).follow(Hulls(spoilt, eyes), 30.0, start=start)
    assert track.gaps.tolist() == [f == 3 for f in range(FRAMES)]
    assert any("frames 3" in note for note in track.notes)
    assert not track.used[:, 0].any()
    assert errors_of(track.joints(), truth()).worst < 120.0


def test_cameras_that_lie_are_left_out() -> None:
    eyes, masks = scene()
    lying = [mask.copy() for mask in masks]
    for c in (0, 3):
        lying[c][2:, 90:120] = False
    start = rig().quads_of(walk()[10:11])
    tracker = Tracker(rig(), prior(), SETTINGS)
    track = tracker.follow(Hulls(lying, eyes), 30.0, start=start)
    assert not track.used[3:, [0, 3]].any()
    assert track.used[3:, [1, 2, 4, 5]].mean() > 0.9
    believing = tracker.follow(Hulls(lying, eyes, reject=False), 30.0, start=start)
    assert errors_of(track.joints(), truth()).mean < 0.7 * errors_of(believing.joints(), truth()).mean


def test_meshes_with_nothing_in_common_are_followed() -> None:
    part = walk()[10 : 10 + FRAMES]
    surface = stage.meshes(part)
    random, meshes = np.random.default_rng(4), []
    for vertices in surface.vertices:
        faces = surface.faces[random.permutation(len(surface.faces))]
        faces = faces[random.random(len(faces)) < 0.95]  # holes
        turned = random.random(len(faces)) < 0.3
        faces[turned] = faces[turned][:, ::-1]
        order = random.permutation(len(vertices))
        meshes.append((vertices[order], np.argsort(order)[faces]))
    meshes[5] = (np.zeros((0, 3)), np.zeros((0, 3), dtype=int))
    track = Tracker(rig(), prior(), SETTINGS).follow(Meshes(meshes), 30.0, start=rig().quads_of(part[:1]))
    assert track.gaps.tolist() == [f == 5 for f in range(FRAMES)]
    assert errors_of(track.joints()[:5], truth()[:5]).mean < 30.0


@pytest.mark.feature("CAG-12")
def test_curves_and_cycles_of_a_walk() -> None:
    sample = lm.samples.performer(speed=1.3, seconds=4.0, fps=30.0)
    curves = gait_curves(sample.motion)
    period = np.diff(curves.cycles) / 30.0
    lifted = [np.flatnonzero(np.diff((curves.ankles[:, side] > 0.04).astype(int)) > 0) for side in range(2)]
    for times in lifted:
        assert abs(len(times) - len(curves.cycles)) <= 1
        assert np.median(np.diff(times)) / 30.0 == pytest.approx(np.median(period), abs=0.05)
    # A cycle begins where the left heel strikes, and while a foot swings its own ankle is the higher one.
    strikes = sample.heel_strikes[0]
    assert np.abs(curves.cycles[:, None] / 30.0 - strikes).min(axis=1).max() < 0.1
    swings = ~sample.contact_mask
    for side in range(2):
        alone = swings[:, side] & ~swings[:, 1 - side]
        assert np.mean(curves.ankles[alone, side] > curves.ankles[alone, 1 - side]) > 0.7
    # Arms swing against the legs: the left wrist is behind when the left foot is ahead.
    assert np.corrcoef(curves.wrists[:, 0], curves.feet)[0, 1] < -0.5
    assert np.corrcoef(curves.wrists[:, 1], curves.feet)[0, 1] > 0.5


@pytest.mark.feature("CAG-13")
def test_errors_are_told_in_millimetres() -> None:
    joints = np.zeros((4, 5, 3))
    moved = joints + np.array([0.01, 0.02, 0.02, 0.05])[:, None, None] * [1.0, 0.0, 0.0]
    errors = errors_of(moved, joints)
    assert (errors.mean, errors.median, errors.worst) == pytest.approx((25.0, 20.0, 50.0))
    assert errors.deviation == pytest.approx(np.std([10, 20, 20, 50]))
    with pytest.raises(lm.LocomoteError, match="shapes"):
        errors_of(joints, joints[:2])


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda m, c: (m[:1], c[:1]), "a visual hull needs"),
        (lambda m, c: (m[:3], c), "cameras"),
        (lambda m, c: ([np.zeros_like(x) for x in m], c), "empty in all frames"),
        (lambda m, c: ([m[0][:, :10], *m[1:]], c), "expected"),
        (lambda m, c: ([m[0][:2], *m[1:]], c), "frames"),
    ],
)
def test_silhouettes_that_make_no_hull_are_refused(spoil: object, words: str) -> None:
    eyes, masks = scene()
    with pytest.raises(lm.LocomoteError, match=words):
        Hulls(*spoil(masks, eyes))  # type: ignore[operator]


def test_meshes_that_are_none_are_refused() -> None:
    nothing = np.zeros((0, 3))
    with pytest.raises(lm.LocomoteError, match="none has triangles"):
        Meshes([(nothing, nothing)])
    with pytest.raises(lm.LocomoteError, match="names vertex 9"):
        Meshes([(np.zeros((3, 3)), [[0, 1, 9]])])
    with pytest.raises(lm.LocomoteError, match="not finite"):
        Meshes([(np.full((3, 3), np.nan), [[0, 1, 2]])])


def test_cameras_come_back_from_a_file(tmp_path: Path) -> None:
    eyes, _ = scene()
    save_cameras(tmp_path / "cameras.json", eyes)
    points = np.random.default_rng(0).uniform(-1.0, 1.0, (20, 3)) + np.array([0.0, 1.0, 0.0])
    for camera, again in zip(eyes, load_cameras(tmp_path / "cameras.json").values(), strict=True):
        np.testing.assert_allclose(again.pixels(points), camera.pixels(points), atol=1e-6)
    for text, words in (
        ("{", "JSON"),
        ('{"cameras": []}', "one entry"),
        ('{"cameras": [{"size": [4, 4]}]}', "'eye' is missing"),
        ('{"cameras": [{"size": [4, 4], "matrix": [[1, 2]]}]}', "camera 0"),
    ):
        (tmp_path / "bad.json").write_text(text)
        with pytest.raises(lm.LocomoteError, match=words):
            load_cameras(tmp_path / "bad.json")
