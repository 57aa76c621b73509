from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from locomote.creatures import Creature, Crowd
from locomote.errors import LocomoteError
from locomote_lab.creatures.footfalls import PawTrack, footfalls, runs, standing
from locomote_lab.creatures.strides import Stride, StrideCycle, average, find_strides
from tests.creatures import dogs

# What is known of the Labrador: period (s) and its deviation, landings after the left or first hind foot and their
# deviations, duty of hind and fore feet, stride (m); how many strides there are at least.
TIMING = {
    "walk": (8, 0.560, 0.048, [0.0, 0.16, 0.50, 0.67], [0.01, 0.03, 0.01, 0.02], (0.52, 0.50), 0.96),
    "trot": (9, 0.495, 0.027, [0.0, 0.48, 0.49, 0.97], [0.01, 0.01, 0.03, 0.06], (0.41, 0.435), 1.10),
    "back": (6, 0.535, 0.048, [0.0, 0.58, 0.50, 0.11], [0.01, 0.04, 0.02, 0.05], (0.56, 0.54), 0.60),
    "rotary gallop": (6, 0.40, 0.04, [0.0, 0.44, 0.13, 0.75], [0.01, 0.05, 0.06, 0.07], (0.33, 0.30), 1.60),
    "transverse gallop": (4, 0.37, 0.06, [0.0, 0.44, 0.11, 0.70], [0.01, 0.07, 0.05, 0.08], (0.36, 0.31), 1.82),
}  # fmt: skip
DUTY = {"walk": 0.04, "trot": 0.04, "back": 0.05, "rotary gallop": 0.05, "transverse gallop": 0.05}
STRIDE = {"walk": 0.03, "trot": 0.03, "back": 0.06, "rotary gallop": 0.25, "transverse gallop": 0.25}  # m
# Trunk, from lowest to highest: hip and shoulder height over h, then degrees.
TRUNK = {
    "walk": {"hip height": 0.05, "shoulder height": 0.03, "trunk pitch": 3.3, "pelvis pitch": 7.0,
             "flexion": 7.0, "bend": 22.0, "pelvis yaw": 18.0, "shoulder yaw": 20.0, "pelvis roll": 6.0,
             "shoulder roll": 9.0, "sway": 0.030},
    "trot": {"hip height": 0.07, "shoulder height": 0.035, "trunk pitch": 2.9, "pelvis pitch": 5.5,
             "flexion": 10.0, "bend": 14.0, "pelvis yaw": 14.0, "shoulder yaw": 18.0, "pelvis roll": 10.0,
             "shoulder roll": 11.0, "sway": 0.041},
    "rotary gallop": {"hip height": 0.155, "shoulder height": 0.15, "trunk pitch": 18.0, "flexion": 23.0,
                      "bend": 12.5, "pelvis yaw": 10.5, "shoulder yaw": 25.5, "pelvis roll": 14.0},
}  # fmt: skip


def strides(folder: Path, gait: str) -> list[Stride]:
    found = [stride for track in dogs.labrador(folder) for stride in find_strides(track)]
    return [stride for stride in found if stride.gait == gait]


def cycles(folder: Path, gait: str) -> StrideCycle:
    return average(strides(folder, gait))


@pytest.mark.data
@pytest.mark.parametrize("gait", TIMING)
def test_the_recorded_dog_is_timed_as_it_was_found_by_eye(data: Path, gait: str) -> None:
    count, period, spread, lands, off, duty, stride = TIMING[gait]
    cycle = cycles(data, gait)
    assert cycle.count >= count
    unit = np.sqrt(dogs.HEIGHT / 9.81)
    assert cycle.mean.period * unit == pytest.approx(period, abs=spread)
    away = (cycle.mean.lands - lands + 0.5) % 1.0 - 0.5
    assert np.all(np.abs(away) <= np.maximum(off, 0.02))
    assert cycle.mean.duty[[0, 2]].mean() == pytest.approx(duty[0], abs=DUTY[gait])
    assert cycle.mean.duty[[1, 3]].mean() == pytest.approx(duty[1], abs=DUTY[gait])
    # The middle one: one of the trots is still short, for it comes from a stand.
    middle = float(np.median([stride.length for stride in strides(data, gait)]))
    assert middle * dogs.HEIGHT == pytest.approx(stride, abs=STRIDE[gait])


