"""Handles are held: the solver against SciPy and differences, and laws of what it must keep."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import least_squares

import locomote as lm
from locomote import rotations as rot
from locomote.math.band import invert
from locomote.spaces import Handle, PoseSpace, Reach, Reached, _reaching
from locomote.spaces._handles import LEVER, handle_arrays
from locomote.spaces._kernels import bundles
from locomote.spaces._kernels.geodesics import inverse_left_jacobian, right_jacobian
from locomote.spaces._kernels.normal_equations import assemble
from locomote.spaces._kernels.reach import find_step

FREE = Reach(limits=0.0)


@pytest.fixture(scope="module")
def walk() -> lm.Motion:
    return lm.samples.performer(speed=1.3, fps=60.0).motion


@pytest.fixture(scope="module")
def space(walk: lm.Motion) -> PoseSpace:
    return PoseSpace.fit(walk, 12)


def ends(motion: lm.Motion) -> list[int]:
    roles = motion.skeleton.roles
    assert roles.head is not None
    return [roles.head, *(arm.wrist for arm in roles.arms), *(leg.ankle for leg in roles.legs)]


def five(motion: lm.Motion) -> list[Handle]:
    places = motion.joint_positions()
    return [Handle(j, places[:, j]) for j in ends(motion)]


def mean_along(space: PoseSpace, motion: lm.Motion) -> lm.Motion:
    return space.motion(np.zeros((len(motion), len(space))), motion)


def acceleration(motion: lm.Motion | lm.Poses) -> float:
    return float(np.linalg.norm(np.diff(motion.joint_positions(), 2, axis=0), axis=-1).mean())


def all_kinds(motion: lm.Motion) -> list[Handle]:
    """A handle of every kind, some off their joints."""
    places, turns = motion.world()
    head, left, right, foot, _ = ends(motion)
    return [
        Handle(left, places[:, left] + 0.05, point=(0.1, 0.02, -0.03)),
        Handle(foot, rotation=rot.multiply(rot.exp(np.array([0.3, 0.2, -0.4])), turns[:, foot]), weight=0.7),
        Handle(head, look_at=places[:, head] + (0.8, -0.3, 1.5), point=(0.0, 0.1, 0.05), weight=2.0),
        Handle(right, places[:, right] + (0.1, 0.3, 0.2)),
    ]


def asked_of(handle: Handle, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The targets ``(count, 4)`` of a handle and how much they count."""
    targets, weights = np.zeros((count, 4)), np.zeros(count)
    handle.fill(targets, weights)
    return targets, weights


def misses(space: PoseSpace, handles: list[Handle], pose: lm.Motion) -> np.ndarray:
    """What the solver makes small, of each frame, in plain NumPy: an independent form."""
    places, turns = pose.world()
    rows = []
    for handle in handles:
        j, count = int(handle.joint), len(pose)
        lever = rot.rotate(turns[:, j], np.asarray(handle.point, dtype=float))
        target, weights = asked_of(handle, count)
        if handle.kind == "position":
            miss = places[:, j] + lever - target[:, :3]
        elif handle.kind == "rotation":
            miss = rot.log(rot.multiply(turns[:, j], rot.inverse(target)))
        else:
            way = target[:, :3] - places[:, j] - lever
            miss = rot.rotate(turns[:, j], np.asarray(handle.axis, dtype=float))
            miss = miss - way / np.linalg.norm(way, axis=-1, keepdims=True)
        rows.append(weights[:, None] * miss)
    return np.concatenate(rows, axis=1)


