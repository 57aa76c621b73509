"""How well the model predicts what it has not seen, and how its people step: every figure from one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from locomote.errors import LocomoteError
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote.human.fitting._cycles import Unit
from locomote.human.fitting._motion_space import balanced
from locomote.math.components import principal_components, smallest_count
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote_lab.human import baselines
from locomote_lab.human.comparisons import (
    LEAST_ORIGINALS,
    LEAST_SPREAD,
    Beyond,
    Likeness,
    Strides,
    beyond,
    elbows,
    likenesses,
    measured,
    scale,
    strides,
)
from locomote_lab.human.cross_validation import Cycles, Fold, gait_folds, speed_folds, subject_folds
from locomote_lab.human.norms import StepFigures, steps_of_unit, synthesised

SHARES = (0.8, 0.9, 0.95, 0.97, 0.99)  # of the variance
LEAST_FOR_SPACE = 4  # cycles of a performer (and gait) whose own components are reported
CELLS = (("walk", True), ("walk", False), ("run", True), ("run", False))

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Score:
    """Errors over folds: root mean square angles of the limbs in degrees, and their squares as d_motion in rad^2."""

    folds: int
    mean: float
    median: float
    worst: float
    distance: float  # d_motion, rad^2

    @staticmethod
    def of(errors: Sequence[float]) -> Score:
        """The score of the mean errors of some folds."""
        e = np.asarray(errors, dtype=np.float64)
        if not len(e):
            return Score(0, *(float("nan"),) * 4)
        square = float(np.mean(np.radians(e) ** 2))
        return Score(len(e), float(e.mean()), float(np.median(e)), float(e.max()), square)


@dataclass(frozen=True)
class OwnSpace:
    """The components of one performer, or of one gait of theirs."""

    subject: str
    gait: str  # "both", "walk" or "run"
    cycles: int
    spread: float  # m/s between slowest and fastest
    first: float  # share of the first component
    second: float  # share of the first two
    for_95: int  # components that keep 95 %


@dataclass(frozen=True)
class BoundCheck:
    """A figure, the bound it must keep, and whether it does."""

    name: str
    value: float
    bound: float
    at_most: bool  # or at least
    unit: str = ""

    @property
    def passed(self) -> bool:
        """Whether the bound is kept; a figure that is not a number does not."""
        return self.value <= self.bound if self.at_most else self.value >= self.bound


@dataclass(frozen=True, eq=False)
class Report:
    """All figures of a validation. Errors are root mean square angles of the limbs, degrees."""

    cycles: dict[str, int]  # by gait
    performers: int
    components: dict[str, tuple[int, ...]]  # how many keep each of SHARES, of all cycles and of each gait
    growth: tuple[int, ...]  # components for 90 % of the first 1, 2, 3, … performers
    own_spaces: tuple[OwnSpace, ...]
    speed: dict[str, dict[str, Score]]  # method, then "walk inside", "walk outside", …, "inside", "outside"
    subject: dict[str, dict[str, Score]]  # rule, then gait
    gait: dict[str, dict[str, Score]]  # rule, then the gait that was held back
    likenesses: tuple[Likeness, ...]
    scale: float  # d_motion, rad^2
    beyond: tuple[Beyond, ...]
    elbows: dict[str, float]
    strides: tuple[Strides, ...]
    recorded: tuple[StepFigures, ...]
    synthesised: tuple[StepFigures, ...]

    def as_dict(self) -> dict[str, Any]:
        """The report as plain values, with the checks."""
        checks = [{**asdict(check), "passed": check.passed} for check in self.checks()]
        return {**asdict(self), "checks": checks}

    def likeness(self, gait: str) -> tuple[float, float, float]:
        """Synthesised to recorded distance over the largest among the recorded: of the sums, the median, the mean."""
        found = [x for x in self.likenesses if x.gait == gait]
        if not found:
            return (float("nan"),) * 3
        ratios = [x.synthetic / x.spread for x in found]
        sums = sum(x.synthetic for x in found) / sum(x.spread for x in found)
        return sums, float(np.median(ratios)), float(np.mean(ratios))

    def checks(self) -> list[BoundCheck]:
        """The figures that must hold, each with its bound."""
        from locomote_lab.human.validation_checks import checks

        return checks(self)

    def markdown(self) -> str:
        """The report as a page."""
        from locomote_lab.human.validation_page import page

        return page(self)


def validate(
    units: Sequence[Unit],
    model: HumanModel,
    styles: Mapping[str, str] | None = None,
    *,
    progress: Progress | None = None,
) -> Report:
    """Refit without parts of the cycles and predict them; hold the model beside the cycles and the norms of gait.

    ``styles`` are the names in the model by performer; without it performers are sought by their own names.
    ``progress`` is told the share done and the work at hand.
    """
    tell = progress or (lambda share, work: None)
    slowest = float(model.slowest[0])
    used = [u for u in units if u.gait == "run" or u.normal_speed * REFERENCE_HIP_HEIGHT >= slowest]
    cycles = Cycles.of(used)
    named = styles if styles is not None else {name: name for name in set(cycles.subjects) & set(model.styles)}
    unknown = sorted(set(named.values()) - set(model.styles))
    if unknown:
        raise LocomoteError(f"styles that are not in the model: {', '.join(unknown)}")
    present = {name: named[name] for name in sorted(named) if name in cycles.subjects}
    stands = {name: cycles.coordinates_of(model.stand[[model.style_index(s)]]) for name, s in present.items()}
    for g in ("walk", "run"):
        if not measured(cycles, g):
            raise LocomoteError(
                f"validation needs a performer with at least {LEAST_ORIGINALS} cycles of each gait over "
                f"{LEAST_SPREAD:g} m/s; these recordings have none for: {g}"
            )
    everything = np.arange(len(cycles), dtype=np.int64)
    tell(0.0, "speeds held back")
    speed = speed_scores(cycles, stands, lambda share: tell(0.6 * share, "speeds held back"))
    tell(0.6, "performers held back")
    subject = subject_scores(cycles)
    tell(0.75, "gaits held back")
    gait = gait_scores(cycles)
    tell(0.8, "comparisons")
    report = Report(
        cycles={g: len(cycles.rows(gait=g)) for g in ("walk", "run")},
        performers=len(set(cycles.subjects)),
        components={
            label: _components(cycles, rows)
            for label, rows in (
                ("walk and run", everything),
                ("walk", cycles.rows(gait="walk")),
                ("run", cycles.rows(gait="run")),
            )
            if len(rows) > 1
        },
        growth=_growth(cycles),
        own_spaces=tuple(_own_spaces(cycles)),
        speed=speed,
        subject=subject,
        gait=gait,
        likenesses=tuple(likenesses(cycles, model, present)),
        scale=scale(cycles),
        beyond=tuple(beyond(cycles)),
        elbows=elbows(cycles),
        strides=tuple(strides(cycles, model, present)),
        recorded=tuple(steps_of_unit(u) for u in cycles.units),
        synthesised=tuple(synthesised(model)),
    )
    tell(1.0, "done")
    return report


def speed_scores(
    cycles: Cycles,
    stands: dict[str, FloatArray] | None = None,
    progress: Callable[[float], None] | None = None,
) -> dict[str, dict[str, Score]]:
    """Every method on every fold in which a speed is held back; inside and outside the speeds that remain."""
    folds = speed_folds(cycles)
    errors: dict[str, list[float]] = {}
    for number, fold in enumerate(folds):
        speeds = cycles.speeds[fold.held]
        space, fitted = baselines.pooled_fit(cycles, fold.known)
        model, people = fitted[fold.gait]
        captured = cycles.coordinates[fold.held]
        made = {
            "pooled": space.vectors(model.coordinates(people[fold.subject], speeds)),
            "population only": space.vectors(model.population(speeds)),
            "components alone": space.vectors(space.scores(captured)),
            "hierarchy from standing": baselines.hierarchy(cycles, fold.known, stands)(fold.subject, fold.gait, speeds),
        }
        for name, method in baselines.OTHERS.items():
            made[name] = method(cycles, fold.known)(fold.subject, fold.gait, speeds)
        for name, predicted in made.items():
            errors.setdefault(name, []).append(float(cycles.errors(predicted, fold.held).mean()))
        if progress:
            progress((number + 1) / len(folds))
    return {name: _by_cell(folds, found) for name, found in errors.items()}


def subject_scores(cycles: Cycles) -> dict[str, dict[str, Score]]:
    """A performer held back: nothing known of them, or one cycle."""
    errors: dict[str, dict[str, list[float]]] = {}
    for fold in subject_folds(cycles):
        speeds = cycles.speeds[fold.held]
        space, fitted = baselines.pooled_fit(cycles, fold.known)
        model = fitted[fold.gait]
        copied = cycles.coordinates[[fold.shown] * len(fold.held)]
        rules = {
            "nothing known": space.vectors(model[0].population(speeds)),
            "one cycle": baselines.from_one_cycle(cycles, space, model, fold.shown)(speeds),
            "one cycle, posterior alone": baselines.from_one_cycle(cycles, space, model, fold.shown, 0.0)(speeds),
            "that cycle copied": copied,
        }
        for rule, predicted in rules.items():
            found = float(cycles.errors(predicted, fold.held).mean())
            errors.setdefault(rule, {}).setdefault(fold.gait, []).append(found)
    return {rule: {g: Score.of(e) for g, e in by_gait.items()} for rule, by_gait in errors.items()}


def gait_scores(cycles: Cycles) -> dict[str, dict[str, Score]]:
    """A gait of a performer held back: the population, or with a share of what is known from the other gait."""
    errors: dict[str, dict[str, list[float]]] = {}
    for fold in gait_folds(cycles):
        speeds = cycles.speeds[fold.held]
        space, fitted = baselines.pooled_fit(cycles, fold.known)
        rules = {
            "population only": space.vectors(fitted[fold.gait][0].population(speeds)),
            "borrowed from the other gait": baselines.from_other_gait(space, fitted, fold.subject, fold.gait)(speeds),
        }
        for rule, predicted in rules.items():
            found = float(cycles.errors(predicted, fold.held).mean())
            errors.setdefault(rule, {}).setdefault(fold.gait, []).append(found)
    return {rule: {g: Score.of(e) for g, e in by_gait.items()} for rule, by_gait in errors.items()}


def _by_cell(folds: list[Fold], errors: list[float]) -> dict[str, Score]:
    out = {}
    for gait, inside in CELLS:
        chosen = [e for f, e in zip(folds, errors, strict=True) if f.gait == gait and f.inside == inside]
        out[f"{gait} {'inside' if inside else 'outside'}"] = Score.of(chosen)
    for inside in (True, False):
        chosen = [e for f, e in zip(folds, errors, strict=True) if f.inside == inside]
        out["inside" if inside else "outside"] = Score.of(chosen)
    return out


def _components(cycles: Cycles, rows: IntArray) -> tuple[int, ...]:
    chosen = balanced([cycles.subjects[i] for i in rows], [cycles.gaits[i] for i in rows], cycles.speeds[rows])
    return baselines.scree(cycles.coordinates[rows[chosen]], SHARES)


def _growth(cycles: Cycles) -> tuple[int, ...]:
    """Performers join in the order of their number of cycles, the most first."""
    names = sorted(set(cycles.subjects), key=lambda name: (-len(cycles.rows(name)), name))
    out = []
    for count in range(1, len(names) + 1):
        rows = np.sort(np.concatenate([cycles.rows(name) for name in names[:count]]))
        if len(rows) > 1:
            out.append(_components(cycles, rows)[SHARES.index(0.9)])
    return tuple(out)


def _own_spaces(cycles: Cycles) -> list[OwnSpace]:
    out = []
    for subject in sorted(set(cycles.subjects)):
        both = {g for i, g in enumerate(cycles.gaits) if cycles.subjects[i] == subject}
        for gait in ("both", "walk", "run"):
            if gait == "both" and len(both) < 2:
                continue
            rows = cycles.rows(subject, None if gait == "both" else gait)
            if len(rows) < LEAST_FOR_SPACE:
                continue
            shares = principal_components(cycles.coordinates[rows]).shares
            spread = float(np.ptp(cycles.speeds[rows]))
            out.append(
                OwnSpace(
                    subject,
                    gait,
                    len(rows),
                    spread,
                    float(shares[0]),
                    float(shares[:2].sum()),
                    smallest_count(shares, 0.95),
                )
            )
    return out
