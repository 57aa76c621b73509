"""Scenes of people who jump and stop, played and measured: run-ups, footprints, styles, lines, stairs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from _bed import APART, FPS, LEG, soles
from locomote.draw import Series
from locomote.draw import _palette as palette
from locomote.draw._canvas import Canvas
from locomote.draw._footprints import Prints, draw_prints, print_scale
from locomote.draw._plots import Band, draw_plot
from locomote.human import Crowd, HumanModel
from locomote.human._kernels.state import UNDER_WAY
from locomote.human.jumps._kernels.jump_over import FRONT
from locomote.world import Ground, Obstacles
from locomote_lab.human.foot_record import BALL, HEEL, TIP, FootRecord, record_feet

FAR_JUMP = 2.0  # m from ball to ball: out of a run only
WALK = 1.1  # m/s
ROUNDS = (
    (2.0, 1.0, 1.0),
    (3.0, 2.6, 6.0),
    (5.0, 2.0, 3.0),
    (10.0, 2.6, 6.0),
    (2.0, 2.6, 6.0),
)  # m, see `Round`
ROUND_SPEED, ROUND_SHOWN = 1.2, 24.0  # m/s; m of the way in the picture
SLOW = 0.9  # m/s
PUDDLE, PUDDLE_AHEAD = 1.5, 9.0  # m long, m ahead when it appears: too long for a walk
SHOWN = 7.0  # m before and after the puddle in the picture
KINDS = {  # range of lengths from ball to ball, m, and of speeds, m/s; both for a leg of 0.9 m
    "standing": ((0.3, 1.6), (0.0, 0.0)),
    "walking": ((0.6, 1.4), (0.9, 1.6)),
    "running": ((0.9, 2.2), (1.8, 3.0)),
}
FEET = ("left", "right")
RISE, TREAD = 0.17, 0.29  # m
BEFORE_RISER = 0.08  # m from it to the line; people themselves keep their toes some 5 cm off a riser


def jumping(crowd: Crowd) -> np.ndarray:
    return crowd._people.walkers["jump"]


def lines_of(model: HumanModel, count: int, seed: int = 0, **knobs: object) -> Crowd:
    """Walkers far apart, each on its line along +Z, a second after their start."""
    places = np.stack([APART * np.arange(count), np.zeros(count), np.zeros(count)], axis=1)
    crowd = Crowd(model, count, seed=seed, leg_length=LEG, positions=places, **knobs)  # type: ignore[arg-type]
    for _ in range(FPS):
        crowd.step(1.0 / FPS)
    return crowd


# O3 -----------------------------------------------------------------------------------------------------------------


@dataclass
class RunUps:
    """Walkers who are told a running jump; one number each, metres and m/s."""

    walk_speed: np.ndarray
    walk_step: np.ndarray  # from ball to ball
    speed: np.ndarray  # of the last step before take-off
    step: np.ndarray  # the last one, from ball to ball
    flight_speed: np.ndarray
    jump: np.ndarray  # from ball to ball


def plants(record: FootRecord, who: int) -> np.ndarray:
    """Frame, foot and z of all places where a ball came to stand, in their order ``(P, 3)``."""
    found = []
    for leg in range(2):
        down = record.planted[:, who, leg, BALL]
        frames = np.flatnonzero(down[1:] & ~down[:-1]) + 1
        found += [(f, leg, record.points[f, who, leg, BALL, 2]) for f in frames]
    return np.array(sorted(found))


def run_ups(model: HumanModel, count: int, policy: str) -> RunUps:
    """A running jump out of a walk: "exact" with a run-up, "now" from the next step, as far as that goes."""
    crowd = lines_of(model, count, speed=WALK, gait=0.0)
    seen = []

    def ask(crowd: Crowd, time: float) -> None:
        seen.append(jumping(crowd).copy())
        if abs(time - 2.0) < 0.5 / FPS:
            crowd.jump(FAR_JUMP, policy=policy)

    record = record_feet(crowd, 11.0, ask, FPS)
    jumps = np.array(seen)
    out = RunUps(*(np.full(count, np.nan) for _ in range(6)))
    for n in range(count):
        under_way = jumps["state"][:, n] == UNDER_WAY
        flown = (jumps["time"][:, n] - jumps["support"][:, n]) / np.maximum(jumps["flight"][:, n], 1e-9)
        air = np.flatnonzero(under_way & (flown >= 0.0) & (flown <= 1.0))
        if len(air) == 0:
            continue
        steps = plants(record, n)
        z = record.joints[:, n, 0, 2]
        before, after = steps[steps[:, 0] <= air[0]], steps[steps[:, 0] >= air[-1]]
        walk = steps[steps[:, 0] < 2.0 * FPS]
        frames = walk[[0, -1], 0].astype(int)
        out.walk_speed[n] = (z[frames[1]] - z[frames[0]]) * FPS / np.ptp(frames)
        out.walk_step[n] = np.ptp(walk[[0, -1], 2]) / (len(walk) - 1)
        frames = before[[-2, -1], 0].astype(int)
        out.speed[n] = (z[frames[1]] - z[frames[0]]) * FPS / np.ptp(frames)
        out.step[n] = before[-1, 2] - before[-2, 2]
        out.flight_speed[n] = (z[air[-1]] - z[air[0]]) * FPS / (air[-1] - air[0])
        out.jump[n] = after[0, 2] - before[-1, 2]
    return out


# O4 -----------------------------------------------------------------------------------------------------------------


@dataclass
class Round:
    """One walker round one puddle: the way seen from its line, metres, and the speed over the time."""

    case: tuple[float, float, float]  # how far ahead the puddle appears, its length and its width
    aside: np.ndarray
    ahead: np.ndarray
    speeds: np.ndarray

    @property
    def clearance(self) -> float:
        """From the body's middle to the puddle, at least."""
        distance, length, width = self.case
        beside = np.maximum(np.abs(self.aside) - 0.5 * width, 0.0)
        before = np.maximum(np.abs(self.ahead - distance - 0.5 * length) - 0.5 * length, 0.0)
        return float(np.hypot(beside, before).min())


