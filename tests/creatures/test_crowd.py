"""Creatures on open ground: they go where they are told, their feet stand where they were put."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from locomote.creatures import Creature, Crowd, Gait
from locomote.creatures._kernels.drive import FASTEST_TURN, SPEED_RATE, YAW_RATE
from locomote.creatures._kernels.state import LIVE
from locomote.errors import LocomoteError
from locomote.math._kinds import kind_of
from locomote.world import Ground, Maps, Obstacles
from tests.creatures.walkers import errors, tips, walker

DT = 1.0 / 60.0


@pytest.mark.feature("LEG-03")
def test_a_frame_goes_through_its_stages_in_order() -> None:
    crowd = Crowd(walker(8, 3), 2, speed=0.5)
    for _ in range(30):
        assert crowd.trace(DT) == ["command", "gait", "body", "plan", "feet", "height", "legs", "feedback"]


@pytest.mark.feature("LEG-04")
@pytest.mark.parametrize(("name", "speed"), [("spider", 0.6), ("wolf", 1.2), ("wolf", 2.4), ("ant", 0.5)])
def test_feet_lift_and_land_when_the_gait_says(name: str, speed: float) -> None:
    """By the clock: when feet lift and land, against the sectors of the gait as it was written."""
    crowd = Crowd(name, 1, speed=speed)
    crowd.liven(vary=0.0)
    planted = []
    for frame in range(900):
        crowd.step(DT)
        if frame >= 360:
            planted.append(crowd.planted[0].copy())
    down = np.array(planted)
    written = next(gait for gait in crowd.creature.gaits.gaits if gait.name == crowd.gaits[0])
    gait = written.at(speed / np.sqrt(9.81 * crowd.creature.morphology.hip_height))
    lifts = [np.flatnonzero(down[:-1, f] & ~down[1:, f]) for f in range(down.shape[1])]
    lands = [np.flatnonzero(~down[:-1, f] & down[1:, f]) for f in range(down.shape[1])]
    cycles = [np.diff(times).mean() for times in lifts]
    period = float(np.mean(cycles))  # frames
    assert period * DT == pytest.approx(
        gait.periods[0] * np.sqrt(crowd.creature.morphology.hip_height / 9.81), rel=0.02
    )
    starts, swings = gait.starts[0, :, 0], gait.durations[0, :, 0]
    for foot in range(down.shape[1]):
        first = lands[foot][lands[foot] > lifts[foot][0]]
        count = min(len(first), len(lifts[foot]))
        swung = (first[:count] - lifts[foot][:count]).mean()
        assert swung == pytest.approx(swings[foot] * period, abs=1.5)
        after = (lifts[foot][0] - lifts[0][0]) / period - (starts[foot] - starts[0])
        assert abs((after + 0.5) % 1.0 - 0.5) * period < 2.1  # either is seen a frame late at most


@pytest.mark.feature("LEG-04")
@pytest.mark.parametrize(("name", "speed"), [("spider", 0.6), ("wolf", 1.2), ("wolf", 2.4), ("ant", 0.5)])
def test_feet_swing_when_their_disks_say_so(name: str, speed: float) -> None:
    crowd = Crowd(name, 1, speed=speed)
    for _ in range(240):
        crowd.step(DT)
    off = np.zeros(len(crowd.creature.morphology.legs))
    for _ in range(240):
        crowd.step(DT)
        needle, period = crowd.phases[0], crowd.periods[0]
        for foot, live in enumerate(crowd._disks[0, LIVE]):
            swings = any((needle - start) % 1.0 < length for start, length in live)
            apart = min(
                min((needle - edge) % 1.0, (edge - needle) % 1.0)
                for start, length in live
                if length > 0.0
                for edge in (start, start + length)
            )
            if swings == crowd.planted[0, foot] and apart * period > 1.001 * DT:
                off[foot] += 1
    assert not np.any(off)


@pytest.mark.feature("LEG-05")
@pytest.mark.parametrize(("name", "speed"), [("spider", 0.6), ("wolf", 1.2), ("lizard", 0.4)])
def test_footprints_are_a_stride_apart_and_stances_centred(name: str, speed: float) -> None:
    crowd = Crowd(name, 1, speed=speed)
    prints: list[list[float]] = [[] for _ in crowd.creature.morphology.legs]
    before, relative = crowd.planted, [[] for _ in prints]
    for frame in range(900):
        crowd.step(DT)
        for foot in np.flatnonzero(crowd.planted[0] & ~before[0]):
            prints[foot].append(crowd.feet[0, foot, 2])
        if frame > 400:
            for foot in np.flatnonzero(crowd.planted[0]):
                relative[foot].append(crowd.feet[0, foot, 2] - crowd.positions[0, 2])
        before = crowd.planted
    stride = speed * crowd.periods[0]
    for foot, places in enumerate(prints):
        assert np.diff(places[3:]) == pytest.approx(stride, abs=crowd.maps.cell)
        middle = 0.5 * (max(relative[foot]) + min(relative[foot]))
        assert middle == pytest.approx(crowd.spacing[0, foot, 1], abs=crowd.maps.cell)


@pytest.mark.feature("LEG-09")
def test_the_body_follows_its_commands_alone() -> None:
    """A stream of commands, and where it leads by sums in plain Python; feet and ground have no part in it."""
    crowd = Crowd(walker(8, 4), 1)
    crowd.liven(pushing=0.0)  # or the speed would wait for feet that push
    for _ in range(300):
        crowd.step(DT)
    rng = np.random.default_rng(1)
    x, z, yaw, speed = 0.0, 0.0, 0.0, 0.0
    for frame in range(400):
        if frame % 40 == 0:
            wanted, heading = rng.uniform(0.0, 0.5), rng.uniform(-0.6, 0.6)
            crowd.command(speed=wanted, heading=heading)
        crowd.step(DT)
        off = heading - yaw
        turn = float(np.clip(off * (1.0 - np.exp(-YAW_RATE * DT)), -FASTEST_TURN * DT, FASTEST_TURN * DT))
        after = wanted + (speed - wanted) * np.exp(-SPEED_RATE * DT)
        way = 0.5 * (speed + after) * DT
        x, z = x + way * np.sin(yaw + 0.5 * turn), z + way * np.cos(yaw + 0.5 * turn)
        yaw, speed = yaw + turn, after
        assert crowd.positions[0, [0, 2]] == pytest.approx([x, z], abs=1e-6)
        assert crowd.headings[0] == pytest.approx(yaw, abs=1e-6)


@pytest.mark.feature("LEG-06")
def test_a_new_place_of_a_foot_moves_its_goal_at_once() -> None:
    crowd = Crowd("spider", 1, speed=0.5)
    foot = _in_early_swing(crowd)
    goal, plans = crowd.footholds[0, foot].copy(), crowd._feet["plans"][0, foot]
    spacing = crowd.spacing[0]
    spacing[foot] += [0.1 * np.sign(spacing[foot, 0]), 0.0]
    crowd.command(spacing=spacing)
    crowd.step(DT)
    assert crowd.reasons[0, foot] == "spacing"
    assert crowd._feet["plans"][0, foot] == plans + 1
    assert np.linalg.norm(crowd.footholds[0, foot] - goal) > 0.05


def _in_early_swing(crowd: Crowd) -> int:
    """Step until some foot has just begun to swing."""
    for _ in range(300):
        before = crowd.planted[0].copy()
        crowd.step(DT)
        lifted = np.flatnonzero(before & ~crowd.planted[0])
        if len(lifted) and crowd.positions[0, 2] > 0.5:
            for _ in range(3):
                crowd.step(DT)
            return int(lifted[0])
    raise AssertionError("no foot lifted")


@pytest.mark.feature("LEG-12")
@pytest.mark.parametrize("bones", [2, 3, 4, 5, 6])
def test_legs_reach_their_feet_within_their_limits_and_without_jumps(bones: int) -> None:
    crowd = Crowd(walker(6, bones), 1, speed=0.4)
    morphology = crowd.creature.morphology
    last = None
    for _ in range(300):
        crowd.step(DT)
        reach = morphology.reaches
        assert np.all(errors(crowd)[crowd.planted] < 1e-6)
        assert np.all(np.linalg.norm(tips(crowd) - crowd.feet, axis=-1) < 1e-3 * reach + 1e-9)
        turns = crowd.poses.rotations[0]
        for leg in morphology.legs:
            hip = np.abs(turns[leg.hip] @ leg.limits.rest[0])
            assert 2.0 * np.arccos(min(hip, 1.0)) <= leg.limits.swing[0] + 1e-6
            for k, joint in enumerate(leg.joints[1:], start=1):
                q = turns[joint]
                rest = leg.limits.rest[k]
                turned = _twist(rest, q, leg.limits.axes[k])
                low, high = leg.limits.twist[k]
                assert low - 1e-6 <= turned <= high + 1e-6
        if last is not None:
            jump = 2.0 * np.arccos(np.clip(np.abs(np.sum(turns * last, axis=-1)), 0.0, 1.0))
            assert jump.max() < 0.35
        last = turns.copy()


def _twist(rest: np.ndarray, q: np.ndarray, axis: np.ndarray) -> float:
    from locomote import rotations as rot

    moved = rot.multiply(rot.inverse(rest), q)
    return float(2.0 * np.arctan2(moved[1:] @ axis, moved[0]))


@pytest.mark.feature("LEG-10")
@pytest.mark.parametrize("angle", [-0.3, -0.1, 0.15, 0.35])
def test_bodies_tilt_with_a_slope_and_keep_their_height(angle: float) -> None:
    ground = Ground.from_function(lambda x, z: np.tan(angle) * z, (20.0, 20.0), 0.25, (-10.0, -10.0))
    crowd = Crowd("spider", 1, speed=0.4, ground=ground, positions=(0.0, -4.0))
    for _ in range(300):
        crowd.step(DT)
    pitch, roll = crowd.tilts[0]
    _, y, z = crowd.positions[0]
    assert np.degrees(pitch - angle) == pytest.approx(0.0, abs=1.0)
    assert np.degrees(roll) == pytest.approx(0.0, abs=1.0)
    assert y - np.tan(angle) * z == pytest.approx(crowd.creature.trunk.height, abs=0.01)


@pytest.mark.feature("LEG-39")
def test_threads_do_not_change_anything() -> None:
    crowds = [Crowd("ant", 12, speed=0.6, seed=3, threads=threads) for threads in (1, 4)]
    for frame in range(120):
        for crowd in crowds:
            if frame == 40:
                crowd.command(speed=np.linspace(0.1, 0.9, 12), heading=np.linspace(-1.0, 1.0, 12))
            crowd.step(DT)
    assert np.array_equal(crowds[0].poses.rotations, crowds[1].poses.rotations)
    assert np.array_equal(crowds[0].poses.root_positions, crowds[1].poses.root_positions)


@pytest.mark.parametrize("threads", [2, 3, 5])
def test_threads_do_not_change_what_swings(threads: int) -> None:
    """Tails on rough ground, switched and pushed, side by side in other lanes than on one thread."""
    ground = Ground.rough(5, (30.0, 30.0), 0.25, 2.0)
    crowds = [Crowd("wolf", 21, speed=2.0, seed=3, ground=ground, threads=count) for count in (1, threads)]
    for frame in range(90):
        for crowd in crowds:
            if frame == 30:
                crowd.command(turn_rate=np.linspace(-1.0, 1.0, 21))
                crowd.push((1.0, 0.5), who=slice(3, 9))
                crowd.appendages.switch(False, who=slice(5, 12))
            crowd.step(DT)
    joints = list(crowds[0].appendages.joints)
    assert np.array_equal(crowds[0].poses.rotations, crowds[1].poses.rotations)
    assert np.ptp(crowds[0].poses.rotations[:, joints], axis=0).max() > 0.01


def test_the_same_seed_gives_the_same_walk() -> None:
    first, second = (Crowd("wolf", 3, speed=1.0, seed=5) for _ in range(2))
    for _ in range(60):
        first.step(DT)
        second.step(DT)
    assert np.array_equal(first.poses.rotations, second.poses.rotations)


@pytest.mark.feature("LEG-38")
def test_legs_out_of_view_are_not_posed() -> None:
    crowd = Crowd("spider", 4, speed=0.4)
    crowd.in_view([1, 0, 1, 0])
    before = crowd.counts["legs"]
    for _ in range(10):
        crowd.step(DT)
    assert crowd.counts["legs"] - before == 10 * 2 * 8
    crowd.in_view()
    crowd.step(DT)
    assert crowd.counts["legs"] - before == (10 * 2 + 4) * 8


def test_creatures_stop_and_put_their_feet_right() -> None:
    crowd = Crowd("wolf", 1, speed=1.5)
    for _ in range(120):
        crowd.step(DT)
    crowd.command(speed=0.0)
    for _ in range(240):
        crowd.step(DT)
    assert np.all(crowd.planted)
    still = crowd.feet.copy()
    for _ in range(60):
        crowd.step(DT)
    assert np.array_equal(crowd.feet, still)
    x, z = crowd._spaced()
    off = np.hypot(crowd.feet[0, :, 0] - x[0], crowd.feet[0, :, 2] - z[0])
    assert np.all(off < 0.13 * crowd.creature.morphology.reaches)


def test_a_gait_of_ones_own_and_at_random() -> None:
    crowd = Crowd("ant", 2, speed=0.4)
    feet = crowd.creature.gaits.gaits[0].feet
    crowd.command(gait=Gait.at_one_speed("mine", feet, np.arange(6) / 6.0, 0.8, 5.0), who=0)
    crowd.command(gait="random", who=1)
    for _ in range(300):
        crowd.step(DT)
    assert crowd.gaits == ["mine", "random"]
    assert np.all(errors(crowd)[crowd.planted] < 1e-6)


def test_a_recording_carries_the_body_and_plays_at_its_rate() -> None:
    motion = Crowd("lizard", 1, speed=0.3).record(1.0, fps=30.0)
    assert len(motion) == 31
    assert motion.body is not None
    assert motion.name == "lizard"


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"speed": np.nan}, "speed: nan is not a finite number"),
        ({"speed": [1.0, 2.0, 3.0]}, "speed: shape"),
        ({"gait": "tango"}, "no gait 'tango'; the gaits are: "),
        ({"heading": 0.0, "turn_rate": 0.0}, "give one of them"),
        ({"spacing": [[0.0, 0.0]]}, "spacing: expected finite numbers of shape"),
        ({"spacing": np.full((8, 2), 9.0)}, "spacing: leg "),
        ({"who": 7, "speed": 1.0}, "who: the crowd has characters 0 to 0"),
        ({"gait": "wave", "within": -1.0}, "within -1.0: expected seconds"),
    ],
)
def test_bad_commands_are_refused_and_change_nothing(told: dict[str, object], message: str) -> None:
    crowd = Crowd("spider", 1, speed=0.3)
    before = crowd._rows.copy()
    with pytest.raises(LocomoteError, match=message):
        crowd.command(**told)  # type: ignore[arg-type]
    assert np.array_equal(crowd._rows, before)


def test_bad_beginnings() -> None:
    with pytest.raises(LocomoteError, match="no creature 'unicorn'; the built-in ones are: "):
        Crowd("unicorn")
    with pytest.raises(LocomoteError, match="count 0"):
        Crowd("ant", 0)
    with pytest.raises(LocomoteError, match="positions: expected finite numbers"):
        Crowd("ant", 2, positions=[[0.0, np.inf], [0.0, 0.0]])
    crowd = Crowd("ant")
    with pytest.raises(LocomoteError, match="dt -1"):
        crowd.step(-1.0)
    with pytest.raises(LocomoteError, match="either, not both"):
        Crowd("ant", ground=Ground(), maps=crowd.maps)


def test_too_much_is_brought_into_range_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    crowd = Crowd("ant", 1)
    with caplog.at_level(logging.WARNING):
        crowd.command(speed=99.0)
        crowd.command(speed=99.0)
    assert [record.getMessage() for record in caplog.records] == ["speed 99: out of range, 15 m/s is taken; said once"]


def test_every_built_in_creature_walks() -> None:
    from locomote.creatures import NAMES

    for name in NAMES:
        creature = Creature.build(name)
        speed = 0.4 * np.sqrt(9.81 * creature.morphology.hip_height)
        crowd = Crowd(creature, 1, speed=speed)
        for _ in range(180):
            crowd.step(DT)
            assert np.all(errors(crowd)[crowd.planted] < 1e-6), name
        assert crowd.positions[0, 2] > 0.9 * 3.0 * speed, name


def test_the_maps_keep_the_kinds_of_arrays_that_the_step_is_prepared_for() -> None:
    ground, obstacles = Ground(), Obstacles()
    maps = Maps(ground, obstacles, 0.1)
    kinds = kind_of(maps.arrays)
    box = obstacles.add_box((1.0, 1.0), (0.5, 0.5), 0.3, velocity=(0.2, 0.0))
    ground.add_box((80.0, -60.0), (2.0, 2.0), 0.4)
    maps.update()
    assert kind_of(maps.arrays) == kinds
    obstacles.advance(1.0)
    obstacles.remove(box)
    maps.update()
    assert kind_of(maps.arrays) == kinds
