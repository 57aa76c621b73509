"""Fitted bodies: against bodies deformed at random, brute force, finite differences and closed forms."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import trimesh
from scipy.optimize import minimize
from scipy.spatial.distance import cdist

import locomote as lm
from locomote import rotations as rot
from locomote.capture.bodies import Fit, ShapeModel, Template, carry, fit, track
from locomote.capture.bodies._articulated import Bones, Pairs, Stiffness
from locomote.capture.bodies._carrying import _begun
from locomote.capture.bodies._clusters import Clusters, shape_match
from locomote.capture.bodies._pairing import Target, Triangles, pair_up
from locomote.ik import EllipsoidLimit
from locomote_lab.bones import Deformed, deformed, subdivided, twenty_bones

LANDMARKS = ("paw.L", "paw.R", "foot.L", "foot.R", "head", "tail_3")


@cache
def creature() -> Template:
    return twenty_bones()


@cache
def wolf() -> Template:
    return Template.of(lm.creatures.Crowd("wolf", 1).record(seconds=0.1, fps=30))


def marks_of(template: Template, truth: Deformed, names: tuple[str, ...]) -> dict[int, np.ndarray]:
    """Ends of bones on the truth, 5 mm off."""
    random, out = np.random.default_rng(0), {}
    for name in names:
        joint = template.skeleton.index(name)
        mine = np.flatnonzero(template.bones == joint)
        far = np.linalg.norm(template.body.vertices[mine] - template.body.bind_positions[joint], axis=1)
        end = int(mine[np.argmax(far)])
        out[end] = truth.vertices[end] + 0.005 * random.standard_normal(3)
    return out


def errors(fitted: Fit, truth: Deformed) -> np.ndarray:
    return 100.0 * np.linalg.norm(fitted.joints - truth.joints, axis=1) / fitted.template.size


@cache
def fitted_creature() -> tuple[Fit, Deformed]:
    truth = deformed(creature(), twenty_bones(40, 40), np.radians(20.0), 0.15, 1, noise=0.001)
    return fit(creature(), truth.mesh, marks_of(creature(), truth, LANDMARKS)), truth


@pytest.mark.feature("ANA-01")
@pytest.mark.feature("ANA-02")
def test_a_creature_of_twenty_bones_is_found_in_another_pose_and_shape() -> None:
    fitted, truth = fitted_creature()
    assert len(creature().skeleton) == 20
    off = errors(fitted, truth)
    assert off.mean() < 0.7
    assert off.max() < 2.0
    assert fitted.failed == ()


def test_a_wolf_is_found_without_landmarks() -> None:
    truth = deformed(wolf(), subdivided(wolf()), np.radians(10.0), 0.1, 3)
    fitted = fit(wolf(), truth.mesh)
    assert errors(fitted, truth).mean() < 0.5
    assert errors(fitted, truth).max() < 1.5
    assert fitted.failed == ()


def test_what_does_not_fit_is_named() -> None:
    truth = deformed(creature(), creature(), np.radians(75.0), 0.5, 1)
    fitted = fit(creature(), truth.mesh)
    off = errors(fitted, truth)
    assert off.max() > 2.0
    assert fitted.failed
    assert any("do not fit" in note for note in fitted.notes)
    wrong = [creature().skeleton.names[b] for b in np.flatnonzero(off > 5.0)]
    assert len(set(wrong) & set(fitted.failed)) >= len(wrong) // 2


@pytest.mark.feature("ANA-08")
def test_the_nearest_rotation_within_a_limit_is_the_one_that_search_finds() -> None:
    limit = EllipsoidLimit((0.3, 0.8, 0.2), (1.2, 0.5, 0.6))
    random = np.random.default_rng(2)
    for turn in random.uniform(-2.5, 2.5, (40, 3)):
        found = limit.nearest(turn)
        if limit.allows(turn):
            np.testing.assert_array_equal(found, turn)
            continue
        angles = np.where(found < 0.0, limit.low, limit.high)
        assert np.sum((found / angles) ** 2) == pytest.approx(1.0, abs=1e-9)
        size = np.linalg.norm(turn)
        least = np.inf
        for same in (turn, turn * (1.0 - 2.0 * np.pi / size)):
            for octant in np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1).T:
                radii = np.where(octant < 0, limit.low, limit.high)
                best = minimize(
                    lambda u, r=radii, o=octant, s=same: np.sum((r * o * np.abs(u) / np.linalg.norm(u) - s) ** 2),
                    np.abs(same) + 0.1,
                    method="Nelder-Mead",
                    options={"xatol": 1e-9, "fatol": 1e-12},
                )
                least = min(least, best.fun)
        nearer = min(np.sum((found - turn) ** 2), np.sum((found - turn * (1.0 - 2.0 * np.pi / size)) ** 2))
        assert nearer <= least + 1e-6


def test_a_limit_is_left_along_its_normal() -> None:
    limit = EllipsoidLimit((0.3, 0.8, 0.2), (1.2, 0.5, 0.6))
    at = limit.nearest((1.5, 0.4, -0.9))
    slope = np.array([(np.sum((p / np.where(p < 0, limit.low, limit.high)) ** 2)) for p in at + 1e-6 * np.eye(3)]) - 1.0
    np.testing.assert_allclose(limit.normal(at), slope / np.linalg.norm(slope), atol=1e-4)
    with pytest.raises(lm.LocomoteError, match="low"):
        EllipsoidLimit((-0.1, 0.1, 0.1), (0.1, 0.1, 0.1))


@pytest.mark.feature("ANA-09")
@pytest.mark.feature("ANA-10")
def test_joints_are_closed_and_limits_kept_in_what_is_delivered() -> None:
    tight = EllipsoidLimit((0.05,) * 3, (0.05,) * 3)
    base = creature()
    template = Template(base.skeleton, base.body, dict.fromkeys(base.skeleton.names[1:], tight))
    truth = deformed(base, base, np.radians(10.0), 0.1, 0)
    fitted = fit(template, truth.mesh, marks_of(base, truth, LANDMARKS))
    bends = fitted.bones.bends()
    assert np.any(np.linalg.norm(bends, axis=1) > 0.049)  # some would like to turn farther
    assert np.all(np.sum((bends / 0.05) ** 2, axis=1) <= 1.0 + 1e-6)
    first, second = fitted.bones.ends()
    assert np.linalg.norm(first - second, axis=1).max() < 1e-12


@pytest.mark.feature("ANA-10")
def test_loops_of_joints_are_held_together() -> None:
    base = creature()
    where = tuple(0.5 * (base.body.bind_positions[10] + base.body.bind_positions[13]))  # between the fore paws
    looped = Template(base.skeleton, base.body, loops=(("paw.L", "paw.R", where),))
    truth = deformed(base, base, np.radians(5.0), 0.0, 4)
    free = fit(base, truth.mesh)
    fitted = fit(looped, truth.mesh)
    first, second = fitted.bones.ends()
    gap = np.linalg.norm(first[-1] - second[-1])
    linear = free.bones.linear
    apart = [free.bones.places[b] + linear[b] @ (np.array(where) - free.bones.centres[b]) for b in (10, 13)]
    assert gap < 0.1 * np.linalg.norm(apart[0] - apart[1])


def test_one_round_solves_what_is_nearly_linear() -> None:
    """A wrong slope of any unknown would leave an error of the first order."""
    template, random = twenty_bones(6, 6), np.random.default_rng(0)
    truth, bones = Bones(template), Bones(template)
    truth.growth += 1e-3 * random.standard_normal((20, 3))
    truth.turns = rot.exp(1e-3 * random.standard_normal((20, 3)))
    for b in range(1, 20):
        parent = int(template.skeleton.parents[b])
        truth.places[b] = truth.places[parent] + truth.linear[parent] @ (truth.centres[b] - truth.centres[parent])
    corners = random.integers(0, len(bones.vertices), (3000, 3))
    shares = random.dirichlet(np.ones(3), 3000)
    goals = np.einsum("pk,pki->pi", shares, truth.posed()[corners])
    pairs = Pairs(corners, shares, goals, np.zeros((3000, 3)), np.ones(3000))
    before = np.linalg.norm(bones.posed() - truth.posed(), axis=1).max()
    bones.fit([(pairs, 1.0)], Stiffness(0.0, 0.0))
    assert np.linalg.norm(bones.posed() - truth.posed(), axis=1).max() < 0.02 * before
    assert np.linalg.norm(np.subtract(*bones.ends()), axis=1).max() < 1e-5


@pytest.mark.feature("ANA-02")
def test_closest_points_are_those_of_brute_force_and_same_meshes_stay() -> None:
    ball = trimesh.creation.icosphere(3, 1.0)
    random = np.random.default_rng(1)
    points = 1.4 * random.standard_normal((200, 3))
    found, weights = Triangles(ball.vertices, ball.faces).closest(points)
    near = np.einsum("pk,pki->pi", weights, ball.vertices[ball.faces[found]])
    every_one = np.repeat(points, len(ball.faces), axis=0)
    corners = np.tile(ball.vertices[ball.faces], (len(points), 1, 1))
    ways = np.linalg.norm(trimesh.triangles.closest_point(corners, every_one) - every_one, axis=1)
    np.testing.assert_allclose(np.linalg.norm(near - points, axis=1), ways.reshape(len(points), -1).min(1), atol=1e-9)
    template = creature()
    vertices, faces = template.body.vertices, template.body.triangles
    every = np.arange(0, len(vertices), 7)
    target = Target(lm.capture.bodies.checked_mesh(vertices, faces))
    for exact in (True, False):
        for pairs in pair_up(vertices, faces, target, 0.01, every, every, exact):
            now = np.einsum("pk,pki->pi", pairs.shares, vertices[pairs.corners])
            np.testing.assert_allclose(now, pairs.goals, atol=1e-9)


@pytest.mark.feature("ANA-04")
@pytest.mark.parametrize("radius", [np.inf, 0.1, 0.03])
def test_bones_that_move_rigidly_are_matched_exactly(radius: float) -> None:
    template = twenty_bones(8, 8)
    rest, owner = template.body.vertices, template.bones
    near = Clusters.within(rest, owner, radius)
    turn, shift = rot.exp([0.3, -0.5, 0.8]), np.array([0.2, 0.1, -0.4])
    moved = rot.rotate(turn, rest) + shift
    masses = np.random.default_rng(0).uniform(0.5, 2.0, len(rest))
    np.testing.assert_allclose(rest + shape_match(rest, moved - rest, masses, near), moved, atol=1e-12)


@pytest.mark.feature("ANA-05")
@pytest.mark.parametrize("share", [1 / 8, 1 / 16, 1 / 32])
def test_clusters_are_summed_from_their_neighbours_with_a_fifth_of_the_additions(share: float) -> None:
    template = twenty_bones(18, 20)
    rest, owner = template.body.vertices, template.bones
    near = Clusters.within(rest, owner, share * template.size)
    values = np.random.default_rng(0).standard_normal((len(rest), 4))
    direct = np.empty_like(values)
    every = 0
    for bone in np.unique(owner):
        mine = owner == bone
        inside = cdist(rest[mine], rest[mine]) <= share * template.size
        direct[mine] = inside @ values[mine]
        every += int(inside.sum())
    np.testing.assert_allclose(near.sums(values), direct, atol=1e-9)
    assert len(near.changes) + len(rest) <= 0.2 * every


def test_clusters_of_vertices_at_one_place_and_of_islands_are_summed() -> None:
    rest = np.array([[0.0, 0.0, 0.0]] * 3 + [[0.1, 0.0, 0.0], [5.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    near = Clusters.within(rest, np.array([0, 0, 0, 0, 0, 1]), 0.5)
    np.testing.assert_array_equal(near.sums(np.arange(1.0, 7.0)[:, None])[:, 0], [10.0, 10.0, 10.0, 10.0, 5.0, 6.0])


@pytest.mark.feature("ANA-07")
def test_joints_grow_with_their_bones() -> None:
    template = creature()
    mesh = lm.capture.bodies.checked_mesh(1.3 * template.body.vertices, template.body.triangles)
    fitted = fit(template, mesh)
    np.testing.assert_allclose(fitted.joints, 1.3 * template.body.bind_positions, atol=0.004)


@pytest.mark.feature("ANA-06")
@pytest.mark.feature("ANA-14")
def test_shapes_of_a_kind_have_a_model() -> None:
    template, random = twenty_bones(8, 8), np.random.default_rng(0)
    base, owner = template.body.vertices, template.bones
    wide = base + 0.2 * (base - np.array([base[owner == b].mean(axis=0) for b in owner]))
    fits = []
    for k in range(9):
        share = -1.0 + 0.25 * k
        turned = rot.rotate(rot.exp(0.2 * random.standard_normal(3)), base + share * (wide - base))
        one = object.__new__(Fit)
        object.__setattr__(one, "template", template)
        object.__setattr__(one, "vertices", turned)
        fits.append(one)
    model = ShapeModel.of(fits, keep=4)
    shape = model.project(fits[2].vertices)
    np.testing.assert_allclose(shape, fits[2].vertices, atol=5e-4)
    np.testing.assert_allclose(model.project(shape), shape, atol=1e-9)
    moved = rot.rotate(rot.exp([0.1, 1.0, 0.3]), shape) + 0.5  # rigid moves are no shape
    np.testing.assert_allclose(model.project(moved), rot.rotate(rot.exp([0.1, 1.0, 0.3]), shape) + 0.5, atol=1e-8)
    for seed in range(5):
        drawn = lm.capture.bodies.checked_mesh(model.sample(seed), template.body.triangles)
        assert not any("faced inwards" in note for note in drawn.notes)
    with pytest.raises(lm.LocomoteError, match="two or more"):
        ShapeModel.of(fits[:1])


@pytest.mark.feature("ANA-12")
def test_flesh_follows_its_bones() -> None:
    fitted, _ = fitted_creature()
    template = fitted.template
    some = np.arange(0, len(template.body.vertices), 97)
    on = fitted.follow(template.body.vertices[some])
    np.testing.assert_allclose(on, fitted.vertices[some], atol=1e-4)
    linear, bones = fitted.bones.linear, template.bones[some]
    for out, share, most in ((0.5, 100, 1e-3), (1.5, 50, 1e-3)):  # half-way out to the skin, and as far beyond it
        joints = template.body.bind_positions[bones]
        points = joints + out * (template.body.vertices[some] - joints)
        rigid = fitted.bones.places[bones] + np.einsum("pij,pj->pi", linear[bones], points - joints)
        away = np.linalg.norm(fitted.follow(points) - rigid, axis=1)
        assert np.percentile(away, share) < most


@pytest.mark.feature("ANA-11")
def test_a_moving_body_is_followed_through_its_meshes() -> None:
    walk = lm.creatures.Crowd("wolf", 1, speed=1.0).record(seconds=0.5, fps=30)
    surface = lm.capture.stage.meshes(walk)
    meshes = [(frame, surface.faces) for frame in surface.vertices[:8]]
    first = fit(Template.of(walk), meshes[0])
    found = track(first, [*meshes[:3], None, *meshes[4:]], 30.0)
    truth = walk.joint_positions()[:8]
    off = np.linalg.norm(found.motion.joint_positions() - truth, axis=2)
    assert off[[0, 1, 2, 5, 6, 7]].mean() < 0.006
    assert off[3].mean() < 0.03  # without a mesh it goes on as it went
    np.testing.assert_array_equal(np.flatnonzero(found.lost), [3])


def relative_heights(motion: lm.Motion) -> np.ndarray:
    """How high feet are over where they stand, in heights of their hips, ``(200, legs)``."""
    places, at = motion.joint_positions(), np.linspace(0.0, 1.0, 200)
    rows = []
    for leg in motion.skeleton.roles.legs:
        high = (places[:, leg.ball, 1] - places[:, leg.ball, 1].min()) / places[:, leg.hip, 1].mean()
        rows.append(np.interp(at, np.linspace(0.0, 1.0, len(high)), high))
    return np.array(rows).T


@pytest.mark.feature("ANA-13")
def test_a_walk_is_carried_to_another_body_joint_by_joint_with_feet_as_high_and_still() -> None:
    walk = lm.creatures.Crowd("wolf", 1, speed=1.2).record(seconds=3.5, fps=60)[90:]
    truth = deformed(wolf(), wolf(), np.radians(5.0), 0.15, 3)
    fitted = fit(wolf(), truth.mesh)
    carried = carry(walk, fitted)
    legs = {joint for leg in walk.skeleton.roles.legs for joint in (*leg.chain, leg.ball, leg.toe)}
    others = [joint for joint in range(len(walk.skeleton)) if joint not in legs]
    apart = np.degrees(rot.distance(walk.rotations, carried.rotations))
    assert apart[:, others].max() < 0.1  # what no foot hangs on replays as it is
    assert apart[:, sorted(legs)].mean() < 6.0
    heights = np.abs(relative_heights(walk) - relative_heights(carried))
    plain = lm.retarget(walk, fitted.motion(), feet=False)
    assert heights.mean() < 0.002
    assert heights.mean() < 0.3 * np.abs(relative_heights(walk) - relative_heights(plain)).mean()
    assert lm.measure(carried).drift_p95 < 2.0
    # Ends of paws grow with the paws.
    grown = [np.linalg.norm(leg.toe_offset) for leg in fitted.skeleton.roles.legs]
    assert np.ptp(grown) > 1e-3
    person = lm.samples.performer(speed=1.3, seconds=1.0).motion
    with pytest.raises(lm.LocomoteError, match="other joints"):
        carry(person, fitted)


def test_feet_stand_from_when_they_are_found_to_and_leave_when_they_left() -> None:
    spans = np.array([[10, 20], [24, 30], [50, 60]])
    found = np.array([[0, 4], [7, 27], [48, 70]])
    np.testing.assert_array_equal(_begun(spans, found, 1), [[8, 20], [21, 30], [49, 60]])
    np.testing.assert_array_equal(_begun(spans, np.zeros((0, 2), dtype=np.int64), 1), spans)


def test_feet_on_a_larger_body_stand_and_leave_without_a_jerk() -> None:
    walk = lm.creatures.Crowd("wolf", 1, speed=1.2).record(seconds=3.5, fps=60)[90:]
    fitted = fit(wolf(), (1.7 * wolf().body.vertices, wolf().body.triangles))
    carried = carry(walk, fitted)
    hardest = [
        np.linalg.norm(np.diff(motion.joint_positions(), 2, axis=0), axis=-1).max() * motion.fps**2
        for motion in (lm.retarget(walk, fitted.motion(), feet=False), carried)
    ]
    assert hardest[1] < 1.2 * hardest[0]
    assert lm.measure(carried).drift_max < 2.0


def test_ends_of_paws_are_as_large_as_the_body_that_was_fitted() -> None:
    mesh = lm.capture.bodies.checked_mesh(0.25 * wolf().body.vertices, wolf().body.triangles)
    fitted = fit(wolf(), mesh)
    for small, large in zip(fitted.skeleton.roles.legs, wolf().skeleton.roles.legs, strict=True):
        np.testing.assert_allclose(np.array(small.toe_offset), 0.25 * np.array(large.toe_offset), atol=2e-3)
    np.testing.assert_allclose(fitted.skeleton.end_offsets, 0.25 * wolf().skeleton.end_offsets, atol=2e-3)


@pytest.mark.parametrize("seed", [2, 6])
def test_a_wolf_in_a_pose_far_from_its_own_is_found_with_six_landmarks(seed: int) -> None:
    truth = deformed(wolf(), subdivided(wolf()), np.radians(20.0), 0.15, seed)
    ends = ("fingers.L", "fingers.R", "toes.L", "toes.R", "head", "tail_4")
    fitted = fit(wolf(), truth.mesh, marks_of(wolf(), truth, ends))
    assert errors(fitted, truth).mean() < 0.7
    assert errors(fitted, truth).max() < 2.0


def test_what_cannot_be_fitted_is_refused() -> None:
    mesh = (creature().body.vertices, creature().body.triangles)
    with pytest.raises(lm.LocomoteError, match="nose"):
        fit(creature(), mesh, {"nose": (0, 0, 0)})
    with pytest.raises(lm.LocomoteError, match="finite place"):
        fit(creature(), mesh, {"head": (0, 0, np.nan)})
    with pytest.raises(lm.LocomoteError, match="vertices"):
        fit(creature(), mesh, {99999: (0, 0, 0)})
    with pytest.raises(lm.LocomoteError, match="no triangles"):
        fit(creature(), (np.zeros((0, 3)), np.zeros((0, 3))))
    fitted = fitted_creature()[0]
    with pytest.raises(lm.LocomoteError, match="at least one mesh"):
        track(fitted, [None], 30.0)
    with pytest.raises(lm.LocomoteError, match="fps"):
        track(fitted, [mesh], 0.0)
    with pytest.raises(lm.LocomoteError, match="points"):
        fitted.follow([[0.0, np.nan, 0.0]])
