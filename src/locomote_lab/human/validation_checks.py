"""The bounds that the figures of a validation must keep."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from locomote_lab.human.norms import FRAMES, MIXTURE, StepFigures
from locomote_lab.human.validation import SHARES, BoundCheck, Report

INSIDE, OUTSIDE, WORST = 6.0, 6.3, 10.5  # degrees, a speed held back
NOTHING_KNOWN, ONE_CYCLE = 12.5, 7.5  # degrees, a performer held back
STRIDE = 0.03  # of the recorded path per cycle, mean over performers
COMPONENTS_90 = 9
WALK_TRUSTED, RUN_TRUSTED = (
    2.2,
    2.0,
)  # m/s: every walk up to here has double support, every run from here a flight
SLIP = 0.01  # m, of a planted ball joint of the mixture of all styles
SLIP_SPEEDS = {"walk": (0.5, 2.0), "run": (2.0, 5.0)}  # m/s, in which the bound on sliding holds
DRIFT = 0.01  # m a step
JOINT_SPEEDS = {"walk": (0.0, 2.2), "run": (1.8, 4.8)}  # m/s, in which joints must be sound in every style
LEAST_BEND = 0.0  # degrees, of knees and elbows
MOST_KNEE, MOST_ELBOW = 140.0, 150.0  # degrees
LEAST_GAP = 0.0  # m between the ankles to the sides
LEAST_SHARE = 1.0 / FRAMES  # of a cycle: one played frame


def checks(report: Report) -> list[BoundCheck]:
    """All bounds, in the order of the report."""
    out = [BoundCheck("components for 90 %", report.components["walk and run"][SHARES.index(0.9)], COMPONENTS_90, True)]
    scores = report.speed["pooled"]
    for cell, score in scores.items():
        if score.folds:
            bound = INSIDE if "inside" in cell else OUTSIDE
            out.append(BoundCheck(f"speed held back, {cell}, mean", score.mean, bound, True, "deg"))
    worst = max(score.worst for score in scores.values() if score.folds)
    out.append(BoundCheck("speed held back, worst fold", worst, WORST, True, "deg"))
    rival = report.speed["hierarchy"]["outside"].mean
    out.append(
        BoundCheck(
            "speed held back, outside, no worse than the hierarchy",
            scores["outside"].mean,
            rival,
            True,
            "deg",
        )
    )
    for rule, bound in (("nothing known", NOTHING_KNOWN), ("one cycle", ONE_CYCLE)):
        for gait, score in report.subject.get(rule, {}).items():
            out.append(BoundCheck(f"performer held back, {rule}, {gait}", score.mean, bound, True, "deg"))
    for row in report.strides:
        out.append(BoundCheck(f"path per cycle from recorded stance, {row.gait}, off by", row.stance_off, STRIDE, True))
        out.append(BoundCheck(f"path per cycle of the model, {row.gait}, off by", row.model_off, STRIDE, True))
    return out + _stepping(report)


def _stepping(report: Report) -> list[BoundCheck]:
    styles = [x for x in report.synthesised if x.who != MIXTURE]
    mixture = [x for x in report.synthesised if x.who == MIXTURE]
    walks = [x for x in styles if x.gait == "walk" and x.speed <= WALK_TRUSTED + 1e-9]
    runs = [x for x in styles if x.gait == "run" and x.speed >= RUN_TRUSTED - 1e-9]
    trusted = [
        x for x in styles if JOINT_SPEEDS[x.gait][0] <= x.speed + 1e-9 and x.speed <= JOINT_SPEEDS[x.gait][1] + 1e-9
    ]
    out = [
        BoundCheck(
            "least double support of any style walking",
            _least(walks, lambda x: x.double_support),
            LEAST_SHARE,
            False,
        ),
        BoundCheck("least flight of any style running", _least(runs, lambda x: x.flight), LEAST_SHARE, False),
        BoundCheck("least bend of a knee", _least(trusted, lambda x: x.knee[0]), LEAST_BEND, False, "deg"),
        BoundCheck("greatest bend of a knee", -_least(trusted, lambda x: -x.knee[1]), MOST_KNEE, True, "deg"),
        BoundCheck("least bend of an elbow", _least(trusted, lambda x: x.elbow[0]), LEAST_BEND, False, "deg"),
        BoundCheck("greatest bend of an elbow", -_least(trusted, lambda x: -x.elbow[1]), MOST_ELBOW, True, "deg"),
        BoundCheck("least gap between the ankles", _least(trusted, lambda x: x.ankle_gap), LEAST_GAP, False, "m"),
    ]
    for gait, (slowest, fastest) in SLIP_SPEEDS.items():
        planted = [x for x in mixture if x.gait == gait and slowest - 1e-9 <= x.speed <= fastest + 1e-9]
        out.append(
            BoundCheck(f"sliding of the mixture, {gait}", -_least(planted, lambda x: -x.wander), SLIP, True, "m")
        )
        out.append(BoundCheck(f"drift of the mixture, {gait}", -_least(planted, lambda x: -x.drift), DRIFT, True, "m"))
    return out


def _least(steps: Iterable[StepFigures], figure: Callable[[StepFigures], float]) -> float:
    return min((figure(x) for x in steps), default=float("nan"))
