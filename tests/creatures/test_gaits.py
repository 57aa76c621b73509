from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.creatures._gaits import BOUNCES, USUAL, Gait, GaitSet
from locomote.creatures._kernels.model import LIVES
from locomote.creatures._random_gaits import random_gait
from locomote.creatures.catalogue import _gait_presets as gait_presets
from locomote.errors import FormatError, LocomoteError

QUADRUPED = [1, -1, 1, -1], [1, 1, 2, 2]


def brute_feet_down(gait: Gait, knot: int, phase: float) -> int:
    down = 0
    for foot in range(len(gait.feet)):
        sectors = zip(gait.starts[knot, foot], gait.durations[knot, foot], strict=True)
        down += not any((phase - start) % 1.0 < duration for start, duration in sectors)
    return down


@pytest.mark.feature("LEG-16")
@pytest.mark.feature("LEG-43")
def test_every_preset_loads_and_is_plausible(tmp_path: Path) -> None:
    sets = [gait_presets.natural_gaits([1, -1] * n, [k for k in range(n) for _ in "LR"]) for n in range(1, 13)]
    sets += [gait_presets.natural_gaits(*QUADRUPED, sprawled=True)]
    sets += [
        gait_presets.natural_gaits([0, 1, -1, 1, -1], [1, 2, 2, 3, 3]),
        gait_presets.natural_gaits([1, -1, 0], [1, 1, 2]),
    ]
    for gait in (gait for gaits in sets for gait in gaits.gaits):
        assert gait.plausible(), gait.name
        gait.save(tmp_path / "gait.json")
        again = Gait.load(tmp_path / "gait.json")
        assert again.feet == gait.feet
        assert np.allclose(again.starts, gait.starts)
        assert np.array_equal(again.durations, gait.durations)
        assert np.array_equal(again.lives, gait.lives)
        assert gait.complaint() == ""
    hasty = Gait.at_one_speed("hasty", ("L1", "R1"), [0.0, 0.5], duty=[0.5, 0.2], period=2.0)
    assert np.allclose(hasty.forces(), [[2.0, 5.0]])
    assert hasty.peak_force() == pytest.approx(5.0)
    assert not hasty.plausible()
    assert "foot R1 stands for 0.2 of the cycle and presses 5 times" in hasty.complaint()
    assert hasty.plausible(limit=6.0)


@pytest.mark.feature("LEG-43")
def test_the_force_of_a_foot_is_what_keeps_a_body_up() -> None:
    """A foot that presses evenly while it stands, and so hard as the gait says, gives back a cycle of falling."""
    rng = np.random.default_rng(5)
    for duty in rng.uniform(0.1, 0.9, 20):
        gait = Gait.at_one_speed("any", ("a",), [0.0], duty=duty, period=2.0)
        phases = (np.arange(20_000) + 0.5) / 20_000
        pushes = gait.forces()[0, 0] * gait.feet_down(phases)
        assert np.mean(pushes - 1.0) == pytest.approx(0.0, abs=1e-3)  # in units of gravity
        assert gait.plausible() == (pushes.max() <= 4.0)


@pytest.mark.parametrize(
    ("gait", "lands", "duty"),
    [
        ("walk", {"L2": 0.0, "L1": 0.16, "R2": 0.5, "R1": 0.66}, (0.51, 0.04)),  # Labrador at 1.7 m/s: v^ 0.7
        ("trot", {"L2": 0.0, "L1": 0.465, "R2": 0.5, "R1": 0.965}, (0.42, 0.03)),
        ("pace", {"L2": 0.0, "L1": 0.02, "R2": 0.5, "R1": 0.52}, (0.56, 0.04)),
        ("back", {"L2": 0.0, "L1": 0.58, "R2": 0.5, "R1": 0.11}, (0.55, 0.05)),
        ("canter", {"L2": 0.0, "R2": 0.25, "L1": 0.37, "R1": 0.74}, (0.34, 0.05)),
        ("gallop", {"L2": 0.0, "R2": 0.14, "R1": 0.38, "L1": 0.63}, (0.31, 0.04)),
        ("transverse gallop", {"L2": 0.0, "R2": 0.11, "L1": 0.44, "R1": 0.70}, (0.33, 0.04)),
    ],
)
def test_gaits_of_four_feet_are_those_measured_of_dogs(
    gait: str, lands: dict[str, float], duty: tuple[float, float]
) -> None:
    speed = {"walk": 0.7, "trot": 0.9, "pace": 0.55, "back": 0.47, "canter": 1.4}.get(gait, 1.8)
    gaits = gait_presets.natural_gaits(*QUADRUPED)
    known = gaits.gaits[gaits.index(gait)]
    knot = int(np.argmin(np.abs(known.speeds - speed)))
    for foot, phase in lands.items():
        away = known.touch_downs()[knot, known.feet.index(foot), 0] - phase
        assert abs((away + 0.5) % 1.0 - 0.5) <= 0.025, foot
    assert known.duty()[knot].mean() == pytest.approx(duty[0], abs=duty[1])


