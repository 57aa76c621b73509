"""Crowds with goals among obstacles that appear and move, and among each other: what goes wrong, and the cost."""

from __future__ import annotations

import importlib
import math
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from _kernels import ROOT, Table
from _page import write_page
from locomote.human import Crowd
from locomote.human._model import HumanModel

sys.path.insert(0, str(ROOT))
scenes = importlib.import_module("tests.human.busy_square")

# walkers, obstacles, m, s, and seeds: what becomes of a crowd differs from one to the next
SCENES = (
    (1000, 500, 100.0, 120.0, 0),
    (1000, 500, 100.0, 120.0, 1),
    (1000, 500, 100.0, 120.0, 2),
    (1000, 500, 70.0, 30.0, 0),
)
SIZES = ((100, 50, 32.0), (1000, 500, 100.0), (10000, 5000, 316.0))
WARM, FRAMES = 60, 120  # frames before and while the parts are timed
PARTS = ("look and decide", "heed", "neighbours", "avoid", "drive", "go")


def soak_rows(model: HumanModel) -> list[list[str]]:
    rows = []
    for walkers, things, side, seconds, seed in SCENES:
        tally = scenes.Scene(model, walkers, things, side, seed).run(seconds)
        rows.append(
            [
                f"{walkers:,} among {things:,} on {side:g} x {side:g} m, seed {seed}",
                f"{seconds:g}",
                f"{len(tally.bodies)} ({1e3 * tally.closest:.0f})",
                f"{len(tally.inside)} ({1e3 * tally.deepest:.0f})",
                f"{len(tally.wet)} ({1e3 * tally.deepest_foot:.0f})",
                str(len(tally.no_nearer)),
                str(len(tally.no_way)),
                str(len(tally.turned_back)),
                str(len(tally.stuck)),
                str(tally.arrivals),
                str(tally.jumps),
            ]
        )
        sys.stderr.write(f"{rows[-1]}\n")
    return rows


def cost_rows(model: HumanModel) -> list[list[str]]:
    rows = []
    for walkers, things, side in SIZES:
        scene = scenes.Scene(model, walkers, things, side)
        frames = [_frame(scene, timed=k >= WARM) for k in range(WARM + FRAMES)][WARM:]
        # The middle of all frames: other work on the machine comes and goes.
        costs = {name: 1e6 / walkers * sorted(f[name] for f in frames)[len(frames) // 2] for name in [*PARTS, "step"]}
        whole = math.fsum(costs[name] for name in PARTS)
        rows.append([f"{walkers:,}", *(f"{c:.2f}" for c in costs.values()), f"{whole:.2f}"])
        sys.stderr.write(f"{rows[-1]}\n")
    return rows


def _frame(scene: Any, timed: bool) -> dict[str, float]:
    """One frame of a scene, and the seconds of each part."""
    spent: dict[str, float] = defaultdict(float)
    calls = _calls(scene.crowd) if timed else {}
    kept = {name: getattr(*where) for name, where in calls.items()}
    for name, where in calls.items():
        setattr(*where, _clocked(name, kept[name], spent))
    scene.obstacles.advance(scenes.FRAME)
    scene.crowd.step(scenes.FRAME)
    for name, where in calls.items():
        setattr(*where, kept[name])
    return spent


def _calls(crowd: Crowd) -> dict[str, tuple[object, str]]:
    """Where a crowd that has been stepped keeps the kernels of each part."""
    kernels = ("_want", "_heed", "_find", "_avoid", "_drive", "_go")
    found = [(crowd._ways._encounters, name) for name in kernels]
    return {**dict(zip(PARTS, found, strict=True)), "step": (crowd._stepper, "step")}


def _clocked(name: str, call: Callable[..., Any], spent: dict[str, float]) -> Callable[..., Any]:
    def clocked(*arguments: Any) -> Any:
        start = time.perf_counter()
        out = call(*arguments)
        spent[name] += time.perf_counter() - start
        return out

    return clocked


if __name__ == "__main__":
    human = HumanModel.default()
    method = (
        "Everyone has a goal and gets another one on arrival, at 0.9 to 1.7 m/s. Obstacles are puddles, boxes,\n"
        f"disks and walls of 0.4 to 3 m; a quarter of them move, at up to {scenes.MOVING} m/s, and every second one\n"
        "in fifty vanishes, another appears, another grows or shrinks: no nearer than\n"
        f"{scenes.CLEAR:g} m to anyone, those that move {scenes.SEEN:g} s of their way farther, and to the way of one\n"
        "who runs up to a jump, or is in the air, for as many seconds. Counted are pairs of\n"
        f"bodies (radius 0.3 m) that overlap by more than {1e3 * scenes.TOUCH:g} mm (in brackets the least gap, mm);\n"
        f"walkers who reach more than {1e3 * scenes.DEEP:g} mm into an obstacle that they do not jump (the deepest,\n"
        "mm); walkers of whom heel, ball or tip of a standing foot was more than\n"
        f"{1e3 * scenes.WET:g} mm inside one (the deepest); who came no nearer to its goal, as the crow flies, for\n"
        f"{scenes.STUCK:g} s; whose goal could not be reached, or had no room for a body, which then says so and\n"
        "gets another one; who came no nearer along the way that is the shortest free one now (0.4 m to either side),\n"
        "but second by second along what was the shortest then, for things had moved into its way; and who is\n"
        "stuck, for it came no nearer along that either, or said wrongly that there is no way.\n"
        "Small changes lead to other crowds: laws were chosen by seeds 0 and 1, seed 2 was left for a check.\n"
        "The cost is in microseconds for each walker and frame, one thread, the middle of\n"
        f"{FRAMES} frames; the step is that of the body itself, with its feet."
    )
    tables: list[Table] = [
        (
            "What goes wrong",
            [
                "scene",
                "s",
                "bodies",
                "in obstacles",
                "feet",
                "no nearer",
                "no way",
                "turned back",
                "stuck",
                "arrivals",
                "jumps",
            ],
            soak_rows(human),
        ),
        ("Cost, us", ["walkers", *PARTS, "step", "way-finding in all"], cost_rows(human)),
    ]
    write_page("wayfinding", "Finding a way", method, tables)
