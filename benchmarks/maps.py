"""Grid maps of a field of crates: bringing them up to date, drawing them anew, and reading windows of them."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from time import perf_counter

import numpy as np

from _page import write_page
from locomote.world import Ground, Maps, Obstacles

CRATES, MOVING = 3000, 1200
SIDE = 40.0  # m
DT = 1 / 60  # s
BUDGET = 1.2  # ms
FAR_SIDE, FAR_CRATES = 2000.0, 10_000  # m
MEMORY = 500  # MB
SOURCE = 4.0  # ms, for the same number of crates
TRIALS = 60
FOOT = (0.04, 0.07)  # m


def field(moving: int, crates: int = CRATES, side: float = SIDE) -> Obstacles:
    """Crates of 20 to 50 cm, of which some move at up to 1 m/s and turn."""
    random = np.random.default_rng(1)
    obstacles = Obstacles()
    for k in range(crates):
        angle, speed = random.uniform(-math.pi, math.pi), random.uniform(0.2, 1.0) * (k < moving)
        obstacles.add_box(
            random.uniform(-0.5 * side, 0.5 * side, 2),
            random.uniform(0.2, 0.5, 2),
            random.uniform(0.1, 0.4),
            random.uniform(-math.pi, math.pi),
            (speed * math.sin(angle), speed * math.cos(angle)),
            random.uniform(-1.0, 1.0) * (k < moving),
            safe=bool(random.random() < 0.7),
        )
    return obstacles


def fastest_ms(work, before=lambda: None) -> float:
    times = []
    for _ in range(TRIALS):
        before()
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return 1e3 * min(times)


def updates(ground: Ground, moving: int) -> tuple[float, float, float]:
    obstacles = field(moving)
    maps = Maps(ground, obstacles)
    update = fastest_ms(maps.update, lambda: obstacles.advance(DT))
    idle = fastest_ms(maps.update)
    return update, idle, fastest_ms(maps.rebuild)


def windows(ground: Ground, cells: int, foot: tuple[float, float]) -> float:
    from locomote.world._kernels.map_growth import FootBox
    from locomote.world._kernels.map_reading import window

    maps = Maps(ground, field(MOVING))
    heights, flags = np.empty((cells, cells)), np.empty((cells, cells), dtype=np.uint8)
    random = np.random.default_rng(2)
    places = np.round(random.uniform(-0.3 * SIDE, 0.3 * SIDE, (200, 2)) / maps.cell) * maps.cell
    arrays = maps.arrays

    def read() -> None:
        for x, z in places:
            window(arrays, x, z, FootBox(*foot, 0.3), heights, flags)

    return 1e3 * fastest_ms(read) / len(places)


def far() -> dict[str, float]:
    """Time and the memory of the whole process for a large world, after half a minute in it."""
    import resource

    obstacles = field(MOVING, FAR_CRATES, FAR_SIDE)
    alone = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    maps = Maps(Ground(), obstacles)
    update = fastest_ms(maps.update, lambda: obstacles.advance(DT))
    for _ in range(180):
        obstacles.advance(10 * DT)
        maps.update()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"update": update, "alone": alone / 1024, "most": most / 1024}


def main() -> None:
    if sys.argv[1:] == ["--far"]:
        json.dump(far(), sys.stdout)
        return
    far_command = [sys.executable, __file__, "--far"]
    for _ in range(2):  # the first run compiles, which takes memory of its own
        large = json.loads(subprocess.run(far_command, capture_output=True, check=True, text=True).stdout)
    level, rough = Ground(), Ground.rough(1, (SIDE, SIDE))
    rows = []
    for name, ground, moving in (
        ("level", level, MOVING),
        ("rough", rough, MOVING),
        ("level", level, 30),
        ("level", level, CRATES),
    ):
        update, idle, rebuild = updates(ground, moving)
        rows.append([name, f"{moving}", f"{update:.2f}", f"{idle:.2f}", f"{rebuild:.1f}", f"{rebuild / update:.0f}"])
    rows.append(["source", f"{MOVING}", f"{SOURCE:.0f}", "", "", ""])
    reading = []
    for cells, foot in ((20, (0.0, 0.0)), (20, FOOT), (30, FOOT), (70, FOOT)):
        reading.append(
            [
                f"{cells} x {cells}",
                f"{200 * foot[0]:.0f} x {200 * foot[1]:.0f}",
                f"{windows(level, cells, foot):.1f}",
            ]
        )
    write_page(
        "maps",
        "Grid maps",
        f"{CRATES} crates of 20 to 50 cm on {SIDE:.0f} m x {SIDE:.0f} m, cells of 7 cm; one frame of 1/60 s. "
        f"An update clears and draws what moved; the maps are those of a rebuild, bit for bit (tests). The budget is "
        f"{BUDGET:g} ms. The fastest of {TRIALS}.",
        [
            (
                "Up to date, ms a frame",
                ["ground", "that move", "update", "nothing moved", "rebuild", "rebuild / update"],
                rows,
            ),
            (
                "A window for one foot, called from Python",
                ["cells", "foot, cm", "µs"],
                reading,
            ),
            (
                f"{FAR_CRATES:,} crates on {FAR_SIDE / 1000:g} km x {FAR_SIDE / 1000:g} km, {MOVING:,} of them moving",
                ["", "update, ms", "whole process at most, MB", "of which Python and the crates"],
                [
                    ["now", f"{large['update']:.2f}", f"{large['most']:.0f}", f"{large['alone']:.0f}"],
                    ["aim", "", f"{MEMORY}", ""],
                ],
            ),
        ],
    )


if __name__ == "__main__":
    main()
