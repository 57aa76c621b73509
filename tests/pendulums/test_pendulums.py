"""Pendulums against closed forms, plain geometry and an ODE solver."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.pendulums import Pendulums, Spring, Tree

UP = np.array([0.0, 1.0, 0.0])


def hanging(tree: Tree, characters: int = 1, **options: object) -> Pendulums:
    """Chains along +Y, every son on its father's tip."""
    anchors, frames = upright(tree, characters)
    return Pendulums(tree, anchors, frames, **options)  # type: ignore[arg-type]


def upright(tree: Tree, characters: int = 1) -> tuple[np.ndarray, np.ndarray]:
    anchors = np.zeros((characters, len(tree), 3))
    for b, father in enumerate(tree.parents):
        if father >= 0:
            anchors[:, b] = anchors[:, father] + tree.lengths[father] * UP
    return anchors, rot.identity(characters, len(tree))


@pytest.mark.feature("LEG-51")
def test_length_is_kept_and_a_release_stays_in_its_plane() -> None:
    tree = Tree.chain([0.3, 0.2, 0.25], Spring.settling(0.6, 0.2))
    pendulums = hanging(tree, 5)
    random = np.random.default_rng(3)
    for _ in range(200):
        pushes = 0.1 * random.normal(size=(5, 3, 3))
        pendulums.step(1 / 60, pushes=pushes)
        lengths = np.linalg.norm(pendulums.tips - pendulums.anchors, axis=-1)
        assert np.max(np.abs(lengths - tree.lengths)) < 1e-6
    single = hanging(Tree.chain([0.4], Spring.settling(2.0, 0.1)))
    start = np.array([1.1, -0.7])
    single.swings[0, 0] = start
    for _ in range(240):
        single.step(1 / 60)
        x, z = single.swings[0, 0]
        assert abs(x * start[1] - z * start[0]) < 1e-12


def test_the_bar_leans_as_the_rotation_vector_says() -> None:
    single = hanging(Tree.chain([2.0], Spring.settling(0.5, 1.0)))
    single.swings[0, 0] = 0.9, -1.2  # 1.5 rad
    single.step(1e-9)
    direction = single.tips[0, 0] / 2.0
    assert np.allclose(direction, [0.6 * np.sin(1.5), np.cos(1.5), -0.8 * np.sin(1.5)], atol=1e-6)


def trail(fps: float, drag: float, speed: float, seconds: float, **options: object) -> float:
    spring = Spring.settling(0.6, 0.4)
    tree = Tree.build([-1], [0.5], spring, drag=drag)
    pendulums = hanging(tree, **options)
    anchors, frames = upright(tree)
    for frame in range(1, int(seconds * fps) + 1):
        pendulums.step(1 / fps, anchors + np.array([speed * frame / fps, 0.0, 0.0]), frames)
    return float(pendulums.swings[0, 0, 0])


@pytest.mark.feature("LEG-53")
@pytest.mark.parametrize("fps", [30.0, 60.0, 240.0])
@pytest.mark.parametrize("drag", [0.3, 1.0])
def test_a_constant_speed_leaves_a_constant_trail(fps: float, drag: float) -> None:
    spring, speed = Spring.settling(0.6, 0.4), 0.2
    expected = -2.0 * spring.damping * drag * speed / (spring.rate * 0.5)
    assert abs(expected) < 0.1
    assert trail(fps, drag, speed, 4.0) == pytest.approx(expected, rel=0.02)


def test_the_literal_scheme_tends_to_the_same_trail_with_small_steps() -> None:
    fine = trail(2000.0, 1.0, 0.2, 3.0, mode="source")
    coarse = trail(30.0, 1.0, 0.2, 3.0, mode="source")
    exact = trail(60.0, 1.0, 0.2, 3.0)
    assert fine == pytest.approx(exact, rel=0.02)
    assert abs(coarse / exact - 1.0) > 0.1


def test_a_fast_long_trail_saturates_as_the_literal_scheme_does() -> None:
    def swing(**options: object) -> float:
        tree = Tree.build([-1], [0.1], Spring.settling(0.6, 0.4, mode="source"), drag=1.0)
        pendulums, (anchors, frames) = hanging(tree, **options), upright(tree)
        for frame in range(1, 3001):
            pendulums.step(1e-3, anchors + np.array([2e-3 * frame, 0.0, 0.0]), frames)
        return float(-pendulums.swings[0, 0, 0])

    assert swing(mode="source") == pytest.approx(swing(), rel=0.03)
    assert 0.8 < swing() < 0.87


