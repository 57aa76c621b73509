"""Laws that hold whatever a crowd is told: the phase never goes back, nothing jumps, a style stays itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.human._crowd import Crowd
from tests.human.toy import STYLES, toy_model

FRAME = 1.0 / 60.0
MOST_TURN = 0.35  # rad that a joint may turn in a frame: little more than the knee of a steady run, 1030 degrees/s
MOST_ROOT = 0.03  # hip heights that the pelvis may move in a frame against the steady travel

command = st.fixed_dictionaries(
    {},
    optional={
        "speed": st.floats(-2.0, 12.0),
        "turn_rate": st.floats(-5.0, 5.0),
        "gait": st.one_of(st.sampled_from(["auto", "walk", "run"]), st.floats(-1.0, 2.0)),
        "leg_length": st.floats(0.1, 2.0),
        "style": st.sampled_from(STYLES),
        "within": st.floats(0.0, 2.0),
    },
)


@pytest.mark.feature("PCA-034")
@given(st.lists(st.tuples(command, st.floats(0.0, 0.3)), min_size=1, max_size=12))
@settings(max_examples=100)
def test_the_phase_never_goes_back(drive):
    crowd = Crowd(toy_model(), 2, speed=[0.0, 1.5])
    before = crowd.cycles
    for asked, dt in drive:
        crowd.command(**asked)
        for _ in range(5):
            crowd.step(dt)
            assert np.all(crowd.cycles >= before)
            assert np.all(np.isfinite(crowd.poses.joint_positions()))
            before = crowd.cycles


@pytest.mark.feature("PCA-038")
@pytest.mark.parametrize("phase", np.arange(0.0, 1.0, 0.2))
def test_walk_to_run_and_back_without_a_seam(phase):
    crowd = Crowd(toy_model(), 3, speed=1.5, style=np.eye(3), phases=phase, feet=False)
    watch = _Watch(crowd)
    for target in (3.5, 1.2, 3.0, 2.1, 1.0):
        crowd.command(speed=target)
        for _ in range(150):
            watch.step(FRAME)
    for gait in ("run", "walk", "run", "walk"):  # forced, at one speed
        crowd.command(gait=gait, speed=2.0)
        for _ in range(40):
            watch.step(FRAME)
    assert watch.backwards == 0


@pytest.mark.feature("PCA-039")
def test_a_style_stays_itself_at_every_speed_and_gait():
    """The cycle that is played is nearest to that of its own style, of all at the same speed and gait."""
    model = toy_model()
    for k, name in enumerate(STYLES):
        crowd = Crowd(model, 1, speed=0.8, style="plain")
        crowd.command(style=name, within=0.5)
        crowd.command(speed=4.0, within=6.0)
        for _ in range(8):
            for _ in range(45):
                crowd.step(FRAME)
            like, run = crowd.speeds[0] * np.sqrt(0.925), crowd.gaits[0]
            played = crowd.unit()
            off = [np.linalg.norm(played - model.unit(like, run, model.weights(other))) for other in STYLES]
            assert np.argmin(off) == k


def test_ten_minutes_of_all_knobs_without_a_jump():
    """All knobs, in their range and far out of it, at random moments."""
    random = np.random.default_rng(12)
    crowd = Crowd(toy_model(), 6, seed=2, speed=1.0, feet=False)
    watch = _Watch(crowd)
    for _ in range(600):
        who = random.random(6) < 0.5
        asked = {
            "speed": random.choice([0.0, random.uniform(0.0, 5.0), -3.0, 1e6]),
            "gait": random.choice(np.array(["auto", "auto", "walk", "run"])).item(),
            "style": random.random(3) + 0.01,
            "leg_length": random.uniform(0.2, 1.6),
            "turn_rate": random.choice([0.0, random.normal(), -1e5]),
        }
        kept = random.random(5) < 0.3
        crowd.command(**{name: value for (name, value), keep in zip(asked.items(), kept, strict=True) if keep}, who=who)
        if random.random() < 0.2:
            crowd.command(heading=random.uniform(-10.0, 10.0), who=who)
        for _ in range(60):
            watch.step(FRAME)
    assert watch.backwards == 0


class _Watch:
    """Steps a crowd and checks every frame against the one before."""

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self.backwards = 0
        self._look()

    def _look(self) -> None:
        self.turns = self.crowd.poses.rotations.copy()
        hips = self.crowd.leg_lengths[:, None] / 0.925
        self.roots = (self.crowd.poses.root_positions - self.crowd.positions) / hips
        self.cycles = self.crowd.cycles

    def step(self, dt: float) -> None:
        turns, roots, cycles = self.turns, self.roots, self.cycles
        self.crowd.step(dt)
        self._look()
        assert np.all(np.isfinite(self.crowd.poses.joint_positions()))
        # Small bodies step more often: their time runs faster with the root of their size.
        quick = np.sqrt(np.maximum(1.0, 0.9 / self.crowd.leg_lengths))[:, None]
        assert np.max(rot.distance(turns, self.turns) / quick) < MOST_TURN
        assert np.max(np.abs(self.roots - roots)) < MOST_ROOT
        self.backwards += int(np.sum(self.cycles < cycles))