@pytest.mark.parametrize("form", ["sum", "product"])
@pytest.mark.parametrize("root", ["keep", "free"])
def test_the_gradient_of_every_kind_of_handle_is_that_of_differences(
    walk: lm.Motion, space: PoseSpace, form: str, root: str
) -> None:
    frame = walk[10:11]
    asked = handle_arrays(walk.skeleton, all_kinds(frame), 1)
    unknowns = len(space) + (6 if root == "free" else 0)
    body = _reaching._body_arrays(space, frame, space.deviations, unknowns, 4)
    body.x[:] += 0.5 * np.random.default_rng(1).normal(size=body.x.shape)
    pull = bundles.Pull(0.0, 0.0, 0.3 if form == "sum" else 0.0, 1, 0.0, form == "product", False)
    told, memory = _reaching._space_arrays(space, walk.skeleton), bundles.work(len(walk.skeleton), unknowns, 1)
    cost = assemble(0, 0, told, asked, body, pull, memory)
    gradient = memory.gradient[0].copy()
    assert cost > 0.0
    for i in range(unknowns):
        ends = []
        for sign in (1.0, -2.0):
            body.x[0, i] += sign * 1e-5
            ends.append(assemble(0, 0, told, asked, body, pull, memory))
        body.x[0, i] += 1e-5
        assert 2.0 * gradient[i] == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-6)


@pytest.mark.feature("PGA-17")
def test_all_frames_at_once_are_the_least_squares_of_the_whole_clip(walk: lm.Motion) -> None:
    space = PoseSpace.fit(walk, 5)
    clip, settings = walk[20:27], Reach(smooth=1e-2, prior=1e-3, limits=0.0, rounds=100, tolerance=0.0)
    handles, start = all_kinds(clip), space.motion(space.coordinates(clip), clip)
    centre = space.coordinates(start) / space.deviations
    smooth = settings.smooth * (clip.fps / 120.0) ** 2

    def residuals(flat: np.ndarray) -> np.ndarray:
        x = flat.reshape(len(clip), -1)
        pose = space.motion(x * space.deviations, clip)
        off = x - centre
        rows = misses(space, handles, pose), np.sqrt(settings.prior) * off, np.sqrt(smooth) * np.diff(off, axis=0)
        return np.concatenate([row.ravel() for row in rows])

    truth = least_squares(residuals, centre.ravel(), xtol=1e-12, ftol=1e-14, gtol=1e-12).x
    found = space.reach(handles, start, settings=settings)
    x = found.coordinates / space.deviations
    assert np.sum(residuals(x.ravel()) ** 2) <= np.sum(residuals(truth) ** 2) * (1.0 + 1e-7)
    np.testing.assert_allclose(x, truth.reshape(len(clip), -1), atol=1e-3)


def test_a_matrix_is_inverted_in_its_place() -> None:
    a = np.random.default_rng(2).normal(size=(9, 9))
    a = a @ a.T + np.eye(9)
    b = a.copy()
    invert(b)
    np.testing.assert_allclose(a @ b, np.eye(9), atol=1e-10)


@pytest.mark.parametrize("linked", [False, True])
def test_a_band_is_solved_as_the_whole_system_is(linked: bool) -> None:
    rng = np.random.default_rng(7)
    frames, size, smooth, prior = 5, 4, 0.7, 0.1
    memory = bundles.work(1, size, frames)
    roots = rng.normal(size=(frames, size, 6))
    memory.normal[:] = roots @ roots.transpose(0, 2, 1)
    memory.gradient[:] = rng.normal(size=(frames, size))
    memory.before[:] = rng.normal(size=size)
    memory.damping[:] = 0.3
    x = rng.normal(size=(frames, size))
    empty = np.zeros((frames, 4))
    whole = np.zeros((frames, frames))  # of the smoothness, for one unknown
    whole[range(frames - 1), range(frames - 1)] += 1.0
    whole[range(1, frames), range(1, frames)] += 1.0
    whole[range(1, frames), range(frames - 1)] -= 1.0
    whole[range(frames - 1), range(1, frames)] -= 1.0
    push = -memory.gradient - prior * x - smooth * whole @ x
    if linked:
        whole[0, 0] += 1.0
        push[0] -= smooth * (x[0] - memory.before)
    dense = np.kron(smooth * whole, np.eye(size)) + prior * np.eye(frames * size)
    for n in range(frames):
        part = slice(n * size, (n + 1) * size)
        dense[part, part] += memory.normal[n] + 0.3 * np.diag(np.diag(memory.normal[n]))
    body = bundles.BodyArrays(
        empty, empty, np.zeros((frames, 1, 4)), np.zeros((frames, size)), empty, x, empty, np.zeros(frames, dtype=int)
    )
    find_step(0, frames, linked, body, bundles.Pull(smooth, prior, 0.0, 1, 0.0, False, False), memory)
    np.testing.assert_allclose(memory.step, np.linalg.solve(dense, push.ravel()).reshape(frames, size), atol=1e-9)


