"""Trunks that bend: they follow the path of their front, keep their limits and bones, and wind with their feet."""

from __future__ import annotations

import math

import numpy as np
import pytest

from locomote.creatures import Crowd
from locomote.creatures._spines import spine_of
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.world import Ground
from tests.creatures.walkers import chain, errors, noses, tips, walker

DT = 1.0 / 60.0
SWITCHING = 1e-4  # s, a step in which nothing may happen that is seen


def steer(crowd: Crowd, seconds: float, seed: int, fastest: float) -> list[FloatArray]:
    """Random speeds and turns; the lines of the trunks ``(N, M, 2)`` frame by frame."""
    rng = np.random.default_rng(seed)
    lines = []
    for frame in range(round(seconds / DT)):
        if frame % 90 == 0:
            crowd.command(speed=rng.uniform(0.5, 1.0) * fastest, turn_rate=rng.uniform(-0.5, 0.5))
        crowd.step(DT)
        lines.append(line_of(crowd))
    return lines


def line_of(crowd: Crowd) -> FloatArray:
    """Where the nodes of the trunks are, ``(N, M, 2)`` as (x, z)."""
    return np.stack([crowd._nodes["x"], crowd._nodes["z"]], axis=-1)


def bends(line: FloatArray, headings: FloatArray) -> FloatArray:
    """Angles between the pieces of the lines ``(N, M, 2)``, the first from where the body faces, ``(N, M - 1)``."""
    pieces = line[:, :-1] - line[:, 1:]
    yaws = np.concatenate([headings[:, None], np.arctan2(pieces[..., 0], pieces[..., 1])], axis=1)
    off: FloatArray = np.diff(yaws, axis=1)
    return (off + math.pi) % (2.0 * math.pi) - math.pi


@pytest.mark.feature("LEG-44")
def test_every_row_of_legs_on_a_joint_of_its_own_is_a_girdle() -> None:
    spine = spine_of(chain(3).morphology)
    assert len(spine.girdles) == 3
    assert spine.carriers.tolist() == [0, 0, 1, 1, 2, 2]
    assert np.count_nonzero(spine.heads == 1.0) == 1  # the head, which has no feet
    assert len(spine_of(walker(8, 3).morphology).girdles) == 1
    wolf = Crowd("wolf").creature
    names = [wolf.morphology.skeleton.names[j] for j in wolf.spine.joints[wolf.spine.girdles]]
    assert names == ["chest", "pelvis"]


def between(crowd: Crowd) -> FloatArray:
    """Shares of the yaws of the girdles behind and ahead, of the joints between the first two."""
    spine = crowd.creature.spine
    return np.asarray(spine.sways[(spine.behind != spine.ahead) & (spine.shares > 0.0)])


@pytest.mark.parametrize("name", ["wolf", "horse"])
def test_a_back_bends_with_the_pelvis_where_shoulder_blades_turn_on_the_chest(name: str) -> None:
    shares = between(Crowd(name))
    assert len(shares) > 0
    assert np.all(np.diff(shares[:, 0]) < 0.0)  # less and less from the pelvis on
    assert np.all(shares[:, 1] < 0.25)


def test_a_back_bends_between_both_girdles_where_legs_sprawl() -> None:
    np.testing.assert_allclose(between(Crowd("lizard")).sum(axis=1), 1.0)


@pytest.mark.feature("LEG-45")
@pytest.mark.parametrize("name", ["wolf", "lizard", "centipede"])
def test_bends_stay_within_their_limits_and_the_wanted_yaw_is_reached(name: str) -> None:
    crowd = Crowd(name, 6, seed=3)
    limit = crowd.creature.spine.limit
    rng = np.random.default_rng(5)
    fastest = math.sqrt(9.81 * crowd.creature.morphology.hip_height)
    for _ in range(6):
        headings = rng.uniform(-math.pi, math.pi, len(crowd))
        crowd.command(heading=headings, speed=rng.choice([0.0, 0.3, -0.2], len(crowd)) * fastest)
        for _ in range(180):
            crowd.step(DT)
            assert np.max(np.abs(bends(line_of(crowd), crowd.headings))) <= limit + 1e-6
        off = (crowd.headings - headings + math.pi) % (2.0 * math.pi) - math.pi
        assert np.max(np.abs(off)) < math.radians(1.0)


