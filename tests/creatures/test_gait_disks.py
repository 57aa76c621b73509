"""The needle and the disks: events as drawn, swings never altered, every transition reaches its end."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from locomote.creatures._gaits import BOUNCES, Gait, GaitSet
from locomote.creatures._kernels.gait_disks import StepTimes, start_all, turn_all
from locomote.creatures._kernels.gait_sectors import natural_gait
from locomote.creatures._kernels.model import LIVES
from locomote.creatures._kernels.state import DISKS, LIVE, SWING, GaitState
from locomote.creatures.catalogue import _gait_presets as gait_presets
from locomote.math.records import zeros

DT = 1.0 / 60.0
FINE = 0.016  # of a period: the needle misses no sector of any gait
UNIT = 0.24  # s, of a dog


class Walker:
    """One character's disks."""

    def __init__(self, gaits: GaitSet, gait: int = 0, speed: float = 0.5, needle: float = 0.0) -> None:
        self.arrays, self.speed = gaits.arrays, speed
        feet, swings = self.arrays.sectors.shape[2:4]
        self.rows = zeros(GaitState, 1)
        self.disks = np.zeros((1, DISKS, feet, swings, 2))
        self.swinging = np.zeros((1, feet), dtype=np.int64)
        self.times = StepTimes(np.zeros((1, feet)), np.zeros((1, feet)))
        unit = np.array([UNIT])
        start_all(np.array([needle]), gait, np.array([speed]), unit, self.rows, self.disks, self.arrays)

    @property
    def row(self) -> GaitState:
        return self.rows[0]

    @property
    def lives(self) -> list[float]:
        return list(self.row.life.item())

    @property
    def live(self) -> np.ndarray:
        return self.disks[0, LIVE]

    def step(self, dt: float = DT, moving: bool = True) -> np.ndarray:
        state = self.rows, self.disks, self.swinging, self.times, self.arrays
        turn_all(dt, np.array([self.speed]), UNIT, moving, *state)
        return self.swinging[0].copy()


def in_sector(needle: float, sectors: np.ndarray) -> bool:
    return any((needle - s) % 1.0 < d for s, d in sectors)


def random_gait(rng: np.random.Generator, feet: int, swings: int, name: str) -> Gait:
    """Any gait at all, also one that no creature could walk in."""
    durations = np.zeros((1, feet, swings))
    starts = np.zeros((1, feet, swings))
    for foot in range(feet):
        count = int(rng.integers(1, swings + 1))
        ends = np.sort(rng.uniform(size=2 * count))
        ends += np.arange(2 * count) * 0.05  # swings and stances of at least a twentieth of a cycle
        ends /= 1.0 + 2 * count * 0.05
        shift = rng.uniform()
        starts[0, foot, :count] = (ends[0::2] + shift) % 1.0
        durations[0, foot, :count] = ends[1::2] - ends[0::2]
    names = tuple(f"F{i}" for i in range(feet))
    return Gait(name, names, np.zeros(1), np.array([rng.uniform(1.5, 5.0)]), starts, durations, np.array([0.1]))


@pytest.mark.feature("LEG-13")
@pytest.mark.parametrize("speed", [0.1, 0.5, 0.8])
def test_swings_begin_and_end_where_the_sectors_do(speed: float) -> None:
    walker = Walker(GaitSet((gait_presets.walk(),)), speed=speed, needle=0.9)
    step = DT / (walker.row.period)
    before = walker.step()
    lifted = landed = 0
    for i in range(400):
        now = walker.step()
        for foot in range(4):
            start, duration = walker.live[foot, 0]
            needle = walker.row.needle
            if now[foot] > before[foot]:
                assert (needle - start) % 1.0 <= step + 1e-9
                lifted += 1
            if now[foot] < before[foot]:
                assert (needle - start - duration) % 1.0 <= step + 1e-9
                landed += 1
            assert now[foot] == in_sector(needle, walker.live[foot]) or i < 60
        before = now
    turns = 400 * step
    assert abs(lifted - 4 * turns) <= 4
    assert abs(landed - 4 * turns) <= 4


