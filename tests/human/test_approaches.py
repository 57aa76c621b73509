"""Approaches: slanting outlines, a curve, a stop in front, a chosen foot; many random ones, and the demo of each."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.cli._demos import approaches as shows
from locomote.cli._demos import obstacles as demo
from locomote.human import HumanModel
from locomote.human._kernels.state import COMING, UNDER_WAY
from locomote.human.jumps._kernels.jump_over import FRONT
from locomote.world import Obstacles
from tests.human.test_obstacle_handling import FPS, LIMIT, PEAK, TIP, jumping, lines_of, play, soles

SPEED = 1.3  # m/s
COUNT = 60


@pytest.fixture(scope="module")
def model():
    return HumanModel.default()


class Approaches:
    """Walkers before one puddle each: who jumps, how near the toes are to the edge, what they step into."""

    def __init__(self, crowd, centres, yaws, length, width):
        self.crowd, self.centres, self.yaws = crowd, centres, yaws
        self.half = 0.5 * np.array([width, length])
        count = len(crowd)
        self.jumped = np.zeros(count, bool)
        self.error, self.heading = np.full(count, np.nan), np.full(count, np.nan)
        self.inside, self.peak = np.zeros(count), np.zeros(count)
        self.turned_until = np.full(count, np.nan)  # s before take-off, when the turn rate last was as told

    def local(self, points):
        """Across and along the puddles."""
        x, z = np.moveaxis(points[..., [0, 2]] - self.centres.reshape(-1, *[1] * (points.ndim - 2), 2), -1, 0)
        yaw = self.yaws.reshape(-1, *[1] * (points.ndim - 2))
        return np.cos(yaw) * x - np.sin(yaw) * z, np.sin(yaw) * x + np.cos(yaw) * z

    def play(self, seconds, turning):
        crowd, everyone = self.crowd, np.arange(len(self.crowd))
        for frame in range(round(seconds * FPS)):
            before, coming = crowd.speeds, jumping(crowd)["state"] == COMING
            crowd.step(1.0 / FPS)
            jumps = jumping(crowd)
            self.peak = np.where(coming, np.maximum(self.peak, np.abs(crowd.speeds - before) * FPS), self.peak)
            on_curve = coming & (np.abs(crowd.turn_rates - turning) < 1e-6)
            self.turned_until[on_curve] = frame / FPS
            starts = (jumps["state"] == UNDER_WAY) & ~self.jumped
            self.turned_until[starts] = frame / FPS - self.turned_until[starts]
            self.heading[starts] = crowd.headings[starts]
            self.jumped |= starts
            points, planted = soles(crowd), crowd.planted
            across, along = self.local(points)
            leg = np.where(self.jumped, jumps["leg"], 0).astype(int)
            gap = (-self.half[1] - along[everyone, leg, TIP]) / np.cos(crowd.headings - self.yaws) - FRONT
            stands = (jumps["state"] == UNDER_WAY) & (jumps["time"] <= jumps["support"])
            stands &= planted[everyone, leg, TIP]
            self.error = np.where(stands, np.fmin(self.error, gap), self.error)
            deep = np.minimum(self.half[0] - np.abs(across), self.half[1] - np.abs(along))
            self.inside = np.maximum(self.inside, np.where(planted, deep, 0.0).max(axis=(1, 2)))


@pytest.fixture(scope="module")
def on_a_curve(model):
    r = np.random.default_rng(12)
    turning = r.uniform(0.03, 0.2, COUNT) * r.choice([-1.0, 1.0], COUNT)
    crowd = lines_of(model, COUNT, speed=SPEED, gait=0.0)
    crowd.command(turn_rate=turning)
    play(crowd, 0.5)
    start, yaw = crowd.positions, crowd.headings
    ahead = r.uniform(3.5, 5.0, COUNT)  # m along the curve
    bend = 0.5 * turning / SPEED * ahead
    chord = ahead * np.sin(bend) / bend
    centres = start[:, [0, 2]] + chord[:, None] * np.stack([np.sin(yaw + bend), np.cos(yaw + bend)], axis=1)
    length, width = 0.7, 3.0
    for centre, facing in zip(centres, yaw + 2.0 * bend, strict=True):
        crowd.obstacles.add_puddle(centre, length, width, yaw=facing)
    trials = Approaches(crowd, centres, yaw + 2.0 * bend, length, width)
    trials.play(9.0, turning)
    return trials, turning, yaw


def test_run_ups_along_a_curve_keep_to_it_and_end_at_the_edge(on_a_curve):
    trials, turning, yaw = on_a_curve
    jumped = trials.jumped
    assert jumped.mean() > 0.9
    assert np.abs(trials.error[jumped]).max() <= 0.01
    assert trials.inside.max() < 1e-3
    assert trials.peak.max() <= PEAK + 1e-6
    # They turn as told until shortly before take-off.
    assert np.nanmax(trials.turned_until[jumped]) <= 1.0
    turned = np.angle(np.exp(1j * (trials.heading - yaw)))[jumped]
    assert (np.sign(turned) == np.sign(turning[jumped])).all()
    assert (np.abs(turned) > np.abs(turning[jumped])).all()  # rad: that of more than 1 s


@pytest.mark.parametrize("shape", ["box", "outline"])
def test_slanting_outlines_are_jumped_from_where_the_toes_meet_them(model, shape):
    r = np.random.default_rng(13)
    crowd = lines_of(model, COUNT, speed=SPEED, gait=0.0)
    start = crowd.positions
    yaws, ahead = r.uniform(-0.5, 0.5, COUNT), r.uniform(4.0, 7.0, COUNT)
    for n in range(COUNT):
        centre = start[n, [0, 2]] + [0.0, ahead[n]]
        if shape == "box":
            crowd.obstacles.add_puddle(centre, 0.6, 3.0, yaw=yaws[n])
            continue
        angles = np.sort(r.uniform(0.0, 2.0 * np.pi, 9))
        around = np.stack([1.4 * np.cos(angles), 0.45 * np.sin(angles)], axis=1)
        c, s = np.cos(yaws[n]), np.sin(yaws[n])
        crowd.obstacles.add_polygon(centre + around @ np.array([[c, -s], [s, c]]))
    jumped, inside = np.zeros(COUNT, bool), np.zeros(COUNT)
    for _ in range(9 * FPS):
        crowd.step(1.0 / FPS)
        jumped |= jumping(crowd)["state"] == UNDER_WAY
        points, planted = soles(crowd), crowd.planted
        deep = -crowd.obstacles.distances(points.reshape(-1, 3)[:, [0, 2]]).reshape(planted.shape)
        inside = np.maximum(inside, np.where(planted, deep, 0.0).max(axis=(1, 2)))
    assert jumped.mean() > (0.6 if shape == "box" else 0.4)  # some outlines are small: these are stepped over
    assert inside.max() < 1e-3
    assert (crowd.positions[:, 2] > start[:, 2] + ahead + 1.0).all()


def test_who_may_neither_jump_nor_go_round_stands_right_before_it(model):
    r = np.random.default_rng(14)
    crowd = lines_of(model, COUNT, speed=r.uniform(0.8, 1.8, COUNT), gait=0.0, lively=0.0)
    crowd.allow(jumping=False, going_round=False)
    near = crowd.positions[:, 2] + r.uniform(2.5, 6.0, COUNT)
    for n in range(COUNT):
        height = r.uniform(0.0, 1.2)
        crowd.obstacles.add_box((crowd.positions[n, 0], near[n] + 0.3), (3.0, 0.6), height)
    first = crowd.speeds
    hardest = np.zeros(COUNT)
    for _ in range(15 * FPS):
        before = crowd.speeds
        crowd.step(1.0 / FPS)
        hardest = np.maximum(hardest, (before - crowd.speeds) * FPS)
    np.testing.assert_array_equal(crowd.speeds, 0.0)
    assert np.abs(near[:, None] - FRONT - soles(crowd)[:, :, TIP, 2]).max() <= 0.02
    assert (hardest > 0.0).all()
    assert first.max() / 0.8 > 2.0
    assert hardest.max() < 4.0 * LIMIT


@pytest.mark.feature("PCA-088")
def test_the_demo_shows_all_four_approaches(model):
    made = {show.name: show for show in (make(model, 4.0) for make in shows.APPROACH_SHOWS)}
    assert [*made] == ["slanting", "curved", "halting", "feet"]
    # Three outlines, none of them square to the way, are jumped one after the other.
    heights = made["slanting"].motions[0].root_positions[:, 1]
    up = heights > np.median(heights) + 0.06
    assert np.sum(up[1:] & ~up[:-1]) == 3
    assert clear_of(made["slanting"].motions[0], made["slanting"].obstacles)
    # The way bends all along to the jump, and goes on behind the puddle.
    curved = made["curved"].motions[0]
    x, z = curved.root_positions[:, [0, 2]].T
    assert np.ptp(curved.root_positions[:, 1]) > 0.1
    assert abs(np.arctan2(*np.diff(np.stack([x, z]))[:, -30:].sum(axis=1))) > 0.3
    assert clear_of(curved, made["curved"].obstacles)
    # Both feet stand before the hedge.
    halting = made["halting"].motions[0]
    balls = [halting.skeleton.index(f"{side}ToeBase") for side in ("Left", "Right")]
    rest = halting.joint_positions()[-30:, balls]
    assert np.ptp(rest, axis=0).max() < 0.01
    assert (rest[..., 2] < shows.HEDGE).all()
    assert (rest[..., 2] > shows.HEDGE - 0.25).all()
    # The foot that goes up first is the one that was not chosen for the place before the stair.
    for motion, other in zip(made["feet"].motions, ("Right", "Left"), strict=True):
        joints = motion.joint_positions()
        up = [np.argmax(joints[:, motion.skeleton.index(f"{s}ToeBase"), 2] > shows.RISER) for s in ("Left", "Right")]
        assert up[("Left", "Right").index(other)] == min(up)
    assert {*shows.APPROACH_SHOWS} <= {*demo.OBSTACLE_SHOWS}  # the films of which have a test of their own


def clear_of(motion, obstacles: Obstacles):
    """Whether no ball of a foot is on the ground within an obstacle."""
    joints = motion.joint_positions()
    balls = joints[:, [motion.skeleton.index(f"{side}ToeBase") for side in ("Left", "Right")]]
    low = balls[..., 1] < balls[..., 1].min() + 0.02
    return not (low & obstacles.inside(balls[..., [0, 2]])).any()
