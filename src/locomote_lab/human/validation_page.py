"""A validation as a page of tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from locomote.human._model import REFERENCE_HIP_HEIGHT
from locomote_lab.human.baselines import inman_frequency
from locomote_lab.human.comparisons import KMH
from locomote_lab.human.norms import MIXTURE, StepFigures
from locomote_lab.human.validation import SHARES, Report, Score

# What the source of the method printed, where it did; its recordings are not public.
SOURCE_GROWTH = (3, 5, 7, 9, 9)  # components for 90 % with 1, 2, … 5 performers
SOURCE_LIKENESS = {"walk": 0.7, "run": 0.8}
TREADMILL_CADENCE = ((2.0, 3.0, 4.0, 5.0), (161.0, 170.0, 180.0, 195.0))  # m/s, steps/min of runners
BIN = {"walk": 0.2, "run": 0.5}  # m/s; recorded cycles beside a synthesised speed

_CELLS = ("walk inside", "walk outside", "run inside", "run outside", "inside", "outside")
_METHODS = {
    "pooled": "**this model**",
    "hierarchy": "hierarchy, lines over speed",
    "hierarchy from standing": "hierarchy, power law from standing",
    "flat": "one level, lines over speed",
    "radial": "radial functions and a plane",
    "nearest own cycle": "nearest own cycle",
    "own mean": "performer's mean",
    "population only": "population only",
    "components alone": "components alone (floor)",
}


def page(report: Report) -> str:
    """The whole report in Markdown."""
    parts = [
        _corpus(report),
        _checks(report),
        _speed(report),
        _held(report),
        _likeness(report),
        _stepping(report),
        _spaces(report),
    ]
    return "\n\n".join(parts) + "\n"


def _corpus(report: Report) -> str:
    walk, run = report.cycles["walk"], report.cycles["run"]
    return (
        f"{walk} walking and {run} running cycles of {report.performers} performers. Errors are root mean square "
        "angles over shoulders, elbows, hips, knees and ankles and all samples of a cycle, in degrees: the square "
        "root of d_motion. Every fold repeats the analysis and all fits without the cycles held back; only the mean "
        "rotations about which logarithms are taken come from all cycles."
    )


def _checks(report: Report) -> str:
    rows = [
        (
            c.name,
            f"{c.value:.3g} {c.unit}".strip(),
            f"{'≤' if c.at_most else '≥'} {c.bound:.3g}",
            "yes" if c.passed else "**no**",
        )
        for c in report.checks()
    ]
    gap = min((x.ankle_gap for x in report.recorded), default=float("nan"))
    words = (
        "## Bounds\n\nJoints are judged in every style, walking up to 2.2 m/s and running from 1.8 to 4.8 m/s, before "
        "the limits that a crowd keeps. In the recorded cycles themselves knees bend "
        f"{_extremes(report, 'knee')} degrees, elbows {_extremes(report, 'elbow')}, and the least gap between the "
        f"ankles is {gap:.2f} m.\n\n"
    )
    return words + table(("figure", "value", "bound", "kept"), rows)


def _extremes(report: Report, joint: str) -> str:
    found = [getattr(x, joint) for x in report.recorded]
    return f"{min(least for least, _ in found):.0f} to {max(most for _, most in found):.0f}"


def _speed(report: Report) -> str:
    rows = [
        (_METHODS[name], *(_score(report.speed[name][cell]) for cell in _CELLS))
        for name in _METHODS
        if name in report.speed
    ]
    counts = ", ".join(f"{cell} {report.speed['pooled'][cell].folds}" for cell in _CELLS[:4])
    return (
        "## A speed held back\n\n"
        "Mean / median / worst fold. Walking speeds are held back in bins of 0.25 m/s, running speeds one belt "
        f"speed at a time; inside or outside the speeds of the same performer that remain. All folds: {counts}.\n\n"
        + table(("prediction", *_CELLS), rows)
    )


def _held(report: Report) -> str:
    subject = [(rule, *(_score(s[g]) for g in ("walk", "run"))) for rule, s in report.subject.items()]
    gait = [(rule, *(_score(s[g]) for g in ("walk", "run") if g in s)) for rule, s in report.gait.items()]
    folds = {g: s.folds for g, s in next(iter(report.subject.values()), {}).items()}
    out = "## A performer held back\n\n"
    out += f"Mean / median / worst over performers ({folds.get('walk', 0)} walking, {folds.get('run', 0)} running); "
    out += "the one cycle shown is that of median speed.\n\n" + table(("known", "walk", "run"), subject)
    out += "\n\n## A gait held back\n\nPerformers with both gaits.\n\n"
    return out + table(("known of the gait", "walk", "run"), gait)


def _likeness(report: Report) -> str:
    rows = []
    for gait in ("walk", "run"):
        sums, median, mean = report.likeness(gait)
        count = sum(x.gait == gait for x in report.likenesses)
        rows.append((gait, str(count), f"{sums:.2f}", f"{median:.2f}", f"{mean:.2f}", f"{SOURCE_LIKENESS[gait]:.2f}"))
    out = (
        "## Synthesised beside recorded\n\nd_motion from the synthesised cycle to the recorded ones of the same "
        "performer and speed, over the largest d_motion among these (groups of at least three). Consecutive cycles "
        "on a treadmill are nearly alike, so single ratios in running are large where the divisor is small.\n\n"
    )
    out += table(("gait", "groups", "of the sums", "median", "mean", "source, about"), rows)
    out += (
        f"\n\nScale: walking at 3 km/h against running at 11 km/h of the same performer, {report.scale:.3f} rad² "
        f"({np.degrees(np.sqrt(report.scale)):.0f} degrees)."
    )
    apart = [(b.gait, f"{b.speed / KMH:.0f} km/h", f"{b.arms:.1f}", f"{b.legs:.1f}") for b in report.beyond]
    out += "\n\nHierarchy against the flat model beyond the data, degrees apart:\n\n"
    out += table(("gait", "speed", "arms", "legs"), apart)
    bent = [(_METHODS[name], f"{value:.1f}") for name, value in report.elbows.items()]
    out += "\n\nElbows running at 16 km/h: how far the least and greatest bend are from those of the performer's "
    return out + "fastest recorded cycle, degrees:\n\n" + table(("prediction", "off by"), bent)


def _stepping(report: Report) -> str:
    rows = [
        (
            s.gait,
            f"{s.stance[0]:.3f} ± {s.stance[1]:.3f} ({s.stance_off:.3f})",
            f"{s.model[0]:.3f} ± {s.model[1]:.3f} ({s.model_off:.3f})",
            f"{s.inman[0]:.3f} ± {s.inman[1]:.3f}",
        )
        for s in report.strides
    ]
    out = "## Stride and cadence\n\nPath per cycle over the recorded one: mean ± standard deviation over cycles, and "
    out += "in brackets how far a performer's own mean is from 1, mean over performers.\n\n"
    out += table(("gait", "recorded feet in stance", "model", "Inman's law"), rows)
    head = (
        "speed m/s",
        "cadence",
        "norm",
        "step m",
        "walk ratio",
        "feet down",
        "double support",
        "flight",
        "slip cm",
        "drift cm",
    )
    out += (
        "\n\nContacts are those of `contacts.detect`, which lets a foot go only when its toe leaves. Textbooks give a "
        "walk at a chosen speed feet down 0.60 and double support 0.20; recorded cycles measured in this way have "
        "more of both, so these columns are to be compared with the recorded ones in brackets."
    )
    for gait in ("walk", "run"):
        out += f"\n\n### {'Walking' if gait == 'walk' else 'Running'}\n\nStyles of the model, mean (recorded cycles "
        out += "near that speed in brackets); slip and drift of a planted ball joint before any foot correction: mean "
        out += "over styles, worst style.\n\n"
        speeds = sorted({x.speed for x in report.synthesised if x.gait == gait})
        out += table(head, [_stepping_row(report, gait, speed) for speed in speeds])
    return out


def _stepping_row(report: Report, gait: str, speed: float) -> tuple[str, ...]:
    made = [x for x in report.synthesised if x.gait == gait and x.speed == speed and x.who != MIXTURE]
    near = [x for x in report.recorded if x.gait == gait and abs(x.speed - speed) <= 0.5 * BIN[gait]]

    def both(name: str, digits: int) -> str:
        text = f"{_mean(made, name):.{digits}f}"
        return f"{text} ({_mean(near, name):.{digits}f})" if near else text

    def slid(name: str) -> str:
        values = [100.0 * getattr(x, name) for x in made]
        return f"{np.mean(values):.1f}, {max(values):.1f}"

    return (
        f"{speed:.1f}",
        both("cadence", 0),
        f"{norm_cadence(gait, speed):.0f}",
        both("step_length", 2),
        both("walk_ratio", 1),
        both("duty", 2),
        both("double_support", 2),
        both("flight", 2),
        slid("wander"),
        slid("drift"),
    )


def norm_cadence(gait: str, speed: float) -> float:
    """Steps a minute by Inman's law for walking, of the runners on the treadmill for running."""
    if gait == "walk":
        return 120.0 * float(inman_frequency(speed / REFERENCE_HIP_HEIGHT))
    return float(np.interp(speed, *TREADMILL_CADENCE))