@pytest.mark.feature("LEG-53")
@pytest.mark.parametrize("fps", [30.0, 60.0, 240.0])
@pytest.mark.parametrize(("shakes", "drag"), [(0.5, 0.0), (1.0, 0.3), (1.5, 1.0)])
def test_a_shaken_anchor_swings_the_bar_as_the_equation_says(fps: float, shakes: float, drag: float) -> None:
    spring, length, reach = Spring.settling(0.8, 0.3), 0.6, 0.02
    pulse = 2.0 * np.pi * shakes
    k, c = spring.rate**2, 2.0 * spring.damping * spring.rate

    def equation(t: float, y: np.ndarray) -> list[float]:
        v, a = reach * pulse * np.cos(pulse * t), -reach * pulse**2 * np.sin(pulse * t)
        return [y[1], -k * y[0] - c * (y[1] + drag * v / length) - a / length]

    times = np.arange(1, int(4.0 * fps) + 1) / fps
    # The anchor starts at full speed out of rest: the mass stays, the bar is kicked back.
    truth = solve_ivp(
        equation,
        (0.0, times[-1] + 1e-9),
        [0.0, -reach * pulse / length],
        t_eval=times,
        rtol=1e-10,
        atol=1e-12,
    ).y[0]
    tree = Tree.build([-1], [length], spring, drag=drag)
    pendulums, (anchors, frames) = hanging(tree), upright(tree)
    ours = []
    for t in times:
        pendulums.step(1 / fps, anchors + np.array([0.0, 0.0, reach * np.sin(pulse * t)]), frames)
        ours.append(pendulums.swings[0, 0, 1])
    assert np.max(np.abs(truth)) < 0.2
    assert np.max(np.abs(np.array(ours) - truth)) < 0.02 * np.max(np.abs(truth))


@pytest.mark.feature("LEG-54")
def test_pulling_a_leaf_drags_its_ancestors_along_the_line_of_pull() -> None:
    tree = Tree.build([-1, 0, 1], [0.5, 0.4, 0.3], Spring.settling(0.5, 0.8), inherit=0.0)
    pendulums = hanging(tree)
    before_anchors, before_tips = pendulums.anchors[0].copy(), pendulums.tips[0].copy()
    pushes = np.zeros((1, 3, 3))
    pushes[0, 2] = 0.4, 0.1, 0.2
    pendulums.step(1e-9, pushes=pushes)
    # The plain geometry: from the leaf to the root every father's tip is drawn onto the line of its son.
    goal = before_tips[2] + pushes[0, 2]
    goals = {2: goal}
    for b in (2, 1):
        away = before_anchors[b] - goals[b]
        goals[b - 1] = goals[b] + tree.lengths[b] * away / np.linalg.norm(away)
    anchor = before_anchors[0]
    for b in range(3):
        towards = goals[b] - anchor
        anchor = anchor + tree.lengths[b] * towards / np.linalg.norm(towards)
        assert np.allclose(pendulums.tips[0, b], anchor, atol=1e-7)
        assert np.linalg.norm(anchor - before_tips[b]) > 0.005


def test_a_bar_at_its_limit_takes_its_father_along() -> None:
    tree = Tree.build([-1, 0], [0.5, 0.2], Spring.settling(), inherit=0.0, cone=[2.0, 0.3])
    pendulums = hanging(tree)
    pushes = np.zeros((1, 2, 3))
    pushes[0, 1, 0] = 0.2
    pendulums.step(1e-9, pushes=pushes)
    assert 0.28 < pendulums.swings[0, 1, 0] <= 0.3  # the father's tip comes a little farther on its arc
    assert pendulums.tips[0, 1, 0] == pytest.approx(0.2, abs=0.02)
    assert pendulums.tips[0, 0, 0] == pytest.approx(0.2 - 0.2 * np.sin(0.3), abs=0.02)


