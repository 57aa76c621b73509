"""What is seen of a crowd: slip, penetration and crossing legs are found where they are, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.creatures import Crowd
from locomote.creatures._metrics import Watch, crossings
from locomote.creatures._recording import record_all, record_together
from locomote.world import Obstacles

DT = 1.0 / 60.0


def test_a_walk_on_level_ground_has_nothing_to_complain_of() -> None:
    crowd = Crowd("spider", 2)
    crowd.command(speed=0.5)
    watch = Watch(crowd)
    for _ in range(90):
        crowd.step(DT)
        watch.look(DT)
    seen = watch.figures()
    assert (seen.creatures, seen.legs, seen.frames) == (2, 8, 90)
    assert seen.seconds == pytest.approx(1.5)
    assert seen.plans == crowd.counts["plans"] > 8
    assert max(seen.stance_slip, seen.penetration, seen.tip_error) < 0.01
    assert seen.crossings == seen.blocked == 0
    assert seen.replans < seen.plans
    assert 0.9 < seen.score <= 1.0
    assert seen.as_dict()["couples_a_plan"] == seen.couples / seen.plans


def test_a_shove_is_seen_as_slip() -> None:
    crowd = Crowd("ant", 1)
    watch = Watch(crowd)
    crowd.step(DT)
    crowd.poses.root_positions[0, 0] += 0.007
    watch.look(DT)
    assert watch.figures().stance_slip == pytest.approx(7.0, abs=0.01)


def test_feet_that_are_carried_do_not_slip() -> None:
    obstacles = Obstacles()
    obstacles.add_box((0.0, 0.0), (4.0, 4.0), 0.1, velocity=(0.1, 0.05), turn_rate=0.1, safe=True)
    crowd = Crowd("ant", 1, obstacles=obstacles)
    watch = Watch(crowd)
    for _ in range(30):
        obstacles.advance(DT)
        crowd.step(DT)
        watch.look(DT)
    assert watch.figures().stance_slip < 0.01
    assert watch.figures().overrun_share == 0.0


@pytest.mark.parametrize("moves", [False, True])
def test_a_crate_that_drops_on_a_foot_is_seen(moves: bool) -> None:
    obstacles = Obstacles()
    crowd = Crowd("ant", 1, obstacles=obstacles)
    watch = Watch(crowd)
    x, _, z = crowd.feet[0, 0]
    obstacles.add_box((x, z), (0.1, 0.1), 0.03, velocity=(0.01, 0.0) if moves else (0.0, 0.0))
    crowd.maps.update()
    watch.look(DT)
    seen = watch.figures()
    assert (seen.penetration, seen.overrun) == pytest.approx((0.0, 30.0) if moves else (30.0, 0.0), abs=1e-6)
    assert seen.overrun_share == pytest.approx(1 / 6 if moves else 0.0)


def test_crossing_legs_are_counted_by_pairs() -> None:
    hips = np.array([[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]])
    feet = np.array([[[1.0, 1.0], [0.0, 1.0], [2.0, 1.0]]])
    assert crossings(hips, feet, np.array([[True, True, True]])) == 1
    assert crossings(hips, feet, np.array([[True, False, True]])) == 0


def test_crowds_that_share_a_world_are_recorded_in_the_same_time() -> None:
    obstacles = Obstacles()
    crate = obstacles.add_box((3.0, 0.0), (0.3, 0.3), 0.2, velocity=(0.3, 0.0))
    crowds = [Crowd(name, 2, obstacles=obstacles, positions=[(0, 0), (0, 3)]) for name in ("ant", "lizard")]
    times: list[float] = []
    motions = record_together(crowds, 0.5, 30.0, times.append)
    assert obstacles.outline(crate)[:, 0].mean() == pytest.approx(3.15)
    assert times == pytest.approx(np.arange(1, 16) / 30.0)
    assert [[motion.name for motion in part] for part in motions] == [["ant"] * 2, ["lizard"] * 2]
    assert all(len(motion) == 16 for part in motions for motion in part)


def test_a_recording_is_what_the_steps_gave() -> None:
    crowd, again = (Crowd("wolf", 3, seed=4) for _ in range(2))
    for each in (crowd, again):
        each.command(speed=0.8)
    chosen = record_all(crowd, 0.25, 60.0, [2, 0])
    for _ in range(15):
        again.step(DT)
    for motion, who in zip(chosen, (2, 0), strict=True):
        assert np.array_equal(motion.root_positions[-1], again.poses.root_positions[who])
        assert rot.distance(motion.rotations[-1], again.poses.rotations[who]).max() < 1e-6