def _spaces(report: Report) -> str:
    rows = [(name, *(str(n) for n in counts)) for name, counts in report.components.items()]
    out = "## Components\n\nHow many keep a share of the variance; at most six cycles of each performer and gait.\n\n"
    out += table(("cycles", *(f"{share:.0%}" for share in SHARES)), rows)
    grown = ", ".join(str(n) for n in report.growth[:12])
    out += f"\n\nFor 90 % with 1, 2, 3, … performers, the ones with most cycles first: {grown}. "
    out += f"The source: {', '.join(str(n) for n in SOURCE_GROWTH)}.\n\n"
    out += "Spaces of single performers (the source keeps 95 % with two components, and with one in a single gait):\n\n"
    own = [
        (
            s.subject,
            s.gait,
            str(s.cycles),
            f"{s.spread:.2f}",
            f"{s.first:.0%}",
            f"{s.second:.0%}",
            str(s.for_95),
        )
        for s in report.own_spaces
    ]
    return out + table(("performer", "gait", "cycles", "speeds m/s", "first", "first two", "for 95 %"), own)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _score(score: Score) -> str:
    return f"{score.mean:.1f} / {score.median:.1f} / {score.worst:.1f}" if score.folds else "-"


def _mean(steps: list[StepFigures], name: str) -> float:
    return float(np.mean([getattr(x, name) for x in steps]))
