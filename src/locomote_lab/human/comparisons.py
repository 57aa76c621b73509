"""Synthesised cycles beside recorded ones: how near they come, how far they carry, and what lies beyond the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from locomote import rotations as rot
from locomote.human._model import HumanModel
from locomote.human.fitting._cycles import LIMBS, SAMPLES
from locomote.human.fitting._stride import ball_path, path_per_cycle
from locomote.human_skeleton import COMMON
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote_lab.human.baselines import Method, flat, hierarchy, inman_frequency, pooled, radial
from locomote_lab.human.cross_validation import Cycles, speed_bins
from locomote_lab.human.norms import bends

LEAST_SPREAD = 0.3  # m/s between a performer's slowest and fastest cycle of a gait
LEAST_ORIGINALS = 3  # recorded cycles of a performer at one speed, for their spread to mean something
KMH = 1.0 / 3.6  # m/s
SLOW_WALK, FAST_RUN = 3.0 * KMH, 11.0 * KMH  # the scale of distances: two movements that nobody confuses
SCALE_WITHIN = 0.35  # m/s; how far the recorded speeds may be from these
BEYOND = (("walk", 10.0 * KMH), ("run", 15.0 * KMH))  # where models of one and of several levels are compared
ELBOW_SPEED = 16.0 * KMH
_METHODS: dict[str, Method] = {"pooled": pooled, "hierarchy": hierarchy, "flat": flat, "radial": radial}
_ARMS = [i for i, joint in enumerate(LIMBS) if COMMON.names[joint].endswith("Arm")]
_LEGS = [i for i in range(len(LIMBS)) if i not in _ARMS]


@dataclass(frozen=True)
class Likeness:
    """Synthesised against recorded cycles of one performer at one speed, d_motion in rad^2."""

    subject: str
    gait: str
    speed: float  # m/s
    originals: int
    synthetic: float  # mean distance from the synthesised cycle to the originals
    spread: float  # largest distance between two originals
    typical: float  # mean distance between two originals


def likenesses(cycles: Cycles, model: HumanModel, styles: Mapping[str, str]) -> list[Likeness]:
    """One for every performer in the model and speed with several recorded cycles; d_motion as in `measures`."""
    out = []
    for gait in ("walk", "run"):
        for subject, style in styles.items():
            mine = cycles.rows(subject, gait)
            bins = speed_bins(cycles.speeds[mine], gait)
            for label in np.unique(bins):
                rows = mine[bins == label]
                if len(rows) < LEAST_ORIGINALS:
                    continue
                found = [
                    float(np.mean(rot.distance(_limbs_of(cycles, a), _limbs_of(cycles, b)) ** 2))
                    for a, b in combinations(rows, 2)
                ]
                made = [_distance(cycles, model, style, int(i)) for i in rows]
                speed = float(cycles.speeds[rows].mean())
                out.append(
                    Likeness(
                        subject,
                        gait,
                        speed,
                        len(rows),
                        float(np.mean(made)),
                        max(found),
                        float(np.mean(found)),
                    )
                )
    return out


def scale(cycles: Cycles) -> float:
    """Mean d_motion, rad^2, between walking at 3 km/h and running at 11 km/h of one performer; NaN if nobody does."""
    found = []
    for subject in sorted(set(cycles.subjects)):
        slow, fast = (
            _near(cycles, cycles.rows(subject, gait), speed) for gait, speed in (("walk", SLOW_WALK), ("run", FAST_RUN))
        )
        found += [
            float(np.mean(rot.distance(_limbs_of(cycles, a), _limbs_of(cycles, b)) ** 2)) for a in slow for b in fast
        ]
    return float(np.mean(found)) if found else float("nan")


@dataclass(frozen=True)
class Beyond:
    """Two models beyond the recorded speeds: root mean square angles between them, degrees, mean over performers."""

    gait: str
    speed: float  # m/s
    arms: float
    legs: float


def beyond(cycles: Cycles) -> list[Beyond]:
    """The model of several levels against the flat one, above all recorded speeds."""
    everything = np.arange(len(cycles), dtype=np.int64)
    several, one = hierarchy(cycles, everything), flat(cycles, everything)
    out = []
    for gait, speed in BEYOND:
        apart = []
        for subject in measured(cycles, gait):
            a, b = (cycles.limbs(predict(subject, gait, np.array([speed])))[0] for predict in (several, one))
            apart.append(rot.distance(a, b) ** 2)
        angles = np.degrees(np.sqrt(np.mean(apart, axis=(0, 1))))
        out.append(
            Beyond(
                gait,
                speed,
                float(np.sqrt(np.mean(angles[_ARMS] ** 2))),
                float(np.sqrt(np.mean(angles[_LEGS] ** 2))),
            )
        )
    return out


def elbows(cycles: Cycles) -> dict[str, float]:
    """How far, in degrees, each model's bends of the elbow at 16 km/h leave those of the performer's fastest cycle."""
    everything = np.arange(len(cycles), dtype=np.int64)
    out = {}
    for name, method in _METHODS.items():
        predict = method(cycles, everything)
        off = []
        for subject in measured(cycles, "run"):
            mine = cycles.rows(subject, "run")
            fastest = cycles.units[int(mine[np.argmax(cycles.speeds[mine])])]
            made = predict(subject, "run", np.array([ELBOW_SPEED]))[0]
            _, turns = cycles.encoding.decode(cycles.frames(made))
            off.append(np.abs(np.subtract(bends(turns, "elbow"), bends(fastest.rotations, "elbow"))).mean())
        out[name] = float(np.mean(off))
    return out


@dataclass(frozen=True)
class Strides:
    """Path per cycle by several rules over the recorded one, mean and standard deviation of the ratio."""

    gait: str
    stance: tuple[float, float]  # of the recorded cycle, from its feet in stance
    model: tuple[float, float]  # of the model at the same speed and style
    inman: tuple[float, float]  # of Inman's law; said of walking only
    stance_off: float  # mean over performers of how far their mean ratio is from 1, in which errors do not cancel
    model_off: float


def strides(cycles: Cycles, model: HumanModel, styles: Mapping[str, str]) -> list[Strides]:
    """How well path per cycle, and with it cadence, is known."""
    out = []
    for gait in ("walk", "run"):
        ratios: dict[str, list[float]] = {"stance": [], "model": [], "inman": []}
        own_ratios: dict[str, dict[str, list[float]]] = {"stance": {}, "model": {}}
        for unit in (cycles.units[i] for i in cycles.rows(gait=gait)):
            recorded = unit.normal_speed * unit.duration
            own = float(path_per_cycle(ball_path(unit.root, unit.rotations), gait))
            ratios["stance"].append(own / recorded)
            own_ratios["stance"].setdefault(unit.subject, []).append(own / recorded)
            ratios["inman"].append(unit.normal_speed / float(inman_frequency(unit.normal_speed)) / recorded)
            if unit.subject in styles:
                weights = model.weights(styles[unit.subject])
                frequency = model.cycles_per_second(unit.normal_speed, float(gait == "run"), weights)
                made = unit.normal_speed / frequency / recorded
                ratios["model"].append(made)
                own_ratios["model"].setdefault(unit.subject, []).append(made)
        figures = {name: _mean_and_deviation(v) for name, v in ratios.items()}
        off = {name: _mean_off(groups) for name, groups in own_ratios.items()}
        out.append(Strides(gait, figures["stance"], figures["model"], figures["inman"], off["stance"], off["model"]))
    return out


def _mean_and_deviation(values: list[float]) -> tuple[float, float]:
    return (float(np.mean(values)), float(np.std(values))) if values else (float("nan"), float("nan"))


def _mean_off(ratios: dict[str, list[float]]) -> float:
    return float(np.mean([abs(np.mean(v) - 1.0) for v in ratios.values()])) if ratios else float("nan")


def measured(cycles: Cycles, gait: str) -> list[str]:
    """Performers with cycles at several speeds, whose slope over speed is their own."""
    return [
        subject
        for subject in sorted(set(cycles.subjects))
        if len(mine := cycles.rows(subject, gait)) >= LEAST_ORIGINALS and np.ptp(cycles.speeds[mine]) > LEAST_SPREAD
    ]


def _near(cycles: Cycles, rows: IntArray, speed: float) -> IntArray:
    return rows[np.abs(cycles.speeds[rows] - speed) < SCALE_WITHIN]


def _limbs_of(cycles: Cycles, row: int) -> FloatArray:
    return cycles.units[row].rotations[:, LIMBS]


def _distance(cycles: Cycles, model: HumanModel, style: str, row: int) -> float:
    unit = cycles.units[row]
    made = model.unit(float(cycles.speeds[row]), float(unit.gait == "run"), model.weights(style))
    at = np.arange(SAMPLES) * len(made) / SAMPLES  # a model may have another number of samples than the units
    closed = np.concatenate([made, made[:1]])
    before = at.astype(int)
    made = closed[before] + (at - before)[:, None] * (closed[before + 1] - closed[before])
    _, turns = model.encoding.decode(made)
    return float(np.mean(rot.distance(turns[:, LIMBS], _limbs_of(cycles, row)) ** 2))
