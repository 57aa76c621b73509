"""A built-in frog: it hops on hind legs that are folded threefold."""

from __future__ import annotations

import numpy as np

from locomote.creatures._morphology import Morphology
from locomote.creatures.catalogue._builder import SIDES, BodyBuilder
from locomote.creatures.mesh import ball, spike


def frog() -> Morphology:
    """A frog half a metre long."""
    s = BodyBuilder("frog")
    s.chain(
        None,
        [
            ("pelvis", (0.0, 0.115, -0.17)),
            ("back", (0.0, 0.15, -0.03)),
            ("chest", (0.0, 0.165, 0.09)),
            ("head", (0.0, 0.18, 0.17)),
        ],
        end=(0.0, 0.155, 0.32),
    )
    s.pair(
        "chest",
        ["upper_arm", "forearm", "hand"],
        [(0.085, 0.13, 0.09), (0.155, 0.09, 0.05), (0.15, 0.025, 0.12), (0.155, 0.0, 0.17)],
        hip=(60.0, 45.0),
        bends=[(80.0, 50.0), (50.0, 60.0)],
        foot=(0.025, 0.03),
        skin=[(0.0, 0.03, 0.03), (0.6, 0.03, 0.03), (1.0, 0.022, 0.022), (1.5, 0.024, 0.024), (1.95, 0.013, 0.013),
              (2.4, 0.015, 0.01), (2.8, 0.01, 0.007)],
    )  # fmt: skip
    s.pair(
        "pelvis",
        ["thigh", "shank", "foot", "toes"],
        [(0.065, 0.10, -0.17), (0.17, 0.135, -0.02), (0.155, 0.05, -0.18), (0.20, 0.02, -0.045), (0.22, 0.0, 0.03)],
        hip=(85.0, 60.0),
        bends=[(130.0, 15.0), (130.0, 15.0), (60.0, 40.0)],
        foot=(0.03, 0.05),
        skin=[(0.0, 0.045, 0.045), (0.5, 0.05, 0.055), (1.0, 0.032, 0.036), (1.4, 0.036, 0.04), (1.95, 0.016, 0.018),
              (2.2, 0.017, 0.018), (2.9, 0.013, 0.013), (3.2, 0.024, 0.01), (3.8, 0.03, 0.006)],
    )  # fmt: skip
    s.cover(
        [(0.0, 0.155, 0.32), "head", "chest", "back", "pelvis", (0.0, 0.09, -0.24)],
        [
            (0.05, 0.03, 0.014, 0.016),
            (0.4, 0.075, 0.03, 0.035),
            (0.8, 0.10, 0.042, 0.05),
            (1.2, 0.11, 0.045, 0.07),
            (2.0, 0.118, 0.048, 0.09),
            (3.0, 0.115, 0.05, 0.095),
            (4.0, 0.075, 0.04, 0.055),
            (4.8, 0.03, 0.02, 0.025),
        ],
        around=14,
    )
    head = s.index("head")
    s.both(ball(head, (0.06, 0.215, 0.205), (0.026, 0.026, 0.028), around=10))
    for mark, x in SIDES:
        for name, at, spread, long in (
            ("hand", (0.152, 0.01, 0.14), 10.0, 0.05),
            ("toes", (0.205, 0.01, -0.02), 15.0, 0.09),
        ):
            for k in range(4):
                turn = np.radians(spread + 24.0 * (k - 1.5))
                tip = (x * (at[0] + long * np.sin(turn)), 0.004, at[2] + long * np.cos(turn))
                toe = spike(s.index(f"{name}.{mark}"), (x * at[0], at[1], at[2]), tip, 0.008, (0.0, 1.0, 0.0))
                s.pieces.append(toe)
    return s.finish(head="head")