@pytest.mark.parametrize("angle", [1e-6, 0.3, 2.5])
def test_the_rates_of_rotation_vectors_are_each_others_inverse(angle: float) -> None:
    w = angle * np.array([2.0, -1.0, 2.0]) / 3.0
    left = np.array(right_jacobian(tuple(-w)))  # seen from outside a rotation turns back
    np.testing.assert_allclose(np.array(inverse_left_jacobian(tuple(w))) @ left, np.eye(3), atol=1e-9)


def test_five_handles_of_a_clip_bring_its_poses_back(walk: lm.Motion, space: PoseSpace) -> None:
    found = space.reach(five(walk), mean_along(space, walk))
    assert found.error.mean() < 0.005
    assert acceleration(found.pose) < 1.6 * acceleration(walk)
    assert np.linalg.norm(found.pose.joint_positions() - walk.joint_positions(), axis=-1).mean() < 0.01


CLIPS = ["walk/cmu_07_01", "walk/cmu_35_28", "run/cmu_09_01", "run/cmu_16_35", "jump/cmu_13_11", "jump/cmu_118_02"]


@pytest.mark.feature("PGA-07", "PGA-08")
@pytest.mark.parametrize("k", [12, 15])
def test_a_performer_is_held_by_five_handles(walk: lm.Motion, k: int) -> None:
    space = PoseSpace.fit(walk, k)
    found = space.reach(five(walk), mean_along(space, walk))
    places, turns = found.pose.world()
    away = [
        np.linalg.norm(places[:, h.joint] + rot.rotate(turns[:, h.joint], h.point) - h.position, axis=-1)
        for h in five(walk)
    ]
    assert np.mean(away) <= 0.005
    assert acceleration(found.pose) <= 1.6 * acceleration(walk)


@pytest.mark.data
@pytest.mark.feature("PGA-07", "PGA-08")
@pytest.mark.parametrize("k", [12, 15])
@pytest.mark.parametrize("name", CLIPS)
def test_recorded_people_are_held_by_five_handles(data: Path, name: str, k: int) -> None:
    clip = lm.load(data / "human" / f"{name}.bvh.xz", drop_tpose=True)
    space = PoseSpace.fit(clip, k)
    found = space.reach(five(clip), mean_along(space, clip))
    assert found.error.mean() <= 0.005
    assert acceleration(found.pose) <= 1.6 * acceleration(clip)


def test_stronger_smoothing_shakes_less(walk: lm.Motion, space: PoseSpace) -> None:
    noise = np.random.default_rng(3).normal(size=(len(walk), 5, 3)) * 0.02
    shaken = [replace(h, position=h.position + noise[:, i]) for i, h in enumerate(five(walk))]
    found = [space.reach(shaken, mean_along(space, walk), settings=Reach(smooth=s)) for s in (1e-6, 1e-3, 1e-1)]
    shakes = [acceleration(each.pose) for each in found]
    assert shakes[0] > 1.5 * shakes[1] > 2.0 * shakes[2]


def test_a_start_at_its_handles_stays_as_it_is(walk: lm.Motion, space: PoseSpace) -> None:
    shaken = rot.multiply(
        walk.rotations, rot.exp(0.1 * np.random.default_rng(4).normal(size=(*walk.rotations.shape[:2], 3)))
    )
    odd = replace(walk, rotations=shaken)  # poses that the space does not have
    found = space.reach(five(odd), odd)
    assert rot.distance(found.pose.rotations, odd.rotations).max() < 1e-6
    assert found.error.max() < 1e-9


