"""From jump units to the model: straight lines in length and flight time, or the mean where jumps are few."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human._encoding import CHANNELS, MOVING, Encoding
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote.human.fitting._jump_cutting import JumpMaterial, gather_jumps
from locomote.human.fitting._jump_hierarchy import fit_hierarchy, is_enough
from locomote.human.fitting._jump_planting import even_stand, planted_parts, with_standing_ends
from locomote.human.fitting._material import told
from locomote.human.jumps import _timeline as timeline
from locomote.human.jumps._laws import SpeedLaw, fitted_law, line, lower_edge
from locomote.human.jumps._model import SIDES, JumpKind, JumpModel
from locomote.human.jumps._units import JumpUnit, mirrored, mirrored_pose
from locomote.human_skeleton import COMMON
from locomote.rotations import FloatArray

_log = logging.getLogger("locomote.fitting")

RIDGE = 0.5  # units' worth of doubt about every slope, whose regressors are scaled to variance 1
SUBJECT_POWER = 0.5  # a performer with n jumps weighs n to this power
LOOKED_AT = 3  # every third recorded pair of length and flight time tells where fitted feet creep
HOLD_TWO_FEET = 0.345  # recorded running jumps draw up both legs for a landing on two feet: the gait takes over here
ACKNOWLEDGEMENT = (
    "Fitted from the CMU Graphics Lab Motion Capture Database. The data used in this project was obtained from "
    "mocap.cs.cmu.edu. The database was created with funding from NSF EIA-0196217. The data is free for use in "
    "research and commercial projects worldwide; it may not be resold directly, even in converted form."
)
WIDEST_HAND = np.radians(75.0)  # of a captured wrist from its mean; more is the solver's fault

# Channels of hands and toes, the worst captured parts: they follow the mean jump.
_NOISY = [
    3 + 3 * k + axis
    for k, joint in enumerate(MOVING)
    if COMMON.names[joint].endswith(("Hand", "ToeBase"))
    for axis in range(3)
]
_HANDS = [k for k, joint in enumerate(MOVING) if COMMON.names[joint].endswith("Hand")]


def fit_jumps(material: str | Path | Sequence[JumpUnit], model: HumanModel, about: str = ACKNOWLEDGEMENT) -> JumpModel:
    """Fit the model of jumps to units, or to the listed recordings in a folder of recorded motion.

    Parameters
    ----------
    material : units, or the folder of recorded motion
    model : of walking, whose skeleton and standing pose jumps share
    about : recordings, acknowledgements, licence
    """
    found = JumpMaterial(tuple(material), ()) if not isinstance(material, (str, Path)) else gather_jumps(Path(material))
    units = found.units
    if not units:
        why = f": {told(found.skipped)}" if found.skipped else ""
        raise LocomoteError(f"no jump to fit, expected at least one{why}")
    for one in found.skipped:
        _log.warning("%s", one)
    kinds: dict[str, JumpKind] = {}
    refit: dict[str, SpeedLaw] = {}
    for name in dict.fromkeys(unit.kind for unit in units):
        mine = [unit for unit in units if unit.kind == name]
        if name == "standing":
            kinds[name] = fit_standing(mine, model.encoding, model.stand.mean(axis=0))
        elif is_enough([unit.subject for unit in mine]):
            kinds[name] = fit_lines(mine, model.encoding)
        else:
            kinds[name] = fit_mean(mine, model.encoding)
        if name != "standing" and len(mine) >= 3:
            refit["running" if name == "moving" else name] = _refit(mine)
    return JumpModel(kinds, model.centres, refit, about=about)


def fit_standing(units: Sequence[JumpUnit], encoding: Encoding, stand: FloatArray) -> JumpKind:
    """Every channel a plane over length and flight time, over the units and their mirror images.

    The jumps begin and end in the pose ``stand (CHANNELS,)``.
    """
    kind = standing_kind(units, mirrored_poses(units, encoding))
    terms = np.array([[1.0, unit.length, unit.flight] for unit in units])[::LOOKED_AT]
    parts = planted_parts(
        with_standing_ends(kind.parts[0], even_stand(stand, encoding)),
        kind.support,
        kind.landing,
        terms,
        encoding,
    )
    return replace(kind, parts=parts[None])


def mirrored_poses(units: Sequence[JumpUnit], encoding: Encoding) -> FloatArray:
    """Channels ``(n, SAMPLES, 2, CHANNELS)`` of units and of their mirror images."""
    return np.stack([np.stack([encoded(u, encoding), encoded(mirrored(u), encoding)], axis=1) for u in units])


def standing_kind(units: Sequence[JumpUnit], poses: FloatArray) -> JumpKind:
    """The fit of standing jumps whose channels are known; an image and its original share length and flight time."""
    weights = subject_weights(units)
    terms = np.array([[1.0, unit.length, unit.flight] for unit in units])
    even = poses.mean(axis=2)  # a plane through both is the plane through their means
    trust = [w * unit.trust for w, unit in zip(weights, units, strict=True)]
    parts = np.stack([planes(terms, even[:, s], shares) for s, shares in enumerate(np.transpose(trust))], axis=1)
    parts[0][:, _NOISY] = np.average(even[..., _NOISY], axis=0, weights=weights)
    parts[1:, :, _NOISY] = 0.0
    return _kind(units, weights, terms, parts[None])


def fit_mean(units: Sequence[JumpUnit], encoding: Encoding) -> JumpKind:
    """The mean of few one-foot jumps, all brought to the left take-off; the other side is its mirror image."""
    lefts = [unit if unit.side == "left" else mirrored(unit) for unit in units]
    weights = np.array([unit.weight for unit in units])
    root = np.average([unit.root for unit in lefts], axis=0, weights=weights)
    turns = rot.mean(np.stack([unit.rotations for unit in lefts]), weights[:, None, None])
    parts = np.zeros((2, 3, *encoding.encode(root, turns).shape))
    parts[0, 0] = encoding.encode(root, turns)
    parts[1, 0] = encoding.encode(*mirrored_pose(root, turns))
    terms = np.array([[1.0, unit.length, unit.flight] for unit in units])
    return _kind(units, weights, terms, parts, hold=HOLD_TWO_FEET, flat=True)


def fit_lines(units: Sequence[JumpUnit], encoding: Encoding) -> JumpKind:
    """The hierarchy of the source over one-foot jumps, flattened; durations are lines in length too (PCA-033)."""
    terms = np.array([[1.0, unit.length, 0.0] for unit in units])
    parts = np.zeros((2, 3, timeline.SAMPLES, CHANNELS))
    for k, side in enumerate(SIDES):
        turned = [unit if unit.side == side else mirrored(unit) for unit in units]
        poses = np.stack([encoded(unit, encoding) for unit in turned])
        parts[k, :2] = fit_hierarchy([u.subject for u in units], terms[:, 1], poses).flattened()
    weights = np.array([unit.weight for unit in units])
    terms[:, 2] = [unit.flight for unit in units]
    kind = _kind(units, weights, terms, parts)
    lengths = terms[:, 1]
    support, landing = (
        np.array([*line(lengths, np.array([getattr(unit, name) for unit in units]), weights), 0.0])
        for name in ("support", "landing")
    )
    return replace(kind, support=support, landing=landing)


def encoded(unit: JumpUnit, encoding: Encoding) -> FloatArray:
    """The channels ``(SAMPLES, CHANNELS)`` of a unit."""
    logs = rot.log(rot.multiply(rot.inverse(encoding.centres), unit.rotations[:, MOVING]))
    norms = np.linalg.norm(logs[:, _HANDS], axis=-1, keepdims=True)
    logs[:, _HANDS] *= np.minimum(1.0, WIDEST_HAND / np.maximum(norms, 1e-9))
    return np.concatenate([unit.root, logs.reshape(len(logs), -1)], axis=1)


def subject_weights(units: Sequence[JumpUnit]) -> FloatArray:
    """Weights ``(n,)`` with mean 1: those who jump often count less a jump."""
    names = [unit.subject for unit in units]
    weights = np.array([unit.weight * names.count(unit.subject) ** (SUBJECT_POWER - 1.0) for unit in units])
    out: FloatArray = weights / weights.mean()
    return out


def planes(terms: FloatArray, values: FloatArray, weights: FloatArray) -> FloatArray:
    """Coefficients ``(3, ...)`` of the ridge regression of ``values (n, ...)`` on ``terms (n, 3)``; the first is 1."""
    x = terms[:, 1:]
    centre = np.average(x, axis=0, weights=weights)
    scale = np.sqrt(np.average((x - centre) ** 2, axis=0, weights=weights))
    scale = np.where(scale > 1e-9, scale, 1.0)
    design = np.concatenate([np.ones((len(x), 1)), (x - centre) / scale], axis=1)
    normal = design.T @ (design * weights[:, None]) + RIDGE * np.diag([0.0, 1.0, 1.0])
    found = np.linalg.solve(normal, np.tensordot(design * weights[:, None], values, axes=(0, 0)).reshape(3, -1))
    slopes = found[1:] / scale[:, None]
    out = np.concatenate([found[:1] - (centre @ slopes)[None], slopes])
    return out.reshape(3, *values.shape[1:])


def _kind(
    units: Sequence[JumpUnit],
    weights: FloatArray,
    terms: FloatArray,
    parts: FloatArray,
    hold: float = 1.0,
    flat: bool = False,
) -> JumpKind:
    support, landing, speeds = (
        np.array([getattr(unit, name) for unit in units]) for name in ("support", "landing", "speed")
    )
    lengths, flights = terms[:, 1], terms[:, 2]
    mean = flat or len(units) < 6  # too few for a plane
    fitted = [
        np.array([np.average(d, weights=weights), 0.0, 0.0]) if mean else planes(terms, d, weights)
        for d in (support, landing)
    ]
    reach = lengths - speeds * flights
    return JumpKind(
        parts=parts,
        support=fitted[0],
        landing=fitted[1],
        lengths=(float(lengths.min()), float(lengths.max())),
        flights=(float(flights.min()), float(flights.max())),
        least_flight=lower_edge(lengths, flights),
        flight_law=line(lengths, flights, weights),
        reach=(float(np.average(reach, weights=weights)), 0.0) if mean else line(lengths, reach, weights),
        events=event_lines(units, weights),
        units=len(units),
        hold=hold,
    )


def event_lines(units: Sequence[JumpUnit], weights: FloatArray) -> dict[str, tuple[float, float]]:
    """For every event the line of its place over the length (PCA-071)."""
    lengths = np.array([unit.length for unit in units])
    return {name: line(lengths, np.array([unit.events[name] for unit in units]), weights) for name in units[0].events}


def _refit(units: Sequence[JumpUnit]) -> SpeedLaw:
    size = REFERENCE_HIP_HEIGHT / timeline.time_unit(REFERENCE_HIP_HEIGHT)
    lengths = np.array([unit.length for unit in units]) * REFERENCE_HIP_HEIGHT
    return fitted_law(lengths, np.array([unit.speed for unit in units]) * size)