@pytest.mark.feature("LEG-14")
def test_a_foot_with_two_sectors_swings_twice_in_a_cycle() -> None:
    starts = np.array([[[0.1, 0.6], [0.35, 0.85]]])
    durations = np.full((1, 2, 2), 0.2)
    gait = Gait("skip", ("L1", "R1"), np.zeros(1), np.array([4.0]), starts, durations, np.array([0.1]))
    walker = Walker(GaitSet((gait,)))
    seen = np.array([walker.step() for _ in range(round(10 * 4.0 * UNIT / DT))])
    assert np.all(np.abs((np.diff(seen, axis=0) == 1).sum(axis=0) - 20) <= 1)


@pytest.mark.feature("LEG-15")
def test_between_any_two_gaits_no_running_swing_is_altered_and_the_new_disks_are_reached() -> None:
    rng = np.random.default_rng(3)
    for _ in range(1000):
        feet, swings = int(rng.integers(2, 9)), int(rng.integers(1, 4))
        gaits = GaitSet(tuple(random_gait(rng, feet, swings, name) for name in "ab"))
        dt = FINE * UNIT * float(gaits.arrays.periods.min())
        walker = Walker(gaits, needle=rng.uniform())
        walker.row.transition = rng.uniform(0.05, 0.8)
        for _ in range(int(rng.integers(5, 80))):
            before = walker.step(dt)
        walker.row.wanted = 1
        turned = 0.0
        was, disks, needle = before, walker.live.copy(), walker.row.needle
        time, cycle = 0.0, 0.0
        while time <= walker.row.transition + cycle + 2.0 * dt:  # the time asked for and one cycle, no more
            now = walker.step(dt)
            time, cycle = time + dt, max(cycle, walker.row.period)
            turned = (walker.row.needle - needle) % 1.0
            for foot in range(feet):
                if was[foot] == SWING and now[foot] == SWING:
                    assert np.array_equal(walker.live[foot], disks[foot])
                if was[foot] > now[foot]:  # it landed where the sector it began with ends
                    ends = disks[foot, :, 0] + disks[foot, :, 1]
                    late = (walker.row.needle - ends[disks[foot, :, 1] > 0.0]) % 1.0
                    assert late.min() <= turned + 1e-9
            was, disks, needle = now, walker.live.copy(), walker.row.needle
        reached = gaits.arrays.sectors[1, 0]
        assert np.array_equal(walker.live[..., 1], reached[..., 1])
        there = reached[..., 1] > 0.0
        assert np.allclose(walker.live[..., 0][there], reached[..., 0][there] % 1.0)


def test_some_foot_is_always_down_unless_a_gait_flies() -> None:
    rng = np.random.default_rng(5)
    gaits = gait_presets.natural_gaits([1, -1, 1, -1], [1, 1, 2, 2])
    steady = [gaits.index(name) for name in ("back", "walk", "pace", "turn", "wave")]
    walker = Walker(gaits, gait=1)
    flew = False
    for i in range(4000):
        if i % 37 == 0:
            walker.row.wanted = rng.choice(steady)
            walker.speed = rng.uniform(0.0, 0.9)
        assert not np.all(walker.step() == SWING)
    for i in range(4000):
        if i % 37 == 0:
            walker.row.wanted = rng.integers(len(gaits))
        flew = flew or bool(np.all(walker.step() == SWING))
    assert flew


def test_times_left_come_true() -> None:
    walker = Walker(gait_presets.natural_gaits([1, -1] * 3, [1, 1, 2, 2, 3, 3]), speed=0.4)
    for _ in range(100):
        walker.step()
    for _ in range(5):
        now, left = walker.swinging[0].copy(), walker.times.left[0].copy()
        stance = walker.times.stance[0].copy()
        changed = np.full(6, np.nan)
        again = np.full(6, np.nan)
        for i in range(1, 200):
            seen = walker.step()
            changed = np.where(np.isnan(changed) & (seen != now), i * DT, changed)
            landed = ~np.isnan(changed) & (now == SWING) & (seen == SWING)
            again = np.where(np.isnan(again) & landed, i * DT, again)
        assert np.all(np.abs(changed - left) <= DT + 1e-9)
        swung = now == SWING
        assert np.all(np.abs(again - left - stance)[swung] <= 2.0 * DT)