def rounds(model: HumanModel) -> list[Round]:
    obstacles = Obstacles()
    count = len(ROUNDS)
    crowd = lines_of(model, count, speed=ROUND_SPEED, gait=0.0, obstacles=obstacles)
    crowd.allow(jumping=False)
    start = crowd.positions
    for place, (distance, length, width) in zip(start, ROUNDS, strict=True):
        obstacles.add_puddle((place[0], place[2] + distance + 0.5 * length), length, width)
    ways, speeds = [], []
    for _ in range(24 * FPS):
        crowd.step(1.0 / FPS)
        ways.append((crowd.positions - start)[:, [0, 2]])
        speeds.append(crowd.speeds)
    way, speed = np.array(ways), np.array(speeds)
    return [Round(case, way[:, n, 0], way[:, n, 1], speed[:, n]) for n, case in enumerate(ROUNDS)]


def draw_rounds(found: list[Round], path: Path) -> None:
    """Ways from above with the puddles, and speeds along them."""
    canvas = Canvas(1300, 640)
    canvas.text(20, 14, f"Round puddles that may not be jumped, {ROUND_SPEED:g} m/s", 18)
    lines, boxes, speeds = [], [], []
    for k, each in enumerate(found):
        distance, length, width = each.case
        colour = palette.SERIES[k]
        label = f"{distance:g} m ahead, {length:g} m long, {width:g} m wide"
        seen = each.ahead <= ROUND_SHOWN
        lines.append(Series(each.ahead[seen], each.aside[seen], label, colour))
        near, far = distance, distance + length
        half = 0.5 * width
        boxes.append(Series([near, far, far, near, near], [-half, -half, half, half, -half], "", colour, True))
        speeds.append(Series(each.ahead[seen], each.speeds[seen], "", colour))
    box = (20.0, 44.0, 1280.0, 430.0)
    draw_plot(
        canvas, box, [*lines, *boxes], x_label="ahead (m)", y_label="aside (m)", x_range=(0.0, ROUND_SHOWN),
        y_range=(-3.5, 5.5),
    )  # fmt: skip
    box = (20.0, 440.0, 1280.0, 630.0)
    draw_plot(
        canvas,
        box,
        speeds,
        x_label="ahead (m)",
        y_label="speed (m/s)",
        x_range=(0.0, ROUND_SHOWN),
        y_range=(0.0, 1.4),
    )
    canvas.finish().save(path)


# O5 -----------------------------------------------------------------------------------------------------------------


@dataclass
class Story:
    """One person from a slow walk to a fast run, over a puddle and back to the slow walk."""

    record: FootRecord
    speeds: np.ndarray  # (F,) m/s
    gaits: np.ndarray  # (F,) share of running
    edge: float  # m along the way, where the puddle begins
    error: float  # m, E of the toes at take-off
    trace: list[str]  # states without repetition