@pytest.mark.feature("LEG-46")
@pytest.mark.parametrize(("name", "tolerance"), [("centipede", 0.06), ("wolf", 0.15)])
def test_nodes_keep_their_lengths_and_go_where_the_front_has_been(name: str, tolerance: float) -> None:
    """``tolerance`` of the length of the trunk that a node may be beside the path of its front girdle."""
    crowd = Crowd(name, 3, seed=4)
    lengths = crowd.creature.spine.lengths
    lines = steer(crowd, 12.0, 6, 0.6 * math.sqrt(9.81 * crowd.creature.morphology.hip_height))
    path = np.array([line[:, 0] for line in lines])
    worst = 0.0
    for frame, line in enumerate(lines):
        assert np.linalg.norm(np.diff(line, axis=1), axis=-1) == pytest.approx(
            np.broadcast_to(lengths, (len(crowd), len(lengths))), abs=1e-4
        )
        if frame > 400:
            off = np.linalg.norm(path[:frame, :, None] - line[None], axis=-1).min(axis=0)
            worst = max(worst, float(off.max()))
    assert worst < tolerance * lengths.sum()
    # In a steady curve every node but the last goes along the piece of the line that was ahead of it.
    crowd = Crowd(name, 2, seed=4)
    crowd.command(speed=0.5 * math.sqrt(9.81 * crowd.creature.morphology.hip_height), turn_rate=0.5)
    for frame in range(150):
        before = line_of(crowd)
        crowd.step(DT)
        ahead, node, after = before[:, :-2], before[:, 1:-1], line_of(crowd)[:, 1:-1]
        piece, moved = ahead - node, after - node
        beside = np.abs(moved[..., 0] * piece[..., 1] - moved[..., 1] * piece[..., 0]) / np.linalg.norm(piece, axis=-1)
        if frame > 60:
            assert np.all(beside < 1e-9 * np.linalg.norm(moved, axis=-1))


@pytest.mark.feature("LEG-47")
def test_girdles_pitch_with_their_feet_and_long_bodies_follow_the_ground() -> None:
    """Feet ahead of a girdle raise its nose, feet behind it lower it; over hills each girdle is over its own feet."""
    wolf = Crowd("wolf", speed=4.5, gait="gallop", seed=1)
    wolf.liven(bounce=0.0)
    spine = wolf.creature.spine
    pitches, ahead = [], []
    for frame in range(300):
        wolf.step(DT)
        if frame > 120:
            pitches.append(math.asin(float(noses(wolf)[0, 1, 1])))
            hind = spine.carriers == 1
            places = wolf.feet[0, hind][:, [0, 2]] - wolf.positions[0, [0, 2]]
            ahead.append(float(np.mean(places[:, 1] - wolf.spacing[0, hind, 1])))
    assert np.corrcoef(pitches, ahead)[0, 1] > 0.9
    hills = Ground.from_function(lambda x, z: 0.12 * np.sin(2.0 * z), (8.0, 8.0), 0.1, (-4.0, -4.0))
    long = Crowd(chain(6), speed=0.4, ground=hills, positions=(0.0, -2.0))
    spine = long.creature.spine
    over, stiff = [], []
    stations = spine.offsets[spine.girdles, 2]
    for frame in range(360):
        long.step(DT)
        assert np.max(errors(long)[long.planted]) < 1e-5
        if frame > 120:
            heights = long.poses.joint_positions()[0, spine.joints[spine.girdles], 1]
            treads = long.footholds[0, :, 1]
            own = np.array([treads[spine.carriers == k].mean() for k in range(len(spine.girdles))])
            over.append(heights - own)
            stiff.append(np.polyval(np.polyfit(stations, own, 1), stations) - own)
    assert np.std(over) < 0.03
    assert np.std(over) < 0.75 * np.std(stiff)  # what even the best straight trunk over these feet would differ by


@pytest.mark.feature("LEG-48")
@pytest.mark.parametrize("name", ["wolf", "horse", "lizard", "centipede"])
def test_bones_keep_their_lengths_and_legs_reach_whatever_the_trunk_does(name: str) -> None:
    """All effects at their fullest: bones are as long as ever, every standing tip is at its foot."""
    crowd = Crowd(name, 4, seed=2)
    crowd.liven(bounce=1.5, flex=1.5, sway=1.5, nod=1.5)
    skeleton = crowd.creature.morphology.skeleton
    bones = np.linalg.norm(skeleton.offsets, axis=1)[1:]
    rng = np.random.default_rng(1)
    fastest = math.sqrt(9.81 * crowd.creature.morphology.hip_height)
    for frame in range(480):
        if frame % 60 == 0:
            crowd.command(speed=rng.uniform(0.0, 1.2) * fastest, turn_rate=rng.uniform(-1.0, 1.0))
        crowd.step(DT)
        places = crowd.poses.joint_positions()
        lengths = np.linalg.norm(places[:, 1:] - places[:, skeleton.parents[1:]], axis=-1)
        assert np.max(np.abs(lengths - bones)) < 1e-9
        off = np.linalg.norm(tips(crowd) - crowd.feet, axis=-1)
        assert np.max(off[crowd.planted], initial=0.0) < 1e-5


@pytest.mark.feature("LEG-49")
def test_a_lizard_winds_at_the_rhythm_of_its_strides() -> None:
    crowd = Crowd("lizard", speed=0.4)
    yaws = []
    for frame in range(1080):
        crowd.step(DT)
        if frame >= 120:
            chest, pelvis = noses(crowd)[0]
            yaws.append(math.atan2(chest[0], chest[2]) - math.atan2(pelvis[0], pelvis[2]))
    bend = np.array(yaws) - np.mean(yaws)
    strength = np.abs(np.fft.rfft(bend))
    rate = np.fft.rfftfreq(len(bend), DT)[int(np.argmax(strength))]
    assert rate == pytest.approx(1.0 / crowd.periods[0], abs=0.1)
    assert np.ptp(bend) > math.radians(10.0)