def test_a_standing_creature_lifts_nothing_and_sets_off_at_once() -> None:
    walker = Walker(gait_presets.natural_gaits([1, -1] * 4, [1, 1, 2, 2, 3, 3, 4, 4]))
    for _ in range(40):
        before = walker.step()
    lifted = 0
    for _ in range(120):
        now = walker.step(moving=False)
        lifted += int((now > before).sum())
        before = now
    assert lifted == 0
    assert not now.any()
    assert not walker.row.running
    needle = walker.row.needle
    walker.step(moving=False)
    assert walker.row.needle == needle
    assert walker.step().any()


def test_gaits_follow_the_speed_and_do_not_change_to_and_fro() -> None:
    gaits = gait_presets.natural_gaits([1, -1, 1, -1], [1, 1, 2, 2])
    names = []
    gait = gaits.index("walk")
    for speed in [-0.3, 0.0, 0.3, 0.8, 0.9, 0.75, 0.9, 1.12, 1.2, 1.05, 0.9, 0.6, -0.02, -0.1]:
        gait = natural_gait(speed, gait, gaits.arrays)
        names.append(gaits.gaits[gait].name)
    assert " ".join(names) == ("back back walk walk trot trot trot trot gallop gallop trot walk walk back")


def test_coarse_steps_miss_no_swing() -> None:
    gait = Gait.at_one_speed("quick", ("L1", "R1"), [0.0, 0.5], 0.9, period=0.5)
    walker = Walker(GaitSet((gait,)))
    seen = np.array([walker.step(dt=1.0 / 15.0) for _ in range(100)])
    assert walker.row.period >= 4.0 / 15.0
    assert np.all((np.diff(seen, axis=0) == 1).sum(axis=0) >= 24)


def test_from_a_gallop_to_a_halt_every_swing_takes_its_usual_time() -> None:
    gaits = gait_presets.natural_gaits([1, -1, 1, -1], [1, 1, 2, 2])
    walker = Walker(gaits, gait=1, speed=0.0)
    seen = []
    for i in range(720):
        time = i * DT
        walker.speed = min(2.4, 0.4 * time) if time < 7.0 else max(0.0, 2.4 - 1.2 * (time - 7.0))
        walker.row.wanted = natural_gait(walker.speed, walker.row.wanted, walker.arrays)
        seen.append(walker.step(moving=walker.speed > 0.0))
    swings = []
    for foot in np.array(seen).T:
        changes = np.flatnonzero(np.diff(foot))
        swings += [b - a for a, b in pairwise(changes) if foot[a + 1] == SWING]
    assert not seen[-1].any()
    assert len(swings) > 60
    assert min(swings) * DT >= 0.22  # a dog's swings last 0.23 to 0.33 s in all gaits
    assert max(swings) * DT <= 0.40


def test_what_a_gait_does_to_the_body_fades_over_the_transition() -> None:
    calm, wild = gait_presets.walk(), replace(gait_presets.trot(), lives=np.full((5, LIVES), 2.0))
    gaits = GaitSet((calm, wild), ((-1.0, 1.0), (0.5, 2.0)))
    walker = Walker(gaits, speed=0.7)
    walker.step()
    assert np.allclose(walker.lives, calm.lives[0] * np.array([BOUNCES[0], *np.ones(LIVES - 1)]))
    walker.row.wanted, walker.row.transition = 1, 0.5
    seen = []
    for _ in range(40):
        walker.step()
        seen.append(walker.lives)
    steps = np.abs(np.diff(seen, axis=0)) / np.maximum(np.abs(np.array(seen[-1]) - calm.lives[0]), 1.0)
    assert steps.max() < 0.06
    assert np.allclose(seen[-1], [2.0 * BOUNCES[1], *np.full(LIVES - 1, 2.0)])
