"""Whether a film shows a gait: rhythm in its components, two of them a quarter of a turn apart (AGV-10, AGV-11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

Spectrum = npt.NDArray[np.complex128]

BAND = 3.0  # half the band around the rhythm, in distances to where its peak has fallen to a half
LEAST_RHYTHM = 0.6  # correlation of a component with what of it is in the band
GAP = np.radians([60.0, 120.0])  # between the two components of a pair
LEAST_CYCLES = 2
ONE_WAY = 0.85  # share of the frames in which a pair must turn the same way, at its rhythm alone
SWEPT = 0.6  # of the area that it sweeps in the whole band, what must be swept that way
CANDIDATES = 5  # components among which a pair is sought


@dataclass(frozen=True, eq=False)
class Usability:
    """What the rhythm of some coordinates says about a film.

    Parameters
    ----------
    cycles : bin of the strongest frequency of the first coordinate: cycles of silhouettes in the clip
    band : (2,) bins, the first and the last that belong to the rhythm
    correlations : (c,) of each coordinate with what of it is in the band
    pair : the two components that go round; -1 for none
    gap : rad, how far the second one of the pair is behind the first
    one_way : share of the frames in which the pair turns as it does on the whole
    filtered : (F, c) what of each coordinate is in the band
    why : what is missing, one line each; empty for a gait
    """

    cycles: int
    band: tuple[int, int]
    correlations: FloatArray
    pair: tuple[int, int]
    gap: float
    one_way: float
    filtered: FloatArray
    why: tuple[str, ...]

    @property
    def accepted(self) -> bool:
        """Whether this is a gait."""
        return not self.why

    def require(self) -> None:
        """Refuse what is no gait, in one line."""
        if self.why:
            raise LocomoteError(f"no steady gait in this film: {'; '.join(self.why)}; try strokes, or other frames")


def usability(coordinates: FloatArray) -> Usability:
    """Judge coordinates ``(F, c)`` of a clip, the most important first, with mean 0."""
    seen = np.asarray(coordinates, dtype=np.float64)
    if seen.ndim != 2 or len(seen) < 8:
        raise LocomoteError(f"{len(seen)} frames are too few for a gait: two cycles are needed, 8 frames at the least")
    spectrum = np.fft.rfft(seen, axis=0)
    strengths = np.abs(spectrum)
    strengths[0] = 0.0
    peak = int(np.argmax(strengths[:, 0]))
    low, high = _band(strengths[:, 0], peak)
    filtered = band_passed(spectrum, low, high, len(seen))
    power = np.sqrt(np.sum(filtered**2, axis=0) * np.sum(seen**2, axis=0))
    rhythm = np.sum(filtered * seen, axis=0) / np.maximum(power, 1e-300)
    why = []
    if peak < LEAST_CYCLES:
        why.append(f"{peak} cycle of silhouettes in {len(seen)} frames, {LEAST_CYCLES} are needed")
    pair, gap, one_way, missing = _best_pair(spectrum, filtered, peak, rhythm)
    return Usability(peak, (low, high), rhythm, pair, gap, one_way, filtered, (*why, *missing))


def _band(strengths: FloatArray, peak: int) -> tuple[int, int]:
    """The bins around a peak in which a curve of its width is above a tenth of it."""
    weak = np.flatnonzero(strengths <= 0.5 * strengths[peak])
    width = int(np.min(np.abs(weak - peak)))
    reach = int(BAND * width)
    return max(1, peak - reach), min(len(strengths) - 1, peak + reach)


def _best_pair(spectrum: Spectrum, filtered: FloatArray, peak: int, rhythm: FloatArray) -> tuple[Any, ...]:
    """The pair that qualifies and has the clearest rhythm, its gap and how it turns; and what the pairs lack.

    One of a pair is the strongest component, the one whose rhythm it is.
    """
    none = ((-1, -1), 0.0, 0.0)
    count = min(CANDIDATES, filtered.shape[1])
    clear = [k for k in range(1, count) if min(rhythm[0], rhythm[k]) >= LEAST_RHYTHM]
    if not clear:
        told = ", ".join(f"{value:.2f}" for value in rhythm[:count])
        return *none, (f"no two components with a rhythm of {LEAST_RHYTHM:g} (they have {told})",)
    gaps = {k: float(np.angle(spectrum[peak, 0] / spectrum[peak, k])) for k in clear}
    apart = [k for k in clear if GAP[0] <= abs(gaps[k]) <= GAP[1]]
    if not apart:
        nearest = min(gaps.values(), key=lambda gap: abs(abs(gap) - np.pi / 2))
        return *none, (f"no two components 60 to 120 degrees apart (nearest {abs(np.degrees(nearest)):.0f})",)
    pure = band_passed(spectrum, peak - 1, peak + 1, len(filtered))
    ways = {k: (one_way_share(pure[:, [0, k]]), swept_share(filtered[:, [0, k]])) for k in apart}
    steady = [k for k in apart if ways[k][0] >= ONE_WAY and ways[k][1] >= SWEPT]
    if not steady:
        most = max(min(way[0], way[1]) for way in ways.values())
        return *none, (f"no pair of components turns one way (the best {100 * most:.0f} %)",)
    best = max(steady, key=lambda k: rhythm[k])
    return (0, best), gaps[best], ways[best][0], ()


def band_passed(spectrum: Spectrum, low: int, high: int, frames: int) -> FloatArray:
    """The signals of a spectrum, of the bins ``low`` to ``high`` alone (AGV-11)."""
    inside = np.zeros_like(spectrum)
    inside[max(low, 1) : high + 1] = spectrum[max(low, 1) : high + 1]
    return np.asarray(np.fft.irfft(inside, frames, axis=0), dtype=np.float64)


def one_way_share(pair: FloatArray) -> float:
    """The share of the frames in which two coordinates ``(F, 2)`` turn the way in which they turn on the whole."""
    angle = np.unwrap(np.arctan2(pair[:, 1], pair[:, 0]))
    steps = np.diff(angle)
    return float(np.mean(steps * np.sign(angle[-1] - angle[0]) > 0.0))


def swept_share(pair: FloatArray) -> float:
    """Of the area that two coordinates ``(F, 2)`` sweep about the middle, the net share: 1 if never to and fro."""
    areas = pair[:-1, 0] * pair[1:, 1] - pair[:-1, 1] * pair[1:, 0]
    return float(abs(areas.sum()) / max(float(np.abs(areas).sum()), 1e-300))
