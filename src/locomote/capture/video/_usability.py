"""Whether a film shows a gait: rhythm in its components, two of them a quarter of a turn apart (AGV-10, AGV-11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.rotations import ArrayLike, FloatArray

Spectrum = npt.NDArray[np.complex128]

BAND = 3.0  # half the band around the rhythm, in distances to where its peak has fallen to a half
LEAST_RHYTHM = 0.6  # correlation of a component with what of it is in the band
GAP = np.radians([60.0, 120.0])  # between the two components of a pair
LEAST_CYCLES = 2
ONE_WAY = 0.85  # share of the frames in which a pair must turn the same way, at its rhythm alone
SWEPT = 0.6  # of the area that it sweeps in the whole band, what must be swept that way
CANDIDATES = 5  # components among which a pair is sought
MIXED = 8  # components that mixtures are made of
LEAST_ROUND = 0.2  # a quarter of a cycle later images differ so much at least, of what they differ at its ends


@dataclass(frozen=True, eq=False)
class Usability:
    """What the rhythm of some coordinates says about a film.

    Parameters
    ----------
    cycles : bin of the strongest frequency of the first coordinate: cycles of silhouettes in the clip
    band : (2,) bins, the first and the last that belong to the rhythm
    correlations : (c,) of each coordinate with what of it is in the band
    pair : the two components that go round, or the largest part of each of two mixtures of them; -1 for none
    mixture : (c, 2) what of each coordinate is in the two that go round; all of one where a pair does by itself
    gap : rad, how far the second one of the pair is behind the first
    one_way : share of the frames in which the pair turns as it does on the whole
    filtered : (F, c) what of each coordinate is in the band
    why : what is missing, one line each; empty for a gait
    """

    cycles: int
    band: tuple[int, int]
    correlations: FloatArray
    pair: tuple[int, int]
    mixture: FloatArray
    gap: float
    one_way: float
    filtered: FloatArray
    why: tuple[str, ...]

    @property
    def accepted(self) -> bool:
        """Whether this is a gait."""
        return not self.why

    @property
    def round(self) -> FloatArray:
        """What goes round, in the band of the rhythm alone: the pair, or two mixtures of components, ``(F, 2)``."""
        return np.asarray(self.filtered @ self.mixture)

    @property
    def is_mixed(self) -> bool:
        """Whether no two components go round by themselves, but mixtures of them do."""
        return bool(np.any(np.count_nonzero(self.mixture, axis=0) > 1))

    def require(self) -> None:
        """Refuse what is no gait, in one line."""
        if self.why:
            raise LocomoteError(f"no steady gait in this film: {'; '.join(self.why)}; try strokes, or other frames")


class _Pair(NamedTuple):
    """What goes round, and what speaks against it."""

    mixture: FloatArray
    gap: float
    one_way: float
    missing: tuple[str, ...] = ()


def usability(coordinates: ArrayLike, sizes: ArrayLike | None = None) -> Usability:
    """Judge the rhythm of a clip.

    Parameters
    ----------
    coordinates : (F, c) of its images, the most important first, with mean 0 and variance 1
    sizes : (c,) how much of an image each stands for, such as its standard deviation before it was made 1; all alike
        unless given
    """
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
    large = np.ones(seen.shape[1]) if sizes is None else np.asarray(sizes, dtype=np.float64)
    found = _best_pair(spectrum, filtered, peak, rhythm, large)
    most = np.argmax(np.abs(found.mixture), axis=0) if np.any(found.mixture) else np.array([-1, -1])
    pair = int(most[0]), int(most[1])
    told = (found.mixture, found.gap, found.one_way, filtered, (*why, *found.missing))
    return Usability(peak, (low, high), rhythm, pair, *told)


def _band(strengths: FloatArray, peak: int) -> tuple[int, int]:
    """The bins around a peak in which a curve of its width is above a tenth of it."""
    weak = np.flatnonzero(strengths <= 0.5 * strengths[peak])
    width = int(np.min(np.abs(weak - peak)))
    reach = int(BAND * width)
    return max(1, peak - reach), min(len(strengths) - 1, peak + reach)


def _best_pair(spectrum: Spectrum, filtered: FloatArray, peak: int, rhythm: FloatArray, sizes: FloatArray) -> _Pair:
    """Two components that go round, else two mixtures of them, else what the components lack."""
    pure = _clearest_pair(spectrum, filtered, peak, rhythm)
    mixed = _unmixed(spectrum, filtered, peak, sizes) if pure.missing else None
    return pure if mixed is None else mixed


def _clearest_pair(spectrum: Spectrum, filtered: FloatArray, peak: int, rhythm: FloatArray) -> _Pair:
    """The pair that qualifies and has the clearest rhythm, its gap and how it turns; and what the pairs lack.

    One of a pair is the strongest component, the one whose rhythm it is.
    """
    coordinates = filtered.shape[1]
    count = min(CANDIDATES, coordinates)
    clear = [k for k in range(1, count) if min(rhythm[0], rhythm[k]) >= LEAST_RHYTHM]
    if not clear:
        told = ", ".join(f"{value:.2f}" for value in rhythm[:count])
        missing = f"no two components with a rhythm of {LEAST_RHYTHM:g} (they have {told}), nor mixtures of them"
        return _Pair(np.zeros((coordinates, 2)), 0.0, 0.0, (missing,))
    gaps = {k: float(np.angle(spectrum[peak, 0] / spectrum[peak, k])) for k in clear}
    apart = [k for k in clear if GAP[0] <= abs(gaps[k]) <= GAP[1]]
    if not apart:
        nearest = min(gaps.values(), key=lambda gap: abs(abs(gap) - np.pi / 2))
        missing = f"no two components 60 to 120 degrees apart (nearest {abs(np.degrees(nearest)):.0f})"
        return _Pair(np.zeros((coordinates, 2)), 0.0, 0.0, (missing,))
    pure = band_passed(spectrum, peak - 1, peak + 1, len(filtered))
    ways = {k: (one_way_share(pure[:, [0, k]]), swept_share(filtered[:, [0, k]])) for k in apart}
    steady = [k for k in apart if ways[k][0] >= ONE_WAY and ways[k][1] >= SWEPT]
    if not steady:
        most = max(min(way[0], way[1]) for way in ways.values())
        missing = f"no pair of components turns one way (the best {100 * most:.0f} %)"
        return _Pair(np.zeros((coordinates, 2)), 0.0, 0.0, (missing,))
    best = max(steady, key=lambda k: rhythm[k])
    return _Pair(np.eye(coordinates)[:, [0, best]], gaps[best], ways[best][0])


def _unmixed(spectrum: Spectrum, filtered: FloatArray, peak: int, sizes: FloatArray) -> _Pair | None:
    """Two mixtures of the components that go round, where no two of these do by themselves.

    In a gallop the second half of the change at the rhythm and that at twice the rhythm may be about as large, and
    principal components, which know of no time, hold both of them mixed. Of all mixtures of the first components the
    two with most of their variance in the band are looked at. To and fro, a tail has one such mixture and no second
    one a quarter of a cycle behind it, so that nothing goes round in its images either.
    """
    frames, coordinates = filtered.shape
    count = min(MIXED, coordinates)
    if count < 2:
        return None
    # Coordinates have variance 1 and no correlation: what of a mixture is in the band is a square over this matrix.
    shares, ways = np.linalg.eigh(filtered[:, :count].T @ filtered[:, :count] / frames)
    mixture = np.zeros((coordinates, 2))
    mixture[:count] = ways[:, [-1, -2]]
    if np.sqrt(max(float(shares[-2]), 0.0)) < LEAST_RHYTHM:
        return None
    beat = sizes * spectrum[peak]
    long, short = np.linalg.svd(np.stack([beat.real, beat.imag]), compute_uv=False)
    if short < LEAST_ROUND * long:
        return None
    both = spectrum[peak] @ mixture
    gap = float(np.angle(both[0] / both[1]))
    one_way = one_way_share(band_passed(spectrum, peak - 1, peak + 1, frames) @ mixture)
    swept = swept_share(filtered @ mixture)
    if not GAP[0] <= abs(gap) <= GAP[1] or one_way < ONE_WAY or swept < SWEPT:
        return None
    return _Pair(mixture, gap, one_way)


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