@pytest.mark.data
@pytest.mark.parametrize("gait", TRUNK)
def test_the_trunk_of_the_recorded_dog_moves_as_known(data: Path, gait: str) -> None:
    cycle = cycles(data, gait)
    for what, range_ in TRUNK[gait].items():
        assert cycle.ranges[what] == pytest.approx(range_, rel=0.25), what
    if gait == "trot":  # the pelvis turns so that the hip of the landing foot is ahead: to the left before the right
        assert cycle.highest["pelvis yaw"] == pytest.approx(0.50, abs=0.07)
        assert abs((cycle.highest["shoulder yaw"] - 0.95 + 0.5) % 1.0 - 0.5) <= 0.07
    if gait == "rotary gallop":  # hips and shoulders nearly in opposite phases
        assert cycle.highest["hip height"] == pytest.approx(0.69, abs=0.05)
        assert cycle.highest["shoulder height"] == pytest.approx(0.26, abs=0.05)
        assert cycle.highest["trunk pitch"] == pytest.approx(0.25, abs=0.07)


@pytest.mark.data
def test_swinging_paws_go_ahead_smoothly(data: Path) -> None:
    u = np.linspace(0.0, 1.0, 21)
    for gait in ("walk", "trot"):
        progress = cycles(data, gait).mean.progress.mean(axis=0)
        assert np.abs(progress - u * u * (3.0 - 2.0 * u)).max() < 0.06
    placing = cycles(data, "trot").mean.placing
    assert np.allclose(placing[[0, 2]].mean(axis=0), [0.39, -0.29], atol=0.03)
    assert np.allclose(placing[[1, 3]].mean(axis=0), [0.36, -0.31], atol=0.03)


@pytest.mark.parametrize(("gait", "speed"), [("walk", 0.73), ("trot", 0.92), ("gallop", 1.9)])
def test_feet_that_say_they_stand_are_found_to_stand(gait: str, speed: float) -> None:
    track, flags = dogs.wolf(gait, speed)
    found = standing(track)
    # The finder is wider than the truth, the more so the faster the body is, but never misses a stance.
    assert np.all(found[2:-2][flags[2:-2]].mean() > 0.99)
    known, seen = average(find_strides(track, flags)), average(find_strides(track))
    assert known.gait == seen.gait
    assert known.mean.period == pytest.approx(seen.mean.period, rel=0.02)
    away = (known.mean.lands - seen.mean.lands + 0.5) % 1.0 - 0.5
    assert np.abs(away).max() < (0.04 if gait == "gallop" else 0.02)
    wider = seen.mean.duty - known.mean.duty
    assert np.all((wider >= 0.0) & (wider < 0.11))


