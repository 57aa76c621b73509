from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.body import Body, capsule_body, vertex_normals
from locomote.skeleton import Skeleton


def person() -> Skeleton:
    rows = [
        ("Hips", -1, (0, 0.95, 0)),
        ("Spine", 0, (0, 0.2, 0)),
        ("Chest", 1, (0, 0.2, 0)),
        ("Head", 2, (0, 0.2, 0)),
    ]
    for side, sign in (("Left", 1), ("Right", -1)):
        first = len(rows)
        rows += [
            (f"{side}UpLeg", 0, (0.1 * sign, -0.05, 0)),
            (f"{side}Leg", first, (0, -0.42, 0)),
            (f"{side}Foot", first + 1, (0, -0.42, 0)),
            (f"{side}Arm", 2, (0.18 * sign, 0.1, 0)),
            (f"{side}ForeArm", first + 3, (0.28 * sign, 0, 0)),
            (f"{side}Hand", first + 4, (0.25 * sign, 0, 0)),
        ]
    names, parents, offsets = zip(*rows, strict=True)
    ends = [names.index(name) for name in ("Head", "LeftFoot", "RightFoot")]
    tips = [(0, 0.15, 0), (0, 0, 0.2), (0, 0, 0.2)]
    return Skeleton(names, np.array(parents), np.array(offsets), end_parents=np.array(ends), end_offsets=np.array(tips))


def thickness(body: Body, joint: int, axis: int) -> float:
    return float(np.ptp(body.vertices[body.joints[:, 0] == joint][:, axis]))


def test_every_capsule_is_closed_and_faces_outwards() -> None:
    body = capsule_body(person())
    directed = Counter()
    for a, b, c in body.triangles.tolist():
        directed.update([(a, b), (b, c), (c, a)])
    assert set(directed.values()) == {1}
    assert all((b, a) in directed for a, b in directed)
    for joint in np.unique(body.joints[:, 0]):
        corners = body.vertices[body.triangles[body.joints[body.triangles[:, 0], 0] == joint]]
        corners = corners - corners.reshape(-1, 3).mean(axis=0)
        assert np.sum(corners[:, 0] * np.cross(corners[:, 1], corners[:, 2])) > 0.0


def test_the_trunk_is_thicker_than_a_limb_and_the_body_symmetric() -> None:
    skeleton = person()
    body = capsule_body(skeleton)
    at = skeleton.index
    assert thickness(body, at("Spine"), 0) > 1.3 * thickness(body, at("LeftUpLeg"), 0)
    assert thickness(body, at("LeftUpLeg"), 0) > thickness(body, at("LeftLeg"), 0)
    assert thickness(body, at("LeftFoot"), 0) > thickness(body, at("LeftFoot"), 1)
    assert thickness(body, at("Spine"), 0) > thickness(body, at("Spine"), 2)
    low, high = body.vertices.min(axis=0), body.vertices.max(axis=0)
    assert low[0] == pytest.approx(-high[0], abs=1e-3)
    # A person of 1.7 m is about as wide as people are.
    assert 0.2 < thickness(body, at("Spine"), 0) < 0.45
    assert 0.1 < thickness(body, at("Head"), 0) < 0.25
    assert 0.1 < thickness(body, at("LeftUpLeg"), 0) < 0.2


def test_the_proportions_do_not_depend_on_the_size() -> None:
    small, large = capsule_body(person()), capsule_body(person().scaled(40.0))
    assert np.allclose(40.0 * small.vertices, large.vertices, rtol=1e-9)


def test_a_root_on_the_floor_is_not_a_limb() -> None:
    body = person()
    names = ("root", *body.names)
    parents = np.concatenate([[-1], body.parents + 1])
    offsets = np.concatenate([[[0.0, 0.0, 0.0]], body.offsets])
    rooted = Skeleton(names, parents, offsets, end_parents=body.end_parents + 1, end_offsets=body.end_offsets)
    assert np.allclose(capsule_body(rooted).vertices, capsule_body(body).vertices)
    assert 0 not in capsule_body(rooted).joints[:, 0]


def test_a_single_joint_still_has_a_body() -> None:
    body = capsule_body(Skeleton(("point",), np.array([-1]), np.array([[0.0, 1.0, 0.0]])))
    assert len(body.triangles) > 0
    assert np.all(np.isfinite(body.vertices))


def test_a_head_without_a_bone_gets_one() -> None:
    skeleton = Skeleton(
        ("Hips", "Neck", "Head", "Leg"),
        np.array([-1, 0, 1, 0]),
        np.array([[0, 1, 0], [0, 0.5, 0], [0, 0.1, 0], [0, -1, 0]]),
    )
    body = capsule_body(skeleton)
    assert body.vertices[body.joints[:, 0] == 2][:, 1].max() > 1.7


def test_the_body_stands_as_bound_and_follows_a_turn_of_the_whole() -> None:
    skeleton = person()
    body = capsule_body(skeleton)
    positions, turns = skeleton.rest_pose()
    assert np.allclose(body.posed(positions, turns), body.vertices)
    turn, shift = rot.from_yaw(0.7), np.array([1.0, 2.0, 3.0])
    moved = body.posed(rot.rotate(turn, positions) + shift, rot.multiply(turn, turns))
    assert np.allclose(moved, rot.rotate(turn, body.vertices) + shift)


def test_a_scaled_body_lets_its_file_go() -> None:
    body = capsule_body(person())
    scaled = Body(**{**body.__dict__, "source": "a file"}).scaled(2.0)
    assert scaled.source is None
    assert np.allclose(scaled.vertices, 2.0 * body.vertices)
    assert np.allclose(scaled.bind_positions, 2.0 * body.bind_positions)


def test_normals_are_of_unit_length_and_point_outwards() -> None:
    body = capsule_body(Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0, 0, 0], [0, 1.0, 0]])))
    normals = vertex_normals(body.vertices, body.triangles)
    assert np.allclose(np.linalg.norm(normals, axis=1), 1.0)
    assert np.all(np.sum(normals * (body.vertices - [0, 0.5, 0]), axis=1) > 0.0)


def test_normals_of_nothing_point_up() -> None:
    flat = vertex_normals(np.zeros((3, 3)), np.array([[0, 1, 2]]))
    assert np.array_equal(flat, [[0, 1, 0]] * 3)
