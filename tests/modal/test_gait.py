"""Gaits from vibrations: roles, presets, fits, style, and the player."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote import modal
from locomote import rotations as rot
from locomote.creatures import Creature
from locomote.errors import LocomoteError
from locomote.human_skeleton import human_skeleton
from locomote.masses import Masses
from locomote.modal import PRESETS, Channel, Crowd, Gait, Modes
from locomote.modal._crowd import CYCLE, cycle, stance_speeds
from locomote.modal._kernels.play import within
from locomote.modal._presets import LINKAGE, QUADRUPED
from locomote.modal._roles import role_modes, scores

SKELETAL = [name for name, preset in PRESETS.items() if preset.kind != LINKAGE]
ON_THE_SPOT = ("jump", "jacks")


def modes_of(name: str) -> Modes:
    morphology = Creature.build(name).morphology
    return Modes.of(morphology.skeleton, Masses.of(morphology.skeleton, body=morphology.body))


@pytest.fixture(scope="module")
def gaits() -> dict[str, Gait]:
    dog, person = Creature.build("dog").morphology, human_skeleton(0.86)
    masses = Masses.of(dog.skeleton, body=dog.body)
    return {
        name: PRESETS[name].gait(dog.skeleton, masses)
        if PRESETS[name].kind == QUADRUPED
        else PRESETS[name].gait(person)
        for name in SKELETAL
    }


@pytest.mark.feature("MOD-11")
def test_roles_of_a_person_are_legs_and_knees_in_turn(gaits: dict[str, Gait]) -> None:
    for name in ("walk", "run"):
        modes = gaits[name].modes
        found = role_modes(modes)
        body = modes.body
        assert body is not None
        left, right = body.skeleton.roles.legs
        for role, joint, other in (("B", left.hip, right.hip), ("A", left.knee, right.knee)):
            shape = modes.shapes[found[role]]
            turns = np.linalg.norm(shape, axis=1)
            assert turns.argmax() in (joint, other)
            assert shape[joint] @ shape[other] < -0.5  # in turn, about the same axis
        assert found["B"] == 6  # as in the source
        # What spreads the legs or twists the spine plays none of the roles of a gait.
        told = scores(modes)
        jack = int(np.argmax(told["J"]))
        assert jack not in (found.get(role) for role in "ABCDE")
        spine = list(body.skeleton.roles.spine)
        twists = np.linalg.norm(modes.shapes[:, spine].sum(axis=1), axis=1)
        assert max(twists[found[role]] for role in "AB") < 0.5


@pytest.mark.feature("MOD-12")
@pytest.mark.parametrize("name", [name for name in SKELETAL if name not in ON_THE_SPOT])
def test_low_feet_go_backwards(name: str, gaits: dict[str, Gait]) -> None:
    gait = gaits[name]
    body = gait.modes.body
    assert body is not None
    feet = cycle(gait).feet - body.feet
    lower = feet[:, :, 1] < feet[:, :, 1].mean(axis=1, keepdims=True)  # than the feet are on the average
    ahead = np.roll(feet[:, :, 2], -1, axis=0) - np.roll(feet[:, :, 2], 1, axis=0)
    for f in range(feet.shape[1]):
        assert ahead[lower[:, f], f].mean() < 0.0
        assert ahead[~lower[:, f], f].mean() > 0.0
    assert np.all(stance_speeds(gait) < 0.0)


def test_a_foot_that_never_stands_has_speed_0() -> None:
    sound = Modes.of(human_skeleton(0.86))
    modes = sound.stiffened({"Left*": 10.0})
    never = 0
    for mode in range(modes.rigid, modes.rigid + 6):
        gait = Gait(modes, (Channel(mode, 0.35, 0.03),))
        assert modes.body is not None
        height = cycle(gait).feet[:, :, 1] - modes.body.feet[:, 1]
        up = np.all(height > height.mean(axis=1, keepdims=True), axis=0)
        never += int(up.sum())
        speeds = stance_speeds(gait)
        assert np.all(np.isfinite(speeds))
        assert np.all(speeds[up] == 0.0)
        assert np.isfinite(Crowd(gait).speed)
    assert never > 0


@pytest.mark.parametrize("name", ON_THE_SPOT)
def test_jumps_stay_on_the_spot_and_land(name: str, gaits: dict[str, Gait]) -> None:
    gait = gaits[name]
    feet = cycle(gait).feet
    np.testing.assert_allclose(feet[:, 0] * (-1.0, 1.0, 1.0), feet[:, 1], atol=1e-6)  # left and right do the same
    assert Crowd(gait).speed < 0.05
    rise = cycle(gait).places[:, 0, 1]
    knees = feet[:, 0, 1]
    assert np.corrcoef(rise, knees)[0, 1] < -0.5  # legs are straight at the top


@pytest.mark.feature("MOD-14")
def test_all_eleven_presets_play(gaits: dict[str, Gait]) -> None:
    assert len(PRESETS) == 11
    for name, gait in gaits.items():
        motion = Crowd(gait).record(1.0, fps=30.0)
        assert np.all(np.isfinite(motion.rotations)), name
        assert np.ptp(motion.rotations[:, 1:], axis=0).max() > 0.1, name  # its joints turn
        places = motion.joint_positions() - motion.root_positions[:, None]
        assert np.linalg.norm(np.diff(places, axis=0), axis=2).max() * 30.0 < 15.0, name  # and nothing leaps
    for name in ("ring", "chain"):
        linkage = getattr(modal.Linkage, name)()
        gait = PRESETS[name].on(Modes.of_linkage(linkage))
        assert [channel.mode for channel in gait.channels] == [6, 7]


def phases(gait: Gait) -> np.ndarray:
    """Turns at which each foot is in the middle of its swing, by the poses of a cycle."""
    feet = cycle(gait).feet[:, :, 2]
    return -np.angle(2j * np.fft.fft(feet, axis=0)[1]) / (2.0 * np.pi)


PATTERNS = {
    "walk": (0.25, 0.75, 0.0, 0.5),
    "trot": (0.5, 0.0, 0.0, 0.5),
    "pace": (0.0, 0.5, 0.0, 0.5),
    "bound": (0.5, 0.5, 0.0, 0.0),
    "transverse gallop": (0.5, 0.6, 0.0, 0.1),
    "rotary gallop": (0.6, 0.5, 0.0, 0.1),
}
CASES = [("wolf", name) for name in PATTERNS] + [("dog", name) for name in PATTERNS]
CASES += [("ant", "tripod"), ("spider", "tetrapod"), ("spider", "wave")]
ALL_PATTERNS = PATTERNS | {
    "tripod": (0.0, 0.5, 0.5, 0.0, 0.0, 0.5),
    "tetrapod": (0.0, 0.5, 0.5, 0.0, 0.0, 0.5, 0.5, 0.0),
    "wave": tuple(np.arange(8) / 8.0),
}


@pytest.fixture(scope="module")
def bodies() -> dict[str, Modes]:
    return {name: modes_of(name) for name in ("wolf", "dog", "ant", "spider")}


@pytest.mark.feature("MOD-13")
@pytest.mark.parametrize(("creature", "pattern"), CASES)
def test_fitted_gaits_swing_in_phase(creature: str, pattern: str, bodies: dict[str, Modes]) -> None:
    wanted = np.array(ALL_PATTERNS[pattern])
    gait = Gait.fit(bodies[creature], wanted)
    off = (phases(gait) - wanted + 0.5) % 1.0 - 0.5
    assert np.degrees(2.0 * np.pi * np.abs(off)).max() <= 5.0
    half = 0.5 * np.ptp(cycle(gait).feet[:, :, 2], axis=0)
    assert np.all(half > 0.15 * bodies[creature].body.leg_length)  # type: ignore[union-attr]
    if pattern in ("walk", "trot", "pace", "bound"):
        assert len(gait.channels) == 6


@pytest.mark.feature("MOD-15")
@pytest.mark.parametrize("name", SKELETAL)
def test_a_stiff_leg_swings_less_in_every_preset(name: str, gaits: dict[str, Gait]) -> None:
    gait = gaits[name]
    body = gait.modes.body
    assert body is not None
    legs = body.skeleton.roles.legs
    stiff = max(range(len(legs)), key=lambda k: (legs[k].row, legs[k].side == "left"))  # the left hind leg
    hurt = gait.hurt(dict.fromkeys((body.skeleton.names[j] for j in legs[stiff].chain), 10.0))
    before, after = cycle(gait), cycle(hurt)
    ways = [np.linalg.norm(each.feet - each.feet.mean(axis=0), axis=2).mean(axis=0) for each in (before, after)]
    assert ways[1][stiff] < 0.8 * ways[0][stiff]
    others = [j for j in range(len(body.skeleton)) if j not in legs[stiff].chain]
    off = np.linalg.norm(after.places[:, others] - before.places[:, others], axis=2).max()
    assert off > 0.005  # m: the rest of the body does something else as well


def test_posture_and_pose_change_the_style(gaits: dict[str, Gait]) -> None:
    walk = gaits["walk"]
    body = walk.modes.body
    assert body is not None
    knees = role_modes(walk.modes)["D"]
    bent = walk.with_channels([*walk.channels, Channel(knees, 0.0, offset=0.4)])
    mean = [cycle(gait).feet[:, :, 1].mean() for gait in (walk, bent)]
    assert abs(mean[1] - mean[0]) > 0.005
    arms = [replace(PRESETS["walk"], pose=pose).gait(body.skeleton) for pose in ("T", "standing")]
    wrists = [arm.wrist for arm in body.skeleton.roles.arms]
    spread = [np.abs(cycle(gait).places[:, wrists, 0]).mean() for gait in arms]
    assert spread[0] > 2.0 * spread[1]  # arms out in the T-pose, at the sides in the other


@pytest.mark.feature("MOD-16")
def test_channels_take_twice_the_frequency(gaits: dict[str, Gait]) -> None:
    walk = gaits["walk"]
    nodding = walk.with_channels([*walk.channels, Channel(role_modes(walk.modes)["H"], 0.1, 0.0, 2.0)])
    heights = [np.abs(np.fft.fft(cycle(gait).feet[:, :, 2].sum(axis=1)))[:4] / CYCLE for gait in (walk, nodding)]
    assert heights[1][2] > heights[0][2] + 1e-3
    np.testing.assert_allclose(heights[1][1], heights[0][1], atol=1e-3)


def test_a_steady_head_hardly_turns(gaits: dict[str, Gait]) -> None:
    def turning(gait: Gait) -> float:
        body = gait.modes.body
        assert body is not None
        head = body.skeleton.roles.head
        motion = Crowd(gait).record(2.0, fps=120.0)
        turns = motion.world()[1][:, head]
        steps = rot.log(rot.multiply(turns[1:], rot.inverse(turns[:-1])))
        return float(np.linalg.norm(steps, axis=1).mean() * 120.0)

    assert turning(gaits["steady run"]) < 0.1 * turning(gaits["run"])


@pytest.mark.feature("MOD-10")
@given(st.floats(-3.0, 3.0), st.floats(0.01, 0.3))
def test_limits_are_soft_and_smooth(angle: float, soft: float) -> None:
    low, high = -0.4, 0.9
    held = within(angle, low, high, soft)
    assert low - soft < held < high + soft
    if low <= angle <= high:
        assert held == angle
    for limit in (low, high):  # the slope is 1 on either side of a limit
        slopes = [
            (within(limit + s * 1e-6, low, high, soft) - within(limit, low, high, soft)) / (s * 1e-6) for s in (-1, 1)
        ]
        np.testing.assert_allclose(slopes, 1.0, atol=1e-3)


def test_no_knee_bends_the_other_way(gaits: dict[str, Gait]) -> None:
    for name in ("walk", "run", "trot"):
        body = gaits[name].modes.body
        assert body is not None
        places = cycle(gaits[name]).places
        for leg in body.skeleton.roles.legs:
            upper, lower = places[:, leg.knee] - places[:, leg.hip], places[:, leg.ankle] - places[:, leg.knee]
            rest = body.world[0]
            bend = np.cross(rest[leg.knee] - rest[leg.hip], rest[leg.ankle] - rest[leg.knee])
            normal = bend / np.linalg.norm(bend) if np.linalg.norm(bend) > 0.02 else np.array([1.0, 0.0, 0.0])
            angle = np.arctan2(np.cross(upper, lower) @ normal, (upper * lower).sum(axis=1))
            assert angle.min() > -0.25, (name, leg)


@pytest.mark.feature("MOD-09")
def test_the_player_is_forward_kinematics(gaits: dict[str, Gait]) -> None:
    """Lanes, series for sines and the sum of channels, against one pose put together channel by channel."""
    gait = gaits["steady run"]
    modes = gait.modes
    body = modes.body
    assert body is not None
    crowd = Crowd(gait, 11, seed=3, heading=np.linspace(-1.0, 1.0, 11))
    poses = crowd.step(0.013).copy()
    from dataclasses import replace

    known = replace(poses, known_positions=None).joint_positions()
    np.testing.assert_allclose(poses.joint_positions(), known, atol=1e-9)
    hinges = {int(j): link.axes for j, link in zip(body.joints[1:], modes.linkage.links, strict=True)}
    for n in (0, 7, 10):
        told = np.zeros((len(body.skeleton), 3))
        root = np.zeros(6)
        for channel in gait.channels:
            amount = channel.amplitude * math.sin(channel.harmonic * crowd.phases[n] + channel.phase) + channel.offset
            told += amount * modes.shapes[channel.mode]
            root += amount * modes.root[channel.mode]
        turn = rot.multiply(rot.from_yaw(np.linspace(-1.0, 1.0, 11)[n]), rot.exp(root[:3]))
        np.testing.assert_allclose(poses.rotations[n, 0], rot.multiply(turn, body.rest[0]), atol=1e-9)
        balls = [j for j in range(1, len(told)) if len(hinges.get(j, np.eye(3))) == 3]
        for j in balls:
            if body.skeleton.names[j] != "Head":  # which is held
                np.testing.assert_allclose(
                    poses.rotations[n, j], rot.multiply(body.rest[j], rot.exp(told[j])), atol=1e-8
                )


def test_a_crowd_takes_commands(gaits: dict[str, Gait]) -> None:
    crowd = Crowd(gaits["walk"], 3)
    crowd.command(frequency=1.0, amplitude=0.5, pace=0.0, who=1)
    before = crowd.poses.copy()
    for _ in range(30):
        poses = crowd.step(1 / 30)
    way = np.linalg.norm((poses.root_positions - before.root_positions)[:, [0, 2]], axis=1)
    assert way[0] == pytest.approx(crowd.speed, abs=0.1)
    assert way[1] < 0.05
    with pytest.raises(LocomoteError, match="0 or more"):
        crowd.step(-1.0)
    with pytest.raises(LocomoteError, match="at least one"):
        Crowd(gaits["walk"], 0)


def test_what_does_not_fit_is_told() -> None:
    modes = Modes.of(human_skeleton())
    with pytest.raises(LocomoteError, match="expected 2 turns"):
        Gait.fit(modes, [0.0, 0.5, 0.5])
    with pytest.raises(LocomoteError, match="no mode 99"):
        Gait(modes, (Channel(99, 0.1),))
    with pytest.raises(LocomoteError, match="for a quadruped; this body has 2 legs"):
        PRESETS["trot"].gait(human_skeleton())
    with pytest.raises(LocomoteError, match="must be finite"):
        Gait(modes, (Channel(7, math.nan),))


@pytest.mark.feature("MOD-20")
def test_kicks_ring_down_as_their_damping_says() -> None:
    modes = Modes.of(human_skeleton())
    response = modal.Response(modes, damping=0.1)
    response.kick("LeftHand", (0.0, 2.0, 3.0))
    dt, first = 0.002, 6
    taken = []
    for _ in range(6000):
        response.step(dt)
        taken.append(response.amplitudes)
    taken_array = np.array(taken)
    for mode in range(first, first + 5):
        x = taken_array[:, mode]
        if np.abs(x).max() < 1e-6:
            continue
        tops = np.flatnonzero((x[1:-1] > x[:-2]) & (x[1:-1] > x[2:]) & (x[1:-1] > 1e-4 * x.max())) + 1
        fall = math.log(x[tops[0]] / x[tops[2]]) / 2.0  # a cycle
        found = fall / math.sqrt(4.0 * math.pi**2 + fall**2)
        assert found == pytest.approx(response.damping[mode - first], rel=0.05)
    # Mass times rate of change: the kick is all there is at first.
    fresh = modal.Response(modes, damping=0.1)
    fresh.kick("Head", (0.0, 1.0, 0.0))
    assert np.abs(fresh.step(0.0)).max() == 0.0
    with pytest.raises(LocomoteError, match="three finite"):
        fresh.kick("Head", (math.nan, 0.0, 0.0))