def test_a_made_up_trot_is_measured_exactly() -> None:
    period, duty, fps, speed, seconds = 0.5, 0.4, 200.0, 2.0, 4.0
    time = np.arange(int(seconds * fps)) / fps
    feet = np.zeros((len(time), 4, 3))
    hips = np.zeros((len(time), 4, 3))
    flags = np.zeros((len(time), 4), dtype=bool)
    for foot, lands in enumerate([0.0, 0.5, 0.5, 0.0]):
        x, z = (0.1 if foot < 2 else -0.1), (0.5 if foot % 2 else 0.0)
        phase = time / period - lands
        turn, share = np.floor(phase), phase % 1.0
        u = np.clip((share - duty) / (1.0 - duty), 0.0, 1.0)
        stride = speed * period
        feet[:, foot, 0] = x
        feet[:, foot, 1] = 0.1 * np.sin(np.pi * u) ** 2
        feet[:, foot, 2] = z + stride * (turn + lands + 0.5 * duty + u * u * (3.0 - 2.0 * u))
        hips[:, foot] = np.stack([np.full(len(time), x), np.full(len(time), 0.6), z + speed * time], axis=1)
        flags[:, foot] = share < duty
    spine = np.stack([hips.mean(axis=1) + np.array([0.0, 0.0, k * 0.1]) for k in range(3)], axis=1)
    track = PawTrack(fps, feet, hips, spine, 0.6)
    cycle = average(find_strides(track, flags))
    assert cycle.gait == "trot"
    assert cycle.count >= 6
    assert cycle.mean.period == pytest.approx(period / np.sqrt(0.6 / 9.81))
    assert cycle.mean.length == pytest.approx(speed * period / 0.6)
    assert np.allclose(cycle.mean.duty, duty, atol=0.01)
    assert np.allclose((cycle.mean.lands + 0.05) % 1.0, [0.05, 0.55, 0.55, 0.05], atol=0.01)
    assert np.allclose(cycle.mean.clearance, 0.1 / 0.6, atol=1e-3)
    assert np.allclose(cycle.mean.placing, np.array([0.5, -0.5]) * duty * speed * period / 0.6, atol=0.02)
    assert max(cycle.ranges.values()) < 1e-9
    turned = replace(track, feet=feet[..., [2, 1, 0]] * [1, 1, -1], hips=hips[..., [2, 1, 0]] * [1, 1, -1],
                     spine=spine[..., [2, 1, 0]] * [1, 1, -1])  # fmt: skip
    other: Stride = average(find_strides(turned, flags)).mean
    assert np.allclose(other.placing, cycle.mean.placing)
    with pytest.raises(LocomoteError, match="down"):
        find_strides(track, flags[:5])
    with pytest.raises(LocomoteError, match="at least one stride"):
        average([])


def test_cycles_are_cut_at_landings() -> None:
    down = np.zeros((200, 4), dtype=bool)
    for foot, first in enumerate((10, 30, 35, 55)):
        for begin in range(first, 200, 50):
            down[begin : begin + 25, foot] = True
    found = footfalls(down, 100.0)
    assert [(each.first, each.last) for each in found] == [(10, 60), (60, 110), (110, 160)][: len(found)]
    assert np.allclose(found[0].lands, [0.0, 0.4, 0.5, 0.9])
    assert np.allclose(found[0].duty, 0.5)
    begins, ends = runs(np.array([True, False, True, True]))
    assert begins.tolist() == [0, 2]
    assert ends.tolist() == [1, 4]


def test_who_stops_in_a_cycle_makes_no_stride_of_it() -> None:
    down = np.zeros((300, 4), dtype=bool)
    for foot, first in enumerate((10, 30, 35, 55)):
        for begin in range(first, 300, 50):
            down[begin : begin + 25, foot] = True
    down[81:170, 1] = True  # a fore foot that stands on while the hind feet go on
    time = np.arange(300) / 100.0
    body = np.stack([0.0 * time, 0.5 + 0.0 * time, time], axis=1)
    hips = np.stack([body + np.array([x, 0.0, z]) for x in (0.1, -0.1) for z in (0.0, 0.5)], axis=1)
    track = PawTrack(100.0, hips - np.array([0.0, 0.5, 0.0]), hips, hips[:, :3], 0.5)
    assert all(each.duty.max() < 1.0 for each in footfalls(down, 100.0))
    assert all(np.isfinite(stride.clearance).all() for stride in find_strides(track, down, steady=np.inf))
    broken = hips.copy()
    broken[120, 2] = np.nan
    with pytest.raises(LocomoteError, match="gap at frame 120"):
        PawTrack(100.0, broken, hips, hips[:, :3], 0.5)
    with pytest.raises(LocomoteError, match="two frames"):
        PawTrack(100.0, hips[:1], hips[:1], hips[:1, :3], 0.5)


