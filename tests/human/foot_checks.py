"""What the tests of held feet share."""

from __future__ import annotations

from locomote.human._crowd import Crowd
from locomote_lab.human.foot_report import FootReport

FRAME = 1.0 / 60.0


def pass_time(crowd: Crowd, seconds: float, fps: float = 60.0) -> None:
    for _ in range(round(seconds * fps)):
        crowd.step(1.0 / fps)


def assert_held(report: FootReport) -> None:
    """Nothing slides, sinks in or is missed, and no knee bends backwards."""
    wrong = [line for line in report.failures() if "acceleration" not in line]
    assert wrong == [], "; ".join(wrong)
