"""Beds of random obstacles: walkers and runners, what they decide, where they take off, and what their feet touch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.human import Crowd, HumanModel
from locomote.human._kernels.state import COMING, NEUTRAL, STEPPING_OVER, UNDER_WAY
from locomote.human.jumps._kernels.jump_decision import REFERENCE_LEG, RUNNING, SHORT, WALKING
from locomote.human.jumps._kernels.jump_over import FOOT_AHEAD, FRONT, LANDING
from locomote.human.jumps._kernels.jump_setup import LIMIT
from locomote.human_skeleton import (
    BALL_AHEAD_OF_ANKLE,
    COMMON,
    HEEL_BEHIND_ANKLE,
    TOE_LENGTH,
    heel_offset,
    hip_height,
)
from locomote.math.fk import forward_kinematics
from locomote.world import Obstacles

LEG = 0.88  # m
SIZE = hip_height(LEG)  # m
APART = 40.0  # m between the lines of walkers
FPS = 60
WALK, RUN = 1.1, 1.5  # m/s
ANKLES, BALLS = ([COMMON.index(side + part) for side in ("Left", "Right")] for part in ("Foot", "ToeBase"))
JOINTS = SIZE * COMMON.offsets
HEEL, TIP = heel_offset(LEG), SIZE * np.array([0.0, 0.0, TOE_LENGTH])
STEP, JUMP, ROUND = 1, 2, 3  # what the rules say
SPARE = 1e-3  # m into an obstacle that rounding may take a point


@dataclass
class Bed:
    """What came of ``N`` trials; lengths in metres, NaN for what did not happen."""

    walking: np.ndarray
    distance: np.ndarray
    length: np.ndarray
    width: np.ndarray
    ruled: np.ndarray  # STEP, JUMP or ROUND by the rules, where it first took notice of the obstacle
    stepped: np.ndarray
    jumped: np.ndarray
    run: np.ndarray  # share of running at take-off
    leg: np.ndarray  # that took off
    error: np.ndarray  # from toes to obstacle along the way, nearest while they stand, less the margin
    jump: np.ndarray  # length of the jump, ball to ball
    asked: np.ndarray  # length planned
    landed: np.ndarray  # from the obstacle to the heel or whatever was nearest of the foot that landed
    inside: np.ndarray  # of a standing point in the obstacle: how deep; 0 for none
    under: np.ndarray  # of any point of a foot: how far below the top of the obstacle while over it
    acceleration: np.ndarray  # greatest of the run-up, m/s^2
    clearance: np.ndarray  # of the body's middle from the obstacle, of those who go round
    slowest: np.ndarray  # share of the first speed, of those who go round
    passed: np.ndarray
    aside: np.ndarray  # from the line at the end
    restored: np.ndarray  # off the first speed at the end, m/s
    replans: np.ndarray


def soles(crowd: Crowd) -> np.ndarray:
    """Heel, ball and tip of both feet ``(N, 2, 3, 3)`` from what a rig is given."""
    poses, count = crowd.poses, len(crowd)
    joints, world = np.empty((count, len(COMMON), 3)), np.empty((count, len(COMMON), 4))
    local = np.broadcast_to(JOINTS, joints.shape).copy()
    forward_kinematics(COMMON.parents, local, poses.root_positions, poses.rotations, joints, world)
    heel, ball = joints[:, ANKLES] + rot.rotate(world[:, ANKLES], HEEL), joints[:, BALLS]
    return np.stack([heel, ball, ball + rot.rotate(world[:, BALLS], TIP)], axis=2)


def gap_ahead(points: np.ndarray, centre: np.ndarray, half: np.ndarray, yaw: np.ndarray) -> np.ndarray:
    """How far it is from points ``(N, 3)`` along +Z to boxes; infinite for those that are passed by."""
    x, z = (points[:, [0, 2]] - centre).T
    s, c = np.sin(-yaw), np.cos(-yaw)
    start, along = np.stack([c * x + s * z, c * z - s * x], axis=1), np.stack([s, c], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        sides = (np.stack([-half, half]) - start) / along
    flat = np.abs(along) < 1e-12  # along a side of the box
    inside = np.abs(start) <= half
    enter = np.where(flat, np.where(inside, -np.inf, np.inf), sides.min(axis=0)).max(axis=1)
    leave = np.where(flat, np.where(inside, np.inf, -np.inf), sides.max(axis=0)).min(axis=1)
    return np.where(enter <= leave, enter, np.inf)


def rule(
    length: np.ndarray,
    distance: np.ndarray,
    speed: np.ndarray,
    run: np.ndarray,
    step: np.ndarray,
    laws: np.ndarray,
) -> np.ndarray:
    """The rules for flat obstacles, written down anew: what is short is stepped over; who jumps finds the length within

    the range and the mean acceleration within the limit; who does neither goes round.
    """
    scale = LEG / REFERENCE_LEG
    wanted = length + FRONT + LANDING
    runs = (run >= 0.5) | (wanted > scale * laws["longest"][WALKING])
    law = laws[np.where(runs, RUNNING, WALKING)]
    slope = law["slope"]
    intercept, band, shortest, longest = (scale * law[name] for name in ("intercept", "band", "shortest", "longest"))
    start = slope * np.maximum(wanted, shortest) + intercept
    farther = np.minimum((speed - intercept) / slope, longest)
    start = np.where(start < speed, np.minimum(speed, slope * farther + intercept + band), start)
    left = distance - FRONT - SIZE * (TOE_LENGTH + FOOT_AHEAD)
    fits = (wanted <= longest) & (left >= 0.0) & (abs(start**2 - speed**2) <= 2.0 * left * LIMIT * LEG)
    return np.where(length < SHORT * step, STEP, np.where(fits, JUMP, ROUND))


def trials(
    model: HumanModel,
    count: int,
    seed: int,
    *,
    seconds: float = 26.0,
    heights: tuple[float, float] = (0.0, 0.0),
    most_yaw: float = 0.0,
    most_speed: float = 0.0,
    replanned: bool = True,
    placed: bool = True,
) -> Bed:
    """Walkers and runners before whom an obstacle appears after a second, each far from the others.

    They are watched until all are through with it, for so many seconds at most.
    """
    r = np.random.default_rng(seed)
    walking = np.arange(count) % 2 == 0
    lines = APART * np.arange(count)
    obstacles = Obstacles()
    crowd = Crowd(
        model, count, seed=seed, leg_length=LEG, speed=np.where(walking, WALK, RUN), gait=np.where(walking, 0.0, 1.0),
        positions=np.stack([lines, np.zeros(count), np.zeros(count)], axis=1), obstacles=obstacles,
    )  # fmt: skip
    for _ in range(FPS):
        crowd.step(1.0 / FPS)
    first = crowd.speeds
    distance, length, width = r.uniform(2, 10, count), r.uniform(0.4, 2.6, count), r.uniform(1, 6, count)
    height = r.uniform(*heights, count)
    yaw = r.uniform(-most_yaw, most_yaw, count)
    velocity = r.uniform(-most_speed, most_speed, (count, 2))
    # The nearest corner of an oblique obstacle counts for its distance.
    depth = 0.5 * (length * np.cos(yaw) + width * np.abs(np.sin(yaw)))
    centre = np.stack([lines, crowd.positions[:, 2] + distance + depth], axis=1)
    for n in range(count):
        obstacles.add_box(centre[n], (width[n], length[n]), height[n], yaw[n], velocity[n])
    nan, zero, no = np.full(count, np.nan), np.zeros(count), np.zeros(count, bool)
    bed = Bed(
        walking, distance, length, width, np.zeros(count, int), no.copy(), no.copy(), nan.copy(), nan.copy(),
        nan.copy(), nan.copy(),
        nan.copy(), nan.copy(), zero.copy(), zero.copy(), zero.copy(), np.full(count, np.inf), np.ones(count),
        no, zero, zero, zero.copy(),
    )  # fmt: skip
    noticed, take_off_ball = no.copy(), np.full((count, 3), np.nan)
    half = 0.5 * np.stack([width, length], axis=1)
    everyone = np.arange(count)
    walkers, ways = crowd._people.walkers, crowd._ways.rows
    jumps, durations = walkers["jump"], walkers["profile"]["duration"]
    for _ in range(round(FPS * seconds)):
        before, speed, run, step = (
            crowd.positions,
            crowd.speeds,
            crowd.gaits,
            0.5 * crowd.speeds / np.maximum(crowd.frequencies, 1e-9),
        )
        duration = durations.copy()
        coming = jumps["state"] == COMING
        if not replanned:
            ways["look"][coming] = 1e9
        if not placed:
            jumps["before"]["leg"][coming] = -1
        obstacles.advance(1.0 / FPS)
        centre += velocity / FPS
        crowd.step(1.0 / FPS)
        now = (ways["state"] != NEUTRAL) & ~noticed
        ahead = centre[:, 1] - depth - before[:, 2]
        bed.ruled = np.where(now, rule(length, ahead, speed, run, step, crowd._ways.laws), bed.ruled)
        bed.stepped |= ways["state"] == STEPPING_OVER
        noticed |= now
        bed.replans += coming & (durations != duration) & (duration > 0.0)
        changes = np.abs(crowd.speeds - speed) * FPS
        bed.acceleration = np.where(coming, np.maximum(bed.acceleration, changes), bed.acceleration)
        under_way = jumps["state"] == UNDER_WAY
        starts = under_way & ~bed.jumped
        bed.jumped |= starts
        bed.leg[starts], bed.run[starts] = jumps["leg"][starts], crowd.gaits[starts]
        bed.asked[starts] = jumps["length"][starts] * SIZE

        points, planted = soles(crowd), crowd.planted
        from_centre = points - np.insert(centre, 1, 0.0, axis=1)[:, None, None]
        local = np.abs(rot.rotate(rot.from_yaw(-yaw)[:, None, None], from_centre))
        deep = np.minimum(half[:, 0, None, None] - local[..., 0], half[:, 1, None, None] - local[..., 2])
        low = np.minimum(deep, height[:, None, None] - points[..., 1])
        bed.inside = np.maximum(bed.inside, np.where(planted, deep, 0.0).max(axis=(1, 2)))
        bed.under = np.maximum(bed.under, low.max(axis=(1, 2)))
        leg = np.where(bed.jumped, np.maximum(bed.leg, 0.0), 0.0).astype(int)
        took = bed.jumped & np.isnan(bed.error) & planted[everyone, leg, 2]
        gap = gap_ahead(points[everyone, leg, 2], centre, half, yaw) - FRONT
        bed.error[took] = gap[took]
        take_off_ball[took] = crowd.footholds[everyone, leg][took]
        other = 1 - leg
        stays = under_way & (jumps["time"] <= jumps["support"]) & planted[everyone, leg, 2]
        bed.error = np.where(stays & (gap < bed.error), gap, bed.error)
        flown = jumps["time"] > jumps["support"]
        lands = bed.jumped & np.isnan(bed.landed) & flown & planted[everyone, other].any(axis=1)
        holds = crowd.footholds[everyone, other]
        heel = holds[:, 2] - SIZE * (HEEL_BEHIND_ANKLE + BALL_AHEAD_OF_ANKLE)
        bed.landed[lands] = (heel - centre[:, 1] - 0.5 * length)[lands]
        bed.jump[lands] = np.hypot(*(holds - take_off_ball)[lands][:, [0, 2]].T)

        offset = crowd.positions[:, [0, 2]] - centre
        s, c = np.sin(-yaw), np.cos(-yaw)
        x, z = c * offset[:, 0] + s * offset[:, 1], c * offset[:, 1] - s * offset[:, 0]
        gap = np.hypot(np.maximum(np.abs(x) - half[:, 0], 0.0), np.maximum(np.abs(z) - half[:, 1], 0.0))
        over = bed.jumped | bed.stepped | coming | under_way
        bed.clearance = np.where(over, bed.clearance, np.minimum(bed.clearance, gap))
        bed.slowest = np.where(over, bed.slowest, np.minimum(bed.slowest, crowd.speeds / first))
        if np.all(noticed & (ways["state"] == NEUTRAL)):
            break
    bed.passed = crowd.positions[:, 2] > centre[:, 1] + depth
    bed.aside = np.abs(crowd.positions[:, 0] - lines)
    bed.restored = np.abs(crowd.speeds - first)
    return bed


def joined(beds: list[Bed]) -> Bed:
    return Bed(*(np.concatenate([vars(bed)[name] for bed in beds]) for name in vars(beds[0])))
