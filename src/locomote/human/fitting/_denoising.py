"""Clean-up of a capture: holes filled, spikes and ghosts taken out, jitter filtered away (PCA-002)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human.fitting._importing import Capture
from locomote.rotations import FloatArray

BoolArray = npt.NDArray[np.bool_]

# A change of velocity from one frame to the next is a fault when it is out of all proportion in this channel AND more
# than a body can do: impacts in running reach about half of these.
OUTLIER = 8.0  # scaled median absolute deviations
MOST_TURN_ACCELERATION = 1000.0  # rad/s^2
MOST_ACCELERATION = 150.0  # m/s^2
LONE = 0.3  # of these: one frame that is off a cubic through two neighbours on either side by so much; impacts are not
LONGEST_GHOST = 0.1  # s; two faults within it are the two ends of one ghost
LONGEST_GAP = 0.25  # s; a longer hole is a piece of unknown motion
TANGENT = 0.025  # s beside a hole over which the velocity is measured


@dataclass(frozen=True, eq=False)
class Repairs:
    """What was done: frames that were missing and frames that were thrown out, per channel (root, then joints)."""

    missing: BoolArray  # (F, 1 + J)
    rejected: BoolArray  # (F, 1 + J)

    @property
    def count(self) -> int:
        """How many values were replaced."""
        return int(np.sum(self.missing | self.rejected))


def cleaned(capture: Capture) -> tuple[Capture, Repairs]:
    """The capture with holes (values that are not finite) and spikes refilled by cubic Hermite curves."""
    fps, height = capture.fps, capture.hip_height
    channels = [capture.root * height]
    channels += list(np.moveaxis(capture.rotations, 1, 0))
    missing = np.stack([~np.isfinite(channel).all(axis=1) for channel in channels], axis=1)
    if np.any(missing.all(axis=0)):
        raise LocomoteError("a channel of the capture has no value at all")
    turns = rot.continuous(_fill_rotations(capture.rotations, missing[:, 1:], fps))
    root = _fill_positions(channels[0], missing[:, 0], fps)
    speeds = rot.log(rot.multiply(rot.inverse(turns[:-1]), turns[1:]))
    rejected = np.stack(
        [_faults(np.diff(root, axis=0), fps, MOST_ACCELERATION)]
        + [_faults(speeds[:, j], fps, MOST_TURN_ACCELERATION) for j in range(turns.shape[1])],
        axis=1,
    )
    repairs = Repairs(missing, rejected & ~missing)
    bad = missing | rejected
    if not bad.any():
        return capture, repairs
    turns = rot.continuous(_fill_rotations(turns, bad[:, 1:], fps))
    root = _fill_positions(root, bad[:, 0], fps)
    return replace(capture, root=root / height, rotations=turns), repairs


def smoothed(capture: Capture, cutoff: float) -> Capture:
    """The capture without the jitter above ``cutoff`` Hz: zero-phase Butterworth of 4th order."""
    from scipy.signal import butter, sosfiltfilt  # slow to import, needed offline only

    if len(capture) < 16 or cutoff >= 0.5 * capture.fps:
        return capture
    sos = butter(4, cutoff, fs=capture.fps, output="sos")
    pad = min(len(capture) - 1, int(capture.fps))
    turns = rot.normalize(sosfiltfilt(sos, rot.continuous(capture.rotations), axis=0, padlen=pad))
    root = sosfiltfilt(sos, capture.root, axis=0, padlen=pad)
    return replace(capture, root=root, rotations=turns)


def _faults(steps: FloatArray, fps: float, most: float) -> BoolArray:
    """Frames whose value cannot be true, from the movement ``(F - 1, 3)`` between neighbours."""
    out = np.zeros(len(steps) + 1, dtype=bool)
    if len(steps) < 4:
        return out
    off = np.zeros(len(out))
    off[2:-2] = np.linalg.norm(np.diff(steps, n=3, axis=0), axis=1) / 6.0
    highest = (off[1:-1] >= off[:-2]) & (off[1:-1] >= off[2:])
    out[1:-1] = highest & _beyond(off[1:-1], LONE * most / fps**2)
    edges = np.flatnonzero(_beyond(np.linalg.norm(np.diff(steps, axis=0), axis=1), most / fps**2)) + 1
    if len(edges) == 0:
        return out
    for group in np.split(edges, np.flatnonzero(np.diff(edges) > LONGEST_GHOST * fps) + 1):
        # One edge alone is a cut, and a long row of them a joint that is noisy as a whole: nothing to bridge.
        if 0 < group[-1] - group[0] <= LONGEST_GAP * fps - 1:
            out[group[0] : group[-1] + 1] = True
    return out


def _beyond(sizes: FloatArray, most: float) -> BoolArray:
    """Which of the sizes are out of all proportion and more than the most there can be."""
    usual = float(np.median(sizes))
    scale = 1.4826 * float(np.median(np.abs(sizes - usual)))
    out: BoolArray = sizes > max(usual + OUTLIER * scale, most)
    return out


def _fill_positions(values: FloatArray, bad: BoolArray, fps: float) -> FloatArray:
    if not bad.any():
        return values
    out = values.copy()
    for start, stop in _holes(bad, fps):
        out[start:stop] = _bridge(out, bad, start, stop, fps)
    return out


def _fill_rotations(turns: FloatArray, bad: BoolArray, fps: float) -> FloatArray:
    if not bad.any():
        return turns
    out = turns.copy()
    for joint in np.flatnonzero(bad.any(axis=0)):
        mask = bad[:, joint]
        for start, stop in _holes(mask, fps):
            good = out[~mask, joint]
            base = good[min(np.sum(~mask[:start]), len(good) - 1)]  # the first good pose behind the hole
            relative = rot.log(rot.multiply(rot.inverse(base), np.where(mask[:, None], base, out[:, joint])))
            filled = rot.multiply(base, rot.exp(_bridge(relative, mask, start, stop, fps)))
            out[start:stop, joint] = filled
    return out


def _holes(bad: BoolArray, fps: float) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], bad, [False]]).astype(np.int8)))
    holes = [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
    for start, stop in holes:
        if stop - start > max(LONGEST_GAP * fps, 2):
            raise LocomoteError(
                f"no value for {(stop - start) / fps:.2f} s at {start / fps:.2f} s: at most {LONGEST_GAP} s are filled"
            )
    return holes


def _bridge(values: FloatArray, bad: BoolArray, start: int, stop: int, fps: float) -> FloatArray:
    """Values for the frames ``start`` to ``stop``: a cubic with the value and velocity of both sides."""
    from scipy.interpolate import CubicHermiteSpline

    reach = max(1, round(TANGENT * fps))
    left = [i for i in range(max(0, start - 1 - reach), start) if not bad[i]]
    right = [i for i in range(stop, min(len(values), stop + 1 + reach)) if not bad[i]]
    if not left or not right:
        return np.broadcast_to(values[(left or right)[-1 if left else 0]], (stop - start, values.shape[1]))
    slopes = [
        np.polynomial.polynomial.polyfit(np.array(side) - end, values[side], min(2, len(side) - 1))
        for side, end in ((left, left[-1]), (right, right[0]))
    ]
    tangents = [fit[1] if len(fit) > 1 else np.zeros(values.shape[1]) for fit in slopes]
    spline = CubicHermiteSpline([left[-1], right[0]], values[[left[-1], right[0]]], tangents)
    out: FloatArray = spline(np.arange(start, stop))
    return out
