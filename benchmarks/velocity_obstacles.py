"""Walkers who avoid each other: the cost of neighbours, velocities and drives; whole walks of crowds."""

from __future__ import annotations

import math
import sys

import numpy as np

from _kernels import Table, best_seconds, first_call_seconds, from_tests
from _page import write_page
from locomote.human._kernels.safe_drives import Asked, DriveArrays, drive_all
from locomote.math.records import zeros
from locomote.navigation._kernels.course import Course, Traffic
from locomote.navigation._kernels.neighbours import find_neighbours
from locomote.navigation._kernels.velocity_obstacles import Agents, WantedVelocities, avoid_all

crowds = from_tests("navigation.test_velocity_obstacles")
SIZES = (1000, 10000)
ROUNDS = 4  # the best of so many turns at every figure: other work on the machine comes and goes


def best(call: object) -> float:
    return min(best_seconds(call) for _ in range(ROUNDS))  # type: ignore[arg-type]


def by_brute_force(places: np.ndarray, radius: float, room: int) -> None:
    """The nearest of all, by NumPy: every distance, a hundred agents at a time."""
    for start in range(0, len(places), 100):
        some = places[start : start + 100]
        squares = ((some[:, None] - places[None]) ** 2).sum(axis=2)
        nearest = np.argpartition(squares, room, axis=1)[:, : room + 1]
        near = np.take_along_axis(squares, nearest, axis=1)
        np.argsort(np.where(near < radius**2, near, np.inf), axis=1)


def cost_rows() -> list[list[str]]:
    rows = []
    for count in SIZES:
        w, _ = crowds.random_goals(count)
        for _ in range(60):
            w.step()
        places, new = w.places, np.zeros_like(w.wanted)
        traffic = Traffic(w.courses, w.radii, w.near, w.counts, w.obstacles, w.escapes)
        asked, out = Asked(new, w.heeds, w.sidles), DriveArrays(zeros(Course, count), w.drives, w.holders)
        agents = Agents(places, w.wanted.copy(), w.radii + crowds.SPARE, w.heeds)
        ahead = w.goals - places
        preferred = 1.3 * ahead / np.hypot(*ahead.T)[:, None]
        wishes = WantedVelocities(preferred, np.hypot(*ahead.T) / w.cruise, 1.1 * w.cruise, np.ones(len(places)))

        def look() -> None:
            find_neighbours(places, crowds.SIGHT, w.grid, w.near, w.counts)  # noqa: B023

        def avoid() -> None:
            avoid_all(
                agents, wishes, w.near, w.counts, w.obstacles, crowds.HORIZONS, w.planes, new  # noqa: B023
            )  # fmt: skip

        def drive() -> None:
            drive_all(crowds.FRAME, traffic, asked, w.claims, w.limits, out)  # noqa: B023

        plain = best_seconds(lambda: by_brute_force(places, crowds.SIGHT, crowds.ROOM))  # noqa: B023
        times = [best(look), best(avoid), best(drive)]
        rows.append(
            [
                f"{count:,}",
                *(f"{1e6 * t / count:.2f}" for t in times),
                f"{1e3 * sum(times):.2f}",
                f"{1e3 * times[0]:.2f}",
                f"{1e3 * plain:.0f}",
                f"{plain / times[0]:.0f}x",
            ]
        )
    return rows


def scene_rows() -> list[list[str]]:
    scenes = (
        ("circle of 12 m, 100 swap sides", crowds.circle_swap, 120.0),
        ("two streams of 50 in a corridor of 6 m", crowds.opposing_streams, 120.0),
        ("two streams of 50 that cross", crowds.crossing_flows, 120.0),
        ("1,000 with random goals, 3.3 m2 each", lambda: crowds.random_goals(1000, 3.33), 180.0),
        ("1,000 with random goals, 1.67 m2 each", lambda: crowds.random_goals(1000), 240.0),
    )
    rows = []
    for name, scene, seconds in scenes:
        walkers, arrived = scene()
        took = walkers.walk(seconds, arrived)
        rows.append(
            [
                name,
                f"{1000 * walkers.closest:.1f}",
                f"{100 * walkers.arrived.mean():.1f} %",
                f"{took:.0f}" if took < math.inf else f"> {seconds:.0f}",
                f"{walkers.courses['speed'].mean():.2f}",
            ]
        )
        sys.stderr.write(f"{rows[-1]}\n")
    return rows


def tables() -> list[Table]:
    cold, warm = first_call_seconds(
        "from tests.navigation.test_velocity_obstacles import circle_swap\nw, _ = circle_swap(10)", "w.step()"
    )
    return [
        (
            "One frame of a dense crowd (1.67 m2 each), 16 neighbours within 4 m",
            [
                "walkers",
                "neighbours, us each",
                "velocity, us each",
                "drive, us each",
                "all, ms",
                "neighbours, ms",
                "brute force, ms",
                "ratio",
            ],
            cost_rows(),
        ),
        (
            "Whole walks (30 frames a second, radius 0.25 m, 1 m/s2, braking 2 m/s2, 2.5 rad/s)",
            ["scene", "least gap, mm", "arrived", "all arrived after, s", "mean speed at the end, m/s"],
            scene_rows(),
        ),
        ("First step", ["compiled anew, s", "from the cache, s"], [[f"{cold:.1f}", f"{warm:.1f}"]]),
    ]


if __name__ == "__main__":
    method = (
        "One thread; the best of repeated calls. A frame of a walker is: its neighbours (`find_neighbours`), the\n"
        "velocity that avoids them (`avoid_all`), and what a body that cannot go sideways makes of it so that it can\n"
        "always stop in time (`drive_all`). Brute force is NumPy over all pairs, for the neighbours alone.\n"
        "The gap is the least distance between two walkers less their radii, over the whole walk. Those with random\n"
        "goals go on to another one when they arrive; they have arrived when they were at one."
    )
    write_page("velocity-obstacles", "Avoiding each other", method, tables())
