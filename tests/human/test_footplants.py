from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.contacts import detect
from locomote.human import Corpus
from locomote.human._model import GAITS, REFERENCE_HIP_HEIGHT, HumanModel
from locomote.human.fitting._cycles import Unit
from locomote.human.fitting._fit import common_speed
from locomote.human.fitting._footplants import (
    EFFECTORS,
    PER_FOOT,
    cyclic_intervals,
    effector_paths,
    find_footplants,
    fixed_footplants,
    floor_speeds,
    foot_paths,
    footplant_table,
    search_windows,
)
from locomote.human.fitting._material import performer_material
from locomote.human.fitting._stride import STRIKE_PHASE, slip
from locomote.human_skeleton import SHANK, THIGH, human_skeleton
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.samples._gait import choose_gait

from .toy import LEG, cycle_of, toy_model

MODEL = HumanModel.default()
STYLES = len(MODEL.styles)
ALONE = np.eye(STYLES)
EARLIEST = 0.2  # of the cycle: no foot strikes so long before its time, or leaves so late
FRAME = 1.0 / 25.0  # of the cycle, the unit in which the acceptance is stated
STRIKES = np.repeat(STRIKE_PHASE, PER_FOOT)[:, None]
LIMITS = {
    "tight": (0.02, 0.35),
    "usual": (0.03, 0.5),
    "wide": (0.08, 1.5),
}  # hip heights, hip heights a second
SPEEDS = {"walk": np.linspace(0.6, 2.2, 9), "run": np.linspace(1.8, 5.0, 9)}


def direct(model: HumanModel, speed: float, run: float, weights: FloatArray) -> FloatArray:
    """Footplants found on the unit itself."""
    heights = effector_paths(model.encoding, model.unit(speed, run, weights))[..., 1]
    return find_footplants(heights, speed / REFERENCE_HIP_HEIGHT, run)


def exact(gait: str, speed: float) -> FloatArray:
    """The truth about the synthetic performer, phases ``(6, 2)`` after the foot's own strike."""
    law = choose_gait(speed, LEG, gait)
    foot = [[0.0, law.heel_off], [law.toe_strike, law.ball_off], [law.toe_strike, law.duty_factor]]
    return np.array(foot * 2)


def walked(gait: str, speed: float) -> tuple[FloatArray, float, float]:
    """Paths of the effectors of the synthetic performer, the way of a cycle in hip heights and cycles a second."""
    rate = 1.0 / choose_gait(speed, LEG, gait).stride_time
    return foot_paths(*cycle_of(gait, speed)), speed / REFERENCE_HIP_HEIGHT / rate, rate


def noisy(paths: FloatArray, size: float, seed: int) -> FloatArray:
    """Paths ``(S, 6, 3)`` shaken as a capture shakes, by hip heights (standard deviation)."""
    return paths + np.random.default_rng(seed).normal(0.0, size, paths.shape)


@given(
    harmonics=st.lists(st.tuples(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0)), min_size=1, max_size=12),
    level=st.floats(-10.0, 10.0),
    scale=st.floats(0.0, 10.0),
    speed=st.floats(0.0, 9.0),
    run=st.floats(0.0, 1.0),
    samples=st.integers(8, 60),
)
def test_any_smooth_cycle_has_one_footplant_of_every_effector(
    harmonics: list[tuple[float, float]], level: float, scale: float, speed: float, run: float, samples: int
) -> None:
    turn = 2.0 * np.pi * (np.arange(samples)[:, None] / samples + 0.13 * np.arange(len(EFFECTORS)))
    waves = [c * np.cos(n * turn) + s * np.sin(n * turn) for n, (c, s) in enumerate(harmonics, 1)]
    found = find_footplants(level + scale * sum(waves, np.zeros_like(turn)), speed, run)
    window = search_windows(speed, run)[0]
    assert found.shape == (len(EFFECTORS), 2)
    assert np.all(window[:, 0] <= found[:, 0] + 1e-12)
    assert np.all(found[:, 0] < found[:, 1])
    assert np.all(found[:, 1] <= window[:, 3] + 1e-12)
    assert np.all(found[:, 1] - found[:, 0] < 1.0)


def test_every_style_speed_and_gait_has_one_footplant_of_every_effector() -> None:
    for run in (0.0, 0.3, 0.7, 1.0):
        for speed in np.linspace(0.05, 5.5, 9):
            for weights in ALONE[::3]:
                start, end = (direct(MODEL, speed, run, weights) - STRIKES).T
                assert np.all((start > -0.021) & (start < 0.21))
                assert np.all((end > start + 0.05) & (end < 0.77))


