"""From recorded clips to the model: import, clean, cut, close, calibrate, encode, analyse, pool, time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from locomote.errors import LocomoteError
from locomote.human._encoding import CHANNELS, Encoding, channel_weights
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote.human.fitting._corpus import Corpus
from locomote.human.fitting._cycles import SAMPLES, Unit
from locomote.human.fitting._footplants import with_footplants
from locomote.human.fitting._gaits import GAITS, Gaits, gather, lengthening, recorded_strides, with_strides
from locomote.human.fitting._material import Material, Progress, Skipped, gather_material, told
from locomote.human.fitting._motion_space import Gait, fit_gaits, motion_space
from locomote.human.fitting._performers import assumed_stand
from locomote.human.fitting._report import FitReport, report_of
from locomote.human.fitting._shaping import model_paths, planted_model, timed_model
from locomote.human.fitting._standing import Stand
from locomote.math.components import Components
from locomote.rotations import FloatArray

# Below these speeds (m/s on the common skeleton) a gait shrinks to standing. Slower walks shape it all the same, but
# not alone: there arms swing so little that their time against the legs, fitted by itself, is anything.
SLOWEST = (0.85, 1.5)
SLOWEST_USED = 0.6  # m/s; slower walks are not in the fit
# The source shrinks with the power 0.4. Measured on the fitted walk, 0.5 gives the cadence of real slow walking
# (42 steps/min at 0.2 m/s, 66 at 0.5): with 0.4 the steps stay too long and their rhythm too slow.
EXPONENT = 0.5
SHAPING_ROUNDS = 3
SPEED_LIMITS = ((0.0, 2.5), (1.5, 5.5))  # m/s
FREQUENCY_SPEEDS = np.linspace(0.0, 7.0, 57)  # hip heights a second


@dataclass(frozen=True, eq=False)
class FitResult:
    """The model and the account of how it came about."""

    model: HumanModel
    report: FitReport


def fit(corpus: Corpus, *, progress: Progress | None = None) -> FitResult:
    """Fit the model of human walking and running to a corpus.

    Parameters
    ----------
    corpus : the clips
    progress : called with the share done, 0 to 1, and what is being done
    """
    tell = progress or (lambda share, work: None)
    material = gather_material(corpus, progress=lambda share, work: tell(0.9 * share, work))
    tell(0.9, "fitting")
    styles = {p.name: p.style for p in corpus.performers if p.style is not None}
    result = fit_material(material, styles, corpus.acknowledgements())
    tell(1.0, "done")
    return result


def fit_material(material: Material, styles: dict[str, str], about: str = "") -> FitResult:
    """The fit proper. ``styles`` names the performers that are in the model, performer to style.

    Performers who gave no cycle that can be used are left out, and the report says so.
    """
    units = [u for u in material.units if u.gait == "run" or common_speed(u) >= SLOWEST_USED]
    known = {u.subject for u in units}
    _check(units, material)
    slow = sorted({u.subject for u in material.units} - known)
    skipped = [Skipped(f"performer {name!r}", f"no cycle faster than {SLOWEST_USED:g} m/s") for name in slow]
    styles = {name: style for name, style in styles.items() if name in known}
    performers = list(styles)
    subjects, clips, gaits = ([getattr(u, f) for u in units] for f in ("subject", "clip", "gait"))
    speeds = np.array([common_speed(u) for u in units])
    encoding = Encoding.of(units)
    vectors = np.stack([encoding.encode(u.root, u.rotations).ravel() for u in units]) * _weights()
    components = motion_space(subjects, clips, gaits, speeds, vectors)
    scores = components.scores(vectors)
    fitted = fit_gaits(subjects, clips, gaits, speeds, scores)
    paths = np.array([u.normal_speed * u.duration for u in units])
    strides = recorded_strides(subjects, clips, gaits, speeds, paths)

    directions = lengthening(subjects, gaits, scores, paths)
    shaped = gather(fitted, performers)
    mean, basis = _unweighted(components)
    model = HumanModel(
        styles=tuple(styles.values()),
        centres=encoding.centres,
        mean=mean,
        basis=basis,
        curve=shaped.curve,
        gait_centre=shaped.centre,
        offset=shaped.offset,
        slope=shaped.slope,
        ranges=shaped.ranges,
        slowest=np.array(SLOWEST),
        exponent=EXPONENT,
        stand=np.zeros((len(performers), CHANNELS)),
        frequency_speeds=FREQUENCY_SPEEDS,
        frequency=np.zeros((len(performers), 2, len(FREQUENCY_SPEEDS))),
        footplants=np.zeros((len(performers), 2, len(FREQUENCY_SPEEDS), 6, 2)),
        speed_limits=np.array(SPEED_LIMITS),
        about=about,
        effects=np.stack([fitted[gait][0].effects for gait in GAITS]),
        noise=np.stack([fitted[gait][0].noise for gait in GAITS]),
    )
    model = _with_stands(model, material.stands, performers)
    for _ in range(SHAPING_ROUNDS):  # holding the feet changes the stride a little, and the other way round
        model = _with_strides(planted_model(model), strides, directions, performers)
    model = with_footplants(timed_model(model))
    material = replace(material, skipped=(*material.skipped, *skipped))
    return FitResult(model, report_of(material, units, vectors, encoding, styles, model))


def common_speed(unit: Unit) -> float:
    """The speed of a unit on the common skeleton, m/s."""
    return unit.normal_speed * REFERENCE_HIP_HEIGHT


def _check(units: Sequence[Unit], material: Material) -> None:
    """Refuse what is too little for a whole fit, and say in one message all that is missing."""
    missing = []
    for gait in GAITS:
        names = sorted({u.subject for u in units if u.gait == gait})
        if len(names) < 2:
            missing.append(f"{gait}: cycles of at least two performers ({', '.join(names) or 'nobody'} so far)")
    if not material.stands:
        missing.append("stand: a clip in which a performer with cycles stands still for a while")
    if not missing:
        return
    skipped = f". {told(material.skipped)}" if material.skipped else ""
    raise LocomoteError(
        f"too little for a whole fit; missing are {'; '.join(missing)}{skipped}. A style from a few clips of one "
        "person goes into a model that is fitted already: locomote fit --style NAME CLIPS, or human.fit_style"
    )


def _weights() -> FloatArray:
    return np.tile(channel_weights(), SAMPLES)


def _unweighted(components: Components) -> tuple[FloatArray, FloatArray]:
    shape = (SAMPLES, CHANNELS)
    mean = (components.mean / _weights()).reshape(shape)
    return mean, (components.basis / _weights()).reshape(-1, *shape)


def _with_strides(
    model: HumanModel, strides: dict[str, Gait], directions: dict[str, FloatArray], performers: list[str]
) -> HumanModel:
    """The model with the recorded strides of its performers."""

    def path(coordinates: FloatArray, gait: str) -> FloatArray:
        cycles = model.mean + np.tensordot(coordinates, model.basis, axes=1)
        return model_paths(model, cycles, gait)

    now = Gaits(model.curve, model.gait_centre, model.offset, model.slope, model.ranges)
    new = with_strides(now, strides, directions, performers, path)
    return replace(model, curve=new.curve, offset=new.offset, slope=new.slope)


def _with_stands(model: HumanModel, stands: dict[str, Stand], performers: list[str]) -> HumanModel:
    """The model with standing poses: the recorded ones; for the others the mean one with their own carriage."""
    recorded = {
        name: model.encoding.encode(stand.root[None], stand.rotations[None])[0] for name, stand in stands.items()
    }
    usual = np.mean(list(recorded.values()), axis=0)
    rows = [recorded[name] if name in recorded else assumed_stand(model, k, usual) for k, name in enumerate(performers)]
    return replace(model, stand=np.stack(rows))
