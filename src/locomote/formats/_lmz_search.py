"""The search for steps: as coarse as the largest error allows, piece by piece, tried on the decoded motion."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.ndimage import maximum_filter1d

from locomote.errors import LocomoteError
from locomote.formats._lmz_chart import Chart
from locomote.formats._lmz_coder import Numbers
from locomote.formats._lmz_feet import Feet, ease_of
from locomote.formats._lmz_pose import errors
from locomote.formats._lmz_rows import MOST_EXPONENT, ROUNDING, SHRINK, Shape, quantise, restore, row_steps
from locomote.formats._lmz_wavelet import analyse, synthesise
from locomote.math.fk import forward_kinematics
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

_LEAST_STEP, _MOST_STEP = 1e-7, 4.0  # m
_HALVINGS = 12  # of the interval in which one step for the whole clip is sought
_ROUNDS = 26  # in which pieces approach the limit
_REPAIRS = 24
_SWEEPS = 2  # in which each piece in turn tries a coarser step
_APART = 6  # pieces: those tried together lie so far from each other


class Steps(NamedTuple):
    """How finely a clip is quantised."""

    step: float  # m
    exponents: IntArray  # (pieces,) quarter octaves


class Trial:
    """One clip, tried with one choice of steps after the other."""

    def __init__(self, motion: Motion, chart: Chart, shape: Shape, feet: Feet | None = None) -> None:
        self.chart, self.shape, self._feet, self._ease = chart, shape, feet, ease_of(motion.fps)
        self._rows = chart.numbers(motion)
        analyse(self._rows, shape.levels)
        self._places, self._turns = motion.world()
        self._made = np.empty_like(self._places), np.empty_like(self._turns)
        self.numbers: Numbers = np.empty(self._rows.shape, dtype=np.int32)
        self._values = np.empty_like(self._rows)
        self.errors = np.empty((len(motion), 2))
        self.starts = shape.piece * np.arange(shape.pieces)

    def run(self, steps: Steps) -> FloatArray:
        """Quantise; the largest and the mean error of every frame, ``(F, 2)`` m."""
        lengths, _ = row_steps(self.shape, steps.step, steps.exponents)
        quantise(self._rows, lengths, ROUNDING, self.numbers)
        restore(self.numbers, lengths, SHRINK, self._values)
        synthesise(self._values, self.shape.levels)
        roots, turns, moved = self.chart.poses(self._values)
        if self._feet is not None:
            roots, turns = self._feet.planted(self.chart.skeleton, 0, self._ease, roots, turns)
        return self.judge(roots, turns, moved)

    def judge(self, roots: FloatArray, turns: FloatArray, translations: FloatArray | None) -> FloatArray:
        """How far poses are from the true ones, ``(F, 2)`` m."""
        skeleton = self.chart.skeleton
        local = skeleton.offsets[None] if translations is None else translations
        forward_kinematics(skeleton.parents, local, roots, turns, *self._made)
        shell, ends = self.chart.shell, skeleton.end_parents
        true = self._places, self._turns
        errors(*self._made, *true, shell, ends, skeleton.end_offsets, self.errors)
        return self.errors

    def worst(self, steps: Steps) -> FloatArray:
        """The largest error of every piece, m."""
        return np.maximum.reduceat(self.run(steps)[:, 0], self.starts)


def even_steps(trial: Trial, limit: float, mean: bool) -> Steps:
    """The coarsest step that, the same for the whole clip, keeps the limit."""
    low, high = np.log(_LEAST_STEP), np.log(_MOST_STEP)
    zeros = np.zeros(trial.shape.pieces, dtype=np.int64)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        found = trial.run(Steps(_short(np.exp(middle)), zeros))
        over = (found[:, 1].mean() if mean else found[:, 0].max()) > limit
        low, high = (low, middle) if over else (middle, high)
    steps = Steps(_short(np.exp(low)), zeros)
    found = trial.run(steps)
    if (found[:, 1].mean() if mean else found[:, 0].max()) > limit:
        raise LocomoteError(f"this motion cannot be packed to {limit:g} m; the error must be larger")
    return steps


def varied_steps(trial: Trial, limit: float) -> Steps:
    """Steps that bring every piece near to the limit and none beyond it."""
    best = even_steps(trial, limit, mean=False)
    step = best.step
    wanted = np.zeros(trial.shape.pieces)  # quarter octaves, before rounding
    for k in range(_ROUNDS):
        tried = Steps(step, _whole(wanted))
        room = 4.0 * np.log2(limit / np.maximum(trial.worst(tried), 1e-12))
        if np.all(room >= 0.0) and tried.exponents.sum() > best.exponents.sum():
            best = tried
        eager = 0.6 if 2 * k < _ROUNDS else 0.3
        wanted += np.where(room < 0.0, np.minimum(room, -0.5), np.minimum(eager * room, 4.0))
        wanted = np.clip(wanted, -12.0, MOST_EXPONENT)
    for k in range(_REPAIRS):  # what is still beyond goes back, and takes more and more of its neighbours along
        tried = Steps(step, _whole(wanted))
        over = trial.worst(tried) > limit
        if not np.any(over):
            break
        back: FloatArray = maximum_filter1d(over.astype(np.float64), 1 + k // 2 * 2)
        wanted = tried.exponents - back
    else:
        return _coarser(trial, best, limit)
    if tried.exponents.sum() > best.exponents.sum():
        best = tried
    return _coarser(trial, best, limit)


def _coarser(trial: Trial, steps: Steps, limit: float) -> Steps:
    """Each piece in turn tries a coarser step, and keeps it where nothing near it goes beyond the limit."""
    exponents = steps.exponents
    count = len(exponents)
    for _ in range(_SWEEPS):
        for offset in range(min(_APART, count)):
            tried = exponents.copy()
            tried[offset::_APART] += 1
            tried = np.minimum(tried, MOST_EXPONENT)
            while True:
                over = np.flatnonzero(trial.worst(Steps(steps.step, tried)) > limit)
                if len(over) == 0:
                    exponents = tried
                    break
                chosen = np.arange(offset, count, _APART)
                # Who is nearest to what went wrong takes its step back; if all have, others did not cause it.
                near = chosen[np.min(np.abs(chosen[:, None] - over), axis=1) <= _APART // 2]
                if np.array_equal(tried[near], exponents[near]):
                    break
                tried[near] = exponents[near]
    return Steps(steps.step, exponents)


def _whole(wanted: FloatArray) -> IntArray:
    return np.floor(wanted + 0.5).astype(np.int64)


def _short(step: float) -> float:
    """A step as the file keeps it."""
    return float(np.float32(step))
