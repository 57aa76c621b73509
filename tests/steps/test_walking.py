"""Walks made from plans: feet exactly on their places, nothing slides, legs and ground agree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.steps._blending import LEGS, body, default_database, pack
from locomote.steps._plan import LEFT, RIGHT, FootPlan
from locomote.steps._walking import Options, choose, plants_of, trace, walk
from locomote_lab.steps.metrics import measure

HALF_WIDTH = 0.11  # m
KINDS = {  # forwards, aside (m) and turn (rad) of a step
    "forwards": ((0.30, 0.65), (-0.04, 0.04), (-0.1, 0.1)),
    "backwards": ((-0.4, -0.15), (-0.04, 0.04), (-0.1, 0.1)),
    "aside": ((0.0, 0.0), (0.12, 0.2), (0.0, 0.0)),
    "turning": ((0.1, 0.3), (0.0, 0.0), (0.25, 0.4)),
    "mixed": ((-0.25, 0.5), (-0.1, 0.1), (-0.3, 0.3)),
}
MILLIMETRE = 1e-3


def random_plan(kind: str, plants: int, seed: int) -> FootPlan:
    random = np.random.default_rng(seed)
    ahead, aside, turn = KINDS[kind]
    face, at = random.uniform(-np.pi, np.pi), np.zeros(2)
    sides = (np.arange(plants) + random.integers(2)) % 2
    places = []
    for i, side in enumerate(sides):
        if i > 1:
            face += random.uniform(*turn)
            left = np.array([np.cos(face), -np.sin(face)])
            way = np.array([np.sin(face), np.cos(face)])
            at = at + random.uniform(*ahead) * way + random.uniform(*aside) * left
        left = np.array([np.cos(face), -np.sin(face)])
        places.append(at + (HALF_WIDTH if side == LEFT else -HALF_WIDTH) * left)
    return FootPlan.of(sides, np.array(places))


def straight(plants: int = 8, length: float = 0.55) -> FootPlan:
    sides = np.arange(plants) % 2
    z = length * np.maximum(np.arange(plants) - 1, 0)
    return FootPlan.of(sides, np.stack([np.where(sides == LEFT, HALF_WIDTH, -HALF_WIDTH), z], axis=1))


def in_hull_plans(count: int, seed: int = 0) -> list[FootPlan]:
    """Plans of one step each, of random parameters inside the hull of the database, in random places of the world."""
    random = np.random.default_rng(seed)
    packed = pack(default_database())
    corners = packed.steps.simplices[random.integers(len(packed.steps.simplices), size=4 * count)]
    params = np.einsum("qc,qcd->qd", random.dirichlet(np.ones(4), 4 * count), packed.steps.features[corners][..., :3])
    size, plans = body(0.9).measures.size, []
    for p1, p2, p3 in params * size:
        feet = np.array([[0.0, 0.0, 0.0], [p1, 0.0, 0.0], [p2, 0.0, p3]])
        side = int(random.integers(2))
        plan = FootPlan.of([LEFT, RIGHT, RIGHT], feet)
        plan = plan if side == RIGHT else plan.mirrored()
        plan = plan.moved(random.uniform(-np.pi, np.pi), random.uniform(-5.0, 5.0, 3) * [1, 0, 1])
        try:
            walkable(plan)
        except LocomoteError:
            continue
        plans.append(plan)
        if len(plans) == count:
            break
    return plans


def walkable(plan: FootPlan) -> None:
    from locomote.steps._plan import check

    check(plan, 0.9)


@pytest.mark.feature("STR-15", "STR-24", "STR-35")
def test_thousands_of_random_steps_land_where_they_should() -> None:
    plans = in_hull_plans(2000)
    walks = trace(plans)
    assert [w.plan for w in walks] == plans
    assert sum(len(w.plan) - 2 for w in walks) >= 1000
    for done in walks:
        assert np.all(done.outside == 0.0)
        side = int(done.plan.sides[2])
        balls = done.motion.joint_positions()[:, LEGS[:, 3]]
        for plant in range(3):
            foot = int(done.plan.sides[plant])
            frames = np.flatnonzero(done.stands[foot] == plant)
            middle = frames[len(frames) // 2 :] if plant == 2 else frames
            assert np.linalg.norm(balls[middle, foot] - done.plan.places[plant], axis=1).min() < 1e-6
        assert np.linalg.norm(balls[-1, side] - done.plan.places[2]) < MILLIMETRE
        assert rot.distance(done.motion.rotations[1:], done.motion.rotations[:-1]).max() < 0.7  # nothing flips


@pytest.mark.feature("STR-19", "STR-24")
@pytest.mark.parametrize("kind", KINDS)
def test_long_plans_are_met_without_sliding(kind: str) -> None:
    for done in trace([random_plan(kind, 42, seed) for seed in range(5)]):
        m = measure(done)
        assert m.foot_error < MILLIMETRE
        assert m.skate < 1e-4
        assert m.penetration < MILLIMETRE
        assert m.bone_error < 1e-6
        assert m.stretch <= 0.9951
        assert m.root_jump < 0.35
        needed, done_sink = done.sinks
        assert np.all(done_sink <= needed + 1e-12)


@pytest.mark.feature("STR-25", "STR-27")
def test_outside_of_what_was_recorded_feet_are_exact_or_stay_where_they_came() -> None:
    plan = straight(8, 0.6)
    places = plan.places.copy()
    places[4:] += [0.30, 0.0, 0.25]  # one step far aside and ahead
    plan = replace(plan, places=places)
    exact = trace([plan])[0]
    assert exact.outside.max() > 0.05
    assert measure(exact).foot_error < MILLIMETRE
    assert measure(exact).skate < 1e-4
    nearest = trace([plan], mode="nearest")[0]
    far = np.linalg.norm(nearest.places - plan.places, axis=1)
    assert far[:4].max() < 1e-9
    assert far.max() > 0.02
    assert measure(nearest).skate < 1e-4
    balls = nearest.motion.joint_positions()[:, LEGS[:, 3]]
    for plant in range(2, 8):
        foot = int(plan.sides[plant])
        frames = np.flatnonzero(nearest.stands[foot] == plant)
        assert np.linalg.norm(balls[frames, foot] - nearest.places[plant], axis=1).min() < 1e-6


@pytest.mark.feature("STR-25")
def test_up_to_the_limit_feet_reach_and_beyond_it_the_plant_is_named() -> None:
    for far in (0.8, 1.0, 1.2, 1.3):
        for direction in (0.0, 0.6):
            x, z = far * np.sin(direction) + 0.15 - HALF_WIDTH, far * np.cos(direction)
            plan = FootPlan.of([LEFT, RIGHT, LEFT], [[HALF_WIDTH, 0.0], [-HALF_WIDTH, 0.0], [x, z]])
            if np.hypot(x + HALF_WIDTH, z) < 1.5 * 0.9:  # one and a half legs from the foot that stands
                walkable(plan)
                assert measure(trace([plan])[0]).foot_error < MILLIMETRE
                continue
            with pytest.raises(LocomoteError, match=r"plant 3.*at most 1\.35 m"):
                walk(plan)
    with pytest.raises(LocomoteError, match=r"plant 3.*m"):
        walk(FootPlan.of([LEFT, RIGHT, LEFT], [[HALF_WIDTH, 0.0], [-HALF_WIDTH, 0.0], [HALF_WIDTH, 1.9]]))


@pytest.mark.feature("STR-31")
def test_heights_are_met() -> None:
    random = np.random.default_rng(5)
    plan = random_plan("forwards", 30, 3)
    places = plan.places.copy()
    places[:, 1] = random.uniform(-0.15, 0.15, len(plan))
    done = trace([replace(plan, places=places)])[0]
    m = measure(done)
    assert m.foot_error < MILLIMETRE
    assert m.stretch <= 0.9951
    assert m.skate < 1e-4
    stairs = straight(10, 0.3)
    stairs = replace(stairs, places=stairs.places + 0.17 * np.maximum(np.arange(10) - 1, 0)[:, None] * [0, 1, 0])
    assert measure(trace([stairs])[0]).foot_error < MILLIMETRE
    high = FootPlan.of([LEFT, RIGHT, LEFT], [[0.11, 0, 0], [-0.11, 0, 0], [0.11, 0.3, 0.4]])
    low = FootPlan.of([LEFT, RIGHT, LEFT], [[0.11, 0, 0], [-0.11, 0, 0], [0.11, -0.3, 0.4]])
    for plan in (high, low):
        assert measure(trace([plan])[0]).foot_error < MILLIMETRE


def test_durations_are_those_of_the_blended_steps_and_times_are_kept() -> None:
    plan = straight(10)
    person = body(0.9)
    clips = pack(default_database()).clips
    chosen = choose(plants_of([plan]), None, person, Options())
    for p in range(3, 10):
        parts = chosen.weights[p] @ clips.durations[chosen.corners[p]]
        before = chosen.weights[p - 1] @ clips.durations[chosen.corners[p - 1]]
        stance, swing = 0.5 * (parts[0] + before[2]), parts[1]
        # A free step keeps the ratio of its parts.
        kept = (chosen.lands[p] - chosen.lifts[p]) / (chosen.lifts[p] - chosen.lands[p - 1])
        assert kept == pytest.approx(swing / stance, rel=1e-9)
    times = np.concatenate([[np.nan, np.nan], 0.7 * np.arange(1, 9)])
    timed = trace([replace(plan, times=times)])[0]
    assert np.abs(timed.late[3:]).max() < 0.02
    assert measure(timed).skate < 1e-4
    fast = trace([replace(plan, times=times / 5.0)])[0]
    assert fast.late[-1] > 0.5  # no step is hurried beyond what is natural, and the walk says so


def test_feet_keep_their_yaw_while_they_stand_and_take_that_of_the_plan() -> None:
    plan = random_plan("mixed", 20, 7)
    natural = trace([plan])[0]
    yaws = natural.foot_yaws + np.radians(np.where(np.arange(20) % 2, 10.0, -8.0))
    for done, wanted in ((natural, natural.foot_yaws), (trace([replace(plan, yaws=yaws)])[0], yaws)):
        world = done.motion.world()[1][:, LEGS[:, 2]]
        lateral = rot.rotate(world, np.array([1.0, 0.0, 0.0]))
        yaw = np.arctan2(-lateral[..., 2], lateral[..., 0])
        for plant in range(20):
            foot = int(plan.sides[plant])
            frames = done.stands[foot] == plant
            off = (yaw[frames, foot] - wanted[plant] + np.pi) % (2.0 * np.pi) - np.pi
            assert np.degrees(np.abs(off)).max() < 0.5


@pytest.mark.feature("STR-01")
def test_three_plants_are_one_step_and_the_rest_may_be_absent() -> None:
    plan = straight(3)
    assert len(trace([plan])[0].lands) == 3
    some = replace(straight(6), yaws=np.array([np.nan, 0.1, np.nan, np.nan, 0.0, np.nan]))
    some = replace(some, times=np.array([np.nan, np.nan, np.nan, 1.5, np.nan, np.nan]))
    done = trace([some])[0]
    assert abs(done.late[3]) < 0.2
    assert measure(done).foot_error < MILLIMETRE
    with pytest.raises(LocomoteError, match="plant 2"):
        walk(FootPlan.of([LEFT, LEFT, RIGHT], [[0, 0], [0.2, 0], [0.4, 0]]))


def test_the_same_foot_may_step_twice() -> None:
    places = [[0.11, 0.0], [-0.11, 0.0], [0.11, 0.3], [0.12, 0.55], [-0.11, 0.5]]
    m = measure(trace([FootPlan.of([LEFT, RIGHT, LEFT, LEFT, RIGHT], places)])[0])
    assert m.foot_error < MILLIMETRE
    assert m.skate < 1e-4


@pytest.mark.parametrize(("leg", "fps"), [(0.6, 30.0), (0.9, 120.0), (1.1, 24.0)])
def test_any_size_and_rate(leg: float, fps: float) -> None:
    plan = straight(8, 0.55 * leg)
    done = trace([plan], leg_length=leg, fps=fps)[0]
    m = measure(done)
    assert done.motion.fps == fps
    assert done.motion.skeleton.leg_length() == pytest.approx(leg)
    assert m.foot_error < MILLIMETRE
    assert m.penetration < MILLIMETRE


def test_mirror_images_of_plans_give_mirror_images_of_walks() -> None:
    from locomote.human.jumps._units import mirrored_pose

    plan = random_plan("mixed", 12, 1)
    a, b = walk(plan), walk(plan.mirrored())
    roots, turns = mirrored_pose(b.root_positions, b.rotations)
    np.testing.assert_allclose(a.root_positions, roots, atol=1e-9)
    assert rot.distance(a.rotations, turns).max() < 1e-6


def test_a_plan_that_is_moved_gives_the_walk_moved() -> None:
    plan = random_plan("mixed", 12, 2)
    a = walk(plan).moved(rot.from_yaw(0.7), (2.0, 0.0, -1.0))
    b = walk(plan.moved(0.7, (2.0, 0.0, -1.0)))
    np.testing.assert_allclose(a.root_positions, b.root_positions, atol=1e-9)


def test_walks_made_together_are_those_made_alone() -> None:
    plans = [random_plan(kind, 9, seed) for seed, kind in enumerate(KINDS)]
    for plan, done in zip(plans, trace(plans), strict=True):
        alone = walk(plan)
        np.testing.assert_allclose(done.motion.root_positions, alone.root_positions, atol=1e-9)
        assert rot.distance(done.motion.rotations, alone.rotations).max() < 1e-6


def test_options_are_checked() -> None:
    with pytest.raises(LocomoteError, match="mode 'best'"):
        walk(straight(4), mode="best")
    with pytest.raises(LocomoteError, match="fps"):
        walk(straight(4), fps=0.0)
