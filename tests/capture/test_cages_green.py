"""Green coordinates and cages: linear reproduction to rounding, similarities, quadrature, closed cages of quads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import locomote as lm
from locomote.capture.cages import CageRig, bind
from locomote.human_skeleton import Proportions, human_skeleton
from locomote.skeleton import Girths

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def ball(count: int = 40, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A closed cage without symmetry."""
    points = np.random.default_rng(seed).normal(size=(count, 3))
    points *= np.array([1.0, 1.4, 0.8]) / np.linalg.norm(points, axis=1, keepdims=True)
    hull = ConvexHull(points)
    faces = hull.simplices.astype(np.int64)
    across = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    inward = np.einsum("ij,ij->i", across, hull.equations[:, :3]) < 0.0
    faces[inward] = faces[inward][:, ::-1]
    return points, faces


def normals(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    across = np.cross(vertices[faces[:, 1]] - vertices[faces[:, 0]], vertices[faces[:, 2]] - vertices[faces[:, 0]])
    return across / np.linalg.norm(across, axis=1, keepdims=True)


def beside_faces(vertices: np.ndarray, faces: np.ndarray, depth: float, seed: int = 1) -> np.ndarray:
    """Points inside by so much from the middles of faces and from places all over them."""
    shares = np.random.default_rng(seed).dirichlet(np.ones(3), len(faces))
    on = np.einsum(
        "fk,fkj->fj", np.concatenate([shares, np.full((len(faces), 3), 1 / 3)]), vertices[np.tile(faces, (2, 1))]
    )
    return on - depth * np.tile(normals(vertices, faces), (2, 1))


@pytest.mark.feature("CAG-01")
@pytest.mark.parametrize("depth", [0.05, 1e-3, 1e-6, 1e-9])
def test_coordinates_sum_to_one_and_reproduce_points(depth: float) -> None:
    vertices, faces = ball()
    points = beside_faces(vertices, faces, depth)
    bound = bind(points, vertices, faces)
    assert np.isfinite(bound.phi).all()
    assert np.isfinite(bound.psi).all()
    np.testing.assert_allclose(bound.phi.sum(axis=1), 1.0, atol=1e-12, rtol=0)
    again = bound.phi @ vertices + bound.psi @ normals(vertices, faces)
    np.testing.assert_allclose(again, points, atol=1e-12, rtol=0)
    assert bound.inside.all()


@pytest.mark.feature("CAG-01")
def test_every_vertex_of_a_person_is_reproduced() -> None:
    rig = CageRig.of(human_skeleton(0.9))
    bound = bind(rig.stance.vertices, rig.vertices, rig.faces)
    np.testing.assert_allclose(bound.phi.sum(axis=1), 1.0, atol=1e-12, rtol=0)
    np.testing.assert_allclose(bound.posed(rig.vertices), rig.stance.vertices, atol=1e-12, rtol=0)
    near = bind(beside_faces(rig.vertices, rig.faces, 1e-9), rig.vertices, rig.faces)
    np.testing.assert_allclose(near.phi.sum(axis=1), 1.0, atol=1e-12, rtol=0)
    again = near.phi @ rig.vertices + near.psi @ normals(rig.vertices, rig.faces)
    np.testing.assert_allclose(again, beside_faces(rig.vertices, rig.faces, 1e-9), atol=1e-12, rtol=0)


def test_coordinates_are_the_integrals_they_stand_for() -> None:
    """By quadrature: psi is that of 1 / (4 pi r), phi that of its flow through a face times a corner's coordinate."""
    vertices, faces = ball(12, seed=3)
    point = np.array([0.1, -0.2, 0.05])
    bound = bind(point[None], vertices, faces)
    nodes, weights = np.polynomial.legendre.leggauss(60)
    u, w = 0.5 * (nodes + 1.0), 0.5 * weights
    phi = np.zeros(len(vertices))
    for f, (a, b, c) in enumerate(faces):
        s, t = np.meshgrid(u, u, indexing="ij")
        shares = np.stack([1.0 - s, s * (1.0 - t), s * t], axis=-1)
        at = shares @ vertices[[a, b, c]]
        across = np.cross(vertices[b] - vertices[a], vertices[c] - vertices[a])
        area = np.linalg.norm(across) * s * w[:, None] * w[None]
        away = at - point
        far = np.linalg.norm(away, axis=-1)
        assert bound.psi[0, f] == pytest.approx(np.sum(area / (4 * np.pi * far)), abs=1e-9)
        flow = (away @ (across / np.linalg.norm(across))) / (4 * np.pi * far**3)
        phi[[a, b, c]] += np.sum((area * flow)[..., None] * shares, axis=(0, 1))
    np.testing.assert_allclose(bound.phi[0], phi, atol=1e-9)


def test_points_outside_are_told() -> None:
    vertices, faces = ball()
    bound = bind([[0.0, 0.0, 0.0], [0.0, 0.0, 3.0]], vertices, faces)
    assert bound.inside.tolist() == [True, False]
    assert bound.phi[1].sum() == pytest.approx(0.0, abs=1e-12)


@pytest.mark.feature("CAG-02")
def test_a_similarity_of_the_cage_is_one_of_the_points() -> None:
    vertices, faces = ball()
    points = beside_faces(vertices, faces, 0.1)
    bound = bind(points, vertices, faces)
    turn = lm.rotations.to_matrix(lm.rotations.exp([0.4, -1.1, 0.8]))
    moved = bound.posed(2.7 * vertices @ turn.T + [0.3, -0.2, 5.0])
    np.testing.assert_allclose(moved, 2.7 * points @ turn.T + [0.3, -0.2, 5.0], atol=1e-12)


def euler_of(faces: np.ndarray) -> tuple[int, int]:
    sides = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    found, counts = np.unique(sides, axis=0, return_counts=True)
    assert np.all(counts == 2)
    return len(np.unique(faces)), len(found)


STOUT = Proportions(trunk=0.9, shoulders=0.9, arms=1.1, girths=Girths(chest=1.15, belly=1.3, limbs=1.2))


@pytest.mark.feature("CAG-03")
@pytest.mark.parametrize("proportions", [Proportions(), STOUT])
def test_quads_of_a_person_make_a_closed_cage(proportions: Proportions) -> None:
    rig = CageRig.of(human_skeleton(0.8, proportions))
    assert len(rig.names) == 21
    assert rig.vertices.shape == (96, 3)
    vertices, edges = euler_of(rig.faces)
    assert len(rig.faces) == 2 * vertices - 4 == 188
    assert vertices - edges + len(rig.faces) == 2
    # Hands and head are inside, and so is everything else.
    assert rig.skin.binding.inside.all()
    assert not len(rig.skin.outside)


@pytest.mark.data
@pytest.mark.parametrize("name", ["khronos_CesiumMan.glb", "mesh2motion_human_skeleton.glb"])
def test_rigs_from_files_get_a_cage(name: str) -> None:
    motion = lm.load(DATA / "rigs" / name)
    rig = CageRig.of(motion)
    vertices, _ = euler_of(rig.faces)
    assert len(rig.faces) == 2 * vertices - 4 == 188
    assert len(rig.skin.outside) < 0.02 * len(rig.body.vertices)


@pytest.mark.feature("CAG-04")
@pytest.mark.feature("CAG-10")
def test_quads_follow_a_motion_and_give_its_joints_back() -> None:
    walk = lm.samples.performer(speed=1.3, seconds=1.0).motion
    rig = CageRig.of(walk)
    quads = rig.quads_of(walk)
    from locomote.capture.cages import joints_of, motion_of

    true = walk.joint_positions()
    away = np.linalg.norm(joints_of(rig, quads) - true, axis=2)
    limbs = [j for leg in walk.skeleton.roles.legs for j in leg.chain]
    limbs += [j for arm in walk.skeleton.roles.arms for j in (arm.clavicle, arm.shoulder, arm.elbow, arm.wrist)]
    assert away[:, [0, walk.skeleton.roles.head, *limbs]].max() < 1e-9
    assert away.max() < 0.005
    again = motion_of(rig, quads, walk.fps)
    assert np.linalg.norm(again.joint_positions() - true, axis=2).mean() < 0.004
    assert np.degrees(lm.rotations.distance(again.world()[1], walk.world()[1])).max() < 6.0
    # A rigid motion of all quads takes the points of the cage with it exactly.
    turn, shift = lm.rotations.exp([0.2, 0.9, -0.4]), np.array([1.0, 0.2, -3.0])
    from locomote.capture.cages import Quads

    still = Quads(rig.centres[None], np.tile([1.0, 0.0, 0.0, 0.0], (1, len(rig.names), 1)))
    moved = Quads(lm.rotations.rotate(turn, still.places) + shift, lm.rotations.multiply(turn, still.turns))
    expected = lm.rotations.rotate(turn, rig.stance.positions) + shift
    np.testing.assert_allclose(rig.joints.posed(moved)[0], expected, atol=1e-12)


@pytest.mark.feature("CAG-11")
def test_another_mesh_goes_along_in_the_same_cage() -> None:
    walk = lm.samples.performer(speed=1.3, seconds=0.5).motion
    rig = CageRig.of(walk)
    own, quads = rig.skin, rig.quads_of(walk)
    # Every third vertex of the skin pulled a little inwards is the other mesh; it stays beside the skin all the time.
    from locomote.body import vertex_normals

    inward = rig.stance.vertices - 0.004 * vertex_normals(rig.stance.vertices, rig.body.triangles)
    other = rig.bind(inward[::3])
    away = np.linalg.norm(other.posed(quads) - own.posed(quads)[:, ::3], axis=2)
    assert np.median(away) == pytest.approx(0.004, rel=0.2)
    assert away.max() < 0.02
    with pytest.raises(lm.LocomoteError, match="none of the points"):
        rig.bind([[5.0, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda v, f: (v, f[:-1]), "closed"),
        (lambda v, f: (v, f[:, ::-1]), "inwards"),
        (lambda v, f: (v[:5], f), "vertex"),
        (lambda v, f: (np.where(np.arange(len(v))[:, None] == 3, np.nan, v), f), "finite"),
    ],
)
def test_broken_cages_are_refused(spoil: object, words: str) -> None:
    vertices, faces = spoil(*ball())  # type: ignore[operator]
    with pytest.raises(lm.LocomoteError, match=words):
        bind([[0.0, 0.0, 0.0]], vertices, faces)


def test_bodies_of_another_kind_are_refused() -> None:
    with pytest.raises(lm.LocomoteError, match="left and a right leg"):
        CageRig.of(lm.creatures.Creature.build("wolf").morphology.skeleton)
