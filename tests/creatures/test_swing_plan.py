"""Foot curves and the best couple: over or round, never through anything, and as good as trying everything."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locomote.creatures._kernels.swing_curve import (
    haste_at,
    hastened,
    settle,
    smoothly,
    swing_at,
    swing_on,
    swing_share,
)
from locomote.creatures._kernels.swing_lines import cross_path
from locomote.creatures._kernels.swing_plan import ANYWHERE, NEAR_SIDES, NOTHING, PLANNED, candidate
from locomote.creatures._kernels.swing_profile import RAMP
from locomote.creatures._kernels.swing_scores import legs_cross, lift_score, plan_score
from locomote.creatures._kernels.swing_scratch import SAMPLES, CrossedCell
from locomote.creatures._kernels.swing_wave import flood, open_cells, padded
from locomote.creatures._kernels.swing_way import draw_way
from locomote.creatures._kernels.swing_window import inside
from locomote.math._compile import kernel
from locomote.math.records import zeros
from locomote.world._kernels.map_layout import EDGE, GROWN, LEG, MET, NO_STAND, SWEPT
from tests.creatures.swing_scenes import CELL, PLAIN, SCRATCH, Scene, random_scene


@kernel
def try_everything(request, window, legs, scratch):
    """The best score of all footprints and all levels without any short cut, and how many couples that takes."""
    rows, columns = window.elev.shape
    own = int((request.preferred[2] - window.z_low) / window.cell) * columns + int(
        (request.preferred[0] - window.x_low) / window.cell
    )
    levels = math.ceil(request.slices_up / request.slice) + 1
    best, couples = 0.0, 0
    open_cells(window, scratch.free)
    for k in range(levels + 1):
        level = request.start[1] + k * request.slice if k < levels else math.inf
        flood(level, window, scratch.free, scratch.waves[0], scratch.queue)
        for row in range(rows):
            for column in range(columns):
                if not inside(row, column, window):
                    continue
                worth, goal = candidate(request, window, row, column, own, 0)
                if worth <= 0.0 or legs_cross(request.hip, goal[0], goal[2], legs, request.leg):
                    continue
                couples += 1
                number = row * columns + column
                score, top = draw_way(request, window, level, -1 + 0 * number, goal, number, -1.0, scratch)
                if top == -math.inf and scratch.waves[0, padded(number, columns)] > 0:
                    # The straight way is not free at this level, and only then the wave is asked.
                    score, top = draw_way(request, window, level, 0 * number, goal, number, -1.0, scratch)
                best = max(best, worth * score)
    return best, couples


@pytest.mark.compiler  # trying everything takes long
@pytest.mark.feature("LEG-34")
def test_the_best_couple_is_that_of_trying_everything_with_fewer_couples():
    tried = couples = found = 0
    for seed in range(1000):
        scene = random_scene(seed, slice=0.15, fixed_distance=0.24)
        score, count, status = scene.plan()
        # Planning marks the legs, which trying everything needs too.
        best, all_couples = try_everything(scene.request, scene.window(), scene.legs, SCRATCH)
        assert score == pytest.approx(best, abs=1e-12), seed
        assert (status == PLANNED) == (best > 0.0)
        assert count <= all_couples
        tried, couples, found = tried + count, couples + all_couples, found + (status == PLANNED)
    assert found > 900
    assert tried < 0.1 * couples


def dense(scene: Scene, count: int = 1500) -> np.ndarray:
    return np.array([swing_at(scene.curve, s) for s in np.linspace(0, 1, count)])


def assert_clear(scene: Scene) -> None:
    """The curve is over all that it passes, with a clearance that grows from the cells where it leaves and lands."""
    points = dense(scene)
    rows, columns = scene.cell_of(points[:, 0], points[:, 2])
    along = np.append(0.0, np.cumsum(np.hypot(*np.diff(points[:, [0, 2]], axis=0).T)))
    ends = {(rows[0], columns[0]), (rows[-1], columns[-1])}
    for k, (row, column) in enumerate(zip(rows, columns, strict=True)):
        share = k / (len(points) - 1) * (SAMPLES - 1)
        if (row, column) in ends or share < 1.0 or share > SAMPLES - 2:
            continue
        grows = min(along[k], along[-1] - along[k], RAMP * CELL) / (RAMP * CELL)
        assert points[k, 1] >= scene.elev[row, column] + scene.request.clearance * grows - 1e-4
        assert scene.flags[row, column] & LEG == 0


@pytest.mark.feature("LEG-28")
@pytest.mark.feature("LEG-27")
def test_curves_are_never_below_what_they_pass_nor_in_a_leg():
    for seed in range(300):
        scene = random_scene(seed)
        if scene.plan()[2] == PLANNED:
            assert_clear(scene)
            np.testing.assert_allclose(scene.curve[0], scene.request.start, atol=1e-12)
            np.testing.assert_allclose(scene.curve[-1], scene.target, atol=1e-12)
            row, column = scene.cell_of(scene.target[0], scene.target[2])
            assert scene.flags[row, column] & (NO_STAND | GROWN | LEG) == 0


def two_crates() -> tuple[Scene, np.ndarray, np.ndarray]:
    """One crate of 15 cm and one of 25 cm between a foot and its goal."""
    scene = Scene(start=(0.035, 0.0, 0.035), preferred=(0.035, 0.0, 1.085), reach=1.6, room=1.6, hip=(0.0, 0.6, 0.8))
    return scene, scene.box(-0.2, 0.2, 0.2, 0.4, 0.15), scene.box(-0.2, 0.2, 0.65, 0.85, 0.25)


@pytest.mark.feature("LEG-31")
@pytest.mark.parametrize(
    ("level", "over_first", "over_second"),
    [(math.inf, True, True), (0.1, False, False), (0.2, True, False), (0.3, True, True)],
)
def test_two_crates_are_passed_over_or_round_as_the_level_says(level, over_first, over_second):
    scene, first, second = two_crates()
    window = scene.window()
    row, column = scene.cell_of(*np.array(scene.request.preferred)[[0, 2]])
    number = int(row) * scene.elev.shape[1] + int(column)
    goal = scene.request.preferred
    score, top = draw_way(scene.request, window, level, -1, goal, number, -1.0, SCRATCH)
    if top == -math.inf:
        open_cells(window, SCRATCH.free)
        flood(level, window, SCRATCH.free, SCRATCH.waves[0], SCRATCH.queue)
        score, top = draw_way(scene.request, window, level, 0, goal, number, -1.0, SCRATCH)
    assert 0.0 < score < 1.0
    crossed = zeros(CrossedCell, 512)
    count, _ = cross_path(SCRATCH.trial.copy(), SAMPLES, math.inf, window, crossed)
    cells = np.zeros(scene.elev.size, bool)
    cells[crossed["number"][:count]] = True
    assert (cells & first.ravel()).any() == over_first
    assert (cells & second.ravel()).any() == over_second
    assert top <= level


@pytest.mark.feature("LEG-33")
def test_a_way_in_space_is_worth_no_more_than_in_the_plan():
    bent = 0
    for seed in range(150):
        scene = random_scene(seed)
        scene.plan()
        window, columns = scene.window(), scene.elev.shape[1]
        open_cells(window, SCRATCH.free)
        for level in (0.0, 0.15, math.inf):
            flood(level, window, SCRATCH.free, SCRATCH.waves[0], SCRATCH.queue)
            for number in range(3, scene.elev.size, 29):
                if SCRATCH.waves[0, padded(number, columns)] <= 1:
                    continue
                row, column = divmod(number, columns)
                x, z = scene.middles[0][row, column], scene.middles[1][row, column]
                goal = (float(x), float(scene.elev[row, column]), float(z))
                score, _ = draw_way(scene.request, window, level, 0, goal, number, -1.0, SCRATCH)
                if score > 0.0:
                    places = 2
                    ways = SCRATCH.ways
                    u, v = (x - scene.x_low) / CELL, (z - scene.z_low) / CELL
                    while not np.allclose([ways[places - 1].u, ways[places - 1].v], [u, v]):
                        places += 1
                    direct = plan_score(ways, places)
                    bent += places > 2
                    assert score <= direct + 1e-12
                    assert direct <= 1.0
    assert bent > 50
    # In space a way is worth the less the longer it is, and the higher it goes than a plain step.
    heights = [lift_score(1.0, 1.2, lift, 0.1, 0.8) for lift in (0.05, 0.1, 0.3, 0.6)]
    assert 1.0 / 1.2 == heights[0] == heights[1] > heights[2] > heights[3] > 0.0


@given(st.floats(-0.4, 0.4), st.floats(-0.5, 0.9), st.floats(0.0, 0.2), st.floats(-0.2, 0.3))
def test_on_open_ground_a_step_is_a_plain_arch_to_the_preferred_place(x, z, step_height, height):
    scene = Scene(
        start=(0.01, 0.0, 0.02),
        preferred=(x, height, z),
        step_height=step_height,
        hip=(x, height + 0.5, z),
        hip_late=(x, height + 0.5, z),
    )
    # A plane between start and preferred would be terrain: here it is a step in the middle of the way.
    middles_x, middles_z = scene.middles
    nearer = np.hypot(middles_x - x, middles_z - z) < np.hypot(middles_x - 0.01, middles_z - 0.02)
    scene.elev[nearer] = height
    flat = height == 0.0
    score, couples, status = scene.plan()
    assert status == PLANNED
    if flat:
        assert (score, couples) == (1.0, 1)
        np.testing.assert_array_equal(scene.target, scene.request.preferred)
        top = max(step_height, 1.5 * scene.request.clearance)
        assert scene.curve[:, 1].max() <= top + 1e-9
        straight = np.hypot(x - 0.01, z - 0.02)
        way = np.hypot(*np.diff(scene.curve[:, [0, 2]], axis=0).T).sum()
        assert way == pytest.approx(straight, abs=1e-9)
    else:
        assert_clear(scene)


def test_feet_leave_and_land_steeply():
    scene = Scene()
    assert scene.plan() == (1.0, 1, PLANNED)
    for first, last in ((0, 1), (-1, -2)):
        x, y, z = scene.curve[last] - scene.curve[first]
        assert y > 0.9 * math.hypot(x, z)
    assert scene.curve[SAMPLES // 2, 1] == pytest.approx(scene.request.step_height, abs=1e-3)


def test_feet_run_at_even_speed_or_eased_and_arrive_in_time():
    for seed in (3, 8, 21, 34):
        scene = random_scene(seed)
        scene.plan()
        times = np.linspace(0.0, 0.3, 100)
        even = np.array([swing_at(scene.curve, swing_share(t, 0.3, 0.0, False)) for t in times])
        # Along the curve: the lengths of its pieces between two times.
        knots = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(scene.curve, axis=0), axis=1)))
        gone = np.interp(times / 0.3 * (SAMPLES - 1), np.arange(SAMPLES), knots)
        speeds = np.diff(gone)
        assert np.abs(speeds / speeds.mean() - 1.0).max() < 0.02
        np.testing.assert_allclose(even[-1], scene.target, atol=1e-12)
        eased = np.array([swing_share(t, 0.3) for t in times])
        np.testing.assert_allclose(eased, 3 * (times / 0.3) ** 2 - 2 * (times / 0.3) ** 3, atol=1e-12)


@given(st.floats(0.0, 12.0))
def test_shares_start_at_the_speed_asked_for_and_never_turn_back(speed):
    shares = np.array([swing_share(t, 0.25, speed) for t in np.linspace(0.0, 0.25, 400)])
    assert shares[0] == 0.0
    assert shares[-1] == 1.0
    assert np.diff(shares).min() > -1e-12
    assert swing_share(1e-7, 0.25, speed) / 1e-7 == pytest.approx(speed, rel=1e-3, abs=1e-4)


@given(st.floats(-1.0, 1.0), st.floats(-0.6, 0.8), st.floats(-1.0, 2.0))
@settings(max_examples=30)
def test_a_new_plan_goes_on_in_the_direction_of_the_foot(vx, vy, vz):
    if math.hypot(vx, vy, vz) < 0.3:
        return
    scene = Scene(start=(0.02, 0.06, 0.1), velocity=(vx, vy, vz))
    score, _, status = scene.plan()
    assert status == PLANNED
    first = scene.curve[1] - scene.curve[0]
    velocity = np.array([vx, vy, vz])
    if vz > 0.3 and vy > -0.2:
        assert score == 1.0
        assert first @ velocity / np.linalg.norm(first) / np.linalg.norm(velocity) > 0.8
    # A foot in the air is not lifted once more.
    assert scene.curve[:, 1].max() < max(0.06, 0.1) + 0.03


def test_an_uncomfortable_footprint_is_left_for_another():
    scene = Scene(preferred=(0.05, 0.2, 0.75), hip=(0.05, 0.8, 0.7))
    scene.box(-0.3, 0.4, 0.7, 1.1, 0.2)
    row, column = scene.cell_of(0.05, 0.75)
    assert scene.flags[row, column] & EDGE
    score, _, status = scene.plan()
    row, column = scene.cell_of(scene.target[0], scene.target[2])
    assert status == PLANNED
    assert not scene.flags[row, column] & EDGE
    assert score > 0.8 * 0.8


def test_a_foot_that_would_meet_something_is_never_set_down_and_one_driven_over_soon_seldom():
    scene = Scene(relax=True)
    scene.flags[:] = GROWN | MET
    assert scene.plan()[2] == NOTHING
    scene = Scene()
    x, _ = scene.middles
    scene.flags[x > -0.1] = SWEPT
    score, _, status = scene.plan()
    assert status == PLANNED
    assert scene.target[0] < -0.1 + CELL
    assert 0.25 < score < 1.0
    scene.flags[:] = SWEPT
    score, _, status = scene.plan()
    assert (status, score) == (PLANNED, 0.25)


def test_a_footprint_whose_leg_would_cross_another_later_is_left_for_another():
    scene = Scene()
    assert scene.plan()[0] == 1.0
    aim = scene.target.copy()
    # When the two part, the hip of the own leg will have come to the other side of that one.
    scene.parting[2] = [[0.35, 0.6], [-0.35, 0.6], [0.05, 0.4]]
    score, _, status = scene.plan()
    assert status == PLANNED
    assert score < 1.0
    assert scene.target[2] < 0.6 < aim[2]


def test_a_foot_walled_in_gets_what_there_is():
    def walled(top: float, bits: int, relax: bool) -> tuple[Scene, int]:
        scene = Scene(relax=relax)
        scene.elev[:], scene.flags[:] = top, bits
        return scene, scene.plan()[2]

    assert walled(0.05, GROWN, False)[1] == NOTHING
    assert walled(0.05, GROWN, True)[1] == NEAR_SIDES
    assert walled(0.3, GROWN, True)[1] == ANYWHERE
    scene, status = walled(0.3, NO_STAND, True)
    assert status == NOTHING
    assert not scene.curve.any()
    scene = Scene(relax=True, start=(9.0, 0.0, 9.0))
    scene.request = scene.request._replace(start=PLAIN.start)  # the start is not in the window
    assert scene.plan()[2] == NOTHING


def test_a_curve_can_end_at_another_height():
    scene = Scene()
    scene.plan()
    before = scene.curve.copy()
    settle(scene.curve, -0.04)
    assert scene.curve[-1, 1] == pytest.approx(-0.04)
    np.testing.assert_array_equal(scene.curve[0], before[0])
    assert np.abs(scene.curve[: SAMPLES // 2, 1] - before[: SAMPLES // 2, 1]).max() < 0.006


def test_a_foot_goes_on_along_its_curve_as_planned() -> None:
    duration, speed, dt = 0.3, 1.5, 1.0 / 60.0
    gone, pace = 0.0, speed
    for frame in range(1, 18):
        gone, pace = swing_on(gone, pace, duration - (frame - 1) * dt, dt)
        assert gone == pytest.approx(swing_share(frame * dt, duration, speed), abs=1e-9)


@given(st.floats(0.0, 1.0))
def test_hasty_feet_leave_and_land_quicker_and_never_turn_back(haste: float) -> None:
    gone = np.linspace(0.0, 1.0, 400)
    shares = np.array([hastened(share, haste) for share in gone])
    assert shares[0] == 0.0
    assert shares[-1] == 1.0
    speeds = np.diff(shares) / np.diff(gone)
    assert speeds.min() > 0.5
    assert speeds[0] >= speeds[-1] >= 1.0 - 1e-9
    # A plan from mid-air goes on as fast as the foot is.
    assert hastened(1e-7 * smoothly(2.0, haste), haste) / 1e-7 == pytest.approx(2.0, rel=1e-3)


def test_feet_are_hasty_in_fast_gallops_only() -> None:
    wolf = [haste_at(speed, 0.82) for speed in (0.0, -1.0, 1.8, 3.5, 4.9, 8.0)]
    assert wolf[:4] == [0.0] * 4
    assert wolf[4:] == [1.0] * 2
    assert 0.0 < haste_at(4.4, 0.82) < 1.0


@pytest.mark.parametrize("share", [0.3, 0.6, 1.0, 3.0])
def test_a_foot_that_is_timed_anew_neither_leaps_nor_turns_back(share: float) -> None:
    """Half-way its landing comes sooner or later: it goes on from where it is, no faster than it must."""
    left, dt = 0.4, 1.0 / 240.0
    gone, pace, steps = 0.0, 0.0, []
    for frame in range(400):
        if frame == 48:
            left *= share
        after, pace = swing_on(gone, pace, left, dt)
        steps.append(after - gone)
        gone, left = after, left - dt
        if gone >= 1.0:
            break
    assert gone == 1.0
    assert min(steps) >= 0.0
    assert np.abs(np.diff(steps)).max() < 0.02
