"""The rat and the mouse, their markers, skin that slides, posture: against what was put in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.capture import markers, stage
from locomote.creatures.catalogue._builtin import build
from locomote.ik import JointLimit
from locomote.skeleton import Leg, Roles, Skeleton

SLIDE = 0.005  # m
BONES = ("skull", "hand", "finger", "foot", "toe", "bone")


@pytest.fixture(scope="module")
def trot() -> lm.Motion:
    crowd = lm.creatures.Crowd("rat", 1, speed=0.35, seed=1)
    for _ in range(30):
        crowd.step(1 / 60)
    return crowd.record(seconds=0.7, fps=120.0)


def off(found: lm.Motion, truth: lm.Motion, joints: tuple[str, ...]) -> float:
    """Mean distance of some joints of both sides, mm."""
    away = 1e3 * np.linalg.norm(found.joint_positions() - truth.joint_positions(), axis=-1)
    return float(away[:, [j for j, n in enumerate(truth.skeleton.names) if n.startswith(joints)]].mean())


@pytest.mark.feature("ROD-01")
@pytest.mark.parametrize(("name", "mass"), [("rat", 0.2), ("mouse", 0.025)])
def test_rodents_have_their_joints_limits_and_weight(name: str, mass: float) -> None:
    creature = build(name)
    assert len(creature.skeleton) >= 30
    assert lm.Masses.of(creature.skeleton, body=creature.body).total == pytest.approx(mass, rel=0.15)
    crowd = lm.creatures.Crowd(name, 1, speed=1.0 * np.sqrt(creature.hip_height))
    motion = crowd.record(seconds=1.0, fps=60.0)
    for leg in creature.legs:
        for k, joint in enumerate(leg.joints):
            turn = rot.multiply(rot.inverse(leg.limits.rest[k]), motion.rotations[:, joint])
            twist = rot.log(rot.swing_twist(turn, leg.limits.axes[k])[1]) @ leg.limits.axes[k]
            low, high = leg.limits.twist[k]
            assert twist.min() > low - 0.02
            assert twist.max() < high + 0.02


@pytest.mark.feature("ROD-02")
def test_a_mouse_is_a_rat_of_half_the_size_with_the_rats_gaits() -> None:
    rat, mouse = build("rat"), build("mouse")
    assert rat.skeleton.names == mouse.skeleton.names
    np.testing.assert_allclose(mouse.skeleton.offsets, 0.5 * rat.skeleton.offsets, atol=1e-12)
    speeds = [0.5 * np.sqrt(9.81 * one.hip_height) for one in (rat, mouse)]
    clips = [
        lm.creatures.Crowd(name, 1, speed=speed, seed=3).record(seconds=1.5, fps=120.0 * scale**-0.5)
        for name, speed, scale in (("rat", speeds[0], 1.0), ("mouse", speeds[1], 0.5))
    ]
    paths = [clip.root_positions[-1, 2] - clip.root_positions[0, 2] for clip in clips]
    assert paths[1] / paths[0] == pytest.approx(np.sqrt(0.5), rel=0.05)


@pytest.mark.feature("ROD-06")
def test_springs_that_know_soft_skin_halve_the_error_of_equal_ones(trot: lm.Motion) -> None:
    seen, attached = stage.markers(trot, slide=SLIDE, noise=2e-4, seed=1)
    settings = markers.Springs(prior=1e-3)
    subject = markers.subject("rat")
    ours = markers.solve(seen, subject, attached, settings).motion
    equal = markers.solve(seen, subject, attached.with_stiffness(float(attached.stiffness.mean())), settings).motion
    limbs = ("scapula", "upper_arm", "forearm", "hand", "fingers", "thigh", "shank", "foot", "toes")
    assert off(ours, trot, limbs) < 0.7 * off(equal, trot, limbs)
    assert off(ours, trot, ("thigh", "shank")) < 0.6 * off(equal, trot, ("thigh", "shank"))
    assert off(ours, trot, ("thigh", "shank")) < 3.0


def test_a_map_that_is_wrong_does_harm(trot: lm.Motion) -> None:
    _, attached = stage.markers(trot[:2])
    bones = {name: SLIDE for name in attached.names if any(word in name for word in BONES)}
    seen = stage.markers(trot, slide=bones, noise=2e-4, seed=2).markers
    settings, subject = markers.Springs(prior=1e-3), markers.subject("rat")
    wrong = markers.solve(seen, subject, attached, settings).motion
    equal = markers.solve(seen, subject, attached.with_stiffness(0.4), settings).motion
    assert off(wrong, trot, ("thigh", "shank")) > 1.2 * off(equal, trot, ("thigh", "shank"))


@pytest.mark.feature("ROD-07")
def test_vertices_of_a_tracked_mesh_are_markers(trot: lm.Motion) -> None:
    assert trot.body is not None
    chosen = np.arange(0, len(trot.body.vertices), 9).tolist()
    attached = stage.marked_vertices(trot.body, chosen)
    weights = trot.body.weights[chosen].max(axis=1)
    firm = [name for name, w in zip(attached.names, weights, strict=True) if w < 0.95]
    seen = stage.vertex_markers(stage.meshes(trot).vertices, chosen, trot.fps)
    found = markers.solve(seen, markers.subject("rat"), attached.without(firm))
    assert off(found.motion, trot, ("thigh", "shank", "foot", "head", "forearm")) < 1.0


@pytest.mark.feature("ROD-08")
def test_skin_slides_by_what_is_chosen_for_each_region(trot: lm.Motion) -> None:
    chosen = {"thigh": 0.0, "L_hip": 0.004, "chest": 0.002}
    still, attached = stage.markers(trot)
    seen = stage.markers(trot, slide=chosen, seed=5).markers
    moved = np.sqrt(np.mean(np.sum((seen.positions - still.positions) ** 2, axis=-1), axis=0))
    for name, value in zip(attached.names, moved, strict=True):
        wanted = 0.004 if name == "L_hip" else 0.002 if name == "withers" else 0.0
        assert value == pytest.approx(wanted, abs=1e-9)
    wandered = stage.markers(trot, slide=SLIDE, seed=5).markers.positions - still.positions
    sizes = np.sqrt(np.mean(np.sum(wandered**2, axis=-1), axis=0))
    assert sizes[attached.index("L_hip")] == pytest.approx(SLIDE)
    assert sizes[attached.index("L_toe")] == 0.0
    again = stage.markers(trot, slide=SLIDE, seed=5).markers.positions
    np.testing.assert_array_equal(again - still.positions, wandered)


def box(**turns: tuple[float, float, float]) -> lm.Motion:
    """An animal of straight bones whose joints are turned by rotation vectors, one frame."""
    rows = [("pelvis", "", (0, 1, 0)), ("back", "pelvis", (0, 0, 0.5)), ("chest", "back", (0, 0, 0.5))]
    rows += [("neck", "chest", (0, 0, 0.2)), ("head", "neck", (0, 0, 0.3))]
    rows += [("tail1", "pelvis", (0, 0, -0.2)), ("tail2", "tail1", (0, 0, -0.4))]
    for parent in ("chest", "pelvis"):
        for side, x in (("l", 0.1), ("r", -0.1)):
            at = f"{parent}_{side}"
            rows += [(f"hip_{at}", parent, (x, 0, 0)), (f"knee_{at}", f"hip_{at}", (0, -0.5, 0))]
            rows += [(f"ankle_{at}", f"knee_{at}", (0, -0.4, 0)), (f"ball_{at}", f"ankle_{at}", (0, -0.1, 0))]
    names = tuple(row[0] for row in rows)
    parents = np.array([-1 if not row[1] else names.index(row[1]) for row in rows])
    legs = tuple(
        Leg(side, row, *(names.index(f"{j}_{parent}_{side[0]}") for j in ("hip", "knee", "ankle", "ball", "ball")))
        for row, parent in enumerate(("chest", "pelvis"))
        for side in ("left", "right")
    )
    index = names.index
    roles = Roles(0, (1, 2), (index("neck"),), index("head"), legs, tail=(index("tail1"), index("tail2")))
    skeleton = Skeleton(names, parents, np.array([row[2] for row in rows], dtype=float), given_roles=roles)
    q = rot.identity(1, len(names))
    for name, turn in turns.items():
        q[0, index(name)] = rot.exp(np.array(turn))
    return lm.Motion(skeleton, 60.0, np.array([[0.0, 1.0, 0.0]]), q)


@pytest.mark.feature("ROD-10")
def test_every_index_of_posture_is_that_of_a_pose_made_by_hand() -> None:
    rest = markers.posture(box())
    for name, values in rest.series().items():
        wanted = 1.0 if "extension" in name or "ratio" in name else 0.0
        assert values[0] == pytest.approx(wanted, abs=1e-9), name

    def index(name: str, **turns: tuple[float, float, float]) -> float:
        return float(markers.posture(box(**turns)).series()[name][0])

    a = 0.3
    assert index("head_pitch", head=(-a, 0, 0)) == pytest.approx(a)
    assert index("head_roll", head=(0, 0, a)) == pytest.approx(a)
    assert index("neck_angle", neck=(-a, 0, 0)) == pytest.approx(a)
    assert index("trunk_roll", pelvis=(0, 0, a)) == pytest.approx(a)
    assert index("side_bend", chest=(0, a, 0)) == pytest.approx(a)
    assert index("arch", chest=(a, 0, 0)) == pytest.approx(a)
    assert index("tail_angle", tail1=(a, 0, 0)) == pytest.approx(a)
    assert index("extension left front", knee_chest_l=(1.0, 0, 0)) == pytest.approx(
        np.hypot(0.5 + 0.5 * np.cos(1.0), 0.5 * np.sin(1.0))
    )
    assert index("extension right hind", knee_pelvis_r=(1.0, 0, 0)) < 1.0
    assert index("length_ratio", back=(0.5, 0, 0), chest=(-1.0, 0, 0)) < 0.97
    still = index("head_pitch", pelvis=(0, 1.2, 0))
    assert still == pytest.approx(0.0, abs=1e-9)  # which way it faces does not matter


def test_posture_has_a_summary_and_a_table(trot: lm.Motion, tmp_path) -> None:  # type: ignore[no-untyped-def]
    found = markers.posture(trot)
    summary = found.summary()
    assert summary["extension left hind"]["least"] < summary["extension left hind"]["most"] <= 1.0
    markers.write_posture(found, tmp_path / "p.csv")
    lines = (tmp_path / "p.csv").read_text().splitlines()
    assert len(lines) == len(trot) + 1
    assert lines[0].startswith("times,head_pitch (deg)")
    with pytest.raises(lm.SkeletonError, match="four legs"):
        markers.posture(lm.samples.performer(speed=1.0, seconds=0.1).motion)


@pytest.mark.feature("ROD-13")
def test_120_hertz_stay_120_hertz(trot: lm.Motion, tmp_path) -> None:  # type: ignore[no-untyped-def]
    lm.save(trot, tmp_path / "rat.npz")
    again = lm.load(tmp_path / "rat.npz")
    assert again.fps == 120.0
    np.testing.assert_array_equal(again.rotations, trot.rotations)
    slow = trot.resampled(60.0)
    np.testing.assert_allclose(slow.root_positions, trot.root_positions[::2], atol=1e-12)
    back = slow.resampled(120.0)
    np.testing.assert_allclose(
        back.rotations[::2], rot.canonical(trot.rotations[::2][: len(back.rotations[::2])]), atol=1e-6
    )


def test_a_hinge_between_two_creatures_is_kept(trot: lm.Motion) -> None:
    subject = markers.subject("rat")
    limit = subject.limits["shank.L"]
    assert isinstance(limit, JointLimit)
    assert limit.swing == 0.0
    longer = replace(subject, limits={**subject.limits, "shank.L": JointLimit.hinge((1.0, 0.0, 0.0), 0.0, 0.1)})
    seen, attached = stage.markers(trot[:10])
    found = markers.solve(seen, longer, attached).motion
    turns = rot.log(found.rotations[:, found.skeleton.index("shank.L")])
    assert turns[:, 0].max() <= 0.1 + 1e-9
