"""What ``bench creatures`` measures: many eight-legged creatures among crates, beside published figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from locomote_lab.creatures import effects_cost, pendulum_cost, testbed
from locomote_lab.creatures.testbed import Run, Terrain, View

KIND = "spider"
LEGS = 8
# Published figures for 100 eight-legged creatures on four threads, ms a step: in all, maps, legs; with half of them in
# view it also weighs fewer footholds for those far away.
SOURCE = {View.ALL: (51.0, 4.0, 13.0), View.HALF: (32.0, 4.0, 6.0)}
SOURCE_THREADS, SOURCE_COUNT = 4, 100
MIXED = ("spider", "ant", "wolf", "lizard", "robot")  # of which the source has dozens at a time, in real time
WANTED = {"half": 3.0, "all": 5.0, "maps": 1.0, "leg": 2.0}  # ms, ms, ms, us: the aims, for 100 creatures

Table = tuple[str, list[str], list[list[str]]]
Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    count: int
    frames: int
    counts: tuple[int, ...]
    sweep_frames: int
    seconds: float  # spent on each figure of effects and pendulums


FULL = Size(100, 600, (10, 20, 50, 100, 200, 500, 1000, 2000), 60, 0.5)
QUICK = Size(10, 30, (2, 5, 10), 10, 0.02)


@dataclass(frozen=True)
class Results:
    """Everything that was measured."""

    size: Size
    modes: dict[View, Run]
    legs: float  # us, of folding one leg
    legs_all: float  # ms a frame
    sweep: dict[Terrain, list[float]]  # ms a frame, for each of the counts


def measure(quick: bool, tell: Tell | None = None) -> Results:
    """Measure all; about as long as a cup of tea takes, a minute when quick."""
    size = QUICK if quick else FULL
    done, total = 0, len(View) + 1 + len(Terrain) * len(size.counts)

    def advance() -> None:
        nonlocal done
        done += 1
        if tell is not None:
            tell(done, total)

    modes = {}
    for view in View:
        crowd = testbed.make_crowd(KIND, size.count, testbed.make_maps(Terrain.CRATES))
        modes[view] = testbed.run(crowd, view, size.frames, testbed.SETTLED, watched=True)
        advance()
    maps = testbed.make_maps(Terrain.HILLS)
    pair = [testbed.make_crowd(KIND, size.count, maps) for _ in range(2)]
    legs = float(np.median(testbed.run(pair[0], View.ALL, size.frames // 2, twin=pair[1]).legs))
    advance()
    sweep: dict[Terrain, list[float]] = {}
    for terrain in Terrain:
        sweep[terrain] = []
        for count in size.counts:
            crowd = testbed.make_crowd(KIND, count, testbed.make_maps(terrain))
            sweep[terrain].append(float(np.mean(testbed.run(crowd, View.ALL, size.sweep_frames).steps)))
            advance()
    return Results(size, modes, 1e3 * legs / (LEGS * size.count), legs, sweep)


METHOD = (
    f"Eight-legged creatures (the built-in {KIND}) wander at {testbed.SPEED:g} m/s over hills of {testbed.HILLS:g} m\n"
    f"on {testbed.SIDE:g} m x {testbed.SIDE:g} m among {testbed.CRATES:,} crates, of which {testbed.MOVING:.0%} move\n"
    f"at up to {testbed.FASTEST_CRATE:g} m/s and turn; half of them may be stepped on. Cells of the maps are\n"
    f"{100 * testbed.CELL:g} cm wide, frames last 1/60 s. One thread, and its processor time; maps, with\n"
    "the way that crates go, are brought up to date apart from the step, which has the commands that make creatures\n"
    "wander in it. The time of the legs is that of a crowd less that of its twin that leaves them out.\n"
    f"Published figures are those of the source of the method, for {SOURCE_COUNT} creatures on {SOURCE_THREADS}\n"
    "threads of a quad core of 2.7 GHz."
)


def published(size: Size) -> list[Table]:
    """What effects and pendulums cost, measured now, the published figures beside ours."""
    effects = effects_cost.table(seconds=size.seconds)
    swings = pendulum_cost.tables(size.seconds, min(360, 6 * size.frames))
    named = [("Bodies of many kinds", _mixed(size)), ("Effects", effects)]
    named += [("Pendulums", table) for table in swings]
    return [(f"{what}: {caption[0].lower()}{caption[1:]}", head, rows) for what, (caption, head, rows) in named]


def tables(results: Results) -> list[Table]:
    """Everything that was measured of the crowds in rows, the published figures beside ours."""
    return [
        _modes(results),
        _aims(results),
        _quality(results),
        _growth(results),
    ]


def _mixed(size: Size) -> Table:
    """Creatures of many kinds among the same crates."""
    maps = testbed.make_maps(Terrain.CRATES)
    each = max(1, size.count // 10)
    crowds = [testbed.make_crowd(kind, each, maps, seed) for seed, kind in enumerate(MIXED)]
    step = sum(float(np.mean(testbed.run(crowd, View.ALL, size.sweep_frames).steps)) for crowd in crowds)
    row = [f"{each} each of {', '.join(MIXED)}", f"{step:.2f}", "dozens, 33"]
    return "A frame of all of them", ["creatures", "step, ms", "source: creatures, ms at most"], [row]


def _modes(results: Results) -> Table:
    count = results.size.count
    rows = []
    for view, run in results.modes.items():
        total, maps, legs = SOURCE[view]
        mean, slow = float(np.mean(run.steps)), float(np.percentile(run.steps, 99))
        per = 1e3 * (mean + float(np.mean(run.maps))) / count
        theirs = 1e3 * (SOURCE_THREADS * total + maps) / SOURCE_COUNT
        rows.append(
            [
                view.value,
                f"{mean:.2f}",
                f"{slow:.2f}",
                f"{np.mean(run.maps):.2f}",
                f"{results.legs_all * float(np.mean(run.visible)):.2f}",
                f"{per:.0f}",
                f"{total:.0f}, {maps:.0f}, {legs:.0f}",
                f"{theirs:.0f}",
                f"{theirs / per:.0f}x",
            ]
        )
    head = ["", "step, ms", "p99, ms", "maps, ms", "of the step: legs, ms", "step and maps, core-µs a creature"]
    head += ["source: step, maps, legs, ms", "source: step and maps, core-µs a creature", "ratio"]
    return f"{count} creatures, a frame", head, rows


def _aims(results: Results) -> Table:
    share = 100.0 / results.size.count
    half, full = (float(np.mean(results.modes[view].steps)) * share for view in (View.HALF, View.ALL))
    maps, half_maps = (float(np.mean(results.modes[view].maps)) for view in (View.ALL, View.HALF))
    most = (1e3 * testbed.FRAME - maps) / (full / 100.0)
    rows = [
        ["100 creatures, all in view, with the maps", "55 ms", f"{WANTED['all']:g} ms", f"{full + maps:.2f} ms on 1"],
        [
            "100 creatures, half in view, with them",
            "36 ms",
            f"{WANTED['half']:g} ms",
            f"{half + half_maps:.2f} ms on 1",
        ],
        [
            "100 creatures, all in view, with them; the source weighs fewer footholds for those far away",
            "33 ms",
            f"{WANTED['half']:g} ms",
            f"{full + maps:.2f} ms on 1",
        ],
        ["maps, 1,200 crates that move", "4 ms", f"{WANTED['maps']:g} ms", f"{maps:.2f} ms"],
        ["one leg", "16 µs on 4", f"{WANTED['leg']:g} µs", f"{results.legs:.2f} µs"],
        ["creatures at 60 Hz, all in view, with the maps", "100 at 18 Hz on 4", "1,000 on 16", f"{most:,.0f} on 1"],
    ]
    return "Aims", ["", "source", "aim", "here"], rows


def _quality(results: Results) -> Table:
    rows = []
    for view, run in results.modes.items():
        seen, boxes = run.figures, run.boxes
        assert seen is not None
        assert boxes is not None
        rows.append(
            [
                view.value,
                f"{seen.plans / (seen.seconds * seen.creatures):.1f}",
                f"{seen.replans_a_second:.2f}",
                f"{seen.couples_a_plan:.1f}",
                f"{seen.score:.3f}",
                f"{seen.stance_slip:.2g}",
                f"{seen.tip_error:.2g}",
                f"{seen.penetration:.2g}",
                f"{100 * seen.overrun_share:.4f} ({seen.overrun:.0f})",
                f"{100 * boxes.still / boxes.feet:.4f}, {100 * boxes.moving / boxes.feet:.4f}",
                f"{seen.crossings}",
                f"{seen.blocked}",
            ]
        )
    head = ["", "plans /s", "anew under way /s", "couples a plan", "mean score", "stance slip, mm"]
    head += [
        "tip error, mm",
        "penetration, mm",
        "run over or carried into crates, % of feet (mm)",
        "boxes of feet in crates that stand, that move, % of feet",
        "legs that cross",
        "blocked",
    ]
    return (
        f"What they do, over {results.size.frames / 60:.0f} s (each creature; the largest of all)",
        head,
        rows,
    )


def slopes(results: Results) -> dict[Terrain, tuple[float, float]]:
    """Microseconds for one more creature, and how straight the line is (the square of the correlation)."""
    counts = np.array(results.size.counts, dtype=np.float64)
    out = {}
    for terrain, times in results.sweep.items():
        slope = float(counts @ np.array(times) / (counts @ counts))  # a line through the origin
        out[terrain] = 1e3 * slope, float(np.corrcoef(counts, times)[0, 1] ** 2)
    return out


def _growth(results: Results) -> Table:
    lines = slopes(results)
    rows = [
        [f"{count:,}", *(f"{results.sweep[terrain][k]:.2f}" for terrain in Terrain)]
        for k, count in enumerate(results.size.counts)
    ]
    rows.append(["one more, µs", *(f"{lines[terrain][0]:.1f}" for terrain in Terrain)])
    rows.append(["R² of the line", *(f"{lines[terrain][1]:.4f}" for terrain in Terrain)])
    return "Growth with the number of creatures, ms a step", ["creatures", *Terrain], rows


def draw(results: Results, folder: Path) -> list[tuple[str, str]]:
    """Plots into a folder: their names and what they show."""
    from locomote.draw import Series, plot

    counts = results.size.counts
    plot(
        [Series(counts, results.sweep[terrain], terrain.value) for terrain in Terrain],
        folder / "creatures-growth.png",
        title="A step of many creatures, one thread",
        x_label="creatures",
        y_label="ms",
    )
    seconds = np.arange(results.size.frames) * testbed.FRAME
    plot(
        [Series(seconds, run.steps, view.value) for view, run in results.modes.items()],
        folder / "creatures-frames.png",
        title=f"{results.size.count} creatures among {testbed.CRATES:,} crates, frame by frame",
        x_label="time (s)",
        y_label="ms",
    )
    return [
        ("creatures-growth.png", "Milliseconds a step over the number of creatures, on three grounds"),
        ("creatures-frames.png", "Milliseconds of every frame, all or half of them in view"),
    ]


def as_dict(results: Results) -> dict[str, Any]:
    """The figures for machines."""
    modes = {
        view.value: {
            "step_ms": float(np.mean(run.steps)),
            "step_p99_ms": float(np.percentile(run.steps, 99)),
            "maps_ms": float(np.mean(run.maps)),
            **(run.figures.as_dict() if run.figures is not None else {}),
        }
        for view, run in results.modes.items()
    }
    sweep = {terrain.value: times for terrain, times in results.sweep.items()}
    return {"modes": modes, "leg_us": results.legs, "counts": list(results.size.counts), "sweep_ms": sweep}