def slow_fast_jump_slow(model: HumanModel) -> Story:
    """Nobody says when to run: the puddle is too long for a walk."""
    obstacles = Obstacles()
    style = dict.fromkeys(model.styles, 1.0)
    crowd = Crowd(model, 1, leg_length=LEG, style=style, speed=SLOW, obstacles=obstacles)
    edge = SLOW * 2.0 + PUDDLE_AHEAD
    speeds, gaits, trace, errors = [], [], [crowd.states[0]], []

    def drive_on(crowd: Crowd, time: float) -> None:
        if abs(time - 2.0) < 0.5 / FPS:
            obstacles.add_puddle((0.0, edge + 0.5 * PUDDLE), PUDDLE, 8.0)
        state, jump = crowd.states[0], jumping(crowd)[0]
        if state != trace[-1]:
            trace.append(state)
        if state == "take-off" and crowd.planted[0, int(jump["leg"]), TIP]:
            errors.append(edge - FRONT - soles(crowd)[0, int(jump["leg"]), TIP, 2])
        speeds.append(crowd.speeds[0])
        gaits.append(crowd.gaits[0])

    record = record_feet(crowd, 16.0, drive_on, FPS)
    return Story(record, np.array(speeds), np.array(gaits), edge, min(errors, default=np.nan), trace)