def test_strides_of_four_feet_grow_as_those_of_dogs_do() -> None:
    for gait in (gait_presets.walk(), gait_presets.trot(), gait_presets.rotary_gallop()):
        measured = gait.speeds >= 0.3
        stride = gait.speeds[measured] * gait.periods[measured]  # hip heights
        low, high = 2.0 * gait.speeds[measured] ** 0.51, 2.7 * gait.speeds[measured] ** 0.65
        assert np.all(stride >= 0.85 * np.minimum(low, high)), gait.name
        assert np.all(stride <= 1.15 * np.maximum(low, high)), gait.name


def test_a_gait_at_one_speed_is_what_it_is_between_its_speeds() -> None:
    walk = gait_presets.walk()
    one = walk.at(0.6)  # half-way from 0.5 to 0.7
    assert one.speeds == [0.6]
    assert one.periods == pytest.approx(walk.periods[3:5].mean())
    assert np.allclose(one.durations[0], walk.durations[3:5].mean(axis=0))
    assert np.allclose(one.starts[0] % 1.0, walk.starts[3:5].mean(axis=0) % 1.0)
    assert np.allclose(one.lives, walk.lives[0])
    assert np.allclose(walk.at(9.0).durations[0], walk.durations[-1])


def test_gaits_may_be_livelier_than_usual(tmp_path: Path) -> None:
    plain = Gait.at_one_speed("plain", ("L1", "R1"), [0.0, 0.5], 0.6, 2.0)
    assert np.all(plain.lives == USUAL)
    path = tmp_path / "gait.json"
    plain.save(path)
    path.write_text(path.read_text().replace("lives", "other"))  # as gaits were kept before
    assert np.all(Gait.load(path).lives == USUAL)
    # Gaits that tell of bounce, sway and nod only, as those of former times do, are usual in all else.
    assert np.all(replace(plain, lives=np.full((1, 3), 2.0)).lives == [[2.0, 2.0, 2.0, *USUAL[3:]]])
    with pytest.raises(LocomoteError, match="lives must be finite"):
        replace(plain, lives=np.ones((2, 3)))
    arrays = GaitSet((gait_presets.walk(), gait_presets.trot())).arrays
    assert arrays.lives.shape == (2, 6, LIVES)
    bounces = [np.array([share, *np.ones(LIVES - 1)]) for share in BOUNCES]
    assert np.allclose(arrays.lives[1, -1], gait_presets.trot().lives[0] * bounces[1], rtol=1e-15)
    assert np.allclose(arrays.lives[0, 0], gait_presets.walk().lives[0] * bounces[0], rtol=1e-15)


def test_feet_keep_the_order_of_the_legs() -> None:
    sides, ranks = [-1, 1, -1, 1], [7, 3, 3, 7]
    gait = gait_presets.natural_gaits(sides, ranks).gaits[1]
    assert gait.feet == ("R2", "L1", "R1", "L2")
    assert gait.name == "walk"
    assert np.allclose(gait.touch_downs()[3, :, 0], [0.5, 0.21, 0.71, 0.0])


def test_legs_round_a_body_step_far_from_each_other() -> None:
    gaits = gait_presets.natural_gaits([0, 1, 1, -1, -1], [1, 2, 3, 3, 2])  # in order round the body
    assert np.allclose(gaits.gaits[0].touch_downs()[0, :, 0], [0.0, 0.4, 0.8, 0.2, 0.6])
    assert gaits.gaits[0].at(0.3).fewest_down() == 4  # faster ones stand for a shorter time


def test_a_mirrored_gait_leads_with_the_other_side() -> None:
    gait = gait_presets.canter()
    other = gait.mirrored()
    left, right = gait.feet.index("L2"), gait.feet.index("R2")
    assert np.array_equal(other.starts[:, left], gait.starts[:, right])
    assert np.allclose(other.mirrored().starts, gait.starts)
    with pytest.raises(LocomoteError, match="no foot 'R1'"):
        Gait.at_one_speed("odd", ("L1", "M1"), [0.0, 0.5], 0.6, 2.0).mirrored()