@pytest.mark.feature("LEG-55")
@pytest.mark.parametrize("merge", ["sum", "mean", "mass", "priority"])
def test_the_pulls_of_sons_meet_in_their_father(merge: str) -> None:
    tree = Tree.build(
        [-1, 0, 0], [0.5, 0.4, 0.4], Spring.settling(), inherit=0.0, masses=[1, 3, 1], priorities=[1, 1, 4]
    )
    pulls = np.array([[0.0, 0.0, 0.0], [0.3, 0.1, 0.0], [0.05, 0.0, -0.4]])

    def dragged(push: np.ndarray) -> np.ndarray:
        """What one son's pull does to the father's tip, by plain geometry."""
        tip = np.array([0.0, 0.9, 0.0]) + push
        away = np.array([0.0, 0.5, 0.0]) - tip
        return tip + 0.4 * away / np.linalg.norm(away) - [0.0, 0.5, 0.0]

    one, two = dragged(pulls[1]), dragged(pulls[2])
    expected = {
        "sum": one + two,
        "mean": (one + two) / 2,
        "mass": (3 * one + two) / 4,
        "priority": (one + 4 * two) / 5,
    }[merge] + [0.0, 0.5, 0.0]
    pendulums = hanging(tree, merge=merge)
    pendulums.step(1e-9, pushes=pulls[None])
    assert np.allclose(pendulums.tips[0, 0], 0.5 * expected / np.linalg.norm(expected), atol=1e-7)


@pytest.mark.feature("LEG-55")
def test_no_pendulum_hears_of_its_sons_but_by_a_push() -> None:
    """One pass up, one pass down: a branch that is not pushed does not feel its sisters, sons do not shake fathers."""
    tree = Tree.build([-1, 0, 0], [0.5, 0.4, 0.4], Spring.settling(0.5, 0.2))
    alone = hanging(Tree.build([-1], [0.5], Spring.settling(0.5, 0.2)))
    pendulums = hanging(tree)
    anchors, frames = upright(tree)
    for frame in range(1, 60):
        shift = np.array([0.1 * np.sin(0.2 * frame), 0.0, 0.0])
        pendulums.step(1 / 60, anchors + shift, frames)
        alone.step(1 / 60, anchors[:, :1] + shift, frames[:, :1])
        assert np.array_equal(pendulums.tips[:, 0], alone.tips[:, 0])
        assert np.array_equal(pendulums.tips[:, 1], pendulums.tips[:, 2])


def test_sons_of_a_moved_father_stay_behind_and_all_come_home() -> None:
    tree = Tree.build([-1, 0], [0.5, 0.5], Spring.settling(0.5, 0.7))
    pendulums = hanging(tree)
    pushes = np.zeros((1, 2, 3))
    pushes[0, 0, 0] = 0.1
    pendulums.step(1e-9, pushes=pushes)
    assert pendulums.tips[0, 0, 0] > 0.09
    assert abs(pendulums.tips[0, 1, 0]) < 0.01
    for _ in range(240):
        pendulums.step(1 / 60)
    assert np.allclose(pendulums.tips[0], [[0, 0.5, 0], [0, 1.0, 0]], atol=1e-3)


def test_characters_do_not_meet_and_many_are_as_one() -> None:
    tree = Tree.build([-1, 0, 1, 1], [0.2, 0.2, 0.1, 0.15], Spring.settling(0.4, 0.3), twist_limit=1.0)
    random = np.random.default_rng(5)
    many = hanging(tree, 4)
    singles = [hanging(tree) for _ in range(4)]
    for _ in range(30):
        anchors = upright(tree, 4)[0] + 0.1 * random.normal(size=(4, 1, 3))
        turns = rot.exp(0.4 * random.normal(size=(4, 4, 3)))
        pushes = 0.05 * random.normal(size=(4, 4, 3))
        many.step(1 / 60, anchors, turns, pushes)
        for n, single in enumerate(singles):
            single.step(1 / 60, anchors[n : n + 1], turns[n : n + 1], pushes[n : n + 1])
            assert np.array_equal(single.tips[0], many.tips[n])


@pytest.mark.feature("LEG-66")
def test_cone_and_twist_stay_within_their_limits() -> None:
    tree = Tree.build([-1, 0], [0.3, 0.3], Spring.settling(0.8, 0.1), cone=[0.4, 0.7], twist_limit=[0.5, 0.2])
    pendulums = hanging(tree, 3)
    random = np.random.default_rng(8)
    reached = np.zeros(2)
    for _ in range(300):
        anchors = upright(tree, 3)[0] + 0.05 * random.normal(size=(3, 1, 3))
        pushes = 0.2 * random.normal(size=(3, 2, 3))
        pendulums.step(1 / 60, anchors, pushes=pushes, twists=random.normal(size=(3, 2)))
        angles = np.linalg.norm(pendulums.swings, axis=-1)
        assert np.all(angles <= tree.cone + 1e-12)
        assert np.all(np.abs(pendulums.twists) <= tree.twist_limit + 1e-12)
        reached = np.maximum(reached, angles.max(axis=0))
    assert np.allclose(reached, tree.cone)


