"""The account of a fit: what went in, what was turned down and why, and how good the result is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from locomote.human._encoding import Encoding, Validity
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote.human.fitting._cycles import Rejection, Unit
from locomote.human.fitting._gaits import GAITS
from locomote.human.fitting._material import Material, Skipped
from locomote.human.fitting._motion_space import balanced
from locomote.human.fitting._pca import ScaleCheck, guard
from locomote.human.fitting._stride import ball_path, slip
from locomote.math.components import smallest_count
from locomote.rotations import FloatArray

SHARES = (0.8, 0.9, 0.95, 0.97, 0.99)
SPEEDS = {"walk": (0.2, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5), "run": (1.5, 2.0, 3.0, 4.0, 5.0)}  # m/s


@dataclass(frozen=True)
class Stepping:
    """How the feet of all styles do at one speed."""

    gait: str
    speed: float  # m/s on the common skeleton
    cadence: float  # steps/min, mean over styles
    wander: float  # m, how far a ball joint moves in stance: mean over styles
    most_wander: float  # m, of the worst style
    drift: float  # m, net in stance, of the worst style


@dataclass(frozen=True, eq=False)
class FitReport:
    """Figures of a fit; `text` prints them."""

    cycles: dict[tuple[str, str], int]  # (performer, gait) to the number of cycles used
    rejections: tuple[Rejection, ...]
    skipped: tuple[Skipped, ...]  # clips and performers that gave nothing
    guard: ScaleCheck
    validity: Validity
    cadence_ratios: dict[tuple[str, str], float]  # (performer, gait): synthesised over recorded cadence, mean
    stepping: tuple[Stepping, ...]

    @property
    def counts(self) -> dict[float, int]:
        """The number of components of the recorded cycles that keep a share of their variance."""
        return {share: smallest_count(self.guard.covariance, share) for share in SHARES}

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader should look at."""
        return self.guard.warnings

    def reasons(self) -> dict[str, int]:
        """How many candidates were turned down, by reason, the most frequent first."""
        return dict(Counter(re.sub(r"[\d.]+", "…", r.reason) for r in self.rejections).most_common())

    def text(self) -> str:
        """The report as plain lines."""
        lines = [f"{sum(self.cycles.values())} cycles of {len({name for name, _ in self.cycles})} performers"]
        lines += [f"  {name}, {gait}: {count}" for (name, gait), count in self.cycles.items()]
        lines.append(f"{len(self.rejections)} candidates turned down")
        lines += [f"  {reason}: {count}" for reason, count in self.reasons().items()]
        lines += [str(one) for one in self.skipped]
        lines.append("components for a share of the variance of the recorded cycles")
        lines += [f"  {share:.0%}: {count}" for share, count in self.counts.items()]
        longest, widest = np.unravel_index(np.argmax(self.validity.norms), self.validity.norms.shape)
        lines.append(
            f"longest rotation vector: {self.validity.norms.max():.2f} rad "
            f"({self.validity.joints[widest]}, sample {longest})"
        )
        lines.append("speed, cadence, wander of the ball in stance (mean, worst style), drift (worst style)")
        lines += [
            f"  {s.gait} {s.speed:g} m/s: {s.cadence:.0f} steps/min, {100 * s.wander:.1f} and "
            f"{100 * s.most_wander:.1f} cm, {100 * s.drift:.1f} cm"
            for s in self.stepping
        ]
        lines.append("synthesised over recorded cadence")
        lines += [f"  {name}, {gait}: {ratio:.3f}" for (name, gait), ratio in self.cadence_ratios.items()]
        lines += [f"warning: {warning}" for warning in self.warnings]
        return "\n".join(lines)


def report_of(
    material: Material,
    units: Sequence[Unit],
    vectors: FloatArray,
    encoding: Encoding,
    styles: dict[str, str],
    model: HumanModel,
) -> FitReport:
    """Measure a fit on the cycles it was made from."""
    subjects, gaits = [u.subject for u in units], [u.gait for u in units]
    speeds = np.array([u.normal_speed for u in units])
    rows = balanced(subjects, gaits, speeds)
    return FitReport(
        cycles=dict(sorted(Counter(zip(subjects, gaits, strict=True)).items())),
        rejections=material.rejections,
        skipped=material.skipped,
        guard=guard(vectors[rows]),
        validity=encoding.validity([units[i] for i in rows]),
        cadence_ratios=_cadence_ratios(units, styles, model),
        stepping=tuple(_stepping(model, gait, s) for gait in GAITS for s in SPEEDS[gait]),
    )


def _cadence_ratios(units: Sequence[Unit], styles: dict[str, str], model: HumanModel) -> dict[tuple[str, str], float]:
    ratios: dict[tuple[str, str], list[float]] = {}
    for unit in units:
        if unit.subject not in styles:
            continue
        k, g = model.style_index(styles[unit.subject]), GAITS.index(unit.gait)
        frequency = float(np.interp(unit.normal_speed, model.frequency_speeds, model.frequency[k, g]))
        ratios.setdefault((unit.subject, unit.gait), []).append(frequency * unit.duration)
    return {key: float(np.mean(values)) for key, values in sorted(ratios.items())}


def _stepping(model: HumanModel, gait: str, speed: float) -> Stepping:
    g, size = GAITS.index(gait), REFERENCE_HIP_HEIGHT
    wander, drift, cadence = [], [], []
    for k in range(len(model.styles)):
        alone = np.eye(len(model.styles))[k]
        frequency = model.cycles_per_second(speed / size, float(g), alone)
        balls = ball_path(*model.encoding.decode(model.unit(speed, float(g), alone)))
        moved = slip(balls, gait, speed / size / frequency)
        wander.append(size * moved[0])
        drift.append(size * moved[1])
        cadence.append(120.0 * frequency)
    return Stepping(gait, speed, float(np.mean(cadence)), float(np.mean(wander)), max(wander), max(drift))
