"""Would a body be able to do this?"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from locomote.physics._forces import ContactForces

_RESIDUAL = 0.1  # body weights that are missing in the mean, above which a motion is told of
_RESIDUAL_PEAK = 0.75
_AT_LIMIT = 0.98  # of the friction that was allowed
_SLIPS = 0.05  # of the frames of standing feet
_FORCE_PEAK = 5.0  # body weights on one foot; sprinters have up to five
_TORQUE_PEAK = 6.0  # N m a kilogram at one joint; more than grown people put out at any
_EFFORT = 9.0  # N m a kilogram at all joints together; twice what people have in the mean who run at 5 m/s
_EDGE = 0.05  # s at either end, where accelerations are guessed
_PERCENTILE = 99.0  # of what is called a peak, so that one bad frame is none


@dataclass(frozen=True)
class Plausibility:
    """Figures that say whether a motion is possible. Made by `ContactForces.plausibility`."""

    residual: float  # body weights in the mean that no contact can give
    residual_peak: float
    flight_residual: float  # the same while nothing stands; 0 where something always does
    residual_moment: float  # N m a kilogram in the mean
    force_peak: float  # body weights on one foot
    friction_peak: float  # force along the ground over force on it
    slipping: float  # of the frames of standing feet, with all the friction that was allowed
    torque_peak: float  # N m a kilogram
    strained: str  # the joint that has it
    effort: float  # N m a kilogram: the root of the squares of all torques, summed over joints, in the mean over time
    worst_frame: int
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """All figures by name."""
        return asdict(self)


def plausibility(found: ContactForces) -> Plausibility:
    """What the forces of a motion say of it."""
    frames = np.arange(len(found))
    edge = min(round(_EDGE * found.fps), (len(frames) - 1) // 2)
    inner = (frames >= edge) & (frames < len(frames) - edge)
    mass, weight = found.masses.total, found.weight
    missing = np.linalg.norm(found.residual[:, :3], axis=1) / weight
    stands = found.stands
    flies = inner & ~stands.any(axis=1)
    pressed = stands & inner[:, None]
    torques = np.linalg.norm(found.torques, axis=2)[inner] / mass
    joint = int(np.argmax(np.percentile(torques, _PERCENTILE, axis=0)))
    friction = found.friction[pressed]
    out = Plausibility(
        residual=float(missing[inner].mean()),
        residual_peak=float(np.percentile(missing[inner], _PERCENTILE)),
        flight_residual=float(missing[flies].mean()) if flies.any() else 0.0,
        residual_moment=float(np.linalg.norm(found.residual[inner, 3:], axis=1).mean() / mass),
        force_peak=float(np.percentile(np.linalg.norm(found.force[inner], axis=2).max(axis=1) / weight, _PERCENTILE)),
        friction_peak=float(np.percentile(friction, _PERCENTILE)) if len(friction) else 0.0,
        slipping=float(np.mean(friction > _AT_LIMIT * found.limit)) if len(friction) else 0.0,
        torque_peak=float(np.percentile(torques[:, joint], _PERCENTILE)),
        strained=found.skeleton.names[joint],
        effort=float(np.sqrt(found.effort[inner].mean()) / mass),
        worst_frame=int(frames[inner][np.argmax(missing[inner])]),
    )
    return replace(out, warnings=tuple(_warnings(out, found)))


def _warnings(figures: Plausibility, found: ContactForces) -> list[str]:
    """One line for everything that no body could do."""
    out = []
    at = f"worst at {figures.worst_frame / found.fps:.2f} s"
    if figures.residual > _RESIDUAL or figures.residual_peak > _RESIDUAL_PEAK:
        lacks = f"{figures.residual:.2f} in the mean, {figures.residual_peak:.2f} at its peak"
        out.append(f"no contact can give what it needs: {lacks} body weights are missing, {at}")
    if figures.flight_residual > _RESIDUAL:
        out.append(f"flight is not ballistic: {figures.flight_residual:.2f} body weights push a body in the air")
    if figures.slipping > _SLIPS:
        out.append(f"feet would slip in {100.0 * figures.slipping:.0f} % of their frames at friction {found.limit:g}")
    if figures.force_peak > _FORCE_PEAK:
        out.append(f"{figures.force_peak:.1f} body weights on one foot")
    if figures.torque_peak > _TORQUE_PEAK:
        out.append(f"{figures.torque_peak:.1f} N m/kg at {figures.strained}: more than joints put out")
    if figures.effort > _EFFORT:
        out.append(f"{figures.effort:.1f} N m/kg at all joints together in the mean: more than a body keeps up")
    return out