@pytest.mark.feature("LEG-66")
def test_the_twist_is_a_spring_and_turns_the_bar_about_itself() -> None:
    spring = Spring.settling(0.6, 0.3)
    pendulums = hanging(Tree.build([-1], [0.5], spring, twist_limit=1.5))
    pendulums.step(1 / 60, twists=np.array([[0.8]]))
    step, x = spring.transition(1 / 60), np.array([0.8, 0.0])
    for _ in range(40):
        x = step @ x
        assert pendulums.twists[0, 0] == pytest.approx(x[0], abs=1e-12)
        assert np.allclose(pendulums.deflections[0, 0], rot.exp([0.0, x[0], 0.0]), atol=1e-12)
        pendulums.step(1 / 60)


@pytest.mark.feature("LEG-66")
def test_a_frame_that_spins_leaves_the_twist_behind() -> None:
    tree = Tree.build([-1], [0.5], Spring.settling(0.6, 0.3), twist_limit=1.5)
    pendulums, (anchors, _) = hanging(tree), upright(tree)
    pendulums.step(1 / 240, anchors, rot.from_yaw(np.array([[0.05]])))
    assert pendulums.twists[0, 0] == pytest.approx(-0.05, rel=0.1)
    assert np.allclose(pendulums.tips[0, 0], [0.0, 0.5, 0.0], atol=1e-12)


@pytest.mark.parametrize("overlay", [False, True])
def test_a_turned_and_shifted_world_changes_nothing(overlay: bool) -> None:
    tree = Tree.build(
        [-1, 0, 1, 1, -1, 4],
        [0.2, 0.3, 0.1, 0.15, 0.4, 0.2],
        Spring.settling(0.4, 0.3),
        inherit=[0.0, 0.3, 0.5, 1.0, 0.0, 0.7],
        cone=0.8,
        twist_limit=0.6,
    )
    random = np.random.default_rng(11)
    turn, shift = rot.exp([0.4, -1.1, 0.7]), np.array([3.0, -1.0, 2.0])
    anchors, frames = upright(tree)
    plain = Pendulums(tree, anchors, frames, overlay=overlay)
    turned = Pendulums(tree, rot.rotate(turn, anchors) + shift, rot.multiply(turn, frames), overlay=overlay)
    for _ in range(40):
        anchors = anchors + 0.02 * random.normal(size=(1, 6, 3))
        frames = rot.multiply(frames, rot.exp(0.1 * random.normal(size=(1, 6, 3))))
        pushes = 0.05 * random.normal(size=(1, 6, 3)) * (random.random((1, 6, 1)) < 0.3)
        plain.step(1 / 60, anchors, frames, pushes)
        turned.step(1 / 60, rot.rotate(turn, anchors) + shift, rot.multiply(turn, frames), rot.rotate(turn, pushes))
        assert np.allclose(rot.rotate(turn, plain.tips) + shift, turned.tips, atol=1e-9)
        # The deflection is the whole story of a bar: from the animated one to the real one.
        bars = rot.rotate(rot.multiply(plain.deflections, frames), UP)
        assert np.allclose(plain.anchors + tree.lengths[:, None] * bars, plain.tips, atol=1e-12)


def test_a_son_that_inherits_all_leans_with_its_father() -> None:
    for share in (0.0, 0.5, 1.0):
        tree = Tree.build([-1, 0], [0.5, 0.5], Spring.settling(), inherit=share)
        pendulums = hanging(tree)
        pendulums.swings[0, 0, 0] = 0.6
        pendulums.step(1e-9)
        pendulums.swings[0, 1] = 0.0
        pendulums.step(1e-9)
        along = (pendulums.tips - pendulums.anchors)[0, 1] / 0.5
        assert np.arctan2(along[0], along[1]) == pytest.approx(share * 0.6, abs=1e-5)


def test_wrong_trees_and_steps_are_refused() -> None:
    with pytest.raises(LocomoteError, match="father 1"):
        Tree.build([1, -1], [1.0, 1.0])
    with pytest.raises(LocomoteError, match="lengths"):
        Tree.chain([0.0])
    with pytest.raises(LocomoteError, match="merge"):
        hanging(Tree.chain([1.0]), merge="max")
    with pytest.raises(LocomoteError, match="mode"):
        hanging(Tree.chain([1.0]), overlay=True, mode="source")
    with pytest.raises(LocomoteError, match="shape"):
        hanging(Tree.chain([1.0])).step(0.1, np.zeros((1, 2, 3)))
    with pytest.raises(LocomoteError, match="some time"):
        hanging(Tree.chain([1.0])).step(0.0)