def test_starts_go_the_short_way_from_speed_to_speed() -> None:
    starts = np.array([[[0.9]], [[0.1]], [[0.85]]])
    gait = Gait("g", ("a",), [0, 1, 2], [1, 1, 1], starts, np.full((3, 1, 1), 0.3), [0, 0, 0])
    assert np.allclose(gait.starts[:, 0, 0], [0.9, 1.1, 0.85])


@given(seed=st.integers(0, 10**6), feet=st.integers(1, 8))
def test_the_fewest_feet_down_are_found(seed: int, feet: int) -> None:
    rng = np.random.default_rng(seed)
    shape = (2, feet, 1)
    gait = Gait(
        "any", tuple(map(str, range(feet))), [0.0, 1.0], [2.0, 2.0], rng.uniform(size=shape),
        rng.uniform(0.05, 0.9, size=shape), [0.1, 0.1],
    )  # fmt: skip
    sampled = min(
        brute_feet_down(gait, knot, phase)
        for knot in range(2)
        for phase in np.concatenate([np.linspace(0, 1, 50), gait.starts[knot].ravel() + 1e-9])
    )
    assert gait.fewest_down() == sampled


@pytest.mark.feature("LEG-17")
def test_gaits_at_random_keep_the_rules_of_support() -> None:
    rng = np.random.default_rng(11)
    for i in range(10_000):
        count = 3 + i % 10
        gait = random_gait([str(k) for k in range(count)], rng)
        begins = gait.starts[0, :, 0]
        ends = begins + gait.durations[0, :, 0]
        at = np.concatenate([begins, ends]) + 1e-9
        down = gait.feet_down(at)
        assert down.min() >= max(1, np.ceil(count / 3))
        assert down.max() < count  # some foot swings: the disk is covered
        order = np.argsort(begins % 1.0)
        following = np.roll(order, -1)
        wait = (begins[following] - begins[order]) % 1.0
        assert np.all(wait < gait.durations[0, order, 0])  # the next foot lifts before this one lands
    for seed in range(50):
        two = random_gait(["L1", "R1"], seed)
        assert two.fewest_down() == 1
        assert abs((two.starts[0, 0, 0] - two.starts[0, 1, 0]) % 1.0 - 0.5) <= 0.16
    assert np.array_equal(random_gait("abc", 4).starts, random_gait("abc", 4).starts)
    with pytest.raises(LocomoteError, match="two feet"):
        random_gait(["one"], 0)


def test_what_is_no_gait_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LocomoteError, match=r"last 0 to 0\.95"):
        Gait.at_one_speed("air", ("a",), [0.0], 0.01, 2.0)
    with pytest.raises(LocomoteError, match="speeds must rise"):
        Gait("g", ("a",), [1.0, 0.5], [1, 1], np.zeros((2, 1, 1)), np.full((2, 1, 1), 0.3), [0, 0])
    with pytest.raises(LocomoteError, match="all speeds or at none"):
        Gait("g", ("a",), [0.0, 0.5], [1, 1], np.zeros((2, 1, 1)), np.array([[[0.3]], [[0.0]]]), [0, 0])
    with pytest.raises(LocomoteError, match="share their feet"):
        GaitSet((gait_presets.walk(), gait_presets.tripod()))
    with pytest.raises(LocomoteError, match="no gait 'amble'; the gaits are: walk"):
        GaitSet((gait_presets.walk(),)).index("amble")
    with pytest.raises(LocomoteError, match="gap of speeds"):
        GaitSet((gait_presets.walk(), gait_presets.trot()), ((-1.0, 0.5), (0.6, 2.0)))
    path = tmp_path / "gait.json"
    for text, what in [
        ("{", "not JSON"),
        ("[]", "not a gait"),
        ('{"version": 1, "name": "x"}', "lacks feet"),
    ]:
        path.write_text(text)
        with pytest.raises(FormatError, match=what):
            Gait.load(path)


def test_a_gait_can_be_added_or_replaced() -> None:
    gaits = gait_presets.natural_gaits(*QUADRUPED)
    own = random_gait(gaits.gaits[0].feet, 1)
    more = gaits.with_gait(own)
    assert len(more) == len(gaits) + 1
    assert len(more.with_gait(random_gait(own.feet, 2))) == len(more)
    assert more.arrays.natural.shape == (4, 2)