def test_a_free_root_is_found(walk: lm.Motion, space: PoseSpace) -> None:
    clip = space.motion(space.coordinates(walk), walk)[:40]
    places, turns = clip.world()
    handles = [*five(clip), Handle(0, places[:, 0]), Handle(0, rotation=turns[:, 0])]
    away = clip.moved(rot.from_yaw(0.3), (0.2, 0.1, -0.3))
    lost = replace(away, root_positions=away.root_positions, rotations=away.rotations)
    found = space.reach(handles, lost, root="free", settings=Reach(smooth=1e-8, prior=1e-8, limits=0.0))
    assert np.linalg.norm(found.pose.root_positions - clip.root_positions, axis=1).max() < 0.005
    assert found.error.max() < 0.005
    kept = space.reach(handles, lost, settings=FREE)
    np.testing.assert_array_equal(kept.pose.root_positions, lost.root_positions)
    assert kept.error.max() > 0.1


def test_rotations_and_looks_are_held(space: PoseSpace) -> None:
    whole = PoseSpace.fit(lm.samples.performer(speed=1.3).motion, 30)
    _, turns = lm.Motion(whole.skeleton, 1.0, np.zeros((1, 3)), whole.mean.rotations).world()
    head, foot = whole.skeleton.index("Head"), whole.skeleton.index("LeftFoot")
    turned = rot.multiply(rot.from_yaw(0.2), turns[0, foot])
    loose = Reach(prior=1e-9, limits=0.0, rounds=200, tolerance=0.0)
    found = whole.reach([Handle("LeftFoot", rotation=turned)], settings=loose)
    assert found.error[0, 0] < 0.03
    place = whole.mean.joint_positions()[0, head] + (0.4, 0.1, 2.0)
    before = whole.reach([Handle("Head", look_at=place, weight=0.0)], settings=loose)
    found = whole.reach([Handle("Head", look_at=place)], settings=loose)
    assert found.error[0, 0] < 0.1 * before.error[0, 0]


def test_heavier_handles_are_nearer_and_weightless_ones_let_go(walk: lm.Motion, space: PoseSpace) -> None:
    start = walk[30:31]
    hand, foot = walk.skeleton.index("LeftHand"), walk.skeleton.index("LeftFoot")
    places = start.joint_positions()[0]
    away = places[hand] + (0.0, 0.5, 0.5)

    def pulled(weight: float) -> Reached:
        return space.reach([Handle(hand, away, weight=weight), Handle(foot, places[foot])], start, settings=FREE)

    errors = [pulled(w).error[0, 0] for w in (0.0, 0.1, 1.0, 10.0)]
    assert errors[0] == pytest.approx(np.sqrt(0.5), abs=1e-6)
    assert errors[0] > errors[1] > errors[2] > errors[3]


def test_a_place_out_of_reach_is_told_and_nothing_breaks(space: PoseSpace) -> None:
    found = space.reach([Handle("LeftHand", (0.0, 50.0, 0.0)), Handle("RightHand", (9.0, 0.0, 0.0), weight=100.0)])
    assert np.isfinite(found.pose.rotations).all()
    assert found.error[0, 0] > 40.0


def test_limits_hold_joints_near_what_was_recorded(walk: lm.Motion, space: PoseSpace) -> None:
    hand = space.skeleton.index("LeftHand")
    far = space.mean.joint_positions()[0, hand] + (0.3, 0.9, 0.2)
    free, held = (space.reach([Handle(hand, far)], settings=Reach(limits=w)) for w in (0.0, 0.2))
    assert held.error[0, 0] > free.error[0, 0]
    assert space.excess(held.coordinates).max() < 0.5 * space.excess(free.coordinates).max()


def test_exact_hands_and_feet_are_there(walk: lm.Motion, space: PoseSpace) -> None:
    handles = five(walk)[1:]
    toe = walk.skeleton.roles.legs[0].toe
    handles[2] = Handle(toe, walk.joint_positions()[:, toe])
    found = space.reach(handles, mean_along(space, walk), exact=True)
    assert np.percentile(found.error, 95) < 1e-6
    bones = np.linalg.norm(np.diff(found.pose.joint_positions()[:, [18, 19]], axis=1), axis=-1)
    assert np.ptp(bones) < 1e-9
    loose = space.reach(handles, mean_along(space, walk))
    assert found.error.mean() < 0.5 * loose.error.mean()


