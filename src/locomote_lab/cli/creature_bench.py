"""What ``bench creatures`` measures: many eight-legged creatures among crates, beside published figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from locomote_lab.creatures import testbed
from locomote_lab.creatures.testbed import Detail, Run, Terrain

KIND = "spider"
LEGS = 8
# Published figures for 100 eight-legged creatures on four threads, ms a step: in all, maps, legs.
SOURCE = {Detail.ALL: (29.0, 4.0, 13.0), Detail.ZOOMED: (32.0, 4.0, 6.0), Detail.NONE: (51.0, 4.0, 13.0)}
SOURCE_THREADS, SOURCE_COUNT = 4, 100
WANTED = {"lod": 3.0, "all": 5.0, "maps": 1.0, "leg": 2.0}  # ms, ms, ms, us: the aims, for 100 creatures
BANDS = ((0.0, 20.0), (20.0, 40.0), (40.0, 60.0), (60.0, np.inf))  # m from the eye

Table = tuple[str, list[str], list[list[str]]]
Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    count: int
    frames: int
    counts: tuple[int, ...]
    sweep_frames: int


FULL = Size(100, 600, (10, 20, 50, 100, 200, 500, 1000, 2000), 60)
QUICK = Size(10, 30, (2, 5, 10), 10)


@dataclass(frozen=True)
class Results:
    """Everything that was measured."""

    size: Size
    modes: dict[Detail, Run]
    legs: float  # us, of folding one leg
    legs_all: float  # ms a frame
    sweep: dict[Terrain, list[float]]  # ms a frame, for each of the counts


def measure(quick: bool, tell: Tell | None = None) -> Results:
    """Measure all; about as long as a cup of tea takes, a minute when quick."""
    size = QUICK if quick else FULL
    done, total = 0, len(Detail) + 1 + len(Terrain) * len(size.counts)

    def advance() -> None:
        nonlocal done
        done += 1
        if tell is not None:
            tell(done, total)

    modes = {}
    for detail in Detail:
        crowd = testbed.make_crowd(KIND, size.count, testbed.make_maps(Terrain.CRATES))
        modes[detail] = testbed.run(crowd, detail, size.frames, watched=True)
        advance()
    maps = testbed.make_maps(Terrain.HILLS)
    pair = [testbed.make_crowd(KIND, size.count, maps) for _ in range(2)]
    legs = float(np.median(testbed.run(pair[0], Detail.NONE, size.frames // 2, twin=pair[1]).legs))
    advance()
    sweep: dict[Terrain, list[float]] = {}
    for terrain in Terrain:
        sweep[terrain] = []
        for count in size.counts:
            crowd = testbed.make_crowd(KIND, count, testbed.make_maps(terrain))
            sweep[terrain].append(float(np.mean(testbed.run(crowd, Detail.NONE, size.sweep_frames).steps)))
            advance()
    return Results(size, modes, 1e3 * legs / (LEGS * size.count), legs, sweep)


METHOD = (
    f"Eight-legged creatures (the built-in {KIND}) wander at {testbed.SPEED:g} m/s over hills of {testbed.HILLS:g} m\n"
    f"on {testbed.SIDE:g} m x {testbed.SIDE:g} m among {testbed.CRATES:,} crates, of which {testbed.MOVING:.0%} move\n"
    f"at up to {testbed.FASTEST_CRATE:g} m/s and turn; half of them may be stepped on. Cells of the maps are\n"
    f"{100 * testbed.CELL:g} cm wide, frames last 1/60 s. One thread, and its processor time; maps are brought up to\n"
    "date apart from the step. The time of the legs is that of a crowd less that of its twin that leaves them out.\n"
    f"Published figures are those of the source of the method, for {SOURCE_COUNT} creatures on {SOURCE_THREADS}\n"
    "threads of a quad core of 2.7 GHz."
)


def tables(results: Results) -> list[Table]:
    """Everything in rows, the published figures beside ours."""
    return [
        _modes(results),
        _aims(results),
        _quality(results),
        _losses(results),
        _growth(results),
    ]


def _modes(results: Results) -> Table:
    count = results.size.count
    rows = []
    for detail, run in results.modes.items():
        total, maps, legs = SOURCE[detail]
        mean, slow = float(np.mean(run.steps)), float(np.percentile(run.steps, 99))
        per = 1e3 * mean / count
        theirs = 1e3 * SOURCE_THREADS * total / SOURCE_COUNT
        rows.append(
            [
                detail.value,
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
    head = ["", "step, ms", "p99, ms", "maps, ms", "of the step: legs, ms", "core-µs a creature"]
    head += ["source: step, maps, legs, ms", "source: core-µs a creature", "ratio"]
    return f"{count} creatures, a frame", head, rows


def _aims(results: Results) -> Table:
    share = 100.0 / results.size.count
    lod, full = (float(np.mean(results.modes[d].steps)) * share for d in (Detail.ALL, Detail.NONE))
    maps = float(np.mean(results.modes[Detail.NONE].maps))
    seen = 1e3 * testbed.FRAME / (lod / 100.0)
    rows = [
        ["100 creatures, LOD, one thread", "29 ms on 4", f"{WANTED['lod']:g} ms on 4", f"{lod:.2f} ms on 1"],
        [
            "100 creatures, no LOD, one thread",
            "51 ms on 4",
            f"{WANTED['all']:g} ms on 4",
            f"{full:.2f} ms on 1",
        ],
        ["maps, 1,200 crates that move", "4 ms", f"{WANTED['maps']:g} ms", f"{maps:.2f} ms"],
        ["one leg", "16 µs on 4", f"{WANTED['leg']:g} µs", f"{results.legs:.2f} µs"],
        ["creatures at 60 Hz with LOD", "100 at 30 Hz on 4", "1,000 on 16", f"{seen:,.0f} on 1"],
    ]
    return "Aims", ["", "source", "aim", "here"], rows


def _quality(results: Results) -> Table:
    rows = []
    for detail, run in results.modes.items():
        seen = run.figures
        assert seen is not None
        rows.append(
            [
                detail.value,
                f"{seen.plans / (seen.seconds * seen.creatures):.1f}",
                f"{seen.replans_a_second:.2f}",
                f"{seen.couples_a_plan:.1f}",
                f"{seen.score:.3f}",
                f"{seen.stance_slip:.2g}",
                f"{seen.tip_error:.2g}",
                f"{seen.penetration:.2g}",
                f"{100 * seen.overrun_share:.2f} ({seen.overrun:.0f})",
                f"{seen.crossings}",
                f"{seen.blocked}",
            ]
        )
    head = ["", "plans /s", "anew under way /s", "couples a plan", "mean score", "stance slip, mm"]
    head += [
        "tip error, mm",
        "penetration, mm",
        "run over or carried into crates, % of feet (mm)",
        "legs that cross",
        "blocked",
    ]
    return (
        f"What they do, over {results.size.frames / 60:.0f} s (each creature; the largest of all)",
        head,
        rows,
    )


def losses(results: Results) -> list[tuple[str, int, float, float]]:
    """Mean scores by distance: how many creatures, with a level of detail, and of the same without."""
    lod, zoomed, full = (results.modes[detail] for detail in (Detail.ALL, Detail.ZOOMED, Detail.NONE))
    groups = [("out of view", zoomed, ~zoomed.visible)]
    for near, far in reversed(BANDS):
        name = f"{near:.0f} to {far:.0f} m" if np.isfinite(far) else f"over {near:.0f} m"
        groups.insert(0, (name, lod, (lod.away >= near) & (lod.away < far)))
    out = []
    for name, run, chosen in groups:
        both = chosen & np.isfinite(run.scores) & np.isfinite(full.scores)
        if np.any(both):
            means = float(run.scores[both].mean()), float(full.scores[both].mean())
            out.append((name, int(both.sum()), *means))
    return out


def _losses(results: Results) -> Table:
    rows = [
        [name, str(count), f"{lod:.3f}", f"{full:.3f}", f"{100.0 * lod / full:.1f} %"]
        for name, count, lod, full in losses(results)
    ]
    head = ["from the eye", "creatures", "score with LOD", "the same without", "kept"]
    return "Footholds that the level of detail costs", head, rows


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
    return "Growth with the number of creatures, no LOD, ms a step", ["creatures", *Terrain], rows


def draw(results: Results, folder: Path) -> list[tuple[str, str]]:
    """Plots into a folder: their names and what they show."""
    from locomote.draw import Series, plot

    counts = results.size.counts
    plot(
        [Series(counts, results.sweep[terrain], terrain.value) for terrain in Terrain],
        folder / "creatures-growth.png",
        title="A step of many creatures, one thread, no level of detail",
        x_label="creatures",
        y_label="ms",
    )
    seconds = np.arange(results.size.frames) * testbed.FRAME
    plot(
        [Series(seconds, run.steps, detail.value) for detail, run in results.modes.items()],
        folder / "creatures-frames.png",
        title=f"{results.size.count} creatures among {testbed.CRATES:,} crates, frame by frame",
        x_label="time (s)",
        y_label="ms",
    )
    return [
        ("creatures-growth.png", "Milliseconds a step over the number of creatures, on three grounds"),
        ("creatures-frames.png", "Milliseconds of every frame in three modes"),
    ]


def as_dict(results: Results) -> dict[str, Any]:
    """The figures for machines."""
    modes = {
        detail.value: {
            "step_ms": float(np.mean(run.steps)),
            "step_p99_ms": float(np.percentile(run.steps, 99)),
            "maps_ms": float(np.mean(run.maps)),
            **(run.figures.as_dict() if run.figures is not None else {}),
        }
        for detail, run in results.modes.items()
    }
    sweep = {terrain.value: times for terrain, times in results.sweep.items()}
    return {"modes": modes, "leg_us": results.legs, "counts": list(results.size.counts), "sweep_ms": sweep}
