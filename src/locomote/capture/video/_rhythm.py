"""What a film of an animal says about its gait: components, rhythm, phase and cycles, or why it is of no use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from locomote.capture.video._components import ImageComponents, image_components
from locomote.capture.video._phase import silhouette_period, track_phase
from locomote.capture.video._usability import MIXED, Usability, usability
from locomote.capture.video._windows import Windows, cut_out
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

BLUR = 0.03  # of the width of a window: edges that just do not overlap are alike, too
FEWEST = 10  # frames
CORE = 0.55  # of the deepest place of a silhouette: what is so deep is trunk, not legs
LOW = 0.4  # of the height of all silhouettes together: what is so low is legs
LEAST_LEGS = 0.16  # of all that changes, what must change there, in front and behind alike
PITCH = np.radians(3.6)  # to and fro, once a cycle of silhouettes: from here on a trunk pitches as in gallops


@dataclass(frozen=True, eq=False)
class Rhythm:
    """The gait of a film.

    Parameters
    ----------
    windows : the silhouettes, cut out
    components : their principal components
    usability : whether they go round as those of gaits do
    silhouette_phase : (F,) turns of the cycle of silhouettes
    symmetric : whether silhouettes come twice in a cycle of the legs, as in walks and trots
    pitch : rad by which the trunk pitches with them, to either side
    fps : frames a second of the film
    """

    windows: Windows
    components: ImageComponents
    usability: Usability
    silhouette_phase: FloatArray
    symmetric: bool
    pitch: float
    fps: float

    def __len__(self) -> int:
        return len(self.silhouette_phase)

    @property
    def accepted(self) -> bool:
        """Whether this is a gait."""
        return self.usability.accepted

    @property
    def phase(self) -> FloatArray:
        """The phase of every frame ``(F,)``, turns of the cycle of the legs; it never goes back."""
        return self.silhouette_phase / 2.0 if self.symmetric else self.silhouette_phase

    @property
    def cycles(self) -> float:
        """How many cycles of the legs the film shows."""
        return float(self.phase[-1] - self.phase[0])

    def times(self, phases: FloatArray) -> FloatArray:
        """When a phase is reached, s from the first frame; NaN beyond the film."""
        out: FloatArray = np.interp(phases, self.phase, np.arange(len(self)), left=np.nan, right=np.nan)
        return out / self.fps

    def cycle_durations(self) -> FloatArray:
        """How long the cycle lasts that begins at each frame ``(F,)``, s; NaN where the film ends before it does."""
        return self.times(self.phase + 1.0) - np.arange(len(self)) / self.fps

    @cached_property
    def period(self) -> float:
        """How long a cycle lasts, s: the pace of the whole film."""
        frames = np.arange(len(self))
        return float(1.0 / (np.polyfit(frames, self.phase, 1)[0] * self.fps))

    def report(self) -> str:
        """In a few lines what a user wants to know."""
        kind = "symmetric: silhouettes come twice a cycle" if self.symmetric else "silhouettes come once a cycle"
        verdict = "a gait" if self.accepted else f"no gait: {'; '.join(self.usability.why)}"
        first, second = self.usability.pair
        round_ = f"mixtures of PC1 to PC{MIXED}" if self.usability.is_mixed else f"PC{first + 1} and PC{second + 1}"
        pair = f", {round_} go round" if self.accepted else ""
        return "\n".join(
            (
                f"{len(self)} frames at {self.fps:g} a second: {verdict}",
                f"variance: {self.components.report()}{pair}",
                f"cycle {self.period:.3f} s, {self.cycles:.1f} of them; {kind}, "
                f"the trunk pitches {np.degrees(self.pitch):.1f} degrees",
            )
        )


def watch(masks: npt.ArrayLike | Windows, fps: float, symmetric: bool | None = None) -> Rhythm:
    """Find the gait in the silhouettes of an animal that is seen from the side.

    Parameters
    ----------
    masks : (F, H, W) of any making, or windows that were cut out
    fps : frames a second
    symmetric : whether the left legs do what the right ones do half a cycle later (walk, trot, pace), so that each
        silhouette comes twice; told by how much the trunk pitches unless given
    """
    if not (np.isfinite(fps) and fps > 0.0):
        raise LocomoteError(f"fps {fps}: expected frames a second, more than 0")
    windows = masks if isinstance(masks, Windows) else cut_out(masks)
    if len(windows) < FEWEST:
        raise LocomoteError(f"{len(windows)} frames are too few: two cycles are needed, {FEWEST} frames at the least")
    components = image_components(_blurred(windows.images))
    judged = usability(components.scores, components.spread)
    seen = components.scores * components.spread
    period = silhouette_period(seen)
    if period == 0.0:
        judged = replace(judged, why=(*judged.why, "no silhouette comes again later"))
        period = len(windows) / max(judged.cycles, 1)
    legs = _moving_legs(windows.images)
    if legs < LEAST_LEGS:
        told = f"{100 * legs:.0f} % of what changes"
        judged = replace(
            judged, why=(*judged.why, f"no legs that step in front and behind (there is {told} at one end)")
        )
    phase = track_phase(seen, period)
    pitch = _pitching(windows.images, phase)
    halves = pitch < PITCH if symmetric is None else symmetric
    return Rhythm(windows, components, judged, phase, halves, pitch, float(fps))


def _blurred(images: FloatArray) -> FloatArray:
    from scipy.ndimage import gaussian_filter

    width = BLUR * images.shape[2]
    out: FloatArray = gaussian_filter(images, (0.0, width, width))
    return out


def _moving_legs(images: FloatArray) -> float:
    """The share of all change that is low down, in the half of the body that has less of it."""
    mean, change = images.mean(axis=0), images.var(axis=0)
    rows = np.flatnonzero(mean.max(axis=1) > 0.05)
    first = int(rows[-1] + 1 - LOW * (rows[-1] + 1 - rows[0]))
    middle = round(float(np.average(np.arange(mean.shape[1]), weights=mean.sum(axis=0))))
    halves = change[first:, :middle].sum(), change[first:, middle:].sum()
    return float(min(halves) / change.sum())


def _pitching(images: FloatArray, phase: FloatArray) -> float:
    """By how much the deep part of the silhouettes tilts to and fro with their phase, rad."""
    from scipy.ndimage import distance_transform_edt

    tilts = np.zeros(len(images))
    for f, image in enumerate(images):
        depth = distance_transform_edt(image > 0.5)
        rows, columns = np.nonzero(depth >= CORE * depth.max())
        if len(rows) > 2:
            (xx, xy), (_, yy) = np.cov(columns, rows)
            tilts[f] = 0.5 * np.arctan2(2.0 * xy, xx - yy)
    angle = 2.0 * np.pi * phase
    waves = np.stack([np.ones_like(angle), np.cos(angle), np.sin(angle)], axis=1)
    found = np.linalg.lstsq(waves, tilts, rcond=None)[0]
    return float(np.hypot(found[1], found[2]))
