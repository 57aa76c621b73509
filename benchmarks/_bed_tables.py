"""Tables of random beds: decisions, errors at take-off, ways round; and beds of other obstacles and other planners."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from _bed import JUMP, LEG, ROUND, SPARE, STEP, Bed
from _kernels import Table
from locomote.human.jumps._kernels.jump_setup import LIMIT
from locomote.human.jumps._kernels.runup import OVER_LIMIT


def share(mask: np.ndarray) -> str:
    return f"{100 * mask.mean():.2f} %" if len(mask) else "-"


def mm(value: float) -> str:
    return f"{1e3 * value:.1f}"


def decision_rows(bed: Bed) -> list[list[str]]:
    rows = []
    for name, who in (("walking, 1.1 m/s", bed.walking), ("running, 1.5 m/s", ~bed.walking)):
        jumps, steps = who & bed.jumped, who & bed.stepped & ~bed.jumped
        rounds = who & ~bed.jumped & ~bed.stepped
        counts = [
            who, steps, jumps, jumps & bed.walking & (bed.run > 0.5), rounds & (bed.ruled == ROUND),
            rounds & (bed.ruled != ROUND), (jumps & (bed.ruled != JUMP)) | (steps & (bed.ruled != STEP)),
        ]  # fmt: skip
        rows.append([name, *(f"{mask.sum()}" for mask in counts)])
    return rows


def error_rows(bed: Bed) -> list[list[str]]:
    rows = []
    for name, who in (("walking, 1.1 m/s", bed.walking), ("running, 1.5 m/s", ~bed.walking)):
        e = bed.error[who & bed.jumped]
        slope = np.corrcoef(e, bed.asked[who & bed.jumped])[0, 1]
        rows.append(
            [
                name, f"{len(e)}", share(np.abs(e) < 0.05), share(np.abs(e) < 0.02), share(np.abs(e) < 0.01),
                f"{mm(e.mean())} +- {mm(e.std())}", mm(np.abs(e).max()), f"{slope:.2f}",
            ]
        )  # fmt: skip
    return [*rows, ["source", "353 / 334", "> 70 %", "", "", "", "200", "none seen"]]


def histogram_rows(bed: Bed) -> list[list[str]]:
    edges = np.array([-np.inf, -20, -10, -5, -2, 2, 5, 10, 20, np.inf])
    names = ["< -20", *(f"{a:g} to {b:g}" for a, b in pairwise(edges[1:-1])), "> 20"]
    walk = np.histogram(1e3 * bed.error[bed.jumped & bed.walking], edges)[0]
    run = np.histogram(1e3 * bed.error[bed.jumped & ~bed.walking], edges)[0]
    return [[name, str(a), str(b)] for name, a, b in zip(names, walk, run, strict=True)]


def length_rows(bed: Bed) -> list[list[str]]:
    rows = []
    for low in np.arange(0.6, 2.4, 0.3):
        e = bed.error[bed.jumped & (bed.asked >= low) & (bed.asked < low + 0.3)]
        if len(e) > 9:
            rows.append([f"{low:.1f} to {low + 0.3:.1f}", f"{len(e)}", mm(e.mean()), mm(e.std()), mm(np.abs(e).max())])
    return rows


def outcome_row(name: str, bed: Bed) -> list[str]:
    jumps, round_ = bed.jumped, ~bed.jumped & ~bed.stepped
    e = np.abs(bed.error[jumps])
    return [
        name, f"{len(jumps)}", share(jumps), f"{mm(np.median(e))} / {mm(np.percentile(e, 99))} / {mm(e.max())}",
        f"{bed.replans[jumps].mean():.1f}", f"{(bed.inside > SPARE).sum()}", f"{(bed.under > SPARE).sum()}",
        f"{bed.acceleration[jumps].max():.2f}",
        f"{bed.clearance[round_].min():.2f}", share(bed.passed),
    ]  # fmt: skip


def random_tables(bed: Bed) -> list[Table]:
    """O1 and O2, and those of their trials that go round."""
    jumps, round_ = bed.jumped, ~bed.jumped & ~bed.stepped
    off = np.abs(bed.jump[jumps] / bed.asked[jumps] - 1.0)
    return [
        (
            "O1, O2: random puddles, decisions",
            ["start", "trials", "step over", "jump", "of these promoted to a run", "round, by the rules",
             "round, no run-up fits", "against the rules"],
            decision_rows(bed),
        ),
        (
            "O1, O2: error E of the toes at take-off: from the toes to the obstacle, less the margin of 30 mm",
            ["start", "jumps", "within 5 cm", "within 2 cm", "within 1 cm", "mean, mm", "worst, mm",
             "correlation with the length"],
            error_rows(bed),
        ),
        ("O1, O2: E, mm: how often", ["E", "walking", "running"], histogram_rows(bed)),
        (
            "O1, O2: E by length of the jump, ball to ball",
            ["m", "jumps", "mean, mm", "deviation, mm", "worst, mm"],
            length_rows(bed),
        ),
        (
            "O1, O2: the rest of it",
            ["measure", "figure", "wanted"],
            [
                ["standing heel, ball or tip in the puddle, trials", f"{(bed.inside > SPARE).sum()}", "0"],
                ["jumps that miss their length by more than 5 %", f"{(off > 0.05).sum()}", "0"],
                ["nearest heel behind the puddle, mm", mm(np.nanmin(bed.landed[jumps])), "> 0"],
                ["greatest acceleration of a run-up, m/s^2", f"{bed.acceleration[jumps].max():.3f}",
                 f"<= {OVER_LIMIT * LIMIT * LEG:.3f}"],
                ["clearance of those who go round, least, m", f"{bed.clearance[round_].min():.3f}", ">= 0.25"],
                ["their slowest speed, share of the first, least / 1 %",
                 f"{bed.slowest[round_].min():.2f} / {np.percentile(bed.slowest[round_], 1):.2f}", ">= 0.70"],
                ["passed the puddle", share(bed.passed), "100 %"],
                ["off their line at the end, greatest / 99 %, m",
                 f"{bed.aside.max():.3f} / {np.percentile(bed.aside, 99):.3f}", "<= 0.10"],
                ["off their first speed at the end, greatest, m/s", f"{bed.restored.max():.3f}", "0"],
                ["left foot takes off", share(bed.leg[jumps] == 0), "about half"],
            ],
        ),
    ]  # fmt: skip


def other_table(title: str, beds: dict[str, Bed]) -> Table:
    """One row for each of some beds."""
    head = ["bed", "trials", "jump", "E: 50 / 99 / 100 %, mm", "replans of a jump, mean", "standing in it",
            "below its top over it", "run-up, m/s^2", "clearance, m", "passed"]  # fmt: skip
    return title, head, [outcome_row(name, bed) for name, bed in beds.items()]
