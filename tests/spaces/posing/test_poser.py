"""Bodies posed by handles: what is held is held, what is dragged moves smoothly, the rest is as people do it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.errors import LocomoteError, SkeletonError
from locomote.human_skeleton import human_skeleton
from locomote.motion import Motion, Poses
from locomote.skeleton import Skeleton
from locomote.spaces import Handle, LatentModel, LatentPoser, PoseDatabase, Poser

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
ENDS = ("LeftHand", "RightHand", "LeftFoot", "RightFoot", "Head")


@pytest.fixture(scope="module")
def database() -> PoseDatabase:
    """The poses that come with the package, but for a few."""
    whole = PoseDatabase.default()
    places, turns = (np.delete(each, np.s_[1::90], axis=0) for each in (whole.root_positions, whole.rotations))
    return replace(whole, root_positions=places, rotations=turns)


@pytest.fixture(scope="module")
def walk(database: PoseDatabase) -> Motion:
    """A walk that is in no database."""
    return lm.retarget(lm.samples.performer(speed=1.3, seconds=1.0).motion, database.skeleton, feet=False)


@pytest.fixture(scope="module")
def unseen(database: PoseDatabase) -> Motion:
    """Recorded poses that are not among those of `database`, one after the other."""
    whole = PoseDatabase.default()
    return Motion(whole.skeleton, 1.0, whole.root_positions[1::90], whole.rotations[1::90])


def held(motion: Motion, joints: tuple[str, ...]) -> list[Handle]:
    places = motion.joint_positions()
    return [Handle(name, position=places[:, motion.skeleton.index(name)]) for name in joints]


def far(a: Motion | Poses, b: Motion | Poses) -> np.ndarray:
    return np.linalg.norm(a.joint_positions() - b.joint_positions(), axis=-1)


@pytest.mark.feature("POS-06")
def test_handles_of_all_kinds_on_any_joint_are_held(database: PoseDatabase, unseen: Motion) -> None:
    places, turns = unseen.world()
    at, tip, axis = unseen.skeleton.index, (-0.1, 0.0, 0.0), (0.0, 0.05, 1.0)
    tips = places[:, at("RightHand")] + rot.rotate(turns[:, at("RightHand")], tip)
    seen = places[:, at("Head")] + 2.0 * rot.rotate(turns[:, at("Head")], axis)
    handles = [
        *held(unseen, (*ENDS, "Hips", "LeftForeArm")),
        Handle("RightHand", position=tips, point=tip),
        Handle("LeftFoot", rotation=turns[:, at("LeftFoot")]),
        Handle("Head", look_at=seen, axis=axis),
    ]
    pose = Poser(database).solve(handles).pose
    found, turned = Motion(unseen.skeleton, 1.0, pose.root_positions, pose.rotations).world()
    joints = [at(name) for name in (*ENDS, "Hips", "LeftForeArm")]
    misses = np.linalg.norm(found[:, joints] - places[:, joints], axis=-1)
    ends = found[:, at("RightHand")] + rot.rotate(turned[:, at("RightHand")], tip)
    misses = np.column_stack([misses, np.linalg.norm(ends - tips, axis=-1)])
    assert misses.mean() < 1e-3
    assert np.mean(misses < 5e-3) > 0.99
    assert np.median(rot.distance(turned[:, at("LeftFoot")], turns[:, at("LeftFoot")])) < 0.01
    gaze, way = rot.rotate(turned[:, at("Head")], axis), seen - found[:, at("Head")]
    cosines = np.sum(gaze * way, axis=1) / np.linalg.norm(gaze, axis=1) / np.linalg.norm(way, axis=1)
    assert np.median(np.arccos(np.minimum(cosines, 1.0))) < 0.01


def test_errors_are_those_of_the_pose(database: PoseDatabase, walk: Motion) -> None:
    handles = held(walk[:4], ENDS)
    found = Poser(database).solve(handles)
    places = found.pose.joint_positions()
    for h, name in enumerate(ENDS):
        away = np.linalg.norm(places[:, walk.skeleton.index(name)] - handles[h].position, axis=1)
        assert found.error[:, h] == pytest.approx(away, abs=1e-9)


def test_a_body_is_nearer_to_the_true_pose_than_the_nearest_recorded_one(
    database: PoseDatabase, unseen: Motion
) -> None:
    truth = unseen[:20]
    joints = (*ENDS, "Hips")
    found = far(Poser(database).solve(held(truth, joints)).pose, truth).mean(axis=1)
    at = [truth.skeleton.index(name) for name in joints]
    known, nearest = database.poses.joint_positions(), []
    for place in truth.joint_positions():
        best = np.inf
        for yaw in np.radians(np.arange(0, 360, 10)):
            turned = rot.rotate(rot.from_yaw(yaw), known)
            shift = place[at].mean(axis=0) - turned[:, at].mean(axis=1)
            moved = turned + shift[:, None]
            cost = np.sum((moved[:, at] - place[at]) ** 2, axis=(1, 2))
            if cost.min() < best:
                best, body = cost.min(), moved[np.argmin(cost)]
        nearest.append(np.linalg.norm(body - place, axis=-1).mean())
    assert np.median(found) < 0.5 * np.median(nearest)


def test_where_and_which_way_a_body_stands_changes_nothing_else(database: PoseDatabase, walk: Motion) -> None:
    poser = Poser(database)
    turn, shift = rot.from_yaw(2.0), np.array([3.0, 0.0, -7.0])
    handles = held(walk[:3], ENDS)
    moved = [replace(h, position=rot.rotate(turn, h.position) + shift) for h in handles]
    here, there = poser.solve(handles).pose, poser.solve(moved).pose
    assert there.joint_positions() == pytest.approx(rot.rotate(turn, here.joint_positions()) + shift, abs=2e-3)


def drag_a_little(poser: Poser, poses: Motion) -> np.ndarray:
    """How far the joint that moves most does, where feet are held and a hand is dragged by 5 mm; for each pose, m."""
    previous = Poses(poses.skeleton, poses.root_positions, poses.rotations)
    feet = held(poses, ("LeftFoot", "RightFoot"))
    hand = poses.joint_positions()[:, poses.skeleton.index("RightHand")]
    found = poser.solve([Handle("RightHand", position=hand + np.array([0.0, 0.004, 0.003])), *feet], previous)
    return far(found.pose, previous).max(axis=1)


@pytest.mark.feature("POS-07")
def test_a_dragged_hand_moves_the_body_smoothly(database: PoseDatabase, unseen: Motion) -> None:
    moved = drag_a_little(Poser(database), unseen)
    forgetful = drag_a_little(Poser(database, lag=0.0, stay=0.0), unseen)
    assert np.median(moved) < 0.05
    assert np.median(moved) < 0.25 * np.median(forgetful)
    # A long way in small steps: no step throws the body about, and at its end it comes to rest.
    poser, pose = Poser(database), Poses(unseen.skeleton, unseen.root_positions[:1], unseen.rotations[:1])
    feet = held(unseen[:1], ("LeftFoot", "RightFoot"))
    begin = pose.joint_positions()[0, unseen.skeleton.index("RightHand")]
    steps = []
    for step in range(160):
        goal = begin + min(step / 100, 1.0) * np.array([0.1, 0.3, 0.2])
        found = poser.solve([Handle("RightHand", position=goal), *feet], pose).pose
        steps.append(far(found, pose).max())
        pose = found
    assert max(steps) < 0.06
    assert max(steps[-20:]) < 5e-3


@pytest.mark.feature("POS-08")
def test_every_solve_of_a_drag_is_short_and_ends_where_the_handle_is(database: PoseDatabase, unseen: Motion) -> None:
    """What a solve takes is a few rounds of the same work, wherever the mouse goes."""
    poser, feet = Poser(database), held(unseen[:1], ("LeftFoot", "RightFoot"))
    pose = Poses(unseen.skeleton, unseen.root_positions[:1], unseen.rotations[:1])
    begin = pose.joint_positions()[0, unseen.skeleton.index("RightHand")]
    for i in range(120):
        turn = 2.0 * np.pi * i / 60.0
        goal = begin + np.array([0.15 * np.sin(turn), 0.1 * (1.0 - np.cos(turn)), 0.001 * i])
        found = poser.solve([Handle("RightHand", position=goal), *feet], pose)
        pose = found.pose
        assert found.rounds.max() <= 8
        assert found.error.max() < 0.005


@pytest.mark.data
@pytest.mark.parametrize("name", ["07_01", "86_01"])
def test_frame_after_frame_is_hardly_rougher_than_a_recorded_clip(name: str) -> None:
    path = next(DATA.glob(f"human/*/cmu_{name}.bvh.xz"))  # of people whom the database does not know
    clip = lm.load(path, drop_tpose=True).resampled(60.0)[:300]
    found = Poser(PoseDatabase.default().onto(clip.skeleton)).follow(held(clip, (*ENDS, "Hips")), clip.fps).pose
    assert isinstance(found, Motion)
    assert found.fps == clip.fps
    rough = [np.linalg.norm(np.diff(m.joint_positions(), 2, axis=0), axis=-1).mean() for m in (clip, found)]
    assert rough[1] < 1.25 * rough[0]


@pytest.mark.feature("POS-10")
@pytest.mark.parametrize("size", [0.4, 0.9, 1.6])
def test_bodies_of_other_sizes_and_bones_need_no_training(database: PoseDatabase, walk: Motion, size: float) -> None:
    skeleton = human_skeleton(size, proportions=lm.human_skeleton.Proportions(trunk=1.2, arms=0.9))
    truth = lm.retarget(walk[:10], skeleton, feet=False)
    own = Poser(database.onto(skeleton))
    found = own.solve(held(truth, (*ENDS, "Hips")))
    assert found.error.max() < 0.005
    assert far(found.pose, truth).mean() < 0.04 * size


def test_poses_carried_onto_a_body_keep_their_shape(database: PoseDatabase) -> None:
    larger = database.onto(database.skeleton.scaled(2.0))
    about = database.poses.joint_positions() - database.root_positions[:, None]
    twice = larger.poses.joint_positions() - larger.root_positions[:, None]
    assert np.median(np.linalg.norm(twice - 2.0 * about, axis=-1)) < 0.01


def test_without_a_ground_height_tells_nothing(database: PoseDatabase, walk: Motion) -> None:
    up = np.array([0.0, 5.0, 0.0])
    handles = held(walk[:3], ENDS)
    raised = [replace(h, position=np.asarray(h.position) + up) for h in handles]
    free = Poser(database, ground=None)
    assert free.solve(raised).pose.joint_positions() == pytest.approx(
        free.solve(handles).pose.joint_positions() + up, abs=2e-3
    )


def test_toes_stay_above_the_ground_of_who_crouches(database: PoseDatabase) -> None:
    feet = [Handle(f"{side}Foot", position=(x, 0.08, 0.0)) for side, x in (("Left", 0.12), ("Right", -0.12))]
    handles = [*feet, Handle("Hips", position=np.stack([[0.0, y, -0.1] for y in np.linspace(0.9, 0.4, 20)]))]
    roles = database.skeleton.roles
    lowest = []
    for ground in (0.0, None):
        pose = Poser(database, ground=ground).solve(handles).pose
        places, turns = Motion(pose.skeleton, 1.0, pose.root_positions, pose.rotations).world()
        tips = [places[:, leg.toe] + rot.rotate(turns[:, leg.toe], leg.toe_offset) for leg in roles.legs]
        lowest.append(min(float(tip[:, 1].min()) for tip in tips))
    assert lowest[0] > -0.03
    assert lowest[1] < -0.04


def test_fingers_stay_as_each_body_had_them(database: PoseDatabase) -> None:
    plain = database.skeleton
    hand = plain.index("LeftHand")
    offsets = np.concatenate([plain.offsets, [[0.08, 0.0, 0.0]]])
    skeleton = Skeleton((*plain.names, "LeftIndex"), np.append(plain.parents, hand), offsets)
    own = Poser(database.onto(skeleton))
    turns = np.tile(rot.IDENTITY, (2, len(skeleton), 1))
    turns[:, -1] = rot.exp([[0.0, 0.0, -0.9], [0.0, 0.4, 0.0]])  # one finger bent, the other spread
    previous = Poses(skeleton, np.array([[0.0, 1.0, 0.0], [2.0, 1.0, 0.0]]), turns)
    goals = previous.joint_positions()[:, [-1]] + np.array([0.0, 0.02, 0.0])
    found = own.solve([Handle("LeftIndex", position=goals[:, 0])], previous)
    assert found.pose.rotations[:, -1] == pytest.approx(turns[:, -1])
    assert found.error.max() < 0.005
    assert np.linalg.norm(found.pose.joint_positions()[:, -1] - goals[:, 0], axis=-1) == pytest.approx(
        found.error[:, 0], abs=1e-9
    )


@pytest.mark.feature("POS-06")
def test_the_latent_model_holds_handles_too(database: PoseDatabase, walk: Motion) -> None:
    database = replace(database, root_positions=database.root_positions[::15], rotations=database.rotations[::15])
    model = LatentModel.fit(database.vectors, latent=6, inducing=40, rounds=10)
    truth = walk[:5]
    found = LatentPoser(database, model).solve(held(truth, (*ENDS, "Hips")))
    assert found.error.max() < 0.005
    assert far(found.pose, truth).mean() < 0.05
    with pytest.raises(LocomoteError, match="expected the 99 of the database"):
        LatentPoser(
            replace(database, root_positions=database.root_positions[:99], rotations=database.rotations[:99]), model
        )


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"miss": 0.0}, "miss"), ({"stay": -1.0}, "stay"), ({"lag": 1.5}, "lag"), ({"rounds": 0}, "rounds")],
)
def test_bad_settings_are_told(database: PoseDatabase, settings: dict[str, float], message: str) -> None:
    with pytest.raises(LocomoteError, match=message):
        Poser(database, **settings)  # type: ignore[arg-type]


def test_poses_of_another_body_are_told(database: PoseDatabase) -> None:
    other = lm.samples.performer(speed=1.0, seconds=0.1).motion
    wrong = Poses(other.skeleton, other.root_positions[:1], other.rotations[:1, :5])
    with pytest.raises(SkeletonError, match="previous"):
        Poser(database).solve([Handle("Head", position=(0.0, 1.5, 0.0))], wrong)
    with pytest.raises(LocomoteError, match="at least one"):
        Poser(database).solve([])