def test_footplants_of_the_performer_are_those_that_were_made() -> None:
    late = defaultdict(list)
    for gait, speeds in SPEEDS.items():
        for speed in speeds:
            heights = foot_paths(*cycle_of(gait, float(speed)))[..., 1]
            found = find_footplants(heights, speed / REFERENCE_HIP_HEIGHT, float(gait == "run"))
            late[gait].append(found - STRIKES - exact(gait, float(speed)))
    walk, run = np.array(late["walk"]), np.array(late["run"])
    heels, balls, toes = (np.concatenate([walk[:, e::PER_FOOT], run[:, e::PER_FOOT]]) for e in range(PER_FOOT))
    assert np.max(np.abs(balls)) < FRAME
    assert np.max(np.abs(heels[..., 0])) < FRAME
    assert np.max(np.abs(toes[..., 1])) < 1.2 * FRAME
    assert np.mean(np.abs(toes[..., 1]) < FRAME) > 0.9
    assert np.max(np.abs(run[:, ::PER_FOOT])) < FRAME
    # Heels of walkers are seen to leave late: the setting suits recorded heels, which rise more slowly.
    assert np.max(np.abs(walk[:, ::PER_FOOT, 1])) < 1.5 * FRAME


def test_a_footplant_does_not_depend_on_the_floor_or_the_size() -> None:
    heights = foot_paths(*cycle_of("walk", 1.2))[..., 1]
    found = find_footplants(heights, 1.3, 0.0)
    np.testing.assert_allclose(find_footplants(3.0 * heights - 0.4, 1.3, 0.0), found, atol=1e-9)


def test_many_cycles_at_once_are_found_as_one_by_one() -> None:
    speeds, shares = np.array([[0.8, 1.4, 2.0]]), np.array([[0.0], [0.6]])
    paths = np.array(
        [[effector_paths(MODEL.encoding, MODEL.unit(float(v), float(r[0]))) for v in speeds[0]] for r in shares]
    )
    together = find_footplants(paths[..., 1], speeds / REFERENCE_HIP_HEIGHT, shares)
    for i, r in enumerate(shares[:, 0]):
        for j, v in enumerate(speeds[0]):
            one = find_footplants(paths[i, j, :, :, 1], v / REFERENCE_HIP_HEIGHT, float(r))
            np.testing.assert_array_equal(together[i, j], one)


def test_the_ball_path_of_the_footplants_is_that_of_the_stride() -> None:
    unit = MODEL.unit(1.3)
    paths = effector_paths(MODEL.encoding, unit)
    way = 1.3 / REFERENCE_HIP_HEIGHT / MODEL.cycles_per_second(1.3 / REFERENCE_HIP_HEIGHT)
    assert slip(paths[:, 1::PER_FOOT], "walk", way)[0] < 0.011
    np.testing.assert_allclose(foot_paths(*MODEL.encoding.decode(unit)), paths, atol=1e-12)


def test_feet_are_slow_at_both_ends_of_a_walking_footplant() -> None:
    for speed, most in ((0.6, 0.35), (1.0, 0.42), (1.4, 0.55)):
        normal = speed / REFERENCE_HIP_HEIGHT
        rate = MODEL.cycles_per_second(normal)
        paths = effector_paths(MODEL.encoding, MODEL.unit(speed))
        speeds = floor_speeds(paths, normal / rate, rate) * REFERENCE_HIP_HEIGHT
        at = np.arange(len(paths) + 1) / len(paths)
        for e, interval in enumerate(MODEL.footplants_at(normal)):
            closed = np.append(speeds[:, e], speeds[0, e])
            start, end = np.interp(interval % 1.0, at, closed)
            assert start < most
            # At toe-off the swing begins: within one frame the tip goes from 0.5 to 2 m/s.
            assert end < (1.5 if EFFECTORS[e].endswith("toe") else most)