def test_hind_feet_are_highest_early_and_fore_feet_late_in_their_swings() -> None:
    track, flags = dogs.wolf("trot", 0.92)
    rise = average(find_strides(track, flags)).mean.rise
    u = np.linspace(0.0, 1.0, rise.shape[1])
    # Recorded of another dog, whose paws are known to their tips: at 0.3 to 0.4 and at 0.7.
    assert np.all((u[rise[[0, 2]].argmax(axis=1)] >= 0.3) & (u[rise[[0, 2]].argmax(axis=1)] <= 0.45))
    assert np.all((u[rise[[1, 3]].argmax(axis=1)] >= 0.55) & (u[rise[[1, 3]].argmax(axis=1)] <= 0.75))
    assert np.all(Creature.build("spider").swing_peaks == 0.5)
    assert np.all(Creature.build("lizard").swing_peaks == 0.5)


@pytest.mark.parametrize(
    ("gait", "speed"),
    [
        ("walk", 0.73),
        ("trot", 0.92),
        ("canter", 1.4),
        ("gallop", 1.9),
    ],
)
def test_the_trunk_of_the_wolf_never_jumps(gait: str, speed: float) -> None:
    track, _ = dogs.wolf(gait, speed)
    for place in (track.pelvis, track.withers):
        assert np.abs(np.diff(place[:, 1], 2)).max() * dogs.FPS**2 < 3.0 * 9.81


# From lowest to highest of the recorded dog, degrees but for those over h: what the wolf comes near, see
# docs/quadruped.md. The bend of the back in a gallop is not among them.
DOG = {
    ("walk", 0.73): {"hip height": 0.051, "shoulder height": 0.029, "trunk pitch": 3.3, "pelvis pitch": 6.9,
                     "flexion": 6.5, "bend": 23.7, "pelvis yaw": 21.3, "shoulder yaw": 19.2, "pelvis roll": 6.1,
                     "shoulder roll": 8.8, "sway": 0.030, "neck pitch": 8.5, "head pitch": 8.8, "head height": 0.060,
                     "wrist": 141.0},
    ("trot", 0.92): {"hip height": 0.069, "shoulder height": 0.035, "trunk pitch": 3.0, "pelvis pitch": 5.8,
                     "flexion": 10.6, "bend": 14.0, "pelvis yaw": 13.9, "shoulder yaw": 16.7, "pelvis roll": 9.3,
                     "shoulder roll": 11.1, "sway": 0.043, "neck pitch": 7.3, "head pitch": 8.1, "head height": 0.061,
                     "wrist": 130.0},
    ("gallop", 1.92): {"hip height": 0.164, "shoulder height": 0.159, "trunk pitch": 18.9, "pelvis pitch": 20.7,
                       "flexion": 25.9, "pelvis yaw": 11.2, "shoulder yaw": 21.5, "pelvis roll": 15.8,
                       "shoulder roll": 34.7, "sway": 0.047, "neck pitch": 19.4, "head pitch": 13.2,
                       "head height": 0.170, "wrist": 192.0},
}  # fmt: skip


@pytest.mark.parametrize("scene", DOG)
def test_all_of_the_wolf_moves_as_far_as_the_recorded_dog_does(scene: tuple[str, float]) -> None:
    track, flags = dogs.wolf(*scene)
    cycle = average(find_strides(track, flags))
    off = {name: cycle.ranges[name] / range_ for name, range_ in DOG[scene].items()}
    assert {name: share for name, share in off.items() if not 0.6 <= share <= 1.4} == {}


@pytest.mark.data
@pytest.mark.parametrize(("gait", "made"), [("walk", "walk"), ("trot", "trot"), ("rotary gallop", "gallop")])
def test_head_and_wrists_of_the_wolf_move_when_those_of_the_dog_do(data: Path, gait: str, made: str) -> None:
    dog = cycles(data, gait)
    track, flags = dogs.wolf(made, float(dog.mean.speed))
    wolf = average(find_strides(track, flags))
    # How alike the curves over a cycle are; the neck of the dog that trots goes up once a cycle, that of others twice.
    for name, least in (("wrist", 0.7), ("head pitch", 0.5), ("neck pitch", 0.25), ("head height", 0.7)):
        assert float(np.corrcoef(dog.curve(name), wolf.curve(name))[0, 1]) > least, name