def draw_story(story: Story, path: Path) -> None:
    """Footprints from above around the puddle; speed and share of running below them."""
    record, edge = story.record, story.edge
    z = record.joints[:, 0, 0, 2]
    first, last = edge - SHOWN, edge + PUDDLE + SHOWN
    shown = (z >= first) & (z <= last)
    outlines = [("", np.array([(edge, -0.6), (edge + PUDDLE, -0.6), (edge + PUDDLE, 0.6), (edge, 0.6)]))]
    slides = []
    for leg, side in enumerate(FEET):
        flat = record.planted[:, 0, leg].all(axis=-1) & shown
        starts = np.flatnonzero(flat & ~np.roll(flat, 1))
        for start in starts:
            stop = start + int(np.argmin(flat[start:])) if not flat[start:].all() else len(flat)
            heel, tip = (record.points[(start + stop) // 2, 0, leg, k][[2, 0]] for k in (HEEL, TIP))
            along = (tip - heel) / np.linalg.norm(tip - heel)
            aside = 0.045 * np.array([-along[1], along[0]])
            outlines.append((side, np.array([heel - aside, tip - aside, tip + aside, heel + aside])))
            slides.append(record.points[start:stop, 0, leg, BALL][:, [2, 0]])
    body = record.joints[shown, 0, 0][:, [2, 0]]
    prints = Prints(outlines, slides, body, 0.3)
    canvas = Canvas(1500, 460)
    canvas.text(20, 14, f"Slow walk, fast run, a puddle of {PUDDLE} m, slow walk", 18)
    box = (66.0, 44.0, 1480.0, 200.0)
    draw_prints(canvas, box, prints, print_scale(prints, box[2] - box[0], box[3] - box[1] - 20.0))
    along = z[1:]
    draw_plot(
        canvas,
        (20, 210, 1480, 448),
        [Series(along, story.speeds, "speed, m/s"), Series(along, story.gaits, "share of running")],
        bands=[Band(edge, edge + PUDDLE, palette.PATH, "puddle")],
        x_label="way (m)",
        x_range=(0.0, float(along[-1])),
        y_range=(0.0, 3.4),
    )
    canvas.finish().save(path)


# O7 -----------------------------------------------------------------------------------------------------------------


@dataclass
class Slides:
    """What the feet of all kinds of people do while they stand, metres."""

    people: int
    legs: tuple[float, float]
    lengths: tuple[float, float]
    drift: float  # off the place where a point came to stand, at most
    frame: float  # in one frame, at most
    below: float  # below the ground, at most


def slides(model: HumanModel, kind: str, each: int) -> Slides:
    """One jump of every style, ``each`` times, of random lengths and sizes of body."""
    styles = len(model.styles)
    count = each * styles
    r = np.random.default_rng(11)
    legs = r.uniform(0.6, 1.1, count)
    (low, high), speeds = KINDS[kind]
    lengths = r.uniform(low, high, count) * legs / 0.9
    crowd = Crowd(
        model, count, seed=2, leg_length=legs, style=np.eye(styles)[np.arange(count) % styles],
        speed=r.uniform(*speeds, count) * np.sqrt(legs / 0.9), gait=float(kind == "running"),
    )  # fmt: skip

    def ask(crowd: Crowd, time: float) -> None:
        if abs(time - 1.0) < 0.5 / FPS:
            crowd.jump(lengths)

    record = record_feet(crowd, 6.0, ask, FPS)
    planted, points = record.planted, record.points
    begun = points.copy()
    for f in range(1, len(points)):
        begun[f] = np.where((planted[f] & planted[f - 1])[..., None], begun[f - 1], points[f])
    off = np.linalg.norm(points - begun, axis=-1)
    steps = np.linalg.norm(np.diff(points, axis=0), axis=-1)
    return Slides(
        count, (legs.min(), legs.max()), (lengths.min(), lengths.max()), float(off[planted].max()),
        float(steps[planted[1:] & planted[:-1]].max()), float(-record.heights.min()),
    )  # fmt: skip


# O10 ----------------------------------------------------------------------------------------------------------------


def stops(model: HumanModel, count: int) -> dict[str, np.ndarray]:
    """How far the toes of the chosen foot are from a line at which they were to stop, metres."""
    out = {}
    for leg, foot in enumerate(FEET):
        r = np.random.default_rng(20 + leg)
        crowd = lines_of(model, count, seed=leg, speed=r.uniform(0.8, 1.8, count), gait=0.0)
        ahead = r.uniform(2.5, 5.0, count)
        line = crowd.positions[:, 2] + ahead
        told = crowd.reach(ahead, foot=foot)
        for _ in range(15 * FPS):
            crowd.step(1.0 / FPS)
        out[foot] = (line - soles(crowd)[:, leg, TIP, 2])[told]
    return out


def standing_jumps(model: HumanModel, count: int) -> tuple[np.ndarray, int]:
    """E of the toes of both feet ``(K, 2)`` before puddles that are jumped from a stand; and who stood in one."""
    obstacles = Obstacles()
    crowd = lines_of(model, count, seed=3, speed=1.2, gait=0.0, obstacles=obstacles)
    crowd.allow(going_round=False)
    r = np.random.default_rng(23)
    near, deep = crowd.positions[:, 2] + r.uniform(0.9, 1.1, count), r.uniform(0.6, 1.0, count)
    for n in range(count):
        obstacles.add_puddle((APART * n, near[n] + 0.5 * deep[n]), deep[n], 30.0)
    stood, wet = np.full((count, 2), np.nan), np.zeros(count, bool)
    for _ in range(11 * FPS):
        crowd.step(1.0 / FPS)
        points, planted = soles(crowd), crowd.planted
        jumps = jumping(crowd)
        both = (jumps["state"] == UNDER_WAY) & (jumps["leg"] < 0) & np.isnan(stood[:, 0])
        stood[both] = (near[:, None] - FRONT - points[:, :, TIP, 2])[both]
        into = np.minimum(points[..., 2] - near[:, None, None], (near + deep)[:, None, None] - points[..., 2])
        wet |= (planted & (into > 1e-3)).any(axis=(1, 2))
    return stood[~np.isnan(stood[:, 0])], int(wet.sum())


def stairs(model: HumanModel, count: int) -> dict[str, tuple[np.ndarray, float]]:
    """Toes of the chosen foot before the first riser, metres off; and the share whose other foot goes up first."""
    out = {}
    for leg, foot in enumerate(FEET):
        r = np.random.default_rng(30 + leg)
        ground = Ground()
        ahead = r.uniform(3.0, 6.0, count)
        speeds = r.uniform(0.8, 1.2, count)
        places = np.stack([APART * np.arange(count), np.zeros(count), np.zeros(count)], axis=1)
        crowd = Crowd(model, count, seed=leg, leg_length=LEG, positions=places, speed=speeds, gait=0.0, ground=ground)
        for _ in range(FPS):
            crowd.step(1.0 / FPS)
        riser = crowd.positions[:, 2] + ahead
        for n in range(count):
            ground.add_stairs((APART * n, riser[n]), count=4, rise=RISE, tread=TREAD, landing=30.0)
        told = crowd.reach(ahead - BEFORE_RISER, speed=speeds, foot=foot)
        nearest, first = np.full(count, np.inf), np.full(count, -1)
        for _ in range(10 * FPS):
            crowd.step(1.0 / FPS)
            points, down = soles(crowd), crowd.planted
            off = np.where(down[:, leg, TIP], riser - BEFORE_RISER - points[:, leg, TIP, 2], np.inf)
            nearest = np.where(np.abs(off) < np.abs(nearest), off, nearest)
            up = down.any(axis=-1) & (points[:, :, BALL, 1] > 0.5 * RISE)
            first = np.where((first < 0) & up.any(axis=1), up.argmax(axis=1), first)
        out[foot] = nearest[told], float(np.mean(first[told] == 1 - leg))
    return out