def test_many_poses_at_once_are_each_as_alone(walk: lm.Motion, space: PoseSpace) -> None:
    poses = lm.Poses(walk.skeleton, walk.root_positions[:8], walk.rotations[20:28])
    places = poses.joint_positions()
    handles = [Handle(j, places[:, j] + 0.1) for j in ends(walk)]
    together = space.reach(handles, poses)
    for n in (0, 5):
        one = lm.Poses(walk.skeleton, poses.root_positions[n : n + 1], poses.rotations[n : n + 1])
        alone = space.reach([replace(h, position=h.position[n]) for h in handles], one)
        np.testing.assert_array_equal(alone.coordinates[0], together.coordinates[n])


def test_a_pose_stays_near_the_one_before_it(walk: lm.Motion, space: PoseSpace) -> None:
    pose = lm.Poses(walk.skeleton, walk.root_positions[:1], walk.rotations[:1])
    before = space.coordinates(pose)
    handles = [Handle("LeftHand", pose.joint_positions()[0, walk.skeleton.index("LeftHand")] + (0.0, 0.3, 0.3))]
    moves = [
        np.linalg.norm(space.reach(handles, pose, previous=before, settings=Reach(smooth=s)).coordinates - before)
        for s in (1e-4, 1e-2, 1.0)
    ]
    assert moves[0] > 1.2 * moves[1] > 2.0 * moves[2]


def test_pieces_of_a_clip_leave_no_seam(walk: lm.Motion, space: PoseSpace, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = space.reach(five(walk), mean_along(space, walk), settings=Reach(tolerance=1e-9))
    monkeypatch.setattr(_reaching, "PIECE", 50)
    cut = space.reach(five(walk), mean_along(space, walk), settings=Reach(tolerance=1e-9))
    off = np.abs(cut.coordinates - whole.coordinates) / space.deviations
    assert off.max() < 0.02


def test_another_rate_smooths_alike(space: PoseSpace, walk: lm.Motion) -> None:
    slow = walk.resampled(30.0)
    one, other = (space.reach(five(m), mean_along(space, m), settings=Reach(smooth=1e-3)) for m in (walk, slow))
    off = (one.coordinates[::2][: len(slow)] - other.coordinates) / space.deviations
    assert np.abs(off).mean() < 0.05


def test_the_lever_says_what_a_radian_counts() -> None:
    assert asked_of(Handle(0, rotation=(1, 0, 0, 0), weight=2.0), 3)[1].tolist() == [2.0 * LEVER] * 3


def test_bad_handles_get_one_clear_line(space: PoseSpace, walk: lm.Motion) -> None:
    one = Handle("Head", (0.0, 1.0, 0.0))
    moving = replace(walk, translations=np.repeat(walk.skeleton.offsets[None], len(walk), axis=0))
    for message, call in {
        "expected one of position": lambda: Handle("Head"),
        "got position and look_at": lambda: Handle("Head", (0, 0, 0), look_at=(0, 0, 0)),
        "expected at least one": lambda: space.reach([]),
        "no joint 'Tail'": lambda: space.reach([Handle("Tail", (0, 0, 0))]),
        "no joint 99": lambda: space.reach([Handle(99, (0, 0, 0))]),
        "handle on Head, position: shape": lambda: space.reach([Handle("Head", (0.0, 1.0))], walk),
        "not finite": lambda: space.reach([Handle("Head", (0.0, np.nan, 0.0))]),
        "expected 0 or more": lambda: space.reach([replace(one, weight=-1.0)]),
        "has no direction": lambda: space.reach([Handle("Head", look_at=(0, 0, 1), axis=(0, 0, 0))]),
        "expected numbers": lambda: space.reach([Handle("Head", "up")], walk),
        "root 'loose'": lambda: space.reach([one], root="loose"),
        "smooth -1": lambda: Reach(smooth=-1.0),
        "rounds 0": lambda: Reach(rounds=0),
        "form 'both'": lambda: Reach(form="both"),
        "move against their parents": lambda: space.reach([one], moving),
    }.items():
        with pytest.raises(lm.LocomoteError, match=message):
            call()
