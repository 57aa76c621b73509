"""A motion into the bytes of a packed clip, whose error is measured on those bytes as they are read back."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from locomote.errors import LocomoteError
from locomote.formats._lmz_chains import fit_chains, size_of
from locomote.formats._lmz_chart import Basis, Chart, fit_chart
from locomote.formats._lmz_clip import MAX_NUMBERS, pack_clip, unpack_clip
from locomote.formats._lmz_feet import feet_of
from locomote.formats._lmz_rows import Shape
from locomote.formats._lmz_search import Trial, even_steps, varied_steps
from locomote.motion import Motion
from locomote.skeleton import Skeleton

if TYPE_CHECKING:
    from locomote.contacts import Contacts

LEAST_ERROR = 1e-5  # m; finer than this, the native file is the better one
_SMOOTH_SECONDS = 2.0  # between smooth rows, about
_PIECE_SECONDS = 8.0 / 30.0  # that share a step
_SAFE = 1.0 - 1e-6  # of the limit: other processors round differently in the last digits
_TIGHTER = 0.97
_ATTEMPTS = 8
_WORTH_CHAINS = 3  # times their bytes: smaller clips do not pay for turns of their own
_MEAN_SHARE = 0.3  # of the largest error: about what the mean comes to


def check_error(error: float) -> float:
    """The error as a number that can be kept."""
    if not (math.isfinite(error) and error >= LEAST_ERROR):
        raise LocomoteError(f"error must be at least {LEAST_ERROR:g} m, got {error:g}; an .npz file is exact")
    return float(error)


def shape_of(frames: int, fps: float) -> Shape:
    """How a clip of so many frames is cut up."""
    levels = max(round(math.log2(_SMOOTH_SECONDS * fps)), 0) if fps > 0.5 else 0
    levels = min(levels, frames.bit_length() - 1, 10)
    return Shape(frames, levels, min(max(round(_PIECE_SECONDS * fps), 1), 255))


def choose_chart(motion: Motion, skeleton: Skeleton, basis: Basis | None, error: float, mean: bool) -> Chart:
    """The chart with which a clip packs smallest: with a basis, without, or with turns of its own chains of joints.

    A basis of another kind of movement can be worse than none. All are tried with one step for the whole clip, at the
    same mean error: the largest one is a matter of chance. ``skeleton`` is the motion's as the file keeps it.
    """
    shown = Motion(skeleton, motion.fps, motion.root_positions, motion.rotations, motion.translations)
    shape, middle = shape_of(len(motion), motion.fps), error if mean else _MEAN_SHARE * error
    plain = fit_chart(shown, None)
    if plain.width * len(motion) > MAX_NUMBERS:
        raise LocomoteError(f"{len(motion)} frames of {len(skeleton)} joints are too many for one clip; cut it up")

    def size(chart: Chart) -> int:
        trial = Trial(motion, chart, shape)
        steps = even_steps(trial, _SAFE * middle, mean=True)
        trial.run(steps)
        return len(pack_clip(chart, shape, steps, trial.numbers))

    sizes = [(size(plain), plain)]
    if basis is not None:
        chart = fit_chart(shown, basis)
        sizes.append((size(chart), chart))
    if sizes[0][0] > _WORTH_CHAINS * size_of(skeleton):
        chart = replace(plain, turn=fit_chains(plain, shown))
        sizes.append((size(chart), chart))
    return min(sizes, key=lambda each: each[0])[1]


def encode_clip(
    motion: Motion, chart: Chart, basis: Basis | None, error: float, mean: bool, contacts: Contacts | None = None
) -> bytes:
    """The clip in bytes by a chart on the skeleton as the file keeps it, and the basis if the chart is of one.

    The largest error of any frame, or with ``mean`` the mean over joints and frames, is at most ``error`` metres.
    Feet of ``contacts`` stay where they stood.
    """
    shape = shape_of(len(motion), motion.fps)
    feet = feet_of(motion, contacts)
    trial = Trial(motion, chart, shape, feet)
    limit = _SAFE * error
    for _ in range(_ATTEMPTS):
        steps = even_steps(trial, limit, mean=True) if mean else varied_steps(trial, limit)
        trial.run(steps)
        data = pack_clip(chart, shape, steps, trial.numbers, feet)
        again = unpack_clip(data, chart.skeleton, basis, motion.fps)
        found = trial.judge(*again.poses(0, len(motion), motion.fps))
        if (np.mean(found[:, 1]) if mean else np.max(found[:, 0])) <= _SAFE * error:
            return data
        limit *= _TIGHTER
    raise LocomoteError(f"this motion cannot be packed to {error:g} m; the error must be larger")