@pytest.mark.feature("PCA-053")
def test_fixed_thresholds_split_or_lengthen_footplants_of_noisy_cycles() -> None:
    split, longer = defaultdict(int), defaultdict(int)
    adaptive, count = [], 0
    for gait in GAITS:
        for speed in SPEEDS[gait][1::3]:
            paths, way, rate = walked(gait, float(speed))
            for seed in range(5):
                shaken = noisy(paths, 0.006, seed)
                found = find_footplants(shaken[..., 1], speed / REFERENCE_HIP_HEIGHT, float(gait == "run"))
                adaptive.append(found - STRIKES - exact(gait, float(speed)))
                count += len(EFFECTORS)
                for name, (height, slowness) in LIMITS.items():
                    mask = fixed_footplants(shaken, way, rate, height, slowness)
                    for e, (start, end) in enumerate(exact(gait, float(speed))):
                        spans = cyclic_intervals(mask[:, e])
                        split[name] += len(spans) > 1
                        longer[name] += bool(np.any(np.diff(spans, axis=1) > end - start + 2.0 * FRAME))
    # No limits serve: tight ones split footplants, wide ones make them too long.
    assert split["tight"] > 0.5 * count
    assert split["usual"] > 0.3 * count
    assert longer["wide"] > 0.5 * count
    # The adaptive ones cannot split; on the same cycles they keep their place and do not grow.
    assert np.mean(np.abs(adaptive)) < 0.75 * FRAME
    assert np.mean(np.diff(adaptive, axis=-1) < 2.0 * FRAME) > 0.98


def test_fixed_thresholds_do_not_split_clean_cycles() -> None:
    for gait in GAITS:
        for speed in SPEEDS[gait][1::3]:
            mask = fixed_footplants(*walked(gait, float(speed)))
            for e, (start, end) in enumerate(exact(gait, float(speed))):
                ((first, last),) = cyclic_intervals(mask[:, e]) - STRIKES[e]
                assert first == pytest.approx(start, abs=FRAME)
                assert end - FRAME < last < end + 3.5 * FRAME  # a heel that leaves is slow for long


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        ("....", []),
        ("xxxx", [[0.0, 1.0]]),
        (".xx.", [[0.25, 0.75]]),
        ("x..x", [[0.75, 1.25]]),
        ("x.x.", [[0.0, 0.25], [0.5, 0.75]]),
    ],
)
def test_intervals_go_round_the_cycle(mask: str, expected: list[list[float]]) -> None:
    found = cyclic_intervals(np.array([c == "x" for c in mask]))
    np.testing.assert_array_equal(found, np.reshape(expected, (-1, 2)))


@pytest.mark.feature("PCA-054")
def test_the_table_agrees_with_detection_at_every_speed() -> None:
    grid = MODEL.frequency_speeds
    for g in (0, 1):
        inside = (grid * REFERENCE_HIP_HEIGHT > MODEL.slowest[g] - 0.2) & (
            grid * REFERENCE_HIP_HEIGHT < MODEL.speed_limits[g, 1]
        )
        for normal in grid[inside] + 0.47 * (grid[1] - grid[0]):
            speed = float(np.clip(normal * REFERENCE_HIP_HEIGHT, MODEL.slowest[g], MODEL.speed_limits[g, 1]))
            cycles = MODEL.mean + np.tensordot(MODEL.coordinates(g, speed), MODEL.basis, axes=1)
            heights = effector_paths(MODEL.encoding, cycles)[..., 1]
            found = find_footplants(heights, np.full(STYLES, speed / REFERENCE_HIP_HEIGHT), float(g))
            for k in range(STYLES):
                table = MODEL.footplants_at(speed / REFERENCE_HIP_HEIGHT, float(g), ALONE[k])
                assert np.max(np.abs(table - found[k])) < 0.5 * FRAME


def test_the_table_agrees_with_detection_on_mixtures_of_styles() -> None:
    random = np.random.default_rng(5)
    away = []
    for g, low, high in ((0, 0.6, 2.2), (1, 1.6, 5.0)):
        for _ in range(20):
            weights = MODEL.weights(random.dirichlet(np.full(STYLES, 0.1)))
            speed = float(random.uniform(low, high))
            table = MODEL.footplants_at(speed / REFERENCE_HIP_HEIGHT, float(g), weights)
            away.append(table - direct(MODEL, speed, float(g), weights))
    assert np.max(np.abs(away)) < 2.0 * FRAME
    assert np.mean(np.abs(away) < 0.5 * FRAME) > 0.9


def test_the_table_is_steady_beyond_what_is_known() -> None:
    for model in (MODEL, toy_model()):
        table = footplant_table(model)
        np.testing.assert_allclose(model.footplants, table, atol=1e-6)
        common = model.frequency_speeds * REFERENCE_HIP_HEIGHT
        for g in (0, 1):
            slow, fast = common <= model.slowest[g], common >= model.speed_limits[g, 1]
            assert np.ptp(table[:, g, slow], axis=1).max() == 0.0
            assert np.ptp(table[:, g, fast], axis=1).max(initial=0.0) == 0.0


