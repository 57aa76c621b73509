"""Scenes in which feet are planned, for the tests of foot curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from locomote.creatures._kernels.swing_plan import plan_once
from locomote.creatures._kernels.swing_scores import LegLines
from locomote.creatures._kernels.swing_scratch import SAMPLES, SwingScratch, WayPlace
from locomote.creatures._kernels.swing_way import SwingRequest
from locomote.creatures._kernels.swing_window import GridWindow, MapWindow, look, search_window
from locomote.math.records import Records, zeros
from locomote.world._kernels.map_layout import CORNER, EDGE, GROWN, INSIDE, NO_STAND

CELL = 0.07
SCRATCHES = zeros(SwingScratch, 1)
SCRATCH: SwingScratch = SCRATCHES[0]
PLAIN = SwingRequest(
    start=(0.0, 0.0, 0.0),
    velocity=(0.0, 0.0, 0.0),
    preferred=(0.05, 0.0, 0.7),
    hip=(0.05, 0.6, 0.5),
    hip_late=(0.05, 0.6, 0.9),
    reach=1.0,
    room=1.0,
    fixed_distance=0.4,
    step_height=0.1,
    clearance=0.02,
    slice=0.1,
    slices_up=0.6,
    edge=0.8,
    leg=0,
    relax=False,
)


class Scene:
    """A window of the map with boxes on level ground, and a request."""

    def __init__(self, **changes: Any) -> None:
        self.request = PLAIN._replace(**changes)
        r = self.request
        self.x_low, self.z_low, rows, columns = search_window(r.start, r.preferred, r.room, CELL)
        self.elev, self.flags = np.zeros((rows, columns)), np.zeros((rows, columns), np.uint8)
        self.legs = np.full((4, 3, 2), np.nan)
        self.parting = np.full((4, 3, 2), np.nan)
        self.curve, self.target = np.zeros((SAMPLES, 3)), np.zeros(3)

    @property
    def middles(self) -> tuple[np.ndarray, np.ndarray]:
        rows, columns = self.elev.shape
        x = self.x_low + (np.arange(columns) + 0.5) * CELL
        z = self.z_low + (np.arange(rows) + 0.5) * CELL
        return np.broadcast_to(x, (rows, columns)), np.broadcast_to(z[:, None], (rows, columns))

    def box(self, x0: float, x1: float, z0: float, z1: float, top: float, bits: int = 0, grown: float = CELL):
        x, z = self.middles
        within = (x > x0) & (x < x1) & (z > z0) & (z < z1)
        around = (x > x0 - grown) & (x < x1 + grown) & (z > z0 - grown) & (z < z1 + grown)
        inner = (x > x0 + CELL) & (x < x1 - CELL) & (z > z0 + CELL) & (z < z1 - CELL)
        higher = around & (self.elev <= top)
        self.elev[higher] = top
        self.flags[higher & ~within] = GROWN
        self.flags[higher & within] = INSIDE | bits
        self.flags[higher & within & ~inner] |= EDGE
        return within

    @property
    def seen(self) -> MapWindow:
        return MapWindow(self.elev, self.flags, self.x_low, self.z_low, CELL)

    def window(self) -> GridWindow:
        r = self.request
        return look(r.start, r.preferred, r.room, self.seen)

    def plan(self) -> tuple[float, int, int]:
        return plan_once(self.request, self.seen, LegLines(self.legs, self.parting), SCRATCHES, self.curve, self.target)

    def cell_of(self, x: Any, z: Any) -> tuple[Any, Any]:
        return np.floor((np.asarray(z) - self.z_low) / CELL).astype(int), np.floor(
            (np.asarray(x) - self.x_low) / CELL
        ).astype(int)


def random_scene(seed: int, **changes: Any) -> Scene:
    """Boxes of all heights, some not to be stepped on, and sometimes another leg; the start may be anywhere."""
    random = np.random.default_rng(seed)
    aim = (random.uniform(-0.3, 0.3), 0.0, random.uniform(0.3, 0.8))
    start = (random.uniform(-0.05, 0.05), 0.0, random.uniform(-0.05, 0.05))
    settings = {"reach": 0.8, "room": 0.8, "fixed_distance": 0.3, "start": start, "preferred": aim} | changes
    scene = Scene(hip=(aim[0], 0.5, aim[2]), hip_late=(aim[0], 0.5, aim[2]), **settings)
    scene.elev[:] = random.uniform(0.0, 0.02, scene.elev.shape) * random.integers(2)
    for _ in range(random.integers(1, 6)):
        x, z = random.uniform(-0.4, 0.4), random.uniform(-0.2, 0.9)
        wide, long = random.uniform(0.03, 0.25, 2)
        bits = random.choice([0, NO_STAND, CORNER])
        scene.box(x - wide, x + wide, z - long, z + long, random.uniform(0.03, 0.5), int(bits))
    if random.random() < 0.4:
        x, z = random.uniform(-0.3, 0.3), random.uniform(0.1, 0.5)
        scene.legs[1] = [[x + 0.3, z], [x + 0.1, z + 0.1], [x, z]]
    row, column = scene.cell_of(aim[0], aim[2])
    height = float(scene.elev[row, column])
    scene.request = scene.request._replace(preferred=(aim[0], height, aim[2]))
    return scene


def way_places(places: Any, bend: float = 1.0) -> Records:
    """Places ``(n, 2)`` of a path."""
    rows = zeros(WayPlace, len(places))
    rows["u"], rows["v"], rows["bend"] = *np.asarray(places, dtype=float).T, bend
    return rows
