"""New performers in a model that is already fitted: one cycle is enough (PCA-024)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.human._encoding import CHANNELS, MOVING, channel_weights
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote.human.fitting._cycles import Unit
from locomote.human.fitting._footplants import with_footplants
from locomote.human.fitting._gaits import BORROWED, GAITS
from locomote.human.fitting._pooling import Person, Pooled, curve_basis, cycle_weights
from locomote.human.fitting._shaping import timed_model
from locomote.human.fitting._standing import Stand, on_both_soles
from locomote.human_skeleton import COMMON
from locomote.rotations import FloatArray

# How much of what the posterior leaves over varies from clip to clip of a person, beside what is theirs in all: without
# it the chance movements of a few clips would be copied at every speed.
CHANCE = 0.4
UPPER_BODY_SHARE = 0.5  # of a performer's carriage in walking that their assumed standing pose takes on
CARRIAGE_SPEED = 1.0  # m/s
LEAST_EFFECT = 1e-9  # variance of the components that belong to one added style: nobody else has them
LOWER_BODY = ("Hips", "UpLeg", "Leg", "Foot", "ToeBase")


def add_style(model: HumanModel, units: Sequence[Unit], name: str, *, stand: Stand | None = None) -> HumanModel:
    """The model with one more style, from one or more cycles of ONE performer as `material_of` gives them.

    Offset and slope are what is most likely after these cycles; what the motion space cannot show of them becomes a
    component of its own. A gait that the performer does not show is borrowed from the other.

    Parameters
    ----------
    model : fitted with performers
    units : cycles of the performer
    name : of the style
    stand : how the performer stands; inferred from the walk without it
    """
    if name in model.styles:
        raise LocomoteError(f"style {name!r} is there already")
    if not units:
        raise LocomoteError(f"style {name!r}: expected at least one cycle")
    if model.effects.shape[1] != len(model.basis):
        raise LocomoteError("this model takes no more performers: it does not say how much they vary")
    people = {gait: _person(model, [u for u in units if u.gait == gait], g) for g, gait in enumerate(GAITS)}
    parts = len(model.basis)
    offset, slope, ranges = np.zeros((2, parts)), np.zeros((2, parts)), np.zeros((2, 2))
    residual = np.zeros((2, *model.mean.shape))
    for g, gait in enumerate(GAITS):
        known = people[gait]
        if known is None:
            other = people[GAITS[1 - g]]
            assert other is not None  # there are units, so there is one of the two
            offset[g] = BORROWED[gait] * other[0].offset
            residual[g] = BORROWED[gait] * other[1]
            ranges[g] = model.gait_centre[g]
        else:
            person, residual[g] = known
            offset[g], slope[g], ranges[g] = person.offset, person.slope, (person.slowest, person.fastest)
    wider = _widened(model, residual, offset, slope, ranges, name)
    if stand is None:
        pose = assumed_stand(wider, len(model.styles), model.stand.mean(axis=0))
    else:
        pose = model.encoding.encode(stand.root[None], stand.rotations[None])[0]
    return with_footplants(timed_model(replace(wider, stand=np.concatenate([model.stand, pose[None]]))))


def assumed_stand(model: HumanModel, style: int, usual: FloatArray) -> FloatArray:
    """A standing pose ``(C,)`` for a style that never stood: the usual one, in the carriage of its walk."""
    mean = model.mean.mean(axis=0) + model.coordinates(0, CARRIAGE_SPEED) @ model.basis.mean(axis=1)
    own = np.where(_upper_body(), mean[style] - mean.mean(axis=0), 0.0)
    root, turns = model.encoding.decode((usual + UPPER_BODY_SHARE * own)[None])
    stand = on_both_soles(root[0], turns[0])
    out: FloatArray = model.encoding.encode(stand.root[None], stand.rotations[None])[0]
    return out


def _person(model: HumanModel, units: Sequence[Unit], g: int) -> tuple[Person, FloatArray] | None:
    """Offset and slope after these cycles, and the mean ``(S, C)`` of what they leave over."""
    if not units:
        return None
    functions = curve_basis(GAITS[g], 1.0).shape[-1]
    curve = model.curve[g, :functions]
    pooled = Pooled(GAITS[g], float(model.gait_centre[g]), curve, model.effects[g], model.noise[g])
    speeds = np.array([unit.normal_speed * REFERENCE_HIP_HEIGHT for unit in units])
    cycles = np.stack([model.encoding.encode(unit.root, unit.rotations) for unit in units])
    weighted = (model.basis * channel_weights()).reshape(len(model.basis), -1)
    away = ((cycles - model.mean) * channel_weights()).reshape(len(units), -1)
    scores = np.asarray(np.linalg.lstsq(weighted.T, away.T, rcond=None)[0].T, dtype=np.float64)
    weights = cycle_weights([unit.clip for unit in units])
    person = pooled.person(speeds, scores, weights)
    fitted = model.mean + np.tensordot(pooled.coordinates(person, speeds), model.basis, axes=1)
    left: FloatArray = np.average(cycles - fitted, axis=0, weights=weights)
    clips = len({unit.clip for unit in units})
    return person, clips / (clips + CHANCE) * left


def _widened(
    model: HumanModel,
    residual: FloatArray,
    offset: FloatArray,
    slope: FloatArray,
    ranges: FloatArray,
    name: str,
) -> HumanModel:
    """The model with a row for the new style and one component for its residual in each gait."""

    def wide(values: FloatArray, fill: float = 0.0) -> FloatArray:
        pad = [(0, 0)] * (values.ndim - 1) + [(0, 2)]
        return np.pad(values, pad, constant_values=fill)

    own = wide(offset)
    own[[0, 1], [-2, -1]] = 1.0
    effects = np.concatenate([model.effects, np.tile(LEAST_EFFECT * np.eye(2), (2, 2, 1, 1))], axis=1)
    return replace(
        model,
        styles=(*model.styles, name),
        basis=np.concatenate([model.basis, residual]),
        curve=wide(model.curve),
        offset=np.concatenate([wide(model.offset), own[None]]),
        slope=np.concatenate([wide(model.slope), wide(slope)[None]]),
        ranges=np.concatenate([model.ranges, ranges[None]]),
        frequency=np.concatenate([model.frequency, model.frequency[:1]]),
        effects=effects,
        noise=wide(model.noise, 1.0),
    )


def _upper_body() -> npt.NDArray[np.bool_]:
    upper = [not COMMON.names[joint].endswith(LOWER_BODY) for joint in MOVING]
    return np.concatenate([np.zeros(CHANNELS - 3 * len(upper), dtype=bool), np.repeat(upper, 3)])
