"""From recorded clips to the model: import, clean, cut, close, calibrate, encode, analyse, pool, time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from locomote.errors import LocomoteError
from locomote.formats import load
from locomote.human._encoding import CHANNELS, Encoding, channel_weights
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote.human.fitting._calibration import Calibration, calibrated
from locomote.human.fitting._corpus import Clip, Corpus, Performer
from locomote.human.fitting._cycles import SAMPLES, Rejection, Unit, find_units
from locomote.human.fitting._denoising import cleaned
from locomote.human.fitting._footplants import with_footplants
from locomote.human.fitting._gaits import GAITS, Gaits, gather, lengthening, recorded_strides, with_strides
from locomote.human.fitting._importing import Capture, import_motion
from locomote.human.fitting._motion_space import Gait, fit_gaits, motion_space
from locomote.human.fitting._performers import assumed_stand
from locomote.human.fitting._planting import planted
from locomote.human.fitting._report import FitReport, report_of
from locomote.human.fitting._shaping import model_paths, planted_model, timed_model
from locomote.human.fitting._standing import Stand, find_stand, settled
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
Progress = Callable[[float, str], None]


@dataclass(frozen=True, eq=False)
class FitResult:
    """The model and the account of how it came about."""

    model: HumanModel
    report: FitReport


@dataclass(frozen=True, eq=False)
class Material:
    """All that the fit takes from the recordings: calibrated cycles, standing poses, and what was turned down."""

    units: tuple[Unit, ...]
    stands: dict[str, Stand]  # by performer
    rejections: tuple[Rejection, ...]
    repairs: int  # values that the clean-up replaced


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


def gather_material(corpus: Corpus, *, progress: Progress | None = None) -> Material:
    """Read every clip of the corpus and take its cycles and standing poses."""
    tell = progress or (lambda share, work: None)
    units: list[Unit] = []
    stands: dict[str, Stand] = {}
    rejections: list[Rejection] = []
    repairs = 0
    for number, performer in enumerate(corpus.performers):
        tell(number / len(corpus.performers), performer.name)
        own = performer_material(performer)
        units += own.units
        stands |= own.stands
        rejections += own.rejections
        repairs += own.repairs
    return Material(tuple(units), stands, tuple(rejections), repairs)


def performer_material(performer: Performer) -> Material:
    """The cycles and the standing pose of one performer, set right and with planted feet."""
    captures: dict[Clip, Capture] = {}
    repairs = 0
    for clip in dict.fromkeys(performer.walk + performer.run + performer.stand):
        captures[clip], repaired = _capture(clip, performer)
        repairs += repaired
    units: list[Unit] = []
    rejections: list[Rejection] = []
    for gait in GAITS:
        for clip in performer.walk if gait == "walk" else performer.run:
            found, turned_down = find_units(captures[clip], performer.name, clip.name, gait, clip.belt)
            units += found
            rejections += turned_down
    if not units:
        raise LocomoteError(f"performer {performer.name!r}: no clean cycle in any of their clips")
    still = [stand for clip in performer.stand if (stand := find_stand(captures[clip])) is not None]
    stands = {}
    if still:
        best = min(still, key=lambda stand: stand.stillness)
        stands[performer.name] = settled(best, Calibration.of(units))
    return Material(tuple(planted(unit) for unit in calibrated(units)), stands, tuple(rejections), repairs)


def fit_material(material: Material, styles: dict[str, str], about: str = "") -> FitResult:
    """The fit proper. ``styles`` names the performers that are in the model, performer to style."""
    units = [u for u in material.units if u.gait == "run" or common_speed(u) >= SLOWEST_USED]
    for gait in GAITS:
        if len({u.subject for u in units if u.gait == gait}) < 2:
            raise LocomoteError(f"{gait}: expected cycles of at least two performers")
    performers = list(styles)
    absent = sorted(set(performers) - {u.subject for u in units})
    if absent:
        raise LocomoteError(f"no cycle fast enough of: {', '.join(absent)}")
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
    return FitResult(model, report_of(material.rejections, units, vectors, encoding, styles, model))


def common_speed(unit: Unit) -> float:
    """The speed of a unit on the common skeleton, m/s."""
    return unit.normal_speed * REFERENCE_HIP_HEIGHT


def _capture(clip: Clip, performer: Performer) -> tuple[Capture, int]:
    options = {"drop_tpose": True} if ".bvh" in clip.path.name else {}
    capture = import_motion(load(clip.path, **options), hip_height=performer.hip_height)
    capture, repairs = cleaned(capture)
    return capture, repairs.count


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
    if not stands:
        raise LocomoteError("nobody stands still in this corpus: expected at least one clip under stand")
    recorded = {
        name: model.encoding.encode(stand.root[None], stand.rotations[None])[0] for name, stand in stands.items()
    }
    usual = np.mean(list(recorded.values()), axis=0)
    rows = [recorded[name] if name in recorded else assumed_stand(model, k, usual) for k, name in enumerate(performers)]
    return replace(model, stand=np.stack(rows))