@pytest.mark.feature("LEG-68")
@pytest.mark.parametrize("effect", ["bounce", "flex", "sway", "nod"])
@pytest.mark.parametrize("name", ["wolf", "lizard"])
def test_effects_are_switched_without_a_jump(name: str, effect: str) -> None:
    """Beside a twin that is left alone: of what an effect does in the end, nothing is there at once."""
    speed = 0.7 * math.sqrt(9.81 * Crowd(name).creature.morphology.hip_height)
    crowd, twin = (Crowd(name, 8, speed=speed, seed=7) for _ in range(2))
    jumps, most = [], 0.0
    for each in (crowd, twin):
        each.command(turn_rate=0.4)
        for _ in range(120):
            each.step(DT)
    off = np.zeros(1)
    for frame in range(180):
        if frame % 45 == 0:
            crowd.liven(**{effect: float(frame % 90 > 0)})
            for each in (crowd, twin):
                each.step(SWITCHING)
            last, off = off, seen_from_body(crowd) - seen_from_body(twin)
            jumps.append(float(np.max(np.linalg.norm(off - last, axis=-1))))
        crowd.step(DT)
        twin.step(DT)
        off = seen_from_body(crowd) - seen_from_body(twin)
        most = max(most, float(np.max(np.linalg.norm(off, axis=-1))))
    assert most > 1e-3 * crowd.creature.morphology.hip_height  # it does something
    assert max(jumps) < 0.05 * most


@pytest.mark.feature("LEG-68")
def test_speeds_that_wait_for_feet_to_push_are_switched_without_a_jump() -> None:
    """While the body speeds up and slows down: neither its place nor its speed leaps where that is switched."""
    crowd = Crowd("wolf", 8, speed=1.0, seed=7)
    for _ in range(120):
        crowd.step(DT)
    speeds, places = crowd.speeds.copy(), crowd.positions.copy()
    changed = 0.0
    for frame in range(240):
        if frame % 45 == 0:
            crowd.liven(pushing=float(frame % 90 > 0))
            crowd.command(speed=2.0 if frame % 90 else 1.0)
            crowd.step(SWITCHING)
            assert np.abs(crowd.speeds - speeds).max() < 0.01
            assert np.linalg.norm(crowd.positions - places, axis=-1).max() < 5.0 * SWITCHING
        crowd.step(DT)
        changed = max(changed, float(np.abs(crowd.speeds - speeds).max()))
        speeds, places = crowd.speeds.copy(), crowd.positions.copy()
    assert changed > 0.01


def seen_from_body(crowd: Crowd) -> FloatArray:
    """Where the joints are from the middles of the bodies, ``(N, J, 3)``."""
    return crowd.poses.joint_positions() - crowd.positions[:, None]


@pytest.mark.feature("LEG-64")
@pytest.mark.parametrize("name", ["wolf", "spider", "bird"])
@pytest.mark.parametrize("speed", [0.0, 0.25])
def test_a_creature_that_is_pushed_catches_itself_with_small_steps(name: str, speed: float) -> None:
    crowd, twin = (Crowd(name, 8, seed=1) for _ in range(2))
    unit = math.sqrt(9.81 * crowd.creature.morphology.hip_height)
    for each in (crowd, twin):
        each.command(speed=speed * unit)
        for _ in range(120):
            each.step(DT)
    angles = np.arange(8) * math.pi / 4.0
    crowd.push(0.35 * unit * np.stack([np.sin(angles), np.cos(angles)], axis=1))
    plans = crowd._feet["plans"].sum(axis=1)
    moved = np.zeros(len(crowd))
    for _ in range(180):
        crowd.step(DT)
        twin.step(DT)
        assert np.max(errors(crowd)[crowd.planted]) < 1e-5
        away = (crowd.positions - twin.positions)[:, [0, 2]]
        moved = np.maximum(moved, np.sum(away * np.stack([np.sin(angles), np.cos(angles)], axis=1), axis=1))
    assert np.all(moved > 0.03 * crowd.creature.morphology.hip_height)  # it gave way
    assert np.all(crowd._feet["plans"].sum(axis=1) > plans)  # by steps
    assert np.max(crowd.shoved) < 1e-3
    if speed == 0.0:
        for _ in range(240):
            crowd.step(DT)
        assert crowd.planted.all()
        x, z = crowd._spaced()
        off = np.hypot(crowd.feet[..., 0] - x, crowd.feet[..., 2] - z)
        assert np.max(off) < 0.25 * np.max(crowd.creature.morphology.reaches)


def test_pushes_and_effects_that_cannot_be_are_refused() -> None:
    crowd = Crowd("spider", 2)
    with pytest.raises(LocomoteError, match="velocity: expected finite numbers"):
        crowd.push((math.nan, 0.0))
    with pytest.raises(LocomoteError, match="throws anyone over"):
        crowd.push((9.0, 0.0))
    with pytest.raises(LocomoteError, match="bounce"):
        crowd.liven(bounce=math.nan)
    assert not np.any(crowd.shoved)
