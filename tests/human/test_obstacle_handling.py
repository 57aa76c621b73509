"""One walker and what appears before it: jumped, gone round, moved, grown, gone; take-off to the millimetre."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human import Crowd, HumanModel
from locomote.human._kernels.model import LEG_SHARE
from locomote.human._kernels.state import COMING, NO_JUMP, UNDER_WAY
from locomote.human.jumps._kernels import jump_decision as decision
from locomote.human.jumps._kernels.jump_over import FOOT_AHEAD, FRONT, LANDING
from locomote.human_skeleton import COMMON, TOE_LENGTH, heel_offset, hip_height
from locomote.world import Obstacles
from locomote_lab.human.foot_record import record_feet

FPS = 60
LEG = 0.88  # m
LIMIT = 0.8 * LEG  # m/s^2, of mean accelerations; profiles may reach
PEAK = 1.25 * LIMIT
TIP = 2
ANKLES, BALLS = ([COMMON.index(side + part) for side in ("Left", "Right")] for part in ("Foot", "ToeBase"))
APART = 40.0  # m between the lines of walkers


@pytest.fixture(scope="module")
def model():
    return HumanModel.default()


def lines_of(model, count, *, seed=0, **knobs):
    """Walkers far apart, each on its line along +Z, and the obstacles around them."""
    places = np.stack([APART * np.arange(count), np.zeros(count), np.zeros(count)], axis=1)
    crowd = Crowd(model, count, seed=seed, leg_length=LEG, positions=places, obstacles=Obstacles(), **knobs)
    play(crowd, 1.0)
    return crowd


def play(crowd, seconds):
    for _ in range(round(seconds * FPS)):
        crowd.obstacles.advance(1.0 / FPS)
        crowd.step(1.0 / FPS)


def before_each(crowd, distance, length, width=4.0):
    """A puddle before every walker; gives back their ids and their near edges."""
    near = crowd.positions[:, 2] + distance
    length = np.broadcast_to(length, len(crowd))
    ids = [
        crowd.obstacles.add_puddle((x, z + 0.5 * deep), deep, width)
        for x, z, deep in zip(crowd.positions[:, 0], near, length, strict=True)
    ]
    return ids, near


def jumping(crowd):
    return crowd._people.walkers["jump"]


class Trials(NamedTuple):
    """What came of walkers before obstacles."""

    jumped: np.ndarray
    error: (
        np.ndarray
    )  # m, from the toes of the take-off foot to the obstacle, nearest while they stand, less the margin
    gait: np.ndarray  # share of running at take-off
    asked: np.ndarray  # m, ball to ball
    acceleration: np.ndarray  # m/s^2, greatest of the run-up
    inside: np.ndarray  # m, of a standing point of a foot in the obstacle
    traces: list[list[str]]  # states without repetition


def try_all(crowd, seconds, edges, each_frame=None):
    """Play and measure; ``edges`` gives the near edges now (moving ones move)."""
    count = len(crowd)
    error, gait, asked = (np.full(count, np.nan) for _ in range(3))
    jumped, peak, inside = np.zeros(count, bool), np.zeros(count), np.zeros(count)
    traces = [[state] for state in crowd.states]

    def drive_on(crowd, time):
        if each_frame is not None:
            each_frame(crowd, time)
        crowd.obstacles.advance(1.0 / FPS)

    for frame in range(round(seconds * FPS)):
        drive_on(crowd, frame / FPS)
        speeds, coming = crowd.speeds, jumping(crowd)["state"] == COMING
        crowd.step(1.0 / FPS)
        jumps = jumping(crowd)
        changes = np.abs(crowd.speeds - speeds) * FPS
        peak = np.where(coming, np.maximum(peak, changes), peak)
        starts = ~jumped & (jumps["state"] == UNDER_WAY)
        jumped |= starts
        gait[starts] = crowd.gaits[starts]
        asked[starts] = (jumps["length"] * LEG / LEG_SHARE)[starts]
        leg = np.where(jumped, jumps["leg"], 0).astype(int)
        points, planted = soles(crowd), crowd.planted
        tips, down = points[np.arange(count), leg, TIP, 2], planted[np.arange(count), leg, TIP]
        stands = (jumps["state"] == UNDER_WAY) & (jumps["time"] <= jumps["support"]) & down
        error = np.where(stands, np.fmin(error, edges(crowd) - tips - FRONT), error)
        flat = points.reshape(-1, 3)[:, [0, 2]]
        deep = (
            -crowd.obstacles.distances(flat).reshape(planted.shape) if len(crowd.obstacles) else np.zeros(planted.shape)
        )
        inside = np.maximum(inside, np.where(planted, deep, 0.0).max(axis=(1, 2)))
        for trace, state in zip(traces, crowd.states, strict=True):
            if trace[-1] != state:
                trace.append(state)
    return Trials(jumped, error, gait, asked, peak, inside, traces)


def soles(crowd):
    """Heel, ball and tip of the feet ``(N, 2, 3, 3)``, from the poses."""
    positions, world = crowd.poses.joint_positions(), world_rotations(crowd.poses)
    heel = positions[:, ANKLES] + rot.rotate(world[:, ANKLES], heel_offset(LEG))
    tip = positions[:, BALLS] + rot.rotate(world[:, BALLS], [0.0, 0.0, hip_height(LEG) * TOE_LENGTH])
    return np.stack([heel, positions[:, BALLS], tip], axis=2)


def world_rotations(poses):
    world = poses.rotations.copy()
    for j in range(1, len(COMMON)):
        world[:, j] = rot.multiply(world[:, COMMON.parents[j]], world[:, j])
    return world


def square_on(near):
    return lambda crowd: near


@pytest.mark.feature("OBS-01", "PCA-080")
def test_walkers_react_in_the_frame_in_which_an_obstacle_appears(model):
    crowd = lines_of(model, 12, speed=1.2, gait=0.0)
    crowd.obstacles.add_puddle((-500.0, 0.0), 1.0, 1.0)
    play(crowd, 0.35)  # from then on they look about at different times
    assert set(crowd.states) == {"free"}
    before_each(crowd, np.linspace(3.0, 6.0, 12), np.linspace(0.8, 2.4, 12))
    play(crowd, 1.0 / FPS)
    assert set(crowd.states) == {"run-up", "going round"}


@pytest.fixture(scope="module")
def bed(model):
    """A small random bed: half walk, half run."""
    r = np.random.default_rng(5)
    count = 120
    walking = np.arange(count) % 2 == 0
    crowd = lines_of(model, count, speed=np.where(walking, 1.1, 1.5), gait=np.where(walking, 0.0, 1.0))
    _, near = before_each(crowd, r.uniform(2.0, 10.0, count), r.uniform(0.5, 2.0, count), width=3.0)
    return walking, try_all(crowd, 12.0, square_on(near)), crowd


@pytest.mark.feature("PCA-086", "OBS-16")
def test_toes_take_off_at_the_margin_before_the_obstacle(bed):
    _, trials, _ = bed
    errors = trials.error[trials.jumped]
    assert len(errors) > 40
    assert np.abs(errors).max() <= 0.02
    assert abs(errors.mean()) < 0.01


def test_nobody_stands_in_a_puddle_and_run_ups_keep_to_the_limit(bed):
    _, trials, crowd = bed
    assert trials.inside.max() < 1e-3
    assert trials.acceleration.max() <= PEAK + 1e-6
    assert {"free"} >= set(np.array(crowd.states)[trials.jumped])


@pytest.mark.feature("OBS-23")
def test_states_of_both_scenarios_follow_one_another_as_they_should(model):
    crowd = lines_of(model, 8, speed=1.2, gait=0.0)
    over = np.arange(8) % 2 == 0
    _, near = before_each(crowd, np.where(over, 4.0, 5.0), np.where(over, 1.0, 3.0), width=3.0)
    trials = try_all(crowd, 16.0, square_on(near))
    for trace, jumps in zip(trials.traces, over, strict=True):
        if jumps:
            expected = ["free", "run-up", "take-off", "flight", "landing", "recovering", "free"]
            assert [state for state in trace if state != "waiting"] == expected
        else:
            assert trace == ["free", "going round", "returning", "free"]


@pytest.mark.feature("OBS-15")
def test_who_walks_runs_up_to_a_long_jump_and_walks_again(model):
    crowd = lines_of(model, 20, speed=1.6, gait=0.0)
    _, near = before_each(crowd, 9.0, 1.8)
    shares = []

    def watch(crowd, time):
        coming = jumping(crowd)["state"] == COMING
        shares.append(np.where(coming, crowd.gaits, np.nan))

    trials = try_all(crowd, 14.0, square_on(near), watch)
    assert trials.jumped.all()
    np.testing.assert_allclose(trials.gait[trials.jumped], 1.0, atol=1e-9)
    for who in np.flatnonzero(trials.jumped):
        share = np.array(shares)[:, who]
        run_up = np.flatnonzero(~np.isnan(share))
        course = share[run_up]
        assert np.diff(course).min() >= -1e-9
        line = np.polyfit(run_up, course, 1)
        assert np.abs(course - np.polyval(line, run_up)).max() < 0.08  # evenly, but for the last wait
    np.testing.assert_allclose(crowd.gaits[trials.jumped], 0.0, atol=1e-9)
    np.testing.assert_allclose(crowd.speeds[trials.jumped], 1.6, atol=1e-6)


@pytest.mark.feature("OBS-03")
@pytest.mark.parametrize("laws", ["recorded", "printed"])
def test_everybody_is_promoted_to_a_run_within_six_metres(model, laws):
    """All whom the limit of mean accelerations lets: recorded jumps of 1.93 m begin at 3.1 m/s, printed ones at 2.1."""
    speeds = np.repeat(np.linspace(1.1, 1.9, 6), 12)
    crowd = lines_of(model, len(speeds), speed=speeds, gait=0.0)
    if laws == "printed":
        crowd._ways.laws[:] = decision.LAWS
    _, near = before_each(crowd, 6.0, 1.8)
    law = crowd._ways.laws[decision.RUNNING]
    take_off = law["slope"] * (1.8 + FRONT + LANDING) + law["intercept"]
    left = 6.0 - FRONT - hip_height(LEG) * (TOE_LENGTH + FOOT_AHEAD)
    able = take_off**2 - speeds**2 <= 2.0 * LIMIT * left
    assert able[speeds > 1.3].all()
    assert able.all() == (laws == "printed")
    trials = try_all(crowd, 7.0, square_on(near))
    np.testing.assert_array_equal(trials.jumped, able)
    np.testing.assert_allclose(trials.gait[able], 1.0, atol=1e-9)
    assert trials.acceleration.max() <= PEAK + 1e-6
    assert np.abs(trials.error[able]).max() <= 0.01
    if laws == "recorded":  # printed speeds are too slow for any flight to reach the far side
        assert trials.inside.max() < 1e-3


def test_a_walking_jump_stays_a_walk(model):
    crowd = lines_of(model, 10, speed=1.2, gait=0.0)
    _, near = before_each(crowd, 4.0, 0.8)
    trials = try_all(crowd, 7.0, square_on(near))
    assert trials.jumped.all()
    np.testing.assert_allclose(trials.gait, 0.0, atol=1e-9)


@pytest.mark.feature("OBS-25", "PCA-087")
def test_a_moved_obstacle_is_still_jumped_from_its_edge(model):
    crowd = lines_of(model, 40, speed=1.3, gait=0.0)
    ids, near = before_each(crowd, 6.0, 0.7)
    r = np.random.default_rng(2)
    shifts, when = r.uniform(-0.25, 0.25, 40), r.uniform(0.3, 2.0, 40)
    edges = near.copy()

    def shift(crowd, time):
        for n in np.flatnonzero((when >= time) & (when < time + 1.0 / FPS)):
            edges[n] += shifts[n]
            crowd.obstacles.move(ids[n], centre=(APART * n, edges[n] + 0.35))

    trials = try_all(crowd, 9.0, lambda crowd: edges, shift)
    assert trials.jumped.mean() > 0.6
    errors = np.abs(trials.error[trials.jumped])
    assert np.mean(errors < 0.01) >= 0.95
    assert errors.max() <= 0.02
    assert trials.inside.max() < 1e-3
    # Who cannot adapt any more goes round.
    assert all("going round" in trace for trace, jumped in zip(trials.traces, trials.jumped, strict=True) if not jumped)


def test_a_puddle_that_drifts_is_met_where_it_will_be(model):
    crowd = lines_of(model, 20, speed=1.3, gait=0.0)
    r = np.random.default_rng(3)
    velocity = np.stack([np.zeros(20), r.uniform(-0.15, 0.15, 20)], axis=1)
    start, edges = crowd.positions, crowd.positions[:, 2] + 5.0
    for n in range(20):
        crowd.obstacles.add_box((start[n, 0], edges[n] + 0.35), (4.0, 0.7), 0.0, velocity=velocity[n])

    def drift(crowd, time):
        edges[:] = start[:, 2] + 5.0 + velocity[:, 1] * (time + 1.0 / FPS)

    trials = try_all(crowd, 8.0, lambda crowd: edges, drift)
    assert trials.jumped.mean() > 0.6
    assert np.abs(trials.error[trials.jumped]).max() <= 0.02
    assert trials.inside.max() < 1e-3


def test_run_ups_are_given_up_when_the_obstacle_grows_or_vanishes(model):
    crowd = lines_of(model, 2, speed=1.3, gait=0.0)
    ids, _ = before_each(crowd, 6.0, 0.8)
    play(crowd, 0.5)
    assert crowd.states == ["run-up", "run-up"]
    crowd.obstacles.remove(ids[0])
    crowd.obstacles.grow(ids[1], 3.5)
    play(crowd, 0.3)
    assert crowd.states[0] == "free"
    assert crowd.states[1] == "going round"
    assert crowd.gaits[0] == 0.0


@pytest.mark.feature("OBS-27")
@pytest.mark.parametrize(("foot", "leg"), [("left", 0), ("right", 1)])
def test_the_chosen_foot_lands_at_a_line(model, foot, leg):
    crowd = lines_of(model, 20, speed=1.2, gait=0.0)
    r = np.random.default_rng(4)
    line = crowd.positions[:, 2] + (ahead := r.uniform(2.5, 7.0, 20))
    told = crowd.reach(ahead, speed=1.2, foot=foot)
    assert told.mean() > 0.8
    nearest = np.full((20, 2), np.inf)
    for _ in range(FPS * 8):
        crowd.step(1.0 / FPS)
        tips, down = soles(crowd)[:, :, TIP, 2], crowd.planted[:, :, TIP]
        off = np.where(down, line[:, None] - tips, np.inf)
        nearest = np.where(np.abs(off) < np.abs(nearest), off, nearest)
    assert np.abs(nearest[told, leg]).max() <= 0.02
    assert (np.abs(nearest[told, 1 - leg]) > 0.1).all()


@pytest.mark.feature("OBS-26")
@pytest.mark.parametrize("speed", [0.8, 1.1, 1.4, 1.8])
@pytest.mark.parametrize("foot", ["left", "right"])
def test_a_stop_ends_with_the_chosen_foot_at_the_line(model, speed, foot):
    crowd = lines_of(model, 20, speed=speed, gait=0.0)
    nearest = 2.0 if speed < 1.5 else 2.5  # who is faster cannot stop sooner within the limit
    ahead = np.random.default_rng(5).uniform(nearest, 5.0, 20)
    line = crowd.positions[:, 2] + ahead
    assert crowd.reach(ahead, foot=foot).all()
    for _ in range(FPS * 15):  # an even stop of 5 m from 0.8 m/s takes 12.5 s
        crowd.step(1.0 / FPS)
    assert (crowd.speeds == 0.0).all()
    off = line[:, None] - soles(crowd)[:, :, TIP, 2]
    assert np.abs(off[:, ("left", "right").index(foot)]).max() <= 0.02
    assert np.abs(off).max() <= 0.02  # and so does the other one
    crowd.command(speed=speed)  # the line is forgotten
    play(crowd, 2.0)
    before = crowd.positions[:, 2]
    play(crowd, 1.0)
    np.testing.assert_allclose(crowd.positions[:, 2] - before, speed, rtol=0.02)


@pytest.mark.feature("OBS-26")
def test_who_may_not_go_round_stops_before_an_obstacle_and_jumps_it_from_a_stand(model):
    crowd = lines_of(model, 24, speed=1.2, gait=0.0)
    crowd.allow(going_round=False)
    r = np.random.default_rng(1)
    near, deep = crowd.positions[:, 2] + r.uniform(0.9, 1.1, 24), r.uniform(0.7, 1.0, 24)
    for n in range(24):
        crowd.obstacles.add_puddle((APART * n, near[n] + 0.5 * deep[n]), deep[n], 40.0)
    stood = np.full((24, 2), np.nan)

    def watch(crowd, time):
        still = (crowd.speeds == 0.0) & (jumping(crowd)["state"] == NO_JUMP)
        still &= crowd.positions[:, 2] < near
        stood[still] = (near[:, None] - FRONT - soles(crowd)[:, :, TIP, 2])[still]

    trials = try_all(crowd, 12.0, square_on(near), watch)
    standing = ["free", "stopping", "take-off", "flight", "landing", "recovering", "free"]
    stops = np.array([[s for s in trace if s != "waiting"] == standing for trace in trials.traces])
    assert stops.sum() >= 20  # some find a run-up even so
    assert np.abs(stood[stops]).max() <= 0.02
    assert trials.inside.max() < 1e-3
    assert (crowd.positions[:, 2] > near + deep).all()


def test_a_path_is_walked_from_a_stand_to_its_end(model):
    crowd = Crowd(model, 2, avoid=True, positions=[[0.0, 0.0, 0.0], [6.0, 0.0, 0.0]])
    crowd.follow([(0.0, 0.0), (0.0, 3.0), (2.0, 5.0)], who=0)
    crowd.go_to(6.0, 4.0, who=1)
    for _ in range(FPS * 9):
        crowd.step(1.0 / FPS)
    assert crowd.arrived.all()
    there = crowd.positions[:, [0, 2]]
    assert np.abs(there - [(2.0, 5.0), (6.0, 4.0)]).max() < 0.1
    for _ in range(FPS):
        crowd.step(1.0 / FPS)
    np.testing.assert_array_equal(crowd.positions[:, [0, 2]], there)


def test_replanning_never_makes_the_motion_jump(model):
    run = record_feet(lines_of(model, 10, speed=3.0, gait=1.0), 2.0, fps=FPS)
    ordinary = np.linalg.norm(np.diff(run.joints, axis=0), axis=-1).max()
    crowd = lines_of(model, 10, speed=1.3, gait=0.0)
    r = np.random.default_rng(6)
    start = crowd.positions
    ids, near = before_each(crowd, 5.0, 0.8)

    def jitter(crowd, time):
        for n in range(10):
            shift = 0.03 * r.standard_normal()
            crowd.obstacles.move(ids[n], centre=(start[n, 0], near[n] + 0.4 + shift))

    moved = record_feet(crowd, 4.0, jitter, FPS)
    assert np.linalg.norm(np.diff(moved.joints, axis=0), axis=-1).max() <= ordinary


def test_prediction_is_what_is_played_with_obstacles(model):
    crowd = lines_of(model, 4, speed=1.3, gait=0.0)
    before_each(crowd, np.array([3.0, 4.0, 5.0, 6.0]), np.array([0.7, 0.9, 2.5, 1.1]))
    for _ in range(4):
        ahead = crowd.predict(1.0, FPS).joint_positions().copy()
        play(crowd, 1.0)
        np.testing.assert_allclose(crowd.poses.joint_positions(), ahead, atol=1e-6)


@pytest.mark.feature("OBS-31")
def test_obstacles_of_any_outline_are_passed_as_surely_as_boxes_across_the_way(model):
    r = np.random.default_rng(9)
    each, rates, jumps = 30, [], []
    for kind in ("across", "oblique", "irregular", "on a curve"):
        curved = kind == "on a curve"
        turning = r.uniform(0.03, 0.1, each) * r.choice([-1.0, 1.0], each) * curved
        crowd = lines_of(model, each, speed=1.3, gait=0.0)
        if curved:
            crowd.command(turn_rate=turning)
            play(crowd, 0.5)
        start, yaw = crowd.positions, crowd.headings
        ahead, deep = r.uniform(4.0, 7.0, each), r.uniform(0.7, 0.9, each)  # shorter ones are stepped over
        for n in range(each):
            bend = 0.5 * turning[n] / 1.3 * ahead[n]  # half of what the way turns until there
            place = start[n, [0, 2]] + ahead[n] * np.array([np.sin(yaw[n] + bend), np.cos(yaw[n] + bend)])
            facing = yaw[n] + 2.0 * bend + (r.uniform(-0.6, 0.6) if kind == "oblique" else 0.0)
            if kind == "irregular":
                angles = np.sort(r.uniform(0.0, 2.0 * np.pi, 7))
                around = np.stack([1.5 * np.cos(angles), 0.5 * deep[n] * np.sin(angles)], axis=1)
                crowd.obstacles.add_polygon(place + around)
            else:
                crowd.obstacles.add_puddle(place, deep[n], 3.0, yaw=facing)
        trials = try_all(crowd, 9.0, lambda crowd: np.full(each, np.nan))
        past = np.linalg.norm((crowd.positions - start)[:, [0, 2]], axis=1) > ahead + deep
        rates.append(np.mean((trials.inside < 1e-3) & past))
        jumps.append(trials.jumped.mean())
    assert np.abs(np.subtract(rates, rates[0])).max() <= 0.05
    assert rates[0] > 0.95
    across, oblique, irregular, curved = jumps
    assert min(across, oblique, curved) > 0.9  # going round is no way out
    assert irregular > 0.45  # some are narrow enough to be stepped over


def test_oblique_obstacles_are_jumped_from_their_edge_without_a_foot_in_them(model):
    crowd = lines_of(model, 40, speed=1.3, gait=0.0)
    yaws = np.linspace(-0.5, 0.5, 40)
    start = crowd.positions
    for n in range(40):
        crowd.obstacles.add_puddle((start[n, 0], start[n, 2] + 5.0), 0.6, 3.0, yaw=yaws[n])

    def edges(crowd):
        # Where the near side is in the way of the toes that take off.
        leg = np.maximum(jumping(crowd)["leg"], 0)
        aside = soles(crowd)[np.arange(40), leg, TIP, 0] - start[:, 0]
        return start[:, 2] + 5.0 - 0.3 / np.cos(yaws) - np.tan(yaws) * aside

    trials = try_all(crowd, 8.0, edges)
    assert trials.jumped.mean() > 0.6
    assert trials.inside.max() < 1e-3
    assert np.abs(trials.error[trials.jumped]).max() <= 0.01
    assert (crowd.positions[:, 2] > start[:, 2] + 6.0).all()


def test_feet_pass_over_the_top_of_what_is_jumped(model):
    count = 60
    walks = np.arange(count) % 2 == 0
    crowd = lines_of(model, count, seed=1, speed=np.where(walks, 1.1, 1.5), gait=np.where(walks, 0.0, 1.0))
    r = np.random.default_rng(7)
    length, height = (
        np.where(walks, r.uniform(0.4, 1.0, count), r.uniform(0.6, 1.9, count)),
        r.uniform(0.1, 0.35, count),
    )
    near = crowd.positions[:, 2] + r.uniform(5.0, 9.0, count)
    for n in range(count):
        crowd.obstacles.add_box((APART * n, near[n] + 0.5 * length[n]), (4.0, length[n]), height[n])
    jumped, lowest = np.zeros(count, bool), np.full(count, np.inf)
    for _ in range(FPS * 11):
        crowd.step(1.0 / FPS)
        jumped |= jumping(crowd)["state"] == UNDER_WAY
        points = soles(crowd)
        along = points[..., 2] - near[:, None, None]
        over = (
            (along > 0.0)
            & (along < length[:, None, None])
            & (np.abs(points[..., 0] - APART * np.arange(count)[:, None, None]) < 2.0)
        )
        lowest = np.minimum(lowest, np.where(over, points[..., 1] - height[:, None, None], np.inf).min(axis=(1, 2)))
    assert jumped.mean() > 0.5
    assert lowest.min() > 0.0


@pytest.mark.parametrize(
    ("what", "says"),
    [
        (lambda o: o.add_puddle((0.0, np.nan), 1.0, 1.0), "centre"),
        (lambda o: o.add_puddle((0.0, 3.0), -1.0, 1.0), "length"),
        (lambda o: o.add_puddle((0.0, 3.0), 1.0, 0.0), "width"),
        (lambda o: o.add_box((0.0, 3.0), (1.0, 1.0), -0.1), "height"),
        (lambda o: o.remove(99), "99"),
    ],
)
def test_an_impossible_obstacle_is_an_error_that_says_what(what, says):
    obstacles = Obstacles()
    with pytest.raises(LocomoteError, match=says):
        what(obstacles)
    assert len(obstacles) == 0


def test_an_obstacle_on_top_of_a_walker_does_not_break_it(model):
    crowd = lines_of(model, 6, speed=np.array([0.0, 0.8, 1.2, 1.5, 2.0, 3.0]))
    for place in crowd.positions:
        crowd.obstacles.add_box((place[0], place[2]), (1.0, 1.0), 1.0)
    for _ in range(FPS * 6):
        crowd.step(1.0 / FPS)
        assert np.isfinite(crowd.poses.rotations).all()
        assert np.isfinite(crowd.positions).all()
    assert np.abs(np.linalg.norm(crowd.poses.rotations, axis=-1) - 1.0).max() < 1e-6


@pytest.mark.parametrize("frames", [1, 3, 7])
def test_who_is_told_to_jump_does_whatever_it_was_about_to_go_round(model, frames):
    """Walkers see what appears far ahead each in a frame of its own."""
    crowd = lines_of(model, 8, speed=0.0)
    before_each(crowd, 6.0, 2.6, width=1.6)
    play(crowd, frames / FPS)
    began = crowd.positions[:, 2].copy()
    assert crowd.jump(1.2).all()
    play(crowd, 2.0)
    assert np.all(crowd.positions[:, 2] - began > 1.1)