def test_a_wolf_gallops_as_dogs_do_or_as_horses_do() -> None:
    for made, name in (("gallop", "rotary gallop"), ("transverse gallop", "transverse gallop")):
        track, flags = dogs.wolf(made, 1.8)
        found = find_strides(track, flags)
        assert len(found) > 5
        assert {stride.gait for stride in found} == {name}


@pytest.mark.parametrize(
    ("gait", "order"),
    [
        ("gallop", "LH RH RF LF"),  # of dogs: the fore foot beside the second hind foot is the first
        ("gallop, right lead", "RH LH LF RF"),
        ("transverse gallop", "LH RH LF RF"),  # of horses: the fore foot beside the first hind foot is the first
        ("transverse gallop, left lead", "RH LH RF LF"),
        ("canter", "LH RH LF RF"),
        ("canter, left lead", "RH LH RF LF"),
    ],
)
@pytest.mark.parametrize("animal", ["wolf", "dog", "horse"])
def test_feet_of_uneven_gaits_fall_in_the_order_of_their_lead(animal: str, gait: str, order: str) -> None:
    kind = Creature.build(animal)
    crowd = Crowd(kind, 1, speed=1.6 * np.sqrt(9.81 * kind.morphology.hip_height), gait=gait)
    down = []
    for _ in range(300):
        crowd.step(1 / 60)
        down.append(crowd.planted[0])
    names = ("LF", "RF", "LH", "RH")
    lands = [runs(np.array(down)[60:, foot])[0] for foot in range(4)]
    first = names.index(order[:2])
    for begin, end in zip(lands[first][1:-1], lands[first][2:], strict=True):
        next_ones = {names[foot]: [at for at in lands[foot] if begin <= at < end] for foot in range(4)}
        assert all(len(found) == 1 for found in next_ones.values())
        assert " ".join(sorted(names, key=lambda name: next_ones[name][0])) == order


@pytest.mark.parametrize("animal", ["wolf", "dog"])
@pytest.mark.parametrize(
    ("gait", "speed", "girdles", "period"),
    [
        ("trot", 2.16, 0.525, 0.495),
        ("trot", 2.02, 0.48, 0.489),
        ("gallop", 4.50, 0.525, 0.403),
        ("gallop", 3.68, 0.48, 0.448),
    ],
)
def test_animals_of_the_length_of_a_dog_step_as_fast(
    animal: str, gait: str, speed: float, girdles: float, period: float
) -> None:
    """Speed (m/s) and period (s) of both recorded dogs; the length of an animal is that between its girdles, m."""
    body = Creature.build(animal).morphology
    length = body.hips[:2, 2].mean() - body.hips[2:, 2].mean()
    small = Creature.of(body.scaled(girdles / length))
    crowd = Crowd(small, 1, speed=speed, gait=gait)
    crowd.liven(vary=0.0)
    for _ in range(240):
        crowd.step(1 / 60)
    assert float(crowd.periods[0]) == pytest.approx(period, rel=0.10)


def test_the_wolf_moves_as_the_recorded_dog_does() -> None:
    """Hip and shoulder heights over h, pitch and flexion in degrees, from lowest to highest; see docs/quadruped.md."""
    measured = {  # of the dog, and the phase of the highest hip
        ("trot", 0.92): ({"hip height": 0.069, "pelvis yaw": 13.9, "shoulder yaw": 16.7}, None),
        ("gallop", 1.92): (
            {"hip height": 0.164, "shoulder height": 0.159, "trunk pitch": 18.9, "pelvis pitch": 20.7, "flexion": 25.9},
            0.67,
        ),
    }  # fmt: skip
    for (gait, speed), (ranges, highest) in measured.items():
        track, flags = dogs.wolf(gait, speed)
        cycle = average(find_strides(track, flags))
        for name, value in ranges.items():
            assert cycle.ranges[name] == pytest.approx(value, rel=0.3), name
        assert highest is None or cycle.highest["hip height"] == pytest.approx(highest, abs=0.08)
