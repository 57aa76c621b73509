"""Stones, creatures and clips of the studio, without a page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote.creatures.catalogue._builtin import NAMES
from locomote.errors import LocomoteError
from locomote.studio._charts import contact_chart, coverage_chart, gait_chart, map_chart
from locomote.studio._clips import Clips
from locomote.studio._creatures import EDITED, StudioCreatures
from locomote.studio._stones import Stones, coverage

DT = 1.0 / 60.0


def go(world: Stones | StudioCreatures, seconds: float) -> None:
    for step in range(round(seconds / DT)):
        world.advance(DT)
        if step % 2:
            world.look_at_feet()


@pytest.fixture(scope="module")
def stones() -> Stones:
    return Stones()


def test_feet_come_down_on_the_stones(stones: Stones) -> None:
    stones.reset()
    go(stones, 6.0)
    assert len(stones.landed) >= 5
    assert max(stones.landed.values()) < 0.005
    assert stones.meter.reading.speed < 2.0  # mm/s


def test_a_stone_that_is_moved_is_stepped_on(stones: Stones) -> None:
    stones.reset()
    go(stones, 1.0)
    stone = (stones.heading_for + 3) % len(stones.places)
    place = stones.places[stone] + np.array([0.12, 0.08])
    stones.move(stone, tuple(place))
    stones.landed.clear()
    go(stones, 5.0)
    assert stones.landed[stone] < 0.005
    assert stones.places[stone] == pytest.approx(place)


def test_a_stone_out_of_reach_stops_the_walk_until_it_comes_back(stones: Stones) -> None:
    stones.reset()
    stone = 8
    home = tuple(stones.places[stone])
    stones.move(stone, (home[0] + 4.0, home[1]))
    go(stones, 7.0)
    assert f"stone {stone + 1}" in stones.problem
    stones.move(stone, home)
    go(stones, 3.0)
    assert not stones.problem
    for wrong in ((stone, (np.inf, 0.0)), (99, (0.0, 0.0))):
        with pytest.raises(LocomoteError):
            stones.move(*wrong)


@pytest.mark.parametrize("name", NAMES)
def test_every_creature_is_shown_and_its_feet_stand(name: str) -> None:
    creatures = StudioCreatures(name)
    go(creatures, 1.0)
    assert creatures.look.pieces
    assert np.all(np.isfinite(creatures.frame.positions))
    assert creatures.meter.reading.speed < 1.0  # mm/s


def test_gaits_are_edited_live() -> None:
    creatures = StudioCreatures("wolf")
    feet = len(creatures.creature.morphology.legs)
    creatures.edit_gait(np.array([0.0, 0.5, 0.5, 0.0]), 0.5, 0.6, 0.1)  # a trot
    go(creatures, 2.0)
    assert creatures.crowd.gaits[0] == EDITED
    assert creatures.crowd.periods[0] == pytest.approx(0.6, abs=0.05)
    assert creatures.gait.duty()[0] == pytest.approx(np.full(feet, 0.5))
    with pytest.raises(LocomoteError, match="phases"):
        creatures.edit_gait(np.zeros(3), 0.5, 0.6, 0.1)
    before = creatures.crowd.spacing.copy()
    creatures.space_feet(1.2, 1.0)
    assert np.abs(creatures.crowd.spacing[0, :, 0]) == pytest.approx(1.2 * np.abs(before[0, :, 0]))


def test_ground_is_raised_and_crates_fall_to_rest() -> None:
    creatures = StudioCreatures("ant")
    creatures.raise_ground((0.0, 2.0), 0.2)
    assert float(creatures.ground.heights((0.0, 2.0))) == pytest.approx(0.2, abs=0.02)
    crate = creatures.throw((1.0, 1.0))
    assert creatures.air.lift(crate) > 1.0
    assert len(creatures.obstacles) == 0
    go(creatures, 1.0)
    assert len(creatures.obstacles) == 1
    assert len(creatures.air) == 0
    assert creatures.obstacles.inside((1.0, 1.0))
    heights, classes, feet = creatures.window()
    assert map_chart(heights, classes, feet).ndim == 3
    creatures.clear()
    go(creatures, 0.5)


def test_rigs_are_opened_by_what_they_are(tmp_path: Path) -> None:
    path = tmp_path / "creature.glb"
    lm.save(lm.creatures.Crowd("lizard", 1, speed=0.3).record(0.1), path)
    creatures = StudioCreatures("ant")
    creatures.open_rig("../../anything.glb", path.read_bytes())
    assert len(creatures.creature.morphology.legs) == 4
    go(creatures, 0.5)
    for name, content in (("x.glb", b"junk"), ("x.exe", path.read_bytes()), ("x", b"")):
        with pytest.raises(LocomoteError):
            creatures.open_rig(name, content)
    assert len(creatures.creature.morphology.legs) == 4


def test_clips_are_opened_cleaned_and_put_on_another_body(tmp_path: Path) -> None:
    clips = Clips()
    with pytest.raises(LocomoteError, match="open one first"):
        clips.clean()
    clips.sample()
    clips.clean()
    first, second = clips.slots
    assert first is not None
    assert second is not None
    assert second.measures.drift_p95 < first.measures.drift_p95
    assert "drift p95" in clips.table()
    clips.seek(1.0)
    frame = clips.frame(1)
    assert frame is not None
    assert np.all(np.isfinite(frame.positions))
    small = tmp_path / "small.bvh"
    lm.save(lm.samples.performer(speed=1.0).motion.scaled(0.7), small)
    clips.open(1, "small.bvh", small.read_bytes())
    clips.retarget()
    assert clips.slots[1] is not None
    assert "on" in clips.slots[1].motion.name
    for name, content in (
        ("a.bvh", b"HIERARCHY junk"),
        ("a.glb", b"\0" * 100),
        ("a.txt", b"x"),
        ("a.npz", b"PK"),
    ):
        with pytest.raises(LocomoteError):
            clips.open(0, name, content)
    assert clips.slots[0] is first


def test_clips_show_the_forces_under_their_feet() -> None:
    clips = Clips()
    assert all(len(part) == 0 for part in clips.arrows())
    clips.sample()
    clips.clean()
    clips.seek(1.0)
    places, vectors, warned = clips.arrows()
    assert places.shape == vectors.shape == (4, 3)
    assert np.ptp(places[:, 0]) > 1.0  # two clips stand apart
    for slot in range(2):  # each carries a body: 0.8 m of arrow is one weight
        assert 0.4 < vectors[2 * slot : 2 * slot + 2, 1].sum() < 1.3
    assert np.all((warned >= 0.0) & (warned <= 1.0))


def test_charts_are_pictures() -> None:
    landings = coverage()
    assert np.abs(landings).max() < 2.0
    assert coverage_chart(landings, landings[0]).shape == (330, 520, 3)
    creatures = StudioCreatures("centipede")
    assert gait_chart(creatures.gait, creatures.knot, 0.3).shape[1] == 520
    clips = Clips()
    clips.sample()
    assert clips.slots[0] is not None
    assert contact_chart(clips.slots[0].contacts, 0.5, "walk").shape[1] == 520
