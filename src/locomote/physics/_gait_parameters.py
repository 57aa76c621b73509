"""The 163 numbers of a simulated gait: where each lies, its bounds, and the knobs by which they are searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from locomote.physics._animal import DOG_MASS, Animal
from locomote.physics._kernels import animal_model as am
from locomote.rotations import FloatArray

HEIGHTS = (0.47, 0.45)  # m of shoulders and hips of the dog
_LOW, _HIGH = np.zeros(am.PARAMETERS), np.zeros(am.PARAMETERS)
_BLOCKS = (
    (am.H, 12, 0.30, 0.58),
    (am.PITCH, 12, -0.5, 0.5),
    (am.NECK, 12, -0.8, 0.8),
    (am.PUSH, 32, -200.0, 200.0),
    (am.PLACE, 8, -0.15, 0.35),
    (am.WARP, 16, -0.25, 0.25),
    (am.LIFT, 10, 0.0, 0.20),
    (am.TRACK, 16, 0.0, 2000.0),
    (am.TOE, 16, -1.0, 1.0),
    (am.REACT, 4, -0.1, 0.35),
    (am.SPRING, 4, 50.0, 8000.0),
    (am.DRIVE, 1, 0.0, 400.0),
    (am.PERIOD, 1, 0.3, 1.0),
    (am.GRIP, 1, 0.5, 3.0),
    (am.REFLEX, 16, -1.0, 1.0),
    (am.HASTE, 1, 0.0, 3.0),
    (am.CROUCH, 1, 0.0, 0.3),
)
for _begin, _count, _low, _high in _BLOCKS:
    _LOW[_begin : _begin + _count], _HIGH[_begin : _begin + _count] = _low, _high
_LOW[am.PLACE + 1 : am.PLACE + 8 : 2], _HIGH[am.PLACE + 1 : am.PLACE + 8 : 2] = 0.0, 0.10
_LOW[am.LIFT : am.LIFT + 10 : 5] = _HIGH[am.LIFT : am.LIFT + 10 : 5] = 0.0
_LOW[am.LIFT + 4 : am.LIFT + 10 : 5] = _HIGH[am.LIFT + 4 : am.LIFT + 10 : 5] = 0.0
for _leg in range(4):
    _LOW[am.TOE + 4 * _leg + 2 : am.TOE + 4 * _leg + 4] = 0.0
    _HIGH[am.TOE + 4 * _leg + 2 : am.TOE + 4 * _leg + 4] = 0.15
# Reflexes of a frame before they are tuned, and how far is looked at first (see `animal_model`).
REFLEXES = (0.6, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
_REFLEX_STEPS = (0.15, 0.25, 0.15, 0.02, 0.05, 0.08, 0.12, 0.08)
HASTE, CROUCH = 0.7, 0.06
for _frame in range(2):
    _HIGH[am.REFLEX + am.REFLEXES * _frame : am.REFLEX + am.REFLEXES * _frame + 2] = 2.0
_LOW[am.SPRING : am.SPRING + 4 : 2] = 500.0
_HIGH[am.SPRING + 1 : am.SPRING + 4 : 2] = 800.0
LOW, HIGH = _LOW, _HIGH
LOW.setflags(write=False)
HIGH.setflags(write=False)


class Knob(NamedTuple):
    """One number that is searched: the parameters that share it, its bounds and how far is looked at first."""

    name: str
    where: tuple[int, ...]
    low: float
    high: float
    step: float
    shape: tuple[float, ...] = ()  # how far each of them goes; all alike without it


def start_parameters(period: float, lift: tuple[float, float] = (0.09, 0.08)) -> FloatArray:
    """A gait before it is tuned: constants."""
    p = np.zeros(am.PARAMETERS)
    p[am.H : am.H + 6], p[am.H + 6 : am.H + 12] = HEIGHTS
    p[am.PLACE + 1 : am.PLACE + 8 : 2] = 0.045
    for k, high in enumerate(lift):
        begin = am.LIFT + 5 * k
        p[begin : begin + 5] = high * np.array([0.0, 0.6, 1.0, 0.75, 0.0])
    p[am.TRACK : am.TRACK + 16] = 400.0
    p[am.REACT : am.REACT + 4] = 0.06
    p[am.SPRING : am.SPRING + 4] = 3000.0, 250.0, 3000.0, 250.0
    p[am.DRIVE], p[am.PERIOD], p[am.GRIP] = 180.0, period, 1.2
    p[am.REFLEX :] = start_reflexes()
    return p


def start_reflexes() -> FloatArray:
    """The last numbers of a gait, as they are before they are tuned."""
    return np.array([*REFLEXES, *REFLEXES, HASTE, CROUCH])


def reflex_knobs() -> list[Knob]:
    """What makes it catch itself when it is pushed: reflexes, and what else of a gait holds against a push."""
    places = [(am.REFLEX + am.REFLEXES * k + i, step) for k in range(2) for i, step in enumerate(_REFLEX_STEPS)]
    places += [(am.HASTE, 0.3), (am.CROUCH, 0.03), (am.DRIVE, 25.0), (am.GRIP, 0.15)]
    places += [(am.REACT + k, 0.02) for k in range(4)]
    places += [(am.SPRING + k, (300.0, 40.0)[k % 2]) for k in range(4)]
    found = [Knob(f"reflex {at}", (at,), float(LOW[at]), float(HIGH[at]), step) for at, step in places]
    for begin in (am.PLACE + 1, am.PLACE + 5):
        found.append(Knob(f"width {begin}", (begin, begin + 2), 0.015, float(HIGH[begin]), 0.008))
    return found


def knobs(symmetric: bool, period: float, least_lift: float = 0.045) -> list[Knob]:
    """What an optimiser turns: left and right alike, half a stride apart, in walk, trot and pace; else each leg."""
    found: list[Knob] = []

    def add(
        name: str,
        where: Sequence[int],
        step: float,
        low: float | None = None,
        high: float | None = None,
        shape: tuple[float, ...] = (),
    ) -> None:
        first = where[0]
        low, high = float(LOW[first]) if low is None else low, float(HIGH[first]) if high is None else high
        found.append(Knob(name, tuple(where), low, high, step, shape))

    turns = np.arange(am.KNOTS) / am.KNOTS
    waves = (np.ones(am.KNOTS), np.cos(2.0 * np.pi * turns), np.sin(2.0 * np.pi * turns))
    for block, name, step in ((am.H, "height", 0.01), (am.PITCH, "pitch", 0.02)):
        for end in range(2):
            at = block + am.KNOTS * end
            for k in range(3):
                if symmetric:
                    add(f"{name} {end} {k}", (at + k, at + k + 3), step)
                else:
                    add(f"{name} {end} {k}", range(at, at + am.KNOTS), step, shape=tuple(waves[k].tolist()))
    for end in range(2):
        add(f"neck {end}", tuple(range(am.NECK + 6 * end, am.NECK + 6 * end + 6)), 0.05)
    ends = ((0, 1), (2, 3))
    for legs in ends if symmetric else ((0,), (1,), (2,), (3,)):
        for k in (0, 2, 4, 6):  # forward and up, with the foot ahead of the hip and behind
            for knots in ((k,), (k + 1,)) if symmetric else ((k, k + 1),):
                add(
                    f"push {legs[0]} {knots[0]}",
                    tuple(am.PUSH + 8 * leg + knot for leg in legs for knot in knots),
                    10.0,
                )
        add(f"place {legs[0]}", tuple(am.PLACE + 2 * leg for leg in legs), 0.01)
    for end, legs in enumerate(ends):
        add(f"width {end}", tuple(am.PLACE + 2 * leg + 1 for leg in legs), 0.006)
        for k in range(4):
            add(f"toe {end} {k}", tuple(am.TOE + 4 * leg + k for leg in legs), 0.06 if k < 2 else 0.01)
        for k in range(1, am.WARP_KNOTS):
            add(f"warp {end} {k}", tuple(am.WARP + am.WARP_KNOTS * leg + k for leg in legs), 0.03)
        for k in range(1, 4):
            low = least_lift if k == 2 else 0.5 * least_lift
            add(f"lift {end} {k}", (am.LIFT + 5 * end + k,), 0.006, low=low)
        add(f"track {end}", tuple(am.TRACK + 4 * leg + k for leg in legs for k in range(4)), 60.0)
    for k in range(4):
        add(f"react {k}", (am.REACT + k,), 0.02)
        add(f"spring {k}", (am.SPRING + k,), 300.0 if k % 2 == 0 else 40.0)
    add("drive", (am.DRIVE,), 25.0)
    add("grip", (am.GRIP,), 0.12)
    add("period", (am.PERIOD,), 0.01, low=0.93 * period, high=1.07 * period)
    return found


def turned(params: FloatArray, found: Sequence[Knob], moves: FloatArray) -> FloatArray:
    """Parameters after knobs were turned by ``moves`` of their steps, within their bounds."""
    out = params.copy()
    for knob, move in zip(found, moves, strict=True):
        where, shape = list(knob.where), np.array(knob.shape) if knob.shape else 1.0
        out[where] = np.clip(out[where] + move * knob.step * shape, knob.low, knob.high)
    return out


def fitted(params: FloatArray, animal: Animal) -> FloatArray:
    """Parameters of the dog for another body that moves alike: lengths, forces and times by its size and weight."""
    length, tempo = animal.length, animal.tempo
    weight = animal.masses.total / DOG_MASS
    out = params.copy()
    shoulders, hips = (animal.morphology.rest_pose[0][animal.parts.legs[k][0], 1] for k in (0, 2))
    out[am.H : am.H + 6] *= shoulders / HEIGHTS[0]
    out[am.H + 6 : am.H + 12] *= hips / HEIGHTS[1]
    out[am.PUSH : am.PLACE] *= weight
    out[am.PLACE : am.WARP] *= length
    out[am.LIFT : am.TRACK] *= length
    out[am.TRACK : am.TOE] *= weight / length
    for leg in range(am.FEET):
        out[am.TOE + 4 * leg + 2 : am.TOE + 4 * leg + 4] *= tempo
    out[am.REACT : am.SPRING] *= tempo
    out[am.SPRING : am.DRIVE : 2] *= weight / length
    out[am.SPRING + 1 : am.DRIVE : 2] *= weight / tempo
    out[am.DRIVE] *= weight / tempo
    out[am.PERIOD] *= tempo
    size = {am.BY_ROLL: length, am.BY_ROLL_RATE: length * tempo, am.BY_OTHER: tempo, am.BY_HEADING: length}
    size |= {am.LEANS: 1.0 / tempo, am.LEANS_BY_OTHER: 1.0 / tempo}
    for reflex, factor in size.items():
        out[am.REFLEX + reflex : am.HASTE : am.REFLEXES] *= factor
    out[am.HASTE] /= tempo
    out[am.CROUCH] *= tempo
    return out