@lru_cache(maxsize=1)
def recorded(data: Path) -> tuple[Unit, ...]:
    chosen = ("cmu 07", "cmu 16", "cmu 35", "cmu 132", "treadmill s02", "treadmill s08", "treadmill s11")
    people = [p for p in Corpus.load(root=data).performers if p.name in chosen]
    some = [replace(p, walk=p.walk[:4], run=p.run[:4], stand=()) for p in people]
    return tuple(unit for person in some for unit in performer_material(person).units)


def labels(unit: Unit, cycles: int = 5) -> FloatArray:
    """What the contact detector, validated against force plates, says of a recorded cycle: ``(6, 2)`` phases."""
    fps = len(unit.root) / unit.duration
    root = np.tile(unit.root, (cycles, 1)) * unit.hip_height
    root[:, 2] += unit.speed * np.arange(len(root)) / fps
    skeleton = human_skeleton(unit.hip_height * (THIGH + SHANK))
    events = detect(Motion(skeleton, fps, root, np.tile(unit.rotations, (cycles, 1, 1))), gait=unit.gait).events
    places = {"heel_strike": (0, 0), "heel_off": (0, 1), "toe_strike": (1, 0), "toe_off": (2, 1)}
    seen = defaultdict(list)
    for event in events:
        phase = event.time / unit.duration
        if 1.0 <= phase < cycles - 1.0:
            row, column = places[event.kind]
            after = (phase - STRIKE_PHASE[event.leg] + EARLIEST) % 1.0 - EARLIEST
            seen[PER_FOOT * event.leg + row, column].append(after)
    out = np.full((len(EFFECTORS), 2), np.nan)
    for place, phases in seen.items():
        out[place] = np.median(phases)
    return out


@pytest.mark.data
@pytest.mark.parametrize("gait", GAITS)
def test_footplants_of_recorded_cycles_are_those_of_the_contact_detector(data: Path, gait: str) -> None:
    units = [u for u in recorded(data) if u.gait == gait]
    assert len(units) > 20
    late = []
    for unit in units:
        heights = foot_paths(unit.root, unit.rotations)[..., 1]
        found = find_footplants(heights, common_speed(unit) / REFERENCE_HIP_HEIGHT, float(gait == "run"))
        late.append(found - STRIKES - labels(unit))
    # Both feet together: (units * 2, heel and ball and toe, start and end).
    each = np.array(late).reshape(-1, PER_FOOT, 2)
    strike, heel_off, toe_strike, toe_off = each[:, 0, 0], each[:, 0, 1], each[:, 1, 0], each[:, 2, 1]
    for errors in (strike, heel_off, toe_strike):
        assert abs(np.nanmedian(errors)) < FRAME
        assert np.nanmean(np.abs(errors) < FRAME) > 0.7
        assert np.nanmean(np.abs(errors) < 2.0 * FRAME) > 0.85
    # The toe is slow when the detector sees a walker leave, who stops to roll a little before.
    assert -0.4 * FRAME < np.nanmedian(toe_off) < 0.3 * FRAME
    assert np.nanmean(np.abs(toe_off) < FRAME) > 0.9
    assert np.nanmax(np.abs(toe_off)) < 2.0 * FRAME


def test_the_toes_leave_last_and_the_heel_strikes_first() -> None:
    start, end = np.moveaxis(MODEL.footplants, -1, 0)
    feet = (*MODEL.frequency.shape, 2, PER_FOOT)
    assert np.all(end.reshape(feet)[..., 2:] > end.reshape(feet)[..., :2])
    assert np.all(start.reshape(feet)[..., :1] < start.reshape(feet)[..., 1:])


@pytest.mark.parametrize(("gait", "low", "high"), [("walk", 0.8, 2.2), ("run", 1.8, 4.5)])
def test_feet_stand_for_as_long_as_the_gait_laws_say(gait: str, low: float, high: float) -> None:
    for speed in np.linspace(low, high, 8):
        normal = speed / REFERENCE_HIP_HEIGHT
        feet = MODEL.footplants_at(normal, float(gait == "run")).reshape(2, PER_FOOT, 2)
        law = choose_gait(float(speed), LEG, gait).duty_factor
        np.testing.assert_allclose(feet[..., 1].max(axis=1) - feet[..., 0].min(axis=1), law, atol=FRAME)
